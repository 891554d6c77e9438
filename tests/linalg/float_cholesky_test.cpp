// The factor in single precision with its refinement, and sweeps over parts of the elimination tree.
#include "kernels/isa.hpp"
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

std::unique_ptr<LinearSolver> float_cholesky(const Csr& a, double tolerance = 1e-10, int most = 100) {
    Progress progress;
    return make_solver(a, {SolverKind::cholesky_float, tolerance, most}, progress);
}

SolveReport refined(const LinearSolver& solver, const std::vector<double>& b, std::vector<double>& x) {
    std::vector<double> scratch(solver.scratch_size());
    return solver.solve(b.data(), x.data(), scratch.data());
}

Csr scaled(Csr a, double s) {
    for (double& v : a.values) v *= s;
    return a;
}

TEST(FloatCholesky, ReachesTheToleranceInTwoOrThreeSweepsAtHalfTheMemory) {
    const Csr a = testing::implicit_system(testing::tet_box(9, 5, 5), 1e-3);
    const std::vector<double> b = random_vector(a.rows(), 3);
    const auto solver = float_cholesky(a);
    std::vector<double> x(b.size(), 0.0);
    const SolveReport report = refined(*solver, b, x);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, 3);
    EXPECT_GE(report.iterations, 2);  // one sweep cannot: it would mean that this is not single precision
    EXPECT_LT(residual(a, b, x), 1e-10);
    EXPECT_NEAR(report.residual, residual(a, b, x), 1e-13);
    EXPECT_STREQ(solver->name(), "cholesky_float");
    Progress progress;
    const PackedFactor whole(a, analyse(a), FactorEngine::own, progress);
    const PackedFactorFloat half(a, analyse(a), FactorEngine::own, progress);
    EXPECT_LT(static_cast<double>(half.bytes()), 0.65 * static_cast<double>(whole.bytes()));
}

// The matrix is kept in blocks where it has any; what is saved must not depend on it.
TEST(FloatCholesky, SolvesAsBeforeWhenReadBack) {
    const Csr a = testing::implicit_system(testing::tet_box(5, 4, 4), 1e-3);
    ASSERT_GT(as_blocks(a).rows(), 0u);
    const std::vector<double> b = random_vector(a.rows(), 8);
    const auto solver = float_cholesky(a);
    ByteWriter out, again;
    solver->save(out);
    ByteReader in(out.bytes());
    const auto loaded = load_solver(in);
    loaded->save(again);
    EXPECT_EQ(out.bytes(), again.bytes());
    std::vector<double> x(b.size(), 0.0), y(b.size(), 0.0);
    EXPECT_EQ(refined(*solver, b, x).iterations, refined(*loaded, b, y).iterations);
    EXPECT_EQ(x, y);
}

// A step's first guess is the last step's answer: what is right in it need not be found again. One that is worse than
// none is dropped.
TEST(FloatCholesky, StartsFromTheGuess) {
    const Csr a = testing::implicit_system(testing::tet_box(6, 4, 4), 1e-3);
    const std::vector<double> b = random_vector(a.rows(), 4);
    const auto solver = float_cholesky(a);
    std::vector<double> exact(b.size(), 0.0);
    refined(*float_cholesky(a, 1e-14), b, exact);
    std::vector<double> x = exact;
    EXPECT_EQ(refined(*solver, b, x).iterations, 0);
    EXPECT_EQ(x, exact);
    for (double& v : x) v *= 1.0 + 1e-5;
    EXPECT_EQ(refined(*solver, b, x).iterations, 1);
    for (double& v : x) v = 1e30;
    EXPECT_TRUE(refined(*solver, b, x).converged);
    EXPECT_LT(residual(a, b, x), 1e-10);
    std::vector<double> nothing(b.size(), 0.0);
    EXPECT_EQ(refined(*solver, nothing, x).iterations, 0);
    EXPECT_EQ(x, nothing);
}

// Entries far outside of what a float can hold: the factor is scaled, so the digits are the same.
TEST(FloatCholesky, DoesNotCareAboutUnits) {
    const Csr a = testing::implicit_system(testing::tet_box(4, 3, 3), 1e-3);
    const std::vector<double> b = random_vector(a.rows(), 5);
    for (const double s : {1e-90, 1e90}) {
        std::vector<double> x(b.size(), 0.0);
        const Csr other = scaled(a, s);
        const SolveReport report = refined(*float_cholesky(other), b, x);
        EXPECT_TRUE(report.converged) << s;
        EXPECT_LE(report.iterations, 3) << s;
        EXPECT_LT(residual(other, b, x), 1e-10) << s;
    }
}

// A soft chain with nothing but its ends held, times a stiff one: refinement alone stalls there, conjugate gradients go
// on. Where even they do not arrive the report says so, with the true residual.
TEST(FloatCholesky, IsHonestAboutIllConditionedSystems) {
    const std::size_t n = 20000;
    const Csr a = testing::chain(n, true);  // condition 1.6e8, above what seven digits can take
    const std::vector<double> b = random_vector(n, 6);
    std::vector<double> x(n, 0.0);
    const SolveReport report = refined(*float_cholesky(a, 1e-10, 500), b, x);
    EXPECT_GT(report.iterations, 3);
    EXPECT_NEAR(report.residual, residual(a, b, x), 1e-3 * report.residual);
    EXPECT_EQ(report.converged, report.residual <= 1e-10);
    std::fill(x.begin(), x.end(), 0.0);
    const SolveReport brief = refined(*float_cholesky(a, 1e-14, 2), b, x);
    EXPECT_FALSE(brief.converged);
    EXPECT_NEAR(brief.residual, residual(a, b, x), 1e-3 * brief.residual);
}

TEST(FloatCholesky, RefusesAnIndefiniteMatrixByItsUnknown) {
    Csr a = testing::random_spd(40, 3, 9);
    for (auto e = static_cast<std::size_t>(a.starts[17]); e < static_cast<std::size_t>(a.starts[18]); ++e)
        if (a.columns[e] == 17) a.values[e] = -1.0;
    try {
        float_cholesky(a);
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.fault(), Fault::bad_mesh);
        EXPECT_NE(std::string(e.what()).find("not positive definite"), std::string::npos) << e.what();
    }
}

// Parts are swept by whoever is free; each has its own copy of what they share, added in order. All kernels add in the
// same order.
TEST(PackedFactor, GivesTheSameBitsOnAnyNumberOfThreadsAndEveryInstructionSet) {
    const Csr a = testing::implicit_system(testing::tet_box(16, 8, 8), 1e-3);
    const std::vector<double> b = random_vector(8 * a.rows(), 7);
    Progress progress;
    const Symbolic symbolic = analyse(a);
    const PackedFactor whole(a, symbolic, FactorEngine::own, progress);
    const PackedFactorFloat half(a, symbolic, FactorEngine::own, progress);
    ASSERT_GE(whole.part_count(), 2u);
    ASSERT_GE(half.part_count(), 2u);
    std::vector<std::vector<double>> answers;
    for (const int threads : {1, 2, 3}) {
        for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
            set_thread_count(threads);
            set_kernel_choice(isa);
            std::vector<double> x(a.rows()), y(a.rows()), many(b.size()), scratch(whole.scratch_size());
            std::vector<float> single(half.scratch_size());
            AlignedArray bundle(kBundle * whole.scratch_size());
            whole.solve(b.data(), x.data(), scratch.data());
            half.solve(b.data(), y.data(), single.data());
            whole.solve_bundle(b.data(), many.data(), kBundle, bundle.data());
            EXPECT_LT(residual(a, {b.begin(), b.begin() + static_cast<std::ptrdiff_t>(a.rows())}, x), 1e-13);
            EXPECT_LT(residual(a, {b.begin(), b.begin() + static_cast<std::ptrdiff_t>(a.rows())}, y), 1e-4);
            x.insert(x.end(), y.begin(), y.end());
            x.insert(x.end(), many.begin(), many.end());
            answers.push_back(x);
            EXPECT_EQ(answers.back(), answers.front()) << threads << " threads";
        }
    }
    set_thread_count(1);
    set_kernel_choice(best_isa());
}

// Whatever was there before must not shine through: padding, triangles, all of it.
TEST(PackedFactor, CanBeFactoredAgainInItsPlace) {
    const testing::TetBox box = testing::tet_box(6, 5, 4);
    const Csr a = testing::implicit_system(box, 1e-3), other = testing::implicit_system(box, 3e-2);
    const Symbolic symbolic = analyse(a);
    Progress progress;
    PackedFactor again(other, symbolic, FactorEngine::own, progress);
    again.factor_again(a, symbolic, FactorEngine::own, progress);
    ByteWriter one, two;
    again.save(one);
    PackedFactor(a, symbolic, FactorEngine::own, progress).save(two);
    EXPECT_EQ(one.bytes(), two.bytes());
}

// Subtrees are factored by whoever is free; every front is the same arithmetic.
TEST(PackedFactor, IsTheSameFactorOnAnyNumberOfThreads) {
    const Csr a = testing::implicit_system(testing::tet_box(16, 8, 8), 1e-3);
    std::vector<std::vector<std::uint8_t>> bytes;
    for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        Progress progress;
        ByteWriter out;
        PackedFactor(a, analyse(a), FactorEngine::own, progress).save(out);
        bytes.push_back(out.bytes());
        EXPECT_EQ(bytes.back(), bytes.front()) << threads << " threads";
    }
    // An indefinite one is refused with the same words, wherever its bad pivot is.
    std::vector<std::string> words;
    for (const std::int32_t at : {5, 1500, 3000}) {
        for (const int threads : {1, 2}) {
            set_thread_count(threads);
            Csr bad = a;
            for (auto e = static_cast<std::size_t>(bad.starts[static_cast<std::size_t>(at)]);
                 e < static_cast<std::size_t>(bad.starts[static_cast<std::size_t>(at) + 1]); ++e) {
                if (bad.columns[e] == at) bad.values[e] = -1.0;
            }
            try {
                Progress progress;
                const PackedFactor factor(bad, analyse(bad), FactorEngine::own, progress);
                ADD_FAILURE() << at;
            } catch (const Error& e) {
                words.push_back(e.what());
                EXPECT_EQ(words.back(), words[words.size() - 1 - (threads == 2 ? 1 : 0)]);
            }
        }
    }
    set_thread_count(1);
}

}  // namespace
}  // namespace limber
