// Which scenes the reference is made of, and what its levels say about its own error.
#pragma once

#include "study/compare.hpp"

namespace limber {

struct ReferencePlan {
    std::vector<Scene> levels;  ///< coarse to fine; empty for a file
    std::string words;          ///< what is run and why
};
/// Throws Error for options that the method does not have.
ReferencePlan plan_reference(const CompareSettings& settings);

/// The reference's floors from the scores of each level against the next finer one, and of the coarsest against the
/// finest. Both may be empty: then nothing is known.
std::vector<Floor> estimate_floors(const std::vector<std::vector<Score>>& steps_up, const std::vector<Score>& coarse,
                                   const std::vector<MetricSpec>& metrics);

/// Observed order of three levels, each twice as fine as the one before; NaN where a distance is 0 or missing.
double observed_order(double coarse_distance, double fine_distance);
/// An order between these is believed.
inline constexpr double kLeastOrder = 0.5, kMostOrder = 3.5;

}  // namespace limber
