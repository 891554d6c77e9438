/* limber_dyrt: flesh that jiggles as bones move, live. C99, libc and libm only.
 *
 * Load a .dyrt asset (docs/dyrt_format.md) once; make a crowd of as many characters as you show; each frame give it the
 * bones and the frame's time; read amplitudes (morph target weights, shader constants) or displaced vertices.
 * Displacements come *before* skinning.
 *
 * Units: lengths in the asset's own unit (limber_dyrt_metres says how long one is), seconds, radians; quaternions x y z
 * w. Threads: an asset is read-only once loaded and may be shared. A crowd belongs to one thread at a time; different
 * crowds are independent. Memory: taken in _load and _crowd_create only, given back in _free and _crowd_free. Nothing
 * else allocates, locks, prints or fails silently. Input that is not finite never enters the state: that bone's part
 * stays as it is for the frame, which is counted, and starts anew. Amplitudes, rates and vertices are finite whatever
 * is given: numbers so large that floats could overflow are refused (assets, settings, amplitudes beyond 1e25) or
 * skipped and counted (bones beyond 1e19). How to use it: docs/dyrt_runtime.md. Compile the .c files beside this header
 * with -O3; not with -ffast-math. */
#ifndef LIMBER_DYRT_H
#define LIMBER_DYRT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct limber_dyrt_asset limber_dyrt_asset;
typedef struct limber_dyrt_crowd limber_dyrt_crowd;

typedef enum {
    LIMBER_DYRT_OK = 0,
    LIMBER_DYRT_BAD_ARGUMENT, /* a null pointer, an index or number out of range, a dt that is not 0 to 1e6 s */
    LIMBER_DYRT_NO_MEMORY,
    LIMBER_DYRT_NOT_DYRT, /* the bytes do not begin as a .dyrt file does */
    LIMBER_DYRT_NEWER_VERSION,
    LIMBER_DYRT_TRUNCATED,   /* fewer or more bytes than the header says */
    LIMBER_DYRT_DAMAGED,     /* a table out of bounds, a number that is not finite, not allowed or so large that floats
                                could overflow */
    LIMBER_DYRT_OUT_OF_RANGE /* of a step with Coriolis forces, or with a filter other than EXACT at wild frame times:
                                somebody's amplitudes grew beyond 1e25; that part was put to rest, all others are
                                stepped */
} limber_dyrt_result;

/* One line in English for a result. */
const char* limber_dyrt_words(limber_dyrt_result result);

/* ---- Assets ---- */
/* Copies what it needs: the bytes may go afterwards. *out is NULL unless the result is OK. */
limber_dyrt_result limber_dyrt_load(const void* bytes, size_t size, limber_dyrt_asset** out);
void limber_dyrt_free(limber_dyrt_asset* asset);

float limber_dyrt_metres(const limber_dyrt_asset* asset); /* in one unit */
const char* limber_dyrt_provenance(const limber_dyrt_asset* asset);
int limber_dyrt_parts(const limber_dyrt_asset* asset);
/* For a part out of range: -1, "" or 0. */
int limber_dyrt_find_part(const limber_dyrt_asset* asset, const char* name);
const char* limber_dyrt_part_name(const limber_dyrt_asset* asset, int part);
const char* limber_dyrt_bone_name(const limber_dyrt_asset* asset, int part);
int limber_dyrt_modes(const limber_dyrt_asset* asset, int part);     /* oscillators, residuals among them */
int limber_dyrt_residuals(const limber_dyrt_asset* asset, int part); /* the last so many of them */
int limber_dyrt_vertices(const limber_dyrt_asset* asset, int part);
float limber_dyrt_frequency(const limber_dyrt_asset* asset, int part, int mode); /* [Hz] */
float limber_dyrt_target_scale(const limber_dyrt_asset* asset, int part,
                               int mode); /* morph target weight = amplitude / this */
/* n times 3 floats; for GPU buffers. NULL where there is none. */
const float* limber_dyrt_rest_positions(const limber_dyrt_asset* asset, int part);
const float* limber_dyrt_rest_normals(const limber_dyrt_asset* asset, int part);
const float* limber_dyrt_displacements(const limber_dyrt_asset* asset, int part, int mode);
const float* limber_dyrt_normal_corrections(const limber_dyrt_asset* asset, int part, int mode);
/* n times mesh, vertex. */
const uint32_t* limber_dyrt_vertex_indices(const limber_dyrt_asset* asset, int part);

/* ---- Crowds ---- */
typedef enum {
    LIMBER_DYRT_TRANSFORMS =
        0, /* bones' places are known at frame times: each change of mean velocity is one push; no lag, static gain 1 */
    LIMBER_DYRT_VELOCITIES =
        1 /* their velocities too: the mean acceleration of the frame, growing within it as since the frame before */
} limber_dyrt_drive;

typedef enum {
    LIMBER_DYRT_EXACT = 0, /* state q, q' per oscillator, any dt */
    LIMBER_DYRT_PAPER,     /* filter (19) of the paper with its sign mended; for comparison, its static gain is not 1.
                              Damping ratio 1 and above: the next */
    LIMBER_DYRT_TWO_TAP_HOLD,   /* exact answer to a force held over each frame, as a recurrence in q alone; at constant
                                   dt only, loses digits at small omega dt */
    LIMBER_DYRT_TWO_TAP_IMPULSE /* the paper's reading with impulses; its static gain is 1 - (omega dt)^2 / 12 */
} limber_dyrt_filter;

typedef struct {
    limber_dyrt_drive drive;
    limber_dyrt_filter filter;
    float amount;     /* times everything the bones do, gravity included; 1 */
    float gravity[3]; /* [unit/s^2], world axes; from the asset; 0 0 0 leaves gravity out */
    int centripetal;  /* 1 */
    int coriolis;     /* 0; needs the asset's table; spins of up to 0.9 rad a frame */
    float limit; /* times the asset's limits of acceleration (of frames of 1/60 s; larger in shorter ones) and spin; 1.
                    They keep a teleporting bone from exploding */
} limber_dyrt_settings;
void limber_dyrt_default_settings(const limber_dyrt_asset* asset, limber_dyrt_settings* out);

/* `count` characters with all parts of the asset, at rest. `settings` may be NULL. The asset must outlive the crowd. */
limber_dyrt_result limber_dyrt_crowd_create(const limber_dyrt_asset* asset, int count,
                                            const limber_dyrt_settings* settings, limber_dyrt_crowd** out);
void limber_dyrt_crowd_free(limber_dyrt_crowd* crowd);

/* The bone of a part: its node's world transform. Rotations need not be exactly of unit length. */
typedef struct {
    float position[3];
    float rotation[4];
} limber_dyrt_bone;
typedef struct {
    float velocity[3];         /* of the bone's origin, world axes [unit/s] */
    float angular_velocity[3]; /* world axes [rad/s] */
} limber_dyrt_motion;
/* From a column-major 4 x 4 matrix as OpenGL, glTF and three.js have it; scale is taken out. */
limber_dyrt_result limber_dyrt_bone_from_matrix(const float matrix[16], limber_dyrt_bone* out);

/* Advances everyone by dt [s], from the bones of the call before to these. `bones` (and `motions`, NULL unless the
 * drive is VELOCITIES) have one entry per part per instance: [instance * parts + part]. Frames may be of any length, in
 * any order: a change of velocity is the same push in a short one as in a long one. What passes in less than 1e-4 s
 * waits, bones included, for the call that makes it as much: a dt of 0 (a paused game) changes nothing. The first call,
 * and the first after a cut, only takes the bones in: nothing moves. With TRANSFORMS the second takes the velocity in:
 * gravity and spin act, but a character that appears running is not pushed by it. */
limber_dyrt_result limber_dyrt_step(limber_dyrt_crowd* crowd, float dt, const limber_dyrt_bone* bones,
                                    const limber_dyrt_motion* motions);
/* The next step starts anew from where the bones then are: call it when a character is moved by hand. `rest` = 1 also
 * stops what jiggles. */
limber_dyrt_result limber_dyrt_cut(limber_dyrt_crowd* crowd, int instance, int rest);

/* One number per oscillator [unit]. */
limber_dyrt_result limber_dyrt_amplitudes(const limber_dyrt_crowd* crowd, int instance, int part, float* out);
limber_dyrt_result limber_dyrt_rates(const limber_dyrt_crowd* crowd, int instance, int part,
                                     float* out); /* [unit/s]; EXACT only */
/* `rates` may be NULL (at rest), and must be unless the filter is EXACT. */
limber_dyrt_result limber_dyrt_set_amplitudes(limber_dyrt_crowd* crowd, int instance, int part, const float* amplitudes,
                                              const float* rates);
/* Since the crowd was made, per bone and frame: pushes that were shortened to a limit (with Coriolis forces also spins
 * of more than 0.9 rad a frame), and frames skipped because a bone was not finite or beyond 1e19. */
uint64_t limber_dyrt_limited(const limber_dyrt_crowd* crowd);
uint64_t limber_dyrt_skipped(const limber_dyrt_crowd* crowd);

/* ---- Vertices, on the CPU ---- */
/* One part: n times 3 floats each; `normals` may be NULL. `warp` = 1 uses the asset's warp table. Amplitudes that are
 * not finite or beyond 1e25 are a BAD_ARGUMENT here and below, and nothing is written. */
limber_dyrt_result limber_dyrt_displace(const limber_dyrt_asset* asset, int part, const float* amplitudes, int warp,
                                        float* positions, float* normals);
/* A whole mesh that holds its rest positions (and unit normals, or NULL): adds what every part does to it (parts may
 * overlap: layers add up), then makes the normals it changed unit length again. amplitudes[part] has one number per
 * oscillator. */
limber_dyrt_result limber_dyrt_apply(const limber_dyrt_asset* asset, int mesh, const float* const* amplitudes, int warp,
                                     float* positions, float* normals, int vertices);

#ifdef __cplusplus
}
#endif
#endif
