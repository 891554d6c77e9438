// The mesh part of an Abaqus or CalculiX deck: what is missing are materials, steps and loads.
#include "io/inp/inp.hpp"

#include "core/text.hpp"
#include "io/files/scanner.hpp"
#include "io/files/written_by.hpp"
#include "io/inp/inp_sets.hpp"

#include <limber/error.hpp>

#include <algorithm>

namespace limber {
namespace {

const char* inp_name(CellKind kind, Plane plane) {
    switch (kind) {
        case CellKind::tri3: return plane == Plane::strain ? "CPE3" : "CPS3";
        case CellKind::quad4: return plane == Plane::strain ? "CPE4" : "CPS4";
        case CellKind::tet4: return "C3D4";
        case CellKind::tet10: return "C3D10";
        case CellKind::hex8: return "C3D8";
    }
    return "";
}

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

std::string set_name(const std::string& name) {
    const bool letter_first = !name.empty() &&
                              ((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z'));
    return letter_first && std::all_of(name.begin(), name.end(), is_plain) ? name : text("\"", name, "\"");
}

void check_names(const Mesh& mesh, const std::string& path) {
    const auto refuse = [&](const std::string& name, const char* why) {
        throw Error(Fault::unsupported, {path, 0, {}}, text("not written: the set name ", in_quotes(name), why),
                    "another name for an INP file (VTU can hold it)");
    };
    for (const auto* sets : {&mesh.vertex_sets, &mesh.cell_sets}) {
        std::map<std::string, int> seen;
        for (const auto& [name, set] : *sets) {
            if (name.find_first_of("\",=") != std::string::npos)
                refuse(name, " has a double quote, comma or equals sign");
            if (name.front() == ' ' || name.back() == ' ') refuse(name, " begins or ends with a blank");
            if (seen[upper(name)]++ > 0) refuse(name, " differs from another one by case only");
            if (upper(name) == kInpAllCells) refuse(name, " is the one limber gives to all cells");
        }
    }
}

void put_sets(std::string& out, const char* keyword, const std::map<std::string, IndexSet>& sets) {
    constexpr std::size_t kPerLine = 16;
    for (const auto& [name, set] : sets) {
        if (set.empty()) continue;
        out += text("*", keyword, ", ", keyword, "=", set_name(name), "\n");
        for (std::size_t i = 0; i < set.size(); ++i) {
            fmt::format_to(std::back_inserter(out), "{}{}", set[i] + 1,
                           i + 1 == set.size() || (i + 1) % kPerLine == 0 ? "\n" : ", ");
        }
    }
}

}  // namespace

std::string inp_number(double value) {
    constexpr std::size_t kWide = 20;
    std::string word = fmt::format("{}", value);
    for (int digits = 16; word.size() > kWide && digits > 10; --digits) word = fmt::format("{:.{}g}", value, digits);
    return word.find_first_of(".en") == std::string::npos ? word + "." : word;
}

std::string format_inp(const Mesh& mesh, const std::string& path, Plane plane, LengthUnit unit) {
    check_names(mesh, path);
    std::string out = text("** ", written_by(), "\n*HEADING\nmesh of ", counted(mesh.cell_count(), "cell"),
                           "; lengths in ", to_string(unit), "\n*NODE\n");
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        fmt::format_to(std::back_inserter(out), "{}", v + 1);
        for (int a = 0; a < 3; ++a) out += ", " + inp_number(mesh.vertices[v][a]);
        out += '\n';
    }
    out += text("*ELEMENT, TYPE=", inp_name(mesh.kind, plane), ", ELSET=", kInpAllCells, "\n");
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        fmt::format_to(std::back_inserter(out), "{}", c + 1);
        for (int k = 0; k < corners_of(mesh.kind); ++k)
            fmt::format_to(std::back_inserter(out), ", {}", mesh.cell(c)[k] + 1);
        out += '\n';
    }
    put_sets(out, "NSET", mesh.vertex_sets);
    put_sets(out, "ELSET", mesh.cell_sets);
    return out;
}

}  // namespace limber
