// METIS draws from libc's rand(), one for the whole process: two threads at once would get results that no seed
// repeats.
#pragma once

#include <mutex>

namespace limber {

inline std::mutex& metis_lock() {
    static std::mutex one_at_a_time;
    return one_at_a_time;
}

}  // namespace limber
