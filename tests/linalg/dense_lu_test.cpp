#include "linalg/dense_lu.hpp"

#include "linalg/test_matrices.hpp"

#include <limber/error.hpp>
#include <limber/version.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace limber {
namespace {

DenseMatrix random_dense(std::size_t n, std::size_t m, std::uint64_t seed) {
    DenseMatrix a(n, m);
    a.values = testing::random_vector(n * m, seed);
    return a;
}

std::vector<double> product(const DenseMatrix& a, const double* x, bool transposed) {
    std::vector<double> y(transposed ? a.columns : a.rows, 0.0);
    for (std::size_t j = 0; j < a.columns; ++j)
        for (std::size_t i = 0; i < a.rows; ++i) y[transposed ? j : i] += a(i, j) * x[transposed ? i : j];
    return y;
}

double farthest(const std::vector<double>& a, const double* b) {
    double worst = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
    return worst;
}

// Counts calls; stops after `stop_after` of them.
class Watching : public Progress {
public:
    explicit Watching(int stop_after = 1 << 30) : left_(stop_after) {}
    void update(double fraction, std::string_view) override {
        rising = rising && fraction >= last;
        last = fraction;
        --left_;
    }
    bool stop_requested() const override { return left_ <= 0; }
    bool rising = true;
    double last = 0.0;

private:
    int left_;
};

TEST(DenseLu, SolvesWithTheMatrixAndItsTranspose) {
    // 1, smaller than a panel, its width and one beside it, several panels and more than one block of columns.
    for (const std::size_t n : {1u, 2u, 31u, 95u, 96u, 97u, 200u, 421u}) {
        const DenseMatrix a = random_dense(n, n, 7 + n);
        Watching progress;
        const DenseLu lu(a, progress, "factoring");
        EXPECT_TRUE(progress.rising);
        EXPECT_EQ(progress.last, 1.0);
        const std::vector<double> x = testing::random_vector(n, 3);
        const double allowed = 1e-14 * lu.condition() + 1e-13;
        for (const bool transposed : {false, true}) {
            std::vector<double> b = product(a, x.data(), transposed), twice = b;
            transposed ? lu.solve_transposed(b.data()) : lu.solve(b.data());
            EXPECT_LT(farthest(x, b.data()), allowed) << n;
            twice.insert(twice.end(), twice.begin(), twice.begin() + static_cast<std::ptrdiff_t>(n));
            transposed ? lu.solve_transposed(twice.data(), 2) : lu.solve(twice.data(), 2);
            EXPECT_LT(farthest(b, twice.data() + n), allowed) << n;
        }
    }
}

TEST(DenseLu, ManyColumnsAndTheFactorAreTheSameBitsForAnyNumberOfThreads) {
    const std::size_t n = 480, columns = 900;
    const DenseMatrix a = random_dense(n, n, 1), b = random_dense(n, columns, 2);
    DenseMatrix x[2] = {b, b};
    double condition[2];
    for (int threads : {1, 2}) {
        set_thread_count(threads);
        Watching progress;
        const DenseLu lu(a, progress, "factoring");
        condition[threads - 1] = lu.condition();
        lu.solve_columns(x[threads - 1], progress, "solving");
        EXPECT_EQ(progress.last, 1.0);
    }
    set_thread_count(1);
    EXPECT_EQ(x[0].values, x[1].values);
    EXPECT_EQ(condition[0], condition[1]);
    for (const std::size_t j : {0u, 191u, 192u, 899u})
        EXPECT_LT(farthest(product(a, x[0].column(j), false), b.column(j)), 1e-10) << j;
}

TEST(DenseLu, TheConditionEstimateIsNearTheTruth) {
    // A diagonal's condition is known; turned by a reflection on both sides it stays (in the 2-norm: within a factor n
    // in the 1-norm).
    Progress silent;
    for (const double wanted : {1.0, 1e4, 1e10}) {
        const std::size_t n = 60;
        DenseMatrix a(n, n);
        for (std::size_t i = 0; i < n; ++i)
            a(i, i) = std::pow(wanted, -static_cast<double>(i) / static_cast<double>(n - 1));
        EXPECT_NEAR(DenseLu(a, silent, "factoring").condition() / wanted, 1.0, 1e-6);
    }
    // And against the inverse itself, where entries vary in sign.
    const std::size_t n = 40;
    const DenseMatrix a = random_dense(n, n, 5);
    const DenseLu lu(a, silent, "factoring");
    DenseMatrix inverse(n, n);
    for (std::size_t i = 0; i < n; ++i) inverse(i, i) = 1.0;
    lu.solve_columns(inverse, silent, "solving");
    const auto norm = [](const DenseMatrix& m) {
        double most = 0.0;
        for (std::size_t j = 0; j < m.columns; ++j) {
            double sum = 0.0;
            for (std::size_t i = 0; i < m.rows; ++i) sum += std::abs(m(i, j));
            most = std::max(most, sum);
        }
        return most;
    };
    const double truth = norm(a) * norm(inverse);
    EXPECT_LE(lu.condition(), truth * (1.0 + 1e-12));
    EXPECT_GE(lu.condition(), truth / 3.0);
}

TEST(DenseLu, SingularMatricesAreRefusedByColumn) {
    Progress silent;
    const auto message = [&](DenseMatrix a) -> std::string {
        try {
            const DenseLu lu(std::move(a), silent, "factoring");
        } catch (const Error& e) {
            return e.fault() == Fault::bad_data ? e.what() : "another fault";
        }
        return "";
    };
    DenseMatrix zero_column = random_dense(130, 130, 3);
    for (std::size_t i = 0; i < 130; ++i) zero_column(i, 120) = 0.0;
    EXPECT_NE(message(zero_column).find("column 120"), std::string::npos) << message(zero_column);

    DenseMatrix no_rank = random_dense(
        130, 130, 4);  // the last column is the sum of the others: rounding keeps its pivot from zero
    for (std::size_t i = 0; i < 130; ++i) {
        no_rank(i, 129) = 0.0;
        for (std::size_t j = 0; j < 129; ++j) no_rank(i, 129) += no_rank(i, j);
    }
    EXPECT_NE(message(no_rank).find("column 129"), std::string::npos) << message(no_rank);

    DenseMatrix not_finite = random_dense(5, 5, 5);
    not_finite(2, 3) = NAN;
    EXPECT_NE(message(not_finite).find("column 3"), std::string::npos);
    EXPECT_NE(message(DenseMatrix(3, 4)).find("square"), std::string::npos);
    EXPECT_EQ(message(random_dense(130, 130, 3)), "");
    DenseMatrix scaled = random_dense(50, 50, 6);  // a column in other units is no reason to refuse
    for (std::size_t i = 0; i < 50; ++i) scaled(i, 7) *= 1e-20;
    EXPECT_EQ(message(scaled), "");
}

TEST(DenseLu, StopsWhenAsked) {
    const DenseMatrix a = random_dense(300, 300, 9);
    Watching soon(2);
    try {
        const DenseLu lu(a, soon, "factoring");
        ADD_FAILURE() << "did not stop";
    } catch (const Error& e) {
        EXPECT_EQ(e.fault(), Fault::interrupted);
    }
    EXPECT_LT(soon.last, 1.0);
}

}  // namespace
}  // namespace limber
