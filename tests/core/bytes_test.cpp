#include "expect_error.hpp"

#include <limber/bytes.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <span>

namespace limber {
namespace {

ByteWriter sample() {
    ByteWriter out;
    out.u8(7);
    out.u32(0xdeadbeefu);
    out.u64(0x0123456789abcdefull);
    out.i32(-5);
    out.f64(-0.0);
    out.text("beam");
    out.reals(std::vector<double>{1.5, std::numeric_limits<double>::infinity()});
    out.ints(std::vector<std::int32_t>{-1, 2, 3});
    out.longs(std::vector<std::int64_t>{1ll << 40});
    out.reals({});
    return out;
}

void read_all(ByteReader& in) {
    EXPECT_EQ(in.u8(), 7);
    EXPECT_EQ(in.u32(), 0xdeadbeefu);
    EXPECT_EQ(in.u64(), 0x0123456789abcdefull);
    EXPECT_EQ(in.i32(), -5);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(in.f64()), 0x8000000000000000ull);
    EXPECT_EQ(in.text(), "beam");
    EXPECT_EQ(in.reals(), (std::vector<double>{1.5, std::numeric_limits<double>::infinity()}));
    EXPECT_EQ(in.ints(), (std::vector<std::int32_t>{-1, 2, 3}));
    EXPECT_EQ(in.longs(), (std::vector<std::int64_t>{1ll << 40}));
    EXPECT_TRUE(in.reals().empty());
}

TEST(Bytes, ComeBackAsTheyWent) {
    const ByteWriter out = sample();
    ByteReader in(out.bytes());
    read_all(in);
    EXPECT_EQ(in.left(), 0u);
}

TEST(Bytes, AreLittleEndian) {
    // Read by 32-bit wasm and by other programs: the order is part of the format.
    ByteWriter out;
    out.u32(0x01020304u);
    EXPECT_EQ(out.bytes(), (std::vector<std::uint8_t>{4, 3, 2, 1}));
}

TEST(Bytes, CutAnywhereIsAnErrorAndNeverARead) {
    const std::vector<std::uint8_t> whole = sample().bytes();
    for (std::size_t n = 0; n < whole.size(); ++n) {
        ByteReader in(std::span<const std::uint8_t>(whole).first(n), {"cut.bin", 0, ""});
        const auto read_silently = [&] {
            in.u8();
            in.u32();
            in.u64();
            in.i32();
            in.f64();
            in.text();
            in.reals();
            in.ints();
            in.longs();
            in.reals();
        };
        try {
            read_silently();
            ADD_FAILURE() << "read past " << n << " bytes";
        } catch (const Error& e) {
            EXPECT_EQ(e.fault(), Fault::bad_data);
            EXPECT_EQ(std::string(e.what()).rfind("cut.bin: ", 0), 0u) << e.what();
        }
    }
}

TEST(Bytes, AnAbsurdLengthTakesNoMemory) {
    // A damaged length must be compared with what is left before any vector is made (2^61 doubles overflow a size).
    for (const std::uint64_t length : {std::uint64_t{1} << 61, ~std::uint64_t{0}, std::uint64_t{3}}) {
        ByteWriter out;
        out.u64(length);
        out.f64(1.0);
        ByteReader in(out.bytes());
        SCOPED_TRACE(length);
        expect_error(Fault::bad_data, "a list of ", [&] { in.reals(); });
    }
}

}  // namespace
}  // namespace limber
