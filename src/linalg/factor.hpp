// The numbers of a Cholesky factor, as dense column-major supernodes: the form in which it is computed.
#pragma once

#include "linalg/aligned.hpp"
#include "linalg/symbolic.hpp"

#include <limber/progress.hpp>

#include <functional>
#include <vector>

namespace limber {

/// Supernode s is a matrix of width(s) + rows_below(s) rows and width(s) columns at values[offset[s]]; what lies above
/// the diagonal means nothing.
struct DenseFactor {
    std::vector<std::size_t> offset;  ///< supernodes + 1
    AlignedArray values;
};

/// Takes one finished supernode after the other (in order); the columns are gone after the call.
using FactorSink = std::function<void(std::size_t supernode, const double* columns)>;

/// Who computes the factor. `automatic` is ours: over OpenBLAS it is the faster one, and holds no second copy of the
/// factor.
enum class FactorEngine { automatic, own, cholmod };
bool has_cholmod();

/// Throws Error{bad_mesh} when `a` is not positive definite to working precision, Error{interrupted} when asked to
/// stop.
void factor_into(const Csr& a, const Symbolic& symbolic, FactorEngine engine, const FactorSink& sink,
                 Progress& progress);
DenseFactor factor_matrix(const Csr& a, const Symbolic& symbolic, FactorEngine engine, Progress& progress);

/// Is a pivot (an entry on L's diagonal) rounding noise beside the matrix entry it came from? Then the matrix is
/// singular to working precision.
bool pivot_is_noise(double pivot, double entry);

/// Throws Error{bad_mesh} that names the first entry which is not finite, if there is one.
void require_finite(const Csr& a);

// One engine each; they return the first bad column (permuted) or -1.
std::int64_t factor_own(const Csr& a, const Symbolic& symbolic, const FactorSink& sink, Progress& progress);
std::int64_t factor_cholmod(const Csr& a, const Symbolic& symbolic, const FactorSink& sink, Progress& progress);

/// position[caller's number] = permuted number
std::vector<std::int32_t> inverse_permutation(const std::vector<std::int32_t>& permutation);
[[noreturn]] void throw_interrupted();

}  // namespace limber
