// The loops of kelvin.hpp, once for all instruction sets: kelvin.cpp and kelvin_avx2.cpp compile them.
#pragma once

#include "kernels/kelvin.hpp"
#include "kernels/unaligned.hpp"

namespace limber::kelvin {

using Quad = double __attribute__((vector_size(32)));  // four positions

LIMBER_INLINE Quad quad(const double* p) { return taken<Quad>(p); }

constexpr int kMostPoints = 16;

// Of one point of the rule: r / R^3, and r r^T / R^3 as xx yy zz xy yz zx.
struct PointTerms {
    Quad line[3], square[6], inverse2;
};

LIMBER_INLINE void terms_of(const double* point, const double* positions, PointTerms& out) {
    const Quad x = point[0] - quad(positions), y = point[1] - quad(positions + 4), z = point[2] - quad(positions + 8);
    const Quad inverse2 = 1.0 / (x * x + y * y + z * z);
    Quad root;
    for (int c = 0; c < 4; ++c) root[c] = __builtin_sqrt(inverse2[c]);
    const Quad cube = inverse2 * root;
    out.line[0] = cube * x;
    out.line[1] = cube * y;
    out.line[2] = cube * z;
    out.square[0] = out.line[0] * x;
    out.square[1] = out.line[1] * y;
    out.square[2] = out.line[2] * z;
    out.square[3] = out.line[0] * y;
    out.square[4] = out.line[1] * z;
    out.square[5] = out.line[2] * x;
    out.inverse2 = inverse2;
}

// The blocks of one shape function from its sums of r r^T / R^3, r r^T / R^5 (their traces are those of 1 / R and 1 /
// R^3) and r / R^3.
LIMBER_INLINE void block_of(const Quad* cube, const Quad* fifth, const Quad* line, const Quad& height, const double* n,
                            const KelvinFactors& f, double (*u)[4], double (*t)[4]) {
    constexpr int at[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
    const Quad first = f.diagonal * (cube[0] + cube[1] + cube[2]), third = f.rest * (fifth[0] + fifth[1] + fifth[2]);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const int e = 3 * i + j;
            const Quad three = 3.0 * fifth[at[e]];
            put(u[e], f.u * (i == j ? first + cube[at[e]] : cube[at[e]]));
            put(t[e], f.t * (i == j ? height * (third + three)
                                    : height * three + f.rest * (n[i] * line[j] - n[j] * line[i])));
        }
    }
}

LIMBER_INLINE void blocks(const KelvinRule& rule, const double* positions, const KelvinFactors& factors,
                          KelvinBlocks& out) {
    PointTerms terms[kMostPoints];
    for (std::size_t g = 0; g < rule.count; ++g) terms_of(rule.points + 6 * g, positions, terms[g]);
    const double* n = rule.normal;
    const Quad height = n[0] * (rule.middle[0] - quad(positions)) + n[1] * (rule.middle[1] - quad(positions + 4)) +
                        n[2] * (rule.middle[2] - quad(positions + 8));
    for (int k = 0; k < 3; ++k) {
        Quad cube[6], fifth[6], line[3];
        const Quad zero = {0.0, 0.0, 0.0, 0.0};
        for (int e = 0; e < 6; ++e) cube[e] = fifth[e] = zero;  // not "= {}", which calls for a string instruction
        for (int i = 0; i < 3; ++i) line[i] = zero;
        for (std::size_t g = 0; g < rule.count; ++g) {
            const double weight = rule.points[6 * g + 3 + static_cast<std::size_t>(k)];
            const PointTerms& p = terms[g];
            for (int e = 0; e < 6; ++e) {
                const Quad part = weight * p.square[e];
                cube[e] += part;
                fifth[e] += part * p.inverse2;
            }
            for (int i = 0; i < 3; ++i) line[i] += weight * p.line[i];
        }
        block_of(cube, fifth, line, height, n, factors, out.u[k], out.t[k]);
    }
}

// U over the cone from the position to the facet: half the height times the integral of U, and a third of it for U r
// (see bem/space_blocks.hpp).
LIMBER_INLINE void add_body(const KelvinFacet& facet, const double* positions, const KelvinBlocks& blocks,
                            double* body) {
    const double* first = facet.corner[0];
    Quad height = {};
    for (std::size_t c = 0; c < 3; ++c) height += facet.normal[c] * (first[c] - quad(positions + 4 * c));
    const Quad half = 0.5 * height, third = height / 3.0;
    for (std::size_t k = 0; k < 3; ++k) {
        Quad lever[3];
        for (std::size_t c = 0; c < 3; ++c) {
            lever[c] = half * (quad(positions + 4 * c) - facet.origin[c]) +
                       third * (facet.corner[k][c] - quad(positions + 4 * c));
        }
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                const Quad u = quad(blocks.u[k][3 * i + j]);
                add_to(body + 4 * (12 * i + j), half * u);
                for (std::size_t l = 0; l < 3; ++l) add_to(body + 4 * (12 * i + 3 + 3 * j + l), lever[l] * u);
            }
        }
    }
}

LIMBER_INLINE void add(const KelvinFacet& facet, const double* positions, const KelvinBlocks& blocks,
                       const KelvinRows& rows) {
    for (std::size_t k = 0; k < 3; ++k) {
        double* h = rows.h + 12 * facet.h_column[k];
        double* g = rows.g + 12 * facet.g_column[k];
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                const Quad t = quad(blocks.t[k][3 * i + j]);
                add_to(h + 12 * j + 4 * i, t);
                add_to(g + 12 * j + 4 * i, quad(blocks.u[k][3 * i + j]));
                take_from(rows.rest + 4 * (3 * i + j), t);
            }
        }
    }
    add_body(facet, positions, blocks, rows.body);
}

}  // namespace limber::kelvin
