// The obvious baselines are Eigen's: one conversion for all of them.
#pragma once

#include "linalg/sparse.hpp"

#include <Eigen/SparseCore>

namespace limber::bench {

using EigenMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int32_t>;
using EigenRows = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;

/// Symmetric matrices only, so rows may stand for columns.
template <class Matrix>
EigenMatrix to_eigen(const Matrix& a) {
    std::vector<Eigen::Triplet<double, std::int32_t>> entries;
    for (std::size_t r = 0; r < a.rows(); ++r)
        for (auto e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]); ++e)
            entries.emplace_back(a.columns[e], static_cast<std::int32_t>(r), a.values[e]);
    EigenMatrix out(static_cast<Eigen::Index>(a.rows()), static_cast<Eigen::Index>(a.rows()));
    out.setFromTriplets(entries.begin(), entries.end());
    return out;
}

}  // namespace limber::bench
