// Camera: from where a picture is taken. y is up; the front of things looks to +z.
#pragma once

#include "render/draw_list.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace limber {

struct Camera {
    Vec3 eye{0.0, 0.0, 5.0};  ///< [m]
    Vec3 target;              ///< in the middle of the picture [m]
    Vec3 up{0.0, 1.0, 0.0};
    double view_angle = 0.55;   ///< between the upper and the lower edge of the picture [rad]
    bool orthographic = false;  ///< then `height` counts and not `view_angle`
    double height = 2.0;        ///< from the upper to the lower edge [m]
};

/// Throws Error{bad_usage} on numbers that give no picture.
void check(const Camera& camera);

/// From where to look: the eye goes `turn` about the y axis (0: on +z, 90 degrees: on +x) and `rise` above the ground.
struct ViewDirection {
    double turn = 0.0, rise = 0.0;  ///< [rad]
};
/// "front", "back", "left", "right", "side" (= right), "top", "bottom", "three-quarter"; or two angles "turn,rise" in
/// degrees. Left and right are where the eye is, seen from the front: "right" looks from +x. Throws Error{bad_usage}.
ViewDirection parse_view(const std::string& name);
std::vector<std::string> view_names();

struct Framing {
    ViewDirection direction{0.61, 0.31};  ///< three-quarter
    double margin = 0.08;                 ///< free part of the picture's shorter side at every edge
    double view_angle = 0.55;             ///< [rad]
    bool orthographic = false;
    int width = 800, height = 600;  ///< [px] of the picture, or of the part of it that must hold the points
};
/// The nearest camera in that direction whose picture holds all points with the margin. Throws Error{bad_usage} on a
/// margin above 0.45.
Camera fit_camera(std::span<const Vec3> points, const Framing& framing);
Camera fit_camera(const DrawBox& box, const Framing& framing);
/// The same view from elsewhere: to follow a body, move the camera by what the body's centre has moved.
Camera moved(Camera camera, const Vec3& offset);

/// Where a point is in a picture.
struct Projected {
    double x = 0.0, y = 0.0;  ///< [px] from the upper left corner; pixel centres are at .5
    double depth = 0.0;       ///< before the eye along the view [m]; negative: behind it
};
Projected project(const Camera& camera, int width, int height, const Vec3& point);
/// Pixels per metre at a depth.
double scale_at(const Camera& camera, int height, double depth);

/// Column by column, as OpenGL takes them.
using Matrix4 = std::array<double, 16>;
Matrix4 operator*(const Matrix4& a, const Matrix4& b);
/// As OpenGL takes them.
std::array<float, 3> to_float(const Vec3& v);
std::array<float, 16> to_float(const Matrix4& m);
Matrix4 view_matrix(const Camera& camera);
Matrix4 projection_matrix(const Camera& camera, int width, int height, double near, double far);

}  // namespace limber
