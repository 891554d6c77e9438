// Every registered method keeps every promise. A new method is tested here without a line of its own.
#include <limber/conformance.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

struct Case {
    std::string method, check;
    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.method << " " << one.check; }
};

std::vector<Case> cases() {
    std::vector<Case> out;
    for (const Method* method : all_methods())
        for (const ConformanceCheck& check : conformance_checks()) out.push_back({method->name(), check.name});
    return out;
}

class Conformance : public ::testing::TestWithParam<Case> {};

TEST_P(Conformance, Holds) {
    const ConformanceResult result = run_conformance_check(require_method(GetParam().method), GetParam().check);
    std::printf("%s (%.2f s)\n", result.message.c_str(), result.seconds);
    EXPECT_TRUE(result.passed) << result.message;
    if (result.skipped) GTEST_SKIP() << result.message;
}

INSTANTIATE_TEST_SUITE_P(Method, Conformance, ::testing::ValuesIn(cases()),
                         [](const auto& param) { return param.param.method + "_" + param.param.check; });

}  // namespace
}  // namespace limber
