// Homogeneous cases: every mesh solves them exactly, so what is left is the strain measure alone.
#include "reproduce/strain/strain_cases.hpp"

#include "core/text.hpp"
#include "report/table.hpp"
#include "reproduce/strain/strain_traction.hpp"
#include "reproduce/strain/strain_truth.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace limber {
namespace {

constexpr double kLength = 2.0;  // of the bar [m]; its cross-section is a unit square
const std::vector<CellKind> kSolid{CellKind::hex8, CellKind::tet10, CellKind::tet4};

/// A bar that may widen and narrow freely: each of three sides may only slide in its own plane.
Scene bar(const std::string& name, CellKind kind) {
    Scene scene = strain_scene(name, strain_material(), kind, {4, 2, 2}, {0.0, 0.0, 0.0}, {kLength, 1.0, 1.0});
    scene.bodies[0].anchors = {{"wall", "left", {true, false, false}},
                               {"floor", "bottom", {false, true, false}},
                               {"back", "back", {false, false, true}}};
    scene.output.probes = {{"corner", 0, -1, {kLength, 1.0, 1.0}}};
    return scene;
}

Scene driven_bar(const std::string& name, CellKind kind, double lengthening) {
    Scene scene = bar(name, kind);
    scene.bodies[0].handles.push_back(
        strain_handle("end", "right", {true, false, false}, {lengthening * kLength, 0.0, 0.0}));
    return scene;
}

/// `sign` +1: pulled; -1: pressed. Forces and widening count as positive in the direction of the load.
StrainCase driven_case(const std::string& name, double sign) {
    const Material m = strain_material();
    StrainQuantity force{"force",
                         "end force / (E x rest area)",
                         1.0,
                         [](double a) { return a; },
                         [m, sign](double a) { return sign * stvk_pull_stress(m, 1 + sign * a) / m.young; },
                         {},
                         [m, sign](const StrainOutcome& o) { return sign * o.force_of("end").x / m.young; }};
    StrainQuantity side{"side",
                        "change of width / width",
                        1.0,
                        [m](double a) { return m.poisson * a; },
                        [m, sign](double a) { return sign * (1 - stvk_side_stretch(m, 1 + sign * a)); },
                        {},
                        [sign](const StrainOutcome& o) { return sign * (1 - o.position("corner").y); }};
    force.scale = force.green;
    side.scale = side.green;
    StrainCase c;
    c.name = name;
    c.kinds = kSolid;
    c.quantities = {force, side};
    c.scene = [name, sign](double a, CellKind kind) { return driven_bar(name, kind, sign * a); };
    return c;
}

StrainCase stretch_case() {
    StrainCase c = driven_case("stretch", 1.0);
    c.title = "A bar pulled to a given length";
    c.about =
        "A bar with free sides is lengthened by a given part of its length. Green strain: force E A s (s² - 1)/2 at "
        "stretch s, width √(1 - ν(s² - 1)).";
    c.amplitude = "lengthening / length";
    c.say = [](double a) { return fmt::format("a lengthening of {} %", short_number(100 * a, 3)); };
    c.largest = 0.8;
    return c;
}

StrainCase squeeze_case() {
    StrainCase c = driven_case("squeeze", -1.0);
    c.title = "A bar pressed to a given length";
    c.about = text(
        "The same bar pressed. St. Venant-Kirchhoff material softens: its force is greatest at a shortening of 1 - "
        "1/√3 = ",
        fmt::format("{:.3f}", stvk_critical_shortening()),
        ", where a real material would be at its stiffest. The case ends before that.");
    c.amplitude = "shortening / length";
    c.say = [](double a) { return fmt::format("a shortening of {} %", short_number(100 * a, 3)); };
    c.largest = 0.4;
    return c;
}

StrainCase pull_case() {
    const Material m = strain_material();
    StrainQuantity longer{"lengthening",
                          "lengthening / length",
                          1.0,
                          [](double a) { return a; },
                          [m](double a) { return stvk_stretch_under(m, a * m.young) - 1; },
                          {},
                          [](const StrainOutcome& o) { return o.position("corner").x / kLength - 1; }};
    longer.scale = longer.green;
    StrainCase c;
    c.name = "pull";
    c.title = "A bar pulled by a given force";
    c.about = "The same bar under a dead load on its end. Green strain: s³ - s = 2 F/(E A), the root beside s = 1.";
    c.amplitude = "force / (E x rest area)";
    c.say = [](double a) { return fmt::format("a pull of {} % of Young's modulus", short_number(100 * a, 3)); };
    c.kinds = kSolid;
    c.forces = true;
    c.quantities = {longer};
    c.scene = [m](double a, CellKind kind) {
        Scene scene = bar("pull", kind);
        add_traction(
            scene.bodies[0], "right",
            [&](const Vec3&, const Vec3&) {
                return Vec3{a * m.young, 0.0, 0.0};
            },
            strain_ramp());
        return scene;
    };
    return c;
}

/// Every vertex of the skin goes where simple shear takes it: one handle per height, the bottom held.
Scene sheared_block(double gamma, CellKind kind) {
    Scene scene = strain_scene("shear", strain_material(), kind, {2, 2, 2}, {0.0, 0.0, 0.0}, {1.0, 1.0, 1.0});
    BodySpec& body = scene.bodies[0];
    const Mesh mesh = make_mesh(body);
    std::map<long, IndexSet> levels;  // by height in millimetres
    for (const std::int32_t v : boundary_of(mesh).vertices)
        levels[std::lround(1e3 * mesh.vertices[static_cast<std::size_t>(v)].y)].push_back(v);
    for (const auto& [millimetres, vertices] : levels) {
        const std::string name = millimetres == 0      ? "floor"
                                 : millimetres == 1000 ? "lid"
                                                       : text("at ", millimetres, " mm");
        body.sets.push_back({name, VertexSetSpec::Kind::vertices, {}, {}, {}, 0.0, vertices, {}});
        if (millimetres == 0) {
            body.anchors.push_back({name, name, {}});
        } else {
            body.handles.push_back(
                strain_handle(name, name, {}, {gamma * 1e-3 * static_cast<double>(millimetres), 0.0, 0.0}));
        }
    }
    return scene;
}

StrainCase shear_case() {
    const Material m = strain_material();
    const double mu = m.shear();
    StrainQuantity along{"force",
                         "force along the lid / (G x rest area)",
                         2.0,
                         [](double a) { return a; },
                         [m, mu](double a) { return stvk_shear_traction(m, a).along / mu; },
                         {},
                         [mu](const StrainOutcome& o) { return o.force_of("lid").x / mu; }};
    // Linear strain has none at all; in parts of the shear force it is missing to first order.
    StrainQuantity normal{"normal force",
                          "force normal to the lid / (G x rest area), in parts of the linear shear force",
                          1.0,
                          [](double) { return 0.0; },
                          [m, mu](double a) { return stvk_shear_traction(m, a).normal / mu; },
                          [](double a) { return a; },
                          [mu](const StrainOutcome& o) { return o.force_of("lid").y / mu; }};
    along.scale = along.green;
    StrainCase c;
    c.name = "shear";
    c.title = "A block in simple shear";
    c.about =
        "Every point of the skin is moved sideways by γ times its height. Green strain: force G γ + (λ + 2G) γ³/2 "
        "along the lid and (λ + 2G) γ²/2 normal to it, per rest area.";
    c.amplitude = "shear γ";
    c.say = [](double a) { return fmt::format("a shear of {}", short_number(a, 3)); };
    c.kinds = kSolid;
    c.quantities = {along, normal};
    c.scene = sheared_block;
    return c;
}

}  // namespace

std::vector<StrainCase> stretched_cases() { return {stretch_case(), squeeze_case(), pull_case(), shear_case()}; }

}  // namespace limber
