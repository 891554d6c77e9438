#include "fem/vertex_fields.hpp"

#include <algorithm>

namespace limber {

void external_forces(std::span<const double> weight, const Loads& loads, int dimension, double* out) noexcept {
    const auto d = static_cast<std::size_t>(dimension);
    for (std::size_t v = 0; v < weight.size(); ++v) {
        for (std::size_t i = 0; i < d; ++i) {
            const int axis = static_cast<int>(i);
            out[v * d + i] = weight[v] * loads.gravity[axis] + (loads.force.empty() ? 0.0 : loads.force[v][axis]);
        }
    }
}

void to_vertices(const double* field, int dimension, std::span<Vec3> out) noexcept {
    const auto d = static_cast<std::size_t>(dimension);
    for (std::size_t v = 0; v < out.size(); ++v)
        out[v] = {field[v * d], field[v * d + 1], dimension == 3 ? field[v * d + 2] : 0.0};
}

void from_vertices(std::span<const Vec3> vectors, int dimension, std::span<const std::int32_t> unknowns,
                   double* field) noexcept {
    for (const std::int32_t f : unknowns) field[f] = vectors[static_cast<std::size_t>(f / dimension)][f % dimension];
}

bool is_motion_of(const Body& body, std::span<const Vec3> displacement, std::span<const Vec3> velocity) noexcept {
    return displacement.size() == body.vertex_count() && velocity.size() == body.vertex_count() &&
           std::all_of(displacement.begin(), displacement.end(), is_finite) &&
           std::all_of(velocity.begin(), velocity.end(), is_finite);
}

}  // namespace limber
