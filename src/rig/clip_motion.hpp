// Which bones a clip moves, and how fast.
#pragma once

#include <limber/tools/rig.hpp>

#include <string>
#include <vector>

namespace limber {

struct JointMotion {
    /// At most, of the middle of the skin that follows the joint; of the joint where none does [m/s].
    double speed = 0.0;
    double spin = 0.0;   ///< at most, in the world [rad/s]
    bool moves = false;  ///< by more than rounding
};
/// One per joint, looked at some hundred times over the clip and at least twice between keys.
std::vector<JointMotion> clip_motion(const Rig& rig, std::size_t clip);

/// "yes", "yes, with a jolt: ...", "no: it ends with 'head' elsewhere".
std::string loop_words(const ClipLoop& loop);

}  // namespace limber
