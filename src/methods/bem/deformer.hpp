// BemDeformer: a body by its boundary alone. Free: rigid motion with collisions, and the elastic shape that the contact
// gives it. Held: static balance.
#pragma once

#include "fem/stress.hpp"
#include "fem/supports.hpp"
#include "methods/bem/contact_shape.hpp"
#include "methods/bem/held_energy.hpp"
#include "methods/bem/held_shape.hpp"
#include "methods/bem/inner_field.hpp"
#include "methods/bem/rigid_motion.hpp"
#include "methods/bem/ringing.hpp"
#include "methods/bem/section_shape.hpp"
#include "methods/bem/settings.hpp"

#include <memory>
#include <optional>

namespace limber {

class BemDeformer final : public Deformer {
public:
    BemDeformer(std::shared_ptr<const Body> body, const OptionValues& options, Progress& progress,
                ByteReader* saved = nullptr);

    const Body& body() const override { return *body_; }
    const char* method_name() const override { return "bem"; }
    double prepared_step() const override { return 0.0; }
    int live_capacity() const override { return 0; }
    std::size_t memory() const override;
    std::vector<std::pair<std::string, double>> facts() const override;
    std::vector<std::string> remarks() const override;

    State rest_state() const override;
    Workspace make_workspace() const override;
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

    const FreeResponse& response() const { return *response_; }
    /// What obstacles press with, per boundary node and axis; body axes of a free body [Pa].
    std::span<const double> contact_pressure(const State& state) const noexcept;

private:
    struct Layout;  // where everything lies in a state and in a workspace
    bool can_take(const Loads& loads) const noexcept;
    bool held() const { return held_ != nullptr; }
    void prepare_free(const BoundaryShape& shape, Progress& progress);
    std::size_t rank_scratch() const {
        return held_ ? held_->scratch_reals() : (sections_ ? sections_->scratch_reals() : contact_->scratch_reals());
    }
    std::size_t rank_capacity() const {
        return held_ ? held_->capacity() : (sections_ ? sections_->capacity() : contact_->capacity());
    }
    void measure_tangents();
    StepReport step_held(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept;
    /// `force`: per vertex, gravity included; `support`: of supports per node.
    double held_energy(const State& state, const double* force, const double* support, const HeldShape::Report& found,
                       Workspace& scratch) const noexcept;
    StepReport step_free(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept;
    /// The displacement of the floating body without contact: forces on vertices and turning, body axes.
    bool base_shape(const State& state, const Loads& loads, double* out, Workspace& scratch) const noexcept;
    RigidLoads rigid_loads(const State& state, const Loads& loads) const noexcept;
    /// Out of the speed along `way` against what moves with `carrier`.
    void take_ringing_energy(State& state, double energy, const Vec3& way, const Vec3& carrier) const noexcept;
    ShapeReport find_shape(State& state, const Loads& loads, double dt, Workspace& scratch,
                           const Push& push) const noexcept;
    RigidState rigid(const State& state) const noexcept;
    void put_rigid(State& state, const RigidState& rigid) const noexcept;
    Vec3 local(const double* field, std::size_t vertex) const noexcept;
    /// Held: fills the inner vertices of the field and the rates, from the nodes' displacement. Free: the nodes' only;
    /// who asks pays for the rest.
    void finish_field(State& state, const double* nodes, const double* inner_force, double dt,
                      Workspace& scratch) const noexcept;
    /// The field that begins at `piece` of the state, over all vertices. Of a free body it is made on memory of the
    /// calling thread, good until its next call.
    const double* whole_field(const State& state, std::size_t piece) const noexcept;
    /// `full`: forces per vertex, body axes, inner ones carried to the boundary; `nodes`: the boundary's.
    void forces_on_nodes(double* full, double* nodes, Workspace& scratch) const noexcept;

    std::shared_ptr<const Body> body_;
    OptionValues options_;
    BemSettings settings_;
    int dim_;
    double thickness_, density_;
    BoundaryShape shape_;
    std::vector<std::int32_t> node_of_;  ///< per vertex, -1 inside
    std::unique_ptr<const FreeResponse> response_;
    std::unique_ptr<InnerField> inner_;
    std::unique_ptr<StressMap> stress_;
    Supports supports_;
    std::unique_ptr<HeldShape> held_;  ///< of a body with supports, as the next two; the rest is of free ones
    std::unique_ptr<SupportWork> support_work_;
    std::vector<Mat3> tangents_;  ///< per support
    std::unique_ptr<VolumeReaction> reaction_;
    std::unique_ptr<RigidMotion> motion_;
    std::unique_ptr<ContactShape> contact_;  ///< one of these two
    std::unique_ptr<SectionShape> sections_;
    std::unique_ptr<Ringing> ringing_;  ///< with vibration only
    std::size_t held_inside_ = 0;       ///< inner vertices of supports
};

}  // namespace limber
