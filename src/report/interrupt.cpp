#include "report/interrupt.hpp"

#include "io/files/temporaries.hpp"

#include <csignal>

namespace limber {
namespace {

volatile std::sig_atomic_t g_asked = 0, g_catching = 0;

// Only what POSIX allows inside a handler: flags, unlink, signal and raise.
void on_signal(int number) {
    if (g_catching && !g_asked) {
        g_asked = 1;
        return;
    }
    remove_doomed_files();
    std::signal(number, SIG_DFL);
    std::raise(number);
}

}  // namespace

void clean_up_on_signals() {
    struct sigaction action {};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;  // a write in flight is finished, not cut
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGXFSZ, SIG_IGN);  // a file larger than the shell allows is a failed write like a full disk
    struct sigaction hang_up {};
    if (sigaction(SIGHUP, nullptr, &hang_up) == 0 && hang_up.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, nullptr);  // nohup stays nohup
}

void catch_interrupts() {
    g_catching = 1;
    clean_up_on_signals();
}

bool interrupt_requested() { return g_asked != 0; }

}  // namespace limber
