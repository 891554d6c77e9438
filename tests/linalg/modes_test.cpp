#include "expect_error.hpp"
#include "linalg/solvers.hpp"
#include "linalg/test_matrices.hpp"

#include <limber/error.hpp>
#include <limber/version.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

const double kPi = std::acos(-1.0);

Csr unit_mass(std::size_t n) { return diagonal(std::vector<double>(n, 1.0)); }

// A membrane of n x n unit masses, all four sides held: omega^2 = 4 sin^2(p h) + 4 sin^2(q h), p and q exchangeable.
Csr membrane(std::int32_t n) {
    testing::Entries entries;
    for (std::int32_t i = 0; i < n; ++i) {
        for (std::int32_t j = 0; j < n; ++j) {
            const std::int32_t at = i * n + j;
            entries[{at, at}] = 4.0;
            if (j + 1 < n) entries[{at, at + 1}] = entries[{at + 1, at}] = -1.0;
            if (i + 1 < n) entries[{at, at + n}] = entries[{at + n, at}] = -1.0;
        }
    }
    return testing::from_entries(static_cast<std::size_t>(n * n), entries);
}

std::vector<double> membrane_frequencies(int n) {
    std::vector<double> omega;
    for (int p = 1; p <= n; ++p) {
        for (int q = 1; q <= n; ++q) {
            const double a = 2.0 * std::sin(p * kPi / (2.0 * (n + 1))), b = 2.0 * std::sin(q * kPi / (2.0 * (n + 1)));
            omega.push_back(std::sqrt(a * a + b * b));
        }
    }
    std::sort(omega.begin(), omega.end());
    return omega;
}

void expect_orthonormal(const Eigenpairs& e, const Csr& m) {
    const std::size_t n = m.rows(), count = e.omega.size();
    std::vector<double> mv(n);
    for (std::size_t j = 0; j < count; ++j) {
        multiply(m, e.shapes.data() + j * n, mv.data());
        for (std::size_t i = 0; i < count; ++i) {
            double sum = 0.0;
            for (std::size_t k = 0; k < n; ++k) sum += e.shapes[i * n + k] * mv[k];
            EXPECT_NEAR(sum, i == j ? 1.0 : 0.0, 1e-10) << i << ", " << j;
        }
    }
}

TEST(LowestModes, OfAChainFollowTheClosedForm) {
    const std::size_t n = 120;
    Progress progress;
    const Eigenpairs e = lowest_modes(testing::chain(n, true), unit_mass(n), {10}, progress);
    ASSERT_EQ(e.omega.size(), 10u);
    for (std::size_t k = 0; k < 10; ++k) {
        EXPECT_NEAR(e.omega[k], 2.0 * std::sin(static_cast<double>(k + 1) * kPi / (2.0 * (n + 1))), 1e-11);
        EXPECT_LT(e.residual[k], 1e-8);
        // The shape is a sine; its largest entry is positive.
        const double norm = std::sqrt(2.0 / (n + 1));
        for (std::size_t i = 0; i < n; ++i) {
            const double sine = norm * std::sin(static_cast<double>((k + 1) * (i + 1)) * kPi / (n + 1));
            EXPECT_NEAR(std::abs(e.shapes[k * n + i]), std::abs(sine), 1e-9);
        }
    }
    expect_orthonormal(e, unit_mass(n));
}

TEST(LowestModes, FindBothCopiesOfRepeatedFrequencies) {
    // Single-vector Lanczos finds the second copy only by luck of rounding.
    const int n = 30;
    const std::vector<double> expected = membrane_frequencies(n);
    Progress progress;
    const Eigenpairs e = lowest_modes(membrane(n), unit_mass(static_cast<std::size_t>(n) * n), {25}, progress);
    for (std::size_t k = 0; k < 25; ++k) {
        EXPECT_NEAR(e.omega[k], expected[k], 1e-10 * expected[k]) << k;
        EXPECT_LT(e.residual[k], 1e-8);
    }
    expect_orthonormal(e, unit_mass(static_cast<std::size_t>(n) * n));
}

TEST(LowestModes, HaveOneBasisForRepeatedFrequenciesWhateverFoundThem) {
    // Of a pair any two mixtures are modes; start vectors and block sizes choose them at will.
    const int n = 14;
    const Csr k = membrane(n), m = unit_mass(static_cast<std::size_t>(n) * n);
    Progress progress;
    ModeSettings settings;
    settings.count = 12;
    const Eigenpairs first = lowest_modes(k, m, settings, progress);
    EXPECT_EQ(first.omega[1], first.omega[2]);
    for (const std::size_t block : std::initializer_list<std::size_t>{4, 6, 8}) {
        for (const std::uint64_t seed : {20u, 3u}) {
            settings.block = block;
            settings.seed = seed;
            const Eigenpairs other = lowest_modes(k, m, settings, progress);
            ASSERT_EQ(other.omega.size(), first.omega.size());
            for (std::size_t i = 0; i < first.shapes.size(); ++i) {
                ASSERT_NEAR(other.shapes[i], first.shapes[i], 1e-6)
                    << "block " << block << ", seed " << seed << ", " << i;
            }
        }
    }
}

TEST(LowestModes, OfAFreeBodyBeginWithSixZeros) {
    const testing::TetBox box = testing::tet_box(6, 5, 5, {1.0, 0.9, 0.9});
    const Csr k = compress(box.stiffness, testing::all_unknowns(box.stiffness)), m = diagonal(box.mass);
    Progress progress;
    const Eigenpairs e = lowest_modes(k, m, {12}, progress);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(e.omega[i], 0.0);
    EXPECT_GT(e.omega[6], 1.0);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_LT(e.residual[i], 1e-8);
    for (std::size_t i = 1; i < 12; ++i) EXPECT_LE(e.omega[i - 1], e.omega[i]);
    expect_orthonormal(e, m);
}

TEST(LowestModes, OfAHeldBodyAgreeWithTheWholeSpectrum) {
    // Asking for everything takes another path (the basis fills the space): both must tell the same.
    const testing::TetBox box = testing::tet_box(3, 2, 2);
    std::vector<double> mass;
    for (const std::int32_t i : box.held_free) mass.push_back(box.mass[static_cast<std::size_t>(i)]);
    const Csr k = compress(box.stiffness, box.held_free), m = diagonal(mass);
    Progress progress;
    const Eigenpairs all = lowest_modes(k, m, {1000}, progress), few = lowest_modes(k, m, {7}, progress);
    ASSERT_EQ(all.omega.size(), k.rows());
    for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(few.omega[i], all.omega[i], 1e-10 * all.omega[i]);
    double squares = 0.0, trace = 0.0;
    for (const double w : all.omega) squares += w * w;
    for (std::size_t r = 0; r < k.rows(); ++r) {
        for (std::size_t e = static_cast<std::size_t>(k.starts[r]); e < static_cast<std::size_t>(k.starts[r + 1]); ++e)
            if (static_cast<std::size_t>(k.columns[e]) == r) trace += k.values[e] / mass[r];
    }
    EXPECT_NEAR(squares, trace, 1e-9 * trace);
}

TEST(LowestModes, HaveTheSameBitsForOneAndTwoThreads) {
    const testing::TetBox box = testing::tet_box(8, 5, 5);
    const Csr k = compress(box.stiffness, testing::all_unknowns(box.stiffness)), m = diagonal(box.mass);
    Progress progress;
    set_thread_count(1);
    const Eigenpairs one = lowest_modes(k, m, {9}, progress);
    set_thread_count(2);
    const Eigenpairs two = lowest_modes(k, m, {9}, progress);
    set_thread_count(1);
    EXPECT_EQ(one.omega, two.omega);
    EXPECT_EQ(one.shapes, two.shapes);
}

TEST(LowestModes, RefuseAMasslessUnknown) {
    Progress progress;
    std::vector<double> mass(10, 1.0);
    mass[4] = 0.0;
    expect_error(Fault::bad_mesh, "unknown 4 has mass 0",
                 [&] { lowest_modes(testing::chain(10, true), diagonal(mass), {2}, progress); });
}

TEST(LargestFrequency, OfAChainFollowsTheClosedForm) {
    // The top of this spectrum is crowded: relative gaps of about 1/n^2.
    Progress progress;
    for (const std::size_t n : std::initializer_list<std::size_t>{1, 2, 7, 300}) {
        const auto mass = make_solver(unit_mass(n), {}, progress);
        const double exact = 2.0 * std::sin(static_cast<double>(n) * kPi / (2.0 * static_cast<double>(n + 1)));
        EXPECT_NEAR(largest_frequency(testing::chain(n, true), *mass), exact, 1e-6 * exact) << n;
        EXPECT_NEAR(largest_frequency(testing::chain(n, true), *mass, 1e-3), exact, 1e-3 * exact) << n;
    }
}

TEST(LargestFrequency, CopesWithAMatrixAsMass) {
    const std::size_t n = 80;
    const Csr k = testing::chain(n, true),
              m = add(1.0, diagonal(std::vector<double>(n, 1.0)), -1.0 / 6.0, k);  // linear elements' mass
    Progress progress;
    const auto mass = make_solver(m, {}, progress);
    const double top = 2.0 * std::sin(n * kPi / (2.0 * (n + 1))), squared = top * top / (1.0 - top * top / 6.0);
    std::vector<double> shape;
    EXPECT_NEAR(largest_frequency(k, *mass, 1e-6, &shape, &m), std::sqrt(squared), 1e-9 * std::sqrt(squared));
    std::vector<double> ku(n), mu(n);
    multiply(k, shape.data(), ku.data());
    multiply(m, shape.data(), mu.data());
    double norm = 0.0, error = 0.0, size = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        norm += shape[i] * mu[i];
        error += std::pow(ku[i] - squared * mu[i], 2);
        size += ku[i] * ku[i];
    }
    EXPECT_NEAR(norm, 1.0, 1e-10);
    EXPECT_LT(std::sqrt(error / size), 1e-7);
}

TEST(LargestFrequency, OfAMembraneWhoseTopIsClustered) {
    const int n = 40;
    Progress progress;
    const auto mass = make_solver(unit_mass(static_cast<std::size_t>(n) * n), {}, progress);
    const double exact = membrane_frequencies(n).back();
    EXPECT_NEAR(largest_frequency(membrane(n), *mass), exact, 1e-6 * exact);
}

}  // namespace
}  // namespace limber
