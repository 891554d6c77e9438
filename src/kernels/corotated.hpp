// Corotated linear tetrahedra, eight at a time: deformation gradient, its rotation, forces, energy.
//
// Everything of a batch is stored number by number, eight cells' values beside each other: number k of cell c at 8 k +
// c. 3x3 matrices row by row. All files are the same arithmetic without fused multiply-add, AVX-512 for eight cells at
// once, the others twice for four: the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace limber {

constexpr std::size_t kTetBatch = 8;  ///< cells

/// Gradients of the last three corners' shape functions (the first one's is minus their sum), V lambda and V mu.
struct TetBatch {
    const std::int32_t* corners;  ///< 32: corner a of cell c at 8 a + c
    const double* gradients;      ///< 72 [1/m]: component i of corner a + 1 at 8 (3 a + i) + c
    const double* lame;           ///< 16 [J]
};

struct CorotatedKernels {
    /// f = sum over corners of u g^T (72 numbers): the gradient of a field with three numbers per vertex.
    void (*gradient)(const TetBatch& batch, const double* u, double* f) noexcept;
    /// Turns the unit quaternions q (16: w, x, y, z; four cells, number k of cell c at 4 k + c, as f) until each is the
    /// rotation nearest to 1 + f; returns a bit for each cell where that did not work out (nearly flat or inside out,
    /// or far from the guess).
    unsigned (*rotate)(const double* f, double* q) noexcept;
    /// The same for a batch: f 72 and q 32 numbers.
    unsigned (*rotate_batch)(const double* f, double* q) noexcept;
    /// From f and q: forces on the last three corners (72: the first one's is minus their sum), energies (8), and the
    /// gradients of the last three corners as the cell has turned (72).
    void (*respond)(const TetBatch& batch, const double* f, const double* q, double* force, double* energy,
                    double* turned) noexcept;
    /// The same with lambda/2 (det F - 1)^2 for the change of volume; `pushed` (72): the gradients of the last three
    /// corners by which the volume changes, cof(F) g.
    void (*respond_volume)(const TetBatch& batch, const double* f, const double* q, double* force, double* energy,
                           double* turned, double* pushed) noexcept;
    /// Forces on the last three corners that the rate of the stretch calls for, from f and the gradient of the
    /// velocities.
    void (*damp)(const TetBatch& batch, const double* f, const double* dv, const double* q, double* force) noexcept;
    /// The same with lambda acting on the rate of det F. It goes with respond_volume: the matrix has lambda cof(F) g
    /// for both.
    void (*damp_volume)(const TetBatch& batch, const double* f, const double* dv, const double* q,
                        double* force) noexcept;
    /// What respond or respond_volume found (`turned` twice, or `turned` and `pushed`), corner by corner: kTetCorner
    /// numbers each, cell by cell.
    void (*spread)(const double* turned, const double* pushed, double* corners) noexcept;
    /// One entry of the matrix: sum over tets of lambda c_a c_b^T + mu (h_b h_a^T + h_a . h_b 1). lame: (V lambda, V
    /// mu) per cell, times what the matrix is wanted for. block: nine numbers row by row.
    void (*block)(const struct TetPair* pairs, std::size_t count, const double* corners, const double* lame,
                  double* block) noexcept;
};

const CorotatedKernels& corotated_kernels_baseline() noexcept;
const CorotatedKernels& corotated_kernels_avx2() noexcept;
const CorotatedKernels& corotated_kernels_avx512() noexcept;
/// The ones for the instruction set in use.
const CorotatedKernels& corotated_kernels() noexcept;

struct TetPair {
    std::int32_t a, b;  ///< corner numbers (4 cell + corner)
};
constexpr std::size_t kTetCorner = 8;  ///< per cell and corner: h and c, three numbers each and a zero behind

}  // namespace limber
