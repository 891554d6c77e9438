// Floating frame: an unanchored body under linear strain rides a rigid frame, otherwise it would swell as it turns.
// Deformation lives in the frame with mean axes (no momentum and no angular momentum of its own); the frame carries
// both. Neglected: Coriolis forces on the deforming part, and the change of inertia with shape.
#pragma once

#include "integrate/system.hpp"

#include <limber/body.hpp>
#include <limber/deformer.hpp>

#include <span>
#include <utility>
#include <vector>

namespace limber {

class FloatingFrame {
public:
    /// Position 3, turn 4, velocity 3, angular momentum 3, last force 3, last torque 3.
    static constexpr std::size_t kReals = 19;

    /// `mass_alpha`: mass-proportional damping, which brakes rigid motion too [1/s].
    FloatingFrame(const Body& body, const System& system, double mass_alpha);

    void reset(double* frame) const noexcept;
    /// Force [N] and torque about the centre of mass, both in the world, of forces on vertices plus gravity.
    Wrench total(const double* frame, const double* u, std::span<const Vec3> force, const Vec3& gravity) const noexcept;
    void remember(double* frame, const Wrench& now) const noexcept;
    void advance(double* frame, const Wrench& end, double h) const noexcept;
    /// Nodal forces in the frame, centrifugal ones included, without what moves the body as a whole.
    void deforming_force(const double* frame, std::span<const Vec3> force, double* out) const noexcept;
    /// Takes the rigid part out of a displacement or velocity field.
    void remove_rigid(double* field) const noexcept;

    void world_displacements(const double* frame, const double* u, std::span<Vec3> out) const noexcept;
    void world_velocities(const double* frame, const double* u, const double* v, std::span<Vec3> out) const noexcept;
    double kinetic(const double* frame) const noexcept;
    /// Tensors from frame axes to world axes.
    void to_world(const double* frame, std::span<SymMat3> tensors) const noexcept;
    /// The frame that fits a given motion best, and what is left as deformation.
    void fit(std::span<const Vec3> displacement, std::span<const Vec3> velocity, double* frame, double* u,
             double* v) const noexcept;

private:
    Vec3 spin(const double* frame) const noexcept;  ///< angular velocity in the world [rad/s]
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
