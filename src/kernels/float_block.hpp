// Single-precision loops of the two-level conjugate gradients (linalg/block_cg): 3x3 blocks over vertices, 6x6 blocks
// over aggregates.
//
// A vertex is four floats (x, y, z, 0), so that it is one aligned vector. Rows of 3x3 blocks go by slices of five: a
// slot holds the k-th block of each, first columns of all five (fifteen floats: one vector of AVX-512, whose last lane
// may hold anything), then second, then third ones; rows with fewer blocks than the slice's longest are filled up with
// zeros. A 6x6 block is six columns of eight floats, rows six and seven zero. Order of addition: per row one running
// sum per column of a block; columns joined as (0 + 1) + 2. Dot products component by component: r . r and r . z in
// float over the vertices of an aggregate, x . y in double. Baseline and AVX2 are the same source without fused
// multiply-add: the same bits. AVX-512 fuses and keeps one sum per lane: the last digit may differ there, never with
// the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace limber {

constexpr std::size_t kFloatRows = 5;     ///< of 3x3 blocks
constexpr std::size_t kFloatSlot = 48;    ///< floats of a slot
constexpr std::size_t kFloatColumn = 16;  ///< from a column of a slot's blocks to the next [floats]
constexpr std::size_t kBlock6 = 48;       ///< floats of a 6x6 block

/// Block rows in slices.
struct FloatRows {
    const std::int32_t* rows;     ///< slice s: rows[s] up to rows[s + 1], five at most
    const std::int32_t* starts;   ///< and its slots
    const std::int32_t* columns;  ///< five per slot; any row where there is no block
    const float* values;
};

/// What one iteration holds, per vertex: four floats each. `inverse`: the diagonal block's, first columns of all
/// vertices, then (`plane` floats on) second, then third ones. `arm`: the place within the aggregate over its radius,
/// with 1 as fourth number (0 0 0 0 for vertices the coarse space leaves alone).
struct FloatVectors {
    float *x, *r, *z, *p, *q;
    const float *inverse, *arm;
    std::size_t plane;
};

struct FloatSums {
    double rr = 0.0;  ///< r . r
    double rz = 0.0;  ///< r . z
};

struct FloatKernels {
    /// `count` slots from 3x3 blocks of a matrix in double, times scale: five `entries` each, -1 where there is none.
    void (*narrow)(const double* values, const std::int32_t* entries, std::size_t count, double scale,
                   float* to) noexcept;
    /// y = A x for slices [begin, end); returns x . y over their rows.
    double (*product)(const FloatRows& a, const float* x, float* y, std::size_t begin, std::size_t end) noexcept;
    /// x += alpha p, r -= alpha q, z = inverse r for vertices [begin, end), which are one aggregate; adds to `sums`,
    /// and writes the rigid resultant of r (three forces, three torques, two zeros).
    void (*update)(const FloatVectors& v, float alpha, std::size_t begin, std::size_t end, FloatSums& sums,
                   float* resultant) noexcept;
    /// p = z + (rigid motion of the aggregate) + beta p
    void (*direction)(const FloatVectors& v, float beta, const float* motion, std::size_t begin,
                      std::size_t end) noexcept;
    /// Adds to a 6x6 block what `count` 3x3 blocks of one row (in slots one after the other) do between two aggregates:
    /// those at `columns`, which move rigidly, and the row's, of which forces and torques are taken. `own`: the row's
    /// arm.
    void (*reduce)(const float* values, const std::int32_t* columns, std::size_t count, const float* arms,
                   const float* own, float* block) noexcept;
    /// c -= a b^T, `count` times: c at block c_at[i], a at block first + i, b always the same.
    void (*subtract6)(float* c, const std::int32_t* c_at, const float* a, const float* b, std::size_t count) noexcept;
    /// a = a b^T in place, `count` blocks one after the other.
    void (*times6)(float* a, const float* b, std::size_t count) noexcept;
    /// x = d x, then y[rows[i]] -= a_i x
    void (*forward6)(const float* d, const float* a, const std::int32_t* rows, std::size_t count, float* x,
                     float* y) noexcept;
    /// x -= sum of a_i^T y[rows[i]], then x = d x
    void (*backward6)(const float* d, const float* a, const std::int32_t* rows, std::size_t count, const float* y,
                      float* x) noexcept;
};

const FloatKernels& float_kernels_baseline() noexcept;
const FloatKernels& float_kernels_avx2() noexcept;
const FloatKernels& float_kernels_avx512() noexcept;

}  // namespace limber
