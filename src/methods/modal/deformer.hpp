// A body prepared for stepping in its modes.
#pragma once

#include "fem/strain_energy.hpp"
#include "fem/stress.hpp"
#include "methods/modal/basis.hpp"

#include <limber/deformer.hpp>

namespace limber {

class ModalDeformer final : public Deformer {
public:
    /// `saved`: what save() wrote after the options; without it modes are found anew.
    ModalDeformer(std::shared_ptr<const Body> body, const OptionValues& options, Progress& progress,
                  ByteReader* saved = nullptr);

    const Body& body() const override { return *body_; }
    const char* method_name() const override { return "modal"; }
    double prepared_step() const override { return 0.0; }
    int live_capacity() const override { return 0; }
    std::size_t memory() const override;
    std::vector<std::pair<std::string, double>> facts() const override;
    std::vector<std::string> remarks() const override;
    State rest_state() const override;
    Workspace make_workspace() const override;
    StepReport start(State& state, const Loads& now, Workspace& scratch) const noexcept override;
    StepReport step(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept override;
    void displacements(const State& state, std::span<Vec3> out) const noexcept override;
    void velocities(const State& state, std::span<Vec3> out) const noexcept override;
    Energies energies(const State& state, Workspace& scratch) const noexcept override;
    bool set_motion(State& state, std::span<const Vec3> displacement,
                    std::span<const Vec3> velocity) const noexcept override;
    Wrench reaction(const State& state, SupportRef support) const noexcept override;
    bool tangent_stiffness(const State& state, SupportRef support, Mat3& out) const noexcept override;
    bool cell_stress(const State& state, std::span<SymMat3> out) const noexcept override;
    void save(ByteWriter& out) const override;

private:
    // Where things are in State::reals. Amplitudes, rates and accelerations have one number per shape.
    std::size_t rates_at() const { return basis_.count(); }
    std::size_t accelerations_at() const { return 2 * basis_.count(); }
    std::size_t push_at() const { return 3 * basis_.count(); }        // modes: their force at the last step's end
    std::size_t step_at() const { return push_at() + basis_.modes; }  // the last dt
    std::size_t goals_at() const {
        return step_at() + 1;
    }  // corrections: where each would be at rest, at the last step's end
    std::size_t corrections() const { return basis_.corrected ? basis_.dimension + basis_.drives : 0; }
    std::size_t reactions_at() const { return goals_at() + corrections(); }  // 6 per support
    std::size_t rest_at() const {
        return reactions_at() + 6 * supports_.count();
    }  // what vertex forces add, per unknown: displacement, velocity, goal
    std::size_t rest_rates_at() const { return rest_at() + basis_.unknowns; }
    std::size_t rest_goals_at() const { return rest_rates_at() + basis_.unknowns; }
    std::size_t state_size() const { return rest_at() + (settings_.correct_forces ? 3 * basis_.unknowns : 0); }
    enum Mark : std::size_t { kStarted, kPushed, kMarks };

    bool state_fits(const State& state, const Workspace& scratch) const noexcept;
    void read_drives(std::span<const HandleTarget> handles, double* y, double* rate,
                     double* acceleration) const noexcept;
    void push_modes(const Loads& loads, const double* rate, const double* acceleration, double* out,
                    Workspace& scratch) const noexcept;
    struct Follower;
    void aim(State& state, const Loads& loads, Workspace& scratch) const noexcept;
    void find_goals(State& state, const Loads& loads, double* out) const noexcept;
    void settle(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept;
    void answer_forces(State& state, const Loads& loads, const Follower& follower, Workspace& scratch) const noexcept;
    void rest_under(std::span<const Vec3> force, double* rest, Workspace& scratch) const noexcept;
    void read_reactions(State& state, const Loads& loads, Workspace& scratch) const noexcept;
    void combine(const State& state, std::size_t amplitudes, std::size_t rest, std::span<Vec3> out) const noexcept;
    std::size_t work_size() const {
        return 3 * basis_.drives + basis_.modes + 3 * basis_.unknowns + parts_.solver->scratch_size() + corrections() +
               basis_.unknowns;
    }
    /// New goals of the corrections, then how fast those of vertex forces move.
    double* goals_of(Workspace& scratch) const {
        return scratch.reals.data() + work_size() - corrections() - basis_.unknowns;
    }
    /// One vector over all unknowns, and another behind it.
    double* unknowns_of(Workspace& scratch) const { return scratch.reals.data() + 3 * basis_.drives + basis_.modes; }
    double elastic_energy(const State& state, Workspace& scratch) const noexcept;

    std::shared_ptr<const Body> body_;
    OptionValues options_;
    ModalSettings settings_;
    Supports supports_;
    ModalParts parts_;
    ModalBasis basis_;
    std::unique_ptr<StressMap> stress_;
    std::unique_ptr<StrainEnergy> strain_energy_;
    double unseen_ = 0.0;                ///< a displacement that rounding hides [m]
    std::vector<SymMat3> shape_stress_;  ///< per shape, per cell [Pa]
};

}  // namespace limber
