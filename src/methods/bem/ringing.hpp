// Ringing: a shape that follows the static one as a damped oscillator does, so that a jelly goes on trembling after it
// let go of the floor.
//
// Why a rate term and not modes: the static shape already holds every way of bending that contact excites; one
// frequency for all of it costs O(n), needs no eigenproblem, and is right for the slowest (stretching) motion, which is
// the one that is seen. r = shape - static shape obeys
//     r'' + 2 zeta w r' + w^2 r = -(static shape)''
// and is advanced exactly. What it gains in energy is taken from the bounce; what it loses is lost.
#pragma once

#include "bem/free_response.hpp"

namespace limber {

class Ringing {
public:
    /// `density` [kg/m^3] per unit thickness in the plane.
    Ringing(const FreeResponse& response, const BoundaryShape& shape, double density, double damping_ratio);

    double omega() const { return omega_; }  ///< of the slowest stretching, by Rayleigh's quotient [rad/s]
    /// r and its rate, then the static shape and its rate of the last step: what a state keeps.
    std::size_t state_size() const { return 4 * response_.size(); }

    /// Takes the new static shape in. At most `affordable` energy [J] (per thickness) may go into ringing; returns what
    /// did (negative: what was lost).
    double excite(double* state, const double* static_shape, double dt, double affordable) const noexcept;
    void advance(double* state, double dt) const noexcept;
    double kinetic(const double* state) const noexcept;
    double elastic(const double* state) const noexcept;

private:
    double mass_of(std::size_t node) const { return mass_[node]; }
    const FreeResponse& response_;
    double omega_ = 0.0, damping_;
    std::vector<double> mass_;  ///< per node: a field that grows linearly from the centre has this kinetic energy
};

}  // namespace limber
