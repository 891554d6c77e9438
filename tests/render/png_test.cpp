#include "render/picture_fixtures.hpp"

#include "expect_error.hpp"
#include "render/canvas.hpp"
#include "render/png.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

#include <random>

namespace limber {
namespace {

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

Image noise(int width, int height, unsigned seed, bool opaque) {
    Image image = make_image(width, height, rgb(0x336699));
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < image.rgba.size(); ++i)
        if (i % 4 != 3 || !opaque) image.rgba[i] = static_cast<std::uint8_t>(random() & 255U);
    return image;
}

// Every filter at both edges of the picture; the decoder is not ours, so both sides must follow the format.
TEST(Png, ComesBackPixelByPixel) {
    for (const bool opaque : {true, false}) {
        for (const auto& [w, h] : {std::pair{1, 1}, {7, 3}, {64, 48}, {3, 200}}) {
            Image image = noise(w, h, static_cast<unsigned>(w * h), opaque);
            if (w == 64)  // smooth parts choose other filters than noise does
            {
                for (int y = 0; y < 24; ++y) {
                    for (int x = 0; x < w; ++x)
                        image.rgba[static_cast<std::size_t>(4 * (y * w + x))] = static_cast<std::uint8_t>(x + y);
                }
            }
            const Image back = decode_picture(bytes_of(encode_png(image)), "made");
            EXPECT_EQ(back.width, w);
            EXPECT_EQ(back.height, h);
            EXPECT_EQ(back.rgba, image.rgba) << w << " x " << h << (opaque ? " opaque" : "");
        }
    }
}

TEST(Png, CarriesItsNotesAndIsTheSameEveryTime) {
    const Image image = noise(16, 16, 3, true);
    const std::vector<PngNote> notes{{"Software", "limber 1"}, {"Description", "µ-scene"}};
    const std::string png = encode_png(image, notes);
    EXPECT_EQ(png, encode_png(image, notes));
    EXPECT_NE(png.find(std::string("tEXtSoftware\0limber 1", 21)), std::string::npos);
    EXPECT_NE(png.find(std::string("iTXtDescription\0\0\0\0\0µ-scene", 28)), std::string::npos)
        << "Latin-1 chunks cannot hold UTF-8";
    EXPECT_EQ(decode_picture(bytes_of(png), "made").rgba, image.rgba) << "notes do not disturb the pixels";
}

TEST(Png, AnImageWithoutPixelsIsRefused) {
    expect_error(Fault::bad_usage, "an image without pixels", [&] { encode_png(Image{}); });
    expect_error(Fault::bad_usage, "an image without pixels", [&] {
        encode_png(Image{4, 4, std::vector<std::uint8_t>(7)});
    });
    expect_error(Fault::bad_usage, "a picture of 0 x 5 pixels", [&] { make_image(0, 5, rgb(0)); });
    expect_error(Fault::bad_usage, "a picture of 20000 x 20000 pixels", [&] { make_image(20000, 20000, rgb(0)); });
}

TEST(DecodePicture, ReadsJpegToo) {
    const Image red = decode_picture(testing_render::kRedJpeg, "red.jpg");
    ASSERT_EQ(red.rgba.size(), 4U * 8 * 8);
    for (std::size_t i = 0; i < red.rgba.size(); i += 4) {
        EXPECT_GT(red.rgba[i], 240);
        EXPECT_LT(red.rgba[i + 1], 16);
        EXPECT_EQ(red.rgba[i + 3], 255);
    }
}

TEST(DecodePicture, EveryCutAndEveryFlippedBitIsAnErrorOrAPicture) {
    const std::string whole = encode_png(noise(12, 9, 5, false));
    for (std::size_t keep = 0; keep < whole.size(); ++keep) {
        try {
            decode_picture(bytes_of(whole.substr(0, keep)), "cut");
        } catch (const Error& error) {
            EXPECT_EQ(error.fault(), Fault::bad_file);
        }
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string bent = whole;
        bent[at] = static_cast<char>(bent[at] ^ 0x10);
        try {
            decode_picture(bytes_of(bent), "bent");
        } catch (const Error& error) {
            EXPECT_EQ(error.place().path, "bent");
        }
    }
}

// A header is enough to ask for gigabytes.
TEST(DecodePicture, SizesOutOfProportionAreRefusedBeforeMemoryIsTaken) {
    std::string png = encode_png(noise(8, 8, 6, true));
    const auto with_size = [&](char high, char low) {
        for (const std::size_t at : {std::size_t{16}, std::size_t{20}}) {
            png[at] = 0;
            png[at + 1] = 0;
            png[at + 2] = high;
            png[at + 3] = low;
        }
        return bytes_of(png);
    };
    expect_error(Fault::bad_file, "wide", [&] { decode_picture(with_size('\x7F', '\xFF'), "wide"); });
    // 8192 x 8192 pixels in 300 bytes.
    expect_error(Fault::bad_file, "empty", [&] { decode_picture(with_size('\x20', '\x00'), "empty"); });
    expect_error(Fault::bad_file, "nothing", [&] { decode_picture({}, "nothing"); });
    expect_error(Fault::bad_file, "gif", [&] { decode_picture(bytes_of("GIF89a and more"), "gif"); });
}

}  // namespace
}  // namespace limber
