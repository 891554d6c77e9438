// The loops of float_block.hpp, once for all instruction sets: float_block.cpp and float_block_avx2.cpp compile them
// (of AVX-512's file some). Vectors are the compilers' own type; what the machine has not, they put together from
// smaller ones, lane by lane the same.
#pragma once

#include "kernels/float_block.hpp"
#include "kernels/unaligned.hpp"

namespace limber::float_block {

// Readable at any address: scratch memory comes without a promise beyond 8 bytes.
using Four = float __attribute__((vector_size(16)));
using Eight = float __attribute__((vector_size(32)));
using Wide = double __attribute__((vector_size(32)));  // Four in double

LIMBER_INLINE Four four(const float* p) { return taken<Four>(p); }
LIMBER_INLINE Eight eight(const float* p) { return taken<Eight>(p); }

LIMBER_INLINE void join(const float* a, const float* b, Eight& to) {
    to = __builtin_shufflevector(four(a), four(b), 0, 1, 2, 3, 4, 5, 6, 7);
}

// Two rows at once, one in each half of a vector, and the fifth alone. A fourth lane sees the next row's numbers.
LIMBER_INLINE double product(const FloatRows& a, const float* x, float* y, std::size_t begin, std::size_t end) {
    Wide total = {};
    for (std::size_t slice = begin; slice < end; ++slice) {
        Eight s0[3] = {}, s2[3] = {};
        Four s4[3] = {};
        for (auto slot = static_cast<std::size_t>(a.starts[slice]);
             slot < static_cast<std::size_t>(a.starts[slice + 1]); ++slot) {
            const std::int32_t* columns = a.columns + kFloatRows * slot;
            const auto at = [&](std::size_t lane) { return x + 4 * static_cast<std::size_t>(columns[lane]); };
            Eight x0, x2, v0, v2;
            join(at(0), at(1), x0);
            join(at(2), at(3), x2);
            const Four x4 = four(at(4));
            const Eight c0[3] = {__builtin_shufflevector(x0, x0, 0, 0, 0, 0, 4, 4, 4, 4),
                                 __builtin_shufflevector(x0, x0, 1, 1, 1, 1, 5, 5, 5, 5),
                                 __builtin_shufflevector(x0, x0, 2, 2, 2, 2, 6, 6, 6, 6)};
            const Eight c2[3] = {__builtin_shufflevector(x2, x2, 0, 0, 0, 0, 4, 4, 4, 4),
                                 __builtin_shufflevector(x2, x2, 1, 1, 1, 1, 5, 5, 5, 5),
                                 __builtin_shufflevector(x2, x2, 2, 2, 2, 2, 6, 6, 6, 6)};
            for (std::size_t c = 0; c < 3; ++c) {
                const float* v = a.values + kFloatSlot * slot + kFloatColumn * c;
                join(v, v + 3, v0);
                join(v + 6, v + 9, v2);
                s0[c] += v0 * c0[c];
                s2[c] += v2 * c2[c];
                s4[c] += four(v + 12) * x4[c];
            }
        }
        const Eight y0 = (s0[0] + s0[1]) + s0[2], y2 = (s2[0] + s2[1]) + s2[2];
        const Four out[kFloatRows] = {__builtin_shufflevector(y0, y0, 0, 1, 2, 3),
                                      __builtin_shufflevector(y0, y0, 4, 5, 6, 7),
                                      __builtin_shufflevector(y2, y2, 0, 1, 2, 3),
                                      __builtin_shufflevector(y2, y2, 4, 5, 6, 7), (s4[0] + s4[1]) + s4[2]};
        const auto first = static_cast<std::size_t>(a.rows[slice]),
                   rows = static_cast<std::size_t>(a.rows[slice + 1]) - first;
        for (std::size_t l = 0; l < rows; ++l) {
            const Four sum = __builtin_shufflevector(out[l], Four{}, 0, 1, 2, 4);
            put(y + 4 * (first + l), sum);
            total += __builtin_convertvector(sum * four(x + 4 * (first + l)), Wide);
        }
    }
    return (total[0] + total[1]) + total[2];
}

// Rows ascending: each overwrites what the fourth lane of the one before put in its place.
LIMBER_INLINE void narrow(const double* values, const std::int32_t* entries, std::size_t count, double scale,
                          float* to) {
    for (std::size_t slot = 0; slot < count; ++slot, to += kFloatSlot, entries += kFloatRows) {
        for (std::size_t l = 0; l < kFloatRows; ++l) {
            Four c0 = {}, c1 = {}, c2 = {};
            if (entries[l] >= 0) {
                const double* from = values + 9 * static_cast<std::size_t>(entries[l]);
                c0 = __builtin_convertvector(taken<Wide>(from) * scale, Four);
                c1 = __builtin_convertvector(taken<Wide>(from + 3) * scale, Four);
                const Four last = __builtin_convertvector(taken<Wide>(from + 5) * scale,
                                                          Four);  // nothing behind the block is read
                c2 = __builtin_shufflevector(last, last, 1, 2, 3, 3);
            }
            put(to + 3 * l, c0);
            put(to + kFloatColumn + 3 * l, c1);
            put(to + 2 * kFloatColumn + 3 * l, c2);
        }
    }
}

LIMBER_INLINE void update(const FloatVectors& v, float alpha, std::size_t begin, std::size_t end, FloatSums& sums,
                          float* resultant) {
    Four force = {}, torque = {}, rr = {}, rz = {};
    for (std::size_t i = begin; i < end; ++i) {
        add_to(v.x + 4 * i, alpha * four(v.p + 4 * i));
        const Four r = four(v.r + 4 * i) - alpha * four(v.q + 4 * i);
        put(v.r + 4 * i, r);
        const float* m = v.inverse + 4 * i;
        const Four z = (four(m) * __builtin_shufflevector(r, r, 0, 0, 0, 0) +
                        four(m + v.plane) * __builtin_shufflevector(r, r, 1, 1, 1, 1)) +
                       four(m + 2 * v.plane) * __builtin_shufflevector(r, r, 2, 2, 2, 2);
        put(v.z + 4 * i, z);
        rr += r * r;
        rz += r * z;
        const Four arm = four(v.arm + 4 * i);
        force += __builtin_shufflevector(arm, arm, 3, 3, 3, 3) * r;
        torque += __builtin_shufflevector(arm, arm, 1, 2, 0, 3) * __builtin_shufflevector(r, r, 2, 0, 1, 3) -
                  __builtin_shufflevector(arm, arm, 2, 0, 1, 3) * __builtin_shufflevector(r, r, 1, 2, 0, 3);
    }
    sums.rr += static_cast<double>((rr[0] + rr[1]) + rr[2]);
    sums.rz += static_cast<double>((rz[0] + rz[1]) + rz[2]);
    for (std::size_t k = 0; k < 3; ++k) {
        resultant[k] = force[k];
        resultant[k + 3] = torque[k];
    }
    resultant[6] = resultant[7] = 0.0f;
}

LIMBER_INLINE void direction(const FloatVectors& v, float beta, const float* motion, std::size_t begin,
                             std::size_t end) {
    const Four shift = {motion[0], motion[1], motion[2], 0.0f};
    const Four spin_a = {motion[4], motion[5], motion[3], 0.0f},
               spin_b = {motion[5], motion[3], motion[4], 0.0f};  // (y z x), (z x y)
    for (std::size_t i = begin; i < end; ++i) {
        const Four arm = four(v.arm + 4 * i);
        const Four turn = spin_a * __builtin_shufflevector(arm, arm, 2, 0, 1, 3) -
                          spin_b * __builtin_shufflevector(arm, arm, 1, 2, 0, 3);
        put(v.p + 4 * i, ((four(v.z + 4 * i) + __builtin_shufflevector(arm, arm, 3, 3, 3, 3) * shift) + turn) +
                             beta * four(v.p + 4 * i));
    }
}

LIMBER_INLINE void reduce(const float* values, const std::int32_t* columns, std::size_t count, const float* arms,
                          const float* own, float* block) {
    Four shift[3] = {},
         spin[3] = {};  // forces on the row's vertex when the columns' group moves along or turns about an axis
    for (std::size_t e = 0; e < count; ++e) {
        const float *b = values + kFloatSlot * e, *arm = arms + 4 * static_cast<std::size_t>(columns[e]);
        const Four b0 = four(b), b1 = four(b + kFloatColumn), b2 = four(b + 2 * kFloatColumn);
        shift[0] += arm[3] * b0;
        shift[1] += arm[3] * b1;
        shift[2] += arm[3] * b2;
        spin[0] += arm[1] * b2 - arm[2] * b1;
        spin[1] += arm[2] * b0 - arm[0] * b2;
        spin[2] += arm[0] * b1 - arm[1] * b0;
    }
    const Four arm = four(own), next = __builtin_shufflevector(arm, arm, 1, 2, 0, 3),
               last = __builtin_shufflevector(arm, arm, 2, 0, 1, 3);
    for (std::size_t j = 0; j < 6; ++j) {
        const Four f = j < 3 ? shift[j % 3] : spin[j % 3];
        const Four torque = next * __builtin_shufflevector(f, f, 2, 0, 1, 3) -
                            last * __builtin_shufflevector(f, f, 1, 2, 0, 3);
        const Four force = arm[3] * f;
        add_to(block + 8 * j,
               __builtin_shufflevector(__builtin_shufflevector(force, torque, 0, 1, 2, 4),
                                       __builtin_shufflevector(torque, Four{}, 1, 2, 4, 5), 0, 1, 2, 3, 4, 5, 6, 7));
    }
}

LIMBER_INLINE void subtract6(float* c, const std::int32_t* c_at, const float* a, const float* b, std::size_t count) {
    for (std::size_t n = 0; n < count; ++n, a += kBlock6) {
        float* to = c + kBlock6 * static_cast<std::size_t>(c_at[n]);
        const Eight a0 = eight(a), a1 = eight(a + 8), a2 = eight(a + 16), a3 = eight(a + 24), a4 = eight(a + 32),
                    a5 = eight(a + 40);
        for (std::size_t j = 0; j < 6; ++j) {
            take_from(to + 8 * j, ((a0 * b[j] + a1 * b[8 + j]) + (a2 * b[16 + j] + a3 * b[24 + j])) +
                                      (a4 * b[32 + j] + a5 * b[40 + j]));
        }
    }
}

LIMBER_INLINE void times6(float* a, const float* b, std::size_t count) {
    for (std::size_t n = 0; n < count; ++n, a += kBlock6) {
        const Eight a0 = eight(a), a1 = eight(a + 8), a2 = eight(a + 16), a3 = eight(a + 24), a4 = eight(a + 32),
                    a5 = eight(a + 40);
        for (std::size_t j = 0; j < 6; ++j) {
            put(a + 8 * j,
                ((a0 * b[j] + a1 * b[8 + j]) + (a2 * b[16 + j] + a3 * b[24 + j])) + (a4 * b[32 + j] + a5 * b[40 + j]));
        }
    }
}

LIMBER_INLINE void apply6(const float* a, float* x) {
    put(x, ((eight(a) * x[0] + eight(a + 8) * x[1]) + (eight(a + 16) * x[2] + eight(a + 24) * x[3])) +
               (eight(a + 32) * x[4] + eight(a + 40) * x[5]));
}

LIMBER_INLINE void forward6(const float* d, const float* a, const std::int32_t* rows, std::size_t count, float* x,
                            float* y) {
    apply6(d, x);
    for (std::size_t n = 0; n < count; ++n, a += kBlock6) {
        take_from(y + 8 * static_cast<std::size_t>(rows[n]),
                  ((eight(a) * x[0] + eight(a + 8) * x[1]) + (eight(a + 16) * x[2] + eight(a + 24) * x[3])) +
                      (eight(a + 32) * x[4] + eight(a + 40) * x[5]));
    }
}

LIMBER_INLINE void backward6(const float* d, const float* a, const std::int32_t* rows, std::size_t count,
                             const float* y, float* x) {
    Eight s[6] = {};
    for (std::size_t n = 0; n < count; ++n, a += kBlock6) {
        const Eight at = eight(y + 8 * static_cast<std::size_t>(rows[n]));
        for (std::size_t j = 0; j < 6; ++j) s[j] += eight(a + 8 * j) * at;
    }
    for (std::size_t j = 0; j < 6; ++j) x[j] -= ((s[j][0] + s[j][1]) + (s[j][2] + s[j][3])) + (s[j][4] + s[j][5]);
    apply6(d, x);
}

}  // namespace limber::float_block
