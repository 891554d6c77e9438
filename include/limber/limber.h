/* limber in C: bodies made of arrays, methods by name, worlds that are stepped.
 *
 * Errors. A function that can fail returns a limber_status; 0 is success. Where `error` is not NULL it then holds the
 * place in the input, what was found and what was expected. No C++ exception leaves a function. A step never fails: it
 * returns trouble bits.
 *
 * Ownership. What a function hands out through `out` is the caller's, to be given to the matching ..._free. A body may
 * be freed as soon as its deformers are prepared, a deformer as soon as its worlds have it: what is still needed lives
 * on. Pointers that a world hands out (forces, handles, ...) are the world's; they hold until that world gets another
 * body or obstacle, or is freed.
 *
 * Units are SI. Positions, forces and the like are three doubles each (planar bodies keep z = 0). Indices count from 0.
 *
 * Threads. Bodies and deformers may be shared by threads once they are made. A world is for one thread at a time. */
#ifndef LIMBER_H
#define LIMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows by one with every change that breaks callers. */
#define LIMBER_C_API 1
/* What the library was built as: equal to LIMBER_C_API, or header and library do not belong together. */
int limber_c_api(void);
/* "0.1.0"; never freed. */
const char* limber_version(void);

/* ---- errors ---- */

typedef enum limber_status {
    LIMBER_OK = 0,
    LIMBER_BAD_USAGE,    /* the call: a NULL, an index out of range, a name that is taken */
    LIMBER_BAD_FILE,     /* not used by what is here */
    LIMBER_BAD_MESH,     /* geometry or connectivity */
    LIMBER_BAD_MATERIAL, /* a material value out of range */
    LIMBER_BAD_SCENE,    /* anchors or handles */
    LIMBER_BAD_OPTION,   /* a method's option */
    LIMBER_BAD_DATA,     /* a saved deformer or state: damaged, of another body, of a newer version */
    LIMBER_UNSUPPORTED,  /* understood, but this method cannot do it */
    LIMBER_INTERRUPTED,  /* the progress callback asked to stop */
    LIMBER_NO_MEMORY,
    LIMBER_INTERNAL /* a fault of limber's own: please report `found` */
} limber_status;

/* Texts end with a zero and are cut where they do not fit. */
typedef struct limber_error {
    limber_status status;
    char place[256];
    char found[512];
    char expected[512];
} limber_error;

/* "bad_material", ...; never freed. */
const char* limber_status_word(limber_status status);
/* Writes one line, "place: found; expected ...", cut to `size` bytes, its zero among them. */
void limber_error_line(const limber_error* error, char* line, size_t size);

/* ---- values ---- */

typedef struct limber_vec3 {
    double x, y, z;
} limber_vec3;

typedef struct limber_quat {
    double w, x, y, z; /* of unit length; 1, 0, 0, 0 turns nothing */
} limber_quat;

/* Corner order is VTK's; tet10: corners 0-3, then the middles of edges 01 12 02 03 13 23. */
typedef enum limber_cell_kind { LIMBER_TRI3, LIMBER_QUAD4, LIMBER_TET4, LIMBER_TET10, LIMBER_HEX8 } limber_cell_kind;

typedef enum limber_axes { LIMBER_X = 1, LIMBER_Y = 2, LIMBER_Z = 4, LIMBER_XYZ = 7 } limber_axes;

typedef struct limber_material {
    double young;          /* Young's modulus [Pa] */
    double poisson;        /* Poisson's ratio, in (-1, 0.5) */
    double density;        /* [kg/m^3] */
    double rayleigh_alpha; /* mass-proportional damping [1/s] */
    double rayleigh_beta;  /* stiffness-proportional damping [s] */
} limber_material;

/* "silicone", "fat", ...: limber materials lists them. */
limber_status limber_material_preset(const char* name, limber_material* out, limber_error* error);

/* ---- bodies ---- */

/* A body while it is put together. */
typedef struct limber_body_maker limber_body_maker;
/* A body: checked once, then only read. */
typedef struct limber_body limber_body;

/* Copies `vertex_count` positions [m] and `cell_count` cells (corners one after another). */
limber_status limber_body_maker_new(limber_cell_kind kind, const limber_vec3* positions, size_t vertex_count,
                                    const int32_t* cells, size_t cell_count, limber_body_maker** out,
                                    limber_error* error);
/* A box of nx x ny x nz cells between two corners [m], with vertex sets left, right (x), bottom, top (y), back, front
 * (z). Planar kinds ignore z and nz. */
limber_status limber_body_maker_new_box(limber_cell_kind kind, int nx, int ny, int nz, limber_vec3 low,
                                        limber_vec3 high, limber_body_maker** out, limber_error* error);
void limber_body_maker_free(limber_body_maker* maker);

/* Named sets of vertices or of cells; indices in any order are copied. */
limber_status limber_body_maker_vertex_set(limber_body_maker* maker, const char* name, const int32_t* vertices,
                                           size_t count, limber_error* error);
limber_status limber_body_maker_cell_set(limber_body_maker* maker, const char* name, const int32_t* cells, size_t count,
                                         limber_error* error);
/* The material of a cell set; NULL = of every cell that no other set names. */
limber_status limber_body_maker_material(limber_body_maker* maker, const char* cell_set,
                                         const limber_material* material, limber_error* error);
/* Depth of a planar body [m] (1 until set); in plane strain, or with `plane_stress` in plane stress. */
limber_status limber_body_maker_planar(limber_body_maker* maker, double thickness, bool plane_stress,
                                       limber_error* error);
/* Vertices of a set that are held where they rest, in some of their `axes` (limber_axes, added up). */
limber_status limber_body_maker_anchor(limber_body_maker* maker, const char* name, const char* vertex_set,
                                       unsigned axes, limber_error* error);
/* Vertices of a set that are driven: like one rigid thing about `pivot` [m], or with `each_vertex` each by a target of
 * its own. */
limber_status limber_body_maker_handle(limber_body_maker* maker, const char* name, const char* vertex_set,
                                       unsigned axes, limber_vec3 pivot, bool each_vertex, limber_error* error);
/* Checks everything. The maker stays as it is and may make more bodies. */
limber_status limber_body_make(const limber_body_maker* maker, const char* name, limber_body** out,
                               limber_error* error);
void limber_body_free(limber_body* body);

size_t limber_body_vertex_count(const limber_body* body);
size_t limber_body_cell_count(const limber_body* body);
/* Rest positions [m], one per vertex; they live as long as the body. */
const limber_vec3* limber_body_positions(const limber_body* body);
/* Corners of the cells, windings repaired; they live as long as the body. */
const int32_t* limber_body_cells(const limber_body* body);
/* Indices of a vertex set, ascending; NULL and 0 when there is none of that name. They live as long as the body. */
const int32_t* limber_body_vertex_set(const limber_body* body, const char* name, size_t* count);
/* The vertices driven each by its own target, in the order of limber_world_vertex_targets. */
const int32_t* limber_body_driven_vertices(const limber_body* body, size_t* count);
/* Index of the vertex nearest to a point at rest. */
int32_t limber_body_nearest_vertex(const limber_body* body, limber_vec3 point);

/* ---- methods and options ---- */

size_t limber_method_count(void);
/* NULL beyond the last; never freed. */
const char* limber_method_name(size_t index);
/* One sentence; NULL for a method that does not exist; never freed. */
const char* limber_method_summary(const char* method);

/* What a method can do; what it cannot do is refused by limber_prepare, or reported as LIMBER_BAD_LOADS. */
typedef struct limber_traits {
    uint32_t cells; /* one bit per limber_cell_kind: 1 << LIMBER_HEX8, ... */
    bool fixed_step, linear, dynamic;
    bool accepts_forces, accepts_gravity, accepts_handles, accepts_vertex_targets, accepts_live, accepts_obstacles;
    bool free_bodies, readout_stiffness;
    int order;
    double small_load_tolerance;
} limber_traits;
limber_status limber_method_traits(const char* method, limber_traits* out, limber_error* error);

typedef enum limber_option_type { LIMBER_REAL, LIMBER_INTEGER, LIMBER_FLAG, LIMBER_CHOICE } limber_option_type;

typedef struct limber_option_info {
    const char* name; /* texts are never freed */
    limber_option_type type;
    const char* unit;            /* "" when it has none */
    double low, high;            /* inclusive range of numbers */
    double fallback;             /* the default of a number or flag */
    const char* fallback_choice; /* the default of a choice, else "" */
    size_t choice_count;         /* of a choice */
    const char* const* choices;
    bool live;            /* may be changed between steps: limber_world_set_option */
    const char* sentence; /* what it does */
} limber_option_info;

size_t limber_option_count(const char* method);
limber_status limber_option(const char* method, size_t index, limber_option_info* out, limber_error* error);

/* Options by name; what is not set keeps its default. Names and values are checked by limber_prepare. */
typedef struct limber_options limber_options;
limber_status limber_options_new(limber_options** out, limber_error* error);
void limber_options_free(limber_options* options);
limber_status limber_options_set_real(limber_options* options, const char* name, double value, limber_error* error);
limber_status limber_options_set_integer(limber_options* options, const char* name, int64_t value, limber_error* error);
limber_status limber_options_set_flag(limber_options* options, const char* name, bool value, limber_error* error);
limber_status limber_options_set_choice(limber_options* options, const char* name, const char* value,
                                        limber_error* error);

/* ---- deformers ---- */

/* One method prepared for one body; only read afterwards. */
typedef struct limber_deformer limber_deformer;

/* Called now and then while preparing, `fraction` from 0 to 1. Return false to stop. It must not throw or jump out. */
typedef bool (*limber_progress)(void* user, double fraction, const char* doing);

/* May take long. `options` and `progress` may be NULL. */
limber_status limber_prepare(const limber_body* body, const char* method, const limber_options* options,
                             limber_progress progress, void* user, limber_deformer** out, limber_error* error);
void limber_deformer_free(limber_deformer* deformer);
/* The step it was prepared for [s]; 0 = any. */
double limber_deformer_step(const limber_deformer* deformer);
/* How many live constraints a step can hold. */
size_t limber_deformer_live_capacity(const limber_deformer* deformer);
/* Bytes of prepared data. */
size_t limber_deformer_memory(const limber_deformer* deformer);
/* Bytes that limber_deformer_load understands, on any machine: *bytes is to be freed by limber_bytes_free. */
limber_status limber_deformer_save(const limber_deformer* deformer, uint8_t** bytes, size_t* size, limber_error* error);
limber_status limber_deformer_load(const limber_body* body, const uint8_t* bytes, size_t size, limber_deformer** out,
                                   limber_error* error);
void limber_bytes_free(uint8_t* bytes);

/* ---- worlds: what acts ---- */

/* Where a handle is at the end of the step: vertex p goes to pivot + translation + rotation (p - pivot). */
typedef struct limber_handle_target {
    limber_vec3 translation; /* [m] */
    limber_quat rotation;
    limber_vec3 velocity;             /* of the pivot [m/s] */
    limber_vec3 angular_velocity;     /* [rad/s], world axes */
    limber_vec3 acceleration;         /* [m/s^2] */
    limber_vec3 angular_acceleration; /* [rad/s^2] */
} limber_handle_target;

/* Where a vertex that is driven by itself is at the end of the step. */
typedef struct limber_vertex_target {
    limber_vec3 position; /* [m] */
    limber_vec3 velocity; /* [m/s] */
} limber_vertex_target;

enum { LIMBER_LIVE_OFF = 0, LIMBER_LIVE_HARD = 1, LIMBER_LIVE_SOFT = 2, LIMBER_LIVE_VERTICES = 10 };

/* A material point tied to a target while running. */
typedef struct limber_live {
    uint8_t kind;         /* LIMBER_LIVE_... */
    bool unilateral;      /* only pushes along `normal` */
    int32_t vertex_count; /* how many of the next two are used */
    int32_t vertices[LIMBER_LIVE_VERTICES];
    double weights[LIMBER_LIVE_VERTICES]; /* they sum to 1 */
    limber_vec3 target;                   /* at the end of the step [m] */
    limber_vec3 velocity;                 /* of the target [m/s] */
    limber_vec3 normal;                   /* unit; used when unilateral */
    double stiffness;                     /* of a soft one [N/m] */
} limber_live;

/* Bits of trouble; the names of limber/deformer.hpp. */
enum {
    LIMBER_NOT_CONVERGED = 1,
    LIMBER_INVERTED_CELL = 2,
    LIMBER_NON_FINITE = 4,
    LIMBER_WRONG_STEP = 8,
    LIMBER_BAD_LOADS = 16,
    LIMBER_CONSTRAINT_CONFLICT = 32,
    LIMBER_BAD_STATE = 64,
    LIMBER_PASSED_THROUGH = 128
};
/* Writes "not converged, non-finite" (or "none"), cut to `size` bytes. */
void limber_trouble_words(uint32_t trouble, char* words, size_t size);

typedef struct limber_world limber_world;

limber_status limber_world_new(limber_world** out, limber_error* error);
void limber_world_free(limber_world* world);
/* Adds a body at rest; *body becomes its number. */
limber_status limber_world_add(limber_world* world, const limber_deformer* deformer, size_t* body, limber_error* error);

typedef enum limber_shape { LIMBER_PLANE, LIMBER_BOX, LIMBER_BALL, LIMBER_CAPSULE } limber_shape;

/* A rigid thing that bodies may not enter: where it is at the end of the step, and how it moves. What its shape does
 * not have is not looked at. */
typedef struct limber_obstacle {
    limber_shape shape;   /* the free side of a plane is its own +y */
    limber_vec3 half;     /* box: half of its sides [m] */
    bool inside;          /* box: bodies are kept in it instead of out */
    double radius;        /* ball and capsule [m] */
    double half_length;   /* capsule: half the distance of its two centres, along its own y [m] */
    limber_vec3 position; /* of its centre; any point of a plane [m] */
    limber_quat rotation;
    limber_vec3 velocity;         /* [m/s] */
    limber_vec3 angular_velocity; /* [rad/s], world axes */
} limber_obstacle;
/* For all bodies; those of methods without limber_traits.accepts_obstacles report LIMBER_BAD_LOADS. *index may be NULL.
 */
limber_status limber_world_add_obstacle(limber_world* world, const limber_obstacle* obstacle, size_t* index,
                                        limber_error* error);
/* For the coming steps; takes no memory. */
limber_status limber_world_set_obstacle(limber_world* world, size_t index, const limber_obstacle* obstacle,
                                        limber_error* error);
size_t limber_world_body_count(const limber_world* world);
/* [m/s^2] */
void limber_world_gravity(limber_world* world, limber_vec3 gravity);
/* Trouble bits that do not undo a step; LIMBER_INVERTED_CELL at first. */
void limber_world_tolerate(limber_world* world, uint32_t trouble);

/* What acts on a body, to be written into; NULL and 0 for a body that does not exist. `count` may be NULL. */
limber_vec3* limber_world_forces(limber_world* world, size_t body, size_t* count);           /* one per vertex [N] */
limber_handle_target* limber_world_handles(limber_world* world, size_t body, size_t* count); /* one per handle */
limber_vertex_target* limber_world_vertex_targets(limber_world* world, size_t body,
                                                  size_t* count);                /* one per driven vertex */
limber_live* limber_world_live(limber_world* world, size_t body, size_t* count); /* one per slot */

/* ---- worlds: stepping ---- */

/* Call once before the first step when something acts or moves from the start. Returns trouble bits of all bodies. */
uint32_t limber_world_start(limber_world* world);
/* Advances all bodies by `dt` [s]; never allocates after each body's first step. Returns trouble bits of all bodies;
 * one in trouble keeps the state of its last good step. */
uint32_t limber_world_step(limber_world* world, double dt);
/* Sum of the steps [s]. */
double limber_world_time(const limber_world* world);

typedef struct limber_report {
    uint32_t trouble;
    int sub_steps, iterations, linearisations;
    double residual;
    int32_t where; /* the first vertex or cell in trouble, -1 = not known */
} limber_report;
/* Of the body's last step. */
limber_status limber_world_report(const limber_world* world, size_t body, limber_report* out, limber_error* error);

/* ---- worlds: readouts ---- */

/* Which support a readout is about. */
typedef enum limber_support { LIMBER_ANCHOR, LIMBER_HANDLE, LIMBER_LIVE, LIMBER_OBSTACLE } limber_support;

typedef struct limber_wrench {
    limber_vec3 force;  /* on the body [N] */
    limber_vec3 torque; /* about the origin of the rest coordinates [N m] */
} limber_wrench;

/* One entry per vertex; `count` must be the body's number of vertices. */
limber_status limber_world_positions(const limber_world* world, size_t body, limber_vec3* out, size_t count,
                                     limber_error* error);
limber_status limber_world_displacements(const limber_world* world, size_t body, limber_vec3* out, size_t count,
                                         limber_error* error);
limber_status limber_world_velocities(const limber_world* world, size_t body, limber_vec3* out, size_t count,
                                      limber_error* error);
/* The same positions as three floats each, for a graphics card. */
limber_status limber_world_positions_float(const limber_world* world, size_t body, float* out, size_t count,
                                           limber_error* error);
/* Cauchy stress at cell centres [Pa]: xx yy zz xy yz zx per cell; `count` must be the number of cells. */
limber_status limber_world_stress(const limber_world* world, size_t body, double* out, size_t count,
                                  limber_error* error);
/* Force and torque of the last step. */
limber_status limber_world_reaction(const limber_world* world, size_t body, limber_support kind, int index,
                                    limber_wrench* out, limber_error* error);
/* d(force)/d(target position) of the last step, row by row [N/m]. */
limber_status limber_world_stiffness(const limber_world* world, size_t body, limber_support kind, int index,
                                     double out[9], limber_error* error);
/* Kinetic and elastic energy [J]. */
limber_status limber_world_energies(limber_world* world, size_t body, double* kinetic, double* elastic,
                                    limber_error* error);

/* ---- worlds: states ---- */

/* The state of a body as bytes, and back: *bytes is to be freed by limber_bytes_free. */
limber_status limber_world_save(const limber_world* world, size_t body, uint8_t** bytes, size_t* size,
                                limber_error* error);
limber_status limber_world_load(limber_world* world, size_t body, const uint8_t* bytes, size_t size,
                                limber_error* error);
/* The same without memory of its own: the numbers of a state in the caller's arrays, whose sizes never change for a
 * deformer. They mean something to this deformer alone; `time` is the body's [s]. */
limber_status limber_world_state_sizes(const limber_world* world, size_t body, size_t* reals, size_t* marks,
                                       limber_error* error);
limber_status limber_world_read_state(const limber_world* world, size_t body, double* time, double* reals,
                                      size_t real_count, int32_t* marks, size_t mark_count, limber_error* error);
limber_status limber_world_write_state(limber_world* world, size_t body, double time, const double* reals,
                                       size_t real_count, const int32_t* marks, size_t mark_count, limber_error* error);
/* Starts from another motion: one displacement [m] and one velocity [m/s] per vertex. LIMBER_UNSUPPORTED when the
 * method cannot. */
limber_status limber_world_set_motion(limber_world* world, size_t body, const limber_vec3* displacement,
                                      const limber_vec3* velocity, size_t count, limber_error* error);

/* Threads used inside steps, at least 1; results never depend on it. */
limber_status limber_set_threads(int threads, limber_error* error);

#ifdef __cplusplus
}
#endif

#endif
