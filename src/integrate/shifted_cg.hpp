// Conjugate gradients for m M + c C + k K with any m, c and k, over a System's own products: nothing is assembled or
// factored, so the step may change at every step. Preconditioner: the inverse of each vertex's diagonal block.
#pragma once

#include "integrate/system.hpp"
#include "linalg/solvers.hpp"

#include <vector>

namespace limber {

struct ShiftedCgSettings {
    double tolerance = 1e-10;  ///< of |b - A x| / |b|
    int max_iterations = 10000;
};

class ShiftedCg {
public:
    struct Shift {
        double m = 1.0, c = 0.0, k = 0.0;
    };
    /// The system outlives this.
    ShiftedCg(const System& system, const ShiftedCgSettings& settings);

    std::size_t scratch_size() const;  ///< doubles
    std::size_t bytes() const;
    /// Over the free unknowns; x holds a first guess. Without a share of K, C (if not alpha M) and consistent mass it
    /// only divides.
    SolveReport solve(const Shift& shift, const double* b, double* x, double* scratch) const noexcept;

private:
    struct Vectors;
    bool only_divides(const Shift& shift) const noexcept;
    /// q = A x in the free rows, 0 in the others; returns x . q.
    double apply(const Shift& shift, const double* x, double* q, const Vectors& at) const noexcept;
    void invert_blocks(const Shift& shift, double* inverse) const noexcept;
    /// x += by p, r -= by q, z = D^-1 r; returns r . z and, in rr, r . r
    double advance(double by, const Vectors& at, double& rr) const noexcept;
    void turn(double beta, const Vectors& at) const noexcept;

    const System& system_;
    ShiftedCgSettings settings_;
    std::size_t block_;
    std::vector<double> stiffness_, mass_,
        damping_;                     ///< diagonal blocks; mass_ and damping_ only where the system has such matrices
    std::vector<std::uint8_t> free_;  ///< per unknown
};

}  // namespace limber
