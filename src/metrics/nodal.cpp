// Measures over vertices: E_n, the energy norm, E_i and the largest distance.
#include "fem/energy.hpp"
#include "geometry/tributary.hpp"
#include "metrics/measure.hpp"

#include <limber/tools/metrics.hpp>
#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

/// Each with a scale of its own: beside 1e200 m the square of a reference of 1 mm would vanish.
struct Scaled {
    std::vector<Vec3> reference, difference;
    double back = 1.0;  ///< times a quotient of the two lengths, it is that of the lengths before
};

Scaled scaled_difference(std::span<const Vec3> reference, std::span<const Vec3> candidate) {
    const double own = near_one(largest_component(reference)),
                 scale = std::min(own, near_one(largest_component(candidate)));
    Scaled out;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        out.reference.push_back(reference[i] * own);
        out.difference.push_back(candidate[i] * scale - reference[i] * scale);
    }
    out.back = own / scale;
    return out;
}

double sum_of_squares(std::span<const Vec3> field) {
    double sum = 0.0;
    for (const Vec3& v : field) sum += norm2(v);
    return sum;
}

double distance(const Vec3& a, const Vec3& b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }

double largest_distance(std::span<const Vec3> a, std::span<const Vec3> b) {
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, distance(a[i], b[i]));
    return largest;
}

class RelativeL2 : public FrameMeasure {
public:
    explicit RelativeL2(const Pairing& pairing) : pairing_(pairing) {
        for (const Pairing::Pair& pair : pairing.frames())
            rounding_ = std::max(rounding_, kRounding * largest_component(pair.reference->displacement));
    }
    std::optional<double> at(const Pairing::Pair& pair) override {
        // At rest but for rounding: no error where both are, and none that is relative to anything where only the
        // reference is.
        if (largest_component(pair.reference->displacement) <= rounding_) {
            return largest_component(pairing_.to_reference(pair.candidate->displacement)) <= rounding_
                       ? 0.0
                       : std::numeric_limits<double>::infinity();
        }
        return relative_l2(pair.reference->displacement, pairing_.to_reference(pair.candidate->displacement));
    }

private:
    static constexpr double kRounding = 1e-14;  // of the reference's largest displacement
    const Pairing& pairing_;
    double rounding_ = 0.0;
};

class RelativeEnergy : public FrameMeasure {
public:
    explicit RelativeEnergy(const Pairing& pairing) : pairing_(pairing), norm_(*pairing.reference().body) {}
    std::optional<double> at(const Pairing::Pair& pair) override {
        const Scaled s = scaled_difference(pair.reference->displacement,
                                           pairing_.to_reference(pair.candidate->displacement));
        // Rounding can leave a rigid motion with a negative energy of 1e-17.
        const double error = std::max(0.0, norm_.squared(s.difference)),
                     size = std::max(0.0, norm_.squared(s.reference));
        const std::optional<double> scaled = ratio(std::sqrt(error), std::sqrt(size));
        return scaled ? std::optional(*scaled * s.back) : std::nullopt;
    }

private:
    const Pairing& pairing_;
    EnergyNorm norm_;
};

// Sum of weight times distance, times a constant: E_i and its dimensionless twin differ in that constant only.
class WeightedDistance : public FrameMeasure {
public:
    WeightedDistance(const Pairing& pairing, bool mean)
        : pairing_(pairing), weights_(positive_weights(pairing.mesh())) {
        double measure = 0.0;
        for (const double w : weights_) measure += w;
        const double length = std::pow(measure, 1.0 / pairing.mesh().dimension());
        factor_ = mean ? 1.0 / (measure * length) : 1.0 / length;
    }
    std::optional<double> at(const Pairing::Pair& pair) override {
        const std::vector<Vec3> candidate = pairing_.to_reference(pair.candidate->displacement);
        const double scale = 0.25 * near_one(std::max(largest_component(pair.reference->displacement),
                                                      largest_component(candidate)));
        double sum = 0.0;
        for (std::size_t i = 0; i < weights_.size(); ++i)
            sum += weights_[i] * distance(pair.reference->displacement[i] * scale, candidate[i] * scale);
        return sum * factor_ / scale;
    }

private:
    const Pairing& pairing_;
    std::vector<double> weights_;
    double factor_ = 0.0;
};

class MaxDistance : public FrameMeasure {
public:
    explicit MaxDistance(const Pairing& pairing) : pairing_(pairing) {}
    std::optional<double> at(const Pairing::Pair& pair) override {
        const auto &u = pair.reference->displacement, &v = pair.candidate->displacement;
        if (pairing_.same_mesh()) return largest_distance(u, v);
        // Both sets of vertices: the peak of the difference can sit on a vertex that only one mesh has.
        return std::max(largest_distance(u, pairing_.to_reference(v)), largest_distance(pairing_.to_candidate(u), v));
    }

private:
    const Pairing& pairing_;
};

}  // namespace

double largest_component(std::span<const Vec3> field) {
    double largest = 0.0;
    for (const Vec3& v : field) largest = std::max({largest, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    return largest;
}

double relative_l2(std::span<const Vec3> reference, std::span<const Vec3> candidate) {
    if (reference.size() != candidate.size()) {
        throw Error(Fault::bad_usage, {}, text(counted(candidate.size(), "candidate displacement")),
                    text(reference.size(), " as in the reference"));
    }
    const Scaled s = scaled_difference(reference, candidate);
    const double error = std::sqrt(sum_of_squares(s.difference)), size = std::sqrt(sum_of_squares(s.reference));
    if (error == 0.0) return 0.0;
    return size > 0.0 ? error / size * s.back : std::numeric_limits<double>::infinity();
}

std::vector<double> positive_weights(const Mesh& mesh) {
    if (mesh.kind != CellKind::tet10) return tributary_measure(mesh);
    // Quadratic shape functions integrate to negative corner weights, which make no sense as shares of a body. Cut into
    // eight half-size tetrahedra a cell gives 1/32 of its volume to each corner and 7/48 to each middle.
    std::vector<double> weights(mesh.vertices.size(), 0.0);
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        const double volume = cell_measure(mesh, c);
        for (int k = 0; k < 10; ++k)
            weights[static_cast<std::size_t>(mesh.cell(c)[k])] += volume * (k < 4 ? 1.0 / 32 : 7.0 / 48);
    }
    return weights;
}

std::unique_ptr<FrameMeasure> make_relative_l2(const Pairing& pairing) { return std::make_unique<RelativeL2>(pairing); }
std::unique_ptr<FrameMeasure> make_relative_energy(const Pairing& pairing) {
    return std::make_unique<RelativeEnergy>(pairing);
}
std::unique_ptr<FrameMeasure> make_interior(const Pairing& pairing) {
    return std::make_unique<WeightedDistance>(pairing, false);
}
std::unique_ptr<FrameMeasure> make_interior_mean(const Pairing& pairing) {
    return std::make_unique<WeightedDistance>(pairing, true);
}
std::unique_ptr<FrameMeasure> make_max_distance(const Pairing& pairing) {
    return std::make_unique<MaxDistance>(pairing);
}

}  // namespace limber
