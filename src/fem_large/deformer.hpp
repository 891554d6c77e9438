// ElasticDeformer: any ElasticModel stepped in time by implicit schemes, with supports, live constraints and readouts.
#pragma once

#include "fem/step_course.hpp"
#include "fem_large/live_term.hpp"
#include "fem_large/newton.hpp"

#include <limber/deformer.hpp>

#include <memory>
#include <string>

namespace limber {

class ElasticDeformer final : public Deformer {
public:
    /// `remarks`: what the method has to say about this body. `more`: what acts on it beside itself, its loads and live
    /// constraints.
    ElasticDeformer(const char* method_name, std::shared_ptr<const Body> body, OptionValues options,
                    const ElasticSettings& settings, std::unique_ptr<const ElasticModel> model, Progress& progress,
                    std::vector<std::string> remarks = {}, std::vector<std::unique_ptr<const Term>> more = {});

    const Body& body() const override { return *body_; }
    const char* method_name() const override { return name_; }
    double prepared_step() const override { return 0.0; }
    int live_capacity() const override { return settings_.max_live; }
    std::size_t memory() const override { return system_.bytes() + solver_->bytes(); }
    std::vector<std::pair<std::string, double>> facts() const override;
    std::vector<std::string> remarks() const override { return remarks_; }

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
    /// The options: everything else is made from them and the body.
    void save(ByteWriter& out) const override;

private:
    struct Layout;  // where each vector lies in a state and in a workspace
    TermList list_terms(std::vector<std::unique_ptr<const Term>> more);
    bool state_fits(const State& state, const Workspace& scratch) const noexcept;
    Motion motion(State& state) const noexcept;
    TermList::Storage storage(State& state, double* w) const noexcept;
    TermMemory live_memory(const State& state) const noexcept;
    void start_motion(State& state, StepReport& report, const Layout& at, double* w) const noexcept;
    /// What lies in the workspace before a step: forces at both ends, and prescribed values.
    void lay_out_course(const State& state, const Loads& loads, double dt, const StepCourse& course) const noexcept;
    /// The step in `count` equal parts, from the loads and targets that lie in the workspace. False when one of them
    /// failed; `gained`: the share of its energy that the body got out of nothing in the last part.
    bool advance(State& state, const Loads& loads, double dt, int count, Workspace& scratch, StepReport& report,
                 double& gained) const noexcept;
    /// What takes a (sub-)step of h [s] after one of `last_step` [s], 0 = none.
    SchemeSettings scheme_of(double last_step, double h) const noexcept;
    /// The k-th of `count` sub-steps, up to its first guess.
    StepProblem pose_problem(State& state, const Loads& loads, const SchemeSettings& scheme, StepMoment end,
                             double* w) const noexcept;
    bool elastic_energy_only(const TermStep& step) const noexcept;
    /// After a step that averages over its two ends and `made` too much energy.
    StepOutcome take_back_gain(StepProblem& problem, const StepOutcome& first, EnergyGain& made,
                               double* scratch) const noexcept;
    void read_out(State& state, const StepProblem& problem, bool whole, StepReport& report, double* w) const noexcept;
    /// Not finite or too far away; -1 = none.
    std::int32_t lost_vertex(const State& state) const noexcept;

    const char* name_;
    std::shared_ptr<const Body> body_;
    OptionValues options_;
    ElasticSettings settings_;
    std::vector<std::array<std::int32_t, 2>> couplings_;  ///< of `more`
    ElasticSystem system_;
    const LiveTerm* live_ = nullptr;  ///< in terms_, for its readouts
    TermList terms_;
    std::unique_ptr<TangentSolver> solver_;
    Newton newton_;
    std::vector<std::string> remarks_;
    double far_;  ///< a displacement beyond it is no deformation any more [m]
};

}  // namespace limber
