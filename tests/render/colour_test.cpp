#include "render/colour.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace limber {

namespace {

/// CIE lightness, 0 to 100.
double lightness(const Colour& colour) {
    const auto c = to_linear(colour);
    const double y = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    return y > 0.008856 ? 116.0 * std::cbrt(y) - 16.0 : 903.3 * y;
}

double step_between(const Colour& a, const Colour& b) {
    return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
}

}  // namespace

TEST(ColourMap, SequentialLightnessRisesEvenlyOverTheWholeMap) {
    // The reason to use it: equal differences of value look equal. Colours out of gamut would be cut and bend the line.
    const double low = lightness(sample(ColourMap::sequential, 0.0)),
                 high = lightness(sample(ColourMap::sequential, 1.0));
    EXPECT_GT(high - low, 70.0);
    for (int k = 0; k <= 100; ++k)
        EXPECT_NEAR(lightness(sample(ColourMap::sequential, k / 100.0)), low + (high - low) * k / 100.0, 2.0) << k;
}

TEST(ColourMap, DivergingIsEvenAboutItsLightMiddle) {
    const double middle = lightness(sample(ColourMap::diverging, 0.5));
    EXPECT_GT(middle, 90.0);
    for (int k = 1; k <= 50; ++k) {
        const Colour below = sample(ColourMap::diverging, 0.5 - k / 100.0),
                     above = sample(ColourMap::diverging, 0.5 + k / 100.0);
        EXPECT_NEAR(lightness(below), lightness(above), 4.0) << k;
        if (k > 5) {
            EXPECT_GT(below.b, below.r);
            EXPECT_GT(above.r, above.b);
        }
    }
}

TEST(ColourMap, NothingJumps) {
    for (const ColourMap map : {ColourMap::sequential, ColourMap::diverging}) {
        for (int k = 0; k < 512; ++k) {
            EXPECT_LT(step_between(sample(map, k / 512.0), sample(map, (k + 1) / 512.0)), 0.012F)
                << to_string(map) << " " << k;
        }
    }
}

TEST(ColourMap, ValuesBeyondTheRangeTakeItsEnds) {
    const ValueRange range{2.0, 4.0, ColourMap::sequential};
    EXPECT_EQ(colour_of(range, 1.0), sample(ColourMap::sequential, 0.0));
    EXPECT_EQ(colour_of(range, 9.0), sample(ColourMap::sequential, 1.0));
    EXPECT_EQ(colour_of(range, 3.0), sample(ColourMap::sequential, 0.5));
    EXPECT_EQ(colour_of(range, std::nan("")), kNoValue);
    EXPECT_EQ(colour_of({1.0, 1.0, ColourMap::sequential}, 1.0), sample(ColourMap::sequential, 0.5))
        << "a range without extent";
    EXPECT_EQ(colour_of({0.0, 1.0, ColourMap::categorical}, 12.0), category(2));
}

TEST(Colour, LinearAndBack) {
    for (int k = 0; k <= 255; ++k) {
        const auto v = static_cast<float>(k) / 255.0F;
        EXPECT_NEAR(from_linear(to_linear({v, v, v, 1.0F})).g, v, 1e-6F);
    }
    EXPECT_NEAR(to_linear(rgb(0x808080))[0], 0.2159, 1e-4);
}

}  // namespace limber
