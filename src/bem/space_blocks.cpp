#include "bem/space_blocks.hpp"

#include "bem/space_rule.hpp"

#include <cmath>
#include <numbers>

namespace limber {
namespace {

using std::numbers::pi;

constexpr std::size_t kRuleStart[kTriangleRules + 1] = {0, 3, 10, 26};

// Per shape function: integrals of N r_i r_j / R^3 and N r_i r_j / R^5 (xx yy zz xy yz zx; their traces are those of N / R and N / R^3)
// and of N r_i / R^3.
struct PointSums {
    double cube[3][6] = {};
    double fifth[3][6] = {};
    double line[3][3] = {};
};

int packed(int i, int j) {
    constexpr int at[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    return at[i][j];
}

void add_point(const Vec3& r, const double* weight, PointSums& sums) {
    const double inverse2 = 1.0 / norm2(r), cube = inverse2 * std::sqrt(inverse2);
    const double square[6] = {r.x * r.x, r.y * r.y, r.z * r.z, r.x * r.y, r.y * r.z, r.z * r.x};
    const double line[3] = {r.x, r.y, r.z};
    for (int k = 0; k < 3; ++k) {
        const double w3 = weight[k] * cube, w5 = w3 * inverse2;
        for (int i = 0; i < 6; ++i) sums.cube[k][i] += w3 * square[i];
        for (int i = 0; i < 6; ++i) sums.fifth[k][i] += w5 * square[i];
        for (int i = 0; i < 3; ++i) sums.line[k][i] += w3 * line[i];
    }
}

struct KelvinFactors {
    double u, diagonal, t, rest;      // of U; (3 - 4 nu); of T; (1 - 2 nu)
    explicit KelvinFactors(const BoundaryMaterial& m)
        : u(1.0 / (16.0 * pi * m.shear * (1.0 - m.poisson))), diagonal(3.0 - 4.0 * m.poisson), t(-1.0 / (8.0 * pi * (1.0 - m.poisson))), rest(1.0 - 2.0 * m.poisson) {}
};

// The integrals of f times both kernels in the facet's own axes, f = 1 (degree 0) or rho_1, rho_2 (degree 1, q 0 or 1).
void local_kernels(const FacetMoments& m, const KelvinFactors& f, int degree, int q, double (&u)[9], double (&t)[9]) {
    const double d = m.d, a1 = m.m1[degree][q], a3 = m.m3[degree][q];
    const double d2_fifth = degree == 0 ? m.m5[0][0] : d * d * m.m5[1][q];
    for (int a = 0; a < 2; ++a) {
        for (int b = 0; b < 2; ++b) {
            const double delta = a == b ? 1.0 : 0.0;
            u[3 * a + b] = f.u * (f.diagonal * delta * a1 + m.m3[2 + degree][a + b + q]);
            t[3 * a + b] = f.t * d * (f.rest * delta * a3 + 3.0 * m.m5[2 + degree][a + b + q]);
        }
        const double line = m.m3[1 + degree][a + q], slope = 3.0 * d * d * m.m5[1 + degree][a + q];
        u[3 * a + 2] = u[6 + a] = f.u * d * line;
        t[3 * a + 2] = f.t * (slope - f.rest * line);
        t[6 + a] = f.t * (slope + f.rest * line);
    }
    u[8] = f.u * (f.diagonal * a1 + d * d * a3);
    t[8] = f.t * d * (f.rest * a3 + 3.0 * d2_fifth);
}

// out = sum_a,b axis_a x axis_b local_ab
void to_world(const SpaceFacet& facet, const double* local, double* out) {
    double half[3][3];
    for (int a = 0; a < 3; ++a)
        for (int j = 0; j < 3; ++j)
            half[a][j] = local[3 * a] * facet.axis[0][j] + local[3 * a + 1] * facet.axis[1][j] + local[3 * a + 2] * facet.axis[2][j];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out[3 * i + j] = facet.axis[0][i] * half[0][j] + facet.axis[1][i] * half[1][j] + facet.axis[2][i] * half[2][j];
}

}  // namespace

SpacePanel::SpacePanel(const SpaceFacet& facet) : facet_(facet) {
    std::size_t at = 0;
    for (int rule = 0; rule < kTriangleRules; ++rule)
        for (const TrianglePoint& p : triangle_rule(rule)) {
            place_[at] = p.n[0] * facet.corner[0] + p.n[1] * facet.corner[1] + p.n[2] * facet.corner[2];
            for (std::size_t k = 0; k < 3; ++k) weight_[at][k] = facet.area * p.weight * p.n[k];
            ++at;
        }
}

int SpacePanel::rule_for(const Vec3& point, double accuracy) const {
    // A rule of degree q leaves error x^q, one power fewer than its own because of the shape function. The factors are measured: the worst
    // over random triangles, points and both kernels at x = 1/2 .. 1/128 (tests/bem/space_blocks_test.cpp).
    const double x = facet_.reach / norm(facet_.middle - point);
    if (x > 0.5) return -1;
    const double x2 = x * x, x5 = x2 * x2 * x, x8 = x5 * x2 * x;
    if (0.25 * x2 < accuracy) return 0;
    if (0.25 * x5 < accuracy) return 1;
    return 0.04 * x8 < accuracy ? 2 : -1;
}

void SpacePanel::integrate(const Vec3& point, int corner, const BoundaryMaterial& material, double accuracy, SpaceBlocks& out) const {
    const int rule = corner >= 0 ? -1 : rule_for(point, accuracy);
    rule < 0 ? closed(point, corner, material, out) : by_rule(rule, point, material, out);
}

void SpacePanel::closed(const Vec3& point, int corner, const BoundaryMaterial& material, SpaceBlocks& out) const {
    const FacetMoments moments = facet_moments(facet_, point, corner, MomentsFor::displacement);
    const KelvinFactors factors(material);
    double u[3][9], t[3][9];      // of 1, rho_1, rho_2
    local_kernels(moments, factors, 0, 0, u[0], t[0]);
    local_kernels(moments, factors, 1, 0, u[1], t[1]);
    local_kernels(moments, factors, 1, 1, u[2], t[2]);
    for (std::size_t k = 0; k < 3; ++k) {
        const ShapeAtProjection n = shape_at_projection(facet_, moments, k);
        double local_u[9], local_t[9];
        for (int i = 0; i < 9; ++i) {
            local_u[i] = n.value * u[0][i] + n.slope[0] * u[1][i] + n.slope[1] * u[2][i];
            local_t[i] = n.value * t[0][i] + n.slope[0] * t[1][i] + n.slope[1] * t[2][i];
        }
        to_world(facet_, local_u, out.u[k]);
        to_world(facet_, local_t, out.t[k]);
    }
}

void SpacePanel::by_rule(int rule, const Vec3& point, const BoundaryMaterial& material, SpaceBlocks& out) const {
    PointSums sums;
    for (std::size_t g = kRuleStart[rule]; g < kRuleStart[rule + 1]; ++g) add_point(place_[g] - point, weight_[g].data(), sums);
    const KelvinFactors f(material);
    const Vec3& n = facet_.normal();
    const double d = dot(n, facet_.middle - point);
    for (int k = 0; k < 3; ++k) {
        const double *cube = sums.cube[k], *fifth = sums.fifth[k], *line = sums.line[k];
        const double first = f.diagonal * (cube[0] + cube[1] + cube[2]), third = f.rest * (fifth[0] + fifth[1] + fifth[2]);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                const double delta = i == j ? 1.0 : 0.0;
                out.u[k][3 * i + j] = f.u * (delta * first + cube[packed(i, j)]);
                out.t[k][3 * i + j] = f.t * (d * (delta * third + 3.0 * fifth[packed(i, j)]) + f.rest * (n[i] * line[j] - n[j] * line[i]));
            }
    }
}

void add_body_force(const SpaceFacet& facet, const Vec3& point, const Vec3& origin, const SpaceBlocks& blocks, double* out) {
    const double d = dot(facet.normal(), facet.middle - point);
    const Vec3 from_origin = point - origin;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 lever = 0.5 * d * from_origin + d / 3.0 * (facet.corner[k] - point);
        const double by[3] = {lever.x, lever.y, lever.z};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                const double u = blocks.u[k][3 * i + j];
                out[12 * i + j] += 0.5 * d * u;
                for (int l = 0; l < 3; ++l) out[12 * i + 3 + 3 * j + l] += u * by[l];
            }
    }
}

}  // namespace limber
