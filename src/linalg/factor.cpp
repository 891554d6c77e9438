#include "linalg/factor.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

#include <cmath>

namespace limber {
namespace {

// Below this share of its diagonal entry a pivot is rounding noise: the matrix is singular to working precision.
constexpr double kPivotNoise = 1e-13;

double diagonal_entry(const Csr& a, std::size_t row) {
    for (std::size_t e = static_cast<std::size_t>(a.starts[row]); e < static_cast<std::size_t>(a.starts[row + 1]); ++e)
        if (static_cast<std::size_t>(a.columns[e]) == row) return a.values[e];
    return 0.0;
}

std::int64_t first_bad_pivot(const Csr& a, const Symbolic& s, const DenseFactor& f) {
    for (std::size_t k = 0; k < s.supernodes(); ++k) {
        const std::size_t height = s.width(k) + s.rows_below(k);
        for (std::size_t j = 0; j < s.width(k); ++j) {
            const std::size_t column = static_cast<std::size_t>(s.first[k]) + j;
            const double pivot = f.values.data()[f.offset[k] + j * (height + 1)];
            const double entry = diagonal_entry(a, static_cast<std::size_t>(s.permutation[column]));
            if (!(pivot * pivot > kPivotNoise * entry) || !std::isfinite(pivot)) return static_cast<std::int64_t>(column);
        }
    }
    return -1;
}

void require_finite(const Csr& a) {
    for (std::size_t r = 0; r < a.rows(); ++r)
        for (std::size_t e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]); ++e)
            if (!std::isfinite(a.values[e]))
                throw Error(Fault::bad_mesh, {}, text("the system's entry (", r, ", ", a.columns[e], ") is ", a.values[e]), "finite numbers");
}

}  // namespace

bool has_cholmod() {
#ifdef LIMBER_WITH_CHOLMOD
    return true;
#else
    return false;
#endif
}

std::vector<std::int32_t> inverse_permutation(const std::vector<std::int32_t>& permutation) {
    std::vector<std::int32_t> position(permutation.size());
    for (std::size_t k = 0; k < permutation.size(); ++k) position[static_cast<std::size_t>(permutation[k])] = static_cast<std::int32_t>(k);
    return position;
}

void throw_interrupted() { throw Error(Fault::interrupted, {}, "interrupted while factoring"); }

DenseFactor factor_matrix(const Csr& a, const Symbolic& symbolic, FactorEngine engine, Progress& progress) {
    require_finite(a);
    DenseFactor f;
    f.offset.assign(1, 0);
    for (std::size_t s = 0; s < symbolic.supernodes(); ++s)
        f.offset.push_back(f.offset.back() + symbolic.width(s) * (symbolic.width(s) + symbolic.rows_below(s)));
    f.values = AlignedArray(f.offset.back());
    const bool cholmod = engine == FactorEngine::cholmod || (engine == FactorEngine::automatic && has_cholmod());
    std::int64_t bad = cholmod ? factor_cholmod(a, symbolic, f, progress) : factor_own(a, symbolic, f, progress);
    if (bad < 0) bad = first_bad_pivot(a, symbolic, f);
    if (bad >= 0)
        throw Error(Fault::bad_mesh, {},
                    text("the system is not positive definite: nothing resists motion of unknown ",
                         symbolic.permutation[static_cast<std::size_t>(bad)], " once the others are eliminated"),
                    "a positive definite matrix (is every part of the body held?)");
    return f;
}

}  // namespace limber
