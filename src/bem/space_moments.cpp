// Gauss's theorem in the plane of the facet lowers powers: rho_a / R^(m+2) = -1/m d(1/R^m)/d rho_a, so that
//   M^(m+2)[a w] = -1/m ( sum over sides of nu_a P^m[w] - M^m[dw/d rho_a] ),      P^m[w] = integral along a side of w /
//   R^m,
// for every product w of components of rho, and  (2 - m) M^m + m d^2 M^(m+2) = sum over sides of h P^m  gives the
// moments of 1 from the solid angle d M^3. Along a side rho = h nu + s t, so P^m[w] is a polynomial in s over R^m, R^2
// = s^2 + c^2, c^2 = h^2 + d^2.
#include "bem/space_facet.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

// Integrals along one side of s^k / R^m.
struct SideIntegrals {
    double distance = 0.0;  // of R itself
    double e1[3] = {};
    double e3[4] = {};
    double e5[4] = {};
};

// The integral of 1 / R; 0 for a point on the side, where a zero factor stands before it.
double inverse_distance(double s1, double s2, double r1, double r2, double c2) {
    if (s1 + s2 < 0.0) return inverse_distance(-s2, -s1, r2, r1, c2);
    const double start = s1 >= 0.0 ? r1 + s1 : c2 / (r1 - s1);
    if (!(start > 0.0)) return 0.0;
    return std::log1p((s2 - s1) * (1.0 + (s1 + s2) / (r1 + r2)) / start);
}

// The integral of 1 / R^3 is [s / (c^2 R)]: written without its difference of near equals where the point is near the
// side's line.
double inverse_cube(double s1, double s2, double r1, double r2, double c2) {
    const double end1 = 1.0 / (r1 * (r1 + std::abs(s1))), end2 = 1.0 / (r2 * (r2 + std::abs(s2)));
    if (s1 >= 0.0) return end1 - end2;
    if (s2 <= 0.0) return end2 - end1;
    return c2 > 0.0 ? 2.0 / c2 - end1 - end2 : 0.0;
}

SideIntegrals side_integrals(double s1, double s2, double r1, double r2, double c2, bool touching, MomentsFor purpose) {
    SideIntegrals e;
    e.e1[0] = inverse_distance(s1, s2, r1, r2, c2);
    e.e1[1] = (s2 - s1) * (s1 + s2) / (r1 + r2);
    const double ends = s2 * r2 - s1 * r1;
    e.e1[2] = 0.5 * (ends - c2 * e.e1[0]);
    e.distance = 0.5 * (ends + c2 * e.e1[0]);
    if (touching) return e;  // the facet's plane holds the point: d = 0 stands before all that follows
    e.e3[0] = inverse_cube(s1, s2, r1, r2, c2);
    e.e3[1] = e.e1[1] / (r1 * r2);
    e.e3[2] = e.e1[0] - c2 * e.e3[0];
    if (purpose == MomentsFor::displacement) return e;
    e.e3[3] = e.e1[1] - c2 * e.e3[1];
    const double cube1 = 1.0 / (r1 * r1 * r1), cube2 = 1.0 / (r2 * r2 * r2);
    const double far2 = std::max(r1, r2) * std::max(r1, r2);
    e.e5[0] = c2 > 1e-28 * far2 ? (s2 * cube2 - s1 * cube1 + 2.0 * e.e3[0]) / (3.0 * c2) : 0.0;  // c^3 stands before it
    e.e5[1] = (cube1 - cube2) / 3.0;
    e.e5[2] = e.e3[0] - c2 * e.e5[0];
    e.e5[3] = e.e3[1] - c2 * e.e5[1];
    return e;
}

// Sums over sides of nu_a P^m[n][q], for a = 1, 2.
struct SideSums {
    double nu[2][4][4] = {};
};

// Coefficients of (h nu_1 + s t_1)^(n-q) (h nu_2 + s t_2)^q in powers of s.
template <int Degree>
struct SidePolynomials {
    double k[Degree + 1][Degree + 1][Degree + 1] = {};

    SidePolynomials(const double* flat, const double* slope) {
        k[0][0][0] = 1.0;
        for (int n = 1; n <= Degree; ++n) {
            for (int q = 0; q <= n; ++q) {
                const int a = q < n ? 0 : 1;
                const double* lower = k[n - 1][q - a];
                for (int i = 0; i <= n; ++i)
                    k[n][q][i] = (i < n ? flat[a] * lower[i] : 0.0) + (i > 0 ? slope[a] * lower[i - 1] : 0.0);
            }
        }
    }
};

template <int Degree>
void add_side(SideSums& sums, const SidePolynomials<Degree>& w, const double* nu, const double* e, int degree) {
    for (int n = 0; n <= degree; ++n) {
        for (int q = 0; q <= n; ++q) {
            double p = 0.0;
            for (int i = 0; i <= n; ++i) p += w.k[n][q][i] * e[i];
            sums.nu[0][n][q] += nu[0] * p;
            sums.nu[1][n][q] += nu[1] * p;
        }
    }
}

// M^(m+2)[n][q] from the sums of degree n - 1 and `lower`, the moments M^m of degree n - 2 (looked at from n = 2 on).
double raised(const SideSums& sums, int n, int q, double m, const double* lower, double sums_times = 1.0) {
    const int a = q < n ? 0 : 1;
    const int power = a == 0 ? n - 1 - q : n - 1;  // of the component that is differentiated
    const double rest = power > 0 ? power * lower[a == 0 ? q : n - 2] : 0.0;
    return (rest - sums_times * sums.nu[a][n - 1][q - a]) / m;
}

// The solid angle over d: finite as d -> 0 beside the facet.
double inverse_cube_moment(const SpaceFacet& facet, const std::array<Vec3, 3>& r, const std::array<double, 3>& length,
                           double d) {
    const double bottom = length[0] * length[1] * length[2] + dot(r[0], r[1]) * length[2] +
                          dot(r[1], r[2]) * length[0] + dot(r[2], r[0]) * length[1];
    const double top = 2.0 * facet.area;
    if (bottom > 0.0 && std::abs(d) * top < 1e-4 * bottom) {
        const double x2 = d * top / bottom * (d * top / bottom);
        return 2.0 * top / bottom * (1.0 - x2 / 3.0 + x2 * x2 / 5.0 - x2 * x2 * x2 / 7.0);
    }
    return d != 0.0 ? 2.0 * std::atan2(d * top, bottom) / d : 0.0;
}

struct AllSums {
    SideSums p1, p3, p5;
    double h1 = 0.0, h3 = 0.0, h5 = 0.0;  // sums of h P^m[1]
    double distance[2] = {};              // sums of nu_a times the integral of R
};

template <int Degree>
AllSums sum_sides(const SpaceFacet& facet, const double (&rho)[3][2], const std::array<double, 3>& length, double d,
                  int corner, MomentsFor purpose, FacetMoments& out) {
    AllSums sums;
    for (int k = 0; k < 3; ++k) {
        const auto side = static_cast<std::size_t>(k), from = static_cast<std::size_t>((k + 1) % 3),
                   to = static_cast<std::size_t>((k + 2) % 3);
        const double* t = facet.tangent[side].data();
        const double nu[2] = {t[1], -t[0]};
        const bool touching = corner >= 0 && k != corner;
        const double h = touching ? 0.0 : nu[0] * rho[from][0] + nu[1] * rho[from][1];
        const double s1 = t[0] * rho[from][0] + t[1] * rho[from][1], s2 = t[0] * rho[to][0] + t[1] * rho[to][1];
        const SideIntegrals e = side_integrals(s1, s2, length[from], length[to], h * h + d * d, corner >= 0, purpose);
        const double flat[2] = {h * nu[0], h * nu[1]};
        const SidePolynomials<Degree> w(flat, t);
        out.height[side] = h;
        sums.h1 += h * e.e1[0];
        sums.h3 += h * e.e3[0];
        sums.h5 += h * e.e5[0];
        for (int a = 0; a < 2; ++a) sums.distance[a] += nu[a] * e.distance;
        add_side(sums.p1, w, nu, e.e1, 2);
        add_side(sums.p3, w, nu, e.e3, Degree);
        if constexpr (Degree == 3) add_side(sums.p5, w, nu, e.e5, 3);
    }
    return sums;
}

void raise_all(const AllSums& sums, double m3_of_one, int most5, FacetMoments& out) {
    const double d2 = out.d * out.d;
    out.m3[0][0] = m3_of_one;
    out.m1[0][0] = sums.h1 - d2 * m3_of_one;
    out.m1[1][0] = sums.distance[0];
    out.m1[1][1] = sums.distance[1];
    for (int n = 1; n <= 3; ++n)
        for (int q = 0; q <= n; ++q) out.m3[n][q] = raised(sums.p1, n, q, 1.0, out.m1[std::max(n - 2, 0)]);
    out.m5[0][0] = (sums.h3 + m3_of_one) / 3.0;
    for (int n = 1; n <= most5; ++n)
        for (int q = 0; q <= n; ++q) out.m5[n][q] = raised(sums.p3, n, q, 3.0, out.m3[std::max(n - 2, 0)]);
}

void raise_to_seven(const AllSums& sums, FacetMoments& out) {
    const double d2 = out.d * out.d;
    out.m7[0][0] = (d2 * sums.h5 + 3.0 * out.m5[0][0]) / 5.0;
    for (int n = 1; n <= 4; ++n)  // of second degree all is times d^2, as m5[0][0] is
    {
        for (int q = 0; q <= n; ++q)
            out.m7[n][q] = raised(sums.p5, n, q, 5.0, out.m5[std::max(n - 2, 0)], n == 2 ? d2 : 1.0);
    }
}

}  // namespace

FacetMoments facet_moments(const SpaceFacet& facet, const Vec3& point, int corner, MomentsFor purpose) {
    FacetMoments out;
    std::array<Vec3, 3> r;
    std::array<double, 3> length{};
    double rho[3][2];
    for (std::size_t i = 0; i < 3; ++i) {
        r[i] = facet.corner[i] - point;
        length[i] = norm(r[i]);
        rho[i][0] = dot(facet.axis[0], r[i]);
        rho[i][1] = dot(facet.axis[1], r[i]);
    }
    out.d = corner >= 0 ? 0.0 : dot(facet.normal(), facet.middle - point);
    const double m3 = corner >= 0 ? 0.0 : inverse_cube_moment(facet, r, length, out.d);
    if (purpose == MomentsFor::displacement) {
        raise_all(sum_sides<2>(facet, rho, length, out.d, corner, purpose, out), m3, 3, out);
    } else {
        const AllSums sums = sum_sides<3>(facet, rho, length, out.d, corner, purpose, out);
        raise_all(sums, m3, 4, out);
        raise_to_seven(sums, out);
    }
    return out;
}

ShapeAtProjection shape_at_projection(const SpaceFacet& facet, const FacetMoments& moments, std::size_t k) {
    const double steepness = facet.length[k] / (2.0 * facet.area);
    return {steepness * moments.height[k], {-steepness * facet.tangent[k][1], steepness * facet.tangent[k][0]}};
}

SpaceFacet make_space_facet(const Vec3& a, const Vec3& b, const Vec3& c) {
    SpaceFacet f;
    f.corner = {a, b, c};
    f.middle = (a + b + c) / 3.0;
    const Vec3 twice = cross(b - a, c - a);
    f.area = 0.5 * norm(twice);
    std::size_t longest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        f.length[k] = norm(f.corner[(k + 2) % 3] - f.corner[(k + 1) % 3]);
        f.reach = std::max(f.reach, norm(f.corner[k] - f.middle));
        if (f.length[k] > f.length[longest]) longest = k;
    }
    if (!(f.area > 1e-14 * f.length[longest] * f.length[longest])) {
        f.area = 0.0;
        return f;
    }
    f.axis[2] = twice / (2.0 * f.area);
    f.axis[0] = (f.corner[(longest + 2) % 3] - f.corner[(longest + 1) % 3]) / f.length[longest];
    f.axis[1] = cross(f.axis[2], f.axis[0]);
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 side = (f.corner[(k + 2) % 3] - f.corner[(k + 1) % 3]) / f.length[k];
        f.tangent[k] = {dot(f.axis[0], side), dot(f.axis[1], side)};
    }
    return f;
}

}  // namespace limber
