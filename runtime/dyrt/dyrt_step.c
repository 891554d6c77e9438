/* One frame for everyone. Blocks of 32 instances; plain loops over the 32, which compilers turn into vectors.
 * Every lane does the same arithmetic whatever its neighbours do, so a crowd of N gives the bits of N crowds of one. */
#include "dyrt_motion.h"

DYRT_INLINE void push_of(const float* restrict transfer, const block_motion* restrict b, float* restrict e) {
    const float* t = transfer;
    int l;
    EACH_LANE {
        const float* m = &b->motion[0][l];
        e[l] = ((t[0] * m[0] + t[1] * m[LANES]) + (t[2] * m[2 * LANES] + t[3] * m[3 * LANES])) +
               ((t[4] * m[4 * LANES] + t[5] * m[5 * LANES]) + (t[6] * m[6 * LANES] + t[7] * m[7 * LANES])) +
               ((t[8] * m[8 * LANES] + t[9] * m[9 * LANES]) + (t[10] * m[10 * LANES] + t[11] * m[11 * LANES]));
    }
}

/* o: amplitude, second field, last push. */
DYRT_INLINE void advance(const dyrt_row* restrict row, const float* restrict e, float* restrict o) {
    const dyrt_row r = *row;
    int l;
    EACH_LANE {
        const float q = o[l], s = o[LANES + l], now = e[l], last = o[2 * LANES + l];
        o[l] = (r.q_q * q + r.q_s * s) + (r.q_e * now + r.q_e1 * last);
        o[LANES + l] = (r.s_q * q + r.s_s * s) + (r.s_e * now + r.s_e1 * last);
        o[2 * LANES + l] = now;
    }
}

/* Sum over a, j of C[a][k][j] w_a q_j', added to the pushes of all oscillators. The rates depend on these forces in
 * turn: three times, since the swing of a spinning bone would gain energy with two and loses very little with three, as
 * long as it turns by less than 1 rad in a frame. */
static void add_coriolis(const float* table, int m, const dyrt_row* rows, const block_motion* b, const float* o,
                         float (*push)[LANES]) {
    float rate[DYRT_MOST_MODES][LANES], total[DYRT_MOST_MODES][LANES];
    int a, j, k, l, pass;
    memcpy(total, push, (size_t)m * sizeof total[0]);
    for (pass = 0; pass < 3; ++pass) {
        for (j = 0; j < m; ++j) {
            EACH_LANE rate[j][l] = rows[j].rate_q * o[(3 * j) * LANES + l] +
                                   rows[j].rate_s * o[(3 * j + 1) * LANES + l] + rows[j].rate_e * total[j][l];
        }
        memcpy(total, push, (size_t)m * sizeof total[0]);
        for (a = 0; a < 3; ++a) {
            for (k = 0; k < m; ++k) {
                for (j = 0; j < m; ++j) {
                    const float c = table[(a * m + k) * m + j];
                    EACH_LANE total[k][l] += c * b->spin[a][l] * rate[j][l];
                }
            }
        }
    }
    memcpy(push, total, (size_t)m * sizeof total[0]);
}

/* Is this a block like most: everyone known, everything finite? An infinite or undefined motion makes the first push
 * so, too. */
DYRT_INLINE int all_usual(const block_motion* b, const float* push, const unsigned char* known) {
    int l, usual = 1;
    EACH_LANE usual &= (push[l] * 0.0f == 0.0f) & b->good[l];
    EACH_LANE usual &= known[l] == DYRT_LIVE;
    return usual;
}

/* The rare lanes: where nothing is to move, and where this is the first frame that pushes. Returns those that stay as
 * they are. */
static uint32_t settle(limber_dyrt_crowd* crowd, const dyrt_crowd_part* p, int block, const block_motion* b,
                       const float* push, uint32_t* first) {
    uint32_t still = 0;
    int l;
    EACH_LANE {
        const int instance = block * LANES + l;
        unsigned char* known = p->known + instance;
        if (!b->good[l] || (*known != DYRT_NEW && !(push[l] * 0.0f == 0.0f))) {
            dyrt_forget(crowd, p, instance);
            ++crowd->skipped;
            still |= (uint32_t)1 << l;
        } else if (*known == DYRT_NEW) {
            *known = DYRT_PLACED;
            still |= (uint32_t)1 << l;
        } else {
            if (*known == DYRT_PLACED) *first |= (uint32_t)1 << l;
            *known = DYRT_LIVE;
            crowd->limited += (uint64_t)b->limited[l];
        }
    }
    return still;
}

/* One oscillator of a block that has such lanes. */
static void advance_some(const dyrt_row* row, uint32_t still, uint32_t first, int taps, const float* e, float* o) {
    float before[DYRT_OSCILLATOR_FIELDS * LANES];
    int l, i;
    EACH_LANE {
        if ((first >> l & 1) == 0) continue;
        o[LANES + l] -= row->owed_before * e[l]; /* nothing came before, nothing is owed */
        o[2 * LANES + l] = taps ? 0.0f : e[l];
    }
    memcpy(before, o, sizeof before);
    advance(row, e, o);
    EACH_LANE
    for (i = 0; (still >> l & 1) != 0 && i < DYRT_OSCILLATOR_FIELDS; ++i) o[i * LANES + l] = before[i * LANES + l];
}

/* A bone just placed has no velocity before: it is taken to have moved like this already, so that nothing is pushed by
 * it. */
DYRT_INLINE void steady_start(const unsigned char* known, float* was, const block_motion* b) {
    int l, i, placed = 0;
    EACH_LANE placed |= known[l] == DYRT_PLACED;
    if (!placed) return;
    EACH_LANE
    for (i = DYRT_VELOCITY; known[l] == DYRT_PLACED && i < DYRT_BONE_FIELDS; ++i) was[i * LANES + l] = b->bone[i][l];
}

/* Whoever left the range of numbers comes to rest where his bone is: nothing that grew so far was flesh. */
static void rest_the_lost(limber_dyrt_crowd* crowd, const dyrt_crowd_part* p, int block) {
    int l, k;
    EACH_LANE {
        const int instance = block * LANES + l;
        int lost = 0;
        for (k = 0; k < p->part->modes; ++k) {
            const float* o = dyrt_oscillator(p, instance, k);
            lost |= !(fabsf(o[0]) <= DYRT_LARGEST) | !(fabsf(o[LANES]) <= DYRT_LARGEST_RATE) |
                    !(fabsf(o[2 * LANES]) <= DYRT_LARGEST_RATE);
        }
        if (!lost) continue;
        dyrt_forget(crowd, p, instance);
        for (k = 0; k < p->part->modes; ++k)
            dyrt_oscillator(p, instance, k)[0] = dyrt_oscillator(p, instance, k)[LANES] = 0.0f;
        crowd->lost = 1;
    }
}

/* Coriolis forces of any table, and filters that remember amplitudes only, may grow; everything else is bounded by what
 * was let in. */
DYRT_INLINE int may_grow(const limber_dyrt_crowd* crowd) {
    return crowd->settings.coriolis || crowd->settings.filter != LIMBER_DYRT_EXACT;
}

/* A block with rare lanes, or with what may grow. */
static void advance_carefully(limber_dyrt_crowd* crowd, const dyrt_crowd_part* p, const dyrt_row* rows, int block,
                              float* o, const block_motion* b) {
    float push[DYRT_MOST_MODES][LANES];
    uint32_t first = 0, still;
    int k;
    for (k = 0; k < p->part->modes; ++k) push_of(p->transfer + DYRT_MOTIONS * k, b, push[k]);
    still = settle(crowd, p, block, b, push[0], &first);
    if (crowd->settings.coriolis) add_coriolis(p->coriolis, p->part->modes, rows, b, o, push);
    for (k = 0; k < p->part->modes; ++k) {
        advance_some(rows + k, still, first, crowd->settings.filter != LIMBER_DYRT_EXACT, push[k],
                     o + DYRT_OSCILLATOR_FIELDS * LANES * k);
    }
    if (may_grow(crowd)) rest_the_lost(crowd, p, block);
}

DYRT_INLINE void advance_block(limber_dyrt_crowd* crowd, const dyrt_crowd_part* p, const dyrt_row* rows, int block,
                               float* restrict o, const block_motion* restrict b) {
    float push[LANES];
    int k, l, limited = 0;
    push_of(p->transfer, b, push);
    if (may_grow(crowd) || !all_usual(b, push, p->known + block * LANES)) {
        advance_carefully(crowd, p, rows, block, o, b);
        return;
    }
    advance(rows, push, o);
    for (k = 1; k < p->part->modes; ++k) {
        push_of(p->transfer + DYRT_MOTIONS * k, b, push);
        advance(rows + k, push, o + DYRT_OSCILLATOR_FIELDS * LANES * k);
    }
    EACH_LANE limited += b->limited[l];
    crowd->limited += (uint64_t)limited;
}

DYRT_WIDE static void step_part(limber_dyrt_crowd* crowd, int part, const dyrt_row* rows, const frame_facts* f,
                                const limber_dyrt_bone* bones, const limber_dyrt_motion* motions) {
    const dyrt_crowd_part* p = crowd->part + part;
    const size_t stride = (size_t)crowd->asset->parts, block_floats = dyrt_block_floats(p->part);
    int block;
    for (block = 0; block < crowd->blocks; ++block) {
        const size_t first = (size_t)block * LANES * stride + (size_t)part;
        const int present = crowd->count - block * LANES < LANES ? crowd->count - block * LANES : LANES;
        float* was = p->state + (size_t)block * block_floats;
        block_motion b;
        gather(bones + first, motions != NULL ? motions + first : NULL, stride, present, &b);
        orient(&b);
        if (motions != NULL)
            take_velocities(was, &b);
        else {
            measure(was, f->per_dt, &b);
            steady_start(p->known + block * LANES, was, &b);
        }
        find_motion(was, f, &b);
        advance_block(crowd, p, rows, block, was + DYRT_BONE_FIELDS * LANES, &b);
    }
}

static frame_facts facts_of(const limber_dyrt_crowd* crowd, const dyrt_frame* frame) {
    const int velocities = crowd->settings.drive == LIMBER_DYRT_VELOCITIES;
    frame_facts f;
    memset(&f, 0, sizeof f);
    f.per_dt = 1.0f / frame->dt;
    f.per_change = velocities ? f.per_dt : 2.0f / (frame->dt + frame->before);
    f.weight_now = velocities ? 0.5f : frame->dt / (frame->dt + frame->before);
    f.weight_before = 1.0f - f.weight_now;
    f.gravity = crowd->settings.gravity;
    f.coriolis = crowd->settings.coriolis;
    f.most_turn = 0.9f / fmaxf(frame->dt, frame->before);
    return f;
}

static limber_dyrt_result step_all(limber_dyrt_crowd* crowd, float dt, const limber_dyrt_bone* bones,
                                   const limber_dyrt_motion* motions) {
    const dyrt_frame* frame = dyrt_find_frame(crowd, dt);
    frame_facts f = facts_of(crowd, frame);
    /* A jump of velocity (a landing, a key of a linear curve) is the same in a shorter frame; its acceleration is not.
     */
    const float room = fmaxf(f.per_change / 60.0f, 1.0f);
    float limits[3];
    int i, k;
    crowd->lost = 0;
    f.limits = limits;
    for (i = 0; i < crowd->asset->parts; ++i) {
        for (k = 0; k < 3; ++k) limits[k] = crowd->part[i].limits[k] * (k < 2 ? room : 1.0f);
        f.bind_gravity = crowd->part[i].bind_gravity;
        step_part(crowd, i, frame->rows + crowd->part[i].first_row, &f, bones, motions);
    }
    crowd->last = (int)(frame - crowd->frame);
    return crowd->lost ? LIMBER_DYRT_OUT_OF_RANGE : LIMBER_DYRT_OK;
}

limber_dyrt_result limber_dyrt_step(limber_dyrt_crowd* crowd, float dt, const limber_dyrt_bone* bones,
                                    const limber_dyrt_motion* motions) {
    if (crowd == NULL || bones == NULL || !(dt >= 0.0f) || !(dt <= DYRT_LONGEST)) return LIMBER_DYRT_BAD_ARGUMENT;
    if ((crowd->settings.drive == LIMBER_DYRT_VELOCITIES) != (motions != NULL)) return LIMBER_DYRT_BAD_ARGUMENT;
    dt += crowd->waiting;
    if (dt < DYRT_SHORTEST && crowd->last >= 0) { /* the very first only takes the bones in, whatever its time */
        crowd->waiting = dt;
        return LIMBER_DYRT_OK;
    }
    crowd->waiting = 0.0f;
    return step_all(crowd, fmaxf(dt, DYRT_SHORTEST), bones, motions);
}
