// Curves of weights joined: a character's own targets beside those of its flesh, which have keys at other times.
#pragma once

#include <limber/tools/rig.hpp>

#include <functional>
#include <span>
#include <vector>

namespace limber {

/// Weights of flesh: straight lines between frames.
struct FleshWeights {
    std::vector<double> times;  ///< of frames, ascending [s]; empty = always 0
    std::size_t width = 0;
    std::function<void(std::size_t frame, std::span<double> out)> at_frame;
};

/// A curve of weights: `own` first, then `flesh`. Key times differ as 32-bit floats, as glTF wants them. The own
/// targets play as before: a cubic curve stays one (the flesh's straight lines are cubics, too), a stepping one becomes
/// a linear one that jumps within the last bit of time. `own` may be null: then they rest at `rest`.
Channel joined_weights(const Channel* own, std::span<const double> rest, const FleshWeights& flesh);

}  // namespace limber
