// What the strain page shows: how linear strain swells what it turns, amplitude by amplitude.
#pragma once

#include "study/run_pictures.hpp"

#include <vector>

namespace limber {

/// Short runs of linear_fem. Throws Error{interrupted}.
std::vector<RunPicture> strain_pictures(Progress& progress);

}  // namespace limber
