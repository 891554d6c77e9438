#include "core/memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace limber {
namespace {

/// Of a file with lines such as "MemAvailable:   24016912 kB"; 0 where there is no such line.
std::uint64_t value_in(const char* path, const char* wanted) {
    std::ifstream in(path);
    std::string name;
    for (std::uint64_t value = 0; in >> name >> value; in.ignore(64, '\n'))
        if (name == wanted) return value;
    return 0;
}

std::uint64_t free_of_machine() { return 1024 * value_in("/proc/meminfo", "MemAvailable:"); }

/// The first number of a file; false where it has none ("max", or no such file).
bool number_in(const char* path, std::uint64_t& out) { return static_cast<bool>(std::ifstream(path) >> out); }

/// Of a container's limit, in which files that were read count only until the room is needed; 0 where there is none.
std::uint64_t free_of_container() {
    std::uint64_t most = 0;
    if (!number_in("/sys/fs/cgroup/memory.max", most)) return 0;
    const std::uint64_t used = value_in("/sys/fs/cgroup/memory.stat", "anon");
    return most > used ? most - used : 1;
}

/// Of the address space that `ulimit -v` allows; 0 where there is no limit.
std::uint64_t free_of_process() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
    std::uint64_t pages = 0;
    number_in("/proc/self/statm", pages);
    const std::uint64_t used = pages * 4096;
    return limit.rlim_cur > used ? limit.rlim_cur - used : 1;
}

}  // namespace

std::uint64_t available_memory() {
    std::uint64_t least = 0;
    for (const std::uint64_t free : {free_of_machine(), free_of_container(), free_of_process()})
        if (free > 0) least = least == 0 ? free : std::min(least, free);
    return least;
}

}  // namespace limber
