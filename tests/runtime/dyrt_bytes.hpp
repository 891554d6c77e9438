// .dyrt files made by hand, byte by byte from docs/dyrt_format.md: the reader's tests must not depend on our own
// writer.
#pragma once

#include "dyrt/limber_dyrt.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace limber::runtime_tests {

struct Oscillator {
    float omega = 1.0f, decay = 0.0f, scale = 1.0f;
    std::array<float, 12> transfer{};
};

struct PartText {
    std::string name = "belly", bone = "Spine";
    std::vector<Oscillator> oscillators;
    std::uint32_t residuals = 0;
    std::array<float, 3> bind_position{};
    std::array<float, 4> bind_rotation{0, 0, 0, 1};
    std::array<float, 3> limits{1e6f, 1e6f, 1e6f};
    std::vector<float> coriolis, warp;
    std::vector<std::uint32_t> indices;  ///< mesh, vertex
    std::vector<float> rest, normals, shapes, corrections;
    std::uint64_t corrected = 0;
};

struct FileText {
    std::vector<PartText> parts;
    std::vector<std::uint32_t> mesh_sizes{0};
    std::array<float, 3> gravity{};
    float metres = 1.0f;
};

/// Where things ended up, for tests that spoil them.
struct Bytes {
    std::vector<std::uint8_t> bytes;

    void put(std::size_t at, std::uint32_t value) {
        for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> 8 * i);
    }
    void put(std::size_t at, float value) {
        std::uint32_t bits;
        std::memcpy(&bits, &value, 4);
        put(at, bits);
    }
    std::uint32_t get(std::size_t at) const {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i) value |= static_cast<std::uint32_t>(bytes[at + i]) << 8 * i;
        return value;
    }
    template <class T>
    std::uint32_t add(const std::vector<T>& words) {
        const std::size_t start = bytes.size();
        bytes.resize(start + 4 * words.size());
        for (std::size_t i = 0; i < words.size(); ++i) put(start + 4 * i, words[i]);
        return static_cast<std::uint32_t>(start);
    }
};

inline constexpr std::size_t kPart = 64;  ///< where the first part's record is

inline void put_part(const PartText& p, std::size_t at, std::uint32_t name, std::uint32_t bone, Bytes& out) {
    std::vector<float> oscillators, transfer;
    for (const Oscillator& o : p.oscillators) {
        oscillators.insert(oscillators.end(), {o.omega, o.decay, o.scale, 0.0f});
        transfer.insert(transfer.end(), o.transfer.begin(), o.transfer.end());
    }
    const std::uint32_t flags = (p.coriolis.empty() ? 0u : 1u) | (p.warp.empty() ? 0u : 2u);
    const std::uint32_t head[] = {name,
                                  bone,
                                  static_cast<std::uint32_t>(p.oscillators.size()),
                                  p.residuals,
                                  static_cast<std::uint32_t>(p.indices.size() / 2),
                                  flags,
                                  static_cast<std::uint32_t>(p.corrected),
                                  static_cast<std::uint32_t>(p.corrected >> 32)};
    for (std::size_t i = 0; i < 8; ++i) out.put(at + 4 * i, head[i]);
    for (std::size_t i = 0; i < 3; ++i) out.put(at + 32 + 4 * i, p.bind_position[i]);
    for (std::size_t i = 0; i < 4; ++i) out.put(at + 44 + 4 * i, p.bind_rotation[i]);
    for (std::size_t i = 0; i < 3; ++i) out.put(at + 100 + 4 * i, p.limits[i]);
    out.put(at + 60, 1.0f);
    out.put(at + 64, out.add(oscillators));
    out.put(at + 68, out.add(transfer));
    out.put(at + 72, p.coriolis.empty() ? 0u : out.add(p.coriolis));
    out.put(at + 76, out.add(p.indices));
    out.put(at + 80, out.add(p.rest));
    out.put(at + 84, out.add(p.normals));
    out.put(at + 88, out.add(p.shapes));
    out.put(at + 92, out.add(p.corrections));
    out.put(at + 96, p.warp.empty() ? 0u : out.add(p.warp));
}

inline Bytes make_bytes(const FileText& file) {
    Bytes out;
    out.bytes.resize(64 + 128 * file.parts.size() + 8 * file.mesh_sizes.size());
    std::memcpy(out.bytes.data(), "limbdyrt", 8);
    std::string strings = "made by a test";
    const auto add_string = [&strings](const std::string& s) {
        strings += '\0';
        strings += s;
        return static_cast<std::uint32_t>(strings.size() - s.size());
    };
    for (std::size_t i = 0; i < file.parts.size(); ++i) {
        const std::uint32_t name = add_string(file.parts[i].name);
        put_part(file.parts[i], kPart + 128 * i, name, add_string(file.parts[i].bone), out);
    }
    for (std::size_t i = 0; i < file.mesh_sizes.size(); ++i) {
        out.put(64 + 128 * file.parts.size() + 8 * i, add_string("mesh" + std::to_string(i)));
        out.put(64 + 128 * file.parts.size() + 8 * i + 4, file.mesh_sizes[i]);
    }
    strings += '\0';
    const auto start = static_cast<std::uint32_t>(out.bytes.size());
    out.bytes.insert(out.bytes.end(), strings.begin(), strings.end());
    out.bytes.resize((out.bytes.size() + 3) / 4 * 4);
    const std::uint32_t head[] = {1, static_cast<std::uint32_t>(out.bytes.size()),
                                  static_cast<std::uint32_t>(file.parts.size()),
                                  static_cast<std::uint32_t>(file.mesh_sizes.size())};
    for (std::size_t i = 0; i < 4; ++i) out.put(8 + 4 * i, head[i]);
    out.put(24, file.metres);
    for (std::size_t i = 0; i < 3; ++i) out.put(28 + 4 * i, file.gravity[i]);
    out.put(40, start);
    out.put(44, static_cast<std::uint32_t>(strings.size()));
    return out;
}

struct FreeAsset {
    void operator()(limber_dyrt_asset* a) const { limber_dyrt_free(a); }
};
struct FreeCrowd {
    void operator()(limber_dyrt_crowd* c) const { limber_dyrt_crowd_free(c); }
};
using Asset = std::unique_ptr<limber_dyrt_asset, FreeAsset>;
using Crowd = std::unique_ptr<limber_dyrt_crowd, FreeCrowd>;

inline Asset load(const Bytes& b, limber_dyrt_result* result = nullptr) {
    limber_dyrt_asset* out = nullptr;
    const limber_dyrt_result r = limber_dyrt_load(b.bytes.data(), b.bytes.size(), &out);
    if (result != nullptr) *result = r;
    return Asset(out);
}

inline Crowd make_crowd(const Asset& asset, int count, const limber_dyrt_settings& settings) {
    limber_dyrt_crowd* out = nullptr;
    limber_dyrt_crowd_create(asset.get(), count, &settings, &out);
    return Crowd(out);
}

inline limber_dyrt_settings default_settings(const Asset& asset) {
    limber_dyrt_settings s;
    limber_dyrt_default_settings(asset.get(), &s);
    return s;
}

/// Small numbers without a pattern, -1 to 1.
inline std::vector<float> some_numbers(std::size_t count, std::uint32_t seed) {
    std::vector<float> out(count);
    for (float& v : out) {
        seed = seed * 1664525u + 1013904223u;
        v = static_cast<float>(seed >> 8) / 8388608.0f - 1.0f;
    }
    return out;
}

/// A part with `modes` oscillators and `n` vertices of mesh 0, everything in it some number.
inline PartText some_part(std::size_t modes, std::uint32_t n, std::uint32_t seed) {
    PartText p;
    for (std::size_t k = 0; k < modes; ++k) {
        Oscillator o;
        o.omega = 10.0f + 7.0f * static_cast<float>(k);
        o.decay = 0.05f * o.omega;
        o.scale = 0.5f + 0.1f * static_cast<float>(k);
        const std::vector<float> t = some_numbers(12, seed + 17 * static_cast<std::uint32_t>(k));
        for (std::size_t i = 0; i < 12; ++i) o.transfer[i] = t[i];
        p.oscillators.push_back(o);
        p.corrected |= 1ull << k;
    }
    for (std::uint32_t v = 0; v < n; ++v) p.indices.insert(p.indices.end(), {0u, v});
    p.rest = some_numbers(3 * n, seed + 1);
    p.normals.assign(3 * n, 0.0f);
    for (std::size_t v = 0; v < n; ++v) p.normals[3 * v + v % 3] = 1.0f;
    p.shapes = some_numbers(3 * n * modes, seed + 2);
    p.corrections = some_numbers(3 * n * modes, seed + 3);
    p.warp = some_numbers(3 * n * modes, seed + 4);
    p.coriolis = some_numbers(3 * modes * modes, seed + 5);
    return p;
}

}  // namespace limber::runtime_tests
