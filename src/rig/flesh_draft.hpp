// Flesh for a first look: every region as few cells thick as still makes flesh of it, each with a size of its own.
#pragma once

#include "rig/flesh_region.hpp"

#include <span>
#include <vector>

namespace limber {

/// As make_flesh and layered_flesh; with `draft` the cells follow from each region's thickness, unless
/// settings.cell_size is given.
std::vector<FleshPart> make_flesh(const Rig& rig, std::span<const Region> regions, const FleshSettings& settings,
                                  Progress& progress, bool draft);
std::vector<FleshPart> layered_flesh(const Rig& rig, std::span<const Region> regions, const FleshSettings& settings,
                                     Progress& progress, bool draft);

inline constexpr double kDraftAcross = 3.1;  ///< cells where a region is thick; three are the least that becomes flesh

/// A draft that would need more is made with these, and may be refused as too thin.
inline constexpr double kMostDraftCells = 15'000;

/// The first try: from the region's thickness, seen from the skin [m].
double draft_size(const FleshGround& ground, std::size_t region);
/// How thick flesh and bones of a region are below its skin [m]: a quarter of it is thicker. 0 where nothing is flesh.
double region_thickness(const FleshCells& cells);

}  // namespace limber
