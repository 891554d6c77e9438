// What an MSH file of either version says, before it becomes a Mesh: nodes and elements by tag, groups by number.
#pragma once

#include "io/element_types.hpp"
#include "io/files/scanner.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace limber {

struct MshElement {
    std::int64_t tag;
    std::size_t first;     ///< its nodes start here in MshData::nodes
    std::size_t position;  ///< byte in the file, for messages
    const ElementType* type;
    std::int32_t entity;
    std::uint32_t group;  ///< index into MshData::groups
};

struct MshData {
    std::vector<std::int64_t> node_tags;
    std::vector<Vec3> points;  ///< one per node tag
    std::vector<MshElement> elements;
    std::vector<std::int64_t> nodes;                            ///< node tags of the elements, flat
    std::map<std::pair<int, std::int32_t>, std::string> names;  ///< by dimension and physical tag
    std::vector<std::vector<std::int32_t>> groups{{}};  ///< lists of physical tags; the first one is empty: no group
    std::map<std::pair<int, std::int32_t>, std::uint32_t> entities;  ///< MSH 4: group of (dimension, entity)
};

/// MSH 4.1 stores counts and tags as size_t of the writing machine.
struct MshFormat {
    int major = 0;
    bool binary = false;
    int size_bytes = 8;
};

/// The section bodies: the cursor stands after "$Nodes", and in the end before "$EndNodes".
void read_msh2_nodes(Scanner& in, MshData& out);
void read_msh2_elements(Scanner& in, MshData& out);
void read_msh4_entities(Scanner& in, const MshFormat& format, MshData& out);
void read_msh4_nodes(Scanner& in, const MshFormat& format, MshData& out);
void read_msh4_elements(Scanner& in, const MshFormat& format, MshData& out);

/// Numbers vertices and cells in the order of their tags and turns groups into sets.
Mesh build_msh(MshData& data, const Scanner& in);

/// The type of an element, or a failure at the scanner's last word.
const ElementType& known_gmsh_type(const Scanner& in, std::int64_t number);

std::string format_msh2(const Mesh& mesh, bool binary);
std::string format_msh4(const Mesh& mesh, bool binary);

/// The physical group that limber writes for cells in no set, where other groups exist: Gmsh drops cells without a
/// group when it saves, and meshio refuses files where only some have one. The reader makes no set of it.
inline constexpr const char* kNoSetGroup = "limber:no_set";

/// Gmsh's last two mid-edge nodes of a tet10 are VTK's the other way round.
inline int gmsh_corner(CellKind kind, int corner) {
    return kind == CellKind::tet10 && corner >= 8 ? 17 - corner : corner;
}

}  // namespace limber
