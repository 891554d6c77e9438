// EnergyWatch: whether a run still is one. A body cannot have more energy than it started with plus the work done on
// it; a scheme that blows up makes energy out of nothing, wherever the body is and however far it may rightly travel.
#pragma once

#include <limber/deformer.hpp>
#include <limber/tools/scene.hpp>

#include <string>
#include <vector>

namespace limber {

class EnergyWatch {
public:
    /// The body of `deformer` under the loads of `scene`, in steps of `step` [s]. Borrows the deformer.
    EnergyWatch(const Scene& scene, const Deformer& deformer, double step);

    /// The state before the first step, and the loads there.
    void begin(const State& state, const Loads& loads, const Energies& energies);
    /// Loads that change, or that move, have to be seen at every step. Otherwise before judge() is enough.
    bool wants_every_step() const { return every_step_; }
    /// Adds the work since the last call. `loads` are those at the state's time.
    void account(const State& state, const Loads& loads);

    enum class Verdict { fine, gained, diverged };
    /// What the energies at the last account() mean.
    Verdict judge(const Energies& energies, double time);

    /// Of the last judgement: "the body has 3e+05 J, but started with 0 J and was given at most 12 J".
    std::string words() const;
    /// Of the largest gain that was not called diverged; "" = none worth a word.
    std::string gain_words() const;
    /// That gain itself, as a share of what the body had and was given.
    double worst_gain() const { return worst_gain_; }

private:
    struct Support {
        Vec3 force, torque;  ///< at the last account
        Vec3 centre;         ///< where its middle was then [m]
        Quat rotation;
    };
    double work_of_vertices(const Loads& loads) const;
    double work_of_handle(std::size_t handle, const HandleTarget& now, const Wrench& wrench);
    double work_of_obstacle(std::size_t obstacle, const Obstacle& now, const Wrench& wrench, const Vec3& body_moved);
    void widen_reach(double moved, double turned, double speed);
    double rounding() const;
    void remember(const Loads& loads);

    const Deformer& deformer_;
    double step_;
    bool every_step_ = false;
    bool first_ = true;                 ///< nothing accounted since begin()
    std::vector<double> mass_;          ///< per vertex [kg]
    double body_mass_ = 0.0;            ///< [kg]
    double stiffest_ = 0.0;             ///< energy of the whole body at a strain of 1, twice [J]
    double edge_ = 0.0, size_ = 0.0;    ///< shortest edge, diagonal [m]
    std::vector<double> handle_reach_;  ///< from the pivot to its farthest vertex [m]
    std::vector<Vec3> handle_centre_;   ///< of its vertices at rest [m]
    /// Per obstacle: in contact since the first step, so that the body may have begun inside it.
    std::vector<std::uint8_t> from_start_;

    std::vector<Vec3> moved_, now_, force_;  ///< displacements then and now [m], forces then [N]
    Vec3 gravity_;
    std::vector<Support> handles_, obstacles_;

    double started_with_ = 0.0;               ///< [J]
    double work_ = 0.0, largest_work_ = 0.0;  ///< signed; its largest magnitude [J]
    double unseen_ = 0.0;                     ///< what handles may have given that their reactions do not tell [J]
    double farthest_ = 0.0;                   ///< displacement now [m]
    double energy_ = 0.0;                     ///< last judged [J]
    double worst_gain_ = 0.0, worst_time_ = 0.0;
    double worst_excess_ = 0.0;  ///< that gain [J]
};

}  // namespace limber
