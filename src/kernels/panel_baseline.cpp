#include "kernels/panel.hpp"

#include <cstring>

namespace limber {
namespace {

// Order of addition, the same in panel_avx2.cpp: forward sums run over the columns in order; backward sums keep four
// lanes per column, each adding (r0 + r4) + (r8 + r12) of a tile, and join them as (0 + 1) + (2 + 3).

void solve_triangle(const double* a, std::size_t width, const double* own, double* y) noexcept {
    for (std::size_t first = 0; first < width; first += 4) {
        const std::size_t here = width - first < 4 ? width - first : 4;
        double acc[4] = {}, out[4] = {};
        for (std::size_t l = 0; l < here; ++l) acc[l] = own[first + l];
        for (std::size_t j = 0; j < first; ++j, a += 4)
            for (std::size_t l = 0; l < 4; ++l) acc[l] -= a[l] * y[j];
        for (std::size_t k = 0; k < here; ++k, a += 4)
            for (std::size_t l = 0; l < 4; ++l) out[l] += a[l] * acc[k];
        for (std::size_t l = 0; l < 4; ++l) y[first + l] = out[l];
    }
}

template <std::size_t H>
void tile_forward(const double* a, std::size_t width, const double* y, const std::int32_t* index, std::size_t count,
                  double* x) noexcept {
    double acc[H] = {};
    for (std::size_t j = 0; j < width; ++j, a += H)
        for (std::size_t i = 0; i < H; ++i) acc[i] += a[i] * y[j];
    for (std::size_t i = 0; i < count; ++i) x[index[i]] -= acc[i];
}

template <std::size_t H>
void tile_backward(const double* a, std::size_t width, const std::int32_t* index, std::size_t count, const double* x,
                   double* acc) noexcept {
    double v[16] = {};
    for (std::size_t i = 0; i < count; ++i) v[i] = x[index[i]];
    for (std::size_t j = 0; j < width; ++j, a += H) {
        for (std::size_t l = 0; l < 4; ++l) {
            double low = a[l] * v[l], high = 0.0;
            if constexpr (H > 4) low += a[4 + l] * v[4 + l];
            if constexpr (H > 8) high = a[8 + l] * v[8 + l];
            if constexpr (H > 12) high += a[12 + l] * v[12 + l];
            acc[4 * j + l] += H > 8 ? low + high : low;
        }
    }
}

double join(const double* lanes) noexcept { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); }

void solve_triangle_transposed(const double* triangle, std::size_t width, double* acc, double* own) noexcept {
    const double* a = triangle + panel_triangle_size(width);
    for (std::size_t first = (width - 1) / 4 * 4 + 4; first > 0;) {
        first -= 4;
        const std::size_t here = width - first < 4 ? width - first : 4;
        double z[4] = {}, u[4] = {};
        a -= 4 * here;
        for (std::size_t l = 0; l < here; ++l) z[l] = own[first + l] - join(acc + 4 * (first + l));
        for (std::size_t k = 0; k < here; ++k) {
            const double p[4] = {a[4 * k] * z[0], a[4 * k + 1] * z[1], a[4 * k + 2] * z[2], a[4 * k + 3] * z[3]};
            own[first + k] = u[k] = join(p);
        }
        a -= 4 * first;
        for (std::size_t j = 0; j < first; ++j)
            for (std::size_t l = 0; l < 4; ++l) acc[4 * j + l] += a[4 * j + l] * u[l];
    }
}

}  // namespace

void panel_forward_baseline(const PanelArgs& p) noexcept {
    double y[kPanelWidth];
    solve_triangle(p.values, p.width, p.own, y);
    for (std::size_t j = 0; j < p.width; ++j) p.own[j] = y[j];
    const double* a = p.values + panel_triangle_size(p.width);
    std::size_t at = 0;
    for (; at + 16 <= p.rows; at += 16, a += 16 * p.width) tile_forward<16>(a, p.width, y, p.index + at, 16, p.x);
    const std::size_t left = p.rows - at;
    if (left > 12)
        tile_forward<16>(a, p.width, y, p.index + at, left, p.x);
    else if (left > 8)
        tile_forward<12>(a, p.width, y, p.index + at, left, p.x);
    else if (left > 4)
        tile_forward<8>(a, p.width, y, p.index + at, left, p.x);
    else if (left > 0)
        tile_forward<4>(a, p.width, y, p.index + at, left, p.x);
}

void panel_backward_baseline(const PanelArgs& p) noexcept {
    double acc[4 * kPanelWidth];
    std::memset(acc, 0, 4 * p.width * sizeof(double));
    const std::size_t whole = p.rows / 16, left = p.rows % 16;
    const double* tiles = p.values + panel_triangle_size(p.width);
    const double* a = tiles + 16 * whole * p.width;
    const std::int32_t* rest = p.index + 16 * whole;
    if (left > 12)
        tile_backward<16>(a, p.width, rest, left, p.x, acc);
    else if (left > 8)
        tile_backward<12>(a, p.width, rest, left, p.x, acc);
    else if (left > 4)
        tile_backward<8>(a, p.width, rest, left, p.x, acc);
    else if (left > 0)
        tile_backward<4>(a, p.width, rest, left, p.x, acc);
    for (std::size_t t = whole; t-- > 0;)
        tile_backward<16>(tiles + 16 * t * p.width, p.width, p.index + 16 * t, 16, p.x, acc);
    solve_triangle_transposed(p.values, p.width, acc, p.own);
}

}  // namespace limber
