#include "kernels/front.hpp"
#include "kernels/isa.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <vector>

namespace limber {
namespace {

double front_noise(std::uint64_t& state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 12) * 0x1p-51 - 1.0;
}

// What lies above diagonals and behind arrays must never matter.
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

// A positive definite front of random numbers, and two children with rows in runs of one to seven.
struct Front {
    std::size_t width, below;
    std::vector<double> panel;
    std::vector<double> rests[2];
    std::vector<FrontRun> runs[2];
    std::vector<FrontChild> children;

    std::size_t height() const { return width + below; }
};

Front make_front(std::size_t width, std::size_t below) {
    Front f{width, below, std::vector<double>(width * (width + below) + kFrontSlack, kNothing), {}, {}, {}};
    std::uint64_t state = 1000 * width + below;
    const std::size_t h = f.height();
    for (std::size_t j = 0; j < width; ++j)
        for (std::size_t i = j; i < h; ++i) f.panel[j * h + i] = i == j ? static_cast<double>(h) : front_noise(state);
    for (std::size_t c = 0; c < 2; ++c) {
        std::size_t size = 0;
        for (std::size_t to = c, count = 1 + c; to + count <= h; to += count + 2, count = count % 7 + 1) {
            f.runs[c].push_back({size, to, count});
            size += count;
        }
        f.rests[c].assign(size * size + kFrontSlack, kNothing);
        for (std::size_t j = 0; j < size; ++j)
            for (std::size_t i = j; i < size; ++i) f.rests[c][j * size + i] = 0.1 * front_noise(state);
        f.children.push_back({f.rests[c].data(), size, f.runs[c].data(), f.runs[c].size()});
    }
    return f;
}

using Add = decltype(&front_add_baseline);
using Factor = decltype(&front_factor_baseline);

struct Kernels {
    const char* name;
    Add add;
    Factor factor;
};
// Those of all instruction sets that this processor has.
std::vector<Kernels> kernels_here() {
    std::vector<Kernels> all{{"baseline", front_add_baseline, front_factor_baseline}};
    if (best_isa() >= Isa::avx2) all.push_back({"AVX2", front_add_avx2, front_factor_avx2});
    if (best_isa() >= Isa::avx512) all.push_back({"AVX-512", front_add_avx512, front_factor_avx512});
    return all;
}

struct Done {
    std::vector<double> panel, rest;
    std::ptrdiff_t bad;
};

Done finish(const Front& f, const Kernels& kernels) {
    Done d{f.panel, std::vector<double>(f.below * f.below + kFrontSlack, kNothing), -1};
    std::vector<double> work(front_work(f.height()) + 8, kNothing);
    double* aligned = work.data() + (8 - reinterpret_cast<std::uintptr_t>(work.data()) / 8 % 8) % 8;
    for (const FrontChild& c : f.children) kernels.add(c, 0, f.width, 0, d.panel.data(), f.height());
    d.bad = kernels.factor(d.panel.data(), f.width, f.height(), f.children.data(), f.children.size(), d.rest.data(),
                           aligned);
    return d;
}

// Column by column, by the definition: the whole front with its children, then one pivot after the other.
Done by_definition(const Front& f) {
    const std::size_t h = f.height();
    std::vector<double> a(h * h, 0.0);
    for (std::size_t j = 0; j < f.width; ++j)
        for (std::size_t i = j; i < h; ++i) a[j * h + i] = f.panel[j * h + i];
    for (const FrontChild& c : f.children) {
        std::vector<std::size_t> place;
        for (std::size_t r = 0; r < c.count; ++r)
            for (std::size_t i = 0; i < c.runs[r].count; ++i) place.push_back(c.runs[r].to + i);
        for (std::size_t j = 0; j < c.size; ++j)
            for (std::size_t i = j; i < c.size; ++i) a[place[j] * h + place[i]] += c.rest[j * c.size + i];
    }
    Done d{std::vector<double>(f.width * h), std::vector<double>(f.below * f.below), -1};
    for (std::size_t j = 0; j < f.width; ++j) {
        const double pivot = std::sqrt(a[j * h + j]);
        for (std::size_t i = j; i < h; ++i) d.panel[j * h + i] = a[j * h + i] / pivot;
        for (std::size_t k = j + 1; k < h; ++k)
            for (std::size_t i = k; i < h; ++i) a[k * h + i] -= d.panel[j * h + i] * d.panel[j * h + k];
    }
    for (std::size_t j = 0; j < f.below; ++j)
        for (std::size_t i = j; i < f.below; ++i) d.rest[j * f.below + i] = a[(f.width + j) * h + f.width + i];
    return d;
}

// The largest difference in lower halves; NaN when there is one.
double difference(const Front& f, const Done& one, const Done& two) {
    double most = 0.0;
    const auto look = [&most](double a, double b) { most = std::abs(a - b) <= most ? most : std::abs(a - b); };
    for (std::size_t j = 0; j < f.width; ++j)
        for (std::size_t i = j; i < f.height(); ++i) look(one.panel[j * f.height() + i], two.panel[j * f.height() + i]);
    for (std::size_t j = 0; j < f.below; ++j)
        for (std::size_t i = j; i < f.below; ++i) look(one.rest[j * f.below + i], two.rest[j * f.below + i]);
    return most;
}

// Strips of 12 or 24 rows, tiles of four or eight columns and blocks of 96 leave remainders of every size.
TEST(Front, IsTheDefinitionWithEveryInstructionSet) {
    std::vector<Front> fronts;
    for (std::size_t width = 1; width <= 50; ++width) {
        for (const std::size_t below : std::initializer_list<std::size_t>{0, 1, 4, 7, 12, 14, 27, 35})
            fronts.push_back(make_front(width, below));
    }
    for (std::size_t below = 1; below <= 50; ++below) {
        for (const std::size_t width : std::initializer_list<std::size_t>{3, 8, 25})
            fronts.push_back(make_front(width, below));
    }
    for (const std::size_t width : std::initializer_list<std::size_t>{95, 96, 97, 131, 200}) {
        for (const std::size_t below : std::initializer_list<std::size_t>{0, 5, 37, 61})
            fronts.push_back(make_front(width, below));
    }
    for (const Front& f : fronts) {
        const Done exact = by_definition(f);
        for (const Kernels& kernels : kernels_here()) {
            const Done done = finish(f, kernels);
            EXPECT_EQ(done.bad, -1);
            EXPECT_LT(difference(f, exact, done), 1e-12)
                << kernels.name << ", " << f.width << " columns, " << f.below << " rows below";
        }
    }
}

// A pivot of zero, a negative one and one that is no number: the first of them is told, wherever it is in strips, tiles
// and blocks.
TEST(Front, NamesTheFirstColumnWhosePivotIsNotPositive) {
    for (const std::size_t at :
         std::initializer_list<std::size_t>{0, 1, 2, 3, 4, 7, 8, 9, 11, 12, 23, 24, 30, 95, 96, 99, 109}) {
        for (const double pivot : {0.0, -1.0, kNothing}) {
            Front f = make_front(110, 20);
            f.children.clear();
            const std::size_t h = f.height();
            for (std::size_t j = 0; j < f.width; ++j)
                for (std::size_t i = j + 1; i < h; ++i) f.panel[j * h + i] = 0.0;
            f.panel[at * h + at] = pivot;
            if (at < 105) f.panel[(at + 4) * h + at + 4] = -2.0;
            for (const Kernels& kernels : kernels_here())
                EXPECT_EQ(finish(f, kernels).bad, static_cast<std::ptrdiff_t>(at)) << kernels.name << ", " << pivot;
        }
    }
}

}  // namespace
}  // namespace limber
