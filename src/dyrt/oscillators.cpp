#include "dyrt/oscillators.hpp"

namespace limber {

Oscillators::Oscillators(const DyrtPart& part, double dt, bool coriolis)
    : part_(part), count_(part.count()), coriolis_(coriolis && !part.coriolis.empty()), whole_(count_), half_(count_) {
    for (std::size_t k = 0; k < count_; ++k) {
        limber_oscillator_prepare(part.omega[k], part.decay[k], dt, &whole_[k]);
        limber_oscillator_prepare(part.omega[k], part.decay[k], 0.5 * dt, &half_[k]);
    }
}

double Oscillators::push(std::size_t k, const DyrtDrive& drive) const {
    double sum = 0.0;
    for (std::size_t c = 0; c < kDyrtDrives; ++c) sum += part_.transfer[k * kDyrtDrives + c] * drive[c];
    return sum;
}

void Oscillators::step(Amplitudes& a, const DyrtDrive& drive, const Vec3& spin) const {
    std::vector<double> force(count_);
    for (std::size_t k = 0; k < count_; ++k) force[k] = push(k, drive);
    if (coriolis_) {
        // Velocities in the middle of the step, as they would be without Coriolis's force: second order.
        std::vector<double> middle(count_);
        for (std::size_t j = 0; j < count_; ++j)
            middle[j] = half_[j].vq * a.q[j] + half_[j].vv * a.rate[j] + half_[j].qv * force[j];
        for (std::size_t k = 0; k < count_; ++k) {
            for (std::size_t j = 0; j < count_; ++j) {
                for (int c = 0; c < 3; ++c) {
                    force[k] += part_.coriolis[(static_cast<std::size_t>(c) * count_ + k) * count_ + j] * spin[c] *
                                middle[j];
                }
            }
        }
    }
    for (std::size_t k = 0; k < count_; ++k) {
        const limber_oscillator_step& s = whole_[k];
        const double q = s.qq * a.q[k] + s.qv * a.rate[k] + s.f1 * force[k];
        a.rate[k] = s.vq * a.q[k] + s.vv * a.rate[k] + s.qv * force[k];
        a.q[k] = q;
    }
}

Amplitudes Oscillators::settled(const DyrtDrive& drive) const {
    Amplitudes out = at_rest();
    for (std::size_t k = 0; k < count_; ++k) out.q[k] = push(k, drive) / (part_.omega[k] * part_.omega[k]);
    return out;
}

}  // namespace limber
