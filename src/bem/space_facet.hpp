// One flat triangle as the boundary integrals of space see it, and the moments of its linear shape functions over
// powers of distance.
#pragma once

#include <limber/vec3.hpp>

#include <array>
#include <cstddef>

namespace limber {

/// Side k runs from corner k + 1 to corner k + 2, opposite to corner k. In-plane vectors are given along axis[0] and
/// axis[1].
struct SpaceFacet {
    std::array<Vec3, 3> corner;                      ///< [m]
    std::array<Vec3, 3> axis;                        ///< two in the plane, then the outward normal: right-handed
    std::array<std::array<double, 2>, 3> tangent{};  ///< of each side
    std::array<double, 3> length{};                  ///< of each side [m]
    double area = 0.0;                               ///< [m^2]
    Vec3 middle;                                     ///< centroid [m]
    double reach = 0.0;                              ///< from there to the farthest corner [m]

    const Vec3& normal() const { return axis[2]; }
};

/// Of three corners, counter-clockwise from outside; the area is 0 (and nothing else usable) where they are in one
/// line.
SpaceFacet make_space_facet(const Vec3& a, const Vec3& b, const Vec3& c);

/// Integrals over a facet of rho_1^(n-q) rho_2^q / R^m, in closed form. rho: in-plane vector from the point's
/// projection to the facet's point; d: height of the facet above the point along its normal; R^2 = rho^2 + d^2. What
/// diverges as d -> 0 is kept times the power of d that every kernel has there.
struct FacetMoments {
    double d = 0.0;
    /// Distance of each side's line from the projection, positive on the facet's side [m].
    std::array<double, 3> height{};
    double m1[2][2] = {};  ///< [n][q]
    double m3[4][4] = {};
    double m5[5][5] = {};  ///< m5[0][0] times d^2
    double m7[5][5] = {};  ///< m7[0][0] times d^4, m7[2] times d^2; only for stress
};

/// How far moments go: displacement kernels take m <= 5, stress kernels all.
enum class MomentsFor { displacement, stress };

/// `corner` is the facet's corner that the point is (0 to 2), or -1. For a corner the terms that diverge are left out:
/// they belong to the shape function of that corner in strongly singular kernels, whose integral follows from rigid
/// motion instead.
FacetMoments facet_moments(const SpaceFacet& facet, const Vec3& point, int corner, MomentsFor purpose);

/// N_k = value + slope . rho: the distance from side k, inwards, over that of corner k.
struct ShapeAtProjection {
    double value = 0.0;
    double slope[2] = {};  ///< [1/m]
};
ShapeAtProjection shape_at_projection(const SpaceFacet& facet, const FacetMoments& moments, std::size_t k);

}  // namespace limber
