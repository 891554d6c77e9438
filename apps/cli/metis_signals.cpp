// METIS takes SIGTERM and SIGABRT for itself while it works, to leave its own code by longjmp when it runs out of
// memory. A SIGTERM from outside is then lost; if another thread receives it, the program crashes. Both functions below
// stand before those of the same name in libmetis: they let METIS have what it wants and put our SIGTERM back at once.
#ifdef LIMBER_METIS_IS_SHARED

#include <csignal>

#include <dlfcn.h>

namespace {

/// `name` of libmetis, with SIGTERM as it was before the call. METIS runs on one thread at a time
/// (linalg/metis_lock.hpp).
int call_with_our_sigterm(const char* name) {
    using SignalCall = int (*)();
    struct sigaction ours {};
    sigaction(SIGTERM, nullptr, &ours);
    const auto in_metis = reinterpret_cast<SignalCall>(::dlsym(RTLD_NEXT, name));
    const int result = in_metis != nullptr ? in_metis() : 0;
    sigaction(SIGTERM, &ours, nullptr);
    return result;
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) int gk_sigtrap() { return call_with_our_sigterm("gk_sigtrap"); }
__attribute__((visibility("default"))) int gk_siguntrap() { return call_with_our_sigterm("gk_siguntrap"); }
}

#endif
