#include "io/medit/medit.hpp"

#include "core/text.hpp"
#include "io/files/written_by.hpp"

#include <map>
#include <vector>

namespace limber {
namespace {

/// One reference per combination of sets, 0 for none.
struct References {
    std::vector<std::size_t> of;
    std::vector<std::vector<std::string>> names{{}};
};

References references(const std::map<std::string, IndexSet>& sets, std::size_t count) {
    std::vector<std::vector<std::string>> member(count);
    for (const auto& [name, set] : sets)
        for (const std::int32_t i : set) member[static_cast<std::size_t>(i)].push_back(name);
    References out;
    std::map<std::vector<std::string>, std::size_t> known{{{}, 0}};
    for (const auto& names : member) {
        const auto [place, added] = known.try_emplace(names, known.size());
        if (added) out.names.push_back(names);
        out.of.push_back(place->second);
    }
    return out;
}

/// Sets without members are told with a reference that nothing has.
void put_names(std::string& out, const char* what, const References& references,
               const std::map<std::string, IndexSet>& sets) {
    for (const auto& [name, set] : sets)
        if (set.empty()) out += text(kMeditSet, what, " -1 ", name, "\n");
    for (std::size_t r = 0; r < references.names.size(); ++r)
        for (const std::string& name : references.names[r]) out += text(kMeditSet, what, " ", r, " ", name, "\n");
}

const char* section_of(CellKind kind) {
    switch (kind) {
        case CellKind::tri3: return "Triangles";
        case CellKind::quad4: return "Quadrilaterals";
        case CellKind::tet4: return "Tetrahedra";
        case CellKind::tet10: return "TetrahedraP2";
        case CellKind::hex8: return "Hexahedra";
    }
    return "";
}

}  // namespace

std::string format_medit(const Mesh& mesh) {
    const References vertices = references(mesh.vertex_sets, mesh.vertices.size()),
                     cells = references(mesh.cell_sets, mesh.cell_count());
    std::string out = text("MeshVersionFormatted 2\n# ", written_by(), "\n");
    put_names(out, "vertices", vertices, mesh.vertex_sets);
    put_names(out, "cells", cells, mesh.cell_sets);
    out += text("Dimension ", mesh.dimension(), "\nVertices\n", mesh.vertices.size(), "\n");
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        for (int a = 0; a < mesh.dimension(); ++a)
            fmt::format_to(std::back_inserter(out), "{:.17g} ", mesh.vertices[v][a]);
        fmt::format_to(std::back_inserter(out), "{}\n", vertices.of[v]);
    }
    out += text(section_of(mesh.kind), "\n", mesh.cell_count(), "\n");
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        for (int k = 0; k < corners_of(mesh.kind); ++k)
            fmt::format_to(std::back_inserter(out), "{} ", mesh.cell(c)[k] + 1);
        fmt::format_to(std::back_inserter(out), "{}\n", cells.of[c]);
    }
    return out + "End\n";
}

}  // namespace limber
