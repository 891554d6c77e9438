// Promises about motion in time: superposition, energy, order, and velocities that mean what they say.
#include "conformance/context.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace limber::conformance {
namespace {

// sin^4: value, slope and curvature start at zero, so that no scheme is surprised by a jump.
struct Smooth {
    double value, rate, curvature;
};
Smooth smooth(double t, double period) {
    const double w = std::numbers::pi / period;
    const double s = std::sin(w * t), k = std::cos(w * t);
    return {s * s * s * s, 4 * w * s * s * s * k, 4 * w * w * (3 * s * s * k * k - s * s * s * s)};
}

/// What pushes the body in a smooth run.
enum class Push { force, handle };
constexpr double kPeriod = 1.0;

void push_smoothly(TestBench& bench, Push push, double t, double size) {
    const Smooth s = smooth(t, kPeriod);
    if (push == Push::handle) {
        const Vec3 way = bench.planar() ? Vec3{0.3, 1.0, 0.0} : Vec3{0.3, 1.0, -0.5};
        bench.handles[0].translation = way * (size * s.value);
        bench.handles[0].velocity = way * (size * s.rate);
        bench.handles[0].acceleration = way * (size * s.curvature);
        return;
    }
    for (std::size_t v = 0; v < bench.force.size(); ++v) {
        const Vec3& x = bench.body().mesh().vertices[v];
        bench.force[v] = Vec3{0.4 * x.y, -x.x, bench.planar() ? 0.0 : 0.3 * x.x} * (size * s.value);
    }
}

std::shared_ptr<const Body> body_for(Push push, CellKind kind) {
    BodySpec spec;
    spec.kind = kind;
    spec.handle = push == Push::handle;
    return standard_body(spec);
}

/// Displacements at half and at the whole of 0.75 periods, one after the other.
std::vector<Vec3> smooth_run(Context& c, Push push, CellKind kind, double step, double size) {
    TestBench bench(prepare(c.method, body_for(push, kind), {}, step), step);
    std::vector<Vec3> out;
    const int steps = static_cast<int>(std::lround(0.75 * kPeriod / bench.dt));
    for (int i = 1; i <= steps; ++i) {
        push_smoothly(bench, push, i * bench.dt, size);
        const StepReport report = bench.step();
        c.expect(report.trouble == Trouble::none,
                 text("smooth run, step ", i, " of ", bench.dt, " s reports ", to_string(report.trouble)));
        if (i == steps / 2 || i == steps) {
            const std::vector<Vec3> u = bench.displacements();
            out.insert(out.end(), u.begin(), u.end());
        }
    }
    return out;
}

std::vector<Push> pushes(const Traits& traits) {
    std::vector<Push> out;
    if (traits.accepts_forces) out.push_back(Push::force);
    if (traits.accepts_handles) out.push_back(Push::handle);
    return out;
}

const char* name_of(Push push) { return push == Push::force ? "force" : "handle"; }
double size_of(Push push) { return push == Push::force ? 0.05 : 0.01; }

}  // namespace

void superposes(Context& c) {
    if (!c.traits.linear) return c.skip("traits.linear is false");
    for (const CellKind kind : c.traits.cells) {
        BodySpec spec;
        spec.kind = kind;
        spec.handle = c.traits.accepts_handles;
        const auto deformer = prepare(c.method, standard_body(spec));
        TestBench benches[3] = {TestBench(deformer), TestBench(deformer),
                                TestBench(deformer)};  // one load, the other, both
        double worst = 0.0, size = 0.0;
        for (int i = 1; i <= 60; ++i) {
            for (const int r : {0, 2})
                if (c.traits.accepts_forces) push_smoothly(benches[r], Push::force, i * benches[r].dt, 0.05);
            for (const int r : {1, 2}) {
                if (c.traits.accepts_gravity) benches[r].gravity = {0.1, -0.4, 0.0};
                if (c.traits.accepts_handles) push_smoothly(benches[r], Push::handle, i * benches[r].dt, 0.01);
            }
            for (TestBench& bench : benches) bench.step();
            const std::vector<Vec3> a = benches[0].displacements(), b = benches[1].displacements(),
                                    both = benches[2].displacements();
            for (std::size_t v = 0; v < a.size(); ++v) keep_worst(worst, norm(a[v] + b[v] - both[v]));
            keep_worst(size, largest(a));
            keep_worst(size, largest(b));
        }
        c.expect(size > 1e-6 * kLength, text(to_string(kind), ": the loads hardly move the body (", size, " m)"));
        c.expect_at_most(worst / size, 1e-9,
                         text(to_string(kind), ": response to two loads minus the sum of responses, relative"));
    }
}

void energy_decays(Context& c) {
    if (!c.traits.dynamic) return c.skip("traits.dynamic is false");
    if (!c.traits.accepts_forces) return c.skip("traits.accepts_forces is false: no way to load and let go");
    for (const CellKind kind : typical_kinds(c.traits)) {
        TestBench bench(prepare(c.method, body_for(Push::force, kind)));
        for (int i = 1; i * bench.dt < kPeriod / 2; ++i) {
            push_smoothly(bench, Push::force, i * bench.dt, 0.2);
            bench.step();
        }
        std::fill(bench.force.begin(), bench.force.end(), Vec3{});
        bench.step();
        const double released = bench.deformer->energies(bench.state, bench.scratch).total();
        c.expect(released > 0.0 && std::isfinite(released),
                 text(to_string(kind), ": energy when let go is ", released, " J, expected more than 0"));
        // The most of each 16 steps: some schemes conserve a neighbour of the energy and ripple around it.
        double last = released, ripple = 0.0, end = released;
        const int rounds = static_cast<int>(std::ceil(8.0 / (16 * bench.dt)));
        for (int round = 0; round < rounds; ++round) {
            double most = 0.0;
            for (int i = 0; i < 16; ++i) {
                bench.step();
                end = bench.deformer->energies(bench.state, bench.scratch).total();
                keep_worst(most, end);
            }
            keep_worst(ripple, most - last);
            last = most;
        }
        c.expect_at_most(ripple / released, 1e-10,
                         text(to_string(kind), ": growth of energy over 16 unforced steps, relative"));
        c.expect_at_most(end / released, 0.05, text(to_string(kind), ": energy left after 8 s"));
    }
}

namespace {

void check_order(Context& c, Push push, CellKind kind) {
    std::vector<std::vector<Vec3>> runs;
    runs.reserve(4);
    for (int level = 0; level < 4; ++level)
        runs.push_back(smooth_run(c, push, kind, 1.0 / (128 << level), size_of(push)));
    double error[3];
    for (std::size_t i = 0; i < 3; ++i) error[i] = difference(runs[i], runs[i + 1]);
    const double size = largest(runs[3]);
    const std::string label = text(to_string(kind), ", smooth ", name_of(push));
    c.expect(size > 1e-6 * kLength, label + ": hardly moves");
    if (error[2] <= 1e-11 * size) return c.expect(true, label + ": exact to rounding");
    const double order = std::log2(error[1] / error[2]);
    c.expect(std::fabs(order - c.traits.order) <= 0.25,
             text(label, ": halving dt changes the answer by ",
                  fmt::format("{:.3g}, {:.3g}, {:.3g}", error[0], error[1], error[2]), " m, order ",
                  fmt::format("{:.3f}", order), ", expected ", c.traits.order, " within 0.25"));
}

}  // namespace

void converges(Context& c) {
    if (!c.traits.dynamic) return c.skip("traits.dynamic is false");
    if (c.traits.fixed_step) {
        const OptionTable table = c.method.options();
        if (std::none_of(table.begin(), table.end(),
                         [](const OptionSpec& o) { return o.name == "step" && o.type == OptionType::real; })) {
            return c.skip("a method of fixed step without an option \"step\"");
        }
    }
    for (const CellKind kind : typical_kinds(c.traits))
        for (const Push push : pushes(c.traits)) check_order(c, push, kind);
}

void velocity_is_rate(Context& c) {
    if (!c.traits.dynamic) return c.skip("traits.dynamic is false");
    for (const CellKind kind : typical_kinds(c.traits)) {
        for (const Push push : pushes(c.traits)) {
            TestBench bench(prepare(c.method, body_for(push, kind), {}, kStep / 4), kStep / 4);
            double worst = 0.0, size = 0.0;
            std::vector<Vec3> before = bench.displacements(), now = before, velocity = before;
            for (int i = 1; i * bench.dt < 0.75 * kPeriod; ++i) {
                push_smoothly(bench, push, i * bench.dt, size_of(push));
                bench.step();
                const std::vector<Vec3> next = bench.displacements();
                if (i > 1) {
                    for (std::size_t v = 0; v < next.size(); ++v)
                        keep_worst(worst, norm((next[v] - before[v]) / (2 * bench.dt) - velocity[v]));
                }
                before.swap(now);
                now = next;
                velocity = bench.velocities();
                keep_worst(size, largest(velocity));
            }
            c.expect(size > 0.0, "velocities are zero throughout");
            // First-order schemes are half a step off; a wrong sign or factor is far beyond.
            c.expect_at_most(worst / size, 0.02,
                             text(to_string(kind), ", ", name_of(push),
                                  ": velocity minus central difference of displacement, relative"));
        }
    }
}

void motion_reads_back(Context& c) {
    for (const CellKind kind : typical_kinds(c.traits)) {
        TestBench bench(prepare(c.method, standard_body({.kind = kind})));
        std::vector<Vec3> u(bench.body().vertex_count()), v = u;
        for (std::size_t i = 0; i < u.size(); ++i) {
            const Vec3& x = bench.body().mesh().vertices[i];
            u[i] = Vec3{0.01 * x.x * x.y, -0.02 * x.x * x.x, bench.planar() ? 0.0 : 0.005 * x.x};  // zero at the anchor
            v[i] = Vec3{-0.03 * x.x, 0.02 * x.x * x.y, bench.planar() ? 0.0 : -0.01 * x.x};
        }
        if (!bench.deformer->set_motion(bench.state, u, v))
            return c.skip("set_motion says that the method cannot represent any motion");
        c.expect_at_most(difference(bench.displacements(), u) / largest(u), 1e-12,
                         text(to_string(kind), ": displacement set and read back, relative"));
        if (c.traits.dynamic) {
            c.expect_at_most(difference(bench.velocities(), v) / largest(v), 1e-12,
                             text(to_string(kind), ": velocity set and read back, relative"));
        }
        const StepReport report = bench.step();
        c.expect(report.trouble == Trouble::none && outputs_finite(bench),
                 text(to_string(kind), ": the step from a set motion reports ", to_string(report.trouble)));
    }
}

void free_body_falls(Context& c) {
    if (!c.traits.free_bodies) return c.skip("traits.free_bodies is false");
    if (!c.traits.accepts_gravity || !c.traits.dynamic)
        return c.skip("needs traits.accepts_gravity and traits.dynamic");
    for (const CellKind kind : typical_kinds(c.traits)) {
        TestBench bench(prepare(c.method, standard_body({.kind = kind, .anchored = false, .alpha = 0.0})));
        bench.gravity = {0.5, -2.0, 0.0};
        bench.deformer->start(bench.state, bench.loads(), bench.scratch);
        for (int i = 0; i < 128; ++i) bench.step();
        const double t = bench.state.time;
        const std::vector<Vec3> fallen(bench.body().vertex_count(), bench.gravity * (t * t / 2));
        const std::vector<Vec3> speed(bench.body().vertex_count(), bench.gravity * t);
        // One step's worth of displacement is what a first-order scheme may be off.
        c.expect_at_most(difference(bench.displacements(), fallen) / largest(fallen), 2.5 * bench.dt / t,
                         text(to_string(kind), ": a free fall minus g t^2 / 2, relative"));
        c.expect_at_most(difference(bench.velocities(), speed) / largest(speed), 2.5 * bench.dt / t,
                         text(to_string(kind), ": speed of a free fall minus g t, relative"));
    }
}

}  // namespace limber::conformance
