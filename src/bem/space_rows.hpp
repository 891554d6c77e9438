// The rows of H, G and the body columns in space, four nodes at a time.
#pragma once

#include "bem/space_blocks.hpp"

#include <vector>

namespace limber {

class SpaceRows {
public:
    static constexpr std::size_t kNodes = 4;      ///< lanes of kernels/kelvin.hpp

    /// Writes into `system`, whose matrices have their sizes. `tasks`: how many calls may run at once, each with a number of its own.
    SpaceRows(BoundarySystem& system, const std::vector<SpacePanel>& panels, double accuracy, std::size_t tasks);

    /// All rows of the nodes from `begin` to `end`, at most kNodes.
    void set(std::size_t task, std::size_t begin, std::size_t end) noexcept;

private:
    struct Quad;      // four nodes at work
    void integrate(std::size_t facet, const Quad& quad, KelvinBlocks& blocks) const;
    void write(const Quad& quad, const KelvinRows& sums) const;

    BoundarySystem& system_;
    const std::vector<SpacePanel>& panels_;
    RuleChoice choice_;
    KelvinFactors factors_;
    std::vector<std::vector<double>> sums_;       ///< per task: columns of H, of G, body, rest
};

}  // namespace limber
