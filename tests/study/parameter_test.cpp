#include "study/parameter.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

constexpr const char* kScene = R"({"format": 1, "name": "p", "bodies": [{
  "mesh": {"shape": "box", "kind": "hex8", "counts": [2, 1, 1]},
  "materials": [{"young": 1000, "poisson": 0.3, "density": 1000}], "anchors": [{"set": "left"}]}],
  "method": {"name": "linear_fem"}, "step": "1/30", "duration": 1})";

Parameter parse(const std::string& words) { return parse_parameter(tree_of({"p.json", "", kScene, {}}), words); }

std::string refusal(const std::string& words) {
    try {
        parse(words);
    } catch (const Error& error) {
        EXPECT_EQ(error.fault(), Fault::bad_usage) << words;
        return error.what();
    }
    return "";
}

TEST(Parameter, ALinearRangeHasBothEndsExactlyAndEvenSteps) {
    const Parameter p = parse("material.poisson_ratio=0.3:0.499:8");
    ASSERT_EQ(p.numbers.size(), 8u);
    EXPECT_EQ(p.target.pointer, "/bodies/0/materials/0/poisson");
    EXPECT_EQ(p.numbers.front(), 0.3);
    EXPECT_EQ(p.numbers.back(), 0.499);
    for (std::size_t i = 1; i < 8; ++i) EXPECT_NEAR(p.numbers[i] - p.numbers[i - 1], 0.199 / 7, 1e-15);
    // What is written into the scene must read back to the very number that is in the table.
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(std::stod(p.values[i]), p.numbers[i]);
    EXPECT_FALSE(p.log);
}

TEST(Parameter, ALogarithmicRangeHasEqualRatios) {
    const Parameter p = parse("E=1e3:1e6:4:log");
    ASSERT_EQ(p.numbers.size(), 4u);
    EXPECT_TRUE(p.log);
    EXPECT_EQ(p.numbers.back(), 1e6);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_NEAR(p.numbers[i] / p.numbers[i - 1], 10.0, 1e-12);
    EXPECT_NEAR(parse("mesh.low.x=-8:-1:4:log").numbers[1], -4.0, 1e-14);
}

TEST(Parameter, WholeNumbersAreRoundedAndTakenOnce) {
    // 4, 5.04, 6.35, 8 and so on: without rounding every point but the ends would be a failure.
    EXPECT_EQ(parse("mesh.counts.0=4:64:5:log").numbers, (std::vector<double>{4, 8, 16, 32, 64}));
    EXPECT_EQ(parse("mesh.counts.0=1:3:5").numbers, (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(parse("mesh.counts.0=1:3:5").values[1], "2");
}

TEST(Parameter, ListsKeepVectorsWholeAndReadFractions) {
    EXPECT_EQ(parse("gravity=[0,-9.81,0],[0,0,0]").values, (std::vector<std::string>{"[0,-9.81,0]", "[0,0,0]"}));
    const Parameter p = parse("step=1/30,1/60,0.01");
    EXPECT_EQ(p.values, (std::vector<std::string>{"1/30", "1/60", "0.01"}));
    EXPECT_EQ(p.numbers, (std::vector<double>{1.0 / 30.0, 1.0 / 60.0, 0.01}));
    EXPECT_TRUE(p.is_numeric());
    EXPECT_EQ(parse("material.nu=1/4:1/3:2").numbers.back(), 1.0 / 3.0);
    EXPECT_FALSE(parse("scheme=bdf2,backward_euler").is_numeric());
    EXPECT_EQ(parse("duration=2").values.size(), 1u);
    EXPECT_EQ(parse("about=a:b:c").values, std::vector<std::string>{"a:b:c"});  // words with colons are words
}

TEST(Parameter, AllOfAChoiceIsEveryChoice) {
    EXPECT_EQ(parse("scheme=all").values.size(), 7u);
    EXPECT_EQ(parse("method=all").values.front(), "linear_fem");
    EXPECT_EQ(parse("output.vtu=all").values, (std::vector<std::string>{"false", "true"}));
    EXPECT_NE(refusal("step=all").find("no choice"), std::string::npos);
}

TEST(Parameter, WhatMakesNoSenseIsRefusedInOneLine) {
    for (const char* words : {"step",       "step=",        "step=1:2",       "step=1:2:3:4:5",    "step=1:2:x",
                              "step=1:2:1", "step=1:2:1e9", "step=1:2:3:lgo", "step=1:1:3",        "step=1:x:3",
                              "step=x:1:3", "E=1e400:5:3",  "E=-1:5:3:log",   "E=0:5:3:log",       "step=1,,2",
                              "step=1,1",   "step=1,abc",   "E=1e400",        "mesh.counts.0=two", "materail.E=1:2:3",
                              "=1"}) {
        const std::string message = refusal(words);
        EXPECT_NE(message, "") << words;
        EXPECT_EQ(message.find('\n'), std::string::npos) << words;
        EXPECT_NE(message.find(words), std::string::npos) << message;  // the place is the assignment itself
    }
    EXPECT_NE(refusal("materail.E=1:2:3").find("material"), std::string::npos);
}

TEST(Parameter, CommandsCanBePastedIntoAShell) {
    EXPECT_EQ(shell_word("material.nu=0.3:0.4:3"), "material.nu=0.3:0.4:3");
    EXPECT_EQ(shell_word("gravity=[0, 1, 0]"), "'gravity=[0, 1, 0]'");
    EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
    EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace limber
