// Rigid motion of a body that hits obstacles: gravity, the volume reaction, internal friction, Coulomb friction,
// sticking.
//
// Velocity Verlet in sub-steps that resolve the contact, whole steps in flight. "Energy" is kinetic + gravity's + the
// reaction's potential W; internal friction, rubbing, drag and points that let go take from it; forces, torques and
// moving obstacles add or take what they do in work. A sub-step whose energy is not that is done again in halves, and
// the little that the scheme still adds is taken out of the velocity: nothing else ever comes in, at any speed.
#pragma once

#include "methods/bem/volume_reaction.hpp"

namespace limber {

struct RigidBody {
    bool planar = false;
    double mass = 1.0;     ///< [kg]
    Mat3 inertia;          ///< about the centroid, body axes; planar: only zz counts [kg m^2]
    Mat3 inverse_inertia;  ///< planar: only zz is not zero
    double drag = 0.0;     ///< mass-proportional damping [1/s]
};

struct RigidState {
    RigidPose pose;
    Vec3 velocity;       ///< [m/s]
    Vec3 spin_momentum;  ///< about the centroid, world axes [kg m^2/s]
};

/// Which obstacle the body's middle is in, and the way out where it came in: part of a state.
struct Crossing {
    std::int32_t obstacle = -1;
    Vec3 entered;
};

/// What is left to settle between steps: part of a state.
struct EnergyAccount {
    double owed = 0.0;  ///< energy that a body at rest had too much of and pays back once it moves [J]
    Vec3 carrier;  ///< velocity of the obstacles that push, or pushed last: energy is taken from the motion against
                   ///< them [m/s]
};

struct ContactSettings {
    double relaxation = 0.0;   ///< internal friction over Young's modulus: seconds by which the reaction leads [s]
    double friction = 0.0;     ///< Coulomb's
    double slip_speed = 1e-4;  ///< below this rubbing is viscous [m/s]
};

/// What acts besides obstacles, constant over a step.
struct RigidLoads {
    Vec3 gravity;                         ///< [m/s^2]
    Wrench wrench;                        ///< torque about the centroid
    std::span<const Obstacle> obstacles;  ///< at the end of the step
    bool moving = false;                  ///< an obstacle moves
};

struct RigidReport {
    int sub_steps = 0;
    bool ok = true;        ///< everything is finite, and finished
    bool finished = true;  ///< false: it would take more sub-steps than anybody waits for, or shorter ones than numbers
                           ///< can tell apart
    std::int32_t through = -1;  ///< the obstacle that the body's middle came out of on the other side; -1 = none
};

/// The change of velocity and spin by rubbing, half a sub-step ago: the first guess of the next.
struct LastFriction {
    Vec3 velocity, spin;
    bool known = false;
};

class RigidMotion {
public:
    RigidMotion(const RigidBody& body, const VolumeReaction& reaction, const ContactSettings& settings, double measure);

    std::size_t scratch_size() const { return reaction_.scratch_size(); }
    double contact_step() const { return contact_step_; }  ///< [s]
    Vec3 spin(const RigidState& s) const noexcept;         ///< angular velocity, world axes [rad/s]
    double kinetic(const RigidState& s,
                   const Vec3& carrier = {}) const noexcept;  ///< seen from something that moves with `carrier`
    const RigidBody& body() const { return body_; }

    /// Adds to `rubbed`, per obstacle, the mean of what internal friction and rubbing exerted over the step, torque
    /// about the centroid; `rubbing` is scratch of the same size.
    RigidReport advance(RigidState& s, const RigidLoads& loads, double dt, std::int32_t* latched, Crossing& crossing,
                        EnergyAccount& account, double* scratch, Touch* touches, Obstacle* moved, Wrench* rubbed,
                        Wrench* rubbing) const noexcept;

private:
    struct Friction;
    struct Course;
    void kick(RigidState& s, const RigidLoads& loads, const Push& push, double h) const noexcept;
    void drift(RigidState& s, double h) const noexcept;
    /// Turns the body by what it takes to have this energy of spin again; its angular momentum stays.
    void keep_spin_energy(RigidState& s, double energy) const noexcept;
    /// Velocity and angular velocity with which a sub-step drifts.
    struct Drift {
        Vec3 velocity, spin;
    };
    /// Internal friction and rubbing, implicitly. Returns the energy taken, which is the work along the drift:
    /// `drifted`, or where that is still to come the speeds after rubbing. It is negative only by what obstacles that
    /// move give. Adds the impulses to `rubbing`.
    double apply_friction(RigidState& s, Touch* touches, std::size_t count, double h, LastFriction& last,
                          const Drift* drifted, Wrench* rubbing) const noexcept;
    /// The material's drag. Returns the energy taken.
    double drag_for(RigidState& s, double h) const noexcept;
    double potential(const RigidState& s, const RigidLoads& loads, const Push& push) const noexcept;
    /// One sub-step, with the obstacles at its end; `touches` are those of `from` and become the new ones.
    Course attempt(const Course& from, const RigidLoads& loads, double h, const std::int32_t* latched,
                   std::span<const Obstacle> obstacles, double* scratch, Touch* touches,
                   Wrench* rubbing) const noexcept;
    /// Whether the energy after a sub-step is about what was there and what came in.
    bool is_resolved(const Course& from, const Course& to, const RigidLoads& loads) const noexcept;
    /// Takes energy out of the motion against a carrier. Returns what the carrier does in work by that.
    double trim(RigidState& s, const Vec3& carrier, double excess) const noexcept;
    double next_step(const RigidState& s, const RigidLoads& loads, double left, bool touching,
                     const std::int32_t* latched, std::span<const Obstacle> obstacles) const noexcept;

    RigidBody body_;
    const VolumeReaction& reaction_;
    ContactSettings settings_;
    double contact_step_;
};

}  // namespace limber
