#include "kernels/clusters.hpp"
#include "kernels/elements.hpp"
#include "kernels/isa.hpp"
#include "linalg/locality.hpp"
#include "linalg/row_clusters.hpp"
#include "linalg/test_matrices.hpp"

#include <limber/version.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#if defined(__x86_64__)
#include "linalg/emulated_avx512.hpp"
#include "kernels/clusters_avx512.cpp"
#undef cluster_product2_avx512
#undef cluster_product3_avx512
#endif

namespace limber {
namespace {

bool has_avx2() {
    set_kernel_choice(Isa::avx2);
    return kernel_choice() >= Isa::avx2;
}

// Slices with every number of rows left over, blocks of both sizes, slots from none to several.
template <class T>
struct Slices {
    std::size_t block, rows, vertices = 29;
    std::vector<std::int32_t> starts{0}, columns, targets;
    AlignedArray values, x;
    std::vector<double> y;

    Slices(std::size_t b, std::size_t row_count) : block(b), rows(row_count) {
        testing::Random random(31 * row_count + b);
        const auto pick = [&](std::size_t n) { return static_cast<std::size_t>((random() + 1.0) * 0.5 * static_cast<double>(n)) % n; };
        for (std::size_t s = 0; s < (rows + kSliceRows - 1) / kSliceRows; ++s) starts.push_back(starts.back() + static_cast<std::int32_t>(pick(5)));
        const auto slots = static_cast<std::size_t>(starts.back());
        for (std::size_t i = 0; i < kSliceRows * slots; ++i) columns.push_back(static_cast<std::int32_t>(pick(vertices)));
        targets.resize(kSliceRows * (starts.size() - 1), 0);
        std::iota(targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(rows), 0);
        std::reverse(targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(rows));
        values = AlignedArray(kSliceRows * b * b * slots + 4096);
        x = AlignedArray(kPlace * vertices);
        for (std::size_t i = 0; i < values.size() * sizeof(double) / sizeof(T); ++i) reinterpret_cast<T*>(values.data())[i] = static_cast<T>(random());
        for (std::size_t i = 0; i < kPlace * vertices; ++i) reinterpret_cast<T*>(x.data())[i] = static_cast<T>(random());
        y = testing::random_vector(b * rows, 5);
    }
    std::vector<double> run(ClusterProduct<T> product) const {
        std::vector<double> out = y;
        const ClusterArgs<T> args{starts.data(), columns.data(), reinterpret_cast<const T*>(values.data()), targets.data(), rows, reinterpret_cast<const T*>(x.data()), out.data()};
        product(args, 0, starts.size() - 1);
        return out;
    }
};

TEST(ClusterKernels, Avx2GivesTheSameBitsAsTheReference) {
    // Rows left over are where lane kernels go wrong: they must neither be written nor disturb their neighbours.
    if (!has_avx2()) GTEST_SKIP() << "no AVX2 here";
    for (std::size_t rows = 1; rows < 34; ++rows) {
        EXPECT_EQ(Slices<double>(3, rows).run(cluster_product3_baseline), Slices<double>(3, rows).run(cluster_product3_avx2)) << rows;
        EXPECT_EQ(Slices<double>(2, rows).run(cluster_product2_baseline), Slices<double>(2, rows).run(cluster_product2_avx2)) << rows;
        EXPECT_EQ(Slices<float>(3, rows).run(cluster_product3_baseline), Slices<float>(3, rows).run(cluster_product3_avx2)) << rows;
        EXPECT_EQ(Slices<float>(2, rows).run(cluster_product2_baseline), Slices<float>(2, rows).run(cluster_product2_avx2)) << rows;
    }
}

TEST(ClusterKernels, Avx512GivesTheSameBitsAsTheReference) {
    // Few machines have it, and a wrong index of a permutation would show nowhere else: the file is compiled here with an emulation.
#if defined(__x86_64__)
    if (!has_avx2()) GTEST_SKIP() << "no AVX2 here";
    for (std::size_t rows = 1; rows < 34; ++rows) {
        EXPECT_EQ(Slices<double>(3, rows).run(cluster_product3_baseline), Slices<double>(3, rows).run(cluster_product3_emulated)) << rows;
        EXPECT_EQ(Slices<double>(2, rows).run(cluster_product2_baseline), Slices<double>(2, rows).run(cluster_product2_emulated)) << rows;
    }
    set_kernel_choice(Isa::avx512);
    for (std::size_t rows = 1; rows < 34 && kernel_choice() == Isa::avx512; ++rows) {
        EXPECT_EQ(Slices<double>(3, rows).run(cluster_product3_baseline), Slices<double>(3, rows).run(cluster_product3_avx512)) << rows;
    }
    set_kernel_choice(Isa::avx2);
#endif
}

template <class T>
std::pair<std::vector<T>, std::vector<double>> gathered(ClusterGather<T> gather, std::size_t n, bool with_mass) {
    const std::vector<double> u = testing::random_vector(3 * n, 1), v = testing::random_vector(3 * n, 2), a = testing::random_vector(3 * n, 3), m = testing::random_vector(n, 4);
    std::vector<std::int32_t> place(n);
    for (std::size_t i = 0; i < n; ++i) place[i] = static_cast<std::int32_t>((7 * i + 3) % n);
    AlignedArray x(kPlace * n);
    std::vector<double> out(3 * n + 1, 77.0);
    gather({u.data(), v.data(), 0.7, 0.3, with_mass ? m.data() : nullptr, a.data(), v.data(), 1.1, -0.2, place.data(), reinterpret_cast<T*>(x.data()), out.data()}, 0, n);
    std::vector<T> used;
    for (std::size_t i = 0; i < n; ++i) used.insert(used.end(), reinterpret_cast<T*>(x.data()) + kPlace * i, reinterpret_cast<T*>(x.data()) + kPlace * i + 3);
    return {used, out};
}

TEST(ClusterKernels, GatheringGivesTheSameBitsAndWritesNothingBeyond) {
    if (!has_avx2()) GTEST_SKIP() << "no AVX2 here";
    for (const std::size_t n : {1u, 2u, 5u, 29u})
        for (const bool mass : {false, true}) {
            EXPECT_EQ(gathered<double>(cluster_gather3_baseline, n, mass), gathered<double>(cluster_gather3_avx2, n, mass)) << n;
            EXPECT_EQ(gathered<float>(cluster_gather3_baseline, n, mass), gathered<float>(cluster_gather3_avx2, n, mass)) << n;
            EXPECT_EQ(gathered<double>(cluster_gather3_avx2, n, mass).second.back(), 77.0);
        }
}

TEST(ElementKernels, Avx2GivesTheSameBitsAsTheReference) {
    if (!has_avx2()) GTEST_SKIP() << "no AVX2 here";
    const std::size_t cells = 5, n = 9;
    AlignedArray k(144 * cells), d(144 * cells);
    testing::Random random(3);
    for (std::size_t i = 0; i < k.size(); ++i) k.data()[i] = random(), d.data()[i] = random();
    std::vector<std::int32_t> corners;
    for (std::size_t i = 0; i < 4 * cells; ++i) corners.push_back(static_cast<std::int32_t>((5 * i) % n));
    const std::vector<double> u = testing::random_vector(3 * n, 1), v = testing::random_vector(3 * n, 2);
    std::vector<double> plain(3 * n, 0.5), wide = plain;
    element_product_baseline({4, 3, corners.data(), k.data(), d.data(), u.data(), v.data(), 1.0, 0.3, plain.data()}, 0, cells);
    element_product12_avx2({4, 3, corners.data(), k.data(), d.data(), u.data(), v.data(), 1.0, 0.3, wide.data()}, 0, cells);
    EXPECT_EQ(plain, wide);
}

std::vector<double> product(const RowClusters<double>& clusters, const std::vector<double>& u) {
    const std::size_t n = clusters.places(), b = u.size() / n;
    AlignedArray x(kPlace * n), scratch(clusters.scratch_size() + 1);
    for (std::size_t v = 0; v < n; ++v)
        for (std::size_t i = 0; i < b; ++i) x.data()[kPlace * static_cast<std::size_t>(clusters.place_of()[v]) + i] = u[b * v + i];
    std::vector<double> y(u.size(), 0.0);
    clusters.add_product(x.data(), y.data(), scratch.data());
    return y;
}

TEST(RowClusters, GiveTheProductOfTheMatrixForAnyNumberOfThreads) {
    const testing::TetBox box = testing::tet_box(9, 8, 7);
    const RowClusters<double> clusters({box.stiffness, {}}, order_for_locality(box.stiffness));
    const std::vector<double> u = testing::random_vector(box.stiffness.size(), 4);
    std::vector<double> expected(u.size());
    multiply(box.stiffness, u.data(), expected.data());
    const std::vector<double> one = product(clusters, u);
    double off = 0.0, size = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) off = std::max(off, std::abs(one[i] - expected[i])), size = std::max(size, std::abs(expected[i]));
    EXPECT_LT(off, 1e-14 * size);
    EXPECT_LT(clusters.padding(), 1.05);
    set_thread_count(3);
    EXPECT_EQ(product(clusters, u), one);
    set_thread_count(1);
}

TEST(RowClusters, RowsOfOneVertexAreSummed) {
    // Split every row in two of unequal length (one may be empty): together they are the matrix.
    const testing::TetBox box = testing::tet_box(3, 2, 2);
    const BlockCsr& a = box.stiffness;
    ClusterRows halves;
    for (std::size_t r = 0; r < a.rows(); ++r) {
        const std::int32_t middle = a.starts[r] + static_cast<std::int32_t>(r % 4);
        for (const auto& [from, to] : {std::pair{a.starts[r], middle}, std::pair{middle, a.starts[r + 1]}}) {
            halves.blocks.columns.insert(halves.blocks.columns.end(), a.columns.begin() + from, a.columns.begin() + to);
            halves.blocks.values.insert(halves.blocks.values.end(), a.values.begin() + 9 * from, a.values.begin() + 9 * to);
            halves.blocks.starts.push_back(static_cast<std::int32_t>(halves.blocks.columns.size()));
            halves.vertex.push_back(static_cast<std::int32_t>(r));
        }
    }
    const std::vector<double> u = testing::random_vector(a.size(), 4);
    std::vector<double> expected(u.size());
    multiply(a, u.data(), expected.data());
    const std::vector<double> found = product({halves, order_for_locality(a)}, u);
    for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-8) << i;      // entries of 1e4
}

TEST(Locality, BringsNeighboursTogetherHoweverTheMeshIsNumbered) {
    const BlockCsr a = testing::tet_box(12, 4, 4).stiffness;
    const std::size_t n = a.rows();
    BlockCsr shuffled;      // vertex v becomes 101 v mod n (325 = 5 5 13 has no factor 101)
    std::vector<std::int32_t> old_of(n);
    for (std::size_t v = 0; v < n; ++v) old_of[(101 * v) % n] = static_cast<std::int32_t>(v);
    for (std::size_t r = 0; r < n; ++r) {
        const auto old = static_cast<std::size_t>(old_of[r]);
        for (std::int32_t e = a.starts[old]; e < a.starts[old + 1]; ++e)
            shuffled.columns.push_back(static_cast<std::int32_t>((101 * static_cast<std::size_t>(a.columns[static_cast<std::size_t>(e)])) % n));
        shuffled.starts.push_back(static_cast<std::int32_t>(shuffled.columns.size()));
    }
    const std::vector<std::int32_t> order = order_for_locality(shuffled);
    std::vector<std::int32_t> place(n, -1);
    for (std::size_t k = 0; k < n; ++k) place[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
    EXPECT_EQ(std::count(place.begin(), place.end(), -1), 0);
    std::int32_t farthest = 0;
    for (std::size_t r = 0; r < n; ++r)
        for (std::int32_t e = shuffled.starts[r]; e < shuffled.starts[r + 1]; ++e)
            farthest = std::max(farthest, std::abs(place[r] - place[static_cast<std::size_t>(shuffled.columns[static_cast<std::size_t>(e)])]));
    EXPECT_LT(farthest, 90);        // a layer across has 25 vertices; diagonals reach into the next
}

}  // namespace
}  // namespace limber
