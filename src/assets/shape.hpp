// A shape is an asset before it has triangles: its field, the box that holds it, and how it is painted.
#pragma once

#include "geometry/triangles.hpp"

#include <limber/tools/assets.hpp>

#include <functional>

namespace limber {

/// Negative inside; asked from several threads at once.
using Field = std::function<double(const Vec3& point)>;

/// How a texture is wrapped around: a globe about `centre`, or a label around the y axis through it.
enum class Wrap { globe, label };

struct Shape {
    std::string name;
    Field field;
    Box3 box;  ///< holds the surface with a little room [m]
    std::vector<AssetPaint> paints;
    std::function<int(const Vec3&)> paint;  ///< of a point on the surface; none: the first
    Wrap wrap = Wrap::globe;
    double detail = 1e9;  ///< cells larger than this would lose a gap or a spine [m]
};

struct ShapeGroup {
    std::string name, summary;
    std::vector<Shape> shapes;
};

// One function per asset; each in the file that holds its field.
ShapeGroup jelly_cube_shape();
ShapeGroup ball_shape();
ShapeGroup torus_shape();
ShapeGroup duck_shape();
ShapeGroup chain_shape();
ShapeGroup cucumber_shape();
ShapeGroup curl_shape();
ShapeGroup organ_shape();
ShapeGroup humanoid_shape();

/// In the order of asset_names().
ShapeGroup shape_group(const std::string& name);

}  // namespace limber
