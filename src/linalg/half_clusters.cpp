#include "linalg/half_clusters.hpp"

#include "core/parallel.hpp"

#include <limber/version.hpp>

#include <algorithm>
#include <atomic>
#include <thread>

namespace limber {
namespace {

constexpr std::size_t kEqualRows = 512;  // rows within which those of equal length are brought together
constexpr std::size_t kFirstRows = 64;   // the same at the beginning of a part
constexpr std::size_t kPartRows = 1536;  // at least: less is done before a second thread has woken up
constexpr std::size_t kMostParts = 64;
constexpr std::size_t kReadAhead = 2048;  // numbers prefetched beyond the end, never used

constexpr std::size_t kApart = 4;  // lanes l and l + 4 are added to y as one vector, so in a slot their columns differ
constexpr std::int32_t kNone = -1;

std::size_t up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

// Rows of a part: an even number of parts of equal size, since two threads are likelier than three.
std::size_t part_rows(std::size_t rows, std::size_t lanes) {
    const std::size_t parts = std::max<std::size_t>(1, std::min(rows / (2 * kPartRows) * 2, kMostParts));
    return up(std::max<std::size_t>(1, (rows + parts - 1) / parts), lanes);
}

// Blocks that row `row` keeps: those of columns that come later.
void keep(const BlockCsr& a, std::int32_t row, const std::vector<std::int32_t>& rank,
          std::vector<std::int32_t>& blocks) {
    for (std::int32_t e = a.starts[static_cast<std::size_t>(row)]; e < a.starts[static_cast<std::size_t>(row) + 1];
         ++e) {
        if (rank[static_cast<std::size_t>(a.columns[static_cast<std::size_t>(e)])] >
            rank[static_cast<std::size_t>(row)]) {
            blocks.push_back(e);
        }
    }
}

// Null if it has none.
const double* diagonal_block(const BlockCsr& a, std::int32_t row) {
    const auto begin = a.columns.begin() + a.starts[static_cast<std::size_t>(row)],
               end = a.columns.begin() + a.starts[static_cast<std::size_t>(row) + 1];
    const auto found = std::find(begin, end, row);
    return found == end ? nullptr : a.values.data() + (found - a.columns.begin()) * a.block * a.block;
}

bool same_column(const BlockCsr& a, const std::vector<std::int32_t>& row, const std::vector<std::int32_t>& other,
                 std::size_t slot) {
    if (slot >= row.size() || slot >= other.size() || row[slot] == kNone || other[slot] == kNone) return false;
    return a.columns[static_cast<std::size_t>(row[slot])] == a.columns[static_cast<std::size_t>(other[slot])];
}

std::vector<std::int32_t> inverse(std::span<const std::int32_t> order) {
    std::vector<std::int32_t> rank(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        rank[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
    return rank;
}

// Doubles that hold kGatherStride numbers for each of `gathered_rows`, to half a page beyond whole pages: processors
// compare the last twelve bits of addresses first, and a load of x that agrees in them with a store to y just before
// waits for it (a fifth of a product's time where x and y began alike).
template <class T>
std::size_t doubles(std::size_t gathered_rows) {
    constexpr std::size_t kPage = 4096 / sizeof(double);
    return up((kGatherStride * gathered_rows * sizeof(T) + sizeof(double) - 1) / sizeof(double) + kPage / 2, kPage) -
           kPage / 2;
}

// Awake: it will not take longer than what the waiting thread has just done itself, unless somebody else has the
// processor.
void wait_for(const std::atomic<bool>& done) noexcept {
    for (int i = 0; i < 1000 && !done.load(std::memory_order_acquire); ++i) {}
    while (!done.load(std::memory_order_acquire)) std::this_thread::yield();
}

}  // namespace

template <class T>
HalfClusters<T>::HalfClusters(const BlockCsr& a, std::span<const std::int32_t> order)
    : block_(a.block), lanes_(half_lanes<T>()), rows_(a.rows()), vertex_of_(order.begin(), order.end()) {
    const std::vector<std::int32_t> first_rank = inverse(order);
    std::vector<std::size_t> length(rows_);
    for (std::size_t r = 0; r < rows_; ++r) {
        std::vector<std::int32_t> blocks;
        keep(a, static_cast<std::int32_t>(r), first_rank, blocks);
        blocks_ += length[r] = blocks.size();
    }
    const std::size_t size = part_rows(rows_, lanes_);
    for (std::size_t first = 0, end = 0; first < rows_; first = end) {
        const std::size_t inside = first % size;  // a part's first rows stay nearly where they were: the part before
                                                  // reads all of them up to the last that it reaches
        end = std::min({rows_, first + (first < size ? kEqualRows : std::clamp(inside, kFirstRows, kEqualRows)),
                        first - inside + size});
        std::stable_sort(vertex_of_.begin() + static_cast<std::ptrdiff_t>(first),
                         vertex_of_.begin() + static_cast<std::ptrdiff_t>(end), [&](std::int32_t x, std::int32_t y) {
                             return length[static_cast<std::size_t>(x)] > length[static_cast<std::size_t>(y)];
                         });
    }
    pack(a, arrange(a, first_rank));
    cut();
}

// Which block of the matrix stands where: lanes_ per slot, kNone for a zero block. Finds starts_.
template <class T>
std::vector<std::int32_t> HalfClusters<T>::arrange(const BlockCsr& a, const std::vector<std::int32_t>& first_rank) {
    std::vector<std::int32_t> block_at;
    std::vector<std::vector<std::int32_t>> rows(lanes_);
    for (std::size_t k = 0; k < rows_; k += lanes_) {
        std::size_t slots = 0;
        for (std::size_t l = 0; l < lanes_; ++l) {
            rows[l].clear();
            if (k + l < rows_) keep(a, vertex_of_[k + l], first_rank, rows[l]);
            slots = std::max(slots, rows[l].size());
        }
        if (slots == 1 && lanes_ > kApart)  // alone in their rows, two blocks of one column have nowhere to go
        {
            for (std::size_t l = 0; l < kApart; ++l)
                if (same_column(a, rows[l], rows[l + kApart], 0)) slots = 2;
        }
        for (std::size_t l = 0; l < lanes_; ++l) rows[l].resize(slots, kNone);
        for (std::size_t l = 0; l + kApart < lanes_; ++l) {
            for (std::size_t s = 0; s < slots; ++s) {
                if (same_column(a, rows[l], rows[l + kApart], s)) {
                    std::swap(rows[l + kApart][s], rows[l + kApart][(s + 1) % slots]);
                }
            }
        }  // a row has each column once: that settles it
        for (std::size_t s = 0; s < slots; ++s)
            for (std::size_t l = 0; l < lanes_; ++l) block_at.push_back(rows[l][s]);
        starts_.push_back(starts_.back() + static_cast<std::int32_t>(slots));
    }
    return block_at;
}

template <class T>
void HalfClusters<T>::pack(const BlockCsr& a, const std::vector<std::int32_t>& block_at) {
    const auto b = static_cast<std::size_t>(block_);
    const auto index = [](std::int32_t i) { return static_cast<std::size_t>(i); };
    const std::vector<std::int32_t> gathered_index = inverse(vertex_of_);
    const std::size_t slices = starts_.size() - 1;
    columns_.resize(block_at.size());
    values_ = AlignedArray((half_stream(b, lanes_, slices, starts_.data()) + kReadAhead) * sizeof(T) / sizeof(double));
    for (std::size_t k = 0; k < lanes_ * slices; ++k) {
        const std::size_t lane = k % lanes_, slice = k / lanes_;
        T* values = reinterpret_cast<T*>(values_.data()) + half_stream(b, lanes_, slice, starts_.data()) + lane;
        const double* diagonal = k < rows_ ? diagonal_block(a, vertex_of_[k]) : nullptr;
        for (std::size_t i = 0; i < b; ++i) {
            for (std::size_t j = i; j < b; ++j, values += lanes_)
                if (diagonal != nullptr) *values = static_cast<T>(diagonal[b * i + j]);
        }
        for (std::size_t at = lanes_ * index(starts_[slice]) + lane; at < lanes_ * index(starts_[slice + 1]);
             at += lanes_, values += b * b * lanes_) {
            if (block_at[at] != kNone) {
                columns_[at] = static_cast<std::uint32_t>(gathered_index[index(a.columns[index(block_at[at])])]);
                for (std::size_t i = 0; i < b * b; ++i)
                    values[i * lanes_] = static_cast<T>(a.values[b * b * index(block_at[at]) + i]);
                continue;
            }
            // Zero blocks go where the row itself is, a row that its part may write, or to the row that it is added
            // together with.
            const std::size_t partner = k ^ kApart, beside = at + partner - k;
            const bool taken = lanes_ > kApart && block_at[beside] != kNone &&
                               index(gathered_index[index(a.columns[index(block_at[beside])])]) == k;
            columns_[at] = static_cast<std::uint32_t>(taken ? partner : k);
        }
    }
}

// Parts of equal numbers of rows, and columns counted from their beginnings.
template <class T>
void HalfClusters<T>::cut() {
    const std::size_t gathered_rows = lanes_ * (starts_.size() - 1), size = part_rows(rows_, lanes_);
    const auto slot = [&](std::size_t rank) { return lanes_ * static_cast<std::size_t>(starts_[rank / lanes_]); };
    for (std::size_t begin = 0; begin < gathered_rows; begin += size) {
        const std::size_t end = std::min(gathered_rows, begin + size);
        Part part{begin, end, end, scratch_, parts_.size(), {}, {}};
        for (std::size_t e = slot(begin); e < slot(end); ++e) {
            part.reach = std::max<std::size_t>(part.reach, columns_[e] + 1);
            columns_[e] = static_cast<std::uint32_t>(kGatherStride * (columns_[e] - begin));
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
    for (std::size_t k = part.begin; k < std::min(part.reach, rows_); ++k) {
        part.all.push_back(
            {static_cast<std::uint32_t>(vertex_of_[k]), static_cast<std::uint32_t>(kGatherStride * (k - part.begin))});
    }
    part.own.assign(part.all.begin(),
                    part.all.begin() + static_cast<std::ptrdiff_t>(std::min(part.end, rows_) - part.begin));
    for (std::vector<VertexOffset>* some : {&part.all, &part.own}) {
        std::sort(some->begin(), some->end(),
                  [](const VertexOffset& a, const VertexOffset& b) { return a.vertex < b.vertex; });
    }
}

template <class T>
std::size_t HalfClusters<T>::bytes() const {
    std::size_t sum = values_.size() * sizeof(double) +
                      (vertex_of_.size() + starts_.size() + columns_.size()) * sizeof(std::int32_t);
    for (const Part& part : parts_) sum += sizeof(Part) + (part.all.size() + part.own.size()) * sizeof(VertexOffset);
    return sum;
}

template <class T>
void HalfClusters<T>::multiply_part(const HalfKernels<T>& kernels, const FusedTerms& terms, const Part& part,
                                    double* scratch) const noexcept {
    const std::size_t gathered_rows = part.reach - part.begin;
    T *const x = reinterpret_cast<T*>(scratch + part.at), *const y = reinterpret_cast<T*>(scratch + part.at +
                                                                                          doubles<T>(gathered_rows));
    kernels.gather({terms, part.all.data(), x, nullptr, nullptr, rows_ - 1}, part.all.size());
    std::fill(x + kGatherStride * part.all.size(), x + kGatherStride * gathered_rows, T{0});  // lanes without a row
    std::fill_n(y, kGatherStride * gathered_rows, T{0});
    kernels.product({starts_.data(), columns_.data(), values(), part.begin / lanes_, x, y}, part.begin / lanes_,
                    part.end / lanes_);
}

// Sums of the parts before that reach into this one are added to its own in their order.
template <class T>
void HalfClusters<T>::finish_part(const HalfKernels<T>& kernels, const FusedTerms& terms, std::size_t p, double* out,
                                  double* scratch) const noexcept {
    const auto sums = [scratch](const Part& part) {
        return reinterpret_cast<T*>(scratch + part.at + doubles<T>(part.reach - part.begin));
    };
    const Part& part = parts_[p];
    T* const y = sums(part);
    for (std::size_t q = part.from; q < p; ++q) {
        const Part& other = parts_[q];
        if (other.reach <= part.begin) continue;
        const T* from = sums(other) + kGatherStride * (part.begin - other.begin);
        const std::size_t count = kGatherStride * (std::min(other.reach, part.end) - part.begin);
        for (std::size_t i = 0; i < count; ++i) y[i] += from[i];
    }
    kernels.finish({terms, part.own.data(), nullptr, y, out, rows_ - 1}, part.own.size());
}

template <class T>
void HalfClusters<T>::apply(const FusedTerms& terms, double* out, double* scratch) const noexcept {
    double* const at = on_cache_line(scratch);
    const HalfKernels<T> kernels = half_kernels<T>(block_, lanes_);
    std::atomic<bool> multiplied[kMostParts];
    for (std::size_t p = 0; p < parts_.size(); ++p) multiplied[p].store(false, std::memory_order_relaxed);
    const auto threads = static_cast<std::size_t>(thread_count());
    // Neighbouring parts stay together: the same thread finds them in its cache the next time. Waking threads once is
    // all a small matrix can afford, so they wait for each other in between: only for parts before their own, which
    // were begun earlier by whoever does them.
    parallel_blocks(parts_.size(), (parts_.size() + threads - 1) / threads,
                    [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
                        for (std::size_t p = begin; p < end; ++p) {
                            multiply_part(kernels, terms, parts_[p], at);
                            multiplied[p].store(true, std::memory_order_release);
                        }
                        for (std::size_t p = begin; p < end; ++p) {
                            for (std::size_t q = parts_[p].from; q < begin; ++q) wait_for(multiplied[q]);
                            finish_part(kernels, terms, p, out, at);
                        }
                    });
}

template class HalfClusters<double>;
template class HalfClusters<float>;

}  // namespace limber
