// World: bodies that are stepped together, what acts on each, and the obstacles they share. It owns states and scratch
// memory, so that a loop is three lines: change inputs, step, read.
#pragma once

#include <limber/deformer.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace limber {

/// What acts on one body until it is changed. Everything has its size from the start: a loop writes into it and
/// allocates nothing.
struct BodyInputs {
    std::vector<Vec3> force;             ///< one per vertex [N]
    std::vector<HandleTarget> handles;   ///< one per handle; at rest until changed
    std::vector<VertexTarget> vertices;  ///< one per Body::driven_vertices(); at rest until changed
    std::vector<PointConstraint> live;   ///< as many as the deformer can hold, switched off until changed
};

/// Bodies do not feel each other yet: each is stepped by itself, in the order in which it was added, and gives the bits
/// that it gives alone. Not for two threads at once.
class World {
public:
    World();
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    /// The body rests as it was prepared and takes part from the next step on. Returns its number, counted from 0.
    /// Allocates. Throws Error{bad_usage} for nullptr.
    std::size_t add(std::shared_ptr<const Deformer> deformer);
    /// A rigid thing that bodies of methods with Traits::accepts_obstacles may not enter; others report bad_loads.
    /// Returns its number. Allocates.
    std::size_t add_obstacle(const Obstacle& obstacle);

    std::size_t body_count() const;
    std::size_t obstacle_count() const;
    const Deformer& deformer(std::size_t body) const;

    /// For the coming steps. Obstacles are where they are at the end of the step, with the velocity that brought them
    /// there.
    BodyInputs& inputs(std::size_t body);
    Obstacle& obstacle(std::size_t index);
    void set_gravity(const Vec3& gravity);  ///< [m/s^2]; nothing until it is set
    const Vec3& gravity() const;

    /// Trouble that does not undo a step. At first inverted cells alone, which methods that tell of them mostly turn
    /// back.
    void tolerate(Trouble trouble);

    /// Gives states the accelerations and reactions of what acts now. Call it once, before the first step, when
    /// something acts or moves from the start. Returns all that was wrong; a body in trouble is as it was.
    Trouble start() noexcept;
    /// Advances all bodies by `dt` [s]. Returns all that was wrong. A body in trouble keeps the state of its last good
    /// step, and so do its readouts; the others go on. Never allocates after each body's first step, never throws.
    Trouble step(double dt) noexcept;

    /// What happened to a body in the last step.
    const StepReport& report(std::size_t body) const;
    /// Sum of all dt that were asked for [s].
    double time() const;

    /// Readouts: see Deformer. Spans have one entry per vertex (per cell).
    void displacements(std::size_t body, std::span<Vec3> out) const noexcept;
    /// Rest positions plus displacements [m].
    void positions(std::size_t body, std::span<Vec3> out) const noexcept;
    /// The same in the world's own memory, until the next call.
    std::span<const Vec3> positions(std::size_t body) const noexcept;
    void velocities(std::size_t body, std::span<Vec3> out) const noexcept;
    bool cell_stress(std::size_t body, std::span<SymMat3> out) const noexcept;
    Wrench reaction(std::size_t body, SupportRef support) const noexcept;
    bool tangent_stiffness(std::size_t body, SupportRef support, Mat3& out) const noexcept;
    Energies energies(std::size_t body) noexcept;

    /// A state may be copied to save it, and set to go back to it.
    const State& state(std::size_t body) const;
    /// False when it is not one of this body's deformer; nothing is changed then.
    bool set_state(std::size_t body, const State& state);
    /// The same from its numbers, without memory of its own.
    bool set_state(std::size_t body, double time, std::span<const double> reals, std::span<const std::int32_t> marks);
    /// See Deformer::set_motion.
    bool set_motion(std::size_t body, std::span<const Vec3> displacement, std::span<const Vec3> velocity) noexcept;

private:
    struct Member;
    std::vector<std::unique_ptr<Member>> members_;
    std::vector<Obstacle> obstacles_;
    Vec3 gravity_;
    Trouble tolerated_ = Trouble::inverted_cell;
    double time_ = 0.0;
};

}  // namespace limber
