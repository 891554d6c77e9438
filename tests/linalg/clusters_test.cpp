#include "kernels/clusters.hpp"
#include "kernels/elements.hpp"
#include "kernels/isa.hpp"
#include "linalg/half_clusters.hpp"
#include "linalg/locality.hpp"
#include "linalg/row_clusters.hpp"
#include "linalg/test_matrices.hpp"

#include <limber/version.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <type_traits>

namespace limber {
namespace {

bool has_avx2() { return best_isa() >= Isa::avx2; }
bool has_avx512() { return best_isa() >= Isa::avx512; }

// What the processor has, the least first; the best is in use again afterwards.
class EveryIsa {
public:
    ~EveryIsa() { set_kernel_choice(best_isa()); }
    std::vector<Isa> all() const {
        std::vector<Isa> out;
        for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512})
            if (isa <= best_isa()) out.push_back(isa);
        return out;
    }
};

// Slices with every number of rows left over, blocks of both sizes, slots from none to several.
template <class T>
struct Slices {
    std::size_t block, rows, vertices = 29;
    std::vector<std::int32_t> starts{0}, columns, targets;
    AlignedArray values, x;
    std::vector<double> y;

    Slices(std::size_t b, std::size_t row_count) : block(b), rows(row_count) {
        testing::Random random(31 * row_count + b);
        const auto pick = [&](std::size_t n) {
            return static_cast<std::size_t>((random() + 1.0) * 0.5 * static_cast<double>(n)) % n;
        };
        for (std::size_t s = 0; s < (rows + kSliceRows - 1) / kSliceRows; ++s)
            starts.push_back(starts.back() + static_cast<std::int32_t>(pick(5)));
        const auto slots = static_cast<std::size_t>(starts.back());
        for (std::size_t i = 0; i < kSliceRows * slots; ++i)
            columns.push_back(static_cast<std::int32_t>(pick(vertices)));
        targets.resize(kSliceRows * (starts.size() - 1), 0);
        std::iota(targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(rows), 0);
        std::reverse(targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(rows));
        values = AlignedArray(kSliceRows * b * b * slots + 4096);
        x = AlignedArray(kGatherStride * vertices);
        for (std::size_t i = 0; i < values.size() * sizeof(double) / sizeof(T); ++i)
            reinterpret_cast<T*>(values.data())[i] = static_cast<T>(random());
        for (std::size_t i = 0; i < kGatherStride * vertices; ++i)
            reinterpret_cast<T*>(x.data())[i] = static_cast<T>(random());
        y = testing::random_vector(b * rows, 5);
    }
    std::vector<double> run(ClusterProduct<T> product) const {
        std::vector<double> out = y;
        const ClusterArgs<T> args{starts.data(),  columns.data(), reinterpret_cast<const T*>(values.data()),
                                  targets.data(), rows,           reinterpret_cast<const T*>(x.data()),
                                  out.data()};
        product(args, 0, starts.size() - 1);
        return out;
    }
};

TEST(ClusterKernels, Avx2GivesTheSameBitsAsTheReference) {
    // Rows left over are where lane kernels go wrong: they must neither be written nor disturb their neighbours.
    if (!has_avx2()) GTEST_SKIP() << "no AVX2 here";
    for (std::size_t rows = 1; rows < 34; ++rows) {
        EXPECT_EQ(Slices<double>(3, rows).run(cluster_product3_baseline),
                  Slices<double>(3, rows).run(cluster_product3_avx2))
            << rows;
        EXPECT_EQ(Slices<double>(2, rows).run(cluster_product2_baseline),
                  Slices<double>(2, rows).run(cluster_product2_avx2))
            << rows;
        EXPECT_EQ(Slices<float>(3, rows).run(cluster_product3_baseline),
                  Slices<float>(3, rows).run(cluster_product3_avx2))
            << rows;
        EXPECT_EQ(Slices<float>(2, rows).run(cluster_product2_baseline),
                  Slices<float>(2, rows).run(cluster_product2_avx2))
            << rows;
    }
}

double far(const std::vector<double>& a, const std::vector<double>& b) {
    double off = 0.0, size = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        off = std::max(off, std::abs(a[i] - b[i]));
        size = std::max(size, std::abs(b[i]));
    }
    return off / size;
}

struct Elements {
    static constexpr std::size_t cells = 5, n = 9;
    AlignedArray k{144 * cells}, d{144 * cells};
    std::vector<std::int32_t> corners;
    std::vector<double> u = testing::random_vector(3 * n, 1), v = testing::random_vector(3 * n, 2);

    Elements() {
        testing::Random random(3);
        for (std::size_t i = 0; i < k.size(); ++i) {
            k.data()[i] = random();
            d.data()[i] = random();
        }
        for (std::size_t i = 0; i < 4 * cells; ++i) corners.push_back(static_cast<std::int32_t>((5 * i) % n));
    }
    std::vector<double> run(void (*product)(const ElementArgs&, std::size_t, std::size_t) noexcept, bool damped) const {
        std::vector<double> out(3 * n, 0.5);
        product({4, 3, corners.data(), k.data(), d.data(), u.data(), damped ? v.data() : nullptr, 1.0, 0.3, out.data()},
                0, cells);
        return out;
    }
};

TEST(ElementKernels, Avx2GivesTheSameBitsAsTheReference) {
    if (!has_avx2()) GTEST_SKIP() << "no AVX2 here";
    for (const bool damped : {false, true})
        EXPECT_EQ(Elements().run(element_product_baseline, damped), Elements().run(element_product12_avx2, damped));
}

TEST(ElementKernels, Avx512IsTheReferenceToTheLastDigits) {
    if (!has_avx512()) GTEST_SKIP() << "no AVX-512 here";
    for (const bool damped : {false, true}) {
        EXPECT_LT(
            far(Elements().run(element_product12_avx512, damped), Elements().run(element_product_baseline, damped)),
            1e-15);
    }
}

std::vector<double> product(const RowClusters<double>& clusters, const std::vector<double>& u) {
    const std::size_t n = clusters.gathered_rows(), b = u.size() / n;
    AlignedArray x(kGatherStride * n), scratch(clusters.scratch_size() + 1);
    for (std::size_t v = 0; v < n; ++v) {
        for (std::size_t i = 0; i < b; ++i)
            x.data()[kGatherStride * static_cast<std::size_t>(clusters.gathered_index()[v]) + i] = u[b * v + i];
    }
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
    for (std::size_t i = 0; i < u.size(); ++i) {
        off = std::max(off, std::abs(one[i] - expected[i]));
        size = std::max(size, std::abs(expected[i]));
    }
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
            halves.blocks.values.insert(halves.blocks.values.end(), a.values.begin() + 9 * from,
                                        a.values.begin() + 9 * to);
            halves.blocks.starts.push_back(static_cast<std::int32_t>(halves.blocks.columns.size()));
            halves.vertex.push_back(static_cast<std::int32_t>(r));
        }
    }
    const std::vector<double> u = testing::random_vector(a.size(), 4);
    std::vector<double> expected(u.size());
    multiply(a, u.data(), expected.data());
    const std::vector<double> found = product({halves, order_for_locality(a)}, u);
    for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-8) << i;  // entries of 1e4
}

// Symmetric, every row with its diagonal and `links` others anywhere: parts reach over several parts, rows are of every
// length.
BlockCsr random_symmetric(int block, std::size_t rows, std::size_t links) {
    testing::Random random(97 * rows + links);
    const auto entries = static_cast<std::size_t>(block * block);
    std::vector<std::map<std::size_t, std::vector<double>>> blocks(rows);
    const auto number = [&] { return 10.0 * random(); };
    for (std::size_t r = 0; r < rows; ++r) {
        std::vector<double> diagonal(entries), b(entries), mirrored(entries);
        for (int i = 0; i < block; ++i) {
            for (int j = i; j < block; ++j) {
                diagonal[static_cast<std::size_t>(block * i + j)] = diagonal[static_cast<std::size_t>(block * j + i)] =
                    number();
            }
        }
        blocks[r][r] = diagonal;
        for (std::size_t k = 0; k < links; ++k) {
            const auto c = static_cast<std::size_t>((random() + 1.0) * 0.5 * static_cast<double>(rows)) % rows;
            if (c == r) continue;
            for (int i = 0; i < block; ++i) {
                for (int j = 0; j < block; ++j) {
                    b[static_cast<std::size_t>(block * i + j)] = mirrored[static_cast<std::size_t>(block * j + i)] =
                        number();
                }
            }
            blocks[r][c] = b;
            blocks[c][r] = mirrored;
        }
    }
    BlockCsr out;
    out.block = block;
    for (const auto& row : blocks) {
        for (const auto& [c, values] : row) {
            out.columns.push_back(static_cast<std::int32_t>(c));
            out.values.insert(out.values.end(), values.begin(), values.end());
        }
        out.starts.push_back(static_cast<std::int32_t>(out.columns.size()));
    }
    return out;
}

struct Fused {
    std::vector<double> u, v, a, b, mass;

    explicit Fused(const BlockCsr& m)
        : u(testing::random_vector(m.size(), 1)),
          v(testing::random_vector(m.size(), 2)),
          a(testing::random_vector(m.size(), 3)),
          b(testing::random_vector(m.size(), 4)),
          mass(testing::random_vector(m.rows(), 5)) {}
    FusedTerms terms(bool with_mass) const {
        return {u.data(), v.data(), 0.7, 0.3, with_mass ? mass.data() : nullptr, a.data(), b.data(), 1.1, -0.2};
    }
    std::vector<double> expected(const BlockCsr& m, bool with_mass) const {
        std::vector<double> x(u.size()), out(u.size());
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.7 * u[i] + 0.3 * v[i];
        multiply(m, x.data(), out.data());
        for (std::size_t i = 0; i < x.size() && with_mass; ++i)
            out[i] += mass[i / static_cast<std::size_t>(m.block)] * (1.1 * a[i] - 0.2 * b[i]);
        return out;
    }
};

// The result and, behind it, a number that must stay.
template <class T>
std::vector<double> fused_product(const HalfClusters<T>& clusters, const FusedTerms& terms, std::size_t size) {
    std::vector<double> out(size + 1, 77.0),
        scratch(clusters.scratch_size(), 1e300);  // what lies there must not matter
    clusters.apply(terms, out.data(), scratch.data());
    EXPECT_EQ(out.back(), 77.0);
    out.pop_back();
    return out;
}

// With the layout that each instruction set likes best and with every other instruction set on it: where the choice
// changes after packing, products stay right.
template <class T>
void expect_products(const BlockCsr& a, std::span<const std::int32_t> order, double tolerance) {
    const EveryIsa every;
    const Fused fused(a);
    for (const Isa layout : every.all()) {
        for (const bool mass : {false, true}) {
            set_kernel_choice(layout);
            const HalfClusters<T> clusters(a, order);
            const std::vector<double> expected = fused.expected(a, mass);
            set_kernel_choice(Isa::baseline);
            const std::vector<double> plain = fused_product(clusters, fused.terms(mass), a.size());
            for (const Isa isa : every.all()) {
                set_kernel_choice(isa);
                const std::vector<double> found = fused_product(clusters, fused.terms(mass), a.size());
                EXPECT_LT(far(found, expected), tolerance)
                    << a.rows() << " rows of " << a.block << ", packed for " << static_cast<int>(layout)
                    << ", multiplied with " << kernel_isa();
                if (std::is_same_v<T, double> && isa <= Isa::avx2) {
                    EXPECT_EQ(found, plain)
                        << a.rows() << " rows of " << a.block << ", packed for " << static_cast<int>(layout);
                }
            }
        }
    }
}

TEST(HalfClusters, GiveTheWholeProductAndInDoubleTheSameBitsUpToAvx2) {
    // Lanes left over are where vector kernels go wrong, and the last vertex, behind which nothing may be read or
    // written.
    for (std::size_t rows = 1; rows < 36; ++rows) {
        for (const int block : {2, 3}) {
            const BlockCsr a = random_symmetric(block, rows, 3);
            expect_products<double>(a, order_for_locality(a), 1e-14);
            expect_products<float>(a, order_for_locality(a), 2e-6);
        }
    }
}

TEST(HalfClusters, AddsOfOneSlotToOneRowAreAllKept) {
    // Every row has the last vertex for its only neighbour, or the last two: two lanes are added to y as one vector,
    // and would lose one of two equal columns.
    for (const std::size_t rows : {9u, 17u, 30u}) {
        for (const std::size_t hubs : {1u, 2u}) {
            for (const int block : {2, 3}) {
                const auto entries = static_cast<std::size_t>(block * block);
                const std::vector<double> random = testing::random_vector(entries, 8);
                BlockCsr a;
                a.block = block;
                for (std::size_t r = 0; r < rows; ++r) {
                    for (std::size_t c = 0; c < rows; ++c) {
                        if (c != r && (c < rows - hubs) == (r < rows - hubs)) continue;
                        a.columns.push_back(static_cast<std::int32_t>(c));
                        for (std::size_t i = 0; i < entries; ++i) {
                            const auto b = static_cast<std::size_t>(block), mirrored = i % b * b + i / b;
                            const double number = c == r ? random[i] + random[mirrored] : random[c > r ? i : mirrored];
                            a.values.push_back(number * static_cast<double>(1 + std::min(r, c)));
                        }
                    }
                    a.starts.push_back(static_cast<std::int32_t>(a.columns.size()));
                }
                std::vector<std::int32_t> order(rows);
                std::iota(order.begin(), order.end(), 0);
                expect_products<double>(a, order, 1e-14);
                expect_products<float>(a, order, 2e-6);
            }
        }
    }
}

TEST(HalfClusters, GiveTheSameBitsForAnyNumberOfThreads) {
    // Each block writes two rows, and the second may be another thread's: links to anywhere make every part reach into
    // all later ones.
    const EveryIsa every;
    for (const BlockCsr& a :
         {random_symmetric(3, 9000, 2), random_symmetric(2, 6500, 2), testing::tet_box(17, 16, 15).stiffness}) {
        for (const Isa isa : every.all()) {
            set_kernel_choice(isa);
            const HalfClusters<double> clusters(a, order_for_locality(a));
            const HalfClusters<float> single(a, order_for_locality(a));
            const Fused fused(a);
            ASSERT_GT(clusters.parts(), 1u);
            const std::vector<double> one = fused_product(clusters, fused.terms(true), a.size()),
                                      one_single = fused_product(single, fused.terms(true), a.size());
            EXPECT_LT(far(one, fused.expected(a, true)), 1e-14);
            EXPECT_LT(far(one_single, fused.expected(a, true)), 2e-6);
            for (const int threads : {2, 3}) {
                set_thread_count(threads);
                for (int i = 0; i < 5; ++i) {
                    EXPECT_EQ(fused_product(clusters, fused.terms(true), a.size()), one) << kernel_isa();
                    EXPECT_EQ(fused_product(single, fused.terms(true), a.size()), one_single) << kernel_isa();
                }
            }
            set_thread_count(1);
        }
    }
}

TEST(HalfClusters, TakeHalfTheBytesOfAllBlocks) {
    const BlockCsr a = testing::tet_box(24, 6, 6).stiffness;
    const HalfClusters<double> clusters(a, order_for_locality(a));
    EXPECT_LT(clusters.padding(), 1.02);
    EXPECT_LT(static_cast<double>(clusters.bytes()),
              0.6 * static_cast<double>(a.values.size() * sizeof(double) + a.columns.size() * sizeof(std::int32_t)));
}

TEST(Locality, BringsNeighboursTogetherHoweverTheMeshIsNumbered) {
    const BlockCsr a = testing::tet_box(12, 4, 4).stiffness;
    const std::size_t n = a.rows();
    BlockCsr shuffled;  // vertex v becomes 101 v mod n (325 = 5 5 13 has no factor 101)
    std::vector<std::int32_t> old_of(n);
    for (std::size_t v = 0; v < n; ++v) old_of[(101 * v) % n] = static_cast<std::int32_t>(v);
    for (std::size_t r = 0; r < n; ++r) {
        const auto old = static_cast<std::size_t>(old_of[r]);
        for (std::int32_t e = a.starts[old]; e < a.starts[old + 1]; ++e) {
            shuffled.columns.push_back(static_cast<std::int32_t>(
                (101 * static_cast<std::size_t>(a.columns[static_cast<std::size_t>(e)])) % n));
        }
        shuffled.starts.push_back(static_cast<std::int32_t>(shuffled.columns.size()));
    }
    const std::vector<std::int32_t> order = order_for_locality(shuffled);
    std::vector<std::int32_t> place(n, -1);
    for (std::size_t k = 0; k < n; ++k) place[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
    EXPECT_EQ(std::count(place.begin(), place.end(), -1), 0);
    std::int32_t farthest = 0;
    for (std::size_t r = 0; r < n; ++r) {
        for (std::int32_t e = shuffled.starts[r]; e < shuffled.starts[r + 1]; ++e) {
            farthest = std::max(
                farthest,
                std::abs(place[r] - place[static_cast<std::size_t>(shuffled.columns[static_cast<std::size_t>(e)])]));
        }
    }
    EXPECT_LT(farthest, 90);  // a layer across has 25 vertices; diagonals reach into the next
}

}  // namespace
}  // namespace limber
