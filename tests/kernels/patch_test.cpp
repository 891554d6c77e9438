#include "kernels/patch.hpp"
#include "kernels/isa.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace limber {
namespace {

float patch_roll(std::uint64_t& state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<float>(state >> 40) * 0x1p-23f - 1.0f;
}

// Patches of 0, 2, 4, ... vertices of a field, and the same entries vertex by vertex.
struct Patched {
    std::vector<std::uint32_t> rows;
    std::vector<std::int32_t> starts{0}, row_starts{0}, row_patches, order;
    std::vector<float> slopes, row_slopes, numbers, x;
    std::size_t count;

    Patched(std::size_t patches, bool turns, std::uint64_t seed) : count(patches) {
        constexpr std::size_t kFieldVertices = 29;
        for (std::size_t i = 0; i < 4 * kFieldVertices; ++i) x.push_back(i % 4 == 3 ? 0.0f : patch_roll(seed));
        for (std::size_t p = 0; p < patches; ++p) {
            for (std::size_t k = 0; k < 2 * (p % 5); ++k) {
                rows.push_back(static_cast<std::uint32_t>(4 * ((7 * p + 3 * k) % kFieldVertices)));
                for (int i = 0; i < 4; ++i) slopes.push_back(i == 3 ? 0.0f : patch_roll(seed));
            }
            starts.push_back(static_cast<std::int32_t>(rows.size()));
        }
        const std::size_t padded = (patches + kPatchLanes - 1) / kPatchLanes * kPatchLanes;
        numbers.assign(PatchNumbers::kCount * padded, 0.0f);
        for (std::size_t p = 0; p < patches; ++p) {
            for (std::size_t k = 0; k < PatchNumbers::kCount; ++k) {
                const bool of_turns = (k >= PatchNumbers::kTurning && k < PatchNumbers::kF) ||
                                      k == PatchNumbers::kPressing;
                const float value = patch_roll(seed);
                numbers[PatchNumbers::kCount * (p - p % kPatchLanes) + kPatchLanes * k + p % kPatchLanes] =
                    of_turns && !turns ? 0.0f : value;
            }
        }
        for (std::size_t v = 0; v < kFieldVertices; ++v)
            order.push_back(static_cast<std::int32_t>(kFieldVertices - 1 - v));  // any order will do
        for (const std::int32_t v : order) {
            for (std::size_t p = 0; p < patches; ++p) {
                for (auto k = static_cast<std::size_t>(starts[p]); k < static_cast<std::size_t>(starts[p + 1]); ++k) {
                    if (rows[k] != static_cast<std::uint32_t>(4 * v)) continue;
                    row_patches.push_back(static_cast<std::int32_t>(p));
                    row_slopes.insert(row_slopes.end(), slopes.begin() + static_cast<std::ptrdiff_t>(4 * k),
                                      slopes.begin() + static_cast<std::ptrdiff_t>(4 * k + 4));
                }
            }
            row_starts.push_back(static_cast<std::int32_t>(row_patches.size()));
        }
    }

    struct Product {
        std::vector<float> stress, y;
        double work;
    };
    Product times(const PatchKernels& kernels, bool turns) const {
        Product out{std::vector<float>(kPatchStress * count, 0.0f), std::vector<float>(x.size(), 0.5f), 0.0};
        out.work = kernels.stress(patches(turns), x.data(), out.stress.data(), 0, count);
        kernels.forces({row_starts.data(), row_patches.data(), row_slopes.data(), order.data()}, out.stress.data(),
                       out.y.data(), 0, order.size());
        return out;
    }
    FloatPatches patches(bool turns) const {
        return {starts.data(), rows.data(), slopes.data(), numbers.data(), turns, count};
    }
    float& at(std::size_t p, std::size_t k) {
        return numbers[PatchNumbers::kCount * (p - p % kPatchLanes) + kPatchLanes * k + p % kPatchLanes];
    }
    float number(std::size_t p, std::size_t k) const {
        return numbers[PatchNumbers::kCount * (p - p % kPatchLanes) + kPatchLanes * k + p % kPatchLanes];
    }

    // One patch after the other in double, every vertex's force added where it belongs.
    std::vector<double> plain(double& work) const {
        std::vector<double> y(x.size(), 0.5);
        work = 0.0;
        for (std::size_t p = 0; p < count; ++p) {
            double n[PatchNumbers::kCount], g[9] = {}, t[9];
            for (std::size_t k = 0; k < PatchNumbers::kCount; ++k) n[k] = static_cast<double>(number(p, k));
            const auto each = [&](auto&& f) {
                for (auto k = static_cast<std::size_t>(starts[p]); k < static_cast<std::size_t>(starts[p + 1]); ++k) {
                    for (std::size_t i = 0; i < 3; ++i) {
                        for (std::size_t j = 0; j < 3; ++j)
                            f(rows[k] + i, 3 * i + j, static_cast<double>(slopes[4 * k + j]));
                    }
                }
            };
            each([&](std::size_t at, std::size_t ij, double slope) { g[ij] += static_cast<double>(x[at]) * slope; });
            patch_stress<true>(static_cast<const double*>(n), g, t);
            for (int k = 0; k < 9; ++k) work += g[k] * t[k];
            each([&](std::size_t at, std::size_t ij, double slope) { y[at] += t[ij] * slope; });
        }
        return y;
    }
};

TEST(PatchKernels, ProductsAreThoseOfOnePatchAfterTheOther) {
    // Every remainder of eight patches: the last, incomplete group is where lanes go wrong.
    for (std::size_t count = 0; count < 19; ++count) {
        for (const bool turns : {false, true}) {
            const Patched patches(count, turns, 11 + count);
            double work = 0.0;
            const std::vector<double> expected = patches.plain(work);
            const Patched::Product actual = patches.times(patch_kernels_baseline(), turns);
            EXPECT_NEAR(actual.work, work, 2e-4 * (1 + std::abs(work))) << count;
            for (std::size_t i = 0; i < expected.size(); ++i)
                EXPECT_NEAR(static_cast<double>(actual.y[i]), expected[i], 1e-4) << count << " patches, number " << i;
        }
    }
}

TEST(PatchKernels, Avx2DiffersFromTheBaselineInTheLastBitsOnly) {
    if (best_isa() < Isa::avx2) GTEST_SKIP() << "this processor has no AVX2";
    for (std::size_t count = 0; count < 19; ++count) {
        for (const bool turns : {false, true}) {
            const Patched patches(count, turns, 5 + count);
            const Patched::Product expected = patches.times(patch_kernels_baseline(), turns),
                                   actual = patches.times(patch_kernels_avx2(), turns);
            EXPECT_NEAR(actual.work, expected.work, 1e-5 * (1 + std::abs(expected.work))) << count;
            for (std::size_t i = 0; i < actual.stress.size(); ++i)
                EXPECT_NEAR(actual.stress[i], expected.stress[i], 1e-5f) << count;
            for (std::size_t i = 0; i < actual.y.size(); ++i) EXPECT_NEAR(actual.y[i], expected.y[i], 2e-5f) << count;
        }
    }
}

TEST(PatchKernels, ProductInOnePassHasTheBitsOfTwoHalves) {
    for (const PatchKernels* kernels :
         {&patch_kernels_baseline(), best_isa() < Isa::avx2 ? &patch_kernels_baseline() : &patch_kernels_avx2()}) {
        for (std::size_t count = 0; count < 19; ++count) {
            for (const bool turns : {false, true}) {
                const Patched patches(count, turns, 3 + count);
                const Patched::Product expected = patches.times(*kernels, turns);
                std::vector<float> y(patches.x.size(), 0.5f);
                EXPECT_EQ(kernels->product(patches.patches(turns), patches.x.data(), y.data()), expected.work) << count;
                EXPECT_EQ(y, expected.y) << count;
            }
        }
    }
}

TEST(PatchKernels, DiagonalIsTheProductWithOneVertexMoved) {
    for (const PatchKernels* kernels :
         {&patch_kernels_baseline(), best_isa() < Isa::avx2 ? &patch_kernels_baseline() : &patch_kernels_avx2()}) {
        for (const bool turns : {false, true}) {
            Patched patches(17, turns, 8);
            for (std::size_t p = 0; p < patches.count; ++p)  // its stiffness is symmetric where turning is
            {
                for (std::size_t i = 0; i < 3; ++i) {
                    for (std::size_t j = 0; j < i; ++j) {
                        patches.at(p, PatchNumbers::kTurning + 3 * i + j) = patches.number(
                            p, PatchNumbers::kTurning + 3 * j + i);
                    }
                }
            }
            std::vector<float> blocks(3 * patches.x.size(), 0.0f);
            for (std::size_t p = 0; p < patches.count; ++p) {
                float numbers[PatchNumbers::kCount];
                for (std::size_t k = 0; k < PatchNumbers::kCount; ++k) numbers[k] = patches.number(p, k);
                kernels->diagonal(patches.patches(turns), p, numbers, blocks.data());
            }
            for (std::size_t v = 0; 4 * v < patches.x.size(); ++v) {
                for (std::size_t j = 0; j < 3; ++j) {
                    std::vector<float> x(patches.x.size(), 0.0f), y(x);
                    x[4 * v + j] = 1.0f;
                    kernels->product(patches.patches(turns), x.data(), y.data());
                    for (std::size_t i = 0; i < 3; ++i)
                        EXPECT_NEAR(y[4 * v + i], blocks[12 * v + 4 * j + i], 2e-5f) << v << ' ' << i << ' ' << j;
                }
            }
        }
    }
}

}  // namespace
}  // namespace limber
