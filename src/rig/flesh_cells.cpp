#include "rig/flesh_cells.hpp"

#include "core/joined.hpp"
#include "geometry/cell_topology.hpp"

#include <algorithm>
#include <map>

namespace limber {
namespace {

bool has(const Mesh& mesh, std::int32_t cell, const LocalFacet& f, std::int32_t vertex) {
    const std::int32_t* c = mesh.cell(static_cast<std::size_t>(cell));
    return c[f.corner[0]] == vertex || c[f.corner[1]] == vertex || c[f.corner[2]] == vertex;
}

/// The cells around every vertex.
struct Stars {
    std::vector<std::size_t> start;
    std::vector<std::int32_t> cell;

    explicit Stars(const Mesh& mesh) : start(mesh.vertices.size() + 1, 0), cell(mesh.cells.size()) {
        for (const std::int32_t v : mesh.cells) ++start[static_cast<std::size_t>(v) + 1];
        for (std::size_t v = 1; v < start.size(); ++v) start[v] += start[v - 1];
        std::vector<std::size_t> at(start.begin(), start.end() - 1);
        for (std::size_t i = 0; i < mesh.cells.size(); ++i)
            cell[at[static_cast<std::size_t>(mesh.cells[i])]++] = static_cast<std::int32_t>(i / 4);
    }
};

class Repairer {
public:
    explicit Repairer(const LabelledCells& cells) : in_(cells), stars_(cells.mesh) {}

    std::size_t run() {
        // Taking cells may make new pinches beside them; there are ever fewer cells, so it ends.
        for (bool again = true; again;) {
            const std::size_t before = taken_;
            for (std::size_t v = 0; v < in_.mesh.vertices.size(); ++v) repair(static_cast<std::int32_t>(v));
            again = taken_ > before;
        }
        return taken_;
    }

private:
    void take(std::int32_t cell) {
        in_.label[static_cast<std::size_t>(cell)] = kRest;
        ++taken_;
    }

    std::vector<std::int32_t> flesh_around(std::int32_t v) const {
        std::vector<std::int32_t> out;
        for (std::size_t i = stars_.start[static_cast<std::size_t>(v)];
             i < stars_.start[static_cast<std::size_t>(v) + 1]; ++i) {
            if (in_.is_flesh(stars_.cell[i])) out.push_back(stars_.cell[i]);
        }
        return out;
    }

    /// Of cells around a vertex (and around the edge to `other` unless that is -1): all but the largest group joined
    /// through faces that hold the vertex (the edge) go. False when there is one group only.
    bool keep_largest_group(const std::vector<std::int32_t>& cells, std::int32_t v, std::int32_t other) {
        Joined joined(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            for (std::size_t f = 0; f < 4; ++f) {
                const LocalFacet& facet = facets_of(CellKind::tet4)[f];
                const std::int32_t next = in_.neighbours[static_cast<std::size_t>(cells[i])][f];
                if (!in_.is_flesh(next) || !has(in_.mesh, cells[i], facet, v) ||
                    (other >= 0 && !has(in_.mesh, cells[i], facet, other))) {
                    continue;
                }
                const auto at = std::lower_bound(cells.begin(), cells.end(), next) - cells.begin();
                joined.join(static_cast<std::int32_t>(i), static_cast<std::int32_t>(at));
            }
        }
        std::int32_t count = 0;
        const std::vector<std::int32_t> group = joined.groups(count);
        if (count <= 1) return false;
        std::vector<double> volume(static_cast<std::size_t>(count), 0.0);
        for (std::size_t i = 0; i < cells.size(); ++i)
            volume[static_cast<std::size_t>(group[i])] += cell_measure(in_.mesh, static_cast<std::size_t>(cells[i]));
        const auto largest = static_cast<std::int32_t>(std::max_element(volume.begin(), volume.end()) - volume.begin());
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (group[i] != largest) take(cells[i]);
        return true;
    }

    /// The outer faces at a vertex make one fan around it, two at each edge. Cells come in ascending order.
    void repair(std::int32_t v) {
        const std::vector<std::int32_t> star = flesh_around(v);
        if (star.empty() || keep_largest_group(star, v, -1)) return;
        std::map<std::int32_t, std::vector<std::int32_t>>
            across;  // per far end of an outer edge at v: the far ends of its outer faces
        for (const std::int32_t c : star) {
            for (std::size_t f = 0; f < 4; ++f) {
                const LocalFacet& facet = facets_of(CellKind::tet4)[f];
                if (!has(in_.mesh, c, facet, v) || in_.is_flesh(in_.neighbours[static_cast<std::size_t>(c)][f]))
                    continue;
                std::array<std::int32_t, 3> corner{};
                for (std::size_t k = 0; k < 3; ++k)
                    corner[k] = in_.mesh.cell(static_cast<std::size_t>(c))[facet.corner[k]];
                const auto at = static_cast<std::size_t>(std::find(corner.begin(), corner.end(), v) - corner.begin());
                const std::int32_t a = corner[(at + 1) % 3], b = corner[(at + 2) % 3];
                across[a].push_back(b);
                across[b].push_back(a);
            }
        }
        for (const auto& [far, others] : across) {
            if (others.size() > 2) {
                repair_edge(star, v, far);
                return;
            }
        }
        if (!across.empty() && fan_size(across) < across.size())
            for (const std::int32_t c : star) take(c);
    }

    void repair_edge(const std::vector<std::int32_t>& star, std::int32_t v, std::int32_t far) {
        std::vector<std::int32_t> around;
        for (const std::int32_t c : star) {
            if (const std::int32_t* corner = in_.mesh.cell(static_cast<std::size_t>(c));
                std::find(corner, corner + 4, far) != corner + 4) {
                around.push_back(c);
            }
        }
        if (!keep_largest_group(around, v, far))
            for (const std::int32_t c : around) take(c);
    }

    /// How many outer edges the fan of the first one reaches.
    static std::size_t fan_size(const std::map<std::int32_t, std::vector<std::int32_t>>& across) {
        std::vector<std::int32_t> open{across.begin()->first}, seen = open;
        while (!open.empty()) {
            const std::int32_t here = open.back();
            open.pop_back();
            for (const std::int32_t next : across.at(here)) {
                if (std::find(seen.begin(), seen.end(), next) == seen.end()) {
                    seen.push_back(next);
                    open.push_back(next);
                }
            }
        }
        return seen.size();
    }

    LabelledCells in_;
    Stars stars_;
    std::size_t taken_ = 0;
};

}  // namespace

std::size_t remove_pinches(const LabelledCells& cells) { return Repairer(cells).run(); }

std::size_t keep_pieces(const LabelledCells& cells, double least, std::size_t& dropped) {
    const std::size_t n = cells.mesh.cell_count();
    Joined joined(n);
    for (std::size_t c = 0; c < n; ++c) {
        for (const std::int32_t other : cells.neighbours[c]) {
            if (cells.is_flesh(static_cast<std::int32_t>(c)) && cells.is_flesh(other))
                joined.join(static_cast<std::int32_t>(c), other);
        }
    }
    std::map<std::int32_t, double> volume;  // per piece, by its lowest cell
    double total = 0.0;
    for (std::size_t c = 0; c < n; ++c) {
        if (cells.is_flesh(static_cast<std::int32_t>(c))) {
            const double v = cell_measure(cells.mesh, c);
            volume[joined.root(static_cast<std::int32_t>(c))] += v;
            total += v;
        }
    }
    dropped = 0;
    for (const auto& [root, v] : volume) dropped += v < least * total ? 1 : 0;
    for (std::size_t c = 0; c < n; ++c) {
        if (cells.is_flesh(static_cast<std::int32_t>(c)) &&
            volume[joined.root(static_cast<std::int32_t>(c))] < least * total) {
            cells.label[c] = kRest;
        }
    }
    return volume.size() - dropped;
}

}  // namespace limber
