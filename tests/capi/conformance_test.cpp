// The conformance suite with nothing but limber.h between it and the method: whatever C loses or changes shows.
#include "capi/through_c.hpp"

#include <limber/conformance.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

class ConformanceThroughC : public ::testing::TestWithParam<std::string> {};

TEST_P(ConformanceThroughC, Holds) {
    const testing::ThroughC method("corotational");
    const ConformanceResult result = run_conformance_check(method, GetParam());
    if (result.skipped) GTEST_SKIP() << result.message;
    EXPECT_TRUE(result.passed) << result.message;
}

std::vector<std::string> checks() {
    std::vector<std::string> names;
    for (const ConformanceCheck& check : conformance_checks()) names.emplace_back(check.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Check, ConformanceThroughC, ::testing::ValuesIn(checks()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace limber
