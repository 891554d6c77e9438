#include "bem/static_conditions.hpp"

#include <limber/body.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace limber {
namespace {

std::shared_ptr<const Body> body_of(Mesh mesh, double poisson, Plane plane = Plane::strain, double thickness = 1.0) {
    BodyDescription d;
    d.mesh = std::move(mesh);
    d.plane = plane;
    d.thickness = thickness;
    Material material;
    material.young = 2e5;
    material.poisson = poisson;
    material.density = 1100;
    d.materials.push_back({"", material});
    return Body::make(d);
}

StaticResult solved_case(const Body& body, const StaticCase& what) {
    Progress silent;
    return solve_static_case(body, what, silent);
}

BoundaryCondition held(const std::string& set, std::optional<double> x, std::optional<double> y,
                       std::optional<double> z = {}) {
    BoundaryCondition c;
    c.set = set;
    c.displacement = {x, y, z};
    return c;
}
BoundaryCondition pulled(const std::string& set, const Vec3& traction) {
    BoundaryCondition c;
    c.set = set;
    c.traction = traction;
    return c;
}
BoundaryCondition pressed(const std::string& set, double pressure) {
    BoundaryCondition c;
    c.set = set;
    c.pressure = pressure;
    return c;
}

/// Spokes from the centre, rings between: triangles; sets "rim", "bottom" (lowest tenth of the rim), "lowest" (one
/// vertex), "centre".
Mesh disc(double radius, int rings, int spokes) {
    Mesh mesh;
    mesh.kind = CellKind::tri3;
    mesh.vertices.push_back({});
    for (int i = 1; i <= rings; ++i) {
        for (int k = 0; k < spokes; ++k) {
            const double angle = 2 * std::numbers::pi * k / spokes - std::numbers::pi / 2, r = radius * i / rings;
            mesh.vertices.push_back({r * std::cos(angle), r * std::sin(angle), 0});
        }
    }
    const auto at = [&](int i, int k) { return i == 0 ? 0 : 1 + (i - 1) * spokes + k % spokes; };
    for (int k = 0; k < spokes; ++k) {
        mesh.cells.insert(mesh.cells.end(), {0, at(1, k), at(1, k + 1)});
        for (int i = 1; i < rings; ++i) {
            mesh.cells.insert(mesh.cells.end(),
                              {at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k), at(i + 1, k + 1), at(i, k + 1)});
        }
    }
    for (int k = 0; k < spokes; ++k) {
        mesh.vertex_sets["rim"].push_back(at(rings, k));
        if (mesh.vertices[static_cast<std::size_t>(at(rings, k))].y < -0.9 * radius)
            mesh.vertex_sets["bottom"].push_back(at(rings, k));
    }
    mesh.vertex_sets["lowest"] = {at(rings, 0)};
    mesh.vertex_sets["centre"] = {0};
    return mesh;
}

TEST(StaticCase, BarsInTensionAreExactInThePlaneAndInSpace) {
    // Hooke's law: rollers at the left, a pull at the right; inner vertices, probes and reactions included. Quads,
    // triangles, hexes, tets.
    for (const Plane plane : {Plane::strain, Plane::stress}) {
        for (const CellKind kind : {CellKind::tri3, CellKind::quad4}) {
            const auto body = body_of(make_grid(kind, 6, 3, {0, 0, 0}, {2, 0.5, 0}), 0.3, plane, 0.2);
            StaticCase what;
            what.conditions = {held("left", 0.0, {}), held("bottom", {}, 0.0), pulled("right", {500, 0, 0})};
            what.probes = {{1.2, 0.3, 0}, {2, 0.5, 0}, {0.4, 0, 0}};
            const StaticResult result = solved_case(*body, what);
            const double e = plane == Plane::stress ? 2e5 : 2e5 / (1 - 0.09),
                         v = plane == Plane::stress ? 0.3 : 0.3 / 0.7;
            for (std::size_t i = 0; i < body->vertex_count(); ++i) {
                const Vec3 p = body->mesh().vertices[i];
                EXPECT_LT(norm(result.displacement[i] - 500 / e * Vec3{p.x, -v * p.y, 0}), 1e-10 * 500 / e);
            }
            for (const StaticProbe& probe : result.probes) {
                EXPECT_LT(norm(probe.displacement - 500 / e * Vec3{probe.at.x, -v * probe.at.y, 0}), 1e-10 * 500 / e);
                EXPECT_NEAR(probe.stress.xx, 500, 1e-7);
                EXPECT_NEAR(probe.stress.yy, 0, 1e-7);
                EXPECT_NEAR(probe.stress.zz, plane == Plane::stress ? 0 : 150, 1e-7);
            }
            EXPECT_NEAR(result.reactions[0].force.x, -500 * 0.5 * 0.2, 1e-9);
            EXPECT_NEAR(result.reactions[2].force.x, 500 * 0.5 * 0.2, 1e-9);
            EXPECT_NEAR(result.reactions[1].force.y, 0, 1e-9);
            EXPECT_LT(result.misfit, 1e-10);
        }
    }
    for (const CellKind kind : {CellKind::tet4, CellKind::hex8}) {
        const auto body = body_of(make_box(kind, 3, 1, 1, {0, 0, 0}, {1.5, 0.5, 0.5}), 0.3);
        StaticCase what;
        what.conditions = {held("left", 0.0, {}), held("bottom", {}, 0.0), held("back", {}, {}, 0.0),
                           pulled("right", {500, 0, 0})};
        what.probes = {{0.7, 0.3, 0.2}, {1.0, 0.5, 0.2}};
        const StaticResult result = solved_case(*body, what);
        for (std::size_t i = 0; i < body->vertex_count(); ++i) {
            const Vec3 p = body->mesh().vertices[i];
            EXPECT_LT(norm(result.displacement[i] - 500 / 2e5 * Vec3{p.x, -0.3 * p.y, -0.3 * p.z}), 1e-7 * 500 / 2e5);
        }
        for (const StaticProbe& probe : result.probes) EXPECT_NEAR(probe.stress.xx, 500, 1e-4);
        EXPECT_NEAR(result.reactions[0].force.x, -125, 1e-7);
    }
}

TEST(StaticCase, EdgesAndCornersInSpaceFindAllTheirTractions) {
    // Displacement all around a box: nodes on edges have six unknown tractions, corners nine, and three equations of
    // their own each.
    Progress silent;
    const BoundaryMaterial material{1e4, 0.3};
    const BoundaryShape shape = boundary_shape(make_box(CellKind::tet4, 2, 2, 1, {0, 0, 0}, {1, 0.8, 0.5}));
    const BoundarySystem system = make_space_system(shape, material, {}, silent);
    Mat3 d;
    d.m = {{{1e-3, 4e-4, 0}, {-2e-4, 2e-3, 5e-4}, {3e-4, 0, -1e-3}}};
    StaticConditions conditions(system);
    std::vector<std::int32_t> all(shape.facet_count());
    for (std::size_t f = 0; f < all.size(); ++f) all[f] = static_cast<std::int32_t>(f);
    for (int c = 0; c < 3; ++c) conditions.hold_facets(all, c, [&](const Vec3& p) { return (d * p)[c]; });
    const StaticSolution solution = solve_static(system, conditions, silent);
    const double lambda = 2 * material.shear * material.poisson / (1 - 2 * material.poisson),
                 trace = d(0, 0) + d(1, 1) + d(2, 2);
    for (std::size_t k = 0; k < system.slot_node.size(); ++k) {
        const Vec3 n = system.slot_normal[k], want = lambda * trace * n + material.shear * (d * n + transpose(d) * n);
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_NEAR(solution.traction[3 * k + c], want[static_cast<int>(c)], 1e-5) << k;
    }
    EXPECT_LT(solution.condition, 1e6);
}

TEST(StaticCase, SupportsCarryTheWeight) {
    // A patch, a single vertex, and a fully held bottom whose corners have two tractions; the pull of a spin about
    // another point as well.
    for (const char* set : {"bottom", "lowest"}) {
        const auto body = body_of(disc(0.4, 3, 40), 0.45, Plane::stress, 0.3);
        StaticCase what;
        what.conditions = {held(set, 0.0, 0.0)};
        what.gravity = {0, -9.81, 0};
        const StaticResult result = solved_case(*body, what);
        const double weight = 1100 * 9.81 * measure_of(body->mesh()) * 0.3;
        EXPECT_NEAR(result.reactions[0].force.y, weight, 1e-10 * weight);
        EXPECT_NEAR(result.reactions[0].force.x, 0, 1e-10 * weight);
        EXPECT_NEAR(result.body_force.y, -weight, 1e-10 * weight);
        EXPECT_EQ(result.free_modes, set == std::string("lowest") ? 1 : 0);
        EXPECT_LT(result.displacement[0].y, 0.0);
    }
    const auto body = body_of(make_box(CellKind::tet4, 3, 2, 2, {0, 0, 0}, {1, 0.4, 0.5}), 0.3);
    StaticCase what;
    what.conditions = {held("bottom", 0.0, 0.0, 0.0), held("left", 0.0, {})};
    what.gravity = {1, -9.81, 0.5};
    what.spin = {0.5, 3, 0};
    what.angular_acceleration = {0, 0, 2};
    what.pivot = Vec3{-1, 0, 0};
    what.torque_about = Vec3{0.2, 0, -1};
    const StaticResult result = solved_case(*body, what);
    EXPECT_LT(norm(result.reactions[0].force + result.reactions[1].force + result.body_force),
              1e-8 * norm(result.body_force));
    EXPECT_LT(norm(result.reactions[0].torque + result.reactions[1].torque + result.body_torque),
              1e-8 * norm(result.body_torque));
    // b = rho (g - alpha x r - omega x (omega x r)) at the centroid gives the whole force of a linear field.
    const Vec3 r = Vec3{0.5, 0.2, 0.25} - *what.pivot;
    const Vec3 b = 1100.0 *
                   (what.gravity - cross(what.angular_acceleration, r) - cross(what.spin, cross(what.spin, r)));
    EXPECT_LT(norm(result.body_force - 0.2 * b), 1e-9 * norm(b));
}

TEST(StaticCase, PressureOnAClosedBoundaryIsBalancedWhateverTheMesh) {
    // Uneven triangles: nodal pressures by mean normals would leave a couple, and a free body must not be asked to
    // carry one.
    Mesh mesh = make_ball(CellKind::tet4, 4, {0.3, 0, 1}, 0.5);
    for (Vec3& p : mesh.vertices) p = {1.3 * p.x + 0.2 * p.y * p.y, p.y - 0.1 * p.x * p.z, p.z};
    for (Mesh shape : {mesh, disc(0.4, 2, 15)}) {
        if (shape.dimension() == 2)
            for (Vec3& p : shape.vertices) p = {p.x + 0.3 * p.y * p.y, 1.5 * p.y - 0.4 * p.x * p.x, 0};
        const auto body = body_of(shape, 0.4);
        StaticCase what;
        what.conditions = {pressed("", 300)};
        what.inner_vertices = false;
        const StaticResult result = solved_case(*body, what);
        EXPECT_LT(norm(result.reactions[0].force), 1e-9);
        EXPECT_LT(norm(result.reactions[0].torque), 1e-9);
        EXPECT_GT(result.free_modes, 2);
    }
}

/// Quads between two circles; sets "inner" and "outer".
Mesh ring_mesh(double inner, double outer, int rings, int spokes) {
    Mesh mesh;
    mesh.kind = CellKind::quad4;
    for (int i = 0; i <= rings; ++i) {
        for (int k = 0; k < spokes; ++k) {
            const double angle = 2 * std::numbers::pi * k / spokes, r = inner + (outer - inner) * i / rings;
            mesh.vertices.push_back({r * std::cos(angle), r * std::sin(angle), 0});
        }
    }
    for (int i = 0; i < rings; ++i) {
        for (int k = 0; k < spokes; ++k) {
            const int a = i * spokes + k, b = i * spokes + (k + 1) % spokes;
            mesh.cells.insert(mesh.cells.end(), {a, a + spokes, b + spokes, b});
        }
    }
    for (int k = 0; k < spokes; ++k) {
        mesh.vertex_sets["inner"].push_back(k);
        mesh.vertex_sets["outer"].push_back(rings * spokes + k);
    }
    return mesh;
}

TEST(StaticCase, PressurisedRingsFollowLameUpToIncompressibility) {
    // Posed as a user would: two named sets, nothing held, both planes; displacements of inner vertices included.
    for (const double nu : {0.3, 0.49, 0.4999}) {
        for (const Plane plane : {Plane::strain, Plane::stress}) {
            const double a = 0.5, b = 1.0, p = 900;
            const auto body = body_of(ring_mesh(a, b, 4, 64), nu, plane);
            StaticCase what;
            what.conditions = {pressed("inner", p), pressed("outer", 0)};
            what.probes = {{0, 0.7, 0}};
            const StaticResult result = solved_case(*body, what);
            const double e = plane == Plane::stress ? 2e5 : 2e5 / (1 - nu * nu),
                         v = plane == Plane::stress ? nu : nu / (1 - nu);
            const auto u = [&](double r) {
                return p * a * a / (b * b - a * a) / e * ((1 - v) * r + (1 + v) * b * b / r);
            };
            for (std::size_t i = 0; i < body->vertex_count(); ++i) {
                const Vec3 x = body->mesh().vertices[i];
                EXPECT_LT(norm(result.displacement[i] - u(norm(x)) / norm(x) * x), 5e-3 * u(a)) << nu;
            }
            EXPECT_NEAR(result.probes[0].stress.xx, p * a * a / (b * b - a * a) * (1 + b * b / 0.49), 0.01 * p);
            EXPECT_EQ(result.free_modes, 3);
        }
    }
}

std::string message_of(const Body& body, const StaticCase& what) {
    try {
        solved_case(body, what);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(StaticCase, SaysWhatCannotBe) {
    const auto body = body_of(disc(0.4, 3, 24), 0.3);
    const auto says = [&](std::vector<BoundaryCondition> conditions, const std::string& words,
                          std::vector<Vec3> probes = {}) {
        StaticCase what;
        what.conditions = std::move(conditions);
        what.probes = std::move(probes);
        what.gravity = {0, -1, 0};
        const std::string message = message_of(*body, what);
        EXPECT_NE(message.find(words), std::string::npos) << message;
    };
    says({held("botom", 0.0, 0.0)}, "did you mean 'bottom'");
    says({held("centre", 0.0, 0.0)}, "no vertex of the set \"centre\" is on the boundary");
    says({held("bottom", 0.0, {})}, "conditions leave 1 of 3 free");
    says({held("bottom", 0.0, 0.0), held("rim", 1.0, {})}, "where another condition says 0");
    says({held("bottom", 0.0, 0.0), pulled("rim", {1, 0, 0})}, "where a displacement is given");
    says({pulled("lowest", {1, 0, 0})}, "no whole facet");
    says({held("bottom", 0.0, 0.0, 0.0)}, "the body is plane");
    says({held("bottom", {}, {})}, "says nothing");
    says({held("bottom", 0.0, 0.0)}, "outside the body", {{0, 0.41, 0}});
    BodyDescription two = body->description();
    two.materials[0].cell_set = "";
    two.mesh.cell_sets["half"] = {0, 1, 2, 3};
    two.materials.push_back({"half", two.materials[0].material});
    two.materials[1].material.young *= 2;
    StaticCase what;
    what.conditions = {held("bottom", 0.0, 0.0)};
    EXPECT_NE(message_of(*Body::make(two), what).find("several materials"), std::string::npos);
}

}  // namespace
}  // namespace limber
