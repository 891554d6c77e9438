#include "linalg/packed_factor.hpp"

#include "kernels/isa.hpp"
#include "kernels/panel.hpp"

#include <algorithm>

namespace limber {
namespace {

// The inverse of a small lower triangle t (column-major, leading dimension ld) into four-row columns.
void invert_tile(const double* t, std::size_t ld, std::size_t n, double* out) {
    for (std::size_t c = 0; c < n; ++c) {
        out[4 * c + c] = 1.0 / t[c * ld + c];
        for (std::size_t r = c + 1; r < n; ++r) {
            double sum = 0.0;
            for (std::size_t k = c; k < r; ++k) sum += t[k * ld + r] * out[4 * c + k];
            out[4 * c + r] = -sum / t[r * ld + r];
        }
    }
}

// One panel: `columns` is its first column, starting at its first diagonal entry.
void pack_panel(const double* columns, std::size_t ld, std::size_t width, std::size_t rows, double* out) {
    for (std::size_t first = 0; first < width; first += 4) {
        const std::size_t here = std::min<std::size_t>(4, width - first);
        for (std::size_t j = 0; j < first; ++j, out += 4)
            for (std::size_t l = 0; l < here; ++l) out[l] = columns[j * ld + first + l];
        invert_tile(columns + first * ld + first, ld, here, out);
        out += 4 * here;
    }
    std::size_t top = 0;
    for (; top + kTileRows <= rows; top += kTileRows)
        for (std::size_t j = 0; j < width; ++j, out += kTileRows) std::copy_n(columns + j * ld + width + top, kTileRows, out);
    for (; top < rows; top += kTileRows) {
        const std::size_t here = rows - top, padded = (here + 3) / 4 * 4;
        for (std::size_t j = 0; j < width; ++j, out += padded)
            for (std::size_t l = 0; l < here; ++l) out[l] = columns[j * ld + width + top + l];
    }
}

// Supernodes wider than a panel are cut into panels of nearly equal width, so that no sliver is left over.
std::size_t panel_width(std::size_t supernode_width) {
    const std::size_t parts = (supernode_width + kPanelWidth - 1) / kPanelWidth;
    return std::min(kPanelWidth, ((supernode_width + parts - 1) / parts + 3) / 4 * 4);
}

}  // namespace

PackedFactor::PackedFactor(const Csr& a, const Symbolic& symbolic, FactorEngine engine, Progress& progress) : permutation_(symbolic.permutation) {
    values_ = AlignedArray(lay_out(symbolic.first, symbolic.row_starts, symbolic.rows));
    std::size_t panel = 0;
    const FactorSink pack = [&](std::size_t s, const double* columns) {
        const std::size_t ld = symbolic.width(s) + symbolic.rows_below(s);
        for (; panel < panels_.size() && panels_[panel].first < symbolic.first[s + 1]; ++panel) {
            const Panel& p = panels_[panel];
            const auto c = static_cast<std::size_t>(p.first - symbolic.first[s]);
            pack_panel(columns + c * ld + c, ld, static_cast<std::size_t>(p.width), static_cast<std::size_t>(p.rows), values_.data() + p.values);
        }
    };
    factor_into(a, symbolic, engine, pack, progress);
}

std::size_t PackedFactor::lay_out(const std::vector<std::int32_t>& first, const std::vector<std::int64_t>& row_starts,
                                  const std::vector<std::int32_t>& rows) {
    first_ = first;
    std::size_t values = 0;
    for (std::size_t s = 0; s + 1 < first.size(); ++s) {
        const std::size_t width = static_cast<std::size_t>(first[s + 1] - first[s]);
        const std::size_t below = static_cast<std::size_t>(row_starts[s + 1] - row_starts[s]);
        const std::size_t start = index_.size();
        for (std::int32_t j = first[s]; j < first[s + 1]; ++j) index_.push_back(j);
        index_.insert(index_.end(), rows.begin() + row_starts[s], rows.begin() + row_starts[s + 1]);
        index_starts_.push_back(static_cast<std::int64_t>(index_.size()));
        const std::size_t step = panel_width(width);
        for (std::size_t c = 0; c < width; c += step) {
            const std::size_t w = std::min(step, width - c), m = width - c - w + below;
            panels_.push_back({static_cast<std::int32_t>(static_cast<std::size_t>(first[s]) + c), static_cast<std::int32_t>(w),
                               static_cast<std::int32_t>(m), start + c + w, values});
            values += panel_size(w, m);
        }
    }
    return values;
}

void PackedFactor::sweep(PanelFunction forward, PanelFunction backward, std::size_t columns, double* x) const noexcept {
    const auto arguments = [&](const Panel& p) noexcept {
        return PanelArgs{values_.data() + p.values, static_cast<std::size_t>(p.width), static_cast<std::size_t>(p.rows),
                         index_.data() + p.index, x + static_cast<std::size_t>(p.first) * columns, x};
    };
    for (std::size_t p = 0; p < panels_.size(); ++p) forward(arguments(panels_[p]));
    for (std::size_t p = panels_.size(); p-- > 0;) backward(arguments(panels_[p]));
}

void PackedFactor::solve(const double* b, double* x, double* scratch) const noexcept {
    const std::size_t n = size();
    for (std::size_t k = 0; k < n; ++k) scratch[k] = b[permutation_[k]];
    if (kernel_choice() >= Isa::avx2) sweep(panel_forward_avx2, panel_backward_avx2, 1, scratch);
    else sweep(panel_forward_baseline, panel_backward_baseline, 1, scratch);
    for (std::size_t k = 0; k < n; ++k) x[permutation_[k]] = scratch[k];
}

template <std::size_t N>
void PackedFactor::solve_some(const double* b, double* x, std::size_t count, double* scratch, PanelFunction forward, PanelFunction backward) const noexcept {
    const std::size_t n = size();
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t c = 0; c < N; ++c) scratch[k * N + c] = c < count ? b[c * n + static_cast<std::size_t>(permutation_[k])] : 0.0;
    sweep(forward, backward, N, scratch);
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t c = 0; c < count; ++c) x[c * n + static_cast<std::size_t>(permutation_[k])] = scratch[k * N + c];
}

void PackedFactor::solve_bundle(const double* b, double* x, std::size_t count, double* scratch) const noexcept {
    const bool avx2 = kernel_choice() >= Isa::avx2;
    if (count > kHalfBundle)
        solve_some<kBundle>(b, x, count, scratch, avx2 ? panel_forward_bundle_avx2 : panel_forward_bundle_baseline, avx2 ? panel_backward_bundle_avx2 : panel_backward_bundle_baseline);
    else
        solve_some<kHalfBundle>(b, x, count, scratch, avx2 ? panel_forward_half_bundle_avx2 : panel_forward_half_bundle_baseline,
                                avx2 ? panel_backward_half_bundle_avx2 : panel_backward_half_bundle_baseline);
}

std::size_t PackedFactor::bytes() const {
    return values_.size() * sizeof(double) + (permutation_.size() + index_.size() + first_.size()) * sizeof(std::int32_t) +
           index_starts_.size() * sizeof(std::int64_t) + panels_.size() * sizeof(Panel);
}

}  // namespace limber
