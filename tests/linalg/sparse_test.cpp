#include "linalg/sparse.hpp"
#include "kernels/isa.hpp"
#include "linalg/ordering.hpp"
#include "linalg/test_matrices.hpp"

#include <limber/version.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

BlockCsr random_blocks(int block, std::size_t rows, std::uint64_t seed) {
    testing::Random random(seed);
    BlockCsr a;
    a.block = block;
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < rows; ++c) {
            if (r != c && random() < 0.6) continue;
            a.columns.push_back(static_cast<std::int32_t>(c));
            for (int i = 0; i < block * block; ++i) a.values.push_back(random());
        }
        a.starts.push_back(static_cast<std::int32_t>(a.columns.size()));
    }
    return a;
}

std::vector<double> dense_of(const BlockCsr& a) {
    const std::size_t n = a.size(), b = static_cast<std::size_t>(a.block);
    std::vector<double> d(n * n, 0.0);
    for (std::size_t r = 0; r < a.rows(); ++r) {
        for (std::size_t e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]);
             ++e) {
            for (std::size_t i = 0; i < b; ++i) {
                for (std::size_t j = 0; j < b; ++j)
                    d[(b * r + i) * n + b * static_cast<std::size_t>(a.columns[e]) + j] = a.values[(e * b + i) * b + j];
            }
        }
    }
    return d;
}

TEST(BlockCsr, ProductsEqualTheDenseOnes) {
    // 2 and 3 take different code paths, and the last column of a 3x3 block is the easy one to lose.
    for (const int block : {2, 3}) {
        const BlockCsr a = random_blocks(block, 11, 5);
        const std::size_t n = a.size();
        const std::vector<double> d = dense_of(a), x = testing::random_vector(n, 1),
                                  start = testing::random_vector(n, 2);
        std::vector<double> y(n), added = start, some(n, 42.0);
        multiply(a, x.data(), y.data());
        multiply_add(a, -0.5, x.data(), added.data());
        const std::vector<std::int32_t> rows{3, 7};
        multiply_rows(a, rows, x.data(), some.data());
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0.0;
            for (std::size_t j = 0; j < n; ++j) sum += d[i * n + j] * x[j];
            EXPECT_NEAR(y[i], sum, 1e-13);
            EXPECT_NEAR(added[i], start[i] - 0.5 * sum, 1e-13);
            const std::size_t row = i / static_cast<std::size_t>(block);
            EXPECT_NEAR(some[i], row == 3 || row == 7 ? sum : 42.0, 1e-13);
        }
    }
}

TEST(BlockCsr, ProductHasTheSameBitsForOneAndTwoThreads) {
    const testing::TetBox box = testing::tet_box(9, 8, 7);
    const std::vector<double> x = testing::random_vector(box.stiffness.size(), 4);
    std::vector<double> one(x.size()), two(x.size(), -1.0);
    set_thread_count(1);
    multiply(box.stiffness, x.data(), one.data());
    set_thread_count(2);
    multiply(box.stiffness, x.data(), two.data());
    set_thread_count(1);
    EXPECT_EQ(one, two);
}

TEST(BlockCsr, ProductHasTheSameBitsWithEveryInstructionSet) {
    const BlockCsr a = random_blocks(3, 23, 6);
    const std::vector<double> x = testing::random_vector(a.size(), 4);
    std::vector<double> plain(x.size()), wide(x.size(), -1.0), plain_added = x, wide_added = x;
    set_kernel_choice(Isa::baseline);
    multiply(a, x.data(), plain.data());
    multiply_add(a, 0.3, x.data(), plain_added.data());
    set_kernel_choice(best_isa());
    multiply(a, x.data(), wide.data());
    multiply_add(a, 0.3, x.data(), wide_added.data());
    EXPECT_EQ(plain, wide);
    EXPECT_EQ(plain_added, wide_added);
}

TEST(BlockCsr, NoRowsIsNoWork) {
    const BlockCsr a;
    multiply(a, nullptr, nullptr);
    EXPECT_EQ(compress(a, {}).rows(), 0u);
}

TEST(Compress, KeepsTheNamedUnknownsInOrderAndMakesBothHalvesEqual) {
    // Assembly may round (i, j) to zero and (j, i) not: a pattern that differs between halves breaks a factorisation.
    BlockCsr a = testing::tet_box(2, 1, 1).stiffness;
    a.values[1] = 0.0;                // (0, 1)
    a.values[3] = 0.25;               // (1, 0)
    a.values[2] = a.values[6] = 0.0;  // (0, 2) and (2, 0)
    const std::vector<std::int32_t> keep{0, 1, 2, 5, 6, 13, 20};
    const Csr c = compress(a, keep);
    const std::vector<double> d = dense_of(a);
    const std::size_t n = a.size();
    ASSERT_EQ(c.rows(), keep.size());
    std::vector<double> found(keep.size() * keep.size(), 0.0);
    for (std::size_t r = 0; r < c.rows(); ++r) {
        for (std::size_t e = static_cast<std::size_t>(c.starts[r]); e < static_cast<std::size_t>(c.starts[r + 1]);
             ++e) {
            EXPECT_TRUE(e == static_cast<std::size_t>(c.starts[r]) || c.columns[e - 1] < c.columns[e]);
            EXPECT_NE(c.values[e], 0.0);
            found[r * keep.size() + static_cast<std::size_t>(c.columns[e])] = c.values[e];
        }
    }
    for (std::size_t i = 0; i < keep.size(); ++i) {
        for (std::size_t j = 0; j < keep.size(); ++j) {
            const std::size_t row = static_cast<std::size_t>(keep[i]), column = static_cast<std::size_t>(keep[j]);
            EXPECT_EQ(found[i * keep.size() + j], 0.5 * (d[row * n + column] + d[column * n + row]))
                << row << ", " << column;
        }
    }
    EXPECT_EQ(found[1], 0.125);
    EXPECT_EQ(found[2], 0.0);
}

TEST(Add, MergesPatternsThatDiffer) {
    const Csr a = testing::random_spd(30, 3, 1), b = testing::random_spd(30, 2, 2);
    const Csr c = add(2.0, a, -3.0, b);
    const std::vector<double> x = testing::random_vector(30, 3);
    std::vector<double> ax(30), bx(30), cx(30);
    multiply(a, x.data(), ax.data());
    multiply(b, x.data(), bx.data());
    multiply(c, x.data(), cx.data());
    for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(cx[i], 2.0 * ax[i] - 3.0 * bx[i], 1e-12);
    for (std::size_t r = 0; r < 30; ++r) {
        for (std::size_t e = static_cast<std::size_t>(c.starts[r]) + 1; e < static_cast<std::size_t>(c.starts[r + 1]);
             ++e) {
            EXPECT_LT(c.columns[e - 1], c.columns[e]);
        }
    }
}

TEST(Diagonal, MultipliesEntryByEntry) {
    const std::vector<double> d{2.0, 0.0, -3.0}, x{1.0, 5.0, 2.0};
    std::vector<double> y(3);
    multiply(diagonal(d), x.data(), y.data());
    EXPECT_EQ(y, (std::vector<double>{2.0, 0.0, -6.0}));
    EXPECT_EQ(diagonal({}).rows(), 0u);
}

// Six: four at once and two alone.
TEST(Csr, ProductsWithManyColumnsHaveTheBitsOfSingleOnes) {
    const Csr a = testing::random_spd(700, 6, 4);
    const std::size_t n = a.rows(), count = 6;
    const std::vector<double> x = testing::random_vector(n * count, 9);
    std::vector<double> y(n * count), one(n);
    multiply_many(a, x.data(), y.data(), count);
    for (std::size_t c = 0; c < count; ++c) {
        multiply(a, x.data() + c * n, one.data());
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(y[c * n + i], one[i]) << "column " << c << ", row " << i;
    }
}

// One number per pair of vertices, as single unknowns.
Csr triples_as_unknowns(std::size_t vertices, std::uint64_t seed) {
    const Csr s = testing::random_spd(vertices, 5, seed);
    Csr a;
    for (std::size_t r = 0; r < 3 * vertices; ++r) {
        for (auto e = static_cast<std::size_t>(s.starts[r / 3]); e < static_cast<std::size_t>(s.starts[r / 3 + 1]);
             ++e) {
            a.columns.push_back(3 * s.columns[e] + static_cast<std::int32_t>(r % 3));
            a.values.push_back(s.values[e]);
        }
        a.starts.push_back(static_cast<std::int64_t>(a.columns.size()));
    }
    return a;
}

// The last vertex has nothing behind it, counts that are no multiple of four end in single columns, and both kernels
// add in the entries' order.
TEST(TripleCsr, MultipliesLikeTheMatrixOfSingleUnknowns) {
    for (const std::size_t vertices : {1u, 2u, 7u, 300u}) {
        const Csr a = triples_as_unknowns(vertices, vertices);
        const TripleCsr triples = as_triples(a);
        ASSERT_EQ(triples.vertices(), vertices);
        const std::vector<double> x = testing::random_vector(7 * a.rows(), 5);
        for (const Isa isa : {Isa::baseline, Isa::avx2}) {
            for (std::size_t count = 1; count <= 7; ++count) {
                set_kernel_choice(isa);
                std::vector<double> expected(count * a.rows()), got(count * a.rows());
                const std::vector<double> some(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(expected.size()));
                multiply_many(a, some.data(), expected.data(), count);
                multiply_many(triples, some.data(), got.data(), count);
                EXPECT_EQ(expected, got) << vertices << " vertices, " << count << " columns";
            }
        }
        set_kernel_choice(best_isa());
    }
}

// Anything else must be left alone: a mass that differs between directions, unknowns that are missing, a coupling
// across directions.
TEST(TripleCsr, IsRefusedWhereDirectionsDiffer) {
    const Csr a = triples_as_unknowns(6, 3);
    Csr heavier = a, crossed = a;
    heavier.values[1] *= 1.0 + 1e-15;
    crossed.columns[0] = 1;
    EXPECT_EQ(as_triples(heavier).vertices(), 0u);
    EXPECT_EQ(as_triples(crossed).vertices(), 0u);
    EXPECT_EQ(as_triples(testing::chain(7, true)).vertices(), 0u);
    EXPECT_EQ(as_triples(testing::chain(9, true)).vertices(), 0u);
}

// Couplings of a regular grid that are exactly zero were dropped: blocks have them again, and give the same product up
// to its order.
TEST(BlockCsr, OfAMatrixOfSingleUnknownsMultipliesLikeIt) {
    const Csr a = testing::implicit_system(testing::tet_box(5, 4, 3), 1e-3);
    const BlockCsr blocks = as_blocks(a);
    ASSERT_EQ(blocks.size(), a.rows());
    const std::vector<double> x = testing::random_vector(a.rows(), 5);
    std::vector<double> expected(a.rows()), got(a.rows());
    multiply(a, x.data(), expected.data());
    multiply(blocks, x.data(), got.data());
    double largest = 0.0;
    for (const double v : expected) largest = std::max(largest, std::abs(v));
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-14 * largest) << i;
    const Csr again = as_single(blocks);
    EXPECT_EQ(again.starts, a.starts);
    EXPECT_EQ(again.columns, a.columns);
    EXPECT_EQ(again.values, a.values);
}

// A chain has one unknown per vertex: two thirds of its blocks would be filling. Seven unknowns are no threes.
TEST(BlockCsr, IsRefusedWhereItWouldBeMostlyFilling) {
    EXPECT_EQ(as_blocks(testing::chain(9, true)).rows(), 0u);
    EXPECT_EQ(as_blocks(testing::chain(7, true)).rows(), 0u);
}

// On a regular grid many couplings are exactly zero and were dropped: single unknowns would make a graph a third larger
// or more.
TEST(VertexGraph, HasOneNodePerVertexOfARegularGrid) {
    const testing::TetBox box = testing::tet_box(5, 4, 3);
    const Csr a = testing::implicit_system(box, 1e-3);
    const Graph g = vertex_graph(a);
    EXPECT_EQ(3 * g.nodes(), a.rows());
    EXPECT_GT(compressed_graph(a).nodes(), g.nodes());
    for (std::size_t r = 0; r < a.rows(); ++r) {
        for (auto e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]); ++e) {
            const std::int32_t other = a.columns[e] / 3;
            const auto begin = g.neighbours.begin() + g.starts[r / 3], end = g.neighbours.begin() + g.starts[r / 3 + 1];
            EXPECT_TRUE(other == static_cast<std::int32_t>(r / 3) || std::binary_search(begin, end, other));
        }
    }
    // A chain's rows are no vertices.
    EXPECT_EQ(vertex_graph(testing::chain(12, true)).nodes(), 12u);
}

}  // namespace
}  // namespace limber
