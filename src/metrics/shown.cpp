// Measures on the surface that people see: it rides on both bodies, and its points count by the area around them.
#include "geometry/triangles.hpp"
#include "metrics/measure.hpp"

#include <limber/embedding.hpp>
#include <limber/tools/painted_surface.hpp>
#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

std::size_t shown_index(std::int32_t i) { return static_cast<std::size_t>(i); }

const Surface& surface_of(const Pairing& pairing) {
    const Recording& reference = pairing.reference();
    if (!reference.shown) {
        throw Error(Fault::unsupported, {reference.scene, 0, {}}, "the reference is not shown by a surface of its own",
                    "a recording of a scene that names a surface, or a surface given with it");
    }
    return reference.shown->surface;
}

/// The surface on both bodies.
class ShownMeasure : public FrameMeasure {
public:
    explicit ShownMeasure(const Pairing& pairing)
        : triangles_(triangulate(surface_of(pairing))),
          on_reference_(triangles_.vertices, pairing.mesh()),
          on_candidate_(triangles_.vertices, pairing.candidate().body->mesh()),
          weight_(triangles_.vertices.size(), 0.0),
          reference_(weight_.size()),
          candidate_(weight_.size()) {
        for (std::size_t t = 0; t < triangles_.size(); ++t) {
            const double share = norm(triangles_.area_vector(t)) / 3.0;
            for (const std::int32_t v : triangles_.corners[t]) weight_[shown_index(v)] += share;
        }
        for (const double w : weight_) area_ += w;
        if (!(area_ > 0.0)) {
            throw Error(Fault::bad_mesh, {pairing.reference().shown->file, 0, {}}, "a shown surface without area",
                        "faces to measure on");
        }
    }

    std::optional<double> at(const Pairing::Pair& pair) final {
        on_reference_.displacements(pair.reference->displacement, reference_);
        on_candidate_.displacements(pair.candidate->displacement, candidate_);
        return measure();
    }

protected:
    virtual std::optional<double> measure() const = 0;

    std::size_t size() const { return weight_.size(); }
    double distance(std::size_t v) const { return length(candidate_[v] - reference_[v]); }

    Triangles triangles_;  ///< at rest
    EmbeddedSurface on_reference_, on_candidate_;
    std::vector<double> weight_;               ///< share of the rest area [m^2]; 0 for vertices of no face
    double area_ = 0.0;                        ///< [m^2]
    std::vector<Vec3> reference_, candidate_;  ///< displacements of the current pair [m]
};

class ShownL2 : public ShownMeasure {
    using ShownMeasure::ShownMeasure;
    std::optional<double> measure() const override {
        // Each with a scale of its own: beside 1e200 m the square of a reference of 1 mm would vanish.
        const double least = near_one(largest_component(reference_)),
                     shrink = std::min(least, near_one(largest_component(candidate_)));
        double error = 0.0, scale = 0.0;
        for (std::size_t v = 0; v < size(); ++v) {
            error += weight_[v] * norm2(candidate_[v] * shrink - reference_[v] * shrink);
            scale += weight_[v] * norm2(reference_[v] * least);
        }
        const std::optional<double> scaled = ratio(std::sqrt(error), std::sqrt(scale));
        return scaled ? std::optional(*scaled * (least / shrink)) : std::nullopt;
    }
};

class ShownMean : public ShownMeasure {
    using ShownMeasure::ShownMeasure;
    std::optional<double> measure() const override {
        double sum = 0.0;
        for (std::size_t v = 0; v < size(); ++v) sum += weight_[v] * distance(v);
        return sum / area_;
    }
};

class ShownMax : public ShownMeasure {
    using ShownMeasure::ShownMeasure;
    std::optional<double> measure() const override {
        double largest = 0.0;
        for (std::size_t v = 0; v < size(); ++v)
            if (weight_[v] > 0.0) largest = std::max(largest, distance(v));
        return largest;
    }
};

/// How differently light falls on it: the angle between the normals of each face.
class ShownNormal : public ShownMeasure {
    using ShownMeasure::ShownMeasure;
    Vec3 normal(std::size_t t, const std::vector<Vec3>& moved) const {
        std::array<Vec3, 3> p;
        for (std::size_t k = 0; k < 3; ++k)
            p[k] = triangles_.at(t, static_cast<int>(k)) + moved[shown_index(triangles_.corners[t][k])];
        // Only its direction counts: edges of 1e200 m, or of 1e-200, must not lose it in their product.
        const std::array<Vec3, 2> edges{p[1] - p[0], p[2] - p[0]};
        const double scale = near_one(largest_component(edges));
        return cross(edges[0] * scale, edges[1] * scale);
    }
    std::optional<double> measure() const override {
        double sum = 0.0, area = 0.0;
        for (std::size_t t = 0; t < triangles_.size(); ++t) {
            const Vec3 a = normal(t, reference_), b = normal(t, candidate_);
            if (norm2(a) == 0.0 || norm2(b) == 0.0) continue;  // a face drawn to a line has no normal
            const double share = norm(triangles_.area_vector(t));
            // The sine from the cross product keeps its digits where the angle is small.
            sum += share * std::atan2(norm(cross(a, b)), dot(a, b));
            area += share;
        }
        if (!(area > 0.0)) return std::nullopt;
        return sum / area * 180.0 / std::numbers::pi;
    }
};

}  // namespace

std::unique_ptr<FrameMeasure> make_shown_l2(const Pairing& pairing) { return std::make_unique<ShownL2>(pairing); }
std::unique_ptr<FrameMeasure> make_shown_mean(const Pairing& pairing) { return std::make_unique<ShownMean>(pairing); }
std::unique_ptr<FrameMeasure> make_shown_max(const Pairing& pairing) { return std::make_unique<ShownMax>(pairing); }
std::unique_ptr<FrameMeasure> make_shown_normal(const Pairing& pairing) {
    return std::make_unique<ShownNormal>(pairing);
}

}  // namespace limber
