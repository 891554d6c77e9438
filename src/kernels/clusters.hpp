// Products with row clusters: each row holds the blocks of a vertex against its neighbours. Eight rows lie side by side
// (a slice), so that a vector's lanes are rows and no lane is idle or summed across.
//
// Layout: slice s takes the slots [starts[s], starts[s+1]), as many as its longest row has blocks. A slot holds eight
// column numbers and the eight blocks entry by entry: values[(B i + j) 8 + lane]. Where a row is shorter, the block is
// zero and the column any. Order of addition, the same for every instruction set: within a block ((K_i0 x_0 + K_i1 x_1)
// + K_i2 x_2), then blocks in slot order, then the sum is added to y once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace limber {

constexpr std::size_t kSliceRows = 8;
constexpr std::size_t kGatherStride = 4;  ///< numbers per vertex in the gathered vector: 2 or 3 of them used

template <class T>
struct ClusterArgs {
    const std::int32_t* starts;   ///< slices + 1
    const std::int32_t* columns;  ///< kSliceRows per slot
    const T* values;              ///< kSliceRows B B per slot, on a 64-byte boundary
    const std::int32_t* rows;     ///< row of y of each lane, kSliceRows per slice
    std::size_t row_count;        ///< lanes from here on have no row
    const T* x;                   ///< kGatherStride per column, on a 32-byte boundary
    double* y;                    ///< B per row; added to
};
template <class T>
using ClusterProduct = void (*)(const ClusterArgs<T>& a, std::size_t begin, std::size_t end) noexcept;

/// Slices [begin, end), blocks of 2 or 3.
void cluster_product2_baseline(const ClusterArgs<double>& a, std::size_t begin, std::size_t end) noexcept;
void cluster_product3_baseline(const ClusterArgs<double>& a, std::size_t begin, std::size_t end) noexcept;
void cluster_product2_baseline(const ClusterArgs<float>& a, std::size_t begin, std::size_t end) noexcept;
void cluster_product3_baseline(const ClusterArgs<float>& a, std::size_t begin, std::size_t end) noexcept;
void cluster_product2_avx2(const ClusterArgs<double>& a, std::size_t begin, std::size_t end) noexcept;
void cluster_product3_avx2(const ClusterArgs<double>& a, std::size_t begin, std::size_t end) noexcept;
void cluster_product2_avx2(const ClusterArgs<float>& a, std::size_t begin, std::size_t end) noexcept;
void cluster_product3_avx2(const ClusterArgs<float>& a, std::size_t begin, std::size_t end) noexcept;

/// What a product takes along: x = u_scale u + v_scale v, result = mass (a_scale a + b_scale b) + K x.
struct FusedTerms {
    const double *u, *v;
    double u_scale, v_scale;
    const double* mass;  ///< per vertex; null: the result is K x, and a and b are not read
    const double *a, *b;
    double a_scale, b_scale;
};

/// What goes before a product: x[gathered index] of u and v, and out = mass (a_scale a + b_scale b), vertex by vertex.
template <class T>
struct GatherArgs {
    FusedTerms terms;
    const std::int32_t* gathered_index;
    T* x;  ///< kGatherStride per row, on a 32-byte boundary; the unused numbers receive anything finite
    double* out;
};
void cluster_gather(const GatherArgs<double>& a, int block, std::size_t begin, std::size_t end) noexcept;
void cluster_gather(const GatherArgs<float>& a, int block, std::size_t begin, std::size_t end) noexcept;

/// The one for this processor.
template <class T>
ClusterProduct<T> cluster_product(int block) noexcept;

}  // namespace limber
