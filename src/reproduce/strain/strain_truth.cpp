#include "reproduce/strain/strain_truth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

double stvk_pull_stress(const Material& m, double stretch) { return m.young * stretch * (stretch * stretch - 1) / 2; }

double stvk_side_stretch(const Material& m, double stretch) {
    // Free sides: S_22 = 0, hence E_22 = -nu E_11.
    const double squared = 1 - m.poisson * (stretch * stretch - 1);
    return squared > 0.0 ? std::sqrt(squared) : std::numeric_limits<double>::quiet_NaN();
}

double stvk_critical_shortening() { return 1 - 1 / std::sqrt(3.0); }

double stvk_stretch_under(const Material& m, double pull_stress) {
    const double lowest = 1 - stvk_critical_shortening();
    if (pull_stress < stvk_pull_stress(m, lowest)) return std::numeric_limits<double>::quiet_NaN();
    // The cubic rises and is convex above its minimum, so Newton from the right comes down to the root without
    // overshooting.
    const double load = 2 * pull_stress / m.young;  // s^3 - s = load
    double s = 1 + std::max(0.0, load);
    for (int i = 0; i < 200; ++i) {
        const double slope = 3 * s * s - 1;
        const double next = slope > 0.0 ? s - (s * s * s - s - load) / slope : s;
        if (!(next < s)) break;
        s = next;
    }
    return s;
}

ShearTraction stvk_shear_traction(const Material& m, double gamma) {
    const double mu = m.shear(), normal = (m.lame_lambda() + 2 * mu) * gamma * gamma / 2;  // S_22 = P_22
    return {mu * gamma + gamma * normal, normal};
}

double linear_energy_of_rotation(const Material& m, double angle) {
    const double s = std::sin(angle / 2), strain = 2 * s * s;  // 1 - cos: both in-plane normal strains are its negative
    return 2 * (m.lame_lambda() + m.shear()) * strain * strain;
}

}  // namespace limber
