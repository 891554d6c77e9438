// What filling a surface with many cells takes, before it is begun.
#pragma once

#include <string>

namespace limber {

/// Of make_solid() on one thread; within a factor of two from 1e5 to 2e7 cells (docs/solid.md).
struct SolidCost {
    double bytes = 0.0, seconds = 0.0;
};
SolidCost solid_cost(double cells);

/// "1e+07 cells: about 1.5 GB of memory and 90 s"; "" below a million.
std::string solid_cost_words(double cells);

/// Throws Error{unsupported} when that many cells do not fit into the memory that is free now.
void refuse_beyond_memory(double cells);

/// "1.5 GB", "12 MB"
std::string memory_words(double bytes);

}  // namespace limber
