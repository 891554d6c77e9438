// System: M a + C v + K u = f over all unknowns, some of them prescribed. All that an integrator sees of a body.
#pragma once

#include "linalg/sparse.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace limber {

/// K times a vector by other means than a BlockCsr: const, shareable, all vectors over all unknowns in the caller's
/// order.
class StiffnessProduct {
public:
    virtual ~StiffnessProduct() = default;

    /// K (u_scale u + v_scale v) + diag(mass) (a_scale a + b_scale b); v, a and b may be null, and mass when both a and
    /// b are.
    struct Terms {
        const double* u;
        double u_scale = 1.0;
        const double* v = nullptr;
        double v_scale = 0.0;
        const double* mass = nullptr;  ///< per block row [kg]
        const double* a = nullptr;
        double a_scale = 1.0;
        const double* b = nullptr;
        double b_scale = 0.0;
    };
    /// Never allocates; the same bits for any number of threads.
    virtual void apply(const Terms& terms, double* out, double* scratch) const noexcept = 0;
    virtual std::size_t scratch_size() const = 0;  ///< doubles
    virtual std::size_t bytes() const = 0;
    /// Relative error of a product against one in double precision, as measured when it was made; 0 = rounding only.
    virtual double error() const { return 0.0; }
};

/// Vectors have one entry per unknown (block entries per row), prescribed ones included: then one product gives both
/// the free residual and, in the prescribed rows, the reactions.
struct System {
    BlockCsr stiffness;          ///< K; with a `product` only diagonal blocks and the rows that reactions are read from
    BlockCsr mass;               ///< consistent mass; no rows when lumped
    std::vector<double> lumped;  ///< per block row [kg]; used when `mass` has no rows
    bool uniform_damping = true;  ///< C = alpha M + beta K, never formed
    double alpha = 0.0, beta = 0.0;
    BlockCsr damping;                           ///< C otherwise
    std::vector<std::int32_t> free;             ///< ascending
    std::vector<std::int32_t> prescribed;       ///< ascending; together they are all unknowns
    std::vector<std::int32_t> prescribed_rows;  ///< block rows with a prescribed unknown
    /// K instead of `stiffness` where whole products are asked for; null = none.
    std::shared_ptr<const StiffnessProduct> product = nullptr;

    std::size_t size() const { return stiffness.size(); }
    bool is_lumped() const { return mass.rows() == 0; }
};

/// out = K u; `scratch` holds product_scratch() doubles.
void stiffness_force(const System& system, const double* u, double* out, double* scratch) noexcept;
/// out = M a + C v + K u. `a` or `v` may be null (= zero). `scratch` holds product_scratch() doubles. With uniform
/// damping this costs two products, K (u + beta v) and M (a + alpha v), and with lumped mass one.
void internal_force(const System& system, const double* u, const double* v, const double* a, double* out,
                    double* scratch) noexcept;
std::size_t product_scratch(const System& system);
/// The same, only in the prescribed rows of `out` (others are left alone).
void internal_force_prescribed(const System& system, const double* u, const double* v, const double* a, double* out,
                               double* scratch) noexcept;

/// m M + c C + k K over the free unknowns.
Csr effective_matrix(const System& system, double m, double c, double k);

}  // namespace limber
