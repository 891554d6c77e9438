// Pieces that only a gap keeps apart, joined for the sake of orientation: a soup whose faces were shrunk still says
// which way its neighbours face, though no vertex is shared.
#pragma once

#include "geometry/surface_edges.hpp"

namespace limber {

/// Two open sides that lie against each other.
struct GapMatch {
    std::int32_t triangle = 0, other = 0;
    bool agree = true;      ///< they run against each other, as those of neighbours that face the same way
    double strength = 0.0;  ///< 1: no gap at all; 0: the widest that is believed
};
/// Each side with one user takes the nearest such side of another triangle, when that one takes it too and the gap at
/// either end is small beside their lengths.
std::vector<GapMatch> match_across_gaps(const Triangles& triangles, const SurfaceEdges& edges);

/// Joins patches through the matches, the strongest first, and turns (`turned`: one per triangle, by which it is read
/// and changed) those that disagree. Two that both enclose a volume stay apart: each can be judged by itself, and
/// shells that touch are not to be tied together by chance. Returns the joined patches.
Patches join_across_gaps(const Triangles& triangles, const SurfaceEdges& edges, const Patches& patches,
                         std::vector<char>& turned);

}  // namespace limber
