// The steps of linear blend skinning, for whatever hangs on joints.
#pragma once

#include <limber/tools/rig.hpp>

namespace limber {

/// The matrices and their rates that vertices of one binding choose from.
struct Palette {
    std::vector<Affine> matrix, rate;

    void add(const Pose& pose, std::int32_t joint, const Affine& bind);
};
Palette palette_of(const SkinBinding& binding, const Pose& pose);

struct Blended {
    Affine matrix{{}, {}}, rate{{}, {}};
};
/// The weighted mean.
Blended blend(const Palette& palette, const Influences& influences);

/// How a part's own space goes to the world in a pose, per vertex.
std::vector<Mat3> skin_matrices(const Rig& rig, std::size_t part, const Pose& pose);

}  // namespace limber
