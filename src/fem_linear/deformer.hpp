// LinearDeformer: a body of small strain and its steps: what linear_fem and clustered_fem share. A method gives it a
// name and settings.
#pragma once

#include "fem/strain_energy.hpp"
#include "fem/stress.hpp"
#include "fem/supports.hpp"
#include "fem_linear/floating_axes.hpp"
#include "fem_linear/live.hpp"
#include "fem_linear/settings.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace limber {

/// Makes the product that stands for K; the matrix is gone afterwards.
using ProductMaker =
    std::function<std::shared_ptr<const StiffnessProduct>(const Body& body, const BlockCsr& stiffness)>;

class LinearDeformer final : public Deformer {
public:
    /// Assembles and factors; with `saved` the factor and what prepare measured are read instead.
    /// `method` is a literal; `options` are what the method was asked for, kept for saving. With `make_product` nothing
    /// is factored and the step is free: any dt at any step, explicit schemes in as many sub-steps as it takes,
    /// implicit ones by conjugate gradients.
    LinearDeformer(const char* method, std::shared_ptr<const Body> body, const OptionValues& options,
                   const LinearSettings& settings, Progress& progress, ByteReader* saved = nullptr,
                   const ProductMaker& make_product = {});

    const Body& body() const override { return *body_; }
    const char* method_name() const override { return method_; }
    double prepared_step() const override { return any_step_ ? 0.0 : settings_.scheme.step; }
    int live_capacity() const override { return settings_.max_live; }
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

    const System& system() const { return stepper_->system(); }

private:
    struct Layout;  // where each vector lies in a state and in a workspace
    bool can_take(const Loads& loads) const noexcept;
    bool state_fits(const State& state, const Workspace& scratch) const noexcept;
    StepReport repeat(State& state, const Loads& loads, int steps, Workspace& scratch) const noexcept;
    void advance_axes(double* axes, const double* u, const Loads& loads, double dt) const noexcept;
    std::span<Wrench> reaction_slots(State& state) const noexcept;
    /// Sub-steps of a step of dt; 0 = it cannot be taken.
    int step_count(double dt) const noexcept;
    /// A step of another size than the last one: what was kept for that is renewed.
    void change_step(State& state, const Stepper& stepper, double dt, double past) const noexcept;
    /// How long the step before a step of dt counts as [s].
    double past_of(const State& state, double dt) const noexcept;
    Motion motion(State& state) const noexcept;
    void external_force(const Loads& loads, const double* axes, double* out) const noexcept;
    LinearLive::Step live_step(const Stepper& stepper, State& state, const Loads& loads,
                               Workspace& scratch) const noexcept;
    StepReport start_in_place(State& state, const Loads& loads, Workspace& scratch) const noexcept;
    SolveReport begin_sub_step(const Stepper& stepper, const Motion& motion, int k, int count,
                               double* scratch) const noexcept;
    /// `count` sub-steps between the prescribed values and forces that lie in the workspace.
    StepReport advance(const Stepper& stepper, State& state, const Loads& loads, int count,
                       Workspace& scratch) const noexcept;
    void read_reactions(const LinearLive::Step& live, State& state, const double* force) const noexcept;
    void measure_stability(const System& system, Progress& progress);
    void make_stepper(System system, Progress& progress, ByteReader* saved);
    /// Per support, 9 numbers: reactions after `count` sub-steps from rest, its target displaced by one along each
    /// axis.
    void measure_tangents(const Stepper& stepper, int count, Workspace& scratch, double* out) const noexcept;

    const char* method_;
    std::shared_ptr<const Body> body_;
    OptionValues options_;
    LinearSettings settings_;  ///< as asked for
    Supports supports_;
    std::vector<double> weight_;  ///< gravity's share per vertex [kg]
    bool any_step_ = false;
    double omega_max_ = 0.0;      ///< explicit schemes only [rad/s]
    double critical_step_ = 0.0;  ///< explicit schemes only [s]
    int sub_steps_ = 1;
    std::unique_ptr<Stepper> stepper_;
    std::unique_ptr<LinearLive> live_;
    std::unique_ptr<StressMap> stress_;
    std::unique_ptr<StrainEnergy> strain_energy_;
    std::optional<FloatingAxes> axes_;
    std::vector<Mat3> tangents_;  ///< per support; none where the step is free (they lie in the state)
};

}  // namespace limber
