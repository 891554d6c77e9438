// Kelvin's kernels of space times the linear shape functions of a flat triangle, integrated: the entries of H, G and
// the body columns.
//   u_i(p) = int U_ij t_j - int T_ij u_j + int over the volume of U_ij b_j
#pragma once

#include "bem/boundary_system.hpp"
#include "bem/space_facet.hpp"
#include "kernels/kelvin.hpp"

#include <array>

namespace limber {

/// Per corner of a facet a 3x3 block, row by row (row: direction at the point; column: component on the facet).
struct SpaceBlocks {
    double u[3][9];  ///< [m/Pa]
    double t[3][9];  ///< [1]
};

KelvinFactors kelvin_factors(const BoundaryMaterial& material);

/// Which rule of integration keeps an accuracy, relative to the largest entry of a facet's blocks: the coarsest one (0:
/// 3 points, 1: 7, 2: 16), or none
/// (-1: closed form). A rule of degree q leaves an error of x^q, x being reach over distance: one power fewer than its
/// own because of the shape function. The factors are measured: the worst over random triangles, points and both
/// kernels (tests/bem/space_blocks_test.cpp).
class RuleChoice {
public:
    explicit RuleChoice(double accuracy);
    int operator()(const SpaceFacet& facet, const Vec3& point) const {
        const double reach2 = facet.reach * facet.reach, distance2 = norm2(facet.middle - point);
        for (int rule = 0; rule < 3; ++rule)
            if (reach2 <= most_[rule] * distance2) return rule;
        return -1;
    }

private:
    double most_[3];  ///< of x^2
};

/// A facet with its points of integration prepared.
class SpacePanel {
public:
    explicit SpacePanel(const SpaceFacet& facet);
    const SpaceFacet& facet() const { return facet_; }
    /// Asks for what by_rule() reads with seven points: facets are too far apart in memory for the processor to guess.
    void fetch() const {
        for (std::size_t i = 0; i < 60; i += 8) __builtin_prefetch(points_.data() + i);
    }

    /// `corner`: the facet's corner that the point is, or -1. The t block of that corner is then meaningless (see
    /// facet_moments).
    void closed(const Vec3& point, int corner, const KelvinFactors& factors, SpaceBlocks& out) const;
    void by_rule(int rule, const Vec3& point, const KelvinFactors& factors, SpaceBlocks& out) const;
    /// For four points at once; see kernels/kelvin.hpp.
    void by_rule(int rule, const double* positions, const KelvinFactors& factors, KelvinBlocks& out) const;

private:
    SpaceFacet facet_;
    std::array<double, 26 * 6> points_;  ///< three rules one after the other, as KelvinRule takes them
};

/// Adds what a facet gives to the body columns of a point: U b over the cone from the point to the facet, for b = b0 +
/// L (x - origin), from the facet's u blocks. Out: three rows by 12 columns, row by row. U is homogeneous of degree -1
/// in r and U r of degree 0, so that div(r U) = 2 U and div(r U r_k) = 3 U r_k turn volumes into facets.
void add_body_force(const SpaceFacet& facet, const Vec3& point, const Vec3& origin, const SpaceBlocks& blocks,
                    double* out);

}  // namespace limber
