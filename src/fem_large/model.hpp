// ElasticModel: the elastic forces of a whole body as a function of its displacements. What tells corotational, stvk
// and neo_hookean apart; the time schemes, Newton's method and the linear solver over it are shared.
//
// Vectors hold `dimension` numbers per vertex of the body, prescribed ones included.
#pragma once

#include "linalg/patch_operator.hpp"
#include "linalg/sparse.hpp"

#include <limber/body.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace limber {

/// How much of each matrix a step wants: stiffness * K(u) + viscosity * D(u). K is the tangent, dg/du (or what the
/// model offers instead); D the material part of it, which damps strain rates and no rigid motion: symmetric and
/// positive semi-definite, K itself at rest.
struct TangentWeights {
    double stiffness = 1.0;
    double viscosity = 0.0;
    /// K with its negative eigenvalues taken out, cell by cell: a descent direction for certain.
    bool positive = false;
    bool cheap = false;  ///< K without what is dear and mostly small, positive all the same (corotated bodies: R K
                         ///< R^T); others ignore it
};

/// Const and shareable. `warm` is the model's part of a State (rotations of the last step, a good first guess),
/// `scratch` comes from the caller and means nothing between calls. Nothing allocates, nothing throws; results may be
/// non-finite where u is.
class ElasticModel {
public:
    virtual ~ElasticModel() = default;

    virtual std::size_t warm_size() const { return 0; }          ///< doubles in a State
    virtual void warm_start(double* /*warm*/) const noexcept {}  ///< what rest has there
    virtual std::size_t scratch_size() const = 0;                ///< doubles

    /// Whether K is the slope of the gradient; where it is not, readouts take differences of the gradient instead.
    virtual bool exact_tangent() const { return true; }

    /// Whether the forces are an energy's gradient.
    virtual bool has_energy() const { return true; }

    /// Where K and D have entries: a block row per vertex, values unset.
    virtual const BlockCsr& pattern() const = 0;
    /// A part of K and D that is not written out in the pattern's blocks, or null. Its numbers follow the blocks in
    /// `values`: pattern().columns has room for them, entries behind the last row's that no row knows.
    virtual const PatchOperator* apart() const { return nullptr; }

    /// Elastic energy [J]; infinity where the energy has a barrier.
    virtual double energy(const double* u, double* warm, double* scratch) const noexcept = 0;
    /// force = g(u), the energy's gradient [N] (not minus it); returns the energy.
    virtual double gradient(const double* u, double* warm, double* force, double* scratch) const noexcept = 0;
    /// The same, and `values` (of pattern()) = the weighted matrix.
    virtual double linearise(const double* u, const TangentWeights& weights, double* warm, double* force,
                             double* values, double* scratch) const noexcept = 0;
    /// force = D(u) v [N s/m x m/s], without forming D.
    virtual void viscous(const double* u, const double* v, double* warm, double* force,
                         double* scratch) const noexcept = 0;

    /// linearise() and, in `damping`, viscous() at the same u: what a step with damping wants. Models that can share
    /// work between the two do.
    virtual double linearise_moving(const double* u, const double* v, const TangentWeights& weights, double* warm,
                                    double* force, double* damping, double* values, double* scratch) const noexcept {
        const double energy = linearise(u, weights, warm, force, values, scratch);
        viscous(u, v, warm, damping, scratch);
        return energy;
    }

    /// gradient() and viscous() at the same u.
    virtual double gradient_moving(const double* u, const double* v, double* warm, double* force, double* damping,
                                   double* scratch) const noexcept {
        const double energy = gradient(u, warm, force, scratch);
        viscous(u, v, warm, damping, scratch);
        return energy;
    }

    /// Cauchy stress at cell centres, world axes [Pa].
    virtual void cell_stress(const double* u, const double* warm, std::span<SymMat3> out) const noexcept = 0;
    /// The first cell that is turned inside out, -1 = none.
    virtual std::int32_t inverted_cell(const double* u) const noexcept = 0;
    virtual std::size_t bytes() const = 0;
};

}  // namespace limber
