#include "bem/rigid_modes.hpp"

#include "bem/free_response.hpp"

#include <algorithm>
#include <array>

namespace limber {

Vec3 rigid_mode(int dimension, std::size_t mode, const Vec3& from_origin, double size) {
    const auto d = static_cast<std::size_t>(dimension);
    Vec3 axis;
    axis[static_cast<int>(mode < d ? mode : (dimension == 2 ? 2 : mode - 3))] = 1.0;
    return mode < d ? axis : cross(axis, from_origin) / size;
}

double boundary_radius(const BoundarySystem& system) {
    double out = 0.0;
    for (const Vec3& p : system.shape.points) out = std::max(out, norm(p - system.origin));
    return out;
}

namespace {

Vec3 vector_at(std::span<const double> values, std::size_t index, int dimension) {
    Vec3 out;
    for (int c = 0; c < dimension; ++c)
        out[c] = values[index * static_cast<std::size_t>(dimension) + static_cast<std::size_t>(c)];
    return out;
}

}  // namespace

void for_slot_shares(const BoundarySystem& system, std::span<const std::int32_t> facets,
                     const std::function<void(const SlotShare&)>& take) {
    const auto d = static_cast<std::size_t>(system.dimension());
    const bool constant = system.elements == BoundaryElements::constant;
    const std::size_t count = facets.empty() ? system.shape.facet_count() : facets.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t f = facets.empty() ? i : static_cast<std::size_t>(facets[i]);
        std::array<Vec3, 3> corner{};
        Vec3 sum;
        for (std::size_t k = 0; k < d; ++k)
            sum += corner[k] = system.shape.points[static_cast<std::size_t>(system.shape.facets[d * f + k])];
        const double measure = norm(outward_of(system.shape, f));
        if (constant) {
            take({static_cast<std::size_t>(system.facet_slots[f]), measure, measure / static_cast<double>(d) * sum});
            continue;
        }
        for (std::size_t k = 0; k < d; ++k)  // the mass matrix of a simplex: 1 + (1 if the same)
        {
            take({static_cast<std::size_t>(system.facet_slots[d * f + k]), measure / static_cast<double>(d),
                  measure / static_cast<double>(d * (d + 1)) * (sum + corner[k])});
        }
    }
}

Resultant traction_resultant(const BoundarySystem& system, std::span<const double> traction, const Vec3& about,
                             std::span<const std::int32_t> facets) {
    Resultant out;
    for_slot_shares(system, facets, [&](const SlotShare& share) {
        const Vec3 t = vector_at(traction, share.slot, system.dimension());
        out.force += share.weight * t;
        out.torque += cross(share.moment - share.weight * about, t);
    });
    return out;
}

Resultant slot_resultant(const BoundarySystem& system, std::span<const double> traction, const Vec3& about,
                         std::span<const std::int32_t> slots) {
    std::vector<std::uint8_t> counted(system.slot_node.size(), 0);
    for (const std::int32_t s : slots) counted[static_cast<std::size_t>(s)] = 1;
    Resultant out;
    for_slot_shares(system, {}, [&](const SlotShare& share) {
        if (!counted[share.slot]) return;
        const Vec3 t = vector_at(traction, share.slot, system.dimension());
        out.force += share.weight * t;
        out.torque += cross(share.moment - share.weight * about, t);
    });
    return out;
}

Resultant body_resultant(const BoundarySystem& system, std::span<const double> body_force, const Vec3& about) {
    const int d = system.dimension();
    const Vec3 constant = vector_at(body_force, 0, d);
    Resultant out;
    out.force = system.measure * constant;  // the linear part is about the centroid
    Mat3 gradient;
    for (int i = 0; i < d; ++i)
        for (int j = 0; j < d; ++j) gradient(i, j) = body_force[static_cast<std::size_t>(d + i * d + j)];
    const Mat3 arm = enclosed_by(system.shape).second * transpose(gradient);  // integral of r_i b_j
    out.torque = Vec3{arm(1, 2) - arm(2, 1), arm(2, 0) - arm(0, 2), arm(0, 1) - arm(1, 0)} +
                 cross(system.origin - about, out.force);
    return out;
}

}  // namespace limber
