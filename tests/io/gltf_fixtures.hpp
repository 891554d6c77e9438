// glTF files built byte by byte: JSON written here, a binary block filled number by number.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

namespace limber::testing_io {

using nlohmann::json;

/// Collects accessors into one buffer; edit `root` and `binary` before making files of them.
struct GltfBuilder {
    json root = {{"asset", {{"version", "2.0"}}}, {"accessors", json::array()}, {"bufferViews", json::array()}};
    std::string binary;

    template <class T>
    int view(const std::vector<T>& values) {
        while (binary.size() % 4 != 0) binary.push_back('\0');
        root["bufferViews"].push_back(
            {{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", values.size() * sizeof(T)}});
        binary.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
        return static_cast<int>(root["bufferViews"].size()) - 1;
    }
    template <class T>
    int accessor(const std::vector<T>& values, const char* type, std::size_t width, bool normalized = false) {
        json a = {{"bufferView", view(values)},
                  {"componentType", component<T>()},
                  {"count", values.size() / width},
                  {"type", type}};
        if (normalized) a["normalized"] = true;
        root["accessors"].push_back(a);
        return static_cast<int>(root["accessors"].size()) - 1;
    }
    template <class T>
    static int component() {
        if constexpr (std::is_same_v<T, float>) return 5126;
        if constexpr (std::is_same_v<T, std::int8_t>) return 5120;
        if constexpr (std::is_same_v<T, std::uint8_t>) return 5121;
        if constexpr (std::is_same_v<T, std::int16_t>) return 5122;
        if constexpr (std::is_same_v<T, std::uint16_t>) return 5123;
        return 5125;
    }

    std::string glb() const { return glb_of(with_buffer(nullptr).dump(), binary); }
    /// The JSON alone, its buffer under a URI.
    std::string gltf(const std::string& uri) const { return with_buffer(uri).dump(); }

    static std::string glb_of(std::string text, std::string bytes) {
        while (text.size() % 4 != 0) text.push_back(' ');
        while (bytes.size() % 4 != 0) bytes.push_back('\0');
        std::string out = "glTF" + word(2) + word(12 + 8 + text.size() + 8 + bytes.size());
        out += word(text.size()) + "JSON" + text;
        return out + word(bytes.size()) + std::string("BIN\0", 4) + bytes;
    }
    static std::string word(std::size_t n) {
        const auto v = static_cast<std::uint32_t>(n);
        std::string out(4, '\0');
        std::memcpy(out.data(), &v, 4);
        return out;
    }

private:
    json with_buffer(const json& uri) const {
        json out = root;
        json buffer = {{"byteLength", binary.size()}};
        if (!uri.is_null()) buffer["uri"] = uri;
        out["buffers"] = json::array({buffer});
        return out;
    }
};

inline std::vector<float> matrix_moving(float x, float y, float z) {
    return {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1};
}

/// Two bones (the upper at y = 1), a strip of two quads skinned to them, all curve kinds, a morph, paint; node 2 holds
/// the mesh.
inline GltfBuilder sample_gltf() {
    GltfBuilder b;
    const int positions = b.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0}, "VEC3", 3);
    const int normals = b.accessor<std::int8_t>({0, 0, 127, 0, 0, 127, 0, 0, 127, 0, 0, 127, 0, 0, 127, 0, 0, -128},
                                                "VEC3", 3, true);
    const int uvs = b.accessor<std::uint16_t>({0, 0, 65535, 0, 0, 32768, 65535, 32768, 0, 65535, 65535, 65535}, "VEC2",
                                              2, true);
    const int joints = b.accessor<std::uint8_t>(
        {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}, "VEC4", 4);
    const int weights = b.accessor<float>(
        {1, 0, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0, 0.25f, 0.75f, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}, "VEC4", 4);
    const int belly = b.accessor<float>({0, 0, 0.5f, 0.5f, 1, 1}, "SCALAR", 1);
    const int indices = b.accessor<std::uint16_t>({0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4}, "SCALAR", 1);
    const int morph = b.accessor<float>({0, 0, 0, 0, 0, 0, 0, 0, 0.5f, 0, 0, 0.5f, 0, 0, 1, 0, 0, 1}, "VEC3", 3);
    std::vector<float> bind = matrix_moving(0, 0, 0), second = matrix_moving(0, -1, 0);
    bind.insert(bind.end(), second.begin(), second.end());
    const int inverse_bind = b.accessor<float>(bind, "MAT4", 16);
    const int times = b.accessor<float>({0, 0.5f, 1}, "SCALAR", 1);
    const float h = 0.70710678f;
    const int turns = b.accessor<float>({0, 0, 0, 1, 0, 0, h, h, 0, 0, 0, 1}, "VEC4", 4);
    const int moves = b.accessor<float>(
        {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0}, "VEC3", 3);
    const int swell = b.accessor<float>({0, 1, 0}, "SCALAR", 1);
    b.root["nodes"] = {{{"name", "Hips"}, {"children", {1}}},
                       {{"name", "Spine"}, {"translation", {0, 1, 0}}},
                       {{"name", "body"}, {"mesh", 0}, {"skin", 0}}};
    b.root["scenes"] = {{{"nodes", {0, 2}}}};
    b.root["scene"] = 0;
    b.root["skins"] = {{{"joints", {0, 1}}, {"inverseBindMatrices", inverse_bind}}};
    b.root["materials"] = {
        {{"name", "skin"},
         {"pbrMetallicRoughness", {{"baseColorFactor", {0.5, 0.25, 0.125, 1}}, {"metallicFactor", 0}}}}};
    b.root["meshes"] = {{{"name", "strip"},
                         {"extras", {{"targetNames", {"swell"}}}},
                         {"primitives",
                          {{{"attributes",
                             {{"POSITION", positions},
                              {"NORMAL", normals},
                              {"TEXCOORD_0", uvs},
                              {"JOINTS_0", joints},
                              {"WEIGHTS_0", weights},
                              {"_BELLY", belly}}},
                            {"indices", indices},
                            {"material", 0},
                            {"targets", {{{"POSITION", morph}}}}}}}}};
    b.root["animations"] = {{{"samplers",
                              {{{"input", times}, {"output", turns}},
                               {{"input", times}, {"output", moves}, {"interpolation", "CUBICSPLINE"}},
                               {{"input", times}, {"output", swell}, {"interpolation", "STEP"}}}},
                             {"channels",
                              {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "rotation"}}}},
                               {{"sampler", 1}, {"target", {{"node", 0}, {"path", "translation"}}}},
                               {{"sampler", 2}, {"target", {{"node", 2}, {"path", "weights"}}}}}}}};
    return b;
}

inline std::string base64(const std::string& bytes) {
    static const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t v = 0;
        for (std::size_t k = 0; k < 3; ++k)
            v = (v << 8) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : kDigits[(v >> (18 - 6 * k)) & 63];
    }
    return out;
}

}  // namespace limber::testing_io
