#include "dyrt/export_choice.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

TargetContribution::TargetContribution(const DyrtPart& part, std::size_t part_index,
                                       std::span<const std::vector<DyrtTrack>> tracks, const std::vector<char>& still)
    : m_(part.count()), product_(m_ * m_, 0.0) {
    const std::size_t n = part.vertices.size();
    for (std::size_t k = 0; k < m_; ++k) {
        for (std::size_t j = 0; j <= k; ++j) {
            double shapes = 0.0, stilled = 0.0, motion = 0.0;
            for (std::size_t v = 0; v < n; ++v)
                (still[v] ? stilled : shapes) += dot(part.displacements[k * n + v], part.displacements[j * n + v]);
            for (const std::vector<DyrtTrack>& clip : tracks) {
                if (clip.empty()) continue;
                const DyrtTrack& track = clip[part_index];
                for (std::size_t i = 0; i < track.times.size(); ++i)
                    motion += track.amplitudes[i * m_ + k] * track.amplitudes[i * m_ + j];
            }
            // Without a clip nobody knows what will move: every amplitude alike, each by itself.
            if (tracks.empty() || std::all_of(tracks.begin(), tracks.end(), [](const auto& t) { return t.empty(); }))
                motion = k == j ? 1.0 : 0.0;
            product_[k * m_ + j] = product_[j * m_ + k] = shapes * motion;
            gone_ += (k == j ? 1.0 : 2.0) * stilled * motion;
        }
    }
    for (const double p : product_) all_ += p;
    all_ += gone_;
}

double TargetContribution::lost(const std::vector<char>& kept) const {
    double sum = gone_;
    for (std::size_t k = 0; k < m_; ++k) {
        for (std::size_t j = 0; !kept[k] && j < m_; ++j)
            if (!kept[j]) sum += product_[k * m_ + j];
    }
    return all_ > 0.0 ? std::sqrt(std::max(sum, 0.0) / all_) : 0.0;
}

std::vector<std::vector<char>> choose_targets(std::span<const DyrtPart> parts,
                                              std::span<const TargetContribution> worth,
                                              std::span<const TargetLimit> rooms) {
    std::vector<std::vector<char>> kept;
    for (const DyrtPart& p : parts) kept.emplace_back(p.count(), char{1});
    const auto count = [&](std::size_t p) {
        return static_cast<std::size_t>(std::count(kept[p].begin(), kept[p].end(), char{1}));
    };
    for (const TargetLimit& room : rooms) {
        for (;;) {
            std::size_t used = 0, best_part = 0, best = 0;
            double least = INFINITY;
            for (const std::size_t p : room.parts) used += count(p);
            if (used <= room.most) break;
            for (const std::size_t p : room.parts) {
                for (std::size_t k = 0; count(p) > 1 && k < kept[p].size(); ++k) {
                    if (!kept[p][k]) continue;
                    kept[p][k] = 0;
                    const double lost = worth[p].lost(kept[p]);
                    kept[p][k] = 1;
                    if (lost < least) {
                        least = lost;
                        best_part = p;
                        best = k;
                    }
                }
            }
            if (least == INFINITY) break;  // one target each is left
            kept[best_part][best] = 0;
        }
    }
    return kept;
}

}  // namespace limber
