// Promises about handles and live constraints: they reach, hold, push and let go as asked, and say with what stiffness.
#include "conformance/context.hpp"
#include "core/text.hpp"

#include <cmath>

namespace limber::conformance {
namespace {

using Kind = PointConstraint::Kind;

double reach(const Traits& traits) { return (traits.linear ? 1e-10 : 1e-7) * kLength; }

bool live_is_excluded(Context& c) {
    if (c.traits.accepts_live) return false;
    c.skip("traits.accepts_live is false");
    return true;
}

TestBench live_bench(Context& c, CellKind kind, bool handle = false) {
    TestBench bench(prepare(c.method, standard_body({.kind = kind, .handle = handle && c.traits.accepts_handles})));
    c.expect(bench.deformer->live_capacity() >= 1,
             "traits.accepts_live is true, but the deformer holds no live constraint");
    return bench;
}

PointConstraint at_tip(const TestBench& bench, Kind kind) {
    return tie(bench.body(), vertex_near(bench.body(), {0.75, 1.0, 0.5}), kind);
}

Wrench live_reaction(const TestBench& bench, int slot = 0) {
    return bench.deformer->reaction(bench.state, {SupportRef::Kind::live, slot});
}

}  // namespace

void handles_reach_targets(Context& c) {
    if (!c.traits.accepts_handles) return c.skip("traits.accepts_handles is false");
    for (const CellKind kind : c.traits.cells) {
        TestBench bench(prepare(c.method, standard_body({.kind = kind, .handle = true})));
        const Handle& handle = bench.body().handles()[0];
        for (int i = 1; i <= 8; ++i) {
            drive(bench, c.traits, i);
            bench.step();
            const HandleTarget& target = bench.handles[0];
            const std::vector<Vec3> u = bench.displacements(), v = bench.velocities();
            double off = 0.0, slip = 0.0;
            for (const std::int32_t vertex : handle.vertices) {
                const std::size_t p = static_cast<std::size_t>(vertex);
                const Vec3 rest = bench.body().mesh().vertices[p];
                const VertexTarget there = rigid_target(handle, target, rest);
                keep_worst(off, norm(rest + u[p] - there.position));
                keep_worst(slip, norm(v[p] - there.velocity));
            }
            c.expect_at_most(off, 1e-12 * kLength,
                             text(to_string(kind), ": a handle's vertices from their target [m]"));
            if (c.traits.dynamic)
                c.expect_at_most(slip, 1e-10, text(to_string(kind), ": a handle's velocity from its target's [m/s]"));
        }
    }
}

namespace {

/// A motion that no rigid thing has: the side bulges, and more so with time.
void bulge(TestBench& bench, int step) {
    const std::vector<std::int32_t>& driven = bench.body().driven_vertices();
    for (std::size_t i = 0; i < driven.size(); ++i) {
        const Vec3& rest = bench.body().mesh().vertices[static_cast<std::size_t>(driven[i])];
        const Vec3 way = Vec3{0.02, 0.01 * std::sin(5.0 * rest.y), 0.0} * (rest.y * kLength);
        const double t = step * bench.dt;
        bench.vertices[i] = {rest + way * (t * t), way * (2.0 * t)};
    }
}

void expect_at_targets(Context& c, const TestBench& bench, const std::string& kind) {
    const std::vector<Vec3> u = bench.displacements(), v = bench.velocities();
    const std::vector<std::int32_t>& driven = bench.body().driven_vertices();
    double off = 0.0, slip = 0.0;
    for (std::size_t i = 0; i < driven.size(); ++i) {
        const std::size_t p = static_cast<std::size_t>(driven[i]);
        keep_worst(off, norm(bench.body().mesh().vertices[p] + u[p] - bench.vertices[i].position));
        keep_worst(slip, norm(v[p] - bench.vertices[i].velocity));
    }
    c.expect_at_most(off, 1e-12 * kLength, kind + ": driven vertices from their targets [m]");
    if (c.traits.dynamic)
        c.expect_at_most(slip, 1e-10, kind + ": velocities of driven vertices from their targets' [m/s]");
}

}  // namespace

void vertices_reach_targets(Context& c) {
    if (!c.traits.accepts_vertex_targets) return c.skip("traits.accepts_vertex_targets is false");
    for (const CellKind kind : c.traits.cells) {
        const std::string name = to_string(kind);
        TestBench bench(prepare(c.method, standard_body({.kind = kind, .vertices = true})));
        for (int i = 1; i <= 8; ++i) {
            bulge(bench, i);
            const StepReport report = bench.step();
            c.expect(report.trouble == Trouble::none, name + ": driven vertices report " + to_string(report.trouble));
            expect_at_targets(c, bench, name);
        }
        // Where they go is where a rigid handle would take them, so the body rests as it does on that.
        TestBench rigid(prepare(c.method, standard_body({.kind = kind, .handle = true})));
        rigid.handles[0].translation = {0.004, -0.01, 0.0};
        rigid.handles[0].rotation = from_rotation_vector({0.0, 0.0, 0.01});
        const std::vector<std::int32_t>& driven = bench.body().driven_vertices();
        for (std::size_t i = 0; i < driven.size(); ++i) {
            bench.vertices[i] = rigid_target(rigid.body().handles()[0], rigid.handles[0],
                                             bench.body().mesh().vertices[static_cast<std::size_t>(driven[i])]);
        }
        const bool settled = bench.settle() && rigid.settle();
        c.expect(settled, name + ": does not come to rest while vertices are held");
        const std::vector<Vec3> u = bench.displacements(), expected = rigid.displacements();
        c.expect_at_most(difference(u, expected) / largest(expected), c.traits.linear ? 1e-8 : 1e-5,
                         name + ": rest on driven vertices minus that on a rigid handle, relative");
        const SupportRef support{SupportRef::Kind::handle, 0};
        const Vec3 pull = bench.deformer->reaction(bench.state, support).force,
                   other = rigid.deformer->reaction(rigid.state, support).force;
        c.expect_at_most(norm(pull - other) / norm(other), c.traits.linear ? 1e-6 : 1e-4,
                         name + ": reaction of driven vertices minus that of a rigid handle, relative");
    }
}

namespace {

/// Central differences of the reaction against the tangent that the same step reports.
template <class Shift>
void compare_stiffness(Context& c, const TestBench& start, SupportRef support, const std::string& label, Shift shift) {
    TestBench middle = start;
    middle.step();
    Mat3 k;
    const bool has = middle.deformer->tangent_stiffness(middle.state, support, k);
    c.expect(has, label + ": there is no tangent stiffness");
    if (!has) return;
    const double e = c.traits.linear ? 1e-3 : 1e-6;
    double worst = 0.0, size = 0.0;
    for (int j = 0; j < start.dimension(); ++j) {
        Vec3 force[2];
        for (const int side : {0, 1}) {
            TestBench moved = start;
            Vec3 way;
            way[j] = side == 0 ? -e : e;
            shift(moved, way);
            moved.step();
            force[side] = moved.deformer->reaction(moved.state, support).force;
        }
        for (int i = 0; i < start.dimension(); ++i) {
            const double slope = (force[1][i] - force[0][i]) / (2 * e);
            keep_worst(worst, std::fabs(slope - k(i, j)));
            keep_worst(size, std::fabs(slope));
        }
    }
    c.expect(size > 0.0, label + ": moving the target does not change the reaction");
    c.expect_at_most(worst / size, c.traits.linear ? 1e-7 : 1e-4,
                     label + ": tangent stiffness minus differences of the reaction, relative");
}

TestBench in_motion(Context& c, CellKind kind) {
    TestBench bench(prepare(c.method, standard_body({.kind = kind, .handle = c.traits.accepts_handles})));
    if (c.traits.accepts_live) arm_live(bench);
    for (int i = 0; i < 7; ++i) {  // after six, slots 0 and 1 of drive() are on
        drive(bench, c.traits, i);
        if (i < 6) bench.step();
    }
    if (bench.live.size() > 2)
        bench.live[2].kind = Kind::off;  // a unilateral one may open and close within a difference
    return bench;
}

}  // namespace

void handle_stiffness(Context& c) {
    if (!c.traits.readout_stiffness) return c.skip("traits.readout_stiffness is false");
    if (!c.traits.accepts_handles) return c.skip("traits.accepts_handles is false");
    for (const CellKind kind : c.traits.cells) {
        TestBench bench = in_motion(c, kind);
        bench.live.clear();
        bench.step();
        compare_stiffness(c, bench, {SupportRef::Kind::handle, 0}, text(to_string(kind), " handle"),
                          [](TestBench& moved, const Vec3& way) { moved.handles[0].translation += way; });
    }
}

void live_stiffness(Context& c) {
    if (live_is_excluded(c)) return;
    if (!c.traits.readout_stiffness) return c.skip("traits.readout_stiffness is false");
    for (const CellKind kind : c.traits.cells) {
        const TestBench bench = in_motion(c, kind);
        for (std::size_t slot = 0; slot < std::min<std::size_t>(2, bench.live.size()); ++slot) {
            compare_stiffness(c, bench, {SupportRef::Kind::live, static_cast<int>(slot)},
                              text(to_string(kind), slot == 0 ? " hard" : " soft", " live constraint"),
                              [slot](TestBench& moved, const Vec3& way) { moved.live[slot].target += way; });
        }
    }
}

void live_hard(Context& c) {
    if (live_is_excluded(c)) return;
    for (const CellKind kind : c.traits.cells) {
        TestBench bench = live_bench(c, kind, true);
        bench.live = {at_tip(bench, Kind::hard)};
        const Vec3 rest = bench.live[0].target;
        for (int i = 1; i <= 30; ++i) {
            const Vec3 way{0.0005 * i, -0.001 * i, 0.0};
            bench.live[0].target = rest + way;
            bench.live[0].velocity = Vec3{0.0005, -0.001, 0.0} / bench.dt;
            const StepReport report = bench.step();
            c.expect(report.trouble == Trouble::none,
                     text(to_string(kind), ": a hard constraint in motion reports ", to_string(report.trouble)));
            c.expect_at_most(norm(point_now(bench, bench.live[0]) - bench.live[0].target), reach(c.traits),
                             text(to_string(kind), ": a hard constraint from its target [m]"));
        }
        bench.live[0].velocity = {};
        c.expect(bench.settle(), text(to_string(kind), ": does not come to rest while held by a hard constraint"));
        c.expect_at_most(norm(point_now(bench, bench.live[0]) - bench.live[0].target), reach(c.traits),
                         text(to_string(kind), ": a hard constraint at rest [m]"));
        const Wrench w = live_reaction(bench);
        c.expect(w.force.y < 0.0, text(to_string(kind), ": pulled down, but the reaction is ", w.force.y, " N up"));
        const Vec3 lever = cross(rest, w.force);
        if (c.traits.linear) {
            c.expect_at_most(norm(w.torque - lever) / norm(lever), 1e-9,
                             text(to_string(kind), ": torque of a live constraint minus r x f, relative"));
        }
    }
}

void live_soft(Context& c) {
    if (live_is_excluded(c)) return;
    for (const CellKind kind : typical_kinds(c.traits)) {
        double last = 0.0;
        for (const double stiffness : {20.0, 200.0, 2e6}) {
            TestBench bench = live_bench(c, kind);
            bench.live = {at_tip(bench, Kind::soft)};
            bench.live[0].stiffness = stiffness;
            bench.live[0].target.y += 0.02;
            c.expect(bench.settle(),
                     text(to_string(kind), ": does not come to rest on a spring of ", stiffness, " N/m"));
            const Vec3 now = point_now(bench, bench.live[0]);
            const double part = 1.0 - (bench.live[0].target.y - now.y) / 0.02;
            c.expect(part > last && part < 1.0, text(to_string(kind), ": a spring of ", stiffness, " N/m pulls ", part,
                                                     " of the way, expected between ", last, " and 1"));
            last = part;
            const Vec3 spring = (bench.live[0].target - now) * stiffness;
            c.expect_at_most(
                norm(live_reaction(bench).force - spring) / norm(spring), 1e-6,
                text(to_string(kind), ": reaction of a soft constraint minus k (target - point), relative"));
        }
    }
}

void live_unilateral(Context& c) {
    if (live_is_excluded(c)) return;
    if (!c.traits.accepts_forces && !c.traits.accepts_gravity) return c.skip("nothing to push the body with");
    for (const CellKind kind : typical_kinds(c.traits)) {
        for (const bool onto : {true, false}) {
            TestBench bench = live_bench(c, kind);
            bench.live = {tie(bench.body(), vertex_near(bench.body(), {0.75, 0.0, 0.5}), Kind::hard)};
            bench.live[0].unilateral = true;
            bench.live[0].normal = {0.0, 1.0, 0.0};
            const Vec3 down{0.02, onto ? -0.2 : 0.2, 0.0};
            if (c.traits.accepts_gravity)
                bench.gravity = down;
            else
                std::fill(bench.force.begin(), bench.force.end(), down);
            c.expect(bench.settle(), text(to_string(kind), ": does not come to rest against a one-sided constraint"));
            const double gap = point_now(bench, bench.live[0]).y - bench.live[0].target.y;
            const Vec3 push = live_reaction(bench).force;
            c.expect_at_most(std::hypot(push.x, push.z), 1e-9 * std::max(1e-3, std::fabs(push.y)),
                             text(to_string(kind), ": sideways force of a one-sided constraint [N]"));
            if (onto) {
                c.expect(
                    push.y > 0.0,
                    text(to_string(kind), ": pressed onto a one-sided constraint, which answers with ", push.y, " N"));
                c.expect_at_most(std::fabs(gap), reach(c.traits), text(to_string(kind), ": gap under pressure [m]"));
            } else {
                c.expect(
                    push.y == 0.0,
                    text(to_string(kind), ": drawn away from a one-sided constraint, which pulls with ", push.y, " N"));
                c.expect(gap > 1e-6 * kLength, text(to_string(kind), ": drawn away, but the gap is ", gap, " m"));
                Mat3 k;
                c.expect(!bench.deformer->tangent_stiffness(bench.state, {SupportRef::Kind::live, 0}, k),
                         text(to_string(kind), ": an open one-sided constraint claims a stiffness"));
            }
        }
    }
}

void live_come_and_go(Context& c) {
    if (live_is_excluded(c)) return;
    for (const CellKind kind : typical_kinds(c.traits)) {
        TestBench bench = live_bench(c, kind);
        bench.live = {at_tip(bench, Kind::hard)};
        bench.live[0].target.y += 0.01;
        for (int i = 0; i < 10; ++i) bench.step();
        c.expect(norm(live_reaction(bench).force) > 0.0,
                 text(to_string(kind), ": a pulling constraint has no reaction"));
        // Tied to another point in the same slot: nothing cached for the first may survive.
        bench.live[0] = tie(bench.body(), vertex_near(bench.body(), {0.5, 0.0, 0.0}), Kind::hard);
        bench.live[0].target.x += 0.004;
        bench.step();
        c.expect_at_most(norm(point_now(bench, bench.live[0]) - bench.live[0].target), reach(c.traits),
                         text(to_string(kind), ": a slot tied to another point, from its target [m]"));
        bench.live.clear();
        bench.step();
        Mat3 k;
        c.expect(norm(live_reaction(bench).force) == 0.0,
                 text(to_string(kind), ": a removed constraint still has a reaction"));
        c.expect(!bench.deformer->tangent_stiffness(bench.state, {SupportRef::Kind::live, 0}, k),
                 text(to_string(kind), ": a removed constraint still has a stiffness"));
        c.expect_at_most(bench.settle() ? largest(bench.displacements()) : 1.0, 1e-9 * kLength,
                         text(to_string(kind), ": displacement long after the constraint went [m]"));
    }
}

}  // namespace limber::conformance
