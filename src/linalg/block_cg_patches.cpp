// The part of a BlockCg's matrix that is not written out: products in float and in double, and what the coarse problem
// has of it.
#include "linalg/block_cg_parts.hpp"

#include <limber/version.hpp>

#include <algorithm>
#include <numeric>

namespace limber {
namespace {

const PatchKernels& patch_kernels() {
    return kernel_choice() >= Isa::avx2 ? patch_kernels_avx2() : patch_kernels_baseline();
}

// Where number k of patch p lies (kernels/patch.hpp).
std::size_t number_at(std::size_t p, std::size_t k) {
    return PatchNumbers::kCount * (p - p % kPatchLanes) + kPatchLanes * k + p % kPatchLanes;
}

template <class Key>
void sort_within_blocks(std::vector<std::int32_t>& list, Key&& key) {
    for (std::size_t begin = 0; begin < list.size(); begin += kPatchesAtOnce) {
        std::ranges::stable_sort(
            list.begin() + static_cast<std::ptrdiff_t>(begin),
            list.begin() + static_cast<std::ptrdiff_t>(std::min(list.size(), begin + kPatchesAtOnce)), {}, key);
    }
}

}  // namespace

void BlockCg::make_patches(std::span<const std::uint8_t> held) {
    held_.assign(held.begin(), held.end());
    held_.resize(unknowns_, 0);
    std::vector<std::int32_t> row_of(pattern_->rows(), -1);
    for (std::size_t r = 0; r < vertex_.size(); ++r) {
        row_of[static_cast<std::size_t>(vertex_[r])] = static_cast<std::int32_t>(r);
        const auto first = held_.begin() + std::ptrdiff_t{3} * vertex_[r];
        if (std::any_of(first, first + 3, [](std::uint8_t h) { return h != 0; })) {
            partly_held_.push_back(static_cast<std::int32_t>(r));
        }
        for (std::size_t c = 0; c < 4; ++c)
            free_.push_back(c < 3 && held_[3 * static_cast<std::size_t>(vertex_[r]) + c] == 0 ? 1.0f : 0.0f);
    }
    struct Entry {
        std::int32_t row, patch;  // as numbered here
        std::size_t slope;        // in the operator's gradients
    };
    std::vector<std::vector<Entry>> by_patch(patches_->count()), by_row(vertex_.size());
    for (std::size_t p = 0; p < patches_->count(); ++p) {
        for (auto k = static_cast<std::size_t>(patches_->starts[p]);
             k < static_cast<std::size_t>(patches_->starts[p + 1]); ++k) {
            if (const std::int32_t r = row_of[static_cast<std::size_t>(patches_->vertices[k])]; r >= 0)
                by_patch[p].push_back({r, 0, 3 * k});
        }
        std::ranges::sort(by_patch[p], {}, &Entry::row);
    }
    const auto keep_slope = [&](const Entry& e, std::vector<float>& to) {
        for (std::size_t c = 0; c < 4; ++c)
            to.push_back(c < 3 ? static_cast<float>(patches_->gradients[e.slope + c]) : 0.0f);
    };
    // Near ones beside each other, then equal lengths within a block: a loop that ends where the last one did is
    // foreseen by the processor.
    patch_source_.resize(by_patch.size());
    std::iota(patch_source_.begin(), patch_source_.end(), 0);
    const auto of_patch = [&](std::int32_t p) -> const std::vector<Entry>& {
        return by_patch[static_cast<std::size_t>(p)];
    };
    std::ranges::stable_sort(patch_source_, {},
                             [&](std::int32_t p) { return of_patch(p).empty() ? -1 : of_patch(p)[0].row; });
    sort_within_blocks(patch_source_, [&](std::int32_t p) { return of_patch(p).size(); });
    for (std::size_t p = 0; p < patch_source_.size(); ++p) {
        for (Entry e : of_patch(patch_source_[p])) {
            e.patch = static_cast<std::int32_t>(p);
            patch_rows_.push_back(4 * static_cast<std::uint32_t>(e.row));
            keep_slope(e, patch_slopes_);
            by_row[static_cast<std::size_t>(e.row)].push_back(e);
        }
        if (patch_rows_.size() % 2 == 1) {  // kernels take two at once
            patch_rows_.push_back(patch_rows_.back());
            patch_slopes_.insert(patch_slopes_.end(), 4, 0.0f);
        }
        patch_starts_.push_back(static_cast<std::int32_t>(patch_rows_.size()));
    }
    row_order_.resize(by_row.size());
    std::iota(row_order_.begin(), row_order_.end(), 0);
    sort_within_blocks(row_order_, [&](std::int32_t r) { return by_row[static_cast<std::size_t>(r)].size(); });
    for (const std::int32_t r : row_order_) {
        for (const Entry& e : by_row[static_cast<std::size_t>(r)]) {
            row_patches_.push_back(e.patch);
            keep_slope(e, row_slopes_);
        }
        row_starts_.push_back(static_cast<std::int32_t>(row_patches_.size()));
    }
}

bool BlockCg::patches_turn(const Parts& s) const { return s.patch_sums[patches_->count() / kPatchesAtOnce + 1] != 0.0; }

void BlockCg::multiply_all(const Parts& s, const double* values, const double* x, double* y) const noexcept {
    multiply(*pattern_, values, x, y);
    if (patches_ != nullptr) patches_->add_product(patch_numbers(values), x, held_.data(), y, s.patch_stress);
}

FloatPatches BlockCg::float_patches(const Parts& s) const {
    return {patch_starts_.data(), patch_rows_.data(), patch_slopes_.data(),
            s.patch_numbers,      patches_turn(s),    patches_->count()};
}

// Numbers in float at the matrix's scale, and in patch_floats what the patches have on the diagonal.
void BlockCg::take_patches(const Parts& s, const double* values) const noexcept {
    using At = PatchNumbers;
    const double* from = patch_numbers(values);
    bool turns = false;
    for (std::size_t p = 0; p < whole_lanes(patches_->count()); ++p) {
        for (std::size_t k = 0; k < At::kCount; ++k) {
            const double number = p < patches_->count()
                                      ? from[At::kCount * static_cast<std::size_t>(patch_source_[p]) + k]
                                      : 0.0;
            const bool turning = k >= At::kTurning && k < At::kF, modulus = turning || k >= At::kMu;
            turns = turns || ((turning || k == At::kPressing) && number != 0.0);
            s.patch_numbers[number_at(p, k)] = static_cast<float>((modulus ? *s.scale : 1.0) * number);
        }
    }
    s.patch_sums[patches_->count() / kPatchesAtOnce + 1] = turns ? 1.0 : 0.0;
    std::fill_n(s.patch_floats, kPatchStress * vertex_.size(), 0.0f);
    const FloatPatches patches = float_patches(s);
    for (std::size_t p = 0; p < patches_->count(); ++p) {
        float numbers[At::kCount];
        for (std::size_t k = 0; k < At::kCount; ++k) numbers[k] = s.patch_numbers[number_at(p, k)];
        patch_kernels().diagonal(patches, p, numbers, s.patch_floats);
    }
}

// Rigid motions of the groups that a patch touches, as gradients: three shifts, three turns.
void BlockCg::coarse_patch(const Parts& s, std::size_t p) const noexcept {
    constexpr std::size_t kMostGroups = 24;
    float motions[kMostGroups][9][kPatchLanes];  // [entry of the gradient][motion]
    std::int32_t groups[kMostGroups];
    std::size_t count = 0;
    const auto last = static_cast<std::size_t>(patch_starts_[p + 1]);
    for (auto k = static_cast<std::size_t>(patch_starts_[p]); k < last && count < kMostGroups;) {
        const std::int32_t group = aggregate_of_[patch_rows_[k] / 4];
        float shift[3] = {}, swing[9] = {};
        for (; k < last && aggregate_of_[patch_rows_[k] / 4] == group; ++k) {
            const float *arm = s.arm + patch_rows_[k], *g = patch_slopes_.data() + 4 * k;
            for (int j = 0; j < 3; ++j) {
                shift[j] += arm[3] * g[j];
                for (int i = 0; i < 3; ++i) swing[3 * i + j] += arm[i] * g[j];
            }
        }
        auto& m = motions[count];
        std::fill_n(&m[0][0], 9 * kPatchLanes, 0.0f);
        for (int q = 0; q < 3; ++q) {
            for (int j = 0; j < 3; ++j) {
                const int next = (q + 1) % 3,
                          other = (q + 2) % 3;  // e_q x arm: -arm[other] along next, arm[next] along other
                m[3 * q + j][q] = shift[j];
                m[3 * next + j][3 + q] = -swing[3 * other + j];
                m[3 * other + j][3 + q] = swing[3 * next + j];
            }
        }
        groups[count++] = group;
    }
    float numbers[PatchNumbers::kCount];
    for (std::size_t k = 0; k < PatchNumbers::kCount; ++k) numbers[k] = s.patch_numbers[number_at(p, k)];
    float* blocks[kMostGroups * (kMostGroups + 1) / 2];
    float** block = blocks;
    for (std::size_t b = 0; b < count; ++b) {
        for (std::size_t a = b; a < count; ++a) {
            auto at = static_cast<std::size_t>(coarse_starts_[static_cast<std::size_t>(groups[a])]);
            while (coarse_columns_[at] < groups[b]) ++at;
            *block++ = s.coarse + kBlock6 * static_cast<std::size_t>(coarse_slots_[at]);
        }
    }
    patch_kernels().reduce(numbers, patches_turn(s), &motions[0][0][0], count, blocks);
}

// q += the patches' part of A p; returns what it adds to p . q.
double BlockCg::add_patches(const Parts& s) const noexcept {
    const PatchKernels& kernels = patch_kernels();
    const std::size_t count = patches_->count();
    const FloatPatches patches = float_patches(s);
    double all = 0.0;
    if (thread_count() == 1) {
        all = kernels.product(patches, s.p, s.q);
    } else {
        parallel_blocks(count, kPatchesAtOnce, [&](std::size_t block, std::size_t begin, std::size_t end) noexcept {
            s.patch_sums[block] = kernels.stress(patches, s.p, s.patch_floats, begin, end);
        });
        const FloatPatchRows rows{row_starts_.data(), row_patches_.data(), row_slopes_.data(), row_order_.data()};
        parallel_blocks(vertex_.size(), kPatchesAtOnce, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
            kernels.forces(rows, s.patch_floats, s.q, begin, end);
        });
        for (std::size_t k = 0; k * kPatchesAtOnce < count; ++k) all += s.patch_sums[k];
    }
    // p is nothing where it is held, and so was q.
    for (const std::int32_t row : partly_held_) {
        for (std::size_t c = 0; c < 4; ++c)
            s.q[4 * static_cast<std::size_t>(row) + c] *= free_[4 * static_cast<std::size_t>(row) + c];
    }
    return all;
}

}  // namespace limber
