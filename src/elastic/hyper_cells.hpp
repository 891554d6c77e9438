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

    /// Ranges of vertices, each with the cells that touch it, ascending. A range is summed by one thread and owns its rows, so sums run in
    /// the same order for any number of threads; cells on a border are worked out once for each side.
    struct Range {
        std::int32_t first = 0, last = 0;       ///< vertices [first, last)
        std::vector<std::int32_t> cells;
    };
    std::vector<Range> ranges;

    const double* gradients_of(std::size_t cell) const {
        return gradients.data() + cell * static_cast<std::size_t>(points * corners * dimension);
    }
    std::size_t bytes() const;
};

}  // namespace limber
