#include "io/points/point_cache.hpp"
#include "expect_error.hpp"
#include "io/mutate.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace limber {
namespace {

using namespace testing_io;

std::string bytes_of(std::initializer_list<int> values) {
    std::string out;
    for (const int v : values) out.push_back(static_cast<char>(static_cast<unsigned char>(v)));
    return out;
}

// Written byte by byte from the description of the format: 2 points, start 5, sample rate 0.5, 2 samples.
std::string pc2_by_hand() {
    return bytes_of({'P',  'O',  'I',  'N',  'T',  'C',  'A',  'C',  'H',  'E',  '2',  0,    1,    0,    0,
                     0,    2,    0,    0,    0,    0x00, 0x00, 0xa0, 0x40, 0x00, 0x00, 0x00, 0x3f, 2,    0,
                     0,    0,    0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x40, 0x40,  // 1 2 3
                     0x00, 0x00, 0x80, 0xbf, 0x00, 0x00, 0x00, 0x3f, 0x00, 0x00, 0x00, 0x00,              // -1 0.5 0
                     0x00, 0x00, 0x80, 0x40, 0x00, 0x00, 0xa0, 0x40, 0x00, 0x00, 0xc0, 0x40,              // 4 5 6
                     0x00, 0x00, 0x80, 0x3e, 0x00, 0x00, 0x00, 0xc0, 0x00, 0x00, 0x80, 0x3f});            // 0.25 -2 1
}

// The same motion at 0.5 s and 0.75 s, big-endian.
std::string mdd_by_hand() {
    return bytes_of({0,    0,    0,    2,    0,    0,    0,    2,    0x3f, 0x00, 0x00, 0x00, 0x3f, 0x40, 0x00, 0x00,
                     0x3f, 0x80, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00, 0x40, 0x40, 0x00, 0x00, 0xbf, 0x80, 0x00, 0x00,
                     0x3f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x40, 0x80, 0x00, 0x00, 0x40, 0xa0, 0x00, 0x00,
                     0x40, 0xc0, 0x00, 0x00, 0x3e, 0x80, 0x00, 0x00, 0xc0, 0x00, 0x00, 0x00, 0x3f, 0x80, 0x00, 0x00});
}

const std::vector<std::vector<Vec3>> kMotion{{{1, 2, 3}, {-1, 0.5, 0}}, {{4, 5, 6}, {0.25, -2, 1}}};

using Parse = PointCache (*)(std::string_view, const std::string&);
const std::pair<std::string, Parse> kBoth[] = {{pc2_by_hand(), parse_pc2}, {mdd_by_hand(), parse_mdd}};

std::string message_of(Parse parse, const std::string& bytes) {
    try {
        parse(bytes, "cache");
    } catch (const Error& e) {
        return e.what();
    }
    return "no error";
}

TEST(PointCache, BytesWrittenByHandAreRead) {
    const PointCache pc2 = parse_pc2(pc2_by_hand(), "a.pc2"), mdd = parse_mdd(mdd_by_hand(), "a.mdd");
    EXPECT_EQ(pc2.frames, kMotion);
    EXPECT_EQ(pc2.points, 2u);
    EXPECT_EQ(pc2.start, 5.0);
    EXPECT_EQ(pc2.spacing, 0.5);
    EXPECT_TRUE(pc2.times.empty());
    EXPECT_EQ(mdd.frames, kMotion);
    EXPECT_EQ(mdd.times, (std::vector<double>{0.5, 0.75}));
}

TEST(PointCache, WritingGivesTheBytesWrittenByHand) {
    // Reader and writer are held against the same outside truth, not against each other.
    PointCache cache{2, kMotion, {0.5, 0.75}, 5.0, 0.5};
    EXPECT_EQ(format_pc2(cache, "a.pc2"), pc2_by_hand());
    EXPECT_EQ(format_mdd(cache, "a.mdd"), mdd_by_hand());
}

TEST(PointCache, EveryCutAndEveryExtraByteIsRefused) {
    for (const auto& [bytes, parse] : kBoth) {
        for (std::size_t n = 0; n < bytes.size(); ++n)
            EXPECT_NE(message_of(parse, bytes.substr(0, n)), "no error") << n;
        EXPECT_NE(message_of(parse, bytes + "x").find("12 for each point"), std::string::npos);
    }
}

TEST(PointCache, CountsAreHeldAgainstTheFile) {
    std::string many = pc2_by_hand();
    many.replace(16, 4, bytes_of({0xff, 0xff, 0xff, 0x7f}));  // 2^31 - 1 points in 48 bytes
    EXPECT_NE(message_of(parse_pc2, many).find("2147483647 points"), std::string::npos);
    many.replace(16, 4, bytes_of({0xff, 0xff, 0xff, 0xff}));
    EXPECT_NE(message_of(parse_pc2, many).find("the number of points is -1"), std::string::npos);
    std::string frames = mdd_by_hand();
    frames.replace(0, 4, bytes_of({0x7f, 0xff, 0xff, 0xff}));
    EXPECT_NE(message_of(parse_mdd, frames).find("the number of frames"), std::string::npos);
}

TEST(PointCache, NumbersThatAreNoneAreNamed) {
    std::string bytes = pc2_by_hand();
    bytes.replace(32 + 36, 4, bytes_of({0, 0, 0xc0, 0x7f}));  // NaN: frame 1, point 1, x
    EXPECT_NE(message_of(parse_pc2, bytes).find("point 1 of frame 1 is not finite"), std::string::npos)
        << message_of(parse_pc2, bytes);
    bytes = pc2_by_hand();
    bytes.replace(24, 4, bytes_of({0, 0, 0, 0}));
    EXPECT_NE(message_of(parse_pc2, bytes).find("sample rate is 0"), std::string::npos);
    bytes = mdd_by_hand();
    bytes.replace(12, 4, bytes_of({0x7f, 0x80, 0, 0}));
    EXPECT_NE(message_of(parse_mdd, bytes).find("time of frame 1"), std::string::npos);
}

TEST(PointCache, WhatAFloatCannotHoldIsNotWritten) {
    PointCache cache{1, {{{1e39, 0, 0}}}, {0.0}, 0.0, 1.0};
    expect_error(Fault::unsupported, "a", [&] { format_pc2(cache, "a"); });
    expect_error(Fault::unsupported, "a", [&] { format_mdd(cache, "a"); });
}

TEST(PointCache, MutantsAreReadOrRefusedInOneLine) {
    for (const auto& [valid, parse] : kBoth) {
        std::size_t refused = 0;
        for (std::uint64_t seed = 0; seed < 400; ++seed) {
            const std::string what = message_of(parse, mutate(valid, seed));
            if (what == "no error") continue;
            ++refused;
            EXPECT_EQ(what.compare(0, 5, "cache"), 0) << what;
            EXPECT_LT(what.size(), 400u);
        }
        EXPECT_GT(refused, 200u);
        EXPECT_LT(refused, 400u);
    }
}

}  // namespace
}  // namespace limber
