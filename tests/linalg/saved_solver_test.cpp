#include "linalg/solvers.hpp"
#include "linalg/test_matrices.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

std::vector<std::uint8_t> saved(const Csr& a, SolverKind kind) {
    Progress progress;
    ByteWriter out;
    make_solver(a, {kind, 1e-8, 50}, progress)->save(out);
    return out.bytes();
}

std::vector<double> solved(const LinearSolver& solver, const std::vector<double>& b) {
    std::vector<double> x(b.size(), 0.0), scratch(solver.scratch_size());
    solver.solve(b.data(), x.data(), scratch.data());
    return x;
}

constexpr SolverKind kKinds[] = {SolverKind::cholesky, SolverKind::cholesky_float, SolverKind::pcg,
                                 SolverKind::gauss_seidel};

TEST(SavedSolver, SolvesWithTheSameBits) {
    const Csr a = testing::implicit_system(testing::tet_box(5, 4, 4), 1e-3);
    const std::vector<double> b = testing::random_vector(a.rows(), 2);
    for (const SolverKind kind : kKinds) {
        Progress progress;
        const auto before = make_solver(a, {kind, 1e-8, 50}, progress);
        ByteWriter out;
        before->save(out);
        ByteReader in(out.bytes());
        const auto after = load_solver(in);
        EXPECT_EQ(in.left(), 0u);
        EXPECT_EQ(solved(*before, b), solved(*after, b));
        EXPECT_EQ(before->bytes(), after->bytes());
    }
    const std::vector<double> d{1.0, 3.0};
    const std::vector<std::uint8_t> bytes = saved(diagonal(d), SolverKind::cholesky);
    ByteReader in(bytes);
    EXPECT_EQ(solved(*load_solver(in), {1.0, 1.0}), (std::vector<double>{1.0, 1.0 / 3.0}));
}

// Loads damaged bytes: Error{bad_data} is the only way to refuse; what is accepted must be safe to run.
bool accepted(const std::vector<std::uint8_t>& bytes) {
    try {
        ByteReader in(bytes);
        const auto solver = load_solver(in);
        if (solver->size() < 100000) solved(*solver, std::vector<double>(solver->size(), 1.0));
        return true;
    } catch (const Error& e) {
        EXPECT_EQ(e.fault(), Fault::bad_data);
        return false;
    }
}

TEST(SavedSolver, EveryDamagedByteOfAFactorIsNoticed) {
    // The lists of indices are what could crash a solve, the numbers what could spoil it silently.
    const std::vector<std::uint8_t> good = saved(testing::implicit_system(testing::tet_box(2, 2, 1), 1e-3),
                                                 SolverKind::cholesky);
    ASSERT_TRUE(accepted(good));
    for (std::size_t i = 0; i < good.size(); ++i) {
        for (const int flip : {0x01, 0x80, 0xff}) {
            std::vector<std::uint8_t> bad = good;
            bad[i] = static_cast<std::uint8_t>(bad[i] ^ flip);
            EXPECT_FALSE(accepted(bad)) << "byte " << i << " of " << good.size();
        }
    }
}

TEST(SavedSolver, EveryTruncationIsNoticed) {
    for (const SolverKind kind : kKinds) {
        const std::vector<std::uint8_t> good = saved(testing::chain(12, true), kind);
        for (std::size_t n = 0; n < good.size(); ++n) {
            EXPECT_FALSE(
                accepted(std::vector<std::uint8_t>(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n))))
                << n;
        }
    }
}

TEST(SavedSolver, DamagedMatricesOfIterativeSolversNeverCrash) {
    for (const SolverKind kind : {SolverKind::pcg, SolverKind::gauss_seidel}) {
        const std::vector<std::uint8_t> good = saved(testing::chain(12, true), kind);
        ASSERT_TRUE(accepted(good));
        for (std::size_t i = 0; i < good.size(); ++i) {
            for (const int flip : {0x01, 0x80, 0xff}) {
                std::vector<std::uint8_t> bad = good;
                bad[i] = static_cast<std::uint8_t>(bad[i] ^ flip);
                accepted(bad);
            }
        }
    }
}

}  // namespace
}  // namespace limber
