#include "kernels/elements.hpp"

#include "kernels/isa.hpp"

namespace limber {
namespace {

constexpr std::size_t kMost = 32;

void gather(const ElementArgs& a, const std::int32_t* vertices, double scale, const double* from, double* to) noexcept {
    for (std::size_t c = 0; c < a.corners; ++c) {
        for (std::size_t i = 0; i < a.block; ++i)
            to[c * a.block + i] = scale * from[static_cast<std::size_t>(vertices[c]) * a.block + i];
    }
}

void add_columns(const double* matrix, const double* x, std::size_t n, double* sum) noexcept {
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) sum[i] += matrix[j * n + i] * x[j];
}

}  // namespace

void element_product_baseline(const ElementArgs& a, std::size_t begin, std::size_t end) noexcept {
    const std::size_t n = a.corners * a.block;
    for (std::size_t e = begin; e < end; ++e) {
        const std::int32_t* vertices = a.vertices + e * a.corners;
        double x[kMost], sum[kMost] = {};
        gather(a, vertices, a.u_scale, a.u, x);
        add_columns(a.stiffness + e * n * n, x, n, sum);
        if (a.v != nullptr) {
            gather(a, vertices, a.v_scale, a.v, x);
            add_columns(a.damping + e * n * n, x, n, sum);
        }
        for (std::size_t c = 0; c < a.corners; ++c) {
            for (std::size_t i = 0; i < a.block; ++i)
                a.out[static_cast<std::size_t>(vertices[c]) * a.block + i] += sum[c * a.block + i];
        }
    }
}

void element_product(const ElementArgs& a, std::size_t begin, std::size_t end) noexcept {
    const Isa isa = a.corners == 4 && a.block == 3 ? kernel_choice() : Isa::baseline;
    if (isa >= Isa::avx512)
        element_product12_avx512(a, begin, end);
    else if (isa >= Isa::avx2)
        element_product12_avx2(a, begin, end);
    else
        element_product_baseline(a, begin, end);
}

}  // namespace limber
