#include "io/npz/npz.hpp"
#include "expect_error.hpp"
#include "io/mutate.hpp"
#include "io/npz_fixtures.hpp"
#include "io/temporary_folder.hpp"
#include "io/vtk/vtu_arrays.hpp"
#include "playback/series_data.hpp"

#include <gtest/gtest.h>

#include <zlib.h>

namespace limber {
namespace {

using namespace testing_io;
using Sizes = std::vector<std::size_t>;

std::string decoded(const char* base64) {
    std::string out;
    EXPECT_TRUE(decode_base64(base64, 1 << 20, out));
    return out;
}

std::string message_of(const auto& act) {
    try {
        act();
    } catch (const Error& e) {
        return e.what();
    }
    return "no error";
}

/// One member, its sizes as told: what our own writer would never do.
struct Archive {
    std::string name = "a.npy", data;
    std::uint16_t method = 0, flags = 0;
    std::uint32_t claimed = 0, crc = 0;

    std::string bytes() const {
        const auto number = [](std::uint64_t v, int width) {  // little-endian; zeros beyond eight bytes
            std::string s;
            for (int b = 0; b < width; ++b) {
                s.push_back(static_cast<char>(static_cast<unsigned char>(v & 0xff)));
                v >>= 8;
            }
            return s;
        };
        const std::string shared = number(20, 2) + number(flags, 2) + number(method, 2) + number(0, 4) +
                                   number(crc, 4) + number(data.size(), 4) + number(claimed, 4) +
                                   number(name.size(), 2) + number(0, 2);
        const std::string local = "PK\3\4" + shared + name + data;
        const std::string entry = "PK\1\2" + number(20, 2) + shared + number(0, 10) + number(0, 4) + name;
        return local + entry + "PK\5\6" + number(0, 4) + number(1, 2) + number(1, 2) + number(entry.size(), 4) +
               number(local.size(), 4) + number(0, 2);
    }
};

std::string npy(const std::string& header, const std::string& data) {
    std::string out("\x93NUMPY\x01\x00", 8);
    out.push_back(static_cast<char>(static_cast<unsigned char>(header.size() & 0xff)));
    out.push_back(static_cast<char>(static_cast<unsigned char>(header.size() >> 8)));
    return out + header + data;
}

Archive stored(const std::string& content) {
    return {"a.npy",
            content,
            0,
            0,
            static_cast<std::uint32_t>(content.size()),
            static_cast<std::uint32_t>(
                crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())))};
}

Archive deflated(const std::string& content) {
    Archive out = stored(content);
    out.method = 8;
    out.data.assign(content.size() + 100, '\0');
    z_stream z{};
    EXPECT_EQ(deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    z.avail_in = static_cast<uInt>(content.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data.data());
    z.avail_out = static_cast<uInt>(out.data.size());
    EXPECT_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
    out.data.resize(out.data.size() - z.avail_out);
    deflateEnd(&z);
    return out;
}

const std::string kTwoReals = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n";

TEST(Npz, ReadsWhatNumpyStores) {
    const std::string bytes = decoded(kStoredNpz);
    const NpzReader in(bytes, "a.npz");
    EXPECT_EQ(in.names(), (std::vector<std::string>{"times", "positions"}));
    EXPECT_EQ(in.numbers("times").values, (std::vector<double>{0.0, 0.5}));
    const NpyArray x = in.numbers("positions");
    EXPECT_EQ(x.shape, (Sizes{2, 4, 3}));
    EXPECT_FALSE(x.single);
    std::size_t i = 0;
    for (int f = 0; f < 2; ++f) {
        for (int v = 0; v < 4; ++v)
            for (int c = 0; c < 3; ++c) EXPECT_EQ(x.values[i++], f + v / 8.0 + c / 64.0);
    }
}

TEST(Npz, ReadsDeflatedFloatsInFortranOrderAsNumpyMeansThem) {
    // Fortran order with the wrong stride gives the right numbers in the wrong places: every entry is different here.
    const std::string bytes = decoded(kDeflatedNpz);
    const NpzReader in(bytes, "a.npz");
    const NpyArray u = in.numbers("displacements");
    EXPECT_EQ(u.shape, (Sizes{3, 4, 2}));
    EXPECT_TRUE(u.single);
    std::size_t i = 0;
    for (int f = 0; f < 3; ++f) {
        for (int v = 0; v < 4; ++v)
            for (int c = 0; c < 2; ++c) EXPECT_EQ(u.values[i++], f + v / 8.0 + c / 64.0);
    }
    EXPECT_EQ(in.numbers("rest").values, (std::vector<double>{0, 0, 1, 0, 0, 1, 1, 1}));
    EXPECT_NE(message_of([&] { in.numbers("note"); }).find("<U5"), std::string::npos) << "a text is no number";
}

TEST(Npz, WhatIsWrittenIsReadBackBitForBit) {
    const TemporaryFolder folder;
    const std::vector<double> values{1.0 / 3.0, -0.0, 1e308, 5e-324, 2.0, 7.25};
    const std::vector<std::int32_t> cells{0, 1, -2147483647, 2147483647};
    NpzWriter file(folder.file("a.npz"));
    file.add("reals", Sizes{3, 1, 2}, values);
    file.add("cells", Sizes{2, 2}, cells);
    file.add("none", Sizes{0, 3}, std::span<const double>{});
    file.add("words", "{\"a\": 1}");
    EXPECT_EQ(folder.entries(), 1u) << "only the temporary file until it is complete";
    file.finish();
    const std::string bytes = read_file(folder.file("a.npz"));
    const NpzReader in(bytes, "a.npz");
    EXPECT_EQ(in.numbers("reals").shape, (Sizes{3, 1, 2}));
    const std::vector<double> back = in.numbers("reals").values;
    ASSERT_EQ(back.size(), values.size());
    EXPECT_EQ(std::memcmp(back.data(), values.data(), sizeof(double) * values.size()), 0);
    EXPECT_EQ(in.numbers("cells").values, (std::vector<double>{0, 1, -2147483647, 2147483647}));
    EXPECT_TRUE(in.numbers("none").values.empty());
    EXPECT_EQ(in.names().size(), 4u);
}

TEST(Npz, ArraysBeginAtMultiplesOf64WithinTheirMembers) {
    // NumPy promises it to those who map files into memory.
    const TemporaryFolder folder;
    for (std::size_t n = 1; n < 200; n += 13) {
        NpzWriter file(folder.file("a.npz"));
        const std::vector<double> values(n, 1.5);
        file.add("a", Sizes{n}, values);
        file.finish();
        const std::string bytes = read_file(folder.file("a.npz"));
        const ZipMember member = read_zip_directory(bytes, "a")[0];
        EXPECT_EQ((member.size - n * 8) % 64, 0u) << n;
    }
}

TEST(Npz, The64BitFormOfAnArchiveSaysTheSame) {
    // Files of 4 GB are too large for a test: the limit is lowered instead, to every value that changes a different
    // field.
    const std::string content = npy(kTwoReals, std::string(16, '\0'));
    for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{content.size()},
                                      std::uint64_t{content.size() + 1}, std::uint64_t{1000}}) {
        ZipWriter zip(limit);
        std::string bytes = zip.begin("a.npy", content);
        bytes += content;
        bytes += zip.begin("b.npy", content);
        bytes += content;
        bytes += zip.finish();
        const NpzReader in(bytes, "a.npz");
        EXPECT_EQ(in.names(), (std::vector<std::string>{"a", "b"})) << limit;
        EXPECT_EQ(in.numbers("b").values, (std::vector<double>{0, 0})) << limit;
    }
}

TEST(Npz, HeadersThatPythonCouldHaveWritten) {
    const InputLocation place{"a.npz", 0, "a"};
    const NpyHeader h = parse_npy_header("{\"shape\": (3L, 4,),\n 'fortran_order' : True , 'descr':'<f4'}", place);
    EXPECT_EQ(h.type, "<f4");
    EXPECT_TRUE(h.fortran_order);
    EXPECT_EQ(h.shape, (Sizes{3, 4}));
    EXPECT_TRUE(parse_npy_header("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", place).shape.empty());
    for (const char* bad :
         {"", "{", "{}", "{'descr': '<f8'}", "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,)}",
          "{'descr': '<f8', 'fortran_order': True, 'shape': (1,",
          "{'descr': '<f8', 'descr': '<f8', 'fortran_order': True, 'shape': (1,)}",
          "{'descr': '<f8', 'fortran_order': True, 'shape': (-1,)}",
          "{'descr': [('x', '<f8')], 'fortran_order': True, 'shape': (1,)}",
          "{'descr': '<f8', 'fortran_order': True, 'shape': (99999999999999999999,)}"}) {
        SCOPED_TRACE(bad);
        const bool records = std::string_view(bad).find("[(") != std::string_view::npos;
        expect_error(records ? Fault::unsupported : Fault::bad_file, "a.npz#a", [&] { parse_npy_header(bad, place); });
    }
}

TEST(Npz, AClaimThatTheFileCannotKeepIsRefusedBeforeMemoryIsTaken) {
    const std::string fine = npy(kTwoReals, std::string(16, 'x'));
    EXPECT_EQ(NpzReader(stored(fine).bytes(), "a").numbers("a").values.size(), 2u);
    EXPECT_EQ(NpzReader(deflated(fine).bytes(), "a").numbers("a").values.size(), 2u);
    // A shape of 10^18 numbers in a member of 16 bytes.
    const std::string vast = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000, 1000000000), }\n",
                                 std::string(16, 'x'));
    EXPECT_NE(message_of([&] { NpzReader(stored(vast).bytes(), "a").numbers("a"); }).find("[1000000000, 1000000000]"),
              std::string::npos);
    const std::string around = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296, 2), }\n",
                                   std::string(16, 'x'));
    // A product that wraps around to the right size.
    expect_error(Fault::bad_file, "a#a", [&] { NpzReader(stored(around).bytes(), "a").numbers("a"); });
    // 4 GB out of a few bytes: more than deflate can do.
    Archive bomb = deflated(fine);
    bomb.claimed = 0xfffffff0u;
    EXPECT_NE(message_of([&] { NpzReader(bomb.bytes(), "a"); }).find("1032"), std::string::npos);
    // A claim that deflate could keep, but this member does not.
    Archive short_of = deflated(fine);
    short_of.claimed = static_cast<std::uint32_t>(fine.size() + 800);
    expect_error(Fault::bad_file, "a#a", [&] { NpzReader(short_of.bytes(), "a").numbers("a"); });
}

TEST(Npz, DamageIsFoundByTheChecksum) {
    // The last number is wrong by one bit: the shape is right, and only the checksum can tell.
    Archive damaged = stored(npy(kTwoReals, std::string(16, 'x')));
    damaged.data.back() = 'y';
    EXPECT_NE(message_of([&] { NpzReader(damaged.bytes(), "a").numbers("a"); }).find("checksum"), std::string::npos);
}

TEST(Npz, WhatIsNotSupportedIsSaid) {
    const std::string fine = npy(kTwoReals, std::string(16, 'x'));
    Archive locked = stored(fine);
    locked.flags = 1;
    EXPECT_NE(message_of([&] { NpzReader(locked.bytes(), "a"); }).find("encrypted"), std::string::npos);
    Archive other = stored(fine);
    other.method = 12;
    EXPECT_NE(message_of([&] { NpzReader(other.bytes(), "a"); }).find("method 12"), std::string::npos);
    const std::string big_endian = npy("{'descr': '>f8', 'fortran_order': False, 'shape': (2,), }\n",
                                       std::string(16, 'x'));
    EXPECT_NE(message_of([&] { NpzReader(stored(big_endian).bytes(), "a").numbers("a"); }).find(">f8"),
              std::string::npos);
    EXPECT_NE(message_of([&] { NpzReader("hello", "a.npz"); }).find("a.npz: this is no npz file"), std::string::npos);
}

TEST(Npz, EveryCutIsAnErrorOfOneLine) {
    for (const char* fixture : {kStoredNpz, kDeflatedNpz}) {
        const std::string bytes = decoded(fixture);
        for (std::size_t n = 0; n < bytes.size(); ++n) {
            SCOPED_TRACE(n);
            expect_error(Fault::bad_file, "cut",
                         [&] { load_npz_series(std::string_view(bytes).substr(0, n), "cut", {}); });
        }
    }
}

TEST(Npz, MutantsAreReadOrRefusedInOneLine) {
    std::size_t refused = 0;
    for (const char* fixture : {kStoredNpz, kDeflatedNpz}) {
        const std::string valid = decoded(fixture);
        for (std::uint64_t seed = 0; seed < 400; ++seed) {
            try {
                const std::string bytes = mutate(valid, seed);
                const SeriesData data = load_npz_series(bytes, "mutant", {});
                for (const auto& frame : data.frames)
                    for (const Vec3& v : frame) EXPECT_TRUE(is_finite(v));
            } catch (const Error& e) {
                ++refused;
                const std::string what = e.what();
                EXPECT_EQ(what.compare(0, 6, "mutant"), 0) << what;
                EXPECT_LT(what.size(), 400u) << what;
            }
        }
    }
    EXPECT_GT(refused, 400u);
}

}  // namespace
}  // namespace limber
