#include "dense_static.hpp"

#include "dense_model.hpp"

#include <algorithm>
#include <cmath>

namespace outside {
namespace {

using namespace limber;

constexpr std::uint32_t kFormat = 1;

/// State: displacement, then reaction, three per vertex each. Scratch: the right-hand side of the free components.
class DenseDeformer final : public Deformer {
public:
    DenseDeformer(std::shared_ptr<const Body> body, DenseModel model)
        : body_(std::move(body)), model_(std::move(model)) {}

    const Body& body() const override { return *body_; }
    const char* method_name() const override { return "dense_static"; }
    double prepared_step() const override { return 0.0; }
    int live_capacity() const override { return 0; }
    std::size_t memory() const override { return sizeof(double) * (model_.stiffness.size() + model_.factor.size()); }

    State rest_state() const override { return {0.0, std::vector<double>(2 * model_.size, 0.0), {}}; }
    Workspace make_workspace() const override { return {std::vector<double>(model_.free.size(), 0.0), {}}; }

    StepReport step(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept override;
    void displacements(const State& state, std::span<Vec3> out) const noexcept override;
    void velocities(const State&, std::span<Vec3> out) const noexcept override {
        std::fill(out.begin(), out.end(), Vec3{});
    }
    Energies energies(const State& state, Workspace& scratch) const noexcept override;
    /// Statics has no memory of motion.
    bool set_motion(State&, std::span<const Vec3>, std::span<const Vec3>) const noexcept override { return false; }
    Wrench reaction(const State& state, SupportRef support) const noexcept override;
    bool tangent_stiffness(const State& state, SupportRef support, Mat3& out) const noexcept override;
    bool cell_stress(const State& state, std::span<SymMat3> out) const noexcept override;
    /// The factor is cheap to rebuild for the bodies this method takes, so only the format is written.
    void save(ByteWriter& out) const override { out.u32(kFormat); }

private:
    bool usable(const Loads& loads) const noexcept;
    double load_on(const Loads& loads, std::size_t c) const noexcept;
    double prescribed(const Loads& loads, std::size_t c) const noexcept;
    double pull(const double* u, std::size_t c) const noexcept;
    int owner_of(SupportRef support) const noexcept;

    std::shared_ptr<const Body> body_;
    DenseModel model_;
};

bool finite(const HandleTarget& h) {
    return is_finite(h.translation) && is_finite(h.velocity) && is_finite(h.angular_velocity) &&
           is_finite(h.acceleration) && is_finite(h.angular_acceleration) &&
           std::isfinite(h.rotation.w + h.rotation.x + h.rotation.y + h.rotation.z);
}

bool DenseDeformer::usable(const Loads& loads) const noexcept {
    if (!loads.force.empty() && loads.force.size() != body_->vertex_count()) return false;
    if (!loads.handles.empty() && loads.handles.size() != body_->handles().size()) return false;
    if (!loads.live.empty() || !loads.vertices.empty()) return false;
    return is_finite(loads.gravity) &&
           std::all_of(loads.force.begin(), loads.force.end(), [](const Vec3& f) { return is_finite(f); }) &&
           std::all_of(loads.handles.begin(), loads.handles.end(), finite);
}

double DenseDeformer::load_on(const Loads& loads, std::size_t c) const noexcept {
    const int axis = static_cast<int>(c % 3);
    return loads.gravity[axis] * model_.mass[c / 3] + (loads.force.empty() ? 0.0 : loads.force[c / 3][axis]);
}

double DenseDeformer::prescribed(const Loads& loads, std::size_t c) const noexcept {
    const std::size_t anchors = body_->anchors().size(), owner = static_cast<std::size_t>(model_.owner[c]);
    if (owner < anchors || loads.handles.empty()) return 0.0;
    const HandleTarget& target = loads.handles[owner - anchors];
    const Vec3 arm = body_->mesh().vertices[c / 3] - body_->handles()[owner - anchors].pivot;
    const Vec3 moved = target.translation + to_matrix(normalized(target.rotation)) * arm - arm;
    return moved[static_cast<int>(c % 3)];
}

// One row of K u.
double DenseDeformer::pull(const double* u, std::size_t c) const noexcept {
    double sum = 0.0;
    for (std::size_t d = 0; d < model_.size; ++d) sum += model_.stiffness[c * model_.size + d] * u[d];
    return sum;
}

StepReport DenseDeformer::step(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept {
    StepReport report;
    if (!(dt > 0.0) || !std::isfinite(dt)) report.trouble |= Trouble::wrong_step;
    if (!usable(loads)) report.trouble |= Trouble::bad_loads;
    if (state.reals.size() != 2 * model_.size || scratch.reals.size() != model_.free.size())
        report.trouble |= Trouble::bad_state;
    if (report.trouble != Trouble::none) return report;

    double* u = state.reals.data();
    double* reaction = u + model_.size;
    for (std::size_t c = 0; c < model_.size; ++c) u[c] = model_.owner[c] == kFree ? 0.0 : prescribed(loads, c);
    double* rhs = scratch.reals.data();
    for (std::size_t i = 0; i < model_.free.size(); ++i)
        rhs[i] = load_on(loads, model_.free[i]) - pull(u, model_.free[i]);
    solve_free(model_, rhs);
    for (std::size_t i = 0; i < model_.free.size(); ++i) u[model_.free[i]] = rhs[i];
    for (std::size_t c = 0; c < model_.size; ++c)
        reaction[c] = model_.owner[c] == kFree ? 0.0 : pull(u, c) - load_on(loads, c);
    state.time += dt;
    return report;
}

void DenseDeformer::displacements(const State& state, std::span<Vec3> out) const noexcept {
    for (std::size_t v = 0; v < out.size(); ++v)
        out[v] = {state.reals[3 * v], state.reals[3 * v + 1], state.reals[3 * v + 2]};
}

Energies DenseDeformer::energies(const State& state, Workspace&) const noexcept {
    Energies e;
    for (std::size_t c = 0; c < model_.size; ++c) e.elastic += 0.5 * state.reals[c] * pull(state.reals.data(), c);
    return e;
}

int DenseDeformer::owner_of(SupportRef support) const noexcept {
    const int anchors = static_cast<int>(body_->anchors().size()), handles = static_cast<int>(body_->handles().size());
    if (support.kind == SupportRef::Kind::anchor && support.index >= 0 && support.index < anchors) return support.index;
    if (support.kind == SupportRef::Kind::handle && support.index >= 0 && support.index < handles)
        return anchors + support.index;
    return kFree;
}

Wrench DenseDeformer::reaction(const State& state, SupportRef support) const noexcept {
    Wrench wrench;
    const int owner = owner_of(support);
    if (owner == kFree) return wrench;
    for (std::size_t v = 0; v < body_->vertex_count(); ++v) {
        Vec3 force;
        for (int axis = 0; axis < 3; ++axis) {
            const std::size_t c = 3 * v + static_cast<std::size_t>(axis);
            if (model_.owner[c] == owner) force[axis] = state.reals[model_.size + c];
        }
        wrench.force += force;
        wrench.torque += cross(body_->mesh().vertices[v], force);
    }
    return wrench;
}

bool DenseDeformer::tangent_stiffness(const State&, SupportRef support, Mat3& out) const noexcept {
    const int owner = owner_of(support);
    if (owner == kFree) return false;
    out = model_.support_stiffness[static_cast<std::size_t>(owner)];
    return true;
}

bool DenseDeformer::cell_stress(const State& state, std::span<SymMat3> out) const noexcept {
    for (std::size_t cell = 0; cell < out.size(); ++cell) {
        Vec3 g[4];
        tet_gradients(body_->mesh(), cell, g);
        Mat3 slope;  // du_i/dx_j
        for (int a = 0; a < 4; ++a) {
            const double* u = state.reals.data() + 3 * static_cast<std::size_t>(body_->mesh().cell(cell)[a]);
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) slope(i, j) += u[i] * g[a][j];
        }
        const double mu = body_->material_of(cell).shear();
        const double pressure = body_->material_of(cell).lame_lambda() * (slope(0, 0) + slope(1, 1) + slope(2, 2));
        out[cell] = {pressure + 2 * mu * slope(0, 0),  pressure + 2 * mu * slope(1, 1),
                     pressure + 2 * mu * slope(2, 2),  mu * (slope(0, 1) + slope(1, 0)),
                     mu * (slope(1, 2) + slope(2, 1)), mu * (slope(2, 0) + slope(0, 2))};
    }
    return true;
}

}  // namespace

limber::Traits DenseStatic::traits() const {
    Traits t;
    t.cells = {CellKind::tet4};
    t.fixed_step = false;
    t.dynamic = false;
    t.accepts_live = false;
    return t;
}

limber::OptionTable DenseStatic::options() const {
    return {{"max_unknowns",
             OptionType::integer,
             "",
             3000.0,
             1.0,
             10000.0,
             {},
             false,
             "Bodies with more displacement components than this are refused: dense factors grow with the cube."}};
}

std::unique_ptr<limber::Deformer> DenseStatic::prepare(std::shared_ptr<const Body> body, const OptionValues& given,
                                                       Progress&) const {
    const Options options(this->options(), given);
    check_traits(*this, *body);
    const double components = 3.0 * static_cast<double>(body->vertex_count());
    if (components > options.integer("max_unknowns")) {
        throw Error(Fault::unsupported, {},
                    "a body of " + std::to_string(3 * body->vertex_count()) + " displacement components",
                    "at most max_unknowns = " + std::to_string(options.integer("max_unknowns")));
    }
    if (body->support() != Support::held) {
        throw Error(Fault::unsupported, {}, "a body that can still move as a whole",
                    "anchors or handles that stop every rigid motion");
    }
    DenseModel model = make_dense_model(*body);
    return std::make_unique<DenseDeformer>(std::move(body), std::move(model));
}

std::unique_ptr<limber::Deformer> DenseStatic::load(std::shared_ptr<const Body> body, ByteReader& in) const {
    if (const std::uint32_t format = in.u32(); format != kFormat)
        in.fail("dense_static format " + std::to_string(format), "format " + std::to_string(kFormat));
    check_traits(*this, *body);
    DenseModel model = make_dense_model(*body);
    return std::make_unique<DenseDeformer>(std::move(body), std::move(model));
}

}  // namespace outside
