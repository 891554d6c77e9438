// Ctrl-C: the first asks the work to end, the second ends the program at once.
#pragma once

namespace limber {

/// Catches SIGINT and SIGTERM from now on. Call it once, early in main.
void catch_interrupts();
/// True after the first signal.
bool interrupt_requested();

}  // namespace limber
