// Mesh: vertices and cells of one kind, with named sets. Surface: what OBJ, PLY and STL files hold.
#pragma once

#include <limber/vec3.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace limber {

/// Corner order is VTK's. tet10: corners 0-3, then the middles of edges 01 12 02 03 13 23.
enum class CellKind : std::uint8_t { tri3, quad4, tet4, tet10, hex8 };

int corners_of(CellKind kind);         ///< nodes per cell: 3, 4, 4, 10, 8
int dimension_of(CellKind kind);       ///< 2 or 3
const char* to_string(CellKind kind);  ///< "tri3", ...
bool parse_cell_kind(const std::string& name, CellKind& out);

/// Indices, ascending and without repeats.
using IndexSet = std::vector<std::int32_t>;

/// A plain value: edit it freely; Body validates it once.
struct Mesh {
    CellKind kind = CellKind::tet4;
    std::vector<Vec3> vertices;       ///< [m]; planar meshes keep z = 0
    std::vector<std::int32_t> cells;  ///< corners_of(kind) per cell, flat
    std::map<std::string, IndexSet> vertex_sets;
    std::map<std::string, IndexSet> cell_sets;

    int dimension() const { return dimension_of(kind); }
    std::size_t cell_count() const { return cells.size() / static_cast<std::size_t>(corners_of(kind)); }
    const std::int32_t* cell(std::size_t c) const {
        return cells.data() + c * static_cast<std::size_t>(corners_of(kind));
    }
    std::int32_t* cell(std::size_t c) { return cells.data() + c * static_cast<std::size_t>(corners_of(kind)); }
};

/// A polygon soup: faces[face_starts[f] .. face_starts[f+1]) are the corners of face f, counter-clockwise from outside.
struct Surface {
    std::vector<Vec3> vertices;
    std::vector<std::int32_t> face_starts{0};
    std::vector<std::int32_t> faces;

    std::size_t face_count() const { return face_starts.size() - 1; }
};

/// The outer facets of a mesh: edges in 2D (body on the left), faces in 3D (outward), on the mesh's own vertex numbers.
struct Boundary {
    int corners = 0;  ///< per facet: 2 (edges), 3 (tet faces; tet10: four triangles each), 4 (hex faces)
    std::vector<std::int32_t> facets;  ///< flat, `corners` each, ordered by owner cell
    std::vector<std::int32_t> owner;   ///< the cell behind each facet
    IndexSet vertices;                 ///< every vertex on the boundary

    std::size_t facet_count() const { return owner.size(); }
};
Boundary boundary_of(const Mesh& mesh);

/// Signed area (2D) or volume (3D) of one cell, by the element's own quadrature [m^2 or m^3].
double cell_measure(const Mesh& mesh, std::size_t cell);
/// Sum over all cells.
double measure_of(const Mesh& mesh);
/// Diagonal of the box around all vertices [m]; 0 without any.
double diagonal_of(const Mesh& mesh);

/// What validate() can find. `repaired` ones were repaired in place; `warning` ones are kept; `fatal` ones make Body
/// throw.
struct MeshFinding {
    enum class Kind {
        inverted_cell,
        zero_volume_cell,
        unused_vertex,
        duplicate_cell,
        index_out_of_range,
        repeated_corner,
        non_finite_coordinate,
        disconnected_parts,
        not_planar,
        empty,
        bad_set,
        bad_shape
    };
    enum class Severity { repaired, warning, fatal };
    Kind kind;
    Severity severity;
    std::size_t count = 0;  ///< how many
    std::size_t first = 0;  ///< index of the first one (cell or vertex)
    std::string message;    ///< one line in plain words, with numbers
};
const char* to_string(MeshFinding::Kind kind);

/// Checks everything a method relies on. Inverted cells get their winding fixed (and that is reported).
std::vector<MeshFinding> validate(Mesh& mesh);

/// Adds the vertices inside a box (grown by 1e-9 of the mesh's size) as a named set.
IndexSet vertices_in_box(const Mesh& mesh, const Vec3& low, const Vec3& high);

// Generators. Every one names its sides: "left" (min x) "right" "bottom" (min y) "top" "back" (min z) "front".
Mesh make_grid(CellKind kind, int nx, int ny, const Vec3& low, const Vec3& high);         ///< tri3 or quad4, z = 0
Mesh make_box(CellKind kind, int nx, int ny, int nz, const Vec3& low, const Vec3& high);  ///< tet4, tet10 or hex8
Mesh make_ball(CellKind kind, int cells_across, const Vec3& centre,
               double radius);  ///< surface vertices exactly on the sphere; set "surface"
Mesh make_cylinder(CellKind kind, int cells_across, int cells_along, double radius,
                   double length);  ///< axis +x from the origin; sets "left", "right", "side"
Mesh make_torus(CellKind kind, int cells_across, int cells_around, double ring_radius,
                double tube_radius);  ///< axis y; set "surface"
/// tet4 to tet10: straight mid-edge nodes are added after the corners; sets grow with them.
Mesh to_tet10(const Mesh& tet4);

}  // namespace limber
