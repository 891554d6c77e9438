// Building a LinearDeformer, saving it and reading it back.
#include "core/text.hpp"
#include "deform/option_specs.hpp"
#include "fem_linear/layout.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

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

// Diagonal blocks, and the rows that reactions are read from.
void keep_diagonal_and_rows(BlockCsr& a, const std::vector<std::int32_t>& whole_rows) {
    std::vector<std::uint8_t> whole(a.rows(), 0);
    for (const std::int32_t row : whole_rows) whole[static_cast<std::size_t>(row)] = 1;
    BlockCsr out;
    out.block = a.block;
    const auto entries = static_cast<std::ptrdiff_t>(a.block * a.block);
    for (std::size_t r = 0; r < a.rows(); ++r) {
        for (std::int32_t e = a.starts[r]; e < a.starts[r + 1]; ++e) {
            const std::int32_t column = a.columns[static_cast<std::size_t>(e)];
            if (whole[r] == 0 && static_cast<std::size_t>(column) != r) continue;
            out.columns.push_back(column);
            out.values.insert(out.values.end(), a.values.begin() + entries * e, a.values.begin() + entries * (e + 1));
        }
        out.starts.push_back(static_cast<std::int32_t>(out.columns.size()));
    }
    a = std::move(out);
}

}  // namespace

LinearDeformer::LinearDeformer(const char* method, std::shared_ptr<const Body> body, const OptionValues& options,
                               const LinearSettings& settings, Progress& progress, ByteReader* saved,
                               const ProductMaker& make_product)
    : method_(method),
      body_(std::move(body)),
      options_(options),
      settings_(settings),
      supports_(*body_),
      any_step_(make_product != nullptr) {
    FemMatrices fem = assemble(*body_, settings_.assembly, progress);
    weight_ = fem.weight;
    if (body_->support() == Support::free) {
        System mass_only;
        mass_only.stiffness.block = body_->mesh().dimension();
        mass_only.stiffness.starts.assign(body_->vertex_count() + 1, 0);
        mass_only.mass = fem.mass;
        mass_only.lumped = fem.lumped;
        axes_.emplace(*body_, mass_only, mean_alpha(*body_, fem));
    }
    System system{
        std::move(fem.stiffness), std::move(fem.mass), std::move(fem.lumped),  fem.uniform_damping, fem.alpha, fem.beta,
        std::move(fem.damping),   supports_.free(),    supports_.prescribed(), supports_.rows(),    nullptr};
    if (saved == nullptr) {
        measure_stability(system, progress);
    } else {
        omega_max_ = saved->f64();
        critical_step_ = saved->f64();
        sub_steps_ = saved->i32();
        if (sub_steps_ < 1 || sub_steps_ > kMaxSubSteps)
            saved->fail(text(sub_steps_, " sub-steps"), text("1 to ", kMaxSubSteps));
    }
    if (make_product) {
        system.product = make_product(*body_, system.stiffness);
        keep_diagonal_and_rows(system.stiffness, system.prescribed_rows);
    }
    make_stepper(std::move(system), progress, saved);
    live_ = std::make_unique<LinearLive>(*body_, *stepper_, axes_ ? &*axes_ : nullptr, settings_.max_live);
    stress_ = std::make_unique<StressMap>(*body_, settings_.assembly.integration);
    strain_energy_ = std::make_unique<StrainEnergy>(*body_, settings_.assembly);
    if (any_step_) return;
    std::vector<double> flat;
    if (saved == nullptr) {
        Workspace scratch = make_workspace();
        scratch.reals.resize(scratch.reals.size() + Layout(*this).trial_size());
        flat.resize(9 * supports_.count());
        measure_tangents(*stepper_, sub_steps_, scratch, flat.data());
    } else {
        flat = saved->reals();
        if (flat.size() != 9 * supports_.count())
            saved->fail(text(flat.size(), " stiffness entries"), text(9 * supports_.count()));
    }
    tangents_.resize(supports_.count());
    for (std::size_t i = 0; i < flat.size(); ++i)
        tangents_[i / 9](static_cast<int>(i % 9 / 3), static_cast<int>(i % 3)) = flat[i];
}

void LinearDeformer::make_stepper(System system, Progress& progress, ByteReader* saved) {
    SchemeSettings inner = settings_.scheme;
    inner.step /= sub_steps_;
    const std::size_t unknowns = system.free.size();
    if (any_step_) {
        stepper_ = std::make_unique<Stepper>(
            std::move(system), inner, ShiftedCgSettings{settings_.solver.tolerance, settings_.solver.max_iterations});
    } else if (saved == nullptr) {
        stepper_ = std::make_unique<Stepper>(std::move(system), inner, settings_.solver, progress);
    } else {
        std::unique_ptr<LinearSolver> solver = load_solver(*saved);
        if (solver->size() != unknowns) saved->fail(text("a solver for ", solver->size(), " unknowns"), text(unknowns));
        stepper_ = std::make_unique<Stepper>(std::move(system), inner, std::move(solver));
    }
}

void LinearDeformer::save(ByteWriter& out) const {
    save_options(out, options_);
    out.f64(omega_max_);
    out.f64(critical_step_);
    out.i32(sub_steps_);
    if (any_step_) return;
    stepper_->solver().save(out);
    std::vector<double> flat;
    for (const Mat3& t : tangents_)
        for (int i = 0; i < 9; ++i) flat.push_back(t(i / 3, i % 3));
    out.reals(flat);
}

// Explicit schemes: the highest frequency decides. Symplectic Euler sub-steps by itself; the paper's explicit Newmark
// runs with the step it is given, stable or not, and the facts say which.
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
    if (any_step_ || scheme != Scheme::symplectic_euler) return;
    const double needed = std::ceil(settings_.scheme.step / (kStepSafety * critical_step_));
    if (needed > kMaxSubSteps) {
        throw Error(
            Fault::bad_option, {"", 0, "/method/options/scheme"},
            text("symplectic_euler would need ", needed, " sub-steps per step of ", settings_.scheme.step,
                 " s (stable below ", critical_step_, " s)"),
            text("at most ", kMaxSubSteps, ": use an implicit scheme, less stiffness damping or a coarser mesh"));
    }
    sub_steps_ = std::max(1, static_cast<int>(needed));
}

// The body is linear: the reaction to a unit displacement, from rest, *is* the derivative.
void LinearDeformer::measure_tangents(const Stepper& stepper, int count, Workspace& scratch,
                                      double* out) const noexcept {
    const Layout at(*this);
    double* p = scratch.reals.data();
    double* trial = at.stepper(p) + stepper.scratch_size() + live_->scratch_size();
    const std::span<Wrench> reactions(reinterpret_cast<Wrench*>(trial + 6 * at.n), at.supports);
    const bool past = at.past > 0;
    const Motion m{trial,
                   trial + at.n,
                   trial + 2 * at.n,
                   trial + 3 * at.n,
                   past ? trial + 4 * at.n : nullptr,
                   past ? trial + 5 * at.n : nullptr};
    std::fill_n(out, 9 * at.supports, 0.0);
    for (std::size_t s = 0; s < at.supports; ++s) {
        for (int axis = 0; axis < body_->mesh().dimension(); ++axis) {
            std::fill_n(trial, at.trial_size(), 0.0);
            std::fill_n(p, at.fixed_size(), 0.0);
            const StepCourse course = at.course(p);
            supports_.unit_translation(s, axis, course.end);
            for (int k = 1; k <= count; ++k) {
                begin_sub_step(stepper, m, k, count, p);
                stepper.finish(m, course.force_now, at.prescribed(course.now), at.stepper(p));
            }
            supports_.sum_reactions(stepper.reactions(m, course.force_now, at.stepper(p)), reactions);
            for (int i = 0; i < 3; ++i) out[9 * s + static_cast<std::size_t>(3 * i + axis)] = reactions[s].force[i];
        }
    }
}

}  // namespace limber
