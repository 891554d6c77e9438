// Fields over all unknowns of a body (`dimension` numbers per vertex, prescribed ones included) and one vector per
// vertex.
#pragma once

#include <limber/body.hpp>
#include <limber/loads.hpp>

#include <cstdint>
#include <span>

namespace limber {

/// Gravity's share per vertex (`weight` [kg]) and the forces on vertices [N].
void external_forces(std::span<const double> weight, const Loads& loads, int dimension, double* out) noexcept;

void to_vertices(const double* field, int dimension, std::span<Vec3> out) noexcept;
/// The named unknowns of a field, from one vector per vertex.
void from_vertices(std::span<const Vec3> vectors, int dimension, std::span<const std::int32_t> unknowns,
                   double* field) noexcept;

/// One finite displacement and velocity per vertex of the body.
bool is_motion_of(const Body& body, std::span<const Vec3> displacement, std::span<const Vec3> velocity) noexcept;

}  // namespace limber
