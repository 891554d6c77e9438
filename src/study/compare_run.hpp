// One run of a comparison, and its measures against the reference.
#pragma once

#include "study/compare.hpp"

namespace limber {

/// Every candidate records at multiples of this [s]: the scene's own interval, thinned where there would be too many
/// frames to keep or to measure.
double choose_interval(const CompareSettings& settings, const std::vector<Scene>& reference_levels);

/// How many steps make one frame. A step that does not divide the interval records every step, and `note` says so.
int every_of(double step, double interval, std::string& note);

struct ComparedRun {
    Recording recording;
    CandidateResult result;  ///< without scores
};
/// Never throws for a candidate's own trouble.
ComparedRun run_candidate(const Candidate& candidate, double interval, const std::shared_ptr<const Body>& body,
                          Progress& progress);
/// Throws Error.
ComparedRun run_reference(const Scene& scene, double interval, Progress& progress);

/// A series from a file (of a run, run_scene judges). A thousand body lengths, or a thousand times the reference's
/// largest motion where that is more, is no deformation any more. Cuts the frames from there on.
void cut_divergence(const Recording& reference, ComparedRun& run);

/// The specs of the named metrics (all when none are named), in order. Throws Error{bad_usage} with a suggestion.
std::vector<MetricSpec> chosen_metrics(const std::vector<std::string>& names);
std::vector<Score> score(const std::vector<MetricSpec>& metrics, const Recording& reference,
                         const Recording& candidate);

}  // namespace limber
