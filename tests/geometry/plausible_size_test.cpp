#include "geometry/plausible_size.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace limber {
namespace {

std::string names(const SizeWarning& warning) {
    std::string out;
    for (const FittingUnit& u : warning.units) out += std::string(u.name) + " ";
    return out;
}

TEST(PlausibleSize, BelievesWhatPeopleModel) {
    // A bead, a rabbit, a cow of ten units, a bus: also at the very bounds, and along any axis.
    for (const double longest : {0.001, 0.15, 10.4, 20.0}) {
        for (int axis = 0; axis < 3; ++axis) {
            Vec3 size;
            size[axis] = longest;
            EXPECT_FALSE(size_warning(size)) << longest;
        }
    }
}

TEST(PlausibleSize, NamesTheUnitsThatWouldFit) {
    EXPECT_EQ(names(size_warning({296.0, 100.0, 5.0})), "cm mm ");
    EXPECT_EQ(names(size_warning({0.0, 13600.0, 0.0})), "mm ");
    EXPECT_EQ(names(size_warning({1e6, 1.0, 1.0})), "");
    EXPECT_EQ(names(size_warning({0.0009, 0.0, 0.0})), "");
    EXPECT_NEAR(size_warning({296.0, 0.0, 0.0}).units.at(0).longest, 2.96, 1e-12);
    EXPECT_FALSE(size_warning({296.0, 0.0, 0.0}, 0.01));
    EXPECT_EQ(names(size_warning({0.05, 0.0, 0.0}, 0.001)), "m ") << "0.05 mm, which in metres is a rabbit's foot";
}

TEST(PlausibleSize, SaysNothingOfWhatHasNoSize) {
    EXPECT_FALSE(size_warning({}));
    EXPECT_FALSE(size_warning({std::numeric_limits<double>::infinity(), 1.0, 1.0}));
    EXPECT_FALSE(size_warning({std::numeric_limits<double>::quiet_NaN(), 1.0, 1.0}));
}

TEST(PlausibleSize, TellsHowToGiveTheUnit) {
    const SizeWarning duck = size_warning({296.0, 0.0, 0.0});
    EXPECT_EQ(
        duck.words("--unit {}"),
        "the longest side is 296 m: too large for most things; it would be 2.96 m in cm, 0.296 m in mm (--unit cm, or "
        "--unit m if it is meant)");
    EXPECT_EQ(duck.cure("\"unit\": \"{}\""),
              "it would be 2.96 m in cm, 0.296 m in mm (\"unit\": \"cm\", or \"unit\": \"m\" if it is meant)");
    EXPECT_EQ(duck.cure(""), "it would be 2.96 m in cm, 0.296 m in mm");
    EXPECT_EQ(size_warning({1e-4, 0.0, 0.0}).words("--unit {}"),
              "the longest side is 0.0001 m: too small for most things; no usual unit makes it likelier: scale it "
              "(--unit m if "
              "it is meant)");
}

}  // namespace
}  // namespace limber
