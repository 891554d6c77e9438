// Static problems of a whole Body: conditions on named sets and body forces in; displacements, stresses and reactions
// out. Plane or space.
#pragma once

#include "bem/static_problem.hpp"

#include <limber/body.hpp>
#include <limber/error.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace limber {

/// What holds on one vertex set. Facets whose corners are all in the set belong to it; its boundary vertices that are
/// on none of these facets are supported one by one (displacement only). Components without a displacement get the
/// traction; where nothing is said the boundary is free. Tractions and pressures of several conditions on one facet add
/// up, displacements must not meet anything else there.
struct BoundaryCondition {
    std::string set;                                    ///< a vertex set of the body's mesh; "" = the whole boundary
    std::array<std::optional<double>, 3> displacement;  ///< per component [m]; the plane has no third
    std::optional<Vec3> traction;                       ///< [Pa]
    std::optional<double> pressure;                     ///< pushes against the boundary [Pa]
    InputLocation place;                                ///< for messages
};

struct StaticCase {
    std::vector<BoundaryCondition> conditions;
    Vec3 gravity;                      ///< [m/s^2]
    Vec3 acceleration;                 ///< of the body as a whole; its inertia is a body force [m/s^2]
    Vec3 spin;                         ///< angular velocity [rad/s]; in the plane about z only
    Vec3 angular_acceleration;         ///< [rad/s^2]
    std::optional<Vec3> pivot;         ///< a point of the axis of both; the centroid if not given [m]
    std::optional<Vec3> torque_about;  ///< reactions' torques are about it; the centroid if not given [m]
    std::vector<Vec3> probes;          ///< on or in the body [m]
    bool inner_vertices = true;        ///< displacements of vertices inside too (a pass over the boundary for each)
    BoundaryElements elements = BoundaryElements::linear;
    double corner_degrees = BoundarySettings{}.corner_degrees;
    double accuracy = BoundarySettings{}.accuracy;
    InputLocation place;
};

struct StaticProbe {
    Vec3 at, displacement;  ///< [m]
    SymMat3 stress;         ///< [Pa]; all components, zz of plane strain or stress too
};

struct StaticReaction {
    std::string set;
    Vec3 force;   ///< on the body through the condition's facets (vertices): of a support its reaction, of a load the
                  ///< load [N]
    Vec3 torque;  ///< about StaticResult::torque_about [N m]
};

struct StaticResult {
    std::vector<Vec3> displacement;  ///< per body vertex [m]; those inside are 0 when not asked for
    std::vector<StaticProbe> probes;
    std::vector<StaticReaction> reactions;  ///< one per condition
    Vec3 body_force, body_torque;           ///< resultant of gravity and inertia [N], [N m]
    Vec3 centroid, torque_about;            ///< [m]
    double measure = 0.0;                   ///< area or volume by the boundary [m^2, m^3]
    std::size_t nodes = 0, slots = 0, facets = 0;
    int free_modes = 0;   ///< rigid motions nothing stops; they are zero on average
    double misfit = 0.0;  ///< rigid motion that balancing forces took, over the largest displacement: a residual, often
                          ///< far below the error [1]
    double condition = 0.0;
};

/// Throws Error{bad_scene} at a condition that cannot hold, Error{unsupported} for bodies of several materials or
/// parts, Error{interrupted}.
StaticResult solve_static_case(const Body& body, const StaticCase& what, Progress& progress);

}  // namespace limber
