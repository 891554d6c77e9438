/* The coefficients of every oscillator for one frame time after another: in double, once per pair of frame times, for
 * everyone. */
#include "dyrt_internal.h"

#include "oscillator.h"

#include <math.h>

/* Up to here (omega dt, and decay dt) single pushes are good; above, the force within the frame matters and is
 * extrapolated. At omega dt = pi a push at the frame's start would be invisible at its end, and from 2 on one frame's
 * noise in the bones is amplified more than threefold. */
static const double kSoft = 2.0;

typedef struct {
    double omega, decay, dt, before;
    limber_oscillator_step step;
    const dyrt_row* last; /* of the frame before; NULL in the first */
} problem;

/* The rate that a unit of acceleration at a frame's end still owes to an oscillator there: the acceleration is known
 * one frame later only. About half a frame time. Any value answers a constant acceleration exactly, however frame times
 * change; this one also a growing one, at a constant frame time. From the recurrence q(k+1) - trace q(k) + det q(k-1) =
 * c a(k) + n a(k-1): the two conditions give c and n, free of cancellation when written in the integrals f1, f2.
 * (Pushing the rate by a dt alone, the trapezoid rule for Duhamel's integral, is wrong by
 * -(omega dt)^2 / 12 for a constant acceleration, and with damping in phase.) */
static double owed_rate(const problem* p) {
    const limber_oscillator_step* s = &p->step;
    return (s->f1 + 2.0 * p->decay * (s->qv * s->f2 - s->f1 * s->f1) / p->dt) / s->qv;
}

/* How much the force before may say about how it grows now: all where the frame before was at least half as long, and
 * the less the shorter it was. A jump of velocity in a short frame is a large force for a short time; going on from it
 * over a long frame would be a kick the larger the shorter that frame was. Squared, so that what is left of it goes to
 * zero with the frame's time. */
static double trust(const problem* p) {
    const double share = fmin(1.0, 2.0 * p->before / p->dt);
    return share * share;
}

/* Stiff in a long frame, soft in this shorter one: half of the change of force since then lies in the long one and is
 * due now. Without it a change of velocity at the start of a short frame would hardly be felt. None when both are
 * alike. */
static double due_from_a_long_frame(const problem* p) {
    const int was_stiff = fmax(p->omega, p->decay) * p->before > kSoft;
    return was_stiff ? 0.5 * p->before * fmin(1.0, fmax(0.0, p->before / p->dt - 1.0)) : 0.0;
}

/* Bones' places are known: e is the force at the frame's start, e1 that one frame earlier. First the frame before gets
 * what it was owed, then the force acts over this frame, but for what is owed at its end. */
static void follow_transforms(const problem* p, dyrt_row* out) {
    const limber_oscillator_step* s = &p->step;
    const int soft = fmax(p->omega, p->decay) * p->dt <= kSoft;
    double before, growth = 0.0, due = 0.0;
    out->owed = soft ? (float)owed_rate(p) : 0.0f;
    out->owed_before = p->last != NULL ? p->last->owed : out->owed;
    before = out->owed_before;
    /* Stiff: the force goes on growing as it did. */
    if (!soft)
        growth = trust(p) / fmax(p->before, 0.5 * p->dt);
    else
        due = due_from_a_long_frame(p);
    out->q_e = (float)(s->qv * (before + due) + s->f1 + growth * s->f2);
    out->s_e = (float)(s->vv * (before + due) + s->qv - (double)out->owed + growth * s->f1);
    out->q_e1 = (float)(-growth * s->f2 - due * s->qv);
    out->s_e1 = (float)(-growth * s->f1 - due * s->vv);
    out->rate_s = 1.0f;
    out->rate_e = out->owed_before;
}

/* Their velocities too: e is the mean force of this frame, e1 that of the frame before. */
static void follow_velocities(const problem* p, dyrt_row* out) {
    const limber_oscillator_step* s = &p->step;
    limber_oscillator_step half;
    /* Of the force within the frame, per e - e1; a stiff oscillator would lag by half a frame without it. */
    const double slope = trust(p) / (0.5 * (p->before + p->dt));
    out->q_e = (float)(s->f1 + slope * (s->f2 - 0.5 * p->dt * s->f1));
    out->s_e = (float)(s->qv + slope * (s->f1 - 0.5 * p->dt * s->qv));
    out->q_e1 = (float)(-slope * (s->f2 - 0.5 * p->dt * s->f1));
    out->s_e1 = (float)(-slope * (s->f1 - 0.5 * p->dt * s->qv));
    limber_oscillator_prepare(p->omega, p->decay, 0.5 * p->dt, &half);
    out->rate_q = (float)half.vq;
    out->rate_s = (float)half.vv;
    out->rate_e = (float)half.qv;
}

/* q(k) = a1 q(k-1) + a2 q(k-2) + b1 e + b2 e1. */
static void two_taps(const problem* p, limber_dyrt_filter filter, dyrt_row* out) {
    const limber_oscillator_step* s = &p->step;
    /* The amplitude before is as old as the frame before was long; the recurrence wants it one of these frames old. */
    const double fade_square = exp(-2.0 * p->decay * p->dt), age = fmin(p->dt / p->before, 1e3);
    out->q_q = (float)(s->qq + s->vv - fade_square * (1.0 - age));
    out->q_s = (float)(-fade_square * age);
    out->s_q = 1.0f;
    out->s_s = 0.0f;
    out->rate_q = (float)(1.0 / p->before);
    out->rate_s = -out->rate_q;
    if (filter == LIMBER_DYRT_TWO_TAP_IMPULSE) {
        out->q_e = (float)(p->dt * s->qv);
    } else if (filter == LIMBER_DYRT_PAPER && p->decay < p->omega) {
        const double fade = exp(-p->decay * p->dt), wave = sqrt((p->omega - p->decay) * (p->omega + p->decay)),
                     turn = wave * p->dt;
        const double lag = asin(p->decay / p->omega);
        out->q_e1 = (float)(2.0 * (fade * cos(turn - lag) - fade * fade * cos(2.0 * turn - lag)) /
                            (3.0 * p->omega * wave));
    } else { /* the paper has no filter for strong damping */
        out->q_e = (float)s->f1;
        out->q_e1 = (float)(s->qv * s->qv - s->vv * s->f1);
    }
    out->q_e1 *= (float)fmin(1.0, p->before / p->dt); /* the same impulse, however short the frame before was */
}

static dyrt_row row_of(problem* p, const limber_dyrt_settings* settings) {
    dyrt_row out;
    memset(&out, 0, sizeof out);
    limber_oscillator_prepare(p->omega, p->decay, p->dt, &p->step);
    if (settings->filter != LIMBER_DYRT_EXACT) {
        two_taps(p, settings->filter, &out);
        return out;
    }
    out.q_q = (float)p->step.qq;
    out.q_s = (float)p->step.qv;
    out.s_q = (float)p->step.vq;
    out.s_s = (float)p->step.vv;
    if (settings->drive == LIMBER_DYRT_TRANSFORMS)
        follow_transforms(p, &out);
    else
        follow_velocities(p, &out);
    return out;
}

const dyrt_frame* dyrt_find_frame(limber_dyrt_crowd* crowd, float dt) {
    const dyrt_frame* last = crowd->last >= 0 ? crowd->frame + crowd->last : NULL;
    const float before = last != NULL ? last->dt : dt;
    dyrt_frame* out;
    int i, k;
    for (i = 0; i < DYRT_KEPT_STEPS; ++i)
        if (crowd->frame[i].dt == dt && crowd->frame[i].before == before) return crowd->frame + i;
    if (crowd->next == crowd->last) crowd->next = (crowd->next + 1) % DYRT_KEPT_STEPS; /* still read below */
    out = crowd->frame + crowd->next;
    crowd->next = (crowd->next + 1) % DYRT_KEPT_STEPS;
    out->dt = dt;
    out->before = before;
    for (i = 0; i < crowd->asset->parts; ++i) {
        const dyrt_crowd_part* part = crowd->part + i;
        for (k = 0; k < part->part->modes; ++k) {
            problem p;
            p.omega = part->part->oscillators[4 * k];
            p.decay = part->part->oscillators[4 * k + 1];
            p.dt = dt;
            p.before = before;
            p.last = last != NULL ? last->rows + part->first_row + k : NULL;
            out->rows[part->first_row + k] = row_of(&p, &crowd->settings);
        }
    }
    return out;
}
