// The part of a BlockCg's matrix that is not written out: products in float and in double, and what the coarse problem has of it.
#include "linalg/block_cg_parts.hpp"

#include <algorithm>

namespace limber {

void BlockCg::make_patches(std::span<const std::uint8_t> held) {
    held_.assign(held.begin(), held.end());
    held_.resize(unknowns_, 0);
    std::vector<std::int32_t> row_of(pattern_->rows(), -1);
    for (std::size_t r = 0; r < vertex_.size(); ++r) {
        row_of[static_cast<std::size_t>(vertex_[r])] = static_cast<std::int32_t>(r);
        for (std::size_t c = 0; c < 4; ++c) free_.push_back(c < 3 && held_[3 * static_cast<std::size_t>(vertex_[r]) + c] == 0 ? 1.0f : 0.0f);
    }
    std::vector<std::vector<std::int32_t>> rows(vertex_.size());        // pairs (patch, entry)
    for (std::size_t p = 0; p < patches_->count(); ++p) {
        std::vector<std::pair<std::int32_t, std::int32_t>> own;         // (row, entry of the operator)
        for (std::int32_t k = patches_->starts[p]; k < patches_->starts[p + 1]; ++k)
            if (const std::int32_t r = row_of[static_cast<std::size_t>(patches_->vertices[static_cast<std::size_t>(k)])]; r >= 0) own.emplace_back(r, k);
        std::sort(own.begin(), own.end());
        for (const auto& [r, k] : own) {
            patch_rows_.push_back(r);
            for (std::size_t c = 0; c < 4; ++c) patch_slopes_.push_back(c < 3 ? static_cast<float>(patches_->gradients[3 * static_cast<std::size_t>(k) + c]) : 0.0f);
            rows[static_cast<std::size_t>(r)].push_back(static_cast<std::int32_t>(p));
            rows[static_cast<std::size_t>(r)].push_back(static_cast<std::int32_t>(patch_rows_.size()) - 1);
        }
        patch_starts_.push_back(static_cast<std::int32_t>(patch_rows_.size()));
    }
    for (const auto& list : rows) {
        for (std::size_t k = 0; k < list.size(); k += 2) {
            row_patches_.push_back(list[k]);
            const float* slope = patch_slopes_.data() + 4 * static_cast<std::size_t>(list[k + 1]);
            row_slopes_.insert(row_slopes_.end(), slope, slope + 4);
        }
        row_starts_.push_back(static_cast<std::int32_t>(row_patches_.size()));
    }
}

void BlockCg::multiply_all(const Parts& s, const double* values, const double* x, double* y) const noexcept {
    multiply(*pattern_, values, x, y);
    if (patches_ != nullptr) patches_->add_product(patch_numbers(values), x, held_.data(), y, s.patch_stress);
}

// Numbers in float at the matrix's scale, and the coarse problem's part.
void BlockCg::take_patches(const Parts& s, const double* values) const noexcept {
    constexpr std::size_t kMany = PatchOperator::kNumbers;
    const double* from = patch_numbers(values);
    for (std::size_t i = 0; i < kMany * patches_->count(); ++i) {
        const std::size_t k = i % kMany;
        const bool modulus = k >= PatchOperator::kMu || (k >= PatchOperator::kTurning && k < PatchOperator::kF);
        s.patch_numbers[i] = static_cast<float>((modulus ? *s.scale : 1.0) * from[i]);
    }
    for (std::size_t p = 0; p < patches_->count(); ++p) coarse_patch(s, p);
}

// Rigid motions of the groups that a patch touches, as gradients: three shifts, three turns.
void BlockCg::coarse_patch(const Parts& s, std::size_t p) const noexcept {
    constexpr std::size_t kMostGroups = 24;
    float motions[kMostGroups][6][9];
    std::int32_t groups[kMostGroups];
    std::size_t count = 0;
    const auto last = static_cast<std::size_t>(patch_starts_[p + 1]);
    for (auto k = static_cast<std::size_t>(patch_starts_[p]); k < last && count < kMostGroups;) {
        const std::int32_t group = aggregate_of_[static_cast<std::size_t>(patch_rows_[k])];
        float shift[3] = {}, swing[9] = {};
        for (; k < last && aggregate_of_[static_cast<std::size_t>(patch_rows_[k])] == group; ++k) {
            const float *arm = s.arm + 4 * static_cast<std::size_t>(patch_rows_[k]), *g = patch_slopes_.data() + 4 * k;
            for (int j = 0; j < 3; ++j) {
                shift[j] += arm[3] * g[j];
                for (int i = 0; i < 3; ++i) swing[3 * i + j] += arm[i] * g[j];
            }
        }
        auto& m = motions[count];
        for (int q = 0; q < 3; ++q)
            for (int j = 0; j < 3; ++j) {
                const int next = (q + 1) % 3, other = (q + 2) % 3;      // e_q x arm: -arm[other] along next, arm[next] along other
                for (int i = 0; i < 3; ++i) m[q][3 * i + j] = i == q ? shift[j] : 0.0f;
                m[3 + q][3 * q + j] = 0.0f;
                m[3 + q][3 * next + j] = -swing[3 * other + j];
                m[3 + q][3 * other + j] = swing[3 * next + j];
            }
        groups[count++] = group;
    }
    for (std::size_t b = 0; b < count; ++b) {
        float stresses[6][9];
        for (std::size_t q = 0; q < 6; ++q) PatchOperator::stress(s.patch_numbers + PatchOperator::kNumbers * p, motions[b][q], stresses[q]);
        for (std::size_t a = b; a < count; ++a) {
            auto at = static_cast<std::size_t>(coarse_starts_[static_cast<std::size_t>(groups[a])]);
            while (coarse_columns_[at] < groups[b]) ++at;
            float* block = s.coarse + kBlock6 * static_cast<std::size_t>(coarse_slots_[at]);
            for (std::size_t q = 0; q < 6; ++q)
                for (std::size_t i = 0; i < 6; ++i) {
                    float sum = 0.0f;
                    for (std::size_t k = 0; k < 9; ++k) sum += motions[a][i][k] * stresses[q][k];
                    block[8 * q + i] += sum;
                }
        }
    }
}

// q += the patches' part of A p; returns what it adds to p . q.
double BlockCg::add_patches(const Parts& s) const noexcept {
    parallel_blocks(patches_->count(), kPatchesAtOnce, [&](std::size_t block, std::size_t begin, std::size_t end) noexcept {
        double sum = 0.0;
        for (std::size_t p = begin; p < end; ++p) {
            float g[12] = {}, t[9];
            for (auto k = static_cast<std::size_t>(patch_starts_[p]); k < static_cast<std::size_t>(patch_starts_[p + 1]); ++k) {
                const float *x = s.p + 4 * static_cast<std::size_t>(patch_rows_[k]), *slope = patch_slopes_.data() + 4 * k;
                for (int i = 0; i < 3; ++i)
                    for (int j = 0; j < 4; ++j) g[4 * i + j] += x[i] * slope[j];
            }
            const float tight[9] = {g[0], g[1], g[2], g[4], g[5], g[6], g[8], g[9], g[10]};
            PatchOperator::stress(s.patch_numbers + PatchOperator::kNumbers * p, tight, t);
            float work = 0.0f;
            for (int i = 0; i < 9; ++i) work += t[i] * tight[i];
            sum += static_cast<double>(work);
            float* to = s.patch_floats + 12 * p;        // column by column, so that a row's sum is three products of four
            for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 4; ++i) to[4 * j + i] = i < 3 ? t[3 * i + j] : 0.0f;
        }
        s.patch_sums[block] = sum;
    });
    parallel_blocks(vertex_.size(), kPatchesAtOnce, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        for (std::size_t r = begin; r < end; ++r) {
            float sum[4] = {};
            for (auto k = static_cast<std::size_t>(row_starts_[r]); k < static_cast<std::size_t>(row_starts_[r + 1]); ++k) {
                const float *t = s.patch_floats + 12 * static_cast<std::size_t>(row_patches_[k]), *slope = row_slopes_.data() + 4 * k;
                for (int i = 0; i < 4; ++i) sum[i] += (t[i] * slope[0] + t[4 + i] * slope[1]) + t[8 + i] * slope[2];
            }
            for (int i = 0; i < 4; ++i) s.q[4 * r + static_cast<std::size_t>(i)] += free_[4 * r + static_cast<std::size_t>(i)] * sum[i];
        }
    });
    double all = 0.0;
    for (std::size_t k = 0; k * kPatchesAtOnce < patches_->count(); ++k) all += s.patch_sums[k];
    return all;
}

}  // namespace limber
