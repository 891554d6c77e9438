// What finished pictures show. Properties that any driver keeps: where colours are, not which shade.
#include "show/runs.hpp"

#include "render/picture_tools.hpp"
#include "show/produce.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace limber {
namespace {

using testing_show::bar;
using testing_show::stretched;

std::vector<std::unique_ptr<Subject>> one(std::unique_ptr<Subject> subject) {
    std::vector<std::unique_ptr<Subject>> out;
    out.push_back(std::move(subject));
    return out;
}

struct Seen {
    std::size_t pixels = 0;
    double x = 0.0, y = 0.0;  ///< their middle [px]
};
/// Pixels of strong colour between two columns, above the footer: the body, never the ground or the letters.
Seen coloured(const Image& image, int left, int right, int bottom) {
    Seen out;
    for (int y = 0; y < bottom; ++y) {
        for (int x = left; x < right; ++x) {
            const std::uint8_t* p = image.rgba.data() +
                                    4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                         static_cast<std::size_t>(x));
            if (std::max({p[0], p[1], p[2]}) - std::min({p[0], p[1], p[2]}) < 40) continue;
            ++out.pixels;
            out.x += x;
            out.y += y;
        }
    }
    out.x /= static_cast<double>(std::max<std::size_t>(1, out.pixels));
    out.y /= static_cast<double>(std::max<std::size_t>(1, out.pixels));
    return out;
}

StudioSettings small() {
    StudioSettings settings;
    settings.width = 320;
    settings.height = 240;
    settings.field = Field::displacement;
    settings.glyphs = false;
    settings.to = 1.0;
    return settings;
}

std::unique_ptr<Subject> body(const std::shared_ptr<Recording>& run,
                              std::shared_ptr<const Recording> reference = nullptr) {
    return make_body_subject(run, {"", nullptr, reference, reference ? Field::error : Field::displacement});
}

TEST(Studio, TheSameTimeGivesTheSameBytesWhateverWasDrawnBefore) {
    LIMBER_NEEDS_RENDERER();
    Studio studio(one(body(bar({0.0, 1.0}, stretched))), small());
    const Image first = studio.picture(0.7);
    studio.picture(0.1);
    EXPECT_EQ(studio.picture(0.7).rgba, first.rgba);
    EXPECT_EQ(Studio(one(body(bar({0.0, 1.0}, stretched))), small()).picture(0.7).rgba, first.rgba);
}

TEST(Studio, ColoursSpanFromZeroToARoundNumberAboveTheLargestAtAnyTimeShown) {
    LIMBER_NEEDS_RENDERER();
    const Studio studio(one(body(bar({0.0, 1.0}, [](const Vec3& p, double t) { return stretched(p, 1.1 * t); }))),
                        small());
    EXPECT_EQ(studio.range()->low, 0.0);
    EXPECT_NEAR(studio.range()->high, 0.05, 1e-9) << "0.044 m";
}

// The least displaced end must be the dark one: a swapped map or a wrong order of values would turn it round.
TEST(Studio, TheFreeEndIsBrighterThanTheHeldOne) {
    LIMBER_NEEDS_RENDERER();
    StudioSettings settings = small();
    settings.view = ViewDirection{0.0, 0.0};
    settings.from = settings.to = 1.0;
    const Image image = Studio(one(body(bar({0.0, 1.0}, stretched))), settings).picture(1.0);
    const auto green = [&](double part) {
        return image.rgba[4 * (100 * 320 + static_cast<std::size_t>(part * 320)) + 1];
    };
    EXPECT_GT(green(0.85), green(0.15) + 60);
}

TEST(Studio, ARunAgainstItselfHasNoColourButTheLowestOne) {
    LIMBER_NEEDS_RENDERER();
    const auto run = bar({0.0, 1.0}, stretched);
    StudioSettings settings = small();
    settings.field = Field::error;
    settings.range = ValueRange{0.0, 0.01, ColourMap::sequential};
    const Image none = Studio(one(body(run, run)), settings).picture(1.0);
    const Image some = Studio(one(body(run, bar({0.0, 1.0},
                                                [](const Vec3& p, double t) {
                                                    return stretched(p, t) + Vec3{0, 0.008 * t, 0};
                                                }))),
                              settings)
                           .picture(1.0);
    const auto yellow = [](const Image& image) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < std::size_t{4} * 320 * 180; i += 4)
            count += image.rgba[i + 1] > image.rgba[i + 2] + 40;
        return count;
    };
    EXPECT_EQ(yellow(none), 0U);
    EXPECT_GT(yellow(some), 1000U);
}

TEST(Studio, AFollowedBodyStaysInTheMiddle) {
    LIMBER_NEEDS_RENDERER();
    const auto run = bar({0.0, 1.0}, [](const Vec3&, double t) { return Vec3{3.0 * t, 0, 0.5}; });
    StudioSettings settings = small();
    settings.view = ViewDirection{0.0, 0.0};
    Studio still(one(body(run)), settings);
    settings.follow = true;
    Studio follows(one(body(run)), settings);
    const int bottom = 200;
    EXPECT_GT(coloured(still.picture(1.0), 0, 320, bottom).x, coloured(still.picture(0.0), 0, 320, bottom).x + 60);
    EXPECT_NEAR(coloured(follows.picture(1.0), 0, 320, bottom).x, coloured(follows.picture(0.0), 0, 320, bottom).x,
                2.0);
    EXPECT_GT(coloured(follows.picture(1.0), 0, 320, bottom).pixels,
              2 * coloured(still.picture(1.0), 0, 320, bottom).pixels)
        << "so it can be nearer";
}

TEST(Studio, SideBySideAndFilmstripsShowABodyInEveryPanel) {
    LIMBER_NEEDS_RENDERER();
    const auto run = bar({0.0, 1.0}, stretched);
    std::vector<std::unique_ptr<Subject>> two;
    two.push_back(body(run));
    two.push_back(body(bar({0.0, 1.0}, stretched, CellKind::tet4)));
    StudioSettings settings = small();
    settings.width = 640;
    const Image pair = Studio(std::move(two), settings).picture(1.0);
    EXPECT_NEAR(static_cast<double>(coloured(pair, 0, 320, 180).pixels),
                static_cast<double>(coloured(pair, 320, 640, 180).pixels),
                0.02 * static_cast<double>(coloured(pair, 0, 320, 180).pixels));
    Studio strip(one(body(run)), settings, 4);
    const Image film = strip.filmstrip({0.25, 0.5, 0.75, 1.0});
    for (int p = 0; p < 4; ++p) EXPECT_GT(coloured(film, 160 * p, 160 * p + 160, 180).pixels, 200U) << p;
}

TEST(Studio, PlanarBodiesAreSeenFromTheFrontAndFillThePicture) {
    LIMBER_NEEDS_RENDERER();
    StudioSettings settings = small();
    settings.from = settings.to = 1.0;
    const Image image = Studio(one(body(bar(
                                   {0.0, 1.0},
                                   [](const Vec3& p, double t) {
                                       return Vec3{0.5 * t + 0.01 * p.x, 0, 0};
                                   },
                                   CellKind::quad4))),
                               settings)
                            .picture(1.0);
    const Seen seen = coloured(image, 0, 320, 200);
    // A bar of 4.04 x 1 over the width but for margins of 8 % of the panel's height.
    const double across = 320 - 2 * 0.08 * (240 - sheet_layout({.width = 320, .height = 240, .caption = true}).footer);
    EXPECT_NEAR(static_cast<double>(seen.pixels), across * across / 4.04, 0.03 * across * across / 4.04);
    EXPECT_NEAR(seen.x, 160.0, 4.0);
}

TEST(Studio, APanelThatEndedEarlySaysSoAndShowsItsOwnLastFrame) {
    // The error of a run that stopped was taken between its last frame and the reference's later ones, under the
    // others' time.
    LIMBER_NEEDS_RENDERER();
    const std::shared_ptr<Recording> brief = bar({0.0, 0.5}, stretched), whole = bar({0.0, 1.0}, stretched);
    const auto subject = body(brief, whole);
    EXPECT_EQ(ended_words(*subject, 0.5, 1.0), "");
    EXPECT_EQ(ended_words(*subject, 1.0, 1.0), "ended at t = 0.50 s");
    EXPECT_EQ(ended_words(*body(whole), 1.0, 1.0), "");

    const auto both = [&] {
        std::vector<std::unique_ptr<Subject>> out = one(body(brief, whole));
        out.push_back(body(whole, whole));
        return out;
    };
    StudioSettings settings = small();
    settings.field = Field::error;
    settings.range = ValueRange{0.0, 0.01, ColourMap::sequential};
    settings.caption = false;
    Studio studio(both(), settings);
    const Image there = studio.picture(0.5), after = studio.picture(1.0);
    // The same panel but for the words below it; an error of half the range would colour the whole bar.
    std::size_t changed = 0;
    for (int y = 0; y < 170; ++y) {
        for (int x = 0; x < 160; ++x) {
            const std::size_t at = 4 * (static_cast<std::size_t>(y) * 320 + static_cast<std::size_t>(x));
            changed += there.rgba[at] != after.rgba[at] ? 1 : 0;
        }
    }
    EXPECT_EQ(changed, 0u);
    EXPECT_NE(there.rgba, after.rgba);
}

TEST(Movie, WithoutFinishNothingIsLeftBehind) {
    const std::string folder = testing::TempDir() + "limber_movie_frames";
    std::filesystem::remove_all(folder);
    {
        MovieSettings settings;
        settings.format = MovieFormat::png_frames;
        const auto movie = open_movie(folder, settings);
        Image dot{1, 1, {1, 2, 3, 255}};
        movie->add(dot);
    }
    EXPECT_FALSE(std::filesystem::exists(folder));
}

}  // namespace
}  // namespace limber
