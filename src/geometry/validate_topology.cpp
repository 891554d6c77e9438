// Checks on numbers alone: repeated corners, copies of cells, unused vertices, separate parts, sets.
#include "core/joined.hpp"
#include "core/text.hpp"
#include "geometry/cell_topology.hpp"
#include "geometry/validate.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace limber {

using Kind = MeshFinding::Kind;
using Severity = MeshFinding::Severity;

void check_repeated_corners(const Mesh& mesh, Findings& out) {
    const int corners = corners_of(mesh.kind);
    const auto has_repeat = [&](const std::int32_t* cell) {
        for (int a = 1; a < corners; ++a) {
            for (int b = 0; b < a; ++b)
                if (cell[a] == cell[b]) return true;
        }
        return false;
    };
    Tally bad;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c)
        if (has_repeat(mesh.cell(c))) bad.add(c);
    report(out, Kind::repeated_corner, Severity::fatal, bad,
           text(counted(bad.count, "cell"), " name the same vertex at two corners; first: cell ", bad.first));
}

void check_duplicate_cells(const Mesh& mesh, Findings& out) {
    struct Key {
        std::array<std::int32_t, 8> corner;
        std::int32_t cell;
        bool operator<(const Key& b) const { return corner != b.corner ? corner < b.corner : cell < b.cell; }
    };
    const auto corners = static_cast<std::size_t>(simplex_corners_of(mesh.kind));
    std::vector<Key> keys(mesh.cell_count());
    for (std::size_t c = 0; c < keys.size(); ++c) {
        keys[c] = {{-1, -1, -1, -1, -1, -1, -1, -1}, static_cast<std::int32_t>(c)};
        for (std::size_t k = 0; k < corners; ++k) {  // insertion sort of at most eight numbers
            std::size_t at = k;
            const std::int32_t vertex = mesh.cell(c)[k];
            for (; at > 0 && keys[c].corner[at - 1] > vertex; --at) keys[c].corner[at] = keys[c].corner[at - 1];
            keys[c].corner[at] = vertex;
        }
    }
    std::sort(keys.begin(), keys.end());
    std::size_t count = 0;
    std::int32_t first = 0, original = 0;
    for (std::size_t i = 1, group = 0; i < keys.size(); ++i) {
        if (keys[i].corner != keys[i - 1].corner) {
            group = i;
            continue;
        }
        if (count == 0 || keys[i].cell < first) {
            first = keys[i].cell;
            original = keys[group].cell;
        }
        ++count;
    }
    report(out, Kind::duplicate_cell, Severity::fatal, Tally{count, static_cast<std::size_t>(first)},
           text(counted(count, "cell"), " have the same corners as an earlier one; first: cell ", first,
                " repeats cell ", original));
}

void check_unused_vertices(const Mesh& mesh, Findings& out) {
    std::vector<char> used(mesh.vertices.size(), 0);
    for (const std::int32_t v : mesh.cells) used[static_cast<std::size_t>(v)] = 1;
    Tally unused;
    for (std::size_t v = 0; v < used.size(); ++v)
        if (!used[v]) unused.add(v);
    report(out, Kind::unused_vertex, Severity::warning, unused,
           text(unused.count == 1 ? "1 vertex belongs" : text(unused.count, " vertices belong"),
                " to no cell: without mass, ignored by the simulation; first: vertex ", unused.first));
}

void check_parts(const Mesh& mesh, Findings& out) {
    Joined joined(mesh.vertices.size());
    const int corners = corners_of(mesh.kind);
    for (std::size_t c = 0; c < mesh.cell_count(); ++c)
        for (int k = 1; k < corners; ++k) joined.join(mesh.cell(c)[0], mesh.cell(c)[k]);
    // A part is counted at the first cell that belongs to it; unused vertices belong to none.
    std::vector<char> seen(mesh.vertices.size(), 0);
    std::size_t parts = 0, second = 0;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        char& mark = seen[static_cast<std::size_t>(joined.root(mesh.cell(c)[0]))];
        if (mark) continue;
        mark = 1;
        if (++parts == 2) second = c;
    }
    if (parts < 2) return;
    report(out, Kind::disconnected_parts, Severity::warning, Tally{parts, second},
           text("the mesh consists of ", parts, " parts that share no vertex; the second starts at cell ", second,
                " and needs anchors of its own"));
}

namespace {

void check_one_set(const char* what, const std::string& name, IndexSet& set, std::size_t limit, Findings& out) {
    Tally bad;
    for (std::size_t i = 0; i < set.size(); ++i)
        if (set[i] < 0 || static_cast<std::size_t>(set[i]) >= limit) bad.add(i);
    if (bad.count > 0) {
        report(out, Kind::bad_set, Severity::fatal, bad,
               text(what, " set '", name, "' names ", bad.count, " that do not exist; first: ", set[bad.first],
                    " at place ", bad.first, ", but the mesh has ", limit, " numbered from 0"));
        return;
    }
    Tally disorder;
    for (std::size_t i = 1; i < set.size(); ++i)
        if (set[i] <= set[i - 1]) disorder.add(i);
    if (disorder.count == 0) return;
    const std::size_t before = set.size();
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    report(out, Kind::bad_set, Severity::repaired, disorder,
           text(what, " set '", name, "' was not ascending and has been sorted; ", before - set.size(),
                " repeats were dropped"));
}

}  // namespace

void check_sets(Mesh& mesh, Findings& out) {
    for (auto& [name, set] : mesh.vertex_sets) check_one_set("vertex", name, set, mesh.vertices.size(), out);
    for (auto& [name, set] : mesh.cell_sets) check_one_set("cell", name, set, mesh.cell_count(), out);
}

}  // namespace limber
