// The boundary integral equation of an elastic body, discretised:  H u = G t + B f.
// u: displacement per node [m]. t: traction per slot [Pa]. f: coefficients of a body force b(x) = b0 + L (x - origin)
// [N/m^3], so that gravity, angular (-rho alpha x r) and centrifugal (rho omega^2 r) forces are all of this form: b0
// first, then L row by row. A vector over nodes (slots) holds `dimension` numbers for each, one node after the other.
#pragma once

#include "bem/boundary_shape.hpp"
#include "linalg/dense_matrix.hpp"

#include <limber/progress.hpp>

#include <span>

namespace limber {

/// What kind of element: `constant` has its nodes in the middle of facets and exists in the plane only.
enum class BoundaryElements : std::uint8_t { linear, constant };

struct BoundaryMaterial {
    double shear = 1.0;    ///< mu [Pa]
    double poisson = 0.3;  ///< of plane strain (or space); plane stress enters as nu / (1 + nu)
};

struct BoundarySystem {
    BoundaryShape shape;
    BoundaryElements elements = BoundaryElements::linear;
    BoundaryMaterial material;
    Vec3 origin;              ///< of the body force's linear part; the centroid of the body [m]
    double measure = 0.0;     ///< area or volume [m^2, m^3]
    std::vector<Vec3> nodes;  ///< where displacement lives: the shape's points (linear), facet middles (constant)
    std::vector<std::int32_t> slot_node;    ///< the node of each traction slot
    std::vector<std::int32_t> facet_slots;  ///< `dimension` slots per facet (linear) or one (constant): corners and
                                            ///< edges have several per node
    std::vector<std::vector<std::int32_t>> node_slots;  ///< the slots of each node, ascending
    std::vector<double> slot_weight;  ///< integral of the slot's shape function [m, m^2]: force of a unit traction
    std::vector<Vec3> slot_normal;    ///< unit mean outward normal of the slot's facets
    DenseMatrix h;                    ///< rows: nodes; columns: nodes
    DenseMatrix g;                    ///< rows: nodes; columns: slots
    DenseMatrix body;  ///< rows: nodes; columns: `dimension` + `dimension`^2 coefficients of the body force

    int dimension() const { return shape.dimension; }
    std::size_t unknowns() const { return static_cast<std::size_t>(dimension()) * nodes.size(); }
    std::size_t tractions() const { return static_cast<std::size_t>(dimension()) * slot_node.size(); }
};

struct BoundarySettings {
    BoundaryElements elements = BoundaryElements::linear;
    double corner_degrees = 25.0;  ///< facets that meet at a sharper angle than this get traction slots of their own
    /// Of near-singular and regular integrals, relative; the plane's closed forms are good to rounding.
    double accuracy = 1e-8;
    /// One per facet, or empty: facets of different groups never share a slot. Where held meets free on a smooth
    /// surface, the traction jumps.
    std::vector<std::int32_t> facet_group;
};

/// Integrates everything. bem/plane_*.cpp for polygons, bem/space_*.cpp for triangle surfaces.
BoundarySystem make_plane_system(const BoundaryShape& shape, const BoundaryMaterial& material,
                                 const BoundarySettings& settings, Progress& progress);
BoundarySystem make_space_system(const BoundaryShape& shape, const BoundaryMaterial& material,
                                 const BoundarySettings& settings, Progress& progress);

/// Rows that give the displacement at a point inside: u(p) = G t - H u + B f, `dimension` rows each. Right near the
/// boundary too. For a point on the boundary (a node) use the node.
struct InnerRows {
    DenseMatrix h, g, body;
};
InnerRows plane_displacement_rows(const BoundarySystem& system, const Vec3& point);
InnerRows space_displacement_rows(const BoundarySystem& system, const Vec3& point);
/// The same for stress at a point inside: xx yy xy (plane; zz follows from plane strain or stress), xx yy zz xy yz zx
/// (space).
InnerRows plane_stress_rows(const BoundarySystem& system, const Vec3& point);
InnerRows space_stress_rows(const BoundarySystem& system, const Vec3& point);

}  // namespace limber
