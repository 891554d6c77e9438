#include "fem/patches.hpp"

#include "fem/element.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <queue>
#include <tuple>

namespace limber {
namespace {

// What is left of a vertex's cells once whole stars are taken becomes a patch of its own from so many cells on; fewer join a neighbour. Chosen
// by the problems of tests/elastic/locking_test.cpp: fewer lock a little, more are too soft on coarse meshes (docs/decisions.md, 92).
std::size_t fewest_cells(int dimension) { return dimension == 3 ? 4 : 2; }

// The cells of one material around one vertex.
struct Star {
    std::size_t first, count;       // in Grouping::around_
};

// Gives each cell its patch. Greedy and in a fixed order: large stars first, so that most patches have a vertex of their own inside.
class Grouping {
public:
    explicit Grouping(const Body& body) : body_(body), mesh_(body.mesh()), owner_(mesh_.cell_count(), -1) {
        list_stars();
        take_whole_stars();
        take_remains();
        join_neighbours();
        for (std::int32_t& owner : owner_)      // a cell that touches no patch of its material by a side
            if (owner < 0) owner = count_++;
    }

    std::vector<std::vector<std::int32_t>> groups() const {
        std::vector<std::vector<std::int32_t>> out(static_cast<std::size_t>(count_));
        for (std::size_t c = 0; c < owner_.size(); ++c) out[static_cast<std::size_t>(owner_[c])].push_back(static_cast<std::int32_t>(c));
        return out;
    }

private:
    std::span<const std::int32_t> corners(std::size_t cell) const {
        return {mesh_.cell(cell), static_cast<std::size_t>(corners_of(mesh_.kind))};
    }
    std::span<const std::int32_t> cells(const Star& star) const { return {around_.data() + star.first, star.count}; }

    void list_stars() {
        std::vector<std::tuple<std::int32_t, std::int32_t, std::int32_t>> list;     // vertex, material, cell
        for (std::size_t c = 0; c < mesh_.cell_count(); ++c)
            for (const std::int32_t v : corners(c)) list.emplace_back(v, body_.material_index(c), static_cast<std::int32_t>(c));
        std::sort(list.begin(), list.end());
        for (std::size_t i = 0; i < list.size(); ++i) {
            const auto& [vertex, material, cell] = list[i];
            const bool begins = i == 0 || std::get<0>(list[i - 1]) != vertex || std::get<1>(list[i - 1]) != material;
            if (begins) stars_.push_back({i, 0});
            ++stars_.back().count;
            around_.push_back(cell);
        }
    }

    std::size_t free_cells(const Star& star) const {
        return static_cast<std::size_t>(std::ranges::count_if(cells(star), [&](std::int32_t c) { return owner_[static_cast<std::size_t>(c)] < 0; }));
    }
    void take_free_cells(const Star& star) {
        for (const std::int32_t c : cells(star))
            if (owner_[static_cast<std::size_t>(c)] < 0) owner_[static_cast<std::size_t>(c)] = count_;
        ++count_;
    }

    void take_whole_stars() {
        std::vector<std::size_t> order(stars_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t s) { return stars_[s].count; });
        for (const std::size_t s : order)
            if (free_cells(stars_[s]) == stars_[s].count) take_free_cells(stars_[s]);
    }

    // The vertex with the most free cells first; of equals the one that is named first.
    void take_remains() {
        std::priority_queue<std::pair<std::size_t, std::int64_t>> queue;
        for (std::size_t s = 0; s < stars_.size(); ++s) queue.emplace(free_cells(stars_[s]), -static_cast<std::int64_t>(s));
        while (!queue.empty()) {
            const auto [before, key] = queue.top();
            queue.pop();
            const Star& star = stars_[static_cast<std::size_t>(-key)];
            const std::size_t now = free_cells(star);
            if (now < fewest_cells(mesh_.dimension())) continue;
            if (now < before) queue.emplace(now, key);
            else take_free_cells(star);
        }
    }

    // Cells that share a side, in pairs.
    std::vector<std::pair<std::int32_t, std::int32_t>> neighbours() const {
        struct Side {
            std::array<std::int32_t, 3> vertices;
            std::int32_t cell;
        };
        std::vector<Side> sides;
        for (std::size_t c = 0; c < mesh_.cell_count(); ++c) {
            const auto own = corners(c);
            for (std::size_t left_out = 0; left_out < own.size(); ++left_out) {
                Side side{{-1, -1, -1}, static_cast<std::int32_t>(c)};
                std::size_t k = 0;
                for (std::size_t a = 0; a < own.size(); ++a)
                    if (a != left_out) side.vertices[k++] = own[a];
                std::ranges::sort(side.vertices);
                sides.push_back(side);
            }
        }
        std::ranges::sort(sides, {}, [](const Side& s) { return std::pair(s.vertices, s.cell); });
        std::vector<std::pair<std::int32_t, std::int32_t>> out;
        for (std::size_t i = 1; i < sides.size(); ++i) {
            if (sides[i].vertices != sides[i - 1].vertices) continue;
            out.emplace_back(sides[i - 1].cell, sides[i].cell);
            out.emplace_back(sides[i].cell, sides[i - 1].cell);
        }
        std::ranges::sort(out);
        return out;
    }

    // Cells that are left join the patch that they share most sides with, of equals the smallest; in rounds, until none finds one.
    void join_neighbours() {
        std::vector<std::size_t> size(static_cast<std::size_t>(count_), 0);
        for (const std::int32_t owner : owner_)
            if (owner >= 0) ++size[static_cast<std::size_t>(owner)];
        const auto pairs = neighbours();
        for (bool changed = true; changed;) {
            std::vector<std::pair<std::int32_t, std::int32_t>> joining;     // cell, patch
            for (std::size_t i = 0; i < pairs.size();) {
                const std::int32_t cell = pairs[i].first;
                std::vector<std::int32_t> beside;
                for (; i < pairs.size() && pairs[i].first == cell; ++i) beside.push_back(pairs[i].second);
                if (owner_[static_cast<std::size_t>(cell)] >= 0) continue;
                if (const std::int32_t to = best_neighbour(cell, beside, size); to >= 0) joining.emplace_back(cell, to);
            }
            for (const auto& [cell, to] : joining) {
                owner_[static_cast<std::size_t>(cell)] = to;
                ++size[static_cast<std::size_t>(to)];
            }
            changed = !joining.empty();
        }
    }
    std::int32_t best_neighbour(std::int32_t cell, const std::vector<std::int32_t>& beside, const std::vector<std::size_t>& size) const {
        std::int32_t best = -1;
        std::ptrdiff_t most = 0;
        for (const std::int32_t other : beside) {
            const std::int32_t patch = owner_[static_cast<std::size_t>(other)];
            const bool same = body_.material_index(static_cast<std::size_t>(cell)) == body_.material_index(static_cast<std::size_t>(other));
            if (patch < 0 || !same) continue;
            const auto sides = std::ranges::count_if(beside, [&](std::int32_t b) { return owner_[static_cast<std::size_t>(b)] == patch; });
            const bool smaller = best < 0 || size[static_cast<std::size_t>(patch)] < size[static_cast<std::size_t>(best)];
            if (sides > most || (sides == most && smaller)) {
                best = patch;
                most = sides;
            }
        }
        return best;
    }

    const Body& body_;
    const Mesh& mesh_;
    std::vector<std::int32_t> around_;      // cells, star by star
    std::vector<Star> stars_;               // by vertex, then material
    std::vector<std::int32_t> owner_;       // per cell: its patch
    std::int32_t count_ = 0;
};

}  // namespace

std::vector<StrainPatch> strain_patches(const Body& body) {
    const Mesh& mesh = body.mesh();
    const auto dim = static_cast<std::size_t>(mesh.dimension()), corners = static_cast<std::size_t>(corners_of(mesh.kind));
    std::vector<StrainPatch> patches;
    std::array<double, kMaxElementDofs> dilatation{};
    for (std::vector<std::int32_t>& cells : Grouping(body).groups()) {
        StrainPatch patch;
        patch.material = body.material_index(static_cast<std::size_t>(cells[0]));
        for (const std::int32_t c : cells) {
            const std::int32_t* own = mesh.cell(static_cast<std::size_t>(c));
            patch.vertices.insert(patch.vertices.end(), own, own + corners);
        }
        std::ranges::sort(patch.vertices);
        patch.vertices.erase(std::unique(patch.vertices.begin(), patch.vertices.end()), patch.vertices.end());
        patch.gradient.assign(patch.vertices.size() * dim, 0.0);
        for (const std::int32_t c : cells) {
            const double measure = mean_dilatation(body, static_cast<std::size_t>(c), dilatation.data());
            patch.measure += measure;
            for (std::size_t a = 0; a < corners; ++a) {
                const auto at = std::ranges::lower_bound(patch.vertices, mesh.cell(static_cast<std::size_t>(c))[a]) - patch.vertices.begin();
                double* to = patch.gradient.data() + static_cast<std::size_t>(at) * dim;
                for (std::size_t axis = 0; axis < dim; ++axis) to[axis] += measure * dilatation[a * dim + axis];
            }
        }
        for (double& g : patch.gradient) g /= patch.measure;
        patch.cells = std::move(cells);
        patches.push_back(std::move(patch));
    }
    return patches;
}

std::vector<std::int32_t> patch_of_cells(std::size_t cell_count, std::span<const StrainPatch> patches) {
    std::vector<std::int32_t> out(cell_count, -1);
    for (std::size_t p = 0; p < patches.size(); ++p)
        for (const std::int32_t c : patches[p].cells) out[static_cast<std::size_t>(c)] = static_cast<std::int32_t>(p);
    return out;
}

}  // namespace limber
