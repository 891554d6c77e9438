// limber_bench_cholmod [--rounds N] [NX NY NZ]...: ordering, factorisation and solve of an implicit step's matrix, ours
// beside CHOLMOD's own routines, one thread each, in turn, CPU time (the least of all rounds). Prints JSON;
// docs/bench.md says what the body is.
#include "fem/assembly.hpp"
#include "fem/supports.hpp"
#include "kernels/isa.hpp"
#include "linalg/packed_factor.hpp"
#include "linalg/solvers.hpp"

#include <limber/body.hpp>
#include <limber/version.hpp>

#include <cholmod.h>
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

extern "C" void openblas_set_num_threads(int);
extern "C" char* openblas_get_corename();

namespace limber::bench {
namespace {

double cpu() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// The least of several times [s].
struct Least {
    double value = 1e300;
    template <class F>
    void take(F&& f) {
        const double before = cpu();
        f();
        value = std::min(value, cpu() - before);
    }
};

double noise(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

// Backward Euler with stiffness damping 0.01 s and a step of 1/60 s: M + h (h + 0.01) K. Inner vertices are moved by up
// to a tenth of a cell.
Csr implicit_matrix(int nx, int ny, int nz) {
    BodyDescription d;
    d.mesh = make_box(CellKind::tet4, nx, ny, nz, {0, 0, 0}, {1, 0.25, 0.25});
    std::uint64_t state = 3;
    const Vec3 high{1, 0.25, 0.25}, cell{1.0 / nx, 0.25 / ny, 0.25 / nz};
    for (Vec3& x : d.mesh.vertices) {
        bool inner = true;
        for (int i = 0; i < 3; ++i) inner = inner && x[i] > 1e-9 && x[i] < high[i] - 1e-9;
        for (int i = 0; i < 3; ++i) {
            const double by = 0.1 * cell[i] * noise(state);
            if (inner) x[i] += by;
        }
    }
    d.materials = {{"", {"soft", 1e5, 0.45, 1000.0, 0.0, 0.01}}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    const auto body = Body::make(d);
    Progress silent;
    const FemMatrices fem = assemble(*body, {}, silent);
    const Supports supports(*body);
    constexpr double h = 1.0 / 60.0;
    return add(h * (h + 0.01), compress(fem.stiffness, supports.free()), 1.0, compress(fem.mass, supports.free()));
}

double true_residual(const Csr& a, const std::vector<double>& b, const double* x) {
    std::vector<double> r(b.size());
    multiply(a, x, r.data());
    double top = 0.0, bottom = 0.0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        top += (b[i] - r[i]) * (b[i] - r[i]);
        bottom += b[i] * b[i];
    }
    return std::sqrt(top / bottom);
}

// CHOLMOD with its defaults: it orders, chooses supernodal or simplicial, and factors again into the same place.
class Cholmod {
public:
    Cholmod(const Csr& a, const std::vector<double>& b) {
        cholmod_start(&common_);
        common_.print = 0;
        matrix_ = lower_half(a);
        right_ = cholmod_allocate_dense(b.size(), 1, b.size(), CHOLMOD_REAL, &common_);
        std::memcpy(right_->x, b.data(), b.size() * sizeof(double));
    }
    ~Cholmod() {
        cholmod_free_dense(&answer_, &common_);
        cholmod_free_dense(&y_, &common_);
        cholmod_free_dense(&e_, &common_);
        cholmod_free_dense(&right_, &common_);
        cholmod_free_factor(&factor_, &common_);
        cholmod_free_sparse(&matrix_, &common_);
        cholmod_finish(&common_);
    }
    Cholmod(const Cholmod&) = delete;
    Cholmod& operator=(const Cholmod&) = delete;
    void analyse_again() {
        cholmod_free_factor(&factor_, &common_);
        factor_ = cholmod_analyze(matrix_, &common_);
    }
    void factor() { cholmod_factorize(matrix_, factor_, &common_); }
    void solve() { cholmod_solve2(CHOLMOD_A, factor_, right_, nullptr, &answer_, nullptr, &y_, &e_, &common_); }
    double entries() const { return common_.lnz; }

private:
    cholmod_sparse* lower_half(const Csr& a) {
        std::size_t entries = 0, at = 0;
        for (std::size_t r = 0; r < a.rows(); ++r) {
            for (auto e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]); ++e)
                entries += static_cast<std::size_t>(a.columns[e]) >= r;
        }
        cholmod_sparse* m = cholmod_allocate_sparse(a.rows(), a.rows(), entries, 1, 1, -1, CHOLMOD_REAL, &common_);
        int *starts = static_cast<int*>(m->p), *rows = static_cast<int*>(m->i);
        for (std::size_t r = 0; r < a.rows(); ++r) {
            starts[r] = static_cast<int>(at);
            for (auto e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]); ++e) {
                if (static_cast<std::size_t>(a.columns[e]) >= r) {
                    rows[at] = a.columns[e];
                    static_cast<double*>(m->x)[at++] = a.values[e];
                }
            }
        }
        starts[a.rows()] = static_cast<int>(at);
        return m;
    }
    cholmod_common common_;
    cholmod_sparse* matrix_ = nullptr;
    cholmod_factor* factor_ = nullptr;
    cholmod_dense *right_ = nullptr, *answer_ = nullptr, *y_ = nullptr, *e_ = nullptr;
};

void one_size(int nx, int ny, int nz, int rounds, bool last) {
    const Csr a = implicit_matrix(nx, ny, nz);
    std::vector<double> b(a.rows()), x(a.rows()), guess;
    std::uint64_t state = 5;
    for (double& v : b) v = noise(state);
    Cholmod theirs(a, b);
    Least analyse_theirs, first_theirs, factor_theirs, solve_theirs, analyse_ours, first_ours, factor_ours, solve_ours,
        solve_single;
    Progress silent;
    const auto single = make_solver(a, {SolverKind::cholesky_float, 1e-10, 100}, silent);
    std::vector<double> room(single->scratch_size()), y(a.rows());
    SolveReport refined;
    double entries = 0.0;
    PackedFactor packed;
    for (int round = 0; round < rounds; ++round) {
        analyse_theirs.take([&] { theirs.analyse_again(); });
        first_theirs.take([&] { theirs.factor(); });  // takes its memory
        for (int i = 0; i < 3; ++i) factor_theirs.take([&] { theirs.factor(); });
        Symbolic symbolic;
        packed = {};  // given back just before it is taken again, as theirs: pages that lie idle for seconds a virtual
                      // machine returns to its host
        analyse_ours.take([&] { symbolic = analyse(a); });
        first_ours.take([&] { packed = PackedFactor(a, symbolic, FactorEngine::own, silent); });
        for (int i = 0; i < 3; ++i)
            factor_ours.take([&] { packed.factor_again(a, symbolic, FactorEngine::own, silent); });
        std::vector<double> scratch(packed.scratch_size());
        entries = static_cast<double>(packed.value_count());
        for (int i = 0; i < 5; ++i) {
            solve_theirs.take([&] { theirs.solve(); });
            solve_ours.take([&] { packed.solve(b.data(), x.data(), scratch.data()); });
            std::fill(y.begin(), y.end(), 0.0);  // no guess: from nothing to the tolerance
            solve_single.take([&] { refined = single->solve(b.data(), y.data(), room.data()); });
        }
    }
    std::printf("  {\"tets\": %d, \"unknowns\": %zu, \"entries\": [%.0f, %.0f],\n", nx * ny * nz * 6, a.rows(), entries,
                theirs.entries());
    const auto row = [](const char* name, double ours, double cholmod, const char* end) {
        std::printf("   \"%s\": {\"ours\": %.6g, \"cholmod\": %.6g, \"times_faster\": %.3f}%s", name, ours, cholmod,
                    cholmod / ours, end);
    };
    row("analyse", analyse_ours.value, analyse_theirs.value, ",\n");
    row("factor_first", first_ours.value, first_theirs.value, ",\n");
    row("factor", factor_ours.value, factor_theirs.value, ",\n");
    row("solve", solve_ours.value, solve_theirs.value, ",\n");
    row("solve_float", solve_single.value, solve_theirs.value, ",\n");
    std::printf("   \"residual\": %.2e, \"residual_float\": %.2e, \"sweeps_float\": %d}%s\n",
                true_residual(a, b, x.data()), refined.residual, refined.iterations, last ? "" : ",");
    std::fflush(stdout);
}

// On a processor younger than itself OpenBLAS may take what it has for SSE3 (0.3.21 does on a Xeon of 2023, and CHOLMOD
// is then half as fast): no fair opponent. It reads the name of better kernels only as it starts, so this program
// starts again.
void start_with_best_blas(char** argv) {
    if (best_isa() == Isa::baseline || std::strcmp(openblas_get_corename(), "Prescott") != 0 ||
        std::getenv("OPENBLAS_CORETYPE") != nullptr) {
        return;
    }
    setenv("OPENBLAS_CORETYPE", best_isa() == Isa::avx512 ? "SkylakeX" : "Haswell", 1);
    execv("/proc/self/exe", argv);
}

int run(int argc, char** argv) {
    start_with_best_blas(argv);
    int rounds = 5, at = 1;
    if (argc > 2 && std::strcmp(argv[1], "--rounds") == 0) {
        rounds = std::max(1, std::atoi(argv[2]));
        at = 3;
    }
    std::vector<int> counts;
    for (; at < argc; ++at) counts.push_back(std::atoi(argv[at]));
    if (counts.empty()) counts = {10, 4, 4, 24, 6, 6, 42, 11, 11, 76, 18, 18};
    if (counts.size() % 3 != 0 || *std::min_element(counts.begin(), counts.end()) < 1) {
        std::fprintf(stderr, "limber_bench_cholmod: expected [--rounds N] [NX NY NZ]...\n");
        return 2;
    }
    set_thread_count(1);
    openblas_set_num_threads(1);
    // CHOLMOD starts four OpenMP threads whatever it is told; with no active level all of its loops run on one.
    if (void* levels = dlsym(RTLD_DEFAULT, "omp_set_max_active_levels")) reinterpret_cast<void (*)(int)>(levels)(0);
    std::printf(
        "{\"what\": \"seconds of CPU, the least of %d rounds, one thread\", \"limber\": \"%s\", \"openblas\": \"%s\", "
        "\"sizes\": [\n",
        rounds, kernel_isa(), openblas_get_corename());
    for (std::size_t i = 0; i < counts.size(); i += 3)
        one_size(counts[i], counts[i + 1], counts[i + 2], rounds, i + 3 == counts.size());
    std::printf("]}\n");
    return 0;
}

}  // namespace
}  // namespace limber::bench

int main(int argc, char** argv) {
    try {
        return limber::bench::run(argc, argv);
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "limber_bench_cholmod: %s\n", problem.what());
        return 2;
    }
}
