// Which limber this is and what it was built with: the provenance written into every output.
#pragma once

#include <string>

namespace limber {

struct Provenance {
    std::string version;  ///< "0.1.0"
    std::string commit;   ///< git hash, "+" appended when the tree was dirty, or "unknown"
    std::string compiler;
    std::string cpu;
    std::string isa;     ///< the instruction set the kernels chose
    std::string linked;  ///< "OpenBLAS, METIS, zlib 1.2.13, ..."; a GPL part is called so
    int threads = 1;
};
Provenance provenance();

/// Threads used inside steps, at least 1. The result never depends on it.
void set_thread_count(int threads);
int thread_count();

}  // namespace limber
