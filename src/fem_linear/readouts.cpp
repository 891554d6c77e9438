// What a LinearDeformer tells about a state.
#include "fem_linear/pieces.hpp"

#include <algorithm>

namespace limber {
namespace {

void scatter(const double* from, int dim, std::span<Vec3> out) noexcept {
    const auto d = static_cast<std::size_t>(dim);
    for (std::size_t v = 0; v < out.size(); ++v)
        out[v] = {from[v * d], from[v * d + 1], dim == 3 ? from[v * d + 2] : 0.0};
}

double dot_n(std::size_t n, const double* a, const double* b) noexcept {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

}  // namespace

void LinearDeformer::displacements(const State& state, std::span<Vec3> out) const noexcept {
    const Pieces at(*this);
    const double* p = state.reals.data();
    if (frame_) return frame_->world_displacements(p + at.frame(), p + at.u(), out);
    scatter(p + at.u(), body_->mesh().dimension(), out);
}

void LinearDeformer::velocities(const State& state, std::span<Vec3> out) const noexcept {
    const Pieces at(*this);
    const double* p = state.reals.data();
    if (frame_) return frame_->world_velocities(p + at.frame(), p + at.u(), p + at.v(), out);
    scatter(p + at.v(), body_->mesh().dimension(), out);
}

Energies LinearDeformer::energies(const State& state, Workspace& scratch) const noexcept {
    const Pieces at(*this);
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
    if (frame_) e.kinetic += frame_->kinetic(state.reals.data() + at.frame());
    return e;
}

bool LinearDeformer::set_motion(State& state, std::span<const Vec3> displacement,
                                std::span<const Vec3> velocity) const noexcept {
    if (displacement.size() != body_->vertex_count() || velocity.size() != body_->vertex_count()) return false;
    if (!std::all_of(displacement.begin(), displacement.end(), is_finite) ||
        !std::all_of(velocity.begin(), velocity.end(), is_finite)) {
        return false;
    }
    const Motion m = motion(state);
    const Pieces at(*this);
    state.marks[0] = 0;  // accelerations are found at the next start or step
    if (frame_) {
        frame_->fit(displacement, velocity, state.reals.data() + at.frame(), m.u, m.v);
        return true;
    }
    const std::int32_t d = body_->mesh().dimension();
    for (const std::int32_t f : stepper_->system().free) {
        m.u[f] = displacement[static_cast<std::size_t>(f / d)][f % d];
        m.v[f] = velocity[static_cast<std::size_t>(f / d)][f % d];
    }
    return true;
}

Wrench LinearDeformer::reaction(const State& state, SupportRef support) const noexcept {
    const Pieces at(*this);
    if (support.index < 0) return {};
    if (support.kind == SupportRef::Kind::live) {
        return support.index < settings_.max_live ? live_->reaction(support.index, state.reals.data() + at.live())
                                                  : Wrench{};
    }
    const std::size_t i = supports_.index(support.kind, support.index);
    if (i >= at.supports) return {};
    const double* r = state.reals.data() + at.reactions() + 6 * i;
    return {{r[0], r[1], r[2]}, {r[3], r[4], r[5]}};
}

bool LinearDeformer::tangent_stiffness(const State& state, SupportRef support, Mat3& out) const noexcept {
    const Pieces at(*this);
    if (support.index < 0) return false;
    if (support.kind == SupportRef::Kind::live) {
        // With sub-steps a target acts on all of them: the last one's stiffness would not be the step's.
        if (support.index >= settings_.max_live || state.marks[1] > 1) return false;
        return live_->tangent(support.index, state.reals.data() + at.live(), state.marks.data() + Pieces::kLiveMarks,
                              out);
    }
    const std::size_t i = supports_.index(support.kind, support.index);
    if (any_step_) {
        const double* p = state.reals.data();
        if (i >= at.supports || p[at.tangents_known()] == 0.0 ||
            live_->remembers(state.marks.data() + Pieces::kLiveMarks)) {
            return false;
        }
        for (int k = 0; k < 9; ++k) out(k / 3, k % 3) = p[at.tangents() + 9 * i + static_cast<std::size_t>(k)];
        return true;
    }
    // Measured for one prepared step and with nothing tied.
    if (i >= at.supports || state.marks[1] > sub_steps_ || live_->remembers(state.marks.data() + Pieces::kLiveMarks))
        return false;
    out = tangents_[i];
    return true;
}

bool LinearDeformer::cell_stress(const State& state, std::span<SymMat3> out) const noexcept {
    const Pieces at(*this);
    if (out.size() != body_->mesh().cell_count()) return false;
    stress_->cell_stress({state.reals.data() + at.u(), at.n}, out);
    if (frame_) frame_->to_world(state.reals.data() + at.frame(), out);
    return true;
}

}  // namespace limber
