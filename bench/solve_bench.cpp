// How fast the solves and products are, against what memory allows: a read-only sum over the same number of bytes.
#include "kernels/isa.hpp"
#include "linalg/aligned.hpp"
#include "linalg/direct.hpp"
#include "linalg/packed_factor.hpp"
#include "linalg/sparse.hpp"
#include "linalg/test_matrices.hpp"

#include <limber/version.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace limber;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

volatile double sink = 0.0;

// Sixteen vector accumulators: limited by memory, not by the latency of an addition.
__attribute__((target("avx2"))) double read_sum(const double* a, std::size_t n) {
    typedef double Lane __attribute__((vector_size(32)));
    Lane sum[16] = {};
    std::size_t i = 0;
    for (; i + 64 <= n; i += 64)
        for (std::size_t v = 0; v < 16; ++v) sum[v] += *reinterpret_cast<const Lane*>(a + i + 4 * v);
    double total = 0.0;
    for (std::size_t v = 0; v < 16; ++v) total += (sum[v][0] + sum[v][1]) + (sum[v][2] + sum[v][3]);
    for (; i < n; ++i) total += a[i];
    return total;
}

template <class F>
double time_of(F&& f) {
    const double start = seconds();
    f();
    return seconds() - start;
}

struct Timing {
    double best, middle;
};
// Two things timed in turn, so that both see the same machine.
template <class F, class G>
std::pair<Timing, Timing> duel(int rounds, F&& f, G&& g) {
    std::vector<double> a, b;
    f(), g();
    for (int i = 0; i < rounds; ++i) {
        a.push_back(time_of(f));
        b.push_back(time_of(g));
    }
    return {{*std::min_element(a.begin(), a.end()), median(a)}, {*std::min_element(b.begin(), b.end()), median(b)}};
}

double relative_residual(const Csr& a, const std::vector<double>& b, const std::vector<double>& x) {
    std::vector<double> r(b.size());
    multiply(a, x.data(), r.data());
    double top = 0, bottom = 0;
    for (std::size_t i = 0; i < b.size(); ++i) top += (r[i] - b[i]) * (r[i] - b[i]), bottom += b[i] * b[i];
    return std::sqrt(top / bottom);
}

void bench_solve(const char* name, const testing::TetBox& box, int rounds) {
    const Csr a = testing::implicit_system(box, 1e-3);
    Progress progress;
    const double t0 = seconds();
    const Symbolic symbolic = analyse(a);
    const double t1 = seconds();
    const DenseFactor dense = factor_matrix(a, symbolic, FactorEngine::automatic, progress);
    const double t2 = seconds();
    const PackedFactor factor(symbolic, dense);
    const double t3 = seconds();
    const std::size_t n = a.rows(), values = factor.value_count();
    std::printf("%s: %zu tets, %zu unknowns, %zu supernodes, ordering %.3f s, factor %.3f s, packing %.3f s\n", name, box.tets, n,
                symbolic.supernodes(), t1 - t0, t2 - t1, t3 - t2);

    const std::vector<double> b = testing::random_vector(n, 7);
    std::vector<double> x(n), scratch(n);
    AlignedArray yardstick(values);
    for (std::size_t i = 0; i < values; ++i) yardstick.data()[i] = 1e-3 * static_cast<double>(i % 7);
    const auto [solve, sum] = duel(rounds, [&] { factor.solve(b.data(), x.data(), scratch.data()); },
                                   [&] { sink = read_sum(yardstick.data(), values); sink = read_sum(yardstick.data(), values); });
    std::printf("  factor %.1f MB (of %.1f MB in all); solve %.3f ms (best %.3f); read twice %.3f ms (best %.3f, %.1f GB/s); ratio %.3f (best %.3f); residual %.1e\n",
                static_cast<double>(values) * 8e-6, static_cast<double>(factor.bytes()) * 1e-6, solve.middle * 1e3, solve.best * 1e3, sum.middle * 1e3,
                sum.best * 1e3, static_cast<double>(values) * 16e-9 / sum.best, solve.middle / sum.middle, solve.best / sum.best, relative_residual(a, b, x));
}

void bench_product(const testing::TetBox& box, int rounds) {
    const BlockCsr& k = box.stiffness;
    const std::vector<double> x = testing::random_vector(k.size(), 3);
    std::vector<double> y(k.size());
    const std::size_t words = k.values.size() + k.columns.size() / 2;
    AlignedArray yardstick(words);
    for (std::size_t i = 0; i < words; ++i) yardstick.data()[i] = 1e-3;
    const auto [product, sum] = duel(rounds, [&] { multiply(k, x.data(), y.data()); }, [&] { sink = read_sum(yardstick.data(), words); });
    std::printf("  3x3 block product: %.1f MB, %.3f ms (best %.3f); read once %.3f ms (best %.3f); ratio %.3f (best %.3f)\n", static_cast<double>(words) * 8e-6,
                product.middle * 1e3, product.best * 1e3, sum.middle * 1e3, sum.best * 1e3, product.middle / sum.middle, product.best / sum.best);
}

void bench_engines(const testing::TetBox& box) {
    const Csr a = testing::implicit_system(box, 1e-3);
    const Symbolic symbolic = analyse(a);
    Progress progress;
    const double own = time_of([&] { factor_matrix(a, symbolic, FactorEngine::own, progress); });
    std::printf("factor by our own code: %.3f s", own);
    if (has_cholmod()) std::printf("; by CHOLMOD: %.3f s", time_of([&] { factor_matrix(a, symbolic, FactorEngine::cholmod, progress); }));
    std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::max(3, std::atoi(argv[1])) : 31;
    std::printf("kernels: %s, %d thread(s)\n", kernel_isa(), thread_count());
    const testing::TetBox cube = testing::tet_box(17, 17, 17);
    bench_solve("cube", cube, rounds);
    bench_product(cube, rounds);
    bench_solve("beam 40 x 11 x 11", testing::tet_box(40, 11, 11, {4.0, 1.1, 1.1}), rounds);
    set_kernel_choice(Isa::baseline);
    std::printf("kernels: %s\n", kernel_isa());
    bench_solve("cube", cube, rounds);
    bench_product(cube, rounds);
    bench_engines(cube);
    return 0;
}
