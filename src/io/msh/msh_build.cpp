// From tags to a Mesh: vertices and cells numbered in the order of their tags, physical groups as sets.
#include "io/msh/msh.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace limber {

namespace {
// Node tags in ascending order; the place of a tag is its vertex.
class NodeNumbers {
public:
    NodeNumbers(MshData& data, const Scanner& in) {
        constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
        if (data.points.size() > most) in.fail(text(data.points.size(), " nodes"), text("at most ", most));
        if (!std::is_sorted(data.node_tags.begin(), data.node_tags.end())) sort(data);
        tags_ = std::move(data.node_tags);
        const auto twice = std::adjacent_find(tags_.begin(), tags_.end());
        if (twice != tags_.end()) {
            throw Error(Fault::bad_mesh, {in.name(), 0, {}}, text("node ", *twice, " is given twice"),
                        "every node once");
        }
        // Unsigned: the difference of two absurd tags may not fit an int64.
        gapless_ = !tags_.empty() &&
                   static_cast<std::uint64_t>(tags_.back()) - static_cast<std::uint64_t>(tags_.front()) ==
                       tags_.size() - 1;
    }

    std::int32_t vertex(std::int64_t tag, const MshElement& element, const Scanner& in) const {
        // Tags without gaps, the usual case, need no search.
        const auto low = !gapless_                                   ? std::lower_bound(tags_.begin(), tags_.end(), tag)
                         : tag < tags_.front() || tag > tags_.back() ? tags_.end()
                                                                     : tags_.begin() + (tag - tags_.front());
        if (low != tags_.end() && *low == tag) return static_cast<std::int32_t>(low - tags_.begin());
        in.fail_at(
            element.position, Fault::bad_mesh,
            text("element ", element.tag, " names node ", tag, ", but the file has ", counted(tags_.size(), "node"),
                 tags_.empty() ? std::string() : text(" numbered from ", tags_.front(), " to ", tags_.back())));
    }

private:
    static void sort(MshData& data) {
        std::vector<std::size_t> order(data.points.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return data.node_tags[a] < data.node_tags[b]; });
        std::vector<std::int64_t> tags;
        std::vector<Vec3> points;
        for (const std::size_t i : order) {
            tags.push_back(data.node_tags[i]);
            points.push_back(data.points[i]);
        }
        data.node_tags = std::move(tags);
        data.points = std::move(points);
    }

    std::vector<std::int64_t> tags_;
    bool gapless_ = false;
};

const ElementType& cells_of(const MshData& data, const Scanner& in) {
    ElementCounts counts(element_types().size(), 0);
    for (const MshElement& e : data.elements) ++counts[static_cast<std::size_t>(e.type - element_types().data())];
    return choose_cells(counts, {in.name(), 0, {}});
}

std::string name_of(const MshData& data, int dimension, std::int32_t physical) {
    const auto found = data.names.find({dimension, physical});
    return found == data.names.end() ? text("group_", physical) : found->second;
}

/// A member in a set, with what growing and sorting the set takes on the way [bytes].
constexpr std::uint64_t kMemberBytes = 16;

/// The sets that a group's physical tags mean, looked up once per group: names may be long, and elements many.
class SetsOfGroups {
public:
    SetsOfGroups(const MshData& data, std::map<std::string, IndexSet>& sets) : data_(data), sets_(sets) {}

    void add(int dimension, std::uint32_t group, std::int32_t member, const Scanner& in) {
        const std::vector<IndexSet*>& known = of(dimension, group);
        in.spend(kMemberBytes * known.size(), "the sets");
        for (IndexSet* set : known) set->push_back(member);
    }

private:
    const std::vector<IndexSet*>& of(int dimension, std::uint32_t group) {
        std::vector<std::vector<IndexSet*>>& known = known_[static_cast<std::size_t>(dimension)];
        known.resize(data_.groups.size());
        if (known[group].empty()) {
            for (const std::int32_t physical : data_.groups[group])
                known[group].push_back(&sets_[name_of(data_, dimension, physical)]);
        }
        return known[group];
    }

    const MshData& data_;
    std::map<std::string, IndexSet>& sets_;
    std::array<std::vector<std::vector<IndexSet*>>, 4> known_;  ///< by dimension and group
};

/// Which cell each physical tag was last seen on.
using LastCells = std::unordered_map<std::int32_t, std::int32_t>;

// MSH 2 gives an element of several groups once per group, one after the other, with the same elementary tag.
bool repeats(const MshData& data, const MshElement& previous, std::int32_t previous_cell, const LastCells& seen,
             const MshElement& e) {
    if (e.entity != previous.entity || data.groups[e.group].size() != 1 || data.groups[previous.group].empty())
        return false;
    if (const auto last = seen.find(data.groups[e.group][0]); last != seen.end() && last->second == previous_cell)
        return false;
    const auto a = data.nodes.begin() + static_cast<std::ptrdiff_t>(previous.first),
               b = data.nodes.begin() + static_cast<std::ptrdiff_t>(e.first);
    return std::equal(a, a + e.type->nodes, b);
}

void add_cells(MshData& data, const ElementType& cells, const NodeNumbers& numbers, const Scanner& in, Mesh& mesh) {
    const MshElement* previous = nullptr;
    SetsOfGroups sets(data, mesh.cell_sets);
    LastCells seen;
    std::int32_t cell = -1;
    for (const MshElement& e : data.elements) {
        if (e.type != &cells) continue;
        if (previous == nullptr || !repeats(data, *previous, cell, seen, e)) {
            for (int c = 0; c < cells.nodes; ++c) {
                mesh.cells.push_back(
                    numbers.vertex(data.nodes[e.first + static_cast<std::size_t>(gmsh_corner(mesh.kind, c))], e, in));
            }
            ++cell;
        }
        previous = &e;
        sets.add(cells.dimension, e.group, cell, in);
        if (data.groups[e.group].size() == 1) seen[data.groups[e.group][0]] = cell;
    }
}
}  // namespace

Mesh build_msh(MshData& data, const Scanner& in) {
    const ElementType& cells = cells_of(data, in);
    Mesh mesh;
    mesh.kind = static_cast<CellKind>(cells.kind);
    const NodeNumbers numbers(data, in);
    mesh.vertices = std::move(data.points);
    const auto by_tag = [](const MshElement& a, const MshElement& b) { return a.tag < b.tag; };
    if (!std::is_sorted(data.elements.begin(), data.elements.end(), by_tag))
        std::stable_sort(data.elements.begin(), data.elements.end(), by_tag);

    // Named groups without elements are kept: a set may be empty.
    for (const auto& [key, name] : data.names) {
        if (key.first == cells.dimension) mesh.cell_sets[name];
        if (key.first < cells.dimension) mesh.vertex_sets[name];
    }
    add_cells(data, cells, numbers, in, mesh);
    SetsOfGroups vertex_sets(data, mesh.vertex_sets);
    for (const MshElement& e : data.elements) {
        if (e.type->dimension >= cells.dimension) continue;
        for (int c = 0; c < e.type->nodes; ++c) {
            const std::int32_t v = numbers.vertex(data.nodes[e.first + static_cast<std::size_t>(c)], e, in);
            vertex_sets.add(e.type->dimension, e.group, v, in);
        }
    }
    mesh.cell_sets.erase(kNoSetGroup);
    for (auto* sets : {&mesh.vertex_sets, &mesh.cell_sets})
        for (auto& entry : *sets) sort_set(entry.second);
    return mesh;
}

}  // namespace limber
