// Bodies that are linear in axes which turn with each cell: f = R K (R^T x - X), R the rotation of its deformation.
//
// Tri3 and tet4: this force is the gradient of V psi(S), psi = mu |S - 1|^2 + lambda/2 tr(S - 1)^2, S = R^T F. Stress
// and stretch share their axes, so turning R does no work and the derivative of R drops out: forces of a cell have no
// torque. With lambda/2 (det F - 1)^2 in place of the trace's term, which is the same to second order of strain, volume
// is kept beyond; its damping acts on the rate of det F, so that one lambda cof(F) g stands in the matrix for both.
// (Damping the trace's rate beside it makes single linearisations run away.) Near nu = 0.5 (bbar) most of their
// stiffness acts on averages of F around vertices, each a point with a rotation of its own and the same energy. Other
// cells take R at their centre, and stress elsewhere does not share its axes: there the derivative of R is part of the
// force, which makes it the gradient of 1/2 d^T K d, d = R^T x - X, and free of torque again.
#pragma once

#include "fem/element.hpp"
#include "fem_large/model.hpp"

#include <memory>

namespace limber {

enum class Warp : std::uint8_t { elements, vertices };
/// By what a change of volume is measured: tr S - 3, or det F - 1 (rotations per cell only; where volume changes are
/// averaged, their mean).
enum class VolumeLaw : std::uint8_t { trace, determinant };

struct CorotatedSettings {
    Integration integration = Integration::full;
    /// The tangent with the derivative of R (tri3 and tet4 only), and of cof F; the classic one is R K R^T (cof(F) g in
    /// place of R g where lambda stands), always positive semi-definite.
    bool exact_tangent = false;
    Warp warp = Warp::elements;
    VolumeLaw volume = VolumeLaw::determinant;
};

/// Borrows the body. Damping acts on the rate of each cell's own shape (of S, or of d) and volume, so it brakes no
/// turning; the matrix takes the classic tangent in its place, which is the same at small strain. warm: one unit
/// quaternion per cell (vertices: per vertex).
std::unique_ptr<const ElasticModel> make_corotated(const Body& body, const CorotatedSettings& settings);

// One file each; make_corotated() chooses.
std::unique_ptr<const ElasticModel> make_corotated_tets(const Body& body, bool exact_tangent, VolumeLaw volume);
std::unique_ptr<const ElasticModel> make_corotated_cells(const Body& body, Integration integration, bool exact_tangent,
                                                         VolumeLaw volume);
/// What averaged tri3 and tet4 leave to each cell: kCellShearShare of the shear stiffness, nothing of the bulk modulus.
std::unique_ptr<const ElasticModel> make_corotated_cell_shares(const Body& body, bool exact_tangent);
std::unique_ptr<const ElasticModel> make_corotated_tet_shares(const Body& body, bool exact_tangent);
/// Tri3 and tet4 with bbar: those shares, and the rest on the averages of F around vertices, which have rotations of
/// their own.
std::unique_ptr<const ElasticModel> make_corotated_averaged(const Body& body, bool exact_tangent, VolumeLaw volume);
std::unique_ptr<const ElasticModel> make_corotated_vertices(const Body& body, Integration integration);

}  // namespace limber
