// What an ElasticDeformer tells about a state.
#include "fem/triples.hpp"
#include "fem/vertex_fields.hpp"
#include "fem_large/layout.hpp"
#include "linalg/vectors.hpp"

#include <algorithm>

namespace limber {
void ElasticDeformer::displacements(const State& state, std::span<Vec3> out) const noexcept {
    to_vertices(state.reals.data() + Layout(*this).u(), system_.dimension(), out);
}

void ElasticDeformer::velocities(const State& state, std::span<Vec3> out) const noexcept {
    to_vertices(state.reals.data() + Layout(*this).v(), system_.dimension(), out);
}

Energies ElasticDeformer::energies(const State& state, Workspace& scratch) const noexcept {
    const Layout at(*this);
    const double *p = state.reals.data(), *v = p + at.v();
    double* w = scratch.reals.data();
    Energies e;
    double *momentum = at.vector(w, 0), *work = at.vector(w, 1);
    system_.inertia(v, nullptr, momentum, work);
    e.kinetic = 0.5 * dot_n(at.n, v, momentum);
    double* warm = at.backup(w);  // the model may write its guess: into a copy
    std::copy_n(p + at.terms(), system_.model().warm_size(), warm);
    e.elastic = system_.model().energy(p + at.u(), warm, at.newton(w));
    return e;
}

bool ElasticDeformer::set_motion(State& state, std::span<const Vec3> displacement,
                                 std::span<const Vec3> velocity) const noexcept {
    const Layout at(*this);
    if (state.reals.size() != at.state_reals() || state.marks.size() != at.state_marks()) return false;
    if (!is_motion_of(*body_, displacement, velocity)) return false;
    const Motion m = motion(state);
    from_vertices(displacement, system_.dimension(), system_.supports().free(), m.u);
    from_vertices(velocity, system_.dimension(), system_.supports().free(), m.v);
    system_.model().warm_start(state.reals.data() + at.terms());
    state.marks[Layout::kStarted] = 0;  // accelerations are found at the next start or step
    return true;
}

// Only read through it.
TermMemory ElasticDeformer::live_memory(const State& state) const noexcept {
    for (std::size_t i = 0; i < terms_.count(); ++i)
        if (&terms_[i] == live_) return terms_.memory(i, storage(const_cast<State&>(state), nullptr));
    return {};
}

Wrench ElasticDeformer::reaction(const State& state, SupportRef support) const noexcept {
    const Layout at(*this);
    if (support.index < 0) return {};
    if (support.kind == SupportRef::Kind::live) {
        if (support.index >= settings_.max_live) return {};
        return LivePoints::reaction(live_memory(state).state, static_cast<std::size_t>(support.index));
    }
    const std::size_t i = system_.supports().index(support.kind, support.index);
    if (i >= at.supports) return {};
    const double* r = state.reals.data() + at.reactions() + 6 * i;
    return {get3(r), get3(r + 3)};
}

bool ElasticDeformer::tangent_stiffness(const State& state, SupportRef support, Mat3& out) const noexcept {
    const Layout at(*this);
    if (support.index < 0) return false;
    if (support.kind == SupportRef::Kind::live) {
        const auto slot = static_cast<std::size_t>(support.index);
        const TermMemory live = live_memory(state);
        // With sub-steps a target acts on all of them: the last one's stiffness would not be the step's.
        if (slot >= live_->points().slots() || live.marks[slot] == 0 || state.marks[Layout::kSubSteps] > 1)
            return false;
        out = LivePoints::stiffness(live.state, slot);
        return true;
    }
    const std::size_t i = system_.supports().index(support.kind, support.index);
    if (i >= at.supports || support.kind != SupportRef::Kind::handle || state.marks[Layout::kTangents] == 0)
        return false;
    const double* k = state.reals.data() + at.tangents() + 9 * i;
    for (int c = 0; c < 9; ++c) out(c / 3, c % 3) = k[c];
    return true;
}

bool ElasticDeformer::cell_stress(const State& state, std::span<SymMat3> out) const noexcept {
    const Layout at(*this);
    if (out.size() != body_->mesh().cell_count()) return false;
    system_.model().cell_stress(state.reals.data() + at.u(), state.reals.data() + at.terms(), out);
    return true;
}

}  // namespace limber
