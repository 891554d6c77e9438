#include "rig/flesh_bones.hpp"

#include "geometry/cell_topology.hpp"
#include "geometry/segment.hpp"

#include <algorithm>
#include <limits>

namespace limber {
namespace {

constexpr int kSamples = 24;  // places along a bone where its distance to the skin is asked

/// Joints that some vertex follows.
std::vector<char> moves_skin(const Rig& rig, const CharacterSkin& skin) {
    std::vector<char> out(rig.joints.size(), 0);
    for (std::size_t v = 0; v < skin.vertices().size(); ++v) {
        for (std::size_t k = 0; k < Influences::kMost; ++k)
            if (skin.influences(v).weight[k] > 0.0) out[static_cast<std::size_t>(skin.influences(v).joint[k])] = 1;
    }
    return out;
}

/// The median distance to the skin of those places along the axis that are inside; 0 when none is.
double distance_to_skin(const FleshBone& bone, const CharacterSkin& skin) {
    std::vector<double> distances;
    for (int i = 0; i < kSamples; ++i) {
        const Vec3 p = bone.from + (bone.to - bone.from) * ((i + 0.5) / kSamples);
        if (skin.inside(p)) distances.push_back(skin.distance(p));
    }
    if (distances.empty()) return 0.0;
    std::sort(distances.begin(), distances.end());
    return distances[distances.size() / 2];
}

/// The end of a chain has no joint to end at (a head, a hand, the tip of a tail): its bone goes through the middle of
/// the skin that follows it, and on for half as far again as long as that is inside. Of no length where nothing follows
/// it.
Vec3 end_of(std::size_t joint, const Vec3& from, const CharacterSkin& skin) {
    constexpr double kBeyond = 1.5, kBack = 0.05;
    Vec3 middle;
    double all = 0.0;
    for (std::size_t v = 0; v < skin.vertices().size(); ++v) {
        for (std::size_t k = 0; k < Influences::kMost; ++k) {
            const double weight = skin.influences(v).weight[k];
            if (!(weight > 0.0) || static_cast<std::size_t>(skin.influences(v).joint[k]) != joint) continue;
            middle += skin.vertices()[v] * weight;
            all += weight;
        }
    }
    if (!(all > 0.0)) return from;
    const Vec3 reach = middle / all - from;
    double share = kBeyond;
    while (share > kBack && !skin.inside(from + reach * share)) share -= kBack;
    return share > kBack ? from + reach * share : from;
}

/// Whether a segment has more than a point in common with a tetrahedron of positive volume: cut by its four planes.
/// Along a face or an edge counts: bones of symmetric characters lie in the lattice's own planes.
bool passes(const Vec3& from, const Vec3& to, const std::array<Vec3, 4>& x) {
    constexpr double kRounding = 1e-9;
    double low = 0.0, high = 1.0;
    for (const LocalFacet& f : facets_of(CellKind::tet4)) {
        const Vec3 &a = x[static_cast<std::size_t>(f.corner[0])], &b = x[static_cast<std::size_t>(f.corner[1])],
                   &c = x[static_cast<std::size_t>(f.corner[2])];
        const Vec3 outward = cross(b - a, c - a);
        const double at = dot(outward, from - a), slope = dot(outward, to - from);  // outside where at + u slope > 0
        const double little = kRounding * norm(outward) * std::max(norm(to - from), norm(b - a));
        if (slope > little)
            high = std::min(high, -at / slope);
        else if (slope < -little)
            low = std::max(low, -at / slope);
        else if (at > little)
            return false;
    }
    return low < high;
}

}  // namespace

std::vector<FleshBone> bones_of(const Rig& rig, const Pose& bind, const CharacterSkin& skin,
                                const FleshSettings& settings) {
    std::vector<FleshBone> out;
    if (settings.bone_radius == 0.0) return out;
    const std::vector<char> moves = moves_skin(rig, skin);
    std::vector<char> holds(rig.joints.size(), 0);
    for (const SkinPart& part : rig.parts)
        if (part.joint >= 0) holds[static_cast<std::size_t>(part.joint)] = 1;
    std::vector<char> ends(moves);
    const auto add = [&](FleshBone bone) {
        const double depth = distance_to_skin(bone, skin);
        if (!(depth > 0.0) || !(norm(bone.to - bone.from) > 0.0)) return;
        if (bone.radius < 0.0) bone.radius = settings.bone_share * depth;
        ends[static_cast<std::size_t>(bone.joint)] = 0;
        out.push_back(bone);
    };
    for (std::size_t c = 0; c < rig.joints.size(); ++c) {
        const std::int32_t parent = rig.joints[c].parent;
        if (parent < 0 || !moves[static_cast<std::size_t>(parent)] || holds[c]) continue;
        add({parent, static_cast<std::int32_t>(c), bind.position(static_cast<std::size_t>(parent)), bind.position(c),
             settings.bone_radius});
    }
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
        if (ends[j] != 0) {
            add({static_cast<std::int32_t>(j), static_cast<std::int32_t>(j), bind.position(j),
                 end_of(j, bind.position(j), skin), settings.bone_radius});
        }
    }
    return out;
}

double radii_from(const FleshBone& bone, const Vec3& point) {
    return distance_to_segment(point, bone.from, bone.to) / bone.radius;
}

std::optional<std::size_t> bone_through(const std::vector<FleshBone>& bones, const std::array<Vec3, 4>& corners) {
    const Vec3 middle = (corners[0] + corners[1] + corners[2] + corners[3]) * 0.25;
    double reach = 0.0;
    for (const Vec3& x : corners) reach = std::max(reach, norm(x - middle));
    std::optional<std::size_t> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t b = 0; b < bones.size(); ++b) {
        const double radii = radii_from(bones[b], middle);
        if (radii >= least) continue;
        const bool near = radii * bones[b].radius <= reach;
        if (radii <= 1.0 || (near && passes(bones[b].from, bones[b].to, corners))) {
            best = b;
            least = radii;
        }
    }
    return best;
}

}  // namespace limber
