/* One damped oscillator, q'' + 2 decay q' + omega^2 q = force, advanced exactly over any time and for any damping.
 * C99, libm only: the live half of DyRT and limber's own modal method share it. */
#ifndef LIMBER_DYRT_OSCILLATOR_H
#define LIMBER_DYRT_OSCILLATOR_H

#ifdef __cplusplus
extern "C" {
#endif

/* With force f0 at the start that grows by `slope` per second:
 *   q1 = qq q0 + qv v0 + f1 f0 + f2 slope
 *   v1 = vq q0 + vv v0 + qv f0 + f1 slope */
typedef struct {
    double qq, qv, vq, vv; /* [-], [s], [1/s], [-] */
    double f1, f2;         /* integrals of qv, once and twice [s^2, s^3] */
} limber_oscillator_step;

/* omega >= 0 [rad/s], decay >= 0 [1/s] (damping ratio times omega, or half the mass damping), time >= 0 [s]. About
 * 1e-13 relative to the largest term. */
void limber_oscillator_prepare(double omega, double decay, double time, limber_oscillator_step* out);

#ifdef __cplusplus
}
#endif
#endif
