#include "reproduce/strain/strain_beam.hpp"

#include <limber/vec3.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr double kShearCoefficient = 5.0 / 6.0;
constexpr int kBeamSteps = 64;  // along the beam; doubled for the answer, so that the two tell the error

// Three points integrate a polynomial of degree 5 in the height exactly; the section's energy has degree 4.
constexpr std::array<double, 3> kPoints{-0.7745966692414834, 0.0, 0.7745966692414834};
constexpr std::array<double, 3> kWeights{5.0 / 18, 8.0 / 18, 5.0 / 18};

/// Of one cross-section: components of r' along and across it, and its curvature.
struct SectionStrain {
    double along = 1.0, across = 0.0, curvature = 0.0;
};

/// Resultants conjugate to those strains, their derivatives, and the energy per length.
struct SectionForces {
    Vec3 resultant;
    Mat3 slope;
    double energy = 0.0;
};

/// Curved fibres press on each other: sigma_r = E k^2 (h^2/4 - y^2)/2 across the height. The section gives way to that,
/// and its energy per length is less by the integral of sigma_r^2/(2 E): E b h^5 k^4 / 240, to leading order in k h.
void relax_height(const Beam& beam, double curvature, SectionForces& out) {
    const double c = beam.young * beam.width * std::pow(beam.height, 5) / 240, k = curvature;
    out.energy -= c * k * k * k * k;
    out.resultant.z -= 4 * c * k * k * k;
    out.slope(2, 2) -= 12 * c * k * k;
}

SectionForces section_forces(const Beam& beam, const SectionStrain& s) {
    const double area = beam.width * beam.height, shear = kShearCoefficient * beam.young / 2 * area;
    SectionForces out;
    out.resultant.y = shear * s.across;
    out.slope(1, 1) = shear;
    out.energy = shear * s.across * s.across / 2;
    for (std::size_t q = 0; q < kPoints.size(); ++q) {
        const double y = kPoints[q] * beam.height / 2, w = beam.young * area * kWeights[q];
        const double fibre = s.along - y * s.curvature, green = (fibre * fibre + s.across * s.across - 1) / 2;
        // d(green)/d(along, across, curvature); the second derivatives are those of half the sum of squares.
        const Vec3 d{fibre, s.across, -y * fibre};
        out.energy += w * green * green / 2;
        out.resultant += w * green * d;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) out.slope(i, j) += w * d[i] * d[j];
        out.slope(0, 0) += w * green;
        out.slope(1, 1) += w * green;
        out.slope(0, 2) -= w * green * y;
        out.slope(2, 0) -= w * green * y;
        out.slope(2, 2) += w * green * y * y;
    }
    relax_height(beam, s.curvature, out);
    return out;
}

/// The strains that give the resultants, by Newton from the last ones.
SectionStrain strains_under(const Beam& beam, const Vec3& resultant, SectionStrain s) {
    for (int i = 0; i < 50; ++i) {
        const SectionForces now = section_forces(beam, s);
        const Vec3 step = inverse(now.slope) * (resultant - now.resultant);
        s.along += step.x;
        s.across += step.y;
        s.curvature += step.z;
        if (std::abs(step.x) + std::abs(step.y) + beam.height * std::abs(step.z) < 1e-15) break;
    }
    return s;
}

/// Along the beam: place, direction, moment, energy stored so far.
using Point = std::array<double, 5>;

class Shooter {
public:
    Shooter(const Beam& beam, double force, int steps) : beam_(beam), force_(force), steps_(steps) {}

    /// The far end when the root's moment is -force * arm.
    Point shoot(double arm) const {
        Point p{0.0, 0.0, 0.0, -force_ * arm, 0.0};
        SectionStrain strain;
        const double h = beam_.length / steps_;
        for (int i = 0; i < steps_; ++i) {
            const Point a = slope(p, strain), b = slope(moved(p, a, h / 2), strain),
                        c = slope(moved(p, b, h / 2), strain), d = slope(moved(p, c, h), strain);
            for (std::size_t k = 0; k < p.size(); ++k) p[k] += h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
        }
        return p;
    }

    /// The arm for which the tip is free of moment: then it *is* the tip's distance from the wall.
    double find_arm() const {
        double low = 0.0, high = 1.5 * beam_.length;
        double at_low = shoot(low)[0] - low, at_high = shoot(high)[0] - high;
        if (!(at_low > 0.0 && at_high < 0.0)) return std::numeric_limits<double>::quiet_NaN();
        for (int i = 0; i < 200 && high - low > 1e-15 * beam_.length; ++i) {
            const double arm = i % 3 == 2 ? (low + high) / 2 : low + (high - low) * at_low / (at_low - at_high);
            const double value = shoot(arm)[0] - arm;
            if (!std::isfinite(value)) return value;
            if (value == 0.0 || arm == low || arm == high) return arm;
            (value > 0.0 ? low : high) = arm;
            (value > 0.0 ? at_low : at_high) = value;
        }
        return (low + high) / 2;
    }

private:
    static Point moved(const Point& p, const Point& slope, double h) {
        Point out = p;
        for (std::size_t k = 0; k < p.size(); ++k) out[k] += h * slope[k];
        return out;
    }

    Point slope(const Point& p, SectionStrain& strain) const {
        const double c = std::cos(p[2]), s = std::sin(p[2]);
        // The dead load (0, -force) acts through every section: its parts along and across, and the moment so far.
        strain = strains_under(beam_, {-force_ * s, -force_ * c, p[3]}, strain);
        const double x = strain.along * c - strain.across * s, y = strain.along * s + strain.across * c;
        return {x, y, strain.curvature, force_ * x, section_forces(beam_, strain).energy};
    }

    const Beam& beam_;
    double force_;
    int steps_;
};

BeamTip solved(const Beam& beam, double force, int steps) {
    const Shooter shooter(beam, force, steps);
    const Point tip = shooter.shoot(shooter.find_arm());
    return {-tip[1], beam.length - tip[0], -tip[2], tip[4], 0.0};
}

}  // namespace

BeamTip stvk_cantilever(const Beam& beam, double tip_force) {
    if (tip_force == 0.0) return {};
    const BeamTip coarse = solved(beam, tip_force, kBeamSteps);
    BeamTip fine = solved(beam, tip_force, 2 * kBeamSteps);
    fine.error = std::max(std::abs(fine.drop - coarse.drop), std::abs(fine.shortening - coarse.shortening));
    return fine;
}

BeamTip linear_cantilever(const Beam& beam, double tip_force) {
    const double l = beam.length, bending = beam.bending_stiffness();
    const double shear = kShearCoefficient * beam.young / 2 * beam.width * beam.height;
    BeamTip tip;
    tip.drop = tip_force * (l * l * l / (3 * bending) + l / shear);
    tip.turn = tip_force * l * l / (2 * bending);
    tip.energy = tip_force * tip.drop / 2;
    return tip;
}

}  // namespace limber
