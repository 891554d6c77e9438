#include "linalg/factor.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

double diagonal_entry(const Csr& a, std::size_t row) {
    for (std::size_t e = static_cast<std::size_t>(a.starts[row]); e < static_cast<std::size_t>(a.starts[row + 1]); ++e)
        if (static_cast<std::size_t>(a.columns[e]) == row) return a.values[e];
    return 0.0;
}

// The first column of a finished supernode whose pivot is noise, or -1.
std::int64_t bad_pivot(const Csr& a, const Symbolic& s, std::size_t k, const double* columns) {
    const std::size_t height = s.width(k) + s.rows_below(k);
    for (std::size_t j = 0; j < s.width(k); ++j) {
        const std::size_t column = static_cast<std::size_t>(s.first[k]) + j;
        const double pivot = columns[j * (height + 1)];
        if (pivot_is_noise(pivot, diagonal_entry(a, static_cast<std::size_t>(s.permutation[column]))))
            return static_cast<std::int64_t>(column);
    }
    return -1;
}

[[noreturn]] void refuse(const Symbolic& s, std::int64_t column) {
    throw Error(
        Fault::bad_mesh, {},
        text("the matrix is not positive definite: beside rounding nothing resists motion of unknown ",
             s.permutation[static_cast<std::size_t>(column)], " once the others are eliminated"),
        "every part of the body held, no cells that are extremely flat beside others, nu not that close to 0.5");
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
    for (std::size_t k = 0; k < permutation.size(); ++k)
        position[static_cast<std::size_t>(permutation[k])] = static_cast<std::int32_t>(k);
    return position;
}

void throw_interrupted() { throw Error(Fault::interrupted, {}, "interrupted while factoring"); }

bool pivot_is_noise(double pivot, double entry) {
    constexpr double kNoise = 1e-13;  // share of the entry
    return !(pivot * pivot > kNoise * entry) || !std::isfinite(pivot);
}

void require_finite(const Csr& a) {
    for (std::size_t r = 0; r < a.rows(); ++r) {
        for (std::size_t e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]);
             ++e) {
            if (!std::isfinite(a.values[e])) {
                throw Error(Fault::bad_mesh, {},
                            text("the system's entry (", r, ", ", a.columns[e], ") is ", a.values[e]),
                            "finite numbers");
            }
        }
    }
}

void factor_into(const Csr& a, const Symbolic& symbolic, FactorEngine engine, const FactorSink& sink,
                 Progress& progress) {
    // Our own engine looks at entries and pivots itself, as it comes by.
    if (engine == FactorEngine::cholmod) require_finite(a);
    const FactorSink checked = [&](std::size_t k, const double* columns) {
        if (const std::int64_t bad = bad_pivot(a, symbolic, k, columns); bad >= 0) refuse(symbolic, bad);
        sink(k, columns);
    };
    const std::int64_t bad = engine == FactorEngine::cholmod ? factor_cholmod(a, symbolic, checked, progress)
                                                             : factor_own(a, symbolic, sink, progress);
    if (bad >= 0) refuse(symbolic, bad);
    progress.update(1.0, "factoring");
}

DenseFactor factor_matrix(const Csr& a, const Symbolic& symbolic, FactorEngine engine, Progress& progress) {
    DenseFactor f;
    f.offset.assign(1, 0);
    for (std::size_t s = 0; s < symbolic.supernodes(); ++s)
        f.offset.push_back(f.offset.back() + symbolic.width(s) * (symbolic.width(s) + symbolic.rows_below(s)));
    f.values = AlignedArray(f.offset.back());
    factor_into(
        a, symbolic, engine,
        [&](std::size_t s, const double* columns) {
            std::copy_n(columns, f.offset[s + 1] - f.offset[s], f.values.data() + f.offset[s]);
        },
        progress);
    return f;
}

}  // namespace limber
