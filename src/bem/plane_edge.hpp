// Kelvin's plane-strain kernels integrated over one straight edge, in closed form near it and by Gauss far away: both
// good to rounding.
//
// A vector of the plane is a complex number. Seen from a source point p, the edge is zeta = tau - i d with tau along
// the edge and d the distance along the outward normal (-i in the edge's axes). On a straight edge conj(zeta) = zeta +
// 2 i d, so every kernel is a polynomial times ln |zeta| or 1/zeta^k, and no closed form ever divides by d: points in
// the edge's own line need no care.
#pragma once

#include <array>
#include <complex>

namespace limber {

using Complex = std::complex<double>;

/// An edge from `start`, as seen by the integrals: direction a unit number, body on its left.
struct PlaneEdge {
    Complex start, direction;
    double length = 0.0;
};

/// Where the source point is. At an end, and within the edge, integrals are finite parts (principal values): a node's
/// own block comes from rigid translation, and everything else vanishes at the point.
enum class EdgeSource { apart, at_start, at_end, within };

/// Integrals of xi^m over the edge, xi from 0 (start) to 1.
struct EdgeIntegrals {
    static constexpr int kPowers = 4;
    double d = 0.0;                                         ///< distance of the edge's line from the source, outward
    std::array<double, kPowers> log{};                      ///< of xi^m ln |zeta|
    std::array<std::array<Complex, kPowers>, 4> inverse{};  ///< [k][m]: of xi^m zeta^-k; k = 0 is 1 / (m + 1)
};

/// `powers` of xi (1 to 4) and `orders` of 1/zeta (2 or 3).
EdgeIntegrals integrate_edge(const PlaneEdge& edge, const Complex& source, EdgeSource where, int powers, int orders);

/// A real-linear map of the plane: w = plain v + mirrored conj(v).
struct PlaneMap {
    Complex plain, mirrored;

    PlaneMap& operator+=(const PlaneMap& other) {
        plain += other.plain;
        mirrored += other.mirrored;
        return *this;
    }
    Complex operator()(const Complex& v) const { return plain * v + mirrored * std::conj(v); }
};

/// Elastic constants of the kernels. `kappa` is Kolosov's 3 - 4 nu; shear is 1 (callers divide by mu).
struct PlaneConstants {
    explicit PlaneConstants(double poisson);
    double poisson, kappa;
    double single;  ///< 1 / (16 pi (1 - nu))
    double twice;   ///< 1 / (4 pi (1 - nu))
};

/// Integral of U xi^m: displacement at the source from a traction (shear modulus 1).
PlaneMap single_layer(const PlaneConstants& c, const PlaneEdge& edge, const EdgeIntegrals& q, int m);
/// Integral of T xi^m, with the sign of  c u + int T u = int U t.
PlaneMap double_layer(const PlaneConstants& c, const PlaneEdge& edge, const EdgeIntegrals& q, int m);

/// Stress at the source as the complex pair (sigma_xx + sigma_yy, sigma_xx - sigma_yy + 2 i sigma_xy); shear modulus 1.
struct PlaneStressMap {
    Complex sum;  ///< sigma_xx + sigma_yy = Re(sum v)
    PlaneMap difference;
};
PlaneStressMap stress_of_single_layer(const PlaneConstants& c, const PlaneEdge& edge, const EdgeIntegrals& q, int m);
/// Stress of the displacement int T u (subtract it).
PlaneStressMap stress_of_double_layer(const PlaneConstants& c, const PlaneEdge& edge, const EdgeIntegrals& q, int m);

}  // namespace limber
