// Frames at an even rate, for formats that have nothing else.
#pragma once

#include <limber/error.hpp>
#include <limber/recording.hpp>

#include <vector>

namespace limber {

struct Resampled {
    std::vector<std::vector<Vec3>> displacements;   ///< per sample and vertex [m]
    std::vector<double> times;                      ///< [s]
    double frame_rate = 0.0;                        ///< per second; 0 = the frames are not even
    std::size_t blended = 0;                        ///< samples between two frames
};

/// `rate` 0 keeps every frame. Throws Error{unsupported} when frames are not evenly spaced and a rate is asked for (or `even` is).
Resampled resample(const Recording& recording, double rate, bool even, const InputLocation& place);

}  // namespace limber
