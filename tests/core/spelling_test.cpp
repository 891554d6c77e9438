#include "core/spelling.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace limber {
namespace {

const std::vector<std::string> kNames{"scheme", "step", "solver", "tolerance"};

TEST(Spelling, FindsTheNameBehindASlipOfTheFinger) {
    // One of each kind of slip: changed, dropped, added, swapped, another case.
    for (const char* word : {"scheme", "schemo", "schme", "scheeme", "shceme", "SCHEME"})
        EXPECT_EQ(nearest_name(word, kNames), "scheme") << word;
}

TEST(Spelling, StaysSilentWhenNothingIsNear) {
    // A far-fetched suggestion is worse than none.
    for (const char* word : {"", "gravity", "x", "colour"}) EXPECT_EQ(nearest_name(word, kNames), "") << word;
}

TEST(Spelling, DoesNotSpendTimeOnAbsurdWords) {
    // The distance is quadratic in length; a file can hold a name of a million letters.
    EXPECT_EQ(nearest_name(std::string(1000000, 's'), kNames), "");
}

TEST(Spelling, OfEquallyNearNamesTheFirstWins) {
    const std::vector<std::string> names{"left", "lift"};
    EXPECT_EQ(nearest_name("lyft", names), "left");
    EXPECT_EQ(suggestion("lyft", names), "; did you mean 'left'?");
    EXPECT_EQ(suggestion("unrelated", names), "");
}

}  // namespace
}  // namespace limber
