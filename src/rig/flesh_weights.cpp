#include "rig/flesh_weights.hpp"

#include "core/rotation.hpp"
#include "core/text.hpp"
#include "geometry/harmonic.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <limits>
#include <map>

namespace limber {
namespace {

constexpr double kLeastWeight = 1e-4;
constexpr double kAboutAsMuch = 0.7;  // of the flesh that follows the strongest joint: then the middle one counts

/// Of one vertex: joint of the rig and weight.
using Weights = std::vector<std::pair<std::int32_t, double>>;

void add(Weights& sum, const Influences& influences, double factor) {
    for (std::size_t k = 0; k < Influences::kMost; ++k) {
        const double weight = factor * influences.weight[k];
        if (weight <= 0.0) continue;
        const auto at = std::find_if(sum.begin(), sum.end(),
                                     [&](const auto& s) { return s.first == influences.joint[k]; });
        if (at == sum.end())
            sum.emplace_back(influences.joint[k], weight);
        else
            at->second += weight;
    }
}

/// The largest ones, brought to sum 1; joints still of the rig.
Influences strongest(Weights weights) {
    std::stable_sort(weights.begin(), weights.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    if (weights.size() > Influences::kMost) weights.resize(Influences::kMost);
    while (weights.size() > 1 && weights.back().second < kLeastWeight) weights.pop_back();
    Influences out;
    double sum = 0.0;
    for (const auto& w : weights) sum += w.second;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        out.joint[k] = weights[k].first;
        out.weight[k] = weights[k].second / sum;
    }
    return out;
}

/// The joint that most of the part's flesh follows. Of several that are about as strong (a chain within one part) the
/// one whose flesh is nearest to the part's middle: an end of the chain would swing the other end about.
std::int32_t strongest_joint(const std::map<std::int32_t, std::vector<double>>& columns, const Mesh& cells,
                             const std::vector<std::int32_t>& origin) {
    struct Flesh {
        double weight = 0.0;
        Vec3 middle;  ///< times weight
    };
    std::map<std::int32_t, Flesh> of;
    Vec3 middle;
    double most = 0.0;
    const auto count = static_cast<double>(origin.size());
    for (const std::int32_t o : origin) middle += cells.vertices[static_cast<std::size_t>(o)] / count;
    for (const auto& [joint, column] : columns) {
        Flesh& flesh = of[joint];
        for (const std::int32_t o : origin) {
            const auto v = static_cast<std::size_t>(o);
            flesh.weight += column[v];
            flesh.middle += cells.vertices[v] * column[v];
        }
        most = std::max(most, flesh.weight);
    }
    std::int32_t out = 0;
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& [joint, flesh] : of) {
        if (!(flesh.weight > 0.0) || flesh.weight < kAboutAsMuch * most) continue;
        const double away = norm(flesh.middle / flesh.weight - middle);
        if (away < nearest) {
            nearest = away;
            out = joint;
        }
    }
    return out;
}

}  // namespace

HeldWeights weigh_held(const FleshGround& ground, const FleshCells& cells, const std::vector<std::int32_t>& origin,
                       const std::vector<std::int32_t>& bone, const IndexSet& held) {
    const std::size_t n = cells.mesh.vertices.size();
    std::vector<Weights> known(n);
    for (std::size_t v = 0; v < n; ++v) {
        for (std::size_t k = 0; cells.on_skin[v] && k < 3; ++k) {
            add(known[v], ground.skin.influences(static_cast<std::size_t>(cells.skin_point[v].vertex[k])),
                cells.skin_point[v].weight[k]);
        }
    }
    for (std::size_t v = 0; v < origin.size(); ++v) {
        if (bone[v] >= 0)
            known[static_cast<std::size_t>(origin[v])] = {{ground.bones[static_cast<std::size_t>(bone[v])].joint, 1.0}};
    }
    std::map<std::int32_t, std::vector<double>> columns;  // by joint: one per vertex
    std::vector<char> is_known(n, 0);
    for (std::size_t v = 0; v < n; ++v) {
        is_known[v] = known[v].empty() ? 0 : 1;
        for (const auto& [joint, weight] : known[v]) columns.try_emplace(joint, n, 0.0).first->second[v] = weight;
    }
    const HarmonicField field(cells.mesh, is_known);
    for (auto& [joint, column] : columns) column = field.extend(column);

    HeldWeights out;
    std::map<std::int32_t, double> total;  // per joint of the rig
    for (const std::int32_t h : held) {
        Weights weights;
        const auto v = static_cast<std::size_t>(origin[static_cast<std::size_t>(h)]);
        for (const auto& [joint, column] : columns)
            if (column[v] > 0.0) weights.emplace_back(joint, column[v]);
        // Where a closed hole is all that a piece has, nothing was known.
        if (weights.empty()) {
            add(weights,
                ground.skin.influences(static_cast<std::size_t>(ground.skin.nearest(cells.mesh.vertices[v]).vertex[0])),
                1.0);
        }
        out.influences.push_back(strongest(std::move(weights)));
        for (std::size_t k = 0; k < Influences::kMost; ++k) {
            if (out.influences.back().weight[k] > 0.0)
                total[out.influences.back().joint[k]] += out.influences.back().weight[k];
        }
    }
    std::map<std::int32_t, std::int32_t> place;
    for (const auto& [joint, sum] : total) {
        const Affine& world = ground.bind.world[static_cast<std::size_t>(joint)];
        if (!invertible(world.linear)) {
            throw Error(Fault::bad_mesh, {ground.rig.source, 0, {}},
                        text("the bone '", ground.rig.joints[static_cast<std::size_t>(joint)].name,
                             "' is flat in the bind pose"),
                        "bones with scales other than 0");
        }
        place[joint] = static_cast<std::int32_t>(out.binding.joints.size());
        out.binding.joints.push_back(joint);
        out.binding.inverse_bind.push_back(inverse(world));
    }
    out.reference = strongest_joint(columns, cells.mesh, origin);
    for (Influences& v : out.influences)
        for (std::size_t k = 0; k < Influences::kMost; ++k) v.joint[k] = v.weight[k] > 0.0 ? place[v.joint[k]] : 0;
    return out;
}

}  // namespace limber
