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
        const std::string said = refusal(c, standard_body({.kind = kind}), to_string(kind));
        c.expect(said.empty() == known, known ? text(to_string(kind), " is among traits.cells, but: ", said)
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
    }
}

namespace {

/// The step must report `trouble` and leave every bit of the state.
void expect_refused(Context& c, Rig& rig, const Loads& loads, double dt, Trouble trouble, const std::string& label) {
    const std::uint64_t before = fingerprint(rig.state);
    const StepReport report = rig.deformer->step(rig.state, loads, dt, rig.scratch);
    c.expect(has(report.trouble, trouble),
             text(label, ": reported ", to_string(report.trouble), ", expected ", to_string(trouble)));
    c.expect(fingerprint(rig.state) == before, label + ": refused, but the state changed");
}

Rig warm_rig(Context& c, CellKind kind) {
    Rig rig(prepare(c.method, standard_body({.kind = kind, .handle = c.traits.accepts_handles})));
    if (c.traits.accepts_live) arm_live(rig);
    for (int i = 0; i < 6; ++i) {
        drive(rig, c.traits, i);
        rig.step();
    }
    return rig;
}

using Spoil = std::function<void(Rig&)>;

void spoil_forces(const Rig& rig, const Traits& traits, std::vector<std::pair<std::string, Spoil>>& out) {
    out.push_back({"one force too few", [](Rig& r) { r.force.pop_back(); }});
    out.push_back({"one force too many", [](Rig& r) { r.force.push_back({}); }});
    out.push_back({"a NaN force", [](Rig& r) { r.force.back().y = kNaN; }});
    out.push_back({"an infinite force", [](Rig& r) { r.force.front().x = kInf; }});
    out.push_back({"a NaN gravity", [](Rig& r) { r.gravity.x = kNaN; }});
    out.push_back({"one handle too many", [](Rig& r) { r.handles.push_back({}); }});
    if (!traits.accepts_forces)
        out.push_back({"a force, though traits.accepts_forces is false", [](Rig& r) { r.force.front().x = 1.0; }});
    if (!traits.accepts_gravity)
        out.push_back({"gravity, though traits.accepts_gravity is false", [](Rig& r) { r.gravity.y = -1.0; }});
    if (rig.handles.empty()) return;
    out.push_back({"a NaN handle translation", [](Rig& r) { r.handles[0].translation.y = kNaN; }});
    out.push_back({"a NaN handle rotation", [](Rig& r) { r.handles[0].rotation.w = kNaN; }});
    out.push_back({"an infinite handle velocity", [](Rig& r) { r.handles[0].velocity.x = kInf; }});
    out.push_back({"a NaN handle turn rate", [](Rig& r) { r.handles[0].angular_velocity.z = kNaN; }});
    out.push_back({"a NaN handle acceleration", [](Rig& r) { r.handles[0].acceleration.x = kNaN; }});
}

void spoil_live(const Rig& rig, std::vector<std::pair<std::string, Spoil>>& out) {
    const int capacity = rig.deformer->live_capacity();
    out.push_back({"one live constraint more than the capacity", [capacity](Rig& r) {
                       r.live.assign(static_cast<std::size_t>(capacity) + 1,
                                     tie(r.body(), 0, PointConstraint::Kind::off));
                   }});
    if (rig.live.empty()) return;
    const std::int32_t beyond = static_cast<std::int32_t>(rig.body().vertex_count());
    const auto with = [](auto change) {
        return [change](Rig& r) {
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
        const Rig good = warm_rig(c, kind);
        std::vector<std::pair<std::string, Spoil>> cases;
        spoil_forces(good, c.traits, cases);
        spoil_live(good, cases);
        for (const auto& [label, spoil] : cases) {
            Rig rig = good;
            spoil(rig);
            expect_refused(c, rig, rig.loads(), rig.dt, Trouble::bad_loads, text(to_string(kind), ": ", label));
        }
        Rig rig = good;  // and after all that the good loads still work
        c.expect(rig.step().trouble == Trouble::none, text(to_string(kind), ": good loads are refused"));
    }
}

void refuses_steps(Context& c) {
    for (const CellKind kind : typical_kinds(c.traits)) {
        Rig rig = warm_rig(c, kind);
        for (const double dt : {-rig.dt, kNaN, kInf})
            expect_refused(c, rig, rig.loads(), dt, Trouble::wrong_step, text("dt = ", dt, " s"));
        if (!c.traits.fixed_step) {
            for (const double part : {0.37, 1.0, 1.61}) {
                const StepReport report = rig.deformer->step(rig.state, rig.loads(), part * rig.dt, rig.scratch);
                c.expect(!has(report.trouble, Trouble::wrong_step),
                         text("any dt is claimed, but ", part * rig.dt, " s is refused"));
            }
            continue;
        }
        c.expect(rig.deformer->prepared_step() > 0.0, "a fixed step is claimed, but prepared_step() is 0");
        for (const double dt : {0.0, 0.5 * rig.dt, 1.37 * rig.dt}) {
            expect_refused(c, rig, rig.loads(), dt, Trouble::wrong_step,
                           text("prepared for ", rig.dt, " s, dt = ", dt, " s"));
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
    Rig rig(deformer);
    for (int i = 0; i < 3; ++i) {
        drive(rig, c.traits, i);
        rig.step();
    }
    c.expect(outputs_finite(rig), label + ": an output is not finite after three steps");
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
