// How much a part's motion stretches and folds the skin: what looks wrong at the rim of a part long before its motion
// is large.
#pragma once

#include <limber/tools/dyrt.hpp>

#include <cstdint>
#include <vector>

namespace limber {

/// The skin's edges with at least one end that the part moves; some of them, evenly spread, where there are very many.
class SkinEdges {
public:
    SkinEdges(const Rig& rig, const DyrtPart& part);

    /// Of a track's worst frame: how much all but 2 % of the edges change at most, as a share of their length. The
    /// change is the difference of the displacements of both ends: from 1 on an edge can be turned round, and the skin
    /// folds.
    double largest_change(const DyrtPart& part, const DyrtTrack& track) const;

private:
    struct Edge {
        std::int32_t ends[2];  ///< into DyrtPart::vertices; -1 = stays where it is
        double length;         ///< at rest, in the skin part's own space
    };
    std::vector<Edge> edges_;
};

}  // namespace limber
