#include "methods/bem/ringing.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

/// Per node: int over its share of the surface of (x - centroid) . n, so that int_V q = sum q_i share_i / (d + 2) for q
/// that grows with the square of the distance.
std::vector<double> ray_shares(const FreeResponse& response, const BoundaryShape& shape) {
    std::vector<double> out(response.nodes(), 0.0);
    const auto d = static_cast<std::size_t>(shape.dimension);
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        Vec3 r[3];
        for (std::size_t k = 0; k < d; ++k)
            r[k] = shape.points[static_cast<std::size_t>(shape.facets[d * f + k])] - response.enclosed().centroid;
        // x . n is constant on a flat facet, and n times its measure is the cross product.
        const double share = d == 2 ? r[0].x * r[1].y - r[0].y * r[1].x : 0.5 * dot(r[0], cross(r[1], r[2]));
        for (std::size_t k = 0; k < d; ++k)
            out[static_cast<std::size_t>(shape.facets[d * f + k])] += share / static_cast<double>(d);
    }
    return out;
}

}  // namespace

Ringing::Ringing(const FreeResponse& response, const BoundaryShape& shape, double density, double damping_ratio)
    : response_(response), damping_(damping_ratio) {
    const auto d = static_cast<std::size_t>(response.dimension());
    mass_ = ray_shares(response, shape);
    for (double& m : mass_) m = std::max(0.0, m * density / static_cast<double>(d + 2));
    // Stretched along y, narrowed across: b = L r, and its static answer u. Rayleigh: w^2 = int b.u / int rho u^2.
    double work = 0.0, square = 0.0;
    for (std::size_t i = 0; i < response.nodes(); ++i) {
        const Vec3 r = response.position(i) - response.enclosed().centroid;
        Vec3 u, b;
        for (std::size_t k = 0; k < d; ++k) {
            const double l = k == 1 ? 1.0 : -1.0 / static_cast<double>(d - 1);
            b[static_cast<int>(k)] = l * r[static_cast<int>(k)];
            for (std::size_t c = 0; c < d; ++c)
                u[static_cast<int>(c)] += l * response.stretch_column(k * d + k)[d * i + c];
        }
        work += mass_[i] / density * dot(b, u);
        square += mass_[i] * dot(u, u);
    }
    omega_ = work > 0.0 && square > 0.0 ? std::sqrt(work / square) : 0.0;
}

double Ringing::excite(double* state, const double* static_shape, double dt, double affordable) const noexcept {
    const std::size_t n = response_.size();
    const auto d = static_cast<std::size_t>(response_.dimension());
    double *rate = state + n, *old = state + 2 * n, *old_rate = state + 3 * n;
    double mixed = 0.0, square = 0.0;  // energy of rate - s jump, less that of rate: -s mixed + s^2 square
    for (std::size_t i = 0; i < n; ++i) {
        const double now = (static_shape[i] - old[i]) / dt, jump = now - old_rate[i], m = mass_[i / d];
        mixed += m * rate[i] * jump;
        square += 0.5 * m * jump * jump;
    }
    double share = 1.0;
    if (square - mixed > affordable) {  // the largest share that can be paid
        const double root = std::sqrt(std::max(0.0, mixed * mixed + 4.0 * square * std::max(0.0, affordable)));
        share = std::clamp((mixed + root) / (2.0 * square), 0.0, 1.0);
    }
    for (std::size_t i = 0; i < n; ++i) {
        const double now = (static_shape[i] - old[i]) / dt;
        rate[i] -= share * (now - old_rate[i]);
        old[i] = static_shape[i];
        old_rate[i] = now;
    }
    return share * (share * square - mixed);
}

void Ringing::advance(double* state, double dt) const noexcept {
    const std::size_t n = response_.size();
    const double decay = damping_ * omega_, wave = omega_ * std::sqrt(std::max(0.0, 1.0 - damping_ * damping_));
    const double fade = std::exp(-decay * dt);
    // Critical damping is the limit sin(w t)/w -> t.
    const double s = wave > 1e-9 * omega_ ? std::sin(wave * dt) / wave : dt,
                 c = wave > 1e-9 * omega_ ? std::cos(wave * dt) : 1.0;
    for (std::size_t i = 0; i < n; ++i) {
        const double r = state[i], v = state[n + i];
        state[i] = fade * (c * r + s * (v + decay * r));
        state[n + i] = fade * (c * v - s * (omega_ * omega_ * r + decay * v));
    }
}

double Ringing::kinetic(const double* state) const noexcept {
    const std::size_t n = response_.size();
    const auto d = static_cast<std::size_t>(response_.dimension());
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += 0.5 * mass_[i / d] * state[n + i] * state[n + i];
    return sum;
}

double Ringing::elastic(const double* state) const noexcept {
    const auto d = static_cast<std::size_t>(response_.dimension());
    double sum = 0.0;
    for (std::size_t i = 0; i < response_.size(); ++i)
        sum += 0.5 * mass_[i / d] * omega_ * omega_ * state[i] * state[i];
    return sum;
}

}  // namespace limber
