// How much memory this process may still take.
#pragma once

#include <cstdint>

namespace limber {

/// What the machine (or the container) has left without swapping, and at most what `ulimit -v` leaves [bytes]; 0 = not
/// known.
std::uint64_t available_memory();

}  // namespace limber
