#include "expect_error.hpp"
#include "geometry/stuffing.hpp"
#include "geometry/surface_shapes.hpp"
#include "geometry/tet_quality.hpp"

#include <limber/error.hpp>
#include <limber/tools/solid.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace testing;

Solid solid_of(const Triangles& t, int cells = 4000) {
    const NamedSurface s{"", to_surface(t)};
    SolidSettings settings;
    settings.cells = cells;
    Progress progress;
    return make_solid(std::span(&s, 1), settings, progress);
}

void expect_sound(const Solid& solid, double volume, double tolerance) {
    EXPECT_EQ(tet_quality(solid.mesh).negative, 0u);
    EXPECT_GT(solid.smallest_angle, 8.0);
    EXPECT_LT(solid.largest_angle, 165.0);
    EXPECT_NEAR(solid.volume / volume, 1.0, tolerance);
    Mesh copy = solid.mesh;
    for (const MeshFinding& f : validate(copy)) EXPECT_EQ(f.kind, MeshFinding::Kind::disconnected_parts) << f.message;
}

/// Random sides and crossings, as no smooth shape has them: every stencil and every diagonal occurs.
TEST(Stuffing, HasNoSmallAnglesWhateverTheShape) {
    const auto inside = [](const Vec3& p) {
        // A hash of the place: changes within a fraction of a cell.
        const double s = std::sin(12.9898 * p.x + 78.233 * p.y + 37.719 * p.z) * 43758.5453;
        return s - std::floor(s) > 0.45 && norm(p) < 1.0;
    };
    Progress progress;
    const Mesh mesh = stuff(inside, {{-1, -1, -1}, {1, 1, 1}}, 0.13, progress);
    const TetQuality q = tet_quality(mesh);
    EXPECT_GT(mesh.cell_count(), 10000u);
    EXPECT_EQ(q.negative, 0u);
    EXPECT_GT(q.dihedral.smallest, 10.0);
    EXPECT_LT(q.dihedral.largest, 165.0);
}

TEST(Stuffing, CellsFitTogether) {
    // A diagonal chosen differently from the two sides of a face would leave faces with one user inside the body.
    const auto inside = [](const Vec3& p) { return norm(p) < 0.8 + 0.1 * std::sin(9 * p.x) * std::sin(8 * p.y); };
    Progress progress;
    const Mesh mesh = stuff(inside, {{-1, -1, -1}, {1, 1, 1}}, 0.11, progress);
    const Boundary boundary = boundary_of(mesh);
    EXPECT_EQ(boundary.vertices, mesh.vertex_sets.at("surface"));
    Triangles skin;
    skin.vertices = mesh.vertices;
    for (std::size_t f = 0; f < boundary.facet_count(); ++f)
        skin.corners.push_back({boundary.facets[3 * f], boundary.facets[3 * f + 1], boundary.facets[3 * f + 2]});
    EXPECT_NEAR(enclosed_volume(skin), measure_of(mesh), 1e-12);
    for (const std::int32_t v : boundary.vertices) {
        const Vec3& p = mesh.vertices[static_cast<std::size_t>(v)];
        EXPECT_NEAR(norm(p), 0.8 + 0.1 * std::sin(9 * p.x) * std::sin(8 * p.y), 2e-3);
    }
}

TEST(Solid, VolumeConvergesWithTheSecondPowerOfTheCell) {
    const double exact = enclosed_volume(ball(0.5, 40));
    const double coarse = std::abs(solid_of(ball(0.5, 40), 3000).volume / exact - 1.0),
                 fine = std::abs(solid_of(ball(0.5, 40), 24000).volume / exact - 1.0);
    EXPECT_LT(fine, 0.4 * coarse);
    EXPECT_LT(fine, 0.01);
}

TEST(Solid, HasAboutTheCellsAskedFor) {
    for (const int cells : {1000, 8000})
        EXPECT_NEAR(static_cast<double>(solid_of(torus(), cells).mesh.cell_count()) / cells, 1.0, 0.15);
}

TEST(Solid, OfDirtySurfacesIsThatOfTheCleanOne) {
    const Triangles whole = ball(0.5, 20);
    const double volume = enclosed_volume(whole);
    Triangles holed = whole, flipped = whole, doubled = whole, overlapped = whole;
    pierce(holed, {0.5, 0, 0}, 0.08);
    flip_some(flipped, 0.2, 3);
    append(doubled, whole);
    append(overlapped, ball(0.45, 20, {0.02, 0, 0}));
    for (const Triangles& t : {whole, holed, flipped, doubled, overlapped, soup(flipped)})
        expect_sound(solid_of(t), volume, 0.03);
}

TEST(Solid, NamesTheCellsOfNestedSurfaces) {
    const std::vector<NamedSurface> surfaces{{"liver", to_surface(ball(0.5, 20))},
                                             {"tumour", to_surface(ball(0.2, 16, {0.1, 0, 0}))}};
    SolidSettings settings;
    settings.cells = 20000;
    Progress progress;
    const Solid solid = make_solid(surfaces, settings, progress);
    const auto volume_of = [&](const char* name) {
        double sum = 0.0;
        for (const std::int32_t c : solid.mesh.cell_sets.at(name))
            sum += cell_measure(solid.mesh, static_cast<std::size_t>(c));
        return sum;
    };
    EXPECT_NEAR(volume_of("tumour") / enclosed_volume(ball(0.2, 16)), 1.0, 0.05);
    EXPECT_NEAR(volume_of("tumour") + volume_of("liver"), solid.volume, 1e-12);
}

TEST(Solid, SaysWhatIsTooThin) {
    Triangles t = ball(0.5, 20);
    append(t, boundary_triangles(
                  make_box(CellKind::tet4, 8, 1, 1, {0.45, -0.004, -0.004}, {1.5, 0.004, 0.004})));  // a whisker
    const Solid solid = solid_of(t);
    bool told = false;
    for (const SolidFinding& f : solid.findings) told |= f.kind == SolidFinding::Kind::thin;
    EXPECT_TRUE(told);
}

TEST(Solid, DoesNotCallInnerSurfacesThin) {
    // A shell within a shell, and one that overlaps: their faces lie deep inside the solid, where nothing was lost.
    Triangles t = ball(0.5, 20);
    append(t, ball(0.2, 12));
    append(t, ball(0.4, 20, {0.4, 0, 0}));
    for (const SolidFinding& f : solid_of(t).findings) EXPECT_NE(f.kind, SolidFinding::Kind::thin) << f.message;
}

TEST(Solid, RefusesWhatHasNoInside) {
    Triangles sheet;
    sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    sheet.corners = {{0, 1, 2}, {0, 2, 3}};
    sheet.face = {0, 1};
    expect_error(Fault::bad_mesh, "nothing is inside the surface", [&] { solid_of(sheet); });
    expect_error(Fault::bad_mesh, "no face with area among 0", [&] { solid_of(Triangles{}); });
}

}  // namespace
}  // namespace limber
