#include "render/camera.hpp"
#include "expect_error.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

constexpr double kDegree = 3.14159265358979323846 / 180.0;

std::vector<Vec3> cloud() {
    std::vector<Vec3> out;
    for (int k = 0; k < 60; ++k)
        out.push_back({3.0 + std::sin(7.0 * k), -2.0 + 0.4 * std::cos(3.0 * k), 0.7 * std::sin(5.0 * k + 1.0)});
    return out;
}

}  // namespace

TEST(Camera, FramingHoldsAllPointsWithTheMarginAndTouchesIt) {
    // In every direction and shape of picture: all points inside the margin, and on at least two opposite sides right
    // at it.
    const std::vector<Vec3> points = cloud();
    for (const char* view : {"front", "back", "left", "side", "top", "bottom", "three-quarter", "-70,55"}) {
        for (const bool orthographic : {false, true}) {
            for (const std::array<int, 2> size : {std::array<int, 2>{800, 600}, {300, 900}, {640, 640}}) {
                Framing framing;
                framing.direction = parse_view(view);
                framing.orthographic = orthographic;
                framing.width = size[0];
                framing.height = size[1];
                framing.margin = 0.1;
                const Camera camera = fit_camera(points, framing);
                double left = 1e9, right = -1e9, up = 1e9, down = -1e9;
                for (const Vec3& p : points) {
                    const Projected at = project(camera, size[0], size[1], p);
                    ASSERT_GT(at.depth, 0.0);
                    left = std::min(left, at.x);
                    right = std::max(right, at.x);
                    up = std::min(up, at.y);
                    down = std::max(down, at.y);
                }
                const double margin = 0.1 * std::min(size[0], size[1]), slack = 1e-6 * size[1];
                EXPECT_GE(left, margin - slack) << view;
                EXPECT_LE(right, size[0] - margin + slack) << view;
                EXPECT_GE(up, margin - slack) << view;
                EXPECT_LE(down, size[1] - margin + slack) << view;
                const bool wide = left < margin + 0.01 * size[0] && right > size[0] - margin - 0.01 * size[0];
                const bool tall = up < margin + 0.01 * size[1] && down > size[1] - margin - 0.01 * size[1];
                EXPECT_TRUE(wide || tall) << view << ": nearer would do";
            }
        }
    }
}

TEST(Camera, ViewsLookFromWhereTheirNamesSay) {
    DrawBox box;
    box.add(Vec3{-1.0, -1.0, -1.0});
    box.add(Vec3{1.0, 1.0, 1.0});
    const auto from = [&](const char* name) {
        Framing framing;
        framing.direction = parse_view(name);
        const Camera camera = fit_camera(box, framing);
        const Vec3 d = camera.eye - camera.target;
        return d / norm(d);
    };
    EXPECT_NEAR(from("front").z, 1.0, 1e-12);
    EXPECT_NEAR(from("back").z, -1.0, 1e-12);
    EXPECT_NEAR(from("right").x, 1.0, 1e-12);
    EXPECT_NEAR(from("side").x, 1.0, 1e-12);
    EXPECT_NEAR(from("left").x, -1.0, 1e-12);
    EXPECT_NEAR(from("top").y, 1.0, 1e-12);
    EXPECT_NEAR(from("bottom").y, -1.0, 1e-12);
    EXPECT_NEAR(from("90,30").x, std::cos(30 * kDegree), 1e-12);
    EXPECT_NEAR(from("90,30").y, 0.5, 1e-12);
    for (const char* wrong : {"", "fronty", "1", "1,", "1,2,3", "0,91", "nan,0", "0,nan", "1e9,0", "0,inf"}) {
        expect_error(Fault::bad_usage, "view '" + std::string(wrong) + "'", [&] { parse_view(wrong); });
    }
}

TEST(Camera, RightIsRightUpIsUpAndFromAboveTheFrontIsBelow) {
    Framing framing;
    framing.direction = parse_view("front");
    DrawBox box;
    box.add(Vec3{-1.0, -1.0, -1.0});
    box.add(Vec3{1.0, 1.0, 1.0});
    const Camera front = fit_camera(box, framing);
    EXPECT_GT(project(front, 100, 100, {0.5, 0.0, 0.0}).x, 50.0);
    EXPECT_LT(project(front, 100, 100, {0.0, 0.5, 0.0}).y, 50.0);
    framing.direction = parse_view("top");
    const Camera top = fit_camera(box, framing);
    EXPECT_GT(project(top, 100, 100, {0.5, 0.0, 0.0}).x, 50.0);
    EXPECT_GT(project(top, 100, 100, {0.0, 0.0, 0.5}).y, 50.0);
    framing.direction = parse_view("bottom");
    const Camera bottom = fit_camera(box, framing);
    EXPECT_GT(project(bottom, 100, 100, {0.5, 0.0, 0.0}).x, 50.0);
}

TEST(Camera, TheMatricesSayWhatProjectSays) {
    // The GPU goes by the matrices, captions and tests by project().
    Camera camera;
    camera.eye = {3.0, 2.0, 5.0};
    camera.target = {0.2, -0.1, 0.3};
    for (const bool orthographic : {false, true}) {
        camera.orthographic = orthographic;
        const Matrix4 m = projection_matrix(camera, 640, 360, 1.0, 20.0) * view_matrix(camera);
        for (const Vec3& p : cloud()) {
            const auto row = [&](std::size_t i) { return m[i] * p.x + m[4 + i] * p.y + m[8 + i] * p.z + m[12 + i]; };
            const Projected at = project(camera, 640, 360, p);
            EXPECT_NEAR(at.x, 320.0 * (1.0 + row(0) / row(3)), 1e-9);
            EXPECT_NEAR(at.y, 180.0 * (1.0 - row(1) / row(3)), 1e-9);
        }
    }
}

TEST(Camera, FollowingKeepsABodyInItsPlace) {
    Camera camera;
    const Vec3 body{0.3, 0.2, -0.4}, step{1.5, 0.1, -0.7};
    const Projected before = project(camera, 300, 200, body),
                    after = project(moved(camera, step), 300, 200, body + step);
    EXPECT_NEAR(before.x, after.x, 1e-9);
    EXPECT_NEAR(before.y, after.y, 1e-9);
}

TEST(Camera, NumbersThatGiveNoPictureAreRefused) {
    const std::vector<Vec3> points = cloud();
    Framing framing;
    framing.margin = 0.5;
    expect_error(Fault::bad_usage, "a margin of 0.5", [&] { fit_camera(points, framing); });
    framing.margin = std::nan("");
    expect_error(Fault::bad_usage, "a margin of nan", [&] { fit_camera(points, framing); });
    framing = {};
    framing.height = 0;
    expect_error(Fault::bad_usage, " x 0 with", [&] { fit_camera(points, framing); });
    framing = {};
    framing.view_angle = 3.2;
    expect_error(Fault::bad_usage, "with a view angle of 3.2", [&] { fit_camera(points, framing); });
    Camera camera;
    EXPECT_NO_THROW(check(camera));
    camera.view_angle = 0.0;
    expect_error(Fault::bad_usage, "with a view angle of 0 ", [&] { check(camera); });
    camera = {};
    camera.eye.y = std::nan("");
    expect_error(Fault::bad_usage, ", nan, ", [&] { check(camera); });
    camera = {};
    camera.orthographic = true;
    camera.height = -1.0;
    expect_error(Fault::bad_usage, "a height of -1", [&] { check(camera); });
}

TEST(Camera, OnePointNoPointAndPointsThatAreNotNumbersStillGiveACamera) {
    const std::vector<Vec3> one{{5.0, 5.0, 5.0}}, none, bad{{std::nan(""), 0.0, 0.0}, {1.0, 2.0, 3.0}, {2.0, 2.0, 3.0}};
    for (const auto& points : {one, none, bad}) {
        for (const bool orthographic : {false, true}) {
            Framing framing;
            framing.orthographic = orthographic;
            const Camera camera = fit_camera(points, framing);
            EXPECT_TRUE(is_finite(camera.eye) && is_finite(camera.target));
            EXPECT_GT(norm(camera.eye - camera.target), 0.0);
        }
    }
}

}  // namespace limber
