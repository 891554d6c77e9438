// The largest eigenvalues of an operator that is self-adjoint in the inner product of a mass matrix M: block Lanczos
// with full reorthogonalisation and thick restarts. Blocks, because single-vector Lanczos can miss copies of a repeated
// value.
#pragma once

#include <limber/progress.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace limber {

class KrylovOperator {
public:
    virtual ~KrylovOperator() = default;
    virtual std::size_t size() const = 0;
    /// Given v and p = M v, `count` columns of length size() each: w = A v and q = M w. Several at once, since then a
    /// factor is read once.
    virtual void apply(const double* v, const double* p, double* w, double* q, std::size_t count) = 0;
    /// Makes p = M v hold exactly, from whichever of the two it prefers (both are filled; they agree up to rounding).
    virtual void match(double* v, double* p, std::size_t count) = 0;
    /// match() computes p, and quickly: then M times the basis is not kept, which is half of its memory and a third of
    /// the work on it.
    virtual bool multiplies_fast() const { return false; }
};

struct KrylovSettings {
    std::size_t count = 1;      ///< pairs wanted
    std::size_t block = 8;      ///< multiplicities up to this are found
    std::size_t capacity = 64;  ///< basis vectors kept
    double tolerance = 1e-10;   ///< |A v - theta v|_M <= tolerance * theta
    /// Values this near (relative) to the last one wanted are found as well, up to a block of them.
    double together = 0.0;
    int max_applications = 100000;
    std::uint64_t seed = 20;  ///< of the start vectors
};

struct KrylovPairs {
    std::vector<double> values;  ///< descending
    /// Columns of length n, M-orthonormal. Each is A applied once more to the best vector of the basis, which costs
    /// nothing: what A damps (for an inverse: high frequencies) is then as small in it as the tolerance says, in any
    /// norm.
    std::vector<double> vectors;
    bool converged = false;
    int applications = 0;
};

/// Deterministic: the start vectors are pseudo-random numbers that the seed fixes. Throws Error{interrupted} when asked
/// to stop.
KrylovPairs largest_pairs(KrylovOperator& op, const KrylovSettings& settings, Progress& progress);

}  // namespace limber
