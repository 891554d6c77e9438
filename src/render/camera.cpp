#include "render/camera.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace limber {

namespace {

constexpr double kDegree = 3.14159265358979323846 / 180.0;

struct NamedView {
    const char* name;
    double turn, rise;  // [degrees]
};
constexpr NamedView kViews[] = {{"front", 0, 0}, {"back", 180, 0}, {"left", -90, 0},   {"right", 90, 0},
                                {"side", 90, 0}, {"top", 0, 90},   {"bottom", 0, -90}, {"three-quarter", 35, 18}};

/// The picture's axes in the world: right, up, and from the target to the eye.
struct ViewAxes {
    Vec3 right, up, back;
};

ViewAxes axes_of(const Camera& camera) {
    Vec3 back = camera.eye - camera.target;
    const double distance = norm(back);
    back = distance > 0.0 ? back / distance : Vec3{0.0, 0.0, 1.0};
    Vec3 right = cross(camera.up, back);
    // Straight from above `up` says nothing: then the front of things points down in the picture.
    if (norm(right) < 1e-9 * std::max(norm(camera.up), 1e-300))
        right = cross(Vec3{0.0, 0.0, back.y > 0.0 ? -1.0 : 1.0}, back);
    if (norm(right) < 1e-9) right = {1.0, 0.0, 0.0};
    right = right / norm(right);
    return {right, cross(back, right), back};
}

bool fits_view(double angle) { return angle >= 0.001 && angle <= 3.0; }  // [rad]

Vec3 direction_of(const ViewDirection& view) {
    // Of a right angle the cosine is not quite 0: then the picture would have a chance orientation.
    const double c = std::abs(std::cos(view.rise)) < 1e-12 ? 0.0 : std::cos(view.rise);
    return {c * std::sin(view.turn), std::sin(view.rise), c * std::cos(view.turn)};
}

/// Along one axis of the picture: how far out the points reach, for each slope of the picture's edge.
struct Reach {
    double low = std::numeric_limits<double>::max(), high = -std::numeric_limits<double>::max();
    void add(double value_low, double value_high) {
        low = std::min(low, value_low);
        high = std::max(high, value_high);
    }
    double middle() const { return 0.5 * (low + high); }
    double size() const { return high - low; }
};

}  // namespace

std::vector<std::string> view_names() {
    std::vector<std::string> out;
    for (const NamedView& view : kViews) out.emplace_back(view.name);
    return out;
}

ViewDirection parse_view(const std::string& name) {
    for (const NamedView& view : kViews)
        if (name == view.name) return {view.turn * kDegree, view.rise * kDegree};
    char* end = nullptr;
    const double turn = std::strtod(name.c_str(), &end);
    if (end != name.c_str() && *end == ',') {
        const char* second = end + 1;
        const double rise = std::strtod(second, &end);
        if (end != second && *end == '\0' && std::abs(turn) <= 3600.0 && std::abs(rise) <= 90.0)
            return {turn * kDegree, rise * kDegree};
    }
    throw Error(Fault::bad_usage, {}, text("view '", name, "'"),
                "front, back, left, right, side, top, bottom, three-quarter, or turn,rise in degrees such as 35,18 "
                "(rise from -90 to 90)");
}

void check(const Camera& camera) {
    const bool sound = is_finite(camera.eye) && is_finite(camera.target) && is_finite(camera.up) &&
                       (camera.orthographic ? camera.height > 0.0 && std::isfinite(camera.height)
                                            : fits_view(camera.view_angle));
    if (!sound) {
        throw Error(Fault::bad_usage, {},
                    text("a camera at (", camera.eye.x, ", ", camera.eye.y, ", ", camera.eye.z,
                         ") with a view angle of ", camera.view_angle, " and a height of ", camera.height),
                    "finite places, an angle from 0.001 to 3, a height above 0");
    }
}

Camera fit_camera(std::span<const Vec3> points, const Framing& framing) {
    if (!(framing.margin >= 0.0 && framing.margin <= 0.45) || framing.width < 1 || framing.height < 1 ||
        !fits_view(framing.view_angle)) {
        throw Error(Fault::bad_usage, {},
                    text("a margin of ", framing.margin, " in a picture of ", framing.width, " x ", framing.height,
                         " with a view angle of ", framing.view_angle),
                    "a margin from 0 to 0.45, a picture of at least 1 x 1, an angle from 0.001 to 3");
    }
    Camera camera;
    camera.orthographic = framing.orthographic;
    camera.view_angle = framing.view_angle;
    camera.target = {};
    camera.eye = direction_of(framing.direction);
    const ViewAxes axes = axes_of(camera);

    const double aspect = static_cast<double>(framing.width) / static_cast<double>(framing.height);
    const double shorter = std::min(1.0, aspect);  // of the sides, in picture heights
    const double tall = 1.0 - 2.0 * framing.margin * shorter, wide = aspect - 2.0 * framing.margin * shorter;
    const double slope = framing.orthographic ? 0.0 : std::tan(0.5 * framing.view_angle);
    const double slope_y = slope * tall, slope_x = slope * wide;

    // A point is left of the right edge when x - slope * depth <= 0, its depth being measured from the eye: with the
    // eye on the line through (mx, my), the largest x + slope * z over all points tells where that edge has to be,
    // whatever the others do.
    Reach x, y, z;
    for (const Vec3& p : points) {
        if (!is_finite(p)) continue;
        const double px = dot(p, axes.right), py = dot(p, axes.up), pz = dot(p, axes.back);
        x.add(px - slope_x * pz, px + slope_x * pz);
        y.add(py - slope_y * pz, py + slope_y * pz);
        z.add(pz, pz);
    }
    if (z.size() < 0.0) x = y = z = {-1.0, 1.0};
    const double least = 1e-9 + 1e-6 * std::max({std::abs(x.middle()), std::abs(y.middle()), std::abs(z.middle())});
    const Vec3 centre = x.middle() * axes.right + y.middle() * axes.up + z.middle() * axes.back;
    if (framing.orthographic) {
        camera.height = std::max({y.size() / tall, x.size() / wide, least});
        camera.target = centre;
        camera.eye = centre + (z.size() + camera.height) * axes.back;
        return camera;
    }
    const double eye_z = std::max({0.5 * x.size() / slope_x, 0.5 * y.size() / slope_y, z.high + least});
    camera.eye = x.middle() * axes.right + y.middle() * axes.up + eye_z * axes.back;
    camera.target = camera.eye + (std::min(z.middle(), eye_z - least) - eye_z) * axes.back;
    return camera;
}

Camera fit_camera(const DrawBox& box, const Framing& framing) {
    std::vector<Vec3> corners;
    for (int k = 0; k < 8 && !box.empty(); ++k) {
        corners.push_back({(k & 1) != 0 ? box.high.x : box.low.x, (k & 2) != 0 ? box.high.y : box.low.y,
                           (k & 4) != 0 ? box.high.z : box.low.z});
    }
    return fit_camera(corners, framing);
}

Camera moved(Camera camera, const Vec3& offset) {
    camera.eye += offset;
    camera.target += offset;
    return camera;
}

double scale_at(const Camera& camera, int height, double depth) {
    const double visible = camera.orthographic ? camera.height : 2.0 * depth * std::tan(0.5 * camera.view_angle);
    return static_cast<double>(height) / visible;
}

Projected project(const Camera& camera, int width, int height, const Vec3& point) {
    const ViewAxes axes = axes_of(camera);
    const Vec3 from_eye = point - camera.eye;
    const double depth = -dot(from_eye, axes.back), scale = scale_at(camera, height, depth);
    return {0.5 * width + scale * dot(from_eye, axes.right), 0.5 * height - scale * dot(from_eye, axes.up), depth};
}

std::array<float, 3> to_float(const Vec3& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

std::array<float, 16> to_float(const Matrix4& m) {
    std::array<float, 16> out{};
    for (std::size_t k = 0; k < 16; ++k) out[k] = static_cast<float>(m[k]);
    return out;
}

Matrix4 operator*(const Matrix4& a, const Matrix4& b) {
    Matrix4 c{};
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < 4; ++j)
            for (std::size_t k = 0; k < 4; ++k) c[4 * j + i] += a[4 * k + i] * b[4 * j + k];
    }
    return c;
}

Matrix4 view_matrix(const Camera& camera) {
    const ViewAxes a = axes_of(camera);
    return {a.right.x,
            a.up.x,
            a.back.x,
            0.0,
            a.right.y,
            a.up.y,
            a.back.y,
            0.0,
            a.right.z,
            a.up.z,
            a.back.z,
            0.0,
            -dot(a.right, camera.eye),
            -dot(a.up, camera.eye),
            -dot(a.back, camera.eye),
            1.0};
}

Matrix4 projection_matrix(const Camera& camera, int width, int height, double near, double far) {
    const double aspect = static_cast<double>(width) / static_cast<double>(height), depth = far - near;
    if (camera.orthographic) {
        return {2.0 / (camera.height * aspect),
                0.0,
                0.0,
                0.0,
                0.0,
                2.0 / camera.height,
                0.0,
                0.0,
                0.0,
                0.0,
                -2.0 / depth,
                0.0,
                0.0,
                0.0,
                -(far + near) / depth,
                1.0};
    }
    const double f = 1.0 / std::tan(0.5 * camera.view_angle);
    return {f / aspect,
            0.0,
            0.0,
            0.0,
            0.0,
            f,
            0.0,
            0.0,
            0.0,
            0.0,
            -(far + near) / depth,
            -1.0,
            0.0,
            0.0,
            -2.0 * far * near / depth,
            0.0};
}

}  // namespace limber
