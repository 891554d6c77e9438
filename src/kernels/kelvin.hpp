// Kelvin's kernels of space, summed over the points of a facet's rule for four positions at once: the bulk of preparing
// boundary elements. Arrays of four are lanes: one number for each position. Both files add in the same order: the same
// bits.
#pragma once

#include <cstddef>

namespace limber {

struct KelvinFactors {
    double u, diagonal, t, rest;  ///< of U; 3 - 4 nu; of T; 1 - 2 nu
};

/// Points of a facet's rule: x y z, then the weight times each of the three shape functions.
struct KelvinRule {
    const double* points;
    std::size_t count;
    double normal[3];
    double middle[3];  ///< any point of the facet's plane
};

/// Blocks of a facet: [U, T][shape function][row i][column j][lane].
struct KelvinBlocks {
    double u[3][9][4];
    double t[3][9][4];
};

/// What rows of four positions gather, facet by facet. Columns of H and G hold [row i][lane].
struct KelvinRows {
    double* h;  ///< 12 numbers per column
    double* g;
    double* body;  ///< 36 x 4: [row i][12 columns][lane]
    double* rest;  ///< 9 x 4: minus the sum of all T, [row i][column j][lane]
};

/// Where a facet's blocks go and what its body force takes.
struct KelvinFacet {
    const double* corner[3];               ///< x y z
    std::size_t h_column[3], g_column[3];  ///< first of three
    double normal[3];
    const double* origin;  ///< of the body force's linear part
};

/// `positions`: x of four, y of four, z of four.
void kelvin_blocks_baseline(const KelvinRule& rule, const double* positions, const KelvinFactors& factors,
                            KelvinBlocks& out) noexcept;
void kelvin_blocks_avx2(const KelvinRule& rule, const double* positions, const KelvinFactors& factors,
                        KelvinBlocks& out) noexcept;

/// Adds a facet's blocks to the rows.
void kelvin_add_baseline(const KelvinFacet& facet, const double* positions, const KelvinBlocks& blocks,
                         const KelvinRows& rows) noexcept;
void kelvin_add_avx2(const KelvinFacet& facet, const double* positions, const KelvinBlocks& blocks,
                     const KelvinRows& rows) noexcept;

}  // namespace limber
