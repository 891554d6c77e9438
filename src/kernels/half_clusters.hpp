// Products with one half of a symmetric matrix as row clusters: each block of row i and column j is read once and used
// twice, y_i += B x_j and y_j += B^T x_i. L rows lie side by side (a slice), the lanes of a vector.
//
// Layout, L = 4 or 8: rows are vertices in order, slice s holds the rows L s .. L s + L - 1. The stream of values has
// for each slice first the diagonal blocks, entries (i, j >= i) row by row, L lanes each; then its slots [starts[s],
// starts[s+1]), each with L blocks entry by entry, (B i + j) L + lane. Where a row is shorter, or there is none, the
// block is zero and the column one that may be written. The columns of lanes l and l + 4 of a slot are never the same:
// the two are added to y as one vector. Order of addition: within a block ((K_i0 x_0 + K_i1 x_1) + K_i2 x_2), the
// transposed likewise; a row's own sum begins with its diagonal, goes on in slot order and is added to y once, at the
// slice's end; each slot's transposed products are added to y slot by slot. In double the baseline and AVX2 do just
// that and return the same bits. AVX2 in float, and AVX-512, fuse multiplications and additions and add a block's
// products to the row's sum one by one: they differ from the others in the last digits (1e-14 of the largest result in
// double).
#pragma once

#include "kernels/clusters.hpp"

namespace limber {

/// L of the layout that is best for the instruction set in use: 8, but 4 in double without AVX-512.
template <class T>
std::size_t half_lanes() noexcept;

template <class T>
struct HalfArgs {
    const std::int32_t* starts;  ///< slices + 1
    /// L per slot: where the column begins in x and y, kGatherStride times its row counted from slice `first`.
    const std::uint32_t* columns;
    const T* values;    ///< the stream, on a 64-byte boundary
    std::size_t first;  ///< slice whose first row is row 0 of x and y
    const T* x;         ///< kGatherStride per row, on a 32-byte boundary
    T* y;               ///< the same, apart from x; added to, the unused numbers receive anything
};
template <class T>
using HalfProduct = void (*)(const HalfArgs<T>& a, std::size_t begin, std::size_t end) noexcept;

/// Numbers of the stream before slice s.
constexpr std::size_t half_stream(std::size_t block, std::size_t lanes, std::size_t s, const std::int32_t* starts) {
    return lanes * (block * (block + 1) / 2 * s + block * block * static_cast<std::size_t>(starts[s]));
}

/// Slices [begin, end), blocks of 2 or 3. The baseline takes either layout; AVX2 four doubles or eight floats, AVX-512
/// eight doubles.
template <std::size_t B, std::size_t L, class T>
void half_product_baseline(const HalfArgs<T>& a, std::size_t begin, std::size_t end) noexcept;
void half_product2_avx2(const HalfArgs<double>& a, std::size_t begin, std::size_t end) noexcept;
void half_product3_avx2(const HalfArgs<double>& a, std::size_t begin, std::size_t end) noexcept;
void half_product2_avx2(const HalfArgs<float>& a, std::size_t begin, std::size_t end) noexcept;
void half_product3_avx2(const HalfArgs<float>& a, std::size_t begin, std::size_t end) noexcept;
void half_product2_avx512(const HalfArgs<double>& a, std::size_t begin, std::size_t end) noexcept;
void half_product3_avx512(const HalfArgs<double>& a, std::size_t begin, std::size_t end) noexcept;

/// A vertex and where its numbers begin in x and y. Lists of them ascend by vertex: that is how they are read and
/// written with the fewest lines and pages.
struct VertexOffset {
    std::uint32_t vertex, at;
};
template <class T>
struct VertexListArgs {
    FusedTerms terms;
    const VertexOffset* list;
    T *x, *y;                 ///< kGatherStride per row, on a 32-byte boundary
    double* out;              ///< per vertex
    std::size_t last_vertex;  ///< nothing may be read beyond it
};
template <class T>
using VertexListLoop = void (*)(const VertexListArgs<T>& a, std::size_t count) noexcept;

/// x of the first `count` of the list from u and v.
void half_gather2_baseline(const VertexListArgs<double>& a, std::size_t count) noexcept;
void half_gather2_baseline(const VertexListArgs<float>& a, std::size_t count) noexcept;
void half_gather3_baseline(const VertexListArgs<double>& a, std::size_t count) noexcept;
void half_gather3_baseline(const VertexListArgs<float>& a, std::size_t count) noexcept;
void half_gather3_avx2(const VertexListArgs<double>& a, std::size_t count) noexcept;
void half_gather3_avx2(const VertexListArgs<float>& a, std::size_t count) noexcept;
/// The result of the first `count` of the list.
void half_finish2_baseline(const VertexListArgs<double>& a, std::size_t count) noexcept;
void half_finish2_baseline(const VertexListArgs<float>& a, std::size_t count) noexcept;
void half_finish3_baseline(const VertexListArgs<double>& a, std::size_t count) noexcept;
void half_finish3_baseline(const VertexListArgs<float>& a, std::size_t count) noexcept;
void half_finish3_avx2(const VertexListArgs<double>& a, std::size_t count) noexcept;
void half_finish3_avx2(const VertexListArgs<float>& a, std::size_t count) noexcept;
void half_finish3_avx512(const VertexListArgs<float>& a, std::size_t count) noexcept;

/// The ones for the instruction set in use and a layout of `lanes`, whichever instruction set was in use when it was
/// made.
template <class T>
struct HalfKernels {
    HalfProduct<T> product;
    VertexListLoop<T> gather, finish;
};
template <class T>
HalfKernels<T> half_kernels(int block, std::size_t lanes) noexcept;

}  // namespace limber
