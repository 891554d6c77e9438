#include "kernels/panel_float.hpp"

namespace limber {
namespace {

// Lane sums of a column: eight lanes as ((0+4) + (2+6)) + ((1+5) + (3+7)), four as (0+2) + (1+3), as 256- and 128-bit
// vectors fold.
float join4(const float* v) noexcept { return (v[0] + v[2]) + (v[1] + v[3]); }
float join8(const float* v) noexcept {
    const float half[4] = {v[0] + v[4], v[1] + v[5], v[2] + v[6], v[3] + v[7]};
    return join4(half);
}

}  // namespace

void panel_forward_float_baseline(const PanelArgsFloat& p) noexcept {
    const float* a = p.values;
    for (std::size_t first = 0; first < p.width; first += 4) {
        const std::size_t here = p.width - first < 4 ? p.width - first : 4;
        float acc[4] = {}, out[4] = {};
        for (std::size_t l = 0; l < here; ++l) acc[l] = p.own[first + l];
        for (std::size_t j = 0; j < first; ++j, a += 4)
            for (std::size_t l = 0; l < 4; ++l) acc[l] -= a[l] * p.own[j];
        for (std::size_t k = 0; k < here; ++k, a += 4)
            for (std::size_t l = 0; l < 4; ++l) out[l] += a[l] * acc[k];
        for (std::size_t l = 0; l < here; ++l) p.own[first + l] = out[l];
    }
    for (std::size_t top = 0; top < p.rows; top += kTileRows) {
        const std::size_t left = p.rows - top < kTileRows ? p.rows - top : kTileRows, height = (left + 7) / 8 * 8;
        float sum[kTileRows] = {};
        for (std::size_t j = 0; j < p.width; ++j, a += height)
            for (std::size_t l = 0; l < height; ++l) sum[l] += a[l] * p.own[j];
        for (std::size_t l = 0; l < left; ++l) p.x[p.index[top + l]] -= sum[l];
    }
}

void panel_backward_float_baseline(const PanelArgsFloat& p) noexcept {
    float acc[8 * (kPanelWidth + 4)] = {};
    const float* tiles = p.values + panel_triangle_size(p.width);
    for (std::size_t top = (p.rows + kTileRows - 1) / kTileRows * kTileRows; top > 0;) {
        top -= kTileRows;
        const std::size_t left = p.rows - top < kTileRows ? p.rows - top : kTileRows, height = (left + 7) / 8 * 8;
        float gathered[kTileRows] = {};
        for (std::size_t l = 0; l < left; ++l) gathered[l] = p.x[p.index[top + l]];
        const float* a = tiles + top * p.width;
        for (std::size_t j = 0; j < p.width; ++j, a += height) {
            for (std::size_t l = 0; l < 8; ++l) {
                float sum = a[l] * gathered[l];
                if (height == 16) sum += a[8 + l] * gathered[8 + l];
                acc[8 * j + l] += sum;
            }
        }
    }
    float below[kPanelWidth + 4] = {};
    for (std::size_t j = 0; j < p.width; ++j) below[j] = join8(acc + 8 * j);
    const float* a = tiles;
    float inner[4 * (kPanelWidth + 4)] = {};
    for (std::size_t first = (p.width - 1) / 4 * 4 + 4; first > 0;) {
        first -= 4;
        const std::size_t here = p.width - first < 4 ? p.width - first : 4;
        a -= 4 * here;
        float z[4] = {}, u[4] = {};
        for (std::size_t l = 0; l < here; ++l)
            z[l] = (p.own[first + l] - below[first + l]) - join4(inner + 4 * (first + l));
        for (std::size_t k = 0; k < here; ++k) {
            const float products[4] = {a[4 * k] * z[0], a[4 * k + 1] * z[1], a[4 * k + 2] * z[2], a[4 * k + 3] * z[3]};
            p.own[first + k] = u[k] = join4(products);
        }
        a -= 4 * first;
        for (std::size_t j = 0; j < first; ++j)
            for (std::size_t l = 0; l < 4; ++l) inner[4 * j + l] += a[4 * j + l] * u[l];
    }
}

}  // namespace limber
