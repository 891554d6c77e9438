// Frames at an even rate, for formats that have nothing else.
#pragma once

#include <limber/error.hpp>
#include <limber/tools/recording.hpp>

#include <vector>

namespace limber {

struct Resampled {
    std::vector<std::vector<Vec3>> displacements;  ///< per sample and vertex [m]
    std::vector<double> times;                     ///< [s]
    double frame_rate = 0.0;                       ///< per second; 0 = the frames are not even
    std::size_t blended = 0;                       ///< samples between two frames
};

/// `rate` 0 keeps every frame. Throws Error{unsupported} when frames are not evenly spaced and a rate is asked for (or
/// `even` is).
Resampled resample(const Recording& recording, double rate, bool even, const InputLocation& place);

/// The two frames that a time lies between: (1 - part) * frames[first] + part * frames[second]. Times outside take the
/// nearest frame.
struct FrameMix {
    std::size_t first = 0, second = 0;
    double part = 0.0;  ///< 0 on a frame (within 1e-9 of the last time)
};
/// The recording has at least one frame.
FrameMix frames_at(const Recording& recording, double time);
/// A vector per vertex (Frame::displacement, Frame::velocity), blended.
std::vector<Vec3> blended(const Recording& recording, const FrameMix& mix,
                          std::vector<Vec3> Frame::*field = &Frame::displacement);

}  // namespace limber
