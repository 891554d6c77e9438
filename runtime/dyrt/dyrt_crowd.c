/* Crowds: their memory, their settings, and single numbers in and out. */
#include "dyrt_internal.h"

#include <math.h>
#include <stdlib.h>

void limber_dyrt_default_settings(const limber_dyrt_asset* asset, limber_dyrt_settings* out) {
    int i;
    if (out == NULL) return;
    memset(out, 0, sizeof *out);
    out->drive = LIMBER_DYRT_TRANSFORMS;
    out->filter = LIMBER_DYRT_EXACT;
    out->amount = 1.0f;
    out->centripetal = 1;
    out->limit = 1.0f;
    for (i = 0; i < 3; ++i) out->gravity[i] = asset != NULL ? asset->gravity[i] : 0.0f;
}

static int settings_are_good(const limber_dyrt_asset* asset, const limber_dyrt_settings* s) {
    int i;
    if (s->drive != LIMBER_DYRT_TRANSFORMS && s->drive != LIMBER_DYRT_VELOCITIES) return 0;
    if ((int)s->filter < (int)LIMBER_DYRT_EXACT || (int)s->filter > (int)LIMBER_DYRT_TWO_TAP_IMPULSE) return 0;
    if (!isfinite(s->amount) || !isfinite(s->limit) || !(s->limit > 0.0f) ||
        !dyrt_all_below(s->gravity, 3, DYRT_LARGEST_SHAPE)) {
        return 0;
    }
    for (i = 0; i < asset->parts; ++i) {
        if ((s->coriolis && asset->part[i].coriolis == NULL) ||
            !dyrt_stays_in_range(asset->part + i, s->amount, s->limit, s->gravity)) {
            return 0;
        }
    }
    return 1;
}

/* Hands out pieces of one allocation; with no memory yet it only counts. */
typedef struct {
    unsigned char* memory;
    size_t used;
    int overflow;
} pieces;

static void* piece(pieces* from, size_t count, size_t size) {
    const size_t start = from->used, bytes = (count * size + 63) / 64 * 64;
    if (count != 0 && (count * size / count != size || bytes < count * size || start + bytes < start))
        from->overflow = 1;
    from->used = start + bytes;
    return from->memory != NULL ? from->memory + start : NULL;
}

static void divide(pieces* from, limber_dyrt_crowd* crowd, dyrt_crowd_part* parts) {
    size_t rows = 0;
    int i;
    for (i = 0; i < crowd->asset->parts; ++i) {
        dyrt_crowd_part* p = parts + i;
        p->part = crowd->asset->part + i;
        p->first_row = (int)rows;
        rows += (size_t)p->part->modes;
        p->transfer = (float*)piece(from, (size_t)p->part->modes * DYRT_MOTIONS, sizeof(float));
        if (crowd->settings.coriolis)
            p->coriolis = (float*)piece(from, 3 * (size_t)(p->part->modes * p->part->modes), sizeof(float));
        p->known = (unsigned char*)piece(from, (size_t)crowd->blocks, DYRT_LANES);
        p->state = (float*)piece(from, (size_t)crowd->blocks, dyrt_block_floats(p->part) * sizeof(float));
    }
    for (i = 0; i < DYRT_KEPT_STEPS; ++i) crowd->frame[i].rows = (dyrt_row*)piece(from, rows, sizeof(dyrt_row));
}

/* Columns: the bone's own axes as they are in the bind pose. */
static void bind_axes(const dyrt_part* p, double axes[3][3]) {
    const double x = p->bind_rotation[0], y = p->bind_rotation[1], z = p->bind_rotation[2], w = p->bind_rotation[3];
    axes[0][0] = 1.0 - 2.0 * (y * y + z * z);
    axes[0][1] = 2.0 * (x * y + w * z);
    axes[0][2] = 2.0 * (x * z - w * y);
    axes[1][0] = 2.0 * (x * y - w * z);
    axes[1][1] = 1.0 - 2.0 * (x * x + z * z);
    axes[1][2] = 2.0 * (y * z + w * x);
    axes[2][0] = 2.0 * (x * z + w * y);
    axes[2][1] = 2.0 * (y * z - w * x);
    axes[2][2] = 1.0 - 2.0 * (x * x + y * y);
}

/* A transfer row for motions in the bone's axes. The last six are a symmetric matrix: xx yy zz xy yz zx, mixed ones
 * standing for both. */
static void turn_row(const float* row, double axes[3][3], double amount, double centripetal, float* out) {
    static const int kFirst[6] = {0, 1, 2, 0, 1, 2}, kSecond[6] = {0, 1, 2, 1, 2, 0};
    int i, j;
    for (i = 0; i < 3; ++i) {
        double line = 0.0, turn = 0.0;
        for (j = 0; j < 3; ++j) {
            line += axes[i][j] * row[j];
            turn += axes[i][j] * row[3 + j];
        }
        out[i] = (float)(amount * line);
        out[3 + i] = (float)(amount * turn);
    }
    for (i = 0; i < 6; ++i) {
        const double *a = axes[kFirst[i]], *b = axes[kSecond[i]];
        double sum = 0.0;
        for (j = 0; j < 6; ++j) {
            const int c = kFirst[j], d = kSecond[j];
            sum += row[6 + j] * (i < 3 ? a[c] * b[d] : a[c] * b[d] + a[d] * b[c]);
        }
        out[6 + i] = (float)(centripetal * sum);
    }
}

static void turn_tables(const limber_dyrt_settings* settings, dyrt_crowd_part* p) {
    const int m = p->part->modes;
    double axes[3][3];
    int i, j, k;
    bind_axes(p->part, axes);
    for (k = 0; k < m; ++k) {
        turn_row(p->part->transfer + DYRT_MOTIONS * k, axes, settings->amount,
                 settings->centripetal ? settings->amount : 0.0, p->transfer + DYRT_MOTIONS * k);
    }
    for (i = 0; i < 3; ++i) {
        double along = 0.0;
        for (j = 0; j < 3; ++j) along += axes[i][j] * settings->gravity[j];
        p->bind_gravity[i] = (float)along;
        for (k = 0; p->coriolis != NULL && k < m * m; ++k) {
            const float* c = p->part->coriolis + k;
            p->coriolis[i * m * m + k] = (float)(axes[i][0] * c[0] + axes[i][1] * c[m * m] + axes[i][2] * c[2 * m * m]);
        }
    }
}

/* Everyone at rest, bones unknown. */
static void fill(limber_dyrt_crowd* crowd) {
    int i, b, l;
    for (i = 0; i < crowd->asset->parts; ++i) {
        dyrt_crowd_part* p = crowd->part + i;
        const size_t stride = dyrt_block_floats(p->part);
        turn_tables(&crowd->settings, p);
        dyrt_scaled_limits(p->part, crowd->settings.limit, p->limits);
        for (b = 0; b < crowd->blocks; ++b) {
            for (l = 0; l < DYRT_LANES; ++l) {
                p->state[(size_t)b * stride + (DYRT_TURN + 3) * DYRT_LANES + (size_t)l] = 1.0f;
                if (b * DYRT_LANES + l >= crowd->count)
                    p->known[b * DYRT_LANES + l] = DYRT_LIVE; /* nobody: stands still */
            }
        }
    }
}

limber_dyrt_result limber_dyrt_crowd_create(const limber_dyrt_asset* asset, int count,
                                            const limber_dyrt_settings* settings, limber_dyrt_crowd** out) {
    limber_dyrt_crowd* crowd;
    pieces all = {NULL, 0, 0};
    if (out == NULL) return LIMBER_DYRT_BAD_ARGUMENT;
    *out = NULL;
    if (asset == NULL || count < 1 || count > INT32_MAX - DYRT_LANES ||
        (settings != NULL && !settings_are_good(asset, settings))) {
        return LIMBER_DYRT_BAD_ARGUMENT;
    }
    crowd = (limber_dyrt_crowd*)calloc(1, sizeof *crowd);
    if (crowd == NULL) return LIMBER_DYRT_NO_MEMORY;
    crowd->asset = asset;
    crowd->count = count;
    crowd->blocks = (count + DYRT_LANES - 1) / DYRT_LANES;
    crowd->last = -1;
    if (settings != NULL)
        crowd->settings = *settings;
    else
        limber_dyrt_default_settings(asset, &crowd->settings);
    crowd->part = (dyrt_crowd_part*)calloc((size_t)asset->parts, sizeof(dyrt_crowd_part));
    if (crowd->part != NULL) divide(&all, crowd, crowd->part);
    if (crowd->part != NULL && !all.overflow && all.used + 64 > all.used) crowd->memory = calloc(1, all.used + 64);
    if (crowd->memory == NULL) {
        limber_dyrt_crowd_free(crowd);
        return LIMBER_DYRT_NO_MEMORY;
    }
    all.memory = (unsigned char*)crowd->memory + (64 - (uintptr_t)crowd->memory % 64);
    all.used = 0;
    divide(&all, crowd, crowd->part);
    fill(crowd);
    *out = crowd;
    return LIMBER_DYRT_OK;
}

void limber_dyrt_crowd_free(limber_dyrt_crowd* crowd) {
    if (crowd == NULL) return;
    free(crowd->memory);
    free(crowd->part);
    free(crowd);
}

/* The rate without the half push that the next frame will add, once the bone's acceleration at this time is known. */
static float owed_rate(const limber_dyrt_crowd* crowd, const dyrt_crowd_part* p, int instance, int mode) {
    if (crowd->last < 0 || p->known[instance] != DYRT_LIVE) return 0.0f;
    return crowd->frame[crowd->last].rows[p->first_row + mode].owed *
           dyrt_oscillator(p, instance, mode)[2 * DYRT_LANES];
}

void dyrt_forget(const limber_dyrt_crowd* crowd, const dyrt_crowd_part* p, int instance) {
    int k;
    for (k = 0; k < p->part->modes; ++k) {
        float* o = dyrt_oscillator(p, instance, k);
        o[DYRT_LANES] += owed_rate(crowd, p, instance, k);
        o[2 * DYRT_LANES] = 0.0f;
    }
    p->known[instance] = DYRT_NEW;
}

limber_dyrt_result limber_dyrt_cut(limber_dyrt_crowd* crowd, int instance, int rest) {
    int i, k;
    if (crowd == NULL || instance < 0 || instance >= crowd->count) return LIMBER_DYRT_BAD_ARGUMENT;
    for (i = 0; i < crowd->asset->parts; ++i) {
        const dyrt_crowd_part* p = crowd->part + i;
        dyrt_forget(crowd, p, instance);
        for (k = 0; rest && k < p->part->modes; ++k) {
            float* o = dyrt_oscillator(p, instance, k);
            o[0] = o[DYRT_LANES] = 0.0f;
        }
    }
    return LIMBER_DYRT_OK;
}

static const dyrt_crowd_part* part_of(const limber_dyrt_crowd* crowd, int instance, int part) {
    if (crowd == NULL || instance < 0 || instance >= crowd->count || part < 0 || part >= crowd->asset->parts)
        return NULL;
    return crowd->part + part;
}

limber_dyrt_result limber_dyrt_amplitudes(const limber_dyrt_crowd* crowd, int instance, int part, float* out) {
    const dyrt_crowd_part* p = part_of(crowd, instance, part);
    int k;
    if (p == NULL || out == NULL) return LIMBER_DYRT_BAD_ARGUMENT;
    for (k = 0; k < p->part->modes; ++k) out[k] = dyrt_oscillator(p, instance, k)[0];
    return LIMBER_DYRT_OK;
}

limber_dyrt_result limber_dyrt_rates(const limber_dyrt_crowd* crowd, int instance, int part, float* out) {
    const dyrt_crowd_part* p = part_of(crowd, instance, part);
    int k;
    if (p == NULL || out == NULL || crowd->settings.filter != LIMBER_DYRT_EXACT) return LIMBER_DYRT_BAD_ARGUMENT;
    for (k = 0; k < p->part->modes; ++k)
        out[k] = dyrt_oscillator(p, instance, k)[DYRT_LANES] + owed_rate(crowd, p, instance, k);
    return LIMBER_DYRT_OK;
}

limber_dyrt_result limber_dyrt_set_amplitudes(limber_dyrt_crowd* crowd, int instance, int part, const float* amplitudes,
                                              const float* rates) {
    const dyrt_crowd_part* p = part_of(crowd, instance, part);
    const int exact = crowd != NULL && crowd->settings.filter == LIMBER_DYRT_EXACT;
    int k;
    if (p == NULL || amplitudes == NULL || (rates != NULL && !exact)) return LIMBER_DYRT_BAD_ARGUMENT;
    if (!dyrt_all_below(amplitudes, (uint64_t)p->part->modes, DYRT_LARGEST)) return LIMBER_DYRT_BAD_ARGUMENT;
    if (rates != NULL && !dyrt_all_below(rates, (uint64_t)p->part->modes, DYRT_LARGEST))
        return LIMBER_DYRT_BAD_ARGUMENT;
    for (k = 0; k < p->part->modes; ++k) {
        float* o = dyrt_oscillator(p, instance, k);
        o[0] = amplitudes[k];
        if (!exact)
            o[DYRT_LANES] = amplitudes[k]; /* the amplitude before: at rest */
        else
            o[DYRT_LANES] = (rates != NULL ? rates[k] : 0.0f) - owed_rate(crowd, p, instance, k);
    }
    return LIMBER_DYRT_OK;
}

uint64_t limber_dyrt_limited(const limber_dyrt_crowd* crowd) { return crowd != NULL ? crowd->limited : 0; }
uint64_t limber_dyrt_skipped(const limber_dyrt_crowd* crowd) { return crowd != NULL ? crowd->skipped : 0; }

static double dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double* a, const double* b, double* out) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Of three columns. 4 w^2 = 1 + trace, 4 x^2 = 1 + x_x - y_y - z_z and so on: the largest of the four loses no digits.
 */
static void rotation_of(double m[3][3], double out[4]) {
    const double trace = m[0][0] + m[1][1] + m[2][2];
    const int i = m[0][0] >= m[1][1] && m[0][0] >= m[2][2] ? 0
                  : m[1][1] >= m[2][2]                     ? 1
                                                           : 2,
              j = (i + 1) % 3, k = (i + 2) % 3;
    if (trace >= 0.0) {
        const double s = 0.5 / sqrt(1.0 + trace);
        out[0] = (m[1][2] - m[2][1]) * s;
        out[1] = (m[2][0] - m[0][2]) * s;
        out[2] = (m[0][1] - m[1][0]) * s;
        out[3] = 0.25 / s;
    } else {
        const double s = 0.5 / sqrt(1.0 + m[i][i] - m[j][j] - m[k][k]);
        out[i] = 0.25 / s;
        out[j] = (m[i][j] + m[j][i]) * s;
        out[k] = (m[i][k] + m[k][i]) * s;
        out[3] = (m[j][k] - m[k][j]) * s;
    }
}

/* In double: squares of any finite float are finite there, and not zero. */
limber_dyrt_result limber_dyrt_bone_from_matrix(const float matrix[16], limber_dyrt_bone* out) {
    double m[3][3], third[3], rotation[4], length, along;
    int i;
    if (matrix == NULL || out == NULL) return LIMBER_DYRT_BAD_ARGUMENT;
    for (i = 0; i < 3; ++i) {
        m[0][i] = matrix[i];
        m[1][i] = matrix[4 + i];
        third[i] = matrix[8 + i];
    }
    cross(m[0], m[1], m[2]);
    length = dot(m[2], third) < 0.0
                 ? -sqrt(dot(m[0], m[0]))
                 : sqrt(dot(m[0], m[0])); /* a mirrored matrix turns its x axis back, as glTF readers do */
    for (i = 0; i < 3; ++i) m[0][i] /= length;
    along = dot(m[0], m[1]);
    for (i = 0; i < 3; ++i) m[1][i] -= along * m[0][i];
    length = sqrt(dot(m[1], m[1]));
    for (i = 0; i < 3; ++i) m[1][i] /= length;
    cross(m[0], m[1], m[2]);
    rotation_of(m, rotation);
    for (i = 0; i < 4; ++i)
        if (!isfinite(rotation[i]) || (i < 3 && !isfinite(matrix[12 + i]))) return LIMBER_DYRT_BAD_ARGUMENT;
    for (i = 0; i < 3; ++i) out->position[i] = matrix[12 + i];
    for (i = 0; i < 4; ++i) out->rotation[i] = (float)rotation[i];
    return LIMBER_DYRT_OK;
}
