#include "kernels/panel.hpp"

#include <cstring>

namespace limber {
namespace {

// Four rows of the factor at a time, the N right-hand sides innermost: sums run over the columns (forward) or over the
// four rows (backward) in order, the same in panel_bundle_avx2.cpp.

template <std::size_t N>
struct Rows {
    double at[4][N];
};

template <std::size_t N>
void subtract_columns(const double* a, std::size_t stride, std::size_t columns, const double* y,
                      Rows<N>& sum) noexcept {
    for (std::size_t j = 0; j < columns; ++j, a += stride, y += N) {
        for (std::size_t l = 0; l < 4; ++l)
            for (std::size_t k = 0; k < N; ++k) sum.at[l][k] -= a[l] * y[k];
    }
}

// acc[j] += a[0] r[0] + a[1] r[1] + a[2] r[2] + a[3] r[3], column by column
template <std::size_t N>
void add_rows(const double* a, std::size_t stride, std::size_t columns, const Rows<N>& r, double* acc) noexcept {
    for (std::size_t j = 0; j < columns; ++j, a += stride, acc += N) {
        for (std::size_t k = 0; k < N; ++k) {
            double t = a[0] * r.at[0][k];
            t += a[1] * r.at[1][k];
            t += a[2] * r.at[2][k];
            t += a[3] * r.at[3][k];
            acc[k] += t;
        }
    }
}

template <std::size_t N>
const double* solve_triangle(const double* a, std::size_t width, double* y) noexcept {
    for (std::size_t first = 0; first < width; first += 4) {
        const std::size_t here = width - first < 4 ? width - first : 4;
        Rows<N> sum{}, out{};
        for (std::size_t l = 0; l < here; ++l)
            for (std::size_t k = 0; k < N; ++k) sum.at[l][k] = y[(first + l) * N + k];
        subtract_columns(a, 4, first, y, sum);
        a += 4 * first;
        for (std::size_t c = 0; c < here; ++c, a += 4) {
            for (std::size_t l = 0; l < 4; ++l)
                for (std::size_t k = 0; k < N; ++k) out.at[l][k] += a[l] * sum.at[c][k];
        }
        for (std::size_t l = 0; l < here; ++l)
            for (std::size_t k = 0; k < N; ++k) y[(first + l) * N + k] = out.at[l][k];
    }
    return a;
}

template <std::size_t N>
void solve_triangle_transposed(const double* triangle, std::size_t width, double* acc, double* y) noexcept {
    const double* a = triangle + panel_triangle_size(width);
    for (std::size_t first = (width - 1) / 4 * 4 + 4; first > 0;) {
        first -= 4;
        const std::size_t here = width - first < 4 ? width - first : 4;
        a -= 4 * here;
        Rows<N> z{}, u{};
        for (std::size_t l = 0; l < here; ++l)
            for (std::size_t k = 0; k < N; ++k) z.at[l][k] = y[(first + l) * N + k] - acc[(first + l) * N + k];
        add_rows(a, 4, here, z, u.at[0]);
        for (std::size_t l = 0; l < here; ++l)
            for (std::size_t k = 0; k < N; ++k) y[(first + l) * N + k] = u.at[l][k];
        a -= 4 * first;
        add_rows(a, 4, first, u, acc);
    }
}

template <std::size_t N>
void forward(const PanelArgs& p) noexcept {
    const double* a = solve_triangle<N>(p.values, p.width, p.own);
    for (std::size_t top = 0; top < p.rows; top += kTileRows) {
        const std::size_t left = p.rows - top < kTileRows ? p.rows - top : kTileRows, height = (left + 3) / 4 * 4;
        for (std::size_t r = 0; r < left; r += 4) {
            Rows<N> sum{};
            subtract_columns(a + r, height, p.width, p.own, sum);
            for (std::size_t l = 0; l < 4 && r + l < left; ++l) {
                double* x = p.x + static_cast<std::size_t>(p.index[top + r + l]) * N;
                for (std::size_t k = 0; k < N; ++k) x[k] += sum.at[l][k];
            }
        }
        a += height * p.width;
    }
}

template <std::size_t N>
void backward(const PanelArgs& p) noexcept {
    double acc[(kPanelWidth + 4) * N];
    std::memset(acc, 0, p.width * N * sizeof(double));
    const double* tiles = p.values + panel_triangle_size(p.width);
    for (std::size_t top = (p.rows + kTileRows - 1) / kTileRows * kTileRows; top > 0;) {
        top -= kTileRows;
        const std::size_t left = p.rows - top < kTileRows ? p.rows - top : kTileRows, height = (left + 3) / 4 * 4;
        for (std::size_t r = 0; r < left; r += 4) {
            Rows<N> rows{};
            for (std::size_t l = 0; l < 4 && r + l < left; ++l) {
                const double* x = p.x + static_cast<std::size_t>(p.index[top + r + l]) * N;
                for (std::size_t k = 0; k < N; ++k) rows.at[l][k] = x[k];
            }
            add_rows(tiles + top * p.width + r, height, p.width, rows, acc);
        }
    }
    solve_triangle_transposed<N>(p.values, p.width, acc, p.own);
}

}  // namespace

void panel_forward_bundle_baseline(const PanelArgs& p) noexcept { forward<kBundle>(p); }
void panel_backward_bundle_baseline(const PanelArgs& p) noexcept { backward<kBundle>(p); }
void panel_forward_half_bundle_baseline(const PanelArgs& p) noexcept { forward<kHalfBundle>(p); }
void panel_backward_half_bundle_baseline(const PanelArgs& p) noexcept { backward<kHalfBundle>(p); }

}  // namespace limber
