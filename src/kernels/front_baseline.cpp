#include "kernels/front.hpp"

#include <cmath>

namespace limber {
namespace {

// sum[c][r] = sum over k of a[r] b[c], columns `stride` apart
void tile(const double* a, std::size_t stride_a, const double* b, std::size_t stride_b, std::size_t k, double (&sum)[4][8]) noexcept {
    for (auto& column : sum)
        for (double& s : column) s = 0.0;
    for (std::size_t p = 0; p < k; ++p, a += stride_a, b += stride_b)
        for (std::size_t c = 0; c < 4; ++c)
            for (std::size_t r = 0; r < 8; ++r) sum[c][r] += a[r] * b[c];
}

// Rows of A in strips of eight, each column by column.
void pack(const double* a, std::size_t n, std::size_t k, std::size_t ld, double* work) noexcept {
    for (std::size_t top = 0; top < n; top += 8)
        for (std::size_t p = 0; p < k; ++p, work += 8)
            for (std::size_t r = 0; r < 8; ++r) work[r] = top + r < n ? a[p * ld + top + r] : 0.0;
}

// C (n x m, lower) = -A A^T or -= A A^T; A is n x k with k at most kFrontBlock.
void subtract(const double* a, std::size_t n, std::size_t m, std::size_t k, std::size_t ld_a, double* c, std::size_t ld_c, bool fresh, double* work) noexcept {
    pack(a, n, k, ld_a, work);
    double sum[4][8];
    for (std::size_t i = 0; i < n; i += 8)
        for (std::size_t j = 0; j < m && j < i + 8; j += 4) {
            tile(work + i * k, 8, work + j / 8 * 8 * k + j % 8, 8, k, sum);
            for (std::size_t q = 0; q < 4 && j + q < m; ++q)
                for (std::size_t r = 0; r < 8 && i + r < n; ++r) {
                    double& to = c[(j + q) * ld_c + i + r];
                    to = (fresh ? 0.0 : to) - sum[q][r];
                }
        }
}

// Columns [j, j + here) of a block that begins at column `first`; false when a pivot is not positive (its number in `bad`).
bool four_columns(double* block, std::size_t j, std::size_t here, std::size_t height, std::size_t ld, std::ptrdiff_t& bad) noexcept {
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
        for (std::size_t r = 0; r < 8 && i + r < height; ++r)
            for (std::size_t c = 0; c < here; ++c) {
                double value = block[(j + c) * ld + i + r] - sum[c][r];
                for (std::size_t p = 0; p < c; ++p) value -= block[(j + p) * ld + i + r] * block[(j + p) * ld + j + c];
                block[(j + c) * ld + i + r] = value * inverse[c];
            }
    }
    return true;
}

}  // namespace

std::ptrdiff_t front_cholesky_baseline(double* panel, std::size_t width, std::size_t height, std::size_t ld, double* work) noexcept {
    for (std::size_t first = 0; first < width; first += kFrontBlock) {
        const std::size_t here = width - first < kFrontBlock ? width - first : kFrontBlock, left = height - first - here;
        double* block = panel + first * ld + first;
        std::ptrdiff_t bad = -1;
        for (std::size_t j = 0; j < here; j += 4)
            if (!four_columns(block, j, here - j < 4 ? here - j : 4, height - first, ld, bad)) return bad + static_cast<std::ptrdiff_t>(first);
        if (first + here < width) subtract(block + here, left, width - first - here, here, ld, block + here * ld + here, ld, false, work);
    }
    return -1;
}

void front_minus_square_baseline(const double* a, std::size_t n, std::size_t k, std::size_t ld_a, double* c, std::size_t ld_c, double* work) noexcept {
    for (std::size_t first = 0; first < k; first += kFrontBlock)
        subtract(a + first * ld_a, n, n, k - first < kFrontBlock ? k - first : kFrontBlock, ld_a, c, ld_c, first == 0, work);
}

}  // namespace limber
