// E_s: the part of the plane (of space) inside exactly one of the two deformed shapes, over the reference's own share.
#include "metrics/even_odd.hpp"
#include "metrics/measure.hpp"
#include "metrics/rays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr double kFirstOrderBelow = 1e-4;
constexpr double kLargestCoordinate = 1e90;  // [m] cubes of it still fit a double; only a run that blew up gets there

std::size_t facet_index(std::int32_t i) { return static_cast<std::size_t>(i); }

// Displaced in extended precision: adding in double would round a small displacement away.
void add_outline(const Mesh& mesh, const Boundary& boundary, std::span<const Vec3> u, std::vector<Edge2>& out) {
    for (std::size_t e = 0; e < boundary.facet_count(); ++e) {
        const auto a = facet_index(boundary.facets[2 * e]), b = facet_index(boundary.facets[2 * e + 1]);
        const Vec3 &p = mesh.vertices[a], &q = mesh.vertices[b];
        out.push_back({Real(p.x) + u[a].x, Real(p.y) + u[a].y, Real(q.x) + u[b].x, Real(q.y) + u[b].y});
    }
}

class PlanarSurface : public FrameMeasure {
public:
    explicit PlanarSurface(const Pairing& pairing)
        : pairing_(pairing),
          reference_boundary_(boundary_of(pairing.mesh())),
          candidate_boundary_(boundary_of(pairing.candidate().body->mesh())) {}

    std::optional<double> at(const Pairing::Pair& pair) override {
        std::vector<Edge2> edges;
        add_outline(pairing_.mesh(), reference_boundary_, pair.reference->displacement, edges);
        const EvenOddArea own = even_odd_area(edges);
        add_outline(pairing_.candidate().body->mesh(), candidate_boundary_, pair.candidate->displacement, edges);
        const EvenOddArea difference = even_odd_area(std::move(edges));
        if (!(own.area > 0)) return ratio(static_cast<double>(difference.area), 0.0);
        const Real value = difference.area / own.area;
        const Real error = (difference.error + value * own.error) / own.area;
        if (error < 1e300L) error_ = std::max(error_, static_cast<double>(error));
        return static_cast<double>(value);
    }
    double stated_error() const override { return error_; }

private:
    const Pairing& pairing_;
    Boundary reference_boundary_, candidate_boundary_;
    double error_ = 0.0;
};

std::vector<Vec3> deformed(const Mesh& mesh, std::span<const Vec3> u) {
    std::vector<Vec3> out(mesh.vertices);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += u[i];
    return out;
}

std::vector<Vec3> difference_of(std::vector<Vec3> a, std::span<const Vec3> b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
    return a;
}

bool too_large(std::span<const Vec3> points) {
    return std::any_of(points.begin(), points.end(), [](const Vec3& p) {
        return !(std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) < kLargestCoordinate);
    });
}

class SolidSurface : public FrameMeasure {
public:
    explicit SolidSurface(const Pairing& pairing)
        : pairing_(pairing),
          reference_skin_(make_skin(pairing.mesh())),
          candidate_skin_(make_skin(pairing.candidate().body->mesh())),
          first_order_(pairing.same_rest_shape()) {}

    std::optional<double> at(const Pairing::Pair& pair) override {
        const auto &u = pair.reference->displacement, &v = pair.candidate->displacement;
        const std::vector<Vec3> a = on_skin(reference_skin_, deformed(pairing_.mesh(), u));
        const std::vector<Vec3> b = on_skin(candidate_skin_, deformed(pairing_.candidate().body->mesh(), v));
        if (too_large(a) || too_large(b)) return std::numeric_limits<double>::infinity();
        const double volume = std::abs(enclosed_volume(reference_skin_, a));
        const std::vector<Vec3> delta = on_skin(reference_skin_, difference_of(pairing_.to_reference(v), u));
        if (first_order_) {
            const auto value = ratio(swept_volume(reference_skin_, a, delta), volume);
            if (value && *value < kFirstOrderBelow) return first_order_value(*value, b, u, v, volume);
        }
        const RayVolume rays = xor_volume({reference_skin_, a}, {candidate_skin_, b},
                                          sweep_axis(reference_skin_, a, delta));
        if (volume > 0.0) error_ = std::max(error_, rays.error / volume);
        return ratio(rays.volume, volume);
    }
    double stated_error() const override { return error_; }

private:
    // What the first order leaves out is of the second: seen in the difference between sweeping from either shape, and
    // at sharp edges, where the swept layers overlap (for a cube shifted along its diagonal by E_s^2 / 6).
    double first_order_value(double value, std::span<const Vec3> candidate_points, std::span<const Vec3> u,
                             std::span<const Vec3> v, double volume) {
        const std::vector<Vec3> back = on_skin(candidate_skin_, difference_of(pairing_.to_candidate(u), v));
        const double other = swept_volume(candidate_skin_, candidate_points, back) / volume;
        error_ = std::max(error_, std::abs(value - other) + value * value);
        return value;
    }

    const Pairing& pairing_;
    Skin reference_skin_, candidate_skin_;
    bool first_order_;
    double error_ = 0.0;
};

}  // namespace

std::unique_ptr<FrameMeasure> make_surface(const Pairing& pairing) {
    if (pairing.mesh().dimension() == 2) return std::make_unique<PlanarSurface>(pairing);
    return std::make_unique<SolidSurface>(pairing);
}

}  // namespace limber
