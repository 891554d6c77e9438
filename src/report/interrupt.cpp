#include "report/interrupt.hpp"

#include <csignal>

namespace limber {
namespace {

volatile std::sig_atomic_t g_asked = 0;

// Only what POSIX allows inside a handler: a flag, signal and raise.
void on_signal(int number) {
    if (g_asked) {
        std::signal(number, SIG_DFL);
        std::raise(number);
        return;
    }
    g_asked = 1;
}

}  // namespace

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;       // a write in flight is finished, not cut
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool interrupt_requested() { return g_asked != 0; }

}  // namespace limber
