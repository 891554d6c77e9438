// The humanoid's skin tied to its skeleton: every vertex belongs to the nearest bone, and the borders are smoothed
// along the skin, so that nothing reaches from one leg to the other through the air.
#include <limber/tools/assets.hpp>

#include "assets/asset_parts.hpp"
#include "assets/humanoid.hpp"
#include "assets/humanoid_motion.hpp"
#include "geometry/triangles.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {
namespace {

constexpr double kSoft = 0.045;  // how far a border is smoothed [m]
constexpr std::size_t kMostInfluences = 4;
constexpr double kLeastWeight = 0.01;

using Weights = std::array<double, kHumanoidJoints>;

/// About how thick the flesh around each bone is [m]: distances are compared in these.
constexpr std::array<double, kHumanoidJoints> kThick{0.13,  0.12,  0.14,  0.066, 0.12,  0.075, 0.066,
                                                     0.055, 0.052, 0.075, 0.066, 0.055, 0.052, 0.088,
                                                     0.066, 0.056, 0.056, 0.088, 0.066, 0.056, 0.056};

std::size_t nearest_bone(const Vec3& p) {
    std::size_t best = 0;
    double least = 1e9;
    const auto joints = humanoid_joints();
    for (std::size_t j = 0; j < joints.size(); ++j) {
        const Vec3 along = joints[j].end - joints[j].at;
        const double t = std::clamp(dot(p - joints[j].at, along) / norm2(along), 0.0, 1.0);
        const double d = norm(p - joints[j].at - t * along) / kThick[j];
        if (d < least) {
            least = d;
            best = j;
        }
    }
    return best;
}

std::vector<Weights> skin_weights(const Triangles& t) {
    std::vector<Weights> now(t.vertices.size(), Weights{});
    for (std::size_t v = 0; v < now.size(); ++v) now[v][nearest_bone(t.vertices[v])] = 1.0;
    double edges = 0.0;
    for (std::size_t i = 0; i < t.size(); ++i) edges += norm(t.at(i, 1) - t.at(i, 0));
    const double edge = edges / static_cast<double>(t.size());
    const int rounds = static_cast<int>(
        std::ceil(2.0 * (kSoft / edge) * (kSoft / edge)));  // a random walk of that reach
    for (int round = 0; round < rounds; ++round) {
        std::vector<Weights> sum(now.size(), Weights{});
        std::vector<double> count(now.size(), 0.0);
        for (const auto& c : t.corners) {
            for (std::size_t k = 0; k < 3; ++k) {
                const auto a = static_cast<std::size_t>(c[k]), b = static_cast<std::size_t>(c[(k + 1) % 3]);
                for (std::size_t j = 0; j < kHumanoidJoints; ++j) sum[a][j] += now[b][j];
                count[a] += 1.0;
            }
        }
        for (std::size_t v = 0; v < now.size(); ++v) {
            for (std::size_t j = 0; j < kHumanoidJoints; ++j)
                now[v][j] = 0.5 * now[v][j] + 0.5 * sum[v][j] / std::max(count[v], 1.0);
        }
    }
    return now;
}

/// As an artist would paint it: the front of the belly is free, the back and the flanks are not.
double belly(const Vec3& p) {
    constexpr Vec3 kMiddle{0, 1.015, 0.090};
    constexpr double kFree = 0.100, kHeld = 0.200;  // [m]
    const double u = std::clamp((kHeld - norm(p - kMiddle)) / (kHeld - kFree), 0.0, 1.0);
    return u * u * (3.0 - 2.0 * u);
}

Influences strongest(const Weights& w) {
    std::array<std::int32_t, kHumanoidJoints> order{};
    for (std::size_t j = 0; j < order.size(); ++j) order[j] = static_cast<std::int32_t>(j);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return w[static_cast<std::size_t>(a)] > w[static_cast<std::size_t>(b)];
    });
    Influences out;
    double sum = 0.0;
    for (std::size_t k = 0; k < kMostInfluences; ++k) {
        const double weight = w[static_cast<std::size_t>(order[k])];
        if (k > 0 && weight < kLeastWeight) break;
        out.joint[k] = order[k];
        out.weight[k] = weight;
        sum += weight;
    }
    for (double& weight : out.weight) weight /= sum;
    return out;
}

}  // namespace

Rig make_humanoid(int triangles) {
    const Asset asset = make_asset("humanoid", triangles);
    const AssetSurface& flesh = asset.surfaces.front();
    Rig rig;
    rig.source = "limber humanoid";
    const auto joints = humanoid_joints();
    for (const HumanoidJoint& j : joints) {
        Joint joint;
        joint.name = j.name;
        joint.parent = j.parent;
        joint.rest.translation = j.parent < 0 ? j.at : j.at - joints[static_cast<std::size_t>(j.parent)].at;
        rig.joints.push_back(joint);
    }
    rig.bindings.push_back(bind_at_rest(rig));
    rig.materials = looks_of(flesh);
    const std::vector<Weights> weights = skin_weights(triangulate(flesh.surface));
    for (PaintedPart& painted : painted_parts(flesh)) {
        painted.part.binding = 0;
        for (const std::int32_t v : painted.source)
            painted.part.influences.push_back(strongest(weights[static_cast<std::size_t>(v)]));
        Paint paint{"_BELLY", {}};
        for (const Vec3& p : painted.part.positions) paint.values.push_back(belly(p));
        painted.part.paint.push_back(std::move(paint));
        rig.parts.push_back(std::move(painted.part));
    }
    rig.clips = {walk_clip(), jump_clip()};
    return rig;
}

}  // namespace limber
