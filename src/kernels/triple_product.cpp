#include "kernels/triple_product.hpp"

namespace limber {

void triple_product_baseline(const TripleProductArgs& a, std::size_t begin, std::size_t end) noexcept {
    for (std::size_t r = begin; r < end; ++r) {
        double sum[4][3] = {};
        for (auto e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]); ++e) {
            const double* x = a.x + 3 * static_cast<std::size_t>(a.columns[e]);
            for (std::size_t c = 0; c < 4; ++c)
                for (std::size_t i = 0; i < 3; ++i) sum[c][i] += a.values[e] * x[c * a.size + i];
        }
        for (std::size_t c = 0; c < 4; ++c)
            for (std::size_t i = 0; i < 3; ++i) a.y[c * a.size + 3 * r + i] = sum[c][i];
    }
}

}  // namespace limber
