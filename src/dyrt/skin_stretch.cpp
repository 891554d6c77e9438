#include "dyrt/skin_stretch.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace limber {
namespace {

constexpr double kLeftOut = 0.02;      // of the edges: a sliver of skin must not decide on a whole part
constexpr std::size_t kEnough = 2000;  // edges to look at

}  // namespace

SkinEdges::SkinEdges(const Rig& rig, const DyrtPart& part) {
    for (std::size_t k = 0; k < rig.parts.size(); ++k) {
        const SkinPart& skin = rig.parts[k];
        std::vector<std::int32_t> moved(skin.positions.size(), -1);
        for (std::size_t v = 0; v < part.vertices.size(); ++v) {
            if (part.vertices[v].part == static_cast<std::int32_t>(k))
                moved[static_cast<std::size_t>(part.vertices[v].vertex)] = static_cast<std::int32_t>(v);
        }
        std::set<std::pair<std::int32_t, std::int32_t>> seen;
        for (const auto& t : skin.triangles) {
            for (std::size_t i = 0; i < 3; ++i) {
                const auto [a, b] = std::minmax(t[i], t[(i + 1) % 3]);
                const auto p = static_cast<std::size_t>(a), q = static_cast<std::size_t>(b);
                if ((moved[p] < 0 && moved[q] < 0) || !seen.insert({a, b}).second) continue;
                const double length = norm(skin.positions[p] - skin.positions[q]);
                if (length > 0.0) edges_.push_back({{moved[p], moved[q]}, length});
            }
        }
    }
    const std::size_t stride = edges_.size() / kEnough + 1;
    for (std::size_t i = 0; i * stride < edges_.size(); ++i) edges_[i] = edges_[i * stride];
    edges_.resize((edges_.size() + stride - 1) / stride);
}

double SkinEdges::largest_change(const DyrtPart& part, const DyrtTrack& track) const {
    if (edges_.empty()) return 0.0;
    const std::size_t n = part.vertices.size(), m = part.count();
    std::vector<Vec3> rates(edges_.size() * m);  // per oscillator and unit of its amplitude
    for (std::size_t k = 0; k < m; ++k) {
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            const auto moves = [&](std::int32_t v) {
                return v < 0 ? Vec3{} : part.displacements[k * n + static_cast<std::size_t>(v)];
            };
            rates[e * m + k] = (moves(edges_[e].ends[0]) - moves(edges_[e].ends[1])) / edges_[e].length;
        }
    }
    double worst = 0.0;
    std::vector<double> change(edges_.size());
    const auto decides = change.begin() +
                         static_cast<std::ptrdiff_t>((1.0 - kLeftOut) * static_cast<double>(change.size() - 1));
    for (std::size_t f = 0; f < track.times.size(); ++f) {
        const double* q = track.amplitudes.data() + f * m;
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            Vec3 d;
            for (std::size_t k = 0; k < m; ++k) d += rates[e * m + k] * q[k];
            change[e] = norm(d);
        }
        std::nth_element(change.begin(), decides, change.end());
        worst = std::max(worst, *decides);
    }
    return worst;
}

}  // namespace limber
