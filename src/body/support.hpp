// How much of the rigid motion of a mesh's parts its prescribed components stop.
#pragma once

#include <limber/body.hpp>

#include <vector>

namespace limber {

/// One connected part: the vertices of cells that share vertices.
struct PartSupport {
    std::int32_t first_vertex = 0;
    int stopped = 0;  ///< rank of the prescribed components on the rigid modes
    int ways = 6;     ///< six in space, three in the plane
    Support support() const {
        return stopped == 0 ? Support::free : (stopped < ways ? Support::partial : Support::held);
    }
};

/// Parts in order of their first vertex. Vertices that no cell uses belong to no part.
std::vector<PartSupport> part_supports(const BodyDescription& body);

/// Held when every part is held, free when every part is free, partial otherwise.
Support joint_support(const std::vector<PartSupport>& parts);

}  // namespace limber
