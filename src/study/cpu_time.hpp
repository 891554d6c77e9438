// The processor's time: what others do on the machine does not count.
#pragma once

#include <ctime>

namespace limber {

inline double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace limber
