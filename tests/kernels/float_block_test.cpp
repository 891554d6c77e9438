#include "kernels/float_block.hpp"
#include "kernels/isa.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace limber {
namespace {

float roll(std::uint64_t& state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<float>(state >> 40) * 0x1p-23f - 1.0f;
}
std::vector<float> rolls(std::size_t n, std::uint64_t seed) {
    std::vector<float> v(n);
    for (float& x : v) x = roll(seed);
    return v;
}

struct Named {
    const char* name;
    const FloatKernels* kernels;
    bool same_bits;  // as the baseline
};
std::vector<Named> others() {
    std::vector<Named> list;
    if (best_isa() >= Isa::avx2) list.push_back({"AVX2", &float_kernels_avx2(), true});
    if (best_isa() >= Isa::avx512) list.push_back({"AVX-512", &float_kernels_avx512(), false});
    return list;
}

void expect_same(const Named& who, const std::vector<float>& expected, const std::vector<float>& actual,
                 const char* what) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (std::isnan(expected[i])) {
            ASSERT_TRUE(std::isnan(actual[i])) << who.name << " wrote " << what << " " << i;
        } else if (who.same_bits) {
            ASSERT_EQ(actual[i], expected[i]) << who.name << " " << what << " " << i;
        } else {
            ASSERT_NEAR(actual[i], expected[i], 2e-5f * (1.0f + std::fabs(expected[i])))
                << who.name << " " << what << " " << i;
        }
    }
}

constexpr float kUntouched = std::numeric_limits<float>::quiet_NaN();

// Slices of one to five rows with zero to seven blocks in a row, of a matrix with `rows` columns.
struct Sliced {
    std::vector<std::int32_t> rows{0}, starts{0}, columns, entries;
    std::vector<double> blocks;
    std::vector<float> values;
    FloatRows view() const { return {rows.data(), starts.data(), columns.data(), values.data()}; }
};
Sliced sliced(std::initializer_list<std::int32_t> counts, std::uint64_t seed) {
    Sliced s;
    std::int32_t total = 0;
    for (const std::int32_t c : counts) total += c;
    for (const std::int32_t count : counts) {
        const auto longest = static_cast<std::int32_t>(seed % 7) + 1;
        for (std::int32_t k = 0; k < longest; ++k) {
            for (std::int32_t l = 0; l < static_cast<std::int32_t>(kFloatRows); ++l) {
                const bool filled = l < count && k + l % 3 < longest;
                roll(seed);
                s.columns.push_back(filled ? static_cast<std::int32_t>(seed >> 33) % total : s.rows.back());
                s.entries.push_back(filled ? static_cast<std::int32_t>(s.blocks.size() / 9) : -1);
                for (int i = 0; filled && i < 9; ++i) s.blocks.push_back(static_cast<double>(roll(seed)));
            }
        }
        s.starts.push_back(s.starts.back() + longest);
        s.rows.push_back(s.rows.back() + count);
    }
    s.values.assign(kFloatSlot * static_cast<std::size_t>(s.starts.back()), kUntouched);
    float_kernels_baseline().narrow(s.blocks.data(), s.entries.data(), static_cast<std::size_t>(s.starts.back()), 0.5,
                                    s.values.data());
    return s;
}

std::vector<float> vertices(std::size_t n, std::uint64_t seed) {
    std::vector<float> v = rolls(4 * n, seed);
    for (std::size_t i = 0; i < n; ++i) v[4 * i + 3] = 0.0f;
    return v;
}

TEST(FloatBlock, ProductsOfSlicesAreThoseOfTheirBlocks) {
    // Short slices at the end of a chunk must leave the next chunk's rows alone: another thread has them.
    const Sliced s = sliced({5, 5, 3, 1, 4, 5, 2}, 11);
    const auto n = static_cast<std::size_t>(s.rows.back());
    const std::vector<float> x = vertices(n, 3);
    std::vector<double> expected(4 * n, 0.0);
    double along = 0.0;
    for (std::size_t slice = 0; slice + 1 < s.rows.size(); ++slice) {
        for (std::size_t at = kFloatRows * static_cast<std::size_t>(s.starts[slice]);
             at < kFloatRows * static_cast<std::size_t>(s.starts[slice + 1]); ++at) {
            for (std::size_t k = 0; k < 9 && s.entries[at] >= 0; ++k) {
                const std::size_t row = static_cast<std::size_t>(s.rows[slice]) + at % kFloatRows;
                const double part = 0.5 * s.blocks[9 * static_cast<std::size_t>(s.entries[at]) + k] *
                                    static_cast<double>(x[4 * static_cast<std::size_t>(s.columns[at]) + k / 3]);
                expected[4 * row + k % 3] += part;
                along += part * static_cast<double>(x[4 * row + k % 3]);
            }
        }
    }
    std::vector<float> y(4 * n, kUntouched);
    const double dot = float_kernels_baseline().product(s.view(), x.data(), y.data(), 0, s.rows.size() - 1);
    EXPECT_NEAR(dot, along, 1e-5);
    for (std::size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(static_cast<double>(y[i]), expected[i], 1e-5) << i;
    for (const Named& who : others()) {
        for (std::size_t begin = 0; begin + 1 < s.rows.size(); ++begin) {
            for (std::size_t end = begin; end < s.rows.size(); ++end) {
                std::vector<float> part(4 * n, kUntouched), mine = part;
                const double sum = float_kernels_baseline().product(s.view(), x.data(), part.data(), begin, end);
                EXPECT_NEAR(who.kernels->product(s.view(), x.data(), mine.data(), begin, end), sum,
                            who.same_bits ? 0.0 : 1e-5);
                expect_same(who, part, mine, "y");
            }
        }
    }
}

TEST(FloatBlock, NarrowedBlocksHaveTheSameBits) {
    const Sliced s = sliced({5, 2, 5}, 5);
    for (const Named& who : others()) {
        std::vector<float> mine(s.values.size(), kUntouched);
        who.kernels->narrow(s.blocks.data(), s.entries.data(), static_cast<std::size_t>(s.starts.back()), 0.5,
                            mine.data());
        EXPECT_EQ(mine, s.values) << who.name;
    }
}

TEST(FloatBlock, UpdatesStayWithinTheirAggregate) {
    const std::size_t n = 24, plane = 4 * n;
    const std::vector<float> p = vertices(n, 1), q = vertices(n, 2), inverse = rolls(3 * plane, 6),
                             arm = rolls(4 * n, 7), motion = rolls(8, 8);
    for (const Named& who : others()) {
        for (std::size_t begin = 0; begin < 4; ++begin) {
            for (std::size_t end = begin + 1; end < begin + 14; ++end) {
                std::vector<float> x[2], r[2], z[2], turned[2], resultant[2];
                FloatSums sums[2];
                for (int k = 0; k < 2; ++k) {
                    x[k] = vertices(n, 3);
                    r[k] = vertices(n, 4);
                    z[k].assign(4 * n, kUntouched);
                    turned[k] = p;
                    resultant[k].assign(8, kUntouched);
                    const FloatKernels& kernels = k == 0 ? float_kernels_baseline() : *who.kernels;
                    const FloatVectors v{
                        x[k].data(),    r[k].data(), z[k].data(), turned[k].data(), const_cast<float*>(q.data()),
                        inverse.data(), arm.data(),  plane};
                    kernels.update(v, 0.7f, begin, end, sums[k], resultant[k].data());
                    kernels.direction(v, 0.3f, motion.data(), begin, end);
                }
                expect_same(who, x[0], x[1], "x");
                expect_same(who, r[0], r[1], "r");
                expect_same(who, z[0], z[1], "z");
                expect_same(who, turned[0], turned[1], "p");
                expect_same(who, resultant[0], resultant[1], "resultant");
                EXPECT_NEAR(sums[0].rr, sums[1].rr, 1e-5 * sums[0].rr);
                EXPECT_NEAR(sums[0].rz, sums[1].rz, 1e-4);
            }
        }
    }
}

TEST(FloatBlock, CoarseBlocksAreTheSame) {
    const Sliced s = sliced({5, 5, 5}, 9);
    const std::vector<float> arms = rolls(60, 2), own = rolls(4, 3);
    const auto padded = [](std::size_t blocks, std::uint64_t seed) {
        std::vector<float> v = rolls(kBlock6 * blocks, seed);
        for (std::size_t i = 0; i < v.size(); ++i)
            if (i % 8 >= 6) v[i] = 0.0f;
        return v;
    };
    const std::vector<float> a = padded(7, 4), b = padded(1, 5), x = rolls(8, 6);
    const std::int32_t at[] = {4, 0, 6, 2, 1, 3, 5};
    for (const Named& who : others()) {
        for (std::size_t count = 0; count <= 7; ++count) {
            std::vector<float> out[2][6];
            for (int k = 0; k < 2; ++k) {
                const FloatKernels& kernels = k == 0 ? float_kernels_baseline() : *who.kernels;
                auto& o = out[k];
                o[0] = padded(1, 7);
                o[1] = padded(7, 8);
                o[2] = a;
                o[3] = x;
                o[4] = rolls(56, 9);
                o[5] = x;
                const std::size_t blocks = std::min(count, static_cast<std::size_t>(s.starts[1]));
                kernels.reduce(s.values.data() + 6, at, blocks, arms.data(), own.data(), o[0].data());
                kernels.subtract6(o[1].data(), at, a.data(), b.data(), count);
                kernels.times6(o[2].data(), b.data(), count);
                kernels.forward6(b.data(), a.data(), at, count, o[3].data(), o[4].data());
                kernels.backward6(b.data(), a.data(), at, count, o[4].data(), o[5].data());
            }
            const char* names[] = {"reduced", "c", "a b^T", "forward, own", "forward", "backward"};
            for (int i = 0; i < 6; ++i) expect_same(who, out[0][i], out[1][i], names[i]);
        }
    }
}

}  // namespace
}  // namespace limber
