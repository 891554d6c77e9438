// One pattern per cell kind says which new nodes a cell gets and which parts it falls into; the rest is numbering.
#include "geometry/refine.hpp"

#include "core/text.hpp"
#include "geometry/cell_topology.hpp"
#include "geometry/generate.hpp"
#include "geometry/shape.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace limber {
namespace {

/// How one cell is cut. Local nodes: the cell's own first, then the new ones.
struct Pattern {
    std::vector<std::vector<int>> new_nodes;  ///< each by the nodes of the cell it lies between
    std::vector<std::vector<int>> parts;      ///< local nodes, corners_of(kind) each
};

/// A new node by the vertices it lies between, ascending, so that neighbouring cells find the same one.
struct NodeKey {
    static constexpr std::size_t kMost = 8;
    std::array<std::int32_t, kMost> between;
    std::int32_t count = 0;
    /// Middles of edges first, then of faces, then of cells.
    friend bool operator<(const NodeKey& a, const NodeKey& b) {
        return a.count != b.count ? a.count < b.count : a.between < b.between;
    }
    friend bool operator==(const NodeKey& a, const NodeKey& b) { return a.count == b.count && a.between == b.between; }
};

NodeKey key_of(const std::int32_t* cell, const std::vector<int>& between) {
    NodeKey key;
    key.between.fill(std::numeric_limits<std::int32_t>::max());
    key.count = static_cast<std::int32_t>(between.size());
    for (std::size_t i = 0; i < between.size(); ++i) key.between[i] = cell[between[i]];
    std::sort(key.between.begin(), key.between.begin() + key.count);
    return key;
}

/// Local number of the node between these; added when the pattern does not have it yet.
int node_between(Pattern& pattern, CellKind kind, std::vector<int> between) {
    if (between.size() == 1) return between[0];
    std::sort(between.begin(), between.end());
    const auto at = std::find(pattern.new_nodes.begin(), pattern.new_nodes.end(), between);
    const auto index = at - pattern.new_nodes.begin();
    if (at == pattern.new_nodes.end()) pattern.new_nodes.push_back(std::move(between));
    return corners_of(kind) + static_cast<int>(index);
}

/// Quads and hexes: a lattice of three nodes along each axis; node 1 of an axis lies between its two ends.
Pattern lattice_pattern(CellKind kind) {
    static constexpr std::array<std::array<int, 3>, 8> kCorner{
        {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
    const auto corners = static_cast<std::size_t>(corners_of(kind));
    Pattern pattern;
    const auto node = [&](const std::array<int, 3>& at) {
        std::vector<int> between;
        for (std::size_t c = 0; c < corners; ++c) {
            bool touches = true;
            for (std::size_t axis = 0; axis < 3; ++axis)
                touches = touches && (at[axis] == 1 || at[axis] == 2 * kCorner[c][axis]);
            if (touches) between.push_back(static_cast<int>(c));
        }
        return node_between(pattern, kind, std::move(between));
    };
    for (std::size_t p = 0; p < corners; ++p) {
        std::vector<int> part;
        for (std::size_t c = 0; c < corners; ++c) {
            std::array<int, 3> at{};
            for (std::size_t axis = 0; axis < 3; ++axis) at[axis] = kCorner[p][axis] + kCorner[c][axis];
            if (kind == CellKind::quad4) at[2] = 0;
            part.push_back(node(at));
        }
        pattern.parts.push_back(std::move(part));
    }
    return pattern;
}

Pattern triangle_pattern() {
    Pattern pattern;
    const auto mid = [&](int p, int q) { return node_between(pattern, CellKind::tri3, {p, q}); };
    const int a = mid(0, 1), b = mid(1, 2), c = mid(0, 2);
    pattern.parts = {{0, a, c}, {a, 1, b}, {c, b, 2}, {a, b, c}};
    return pattern;
}

/// Opposite corners of the octahedron inside a tet, as tet10's mid-edge nodes, and the four others in a ring around
/// them.
struct Diagonal {
    int from, to;
    std::array<int, 4> ring;
};
constexpr std::array<Diagonal, 3> kDiagonals{{{4, 9, {6, 5, 8, 7}}, {5, 7, {4, 6, 9, 8}}, {6, 8, {4, 5, 9, 7}}}};

/// The eight tets on the ten nodes of a tet10, right-handed.
std::vector<std::array<int, 4>> eight_tets(const Diagonal& diagonal) {
    std::vector<std::array<int, 4>> tets{{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3}};
    for (std::size_t i = 0; i < 4; ++i)
        tets.push_back({diagonal.from, diagonal.to, diagonal.ring[i], diagonal.ring[(i + 1) % 4]});
    for (std::array<int, 4>& t : tets) {
        const auto at = [&](std::size_t k) { return reference_node(CellKind::tet10, t[k]); };
        if (dot(cross(at(1) - at(0), at(2) - at(0)), at(3) - at(0)) < 0.0) std::swap(t[2], t[3]);
    }
    return tets;
}

Pattern tet_pattern(CellKind kind, const Diagonal& diagonal) {
    Pattern pattern;
    // A tet4's new nodes are the six a tet10 already has, in the same order.
    if (kind == CellKind::tet4)
        for (const auto& [p, q] : kTetEdges) pattern.new_nodes.push_back({p, q});
    for (const std::array<int, 4>& tet : eight_tets(diagonal)) {
        std::vector<int> part(tet.begin(), tet.end());
        if (kind == CellKind::tet10) {
            for (const auto& [p, q] : kTetEdges) {
                part.push_back(
                    node_between(pattern, kind, {tet[static_cast<std::size_t>(p)], tet[static_cast<std::size_t>(q)]}));
            }
        }
        pattern.parts.push_back(std::move(part));
    }
    return pattern;
}

/// The patterns of a kind: three for tets, one for each way through the inner octahedron.
std::vector<Pattern> patterns_of(CellKind kind) {
    if (kind == CellKind::tri3) return {triangle_pattern()};
    if (kind == CellKind::quad4 || kind == CellKind::hex8) return {lattice_pattern(kind)};
    std::vector<Pattern> out;
    out.reserve(std::size(kDiagonals));
    for (const Diagonal& d : kDiagonals) out.push_back(tet_pattern(kind, d));
    return out;
}

/// The shortest way through the octahedron gives the roundest parts; the first of equals.
std::size_t choose_pattern(const Mesh& mesh, std::size_t c) {
    if (mesh.kind != CellKind::tet4 && mesh.kind != CellKind::tet10) return 0;
    Vec3 x[kMaxCorners];
    gather_corners(mesh, c, x);
    const auto at = [&](int node) {
        if (mesh.kind == CellKind::tet10) return x[node];
        const auto& [p, q] = kTetEdges[static_cast<std::size_t>(node - 4)];
        return 0.5 * x[p] + 0.5 * x[q];
    };
    std::array<double, 3> length{};
    for (std::size_t d = 0; d < 3; ++d) length[d] = norm(at(kDiagonals[d].to) - at(kDiagonals[d].from));
    std::size_t best = 0;
    // A hair's difference is rounding, not shape.
    for (std::size_t d = 1; d < 3; ++d)
        if (length[d] < length[best] * (1.0 - 1e-9)) best = d;
    return best;
}

void check_cells(const Mesh& mesh) {
    const std::size_t parts = mesh.dimension() == 2 ? 4 : 8;
    if (mesh.cell_count() > static_cast<std::size_t>(kMaxGeneratedCells) / parts) {
        throw Error(Fault::unsupported, {}, text("refining ", mesh.cell_count(), " cells"),
                    text("at most ", kMaxGeneratedCells, " cells afterwards"));
    }
    for (const std::int32_t v : mesh.cells) {
        if (v < 0 || static_cast<std::size_t>(v) >= mesh.vertices.size()) {
            throw Error(Fault::bad_mesh, {},
                        text("a cell names vertex ", v, ", but the mesh has ", mesh.vertices.size()),
                        "vertex numbers within the mesh (numbered from 0)");
        }
    }
}

/// Where a new node lies. Straight cells: the mean in ascending order, the same bits from every cell around it.
Vec3 position_of(const Mesh& mesh, std::size_t c, const std::vector<int>& between, const NodeKey& key) {
    if (mesh.kind == CellKind::tet10) {
        Vec3 x[kMaxCorners];
        gather_corners(mesh, c, x);
        return map_to_cell(mesh.kind, x,
                           0.5 * reference_node(mesh.kind, between[0]) + 0.5 * reference_node(mesh.kind, between[1]));
    }
    Vec3 sum;
    for (std::size_t i = 0; i < static_cast<std::size_t>(key.count); ++i)
        sum += mesh.vertices[static_cast<std::size_t>(key.between[i])];
    return sum / static_cast<double>(key.count);
}

std::vector<char> valid_members(const IndexSet& set, std::size_t count) {
    std::vector<char> flags(count, 0);
    for (const std::int32_t v : set)
        if (v >= 0 && static_cast<std::size_t>(v) < count) flags[static_cast<std::size_t>(v)] = 1;
    return flags;
}

/// `keys[i]` says between what vertex old.vertices.size() + i of the finer mesh lies.
void grow_sets(const Mesh& old, const std::vector<NodeKey>& keys, Mesh& finer) {
    if (old.vertex_sets.empty()) return;
    const std::size_t before = old.vertices.size();
    const std::vector<char> was_outside = valid_members(boundary_of(old).vertices, before);
    const std::vector<char> is_outside = valid_members(boundary_of(finer).vertices, finer.vertices.size());
    for (const auto& [name, set] : old.vertex_sets) {
        IndexSet& grown = finer.vertex_sets[name] = set;
        const std::vector<char> inside = valid_members(set, before);
        const bool skin = std::all_of(set.begin(), set.end(), [&](std::int32_t v) {
            return v >= 0 && static_cast<std::size_t>(v) < before && was_outside[static_cast<std::size_t>(v)] != 0;
        });
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto* first = keys[i].between.data();
            const bool all = std::all_of(first, first + keys[i].count,
                                         [&](std::int32_t v) { return inside[static_cast<std::size_t>(v)] != 0; });
            if (all && (!skin || is_outside[before + i] != 0)) grown.push_back(static_cast<std::int32_t>(before + i));
        }
    }
}

void inherit_cell_sets(const Mesh& old, std::size_t parts, Mesh& finer) {
    for (const auto& [name, set] : old.cell_sets) {
        for (const std::int32_t c : set) {
            for (std::size_t p = 0; p < parts; ++p)
                finer.cell_sets[name].push_back(static_cast<std::int32_t>(static_cast<std::size_t>(c) * parts + p));
        }
    }
    for (const auto& [name, set] : old.cell_sets) finer.cell_sets[name];  // empty ones stay
}

/// Every new node once, ascending.
std::vector<NodeKey> collect_nodes(const Mesh& mesh, const std::vector<Pattern>& patterns,
                                   const std::vector<std::uint8_t>& choice) {
    std::vector<NodeKey> keys;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        for (const std::vector<int>& between : patterns[choice[c]].new_nodes)
            keys.push_back(key_of(mesh.cell(c), between));
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

void cut_cells(const Mesh& mesh, const std::vector<Pattern>& patterns, const std::vector<std::uint8_t>& choice,
               const std::vector<NodeKey>& keys, Mesh& finer) {
    const auto corners = static_cast<std::size_t>(corners_of(mesh.kind));
    std::vector<char> placed(keys.size(), 0);
    std::vector<std::int32_t> local;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        const Pattern& pattern = patterns[choice[c]];
        local.assign(mesh.cell(c), mesh.cell(c) + corners);
        for (const std::vector<int>& between : pattern.new_nodes) {
            const NodeKey key = key_of(mesh.cell(c), between);
            const auto at = static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin());
            if (!placed[at]) finer.vertices[mesh.vertices.size() + at] = position_of(mesh, c, between, key);
            placed[at] = 1;
            local.push_back(static_cast<std::int32_t>(mesh.vertices.size() + at));
        }
        for (const std::vector<int>& part : pattern.parts)
            for (const int node : part) finer.cells.push_back(local[static_cast<std::size_t>(node)]);
    }
}

}  // namespace

Mesh refine(const Mesh& mesh) {
    check_cells(mesh);
    const std::vector<Pattern> patterns = patterns_of(mesh.kind);
    std::vector<std::uint8_t> choice(mesh.cell_count());
    for (std::size_t c = 0; c < choice.size(); ++c) choice[c] = static_cast<std::uint8_t>(choose_pattern(mesh, c));
    const std::vector<NodeKey> keys = collect_nodes(mesh, patterns, choice);
    const std::size_t parts = patterns[0].parts.size();

    Mesh finer;
    finer.kind = mesh.kind;
    finer.vertices = mesh.vertices;
    finer.vertices.resize(mesh.vertices.size() + keys.size());
    finer.cells.reserve(mesh.cells.size() * parts);
    cut_cells(mesh, patterns, choice, keys, finer);
    grow_sets(mesh, keys, finer);
    inherit_cell_sets(mesh, parts, finer);
    return finer;
}

Mesh raise_order(const Mesh& tet4) {
    Mesh out = to_tet10(tet4);
    std::vector<NodeKey> keys(out.vertices.size() - tet4.vertices.size());
    for (std::size_t c = 0; c < out.cell_count(); ++c) {
        for (std::size_t e = 0; e < kTetEdges.size(); ++e) {
            keys[static_cast<std::size_t>(out.cell(c)[4 + e]) - tet4.vertices.size()] = key_of(
                out.cell(c), {kTetEdges[e][0], kTetEdges[e][1]});
        }
    }
    grow_sets(tet4, keys, out);
    return out;
}

}  // namespace limber
