// FrameMeasure: one metric prepared for one pair of recordings, asked frame by frame. Factories below, one per metric.
#pragma once

#include "metrics/pairing.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace limber {

class FrameMeasure {
public:
    virtual ~FrameMeasure() = default;
    /// Nothing where the measure does not exist, infinity where it is too large for a double. The pair's displacements
    /// are finite.
    virtual std::optional<double> at(const Pairing::Pair& pair) = 0;
    /// Largest so far; absolute.
    virtual double stated_error() const { return 0.0; }
};

/// A difference against its scale: 0/0 is 0 (both at rest), anything else over 0 has no value.
inline std::optional<double> ratio(double difference, double scale) {
    if (scale > 0.0) return difference / scale;
    if (difference == 0.0) return 0.0;
    return std::nullopt;
}

/// A power of two that brings `largest` near 1: a run that blew up to 1e200 must not overflow in a square, and scaling
/// by powers of two changes no digit.
inline double near_one(double largest) {
    return largest > 0.0 ? std::ldexp(1.0, -std::clamp(std::ilogb(largest), -1000, 1000)) : 1.0;
}
/// As norm(), also where squares overflow or vanish.
inline double length(const Vec3& v) { return std::hypot(v.x, v.y, v.z); }
/// The largest magnitude of any component.
double largest_component(std::span<const Vec3> field);

/// All of these borrow the pairing.
std::unique_ptr<FrameMeasure> make_relative_l2(const Pairing& pairing);
std::unique_ptr<FrameMeasure> make_relative_energy(const Pairing& pairing);
std::unique_ptr<FrameMeasure> make_surface(const Pairing& pairing);
std::unique_ptr<FrameMeasure> make_interior(const Pairing& pairing);
std::unique_ptr<FrameMeasure> make_interior_mean(const Pairing& pairing);
std::unique_ptr<FrameMeasure> make_max_distance(const Pairing& pairing);
std::unique_ptr<FrameMeasure> make_volume_drift(const Pairing& pairing);
std::unique_ptr<FrameMeasure> make_energy_drift(const Pairing& pairing);
std::unique_ptr<FrameMeasure> make_momentum_drift(const Pairing& pairing);
std::unique_ptr<FrameMeasure> make_shown_l2(const Pairing& pairing);
std::unique_ptr<FrameMeasure> make_shown_mean(const Pairing& pairing);
std::unique_ptr<FrameMeasure> make_shown_max(const Pairing& pairing);
std::unique_ptr<FrameMeasure> make_shown_normal(const Pairing& pairing);

/// A positive weight per vertex that sums to the rest measure: how much of the body each vertex stands for [m^2 or
/// m^3].
std::vector<double> positive_weights(const Mesh& mesh);

}  // namespace limber
