#include "expect_error.hpp"
#include "kernels/isa.hpp"
#include "linalg/counted_new.hpp"
#include "linalg/dense_lu.hpp"
#include "linalg/direct.hpp"
#include "linalg/packed_factor.hpp"
#include "linalg/solvers.hpp"
#include "linalg/test_matrices.hpp"

#include <limber/error.hpp>
#include <limber/version.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

using testing::random_vector;
using testing::residual;

std::vector<double> solve(const LinearSolver& solver, const std::vector<double>& b, SolveReport* report = nullptr) {
    std::vector<double> x(b.size(), 0.0), scratch(solver.scratch_size());
    const SolveReport r = solver.solve(b.data(), x.data(), scratch.data());
    if (report != nullptr) *report = r;
    return x;
}

// Gaussian elimination without any sparsity: as independent of the sparse code as can be.
std::vector<double> dense_solve(const Csr& a, std::vector<double> b) {
    const std::size_t n = a.rows();
    std::vector<double> d(n * n, 0.0);
    for (std::size_t r = 0; r < n; ++r) {
        for (std::size_t e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]); ++e)
            d[r * n + static_cast<std::size_t>(a.columns[e])] = a.values[e];
    }
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = k + 1; i < n; ++i) {
            const double f = d[i * n + k] / d[k * n + k];
            for (std::size_t j = k; j < n; ++j) d[i * n + j] -= f * d[k * n + j];
            b[i] -= f * b[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j) b[k] -= d[k * n + j] * b[j];
        b[k] /= d[k * n + k];
    }
    return b;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0.0, size = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        most = std::max(most, std::abs(a[i] - b[i]));
        size = std::max(size, std::abs(b[i]));
    }
    return size > 0.0 ? most / size : most;
}

std::vector<FactorEngine> engines() {
    return has_cholmod() ? std::vector{FactorEngine::own, FactorEngine::cholmod} : std::vector{FactorEngine::own};
}

std::unique_ptr<LinearSolver> cholesky(const Csr& a, FactorEngine engine = FactorEngine::automatic) {
    Progress progress;
    return make_cholesky(a, engine, progress);
}

TEST(Cholesky, SolvesRandomSystemsLikeDenseElimination) {
    // From diagonal-only rows to nearly full ones: every shape of supernode, every width of a last panel.
    for (const FactorEngine engine : engines()) {
        for (std::size_t n = 1; n <= 160; n += n < 40 ? 1 : 13) {
            for (const int per_row : {0, 1, 2, 6, 40}) {
                const Csr a = testing::random_spd(n, per_row, 31 * n + static_cast<std::size_t>(per_row));
                const std::vector<double> b = random_vector(n, n);
                EXPECT_LT(difference(solve(*cholesky(a, engine), b), dense_solve(a, b)), 1e-11)
                    << "n " << n << ", per row " << per_row;
            }
        }
    }
}

TEST(Cholesky, SolvesElasticityToRounding) {
    for (const FactorEngine engine : engines()) {
        const Csr a = testing::implicit_system(testing::tet_box(8, 7, 6), 1e-3);
        const std::vector<double> b = random_vector(a.rows(), 3);
        EXPECT_LT(residual(a, b, solve(*cholesky(a, engine), b)), 1e-14);
    }
}

TEST(Cholesky, BothEnginesComputeTheSameFactor) {
    if (!has_cholmod()) GTEST_SKIP() << "built without CHOLMOD";
    const Csr a = testing::implicit_system(testing::tet_box(7, 6, 5), 1e-2);
    Progress progress;
    const Symbolic s = analyse(a);
    const DenseFactor own = factor_matrix(a, s, FactorEngine::own, progress),
                      theirs = factor_matrix(a, s, FactorEngine::cholmod, progress);
    double most = 0.0;
    for (std::size_t k = 0; k < s.supernodes(); ++k) {
        const std::size_t height = s.width(k) + s.rows_below(k);
        for (std::size_t j = 0; j < s.width(k); ++j) {
            const double pivot = own.values.data()[own.offset[k] + j * height + j];
            for (std::size_t i = j; i < height; ++i) {
                const std::size_t at = own.offset[k] + j * height + i;
                most = std::max(most, std::abs(own.values.data()[at] - theirs.values.data()[at]) / pivot);
            }
        }
    }
    EXPECT_LT(most, 1e-10);
}

TEST(Cholesky, IsTheSameFactorEveryTime) {
    const Csr a = testing::implicit_system(testing::tet_box(6, 6, 6), 1e-3);
    ByteWriter one, two;
    cholesky(a)->save(one);
    cholesky(a)->save(two);
    EXPECT_EQ(one.bytes(), two.bytes());
}

// AVX2 and AVX-512 fuse multiplications and additions; fronts of every height up to 300, wider than a block of columns
// as well.
TEST(Cholesky, IsTheSameFactorUpToRoundingWithEveryInstructionSet) {
    for (const Csr& a : {testing::implicit_system(testing::tet_box(7, 5, 6), 1e-3), testing::random_spd(300, 40, 5),
                         testing::random_spd(61, 3, 6)}) {
        const std::vector<double> b = random_vector(a.rows(), 1);
        set_kernel_choice(Isa::baseline);
        const std::vector<double> plain = solve(*cholesky(a), b);
        EXPECT_LT(residual(a, b, plain), 1e-13);
        for (const Isa isa : {Isa::avx2, Isa::avx512}) {
            set_kernel_choice(isa);  // ignored where there is none
            const std::vector<double> fused = solve(*cholesky(a), b);
            EXPECT_LT(residual(a, b, fused), 1e-13);
            double most = 0.0, largest = 0.0;
            for (std::size_t i = 0; i < b.size(); ++i) {
                most = std::max(most, std::abs(fused[i] - plain[i]));
                largest = std::max(largest, std::abs(plain[i]));
            }
            EXPECT_LT(most, 1e-11 * largest);
        }
    }
    set_kernel_choice(best_isa());
}

TEST(Cholesky, SolvesDisconnectedParts) {
    // A forest of elimination trees: two bodies in one system, and unknowns tied to nothing.
    testing::Entries entries;
    const Csr part = testing::random_spd(40, 3, 9);
    for (std::int32_t copy = 0; copy < 2; ++copy) {
        for (std::size_t r = 0; r < part.rows(); ++r) {
            for (std::size_t e = static_cast<std::size_t>(part.starts[r]);
                 e < static_cast<std::size_t>(part.starts[r + 1]); ++e) {
                entries[{static_cast<std::int32_t>(2 * r) + copy, 2 * part.columns[e] + copy}] = part.values[e];
            }
        }
    }
    for (std::int32_t i = 80; i < 90; ++i) entries[{i, i}] = 2.0;
    const Csr a = testing::from_entries(90, entries);
    const std::vector<double> b = random_vector(90, 1);
    for (const FactorEngine engine : engines())
        EXPECT_LT(difference(solve(*cholesky(a, engine), b), dense_solve(a, b)), 1e-12);
}

TEST(Cholesky, NamesTheUnknownOfABadPivot) {
    // In a chain, unknown 17 alone is spoilt: whatever the ordering, eliminating it or its neighbours must fail there
    // or next to it.
    for (const FactorEngine engine : engines()) {
        Csr a = testing::chain(60, true);
        for (std::size_t e = static_cast<std::size_t>(a.starts[17]); e < static_cast<std::size_t>(a.starts[18]); ++e)
            if (a.columns[e] == 17) a.values[e] = -5.0;
        try {
            cholesky(a, engine);
            FAIL() << "an indefinite matrix was factored";
        } catch (const Error& e) {
            EXPECT_EQ(e.fault(), Fault::bad_mesh);
            EXPECT_NE(std::string(e.what()).find("unknown 17 "), std::string::npos) << e.what();
        }
    }
}

TEST(Cholesky, RefusesEveryPivotMutation) {
    // Each diagonal entry in turn made too small: elimination must notice wherever in a supernode it sits.
    const Csr good = testing::implicit_system(testing::tet_box(2, 2, 2), 1.0);
    for (const FactorEngine engine : engines()) {
        for (std::size_t i = 0; i < good.rows(); ++i) {
            Csr a = good;
            for (std::size_t e = static_cast<std::size_t>(a.starts[i]); e < static_cast<std::size_t>(a.starts[i + 1]);
                 ++e) {
                if (static_cast<std::size_t>(a.columns[e]) == i) a.values[e] = -a.values[e];
            }
            SCOPED_TRACE("unknown " + std::to_string(i));
            expect_error(Fault::bad_mesh, "the matrix is not positive definite", [&] { cholesky(a, engine); });
        }
    }
}

TEST(Cholesky, RefusesSingularAndNonFiniteMatrices) {
    // A free body: exactly singular in theory, while rounding leaves a tiny pivot of either sign.
    const testing::TetBox box = testing::tet_box(4, 3, 3);
    const Csr free_body = compress(box.stiffness, testing::all_unknowns(box.stiffness));
    for (const FactorEngine engine : engines()) {
        expect_error(Fault::bad_mesh, "the matrix is not positive definite", [&] { cholesky(free_body, engine); });
        expect_error(Fault::bad_mesh, "the matrix is not positive definite",
                     [&] { cholesky(testing::chain(50, false), engine); });
        Csr bad = testing::chain(50, true);
        bad.values[7] = std::nan("");
        expect_error(Fault::bad_mesh, "the system's entry (", [&] { cholesky(bad, engine); });
        Csr no_diagonal = testing::from_entries(2, {{{0, 1}, 1.0}, {{1, 0}, 1.0}});
        expect_error(Fault::bad_mesh, "the matrix is not positive definite", [&] { cholesky(no_diagonal, engine); });
    }
}

TEST(Cholesky, StopsWhenAsked) {
    struct Impatient : Progress {
        bool stop_requested() const override { return true; }
    } progress;
    for (const FactorEngine engine : engines()) {
        try {
            make_cholesky(testing::random_spd(100, 3, 1), engine, progress);
            FAIL();
        } catch (const Error& e) {
            EXPECT_EQ(e.fault(), Fault::interrupted);
        }
    }
}

TEST(Solvers, GiveTheSameBitsForOneAndTwoThreads) {
    const Csr a = testing::implicit_system(testing::tet_box(10, 9, 8), 1e-4);
    const std::vector<double> b = random_vector(a.rows(), 3);
    for (const SolverKind kind : {SolverKind::cholesky, SolverKind::pcg, SolverKind::gauss_seidel}) {
        Progress progress;
        set_thread_count(1);
        const std::vector<double> one = solve(*make_solver(a, {kind, 1e-8, 10000}, progress), b);
        set_thread_count(2);
        const std::vector<double> two = solve(*make_solver(a, {kind, 1e-8, 10000}, progress), b);
        set_thread_count(1);
        EXPECT_EQ(one, two);
    }
}

TEST(Solvers, GiveTheSameBitsWithEveryInstructionSet) {
    const Csr a = testing::implicit_system(testing::tet_box(7, 6, 5), 1e-3);
    const std::vector<double> b = random_vector(a.rows(), 3);
    const auto solver = cholesky(a);
    set_kernel_choice(Isa::baseline);
    const std::vector<double> plain = solve(*solver, b);
    for (const Isa isa : {Isa::avx2, Isa::avx512}) {
        set_kernel_choice(isa);
        EXPECT_EQ(plain, solve(*solver, b));
    }
    set_kernel_choice(best_isa());
}

#ifdef LIMBER_COUNTS_MALLOC
TEST(Solvers, NeverAllocateWhileSolving) {
    const Csr a = testing::implicit_system(testing::tet_box(6, 6, 6), 1e-4);
    const std::vector<double> b = random_vector(a.rows(), 3);
    set_thread_count(2);
    for (const SolverKind kind : {SolverKind::cholesky, SolverKind::pcg, SolverKind::gauss_seidel}) {
        Progress progress;
        const auto solver = make_solver(a, {kind, 1e-6, 1000}, progress);
        std::vector<double> x(b.size(), 0.0), scratch(solver->scratch_size());
        const long before = malloc_count.load();
        for (int i = 0; i < 3; ++i) solver->solve(b.data(), x.data(), scratch.data());
        EXPECT_EQ(malloc_count.load(), before);
    }
    set_thread_count(1);
    const long before = malloc_count.load();
    const std::vector<double> shows_that_the_counter_counts(100);
    [[maybe_unused]] const double* volatile seen = shows_that_the_counter_counts.data();  // or clang leaves it out
    EXPECT_GT(malloc_count.load(), before);
}
#endif

TEST(Solvers, HandleNoUnknownsAndOneUnknown) {
    Progress progress;
    for (const SolverKind kind :
         {SolverKind::cholesky, SolverKind::cholesky_float, SolverKind::pcg, SolverKind::gauss_seidel}) {
        const auto none = make_solver(Csr{}, {kind, 1e-10, 100}, progress);
        EXPECT_EQ(none->size(), 0u);
        none->solve(nullptr, nullptr, nullptr);
        const std::vector<double> four{4.0};
        EXPECT_EQ(solve(*make_solver(diagonal(four), {kind, 1e-10, 100}, progress), {2.0}), (std::vector<double>{0.5}));
    }
    EXPECT_EQ(cholesky(Csr{})->size(), 0u);
    EXPECT_EQ(solve(*cholesky(diagonal(std::vector<double>{4.0})), {2.0}), (std::vector<double>{0.5}));
    EXPECT_EQ(lowest_modes(Csr{}, Csr{}, {3}, progress).omega.size(), 0u);
    EXPECT_EQ(largest_frequency(Csr{}, *make_solver(Csr{}, {}, progress)), 0.0);
}

TEST(Diagonal, SystemsAreSolvedByDivisionAndCheckedFirst) {
    Progress progress;
    const std::vector<double> d{2.0, 4.0, 8.0};
    EXPECT_EQ(solve(*make_solver(diagonal(d), {}, progress), {1.0, 1.0, 1.0}), (std::vector<double>{0.5, 0.25, 0.125}));
    for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
        try {
            make_solver(diagonal(std::vector<double>{1.0, bad}), {}, progress);
            FAIL() << bad;
        } catch (const Error& e) {
            EXPECT_NE(std::string(e.what()).find("unknown 1 "), std::string::npos);
        }
    }
}

// Seventeen: two bundles of eight and one alone; eleven: one and a half-filled half. The columns differ, so that a
// mixed-up one shows.
TEST(LinearSolver, SolvesManyColumnsLikeOneAfterTheOther) {
    const Csr a = testing::random_spd(300, 5, 3);
    const std::size_t n = a.rows();
    Progress progress;
    for (const auto& [kind, count] : {std::pair{SolverKind::cholesky, 17u},
                                      {SolverKind::cholesky, 11u},
                                      {SolverKind::cholesky, 4u},
                                      {SolverKind::pcg, 17u}}) {
        const auto solver = make_solver(a, {kind, 1e-13, 1000}, progress);
        const std::vector<double> b = random_vector(n * count, 8);
        std::vector<double> x(n * count, 0.0);
        AlignedArray scratch(solver->many_scratch_size());
        solver->solve_many(b.data(), x.data(), count, scratch.data());
        for (std::size_t c = 0; c < count; ++c) {
            const auto at = static_cast<std::ptrdiff_t>(c * n), end = static_cast<std::ptrdiff_t>(c * n + n);
            const std::vector<double> mine(x.begin() + at, x.begin() + end);
            EXPECT_LT(difference(mine, solve(*solver, {b.begin() + at, b.begin() + end})), 1e-13) << "column " << c;
        }
    }
}

#ifdef LIMBER_COUNTS_MALLOC
TEST(DenseLu, SolvingOneColumnTakesNoMemory) {
    // Beyond 128 unknowns matrix libraries turn to temporaries of their own.
    DenseMatrix a(700, 700);
    a.values = random_vector(a.values.size(), 11);
    Progress silent;
    const DenseLu lu(std::move(a), silent, "factoring");
    std::vector<double> x = random_vector(700, 12);
    const long before = malloc_count.load();
    lu.solve(x.data());
    lu.solve_transposed(x.data());
    EXPECT_EQ(malloc_count.load(), before);
}
#endif

}  // namespace
}  // namespace limber
