// Structures of limber.h that are C++ ones seen from C: the same bytes, so that a loop writes straight into a world.
#pragma once

#include <limber/limber.h>
#include <limber/loads.hpp>
#include <limber/mesh.hpp>

#include <bit>
#include <cstddef>
#include <type_traits>

namespace limber::capi {

template <class C, class Cpp>
constexpr bool kAlike = sizeof(C) == sizeof(Cpp) && alignof(C) == alignof(Cpp) && std::is_standard_layout_v<Cpp>;

static_assert(kAlike<limber_vec3, Vec3> && offsetof(limber_vec3, z) == offsetof(Vec3, z));
static_assert(kAlike<limber_quat, Quat> && offsetof(limber_quat, w) == offsetof(Quat, w) &&
              offsetof(limber_quat, z) == offsetof(Quat, z));
static_assert(kAlike<limber_vertex_target, VertexTarget> &&
              offsetof(limber_vertex_target, velocity) == offsetof(VertexTarget, velocity));
static_assert(kAlike<limber_handle_target, HandleTarget> &&
              offsetof(limber_handle_target, rotation) == offsetof(HandleTarget, rotation) &&
              offsetof(limber_handle_target, velocity) == offsetof(HandleTarget, velocity) &&
              offsetof(limber_handle_target, angular_velocity) == offsetof(HandleTarget, angular_velocity) &&
              offsetof(limber_handle_target, acceleration) == offsetof(HandleTarget, acceleration) &&
              offsetof(limber_handle_target, angular_acceleration) == offsetof(HandleTarget, angular_acceleration));
static_assert(kAlike<limber_live, PointConstraint> &&
              offsetof(limber_live, unilateral) == offsetof(PointConstraint, unilateral) &&
              offsetof(limber_live, vertex_count) == offsetof(PointConstraint, vertex_count) &&
              offsetof(limber_live, vertices) == offsetof(PointConstraint, vertices) &&
              offsetof(limber_live, weights) == offsetof(PointConstraint, weights) &&
              offsetof(limber_live, target) == offsetof(PointConstraint, target) &&
              offsetof(limber_live, velocity) == offsetof(PointConstraint, velocity) &&
              offsetof(limber_live, normal) == offsetof(PointConstraint, normal) &&
              offsetof(limber_live, stiffness) == offsetof(PointConstraint, stiffness));
static_assert(static_cast<int>(PointConstraint::Kind::hard) == LIMBER_LIVE_HARD &&
              static_cast<int>(PointConstraint::Kind::soft) == LIMBER_LIVE_SOFT &&
              PointConstraint::kMaxVertices == LIMBER_LIVE_VERTICES);

static_assert(LIMBER_X == 1 && LIMBER_Y == 2 && LIMBER_Z == 4);
static_assert(static_cast<int>(CellKind::tri3) == LIMBER_TRI3 && static_cast<int>(CellKind::hex8) == LIMBER_HEX8 &&
              static_cast<int>(CellKind::tet10) == LIMBER_TET10);

/// The one conversion between the two worlds' views of the same bytes.
template <class C, class Cpp>
C* seen_from_c(Cpp* items) {
    static_assert(kAlike<C, Cpp>);
    return reinterpret_cast<C*>(items);
}
inline const limber_vec3* seen_from_c(const Vec3* items) { return reinterpret_cast<const limber_vec3*>(items); }
inline Vec3 from_c(const limber_vec3& v) { return {v.x, v.y, v.z}; }

}  // namespace limber::capi
