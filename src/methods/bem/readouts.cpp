#include "core/rotation.hpp"
#include "methods/bem/layout.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace limber {

const double* BemDeformer::whole_field(const State& state, std::size_t piece) const noexcept {
    const Layout p(*this);
    const double* from = state.reals.data() + piece;
    if (held()) return from;
    // Readouts have no scratch memory of their own; a thread keeps this from its first one on.
    static thread_local std::vector<double> memory;
    if (memory.size() < p.vertices + p.inner) memory.resize(p.vertices + p.inner);
    double* u = memory.data();
    std::fill(u, u + p.vertices, 0.0);
    if (std::all_of(from, from + p.size, [](double x) { return x == 0.0; })) return u;
    for (std::size_t i = 0; i < p.size; ++i)
        u[p.d * static_cast<std::size_t>(shape_.vertex[i / p.d]) + i % p.d] = from[i];
    inner_->extend(u, nullptr, u + p.vertices);
    return u;
}

void BemDeformer::displacements(const State& state, std::span<Vec3> out) const noexcept {
    const double* u = whole_field(state, Layout(*this).u());
    const std::vector<Vec3>& rest = body_->mesh().vertices;
    if (held()) {
        for (std::size_t v = 0; v < out.size(); ++v) out[v] = local(u, v);
        return;
    }
    const RigidState now = rigid(state);
    const Mat3 turn = to_matrix(now.pose.rotation);
    const Vec3 centre = response_->enclosed().centroid;
    for (std::size_t v = 0; v < out.size(); ++v) {
        const Vec3 r = rest[v] - centre;
        out[v] = (now.pose.position - centre) + (turn * (r + local(u, v)) - r);
    }
}

void BemDeformer::velocities(const State& state, std::span<Vec3> out) const noexcept {
    const Layout p(*this);
    const double* rate = whole_field(state, p.rate());
    if (held()) {
        for (std::size_t v = 0; v < out.size(); ++v) out[v] = local(rate, v);
        return;
    }
    const RigidState now = rigid(state);
    const Mat3 turn = to_matrix(now.pose.rotation);
    const Vec3 spin = motion_->spin(now);
    for (std::size_t v = 0; v < out.size(); ++v) out[v] = turn * local(rate, v);
    const double* u = whole_field(state, p.u());
    for (std::size_t v = 0; v < out.size(); ++v) {
        out[v] += now.velocity +
                  cross(spin, turn * (body_->mesh().vertices[v] - response_->enclosed().centroid + local(u, v)));
    }
}

Energies BemDeformer::energies(const State& state, Workspace&) const noexcept {
    const Layout p(*this);
    if (held()) return {0.0, state.reals[p.energy() + 1]};
    // A state that was set and not stepped yet moves, but has touched nothing.
    const double ring = ringing_ ? thickness_ * ringing_->kinetic(state.reals.data() + p.ring()) : 0.0;
    return {motion_->kinetic(rigid(state)) + ring, state.reals[p.energy() + 1]};
}

bool BemDeformer::set_motion(State& state, std::span<const Vec3> displacement,
                             std::span<const Vec3> velocity) const noexcept {
    const Layout p(*this);
    if (held() || state.reals.size() != p.reals() || state.marks.size() != p.marks()) return false;
    if (displacement.size() != body_->vertex_count() || velocity.size() != body_->vertex_count()) return false;
    // The rigid motion in it, each vertex with its share of the mass; anything else cannot be said here.
    const std::vector<double>& weight = inner_->weight();
    const std::vector<Vec3>& rest = body_->mesh().vertices;
    double mass = 0.0;
    Vec3 from, to, speed;
    for (std::size_t v = 0; v < rest.size(); ++v) {
        mass += weight[v];
        from += rest[v] * weight[v];
        to += (rest[v] + displacement[v]) * weight[v];
        speed += velocity[v] * weight[v];
    }
    from = from / mass;
    to = to / mass;
    speed = speed / mass;
    Mat3 spread, inertia;
    Vec3 momentum;
    double size = 0.0;
    for (std::size_t v = 0; v < rest.size(); ++v) {
        const Vec3 a = rest[v] - from, b = rest[v] + displacement[v] - to;
        size = std::max(size, norm(a));
        momentum += cross(b, velocity[v] - speed) * weight[v];
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                spread(i, j) += weight[v] * b[i] * a[j];
                inertia(i, j) += weight[v] * ((i == j ? norm2(b) : 0.0) - b[i] * b[j]);
            }
        }
    }
    if (dim_ == 2) {
        spread(2, 2) = std::max(spread(0, 0) + spread(1, 1), std::abs(spread(0, 1)) + std::abs(spread(1, 0))) +
                       mass * size * size;
        double about_z = 0.0;
        for (std::size_t v = 0; v < rest.size(); ++v) about_z += weight[v] * norm2(rest[v] + displacement[v] - to);
        inertia = Mat3::identity();
        for (int i = 0; i < 3; ++i) inertia(i, i) = about_z;  // the other two turn nothing
        momentum.x = momentum.y = 0.0;
    }
    const Quat turn = rotation_in(spread);
    const Mat3 turned = to_matrix(turn);
    const Vec3 spin = inverse(inertia) * momentum;
    double fastest = 0.0;
    for (std::size_t v = 0; v < rest.size(); ++v) fastest = std::max(fastest, norm(velocity[v]));
    for (std::size_t v = 0; v < rest.size(); ++v) {
        const Vec3 left = rest[v] + displacement[v] - to - turned * (rest[v] - from),
                   drift = velocity[v] - speed - cross(spin, rest[v] + displacement[v] - to);
        if (!(norm(left) <= 1e-9 * size) || !(norm(drift) <= 1e-9 * fastest + 1e-300)) return false;
    }
    const Vec3 centre = response_->enclosed().centroid;
    RigidState now;
    now.pose.rotation = turn;
    now.pose.position = to + turned * (centre - from);
    now.velocity = speed + cross(spin, turned * (centre - from));
    const Vec3 own = transpose(turned) * spin;
    now.spin_momentum = turned * (motion_->body().inertia * own);
    const double time = state.time;
    state = rest_state();
    state.time = time;
    put_rigid(state, now);
    return true;
}

Wrench BemDeformer::reaction(const State& state, SupportRef support) const noexcept {
    const Layout p(*this);
    std::size_t slot = p.supports + p.obstacles;
    if (support.index < 0 || support.kind == SupportRef::Kind::live) return {};
    if (support.kind == SupportRef::Kind::obstacle) {
        slot = static_cast<std::size_t>(support.index) < p.obstacles
                   ? p.supports + static_cast<std::size_t>(support.index)
                   : slot;
    } else if (const std::size_t own = supports_.index(support.kind, support.index); own < p.supports) {
        slot = own;
    }
    if (slot >= p.supports + p.obstacles) return {};
    const double* w = state.reals.data() + p.wrenches() + 6 * slot;
    return {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}};
}

bool BemDeformer::tangent_stiffness(const State&, SupportRef support, Mat3& out) const noexcept {
    if (!held() || support.index < 0 || support.kind == SupportRef::Kind::live ||
        support.kind == SupportRef::Kind::obstacle) {
        return false;
    }
    const std::size_t slot = supports_.index(support.kind, support.index);
    if (slot >= supports_.count()) return false;
    out = tangents_[slot];
    return true;
}

void BemDeformer::measure_tangents() {
    Workspace scratch = make_workspace();
    const Layout p(*this);
    double *w = scratch.reals.data(), *targets = p.targets(w), *nodes = p.on_nodes(w), *support = p.support(w);
    std::vector<std::int32_t> marks(p.nodes, 0);
    std::vector<Wrench> wrenches(p.supports);
    tangents_.assign(p.supports, Mat3{});
    std::fill(nodes, nodes + p.size, 0.0);
    for (std::size_t s = 0; s < p.supports; ++s) {
        for (int axis = 0; axis < dim_; ++axis) {
            supports_.unit_translation(s, axis, targets);
            held_->solve({targets, nodes, {}, {}, thickness_}, marks.data(), p.shape(w), support, p.base(w), nullptr,
                         p.rank_memory(w), p.item_memory(w));
            double* full = p.forces(w);
            std::fill(full, full + p.vertices, 0.0);
            for (std::size_t i = 0; i < p.size; ++i)
                full[p.d * static_cast<std::size_t>(shape_.vertex[i / p.d]) + i % p.d] = support[i];
            supports_.sum_reactions(full, wrenches);
            for (int i = 0; i < 3; ++i) tangents_[s](i, axis) = wrenches[s].force[i];
        }
    }
}

std::span<const double> BemDeformer::contact_pressure(const State& state) const noexcept {
    const Layout p(*this);
    return {state.reals.data() + p.traction(), p.size};
}

bool BemDeformer::cell_stress(const State& state, std::span<SymMat3> out) const noexcept {
    const Layout p(*this);
    stress_->cell_stress({whole_field(state, p.u()), p.vertices}, out);
    if (held()) return true;
    const Mat3 turn = to_matrix(rigid(state).pose.rotation);
    for (SymMat3& s : out) s = turned(turn, s);
    return true;
}

}  // namespace limber
