// Which joints the held vertices of a flesh part follow.
#pragma once

#include "rig/flesh_region.hpp"

namespace limber {

struct HeldWeights {
    SkinBinding binding;
    std::vector<Influences> influences;  ///< one per held vertex, into `binding`
    std::int32_t reference = 0;          ///< the joint that most of the flesh follows, into Rig::joints
};

/// On a bone: its joint alone. Elsewhere: the skin's weights and the bones', carried inward by Laplace's equation, so
/// that neighbours follow nearly the same joints. `origin`: the cells' vertex of each of the part's; `bone`: of each of
/// the part's vertices, or -1.
HeldWeights weigh_held(const FleshGround& ground, const FleshCells& cells, const std::vector<std::int32_t>& origin,
                       const std::vector<std::int32_t>& bone, const IndexSet& held);

}  // namespace limber
