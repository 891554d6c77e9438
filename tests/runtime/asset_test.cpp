// Files in, vertices out: every damage is refused, and skin is what docs/dyrt_format.md says.
#include "runtime/dyrt_bytes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace limber::runtime_tests {
namespace {

FileText usual_file() {
    FileText file;
    file.parts = {some_part(5, 300, 1), some_part(2, 100, 9)};
    file.parts[1].name = "thigh_l";
    file.parts[1].corrected = 2;  // the second oscillator only
    file.parts[1].corrections.resize(300);
    file.parts[1].residuals = 1;
    for (std::uint32_t v = 0; v < 100; ++v) file.parts[1].indices[2 * v + 1] = 250 + v;  // 50 vertices are in both
    file.parts[1].indices[0] = 1;                                                        // one vertex is another mesh's
    file.parts[1].indices[1] = 7;
    file.mesh_sizes = {400, 8};
    file.gravity = {0, -9.81f, 0};
    file.metres = 0.01f;
    return file;
}

TEST(DyrtAsset, TellsWhatTheFileHolds) {
    const FileText file = usual_file();
    const Asset asset = load(make_bytes(file));
    ASSERT_TRUE(asset);
    EXPECT_EQ(limber_dyrt_parts(asset.get()), 2);
    EXPECT_STREQ(limber_dyrt_part_name(asset.get(), 1), "thigh_l");
    EXPECT_STREQ(limber_dyrt_bone_name(asset.get(), 0), "Spine");
    EXPECT_STREQ(limber_dyrt_provenance(asset.get()), "made by a test");
    EXPECT_FLOAT_EQ(limber_dyrt_metres(asset.get()), 0.01f);
    EXPECT_EQ(limber_dyrt_modes(asset.get(), 0), 5);
    EXPECT_EQ(limber_dyrt_residuals(asset.get(), 1), 1);
    EXPECT_EQ(limber_dyrt_vertices(asset.get(), 1), 100);
    EXPECT_NEAR(limber_dyrt_frequency(asset.get(), 0, 1), 17.0 / (2 * 3.14159265), 1e-5);
    EXPECT_FLOAT_EQ(limber_dyrt_target_scale(asset.get(), 0, 2), 0.7f);
    EXPECT_EQ(limber_dyrt_displacements(asset.get(), 0, 3)[4], file.parts[0].shapes[3 * 900 + 4]);
    EXPECT_EQ(limber_dyrt_normal_corrections(asset.get(), 0, 3)[4], file.parts[0].corrections[3 * 900 + 4]);
    EXPECT_EQ(limber_dyrt_normal_corrections(asset.get(), 1, 0), nullptr);
    EXPECT_EQ(limber_dyrt_normal_corrections(asset.get(), 1, 1)[5], file.parts[1].corrections[5]);
    EXPECT_EQ(limber_dyrt_vertex_indices(asset.get(), 1)[3], 251u);
    EXPECT_EQ(limber_dyrt_rest_positions(asset.get(), 0)[6], file.parts[0].rest[6]);
    EXPECT_EQ(limber_dyrt_rest_normals(asset.get(), 2), nullptr);
    limber_dyrt_settings s;
    limber_dyrt_default_settings(asset.get(), &s);
    EXPECT_FLOAT_EQ(s.gravity[1], -9.81f);
}

struct Spoil {
    const char* what;
    std::size_t at;
    std::uint32_t value;
    limber_dyrt_result expected;
};

std::uint32_t bits(float value) {
    std::uint32_t out;
    std::memcpy(&out, &value, 4);
    return out;
}

// One word each. A reader that multiplies in 32 bits, trusts an offset or forgets a table passes some of these.
TEST(DyrtAsset, EverySpoiledWordIsRefusedWithItsReason) {
    const Bytes good = make_bytes(usual_file());
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    const auto damaged = LIMBER_DYRT_DAMAGED;
    const std::uint32_t end = static_cast<std::uint32_t>(good.bytes.size());
    std::vector<Spoil> spoils = {{"magic", 0, 0x20202020u, LIMBER_DYRT_NOT_DYRT},
                                 {"version 2", 8, 2, LIMBER_DYRT_NEWER_VERSION},
                                 {"version 0", 8, 0, damaged},
                                 {"size less", 12, end - 4, LIMBER_DYRT_TRUNCATED},
                                 {"size more", 12, end + 4, LIMBER_DYRT_TRUNCATED},
                                 {"no parts", 16, 0, damaged},
                                 {"257 parts", 16, 257, damaged},
                                 {"parts huge", 16, 0xffffffffu, damaged},
                                 {"meshes huge", 20, 0x20000000u, damaged},
                                 {"meshes past the end", 20, end / 8, damaged},
                                 {"no meshes", 20, 0, damaged},
                                 {"metres 0", 24, bits(0.0f), damaged},
                                 {"metres nan", 24, bits(nan), damaged},
                                 {"gravity inf", 32, bits(inf), damaged},
                                 {"strings outside", 40, end, damaged},
                                 {"strings wrap", 40, 0xfffffff0u, damaged},
                                 {"no strings", 44, 0, damaged},
                                 {"strings too long", 44, end, damaged},
                                 {"strings without end", 44, good.get(44) - 1, damaged},
                                 {"provenance outside", 48, good.get(44), damaged},
                                 {"reserved", 60, 1, damaged}};
    const auto part = [&](const char* what, std::size_t at, std::uint32_t value) {
        spoils.push_back({what, kPart + at, value, damaged});
    };
    part("name outside", 0, good.get(44));
    part("bone outside", 4, 0xffffffffu);
    part("no modes", 8, 0);
    part("65 modes", 8, 65);
    part("modes huge", 8, 0x80000000u);
    part("modes past the tables", 8, 64);
    part("more residuals than modes", 12, 6);
    part("vertices huge", 16, 0xffffffffu);
    part("vertices such that 12 n wraps", 16, 0x15555556u);
    part("vertices past the tables", 16, 200000);
    part("flags unknown", 20, 7);
    part("mask beyond the modes", 24, 0x20);
    part("mask high half", 28, 1);
    part("bind place nan", 36, bits(nan));
    part("bind rotation nan", 48, bits(nan));
    part("bind rotation not unit", 56, bits(1.1f));
    part("size negative", 60, bits(-1.0f));
    for (const std::size_t at : {64u, 68u, 72u, 76u, 80u, 84u, 88u, 92u, 96u}) {
        part("offset outside", at, end);
        part("offset wraps", at, 0xfffffffcu);
        part("offset odd", at, good.get(kPart + at) + 2);
    }
    for (const std::size_t at : {100u, 104u, 108u}) {
        part("limit 0", at, 0);
        part("limit nan", at, bits(nan));
        part("limit inf", at, bits(inf));
    }
    part("reserved", 124, 1);
    for (const std::size_t at : {64u, 68u, 72u, 80u, 84u, 88u, 92u, 96u}) {
        spoils.push_back({"nan in table", good.get(kPart + at), bits(nan), damaged});
        spoils.push_back({"inf in table", good.get(kPart + at) + 4, bits(-inf), damaged});
    }
    const std::size_t oscillator = good.get(kPart + 64), indices = good.get(kPart + 76);
    spoils.push_back({"omega 0", oscillator, 0, damaged});
    spoils.push_back({"omega negative", oscillator, bits(-3.0f), damaged});
    spoils.push_back({"decay negative", oscillator + 4, bits(-1.0f), damaged});
    spoils.push_back({"scale 0", oscillator + 8, 0, damaged});
    spoils.push_back({"mesh outside", indices, 2, damaged});
    spoils.push_back({"vertex outside", indices + 4, 400, damaged});
    spoils.push_back({"mesh name outside", 64 + 2 * 128, good.get(44), damaged});
    for (const Spoil& s : spoils) {
        Bytes b = good;
        b.put(s.at, s.value);
        limber_dyrt_result result = LIMBER_DYRT_OK;
        EXPECT_FALSE(load(b, &result)) << s.what << " at " << s.at;
        EXPECT_EQ(result, s.expected) << s.what << " at " << s.at << ": " << limber_dyrt_words(result);
    }
}

// To the last byte: a table may end where the file does, and not one word later.
TEST(DyrtAsset, ATableMayEndWithTheFileAndNotLater) {
    Bytes b = make_bytes(usual_file());
    b.bytes.resize(b.bytes.size() + 240);  // 5 rows of 12, all zero
    const auto end = static_cast<std::uint32_t>(b.bytes.size());
    b.put(12, end);
    b.put(kPart + 68, end - 240);
    EXPECT_TRUE(load(b));
    b.put(kPart + 68, end - 236);
    EXPECT_FALSE(load(b));
}

TEST(DyrtAsset, EveryTruncationIsRefused) {
    const Bytes good = make_bytes(usual_file());
    for (std::size_t size = 0; size < good.bytes.size(); size += size < 700 ? 1 : 397) {
        Bytes cut = good;
        cut.bytes.resize(size);
        limber_dyrt_result result = LIMBER_DYRT_OK;
        EXPECT_FALSE(load(cut, &result));
        EXPECT_EQ(result, size < 8 ? LIMBER_DYRT_NOT_DYRT : LIMBER_DYRT_TRUNCATED) << size;
        if (size < 64) continue;
        cut.put(12, static_cast<std::uint32_t>(size));  // and a header that agrees
        EXPECT_FALSE(load(cut, &result)) << size;
        EXPECT_EQ(result, LIMBER_DYRT_DAMAGED) << size;
    }
    Bytes more = good;
    more.bytes.resize(good.bytes.size() + 1);
    limber_dyrt_result result = LIMBER_DYRT_OK;
    EXPECT_FALSE(load(more, &result));
    EXPECT_EQ(result, LIMBER_DYRT_TRUNCATED);
    limber_dyrt_asset* out = nullptr;
    EXPECT_EQ(limber_dyrt_load(nullptr, 5, &out), LIMBER_DYRT_BAD_ARGUMENT);
    EXPECT_EQ(limber_dyrt_load(good.bytes.data(), good.bytes.size(), nullptr), LIMBER_DYRT_BAD_ARGUMENT);
}

// ---- Skin ----

/// Displacement and normal correction of vertex v of a part, and u' of modal warping, in plain double loops.
struct Skin {
    double move[3] = {}, tilt[3] = {}, turn[3] = {};
};

Skin skin_of(const PartText& p, const std::vector<float>& q, std::size_t v) {
    const std::size_t n = p.indices.size() / 2;
    Skin out;
    std::size_t row = 0;
    for (std::size_t k = 0; k < q.size(); ++k) {
        const bool corrected = (p.corrected >> k & 1) != 0;
        for (std::size_t c = 0; c < 3; ++c) {
            out.move[c] += static_cast<double>(q[k]) * static_cast<double>(p.shapes[(k * n + v) * 3 + c]);
            out.turn[c] += static_cast<double>(q[k]) * static_cast<double>(p.warp[(k * n + v) * 3 + c]);
            if (corrected)
                out.tilt[c] += static_cast<double>(q[k]) * static_cast<double>(p.corrections[(row * n + v) * 3 + c]);
        }
        if (corrected) ++row;
    }
    return out;
}

void warp(Skin& s) {
    const double* w = s.turn;
    const double t = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    const double a = t > 0.0 ? (1.0 - std::cos(t)) / (t * t) : 0.5,
                 b = t > 1e-3 ? (t - std::sin(t)) / (t * t * t) : 1.0 / 6.0;
    const auto cross = [](const double* x, const double* y, double* out) {
        out[0] = x[1] * y[2] - x[2] * y[1];
        out[1] = x[2] * y[0] - x[0] * y[2];
        out[2] = x[0] * y[1] - x[1] * y[0];
    };
    double first[3], second[3];
    cross(w, s.move, first);
    cross(w, first, second);
    for (std::size_t c = 0; c < 3; ++c) s.move[c] += a * first[c] + b * second[c];
}

void make_unit(double* v) {
    const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (std::size_t c = 0; c < 3; ++c) v[c] /= length;
}

// 300 vertices: one full piece of the kernel's and a remainder; 5 and 2 oscillators: four at a time and a rest.
TEST(DyrtSkin, EqualsAPlainDoubleLoop) {
    const FileText file = usual_file();
    const Asset asset = load(make_bytes(file));
    for (const std::size_t part : {0u, 1u}) {
        for (const float size : {0.3f, 0.01f, 0.0f, 2.0f}) {
            for (const int warped : {0, 1}) {
                const PartText& p = file.parts[part];
                std::vector<float> q = some_numbers(p.oscillators.size(), 77), positions(p.rest.size()),
                                   normals(p.rest.size());
                for (float& v : q) v *= size;
                ASSERT_EQ(limber_dyrt_displace(asset.get(), static_cast<int>(part), q.data(), warped, positions.data(),
                                               normals.data()),
                          LIMBER_DYRT_OK);
                for (std::size_t v = 0; v < p.indices.size() / 2; ++v) {
                    Skin s = skin_of(p, q, v);
                    if (warped) warp(s);
                    double normal[3];
                    for (std::size_t c = 0; c < 3; ++c)
                        normal[c] = static_cast<double>(p.normals[3 * v + c]) + s.tilt[c];
                    make_unit(normal);
                    for (std::size_t c = 0; c < 3; ++c) {
                        ASSERT_NEAR(static_cast<double>(positions[3 * v + c]),
                                    static_cast<double>(p.rest[3 * v + c]) + s.move[c],
                                    4e-6 * (1.0 + static_cast<double>(size)));
                        ASSERT_NEAR(static_cast<double>(normals[3 * v + c]), normal[c], 4e-6);
                    }
                }
            }
        }
    }
    EXPECT_EQ(limber_dyrt_displace(asset.get(), 2, nullptr, 0, nullptr, nullptr), LIMBER_DYRT_BAD_ARGUMENT);
}

// Layers: 50 vertices belong to both parts, one vertex of a part to another mesh.
TEST(DyrtSkin, PartsThatOverlapAddUpOnTheMesh) {
    const FileText file = usual_file();
    const Asset asset = load(make_bytes(file));
    const std::vector<float> q0 = some_numbers(5, 3), q1 = some_numbers(2, 4);
    const float* both[] = {q0.data(), q1.data()};
    for (const int warped : {0, 1}) {
        const std::vector<float> rest = some_numbers(1200, 8);
        std::vector<float> positions = rest, normals(1200, 0.0f);
        for (std::size_t v = 0; v < 400; ++v)
            normals[3 * v + 1] = v < 380 ? 1.0f : 2.0f;  // the last ones are nobody's: not touched, not made unit
        ASSERT_EQ(limber_dyrt_apply(asset.get(), 0, both, warped, positions.data(), normals.data(), 400),
                  LIMBER_DYRT_OK);
        for (std::size_t v = 0; v < 400; ++v) {
            double position[3], normal[3] = {0.0, v < 380 ? 1.0 : 2.0, 0.0};
            for (std::size_t c = 0; c < 3; ++c) position[c] = static_cast<double>(rest[3 * v + c]);
            const auto add = [&](const PartText& p, const std::vector<float>& q, std::size_t index) {
                Skin s = skin_of(p, q, index);
                if (warped) warp(s);
                for (std::size_t c = 0; c < 3; ++c) {
                    position[c] += s.move[c];
                    normal[c] += s.tilt[c];
                }
            };
            if (v < 300) add(file.parts[0], q0, v);
            if (v > 250 && v < 350) add(file.parts[1], q1, v - 250);  // index 0 is vertex 7 of mesh 1
            if (v < 350) make_unit(normal);
            for (std::size_t c = 0; c < 3; ++c) {
                ASSERT_NEAR(static_cast<double>(positions[3 * v + c]), position[c], 1e-5) << v;
                ASSERT_NEAR(static_cast<double>(normals[3 * v + c]), normal[c], 1e-5) << v;
            }
        }
    }
    std::vector<float> other(24, 0.0f);
    ASSERT_EQ(limber_dyrt_apply(asset.get(), 1, both, 0, other.data(), nullptr, 8), LIMBER_DYRT_OK);
    EXPECT_NEAR(static_cast<double>(other[21]), skin_of(file.parts[1], q1, 0).move[0], 1e-6);
    EXPECT_EQ(other[0], 0.0f);
    EXPECT_EQ(limber_dyrt_apply(asset.get(), 1, both, 0, other.data(), nullptr, 7), LIMBER_DYRT_BAD_ARGUMENT);
    EXPECT_EQ(limber_dyrt_apply(asset.get(), 2, both, 0, other.data(), nullptr, 8), LIMBER_DYRT_BAD_ARGUMENT);
}

}  // namespace
}  // namespace limber::runtime_tests
