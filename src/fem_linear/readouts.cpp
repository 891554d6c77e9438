// What a LinearDeformer tells about a state.
#include "fem/vertex_fields.hpp"
#include "fem_linear/layout.hpp"

#include <algorithm>

namespace limber {
namespace {

double dot_n(std::size_t n, const double* a, const double* b) noexcept {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

}  // namespace

void LinearDeformer::displacements(const State& state, std::span<Vec3> out) const noexcept {
    const Layout at(*this);
    const double* p = state.reals.data();
    if (axes_) return axes_->world_displacements(p + at.axes(), p + at.u(), out);
    to_vertices(p + at.u(), body_->mesh().dimension(), out);
}

void LinearDeformer::velocities(const State& state, std::span<Vec3> out) const noexcept {
    const Layout at(*this);
    const double* p = state.reals.data();
    if (axes_) return axes_->world_velocities(p + at.axes(), p + at.u(), p + at.v(), out);
    to_vertices(p + at.v(), body_->mesh().dimension(), out);
}

Energies LinearDeformer::energies(const State& state, Workspace& scratch) const noexcept {
    const Layout at(*this);
    const double *u = state.reals.data() + at.u(), *v = state.reals.data() + at.v();
    const System& s = stepper_->system();
    double* product = scratch.reals.data();
    Energies e;
    e.elastic = strain_energy_->of(u);
    if (s.is_lumped()) {
        const auto b = static_cast<std::size_t>(s.stiffness.block);
        for (std::size_t i = 0; i < at.n; ++i) e.kinetic += 0.5 * s.lumped[i / b] * v[i] * v[i];
    } else {
        multiply(s.mass, v, product);
        e.kinetic = 0.5 * dot_n(at.n, v, product);
    }
    if (axes_) e.kinetic += axes_->kinetic(state.reals.data() + at.axes());
    return e;
}

bool LinearDeformer::set_motion(State& state, std::span<const Vec3> displacement,
                                std::span<const Vec3> velocity) const noexcept {
    const Layout at(*this);
    if (state.reals.size() != at.state_reals() || state.marks.size() != at.state_marks()) return false;
    if (!is_motion_of(*body_, displacement, velocity)) return false;
    const Motion m = motion(state);
    state.marks[Layout::kStarted] = 0;  // accelerations are found at the next start or step
    if (axes_) {
        axes_->fit(displacement, velocity, state.reals.data() + at.axes(), m.u, m.v);
        return true;
    }
    const int d = body_->mesh().dimension();
    from_vertices(displacement, d, stepper_->system().free, m.u);
    from_vertices(velocity, d, stepper_->system().free, m.v);
    return true;
}

Wrench LinearDeformer::reaction(const State& state, SupportRef support) const noexcept {
    const Layout at(*this);
    if (support.index < 0) return {};
    if (support.kind == SupportRef::Kind::live) {
        if (support.index >= settings_.max_live) return {};
        return LivePoints::reaction(state.reals.data() + at.live(), static_cast<std::size_t>(support.index));
    }
    const std::size_t i = supports_.index(support.kind, support.index);
    if (i >= at.supports) return {};
    const double* r = state.reals.data() + at.reactions() + 6 * i;
    return {{r[0], r[1], r[2]}, {r[3], r[4], r[5]}};
}

bool LinearDeformer::tangent_stiffness(const State& state, SupportRef support, Mat3& out) const noexcept {
    const Layout at(*this);
    const std::int32_t* active = state.marks.data() + Layout::kActive;
    if (support.index < 0) return false;
    if (support.kind == SupportRef::Kind::live) {
        // With sub-steps a target acts on all of them: the last one's stiffness would not be the step's.
        const auto slot = static_cast<std::size_t>(support.index);
        if (slot >= at.slots || active[slot] == 0 || state.marks[Layout::kSubSteps] > 1) return false;
        out = LivePoints::stiffness(state.reals.data() + at.live(), slot);
        return true;
    }
    const std::size_t i = supports_.index(support.kind, support.index);
    const bool tied = live_->points().any_active(active);
    if (any_step_) {
        const double* p = state.reals.data();
        if (i >= at.supports || p[at.tangents_known()] == 0.0 || tied) return false;
        for (int k = 0; k < 9; ++k) out(k / 3, k % 3) = p[at.tangents() + 9 * i + static_cast<std::size_t>(k)];
        return true;
    }
    // Measured for one prepared step and with nothing tied.
    if (i >= at.supports || state.marks[Layout::kSubSteps] > sub_steps_ || tied) return false;
    out = tangents_[i];
    return true;
}

bool LinearDeformer::cell_stress(const State& state, std::span<SymMat3> out) const noexcept {
    const Layout at(*this);
    if (out.size() != body_->mesh().cell_count()) return false;
    stress_->cell_stress({state.reals.data() + at.u(), at.n}, out);
    if (axes_) axes_->to_world(state.reals.data() + at.axes(), out);
    return true;
}

}  // namespace limber
