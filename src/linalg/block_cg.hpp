// Conjugate gradients for systems whose numbers change at every step: mass plus tangent stiffness of a body in any
// posture.
//
// Single precision inside, double outside: the residual is formed in double with the caller's matrix, the correction is
// found in float. The preconditioner adds two parts: the inverse of each vertex's diagonal block, and a coarse problem
// in which groups of some thirty vertices ("aggregates") move as rigid bodies from where they are now. What bends,
// turns or travels slowly is left to the second, so the number of iterations hardly grows with the mesh; rigid motions
// of the present posture make it good in every posture.
//
// Small bodies take a short cut: their whole matrix is factored in float (groups are pairs of vertices, six unknowns),
// and two or three iterations in double mend the rest. Which of the two a body gets is decided once, from what either
// would cost.
#pragma once

#include "linalg/block6_factor.hpp"
#include "linalg/patch_operator.hpp"
#include "linalg/solvers.hpp"
#include "linalg/sparse.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace limber {

struct FloatPatches;

/// Const and shareable; everything a refresh computes lives in the caller's scratch.
class BlockCg {
public:
    enum class Way : std::uint8_t { automatic, two_level, direct };

    /// `held` marks prescribed unknowns (one byte each; empty = none): their rows and columns must hold nothing beside
    /// the diagonal. `patches` (or none): a part of the matrix that is not written out; its numbers follow the blocks
    /// in `values`. Such a matrix is never factored.
    BlockCg(const BlockCsr& pattern, std::span<const std::uint8_t> held, Way way = Way::automatic,
            const PatchOperator* patches = nullptr);

    const char* name() const { return direct_ ? "float_cholesky" : "two_level_cg"; }  ///< for StepReport

    std::size_t scratch_size() const { return layout_.end; }  ///< doubles

    /// Takes the matrix (`values` in the pattern's order, symmetric positive definite) and where the vertices are now
    /// (`block` numbers per vertex [m]).
    void refresh(const double* values, const double* positions, double* scratch) const noexcept;
    /// After refresh(). x holds a first guess, b is zero where `held`. tolerance: |b - A x| / |b|, checked in double.
    /// Not converged (x finite) at the limit of iterations or where A turns out not to be positive definite. The same
    /// bits for any number of threads.
    SolveReport solve(const double* values, const double* b, double* x, double tolerance, int max_iterations,
                      double* scratch) const noexcept;

    std::size_t aggregates() const { return aggregate_starts_.size() - 1; }
    std::size_t coarse_blocks() const { return coarse_.blocks(); }
    std::size_t bytes() const;

private:
    // Places in scratch [doubles]; floats lie two to a double.
    struct Layout {
        std::size_t patch_stress, patch_sums, patch_numbers, patch_floats;
        std::size_t scale, residual, direction, product, sums, values, inverse, arm, x, r, z, p, q, coarse, resultant,
            motion, map, end;
        std::size_t plane;  // of `inverse` [floats]
    };
    struct Parts;  // the same as pointers
    struct Inner;  // one run in single precision

    void build(const BlockCsr& pattern, const std::vector<std::int32_t>& vertices, const Graph& graph,
               std::vector<std::int32_t> part, std::size_t count);
    void number_vertices(const BlockCsr& pattern, const std::vector<std::int32_t>& part, std::size_t count,
                         const std::vector<std::int32_t>& vertices);
    void copy_pattern(const BlockCsr& pattern);
    void make_slices(const BlockCsr& pattern);
    void make_chunks();
    void lay_out();

    void make_patches(std::span<const std::uint8_t> held);
    const double* patch_numbers(const double* values) const {
        return values + 9 * static_cast<std::size_t>(pattern_->starts.back());
    }
    void multiply_all(const Parts& s, const double* values, const double* x, double* y) const noexcept;
    FloatPatches float_patches(const Parts& s) const;
    void take_patches(const Parts& s, const double* values) const noexcept;
    void coarse_patch(const Parts& s, std::size_t patch) const noexcept;
    double add_patches(const Parts& s) const noexcept;
    bool patches_turn(const Parts& s) const;

    void take_rows(const Parts& s, const double* values, std::size_t chunk) const noexcept;
    void find_arms(const Parts& s, const double* positions, std::size_t aggregate) const noexcept;
    void coarse_rows(const Parts& s, std::size_t aggregate) const noexcept;
    void pair_rows(const Parts& s, std::size_t pair) const noexcept;
    void solve_pairs(const Parts& s) const noexcept;
    double residual(const Parts& s, const double* values, const double* b, const double* x, double* r) const noexcept;
    void load(const Parts& s, const double* r, double factor) const noexcept;
    double precondition(const Parts& s, float alpha, double& rr) const noexcept;
    void turn(const Parts& s, float beta) const noexcept;
    Inner run_float(const Parts& s, double target, int max_iterations) const noexcept;
    void run_double(const Parts& s, const double* values, double* x, double scale, double tolerance, int max_iterations,
                    SolveReport& report) const noexcept;

    std::size_t row_of_chunk(std::size_t chunk) const {
        return static_cast<std::size_t>(aggregate_starts_[static_cast<std::size_t>(chunks_[chunk])]);
    }

    int block_ = 3;
    bool direct_ = false;
    std::size_t unknowns_ = 0;           // of the caller's matrix
    BlockCsr const* pattern_ = nullptr;  // the caller's, which outlives this
    std::vector<std::int32_t> vertex_;   // row -> the caller's vertex; rows of an aggregate follow each other
    std::vector<std::uint8_t> unheld_;   // per row: no component is held
    std::vector<std::int32_t> starts_{0}, columns_;
    std::vector<std::int32_t> slice_rows_{0}, slice_starts_{0},
        slice_columns_;  // the same in slices (kernels/float_block.hpp)
    // Per place of a slot: the entry opposite in the caller's pattern, whose rows are the columns here.
    std::vector<std::int32_t> source_;
    std::vector<std::size_t> place_, diagonal_;  // per row: its first block and its diagonal one [floats]
    std::vector<std::int32_t> diagonal_source_;
    std::vector<std::int32_t> aggregate_starts_{0};  // in rows
    std::vector<std::int32_t> aggregate_of_;         // per row
    std::vector<std::int32_t> coarse_starts_{0}, coarse_columns_,
        coarse_slots_;                           // per aggregate: those it touches, up to itself
    std::vector<std::int32_t> chunks_{0};        // of a parallel loop, in aggregates
    std::vector<std::int32_t> chunk_slices_{0};  // and in slices
    Block6Factor coarse_;
    Layout layout_{};

    // Patches in an order of their own: rows of each, ascending (those wholly held left out), their gradients as (x, y,
    // z, 0); and the same row by row, in the order of row_order_.
    const PatchOperator* patches_ = nullptr;
    std::vector<std::uint8_t> held_;
    std::vector<std::uint32_t> patch_rows_;  // four times the row
    std::vector<std::int32_t> patch_source_, patch_starts_{0}, row_order_, row_starts_{0}, row_patches_;
    std::vector<float> patch_slopes_, row_slopes_;
    std::vector<std::int32_t> partly_held_;  // rows
    std::vector<float> free_;  // per row: 1 for each component that is not held, 0 for the others and the fourth
};

}  // namespace limber
