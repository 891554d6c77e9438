// Loads: what the world does to a body during one step, stated on body vertices.
#pragma once

#include <limber/obstacle.hpp>
#include <limber/vec3.hpp>

#include <array>
#include <cstdint>
#include <span>

namespace limber {

/// Where a handle is at the *end* of the step. Vertex p of the handle goes to pivot + translation + rotation (p -
/// pivot).
struct HandleTarget {
    Vec3 translation;  ///< [m]
    Quat rotation;
    Vec3 velocity;              ///< of the pivot [m/s]
    Vec3 angular_velocity;      ///< [rad/s], world axes
    Vec3 acceleration;          ///< [m/s^2]
    Vec3 angular_acceleration;  ///< [rad/s^2]
};

/// Where a vertex that is driven by itself (Handle::each_vertex) is at the *end* of the step.
struct VertexTarget {
    Vec3 position;  ///< [m]
    Vec3 velocity;  ///< [m/s]; its acceleration is taken to be the change of velocity over the step
    friend bool operator==(const VertexTarget&, const VertexTarget&) = default;
};

/// A material point tied to a target while running: picked, moved and dropped without any new memory.
struct PointConstraint {
    enum class Kind : std::uint8_t { off, hard, soft };
    static constexpr int kMaxVertices = 10;

    Kind kind = Kind::off;
    bool unilateral = false;  ///< only pushes along `normal`: the point may leave on that side
    int vertex_count = 0;     ///< how many of the next two are used
    std::array<std::int32_t, kMaxVertices> vertices{};
    std::array<double, kMaxVertices> weights{};  ///< embedding weights; they sum to 1
    Vec3 target;                                 ///< where the point should be at the end of the step [m]
    Vec3 velocity;                               ///< of the target [m/s]
    Vec3 normal{0.0, 1.0, 0.0};                  ///< unit; used when unilateral
    double stiffness = 0.0;                      ///< of a soft one [N/m]; its pull is that at the end of the step
    friend bool operator==(const PointConstraint&, const PointConstraint&) = default;
};

/// Spans may be empty (= nothing); otherwise their sizes are fixed by the Body and the Deformer.
/// All of it describes the end of the step; a method that sub-steps goes there smoothly from the last one.
struct Loads {
    std::span<const Vec3> force;             ///< one per body vertex [N]; empty = none
    Vec3 gravity{0.0, 0.0, 0.0};             ///< [m/s^2]
    std::span<const HandleTarget> handles;   ///< one per body handle; empty = all at rest
    std::span<const VertexTarget> vertices;  ///< one per Body::driven_vertices(); empty = all at rest
    std::span<const PointConstraint> live;   ///< at most the deformer's capacity; slot i keeps its identity
    std::span<const Obstacle> obstacles;     ///< what the body may not enter; index i keeps its identity
};

}  // namespace limber
