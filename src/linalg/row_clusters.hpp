// A block-sparse matrix as row clusters, laid out for products (kernels/clusters.hpp): one contiguous stream, in single
// or double precision.
#pragma once

#include "kernels/clusters.hpp"
#include "linalg/aligned.hpp"
#include "linalg/sparse.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace limber {

/// Rows may outnumber vertices: several rows may belong to one vertex (its share in several groups of cells), and their
/// sums are added.
struct ClusterRows {
    BlockCsr blocks;                   ///< columns are vertices; as many rows as there are clusters
    std::vector<std::int32_t> vertex;  ///< of each row; empty = row r is vertex r
};

template <class T>
class RowClusters {
public:
    RowClusters() = default;
    /// `order[k]` = the vertex at index k of a gathered vector; rows are laid out in the order of their
    /// vertices.
    RowClusters(const ClusterRows& rows, std::span<const std::int32_t> order);

    std::size_t gathered_rows() const { return gathered_index_.size(); }
    std::size_t rows() const { return row_count_; }
    std::size_t blocks() const { return blocks_; }
    /// Slots taken over slots needed: what rows of unequal length cost.
    double padding() const {
        return blocks_ > 0 ? static_cast<double>(columns_.size()) / static_cast<double>(blocks_) : 1.0;
    }
    std::size_t bytes() const;
    int block() const { return block_; }

    /// Where vertex v lies in the gathered vector x: x + kGatherStride gathered_index()[v].
    const std::int32_t* gathered_index() const { return gathered_index_.data(); }
    /// Doubles of scratch for add_product.
    std::size_t scratch_size() const { return sums_.empty() ? 0 : row_count_ * static_cast<std::size_t>(block_); }
    /// y += A x, y per vertex in the caller's order, x gathered, on a 32-byte boundary. Same bits for any number of
    /// threads.
    void add_product(const T* x, double* y, double* scratch) const noexcept;

private:
    void pack(const ClusterRows& rows, const std::vector<std::int32_t>& sequence);
    const T* values() const { return reinterpret_cast<const T*>(values_.data()); }

    int block_ = 3;
    std::size_t row_count_ = 0, blocks_ = 0;
    std::vector<std::int32_t> gathered_index_, starts_{0}, columns_, targets_;
    AlignedArray values_;
    std::vector<std::int32_t> sum_starts_, sums_;  // rows of each vertex, where a vertex may have several
};

}  // namespace limber
