// What small strain costs a comparison: a card whose truth knows only small strain says how far that truth is from
// large strain.
#pragma once

#include "study/compare_reference.hpp"

namespace limber {

/// The method that is taken for the truth where strains are large; nullptr where it is not there.
const Method* large_strain_method();
/// Any candidate of a method whose answers are not linear in the loads: then a truth of small strain would blame it for
/// being right.
bool any_large_strain(const CompareSettings& settings);

/// `linear` is a run of a small-strain method on the scene's own mesh, `scene` what was run. Fills in the comparison's
/// large_strain: how far neo_hookean is from it, or why that is not known. Throws Error{interrupted}.
void measure_large_strain(const Scene& scene, const Recording& linear, const MetricSpec& metric, Comparison& out,
                          Progress& progress);

}  // namespace limber
