// The rows of H, G and the body columns in space, four nodes at a time.
#pragma once

#include "bem/space_blocks.hpp"

#include <vector>

namespace limber {

class SpaceRows {
public:
    static constexpr std::size_t kNodes = 4;  ///< lanes of kernels/kelvin.hpp

    /// Writes into `system`, whose matrices have their sizes. A batch is `tasks` times kNodes nodes.
    SpaceRows(BoundarySystem& system, const std::vector<SpacePanel>& panels, double accuracy, std::size_t tasks);

    /// Integrates the rows of the nodes from `begin` to `end`, at most a batch, over thread_count() threads: the same
    /// bits for any number.
    void set(std::size_t begin, std::size_t end) noexcept;

private:
    struct Quad;  // four nodes at work
    void sum_facets(std::size_t task, std::size_t begin, std::size_t end) noexcept;
    void integrate(std::size_t facet, const Quad& quad, KelvinBlocks& blocks) const;
    void write(DenseMatrix& to, std::size_t offset, std::size_t column_stride, std::size_t row_stride,
               std::size_t begin, std::size_t end) const noexcept;

    BoundarySystem& system_;
    const std::vector<SpacePanel>& panels_;
    RuleChoice choice_;
    KelvinFactors factors_;
    std::vector<std::vector<double>> sums_;  ///< per task: columns of H, of G, body, rest
};

}  // namespace limber
