// Ctrl-C: the first asks the work to end, the second ends the program at once. Neither leaves temporary files behind.
#pragma once

namespace limber {

/// From now on SIGINT, SIGTERM and SIGHUP end the program as they would anyway, but temporary files go first. Call it
/// early in main.
void clean_up_on_signals();
/// From now on the first signal only sets a flag, for work that looks at it.
void catch_interrupts();
/// True after the first signal that was caught.
bool interrupt_requested();

}  // namespace limber
