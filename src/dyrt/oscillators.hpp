// A part's oscillators under drives that are held for a while: the same equations as runtime/dyrt, in double, for clips
// that are known beforehand.
#pragma once

#include "dyrt/oscillator.h"

#include <limber/tools/dyrt.hpp>

#include <vector>

namespace limber {

/// A clip that repeats goes on as it began: its last frame with the velocities of the first, spin kept in the bone's
/// own axes.
BoneMotion repeating(const BoneMotion& first, BoneMotion last);

/// q and q' of every oscillator.
struct Amplitudes {
    std::vector<double> q, rate;
};

class Oscillators {
public:
    /// For steps of `dt`.
    Oscillators(const DyrtPart& part, double dt, bool coriolis);
    Amplitudes at_rest() const { return {std::vector<double>(count_, 0.0), std::vector<double>(count_, 0.0)}; }
    /// The drive is constant over the step; `spin` is the bone's angular velocity in its own axes, for Coriolis's
    /// force.
    void step(Amplitudes& a, const DyrtDrive& drive, const Vec3& spin) const;
    /// Where they would stand under a constant drive.
    Amplitudes settled(const DyrtDrive& drive) const;

private:
    double push(std::size_t k, const DyrtDrive& drive) const;

    const DyrtPart& part_;
    std::size_t count_;
    bool coriolis_;
    std::vector<limber_oscillator_step> whole_, half_;
};

}  // namespace limber
