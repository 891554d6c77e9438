#include "linalg/block_cg_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace limber {
namespace {

// The largest diagonal entry becomes a number between 1 and 2: floats then neither overflow nor lose digits at the
// bottom.
double power_of_two_for(double largest) {
    if (!(largest > 0.0) || !std::isfinite(largest)) return 1.0;
    int exponent = 0;
    std::frexp(largest, &exponent);
    return std::ldexp(1.0, std::clamp(1 - exponent, -1000, 1000));
}

// Columns of the inverse of a symmetric 3x3 block, four floats each, `plane` floats apart. Where it has none (never for
// a positive definite matrix) the diagonal's.
void invert_block(const double (&a)[3][3], float* out, std::size_t plane) {
    const double c00 = a[1][1] * a[2][2] - a[1][2] * a[2][1], c01 = a[1][2] * a[2][0] - a[1][0] * a[2][2],
                 c02 = a[1][0] * a[2][1] - a[1][1] * a[2][0];
    const double c11 = a[0][0] * a[2][2] - a[0][2] * a[2][0], c12 = a[0][1] * a[2][0] - a[0][0] * a[2][1],
                 c22 = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    const double determinant = a[0][0] * c00 + a[0][1] * c01 + a[0][2] * c02;
    const double product = a[0][0] * a[1][1] * a[2][2];
    for (std::size_t j = 0; j < 3; ++j) std::fill_n(out + plane * j, 4, 0.0f);
    if (!(determinant > 1e-9 * product) || !(a[0][0] > 0.0) || !(c22 > 0.0)) {
        for (std::size_t i = 0; i < 3; ++i)
            out[plane * i + i] = a[i][i] > 0.0 ? static_cast<float>(1.0 / a[i][i]) : 1.0f;
        return;
    }
    const double s = 1.0 / determinant;
    const double inverse[3][3] = {
        {c00 * s, c01 * s, c02 * s}, {c01 * s, c11 * s, c12 * s}, {c02 * s, c12 * s, c22 * s}};
    for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t i = 0; i < 3; ++i) out[plane * j + i] = static_cast<float>(inverse[i][j]);
}

}  // namespace

// The caller's blocks, scaled; a planar body gets a third component that nothing touches.
void BlockCg::take_rows(const Parts& s, const double* values, std::size_t chunk) const noexcept {
    const auto first = static_cast<std::size_t>(slice_starts_[static_cast<std::size_t>(chunk_slices_[chunk])]);
    const auto last = static_cast<std::size_t>(slice_starts_[static_cast<std::size_t>(chunk_slices_[chunk + 1])]);
    if (block_ == 3) {
        s.kernels.narrow(values, source_.data() + kFloatRows * first, last - first, *s.scale,
                         s.values + kFloatSlot * first);
    }
    for (std::size_t slot = first; slot < last && block_ == 2; ++slot) {
        std::fill_n(s.values + kFloatSlot * slot, kFloatSlot, 0.0f);
        for (std::size_t l = 0; l < kFloatRows; ++l) {
            for (std::size_t k = 0; k < 4 && source_[kFloatRows * slot + l] >= 0; ++k) {
                s.values[kFloatSlot * slot + 3 * l + kFloatColumn * (k / 2) + k % 2] = static_cast<float>(
                    *s.scale * values[4 * static_cast<std::size_t>(source_[kFloatRows * slot + l]) + k]);
            }
        }
    }
    for (std::size_t row = row_of_chunk(chunk); row < row_of_chunk(chunk + 1); ++row) {
        float* from = s.values + diagonal_[row];
        if (block_ == 2) from[2 * kFloatColumn + 2] = 1.0f;
        double own[3][3];
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                const bool moves = patches_ != nullptr && free_[4 * row + i] != 0.0f && free_[4 * row + j] != 0.0f;
                own[i][j] = static_cast<double>(from[kFloatColumn * j + i]) +
                            (moves ? static_cast<double>(s.patch_floats[kPatchStress * row + 4 * j + i]) : 0.0);
            }
        }
        invert_block(own, s.inverse + 4 * row, s.plane);
    }
}

void BlockCg::find_arms(const Parts& s, const double* positions, std::size_t a) const noexcept {
    const auto block = static_cast<std::size_t>(block_);
    const auto begin = static_cast<std::size_t>(aggregate_starts_[a]),
               end = static_cast<std::size_t>(aggregate_starts_[a + 1]);
    double centre[3] = {}, count = 0.0, square = 0.0;
    const auto at = [&](std::size_t row) { return positions + block * static_cast<std::size_t>(vertex_[row]); };
    for (std::size_t row = begin; row < end; ++row) {
        if (unheld_[row] == 0) continue;
        for (std::size_t c = 0; c < block; ++c) centre[c] += at(row)[c];
        count += 1.0;
    }
    for (double& c : centre) c /= std::max(count, 1.0);
    for (std::size_t row = begin; row < end; ++row) {
        for (std::size_t c = 0; c < block && unheld_[row] != 0; ++c)
            square += (at(row)[c] - centre[c]) * (at(row)[c] - centre[c]);
    }
    const double unit = square > 0.0 ? std::sqrt(count / square) : 0.0;
    for (std::size_t row = begin; row < end; ++row) {
        float* arm = s.arm + 4 * row;
        std::fill_n(arm, 4, 0.0f);
        if (unheld_[row] == 0) continue;
        for (std::size_t c = 0; c < block; ++c) arm[c] = static_cast<float>(unit * (at(row)[c] - centre[c]));
        arm[3] = 1.0f;
    }
}

// The rows P_a^T A P of the coarse matrix up to its diagonal.
void BlockCg::coarse_rows(const Parts& s, std::size_t a) const noexcept {
    const auto first = static_cast<std::size_t>(coarse_starts_[a]),
               last = static_cast<std::size_t>(coarse_starts_[a + 1]);
    for (auto row = static_cast<std::size_t>(aggregate_starts_[a]);
         row < static_cast<std::size_t>(aggregate_starts_[a + 1]); ++row) {
        if (unheld_[row] == 0) continue;
        std::size_t at = first;
        const auto first_entry = static_cast<std::size_t>(starts_[row]),
                   end = static_cast<std::size_t>(starts_[row + 1]);
        for (std::size_t e = first_entry; e < end;) {
            const std::int32_t group = aggregate_of_[static_cast<std::size_t>(columns_[e])];
            if (group > static_cast<std::int32_t>(a)) break;
            while (coarse_columns_[at] < group) ++at;
            const std::size_t from = e;
            while (e < end && aggregate_of_[static_cast<std::size_t>(columns_[e])] == group) ++e;
            s.kernels.reduce(s.values + place_[row] + kFloatSlot * (from - first_entry), columns_.data() + from,
                             e - from, s.arm, s.arm + 4 * row,
                             s.coarse + kBlock6 * static_cast<std::size_t>(coarse_slots_[at]));
        }
    }
    // A group that cannot move in some way (one vertex alone, held ones only) has an empty row there.
    float* own = s.coarse + kBlock6 * static_cast<std::size_t>(coarse_slots_[last - 1]);
    for (std::size_t i = 0; i < 6; ++i)
        if (!(own[9 * i] > 1e-6f)) own[9 * i] += 1.0f;
}

// The same without restriction: the blocks of a pair of vertices as they are.
void BlockCg::pair_rows(const Parts& s, std::size_t a) const noexcept {
    const auto first = static_cast<std::size_t>(coarse_starts_[a]),
               last = static_cast<std::size_t>(coarse_starts_[a + 1]);
    const auto begin = static_cast<std::size_t>(aggregate_starts_[a]),
               end_row = static_cast<std::size_t>(aggregate_starts_[a + 1]);
    for (std::size_t row = begin; row < end_row; ++row) {
        std::size_t at = first;
        for (auto e = static_cast<std::size_t>(starts_[row]); e < static_cast<std::size_t>(starts_[row + 1]); ++e) {
            const auto column = static_cast<std::size_t>(columns_[e]);
            const std::int32_t group = aggregate_of_[column];
            if (group > static_cast<std::int32_t>(a)) break;
            while (coarse_columns_[at] < group) ++at;
            const std::size_t i = 3 * (row - begin),
                              j = 3 * (column -
                                       static_cast<std::size_t>(aggregate_starts_[static_cast<std::size_t>(group)]));
            float* to = s.coarse + kBlock6 * static_cast<std::size_t>(coarse_slots_[at]) + 8 * j + i;
            const float* from = s.values + place_[row] + kFloatSlot * (e - static_cast<std::size_t>(starts_[row]));
            for (std::size_t q = 0; q < 3; ++q)
                for (std::size_t p = 0; p < 3; ++p) to[8 * q + p] = from[kFloatColumn * q + p];
        }
    }
    float* own = s.coarse + kBlock6 * static_cast<std::size_t>(coarse_slots_[last - 1]);
    for (std::size_t i = 3 * (end_row - begin); i < 6; ++i) own[9 * i] = 1.0f;
}

void BlockCg::refresh(const double* values, const double* positions, double* scratch) const noexcept {
    const Parts s(layout_, scratch);
    const auto block = static_cast<std::size_t>(block_);
    double largest = 0.0;
    for (const std::int32_t e : diagonal_source_) {
        for (std::size_t i = 0; i < block; ++i)
            largest = std::max(largest, values[block * block * static_cast<std::size_t>(e) + (block + 1) * i]);
    }
    *s.scale = power_of_two_for(largest);
    if (patches_ != nullptr) take_patches(s, values);
    std::memset(s.coarse, 0, coarse_.value_count() * sizeof(float));
    for_chunks(chunks_, [&](std::size_t chunk, std::size_t begin, std::size_t end) noexcept {
        take_rows(s, values, chunk);
        for (std::size_t a = begin; a < end && !direct_; ++a) find_arms(s, positions, a);
    });
    for_chunks(chunks_, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        for (std::size_t a = begin; a < end; ++a) direct_ ? pair_rows(s, a) : coarse_rows(s, a);
    });
    for (std::size_t p = 0; patches_ != nullptr && p < patches_->count(); ++p) coarse_patch(s, p);
    coarse_.factor(s.kernels, s.coarse, s.map);
}

}  // namespace limber
