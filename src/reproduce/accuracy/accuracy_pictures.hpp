// What the accuracy page shows: the paper's rod by four of its schemes, and its block under the needle.
#pragma once

#include "reproduce/accuracy/accuracy.hpp"
#include "study/run_pictures.hpp"

#include <vector>

namespace limber {

/// Short runs of their own. Throws Error{interrupted}.
std::vector<RunPicture> accuracy_pictures(const AccuracySettings& settings, Progress& progress);

}  // namespace limber
