#include "expect_error.hpp"
#include "linalg/solvers.hpp"
#include "linalg/test_matrices.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

struct Solution {
    std::vector<double> x;
    SolveReport report;
};

Solution run(const Csr& a, const std::vector<double>& b, SolverSettings settings, std::vector<double> x = {}) {
    Progress progress;
    const auto solver = make_solver(a, settings, progress);
    x.resize(b.size(), 0.0);
    std::vector<double> scratch(solver->scratch_size());
    const SolveReport report = solver->solve(b.data(), x.data(), scratch.data());
    return {x, report};
}

TEST(Iterative, ResidualReportedIsTheTrueOneAndBelowTolerance) {
    const Csr a = testing::implicit_system(testing::tet_box(5, 5, 5), 1e-4);
    const std::vector<double> b = testing::random_vector(a.rows(), 2);
    for (const SolverKind kind : {SolverKind::pcg, SolverKind::gauss_seidel}) {
        for (const double tolerance : {1e-3, 1e-10}) {
            const Solution s = run(a, b, {kind, tolerance, 10000});
            EXPECT_TRUE(s.report.converged);
            EXPECT_GT(s.report.iterations, 0);
            EXPECT_LE(s.report.residual, 1.1 * tolerance);
            EXPECT_NEAR(s.report.residual, testing::residual(a, b, s.x), 1e-3 * s.report.residual + 1e-15);
        }
    }
}

TEST(GaussSeidel, IterationsFollowTheSpectralRadiusOfTheChain) {
    // For the chain with both ends held the sweep's spectral radius is cos^2(pi / (n + 1)): the count has a closed
    // form.
    const std::size_t n = 20;
    const Csr a = testing::chain(n, true);
    std::vector<double> b(n);
    const double angle = std::acos(-1.0) / static_cast<double>(n + 1);
    for (std::size_t i = 0; i < n; ++i) b[i] = std::sin(angle * static_cast<double>(i + 1));
    const double per_sweep = -std::log10(std::pow(std::cos(angle), 2));
    const int coarse = run(a, b, {SolverKind::gauss_seidel, 1e-4, 100000}).report.iterations;
    const int fine = run(a, b, {SolverKind::gauss_seidel, 1e-8, 100000}).report.iterations;
    EXPECT_NEAR(fine - coarse, 4.0 / per_sweep, 2.0);
}

TEST(GaussSeidel, OneSweepIsForwardSubstitutionFromTheFirstGuess) {
    const Csr a = testing::random_spd(12, 3, 4);
    const std::vector<double> b = testing::random_vector(12, 5), guess = testing::random_vector(12, 6);
    std::vector<double> expected = guess;
    for (std::size_t i = 0; i < 12; ++i) {
        double sum = b[i], diagonal_entry = 0.0;
        for (std::size_t e = static_cast<std::size_t>(a.starts[i]); e < static_cast<std::size_t>(a.starts[i + 1]);
             ++e) {
            const std::size_t j = static_cast<std::size_t>(a.columns[e]);
            if (j == i)
                diagonal_entry = a.values[e];
            else
                sum -= a.values[e] * expected[j];
        }
        expected[i] = sum / diagonal_entry;
    }
    const Solution s = run(a, b, {SolverKind::gauss_seidel, 1e-14, 1}, guess);
    EXPECT_EQ(s.report.iterations, 1);
    EXPECT_FALSE(s.report.converged);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(s.x[i], expected[i], 1e-14);
}

TEST(ConjugateGradients, NeedFarFewerIterationsThanGaussSeidel) {
    const Csr a = testing::implicit_system(testing::tet_box(8, 8, 8), 1e-2);
    const std::vector<double> b = testing::random_vector(a.rows(), 2);
    const int pcg = run(a, b, {SolverKind::pcg, 1e-8, 10000}).report.iterations;
    const int sweeps = run(a, b, {SolverKind::gauss_seidel, 1e-8, 10000}).report.iterations;
    EXPECT_LT(3 * pcg, sweeps);
    EXPECT_LT(pcg, 80);
}

TEST(ConjugateGradients, EndInAtMostNStepsOnASmallSystem) {
    const Csr a = testing::random_spd(15, 4, 3);
    const std::vector<double> b = testing::random_vector(15, 5);
    const Solution s = run(a, b, {SolverKind::pcg, 1e-12, 100});
    EXPECT_TRUE(s.report.converged);
    EXPECT_LE(s.report.iterations, 16);
}

TEST(Iterative, AGoodFirstGuessCostsNothing) {
    const Csr a = testing::random_spd(50, 3, 1);
    const std::vector<double> b = testing::random_vector(50, 5);
    for (const SolverKind kind : {SolverKind::pcg, SolverKind::gauss_seidel}) {
        const Solution first = run(a, b, {kind, 1e-12, 10000});
        const Solution again = run(a, b, {kind, 1e-11, 10000}, first.x);
        EXPECT_EQ(again.report.iterations, 0);
        EXPECT_EQ(again.x, first.x);
    }
}

TEST(Iterative, NothingPushingMeansNoMotion) {
    const Csr a = testing::random_spd(10, 3, 1);
    for (const SolverKind kind : {SolverKind::pcg, SolverKind::gauss_seidel}) {
        const Solution s = run(a, std::vector<double>(10, 0.0), {kind, 1e-10, 100}, std::vector<double>(10, 3.0));
        EXPECT_EQ(s.x, std::vector<double>(10, 0.0));
        EXPECT_TRUE(s.report.converged);
    }
}

TEST(Iterative, SaysWhenItDidNotConverge) {
    const Csr a = testing::chain(200, true);
    const std::vector<double> b(200, 1.0);
    for (const SolverKind kind : {SolverKind::pcg, SolverKind::gauss_seidel}) {
        const Solution s = run(a, b, {kind, 1e-12, 2});
        EXPECT_FALSE(s.report.converged);
        EXPECT_EQ(s.report.iterations, 2);
        EXPECT_GT(s.report.residual, 1e-12);
    }
}

TEST(Iterative, RefusesAMatrixWithoutPositiveDiagonal) {
    Progress progress;
    Csr a = testing::chain(5, true);
    a.values[0] = -1.0;
    for (const SolverKind kind : {SolverKind::pcg, SolverKind::gauss_seidel}) {
        try {
            make_solver(a, {kind, 1e-8, 10}, progress);
            FAIL();
        } catch (const Error& e) {
            EXPECT_NE(std::string(e.what()).find("unknown 0 "), std::string::npos);
        }
        expect_error(Fault::bad_option, "tolerance 0 and 10 iterations", [&] {
            make_solver(testing::chain(5, true), {kind, 0.0, 10}, progress);
        });
    }
}

}  // namespace
}  // namespace limber
