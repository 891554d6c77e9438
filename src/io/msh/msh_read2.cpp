// MSH 2.2: nodes, and elements that carry their physical and elementary tags.
#include "io/msh/msh.hpp"

#include "core/text.hpp"

#include <cmath>
#include <limits>

namespace limber {

namespace {
double binary_coordinate(Scanner& in) {
    const auto value = in.raw<double>("a coordinate");
    if (!std::isfinite(value)) in.fail(Fault::bad_mesh, text("a coordinate is ", value), "a finite number");
    return value;
}

class Groups {
public:
    explicit Groups(MshData& out) : out_(out) {}
    /// Negative tags only say that the group turns the element round.
    std::uint32_t of(const Scanner& in, std::int64_t physical) {
        if (physical == 0) return 0;
        constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
        if (physical < -most || physical > most) in.fail(text("physical tag ", physical), text("at most ", most));
        const auto tag = static_cast<std::int32_t>(physical < 0 ? -physical : physical);
        const auto [place, added] = known_.try_emplace(tag, static_cast<std::uint32_t>(out_.groups.size()));
        if (added) out_.groups.push_back({tag});
        return place->second;
    }

private:
    MshData& out_;
    std::map<std::int32_t, std::uint32_t> known_;
};

void read_text_element(Scanner& in, Groups& groups, MshData& out) {
    MshElement e{};
    e.tag = in.integer("an element number");
    e.position = in.position();
    e.type = &known_gmsh_type(in, in.integer("an element type"));
    const std::size_t tags = in.count("the number of tags", 2);
    for (std::size_t t = 0; t < tags; ++t) {
        const std::int64_t value = in.integer("a tag");
        if (t == 0) e.group = groups.of(in, value);
        if (t == 1) e.entity = static_cast<std::int32_t>(value);
    }
    e.first = out.nodes.size();
    for (int c = 0; c < e.type->nodes; ++c) out.nodes.push_back(in.integer("a node number"));
    out.elements.push_back(e);
}

// Binary elements come in runs of one type and one number of tags. Returns the length of the run.
std::size_t read_binary_run(Scanner& in, std::size_t wanted, Groups& groups, MshData& out) {
    const ElementType& type = known_gmsh_type(in, in.raw<std::int32_t>("an element type"));
    const auto run = in.raw<std::int32_t>("the number of elements of this type");
    if (run < 1 || static_cast<std::size_t>(run) > wanted)
        in.fail(text("a run of ", run, " elements"), text("1 to ", wanted));
    const auto tags = in.raw<std::int32_t>("the number of tags");
    in.check_count("the number of tags", tags, 4);
    in.check_count("the number of elements of this type", run,
                   4 * (1 + static_cast<std::size_t>(tags) + static_cast<std::size_t>(type.nodes)));
    for (std::int32_t i = 0; i < run; ++i) {
        MshElement e{};
        e.position = in.position();
        e.type = &type;
        e.tag = in.raw<std::int32_t>("an element number");
        for (std::int32_t t = 0; t < tags; ++t) {
            const auto value = in.raw<std::int32_t>("a tag");
            if (t == 0) e.group = groups.of(in, value);
            if (t == 1) e.entity = value;
        }
        e.first = out.nodes.size();
        for (int c = 0; c < type.nodes; ++c) out.nodes.push_back(in.raw<std::int32_t>("a node number"));
        out.elements.push_back(e);
    }
    return static_cast<std::size_t>(run);
}
}  // namespace

void read_msh2_nodes(Scanner& in, MshData& out) {
    const std::size_t n = in.count("the number of nodes", in.binary() ? 28 : 8);
    if (in.binary()) in.end_line();
    out.node_tags.reserve(n);
    out.points.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        out.node_tags.push_back(in.binary() ? in.raw<std::int32_t>("a node number") : in.integer("a node number"));
        Vec3 p;
        for (double* c : {&p.x, &p.y, &p.z}) *c = in.binary() ? binary_coordinate(in) : in.coordinate();
        out.points.push_back(p);
    }
}

void read_msh2_elements(Scanner& in, MshData& out) {
    const std::size_t n = in.count("the number of elements", 8);
    Groups groups(out);
    if (!in.binary()) {
        for (std::size_t i = 0; i < n; ++i) read_text_element(in, groups, out);
        return;
    }
    in.end_line();
    for (std::size_t done = 0; done < n;) done += read_binary_run(in, n - done, groups, out);
}

}  // namespace limber
