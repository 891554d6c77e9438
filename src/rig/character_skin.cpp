#include "rig/character_skin.hpp"

#include "core/text.hpp"
#include "rig/posed_surface.hpp"

#include <limber/error.hpp>

#include <cmath>
#include <utility>

namespace limber {
namespace {

/// Of one vertex, into Rig::joints.
Influences in_rig(const Rig& rig, const SkinPart& part, std::size_t v) {
    Influences out;
    if (part.binding < 0) {
        out.joint[0] = part.joint;
        out.weight[0] = 1.0;
        return out;
    }
    const SkinBinding& binding = rig.bindings[static_cast<std::size_t>(part.binding)];
    for (std::size_t k = 0; k < Influences::kMost; ++k) {
        out.weight[k] = part.influences[v].weight[k];
        out.joint[k] = binding.joints[static_cast<std::size_t>(part.influences[v].joint[k])];
    }
    return out;
}

/// A root with a negative scale mirrors the whole character, and all of its triangles look inward.
void turn_outward(Surface& surface) {
    double volume = 0.0;
    const auto at = [&](std::size_t i) {
        return surface.vertices[static_cast<std::size_t>(surface.faces[i])] - surface.vertices[0];
    };
    for (std::size_t i = 0; i + 3 <= surface.faces.size(); i += 3) volume += dot(at(i), cross(at(i + 1), at(i + 2)));
    for (std::size_t i = 0; volume < 0.0 && i + 3 <= surface.faces.size(); i += 3)
        std::swap(surface.faces[i + 1], surface.faces[i + 2]);
}

}  // namespace

std::array<double, 3> weights_in_triangle(const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
    const std::array<double, 3> area{norm(cross(b - q, c - q)), norm(cross(c - q, a - q)), norm(cross(a - q, b - q))};
    const double sum = area[0] + area[1] + area[2];
    if (!(sum > 0.0)) return {1.0, 0.0, 0.0};
    return {area[0] / sum, area[1] / sum, area[2] / sum};
}

CharacterSkin::CharacterSkin(const Rig& rig, const Pose& bind, Progress& progress) {
    bool any = false;
    for (const SkinPart& part : rig.parts) {
        if (part.binding < 0 && part.joint < 0) {
            throw Error(Fault::bad_usage, {rig.source, 0, {}}, text("the mesh '", part.name, "' hangs on no bone"),
                        "a rig whose meshes are skinned or held by a joint");
        }
        first_.push_back(influences_.size());
        for (std::size_t v = 0; v < part.positions.size(); ++v) influences_.push_back(in_rig(rig, part, v));
        any = any || !part.triangles.empty();
    }
    if (!any) {
        throw Error(Fault::bad_usage, {rig.source, 0, {}}, "no skin: only bones and motion",
                    "a rig with meshes (.glb, .gltf)");
    }
    NamedSurface whole{{}, posed_surface(rig, bind)};
    turn_outward(whole.surface);
    triangles_.vertices = whole.surface.vertices;
    for (std::size_t i = 0; i + 3 <= whole.surface.faces.size(); i += 3)
        triangles_.corners.push_back({whole.surface.faces[i], whole.surface.faces[i + 1], whole.surface.faces[i + 2]});
    std::vector<SolidFinding> findings;  // seams of texture and paint are joined here: no news to anyone
    shape_ = make_shape(std::span(&whole, 1), findings, progress);
    tree_ = std::make_unique<TriangleTree>(triangles_);
}

double CharacterSkin::way_out(const Vec3& point, const Vec3& direction) const {
    constexpr int kMostSurfaces = 16;
    if (!inside(point)) return 0.0;
    const double beyond = 1e-6 * box().diagonal();
    double way = 0.0;
    for (int i = 0; i < kMostSurfaces; ++i) {
        const double hit = tree_->first_hit(point + direction * way, direction);
        if (!std::isfinite(hit)) break;  // through a hole
        way += hit + beyond;
        if (!inside(point + direction * way)) break;
    }
    return way;
}

CharacterSkin::Point CharacterSkin::nearest(const Vec3& point) const {
    const TriangleTree::Nearest at = tree_->nearest(point);
    const auto t = static_cast<std::size_t>(at.triangle);
    return {triangles_.corners[t],
            weights_in_triangle(at.point, triangles_.at(t, 0), triangles_.at(t, 1), triangles_.at(t, 2)), at.distance};
}

}  // namespace limber
