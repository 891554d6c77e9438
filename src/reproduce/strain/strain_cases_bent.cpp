// Bending: small strain, large turns. The case that fools people most often.
#include "reproduce/strain/strain_cases.hpp"

#include "core/text.hpp"
#include "report/table.hpp"
#include "reproduce/strain/strain_beam.hpp"
#include "reproduce/strain/strain_traction.hpp"

namespace limber {
namespace {

/// Straight edges cost G/E (cell length / height)^2 of the stiffness: hence so many of them (docs/strain.md).
std::array<int, 3> counts_of(CellKind kind) {
    switch (kind) {
        case CellKind::tet10: return {24, 2, 1};
        case CellKind::hex8: return {240, 4, 1};
        default: return {240, 4, 0};
    }
}

Scene cantilever(double alpha, CellKind kind) {
    const Beam beam;
    const double width = dimension_of(kind) == 2 ? 1.0 : beam.height;
    Scene scene = strain_scene("bend", strain_material(0.0), kind, counts_of(kind), {0.0, -beam.height / 2, 0.0},
                               {beam.length, beam.height / 2, width});
    BodySpec& body = scene.bodies[0];
    body.anchors.push_back({"wall", "left", {}});
    const double traction = beam.force_of(alpha) / (beam.width * beam.height);
    add_traction(
        body, "right",
        [&](const Vec3&, const Vec3&) {
            return Vec3{0.0, -traction, 0.0};
        },
        strain_ramp());
    scene.output.probes = {{"tip", 0, -1, {beam.length, 0.0, dimension_of(kind) == 2 ? 0.0 : width / 2}}};
    return scene;
}

}  // namespace

std::vector<StrainCase> bent_cases() {
    const Beam beam;
    StrainQuantity drop{"drop",
                        "drop of the tip / length",
                        2.0,
                        [beam](double a) { return linear_cantilever(beam, beam.force_of(a)).drop / beam.length; },
                        [beam](double a) { return stvk_cantilever(beam, beam.force_of(a)).drop / beam.length; },
                        {},
                        [beam](const StrainOutcome& o) { return -o.position("tip").y / beam.length; }};
    StrainQuantity nearer{"shortening",
                          "approach of the tip to the wall / length, in parts of the linear drop",
                          1.0,
                          [](double) { return 0.0; },
                          [beam](double a) { return stvk_cantilever(beam, beam.force_of(a)).shortening / beam.length; },
                          drop.linear,
                          [beam](const StrainOutcome& o) { return 1 - o.position("tip").x / beam.length; }};
    drop.scale = drop.green;
    StrainCase c;
    c.name = "bend";
    c.title = "A cantilever under a load at its tip";
    c.about =
        "Ten times as long as high, ν = 0, a dead load at the tip. Truth: a beam with large rotations, shear and Green "
        "strain in its section, solved by shooting; with linear strain, Timoshenko's beam. Where the error levels off "
        "at small loads, it is the mesh's.";
    c.amplitude = "load P L²/(E I)";
    c.say = [drop](double a) {
        return fmt::format("a load P L²/(E I) of {}, a tip drop of {} % of the length", short_number(a, 3),
                           short_number(100 * drop.green(a), 3));
    };
    c.largest = 10.0;
    c.kinds = {CellKind::tet10, CellKind::hex8, CellKind::quad4};
    c.forces = true;
    c.discretisation = 5e-4;  // of tet10; straight-edged cells: 2e-3
    c.quantities = {drop, nearer};
    c.scene = cantilever;
    return {c};
}

}  // namespace limber
