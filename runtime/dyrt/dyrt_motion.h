/* From bones to what they push, for a block of instances. Inline: dyrt_step.c compiles it once per instruction set. */
#ifndef LIMBER_DYRT_MOTION_H
#define LIMBER_DYRT_MOTION_H

#include "dyrt_internal.h"

#include <math.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#define LANES DYRT_LANES
#define EACH_LANE for (l = 0; l < LANES; ++l)

/* Of the current frame and part; the same for all blocks. Motions are seen in the bone's own axes: crowds turn the
 * transfer table once. */
typedef struct {
    float per_dt;                        /* 1 / dt */
    float per_change;                    /* 1 / time between the two velocities whose difference is the acceleration */
    float weight_before, weight_now;     /* of the two velocities at or around the time of the push */
    const float *gravity, *bind_gravity; /* world axes; bone axes of the bind pose */
    const float* limits;
    int coriolis;
    float most_turn; /* 1 / the longer of this frame and the one before: spins beyond make Coriolis forces grow without
                        end */
} frame_facts;

/* What the bones of a block do: all that is computed before the oscillators. */
typedef struct {
    float bone[DYRT_BONE_FIELDS][LANES]; /* as in the state */
    float turn[4][LANES];                /* rotation in which accelerations are seen */
    float motion[DYRT_MOTIONS][LANES];
    float spin[3][LANES]; /* for Coriolis forces only */
    int good[LANES];      /* input is finite, and not beyond all measure */
    int limited[LANES];
} block_motion;

/* acos(w) / sqrt(1 - w^2) in x = 1 - w, 0 to 1: within 1e-7 (Chebyshev fit of degree 9). */
DYRT_INLINE float log_factor(float x) {
    float y = 0.011470095f;
    y = y * x - 0.033961762f;
    y = y * x + 0.053518288f;
    y = y * x - 0.036093999f;
    y = y * x + 0.031536818f;
    y = y * x + 0.019659732f;
    y = y * x + 0.058074038f;
    y = y * x + 0.133257389f;
    y = y * x + 0.333335727f;
    return y * x + 1.0f;
}

#if defined(__SSE__)
/* Seven numbers of four bones each, turned into seven vectors: two transpositions of 4 x 4 (the last of the first is
 * the first of the second). */
DYRT_INLINE void gather_four(const limber_dyrt_bone* bones, size_t stride, float (*out)[LANES], int l) {
    __m128 a = _mm_loadu_ps(bones->position), b = _mm_loadu_ps(bones[stride].position);
    __m128 c = _mm_loadu_ps(bones[2 * stride].position), d = _mm_loadu_ps(bones[3 * stride].position);
    __m128 e = _mm_loadu_ps(bones->rotation), f = _mm_loadu_ps(bones[stride].rotation);
    __m128 g = _mm_loadu_ps(bones[2 * stride].rotation), h = _mm_loadu_ps(bones[3 * stride].rotation);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _MM_TRANSPOSE4_PS(e, f, g, h);
    _mm_storeu_ps(out[0] + l, a);
    _mm_storeu_ps(out[1] + l, b);
    _mm_storeu_ps(out[2] + l, c);
    _mm_storeu_ps(out[3] + l, e);
    _mm_storeu_ps(out[4] + l, f);
    _mm_storeu_ps(out[5] + l, g);
    _mm_storeu_ps(out[6] + l, h);
}
#endif

/* Input of a block's bones, field by field; nobody's bone stands still. */
DYRT_INLINE void gather(const limber_dyrt_bone* bones, const limber_dyrt_motion* motions, size_t stride, int present,
                        block_motion* b) {
    int l = 0, i;
#if defined(__SSE__)
    for (; l + 4 <= present; l += 4) gather_four(bones + stride * (size_t)l, stride, b->bone, l);
#endif
    for (; l < present; ++l) {
        const limber_dyrt_bone* bone = bones + stride * (size_t)l;
        for (i = 0; i < 3; ++i) b->bone[DYRT_PLACE + i][l] = bone->position[i];
        for (i = 0; i < 4; ++i) b->bone[DYRT_TURN + i][l] = bone->rotation[i];
    }
    for (; l < LANES; ++l)
        for (i = 0; i < DYRT_BONE_FIELDS; ++i) b->bone[i][l] = i == DYRT_TURN + 3 ? 1.0f : 0.0f;
    for (l = 0; motions != NULL && l < present; ++l)
        for (i = 0; i < 3; ++i) {
            b->bone[DYRT_VELOCITY + i][l] = motions[stride * (size_t)l].velocity[i];
            b->bone[DYRT_SPIN + i][l] = motions[stride * (size_t)l].angular_velocity[i];
        }
}

/* Rotations to unit length. */
DYRT_INLINE void orient(block_motion* b) {
    int l;
    EACH_LANE {
        const float x = b->bone[3][l], y = b->bone[4][l], z = b->bone[5][l], w = b->bone[6][l];
        const float square = x * x + y * y + z * z + w * w, f = dyrt_inverse_root(square);
        const float far = b->bone[0][l] * b->bone[0][l] + b->bone[1][l] * b->bone[1][l] + b->bone[2][l] * b->bone[2][l];
        b->bone[3][l] = x * f;
        b->bone[4][l] = y * f;
        b->bone[5][l] = z * f;
        b->bone[6][l] = w * f;
        b->good[l] = (square > 1e-12f) & (square < 1e12f) & (far < DYRT_FAR_SQUARE);
    }
}

/* Mean velocity and mean spin of the frame, from where the bone was and is; `was` becomes is. */
DYRT_INLINE void measure(float* restrict was, float per_dt, block_motion* restrict b) {
    int l, i;
    EACH_LANE {
        const float x = was[3 * LANES + l], y = was[4 * LANES + l], z = was[5 * LANES + l], w = was[6 * LANES + l];
        const float a = b->bone[3][l], c = b->bone[4][l], d = b->bone[5][l], e = b->bone[6][l];
        const float real = w * e + x * a + y * c + z * d, size = real < 0.0f ? -real : real;
        const float f = (real < 0.0f ? -2.0f : 2.0f) * per_dt * log_factor(1.0f - size);
        b->bone[10][l] = f * (w * a - e * x - (y * d - z * c));
        b->bone[11][l] = f * (w * c - e * y - (z * a - x * d));
        b->bone[12][l] = f * (w * d - e * z - (x * c - y * a));
        b->turn[0][l] = x;
        b->turn[1][l] = y;
        b->turn[2][l] = z;
        b->turn[3][l] = w;
        was[3 * LANES + l] = a;
        was[4 * LANES + l] = c;
        was[5 * LANES + l] = d;
        was[6 * LANES + l] = e;
    }
    for (i = 0; i < 3; ++i) EACH_LANE {
            const float now = b->bone[i][l];
            b->bone[DYRT_VELOCITY + i][l] = (now - was[i * LANES + l]) * per_dt;
            was[i * LANES + l] = now;
        }
}

/* v turned back by the rotation q (x y z w). */
#define TURN_BACK(qx, qy, qz, qw, vx, vy, vz, ox, oy, oz)                                             \
    do {                                                                                              \
        const float tx = 2.0f * ((vy) * (qz) - (vz) * (qy)), ty = 2.0f * ((vz) * (qx) - (vx) * (qz)); \
        const float tz = 2.0f * ((vx) * (qy) - (vy) * (qx));                                          \
        (ox) = (vx) + (qw)*tx + (ty * (qz)-tz * (qy));                                                \
        (oy) = (vy) + (qw)*ty + (tz * (qx)-tx * (qz));                                                \
        (oz) = (vz) + (qw)*tz + (tx * (qy)-ty * (qx));                                                \
    } while (0)

/* Velocities are given: spin into bone axes, and the rotation half way through the frame. */
DYRT_INLINE void take_velocities(float* restrict was, block_motion* restrict b) {
    int l;
    EACH_LANE {
        const float a = b->bone[3][l], c = b->bone[4][l], d = b->bone[5][l], e = b->bone[6][l];
        const float vx = b->bone[10][l], vy = b->bone[11][l], vz = b->bone[12][l];
        const float x = was[3 * LANES + l], y = was[4 * LANES + l], z = was[5 * LANES + l], w = was[6 * LANES + l];
        const float side = w * e + x * a + y * c + z * d < 0.0f ? -1.0f : 1.0f;
        const float mx = a + side * x, my = c + side * y, mz = d + side * z, mw = e + side * w;
        const float f = dyrt_inverse_root(mx * mx + my * my + mz * mz + mw * mw);
        const float speed = b->bone[7][l] * b->bone[7][l] + b->bone[8][l] * b->bone[8][l] +
                            b->bone[9][l] * b->bone[9][l];
        const float spin = vx * vx + vy * vy + vz * vz;
        TURN_BACK(a, c, d, e, vx, vy, vz, b->bone[10][l], b->bone[11][l], b->bone[12][l]);
        b->turn[0][l] = mx * f;
        b->turn[1][l] = my * f;
        b->turn[2][l] = mz * f;
        b->turn[3][l] = mw * f;
        b->good[l] &= (speed < DYRT_FAR_SQUARE) & (spin < DYRT_FAR_SQUARE);
        was[3 * LANES + l] = a;
        was[4 * LANES + l] = c;
        was[5 * LANES + l] = d;
        was[6 * LANES + l] = e;
    }
}

/* Vectors longer than the limit are shortened to it. Rare, so the roots are taken only where one of the block needs it;
 * the others are multiplied by exactly 1. */
DYRT_INLINE int any_longer(const float* restrict x, const float* restrict y, const float* restrict z, float limit) {
    int l, found = 0;
    EACH_LANE found |= x[l] * x[l] + y[l] * y[l] + z[l] * z[l] > limit * limit;
    return found;
}

static void shorten(float (*v)[LANES], float limit, int* limited) {
    int l, i;
    EACH_LANE {
        const float square = v[0][l] * v[0][l] + v[1][l] * v[1][l] + v[2][l] * v[2][l];
        const float largest = fmaxf(fabsf(v[0][l]), fmaxf(fabsf(v[1][l]), fabsf(v[2][l])));
        float x[3], f;
        if (!(square > limit * limit)) continue;
        for (i = 0; i < 3; ++i) x[i] = v[i][l] / largest; /* squares of a far teleport would overflow */
        f = limit * dyrt_inverse_root(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        for (i = 0; i < 3; ++i) v[i][l] = x[i] * f;
        limited[l] = 1;
    }
}

/* The same for the six products of spin. */
static void shorten_products(float (*v)[LANES], float limit, int* limited) {
    int l, i;
    EACH_LANE {
        const float square = v[0][l] + v[1][l] + v[2][l];
        if (!(square > limit * limit)) continue;
        for (i = 0; i < 6; ++i) v[i][l] *= limit * limit / square;
        limited[l] = 1;
    }
}

/* now - was, per second; `was` becomes now. */
DYRT_INLINE void change(float* restrict was, float (*now)[LANES], float per_change, float (*out)[LANES]) {
    int i, l;
    for (i = 0; i < 3; ++i) EACH_LANE {
            out[i][l] = (now[i][l] - was[i * LANES + l]) * per_change;
            was[i * LANES + l] = now[i][l];
        }
}

/* w w^T as the mean of both ends' products: the product of means would lack a part of its constant half, -(Omega dt)^2
 * / 3 in a swing. */
DYRT_INLINE int spin_products(const float* restrict was, const frame_facts* f, const float (*restrict now)[LANES],
                              float (*restrict out)[LANES]) {
    const float before = f->weight_before, after = f->weight_now, limit = f->limits[2];
    int l, found = 0;
    EACH_LANE {
        const float ux = was[l], uy = was[LANES + l], uz = was[2 * LANES + l];
        const float vx = now[0][l], vy = now[1][l], vz = now[2][l];
        out[0][l] = before * (ux * ux) + after * (vx * vx);
        out[1][l] = before * (uy * uy) + after * (vy * vy);
        out[2][l] = before * (uz * uz) + after * (vz * vz);
        out[3][l] = before * (ux * uy) + after * (vx * vy);
        out[4][l] = before * (uy * uz) + after * (vy * vz);
        out[5][l] = before * (uz * ux) + after * (vz * vx);
    }
    EACH_LANE found |= out[0][l] + out[1][l] + out[2][l] > limit * limit;
    return found;
}

/* The spin at the time of the push, between the two: weights the other way round. */
static void spin_between(const float* was, const frame_facts* f, block_motion* b) {
    const float most = f->most_turn < f->limits[2] ? f->most_turn : f->limits[2];
    int i, l;
    for (i = 0; i < 3; ++i)
        EACH_LANE b->spin[i][l] = f->weight_now * was[i * LANES + l] + f->weight_before * b->bone[DYRT_SPIN + i][l];
    shorten(b->spin, most, b->limited);
}

/* The twelve numbers that push oscillators (docs/dyrt_format.md, but in the bone's axes), from the velocities before
 * and now. */
DYRT_INLINE void find_motion(float* restrict was, const frame_facts* f, block_motion* restrict b) {
    const float gx = f->gravity[0], gy = f->gravity[1], gz = f->gravity[2], bx = f->bind_gravity[0],
                by = f->bind_gravity[1], bz = f->bind_gravity[2];
    float a[3][LANES], *spin = was + DYRT_SPIN * LANES;
    int l;
    EACH_LANE b->limited[l] = 0;
    change(was + DYRT_VELOCITY * LANES, b->bone + DYRT_VELOCITY, f->per_change, a);
    if (any_longer(a[0], a[1], a[2], f->limits[0])) shorten(a, f->limits[0], b->limited);
    EACH_LANE {
        const float qx = b->turn[0][l], qy = b->turn[1][l], qz = b->turn[2][l], qw = b->turn[3][l];
        const float ax = a[0][l] - gx, ay = a[1][l] - gy, az = a[2][l] - gz;
        float ox, oy, oz;
        TURN_BACK(qx, qy, qz, qw, ax, ay, az, ox, oy, oz);
        b->motion[0][l] = ox + bx;
        b->motion[1][l] = oy + by;
        b->motion[2][l] = oz + bz;
    }
    if (f->coriolis) spin_between(spin, f, b);
    if (spin_products(spin, f, (const float(*)[LANES])b->bone + DYRT_SPIN, b->motion + 6))
        shorten_products(b->motion + 6, f->limits[2], b->limited);
    change(spin, b->bone + DYRT_SPIN, f->per_change, b->motion + 3);
    if (any_longer(b->motion[3], b->motion[4], b->motion[5], f->limits[1]))
        shorten(b->motion + 3, f->limits[1], b->limited);
}

#endif
