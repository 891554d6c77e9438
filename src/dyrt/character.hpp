// A character with DyRT: from a rig and its regions to flesh, oscillators, baked clips and the export, with what each
// step took.
#pragma once

#include <limber/tools/dyrt.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace limber {

struct DyrtCharacterSettings {
    std::vector<Region> regions;
    FleshSettings flesh;
    bool layered = false;  ///< parts may overlap
    bool draft = false;    ///< as few cells as make flesh of each region, whatever `flesh.cells` says
    DyrtSettings dyrt;
    BakeSettings bake;
    DyrtExport file;
    std::vector<std::size_t> clips;  ///< of the rig, to be baked
    bool error = true;               ///< against finite elements, over the shortest of the clips
    /// Nobody said how soft: a part that would move by more than kNaturalReach of its size in the rig's own clips, or
    /// change its skin by more than kNaturalSkinChange, is made stiffer until it does not.
    bool natural = false;
};

/// Of the diagonal of a part's box. Beyond kLinearReach linear shapes look swollen, beyond kHardReach nothing is left
/// of them.
inline constexpr double kNaturalReach = 0.12, kLinearReach = 0.15, kHardReach = 0.5;

/// How much edges of the skin change (SkinEdges::largest_change). Beyond kFoldedSkinChange the skin lies over itself.
inline constexpr double kNaturalSkinChange = 0.7, kFoldedSkinChange = 1.0;

/// The slowest first mode of a part whose stiffness nobody named [Hz]: slower ones creep.
inline constexpr double kNaturalFrequency = 1.5;

struct DyrtCharacter {
    std::shared_ptr<const Rig> rig;
    std::vector<DyrtPart> parts;
    std::vector<std::vector<DyrtTrack>> tracks;  ///< per clip of the rig; empty where it is not baked
    std::vector<DyrtError> errors;               ///< per part; empty without
    std::optional<std::size_t> compared;         ///< the clip of the errors
    DyrtExported exported;
    std::vector<std::pair<std::string, double>> took;  ///< CPU time of each step [s]
    std::vector<std::string> notes;                    ///< what was chosen for lack of a word, one line each
};

/// Throws what make_flesh, make_dyrt, bake_clip, error_of and dyrt_rig throw.
DyrtCharacter make_dyrt_character(std::shared_ptr<const Rig> rig, const DyrtCharacterSettings& settings,
                                  Progress& progress);

}  // namespace limber
