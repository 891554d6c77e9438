// The shapes in which a modal body moves, and the small matrices that say how they push each other.
//   u = sum of modes q_k phi_k + sum of drives y_c psi_c + corrections
// A drive is one number of a handle's motion (translation, and the entries of R - I): psi_c is the body at rest under
// it. A correction adds at once what the modes left out would add at rest: for gravity, and for the inertia of moving
// handles.
#pragma once

#include "fem/supports.hpp"
#include "integrate/system.hpp"
#include "linalg/aligned.hpp"
#include "linalg/solvers.hpp"
#include "methods/modal/settings.hpp"

#include <memory>
#include <vector>

namespace limber {

struct ModalBasis {
    std::size_t unknowns = 0;  ///< vertices times dimension: the length of a shape
    std::size_t dimension = 3;
    std::size_t modes = 0;
    std::size_t drives = 0;  ///< (d + d d) per handle
    bool corrected = true;   ///< corrections for gravity (d) and drives follow
    AlignedArray shapes;     ///< count() columns: modes, drives, gravity, inertia of the drives

    std::vector<double> omega;     ///< per mode [rad/s]
    std::vector<double> decay;     ///< per mode: half of what multiplies its velocity [1/s]
    std::vector<double> residual;  ///< per mode, relative
    std::vector<double> push;      ///< modes x drives: phi^T M psi; a drive's acceleration pushes by minus this
    /// modes x drives: phi^T M of psi's free part alone. When a drive jumps, or its velocity does, free vertices stay
    /// where they were and as fast as they were: the modes take back what psi would have carried along. (No
    /// acceleration: M_fp has no say.)
    std::vector<double> lag;
    std::vector<double> drag;   ///< modes x drives: phi^T C psi
    std::vector<double> weigh;  ///< modes x d: gravity's push
    /// Alpha where it is one for the whole body: inertia corrections follow y'' + alpha y'.
    double drive_damping = 0.0;

    std::vector<double> stiffness, mass;                     ///< count() x count(), for energies
    std::vector<double> reaction_k, reaction_c, reaction_m;  ///< (6 per support) x count()
    std::vector<double> reaction_g;                          ///< (6 per support) x d

    std::size_t count() const { return modes + drives + (corrected ? dimension + drives : 0); }
    std::size_t gravity_at() const { return modes + drives; }
    std::size_t inertia_at() const { return modes + drives + dimension; }
    const double* shape(std::size_t k) const { return shapes.data() + k * unknowns; }
    std::size_t bytes() const;
};

/// What the basis is made of; kept for static solves under vertex forces.
struct ModalParts {
    System system;
    std::vector<double> weight;            ///< per vertex [kg]
    std::unique_ptr<LinearSolver> solver;  ///< of the free rows of K
};

/// Throws Error{bad_mesh | interrupted | bad_option}.
ModalBasis make_modal_basis(const Body& body, const Supports& supports, const ModalSettings& settings,
                            const ModalParts& parts, Progress& progress);

void save_modal_basis(ByteWriter& out, const ModalBasis& basis);
/// Throws Error{bad_data} when it is not one of this body.
ModalBasis load_modal_basis(ByteReader& in, const Body& body, const Supports& supports);

}  // namespace limber
