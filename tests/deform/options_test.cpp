#include "deform/option_specs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace limber {
namespace {

OptionTable table() {
    return {{"step", OptionType::real, "s", 1.0 / 30, 1e-6, 1.0, {}, false, "Length of a step."},
            {"iterations", OptionType::integer, "", 100.0, 1, 1000, {}, false, "Most iterations."},
            {"warm", OptionType::flag, "", true, 0, 0, {}, false, "Start from the last answer."},
            {"scheme",
             OptionType::choice,
             "",
             std::string("implicit"),
             0,
             0,
             {"implicit", "explicit"},
             false,
             "How time goes on."}};
}

std::string refusal(const OptionValues& given) {
    try {
        const Options options(table(), given, {"scene.json", 0, "/bodies/0/options"});
        return {};
    } catch (const Error& e) {
        EXPECT_EQ(e.fault(), Fault::bad_option);
        return e.what();
    }
}

TEST(Options, DefaultsFillWhatIsNotGiven) {
    const Options o(table(), {{"iterations", 7.0}});
    EXPECT_EQ(o.real("step"), 1.0 / 30);
    EXPECT_EQ(o.integer("iterations"), 7);
    EXPECT_TRUE(o.flag("warm"));
    EXPECT_EQ(o.choice("scheme"), "implicit");
    EXPECT_EQ(o.all().size(), 4u);
}

TEST(Options, BothEndsOfARangeAreInside) {
    EXPECT_EQ(refusal({{"step", 1e-6}}), "");
    EXPECT_EQ(refusal({{"step", 1.0}}), "");
    EXPECT_EQ(refusal({{"iterations", 1000.0}}), "");
}

TEST(Options, EveryRefusalNamesOptionFoundAndExpected) {
    struct Case {
        OptionValues given;
        std::vector<std::string> words;
    };
    const std::vector<Case> cases{
        {{{"step", 2.0}}, {"'step' is 2", "from 1e-06 to 1 s"}},
        {{{"step", 0.0}}, {"'step' is 0"}},
        {{{"step", std::nan("")}}, {"'step' is nan"}},
        {{{"step", std::numeric_limits<double>::infinity()}}, {"'step' is inf"}},
        {{{"step", true}}, {"'step' is true", "a number"}},
        {{{"step", std::string("fast")}}, {"'step' is 'fast'", "a number"}},
        {{{"iterations", 1.5}}, {"'iterations' is 1.5", "a whole number from 1 to 1000"}},
        {{{"warm", 1.0}}, {"'warm' is 1", "true or false"}},
        {{{"scheme", 3.0}}, {"'scheme' is 3", "one of 'implicit', 'explicit'"}},
        {{{"scheme", std::string("explict")}}, {"'scheme' is 'explict'", "did you mean 'explicit'?"}},
        {{{"setp", 1.0}}, {"no option 'setp'", "'step', 'iterations'", "did you mean 'step'?"}},
    };
    for (const Case& c : cases) {
        const std::string message = refusal(c.given);
        EXPECT_EQ(message.rfind("scene.json#/bodies/0/options: ", 0), 0u) << message;
        for (const std::string& word : c.words)
            EXPECT_NE(message.find(word), std::string::npos) << message << "\nlacks: " << word;
    }
}

constexpr std::int64_t kBeyondInt = std::int64_t{1} << 31, kBeyondDouble = (std::int64_t{1} << 53) + 1;

/// Integer and real options whose ranges go beyond what an int holds.
OptionTable wide_table() {
    return {{"count", OptionType::integer, "", 0.0, -1e10, 1e10, {}, false, "How many."},
            {"weight", OptionType::real, "kg", 0.0, -1e30, 1e30, {}, false, "How heavy."}};
}

std::string wide_refusal(const OptionValues& given) {
    try {
        const Options options(wide_table(), given, {"scene.json", 0, "/options"});
        return {};
    } catch (const Error& e) {
        return e.what();
    }
}

TEST(Options, IntegersAreNumbers) {
    const Options o(table(), {{"iterations", 7}, {"step", 1}});
    EXPECT_EQ(o.integer("iterations"), 7);
    EXPECT_EQ(o.real("step"), 1.0);  // an integer for a real option becomes that real
    EXPECT_EQ(Options(table(), {{"iterations", std::int64_t{9}}}).integer("iterations"), 9);
    EXPECT_EQ(Options(table(), {{"iterations", 9LL}}).integer("iterations"), 9);
    EXPECT_EQ(Options(table(), {{"iterations", 9U}}).integer("iterations"), 9);
    EXPECT_EQ(Options(table(), {{"iterations", 9.0}}).integer("iterations"), 9);
    EXPECT_EQ(OptionValue(4), OptionValue(4.0));
    EXPECT_EQ(OptionValue(-4L), OptionValue(-4.0));
    EXPECT_EQ(Options(table(), {{"iterations", 4}}).all(), Options(table(), {{"iterations", 4.0}}).all());
    EXPECT_EQ(Options(wide_table(), {{"count", 0}}).integer("count"), 0);  // a literal 0 is no pointer
}

TEST(Options, IntegersOutOfRangeAreRefusedAsTheyWereGiven) {
    EXPECT_EQ(refusal({{"iterations", 0}}),
              "scene.json#/bodies/0/options: option 'iterations' is 0; expected a whole number from 1 to 1000");
    EXPECT_NE(refusal({{"iterations", kBeyondInt}}).find("is 2147483648; expected a whole number from 1 to 1000"),
              std::string::npos);
    EXPECT_NE(refusal({{"step", 2}}).find("'step' is 2; expected a number from"), std::string::npos);
    EXPECT_NE(refusal({{"warm", 1}}).find("'warm' is 1; expected true or false"), std::string::npos);
    EXPECT_NE(refusal({{"scheme", 3}}).find("'scheme' is 3; expected one of"), std::string::npos);
}

TEST(Options, IntegersThatNoIntHoldsAreRefusedEvenWhereTheTableTakesThem) {
    // integer() would cut them off without a word.
    EXPECT_EQ(wide_refusal({{"count", kBeyondInt - 1}}), "");
    for (const std::int64_t n : {kBeyondInt, -kBeyondInt, kBeyondDouble, std::numeric_limits<std::int64_t>::max(),
                                 std::numeric_limits<std::int64_t>::min()}) {
        const std::string said = wide_refusal({{"count", n}});
        EXPECT_NE(said.find("expected a whole number from -2147483647 to 2147483647"), std::string::npos) << said;
    }
    EXPECT_NE(wide_refusal({{"count", 3e9}}).find("expected a whole number from"), std::string::npos);
}

TEST(Options, AnIntegerThatADoubleWouldRoundIsRefused) {
    EXPECT_EQ(wide_refusal({{"weight", kBeyondDouble - 1}}), "");
    EXPECT_EQ(wide_refusal({{"weight", std::numeric_limits<std::int64_t>::min()}}), "");  // -2^63 is exact
    EXPECT_NE(wide_refusal({{"weight", kBeyondDouble}})
                  .find("'weight' is 9007199254740993; expected a number from -1e+30 to 1e+30 kg, one that a double "
                        "holds exactly"),
              std::string::npos)
        << wide_refusal({{"weight", kBeyondDouble}});
    const OptionValue most(std::numeric_limits<std::int64_t>::max());
    ASSERT_NE(most.inexact(), nullptr);
    EXPECT_EQ(*most.inexact(), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(most.number(), nullptr);
}

TEST(Options, BoolsAreNoIntegersAndWhatCouldLoseSomethingDoesNotCompile) {
    EXPECT_NE(refusal({{"iterations", true}}).find("'iterations' is true; expected a whole number"), std::string::npos);
    EXPECT_NE(OptionValue(true), OptionValue(1));
    EXPECT_NE(OptionValue(true).flag(), nullptr);
    EXPECT_NE(OptionValue("word").word(), nullptr);  // and no flag, as other pointers would be
    static_assert(!std::is_constructible_v<OptionValue, std::uint64_t>);
    static_assert(!std::is_constructible_v<OptionValue, long double>);
    static_assert(!std::is_constructible_v<OptionValue, char>);
    static_assert(!std::is_constructible_v<OptionValue, const int*>);
    static_assert(!std::is_constructible_v<OptionValue, std::nullptr_t>);
}

std::vector<std::uint8_t> saved(const OptionValues& options) {
    ByteWriter out;
    save_options(out, options);
    return out.bytes();
}

TEST(Options, IntegersAndRealsAreTheSameBytes) {
    EXPECT_EQ(saved({{"modes", 4}, {"on", true}, {"word", "x"}}),
              saved({{"modes", 4.0}, {"on", true}, {"word", std::string("x")}}));
    // Deformers that were saved before integers could be given hold these bytes.
    const std::vector<std::uint8_t> old{1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 'n', 0, 0, 0, 0, 0, 0, 0, 0x10, 0x40};
    EXPECT_EQ(saved({{"n", 4}}), old);
    ByteReader in(old);
    EXPECT_EQ(load_options(in), (OptionValues{{"n", 4}}));
}

TEST(Options, AMethodWithoutOptionsSaysSo) {
    try {
        const Options options(OptionTable{}, {{"x", 1.0}});
        FAIL();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("no options at all"), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace limber
