#include <limber/options.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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
