// The loops of columns.hpp, compiled once per instruction set: inlined into functions that name theirs.
#pragma once

#include "kernels/columns.hpp"
#include "kernels/unaligned.hpp"

namespace limber::columns_body {

// Of 256 bits, also for AVX-512: memory decides, and GCC takes wider ones apart badly where the processor has none.
typedef double Four __attribute__((vector_size(32)));

LIMBER_INLINE void combine_strip(const double* const* column, const double* f, std::size_t columns, double* out,
                                 std::size_t rows) {
    std::size_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        Four sum = taken<Four>(out + i);
        for (std::size_t k = 0; k < columns; ++k) sum = sum + f[k] * taken<Four>(column[k] + i);
        put(out + i, sum);
    }
    for (; i < rows; ++i)
        for (std::size_t k = 0; k < columns; ++k) out[i] = out[i] + f[k] * column[k][i];
}

/// Four columns at a time: with one, the strip would be read and written as often as the columns.
LIMBER_INLINE void combine(const double* columns, std::size_t stride, std::size_t count, const double* factors,
                           double* out, std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; row += kColumnStrip) {
        const std::size_t rows = row + kColumnStrip < end ? kColumnStrip : end - row;
        std::size_t k = 0;
        for (; k + 4 <= count; k += 4) {
            const double* four[4] = {columns + k * stride + row, columns + (k + 1) * stride + row,
                                     columns + (k + 2) * stride + row, columns + (k + 3) * stride + row};
            combine_strip(four, factors + k, 4, out + row, rows);
        }
        for (; k < count; ++k) {
            const double* one[1] = {columns + k * stride + row};
            combine_strip(one, factors + k, 1, out + row, rows);
        }
    }
}

LIMBER_INLINE double dot_strip(const double* a, const double* x, std::size_t rows) {
    Four s0{}, s1{}, s2{}, s3{};
    std::size_t i = 0;
    for (; i + 16 <= rows; i += 16) {
        s0 = s0 + taken<Four>(a + i) * taken<Four>(x + i);
        s1 = s1 + taken<Four>(a + i + 4) * taken<Four>(x + i + 4);
        s2 = s2 + taken<Four>(a + i + 8) * taken<Four>(x + i + 8);
        s3 = s3 + taken<Four>(a + i + 12) * taken<Four>(x + i + 12);
    }
    const Four s = (s0 + s2) + (s1 + s3);
    double sum = (s[0] + s[2]) + (s[1] + s[3]);
    for (; i < rows; ++i) sum = sum + a[i] * x[i];
    return sum;
}

LIMBER_INLINE bool all_zero(const double* x, std::size_t rows) {
    std::size_t i = 0;
    while (i < rows && x[i] == 0.0) ++i;
    return i == rows;
}

LIMBER_INLINE void project(const double* columns, std::size_t stride, std::size_t rows, const double* x, double* out,
                           std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) out[k] = 0.0;
    for (std::size_t row = 0; row < rows; row += kColumnStrip) {
        const std::size_t strip = row + kColumnStrip < rows ? kColumnStrip : rows - row;
        if (all_zero(x + row, strip)) continue;  // forces act on few vertices, mostly
        for (std::size_t k = begin; k < end; ++k)
            out[k] = out[k] + dot_strip(columns + k * stride + row, x + row, strip);
    }
}

}  // namespace limber::columns_body
