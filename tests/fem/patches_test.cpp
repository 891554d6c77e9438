#include "fem/patches.hpp"
#include "fem_fixtures.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace limber::test {
namespace {

// Two halves of different material.
std::shared_ptr<const Body> two_halves(CellKind kind, int n) {
    BodyDescription d;
    d.mesh = unit_mesh(kind, n, 0.2);
    const auto corners = static_cast<std::size_t>(corners_of(kind));
    IndexSet left;
    for (std::size_t c = 0; c < d.mesh.cell_count(); ++c) {
        double x = 0.0;
        for (std::size_t a = 0; a < corners; ++a) x += d.mesh.vertices[static_cast<std::size_t>(d.mesh.cell(c)[a])].x / static_cast<double>(corners);
        if (x < 0.5) left.push_back(static_cast<std::int32_t>(c));
    }
    d.mesh.cell_sets["left"] = left;
    d.materials = {{"", {"soft", 1e4, 0.49, 1000.0, 0.0, 0.0}}, {"left", {"hard", 1e6, 0.49, 1000.0, 0.0, 0.0}}};
    return Body::make(std::move(d));
}

TEST(StrainPatches, EveryCellIsInOnePatchOfItsOwnMaterial) {
    for (const CellKind kind : {CellKind::tri3, CellKind::tet4}) {
        const auto body = two_halves(kind, 6);
        const std::vector<StrainPatch> patches = strain_patches(*body);
        std::vector<int> times(body->mesh().cell_count(), 0);
        double measure = 0.0;
        for (const StrainPatch& patch : patches) {
            measure += patch.measure;
            for (const std::int32_t c : patch.cells) {
                ++times[static_cast<std::size_t>(c)];
                EXPECT_EQ(body->material_index(static_cast<std::size_t>(c)), patch.material);
            }
        }
        EXPECT_TRUE(std::ranges::all_of(times, [](int t) { return t == 1; }));
        EXPECT_NEAR(measure, 1.0, 1e-12);
        // One for three vertices or so: with one per cell nothing would be averaged, with one for all nothing but the whole volume kept.
        EXPECT_GT(3 * patches.size(), body->vertex_count() / 2);
        EXPECT_LT(patches.size(), body->vertex_count());
        const std::vector<std::int32_t> of_cells = patch_of_cells(times.size(), patches);
        for (std::size_t p = 0; p < patches.size(); ++p)
            for (const std::int32_t c : patches[p].cells) EXPECT_EQ(of_cells[static_cast<std::size_t>(c)], static_cast<std::int32_t>(p));
    }
}

TEST(StrainPatches, GradientsOfLinearFieldsAreExact) {
    // The patch test in small: whatever the patch, a field with one gradient has that gradient on average.
    const auto body = two_halves(CellKind::tet4, 4);
    const double wanted[3][3] = {{0.3, -0.7, 0.2}, {1.1, 0.4, -0.5}, {-0.6, 0.9, 0.8}};
    for (const StrainPatch& patch : strain_patches(*body)) {
        double h[3][3] = {};
        for (std::size_t k = 0; k < patch.vertices.size(); ++k) {
            const Vec3& x = body->mesh().vertices[static_cast<std::size_t>(patch.vertices[k])];
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) h[i][j] += (wanted[i][0] * x.x + wanted[i][1] * x.y + wanted[i][2] * x.z) * patch.gradient[3 * k + static_cast<std::size_t>(j)];
        }
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) EXPECT_NEAR(h[i][j], wanted[i][j], 1e-12);
    }
}

TEST(StrainPatches, ABodyOfOneCellHasOnePatch) {
    BodyDescription d;
    d.mesh.kind = CellKind::tet4;
    d.mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    d.mesh.cells = {0, 1, 2, 3};
    d.materials = {{"", {"soft", 1e4, 0.49, 1000.0, 0.0, 0.0}}};
    const auto body = Body::make(std::move(d));
    const std::vector<StrainPatch> patches = strain_patches(*body);
    ASSERT_EQ(patches.size(), 1u);
    EXPECT_NEAR(patches[0].measure, 1.0 / 6.0, 1e-15);
}

}  // namespace
}  // namespace limber::test
