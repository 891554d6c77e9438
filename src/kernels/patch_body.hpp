// The loops of patch.hpp, once for both instruction sets.
#pragma once

#include "kernels/patch.hpp"

namespace limber::patch {

using Four = float __attribute__((vector_size(16)));
using Eight = float __attribute__((vector_size(32)));

LIMBER_INLINE Four four(const float* p) { return taken<Four>(p); }

// Numbers of eight patches side by side, read where they are wanted.
struct Lanes {
    const float* first;
    LIMBER_INLINE Lanes operator+(std::size_t k) const { return {first + kPatchLanes * k}; }
    LIMBER_INLINE Eight operator[](std::size_t k) const { return taken<Eight>(first + kPatchLanes * k); }
};

LIMBER_INLINE Four halves_of(const Eight& v) {
    return __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
}

// Rows x, y, z of a patch's gradient, the fourth number of each nothing. Two vertices at once, one in each half of a
// vector.
LIMBER_INLINE void gradient(const FloatPatches& a, const float* x, std::size_t p, Four& x_row, Four& y_row,
                            Four& z_row) {
    Eight x_rows = {}, y_rows = {}, z_rows = {};
    const auto end = static_cast<std::size_t>(a.starts[p + 1]);
    for (auto k = static_cast<std::size_t>(a.starts[p]); k < end; k += 2) {
        const float *first = x + a.rows[k], *second = x + a.rows[k + 1];
        const Eight at = __builtin_shufflevector(four(first), four(second), 0, 1, 2, 3, 4, 5, 6, 7),
                    slope = taken<Eight>(a.slopes + 4 * k);
        x_rows += slope * __builtin_shufflevector(at, at, 0, 0, 0, 0, 4, 4, 4, 4);
        y_rows += slope * __builtin_shufflevector(at, at, 1, 1, 1, 1, 5, 5, 5, 5);
        z_rows += slope * __builtin_shufflevector(at, at, 2, 2, 2, 2, 6, 6, 6, 6);
    }
    x_row = halves_of(x_rows);
    y_row = halves_of(y_rows);
    z_row = halves_of(z_rows);
}

// Columns 0, 1, 2 of eight rows of four.
LIMBER_INLINE void columns_of(const Four* r, Eight* out) {
    Eight pair[4];  // rows k and k + 4
    for (int k = 0; k < 4; ++k) pair[k] = __builtin_shufflevector(r[k], r[k + 4], 0, 1, 2, 3, 4, 5, 6, 7);
    const Eight low01 = __builtin_shufflevector(pair[0], pair[1], 0, 8, 1, 9, 4, 12, 5, 13);
    const Eight low23 = __builtin_shufflevector(pair[2], pair[3], 0, 8, 1, 9, 4, 12, 5, 13);
    const Eight high01 = __builtin_shufflevector(pair[0], pair[1], 2, 10, 3, 11, 6, 14, 7, 15);
    const Eight high23 = __builtin_shufflevector(pair[2], pair[3], 2, 10, 3, 11, 6, 14, 7, 15);
    out[0] = __builtin_shufflevector(low01, low23, 0, 1, 8, 9, 4, 5, 12, 13);
    out[1] = __builtin_shufflevector(low01, low23, 2, 3, 10, 11, 6, 7, 14, 15);
    out[2] = __builtin_shufflevector(high01, high23, 0, 1, 8, 9, 4, 5, 12, 13);
}

// The way back: eight rows (c0, c1, c2, 0).
LIMBER_INLINE void rows_of(const Eight& c0, const Eight& c1, const Eight& c2, Four* out) {
    const Eight none = {};
    const Eight low01 = __builtin_shufflevector(c0, c1, 0, 8, 1, 9, 4, 12, 5, 13),
                low23 = __builtin_shufflevector(c2, none, 0, 8, 1, 9, 4, 12, 5, 13);
    const Eight high01 = __builtin_shufflevector(c0, c1, 2, 10, 3, 11, 6, 14, 7, 15),
                high23 = __builtin_shufflevector(c2, none, 2, 10, 3, 11, 6, 14, 7, 15);
    const Eight pair[4] = {__builtin_shufflevector(low01, low23, 0, 1, 8, 9, 4, 5, 12, 13),
                           __builtin_shufflevector(low01, low23, 2, 3, 10, 11, 6, 7, 14, 15),
                           __builtin_shufflevector(high01, high23, 0, 1, 8, 9, 4, 5, 12, 13),
                           __builtin_shufflevector(high01, high23, 2, 3, 10, 11, 6, 7, 14, 15)};
    for (int k = 0; k < 4; ++k) {
        out[k] = __builtin_shufflevector(pair[k], pair[k], 0, 1, 2, 3);
        out[k + 4] = __builtin_shufflevector(pair[k], pair[k], 4, 5, 6, 7);
    }
}

// Eight stresses: to[3 * l + j] is column j of patch p + l, so that a vertex's force is three products of four. Returns
// the sum of G : T(G).
template <bool Turns>
LIMBER_INLINE double stress_of_eight(const FloatPatches& a, const float* x, std::size_t p, std::size_t many, Four* to) {
    Four rows[3][kPatchLanes];
    for (std::size_t l = 0; l < many; ++l) gradient(a, x, p + l, rows[0][l], rows[1][l], rows[2][l]);
    for (std::size_t l = many; l < kPatchLanes; ++l) rows[0][l] = rows[1][l] = rows[2][l] = Four{};
    Eight g[9], t[9];
    for (std::size_t i = 0; i < 3; ++i) columns_of(rows[i], g + 3 * i);
    patch_stress<Turns>(Lanes{a.numbers + PatchNumbers::kCount * p}, g, t);
    Eight work = t[0] * g[0];
    for (int k = 1; k < 9; ++k) work += t[k] * g[k];
    for (std::size_t j = 0; j < 3; ++j) {
        Four columns[kPatchLanes];
        rows_of(t[j], t[3 + j], t[6 + j], columns);
        for (std::size_t l = 0; l < kPatchLanes; ++l) to[3 * l + j] = columns[l];
    }
    double sum = 0.0;
    for (std::size_t l = 0; l < many; ++l) sum += static_cast<double>(work[l]);
    return sum;
}

// y += what a patch's stress does to its vertices, two at once. The last may be one twice, so that each is added before
// the next is read.
LIMBER_INLINE void spread(const FloatPatches& a, std::size_t p, const Four* stress, float* y) {
    Eight column[3];
    for (int j = 0; j < 3; ++j) column[j] = __builtin_shufflevector(stress[j], stress[j], 0, 1, 2, 3, 0, 1, 2, 3);
    const auto end = static_cast<std::size_t>(a.starts[p + 1]);
    for (auto k = static_cast<std::size_t>(a.starts[p]); k < end; k += 2) {
        const Eight slope = taken<Eight>(a.slopes + 4 * k);
        const Eight force = (column[0] * __builtin_shufflevector(slope, slope, 0, 0, 0, 0, 4, 4, 4, 4) +
                             column[1] * __builtin_shufflevector(slope, slope, 1, 1, 1, 1, 5, 5, 5, 5)) +
                            column[2] * __builtin_shufflevector(slope, slope, 2, 2, 2, 2, 6, 6, 6, 6);
        add_to(y + a.rows[k], __builtin_shufflevector(force, force, 0, 1, 2, 3));
        add_to(y + a.rows[k + 1], __builtin_shufflevector(force, force, 4, 5, 6, 7));
    }
}

template <bool Turns, bool Spreads>
LIMBER_INLINE double run(const FloatPatches& a, const float* x, float* out, std::size_t begin, std::size_t end) {
    double sum = 0.0;
    for (std::size_t p = begin; p < end; p += kPatchLanes) {
        Four stress[3 * kPatchLanes];
        const std::size_t many = a.count - p < kPatchLanes ? a.count - p : kPatchLanes;
        sum += stress_of_eight<Turns>(a, x, p, many, stress);
        for (std::size_t l = 0; l < many; ++l) {
            if constexpr (Spreads)
                spread(a, p + l, stress + 3 * l, out);
            else
                for (std::size_t j = 0; j < 3; ++j) put(out + kPatchStress * (p + l) + 4 * j, stress[3 * l + j]);
        }
    }
    return sum;
}

LIMBER_INLINE double stress(const FloatPatches& a, const float* x, float* out, std::size_t begin, std::size_t end) {
    return a.turns ? run<true, false>(a, x, out, begin, end) : run<false, false>(a, x, out, begin, end);
}

LIMBER_INLINE double product(const FloatPatches& a, const float* x, float* y) {
    return a.turns ? run<true, true>(a, x, y, 0, a.count) : run<false, true>(a, x, y, 0, a.count);
}

// One patch's numbers, the same in all lanes.
struct Same {
    const float* first;
    LIMBER_INLINE Same operator+(std::size_t k) const { return {first + k}; }
    LIMBER_INLINE Eight operator[](std::size_t k) const { return Eight{} + first[k]; }
};

template <bool Turns>
LIMBER_INLINE void reduce_with(const float* numbers, const float* motions, std::size_t count, float* const* block) {
    constexpr std::size_t kMotion = 9 * kPatchLanes;
    for (std::size_t b = 0; b < count; ++b) {
        Eight g[9], t[9];
        for (std::size_t k = 0; k < 9; ++k) g[k] = taken<Eight>(motions + kMotion * b + kPatchLanes * k);
        patch_stress<Turns>(Same{numbers}, g, t);
        float stress[kMotion];
        for (std::size_t k = 0; k < 9; ++k) put(stress + kPatchLanes * k, t[k]);
        for (std::size_t a = b; a < count; ++a, ++block) {
            Eight m[9];
            for (std::size_t k = 0; k < 9; ++k) m[k] = taken<Eight>(motions + kMotion * a + kPatchLanes * k);
            for (std::size_t q = 0; q < 6; ++q) {
                Eight sum = m[0] * stress[q];
                for (std::size_t k = 1; k < 9; ++k) sum += m[k] * stress[kPatchLanes * k + q];
                add_to(*block + 8 * q, sum);
            }
        }
    }
}

LIMBER_INLINE void reduce(const float* numbers, bool turns, const float* motions, std::size_t count,
                          float* const* block) {
    if (turns)
        reduce_with<true>(numbers, motions, count, block);
    else
        reduce_with<false>(numbers, motions, count, block);
}

// a x b of vectors (x, y, z, 0).
LIMBER_INLINE Four crossed(const Four& a, const Four& b) {
    return __builtin_shufflevector(a, a, 1, 2, 0, 3) * __builtin_shufflevector(b, b, 2, 0, 1, 3) -
           __builtin_shufflevector(a, a, 2, 0, 1, 3) * __builtin_shufflevector(b, b, 1, 2, 0, 3);
}

LIMBER_INLINE void diagonal(const FloatPatches& a, std::size_t p, const float* n, float* blocks) {
    const auto column = [&](std::size_t first, std::size_t j) __attribute__((always_inline)) {
        return Four{n[first + j], n[first + 3 + j], n[first + 6 + j], 0.0f};
    };
    const float both = n[PatchNumbers::kLambda] + n[PatchNumbers::kMu], mu = n[PatchNumbers::kMu],
                bulk = n[PatchNumbers::kBulk];
    Four r[3], c[3], turning[3];
    for (std::size_t j = 0; j < 3; ++j) {
        r[j] = column(PatchNumbers::kR, j);
        c[j] = column(PatchNumbers::kC, j);
        turning[j] = column(PatchNumbers::kTurning, j);
    }
    const Four unit[3] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    const auto end = static_cast<std::size_t>(a.starts[p + 1]);
    for (auto k = static_cast<std::size_t>(a.starts[p]); k < end; ++k) {
        const float* g = a.slopes + 4 * k;
        const Four h = r[0] * g[0] + r[1] * g[1] + r[2] * g[2], s = c[0] * g[0] + c[1] * g[1] + c[2] * g[2];
        const Four stiff = h * both, pressed = s * bulk;
        const float along = mu * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        float* to = blocks + kPatchStress / 4 * a.rows[k];
        for (std::size_t j = 0; j < 3; ++j) {
            Four sum = stiff * h[j] + pressed * s[j] + unit[j] * along;
            if (a.turns) {  // [h]_x^T K [h]_x: column j is (K (h x e_j)) x h
                const Four arm = crossed(h, unit[j]);
                sum += crossed(turning[0] * arm[0] + turning[1] * arm[1] + turning[2] * arm[2], h);
            }
            add_to(to + 4 * j, sum);
        }
    }
}

LIMBER_INLINE void forces(const FloatPatchRows& a, const float* stress, float* y, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        float* to = y + 4 * static_cast<std::size_t>(a.order[i]);
        const auto last = static_cast<std::size_t>(a.starts[i + 1]);
        Four sum = four(to);
        for (auto k = static_cast<std::size_t>(a.starts[i]); k < last; ++k) {
            const float *t = stress + kPatchStress * static_cast<std::size_t>(a.patches[k]), *slope = a.slopes + 4 * k;
            sum += (four(t) * slope[0] + four(t + 4) * slope[1]) + four(t + 8) * slope[2];
        }
        put(to, sum);
    }
}

}  // namespace limber::patch
