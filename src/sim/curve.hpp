// Keyframed curves: values over time with their first and second derivatives.
#pragma once

#include <limber/tools/scene.hpp>

#include <array>
#include <span>
#include <vector>

namespace limber {

/// `Width` numbers over time. Constant (rate and acceleration 0) before the first key and from the last key on;
/// at a key itself the segment that follows it counts.
template <int Width>
class Curve {
public:
    using Values = std::array<double, Width>;
    struct Sample {
        Values value{}, rate{}, acceleration{};
    };

    Curve() = default;
    /// Times must ascend. One key is a constant, none is the zero curve.
    Curve(std::vector<double> times, std::vector<Values> values, Interpolation interpolation);

    bool empty() const { return times_.empty(); }
    /// A key within `snap` [s] of t counts as being exactly at t. Allocates nothing.
    Sample at(double t, double snap) const noexcept;

private:
    std::vector<double> times_;
    std::vector<Values> values_;
    std::vector<Values> bend_;  ///< second derivatives at the keys (smooth only)
    Interpolation interpolation_ = Interpolation::linear;
};

extern template class Curve<1>;
extern template class Curve<6>;

/// Angular velocity and acceleration (world axes) of a rotation vector r(t) with rates r' and r'' [rad, rad/s,
/// rad/s^2].
struct Spin {
    Vec3 velocity, acceleration;
};
Spin spin_of(const Vec3& r, const Vec3& rate, const Vec3& acceleration) noexcept;

}  // namespace limber
