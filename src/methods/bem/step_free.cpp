// One step of a free body: rigid motion with collisions, then the shape that contact, forces and turning give it.
#include "methods/bem/layout.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

RigidLoads BemDeformer::rigid_loads(const State& state, const Loads& loads) const noexcept {
    RigidLoads out;
    out.gravity = loads.gravity;
    if (dim_ == 2) out.gravity.z = 0.0;
    out.obstacles = loads.obstacles;
    out.moving = std::any_of(loads.obstacles.begin(), loads.obstacles.end(),
                             [](const Obstacle& o) { return o.velocity != Vec3{} || o.angular_velocity != Vec3{}; });
    if (loads.force.empty()) return out;
    const RigidState now = rigid(state);
    const Mat3 turn = to_matrix(now.pose.rotation);
    const double* u = state.reals.data() + Layout(*this).u();
    for (std::size_t v = 0; v < loads.force.size(); ++v) {
        Vec3 f = loads.force[v];
        if (dim_ == 2) f.z = 0.0;
        out.wrench.force += f;
        Vec3 arm = body_->mesh().vertices[v] - response_->enclosed().centroid;
        if (node_of_[v] >= 0)
            arm += local(u, static_cast<std::size_t>(node_of_[v]));  // inside, the rest shape's lever will do
        out.wrench.torque += cross(turn * arm, f);
    }
    return out;
}

bool BemDeformer::base_shape(const State& state, const Loads& loads, double* out, Workspace& scratch) const noexcept {
    const Layout p(*this);
    std::fill(out, out + p.size, 0.0);
    bool any = false;
    const RigidState now = rigid(state);
    const Mat3 back = transpose(to_matrix(now.pose.rotation));
    double *full = p.forces(scratch.reals.data()), *nodes = p.on_nodes(scratch.reals.data());
    std::fill(full, full + p.vertices, 0.0);
    for (std::size_t v = 0; v < loads.force.size(); ++v) {
        const Vec3 f = back * loads.force[v];
        for (std::size_t c = 0; c < p.d; ++c) full[p.d * v + c] = f[static_cast<int>(c)];
    }
    if (!loads.force.empty()) forces_on_nodes(full, nodes, scratch);
    for (std::size_t i = 0; i < p.size && !loads.force.empty(); ++i) {
        if (nodes[i] == 0.0) continue;
        any = true;
        const double traction = nodes[i] / (response_->weight(i / p.d, static_cast<int>(i % p.d)) * thickness_);
        const double* column = response_->column(i / p.d, static_cast<int>(i % p.d));
        for (std::size_t j = 0; j < p.size; ++j) out[j] += traction * column[j];
    }
    const Vec3 spin = back * motion_->spin(now);
    if (spin == Vec3{}) return any;
    // Centrifugal force: rho (w^2 r - w (w . r)).
    for (std::size_t k = 0; k < p.d * p.d; ++k) {
        const int row = static_cast<int>(k / p.d), column = static_cast<int>(k % p.d);
        const double l = density_ * ((row == column ? norm2(spin) : 0.0) - spin[row] * spin[column]);
        if (l == 0.0) continue;
        const double* field = response_->stretch_column(k);
        for (std::size_t j = 0; j < p.size; ++j) out[j] += l * field[j];
    }
    return true;
}

void BemDeformer::take_ringing_energy(State& state, double energy, const Vec3& way,
                                      const Vec3& carrier) const noexcept {
    if (!(energy > 0.0)) return;
    RigidState now = rigid(state);
    const double speed = dot(now.velocity - carrier, way), kinetic = 0.5 * motion_->body().mass * speed * speed;
    if (!(kinetic > 0.0)) return;
    const double scale = std::sqrt(std::max(0.0, 1.0 - energy / kinetic));
    now.velocity -= way * (speed * (1.0 - scale));
    put_rigid(state, now);
}

ShapeReport BemDeformer::find_shape(State& state, const Loads& loads, double dt, Workspace& scratch,
                                    const Push& push) const noexcept {
    const Layout p(*this);
    double *w = scratch.reals.data(), *base = p.base(w), *shape = p.shape(w), *reals = state.reals.data();
    std::int32_t *marks = state.marks.data() + p.contacts(), *latched = state.marks.data() + p.latches();
    const RigidState now = rigid(state);
    if (sections_) {
        return sections_->solve({now.pose, loads.obstacles, push.wrench.force, nullptr, nullptr, nullptr, false, true},
                                state.marks[p.pair()], marks, reals + p.touch_points(), reinterpret_cast<Vec3*>(shape),
                                p.rank_memory(w), p.item_memory(w));
    }
    const bool loaded = base_shape(state, loads, base, scratch);
    ContactShape::Input input{now.pose,
                              loads.obstacles,
                              push.wrench.force / thickness_,
                              loaded ? base : nullptr,
                              latched,
                              state.marks.data() + p.released()};
    ShapeReport report = contact_->solve(input, marks, reals + p.touch_points(), shape, reals + p.traction(),
                                         p.rank_memory(w), p.item_memory(w));
    if (!ringing_) return report;

    double* ring = reals + p.ring();
    const double* pushed_last = reals + p.account() + 1;
    const Vec3 carrier{pushed_last[0], pushed_last[1], pushed_last[2]}, against = now.velocity - carrier;
    const double strength = norm(push.wrench.force), speed = norm(against);
    const Vec3 way = strength > 0.0 ? push.wrench.force / strength
                                    : (speed > 0.0 ? against / speed : Vec3{0.0, 1.0, 0.0});
    const double along = dot(against, way),
                 affordable = 0.25 * motion_->body().mass * along * along;  // half of what there is
    take_ringing_energy(state, thickness_ * ringing_->excite(ring, shape, dt, affordable / thickness_), way, carrier);
    ringing_->advance(ring, dt);
    for (std::size_t i = 0; i < p.size; ++i) base[i] += ring[i];
    input.base = base;
    input.reuse_partly = true;
    const ShapeReport again = contact_->solve(input, marks, reals + p.touch_points(), shape, reals + p.traction(),
                                              p.rank_memory(w), p.item_memory(w));
    report.passes += again.passes;
    report.rebuilds += again.rebuilds;
    report.fell_back = again.fell_back;
    report.moved = again.moved;
    return report;
}

StepReport BemDeformer::step_free(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept {
    const Layout p(*this);
    double* w = scratch.reals.data();
    StepReport report;
    std::int32_t* latched = state.marks.data() + p.latches();
    RigidState now = rigid(state);
    double* entered = state.reals.data() + p.entered();
    Crossing crossing{state.marks[p.crossing()] - 1, {entered[0], entered[1], entered[2]}};
    double* kept = state.reals.data() + p.account();
    EnergyAccount account{kept[0], {kept[1], kept[2], kept[3]}};
    Wrench* wrenches = reinterpret_cast<Wrench*>(p.wrench(w));
    std::fill(wrenches, wrenches + p.supports + p.obstacles, Wrench{});
    const RigidReport moved = motion_->advance(now, rigid_loads(state, loads), dt, latched, crossing, account,
                                               p.reaction_memory(w), p.touch_memory(w), p.obstacle_memory(w),
                                               wrenches + p.supports, reinterpret_cast<Wrench*>(p.rubbed(w)));
    report.sub_steps = std::max(1, moved.sub_steps);
    if (!moved.ok) {
        report.trouble |= moved.finished ? Trouble::non_finite : Trouble::not_converged;
        return report;
    }
    if (moved.through >= 0) {
        report.trouble |= Trouble::passed_through;
        report.where = moved.through;
    }
    state.marks[p.crossing()] = crossing.obstacle + 1;
    kept[0] = account.owed;
    for (int k = 0; k < 3; ++k) {
        entered[k] = crossing.entered[k];
        kept[1 + k] = account.carrier[k];
    }
    put_rigid(state, now);
    const Push push = reaction_->evaluate(now.pose, loads.obstacles, latched, p.reaction_memory(w), nullptr,
                                          wrenches + p.supports);
    for (std::size_t o = 0; o < loads.obstacles.size(); ++o)
        wrenches[p.supports + o].torque += cross(now.pose.position, wrenches[p.supports + o].force);
    const ShapeReport shape = find_shape(state, loads, dt, scratch, push);
    report.iterations = shape.passes;
    report.residual = shape.moved;
    // Rebuilt: the small inverse had lost digits.
    report.solver = shape.fell_back ? "no shape found" : (shape.rebuilds > 0 ? "low_rank, rebuilt" : "low_rank");
    finish_field(state, p.shape(w), nullptr, dt, scratch);
    std::copy(reinterpret_cast<double*>(wrenches), reinterpret_cast<double*>(wrenches + p.supports + p.obstacles),
              state.reals.begin() + static_cast<std::ptrdiff_t>(p.wrenches()));
    const double* ring = state.reals.data() + p.ring();
    const double kinetic = motion_->kinetic(rigid(state)) + (ringing_ ? thickness_ * ringing_->kinetic(ring) : 0.0);
    const double elastic = push.energy + (ringing_ ? thickness_ * ringing_->elastic(ring) : 0.0);
    state.reals[p.energy()] = kinetic;
    state.reals[p.energy() + 1] = elastic;
    return report;
}

}  // namespace limber
