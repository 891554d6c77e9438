#include "oscillator.h"

#include <math.h>

/* With S the answer to a unit push (S(0) = 0, S'(0) = 1) everything else follows:
 *   qv = S, vv = S', vq = -omega^2 S, qq = 1 - omega^2 F1, F1 = integral of S, F2 = integral of F1. */

/* Taylor terms of S; for short times every closed form below loses digits to cancellation. */
static void by_series(double omega, double decay, double time, limber_oscillator_step* out) {
    const double b = 2.0 * decay * time, c = omega * omega * time * time;
    double before = 0.0, term = 1.0; /* of S / time: term k - 1 and term k, k = 1 */
    double s = 1.0, rate = 1.0, f1 = 0.5, f2 = 1.0 / 6.0;
    double r0 = 0.5, r1 = 1.0 / 6.0; /* 1 / (k (k + 1)) and the next */
    int k;
    /* Live frame times are new in every frame: one division per term, and no more terms than change the sums. */
    for (k = 1; k < 48 && (fabs(term) > 1e-18 || fabs(before) > 1e-18); ++k) {
        const double next = -(b * k * term + c * before) * r0, r2 = 1.0 / ((k + 2.0) * (k + 3.0));
        before = term;
        term = next;
        s += term;
        rate += (k + 1.0) * term;
        f1 += term * r2 * (k + 3.0);
        f2 += term * r2;
        r0 = r1;
        r1 = r2;
    }
    out->qv = time * s;
    out->vv = rate;
    out->f1 = time * time * f1;
    out->f2 = time * time * time * f2;
}

static double phi1(double x) { return x == 0.0 ? 1.0 : expm1(x) / x; }

static double phi2(double x) {
    double term = 0.5, sum = 0.5;
    int k;
    if (fabs(x) > 1.0) return (expm1(x) - x) / (x * x);
    for (k = 3; k < 24; ++k) {
        term *= x / k;
        sum += term;
    }
    return sum;
}

/* Two real roots, well apart: overdamped. */
static void by_real_roots(double omega, double decay, double split, double time, limber_oscillator_step* out) {
    const double fast = -(decay + split), slow = omega * omega / fast; /* their product is omega^2: no cancellation */
    const double e_slow = exp(slow * time), e_fast = exp(fast * time), gap = slow - fast;
    out->qv = (e_slow - e_fast) / gap;
    out->vv = (slow * e_slow - fast * e_fast) / gap;
    out->f1 = time * (phi1(slow * time) - phi1(fast * time)) / gap;
    out->f2 = time * time * (phi2(slow * time) - phi2(fast * time)) / gap;
}

/* Underdamped, or so near to critical that sinh and cosh stay small. */
static void by_waves(double omega, double decay, double square, double time, limber_oscillator_step* out) {
    const double wave = sqrt(fabs(square)), x = wave * time, fade = exp(-decay * time);
    const double cosine = square >= 0.0 ? cos(x) : cosh(x);
    const double sine = x < 1e-4 ? time * (1.0 - square * time * time / 6.0)
                                 : (square >= 0.0 ? sin(x) : sinh(x)) / wave;
    out->qv = fade * sine;
    out->vv = fade * cosine - decay * out->qv;
    out->f1 = (1.0 - fade * cosine - decay * out->qv) / (omega * omega);
    out->f2 = (time - out->qv - 2.0 * decay * out->f1) / (omega * omega);
}

void limber_oscillator_prepare(double omega, double decay, double time, limber_oscillator_step* out) {
    const double square = (omega - decay) * (omega + decay);
    if (fmax(omega, decay) * time <= 2.0)
        by_series(omega, decay, time, out);
    else if (square < 0.0 && sqrt(-square) * time > 1.0)
        by_real_roots(omega, decay, sqrt(-square), time, out);
    else
        by_waves(omega, decay, square, time, out);
    out->vq = -omega * omega * out->qv;
    out->qq = 1.0 - omega * omega * out->f1;
}
