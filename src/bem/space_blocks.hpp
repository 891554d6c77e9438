// Kelvin's kernels of space times the linear shape functions of a flat triangle, integrated: the entries of H, G and the body columns.
//   u_i(p) = int U_ij t_j - int T_ij u_j + int over the volume of U_ij b_j
#pragma once

#include "bem/boundary_system.hpp"
#include "bem/space_facet.hpp"

#include <array>
#include <vector>

namespace limber {

/// Per corner of a facet a 3x3 block, row by row (row: direction at the point; column: component on the facet).
struct SpaceBlocks {
    double u[3][9];       ///< [m/Pa]
    double t[3][9];       ///< [1]
};

/// A facet with its points of integration prepared.
class SpacePanel {
public:
    explicit SpacePanel(const SpaceFacet& facet);
    const SpaceFacet& facet() const { return facet_; }

    /// `corner`: the facet's corner that the point is, or -1. The t block of that corner is then meaningless (see facet_moments).
    void integrate(const Vec3& point, int corner, const BoundaryMaterial& material, double accuracy, SpaceBlocks& out) const;

    /// The ways integrate() chooses from, for tests: closed form, and a rule of integration (0: 3 points, 1: 7, 2: 16).
    void closed(const Vec3& point, int corner, const BoundaryMaterial& material, SpaceBlocks& out) const;
    void by_rule(int rule, const Vec3& point, const BoundaryMaterial& material, SpaceBlocks& out) const;

    /// The coarsest rule whose error is below `accuracy` of the largest entry for a point; -1: none, closed form.
    int rule_for(const Vec3& point, double accuracy) const;

private:
    SpaceFacet facet_;
    /// 26 points of three rules one after the other: place, and weight times each shape function [m^2].
    std::array<Vec3, 26> place_;
    std::array<std::array<double, 3>, 26> weight_;
};

/// Adds what a facet gives to the body columns of a point: U b over the cone from the point to the facet, for b = b0 + L (x - origin),
/// from the facet's u blocks. Out: three rows by 12 columns, row by row.
/// U is homogeneous of degree -1 in r and U r of degree 0, so that div(r U) = 2 U and div(r U r_k) = 3 U r_k turn volumes into facets.
void add_body_force(const SpaceFacet& facet, const Vec3& point, const Vec3& origin, const SpaceBlocks& blocks, double* out);

}  // namespace limber
