// Building a LinearDeformer, saving it and reading it back.
#include "core/text.hpp"
#include "deform/option_specs.hpp"
#include "linear/pieces.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kSafety = 0.9;         // share of the critical step that an automatic sub-step may use
constexpr int kMaxSubSteps = 100000;

double mean_alpha(const Body& body, const FemMatrices& fem) {
    if (fem.uniform_damping) return fem.alpha;
    double sum = 0.0, mass = 0.0;
    for (std::size_t c = 0; c < body.mesh().cell_count(); ++c) {
        const double m = std::abs(cell_measure(body.mesh(), c)) * body.material_of(c).density;
        sum += m * body.material_of(c).rayleigh_alpha;
        mass += m;
    }
    return sum / mass;
}

}  // namespace

LinearDeformer::LinearDeformer(const char* method, std::shared_ptr<const Body> body, const OptionValues& options, const LinearSettings& settings,
                               Progress& progress, ByteReader* saved)
    : method_(method), body_(std::move(body)), options_(options), settings_(settings), supports_(*body_) {
    FemMatrices fem = assemble(*body_, settings_.assembly, progress);
    weight_ = fem.weight;
    if (body_->support() == Support::free) {
        System mass_only;
        mass_only.stiffness.block = body_->mesh().dimension();
        mass_only.stiffness.starts.assign(body_->vertex_count() + 1, 0);
        mass_only.mass = fem.mass;
        mass_only.lumped = fem.lumped;
        frame_.emplace(*body_, mass_only, mean_alpha(*body_, fem));
    }
    System system{std::move(fem.stiffness), std::move(fem.mass), std::move(fem.lumped), fem.uniform_damping, fem.alpha, fem.beta,
                  std::move(fem.damping), supports_.free(), supports_.prescribed(), supports_.rows()};
    if (saved == nullptr) {
        measure_stability(system, progress);
    } else {
        omega_max_ = saved->f64();
        critical_step_ = saved->f64();
        sub_steps_ = saved->i32();
        if (sub_steps_ < 1 || sub_steps_ > kMaxSubSteps) saved->fail(text(sub_steps_, " sub-steps"), text("1 to ", kMaxSubSteps));
    }
    SchemeSettings inner = settings_.scheme;
    inner.step /= sub_steps_;
    const std::size_t unknowns = system.free.size();
    if (saved == nullptr) {
        stepper_ = std::make_unique<Stepper>(std::move(system), inner, settings_.solver, progress);
    } else {
        std::unique_ptr<LinearSolver> solver = load_solver(*saved);
        if (solver->size() != unknowns) saved->fail(text("a solver for ", solver->size(), " unknowns"), text(unknowns));
        stepper_ = std::make_unique<Stepper>(std::move(system), inner, std::move(solver));
    }
    live_ = std::make_unique<Live>(*body_, *stepper_, settings_.max_live);
    stress_ = std::make_unique<StressMap>(*body_, settings_.assembly.integration);
    if (saved == nullptr) {
        measure_tangents();
        return;
    }
    const std::vector<double> flat = saved->reals();
    if (flat.size() != 9 * supports_.count()) saved->fail(text(flat.size(), " stiffness entries"), text(9 * supports_.count()));
    tangents_.resize(supports_.count());
    for (std::size_t i = 0; i < flat.size(); ++i) tangents_[i / 9](static_cast<int>(i % 9 / 3), static_cast<int>(i % 3)) = flat[i];
}

void LinearDeformer::save(ByteWriter& out) const {
    save_options(out, options_);
    out.f64(omega_max_);
    out.f64(critical_step_);
    out.i32(sub_steps_);
    stepper_->solver().save(out);
    std::vector<double> flat;
    for (const Mat3& t : tangents_)
        for (int i = 0; i < 9; ++i) flat.push_back(t(i / 3, i % 3));
    out.reals(flat);
}

// Explicit schemes: the highest frequency decides. Symplectic Euler sub-steps by itself; the paper's explicit Newmark runs
// with the step it is given, stable or not, and the facts say which.
void LinearDeformer::measure_stability(const System& system, Progress& progress) {
    const Scheme scheme = settings_.scheme.scheme;
    if (scheme != Scheme::newmark_explicit && scheme != Scheme::symplectic_euler) return;
    if (system.free.empty()) return;
    progress.update(0.0, "finding the highest frequency");
    const Csr stiffness = effective_matrix(system, 0.0, 0.0, 1.0);
    const Csr mass = effective_matrix(system, 1.0, 0.0, 0.0);
    const auto mass_solver = make_solver(mass, {}, progress);
    omega_max_ = largest_frequency(stiffness, *mass_solver, 1e-6, nullptr, &mass);
    double alpha = 0.0, beta = 0.0;
    for (const Material& m : body_->materials()) {
        alpha = std::max(alpha, m.rayleigh_alpha);
        if (settings_.assembly.damping == DampingKind::rayleigh) beta = std::max(beta, m.rayleigh_beta);
    }
    critical_step_ = critical_step(scheme, omega_max_, alpha, beta);
    if (scheme != Scheme::symplectic_euler) return;
    const double needed = std::ceil(settings_.scheme.step / (kSafety * critical_step_));
    if (needed > kMaxSubSteps)
        throw Error(Fault::bad_option, {"", 0, "/method/options/scheme"},
                    text("symplectic_euler would need ", needed, " sub-steps per step of ", settings_.scheme.step, " s (stable below ", critical_step_, " s)"),
                    text("at most ", kMaxSubSteps, ": use an implicit scheme, less stiffness damping or a coarser mesh"));
    sub_steps_ = std::max(1, static_cast<int>(needed));
}

// The body is linear: the reaction to a unit displacement, from rest, *is* the derivative.
void LinearDeformer::measure_tangents() {
    tangents_.assign(supports_.count(), Mat3{});
    const Pieces at(*this);
    Workspace scratch = make_workspace();
    double* p = scratch.reals.data();
    for (std::size_t s = 0; s < supports_.count(); ++s)
        for (int axis = 0; axis < body_->mesh().dimension(); ++axis) {
            State state = rest_state();
            state.marks[0] = 1;
            std::fill_n(p, at.fixed_size(), 0.0);
            supports_.unit_translation(s, axis, at.end_u(p));
            advance(state, {}, sub_steps_, scratch);
            const double* r = state.reals.data() + at.reactions() + 6 * s;
            for (int i = 0; i < 3; ++i) tangents_[s](i, axis) = r[i];
        }
}

}  // namespace limber
