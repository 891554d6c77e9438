/* Which numbers are small enough that nothing computed from them overflows. Checked once, so that the frames need no
 * check of their own. */
#include "dyrt_internal.h"

#include <math.h>

int dyrt_all_below(const float* values, uint64_t count, float largest) {
    int below = 1; /* a loop without branches; what is no number is not below */
    uint64_t i;
    for (i = 0; i < count; ++i) below &= fabsf(values[i]) <= largest;
    return below;
}

void dyrt_scaled_limits(const dyrt_part* part, float limit, float out[3]) {
    static const float kMost[3] = {1e15f, 1e15f, 1e9f};
    int i;
    for (i = 0; i < 3; ++i) out[i] = fminf(part->limits[i] * limit, kMost[i]);
}

static double length_of(const float* v) {
    return sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
}

/* The largest push that bones can give: accelerations are shortened to limits, which are larger in frames below 1/60 s.
 */
static double largest_push(const float* transfer, const float limits[3], double gravity) {
    const double room = 1.0 / (60.0 * DYRT_SHORTEST), spin = limits[2];
    double centripetal = 0.0;
    int i;
    for (i = 6; i < DYRT_MOTIONS; ++i) centripetal += fabs((double)transfer[i]);
    return length_of(transfer) * (limits[0] * room + 2.0 * gravity) + length_of(transfer + 3) * limits[1] * room +
           centripetal * spin * spin;
}

int dyrt_stays_in_range(const dyrt_part* part, float amount, float limit, const float gravity[3]) {
    float limits[3];
    int k;
    dyrt_scaled_limits(part, limit, limits);
    for (k = 0; k < part->modes; ++k) {
        const double omega = part->oscillators[4 * k], slow = omega < 1.0 ? omega : 1.0;
        const double push = fabs((double)amount) *
                            largest_push(part->transfer + DYRT_MOTIONS * k, limits, length_of(gravity));
        if (!(push <= DYRT_LARGEST * slow * slow)) return 0; /* push, rate push / omega and amplitude push / omega^2 */
    }
    return 1;
}
