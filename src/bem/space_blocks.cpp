#include "bem/space_blocks.hpp"

#include "bem/space_rule.hpp"
#include "kernels/isa.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

using std::numbers::pi;

constexpr std::size_t kRuleStart[kTriangleRules + 1] = {0, 3, 10, 26};

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
    for (int a = 0; a < 3; ++a) {
        for (int j = 0; j < 3; ++j) {
            half[a][j] = local[3 * a] * facet.axis[0][j] + local[3 * a + 1] * facet.axis[1][j] +
                         local[3 * a + 2] * facet.axis[2][j];
        }
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out[3 * i + j] = facet.axis[0][i] * half[0][j] + facet.axis[1][i] * half[1][j] +
                             facet.axis[2][i] * half[2][j];
        }
    }
}

}  // namespace

KelvinFactors kelvin_factors(const BoundaryMaterial& m) {
    return {1.0 / (16.0 * pi * m.shear * (1.0 - m.poisson)), 3.0 - 4.0 * m.poisson,
            -1.0 / (8.0 * pi * (1.0 - m.poisson)), 1.0 - 2.0 * m.poisson};
}

RuleChoice::RuleChoice(double accuracy) {
    constexpr double nearest = 0.25;  // nearer than two reaches no rule is asked
    most_[0] = std::min(nearest, accuracy / 0.25);
    most_[1] = std::min(nearest, std::pow(accuracy / 0.25, 2.0 / 5.0));
    most_[2] = std::min(nearest, std::pow(accuracy / 0.04, 2.0 / 8.0));
}

SpacePanel::SpacePanel(const SpaceFacet& facet) : facet_(facet) {
    double* at = points_.data();
    for (int rule = 0; rule < kTriangleRules; ++rule) {
        for (const TrianglePoint& p : triangle_rule(rule)) {
            const Vec3 position = p.n[0] * facet.corner[0] + p.n[1] * facet.corner[1] + p.n[2] * facet.corner[2];
            for (const double v : {position.x, position.y, position.z}) *at++ = v;
            for (const double n : p.n) *at++ = facet.area * p.weight * n;
        }
    }
}

void SpacePanel::closed(const Vec3& point, int corner, const KelvinFactors& factors, SpaceBlocks& out) const {
    const FacetMoments moments = facet_moments(facet_, point, corner, MomentsFor::displacement);
    double u[3][9], t[3][9];  // of 1, rho_1, rho_2
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

void SpacePanel::by_rule(int rule, const double* positions, const KelvinFactors& factors, KelvinBlocks& out) const {
    const std::size_t first = kRuleStart[rule], count = kRuleStart[rule + 1] - first;
    const Vec3 &n = facet_.normal(), &m = facet_.middle;
    const KelvinRule points{points_.data() + 6 * first, count, {n.x, n.y, n.z}, {m.x, m.y, m.z}};
    kernel_choice() == Isa::baseline ? kelvin_blocks_baseline(points, positions, factors, out)
                                     : kelvin_blocks_avx2(points, positions, factors, out);
}

void SpacePanel::by_rule(int rule, const Vec3& point, const KelvinFactors& factors, SpaceBlocks& out) const {
    double positions[12];
    for (int c = 0; c < 12; ++c) positions[c] = point[c / 4];
    KelvinBlocks blocks;
    by_rule(rule, positions, factors, blocks);
    for (int k = 0; k < 3; ++k) {
        for (int e = 0; e < 9; ++e) {
            out.u[k][e] = blocks.u[k][e][0];
            out.t[k][e] = blocks.t[k][e][0];
        }
    }
}

void add_body_force(const SpaceFacet& facet, const Vec3& point, const Vec3& origin, const SpaceBlocks& blocks,
                    double* out) {
    const double d = dot(facet.normal(), facet.middle - point);
    const Vec3 from_origin = point - origin;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 lever = 0.5 * d * from_origin + d / 3.0 * (facet.corner[k] - point);
        const double by[3] = {lever.x, lever.y, lever.z};
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                const double u = blocks.u[k][3 * i + j];
                out[12 * i + j] += 0.5 * d * u;
                for (int l = 0; l < 3; ++l) out[12 * i + 3 + 3 * j + l] += u * by[l];
            }
        }
    }
}

}  // namespace limber
