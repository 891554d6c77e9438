// The conformance suite: every promise of a Method, checked before its author writes a test. Works for methods of your
// own: link limber::conformance, hand your method in, read the results. The traits decide what is asked.
#pragma once

#include <limber/method.hpp>

#include <span>
#include <string>
#include <vector>

namespace limber {

struct ConformanceSettings {
    int threads = 2;       ///< compared with one thread
    int large_cells = 12;  ///< along the body of the thread check: long enough to be shared among threads
    bool pairs = true;     ///< try every two choices together, not only each alone
    /// What "agrees at small loads" compares with; nullptr = the registered linear_fem.
    const Method* reference = nullptr;
};

/// One check: its name and the promise it tests.
struct ConformanceCheck {
    const char* name;
    const char* promise;
};
std::span<const ConformanceCheck> conformance_checks();

struct ConformanceResult {
    std::string check;
    bool passed = false;   ///< also true when skipped
    bool skipped = false;  ///< a trait (or the build) excludes it; the message says which
    std::string message;   ///< what was found and what was expected, with numbers
    double seconds = 0.0;  ///< how long it took
};

/// Throws Error{bad_usage} when there is no check of that name; whatever the method itself throws is a failed check.
/// Uses set_thread_count() and counts every allocation of the process: run it alone.
ConformanceResult run_conformance_check(const Method& method, const std::string& check,
                                        const ConformanceSettings& settings = {});

/// All checks, in order.
std::vector<ConformanceResult> run_conformance(const Method& method, const ConformanceSettings& settings = {});

}  // namespace limber
