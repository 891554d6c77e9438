#include "kernels/front.hpp"

#include <cmath>

namespace limber {
namespace {

constexpr std::size_t kColumns = 64;  // taken at a time
static_assert(kColumns <= kFrontBlock);

// sum[c][r] = sum over k of a[r] b[c], columns `stride` apart
void tile(const double* a, std::size_t stride_a, const double* b, std::size_t stride_b, std::size_t k,
          double (&sum)[4][8]) noexcept {
    for (auto& column : sum)
        for (double& s : column) s = 0.0;
    for (std::size_t p = 0; p < k; ++p, a += stride_a, b += stride_b) {
        for (std::size_t c = 0; c < 4; ++c)
            for (std::size_t r = 0; r < 8; ++r) sum[c][r] += a[r] * b[c];
    }
}

// Rows of A in strips of eight, each column by column.
void pack(const double* a, std::size_t n, std::size_t k, std::size_t ld, double* work) noexcept {
    for (std::size_t top = 0; top < n; top += 8) {
        for (std::size_t p = 0; p < k; ++p, work += 8)
            for (std::size_t r = 0; r < 8; ++r) work[r] = top + r < n ? a[p * ld + top + r] : 0.0;
    }
}

// C (n x m, lower) = -A A^T or -= A A^T; A is n x k with k at most kColumns.
void subtract(const double* a, std::size_t n, std::size_t m, std::size_t k, std::size_t ld_a, double* c,
              std::size_t ld_c, bool fresh, double* work) noexcept {
    pack(a, n, k, ld_a, work);
    double sum[4][8];
    for (std::size_t i = 0; i < n; i += 8) {
        for (std::size_t j = 0; j < m && j < i + 8; j += 4) {
            tile(work + i * k, 8, work + j / 8 * 8 * k + j % 8, 8, k, sum);
            for (std::size_t q = 0; q < 4 && j + q < m; ++q) {
                for (std::size_t r = 0; r < 8 && i + r < n; ++r) {
                    double& to = c[(j + q) * ld_c + i + r];
                    to = (fresh ? 0.0 : to) - sum[q][r];
                }
            }
        }
    }
}

// Columns [j, j + here) of a block that begins at column `first`; false when a pivot is not positive (its number in
// `bad`).
bool four_columns(double* block, std::size_t j, std::size_t here, std::size_t height, std::size_t ld,
                  std::ptrdiff_t& bad) noexcept {
    double sum[4][8];
    tile(block + j, ld, block + j, ld, j, sum);
    double inverse[4] = {};
    for (std::size_t c = 0; c < here; ++c) {
        double* column = block + (j + c) * ld + j;
        for (std::size_t r = c; r < here; ++r) {
            double value = column[r] - sum[c][r];
            for (std::size_t p = 0; p < c; ++p) value -= block[(j + p) * ld + j + r] * block[(j + p) * ld + j + c];
            column[r] = r == c ? value : value * inverse[c];
            if (r > c) continue;
            if (!(value > 0.0)) {
                bad = static_cast<std::ptrdiff_t>(j + c);
                return false;
            }
            column[r] = std::sqrt(value);
            inverse[c] = 1.0 / column[r];
        }
    }
    for (std::size_t i = j + here; i < height; i += 8) {
        tile(block + i, ld, block + j, ld, j, sum);
        for (std::size_t r = 0; r < 8 && i + r < height; ++r) {
            for (std::size_t c = 0; c < here; ++c) {
                double value = block[(j + c) * ld + i + r] - sum[c][r];
                for (std::size_t p = 0; p < c; ++p) value -= block[(j + p) * ld + i + r] * block[(j + p) * ld + j + c];
                block[(j + c) * ld + i + r] = value * inverse[c];
            }
        }
    }
    return true;
}

std::ptrdiff_t factor_columns(double* panel, std::size_t width, std::size_t height, double* work) noexcept {
    const std::size_t ld = height;
    for (std::size_t first = 0; first < width; first += kColumns) {
        const std::size_t here = width - first < kColumns ? width - first : kColumns, left = height - first - here;
        double* block = panel + first * ld + first;
        std::ptrdiff_t bad = -1;
        for (std::size_t j = 0; j < here; j += 4) {
            if (!four_columns(block, j, here - j < 4 ? here - j : 4, height - first, ld, bad))
                return bad + static_cast<std::ptrdiff_t>(first);
        }
        if (first + here < width)
            subtract(block + here, left, width - first - here, here, ld, block + here * ld + here, ld, false, work);
    }
    return -1;
}

}  // namespace

std::ptrdiff_t front_factor_baseline(double* panel, std::size_t width, std::size_t height, const FrontChild* children,
                                     std::size_t count, double* rest, double* work) noexcept {
    if (const std::ptrdiff_t bad = factor_columns(panel, width, height, work); bad >= 0) return bad;
    const std::size_t below = height - width;
    for (std::size_t first = 0; first < width && below > 0; first += kColumns) {
        subtract(panel + first * height + width, below, below, width - first < kColumns ? width - first : kColumns,
                 height, rest, below, first == 0, work);
    }
    for (std::size_t c = 0; c < count; ++c) front_add_baseline(children[c], width, height, width, rest, below);
    return -1;
}

void front_add_baseline(const FrontChild& child, std::size_t begin, std::size_t end, std::size_t shift, double* to,
                        std::size_t ld) noexcept {
    for (const FrontRun *run = child.runs, *last = run + child.count; run != last; ++run) {
        for (std::size_t q = 0; q < run->count; ++q) {
            const std::size_t column = run->to + q;
            if (column < begin || column >= end) continue;
            const double* from = child.rest + (run->from + q) * child.size;
            double* out = to + (column - shift) * ld;
            for (std::size_t i = q; i < run->count; ++i) out[run->to + i - shift] += from[run->from + i];
            for (const FrontRun* r = run + 1; r != last; ++r)
                for (std::size_t i = 0; i < r->count; ++i) out[r->to + i - shift] += from[r->from + i];
        }
    }
}

}  // namespace limber
