#include "linalg/block_cg.hpp"

#include "kernels/isa.hpp"
#include "linalg/test_matrices.hpp"

#include <limber/version.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

// mass M + stiffness K of a box, its x = 0 face held as the callers of BlockCg hold it: nothing beside the diagonal.
struct HeldBox {
    BlockCsr a;
    std::vector<std::uint8_t> held;
    std::vector<double> positions, b;
};

void hold(HeldBox& box) {
    const auto n = static_cast<std::size_t>(box.a.block);
    for (std::size_t r = 0; r < box.a.rows(); ++r) {
        for (auto e = static_cast<std::size_t>(box.a.starts[r]); e < static_cast<std::size_t>(box.a.starts[r + 1]);
             ++e) {
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t j = 0; j < n; ++j) {
                    const std::size_t row = n * r + i, column = n * static_cast<std::size_t>(box.a.columns[e]) + j;
                    if (row != column && (box.held[row] != 0 || box.held[column] != 0))
                        box.a.values[(e * n + i) * n + j] = 0.0;
                }
            }
        }
    }
    for (std::size_t i = 0; i < box.held.size(); ++i)
        if (box.held[i] != 0) box.b[i] = 0.0;
}

HeldBox held_box(std::array<std::size_t, 3> cells, double mass, double stiffness,
                 std::array<double, 3> size = {1.0, 1.0, 1.0}) {
    const testing::TetBox tets = testing::tet_box(cells[0], cells[1], cells[2], size);
    HeldBox box{tets.stiffness, {}, {}, testing::random_vector(tets.mass.size(), 3)};
    for (const auto& v : tets.vertices) {
        for (const double x : v) {
            box.positions.push_back(x);
            box.held.push_back(v[0] > 0.0 ? 0 : 1);
        }
    }
    for (double& v : box.a.values) v *= stiffness;
    for (std::size_t r = 0; r < box.a.rows(); ++r) {
        for (auto e = static_cast<std::size_t>(box.a.starts[r]); e < static_cast<std::size_t>(box.a.starts[r + 1]);
             ++e) {
            if (static_cast<std::size_t>(box.a.columns[e]) == r)
                for (std::size_t i = 0; i < 3; ++i) box.a.values[9 * e + 4 * i] += mass * tets.mass[3 * r + i];
        }
    }
    hold(box);
    return box;
}

double true_residual(const HeldBox& box, const std::vector<double>& x) {
    std::vector<double> r(x.size());
    multiply(box.a, x.data(), r.data());
    double top = 0.0, bottom = 0.0;
    for (std::size_t i = 0; i < r.size(); ++i) {
        top += (box.b[i] - r[i]) * (box.b[i] - r[i]);
        bottom += box.b[i] * box.b[i];
    }
    return std::sqrt(top / bottom);
}

struct CgSolution {
    std::vector<double> x;
    SolveReport report;
};

CgSolution solve_with(const BlockCg& solver, const HeldBox& box, double tolerance, int limit = 2000,
                      std::vector<double> guess = {}) {
    std::vector<double> scratch(solver.scratch_size(),
                                std::numeric_limits<double>::quiet_NaN());  // it means nothing before a refresh
    guess.resize(box.b.size(), 0.0);
    solver.refresh(box.a.values.data(), box.positions.data(), scratch.data());
    CgSolution s{std::move(guess), {}};
    s.report = solver.solve(box.a.values.data(), box.b.data(), s.x.data(), tolerance, limit, scratch.data());
    return s;
}

constexpr BlockCg::Way kWays[] = {BlockCg::Way::two_level, BlockCg::Way::direct};

TEST(BlockCg, TheResidualInDoubleIsWhatWasAskedForAndReported) {
    // Single precision alone ends near 1e-6: tolerances below it are where refinement has to work. Scales far from 1
    // must not matter.
    const HeldBox box = held_box({8, 4, 4}, 1.0, 5e-4);
    for (const double unit : {1.0, 1e-12, 1e15}) {
        HeldBox scaled = box;
        for (double& v : scaled.a.values) v *= unit;
        for (double& v : scaled.b) v *= 1e-9;
        for (const double tolerance : {1e-3, 1e-6, 1e-12}) {
            for (const BlockCg::Way way : kWays) {
                const CgSolution s = solve_with(BlockCg(scaled.a, scaled.held, way), scaled, tolerance);
                EXPECT_TRUE(s.report.converged) << unit << " " << tolerance;
                EXPECT_LE(true_residual(scaled, s.x), 1.1 * tolerance) << unit;
                EXPECT_NEAR(s.report.residual, true_residual(scaled, s.x), 1e-3 * s.report.residual + 1e-15);
                for (std::size_t i = 0; i < s.x.size(); ++i) ASSERT_TRUE(box.held[i] == 0 || s.x[i] == 0.0);
            }
        }
    }
}

TEST(BlockCg, PatchesThatAreNotWrittenOutAreSolvedWith) {
    // Patches of 5 to 9 vertices with random gradients; R and C one, so that T(G) = mu (G + G^T) + (lambda + bulk) tr G
    // can be summed here by other means.
    HeldBox box = held_box({6, 4, 4}, 1.0, 5e-4);
    PatchOperator patches;
    const std::size_t vertices = box.a.rows(), count = 61;
    const std::vector<double> slopes = testing::random_vector(27 * count, 9);
    for (std::size_t p = 0; p < count; ++p) {
        for (std::size_t k = 0; k < 5 + p % 5; ++k) {
            patches.vertices.push_back(static_cast<std::int32_t>((p * vertices / count + k) % vertices));
            for (std::size_t i = 0; i < 3; ++i) patches.gradients.push_back(slopes[27 * p + 3 * k + i]);
        }
        std::sort(patches.vertices.begin() + patches.starts.back(), patches.vertices.end());
        patches.starts.push_back(static_cast<std::int32_t>(patches.vertices.size()));
        std::vector<double> numbers(PatchOperator::kNumbers, 0.0);
        for (const std::size_t i : {0u, 4u, 8u}) numbers[PatchNumbers::kR + i] = numbers[PatchNumbers::kC + i] = 1.0;
        numbers[PatchNumbers::kMu] = 0.02;
        numbers[PatchNumbers::kLambda] = 0.01;
        numbers[PatchNumbers::kBulk] = 0.5;
        box.a.values.insert(box.a.values.end(), numbers.begin(), numbers.end());
    }
    patches.list_around(vertices);
    const BlockCg solver(box.a, box.held, BlockCg::Way::automatic, &patches);
    const CgSolution s = solve_with(solver, box, 1e-10);
    EXPECT_TRUE(s.report.converged);
    std::vector<double> left = box.b, product(left.size());
    multiply(box.a, s.x.data(), product.data());
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= product[i];
    for (std::size_t p = 0; p < count; ++p) {
        double g[3][3] = {};
        const auto each = [&](auto&& f) {
            for (auto k = static_cast<std::size_t>(patches.starts[p]);
                 k < static_cast<std::size_t>(patches.starts[p + 1]); ++k) {
                for (std::size_t i = 0; i < 3; ++i) {
                    for (std::size_t j = 0; j < 3; ++j)
                        f(3 * static_cast<std::size_t>(patches.vertices[k]) + i, i, j, patches.gradients[3 * k + j]);
                }
            }
        };
        each([&](std::size_t at, std::size_t i, std::size_t j, double slope) { g[i][j] += s.x[at] * slope; });
        const double trace = 0.51 * (g[0][0] + g[1][1] + g[2][2]);
        each([&](std::size_t at, std::size_t i, std::size_t j, double slope) {
            if (box.held[at] == 0) left[at] -= (0.02 * (g[i][j] + g[j][i]) + (i == j ? trace : 0.0)) * slope;
        });
    }
    double top = 0.0, bottom = 0.0;
    for (std::size_t i = 0; i < left.size(); ++i) {
        top += left[i] * left[i];
        bottom += box.b[i] * box.b[i];
    }
    EXPECT_LE(std::sqrt(top / bottom), 1.1e-10);
    EXPECT_NEAR(s.report.residual, std::sqrt(top / bottom), 1e-12);
}

TEST(BlockCg, TheCoarseSpaceKeepsIterationsFromGrowingWithTheMesh) {
    // Without it they grow with the number of cells along an axis: three times as many on the second box. Rigid motions
    // about the wrong centre or with a wrong sign show here and nowhere else.
    const HeldBox small = held_box({8, 2, 2}, 1.0, 4e-3, {1.0, 0.25, 0.25}),
                  large = held_box({24, 6, 6}, 1.0, 4e-3, {1.0, 0.25, 0.25});
    const auto way = BlockCg::Way::two_level;
    const int few = solve_with(BlockCg(small.a, small.held, way), small, 1e-6).report.iterations;
    const int more = solve_with(BlockCg(large.a, large.held, way), large, 1e-6).report.iterations;
    EXPECT_LE(more, 1.8 * few) << few << " and " << more;
    HeldBox lost = large;  // every vertex in one place: no rotations, translations only
    for (double& p : lost.positions) p = 0.0;
    EXPECT_GT(solve_with(BlockCg(lost.a, lost.held, way), lost, 1e-6).report.iterations, 1.2 * more);
}

TEST(BlockCg, SmallBodiesAreFactoredAndLargeOnesAreNot) {
    const HeldBox small = held_box({6, 2, 2}, 1.0, 4e-3), large = held_box({20, 8, 8}, 1.0, 4e-3);
    const BlockCg one(small.a, small.held), other(large.a, large.held);
    EXPECT_STREQ(one.name(), "float_cholesky");
    EXPECT_STREQ(other.name(), "two_level_cg");
    // A factor in float leaves about 1e-6 of what it is given: two or three times will do for 1e-10.
    EXPECT_LE(solve_with(one, small, 1e-10).report.iterations, 4);
}

TEST(BlockCg, GivesTheSameBitsForAnyNumberOfThreadsAndTheSameToToleranceWithAvx512) {
    const HeldBox box = held_box({20, 6, 6}, 1.0, 1e-3);
    const BlockCg solver(box.a, box.held, BlockCg::Way::two_level);
    set_thread_count(1);
    const std::vector<double> once = solve_with(solver, box, 1e-6).x;
    set_thread_count(3);
    EXPECT_EQ(once, solve_with(solver, box, 1e-6).x);
    set_thread_count(1);
    const Isa isa = kernel_choice();
    set_kernel_choice(Isa::baseline);
    const std::vector<double> plain = solve_with(solver, box, 1e-6).x;
    set_kernel_choice(Isa::avx2);  // where there is one: otherwise this says nothing
    EXPECT_EQ(plain, solve_with(solver, box, 1e-6).x);
    set_kernel_choice(isa);
    // AVX-512 fuses: the same to what was asked for.
    double off = 0.0, size = 0.0;
    for (std::size_t i = 0; i < once.size(); ++i) {
        off = std::max(off, std::fabs(once[i] - plain[i]));
        size = std::max(size, std::fabs(plain[i]));
    }
    EXPECT_LE(off, 1e-4 * size);
}

TEST(BlockCg, SolvesWhereFloatCannot) {
    // A slender cantilever without mass: its condition (1e8) is beyond float, whose corrections are then useless on
    // their own.
    const HeldBox box = held_box({100, 2, 2}, 0.0, 1.0, {40.0, 1.0, 1.0});
    for (const BlockCg::Way way : kWays) {
        const CgSolution s = solve_with(BlockCg(box.a, box.held, way), box, 1e-10, 20000);
        EXPECT_TRUE(s.report.converged) << s.report.residual << " after " << s.report.iterations;
        EXPECT_LE(true_residual(box, s.x), 1.1e-10);
    }
}

TEST(BlockCg, ReportsWhatItCannotSolve) {
    const HeldBox box = held_box({6, 3, 3}, 1.0, 1e-3);
    HeldBox indefinite = box;
    for (double& v : indefinite.a.values) v = -v;
    for (const BlockCg::Way way : kWays) {
        const CgSolution bad = solve_with(BlockCg(indefinite.a, indefinite.held, way), indefinite, 1e-6);
        EXPECT_FALSE(bad.report.converged);
        for (const double x : bad.x) ASSERT_TRUE(std::isfinite(x));
    }
    EXPECT_FALSE(solve_with(BlockCg(box.a, box.held, BlockCg::Way::two_level), box, 1e-6, 3).report.converged);
}

TEST(BlockCg, AGoodGuessIsUsedAndABadOneDropped) {
    const HeldBox box = held_box({10, 4, 4}, 1.0, 1e-3);
    const BlockCg solver(box.a, box.held, BlockCg::Way::two_level);
    const CgSolution cold = solve_with(solver, box, 1e-6);
    std::vector<double> near = solve_with(solver, box, 1e-12).x, far = near;
    for (std::size_t i = 0; i < near.size(); ++i) {
        near[i] *= 1.0 + 1e-4 * std::sin(static_cast<double>(i));
        far[i] *= -1e6;
    }
    EXPECT_LT(solve_with(solver, box, 1e-6, 2000, near).report.iterations, 0.8 * cold.report.iterations);
    EXPECT_EQ(solve_with(solver, box, 1e-6, 2000, far).x, cold.x);
}

TEST(BlockCg, TakesPlanarBodiesPartlyHeldVerticesAndBodiesOfOneGroup) {
    // A grid of springs in the plane, y held along one edge, one corner held; then one vertex alone.
    const std::size_t n = 9;
    HeldBox box;
    box.a.block = 2;
    for (std::size_t v = 0; v < n * n; ++v) {
        const std::size_t i = v % n, j = v / n;
        box.positions.insert(box.positions.end(), {static_cast<double>(i), static_cast<double>(j)});
        box.held.insert(box.held.end(), {static_cast<std::uint8_t>(v == 0), static_cast<std::uint8_t>(j == 0)});
        const auto put = [&](std::size_t column, double value) {
            box.a.columns.push_back(static_cast<std::int32_t>(column));
            box.a.values.insert(box.a.values.end(), {value, 0.1 * value, 0.1 * value, 2.0 * value});
        };
        if (j > 0) put(v - n, -1.0);
        if (i > 0) put(v - 1, -1.0);
        put(v, 4.01);
        if (i + 1 < n) put(v + 1, -1.0);
        if (j + 1 < n) put(v + n, -1.0);
        box.a.starts.push_back(static_cast<std::int32_t>(box.a.columns.size()));
    }
    box.b = testing::random_vector(2 * n * n, 4);
    hold(box);
    for (const BlockCg::Way way : kWays) {
        const CgSolution s = solve_with(BlockCg(box.a, box.held, way), box, 1e-9);
        EXPECT_TRUE(s.report.converged);
        EXPECT_LE(true_residual(box, s.x), 1.1e-9);
    }

    HeldBox one;
    one.a.starts = {0, 1};
    one.a.columns = {0};
    one.a.values = {2.0, 0.5, 0.0, 0.5, 3.0, 0.1, 0.0, 0.1, 4.0};
    one.positions = {5.0, 6.0, 7.0};
    one.b = {1.0, 2.0, 3.0};
    for (const BlockCg::Way way : kWays)
        EXPECT_LE(true_residual(one, solve_with(BlockCg(one.a, {}, way), one, 1e-12).x), 1.1e-12);
}

}  // namespace
}  // namespace limber
