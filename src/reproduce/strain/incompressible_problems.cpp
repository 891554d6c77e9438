#include "reproduce/strain/incompressible_problems.hpp"

#include "reproduce/strain/strain_traction.hpp"

#include <cmath>
#include <numbers>

namespace limber {
namespace {

constexpr double kYoung = 1e4;                                           // [Pa]
constexpr double kInner = 1.0, kOuter = 2.0, kPressure = 1e-3 * kYoung;  // the tube [m, Pa]
constexpr double kLong = 4.0, kHigh = 1.0,
                 kSlope = 1e-3 * kYoung;  // the strip [m]; stress per height on its ends [Pa/m]

/// p a^2 / (E (b^2 - a^2)), the strain that scales the tube's answer.
double tube_factor(const Material& m) {
    return kPressure * kInner * kInner / (m.young * (kOuter * kOuter - kInner * kInner));
}

/// Lame: u_r = (1 + nu) p a^2 / (E (b^2 - a^2)) ((1 - 2 nu) r + b^2 / r).
Vec3 tube_displacement(const Material& m, const Vec3& at) {
    const double r = norm(at);
    return at / r * ((1 + m.poisson) * tube_factor(m) * ((1 - 2 * m.poisson) * r + kOuter * kOuter / r));
}

double tube_volume_strain(const Material& m) { return 2 * (1 + m.poisson) * (1 - 2 * m.poisson) * tube_factor(m); }

Scene still_scene(const std::string& name, const Material& material) {
    Scene scene;
    scene.name = name;
    scene.bodies.emplace_back();
    scene.bodies[0].name = name;
    scene.bodies[0].materials.push_back({"*", material});
    scene.step = 1.0;
    scene.duration = 1.0;
    return scene;
}

Scene tube(const Material& material, CellKind kind, int cells) {
    Scene scene = still_scene("cylinder", material);
    BodySpec& body = scene.bodies[0];
    // A quarter is enough. Its grid is drawn in (radius, angle) and then bent round; sides keep their names: left =
    // inner wall.
    Mesh mesh = make_grid(kind, cells, 2 * cells, {kInner, 0.0, 0.0}, {kOuter, std::numbers::pi / 2, 0.0});
    for (Vec3& p : mesh.vertices) p = {p.x * std::cos(p.y), p.x * std::sin(p.y), 0.0};
    body.mesh.path = "quarter of a tube";
    body.mesh.loaded = std::make_shared<const Mesh>(std::move(mesh));
    body.anchors = {{"floor", "bottom", {false, true, true}}, {"wall", "top", {true, false, true}}};
    add_traction(body, "left", [](const Vec3&, const Vec3& outward) { return outward * -kPressure; }, {});
    return scene;
}

/// M/(E' I) with the plane-strain modulus E' = E/(1 - nu^2).
double strip_curvature(const Material& m) { return kSlope * (1 - m.poisson * m.poisson) / m.young; }

Vec3 strip_displacement(const Material& m, const Vec3& at) {
    const double side = m.poisson / (1 - m.poisson);
    return Vec3{at.x * at.y, -(at.x * at.x + side * at.y * at.y) / 2, 0.0} * strip_curvature(m);
}

double strip_volume_strain(const Material& m) {
    return strip_curvature(m) * (1 - 2 * m.poisson) / (1 - m.poisson) * kHigh / std::sqrt(12.0);
}

Scene strip(const Material& material, CellKind kind, int cells) {
    Scene scene = still_scene("bending", material);
    BodySpec& body = scene.bodies[0];
    body.mesh.generator.shape = MeshGenerator::Shape::grid;
    body.mesh.generator.kind = kind;
    body.mesh.generator.counts = {static_cast<int>(kLong / kHigh) * cells, cells, 0};
    body.mesh.generator.low = {0.0, -kHigh / 2, 0.0};
    body.mesh.generator.high = {kLong, kHigh / 2, 0.0};
    body.sets.push_back({"middle", VertexSetSpec::Kind::nearest, {}, {}, {0.0, 0.0, 0.0}, 0.0, {}, {}});
    body.anchors = {{"wall", "left", {true, false, false}}, {"middle", "middle", {false, true, false}}};
    add_traction(body, "right", [](const Vec3& at, const Vec3&) { return Vec3{kSlope * at.y, 0.0, 0.0}; }, {});
    return scene;
}

}  // namespace

Material incompressible_material(double poisson) {
    return {"nearly incompressible", kYoung, poisson, 1000.0, 0.0, 0.0};
}

const std::vector<IncompressibleProblem>& incompressible_problems() {
    const Material limit = incompressible_material(0.5);
    static const std::vector<IncompressibleProblem> problems{
        {"cylinder",
         "A tube of radii 1 and 2 m in plane strain under a pressure of E/1000 inside; a quarter of it, with symmetry.",
         norm(tube_displacement(limit, {kInner, 0.0, 0.0})) / kInner, tube_displacement, tube_volume_strain, tube},
        {"bending",
         "A strip of 4 x 1 m in plane strain, bent by a couple: stresses of up to E/2000, linear over the height, on "
         "its end.",
         strip_curvature(limit) * kHigh / 2, strip_displacement, strip_volume_strain, strip}};
    return problems;
}

}  // namespace limber
