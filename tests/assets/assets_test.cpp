#include "assets/polygonise.hpp"
#include "expect_error.hpp"
#include "geometry/surface_edges.hpp"

#include <limber/error.hpp>
#include <limber/tools/assets.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace limber {
namespace {

constexpr int kTriangles = 4000, kMany = 16000;

double smallest_angle(const Triangles& t) {
    double least = 180.0;
    for (std::size_t i = 0; i < t.size(); ++i) {
        for (int k = 0; k < 3; ++k) {
            const Vec3 a = t.at(i, (k + 1) % 3) - t.at(i, k), b = t.at(i, (k + 2) % 3) - t.at(i, k);
            least = std::min(least, std::acos(dot(a, b) / (norm(a) * norm(b))) * 180.0 / std::numbers::pi);
        }
    }
    return least;
}

/// Share of a low-discrepancy sequence over the box that the field holds, times the box.
double sampled_volume(const Shape& s) {
    constexpr int kPoints = 60000;
    const double step[3] = {0.8191725133961645, 0.6710436067037893,
                            0.5497004779019703};  // powers of 1 / 1.2207..., the plastic number's kin in space
    int in = 0;
    for (int i = 0; i < kPoints; ++i) {
        Vec3 p;
        for (int k = 0; k < 3; ++k) {
            const double x = 0.5 + step[k] * i;
            p[k] = s.box.low[k] + (x - std::floor(x)) * s.box.size()[k];
        }
        in += s.field(p) < 0.0 ? 1 : 0;
    }
    const Vec3 size = s.box.size();
    return size.x * size.y * size.z * in / kPoints;
}

class EveryAsset : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Assets, EveryAsset, ::testing::ValuesIn(asset_names()),
                         [](const auto& one) { return one.param; });

TEST_P(EveryAsset, IsClosedOutwardAndOfTheExpectedTopology) {
    // Blends and thin gaps are where a surface would pinch or grow a handle that nobody modelled.
    const Asset asset = make_asset(GetParam(), kTriangles);
    for (const AssetSurface& s : asset.surfaces) {
        const Triangles t = triangulate(s.surface);
        const SurfaceEdges edges = surface_edges(t);
        for (std::size_t e = 0; e < edges.size(); ++e) {
            ASSERT_EQ(edges.users(e), 2u);
            ASSERT_NE(edges.use(e, 0).forward, edges.use(e, 1).forward);
        }
        const bool ring = GetParam() == "torus" || GetParam() == "chain";
        EXPECT_EQ(static_cast<long>(t.vertices.size()) - static_cast<long>(edges.size()) + static_cast<long>(t.size()),
                  ring ? 0 : 2);
        EXPECT_EQ(find_patches(t, edges).count, GetParam() == "chain" ? 4 : 1);
        EXPECT_GT(enclosed_volume(t), 0.0);
        EXPECT_GT(smallest_angle(t),
                  s.paints.size() > 1 ? 9.0 : 20.0);  // vertices on the paints' seams are not where they would be even
    }
}

TEST_P(EveryAsset, LiesOnItsFieldAndHasItsVolume) {
    // Flat triangles cut corners: a tube of n edges around loses 1 - sin(2 pi / n) n / (2 pi), 1.6 % for the
    // chain's 20.
    const Asset asset = make_asset(GetParam(), kMany);
    const ShapeGroup group = shape_group(GetParam());
    double low = 1e9;
    for (std::size_t i = 0; i < group.shapes.size(); ++i) {
        const Triangles t = triangulate(asset.surfaces[i].surface);
        const double diagonal = box_of(t.vertices).diagonal();
        for (const Vec3& p : t.vertices) {
            ASSERT_LT(std::abs(group.shapes[i].field(p)), 1e-6 * diagonal);
            low = std::min(low, p.y / diagonal);
        }
        EXPECT_NEAR(enclosed_volume(t) / sampled_volume(group.shapes[i]), 1.0, 0.02);
    }
    EXPECT_NEAR(low, 0.0, 0.004);
}

TEST_P(EveryAsset, HasAboutTheTrianglesAskedForAndTheSameBitsAgain) {
    const Asset one = make_asset(GetParam(), kTriangles), two = make_asset(GetParam(), kTriangles);
    std::size_t triangles = 0;
    for (std::size_t i = 0; i < one.surfaces.size(); ++i) {
        EXPECT_EQ(one.surfaces[i].surface.vertices, two.surfaces[i].surface.vertices);
        EXPECT_EQ(one.surfaces[i].surface.faces, two.surfaces[i].surface.faces);
        triangles += one.surfaces[i].surface.face_count();
    }
    const bool fine = GetParam() == "chain" || GetParam() == "curl";  // as many as their gaps need
    EXPECT_NEAR(static_cast<double>(triangles) / (fine ? 16000 : kTriangles), 1.0, 0.25);
}

TEST_P(EveryAsset, IsPaintedAndWrappedFaceByFace) {
    // A face across the map's seam would otherwise show the whole picture, squeezed.
    for (const AssetSurface& s : make_asset(GetParam(), kTriangles).surfaces) {
        ASSERT_EQ(s.face_paint.size(), s.surface.face_count());
        ASSERT_EQ(s.corner_uv.size(), s.surface.faces.size());
        for (const std::int32_t paint : s.face_paint)
            ASSERT_TRUE(paint >= 0 && static_cast<std::size_t>(paint) < s.paints.size());
        for (std::size_t f = 0; f < s.surface.face_count(); ++f) {
            for (std::size_t k = 1; k < 3; ++k)
                ASSERT_LE(std::abs(s.corner_uv[3 * f + k][0] - s.corner_uv[3 * f][0]), 0.5);
        }
    }
}

TEST(Assets, KnownVolumesAreMet) {
    const auto volume = [](const char* name) {
        return enclosed_volume(triangulate(make_asset(name, 16000).surfaces[0].surface));
    };
    EXPECT_NEAR(volume("ball") / (4.0 / 3.0 * std::numbers::pi * 1e-3), 1.0, 1e-3);
    EXPECT_NEAR(volume("torus") / (2.0 * std::numbers::pi * std::numbers::pi * 0.1 * 0.05 * 0.05), 1.0, 2e-3);
}

TEST(Assets, AModelHasTheSurfacesTriangles) {
    const Asset asset = make_asset("duck", kTriangles);
    const Rig model = as_model(asset);
    check_rig(model);
    std::size_t triangles = 0;
    for (const SkinPart& p : model.parts) triangles += p.triangles.size();
    EXPECT_EQ(triangles, asset.surfaces[0].surface.face_count());
    EXPECT_EQ(model.parts.size(), 3u);  // yellow, orange, black
}

TEST(Assets, UnknownNamesAreRefusedWithTheNearestOne) {
    try {
        make_asset("dukc");
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("duck"), std::string::npos) << error.what();
    }
    expect_error(Fault::bad_usage, "triangles", [&] { make_asset("duck", 5); });
    expect_error(Fault::bad_usage, "dirt", [&] { dirt_of("mud"); });
}

}  // namespace
}  // namespace limber
