// One half of a symmetric block-sparse matrix as row clusters (kernels/half_clusters.hpp): half the bytes of
// RowClusters, in single or double precision.
#pragma once

#include "kernels/half_clusters.hpp"
#include "linalg/aligned.hpp"
#include "linalg/sparse.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace limber {

template <class T>
class HalfClusters {
public:
    HalfClusters() = default;
    /// Laid out for the instruction set in use now; multiplied with the one in use then, at its best if it is the same.
    /// `a` is symmetric, both halves stored (diagonal blocks too); `order` brings neighbours together, order[k] = the
    /// vertex that comes k-th. Blocks that differ from their mirror by rounding become those of the row that comes
    /// first.
    HalfClusters(const BlockCsr& a, std::span<const std::int32_t> order);

    std::size_t bytes() const;
    /// Slots taken over slots needed: what rows of unequal length cost.
    double padding() const {
        return blocks_ > 0 ? static_cast<double>(columns_.size()) / static_cast<double>(blocks_) : 1.0;
    }
    /// Pieces that threads share out. The matrix alone decides how many: a small one is one piece, and then a second
    /// thread has nothing to do.
    std::size_t parts() const { return parts_.size(); }
    std::size_t scratch_size() const { return scratch_ + 8; }  ///< doubles: one cache line to come onto one
    /// out = mass (a_scale a + b_scale b) + A (u_scale u + v_scale v), per vertex in the caller's order. Same bits for
    /// any number of threads.
    void apply(const FusedTerms& terms, double* out, double* scratch) const noexcept;

private:
    /// Rows that one thread does, with an x and a y of their own: those of the rows and of the columns that they reach
    /// beyond their end. The sums are put together when all parts are done.
    struct Part {
        std::size_t begin, end, reach;       // gathered rows
        std::size_t at;                      // of its x and y in the scratch memory [doubles]
        std::size_t from;                    // the first part that reaches into it
        std::vector<VertexOffset> all, own;  // vertices of [begin, reach) and of [begin, end)
    };
    std::vector<std::int32_t> arrange(const BlockCsr& a, const std::vector<std::int32_t>& first_rank);
    void pack(const BlockCsr& a, const std::vector<std::int32_t>& block_at);
    void cut();
    void list(Part& part) const;
    void multiply_part(const HalfKernels<T>& kernels, const FusedTerms& terms, const Part& part,
                       double* scratch) const noexcept;
    void finish_part(const HalfKernels<T>& kernels, const FusedTerms& terms, std::size_t p, double* out,
                     double* scratch) const noexcept;
    const T* values() const { return reinterpret_cast<const T*>(values_.data()); }

    int block_ = 3;
    std::size_t lanes_ = 4, rows_ = 0, blocks_ = 0, scratch_ = 0;
    std::vector<std::int32_t> vertex_of_, starts_{0};
    std::vector<std::uint32_t> columns_;
    AlignedArray values_;
    std::vector<Part> parts_;
};

}  // namespace limber
