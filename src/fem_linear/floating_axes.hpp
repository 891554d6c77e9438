// FloatingAxes: an unanchored body under linear strain rides rigid axes (the floating frame of reference of the
// literature), otherwise it would swell as it turns. Deformation is seen from mean axes (no momentum and no angular
// momentum of its own); the axes carry both. Neglected: Coriolis forces on the deforming part, and the change of
// inertia with shape.
#pragma once

#include "integrate/system.hpp"

#include <limber/body.hpp>
#include <limber/deformer.hpp>

#include <span>
#include <utility>
#include <vector>

namespace limber {

class FloatingAxes {
public:
    /// Position 3, turn 4, velocity 3, angular momentum 3, last force 3, last torque 3.
    static constexpr std::size_t kReals = 19;

    /// `mass_alpha`: mass-proportional damping, which brakes rigid motion too [1/s].
    FloatingAxes(const Body& body, const System& system, double mass_alpha);

    void reset(double* axes) const noexcept;
    /// Force [N] and torque about the centre of mass, both in the world, of forces on vertices plus gravity.
    Wrench total(const double* axes, const double* u, std::span<const Vec3> force, const Vec3& gravity) const noexcept;
    void remember(double* axes, const Wrench& now) const noexcept;
    void advance(double* axes, const Wrench& end, double h) const noexcept;
    /// advance() from `before`, with the wrench at the step's end that follows from where the body then is (u: its
    /// deformation), and with `constant` all through the step, which is not remembered.
    void advance_under(double* axes, const double* before, const double* u, std::span<const Vec3> force,
                       const Vec3& gravity, const Wrench& constant, double h) const noexcept;
    /// A blow: force and torque about the centre of mass, times their time [N s, N m s].
    void push(double* axes, const Wrench& impulse) const noexcept;

    /// Where the axes are and how they move, in the world.
    struct Pose {
        Vec3 centre;  ///< of mass [m]
        Mat3 turn;
        Vec3 velocity, spin;  ///< of the centre [m/s], angular [rad/s]
    };
    Pose pose(const double* axes) const noexcept;
    Vec3 rest_centre() const { return centre_; }
    /// Acceleration of a point per force on another, of the body as a whole, seen from the axes [1/kg]; arms from the
    /// centre of mass.
    Mat3 rigid_response(const Vec3& arm, const Vec3& pushed_arm) const noexcept;
    /// How far such an acceleration gets in a step, h^2/2 less what damping takes [s^2].
    double reach_of(double h) const { return h * h / 2 / (1 + alpha_ * h / 2); }
    /// Nodal forces seen from the axes, centrifugal ones included, without what moves the body as a whole.
    void deforming_force(const double* axes, std::span<const Vec3> force, double* out) const noexcept;
    /// Takes the rigid part out of a displacement or velocity field.
    void remove_rigid(double* field) const noexcept;

    void world_displacements(const double* axes, const double* u, std::span<Vec3> out) const noexcept;
    void world_velocities(const double* axes, const double* u, const double* v, std::span<Vec3> out) const noexcept;
    double kinetic(const double* axes) const noexcept;
    /// Tensors from these axes to world axes.
    void to_world(const double* axes, std::span<SymMat3> tensors) const noexcept;
    /// The axes that fit a given motion best, and what is left as deformation.
    void fit(std::span<const Vec3> displacement, std::span<const Vec3> velocity, double* axes, double* u,
             double* v) const noexcept;

private:
    Vec3 spin(const double* axes) const noexcept;  ///< angular velocity in the world [rad/s]
    std::pair<Vec3, Vec3> rigid_part(const double* field, double* amount) const noexcept;
    void put_vec(double* field, std::size_t vertex, const Vec3& value) const noexcept;
    Quat best_turn(std::span<const Vec3> displacement, const Vec3& centre) const noexcept;
    Vec3 arm(std::size_t vertex, const double* u) const noexcept;
    const Body& body_;
    int dim_, modes_;
    double mass_ = 0.0, alpha_;
    Vec3 centre_;
    Mat3 inertia_, inverse_inertia_;
    std::vector<double> rigid_, mass_rigid_;  ///< modes_ columns: Phi and M Phi
    std::vector<double> gram_inverse_;        ///< (Phi^T M Phi)^-1
    std::vector<Vec3> mass_arm_;              ///< sum_j m_ij (r_j - centre), for centrifugal force
    std::vector<double> weight_;              ///< row sums of M [kg]
};

}  // namespace limber
