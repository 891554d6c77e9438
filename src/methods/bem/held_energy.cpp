#include "methods/bem/held_energy.hpp"

#include "bem/rigid_modes.hpp"

namespace limber {

Vec3 elastic_part(const FreeResponse& response, const double* rigid, const Vec3& displacement,
                  const Vec3& position) noexcept {
    Vec3 left = displacement;
    for (int k = 0; k < response.rigid_count(); ++k) {
        left -= rigid_mode(response.dimension(), static_cast<std::size_t>(k), position - response.enclosed().centroid,
                           1.0) *
                rigid[k];
    }
    return left;
}

double elastic_at_arm(const FreeResponse& response, const double* rigid, const Vec3& displacement, std::size_t node,
                      int axis) noexcept {
    return elastic_part(response, rigid, displacement, response.enclosed().centroid + response.arm(node, axis))[axis];
}

SupportWork::SupportWork(const FreeResponse& response, const BoundaryShape& shape,
                         const std::vector<std::int32_t>& held_axes)
    : response_(response), dimension_(response.dimension()), weight_(response.size(), 0.0) {
    const auto d = static_cast<std::size_t>(dimension_);
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        for (std::size_t c = 0; c < d; ++c) {
            if (!(held_axes[f] & (1 << c))) continue;
            Patch patch{{}, norm(outward_of(shape, f))};
            for (std::size_t k = 0; k < d; ++k) {
                const std::size_t unknown = d * static_cast<std::size_t>(shape.facets[d * f + k]) + c;
                patch.unknown[k] = static_cast<std::int32_t>(unknown);
                weight_[unknown] += patch.measure / static_cast<double>(d);
            }
            patches_.push_back(patch);
        }
    }
}

double SupportWork::operator()(const double* force, const double* u, const double* elastic,
                               const double* rigid) const noexcept {
    double work = 0.0;
    const auto d = static_cast<std::size_t>(dimension_);
    for (std::size_t i = 0; i < weight_.size(); ++i) {
        if (force[i] == 0.0 || weight_[i] > 0.0) continue;
        const double* here = u + i / d * d;
        work += force[i] * elastic_at_arm(response_, rigid, {here[0], here[1], d == 3 ? here[2] : 0.0}, i / d,
                                          static_cast<int>(i % d));
    }
    // The integral of two hat functions over a facet is its measure over d (d + 1), twice that of one with itself.
    for (const Patch& patch : patches_) {
        double sum = 0.0;
        for (std::size_t k = 0; k < d; ++k) sum += elastic[patch.unknown[k]];
        for (std::size_t k = 0; k < d; ++k) {
            const auto i = static_cast<std::size_t>(patch.unknown[k]);
            work += force[i] / weight_[i] * (sum + elastic[i]) * patch.measure / static_cast<double>(d * (d + 1));
        }
    }
    return work;
}

}  // namespace limber
