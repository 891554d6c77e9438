// MSH 2.2 and 4.1. Vertex sets become point elements in physical groups of dimension 0, cell sets physical groups of
// the cells.
#include "io/msh/msh.hpp"

#include "core/text.hpp"
#include "io/files/written_by.hpp"

#include <algorithm>

namespace limber {

namespace {
// Numbers and line ends, in text or as the machine's bytes (the format says which order that is).
class Output {
public:
    explicit Output(bool binary) : binary_(binary) {}
    void text_line(std::string_view line) { out_.append(line).push_back('\n'); }
    template <class T>
    void put(T value) {
        if (binary_) {
            const std::size_t at = out_.size();
            out_.resize(at + sizeof(T));
            std::memcpy(out_.data() + at, &value, sizeof(T));
        } else {
            if (!out_.empty() && out_.back() != '\n') out_.push_back(' ');
            if constexpr (std::is_floating_point_v<T>)
                fmt::format_to(std::back_inserter(out_), "{:.17g}", value);
            else
                fmt::format_to(std::back_inserter(out_), "{}", value);
        }
    }
    void number(std::size_t v) { put(static_cast<std::int32_t>(v)); }
    void size(std::size_t v) { put(static_cast<std::uint64_t>(v)); }
    void point(const Vec3& p) {
        put(p.x);
        put(p.y);
        put(p.z);
    }
    void end_line() {
        if (!binary_) out_.push_back('\n');
    }
    void end_section(std::string_view name) {
        if (binary_) out_.push_back('\n');
        text_line(name);
    }
    bool binary() const { return binary_; }
    std::string take() { return std::move(out_); }

private:
    std::string out_;
    bool binary_;
};

// Physical tags: the vertex sets in order, then the cell sets, then the group of cells in none. Cells of the same sets
// share an entity.
struct Grouping {
    int dimension = 3;
    std::vector<std::vector<std::size_t>> vertex_tags;  ///< physical tags per vertex
    std::vector<std::vector<std::size_t>> entity_tags;  ///< physical tags per entity of cells
    std::vector<std::size_t> entity_of;                 ///< per cell
    std::size_t no_set_tag = 0;                         ///< of the group of cells in no set; 0 = there is none
    std::size_t point_entries = 0, cell_entries = 0;    ///< element entries an MSH 2 file needs
};

Grouping group(const Mesh& mesh) {
    Grouping g;
    g.dimension = mesh.dimension();
    g.vertex_tags.resize(mesh.vertices.size());
    std::vector<std::vector<std::size_t>> cell_tags(mesh.cell_count());
    std::size_t tag = 0;
    for (const auto& entry : mesh.vertex_sets) {
        ++tag;
        for (const std::int32_t v : entry.second) g.vertex_tags[static_cast<std::size_t>(v)].push_back(tag);
        g.point_entries += entry.second.size();
    }
    for (const auto& entry : mesh.cell_sets) {
        ++tag;
        for (const std::int32_t c : entry.second) cell_tags[static_cast<std::size_t>(c)].push_back(tag);
    }
    for (std::vector<std::size_t>& tags : cell_tags) {
        if (!tags.empty() || tag == 0) continue;
        g.no_set_tag = tag + 1;
        tags.push_back(g.no_set_tag);
    }
    std::map<std::vector<std::size_t>, std::size_t> known;
    for (const std::vector<std::size_t>& tags : cell_tags) {
        const auto [place, added] = known.try_emplace(tags, known.size());
        if (added) g.entity_tags.push_back(tags);
        g.entity_of.push_back(place->second);
        g.cell_entries += std::max<std::size_t>(1, tags.size());
    }
    return g;
}

void put_head(Output& out, const Mesh& mesh, const Grouping& g, const char* version) {
    out.text_line("$MeshFormat");
    out.text_line(text(version, " ", out.binary() ? 1 : 0, " 8"));
    if (out.binary()) {
        out.put(std::int32_t{1});
        out.text_line("");
    }
    out.text_line("$EndMeshFormat");
    out.text_line(text("$Comments\n", written_by(), "\n$EndComments"));
    if (mesh.vertex_sets.empty() && mesh.cell_sets.empty()) return;
    out.text_line("$PhysicalNames");
    out.text_line(text(mesh.vertex_sets.size() + mesh.cell_sets.size() + (g.no_set_tag > 0 ? 1 : 0)));
    std::size_t tag = 0;
    for (const auto& entry : mesh.vertex_sets) out.text_line(text("0 ", ++tag, " \"", entry.first, "\""));
    for (const auto& entry : mesh.cell_sets)
        out.text_line(text(mesh.dimension(), " ", ++tag, " \"", entry.first, "\""));
    if (g.no_set_tag > 0) out.text_line(text(mesh.dimension(), " ", g.no_set_tag, " \"", kNoSetGroup, "\""));
    out.text_line("$EndPhysicalNames");
}

template <class Put>
void put_corners(const Mesh& mesh, std::size_t cell, Put&& put) {
    for (int c = 0; c < corners_of(mesh.kind); ++c)
        put(static_cast<std::size_t>(mesh.cell(cell)[gmsh_corner(mesh.kind, c)]) + 1);
}

// A cell in several sets is given once per set, as Gmsh does; the reader joins the entries again.
void put_elements2(Output& out, const Mesh& mesh, const Grouping& g) {
    std::size_t number = 0;
    const auto entry = [&](int type, std::size_t physical, std::size_t entity) {
        out.number(++number);
        if (!out.binary()) {
            out.number(static_cast<std::size_t>(type));
            out.number(2);
        }
        out.number(physical);
        out.number(entity);
    };
    const auto run = [&](int type, std::size_t length) {
        if (out.binary() && length > 0) {
            out.number(static_cast<std::size_t>(type));
            out.number(length);
            out.number(2);
        }
    };
    const int type = element_type(mesh.kind).gmsh;
    run(type, g.cell_entries);
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        std::vector<std::size_t> tags = g.entity_tags[g.entity_of[c]];
        if (tags.empty()) tags.push_back(0);
        for (const std::size_t physical : tags) {
            entry(type, physical, g.entity_of[c] + 1);
            put_corners(mesh, c, [&](std::size_t node) { out.number(node); });
            out.end_line();
        }
    }
    run(15, g.point_entries);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        for (const std::size_t physical : g.vertex_tags[v]) {
            entry(15, physical, v + 1);
            out.number(v + 1);
            out.end_line();
        }
    }
}

void put_entities4(Output& out, const Mesh& mesh, const Grouping& g) {
    std::size_t points = 0;
    for (const auto& tags : g.vertex_tags) points += tags.empty() ? 0 : 1;
    for (const std::size_t n : {points, std::size_t{0}, g.dimension == 2 ? g.entity_tags.size() : 0,
                                g.dimension == 3 ? g.entity_tags.size() : 0}) {
        out.size(n);
    }
    out.end_line();
    const auto put_tags = [&](const std::vector<std::size_t>& tags) {
        out.size(tags.size());
        for (const std::size_t t : tags) out.number(t);
    };
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        if (g.vertex_tags[v].empty()) continue;
        out.number(v + 1);
        out.point(mesh.vertices[v]);
        put_tags(g.vertex_tags[v]);
        out.end_line();
    }
    Vec3 low = mesh.vertices.front(), high = low;
    for (const Vec3& p : mesh.vertices) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    for (std::size_t e = 0; e < g.entity_tags.size(); ++e) {
        out.number(e + 1);
        out.point(low);
        out.point(high);
        put_tags(g.entity_tags[e]);
        out.size(0);
        out.end_line();
    }
}

void put_nodes4(Output& out, const Mesh& mesh, const Grouping& g) {
    const std::size_t n = mesh.vertices.size();
    for (const std::size_t v : {std::size_t{1}, n, std::size_t{1}, n}) out.size(v);
    out.end_line();
    out.number(static_cast<std::size_t>(g.dimension));
    out.number(1);
    out.number(0);
    out.size(n);
    out.end_line();
    for (std::size_t v = 0; v < n; ++v) {
        out.size(v + 1);
        out.end_line();
    }
    for (const Vec3& p : mesh.vertices) {
        out.point(p);
        out.end_line();
    }
}

void put_elements4(Output& out, const Mesh& mesh, const Grouping& g) {
    std::vector<std::vector<std::size_t>> cells(g.entity_tags.size());
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) cells[g.entity_of[c]].push_back(c);
    std::size_t points = 0;
    for (const auto& tags : g.vertex_tags) points += tags.empty() ? 0 : 1;
    const std::size_t total = mesh.cell_count() + points;
    for (const std::size_t v : {cells.size() + points, total, std::size_t{1}, total}) out.size(v);
    out.end_line();
    const auto head = [&](int dimension, std::size_t entity, int type, std::size_t n) {
        out.put(dimension);
        out.number(entity);
        out.put(type);
        out.size(n);
        out.end_line();
    };
    for (std::size_t e = 0; e < cells.size(); ++e) {
        head(g.dimension, e + 1, element_type(mesh.kind).gmsh, cells[e].size());
        for (const std::size_t c : cells[e]) {
            out.size(c + 1);
            put_corners(mesh, c, [&](std::size_t node) { out.size(node); });
            out.end_line();
        }
    }
    std::size_t number = mesh.cell_count();
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        if (g.vertex_tags[v].empty()) continue;
        head(0, v + 1, 15, 1);
        out.size(++number);
        out.size(v + 1);
        out.end_line();
    }
}
}  // namespace

std::string format_msh2(const Mesh& mesh, bool binary) {
    const Grouping g = group(mesh);
    Output out(binary);
    put_head(out, mesh, g, "2.2");
    out.text_line("$Nodes");
    out.text_line(text(mesh.vertices.size()));
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        out.number(v + 1);
        out.point(mesh.vertices[v]);
        out.end_line();
    }
    out.end_section("$EndNodes");
    out.text_line("$Elements");
    out.text_line(text(g.cell_entries + g.point_entries));
    put_elements2(out, mesh, g);
    out.end_section("$EndElements");
    return out.take();
}

std::string format_msh4(const Mesh& mesh, bool binary) {
    const Grouping g = group(mesh);
    Output out(binary);
    put_head(out, mesh, g, "4.1");
    out.text_line("$Entities");
    put_entities4(out, mesh, g);
    out.end_section("$EndEntities");
    out.text_line("$Nodes");
    put_nodes4(out, mesh, g);
    out.end_section("$EndNodes");
    out.text_line("$Elements");
    put_elements4(out, mesh, g);
    out.end_section("$EndElements");
    return out.take();
}

}  // namespace limber
