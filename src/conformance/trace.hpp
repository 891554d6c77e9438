// A run written down bit by bit, to be compared with another run.
#pragma once

#include "conformance/test_bench.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace limber::conformance {

struct Trace {
    std::vector<std::uint64_t> fingerprint;       ///< per step: state, readouts and report
    std::vector<std::vector<Vec3>> displacement;  ///< per step
};

/// Drives the bench through steps [first, last). `between` is called after every step.
Trace run(TestBench& bench, const Traits& traits, int first, int last,
          const std::function<void(TestBench&)>& between = {});

/// "" when all bits agree; otherwise the first step that differs and by how much.
std::string mismatch(const Trace& a, const Trace& b);

/// Every byte of a state, so that NaN equals itself and -0 does not equal 0.
std::uint64_t fingerprint(const State& state);

/// Fills scratch memory with NaN and nonsense.
void scribble(Workspace& scratch);

}  // namespace limber::conformance
