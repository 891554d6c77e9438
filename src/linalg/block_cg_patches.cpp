// The part of a BlockCg's matrix that is not written out: products in float and in double, and what the coarse problem has of it.
#include "linalg/block_cg_parts.hpp"

#include <algorithm>
#include <cstring>

namespace limber {
namespace {

using Four = PatchLanes;

Four four_of(const float* p) {
    Four v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

}  // namespace

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
    bool turns = false;
    for (std::size_t p = 0; p < (patches_->count() + 3) / 4 * 4; ++p)
        for (std::size_t k = 0; k < kMany; ++k) {
            const double number = p < patches_->count() ? from[kMany * p + k] : 0.0;
            const bool turning = k >= PatchOperator::kTurning && k < PatchOperator::kF, modulus = turning || k >= PatchOperator::kMu;
            turns = turns || ((turning || k == PatchOperator::kPressing) && number != 0.0);
            s.patch_numbers[kMany * (p / 4 * 4) + 4 * k + p % 4] = static_cast<float>((modulus ? *s.scale : 1.0) * number);
        }
    s.patch_sums[patches_->count() / kPatchesAtOnce + 1] = turns ? 1.0 : 0.0;
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
    float numbers[PatchOperator::kNumbers];
    for (std::size_t k = 0; k < PatchOperator::kNumbers; ++k) numbers[k] = s.patch_numbers[PatchOperator::kNumbers * (p / 4 * 4) + 4 * k + p % 4];
    const bool turns = s.patch_sums[patches_->count() / kPatchesAtOnce + 1] != 0.0;
    for (std::size_t b = 0; b < count; ++b) {
        float stresses[6][9];
        for (std::size_t q = 0; q < 6; ++q) turns ? PatchOperator::stress<true>(numbers, motions[b][q], stresses[q]) : PatchOperator::stress<false>(numbers, motions[b][q], stresses[q]);
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

// q += the patches' part of A p; returns what it adds to p . q. Four patches side by side where their stresses are worked out.
double BlockCg::add_patches(const Parts& s) const noexcept {
    const std::size_t count = patches_->count();
    parallel_blocks(count, kPatchesAtOnce, [&](std::size_t block, std::size_t begin, std::size_t end) noexcept {
        double sum = 0.0;
        for (std::size_t p = begin; p < end; p += 4) {
            alignas(16) float slopes[4][12] = {};
            for (std::size_t l = 0; l < std::min<std::size_t>(4, end - p); ++l) gradient_of_patch(s, p + l, slopes[l]);
            Four g[9], t[9], work = {};
            for (std::size_t k = 0; k < 9; ++k)
                for (int l = 0; l < 4; ++l) g[k][l] = slopes[l][4 * (k / 3) + k % 3];
            stress_of_four(s, p, g, t);
            for (std::size_t k = 0; k < 9; ++k) work += t[k] * g[k];
            for (std::size_t l = 0; l < std::min<std::size_t>(4, end - p); ++l) {
                sum += static_cast<double>(work[static_cast<int>(l)]);
                float* to = s.patch_floats + 12 * (p + l);      // column by column, so that a row's sum is three products of four
                for (std::size_t j = 0; j < 3; ++j)
                    for (std::size_t i = 0; i < 3; ++i) to[4 * j + i] = t[3 * i + j][static_cast<int>(l)];
            }
        }
        s.patch_sums[block] = sum;
    });
    parallel_blocks(vertex_.size(), kPatchesAtOnce, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        for (std::size_t r = begin; r < end; ++r) {
            Four sum = {};
            for (auto k = static_cast<std::size_t>(row_starts_[r]); k < static_cast<std::size_t>(row_starts_[r + 1]); ++k) {
                const float *t = s.patch_floats + 12 * static_cast<std::size_t>(row_patches_[k]), *slope = row_slopes_.data() + 4 * k;
                sum += (four_of(t) * slope[0] + four_of(t + 4) * slope[1]) + four_of(t + 8) * slope[2];
            }
            const Four to = four_of(s.q + 4 * r) + four_of(free_.data() + 4 * r) * sum;
            std::memcpy(s.q + 4 * r, &to, sizeof to);
        }
    });
    double all = 0.0;
    for (std::size_t k = 0; k * kPatchesAtOnce < count; ++k) all += s.patch_sums[k];
    return all;
}

// Three rows of four, the last of each nothing.
void BlockCg::gradient_of_patch(const Parts& s, std::size_t p, float* out) const noexcept {
    Four x_row = {}, y_row = {}, z_row = {};        // by name: an array would wait in memory for every sum
    for (auto k = static_cast<std::size_t>(patch_starts_[p]); k < static_cast<std::size_t>(patch_starts_[p + 1]); ++k) {
        const float* x = s.p + 4 * static_cast<std::size_t>(patch_rows_[k]);
        const Four slope = four_of(patch_slopes_.data() + 4 * k);
        x_row += slope * x[0];
        y_row += slope * x[1];
        z_row += slope * x[2];
    }
    std::memcpy(out, &x_row, sizeof x_row);
    std::memcpy(out + 4, &y_row, sizeof y_row);
    std::memcpy(out + 8, &z_row, sizeof z_row);
}

void BlockCg::stress_of_four(const Parts& s, std::size_t p, const PatchLanes* g, PatchLanes* t) const noexcept {
    // Number k of patch p + l at 4 k + l; on a line of the cache, as the layout has it, so on a vector's too.
    const auto* numbers = reinterpret_cast<const Four*>(s.patch_numbers + PatchOperator::kNumbers * p);
    if (s.patch_sums[patches_->count() / kPatchesAtOnce + 1] != 0.0) PatchOperator::stress<true>(numbers, g, t);
    else PatchOperator::stress<false>(numbers, g, t);
}

}  // namespace limber
