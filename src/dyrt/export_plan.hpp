// How a DyRT goes into meshes: which triangles the same parts move, which node holds them, and which targets it has.
#pragma once

#include <limber/tools/dyrt.hpp>

#include <utility>
#include <vector>

namespace limber {

using ExportParts = std::vector<std::size_t>;  // flesh parts, ascending

/// Triangles of one source part that the same flesh parts move.
struct ExportPiece {
    std::size_t source = 0;
    ExportParts moved_by;
    std::vector<std::size_t> triangles;
    std::int32_t node = -1;  ///< into ExportPlan::nodes; -1 = stays where it was
};

/// One list of weights.
struct ExportNode {
    std::int32_t joint = 0;
    ExportParts moved_by;
    std::size_t source = 0;  ///< a source part whose own morphs it has
    std::size_t own = 0;     ///< how many those are
    bool own_normals = false;
};

struct ExportTarget {
    std::size_t part = 0, oscillator = 0;
    double sign = 1.0;
    bool one_sided = false;
};

struct ExportPlan {
    /// Per source part and vertex: the flesh parts that move it, and as their how manieth.
    std::vector<std::vector<std::vector<std::pair<std::size_t, std::size_t>>>> touched;
    std::vector<ExportPiece> pieces;
    std::vector<ExportNode> nodes;
    std::vector<std::vector<ExportTarget>> targets;  ///< per node
};

/// Morphed attributes of one mesh that every glTF client should take [glTF 2.0, 3.7.2.2].
inline constexpr std::size_t kSureAttributes = 8;
/// Whether the client takes normals from targets.
bool takes_normals(DyrtExport::Client client);

/// Fills joints, scales, kept, still, dropped and normals of `out` too.
ExportPlan plan_export(const Rig& rig, std::span<const DyrtPart> parts, std::span<const std::vector<DyrtTrack>> tracks,
                       const DyrtExport& settings, DyrtExported& out);

}  // namespace limber
