// System: M a + C v + K u = f over all unknowns, some of them prescribed. All that an integrator sees of a body.
#pragma once

#include "linalg/sparse.hpp"

#include <cstdint>
#include <vector>

namespace limber {

/// Vectors have one entry per unknown (block entries per row), prescribed ones included: then one product gives both the
/// free residual and, in the prescribed rows, the reactions.
struct System {
    BlockCsr stiffness;
    BlockCsr mass;                          ///< consistent mass; no rows when lumped
    std::vector<double> lumped;             ///< per block row [kg]; used when `mass` has no rows
    bool uniform_damping = true;            ///< C = alpha M + beta K, never formed
    double alpha = 0.0, beta = 0.0;
    BlockCsr damping;                       ///< C otherwise
    std::vector<std::int32_t> free;         ///< ascending
    std::vector<std::int32_t> prescribed;   ///< ascending; together they are all unknowns
    std::vector<std::int32_t> prescribed_rows;  ///< block rows with a prescribed unknown

    std::size_t size() const { return stiffness.size(); }
    bool is_lumped() const { return mass.rows() == 0; }
};

/// out = M a + C v + K u. `a` or `v` may be null (= zero). `scratch` holds 2 size() doubles. With uniform damping this costs
/// two products, K (u + beta v) and M (a + alpha v), and with lumped mass one.
void internal_force(const System& system, const double* u, const double* v, const double* a, double* out, double* scratch) noexcept;
/// The same, only in the prescribed rows of `out` (others are left alone).
void internal_force_prescribed(const System& system, const double* u, const double* v, const double* a, double* out, double* scratch) noexcept;

/// m M + c C + k K over the free unknowns.
Csr effective_matrix(const System& system, double m, double c, double k);

}  // namespace limber
