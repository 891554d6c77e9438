// What a frame costs, what changing contact costs against solving everything again, and what the printed body force
// does to a held disc.
#pragma once

#include <limber/progress.hpp>

#include <cstddef>
#include <string>

namespace limber {

struct JellySpeed {
    std::string name;  ///< "disc", "ball"
    std::size_t nodes = 0;
    double median = 0.0, p99 = 0.0;  ///< processor time of a frame of 1/60 s in contact [s]
    std::size_t frames = 0;          ///< so many of them
    double update = 0.0;  ///< of one of 16 contact nodes going out and another coming in, and all displacements [s]
    double again = 0.0;   ///< of factoring and solving the full system instead [s]
};
/// A disc of `around` nodes.
JellySpeed plane_speed(int around, Progress& progress);
/// A ball with so many cells across.
JellySpeed space_speed(int across, Progress& progress);

/// How far gravity moves the top of a disc whose lower half is held, upwards, in rho g R^2 / mu: (10) as printed, and
/// with the term that belongs to (2).
struct HeldDisc {
    double printed = 0.0, corrected = 0.0;
};
HeldDisc held_disc(int around, Progress& progress);

}  // namespace limber
