#include "linalg/half_clusters.hpp"

#include "core/parallel.hpp"

#include <algorithm>

namespace limber {
namespace {

constexpr std::size_t kEqualRows = 512;         // rows within which those of equal length are brought together
constexpr std::size_t kPartRows = 2048;         // at least: less is done before a second thread has woken up
constexpr std::size_t kMostParts = 64;
constexpr std::size_t kReadAhead = 2048;        // numbers prefetched beyond the end, never used

std::size_t up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

// Blocks that row `row` keeps: those of columns that come later.
std::size_t kept(const BlockCsr& a, std::int32_t row, const std::vector<std::int32_t>& place) {
    std::size_t n = 0;
    for (std::int32_t e = a.starts[static_cast<std::size_t>(row)]; e < a.starts[static_cast<std::size_t>(row) + 1]; ++e)
        n += place[static_cast<std::size_t>(a.columns[static_cast<std::size_t>(e)])] > place[static_cast<std::size_t>(row)] ? 1 : 0;
    return n;
}

std::vector<std::int32_t> inverse(std::span<const std::int32_t> order) {
    std::vector<std::int32_t> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) place[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
    return place;
}

// Doubles that hold kPlace numbers for each of `places`, to whole cache lines.
template <class T>
std::size_t doubles(std::size_t places) { return up((kPlace * places * sizeof(T) + sizeof(double) - 1) / sizeof(double), 8); }

}  // namespace

template <class T>
HalfClusters<T>::HalfClusters(const BlockCsr& a, std::span<const std::int32_t> order) : block_(a.block), rows_(a.rows()), vertex_of_(order.begin(), order.end()) {
    const std::vector<std::int32_t> first_place = inverse(order);
    std::vector<std::size_t> length(rows_);
    for (std::size_t r = 0; r < rows_; ++r) blocks_ += length[r] = kept(a, static_cast<std::int32_t>(r), first_place);
    for (std::size_t first = 0; first < rows_; first += kEqualRows) {
        const auto begin = vertex_of_.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = vertex_of_.begin() + static_cast<std::ptrdiff_t>(std::min(rows_, first + kEqualRows));
        std::stable_sort(begin, end, [&](std::int32_t x, std::int32_t y) { return length[static_cast<std::size_t>(x)] > length[static_cast<std::size_t>(y)]; });
    }
    for (std::size_t k = 0; k < rows_; k += half_lanes<T>) {
        std::size_t longest = 0;
        for (std::size_t l = k; l < std::min(rows_, k + half_lanes<T>); ++l) longest = std::max(longest, length[static_cast<std::size_t>(vertex_of_[l])]);
        starts_.push_back(starts_.back() + static_cast<std::int32_t>(longest));
    }
    pack(a, inverse(vertex_of_), first_place);
    cut();
}

template <class T>
void HalfClusters<T>::pack(const BlockCsr& a, const std::vector<std::int32_t>& place_of, const std::vector<std::int32_t>& first_place) {
    const auto b = static_cast<std::size_t>(block_);
    const auto index = [](std::int32_t i) { return static_cast<std::size_t>(i); };
    const std::size_t slices = starts_.size() - 1;
    columns_.resize(half_lanes<T> * index(starts_.back()));
    values_ = AlignedArray((half_stream<T>(b, slices, starts_.data()) + kReadAhead) * sizeof(T) / sizeof(double));
    for (std::size_t k = 0; k < half_lanes<T> * slices; ++k) {
        const std::size_t lane = k % half_lanes<T>, slice = k / half_lanes<T>;
        T* diagonal = reinterpret_cast<T*>(values_.data()) + half_stream<T>(b, slice, starts_.data()) + lane;
        T* values = diagonal + b * (b + 1) / 2 * half_lanes<T>;
        std::size_t slot = index(starts_[slice]);
        if (k < rows_) {
            const std::size_t row = index(vertex_of_[k]);
            for (std::size_t e = index(a.starts[row]); e < index(a.starts[row + 1]); ++e) {
                const std::size_t column = index(a.columns[e]);
                const double* from = a.values.data() + b * b * e;
                if (column == row)
                    for (std::size_t i = 0; i < b; ++i)
                        for (std::size_t j = i; j < b; ++j, diagonal += half_lanes<T>) *diagonal = static_cast<T>(from[b * i + j]);
                if (first_place[column] <= first_place[row]) continue;
                columns_[half_lanes<T> * slot++ + lane] = static_cast<std::uint32_t>(place_of[column]);
                for (std::size_t i = 0; i < b * b; ++i, values += half_lanes<T>) *values = static_cast<T>(from[i]);
            }
        }
        // Zero blocks go where the row itself is: a place that its part may write.
        for (; slot < index(starts_[slice + 1]); ++slot) columns_[half_lanes<T> * slot + lane] = static_cast<std::uint32_t>(k);
    }
}

// Parts of equal numbers of rows, and columns counted from their beginnings.
template <class T>
void HalfClusters<T>::cut() {
    const std::size_t places = half_lanes<T> * (starts_.size() - 1);
    const std::size_t count = std::clamp<std::size_t>(rows_ / kPartRows, 1, kMostParts), size = up((places + count - 1) / count, kEqualRows);
    const auto slot = [&](std::size_t place) { return half_lanes<T> * static_cast<std::size_t>(starts_[place / half_lanes<T>]); };
    for (std::size_t begin = 0; begin < places; begin += size) {
        const std::size_t end = std::min(places, begin + size);
        Part part{begin, end, end, scratch_, parts_.size(), {}, {}};
        for (std::size_t e = slot(begin); e < slot(end); ++e) {
            part.reach = std::max<std::size_t>(part.reach, columns_[e] + 1);
            columns_[e] = static_cast<std::uint32_t>(kPlace * (columns_[e] - begin));
        }
        scratch_ += 2 * doubles<T>(part.reach - begin);
        for (std::size_t q = parts_.size(); q-- > 0;)
            if (parts_[q].reach > begin) part.from = q;
        list(part);
        parts_.push_back(std::move(part));
    }
}

template <class T>
void HalfClusters<T>::list(Part& part) const {
    for (std::size_t k = part.begin; k < std::min(part.reach, rows_); ++k)
        part.all.push_back({static_cast<std::uint32_t>(vertex_of_[k]), static_cast<std::uint32_t>(kPlace * (k - part.begin))});
    part.own.assign(part.all.begin(), part.all.begin() + static_cast<std::ptrdiff_t>(std::min(part.end, rows_) - part.begin));
    for (std::vector<VertexPlace>* some : {&part.all, &part.own}) std::sort(some->begin(), some->end(), [](const VertexPlace& a, const VertexPlace& b) { return a.vertex < b.vertex; });
}

template <class T>
std::size_t HalfClusters<T>::bytes() const {
    std::size_t sum = values_.size() * sizeof(double) + (vertex_of_.size() + starts_.size() + columns_.size()) * sizeof(std::int32_t);
    for (const Part& part : parts_) sum += sizeof(Part) + (part.all.size() + part.own.size()) * sizeof(VertexPlace);
    return sum;
}

template <class T>
void HalfClusters<T>::multiply_part(const HalfKernels<T>& kernels, const FusedTerms& terms, const Part& part, double* scratch) const noexcept {
    const std::size_t places = part.reach - part.begin;
    T *const x = reinterpret_cast<T*>(scratch + part.at), *const y = reinterpret_cast<T*>(scratch + part.at + doubles<T>(places));
    kernels.gather({terms, part.all.data(), x, nullptr, nullptr, rows_ - 1}, part.all.size());
    std::fill(x + kPlace * part.all.size(), x + kPlace * places, T{0});     // lanes without a row
    std::fill_n(y, kPlace * places, T{0});
    kernels.product({starts_.data(), columns_.data(), values(), part.begin / half_lanes<T>, x, y}, part.begin / half_lanes<T>, part.end / half_lanes<T>);
}

// Sums of the parts before that reach into this one are added to its own in their order.
template <class T>
void HalfClusters<T>::finish_part(const HalfKernels<T>& kernels, const FusedTerms& terms, std::size_t p, double* out, double* scratch) const noexcept {
    const auto sums = [scratch](const Part& part) { return reinterpret_cast<T*>(scratch + part.at + doubles<T>(part.reach - part.begin)); };
    const Part& part = parts_[p];
    T* const y = sums(part);
    for (std::size_t q = part.from; q < p; ++q) {
        const Part& other = parts_[q];
        if (other.reach <= part.begin) continue;
        const T* from = sums(other) + kPlace * (part.begin - other.begin);
        const std::size_t count = kPlace * (std::min(other.reach, part.end) - part.begin);
        for (std::size_t i = 0; i < count; ++i) y[i] += from[i];
    }
    kernels.finish({terms, part.own.data(), nullptr, y, out, rows_ - 1}, part.own.size());
}

template <class T>
void HalfClusters<T>::apply(const FusedTerms& terms, double* out, double* scratch) const noexcept {
    double* const at = on_cache_line(scratch);
    const HalfKernels<T> kernels = half_kernels<T>(block_);
    parallel_blocks(parts_.size(), 1, [&](std::size_t, std::size_t p, std::size_t) noexcept { multiply_part(kernels, terms, parts_[p], at); });
    parallel_blocks(parts_.size(), 1, [&](std::size_t, std::size_t p, std::size_t) noexcept { finish_part(kernels, terms, p, out, at); });
}

template class HalfClusters<double>;
template class HalfClusters<float>;

}  // namespace limber
