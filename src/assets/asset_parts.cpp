#include "assets/asset_parts.hpp"

#include "geometry/triangles.hpp"

#include <cmath>
#include <map>

namespace limber {
namespace {

std::vector<Vec3> smooth_normals(const Triangles& t) {
    std::vector<Vec3> out(t.vertices.size());
    for (std::size_t i = 0; i < t.size(); ++i)
        for (const std::int32_t c : t.corners[i]) out[static_cast<std::size_t>(c)] += t.area_vector(i);
    for (Vec3& n : out) n = norm(n) > 0.0 ? n / norm(n) : Vec3{0, 1, 0};
    return out;
}

double linear(double srgb) { return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4); }

MaterialLook look_of(const AssetPaint& paint) {
    MaterialLook look;
    look.name = paint.name;
    for (std::size_t k = 0; k < 3; ++k) look.base_color[k] = linear(paint.colour[k]);
    look.metallic = 0.0;
    look.roughness = 0.7;
    return look;
}

PaintedPart part_of(const AssetSurface& asset, std::int32_t paint, const std::vector<Vec3>& normals) {
    PaintedPart out;
    SkinPart& part = out.part;
    part.name = asset.paints[static_cast<std::size_t>(paint)].name;
    part.material = paint;
    std::map<std::pair<std::int32_t, std::array<double, 2>>, std::int32_t> number;
    for (std::size_t f = 0; f < asset.surface.face_count(); ++f) {
        if (asset.face_paint[f] != paint) continue;
        std::array<std::int32_t, 3> corners{};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t vertex = asset.surface.faces[3 * f + k];
            const auto v = static_cast<std::size_t>(vertex);
            const std::array<double, 2> uv{asset.corner_uv[3 * f + k][0], 1.0 - asset.corner_uv[3 * f + k][1]};
            const auto [it, fresh] = number.try_emplace({vertex, uv}, static_cast<std::int32_t>(part.positions.size()));
            corners[k] = it->second;
            if (!fresh) continue;
            part.positions.push_back(asset.surface.vertices[v]);
            part.normals.push_back(normals[v]);
            part.uvs.push_back(uv);
            out.source.push_back(vertex);
        }
        part.triangles.push_back(corners);
    }
    return out;
}

}  // namespace

std::vector<PaintedPart> painted_parts(const AssetSurface& surface) {
    const std::vector<Vec3> normals = smooth_normals(triangulate(surface.surface));
    std::vector<PaintedPart> out;
    for (std::size_t p = 0; p < surface.paints.size(); ++p) {
        if (PaintedPart part = part_of(surface, static_cast<std::int32_t>(p), normals); !part.part.triangles.empty())
            out.push_back(std::move(part));
    }
    return out;
}

std::vector<MaterialLook> looks_of(const AssetSurface& surface) {
    std::vector<MaterialLook> out;
    for (const AssetPaint& paint : surface.paints) out.push_back(look_of(paint));
    return out;
}

Rig as_model(const Asset& asset) {
    Rig rig;
    rig.source = "limber " + asset.name;
    for (const AssetSurface& s : asset.surfaces) {
        const auto first = static_cast<std::int32_t>(rig.materials.size());
        for (MaterialLook& look : looks_of(s)) rig.materials.push_back(std::move(look));
        for (PaintedPart& painted : painted_parts(s)) {
            painted.part.material += first;
            rig.parts.push_back(std::move(painted.part));
        }
    }
    return rig;
}

}  // namespace limber
