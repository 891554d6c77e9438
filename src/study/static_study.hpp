// Static problems posed as scenes: what `limber static` computes, by boundary elements or by finite elements.
#pragma once

#include <limber/progress.hpp>
#include <limber/tools/scene.hpp>

#include <string>
#include <vector>

namespace limber {

struct StaticPoint {
    std::string name;
    Vec3 at, displacement;  ///< [m]
    SymMat3 stress;         ///< [Pa]
};

/// What a condition exerts on the body: the reaction of what is held, the load of what is loaded.
struct StaticForce {
    std::string name;
    Vec3 force;   ///< [N]
    Vec3 torque;  ///< about StaticAnswer::torque_about [N m]
};

struct StaticAnswer {
    std::shared_ptr<const Body> body;  ///< without supports
    std::string method;                ///< "bem" or "linear_fem"
    std::string elements;              ///< "linear" or "constant" facets; the kind of the cells
    std::vector<Vec3> displacement;    ///< per body vertex [m]
    std::vector<StaticPoint> probes;
    std::vector<StaticForce> forces;  ///< one per condition, in order
    StaticForce body_force;           ///< of gravity and spin
    Vec3 torque_about;                ///< centre of mass [m]
    std::size_t unknowns = 0;
    int free_modes = 0;      ///< rigid motions that nothing holds
    double condition = 0.0;  ///< of the matrix; 0 = not estimated
    double misfit = 0.0;     ///< rigid motion that bem's balance of forces needed, over the largest displacement: a
                             ///< residual, not an error; 0 = none
    double error = -1.0;     ///< estimate: largest error of a vertex's displacement over the largest displacement;
                             ///< negative = not estimated
    std::string no_error;    ///< why not; "" = it is
    double seconds = 0.0;    ///< wall clock
};

/// Throws SceneError, Error{bad_scene | unsupported | bad_usage | interrupted}. Without `inside`, bem leaves
/// displacements of inner vertices zero.
StaticAnswer solve_static_scene(const Scene& scene, bool inside, Progress& progress);

/// Solves again with every cell split and fills `error` (or `no_error`: where that would take more than `most`
/// unknowns, or cannot be done). Halving the cells takes away at least half of the error, so twice the difference is
/// the estimate.
void estimate_static_error(const Scene& scene, std::size_t most, StaticAnswer& answer, Progress& progress);

/// The second way: finite elements on the body's own cells, tractions as consistent forces. Fills all but body,
/// body_force and seconds.
void solve_static_fem(const Scene& scene, const Body& body, StaticAnswer& out, Progress& progress);

}  // namespace limber
