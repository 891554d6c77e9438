// A bar that droops, and one that is turned by half a turn: what linear strain, warping and true large strain make of
// its volume.
#pragma once

#include "reproduce/clustered/reproduce_clustered.hpp"

namespace limber {

/// For each motion the truth (neo_hookean) comes last. Throws Error{interrupted}.
std::vector<WarpingRow> study_warping(bool quick, Progress& progress);
void add_warping_claims(const std::vector<WarpingRow>& rows, std::vector<Claim>& claims);
/// Of the deformed cells, over that at rest.
double volume_ratio(const Recording& recording, std::size_t frame);

}  // namespace limber
