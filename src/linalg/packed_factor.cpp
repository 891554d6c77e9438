#include "linalg/packed_factor.hpp"

#include "core/assert.hpp"
#include "core/parallel.hpp"
#include "kernels/isa.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace limber {
namespace {

// The inverse of a small lower triangle t (column-major, leading dimension ld) into four-row columns.
template <class T>
void invert_tile(const double* t, std::size_t ld, std::size_t n, double scale, T* out) {
    double inverse[16] = {};
    for (std::size_t c = 0; c < n; ++c) inverse[4 * c + c] = 1.0 / t[c * ld + c];
    for (std::size_t c = 0; c < n; ++c) {
        for (std::size_t r = c + 1; r < n; ++r) {
            double sum = 0.0;
            for (std::size_t k = c; k < r; ++k) sum += t[k * ld + r] * inverse[4 * c + k];
            inverse[4 * c + r] = -sum * inverse[4 * r + r];
        }
    }
    const double back = 1.0 / scale;
    for (std::size_t i = 0; i < 4 * n; ++i) out[i] = static_cast<T>(inverse[i] * back);
}

// One panel: `columns` is its first column, starting at its first diagonal entry. Entries are multiplied by `scale`.
template <class T>
void pack_panel(const double* columns, std::size_t ld, std::size_t width, std::size_t rows, double scale, T* out) {
    // Constant counts of doubles are copied by vectors.
    const auto put_all = [&]<std::size_t N>(const double* from, T* to, std::integral_constant<std::size_t, N>) {
        if constexpr (sizeof(T) == sizeof(double))
            std::memcpy(to, from, N * sizeof(double));
        else
            for (std::size_t l = 0; l < N; ++l) to[l] = static_cast<T>(from[l] * scale);
    };
    const auto put = [scale](double value) {
        return static_cast<T>(sizeof(T) == sizeof(double) ? value : value * scale);
    };
    for (std::size_t first = 0; first < width; first += 4) {
        const std::size_t here = std::min<std::size_t>(4, width - first);
        if (here == 4) {
            for (std::size_t j = 0; j < first; ++j, out += 4)
                put_all(columns + j * ld + first, out, std::integral_constant<std::size_t, 4>{});
        } else {
            for (std::size_t j = 0; j < first; ++j, out += 4)
                for (std::size_t l = 0; l < here; ++l) out[l] = put(columns[j * ld + first + l]);
        }
        invert_tile(columns + first * ld + first, ld, here, scale, out);
        out += 4 * here;
    }
    std::size_t top = 0;
    for (; top + kTileRows <= rows; top += kTileRows) {
        for (std::size_t j = 0; j < width; ++j, out += kTileRows)
            put_all(columns + j * ld + width + top, out, std::integral_constant<std::size_t, kTileRows>{});
    }
    if (top == rows) return;
    const std::size_t here = rows - top, padded = (here + kPanelPad<T> - 1) / kPanelPad<T> * kPanelPad<T>;
    for (std::size_t j = 0; j < width; ++j, out += padded)
        for (std::size_t l = 0; l < here; ++l) out[l] = put(columns[j * ld + width + top + l]);
}

// Supernodes wider than a panel are cut into panels of nearly equal width, so that no sliver is left over.
std::size_t panel_width(std::size_t supernode_width) {
    const std::size_t parts = (supernode_width + kPanelWidth - 1) / kPanelWidth;
    return std::min(kPanelWidth, ((supernode_width + parts - 1) / parts + 3) / 4 * 4);
}

template <class T>
struct SweepKernels {
    void (*forward)(const PanelArgsOf<T>&) noexcept;
    void (*backward)(const PanelArgsOf<T>&) noexcept;
};
template <class T>
SweepKernels<T> sweep_kernels() noexcept {
    const Isa isa = kernel_choice();
    if constexpr (sizeof(T) == sizeof(double)) {
        if (isa >= Isa::avx512) return {panel_forward_avx512, panel_backward_avx512};
        if (isa >= Isa::avx2) return {panel_forward_avx2, panel_backward_avx2};
        return {panel_forward_baseline, panel_backward_baseline};
    } else {
        if (isa >= Isa::avx512) return {panel_forward_float_avx512, panel_backward_float_avx512};
        if (isa >= Isa::avx2) return {panel_forward_float_avx2, panel_backward_float_avx2};
        return {panel_forward_float_baseline, panel_backward_float_baseline};
    }
}

}  // namespace

template <class T>
PackedFactorOf<T>::PackedFactorOf(const Csr& a, const Symbolic& symbolic, FactorEngine engine, Progress& progress,
                                  double scale)
    : permutation_(symbolic.permutation) {
    values_ = AlignedArrayOf<T>(lay_out(symbolic.first, symbolic.row_starts, symbolic.rows));
    factor_again(a, symbolic, engine, progress, scale);
}

template <class T>
void PackedFactorOf<T>::factor_again(const Csr& a, const Symbolic& symbolic, FactorEngine engine, Progress& progress,
                                     double scale) {
    LIMBER_ASSERT(a.rows() == size() && symbolic.first == first_);
    const double factor = 1.0 / std::sqrt(scale);
    const FactorSink pack = [&](std::size_t s, const double* columns) {
        const std::size_t ld = symbolic.width(s) + symbolic.rows_below(s);
        for (std::size_t i = panel_starts_[s]; i < panel_starts_[s + 1]; ++i) {
            const Panel& p = panels_[i];
            const auto c = static_cast<std::size_t>(p.first - symbolic.first[s]);
            pack_panel(columns + c * ld + c, ld, static_cast<std::size_t>(p.width), static_cast<std::size_t>(p.rows),
                       factor, values_.data() + p.values);
        }
    };
    factor_into(a, symbolic, engine, pack, progress);
}

template <class T>
std::size_t PackedFactorOf<T>::lay_out(const std::vector<std::int32_t>& first,
                                       const std::vector<std::int64_t>& row_starts,
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
            panels_.push_back({static_cast<std::int32_t>(static_cast<std::size_t>(first[s]) + c),
                               static_cast<std::int32_t>(w), static_cast<std::int32_t>(m), start + c + w, values});
            values += panel_size<T>(w, m);
        }
        panel_starts_.push_back(panels_.size());
    }
    find_parts();
    return values;
}

template <class T>
void PackedFactorOf<T>::sweep(Function forward, Function backward, std::size_t columns, T* x) const noexcept {
    const auto arguments = [&](std::size_t i) noexcept {
        const Panel& p = panels_[i];
        return Args{values_.data() + p.values,
                    static_cast<std::size_t>(p.width),
                    static_cast<std::size_t>(p.rows),
                    index_.data() + p.index,
                    x + static_cast<std::size_t>(p.first) * columns,
                    x};
    };
    const std::size_t shared = sweep_.shared.size();
    const auto own_copy = [&](std::size_t part) noexcept { return x + (size() + part * shared) * columns; };
    const auto at = [&](std::size_t i) noexcept { return x + static_cast<std::size_t>(sweep_.shared[i]) * columns; };

    // What a part takes from the top's unknowns gathers in its own copy of them.
    parallel_blocks(sweep_.parts.size(), 1, [&](std::size_t part, std::size_t, std::size_t) noexcept {
        std::fill_n(own_copy(part), shared * columns, T{});
        for (std::size_t p = sweep_.parts[part].begin; p < sweep_.parts[part].end; ++p) forward(arguments(p));
    });
    for (std::size_t part = 0; part < sweep_.parts.size(); ++part) {
        for (std::size_t i = 0; i < shared; ++i)
            for (std::size_t c = 0; c < columns; ++c) at(i)[c] += own_copy(part)[i * columns + c];
    }
    for (const SweepParts::Range& r : sweep_.top)
        for (std::size_t p = r.begin; p < r.end; ++p) forward(arguments(p));
    for (std::size_t r = sweep_.top.size(); r-- > 0;)
        for (std::size_t p = sweep_.top[r].end; p-- > sweep_.top[r].begin;) backward(arguments(p));
    parallel_blocks(sweep_.parts.size(), 1, [&](std::size_t part, std::size_t, std::size_t) noexcept {
        for (std::size_t i = 0; i < shared; ++i) std::copy_n(at(i), columns, own_copy(part) + i * columns);
        for (std::size_t p = sweep_.parts[part].end; p-- > sweep_.parts[part].begin;) backward(arguments(p));
    });
}

template <class T>
void PackedFactorOf<T>::solve(const double* b, double* x, T* scratch) const noexcept {
    const std::size_t n = size();
    for (std::size_t k = 0; k < n; ++k) scratch[k] = static_cast<T>(b[permutation_[k]]);
    const auto [forward, backward] = sweep_kernels<T>();
    sweep(forward, backward, 1, scratch);
    for (std::size_t k = 0; k < n; ++k) x[permutation_[k]] = static_cast<double>(scratch[k]);
}

template <class T>
template <std::size_t N>
void PackedFactorOf<T>::solve_some(const double* b, double* x, std::size_t count, T* scratch, Function forward,
                                   Function backward) const noexcept {
    const std::size_t n = size();
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t c = 0; c < N; ++c)
            scratch[k * N + c] = c < count ? b[c * n + static_cast<std::size_t>(permutation_[k])] : 0.0;
    }
    sweep(forward, backward, N, scratch);
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t c = 0; c < count; ++c)
            x[c * n + static_cast<std::size_t>(permutation_[k])] = scratch[k * N + c];
    }
}

template <>
void PackedFactorOf<double>::solve_bundle(const double* b, double* x, std::size_t count,
                                          double* scratch) const noexcept {
    const bool avx2 = kernel_choice() >= Isa::avx2;
    if (count > kHalfBundle) {
        solve_some<kBundle>(b, x, count, scratch, avx2 ? panel_forward_bundle_avx2 : panel_forward_bundle_baseline,
                            avx2 ? panel_backward_bundle_avx2 : panel_backward_bundle_baseline);
    } else {
        solve_some<kHalfBundle>(b, x, count, scratch,
                                avx2 ? panel_forward_half_bundle_avx2 : panel_forward_half_bundle_baseline,
                                avx2 ? panel_backward_half_bundle_avx2 : panel_backward_half_bundle_baseline);
    }
}

template <class T>
std::size_t PackedFactorOf<T>::bytes() const {
    return values_.size() * sizeof(T) +
           (permutation_.size() + index_.size() + first_.size() + sweep_.shared.size()) * sizeof(std::int32_t) +
           index_starts_.size() * sizeof(std::int64_t) + panels_.size() * (sizeof(Panel) + sizeof(std::size_t));
}

template PackedFactorOf<double>::PackedFactorOf(const Csr&, const Symbolic&, FactorEngine, Progress&, double);
template void PackedFactorOf<double>::factor_again(const Csr&, const Symbolic&, FactorEngine, Progress&, double);
template std::size_t PackedFactorOf<double>::lay_out(const std::vector<std::int32_t>&, const std::vector<std::int64_t>&,
                                                     const std::vector<std::int32_t>&);
template void PackedFactorOf<double>::solve(const double*, double*, double*) const noexcept;
template std::size_t PackedFactorOf<double>::bytes() const;
template PackedFactorOf<float>::PackedFactorOf(const Csr&, const Symbolic&, FactorEngine, Progress&, double);
template void PackedFactorOf<float>::factor_again(const Csr&, const Symbolic&, FactorEngine, Progress&, double);
template std::size_t PackedFactorOf<float>::lay_out(const std::vector<std::int32_t>&, const std::vector<std::int64_t>&,
                                                    const std::vector<std::int32_t>&);
template void PackedFactorOf<float>::solve(const double*, double*, float*) const noexcept;
template std::size_t PackedFactorOf<float>::bytes() const;

}  // namespace limber
