#include "linalg/patch_operator.hpp"

#include "core/parallel.hpp"

#include <limber/version.hpp>

#include <algorithm>

namespace limber {
namespace {

constexpr std::size_t kPatchBlock = 256;

inline __attribute__((always_inline)) void patch_gradient(const PatchOperator& a, std::size_t p, const double* x,
                                                          double* g) noexcept {
    for (int i = 0; i < 9; ++i) g[i] = 0.0;
    for (auto k = static_cast<std::size_t>(a.starts[p]); k < static_cast<std::size_t>(a.starts[p + 1]); ++k) {
        const double *at = x + 3 * static_cast<std::size_t>(a.vertices[k]), *slope = a.gradients.data() + 3 * k;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) g[3 * i + j] += at[i] * slope[j];
    }
}

inline __attribute__((always_inline)) void add_stress(const double* t, const double* slope, double* out) noexcept {
    for (std::size_t i = 0; i < 3; ++i)
        out[i] += t[3 * i] * slope[0] + t[3 * i + 1] * slope[1] + t[3 * i + 2] * slope[2];
}

bool turns(const double* n) noexcept {
    return n[PatchNumbers::kPressing] != 0.0 ||
           std::any_of(n + PatchNumbers::kTurning, n + PatchNumbers::kF, [](double k) { return k != 0.0; });
}

}  // namespace

void PatchOperator::list_around(std::size_t vertex_count) {
    std::vector<std::vector<std::int32_t>> lists(vertex_count);
    for (std::size_t p = 0; p < count(); ++p) {
        for (std::int32_t k = starts[p]; k < starts[p + 1]; ++k) {
            auto& list = lists[static_cast<std::size_t>(vertices[static_cast<std::size_t>(k)])];
            list.push_back(static_cast<std::int32_t>(p));
            list.push_back(k);
        }
    }
    for (const auto& list : lists) {
        around.insert(around.end(), list.begin(), list.end());
        around_starts.push_back(static_cast<std::int32_t>(around.size()));
    }
}

// By patches or by vertices: each adds in the order of the patches, and the first is faster alone.
void PatchOperator::add_product(const double* numbers, const double* x, const std::uint8_t* held, double* y,
                                double* stresses) const noexcept {
    const auto stress_of = [&](std::size_t p, double* t) noexcept {
        double g[9];
        patch_gradient(*this, p, x, g);
        const double* n = numbers + kNumbers * p;
        if (turns(n))
            patch_stress<true>(n, g, t);
        else
            patch_stress<false>(n, g, t);
    };
    const auto add = [&](const double* t, std::size_t entry, std::size_t v) noexcept {
        double force[3] = {};
        add_stress(t, gradients.data() + 3 * entry, force);
        for (std::size_t i = 0; i < 3; ++i) y[3 * v + i] += held == nullptr || held[3 * v + i] == 0 ? force[i] : 0.0;
    };
    if (thread_count() == 1) {
        for (std::size_t p = 0; p < count(); ++p) {
            double t[9];
            stress_of(p, t);
            for (auto k = static_cast<std::size_t>(starts[p]); k < static_cast<std::size_t>(starts[p + 1]); ++k)
                add(t, k, static_cast<std::size_t>(vertices[k]));
        }
        return;
    }
    parallel_blocks(count(), kPatchBlock, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        for (std::size_t p = begin; p < end; ++p) stress_of(p, stresses + 9 * p);
    });
    parallel_blocks(
        around_starts.size() - 1, kPatchBlock, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
            for (std::size_t v = begin; v < end; ++v) {
                for (auto k = static_cast<std::size_t>(around_starts[v]);
                     k < static_cast<std::size_t>(around_starts[v + 1]); k += 2) {
                    add(stresses + 9 * static_cast<std::size_t>(around[k]), static_cast<std::size_t>(around[k + 1]), v);
                }
            }
        });
}

void PatchOperator::add_row(const double* numbers, std::size_t v, const double* x, double* out) const noexcept {
    for (auto k = static_cast<std::size_t>(around_starts[v]); k < static_cast<std::size_t>(around_starts[v + 1]);
         k += 2) {
        const auto p = static_cast<std::size_t>(around[k]);
        double g[9], t[9];
        patch_gradient(*this, p, x, g);
        patch_stress<true>(numbers + kNumbers * p, g, t);
        add_stress(t, gradients.data() + 3 * static_cast<std::size_t>(around[k + 1]), out);
    }
}

void PatchOperator::add_diagonal(const double* numbers, std::size_t v, double* block) const noexcept {
    for (auto k = static_cast<std::size_t>(around_starts[v]); k < static_cast<std::size_t>(around_starts[v + 1]);
         k += 2) {
        const double *n = numbers + kNumbers * static_cast<std::size_t>(around[k]),
                     *slope = gradients.data() + 3 * static_cast<std::size_t>(around[k + 1]);
        const bool turns = std::any_of(n + At::kTurning, n + At::kF, [](double turned) { return turned != 0.0; });
        double h[3] = {}, c[3] = {};
        add_stress(n + At::kR, slope, h);
        add_stress(n + At::kC, slope, c);
        const double both = n[At::kLambda] + n[At::kMu], along = n[At::kMu] * (h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
        const double cross[9] = {0, -h[2], h[1], h[2], 0, -h[0], -h[1], h[0], 0};
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                double turning = 0.0;  // [h]_x^T K [h]_x
                for (int p = 0; turns && p < 3; ++p) {
                    for (int q = 0; q < 3; ++q) {
                        turning += cross[3 * p + i] * n[At::kTurning + static_cast<std::size_t>(3 * p + q)] *
                                   cross[3 * q + j];
                    }
                }
                block[3 * i + j] += both * h[i] * h[j] + n[At::kBulk] * c[i] * c[j] + turning + (i == j ? along : 0.0);
            }
        }
    }
}

}  // namespace limber
