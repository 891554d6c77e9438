// Point caches: positions of numbered points, frame by frame, in 32-bit floats. PC2 (little-endian, frames) and MDD
// (big-endian, seconds).
#pragma once

#include <limber/vec3.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace limber {

struct PointCache {
    std::size_t points = 0;                 ///< in every frame
    std::vector<std::vector<Vec3>> frames;  ///< in the file's unit and axes
    std::vector<double> times;              ///< MDD, one per frame [s], of 32-bit precision; empty in PC2
    double start = 0.0;                     ///< PC2: number of the first frame
    double spacing = 1.0;                   ///< PC2: frames from one sample to the next
};

/// Throw Error{bad_file} that names the byte, or the frame and point: cut off, counts that do not fit the file, values
/// that are not finite.
PointCache parse_pc2(std::string_view bytes, const std::string& name);
PointCache parse_mdd(std::string_view bytes, const std::string& name);

/// Throw Error{unsupported} for what the format cannot hold: numbers beyond 32-bit floats, more than 2^31 - 1 points or
/// frames.
std::string format_pc2(const PointCache& cache, const std::string& path);
std::string format_mdd(const PointCache& cache, const std::string& path);

}  // namespace limber
