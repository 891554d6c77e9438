#include "render/sheet.hpp"
#include "expect_error.hpp"
#include "render/canvas.hpp"
#include "render/lettering.hpp"
#include "render/stroke_font.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

const Colour kWhite = rgb(0xFFFFFF), kBlack = rgb(0x000000);

/// Sum of (255 - red) / 255 over the image: how much ink lies on white paper [px^2].
double ink_on(const Image& image) {
    double sum = 0.0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) sum += (255.0 - image.rgba[i]) / 255.0;
    return sum;
}

Image written(std::string_view words, const TextStyle& style, int width = 400, int height = 100) {
    Image image = make_image(width, height, kWhite);
    draw_text(image, 20.0, 60.0, words, style);
    return image;
}

TEST(StrokeFont, HasEveryPrintableLetterOfAsciiAndTheSignsOfUnits) {
    const Letter& box = letter_of(U'\uFFFD');
    for (char32_t c = U'!'; c <= U'~'; ++c) {
        EXPECT_NE(&letter_of(c), &box) << static_cast<unsigned>(c);
        EXPECT_FALSE(letter_of(c).strokes.empty()) << static_cast<unsigned>(c);
    }
    for (const char32_t c : U"µ°±×·−–—…²³¹⁰⁴⁵⁶⁷⁸⁹⁻≤≥≈")
        EXPECT_TRUE(c == 0 || &letter_of(c) != &box) << static_cast<unsigned>(c);
    EXPECT_EQ(&letter_of(U'é'), &letter_of(U'e'));
    EXPECT_EQ(&letter_of(U'\u4E2D'), &box) << "what it lacks is seen to be lacking";
}

TEST(StrokeFont, DigitsAreAllOfOneWidthSoThatRunningNumbersStandStill) {
    for (char32_t c = U'0'; c <= U'9'; ++c) EXPECT_EQ(letter_of(c).advance, letter_of(U'0').advance);
}

TEST(StrokeFont, BrokenUtf8BecomesTheBoxAndNeverReadsBeyondTheEnd) {
    EXPECT_EQ(code_points("aµ"), (std::vector<char32_t>{U'a', U'µ'}));
    EXPECT_EQ(code_points("\xC3"), (std::vector<char32_t>{U'\uFFFD'}));
    EXPECT_EQ(code_points("\xE2\x82"), (std::vector<char32_t>{U'\uFFFD', U'\uFFFD'}));
    EXPECT_EQ(code_points("\xFFz"), (std::vector<char32_t>{U'\uFFFD', U'z'}));
}

// Area of a stroke is length times pen: an I is one straight stroke with round ends, so its ink is known.
TEST(Lettering, TheInkOfAnIIsItsPenTimesItsHeight) {
    for (const double size : {20.0, 50.0}) {
        const double cap = size * kCapOfEm, pen = 0.12 * cap;
        EXPECT_NEAR(ink_on(written("I", {.size = size, .ink = kBlack})), pen * cap + 0.785 * pen * pen,
                    0.03 * pen * cap)
            << size;
    }
}

TEST(Lettering, TextEndsWhereItsWidthSaysInEveryAlignment) {
    const double width = letters_width("HHH", 30.0);
    Image image = make_image(400, 100, kWhite);
    draw_text(image, 390.0, 60.0, "HHH", {.size = 30.0, .ink = kBlack, .align = TextAlign::right});
    EXPECT_EQ(ink_on(cut_out(image, 0, 0, static_cast<int>(390.0 - width), 100)), 0.0);
    EXPECT_EQ(ink_on(cut_out(image, 391, 0, 400, 100)), 0.0);
    EXPECT_NEAR(ink_on(image), ink_on(written("HHH", {.size = 30.0, .ink = kBlack})), 0.02 * ink_on(image));
}

TEST(Lettering, IsCutAtTheEdgesWithoutTouchingWhatIsNotThere) {
    Image image = make_image(30, 20, kWhite);
    for (const double x : {-50.0, -5.0, 25.0, 500.0})
        for (const double y : {-40.0, 0.0, 19.0, 400.0}) draw_text(image, x, y, "Wg|", {.size = 40.0});
    draw_text(image, 5.0, 10.0, "x", {.size = 0.0});
    draw_text(image, 5.0, 10.0, "x", {.size = -3.0});
    EXPECT_EQ(image.rgba.size(), 4U * 30 * 20);
}

TEST(Lettering, FittedTextFitsAndSaysThatItWasCut) {
    const std::string words = "a caption that is much too long µµµµµµµµ";
    EXPECT_EQ(fitted_text(words, 12.0, 1e6), words);
    const double whole = letters_width(words, 12.0);
    for (const double width : {30.0, 80.0, 0.9 * whole, whole - 1.0}) {
        const std::string cut = fitted_text(words, 12.0, width);
        EXPECT_LE(letters_width(cut, 12.0), width);
        EXPECT_TRUE(cut.ends_with("…")) << cut;
        for (const char32_t c : code_points(cut)) EXPECT_NE(c, U'\uFFFD') << "no letter is cut in half";
    }
}

TEST(Sheet, PanelsFillTheSheetAboveTheFooterWithoutOverlap) {
    for (int count = 1; count <= 9; ++count) {
        for (const bool row : {true, false}) {
            const SheetPlan plan{.width = 1280, .height = 721, .panels = count, .one_row = row, .caption = true};
            const SheetLayout layout = sheet_layout(plan);
            ASSERT_EQ(layout.panels.size(), static_cast<std::size_t>(count));
            std::vector<int> seen(static_cast<std::size_t>(plan.width * plan.height));
            int most = 0;
            for (const PanelBox& p : layout.panels) {
                ASSERT_TRUE(p.left >= 0 && p.top >= 0 && p.left + p.width <= plan.width &&
                            p.top + p.height <= plan.height - layout.footer);
                for (int y = p.top; y < p.top + p.height; ++y) {
                    for (int x = p.left; x < p.left + p.width; ++x)
                        most = std::max(most, ++seen[static_cast<std::size_t>(y * plan.width + x)]);
                }
            }
            EXPECT_EQ(most, 1) << count;
            EXPECT_EQ(layout.panels.back().top + layout.panels.back().height, plan.height - layout.footer);
        }
    }
    EXPECT_EQ(sheet_layout({.width = 100, .height = 90}).footer, 0) << "without words there is no footer";
    expect_error(Fault::bad_usage, "--size", [&] { sheet_layout({.width = 100, .height = 20, .caption = true}); });
}

// What the bar says about a colour must be what the map gives.
TEST(Sheet, TheLegendShowsTheMapFromEndToEndWithItsTicksBelow) {
    const SheetPlan plan{.width = 960, .height = 640, .legend = true};
    const SheetLayout layout = sheet_layout(plan);
    const Image panel = make_image(layout.panels[0].width, layout.panels[0].height, kWhite);
    SheetText words;
    words.legend = Legend{"displacement [mm]", ColourMap::sequential, {{0.0, "0"}, {0.5, "5"}, {1.0, "10"}}, {}};
    const Image sheet = compose_sheet(plan, {{panel, "", ""}}, words);
    const int row = 640 - layout.footer + 19;  // through the bar
    const double right = 960 - 16 - 12, left = right - 300;
    for (const double t : {0.01, 0.25, 0.5, 0.75, 0.99}) {
        const std::uint8_t* pixel = sheet.rgba.data() + 4 * (row * 960 + static_cast<int>(left + t * 300));
        const Colour expected = sample(ColourMap::sequential, t);
        EXPECT_NEAR(pixel[0], 255.0 * static_cast<double>(expected.r), 3) << t;
        EXPECT_NEAR(pixel[1], 255.0 * static_cast<double>(expected.g), 3) << t;
        EXPECT_NEAR(pixel[2], 255.0 * static_cast<double>(expected.b), 3) << t;
    }
    SheetText without = words;
    without.legend->ticks.clear();
    EXPECT_NE(compose_sheet(plan, {{panel, "", ""}}, without).rgba, sheet.rgba);
}

TEST(Sheet, EntriesShowTheirColours) {
    const SheetPlan plan{.width = 960, .height = 640, .legend = true};
    const SheetLayout layout = sheet_layout(plan);
    SheetText words;
    words.legend = Legend{"", ColourMap::categorical, {}, {{rgb(0xFF0000), "held"}, {rgb(0x00FF00), "free"}}};
    const Image sheet = compose_sheet(
        plan, {{make_image(layout.panels[0].width, layout.panels[0].height, kWhite), "", ""}}, words);
    int red = 0, green = 0;
    for (std::size_t i = 0; i < sheet.rgba.size(); i += 4) {
        red += sheet.rgba[i] == 255 && sheet.rgba[i + 1] == 0;
        green += sheet.rgba[i] == 0 && sheet.rgba[i + 1] == 255;
    }
    EXPECT_GT(red, 80);
    EXPECT_GT(green, 80);
}

}  // namespace
}  // namespace limber
