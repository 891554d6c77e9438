// A cantilever under a dead load at its tip, solved as a beam: the truth of the bending case, and no finite elements in
// it. Cross-sections stay plane but may shear; they are made of St. Venant-Kirchhoff material with nu = 0, where
// nothing moves sideways, and give a little in height where fibres are curved. Large rotations are exact. A solid of
// height/length = 1/10 agrees to 0.01 % under small loads and at alpha = 1, to 0.2 % at alpha = 10 (docs/strain.md).
#pragma once

namespace limber {

struct Beam {
    double length = 1.0;  ///< [m]
    double height = 0.1;  ///< [m], in the plane of bending
    double width = 1.0;   ///< [m]
    double young = 1e4;   ///< [Pa]

    double bending_stiffness() const { return young * width * height * height * height / 12; }  ///< E I [N m^2]
    /// Tip force [N] of the load number alpha = P L^2 / (E I): about how many radians the tip would turn, times two.
    double force_of(double alpha) const { return alpha * bending_stiffness() / (length * length); }
};

struct BeamTip {
    double drop = 0.0;        ///< along the force [m]
    double shortening = 0.0;  ///< how much nearer the tip is to the wall's plane [m]
    double turn = 0.0;        ///< of the tip's cross-section [rad]
    double energy = 0.0;      ///< stored [J]
    double error = 0.0;       ///< of drop and shortening, by halving the integration step [m]
};

/// Green strain and large rotations: shooting for the root moment, fourth-order Runge-Kutta along the beam.
/// Not a number when the iteration fails (loads far beyond alpha = 20).
BeamTip stvk_cantilever(const Beam& beam, double tip_force);
/// Linear strain, small rotations: Timoshenko's beam with the shear coefficient 5/6 (exact for nu = 0).
BeamTip linear_cantilever(const Beam& beam, double tip_force);

}  // namespace limber
