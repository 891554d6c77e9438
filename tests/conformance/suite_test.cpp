#include "conformance/truss.hpp"

#include <limber/conformance.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

TEST(Suite, AnOutsideMethodPasses) {
    const testing::Truss truss;
    ConformanceSettings settings;
    settings.large_cells = 4;
    settings.reference = &truss;
    for (const ConformanceResult& r : run_conformance(truss, settings)) {
        EXPECT_TRUE(r.passed) << r.check << ": " << r.message;
        std::printf("%-26s %s %6.3f s  %s\n", r.check.c_str(), r.skipped ? "skip" : (r.passed ? "ok  " : "FAIL"), r.seconds, r.message.c_str());
    }
}

}  // namespace
}  // namespace limber
