#include "bem/space_stress.hpp"

#include "bem/space_rule.hpp"

#include <cmath>
#include <initializer_list>
#include <numbers>

namespace limber {
namespace {

constexpr int kStressPairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};

struct StressFactors {
    double d, s, nu;
    explicit StressFactors(const BoundaryMaterial& m)
        : d(1.0 / (8.0 * std::numbers::pi * (1.0 - m.poisson))),
          s(m.shear / (4.0 * std::numbers::pi * (1.0 - m.poisson))),
          nu(m.poisson) {}
};

// Both kernels from integrals (or values) J of products of components of r over R^m: j(m, lifts, {i, ...}) has `lifts`
// factors r . n more. `normal` in the same axes.
template <class Integral>
void fill_kernels(const StressFactors& f, const double* normal, const Integral& j, double (&d)[27], double (&s)[27]) {
    const double plain = 1.0 - 2.0 * f.nu, one = j(3, 0, {});
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) {
            for (int l = 0; l <= i; ++l) {
                const double ki = k == i ? 1.0 : 0.0, kl = k == l ? 1.0 : 0.0, il = i == l ? 1.0 : 0.0;
                const double to = plain * (ki * j(3, 0, {l}) + kl * j(3, 0, {i}) - il * j(3, 0, {k})) +
                                  3.0 * j(5, 0, {i, l, k});
                const double lifted = plain * il * j(5, 1, {k}) + f.nu * (ki * j(5, 1, {l}) + kl * j(5, 1, {i})) -
                                      5.0 * j(7, 1, {i, l, k});
                const double sides = f.nu * (normal[i] * j(5, 0, {l, k}) + normal[l] * j(5, 0, {i, k})) +
                                     plain * normal[k] * j(5, 0, {i, l});
                const double flat = plain * (normal[l] * ki + normal[i] * kl) - (1.0 - 4.0 * f.nu) * normal[k] * il;
                d[9 * k + 3 * i + l] = d[9 * k + 3 * l + i] = f.d * to;
                s[9 * k + 3 * i + l] = s[9 * k + 3 * l + i] = f.s * (3.0 * (lifted + sides) + flat * one);
            }
        }
    }
}

// Products of components over the facet in its own axes, times f = 1 (degree 0), rho_1 or rho_2 (degree 1, q).
struct LocalProducts {
    const FacetMoments& m;
    int degree, q;

    double operator()(int power, int lifts, std::initializer_list<int> factors) const {
        int in_plane = degree, second = q, along = lifts;
        for (const int i : factors) {
            if (i == 2) {
                ++along;
            } else {
                ++in_plane;
                second += i;
            }
        }
        // Moments that come times a power of d: every kernel has at least that many (see FacetMoments).
        if (power == 5 && in_plane == 0) along -= 2;
        if (power == 7 && in_plane == 2) along -= 2;
        if (power == 7 && in_plane == 0) along -= 4;
        double value = power == 3   ? m.m3[in_plane][second]
                       : power == 5 ? m.m5[in_plane][second]
                                    : m.m7[in_plane][second];
        for (; along > 0; --along) value *= m.d;
        return value;
    }
};

// Rows by pairs of stress components in the world, columns by k.
void rows_in_world(const SpaceFacet& facet, const double* local, double* out) {
    for (int row = 0; row < 6; ++row) {
        for (int k = 0; k < 3; ++k) {
            double sum = 0.0;
            for (int a = 0; a < 27; ++a) {
                sum += local[a] * facet.axis[static_cast<std::size_t>(a / 9)][k] *
                       facet.axis[static_cast<std::size_t>(a / 3 % 3)][kStressPairs[row][0]] *
                       facet.axis[static_cast<std::size_t>(a % 3)][kStressPairs[row][1]];
            }
            out[3 * row + k] = sum;
        }
    }
}

void stress_closed(const SpaceFacet& facet, const Vec3& point, const StressFactors& factors, SpaceStressBlocks& out) {
    const FacetMoments moments = facet_moments(facet, point, -1, MomentsFor::stress);
    constexpr double normal[3] = {0.0, 0.0, 1.0};
    double d[3][27], s[3][27];  // of 1, rho_1, rho_2
    fill_kernels(factors, normal, LocalProducts{moments, 0, 0}, d[0], s[0]);
    fill_kernels(factors, normal, LocalProducts{moments, 1, 0}, d[1], s[1]);
    fill_kernels(factors, normal, LocalProducts{moments, 1, 1}, d[2], s[2]);
    for (std::size_t k = 0; k < 3; ++k) {
        const ShapeAtProjection n = shape_at_projection(facet, moments, k);
        double local_d[27], local_s[27];
        for (int i = 0; i < 27; ++i) {
            local_d[i] = n.value * d[0][i] + n.slope[0] * d[1][i] + n.slope[1] * d[2][i];
            local_s[i] = n.value * s[0][i] + n.slope[0] * s[1][i] + n.slope[1] * s[2][i];
        }
        rows_in_world(facet, local_d, out.d[k]);
        rows_in_world(facet, local_s, out.s[k]);
    }
}

void stress_by_rule(const SpaceFacet& facet, const Vec3& point, const StressFactors& factors, SpaceStressBlocks& out) {
    const Vec3& n = facet.normal();
    const double normal[3] = {n.x, n.y, n.z};
    out = {};
    for (const TrianglePoint& g : triangle_rule(2)) {
        const Vec3 r = g.n[0] * facet.corner[0] + g.n[1] * facet.corner[1] + g.n[2] * facet.corner[2] - point;
        const double inverse2 = 1.0 / norm2(r), cube = inverse2 * std::sqrt(inverse2), lift = dot(r, n);
        double d[27], s[27];
        fill_kernels(
            factors, normal,
            [&](int power, int lifts, std::initializer_list<int> indices) {
                double value = power == 3 ? cube : power == 5 ? cube * inverse2 : cube * inverse2 * inverse2;
                for (const int i : indices) value *= r[i];
                return lifts > 0 ? value * lift : value;
            },
            d, s);
        for (std::size_t k = 0; k < 3; ++k) {
            for (int e = 0; e < 18; ++e) {
                const int at = 9 * (e % 3) + 3 * kStressPairs[e / 3][0] + kStressPairs[e / 3][1];
                out.d[k][e] += facet.area * g.weight * g.n[k] * d[at];
                out.s[k][e] += facet.area * g.weight * g.n[k] * s[at];
            }
        }
    }
}

}  // namespace

void stress_blocks(const SpaceFacet& facet, const Vec3& point, const BoundaryMaterial& material,
                   SpaceStressBlocks& out) {
    const StressFactors factors(material);
    if (norm(facet.middle - point) > 10.0 * facet.reach)
        stress_by_rule(facet, point, factors, out);
    else
        stress_closed(facet, point, factors, out);
}

void add_body_stress(const SpaceFacet& facet, const Vec3& point, const Vec3& origin, const SpaceStressBlocks& blocks,
                     double* out) {
    const double lift = dot(facet.normal(), facet.middle - point);
    const Vec3 from_origin = point - origin;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 r = facet.corner[k] - point;
        for (int row = 0; row < 6; ++row) {
            for (int j = 0; j < 3; ++j) {
                const double d = blocks.d[k][3 * row + j] * lift;
                out[12 * row + j] += d;
                for (int l = 0; l < 3; ++l) out[12 * row + 3 + 3 * j + l] += d * (from_origin[l] + 0.5 * r[l]);
            }
        }
    }
}

}  // namespace limber
