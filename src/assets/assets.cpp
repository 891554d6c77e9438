#include <limber/tools/assets.hpp>

#include "assets/paint_seams.hpp"
#include "assets/polygonise.hpp"
#include "core/spelling.hpp"
#include "core/text.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

using MakeShape = ShapeGroup (*)();
constexpr std::pair<const char*, MakeShape> kShapes[] = {
    {"jelly_cube", jelly_cube_shape}, {"ball", ball_shape},         {"torus", torus_shape}, {"duck", duck_shape},
    {"chain", chain_shape},           {"cucumber", cucumber_shape}, {"curl", curl_shape},   {"organ", organ_shape},
    {"humanoid", humanoid_shape}};
constexpr double kCoarse = 30.0;           // cells along the diagonal when the area is measured
constexpr double kTrianglesPerArea = 4.3;  // of one cell_size squared, about

double area_of(const Triangles& t) {
    double sum = 0.0;
    for (std::size_t i = 0; i < t.size(); ++i) sum += norm(t.area_vector(i));
    return sum;
}

/// Around the middle of the shape's box; u turns about y. Corners of a face stay together where u jumps from 1 to 0.
std::vector<std::array<double, 2>> wrap_around(const Triangles& t, const Shape& shape) {
    const Vec3 middle = 0.5 * (shape.box.low + shape.box.high);
    std::vector<std::array<double, 2>> out;
    for (std::size_t i = 0; i < t.size(); ++i) {
        double first = 0.0;
        for (int k = 0; k < 3; ++k) {
            const Vec3 d = t.at(i, k) - middle;
            double u = 0.5 + std::atan2(d.x, d.z) / (2.0 * std::numbers::pi);
            if (k == 0)
                first = u;
            else
                u -= std::round(u - first);
            const double v = shape.wrap == Wrap::globe
                                 ? 0.5 + std::asin(norm(d) > 0.0 ? d.y / norm(d) : 0.0) / std::numbers::pi
                                 : 0.5 + d.y / shape.box.size().y;
            out.push_back({u, v});
        }
    }
    return out;
}

AssetSurface painted(const Shape& shape, Triangles t, double cell_size) {
    AssetSurface out;
    out.face_paint = paint_along_seams(shape, t, cell_size);
    out.name = shape.name;
    out.paints = shape.paints;
    out.surface.vertices = t.vertices;
    for (std::size_t i = 0; i < t.size(); ++i) {
        out.surface.faces.insert(out.surface.faces.end(), t.corners[i].begin(), t.corners[i].end());
        out.surface.face_starts.push_back(static_cast<std::int32_t>(out.surface.faces.size()));
    }
    out.corner_uv = wrap_around(t, shape);
    return out;
}

}  // namespace

std::vector<std::string> asset_names() {
    std::vector<std::string> out;
    for (const auto& [name, make] : kShapes) out.emplace_back(name);
    return out;
}

ShapeGroup shape_group(const std::string& name) {
    for (const auto& [known, make] : kShapes)
        if (name == known) return make();
    const std::vector<std::string> names = asset_names();
    throw Error(Fault::bad_usage, InputLocation{"asset", 0, {}},
                text("unknown asset '", name, "'", suggestion(name, names)), fmt::format("{}", fmt::join(names, ", ")));
}

std::string asset_summary(const std::string& name) { return shape_group(name).summary; }

Asset make_asset(const std::string& name, int triangles) {
    if (triangles < 100 || triangles > 2'000'000)
        throw Error(Fault::bad_usage, InputLocation{"triangles", 0, {}}, text(triangles), "100 to 2000000");
    const ShapeGroup group = shape_group(name);
    double area = 0.0;
    for (const Shape& s : group.shapes)
        area += area_of(polygonise(s.field, s.box, std::min(s.detail, s.box.diagonal() / kCoarse), Evenness::raw));
    const double cell_size = std::sqrt(kTrianglesPerArea * area / triangles);
    Asset out{group.name, group.summary, {}};
    for (const Shape& s : group.shapes) {
        const double size = std::min(s.detail, cell_size);
        out.surfaces.push_back(painted(s, polygonise(s.field, s.box, size), size));
    }
    return out;
}

std::vector<NamedSurface> named_surfaces(const Asset& asset) {
    std::vector<NamedSurface> out;
    for (const AssetSurface& s : asset.surfaces)
        out.push_back({asset.surfaces.size() > 1 ? s.name : std::string(), s.surface});
    return out;
}

}  // namespace limber
