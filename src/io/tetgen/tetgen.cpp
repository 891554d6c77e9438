// TetGen's .node and .ele (and Triangle's, which look alike): numbered from 0 or 1, with attributes and markers.
#include "io/files/comments.hpp"
#include "io/msh/msh.hpp"

#include "core/text.hpp"
#include "geometry/cell_topology.hpp"

#include <limber/tools/mesh_io.hpp>

#include <array>
#include <cmath>
#include <limits>

namespace limber {
namespace {

struct NodeFile {
    std::vector<std::int64_t> tags;
    std::vector<Vec3> points;
    std::map<std::string, IndexSet> sets;  ///< by marker
    int dimension = 3;
};

NodeFile read_nodes(Scanner& in) {
    NodeFile out;
    const std::int64_t n = next_integer(in, "the number of points");
    skip_comments(in);
    out.dimension = static_cast<int>(in.integer_in("the dimension", 2, 3));
    skip_comments(in);
    const std::int64_t attributes = in.integer_in("the number of attributes", 0, 1000000);
    skip_comments(in);
    const std::int64_t markers = in.integer_in("the number of markers", 0, 1);
    const auto numbers = static_cast<std::size_t>(1 + out.dimension + attributes + markers);
    in.check_count("the number of points", n, 2 * numbers);
    for (std::int64_t i = 0; i < n; ++i) {
        out.tags.push_back(next_integer(in, "a point number"));
        // The first one before anything is added to it: sums of absurd numbers may not fit.
        if (i == 0 && out.tags[0] != 0 && out.tags[0] != 1)
            in.fail(text("the first point is number ", out.tags[0]), "0 or 1");
        if (out.tags.back() != out.tags.front() + i)
            in.fail(text("point ", out.tags.back()), text("points numbered without gaps: ", out.tags.front() + i));
        Vec3 p;
        for (int a = 0; a < out.dimension; ++a) p[a] = next_coordinate(in);
        out.points.push_back(p);
        for (std::int64_t a = 0; a < attributes; ++a) {
            skip_comments(in);
            in.real("an attribute");
        }
        if (markers == 0) continue;
        const std::int64_t marker = next_integer(in, "a marker");
        if (marker != 0) out.sets[text("marker_", marker)].push_back(static_cast<std::int32_t>(i));
    }
    return out;
}

/// TetGen's order of mid-edge nodes is not VTK's: each goes to the edge whose middle it is nearest to.
void order_mid_nodes(MshData& data, std::int64_t first_tag, const MshElement& e, const Scanner& in) {
    const auto point = [&](std::size_t k) -> const Vec3& {
        const std::int64_t tag = data.nodes[e.first + k];
        // first_tag is 0 or 1: below it nothing is subtracted, above it the difference fits.
        if (tag < first_tag || static_cast<std::size_t>(tag - first_tag) >= data.points.size()) {
            in.fail_at(
                e.position, Fault::bad_mesh,
                text("element ", e.tag, " names node ", tag, ", but there are ", counted(data.points.size(), "node")));
        }
        return data.points[static_cast<std::size_t>(tag - first_tag)];
    };
    std::array<std::int64_t, 6> place;
    place.fill(-1);
    for (std::size_t k = 4; k < 10; ++k) {
        std::size_t best = 0;
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t edge = 0; edge < 6; ++edge) {
            const Vec3 middle = 0.5 * (point(static_cast<std::size_t>(kTetEdges[edge][0])) +
                                       point(static_cast<std::size_t>(kTetEdges[edge][1])));
            if (const double d = norm2(point(k) - middle); d < nearest) {
                best = edge;
                nearest = d;
            }
        }
        if (place[best] >= 0) {
            in.fail_at(e.position, Fault::bad_mesh,
                       text("two mid-edge nodes of element ", e.tag, " lie on the same edge"),
                       "one on each of its six edges");
        }
        place[best] = data.nodes[e.first + k];
    }
    for (int k = 4; k < 10; ++k) {
        data.nodes[e.first + static_cast<std::size_t>(gmsh_corner(CellKind::tet10, k))] =
            place[static_cast<std::size_t>(k - 4)];
    }
}

class Regions {
public:
    explicit Regions(MshData& data, int dimension) : data_(data), dimension_(dimension) {}
    /// 0 is no region.
    std::uint32_t of(double attribute) {
        if (attribute == 0.0 || !std::isfinite(attribute)) return 0;
        const auto [entry, added] = known_.try_emplace(attribute, static_cast<std::uint32_t>(data_.groups.size()));
        if (added) {
            const auto tag = static_cast<std::int32_t>(entry->second);
            data_.groups.push_back({tag});
            data_.names[{dimension_, tag}] = text("region_", fmt::format("{}", attribute));
        }
        return entry->second;
    }

private:
    MshData& data_;
    int dimension_;
    std::map<double, std::uint32_t> known_;
};

void read_elements(Scanner& in, int dimension, MshData& data) {
    const std::int64_t n = next_integer(in, "the number of elements");
    const std::int64_t nodes = next_integer(in, "nodes per element");
    const ElementType* type = gmsh_type(dimension == 2 ? (nodes == 3 ? 2 : 0) : nodes == 4 ? 4 : nodes == 10 ? 11 : 0);
    if (!type) in.fail(text(nodes, " nodes per element"), dimension == 2 ? "3" : "4 or 10");
    skip_comments(in);
    const std::int64_t attributes = in.integer_in("the number of attributes", 0, 1000000);
    in.check_count("the number of elements", n, 2 * static_cast<std::size_t>(1 + nodes + attributes));
    Regions regions(data, dimension);
    for (std::int64_t i = 0; i < n; ++i) {
        MshElement e{};
        e.tag = next_integer(in, "an element number");
        e.position = in.position();
        e.entity = static_cast<std::int32_t>(i % std::numeric_limits<std::int32_t>::max());
        e.type = type;
        e.first = data.nodes.size();
        for (std::int64_t c = 0; c < nodes; ++c) data.nodes.push_back(next_integer(in, "a node number"));
        for (std::int64_t a = 0; a < attributes; ++a) {
            skip_comments(in);
            const double value = in.real("an attribute");
            if (a == 0) e.group = regions.of(value);
        }
        if (nodes == 10) order_mid_nodes(data, data.node_tags.empty() ? 0 : data.node_tags.front(), e, in);
        data.elements.push_back(e);
    }
}

}  // namespace

Mesh parse_tetgen(std::string_view node_bytes, const std::string& node_name, std::string_view ele_bytes,
                  const std::string& ele_name) {
    const ReadBudget budget(node_bytes.size() + ele_bytes.size());
    Scanner nodes(node_bytes, node_name), elements(ele_bytes, ele_name);
    NodeFile file = read_nodes(nodes);
    MshData data;
    data.node_tags = std::move(file.tags);
    data.points = std::move(file.points);
    read_elements(elements, file.dimension, data);
    Mesh mesh = build_msh(data, elements);
    for (auto& [name, set] : file.sets) mesh.vertex_sets[name] = std::move(set);
    return mesh;
}

}  // namespace limber
