// Rigid rotation: Green strain sees none, linear strain takes the turn for a deformation.
#include "reproduce/strain/strain_cases.hpp"

#include "core/text.hpp"
#include "reproduce/strain/strain_truth.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

const std::vector<CellKind> kTurnedKinds{CellKind::hex8, CellKind::tet10, CellKind::tet4};
constexpr double kArm = 6.0;  // length of the swung bar [m]; its cross-section is a unit square
constexpr double kQuarterTurn = std::numbers::pi / 2;

double zero(double) { return 0.0; }
double one(double) { return 1.0; }
std::string in_degrees(double angle) { return fmt::format("{:.3g}°", angle * 180 / std::numbers::pi); }

Scene turned_block(double angle, CellKind kind) {
    Scene scene = strain_scene("turn", strain_material(), kind, {3, 3, 3}, {0.0, 0.0, 0.0}, {1.0, 1.0, 1.0});
    BodySpec& body = scene.bodies[0];
    body.sets.push_back(
        {"skin", VertexSetSpec::Kind::vertices, {}, {}, {}, 0.0, boundary_of(make_mesh(body)).vertices, {}});
    body.handles.push_back(strain_handle("skin", "skin", {}, {}, {0.0, 0.0, angle}));
    return scene;
}

StrainCase turn_case() {
    const Material m = strain_material();
    // From the energy, so that it means the same for any method: the equal strain in two directions that would store as
    // much.
    const double stiffness = 2 * (m.lame_lambda() + m.shear());
    StrainQuantity strain{"false strain",
                          "√(elastic energy / (2 (λ + G) volume))",
                          2.0,
                          [m, stiffness](double a) { return std::sqrt(linear_energy_of_rotation(m, a) / stiffness); },
                          zero,
                          one,
                          [stiffness](const StrainOutcome& o) {
                              return std::sqrt(std::max(0.0, o.last().energies.elastic) / stiffness);
                          }};
    StrainCase c;
    c.name = "turn";
    c.title = "A block turned as a whole";
    c.about =
        "The skin of a block is turned rigidly; nothing deforms. Linear strain sees a strain of cos θ - 1 in both "
        "directions across the axis, and stores energy for it. The strain is read off the energy.";
    c.amplitude = "angle θ [rad]";
    c.say = in_degrees;
    c.largest = kQuarterTurn;
    c.kinds = kTurnedKinds;
    c.quantities = {strain};
    c.scene = turned_block;
    return c;
}

Scene swung_bar(double angle, CellKind kind) {
    // Tetrahedra are not symmetric about the bar's axis, and the squeezed end turns it a little: finer ones less.
    const int n = kind == CellKind::tet4 ? 2 : 1;
    Scene scene = strain_scene("swing", strain_material(), kind, {12 * n, 2 * n, 2 * n}, {0.0, -0.5, -0.5},
                               {kArm, 0.5, 0.5});
    scene.bodies[0].handles.push_back(strain_handle("hilt", "left", {}, {}, {0.0, 0.0, angle}));
    scene.output.probes = {{"near", 0, -1, {kArm - 2, 0.0, 0.0}}, {"far", 0, -1, {kArm, 0.0, 0.0}}};
    return scene;
}

/// Volume over rest volume, minus one, of the cells in the outer third.
double swelling(const StrainOutcome& o) {
    const Mesh& rest = o.body().mesh();
    Mesh deformed = rest;
    for (std::size_t v = 0; v < rest.vertices.size(); ++v) deformed.vertices[v] += o.last().displacement[v];
    double before = 0.0, change = 0.0;
    const auto corners = static_cast<std::size_t>(corners_of(rest.kind));
    for (std::size_t c = 0; c < rest.cell_count(); ++c) {
        double middle = 0.0;
        for (std::size_t i = 0; i < corners; ++i)
            middle += rest.vertices[static_cast<std::size_t>(rest.cell(c)[i])].x / static_cast<double>(corners);
        if (middle < kArm - 2) continue;
        before += cell_measure(rest, c);
        change += cell_measure(deformed, c) - cell_measure(rest, c);
    }
    return change / before;
}

StrainCase swing_case() {
    const auto arm = [](const StrainOutcome& o) { return o.position("far") - o.position("near"); };
    // The free part turns by the displacement gradient sin θ: lengths grow by √(1 + sin² θ), areas and volumes by 1 +
    // sin² θ.
    StrainQuantity length{"lengthening",
                          "lengthening / length of the free part",
                          2.0,
                          [](double a) {
                              const double s = std::sin(a);
                              return s * s / (std::sqrt(1 + s * s) + 1);
                          },
                          zero,
                          one,
                          [arm](const StrainOutcome& o) { return norm(arm(o)) / 2 - 1; }};
    StrainQuantity volume{"swelling", "change of volume / volume of the free part",
                          2.0,        [](double a) { return std::sin(a) * std::sin(a); },
                          zero,       one,
                          swelling};
    StrainQuantity angle{"angle",
                         "angle of the free part",
                         2.0,
                         [](double a) { return std::atan(std::sin(a)); },
                         [](double a) { return a; },
                         [](double a) { return a; },
                         [arm](const StrainOutcome& o) { return std::atan2(arm(o).y, arm(o).x); }};
    StrainCase c;
    c.name = "swing";
    c.title = "A bar swung by its end";
    c.about =
        "One end of a long bar is turned rigidly, the rest is free and has no reason to deform. Linear strain turns it "
        "by a displacement gradient of sin θ: it grows, and points elsewhere.";
    c.amplitude = "angle θ [rad]";
    c.say = in_degrees;
    c.largest = kQuarterTurn;
    c.kinds = kTurnedKinds;
    c.discretisation = 1e-4;  // what the squeezed end still does four widths away
    c.quantities = {volume, length, angle};
    c.scene = swung_bar;
    return c;
}

}  // namespace

std::vector<StrainCase> turned_cases() { return {turn_case(), swing_case()}; }

}  // namespace limber
