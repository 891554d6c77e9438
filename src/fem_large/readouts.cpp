// What an ElasticDeformer tells about a state.
#include "fem_large/pieces.hpp"
#include "fem_large/vectors.hpp"

#include <algorithm>

namespace limber {
namespace {

void spread(const double* from, int dim, std::span<Vec3> out) noexcept {
    const auto d = static_cast<std::size_t>(dim);
    for (std::size_t v = 0; v < out.size(); ++v)
        out[v] = {from[v * d], from[v * d + 1], dim == 3 ? from[v * d + 2] : 0.0};
}

}  // namespace

void ElasticDeformer::displacements(const State& state, std::span<Vec3> out) const noexcept {
    spread(state.reals.data() + Pieces(*this).u(), system_.dimension(), out);
}

void ElasticDeformer::velocities(const State& state, std::span<Vec3> out) const noexcept {
    spread(state.reals.data() + Pieces(*this).v(), system_.dimension(), out);
}

Energies ElasticDeformer::energies(const State& state, Workspace& scratch) const noexcept {
    const Pieces at(*this);
    const double *p = state.reals.data(), *v = p + at.v();
    double* w = scratch.reals.data();
    Energies e;
    system_.inertia(v, nullptr, at.force_now(w), at.force_eval(w));
    e.kinetic = 0.5 * dot_n(at.n, v, at.force_now(w));
    double* warm = at.backup(w);  // the model may write its guess: into a copy
    std::copy_n(p + at.warm(), at.warm_size, warm);
    e.elastic = system_.model().energy(p + at.u(), warm, at.newton(w));
    return e;
}

bool ElasticDeformer::set_motion(State& state, std::span<const Vec3> displacement,
                                 std::span<const Vec3> velocity) const noexcept {
    if (displacement.size() != body_->vertex_count() || velocity.size() != body_->vertex_count()) return false;
    if (!std::all_of(displacement.begin(), displacement.end(), is_finite) ||
        !std::all_of(velocity.begin(), velocity.end(), is_finite)) {
        return false;
    }
    const Pieces at(*this);
    double* p = state.reals.data();
    const std::int32_t d = system_.dimension();
    for (const std::int32_t f : system_.supports().free()) {
        p[at.u() + static_cast<std::size_t>(f)] = displacement[static_cast<std::size_t>(f / d)][f % d];
        p[at.v() + static_cast<std::size_t>(f)] = velocity[static_cast<std::size_t>(f / d)][f % d];
    }
    system_.model().warm_start(p + at.warm());
    state.marks[Pieces::kStarted] = 0;  // accelerations are found at the next start or step
    return true;
}

Wrench ElasticDeformer::reaction(const State& state, SupportRef support) const noexcept {
    const Pieces at(*this);
    if (support.index < 0) return {};
    const double* r = nullptr;
    if (support.kind == SupportRef::Kind::live) {
        if (support.index >= settings_.max_live) return {};
        r = state.reals.data() + at.live() + ElasticLive::kSlotReals * static_cast<std::size_t>(support.index);
    } else {
        const std::size_t i = system_.supports().index(support.kind, support.index);
        if (i >= at.supports) return {};
        r = state.reals.data() + at.reactions() + 6 * i;
    }
    return {{r[0], r[1], r[2]}, {r[3], r[4], r[5]}};
}

bool ElasticDeformer::tangent_stiffness(const State& state, SupportRef support, Mat3& out) const noexcept {
    const Pieces at(*this);
    if (support.index < 0) return false;
    const double* k = nullptr;
    if (support.kind == SupportRef::Kind::live) {
        const auto slot = static_cast<std::size_t>(support.index);
        // With sub-steps a target acts on all of them: the last one's stiffness would not be the step's.
        if (slot >= at.slots || state.marks[Pieces::kActive + slot] == 0 || state.marks[Pieces::kSubSteps] > 1)
            return false;
        k = state.reals.data() + at.live() + ElasticLive::kSlotReals * slot + 6;
    } else {
        const std::size_t i = system_.supports().index(support.kind, support.index);
        if (i >= at.supports || support.kind != SupportRef::Kind::handle || state.marks[Pieces::kTangents] == 0)
            return false;
        k = state.reals.data() + at.tangents() + 9 * i;
    }
    for (int i = 0; i < 9; ++i) out(i / 3, i % 3) = k[i];
    return true;
}

bool ElasticDeformer::cell_stress(const State& state, std::span<SymMat3> out) const noexcept {
    const Pieces at(*this);
    if (out.size() != body_->mesh().cell_count()) return false;
    system_.model().cell_stress(state.reals.data() + at.u(), state.reals.data() + at.warm(), out);
    return true;
}

}  // namespace limber
