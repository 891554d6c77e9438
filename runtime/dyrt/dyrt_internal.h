/* What the run-time's files share. Not for users: limber_dyrt.h is. */
#ifndef LIMBER_DYRT_INTERNAL_H
#define LIMBER_DYRT_INTERNAL_H

#include "limber_dyrt.h"

/* How large numbers may be, so that no product of theirs overflows a float: what is beyond is refused, skipped or put
 * to rest, and told. */
#define DYRT_SHORTEST                                                                                                  \
    1e-4f /* [s]: what passes in less waits for the next frame; a bone's rounding over a shorter time looks like speed \
           */
#define DYRT_LONGEST 1e6f       /* [s] */
#define DYRT_FAR_SQUARE 1e38f   /* of a bone's place, velocity and spin: 1e19 */
#define DYRT_LARGEST 1e25f      /* of amplitudes, rates and pushes */
#define DYRT_LARGEST_RATE 1e34f /* of the fastest oscillator's rate at that */
#define DYRT_LARGEST_SHAPE \
    1e9f /* of vertices, shapes and normals, what 64 of them times the largest amplitude add up to is finite */

enum { DYRT_CORIOLIS = 1, DYRT_WARP = 2, DYRT_MOTIONS = 12, DYRT_MOST_PARTS = 256, DYRT_MOST_MODES = 64 };

typedef struct {
    const char *name, *bone;
    int modes, residuals, vertices, flags;
    uint64_t corrected; /* oscillators that have a normal correction */
    float bind_rotation[4];
    float limits[3];             /* linear acceleration, angular acceleration, angular speed */
    const float* oscillators;    /* modes times omega, decay, scale, zero */
    const float* transfer;       /* modes times 12 */
    const float* coriolis;       /* 3 times modes x modes, or NULL */
    const uint32_t* indices;     /* vertices times mesh, vertex */
    const float *rest, *normals; /* vertices times 3 */
    const float *shapes, *corrections, *warp;
} dyrt_part;

typedef struct {
    const char* name;
    uint32_t vertices;
} dyrt_mesh;

struct limber_dyrt_asset {
    float metres, gravity[3];
    const char* provenance;
    int parts, meshes;
    dyrt_part* part;
    dyrt_mesh* mesh;
    void* bytes; /* the file, words in the machine's order */
    char* strings;
};

/* ---- Crowds: blocks of 32 instances side by side, so that every loop over a block is one of vectors ---- */
enum { DYRT_LANES = 32, DYRT_BONE_FIELDS = 13, DYRT_OSCILLATOR_FIELDS = 3, DYRT_KEPT_STEPS = 4 };
/* Fields of a bone: place 0-2, rotation 3-6, velocity 7-9 (world axes), spin 10-12 (bone axes).
 * Fields of an oscillator: amplitude, rate (or the amplitude before), push. */
enum { DYRT_PLACE = 0, DYRT_TURN = 3, DYRT_VELOCITY = 7, DYRT_SPIN = 10 };
/* What is known of an instance's bone: nothing, where it is, also how it moves. */
enum { DYRT_NEW = 0, DYRT_PLACED = 1, DYRT_LIVE = 2 };

/* One oscillator over one frame, with s its second field, e the push now and e1 the one before:
 *   q <- q_q q + q_s s + q_e e + q_e1 e1,    s <- s_q q + s_s s + s_e e + s_e1 e1 */
typedef struct {
    float q_q, q_s, q_e, q_e1;
    float s_q, s_s, s_e, s_e1;
    float rate_q, rate_s, rate_e; /* rate for Coriolis forces, from q, s, e before the frame */
    float owed;                   /* true rate at the frame's end = s + owed * e; from the frame's time alone */
    float owed_before;            /* what the frame before owed */
} dyrt_row;

/* Rows of all parts for one frame time after another. */
typedef struct {
    float dt, before;
    dyrt_row* rows;
} dyrt_frame;

typedef struct {
    const dyrt_part* part;
    float* transfer;       /* for motions in the bone's own axes; times the amount; centripetal columns may be off */
    float* coriolis;       /* likewise; NULL when off */
    float bind_gravity[3]; /* in the bone's own axes in the bind pose */
    float limits[3];
    float* state;         /* blocks times (13 + 3 modes) times 32 */
    unsigned char* known; /* one per instance */
    int first_row;
} dyrt_crowd_part;

struct limber_dyrt_crowd {
    const limber_dyrt_asset* asset;
    limber_dyrt_settings settings;
    int count, blocks;
    dyrt_crowd_part* part;
    dyrt_frame frame[DYRT_KEPT_STEPS];
    int last, next; /* the frame stepped last (-1: none) and the one to be overwritten next */
    float waiting;  /* [s]: passed since the last frame that was stepped */
    int lost;       /* in this frame something left the range of numbers */
    uint64_t limited, skipped;
    void* memory;
};

static inline size_t dyrt_block_floats(const dyrt_part* part) {
    return (size_t)(DYRT_BONE_FIELDS + DYRT_OSCILLATOR_FIELDS * part->modes) * DYRT_LANES;
}

/* Amplitude, rate and push of one oscillator of one instance lie DYRT_LANES apart from here. */
static inline float* dyrt_oscillator(const dyrt_crowd_part* p, int instance, int mode) {
    const size_t block = (size_t)(instance / DYRT_LANES),
                 field = DYRT_BONE_FIELDS + (size_t)DYRT_OSCILLATOR_FIELDS * (size_t)mode;
    return p->state + block * dyrt_block_floats(p->part) + field * DYRT_LANES + instance % DYRT_LANES;
}

/* dyrt_frame.c: the rows for this frame time after the one before; remembers a few. */
const dyrt_frame* dyrt_find_frame(limber_dyrt_crowd* crowd, float dt);

/* dyrt_range.c: the limits as settings scale them, and whether bones within them keep every oscillator in range, frames
 * of any length. */
void dyrt_scaled_limits(const dyrt_part* part, float limit, float out[3]);
int dyrt_stays_in_range(const dyrt_part* part, float amount, float limit, const float gravity[3]);
int dyrt_all_below(const float* values, uint64_t count, float largest);

/* dyrt_crowd.c: one bone's motion is not known any more; the oscillators are as they truly are now. */
void dyrt_forget(const limber_dyrt_crowd* crowd, const dyrt_crowd_part* part, int instance);

/* 1 / sqrt(x) within 4e-7, for loops that compilers turn into vectors: sqrtf would stop that wherever errno must be
 * kept. A first guess from the exponent (within 7e-4 after the constants of the second line, which are J. Kadlec's),
 * then one step of Newton's, its error centred. */
#include <string.h>
static inline float dyrt_inverse_root(float x) {
    uint32_t bits;
    float y;
    memcpy(&bits, &x, 4);
    bits = 0x5f1ffff9u - (bits >> 1);
    memcpy(&y, &bits, 4);
    y *= 0.703952253f * (2.38924456f - x * y * y);
    return y * (1.50000036f - 0.5f * x * y * y);
}

/* Functions that hold such loops get a second version for AVX2 where the C library can choose at start. Same bits: no
 * fused operations. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(LIMBER_DYRT_ONE_VERSION)
#define DYRT_WIDE
#elif defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__)
#define DYRT_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define DYRT_WIDE
#endif
#if defined(__GNUC__)
#define DYRT_INLINE static inline __attribute__((always_inline))
#else
#define DYRT_INLINE static inline
#endif

#endif
