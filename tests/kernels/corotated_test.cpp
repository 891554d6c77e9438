#include "kernels/corotated.hpp"
#include "kernels/isa.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace limber {
namespace {

constexpr std::size_t kVertices = 11;

double toss(std::uint64_t& state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 12) * 0x1p-51 - 1.0;
}
std::vector<double> tosses(std::size_t n, double size, std::uint64_t seed) {
    std::vector<double> v(n);
    for (double& x : v) x = size * toss(seed);
    return v;
}

// A batch of cells of any shape, displaced by about `size` of theirs.
struct Cells {
    Cells(double size, std::uint64_t seed)
        : gradients(tosses(9 * kTetBatch, 1.0, seed)),
          lame(tosses(2 * kTetBatch, 1.0, seed + 1)),
          u(tosses(3 * kVertices, size, seed + 2)),
          v(tosses(3 * kVertices, 1.0, seed + 3)),
          q(4 * kTetBatch) {
        for (std::size_t i = 0; i < 4 * kTetBatch; ++i)
            corners.push_back(static_cast<std::int32_t>((7 * i + seed) % kVertices));  // the last vertex as well
        for (std::size_t c = 0; c < kTetBatch; ++c) {
            const double x = 0.2 * toss(seed), y = 0.2 * toss(seed), z = 0.2 * toss(seed),
                         w = std::sqrt(1.0 - x * x - y * y - z * z);
            q[c] = w;
            q[kTetBatch + c] = x;
            q[2 * kTetBatch + c] = y;
            q[3 * kTetBatch + c] = z;
        }
    }
    TetBatch batch() const { return {corners.data(), gradients.data(), lame.data()}; }
    std::vector<std::int32_t> corners;
    std::vector<double> gradients, lame, u, v, q;
};

// Everything the kernels find, one after the other.
std::vector<double> all_of(const CorotatedKernels& k, const Cells& cells) {
    constexpr std::size_t n = 9 * kTetBatch;
    std::vector<double> out, f(n), dv(n), q = cells.q, force(n), energy(kTetBatch), turned(n), pushed(n),
                                          corners(4 * kTetCorner * kTetBatch), block(9);
    const auto keep = [&](const std::vector<double>& v) { out.insert(out.end(), v.begin(), v.end()); };
    k.gradient(cells.batch(), cells.u.data(), f.data());
    k.gradient(cells.batch(), cells.v.data(), dv.data());
    out.push_back(static_cast<double>(k.rotate_batch(f.data(), q.data())));
    for (const auto* v : {&f, &dv, &q}) keep(*v);
    k.respond(cells.batch(), f.data(), q.data(), force.data(), energy.data(), turned.data());
    for (const auto* v : {&force, &energy, &turned}) keep(*v);
    k.respond_volume(cells.batch(), f.data(), q.data(), force.data(), energy.data(), turned.data(), pushed.data());
    for (const auto* v : {&force, &energy, &turned, &pushed}) keep(*v);
    for (const auto damp : {k.damp, k.damp_volume}) {
        damp(cells.batch(), f.data(), dv.data(), q.data(), force.data());
        keep(force);
    }
    k.spread(turned.data(), pushed.data(), corners.data());
    keep(corners);
    const TetPair pairs[] = {{0, 2}, {7, 5}, {31, 31}, {12, 13}, {18, 16}};
    for (std::size_t count = 0; count <= 5; ++count) {
        k.block(pairs, count, corners.data(), cells.lame.data(), block.data());
        keep(block);
    }
    return out;
}

TEST(CorotatedKernels, GiveTheSameBitsWithAnyInstructionSet) {
    std::vector<const CorotatedKernels*> others;
    if (best_isa() >= Isa::avx2) others.push_back(&corotated_kernels_avx2());
    if (best_isa() >= Isa::avx512) others.push_back(&corotated_kernels_avx512());
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Cells cells(seed % 3 == 0 ? 1e-9 : 0.1 * static_cast<double>(seed % 3),
                          seed);  // 0.2: some have no rotation to be found
        const std::vector<double> expected = all_of(corotated_kernels_baseline(), cells);
        for (const CorotatedKernels* k : others) ASSERT_EQ(all_of(*k, cells), expected) << seed;
    }
}

TEST(CorotatedKernels, FourCellsTurnAsInABatch) {
    const Cells cells(0.1, 4);
    std::vector<double> f(9 * kTetBatch), q = cells.q, some(36), turn(16);
    for (const CorotatedKernels* k :
         {&corotated_kernels_baseline(),
          best_isa() >= Isa::avx512 ? &corotated_kernels_avx512() : &corotated_kernels_baseline()}) {
        k->gradient(cells.batch(), cells.u.data(), f.data());
        for (std::size_t h = 0; h < 2; ++h) {
            for (std::size_t i = 0; i < 36; ++i) some[i] = f[kTetBatch * (i / 4) + 4 * h + i % 4];
            for (std::size_t i = 0; i < 16; ++i) turn[i] = cells.q[kTetBatch * (i / 4) + 4 * h + i % 4];
            q = cells.q;
            EXPECT_EQ(k->rotate(some.data(), turn.data()), k->rotate_batch(f.data(), q.data()) >> 4 * h & 15u);
            for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(turn[i], q[kTetBatch * (i / 4) + 4 * h + i % 4]);
        }
    }
}

}  // namespace
}  // namespace limber
