// Promises about what is *not* done: asked for the impossible, a method says so and leaves everything as it was.
#include "conformance/context.hpp"
#include "conformance/trace.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace limber::conformance {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

/// The message of the Error{unsupported}; "" when the body was taken.
std::string refusal(Context& c, const std::shared_ptr<const Body>& body, const std::string& label) {
    try {
        prepare(c.method, body);
        return {};
    } catch (const Error& e) {
        c.expect(e.fault() == Fault::unsupported,
                 text(label, ": refused as ", to_string(e.fault()), ", expected unsupported"));
        return e.what();
    }
}

}  // namespace

void refuses_bodies(Context& c) {
    for (const CellKind kind : {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8}) {
        const bool known = std::find(c.traits.cells.begin(), c.traits.cells.end(), kind) != c.traits.cells.end();
        const std::string refusal_text = refusal(c, standard_body({.kind = kind}), to_string(kind));
        c.expect(refusal_text.empty() == known,
                 known ? text(to_string(kind), " is among traits.cells, but: ", refusal_text)
                       : text(to_string(kind), " is not among traits.cells, but was taken"));
    }
    for (const CellKind kind : typical_kinds(c.traits)) {
        const std::string free = refusal(c, standard_body({.kind = kind, .anchored = false}), "a free body");
        c.expect(free.empty() == c.traits.free_bodies,
                 c.traits.free_bodies ? text("traits.free_bodies is true, but: ", free)
                                      : std::string("a free body was taken, though traits.free_bodies is false"));
        const std::string driven = refusal(c, standard_body({.kind = kind, .handle = true}), "a body with a handle");
        c.expect(driven.empty() == c.traits.accepts_handles,
                 c.traits.accepts_handles ? text("traits.accepts_handles is true, but: ", driven)
                                          : std::string("a handle was taken, though traits.accepts_handles is false"));
        const std::string each = refusal(c, standard_body({.kind = kind, .vertices = true}),
                                         "a body of driven vertices");
        c.expect(each.empty() == c.traits.accepts_vertex_targets,
                 c.traits.accepts_vertex_targets
                     ? text("traits.accepts_vertex_targets is true, but: ", each)
                     : std::string("driven vertices were taken, though traits.accepts_vertex_targets is false"));
    }
}

namespace {

/// The step must report `trouble` and leave every bit of the state.
void expect_refused(Context& c, TestBench& bench, const Loads& loads, double dt, Trouble trouble,
                    const std::string& label) {
    const std::uint64_t before = fingerprint(bench.state);
    const StepReport report = bench.deformer->step(bench.state, loads, dt, bench.scratch);
    c.expect(has(report.trouble, trouble),
             text(label, ": reported ", to_string(report.trouble), ", expected ", to_string(trouble)));
    c.expect(fingerprint(bench.state) == before, label + ": refused, but the state changed");
}

TestBench warm_bench(Context& c, CellKind kind) {
    TestBench bench(prepare(c.method, standard_body({.kind = kind, .handle = c.traits.accepts_handles})));
    if (c.traits.accepts_live) arm_live(bench);
    for (int i = 0; i < 6; ++i) {
        drive(bench, c.traits, i);
        bench.step();
    }
    return bench;
}

using Spoil = std::function<void(TestBench&)>;

void spoil_forces(const TestBench& bench, const Traits& traits, std::vector<std::pair<std::string, Spoil>>& out) {
    out.push_back({"one force too few", [](TestBench& r) { r.force.pop_back(); }});
    out.push_back({"one force too many", [](TestBench& r) { r.force.push_back({}); }});
    out.push_back({"a NaN force", [](TestBench& r) { r.force.back().y = kNaN; }});
    out.push_back({"an infinite force", [](TestBench& r) { r.force.front().x = kInf; }});
    out.push_back({"a NaN gravity", [](TestBench& r) { r.gravity.x = kNaN; }});
    out.push_back({"one handle too many", [](TestBench& r) { r.handles.push_back({}); }});
    out.push_back({"a vertex target too many", [](TestBench& r) { r.vertices.push_back({}); }});
    if (!traits.accepts_forces)
        out.push_back(
            {"a force, though traits.accepts_forces is false", [](TestBench& r) { r.force.front().x = 1.0; }});
    if (!traits.accepts_gravity)
        out.push_back({"gravity, though traits.accepts_gravity is false", [](TestBench& r) { r.gravity.y = -1.0; }});
    if (bench.handles.empty()) return;
    out.push_back({"a NaN handle translation", [](TestBench& r) { r.handles[0].translation.y = kNaN; }});
    out.push_back({"a NaN handle rotation", [](TestBench& r) { r.handles[0].rotation.w = kNaN; }});
    out.push_back({"an infinite handle velocity", [](TestBench& r) { r.handles[0].velocity.x = kInf; }});
    out.push_back({"a NaN handle turn rate", [](TestBench& r) { r.handles[0].angular_velocity.z = kNaN; }});
    out.push_back({"a NaN handle acceleration", [](TestBench& r) { r.handles[0].acceleration.x = kNaN; }});
}

void spoil_live(const TestBench& bench, std::vector<std::pair<std::string, Spoil>>& out) {
    const int capacity = bench.deformer->live_capacity();
    out.push_back({"one live constraint more than the capacity", [capacity](TestBench& r) {
                       r.live.assign(static_cast<std::size_t>(capacity) + 1,
                                     tie(r.body(), 0, PointConstraint::Kind::off));
                   }});
    if (bench.live.empty()) return;
    const std::int32_t beyond = static_cast<std::int32_t>(bench.body().vertex_count());
    const auto with = [](auto change) {
        return [change](TestBench& r) {
            r.live[0].kind = PointConstraint::Kind::hard;
            change(r.live[0]);
        };
    };
    out.push_back({"a live vertex beyond the body", with([beyond](PointConstraint& p) { p.vertices[0] = beyond; })});
    out.push_back({"a negative live vertex", with([](PointConstraint& p) { p.vertices[0] = -1; })});
    out.push_back({"a live constraint of no vertex", with([](PointConstraint& p) { p.vertex_count = 0; })});
    out.push_back({"a live constraint of 11 vertices", with([](PointConstraint& p) { p.vertex_count = 11; })});
    out.push_back({"a NaN live weight", with([](PointConstraint& p) { p.weights[0] = kNaN; })});
    out.push_back({"a NaN live target", with([](PointConstraint& p) { p.target.x = kNaN; })});
    out.push_back({"an infinite live velocity", with([](PointConstraint& p) { p.velocity.x = kInf; })});
    out.push_back({"a NaN normal", with([](PointConstraint& p) {
                       p.unilateral = true;
                       p.normal.y = kNaN;
                   })});
    out.push_back({"a soft constraint of negative stiffness", with([](PointConstraint& p) {
                       p.kind = PointConstraint::Kind::soft;
                       p.stiffness = -1.0;
                   })});
}

}  // namespace

void refuses_loads(Context& c) {
    for (const CellKind kind : typical_kinds(c.traits)) {
        const TestBench good = warm_bench(c, kind);
        std::vector<std::pair<std::string, Spoil>> cases;
        spoil_forces(good, c.traits, cases);
        spoil_live(good, cases);
        for (const auto& [label, spoil] : cases) {
            TestBench bench = good;
            spoil(bench);
            expect_refused(c, bench, bench.loads(), bench.dt, Trouble::bad_loads, text(to_string(kind), ": ", label));
        }
        TestBench bench = good;  // and after all that the good loads still work
        c.expect(bench.step().trouble == Trouble::none, text(to_string(kind), ": good loads are refused"));
    }
}

void refuses_steps(Context& c) {
    for (const CellKind kind : typical_kinds(c.traits)) {
        TestBench bench = warm_bench(c, kind);
        for (const double dt : {0.0, -bench.dt, kNaN, kInf})
            expect_refused(c, bench, bench.loads(), dt, Trouble::wrong_step, text("dt = ", dt, " s"));
        if (!c.traits.fixed_step) {
            for (const double part : {0.37, 1.0, 1.61}) {
                const StepReport report = bench.deformer->step(bench.state, bench.loads(), part * bench.dt,
                                                               bench.scratch);
                c.expect(!has(report.trouble, Trouble::wrong_step),
                         text("any dt is claimed, but ", part * bench.dt, " s is refused"));
            }
            continue;
        }
        c.expect(bench.deformer->prepared_step() > 0.0, "a fixed step is claimed, but prepared_step() is 0");
        for (const double dt : {0.5 * bench.dt, 1.37 * bench.dt}) {
            expect_refused(c, bench, bench.loads(), dt, Trouble::wrong_step,
                           text("prepared for ", bench.dt, " s, dt = ", dt, " s"));
        }
    }
}

namespace {

/// States of the wrong size, as those of another deformer are. What a method has none of it need not look at.
std::vector<std::pair<std::string, State>> wrong_states(const State& good) {
    std::vector<std::pair<std::string, State>> out;
    if (!good.reals.empty()) {
        out.emplace_back("an empty state", State{});
        out.emplace_back("a state with a real too few", good).second.reals.pop_back();
        out.emplace_back("a state with a real too many", good).second.reals.push_back(0.0);
    }
    if (!good.marks.empty()) {
        out.emplace_back("a state with a mark too few", good).second.marks.pop_back();
        out.emplace_back("a state with a mark too many", good).second.marks.push_back(0);
    }
    return out;
}

}  // namespace

void refuses_states(Context& c) {
    for (const CellKind kind : typical_kinds(c.traits)) {
        for (const bool anchored : {true, false}) {
            if (!anchored && !c.traits.free_bodies) continue;
            TestBench bench(prepare(c.method, standard_body({.kind = kind, .anchored = anchored})));
            const State good = bench.state;
            const std::vector<Vec3> rest(bench.body().vertex_count());
            for (const auto& [what, state] : wrong_states(good)) {
                const std::string label = text(to_string(kind), anchored ? ": " : ", free: ", what);
                bench.state = state;
                expect_refused(c, bench, bench.loads(), bench.dt, Trouble::bad_state, label);
                bench.state = state;
                c.expect(!bench.deformer->set_motion(bench.state, rest, rest), label + ": set_motion took it");
                c.expect(fingerprint(bench.state) == fingerprint(state), label + ": set_motion changed it");
            }
            bench.state = good;
            c.expect(bench.step().trouble == Trouble::none, text(to_string(kind), ": a good state is refused"));
        }
    }
}

void refuses_unknown_options(Context& c) {
    const auto body = standard_body({.kind = c.traits.cells.front()});
    const auto expect_bad = [&](const OptionValues& options, const std::string& label) {
        try {
            Progress quiet;
            c.method.prepare(body, options, quiet);
            c.expect(false, label + " was taken");
        } catch (const Error& e) {
            c.expect(e.fault() == Fault::bad_option,
                     text(label, " is refused as ", to_string(e.fault()), ", expected bad_option"));
        }
    };
    expect_bad({{"no_such_option_as_this", 1.0}}, "an unknown option");
    for (const OptionSpec& option : c.method.options()) {
        if (option.type == OptionType::real || option.type == OptionType::integer) {
            expect_bad({{option.name, kNaN}}, option.name + " = NaN");
            expect_bad({{option.name, option.high + std::max(1.0, std::fabs(option.high))}},
                       option.name + " above its range");
            expect_bad({{option.name, std::string("much")}}, option.name + " = \"much\"");
        } else {
            expect_bad({{option.name, 7.0}}, option.name + " = 7");
        }
        c.expect(!option.sentence.empty(), text("option ", option.name, " has no sentence"));
    }
}

namespace {

void try_option(Context& c, const std::shared_ptr<const Body>& body, const std::string& name, const OptionValue& value,
                const std::string& label) {
    std::shared_ptr<const Deformer> deformer;
    try {
        Progress quiet;
        deformer = c.method.prepare(body, {{name, value}}, quiet);
    } catch (const Error& e) {
        const bool explained = (e.fault() == Fault::bad_option || e.fault() == Fault::unsupported) &&
                               !e.expected().empty();
        c.expect(explained, text(label, " is refused without saying what was expected: ", e.what()));
        return;
    }
    TestBench bench(deformer);
    for (int i = 0; i < 3; ++i) {
        drive(bench, c.traits, i);
        bench.step();
    }
    c.expect(outputs_finite(bench), label + ": an output is not finite after three steps");
}

}  // namespace

void option_ends(Context& c) {
    for (const CellKind kind : typical_kinds(c.traits)) {
        const auto body = standard_body({.kind = kind, .handle = c.traits.accepts_handles});
        for (const OptionSpec& option : c.method.options()) {
            const auto look = [&](const OptionValue& value, const std::string& word) {
                try_option(c, body, option.name, value, text(to_string(kind), " ", option.name, " = ", word));
            };
            if (option.type == OptionType::flag)
                for (const bool value : {false, true}) look(value, value ? "true" : "false");
            else if (option.type == OptionType::choice)
                for (const std::string& word : option.choices) look(word, word);
            else
                for (const double value : {option.low, option.high}) look(value, text(value));
        }
        c.expect(true, "");  // a method without options has nothing to explain
    }
}

void refuses_cut_saves(Context& c) {
    const auto body = standard_body({.kind = c.traits.cells.front(), .handle = c.traits.accepts_handles});
    const auto deformer = prepare(c.method, body);
    ByteWriter saved;
    deformer->save(saved);
    const std::span<const std::uint8_t> bytes = saved.bytes();
    for (std::size_t part = 0; part < 40; ++part) {
        const std::size_t length = part < 20 ? std::min(part, bytes.size()) : bytes.size() * part / 40;
        if (length >= bytes.size()) continue;
        ByteReader in(bytes.first(length));
        try {
            c.method.load(body, in);
            c.expect(false, text("a save cut to ", length, " of ", bytes.size(), " bytes was loaded"));
        } catch (const Error& e) {
            c.expect(e.fault() == Fault::bad_data,
                     text("a cut save is refused as ", to_string(e.fault()), ", expected bad_data"));
        }
    }
    c.expect(true, "");  // a method that saves nothing has nothing to cut
}

}  // namespace limber::conformance
