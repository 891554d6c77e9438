#include "linalg/row_clusters.hpp"

#include "core/parallel.hpp"

#include <algorithm>
#include <numeric>

namespace limber {
namespace {

constexpr std::size_t kWindow = 256;         // rows within which those of equal length are brought together
constexpr std::size_t kSlicesPerBlock = 32;  // of a parallel loop
constexpr std::size_t kTail = 2048;          // numbers read ahead beyond the end, never used

std::size_t length(const BlockCsr& a, std::int32_t row) {
    return static_cast<std::size_t>(a.starts[static_cast<std::size_t>(row) + 1] -
                                    a.starts[static_cast<std::size_t>(row)]);
}

// Rows by the gathered index of their vertex; within windows the longest first, so that a slice's rows end together.
std::vector<std::int32_t> sequence_of(const ClusterRows& rows, const std::vector<std::int32_t>& gathered_index) {
    std::vector<std::int32_t> sequence(rows.blocks.rows());
    std::iota(sequence.begin(), sequence.end(), 0);
    const auto rank = [&](std::int32_t r) {
        return gathered_index[static_cast<std::size_t>(rows.vertex.empty() ? r
                                                                           : rows.vertex[static_cast<std::size_t>(r)])];
    };
    std::stable_sort(sequence.begin(), sequence.end(),
                     [&](std::int32_t a, std::int32_t b) { return rank(a) < rank(b); });
    for (std::size_t first = 0; first < sequence.size(); first += kWindow) {
        const auto begin = sequence.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = sequence.begin() + static_cast<std::ptrdiff_t>(std::min(sequence.size(), first + kWindow));
        std::stable_sort(begin, end, [&](std::int32_t a, std::int32_t b) {
            return length(rows.blocks, a) > length(rows.blocks, b);
        });
    }
    return sequence;
}

}  // namespace

template <class T>
RowClusters<T>::RowClusters(const ClusterRows& rows, std::span<const std::int32_t> order)
    : block_(rows.blocks.block),
      row_count_(rows.blocks.rows()),
      blocks_(rows.blocks.columns.size()),
      gathered_index_(order.size()) {
    for (std::size_t k = 0; k < order.size(); ++k)
        gathered_index_[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
    const std::vector<std::int32_t> sequence = sequence_of(rows, gathered_index_);
    pack(rows, sequence);
    if (rows.vertex.empty()) return;
    sum_starts_.assign(order.size() + 1, 0);
    for (const std::int32_t v : rows.vertex) ++sum_starts_[static_cast<std::size_t>(v) + 1];
    for (std::size_t v = 0; v < order.size(); ++v) sum_starts_[v + 1] += sum_starts_[v];
    sums_.resize(rows.vertex.size());
    std::vector<std::int32_t> next(sum_starts_.begin(), sum_starts_.end() - 1);
    for (std::size_t r = 0; r < rows.vertex.size(); ++r) {
        sums_[static_cast<std::size_t>(next[static_cast<std::size_t>(rows.vertex[r])]++)] = static_cast<std::int32_t>(
            r);
    }
}

template <class T>
void RowClusters<T>::pack(const ClusterRows& rows, const std::vector<std::int32_t>& sequence) {
    constexpr std::size_t L = kSliceRows;
    const BlockCsr& a = rows.blocks;
    const std::size_t slices = (sequence.size() + L - 1) / L, b = static_cast<std::size_t>(block_), entries = b * b;
    targets_ = sequence;
    targets_.resize(L * slices, 0);
    for (std::size_t s = 0; s < slices; ++s) {
        std::size_t longest = 0;
        for (std::size_t l = 0; l < L && L * s + l < sequence.size(); ++l)
            longest = std::max(longest, length(a, sequence[L * s + l]));
        starts_.push_back(starts_.back() + static_cast<std::int32_t>(longest));
    }
    const auto slots = static_cast<std::size_t>(starts_.back());
    columns_.assign(L * slots, 0);
    values_ = AlignedArray((L * entries * slots + kTail) * sizeof(T) / sizeof(double));
    T* values = reinterpret_cast<T*>(values_.data());
    for (std::size_t k = 0; k < sequence.size(); ++k) {
        const std::size_t lane = k % L, first = static_cast<std::size_t>(starts_[k / L]);
        const auto from = static_cast<std::size_t>(a.starts[static_cast<std::size_t>(sequence[k])]);
        for (std::size_t e = 0; e < length(a, sequence[k]); ++e) {
            columns_[L * (first + e) + lane] = gathered_index_[static_cast<std::size_t>(a.columns[from + e])];
            for (std::size_t i = 0; i < entries; ++i)
                values[(entries * (first + e) + i) * L + lane] = static_cast<T>(a.values[entries * (from + e) + i]);
        }
    }
}

template <class T>
std::size_t RowClusters<T>::bytes() const {
    return values_.size() * sizeof(double) + (gathered_index_.size() + starts_.size() + columns_.size() +
                                              targets_.size() + sum_starts_.size() + sums_.size()) *
                                                 sizeof(std::int32_t);
}

template <class T>
void RowClusters<T>::add_product(const T* x, double* y, double* scratch) const noexcept {
    const ClusterProduct<T> product = cluster_product<T>(block_);
    const std::size_t slices = starts_.size() - 1;
    const auto b = static_cast<std::size_t>(block_);
    const bool several = !sums_.empty();
    const ClusterArgs<T> args{starts_.data(),       columns_.data(), values(), targets_.data(), row_count_, x,
                              several ? scratch : y};
    if (several) std::fill_n(scratch, row_count_ * b, 0.0);
    parallel_blocks(slices, kSlicesPerBlock,
                    [&](std::size_t, std::size_t begin, std::size_t end) noexcept { product(args, begin, end); });
    if (!several) return;
    parallel_blocks(gathered_index_.size(), kSlicesPerBlock * kSliceRows,
                    [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
                        for (std::size_t v = begin; v < end; ++v) {
                            for (auto k = static_cast<std::size_t>(sum_starts_[v]);
                                 k < static_cast<std::size_t>(sum_starts_[v + 1]); ++k) {
                                for (std::size_t i = 0; i < b; ++i)
                                    y[b * v + i] += scratch[b * static_cast<std::size_t>(sums_[k]) + i];
                            }
                        }
                    });
}

template class RowClusters<double>;
template class RowClusters<float>;

}  // namespace limber
