// Shared by the generators: argument checks, hex splitting, O-grid cross-sections.
#pragma once

#include <limber/mesh.hpp>

#include <array>
#include <functional>
#include <initializer_list>

namespace limber {

/// A typing error such as 10000000 for 100 must not eat the machine's memory.
inline constexpr std::int64_t kMaxGeneratedCells = 50'000'000;
/// Larger coordinates overflow when volumes are formed.
inline constexpr double kMaxCoordinate = 1e100;

/// Throws bad_usage unless `kind` is one of `allowed`.
void require_kind(const char* generator, CellKind kind, std::initializer_list<CellKind> allowed);
/// Throws bad_usage unless count >= least.
void require_count(const char* generator, const char* name, int count, int least = 1);
/// Throws bad_usage unless the product of the factors is at most kMaxGeneratedCells.
void require_cells(const char* generator, std::initializer_list<std::int64_t> factors);
/// Throws bad_usage unless size is finite, positive and at most kMaxCoordinate.
void require_size(const char* generator, const char* name, double size);
/// Throws bad_usage unless small < large.
void require_less(const char* generator, const char* small_name, double small, const char* large_name, double large);
/// Throws bad_usage unless every coordinate is finite and at most kMaxCoordinate in magnitude.
void require_point(const char* generator, const char* name, const Vec3& point);
/// Throws bad_usage unless low[axis] < high[axis] and both are finite and at most kMaxCoordinate in magnitude.
void require_range(const char* generator, int axis, const Vec3& low, const Vec3& high);
/// Cells per hexahedron: 6 for tets, else 1.
int cells_per_hex(CellKind kind);

/// Each hex becomes six tets around its lowest-numbered corner. Diagonals start at each face's lowest number, so
/// neighbours agree on any hex mesh; on a lattice numbered x, y, z this is Kuhn's split. Sets are kept.
Mesh split_hexes(const Mesh& hexes);
/// A hex mesh as `kind`: hex8 (itself), tet4 or tet10 (straight edges).
Mesh convert_hexes(Mesh hexes, CellKind kind);

/// How `cells_across` cells through the middle of a disc or ball divide into a core and shells on both sides.
struct OGrid {
    int core = 1;    ///< cells across the core
    int shells = 0;  ///< layers around it
};
OGrid o_grid(int cells_across, CellKind kind);

/// The unit disc in quads: a rounded square core and shells. Set "rim", equally spaced.
Mesh unit_disc(const OGrid& o);
/// Direction of a point on the surface of the cube [-1,1]^3, with equal angles between equally spaced points of a
/// face's mid-lines.
Vec3 cube_to_sphere(const Vec3& p);

/// Wraps `shells` layers of cells around a quad4 or hex8 mesh, ending at outer[i] for its i-th boundary vertex; without
/// shells the boundary itself moves there. Returns the outermost vertices.
IndexSet add_shells(Mesh& core, int shells, const std::vector<Vec3>& outer);

/// tet10: moves the mid-edge nodes of surface faces onto the surface. A boundary face is one when its corners all lie
/// in `corners`, but not all in one of the `flat` sets. Where a cell would lose its positive Jacobian, its nodes stay
/// put. Returns all vertices of those faces, ascending.
IndexSet curve_surface(Mesh& mesh, const IndexSet& corners, const std::vector<IndexSet>& flat,
                       const std::function<Vec3(const Vec3&)>& project);

}  // namespace limber
