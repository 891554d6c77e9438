#include "kernels/panel.hpp"
#include "kernels/isa.hpp"
#include "kernels/panel_float.hpp"

#include <limber/version.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace limber {
namespace {

double noise(std::uint64_t& state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 12) * 0x1p-51 - 1.0;
}

struct Free {
    void operator()(void* p) const { std::free(p); }
};

// A panel with random entries, and a dense copy of the triangle L11 and the rows L21 that it stands for.
struct Case {
    std::size_t width, rows;
    std::unique_ptr<double, Free> values;
    std::vector<std::int32_t> index;
    std::vector<double> x;
};

Case make_case(std::size_t width, std::size_t rows) {
    Case c{width, rows, {}, {}, {}};
    std::uint64_t state = 1000 * width + rows;
    const std::size_t size = panel_size<double>(width, rows);
    c.values.reset(static_cast<double*>(std::aligned_alloc(64, (size * 8 + 63) / 64 * 64)));
    double* v = c.values.get();
    std::fill(v, v + size, 0.0);
    for (std::size_t first = 0; first < width; first += 4) {
        const std::size_t here = std::min<std::size_t>(4, width - first);
        for (std::size_t j = 0; j < first; ++j, v += 4)
            for (std::size_t l = 0; l < here; ++l) v[l] = 0.1 * noise(state);
        for (std::size_t k = 0; k < here; ++k, v += 4)
            for (std::size_t l = k; l < here; ++l) v[l] = l == k ? 1.0 + 0.1 * noise(state) : 0.1 * noise(state);
    }
    for (std::size_t top = 0; top < rows; top += kTileRows) {
        const std::size_t here = std::min(kTileRows, rows - top), padded = (here + 3) / 4 * 4;
        for (std::size_t j = 0; j < width; ++j, v += padded)
            for (std::size_t l = 0; l < here; ++l) v[l] = noise(state);
    }
    // Rows in every second place, so that a kernel that ignores the index is caught.
    for (std::size_t i = 0; i < rows; ++i) c.index.push_back(static_cast<std::int32_t>(width + 2 * i));
    for (std::size_t i = 0; i < width + 2 * rows; ++i) c.x.push_back(noise(state));
    return c;
}

std::vector<double> run(const Case& c, PanelFunction f) {
    std::vector<double> x = c.x;
    f({c.values.get(), c.width, c.rows, c.index.data(), x.data(), x.data()});
    return x;
}

void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b, const Case& c) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(a[i]), std::bit_cast<std::uint64_t>(b[i]))
            << "width " << c.width << ", rows " << c.rows << ", entry " << i;
    }
}

// Every width and every remainder of a tile: tails are where lane kernels go wrong.
template <class F>
void for_all_shapes(F&& f) {
    for (std::size_t width = 1; width <= kPanelWidth; width += width < 18 ? 1 : 7) {
        for (const std::size_t rows : std::initializer_list<std::size_t>{0,  1,  3,  4,  5,  8,  9,  12, 13, 15,
                                                                         16, 17, 24, 25, 31, 33, 41, 50, 60, 64}) {
            f(make_case(width, rows));
        }
    }
    for (const std::size_t rows : std::initializer_list<std::size_t>{0, 7, 100}) f(make_case(kPanelWidth, rows));
}

TEST(Panel, Avx2GivesTheSameBitsAsTheBaseline) {
    if (best_isa() < Isa::avx2) GTEST_SKIP() << "no AVX2 here";
    for_all_shapes([](const Case& c) {
        expect_same_bits(run(c, panel_forward_avx2), run(c, panel_forward_baseline), c);
        expect_same_bits(run(c, panel_backward_avx2), run(c, panel_backward_baseline), c);
    });
}

TEST(Panel, Avx512GivesTheSameBitsAsTheBaseline) {
    if (best_isa() < Isa::avx512) GTEST_SKIP() << "no AVX-512 here";
    for_all_shapes([](const Case& c) {
        expect_same_bits(run(c, panel_forward_avx512), run(c, panel_forward_baseline), c);
        expect_same_bits(run(c, panel_backward_avx512), run(c, panel_backward_baseline), c);
    });
}

// The case in single precision: another padding of the last tile, so the same random numbers in another place.
std::vector<float> run_float(const Case& c, void (*f)(const PanelArgsFloat&) noexcept) {
    const std::size_t size = panel_size<float>(c.width, c.rows);
    const std::unique_ptr<float, Free> values(static_cast<float*>(std::aligned_alloc(64, (size * 4 + 63) / 64 * 64)));
    std::fill(values.get(), values.get() + size, 0.0f);
    const double* from = c.values.get();
    float* to = std::copy_n(from, panel_triangle_size(c.width), values.get());
    from += panel_triangle_size(c.width);
    for (std::size_t top = 0; top < c.rows; top += kTileRows) {
        const std::size_t here = std::min(kTileRows, c.rows - top);
        for (std::size_t j = 0; j < c.width; ++j, from += (here + 3) / 4 * 4, to += (here + 7) / 8 * 8)
            std::copy_n(from, here, to);
    }
    std::vector<float> x(c.x.begin(), c.x.end());
    f({values.get(), c.width, c.rows, c.index.data(), x.data(), x.data()});
    return x;
}

TEST(PanelFloat, EveryInstructionSetGivesTheSameBits) {
    const auto same = [](const std::vector<float>& a, const std::vector<float>& b, const Case& c) {
        for (std::size_t i = 0; i < a.size(); ++i) {
            ASSERT_EQ(std::bit_cast<std::uint32_t>(a[i]), std::bit_cast<std::uint32_t>(b[i]))
                << "width " << c.width << ", rows " << c.rows << ", entry " << i;
        }
    };
    for_all_shapes([&](const Case& c) {
        const std::vector<float> forward = run_float(c, panel_forward_float_baseline),
                                 backward = run_float(c, panel_backward_float_baseline);
        if (best_isa() >= Isa::avx2) same(run_float(c, panel_forward_float_avx2), forward, c);
        if (best_isa() >= Isa::avx2) same(run_float(c, panel_backward_float_avx2), backward, c);
        if (best_isa() >= Isa::avx512) same(run_float(c, panel_forward_float_avx512), forward, c);
        if (best_isa() >= Isa::avx512) same(run_float(c, panel_backward_float_avx512), backward, c);
        const std::vector<double> exact = run(c, panel_forward_baseline), back = run(c, panel_backward_baseline);
        double largest = 0.0, other = 0.0;
        for (std::size_t i = 0; i < exact.size(); ++i)
            largest = std::max(largest, std::abs(exact[i])), other = std::max(other, std::abs(back[i]));
        for (std::size_t i = 0; i < exact.size(); ++i) {
            ASSERT_NEAR(forward[i], exact[i], 1e-4 * largest) << "width " << c.width << ", rows " << c.rows;
            ASSERT_NEAR(backward[i], back[i], 1e-4 * other) << "width " << c.width << ", rows " << c.rows;
        }
    });
}

// Eight right-hand sides, each the case's times its own factor: a kernel that mixes them up is caught.
std::vector<double> run_bundle(const Case& c, PanelFunction f) {
    const std::size_t size = c.x.size() * kBundle;
    const std::unique_ptr<double, Free> x(static_cast<double*>(std::aligned_alloc(64, size * 8)));
    for (std::size_t i = 0; i < size; ++i)
        x.get()[i] = c.x[i / kBundle] * (1.0 + 0.25 * static_cast<double>(i % kBundle));
    f({c.values.get(), c.width, c.rows, c.index.data(), x.get(), x.get()});
    return {x.get(), x.get() + size};
}

TEST(PanelBundle, Avx2GivesTheSameBitsAsTheBaseline) {
    if (best_isa() < Isa::avx2) GTEST_SKIP() << "no AVX2 here";
    for_all_shapes([](const Case& c) {
        expect_same_bits(run_bundle(c, panel_forward_bundle_avx2), run_bundle(c, panel_forward_bundle_baseline), c);
        expect_same_bits(run_bundle(c, panel_backward_bundle_avx2), run_bundle(c, panel_backward_bundle_baseline), c);
    });
}

// Another order of the same sums: a lost tail, a wrong stride or a wrong lane is far above rounding.
TEST(PanelBundle, SolvesEachOfItsColumnsLikeOneAlone) {
    const auto compare = [](const Case& c, PanelFunction one, PanelFunction many) {
        const std::vector<double> alone = run(c, one), bundle = run_bundle(c, many);
        double largest = 0.0;
        for (const double v : alone) largest = std::max(largest, std::abs(v));
        for (std::size_t i = 0; i < bundle.size(); ++i) {
            ASSERT_NEAR(bundle[i], alone[i / kBundle] * (1.0 + 0.25 * static_cast<double>(i % kBundle)),
                        1e-13 * largest)
                << "width " << c.width << ", rows " << c.rows << ", entry " << i;
        }
    };
    for_all_shapes([&](const Case& c) {
        compare(c, panel_forward_baseline, panel_forward_bundle_baseline);
        compare(c, panel_backward_baseline, panel_backward_bundle_baseline);
    });
}

// The backward sweep is the transpose of the forward one: y . F x = x . B y over the panel's unknowns and rows. A wrong
// index, a lost tile or a wrong sign in either breaks it. (F also leaves rows as they are, up to its update; so does
// B.)
TEST(Panel, BackwardIsTheTransposeOfForward) {
    for_all_shapes([](const Case& c) {
        Case other = make_case(c.width, c.rows);
        std::uint64_t state = 99;
        for (double& v : other.x) v = noise(state);
        const std::vector<double> fx = run(c, panel_forward_baseline), by = run(other, panel_backward_baseline);
        double left = 0.0, right = 0.0, size = 0.0;
        for (std::size_t i = 0; i < c.x.size(); ++i) {
            left += other.x[i] * fx[i];
            right += c.x[i] * by[i];
            size += std::abs(other.x[i] * fx[i]) + std::abs(c.x[i] * by[i]);
        }
        ASSERT_NEAR(left, right, 1e-13 * size) << "width " << c.width << ", rows " << c.rows;
    });
}

TEST(Panel, SizeCountsTrianglePlusPaddedRows) {
    EXPECT_EQ(panel_triangle_size(1), 4u);
    EXPECT_EQ(panel_triangle_size(4), 16u);
    EXPECT_EQ(panel_triangle_size(5), 16u + 20u);
    EXPECT_EQ(panel_triangle_size(8), 48u);
    EXPECT_EQ(panel_size<double>(4, 5), 16u + 32u);
}

TEST(Isa, NamesWhatIsInUse) {
    set_kernel_choice(Isa::baseline);
    EXPECT_NE(std::string(kernel_isa()).find("baseline"), std::string::npos);
    set_kernel_choice(Isa::avx2);
    if (kernel_choice() == Isa::avx2) {
        EXPECT_STREQ(kernel_isa(), "AVX2");
    }
    set_kernel_choice(best_isa());
    EXPECT_EQ(kernel_isa(), provenance().isa);  // core asks the processor by itself
}

}  // namespace
}  // namespace limber
