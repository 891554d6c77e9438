// MSH 4.1: entities own the physical tags; nodes and elements come in blocks, one per entity.
#include "io/msh/msh.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

namespace {
// The three field types of MSH 4.1, in text or in binary.
class Fields {
public:
    Fields(Scanner& in, const MshFormat& format) : in_(in), format_(format) {}

    std::int32_t number(const char* what) {
        if (format_.binary) return in_.raw<std::int32_t>(what);
        return static_cast<std::int32_t>(
            in_.integer_in(what, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
    }
    std::int64_t size(const char* what) {
        if (!format_.binary) return in_.integer(what);
        if (format_.size_bytes == 4) return in_.raw<std::uint32_t>(what);
        return static_cast<std::int64_t>(in_.raw<std::uint64_t>(what));
    }
    /// A count of things of at least so many bytes in a binary file or so many words in a text.
    std::size_t count(const char* what, std::size_t bytes, std::size_t words) {
        const std::int64_t n = size(what);
        in_.check_count(what, n, format_.binary ? bytes : 2 * words);
        return static_cast<std::size_t>(n);
    }
    double real(const char* what) { return format_.binary ? in_.raw<double>(what) : in_.real(what); }
    double coordinate() {
        const double value = real("a coordinate");
        if (!std::isfinite(value)) in_.fail(Fault::bad_mesh, text("a coordinate is ", value), "a finite number");
        return value;
    }
    std::size_t size_bytes() const { return static_cast<std::size_t>(format_.size_bytes); }
    Scanner& in() { return in_; }

private:
    Scanner& in_;
    const MshFormat& format_;
};

void read_entity(Fields& f, int dimension, MshData& out) {
    const std::int32_t tag = f.number("an entity's tag");
    for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i) f.real("an entity's extent");
    const std::size_t physicals = f.count("the number of physical tags", 4, 1);
    std::vector<std::int32_t> tags;
    for (std::size_t i = 0; i < physicals; ++i) {
        const std::int32_t physical = f.number("a physical tag");
        if (physical == 0 || physical == std::numeric_limits<std::int32_t>::min())
            f.in().fail(text("physical tag ", physical), "a tag that is not 0");
        tags.push_back(physical < 0 ? -physical : physical);
    }
    if (dimension > 0) {
        const std::size_t bounds = f.count("the number of bounding entities", 4, 1);
        for (std::size_t i = 0; i < bounds; ++i) f.number("a bounding entity");
    }
    if (tags.empty()) return;
    std::sort(tags.begin(), tags.end());
    tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
    out.entities[{dimension, tag}] = static_cast<std::uint32_t>(out.groups.size());
    out.groups.push_back(std::move(tags));
}

// The four numbers at the head of $Nodes and $Elements: blocks, items, smallest tag, largest tag.
std::pair<std::size_t, std::size_t> read_totals(Fields& f, const char* blocks_name, const char* items_name) {
    const std::size_t blocks = f.count(blocks_name, 12 + f.size_bytes(), 4);
    const std::size_t items = f.count(items_name, f.size_bytes(), 1);
    f.size("the smallest tag");
    f.size("the largest tag");
    return {blocks, items};
}

void read_node_block(Fields& f, MshData& out) {
    const std::int32_t dimension = f.number("an entity's dimension");
    if (dimension < 0 || dimension > 3) f.in().fail(text("an entity of dimension ", dimension), "0 to 3");
    f.number("an entity's tag");
    const std::int32_t parametric = f.number("the parametric flag");
    if (parametric != 0 && parametric != 1) f.in().fail(text("the parametric flag is ", parametric), "0 or 1");
    const std::size_t n = f.count("the number of nodes in the block", f.size_bytes() + 24, 4);
    for (std::size_t i = 0; i < n; ++i) out.node_tags.push_back(f.size("a node's tag"));
    for (std::size_t i = 0; i < n; ++i) {
        Vec3 p;
        for (double* c : {&p.x, &p.y, &p.z}) *c = f.coordinate();
        for (std::int32_t d = 0; d < dimension * parametric; ++d) f.real("a parametric coordinate");
        out.points.push_back(p);
    }
}

void read_element_block(Fields& f, MshData& out) {
    const std::int32_t dimension = f.number("an entity's dimension");
    const std::int32_t entity = f.number("an entity's tag");
    const ElementType& type = known_gmsh_type(f.in(), f.number("an element type"));
    if (type.dimension != dimension) {
        f.in().fail(text("a ", type.name, " element in an entity of dimension ", dimension),
                    text("dimension ", type.dimension));
    }
    const auto nodes = static_cast<std::size_t>(type.nodes);
    const std::size_t n = f.count("the number of elements in the block", f.size_bytes() * (1 + nodes), 1 + nodes);
    const auto group = out.entities.find({dimension, entity});
    for (std::size_t i = 0; i < n; ++i) {
        MshElement e{};
        e.tag = f.size("an element's tag");
        e.position = f.in().position();
        e.type = &type;
        e.entity = entity;
        e.group = group == out.entities.end() ? 0 : group->second;
        e.first = out.nodes.size();
        for (std::size_t c = 0; c < nodes; ++c) out.nodes.push_back(f.size("a node's tag"));
        out.elements.push_back(e);
    }
}
}  // namespace

void read_msh4_entities(Scanner& in, const MshFormat& format, MshData& out) {
    if (format.binary) in.end_line();
    Fields f(in, format);
    std::size_t counts[4];
    for (std::size_t& n : counts) n = f.count("the number of entities", 4 + 24 + f.size_bytes(), 5);
    for (int dimension = 0; dimension < 4; ++dimension)
        for (std::size_t i = 0; i < counts[dimension]; ++i) read_entity(f, dimension, out);
}

void read_msh4_nodes(Scanner& in, const MshFormat& format, MshData& out) {
    if (format.binary) in.end_line();
    Fields f(in, format);
    const auto [blocks, nodes] = read_totals(f, "the number of node blocks", "the number of nodes");
    for (std::size_t b = 0; b < blocks; ++b) read_node_block(f, out);
    if (out.points.size() != nodes)
        in.fail(text("the blocks hold ", counted(out.points.size(), "node")), text(nodes, " as announced"));
}

void read_msh4_elements(Scanner& in, const MshFormat& format, MshData& out) {
    if (format.binary) in.end_line();
    Fields f(in, format);
    const auto [blocks, elements] = read_totals(f, "the number of element blocks", "the number of elements");
    for (std::size_t b = 0; b < blocks; ++b) read_element_block(f, out);
    if (out.elements.size() != elements)
        in.fail(text("the blocks hold ", counted(out.elements.size(), "element")), text(elements, " as announced"));
}

}  // namespace limber
