// Which oscillators become morph targets when a client takes only so many.
#pragma once

#include <limber/tools/dyrt.hpp>

namespace limber {

/// What all oscillators of a part do to the skin over all tracks: sums of squares, so that any choice of them is judged
/// in no time.
class TargetContribution {
public:
    /// `still`: per vertex of the part, whether it stays where it is.
    TargetContribution(const DyrtPart& part, std::size_t part_index, std::span<const std::vector<DyrtTrack>> tracks,
                       const std::vector<char>& still);

    /// relative_l2 of the skin's displacement over all tracks without the targets that are not kept, and without what
    /// stays still.
    double lost(const std::vector<char>& kept) const;

private:
    std::size_t m_;
    std::vector<double> product_;    ///< m x m: (displacements of k, of j) times (amplitudes of k, of j)
    double all_ = 0.0, gone_ = 0.0;  ///< sums over everything, and over what stays still
};

/// A mesh of the export: the parts that move it, and how many targets it has room for; at least one for each.
struct TargetLimit {
    std::vector<std::size_t> parts;
    std::size_t most = 0;
};

/// Leaves out, one after the other, what is missed least, until every mesh has room. A part keeps the same ones in all
/// meshes: else they would part.
std::vector<std::vector<char>> choose_targets(std::span<const DyrtPart> parts,
                                              std::span<const TargetContribution> worth,
                                              std::span<const TargetLimit> rooms);

}  // namespace limber
