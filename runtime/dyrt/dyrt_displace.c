/* Skin on the CPU: rest + sum of amplitude times shape, in pieces that stay in the nearest cache while every shape is
 * added to them. */
#include "dyrt_internal.h"

#include <math.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

enum { PIECE = 3 * 128 }; /* floats: whole vertices */

/* out = from + a[0] s[0] + a[1] s[1] + ..., five shapes at a time: out is read and written once for all five. */
DYRT_INLINE void add_shapes(const float* const* s, const float* a, int count, const float* restrict from,
                            float* restrict out, size_t n) {
    size_t i;
    int k = 0;
    if (count < 5) memcpy(out, from, n * sizeof(float));
    for (; k + 5 <= count; k += 5) {
        const float* restrict s0 = s[k];
        const float* restrict s1 = s[k + 1];
        const float* restrict s2 = s[k + 2];
        const float* restrict s3 = s[k + 3];
        const float* restrict s4 = s[k + 4];
        const float a0 = a[k], a1 = a[k + 1], a2 = a[k + 2], a3 = a[k + 3], a4 = a[k + 4];
        if (k == 0) {
            for (i = 0; i < n; ++i)
                out[i] = from[i] + ((a0 * s0[i] + a1 * s1[i]) + (a2 * s2[i] + a3 * s3[i]) + a4 * s4[i]);
        } else {
            for (i = 0; i < n; ++i) out[i] += (a0 * s0[i] + a1 * s1[i]) + (a2 * s2[i] + a3 * s3[i]) + a4 * s4[i];
        }
    }
    for (; k < count; ++k) {
        const float* restrict s0 = s[k];
        const float a0 = a[k];
        for (i = 0; i < n; ++i) out[i] += a0 * s0[i];
    }
}

#if defined(__SSE__)
/* Four vectors of three: x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3. */
DYRT_INLINE void squares_of_four(const float* v, float* out) {
    const __m128 a = _mm_loadu_ps(v), b = _mm_loadu_ps(v + 4), c = _mm_loadu_ps(v + 8);
    const __m128 yz = _mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1)), xy = _mm_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2));
    const __m128 x = _mm_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0)),
                 y = _mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
    const __m128 z = _mm_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1));
    _mm_storeu_ps(out, _mm_add_ps(_mm_add_ps(_mm_mul_ps(x, x), _mm_mul_ps(y, y)), _mm_mul_ps(z, z)));
}

DYRT_INLINE void scale_four(const float* factor, float* v) {
    const __m128 f = _mm_loadu_ps(factor);
    _mm_storeu_ps(v, _mm_mul_ps(_mm_loadu_ps(v), _mm_shuffle_ps(f, f, _MM_SHUFFLE(1, 0, 0, 0))));
    _mm_storeu_ps(v + 4, _mm_mul_ps(_mm_loadu_ps(v + 4), _mm_shuffle_ps(f, f, _MM_SHUFFLE(2, 2, 1, 1))));
    _mm_storeu_ps(v + 8, _mm_mul_ps(_mm_loadu_ps(v + 8), _mm_shuffle_ps(f, f, _MM_SHUFFLE(3, 3, 3, 2))));
}
#endif

/* Squares that dyrt_inverse_root is good for. */
static const float kLeastSquare = 1e-30f, kMostSquare = 1e30f;

/* One vector, if it is far too long or too short for the square of a float. */
static void normalise_extreme(float* v, float* factor) {
    const double x = v[0], y = v[1], z = v[2], square = x * x + y * y + z * z, length = sqrt(square);
    if (square >= (double)kLeastSquare && square <= (double)kMostSquare) return;
    *factor = 1.0f;
    if (length == 0.0) return;
    v[0] = (float)(x / length);
    v[1] = (float)(y / length);
    v[2] = (float)(z / length);
}

/* Vectors of three to unit length, at most a piece of them; those without length stay. */
DYRT_INLINE void normalise(float* v, size_t n) {
    const size_t count = n / 3;
    float factor[PIECE / 3];
    int usual = 1;
    size_t i = 0;
#if defined(__SSE__)
    for (; i + 4 <= count; i += 4) squares_of_four(v + 3 * i, factor + i);
#endif
    for (; i < count; ++i) factor[i] = v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] + v[3 * i + 2] * v[3 * i + 2];
    for (i = 0; i < count; ++i) {
        const float square = factor[i];
        usual &= (square >= kLeastSquare) & (square <= kMostSquare);
        factor[i] = dyrt_inverse_root(square);
    }
    for (i = 0; !usual && i < count; ++i) normalise_extreme(v + 3 * i, factor + i);
    i = 0;
#if defined(__SSE__)
    for (; i + 4 <= count; i += 4) scale_four(factor + i, v + 3 * i);
#endif
    for (; i < count; ++i) {
        v[3 * i] *= factor[i];
        v[3 * i + 1] *= factor[i];
        v[3 * i + 2] *= factor[i];
    }
}

/* Shapes of one kind that an amplitude moves: where they are and by how much. */
typedef struct {
    const float* shape[DYRT_MOST_MODES];
    float amount[DYRT_MOST_MODES];
    int count;
} blend;

static blend all_shapes(const dyrt_part* p, const float* shapes, const float* amplitudes) {
    blend b;
    int k;
    b.count = p->modes;
    for (k = 0; k < p->modes; ++k) {
        b.shape[k] = shapes + 3 * (size_t)p->vertices * (size_t)k;
        b.amount[k] = amplitudes[k];
    }
    return b;
}

static blend all_corrections(const dyrt_part* p, const float* amplitudes) {
    blend b;
    int k;
    b.count = 0;
    for (k = 0; k < p->modes; ++k) {
        if ((p->corrected >> k & 1) == 0) continue;
        b.shape[b.count] = p->corrections + 3 * (size_t)p->vertices * (size_t)b.count;
        b.amount[b.count++] = amplitudes[k];
    }
    return b;
}

DYRT_INLINE void blend_piece(const blend* b, const float* from, size_t at, size_t n, float* out) {
    const float* shape[DYRT_MOST_MODES];
    int k;
    for (k = 0; k < b->count; ++k) shape[k] = b->shape[k] + at;
    add_shapes(shape, b->amount, b->count, from, out, n);
}

DYRT_WIDE static void blend_all(const blend* b, const float* from, size_t n, int unit, float* out) {
    size_t at;
    for (at = 0; at < n; at += PIECE) {
        const size_t piece = n - at < PIECE ? n - at : PIECE;
        blend_piece(b, from + at, at, piece, out + at);
        if (unit) normalise(out + at, piece);
    }
}

/* The same in double, for what overflows floats. Rotations of a million radians and more: nobody can tell them from
 * shorter ones about the same axis. */
static void warp_extreme(const float* w, float* u) {
    const double largest = fmax(fabs((double)w[0]), fmax(fabs((double)w[1]), fabs((double)w[2]))),
                 f = largest > 1e6 ? 1e6 / largest : 1.0;
    const double r[3] = {w[0] * f, w[1] * f, w[2] * f}, t2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], t = sqrt(t2);
    const double a = t2 < 1e-4 ? 0.5 - t2 / 24.0 : (1.0 - cos(t)) / t2,
                 b = t2 < 1e-4 ? 1.0 / 6.0 - t2 / 120.0 : (t - sin(t)) / (t2 * t);
    const double x = r[1] * u[2] - r[2] * u[1], y = r[2] * u[0] - r[0] * u[2], z = r[0] * u[1] - r[1] * u[0];
    u[0] = (float)(u[0] + a * x + b * (r[1] * z - r[2] * y));
    u[1] = (float)(u[1] + a * y + b * (r[2] * x - r[0] * z));
    u[2] = (float)(u[2] + a * z + b * (r[0] * y - r[1] * x));
}

/* Modal warping: u is turned by half of what w = sum of q warp turns, in the mean over the way there. */
static void warp_piece(const float* w, float* u, size_t n) {
    size_t i;
    for (i = 0; i < n; i += 3, w += 3, u += 3) {
        const float t2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], t = sqrtf(t2);
        /* Below, the closed forms lose digits; the series are exact there. */
        const float a = t2 < 0.05f ? 0.5f - t2 * (1.0f / 24.0f - t2 * (1.0f / 720.0f)) : (1.0f - cosf(t)) / t2;
        const float b = t2 < 0.05f ? 1.0f / 6.0f - t2 * (1.0f / 120.0f - t2 * (1.0f / 5040.0f))
                                   : (t - sinf(t)) / (t2 * t);
        const float x = w[1] * u[2] - w[2] * u[1], y = w[2] * u[0] - w[0] * u[2], z = w[0] * u[1] - w[1] * u[0];
        if (!(t2 < 1e12f) || !(x * x + y * y + z * z < 1e24f)) {
            warp_extreme(w, u);
            continue;
        }
        u[0] += a * x + b * (w[1] * z - w[2] * y);
        u[1] += a * y + b * (w[2] * x - w[0] * z);
        u[2] += a * z + b * (w[0] * y - w[1] * x);
    }
}

/* What a part adds to the positions of vertices at / 3 and following. */
static void displacement_piece(const blend* shapes, const blend* warp, size_t at, size_t n, float* out) {
    static const float kNothing[PIECE] = {0.0f};
    float turn[PIECE];
    blend_piece(shapes, kNothing, at, n, out);
    if (warp == NULL) return;
    blend_piece(warp, kNothing, at, n, turn);
    warp_piece(turn, out, n);
}

limber_dyrt_result limber_dyrt_displace(const limber_dyrt_asset* asset, int part, const float* amplitudes, int warp,
                                        float* positions, float* normals) {
    const dyrt_part* p;
    size_t n, at, i;
    blend shapes;
    if (asset == NULL || part < 0 || part >= asset->parts || amplitudes == NULL || positions == NULL)
        return LIMBER_DYRT_BAD_ARGUMENT;
    p = asset->part + part;
    if ((warp && p->warp == NULL) || !dyrt_all_below(amplitudes, (uint64_t)p->modes, DYRT_LARGEST))
        return LIMBER_DYRT_BAD_ARGUMENT;
    n = 3 * (size_t)p->vertices;
    shapes = all_shapes(p, p->shapes, amplitudes);
    if (!warp)
        blend_all(&shapes, p->rest, n, 0, positions);
    else {
        const blend turns = all_shapes(p, p->warp, amplitudes);
        for (at = 0; at < n; at += PIECE) {
            const size_t piece = n - at < PIECE ? n - at : PIECE;
            displacement_piece(&shapes, &turns, at, piece, positions + at);
            for (i = at; i < at + piece; ++i) positions[i] += p->rest[i];
        }
    }
    if (normals != NULL) {
        shapes = all_corrections(p, amplitudes);
        blend_all(&shapes, p->normals, n, 1, normals);
    }
    return LIMBER_DYRT_OK;
}

/* One part's share of a mesh: piece by piece, then spread over the mesh's vertices. */
static void add_part(const dyrt_part* p, uint32_t mesh, const float* amplitudes, int warp, float* positions,
                     float* normals) {
    static const float kNothing[PIECE] = {0.0f};
    const blend shapes = all_shapes(p, p->shapes, amplitudes), corrections = all_corrections(p, amplitudes);
    const blend turns = warp ? all_shapes(p, p->warp, amplitudes) : shapes;
    const size_t n = 3 * (size_t)p->vertices;
    float move[PIECE], tilt[PIECE];
    size_t at, i;
    for (at = 0; at < n; at += PIECE) {
        const size_t piece = n - at < PIECE ? n - at : PIECE;
        displacement_piece(&shapes, warp ? &turns : NULL, at, piece, move);
        if (normals != NULL) blend_piece(&corrections, kNothing, at, piece, tilt);
        for (i = 0; i < piece; i += 3) {
            const uint32_t* index = p->indices + 2 * ((at + i) / 3);
            const size_t v = 3 * (size_t)index[1];
            int c;
            if (index[0] != mesh) continue;
            for (c = 0; c < 3; ++c) positions[v + (size_t)c] += move[i + (size_t)c];
            for (c = 0; normals != NULL && c < 3; ++c) normals[v + (size_t)c] += tilt[i + (size_t)c];
        }
    }
}

limber_dyrt_result limber_dyrt_apply(const limber_dyrt_asset* asset, int mesh, const float* const* amplitudes, int warp,
                                     float* positions, float* normals, int vertices) {
    int i, v;
    if (asset == NULL || mesh < 0 || mesh >= asset->meshes || amplitudes == NULL || positions == NULL)
        return LIMBER_DYRT_BAD_ARGUMENT;
    if (vertices < 0 || (uint32_t)vertices < asset->mesh[mesh].vertices) return LIMBER_DYRT_BAD_ARGUMENT;
    for (i = 0; i < asset->parts; ++i) {
        if (amplitudes[i] == NULL || (warp && asset->part[i].warp == NULL) ||
            !dyrt_all_below(amplitudes[i], (uint64_t)asset->part[i].modes, DYRT_LARGEST)) {
            return LIMBER_DYRT_BAD_ARGUMENT;
        }
    }
    for (i = 0; i < asset->parts; ++i)
        add_part(asset->part + i, (uint32_t)mesh, amplitudes[i], warp, positions, normals);
    for (i = 0; normals != NULL && i < asset->parts; ++i) { /* once all layers are on; a second time changes nothing */
        const dyrt_part* p = asset->part + i;
        for (v = 0; p->corrected != 0 && v < p->vertices; ++v) {
            if (p->indices[2 * (size_t)v] == (uint32_t)mesh)
                normalise(normals + 3 * (size_t)p->indices[2 * (size_t)v + 1], 3);
        }
    }
    return LIMBER_DYRT_OK;
}
