#include "methods/modal/shapes.hpp"

#include "core/parallel.hpp"
#include "kernels/columns.hpp"

#include <algorithm>
#include <array>

namespace limber {
namespace {

constexpr std::size_t kRowsPerBlock = 16 * kColumnStrip;  // less is not worth a thread
constexpr std::size_t kNumbersPerBlock = 1 << 17;         // of dot products

/// Calls f(first, last) for runs of factors that are not 0.
template <class F>
void for_runs(const double* factors, std::size_t count, F&& f) noexcept {
    for (std::size_t k = 0; k < count;) {
        if (factors[k] == 0.0) {
            ++k;
            continue;
        }
        const std::size_t first = k;
        while (k < count && factors[k] != 0.0) ++k;
        f(first, k);
    }
}

void add_rows(const double* columns, std::size_t stride, std::size_t count, const double* factors, double* out,
              std::size_t begin, std::size_t end) noexcept {
    for_runs(factors, count, [&](std::size_t first, std::size_t last) {
        column_kernels().combine(columns + first * stride, stride, last - first, factors + first, out, begin, end);
    });
}

}  // namespace

void add_columns(const double* columns, std::size_t stride, std::size_t count, const double* factors, double* out,
                 std::size_t rows) noexcept {
    parallel_blocks(rows, kRowsPerBlock, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        add_rows(columns, stride, count, factors, out, begin, end);
    });
}

void project_shapes(const ModalBasis& basis, const double* x, double* out) noexcept {
    const std::size_t each = std::max<std::size_t>(1, kNumbersPerBlock / std::max<std::size_t>(1, basis.unknowns));
    parallel_blocks(basis.modes, each, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        column_kernels().project(basis.shapes.data(), basis.unknowns, basis.unknowns, x, out, begin, end);
    });
}

void add_shapes(const ModalBasis& basis, const double* factors, std::size_t count, double* out) noexcept {
    add_columns(basis.shapes.data(), basis.unknowns, count, factors, out, basis.unknowns);
}

void add_shapes(const ModalBasis& basis, const double* factors, std::size_t count, std::span<Vec3> out) noexcept {
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    if (basis.dimension == 3) return add_shapes(basis, factors, count, reinterpret_cast<double*>(out.data()));
    parallel_blocks(out.size(), kRowsPerBlock / 2, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        std::array<double, kColumnStrip> strip;
        for (std::size_t v = begin; v < end; v += kColumnStrip / 2) {
            const std::size_t vertices = std::min(kColumnStrip / 2, end - v);
            strip.fill(0.0);
            for_runs(factors, count, [&](std::size_t first, std::size_t last) {
                column_kernels().combine(basis.shape(first) + 2 * v, basis.unknowns, last - first, factors + first,
                                         strip.data(), 0, 2 * vertices);
            });
            for (std::size_t i = 0; i < vertices; ++i) {
                out[v + i].x += strip[2 * i];
                out[v + i].y += strip[2 * i + 1];
            }
        }
    });
}

}  // namespace limber
