// Promises about the state of rest under load: against theory, against linear_fem, against Newton's third law.
#include "conformance/context.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber::conformance {
namespace {

const Method* reference_of(const Context& c) {
    return c.settings.reference != nullptr ? c.settings.reference : find_method("linear_fem");
}

/// Small enough that strain stays near 1e-5: what is left between a nonlinear method and linear_fem is its tolerance.
void push_a_little(TestBench& bench, double part = 1.0) {
    for (std::size_t v = 0; v < bench.force.size(); ++v) {
        const Vec3& x = bench.body().mesh().vertices[v];
        bench.force[v] = Vec3{0.5 * x.y, -1.0 * x.x, bench.planar() ? 0.0 : 0.3 * x.x} * (1e-5 * part);
    }
}

/// The reference is asked for the method's own matrices: where both have an option that decides them, the method's
/// default counts.
OptionValues same_matrices(const Context& c, const Method& reference) {
    OptionValues out;
    for (const OptionSpec& option : c.method.options()) {
        for (const OptionSpec& theirs : reference.options()) {
            for (const char* name : {"mass", "damping", "integration"}) {
                if (option.name == name && theirs.name == name && option.type == theirs.type)
                    out[name] = option.fallback;
            }
        }
    }
    return out;
}

std::vector<Vec3> small_motion(const Method& method, const std::shared_ptr<const Body>& body, double step,
                               const OptionValues& options = {}) {
    TestBench bench(prepare(method, body, options, step), step);
    const int steps = static_cast<int>(std::lround(0.5 / bench.dt));
    for (int i = 1; i <= steps; ++i) {
        const double s = std::sin(std::numbers::pi * i * bench.dt);
        push_a_little(bench, s * s * s * s);
        bench.step();
    }
    return bench.displacements();
}

void compare_at_rest(Context& c, const Method& reference, const std::shared_ptr<const Body>& body) {
    const std::string kind = to_string(body->mesh().kind);
    TestBench mine(prepare(c.method, body)), theirs(prepare(reference, body, same_matrices(c, reference)));
    for (TestBench* bench : {&mine, &theirs}) {
        push_a_little(*bench);
        c.expect(bench->settle(),
                 text(kind, ": ", bench->deformer->method_name(), " does not come to rest under a small load"));
    }
    const std::vector<Vec3> expected = theirs.displacements();
    c.expect_at_most(difference(mine.displacements(), expected) / largest(expected),
                     std::max(c.traits.small_load_tolerance, 1e-10),
                     text(kind, ": distance from ", reference.name(), " at rest, relative"));
}

/// With all of the motion allowed to be wrong, a body that stands still would pass.
void expect_some_agreement(Context& c) {
    c.expect(c.traits.small_load_tolerance < 1.0,
             text("small_load_tolerance is ", c.traits.small_load_tolerance, ": expected less than 1"));
}

// In motion the two may integrate differently: each is allowed its own error, estimated by halving its step.
void compare_in_motion(Context& c, const Method& reference, const std::shared_ptr<const Body>& body) {
    const std::string kind = to_string(body->mesh().kind);
    const OptionValues matrices = same_matrices(c, reference);
    const std::vector<Vec3> mine = small_motion(c.method, body, kStep / 2),
                            theirs = small_motion(reference, body, kStep / 2, matrices);
    const double own_error = difference(small_motion(c.method, body, kStep), mine);
    const double their_error = difference(small_motion(reference, body, kStep, matrices), theirs);
    const double limit = c.traits.small_load_tolerance * largest(theirs) + 2.0 * (own_error + their_error) +
                         1e-12 * largest(theirs);
    c.expect_at_most(difference(mine, theirs) / largest(theirs), limit / largest(theirs),
                     text(kind, ": distance from ", reference.name(), " in motion, relative"));
}

}  // namespace

void agrees_with_reference(Context& c) {
    expect_some_agreement(c);
    const Method* reference = reference_of(c);
    if (reference == nullptr) return c.skip("there is no linear_fem in this program");
    if (std::string(reference->name()) == c.method.name())
        return c.skip("this is linear_fem itself; see stretches_by_theory");
    if (!c.traits.accepts_forces) return c.skip("traits.accepts_forces is false");
    const std::vector<CellKind> known = reference->traits().cells;
    for (const CellKind kind : c.traits.cells) {
        if (std::find(known.begin(), known.end(), kind) == known.end()) continue;
        const auto body = standard_body({.kind = kind});
        compare_at_rest(c, *reference, body);
        if (c.traits.dynamic) compare_in_motion(c, *reference, body);
    }
}

void stretches_by_theory(Context& c) {
    if (!c.traits.accepts_handles) return c.skip("traits.accepts_handles is false");
    // A bar between sliding walls, stretched: u = e (x, -n y, -n z), a field every element can represent.
    for (const CellKind kind : c.traits.cells) {
        TestBench bench(prepare(c.method, standard_body({.kind = kind, .rollers = true})));
        const double strain = 1e-6;
        bench.handles[0].translation.x = strain * kLength;
        c.expect(bench.settle(), text(to_string(kind), ": the stretched bar does not come to rest"));
        const Material m = standard_material();
        const bool planar = bench.planar();  // plane strain
        const double narrowing = planar ? m.poisson / (1 - m.poisson) : m.poisson;
        const double modulus = planar ? m.young / (1 - m.poisson * m.poisson) : m.young;
        std::vector<Vec3> expected;
        for (const Vec3& x : bench.body().mesh().vertices)
            expected.push_back(Vec3{x.x, -narrowing * x.y, planar ? 0.0 : -narrowing * x.z} * strain);
        const double tolerance = std::max(c.traits.small_load_tolerance, 1e-9);
        c.expect_at_most(difference(bench.displacements(), expected) / (strain * kLength), tolerance,
                         text(to_string(kind), ": displacement of a stretched bar minus theory, relative"));
        const double area = kLength * kLength / 4;
        const double pull = bench.deformer->reaction(bench.state, {SupportRef::Kind::handle, 0}).force.x;
        c.expect_at_most(std::fabs(pull / (modulus * area * strain) - 1), tolerance,
                         text(to_string(kind), ": force on the bar minus E A strain, relative"));
    }
}

namespace {

struct Sum {
    Vec3 force, torque;
    double force_size = 0.0, torque_size = 0.0;

    void add(const Vec3& f, const Vec3& t) {
        force += f;
        torque += t;
        force_size += norm(f);
        torque_size += norm(t);
    }
};

void add_supports(Sum& sum, const TestBench& bench, SupportRef::Kind kind, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const Wrench w = bench.deformer->reaction(bench.state, {kind, static_cast<int>(i)});
        sum.add(w.force, w.torque);
    }
}

// Linear methods act on the rest shape, and so do the levers of their forces; others on the deformed one.
void add_loads(Sum& sum, const TestBench& bench, bool linear) {
    const std::vector<Vec3> u = bench.displacements();
    Vec3 centre;
    for (std::size_t v = 0; v < u.size(); ++v) {
        const Vec3 x = bench.body().mesh().vertices[v] + (linear ? Vec3{} : u[v]);
        sum.add(bench.force[v], cross(x, bench.force[v]));
    }
    // The standard body is a box of one density.
    centre = {kLength / 2, kLength / 4, bench.planar() ? 0.0 : kLength / 4};
    const Vec3 weight = bench.gravity * total_mass(bench.body());
    sum.add(weight, cross(centre, weight));
}

void check_balance(Context& c, CellKind kind, bool handle) {
    TestBench bench(prepare(c.method, standard_body({.kind = kind, .handle = handle})));
    if (c.traits.accepts_forces) {
        for (std::size_t v = 0; v < bench.force.size(); ++v) {
            bench.force[v] = Vec3{std::sin(1.0 + static_cast<double>(v)), std::cos(2.0 * static_cast<double>(v)),
                                  bench.planar() ? 0.0 : 0.3} *
                             1e-3;
        }
    }
    // Off the vertices of a nonlinear method's centre of mass this would need its shape: gravity only for linear ones.
    if (c.traits.accepts_gravity && c.traits.linear) bench.gravity = {0.02, -0.1, bench.planar() ? 0.0 : 0.03};
    if (handle) {
        bench.handles[0].translation = {0.002, -0.003, bench.planar() ? 0.0 : 0.001};
        bench.handles[0].rotation = from_rotation_vector({0.0, 0.0, 0.01});
    }
    const std::string label = text(to_string(kind), handle ? ", with a handle" : ", anchored");
    c.expect(bench.settle(), label + ": does not come to rest");
    Sum sum;
    add_loads(sum, bench, c.traits.linear);
    add_supports(sum, bench, SupportRef::Kind::anchor, bench.body().anchors().size());
    add_supports(sum, bench, SupportRef::Kind::handle, bench.body().handles().size());
    c.expect(sum.force_size > 1e-6, label + ": all forces are zero");
    c.expect_at_most(norm(sum.force) / sum.force_size, 1e-9, label + ": sum of loads and reactions, relative");
    c.expect_at_most(norm(sum.torque) / sum.torque_size, 1e-9, label + ": sum of their torques, relative");
}

}  // namespace

void reactions_balance(Context& c) {
    for (const CellKind kind : c.traits.cells) {
        if (c.traits.accepts_forces || c.traits.accepts_gravity) check_balance(c, kind, false);
        if (c.traits.accepts_handles) check_balance(c, kind, true);
    }
}

void energy_is_half_the_work(Context& c) {
    if (!c.traits.linear) return c.skip("traits.linear is false");
    if (!c.traits.accepts_forces) return c.skip("traits.accepts_forces is false");
    for (const CellKind kind : c.traits.cells) {
        TestBench bench(prepare(c.method, standard_body({.kind = kind})));
        push_a_little(bench, 1e3);
        c.expect(bench.settle(), text(to_string(kind), ": does not come to rest"));
        const std::vector<Vec3> u = bench.displacements();
        double work = 0.0;
        for (std::size_t v = 0; v < u.size(); ++v) work += dot(bench.force[v], u[v]) / 2;
        const Energies e = bench.deformer->energies(bench.state, bench.scratch);
        c.expect(work > 0.0, text(to_string(kind), ": the load does no work"));
        c.expect_at_most(std::fabs(e.elastic / work - 1), 1e-9,
                         text(to_string(kind), ": elastic energy minus half the load's work, relative"));
        c.expect_at_most(e.kinetic / work, 1e-9, text(to_string(kind), ": kinetic energy at rest, relative"));
    }
}

}  // namespace limber::conformance
