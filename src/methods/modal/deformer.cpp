#include "methods/modal/deformer.hpp"

#include "core/text.hpp"
#include "deform/loads_fit.hpp"
#include "deform/option_specs.hpp"
#include "methods/modal/shapes.hpp"

#include "dyrt/oscillator.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

ModalParts make_parts(const Body& body, const Supports& supports, const ModalSettings& settings, Progress& progress,
                      ByteReader* saved) {
    FemMatrices fem = assemble(body, settings.assembly, progress);
    ModalParts parts;
    parts.weight = std::move(fem.weight);
    parts.system = {
        std::move(fem.stiffness), std::move(fem.mass), std::move(fem.lumped), fem.uniform_damping, fem.alpha, fem.beta,
        std::move(fem.damping),   supports.free(),     supports.prescribed(), supports.rows()};
    parts.solver = saved != nullptr ? load_solver(*saved)
                                    : make_solver(effective_matrix(parts.system, 0.0, 0.0, 1.0), {}, progress);
    if (parts.solver->size() != parts.system.free.size())
        saved->fail(text("a solver for ", parts.solver->size(), " unknowns"), text(parts.system.free.size()));
    return parts;
}

double row_times(const std::vector<double>& matrix, std::size_t row, std::size_t width, const double* x) noexcept {
    double sum = 0.0;
    for (std::size_t i = 0; i < width; ++i) sum += matrix[row * width + i] * x[i];
    return sum;
}

}  // namespace

ModalDeformer::ModalDeformer(std::shared_ptr<const Body> body, const OptionValues& options, Progress& progress,
                             ByteReader* saved)
    : body_(std::move(body)),
      options_(options),
      settings_(read_modal_settings(*body_, options)),
      supports_(*body_),
      parts_(make_parts(*body_, supports_, settings_, progress, saved)),
      basis_(saved != nullptr ? load_modal_basis(*saved, *body_, supports_)
                              : make_modal_basis(*body_, supports_, settings_, parts_, progress)) {
    stress_ = std::make_unique<StressMap>(*body_, settings_.assembly.integration);
    unseen_ = 1e-16 * diagonal_of(body_->mesh());
    strain_energy_ = std::make_unique<StrainEnergy>(*body_, settings_.assembly);
    const std::size_t cells = body_->mesh().cell_count();
    shape_stress_.resize(basis_.count() * cells);
    for (std::size_t k = 0; k < basis_.count(); ++k)
        stress_->cell_stress({basis_.shape(k), basis_.unknowns}, {shape_stress_.data() + k * cells, cells});
}

std::size_t ModalDeformer::memory() const {
    return basis_.bytes() + shape_stress_.size() * sizeof(SymMat3) +
           (settings_.correct_forces ? parts_.solver->bytes() : 0);
}

std::vector<std::pair<std::string, double>> ModalDeformer::facts() const {
    double worst = 0.0;
    for (const double r : basis_.residual) worst = std::max(worst, r);
    return {{"modes", static_cast<double>(basis_.modes)},
            {"lowest_hz", basis_.omega.front() / (2.0 * std::numbers::pi)},
            {"highest_hz", basis_.omega.back() / (2.0 * std::numbers::pi)},
            {"worst_residual", worst},
            {"static_shapes", static_cast<double>(basis_.count() - basis_.modes)},
            {"unknowns", static_cast<double>(parts_.system.free.size())}};
}

std::vector<std::string> ModalDeformer::remarks() const {
    std::vector<std::string> lines;
    if (static_cast<std::size_t>(settings_.modes) > basis_.modes && settings_.frequency_limit == 0.0)
        lines.push_back(text("the body has only ", basis_.modes, " modes: all are kept"));
    if (!parts_.system.uniform_damping && !settings_.own_ratio) {
        lines.push_back(
            "materials differ in damping: each mode keeps its own share, what damping would carry from mode to mode is "
            "left out");
    }
    return lines;
}

State ModalDeformer::rest_state() const {
    State state;
    state.reals.assign(state_size(), 0.0);
    state.marks.assign(kMarks, 0);
    return state;
}

// Drives at the step's end (three numbers each), vectors over all unknowns, what the solver needs, and what corrections
// follow.
Workspace ModalDeformer::make_workspace() const {
    Workspace w;
    w.reals.assign(work_size(), 0.0);
    return w;
}

bool ModalDeformer::state_fits(const State& state, const Workspace& scratch) const noexcept {
    return state.reals.size() == state_size() && state.marks.size() == kMarks && scratch.reals.size() >= work_size();
}

void ModalDeformer::read_drives(std::span<const HandleTarget> handles, double* y, double* rate,
                                double* acceleration) const noexcept {
    const std::size_t d = basis_.dimension, each = d * (1 + d);
    std::fill_n(y, basis_.drives, 0.0);
    std::fill_n(rate, basis_.drives, 0.0);
    std::fill_n(acceleration, basis_.drives, 0.0);
    for (std::size_t h = 0; h < handles.size(); ++h) {
        const HandleTarget& t = handles[h];
        const Mat3 turn = to_matrix(t.rotation);
        for (std::size_t j = 0; j < d; ++j) {
            Vec3 unit;
            unit[static_cast<int>(j)] = 1.0;
            const Vec3 turned = turn * unit, spin = cross(t.angular_velocity, turned);
            const Vec3 swing = cross(t.angular_acceleration, turned) + cross(t.angular_velocity, spin);
            for (std::size_t i = 0; i < d; ++i) {
                const std::size_t at = h * each + d + i * d + j;
                const int axis = static_cast<int>(i);
                y[at] = turned[axis] - unit[axis];
                rate[at] = spin[axis];
                acceleration[at] = swing[axis];
            }
            const int axis = static_cast<int>(j);
            y[h * each + j] = t.translation[axis];
            rate[h * each + j] = t.velocity[axis];
            acceleration[h * each + j] = t.acceleration[axis];
        }
    }
}

void ModalDeformer::push_modes(const Loads& loads, const double* rate, const double* acceleration, double* out,
                               Workspace& scratch) const noexcept {
    const std::size_t d = basis_.dimension;
    if (loads.force.empty()) {
        std::fill_n(out, basis_.modes, 0.0);
    } else {
        double* f = unknowns_of(scratch);
        for (std::size_t v = 0; v < loads.force.size(); ++v)
            for (std::size_t i = 0; i < d; ++i) f[v * d + i] = loads.force[v][static_cast<int>(i)];
        project_shapes(basis_, f, out);
    }
    for (std::size_t k = 0; k < basis_.modes; ++k) {
        double sum = -row_times(basis_.push, k, basis_.drives, acceleration) -
                     row_times(basis_.drag, k, basis_.drives, rate);
        for (std::size_t i = 0; i < d; ++i) sum += basis_.weigh[k * d + i] * loads.gravity[static_cast<int>(i)];
        out[k] += sum;
    }
}

StepReport ModalDeformer::start(State& state, const Loads& now, Workspace& scratch) const noexcept {
    StepReport report;
    if (!state_fits(state, scratch)) report.trouble |= Trouble::bad_state;
    if (!loads_fit(*body_, now) || !now.live.empty()) report.trouble |= Trouble::bad_loads;
    if (report.trouble != Trouble::none) return report;
    double* z = state.reals.data();
    double *drives = z + basis_.modes, *y = scratch.reals.data(), *rate = y + basis_.drives,
           *acceleration = rate + basis_.drives;
    read_drives(now.handles, y, rate, acceleration);
    // Handles may be elsewhere, and faster, than the state has them: free vertices stay as they are.
    for (std::size_t c = 0; c < basis_.drives; ++c) {
        const double jump = y[c] - drives[c], kick = rate[c] - drives[rates_at() + c];
        for (std::size_t k = 0; k < basis_.modes; ++k) {
            z[k] -= basis_.lag[k * basis_.drives + c] * jump;
            z[rates_at() + k] -= basis_.lag[k * basis_.drives + c] * kick;
        }
        drives[c] = y[c];
        drives[rates_at() + c] = rate[c];
        drives[accelerations_at() + c] = acceleration[c];
    }
    push_modes(now, drives + rates_at(), drives + accelerations_at(), z + push_at(), scratch);
    aim(state, now, scratch);
    settle(state, now, 0.0, scratch);
    state.marks[kStarted] = 1;
    return report;
}

// Handles move by what their targets say at the step's end. Between, their acceleration is taken as linear; what it
// lacks to explain the change of velocity is a push spread over the step, what that lacks to explain the change of
// place is a jump at its start.
StepReport ModalDeformer::step(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept {
    StepReport report;
    if (!(dt > 0.0) || !std::isfinite(dt)) report.trouble |= Trouble::wrong_step;
    if (!state_fits(state, scratch)) report.trouble |= Trouble::bad_state;
    if (!loads_fit(*body_, loads) || !loads.live.empty()) report.trouble |= Trouble::bad_loads;
    if (report.trouble != Trouble::none) return report;
    double *z = state.reals.data(), *rates = z + rates_at(), *accelerations = z + accelerations_at();
    double *y = scratch.reals.data(), *rate = y + basis_.drives, *acceleration = rate + basis_.drives,
           *force = acceleration + basis_.drives;
    const std::size_t first = basis_.modes;
    if (state.marks[kStarted] == 0) {
        std::fill_n(accelerations + first, basis_.drives, 0.0);
        push_modes(loads, rates + first, accelerations + first, z + push_at(), scratch);
        aim(state, loads, scratch);
    }
    read_drives(loads.handles, y, rate, acceleration);
    push_modes(loads, rate, acceleration, force, scratch);
    for (std::size_t c = 0; c < basis_.drives; ++c) {
        double *y0 = z + first + c, *rate0 = rates + first + c, *acceleration0 = accelerations + first + c;
        const double push = (rate[c] - *rate0) / dt - 0.5 * (*acceleration0 + acceleration[c]);
        const double jump = y[c] - *y0 - 0.5 * dt * (*rate0 + rate[c]) +
                            dt * dt / 12.0 * (acceleration[c] - *acceleration0);
        *y0 = jump;
        *rate0 = push;  // until the modes have taken them
        *acceleration0 = acceleration[c];
    }
    for (std::size_t k = 0; k < basis_.modes; ++k) {
        limber_oscillator_step s;
        limber_oscillator_prepare(basis_.omega[k], basis_.decay[k], dt, &s);
        const double q = z[k] - row_times(basis_.lag, k, basis_.drives, z + first), v = rates[k];
        const double steady = z[push_at() + k] - row_times(basis_.lag, k, basis_.drives, rates + first),
                     slope = (force[k] - z[push_at() + k]) / dt;
        z[k] = s.qq * q + s.qv * v + s.f1 * steady + s.f2 * slope;
        rates[k] = s.vq * q + s.vv * v + s.qv * steady + s.f1 * slope;
        z[push_at() + k] = force[k];
    }
    std::copy_n(y, basis_.drives, z + first);
    std::copy_n(rate, basis_.drives, rates + first);
    z[step_at()] = dt;
    settle(state, loads, dt, scratch);
    state.time += dt;
    state.marks[kStarted] = 1;
    for (std::size_t i = 0; i < 2 * basis_.count() && report.trouble == Trouble::none; ++i)
        if (!std::isfinite(z[i])) report.trouble |= Trouble::non_finite;
    return report;
}

// How a correction follows its goal, where the modes left out would be at rest under the present loads: like a
// critically damped oscillator of the highest frequency kept (theirs are higher), whose damping acts on the motion
// relative to the goal. A goal that has been there from the start is met exactly, one that moves evenly without a lag,
// and one that jumps (loads and handles that begin at t = 0) is approached from where the body is.
struct ModalDeformer::Follower {
    Follower(double highest, double time) : dt(time), omega(highest) {
        limber_oscillator_prepare(omega, omega, dt, &s);
    }
    void advance(double from, double slope, double& position, double& rate) const noexcept {
        const double off = position - from, faster = rate - slope;
        position = from + dt * slope + s.qq * off + s.qv * faster;
        rate = slope + s.vq * off + s.vv * faster;
    }
    double acceleration(double goal, double slope, double position, double rate) const noexcept {
        return -omega * omega * (position - goal) - 2.0 * omega * (rate - slope);
    }
    double dt, omega;
    limber_oscillator_step s;
};

void ModalDeformer::find_goals(State& state, const Loads& loads, double* out) const noexcept {
    const double *rates = state.reals.data() + rates_at(), *accelerations = state.reals.data() + accelerations_at();
    for (std::size_t i = 0; i < basis_.dimension; ++i) out[i] = loads.gravity[static_cast<int>(i)];
    for (std::size_t c = 0; c < basis_.drives; ++c)
        out[basis_.dimension + c] = accelerations[basis_.modes + c] + basis_.drive_damping * rates[basis_.modes + c];
}

// The goals at the state's own time; what follows them stays where it is.
void ModalDeformer::aim(State& state, const Loads& loads, Workspace& scratch) const noexcept {
    if (basis_.corrected) find_goals(state, loads, state.reals.data() + goals_at());
    if (!settings_.correct_forces || loads.force.empty()) return;
    double* goal = state.reals.data() + rest_goals_at();
    if (state.marks[kPushed] == 0) std::fill_n(state.reals.data() + rest_at(), 2 * basis_.unknowns, 0.0);
    std::fill_n(goal, basis_.unknowns, 0.0);
    rest_under(loads.force, goal, scratch);
    state.marks[kPushed] = 1;
}

// What follows from the loads and the modes: the modes' accelerations, corrections after a step of `dt` (0 = none was
// taken), reactions.
void ModalDeformer::settle(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept {
    double *z = state.reals.data(), *rates = z + rates_at(), *accelerations = z + accelerations_at();
    for (std::size_t k = 0; k < basis_.modes; ++k) {
        accelerations[k] = z[push_at() + k] - 2.0 * basis_.decay[k] * rates[k] -
                           basis_.omega[k] * basis_.omega[k] * z[k];
    }
    const Follower follower(basis_.omega.back(), dt);
    if (basis_.corrected) {
        double *next = goals_of(scratch), *goal = z + goals_at();
        find_goals(state, loads, next);
        for (std::size_t i = 0; i < corrections(); ++i) {
            const std::size_t at = basis_.gravity_at() + i;
            const double slope = dt > 0.0 ? (next[i] - goal[i]) / dt : 0.0;
            if (dt > 0.0) follower.advance(goal[i], slope, z[at], rates[at]);
            accelerations[at] = follower.acceleration(next[i], slope, z[at], rates[at]);
            goal[i] = next[i];
        }
    }
    if (settings_.correct_forces && dt > 0.0) answer_forces(state, loads, follower, scratch);
    read_reactions(state, loads, scratch);
}

// K^-1 f less what the kept modes hold of it, followed in the same way.
void ModalDeformer::answer_forces(State& state, const Loads& loads, const Follower& follower,
                                  Workspace& scratch) const noexcept {
    double *rest = state.reals.data() + rest_at(), *rates = rest + basis_.unknowns, *goal = rates + basis_.unknowns,
           *slope = goals_of(scratch) + corrections();
    std::int32_t& pushed = state.marks[kPushed];
    if (loads.force.empty() && pushed == 0) return;
    if (pushed == 0) std::fill_n(rest, 3 * basis_.unknowns, 0.0);
    for (std::size_t i = 0; i < basis_.unknowns; ++i) slope[i] = -goal[i] / follower.dt;
    for (std::size_t i = 0; i < basis_.unknowns; ++i) rest[i] -= goal[i];
    std::fill_n(goal, basis_.unknowns, 0.0);
    if (!loads.force.empty()) rest_under(loads.force, goal, scratch);
    double largest = 0.0;
    for (std::size_t i = 0; i < basis_.unknowns; ++i) {
        slope[i] += goal[i] / follower.dt;
        double off = rest[i], faster = rates[i] - slope[i];
        rest[i] = follower.s.qq * off + follower.s.qv * faster;
        faster = follower.s.vq * off + follower.s.vv * faster;
        largest = std::max({largest, std::abs(rest[i]), std::abs(faster) / follower.omega});
        rest[i] += goal[i];
        rates[i] = slope[i] + faster;
    }
    // Without forces it is over once what is left cannot be seen beside the body's own size.
    pushed = loads.force.empty() && largest <= unseen_ ? 0 : 1;
}

void ModalDeformer::rest_under(std::span<const Vec3> force, double* rest, Workspace& scratch) const noexcept {
    const std::size_t d = basis_.dimension;
    double* b = unknowns_of(scratch);
    double *x = b + basis_.unknowns, *space = x + 2 * basis_.unknowns;
    const std::vector<std::int32_t>& free = parts_.system.free;
    for (std::size_t i = 0; i < free.size(); ++i)
        b[i] = force[static_cast<std::size_t>(free[i]) / d][free[i] % static_cast<std::int32_t>(d)];
    std::fill_n(x, free.size(), 0.0);
    parts_.solver->solve(b, x, space);
    for (std::size_t i = 0; i < free.size(); ++i) rest[free[i]] = x[i];
    double *full = x + basis_.unknowns, *share = scratch.reals.data() + 3 * basis_.drives;
    std::fill_n(full, basis_.unknowns, 0.0);
    for (std::size_t i = 0; i < free.size(); ++i) full[free[i]] = b[i];
    project_shapes(basis_, full, share);
    for (std::size_t k = 0; k < basis_.modes; ++k) share[k] = -share[k] / (basis_.omega[k] * basis_.omega[k]);
    add_shapes(basis_, share, basis_.modes, rest);
}

void ModalDeformer::read_reactions(State& state, const Loads& loads, Workspace& scratch) const noexcept {
    double *z = state.reals.data(), *r = z + reactions_at();
    const std::size_t count = basis_.count(), d = basis_.dimension;
    for (std::size_t i = 0; i < 6 * supports_.count(); ++i) {
        r[i] = row_times(basis_.reaction_k, i, count, z) + row_times(basis_.reaction_c, i, count, z + rates_at()) +
               row_times(basis_.reaction_m, i, count, z + accelerations_at());
        for (std::size_t axis = 0; axis < d; ++axis)
            r[i] -= basis_.reaction_g[i * d + axis] * loads.gravity[static_cast<int>(axis)];
    }
    if (loads.force.empty()) return;
    double* full = scratch.reals.data() + 3 * basis_.drives + basis_.modes;
    if (settings_.correct_forces)
        multiply_rows(parts_.system.stiffness, parts_.system.prescribed_rows, z + rest_at(), full);
    else
        std::fill_n(full, basis_.unknowns, 0.0);
    // In rows of prescribed unknowns only; sum_reactions looks at no others.
    for (const std::int32_t p : parts_.system.prescribed)
        full[p] -= loads.force[static_cast<std::size_t>(p) / d][p % static_cast<std::int32_t>(d)];
    for (std::size_t i = 0; i < parts_.system.prescribed.size(); ++i) {
        if (supports_.owners()[i] < 0) continue;
        const auto dof = static_cast<std::size_t>(parts_.system.prescribed[i]);
        Vec3 f;
        f[static_cast<int>(dof % d)] = full[dof];
        const Vec3 torque = cross(body_->mesh().vertices[dof / d], f);
        double* to = r + 6 * static_cast<std::size_t>(supports_.owners()[i]);
        for (int axis = 0; axis < 3; ++axis) {
            to[axis] += f[axis];
            to[3 + axis] += torque[axis];
        }
    }
}

void ModalDeformer::save(ByteWriter& out) const {
    save_options(out, options_);
    parts_.solver->save(out);
    save_modal_basis(out, basis_);
}

}  // namespace limber
