// What every evaluation of a hyperelastic body reads: shape gradients at quadrature points, and where each cell's blocks go.
#pragma once

#include "fem/element.hpp"
#include "linalg/sparse.hpp"

#include <limber/body.hpp>

#include <cstdint>
#include <vector>

namespace limber {

struct HyperCells {
    HyperCells(const Body& body);

    int corners, dimension, points;             ///< per cell
    std::size_t count;
    BlockCsr pattern;                           ///< without values
    std::vector<double> gradients;              ///< cells x points x corners x dimension [1/m]
    std::vector<double> weights;                ///< cells x points [m^3]
    std::vector<double> centre_gradients;       ///< cells x corners x dimension, for stress; empty where the one point is the centre
    std::vector<double> viscosity_share;        ///< cells: beta over the body's largest (1 where there is none)
    std::vector<std::int32_t> entries;          ///< cells x corners x corners: blocks of the pattern

    /// Cells whose corners all lie in the same part of the body (a slab across its longest side), one part after the other, and those on
    /// the borders. Parts are summed side by side and the borders after them, so sums run in the same order for any number of threads.
    std::vector<std::vector<std::int32_t>> parts;
    std::vector<std::int32_t> border;

    const double* gradients_of(std::size_t cell) const {
        return gradients.data() + cell * static_cast<std::size_t>(points * corners * dimension);
    }
    std::size_t bytes() const;
};

}  // namespace limber
