// A static problem of an elastic body in boundary elements, plane or space: conditions per node and component in,
// displacements and tractions out. Works on any BoundarySystem; in the plane, forces and torques are per metre of
// depth.
#pragma once

#include "bem/boundary_system.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace limber {

/// What is known of the traction of one slot in one component.
enum class SlotTraction : std::uint8_t {
    given,
    unknown,
    shared,  ///< unknown, and the same in every shared slot of the node: a support at a point, not over facets
};

/// Starts as a free boundary without loads. A held component of a node needs at least one slot that is not `given`, a
/// free one none.
struct StaticConditions {
    explicit StaticConditions(const BoundarySystem& system);

    /// Holds one component of a node; all its slots become unknown there.
    void hold(std::size_t node, int component, double value, SlotTraction slots = SlotTraction::unknown);

    /// Holds one component on facets, at their nodes; only these facets' slots become unknown.
    void hold_facets(std::span<const std::int32_t> facets, int component,
                     const std::function<double(const Vec3&)>& value);

    std::vector<std::uint8_t> held;    ///< per node and component
    std::vector<double> displacement;  ///< per node and component, read where held [m]
    std::vector<SlotTraction> slot;    ///< per slot and component
    std::vector<double> traction;      ///< per slot and component, read where given [Pa]
    std::vector<double> body_force;    ///< coefficients as in BoundarySystem
private:
    const BoundarySystem* system_;
};

struct StaticSolution {
    std::vector<double> displacement;  ///< per node and component [m]
    std::vector<double> traction;      ///< per slot and component [Pa]
    std::vector<double> body_force;
    /// What the collocated equations leave of rigid motion so that forces and torques balance exactly, by mode [m]: an
    /// error indicator.
    std::vector<double> misfit;
    int free_modes = 0;      ///< rigid motions that nothing holds; they are zero on average
    double condition = 0.0;  ///< of the matrix, 1-norm estimate
};

/// Solves. Where held facets meet at a corner, one more equation per surplus slot is collocated just outside. Throws
/// Error{bad_usage} where conditions contradict each other, or when what is free to move is loaded: the message names
/// the force and torque left over.
StaticSolution solve_static(const BoundarySystem& system, const StaticConditions& conditions, Progress& progress);

/// Force and torque about a point.
struct Resultant {
    Vec3 force;   ///< [N], in the plane [N/m]
    Vec3 torque;  ///< [N m], in the plane [N] about z
};
/// Of tractions over facets (all when `facets` is empty).
Resultant traction_resultant(const BoundarySystem& system, std::span<const double> traction, const Vec3& about,
                             std::span<const std::int32_t> facets = {});
/// Of tractions in single slots.
Resultant slot_resultant(const BoundarySystem& system, std::span<const double> traction, const Vec3& about,
                         std::span<const std::int32_t> slots);
/// Of a body force over the body.
Resultant body_resultant(const BoundarySystem& system, std::span<const double> body_force, const Vec3& about);

/// Neither in the body nor on its boundary (to 1e-9 of its size).
bool is_outside(const BoundarySystem& system, const Vec3& point);
/// At a point inside, right up close to the boundary too. On the boundary: from the facet.
Vec3 displacement_at(const BoundarySystem& system, const StaticSolution& solution, const Vec3& point);
/// xx yy zz xy yz zx; in the plane zz is that of plane strain.
SymMat3 stress_at(const BoundarySystem& system, const StaticSolution& solution, const Vec3& point);

}  // namespace limber
