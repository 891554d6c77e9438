// Element matrices: stiffness, consistent mass and body-force weights of one cell.
//
//   K_e = integral B^T D B,   M_e = rho integral N^T N      [Zienkiewicz & Taylor]
//
// Strains are (xx, yy, zz, xy) in the plane and (xx, yy, zz, xy, yz, zx) in space, shear doubled (engineering).
// zz is kept in the plane because mean dilatation (B-bar) is three-dimensional also under plane strain.
#pragma once

#include "geometry/shape.hpp"

#include <limber/body.hpp>

#include <array>
#include <cstdint>

namespace limber {

/// How the volumetric strain is taken. `bbar`: its mean over the cell (quad4, hex8, tet10); over the cells around each
/// vertex for tri3 and tet4, where a cell mean would change nothing (see assembly.hpp).
enum class Integration : std::uint8_t { full, bbar };

/// Of the shear stiffness of averaged tri3 and tet4: how much acts on each cell's own strain. The rest acts on the
/// strain averaged around vertices, which bends freely, but has wrinkles of its own that cost nothing; this share makes
/// them cost something. [after Puso & Solberg 2006; 0.25: within 3 % of the limit in bending from five cells across on,
/// see docs/methods/linear_fem.md]
inline constexpr double kCellShearShare = 0.25;

inline constexpr int kMaxElementDofs = 3 * kMaxCorners;

/// The 6x6 elasticity matrix on (xx, yy, zz, xy, yz, zx); in the plane only its 4x4 corner is meant.
using ElasticityMatrix = std::array<std::array<double, 6>, 6>;
ElasticityMatrix elasticity_matrix(const Material& material, int dimension, Plane plane);

/// Arrays are as long as the largest cell needs; what lies beyond a smaller cell's part is left as it was.
struct ElementMatrices {
    int dofs = 0;                                                       ///< corners * dimension, vertex by vertex
    std::array<double, kMaxElementDofs * kMaxElementDofs> stiffness{};  ///< dofs x dofs, row by row [N/m]
    std::array<double, kMaxElementDofs> dilatation{};                   ///< mean div u = dilatation . u [1/m]
    std::array<double, kMaxCorners * kMaxCorners> mass{};               ///< corners x corners, one component's [kg]
    std::array<double, kMaxCorners> volume{};  ///< integral of each shape function, times thickness [m^3]
    double measure = 0.0;                      ///< their sum [m^3]
};

/// What element_matrices needs to know besides the cell. `averaged` leaves out what averages around vertices add
/// elsewhere: all of the volumetric part, and of the rest all but kCellShearShare; `volume_penalty` [Pa] is Picinbono's
/// artificial bulk stiffness.
struct ElementSettings {
    Integration integration = Integration::full;
    bool averaged = false;
    double volume_penalty = 0.0;
};

void element_matrices(const Body& body, std::size_t cell, const ElementSettings& settings, ElementMatrices& out);

/// The mean of div u over a cell is dilatation . u, `dofs` entries [1/m]; returns the cell's measure, times thickness
/// [m^3].
double mean_dilatation(const Body& body, std::size_t cell, double* dilatation);

/// Derivatives of the shape functions by rest position at `xi`, and det J there.
double physical_gradients(const Mesh& mesh, std::size_t cell, const Vec3& xi, Vec3* gradients);

}  // namespace limber
