#include "kernels/block_product.hpp"

namespace limber {
namespace {

template <std::size_t B>
inline void product(const BlockProductArgs& a, std::size_t begin, std::size_t end) noexcept {
    for (std::size_t r = begin; r < end; ++r) {
        double s[B][B] = {};
        const std::size_t last = static_cast<std::size_t>(a.starts[r + 1]);
        for (std::size_t e = static_cast<std::size_t>(a.starts[r]); e < last; ++e) {
            const double* v = a.values + B * B * e;
            const double* p = a.x + B * static_cast<std::size_t>(a.columns[e]);
            for (std::size_t i = 0; i < B; ++i)
                for (std::size_t j = 0; j < B; ++j) s[i][j] += v[B * i + j] * p[j];
        }
        for (std::size_t i = 0; i < B; ++i) {
            double sum = s[i][0] + s[i][1];
            if constexpr (B == 3) sum += s[i][2];
            if (a.accumulate)
                a.y[B * r + i] += a.scale * sum;
            else
                a.y[B * r + i] = sum;
        }
    }
}

}  // namespace

void block_product2(const BlockProductArgs& a, std::size_t begin, std::size_t end) noexcept {
    product<2>(a, begin, end);
}
void block_product3_baseline(const BlockProductArgs& a, std::size_t begin, std::size_t end) noexcept {
    product<3>(a, begin, end);
}

}  // namespace limber
