// Looks that are changed between reading and writing, and rigs that lost what their looks name. (Untouched ones:
// tests/cli/looks_test.py.)
#include "expect_error.hpp"
#include "io/gltf/gltf_write.hpp"

#include <limber/error.hpp>
#include <limber/tools/rig_io.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cstring>

namespace limber {
namespace {

using json = nlohmann::json;

const char* const kMaterial =
    R"({"name": "skin", "extras": {"a": 1}, "emissiveFactor": [1, 1, 1], "emissiveTexture": {"index": 1, "texCoord": 1},
    "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": {"KHR_texture_transform": {"offset": [0.5, 0]}}},
        "extras": "x"},
    "extensions": {"KHR_materials_clearcoat": {"clearcoatTexture": {"index": 1}}}})";

/// A triangle with that material.
std::string model() {
    return std::string(R"({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
        "textures": [{"source": 0, "sampler": 0}, {"source": 0}], "samplers": [{"wrapS": 33071}],
        "images": [{"uri": "data:image/png;base64,iVBORw0KGgo="}],
        "extensionsUsed": ["KHR_texture_transform", "KHR_materials_clearcoat", "KHR_mesh_quantization"],
        "extensionsRequired": ["KHR_mesh_quantization"],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri": "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}], "materials": [)") +
           kMaterial + "]}";
}

json written(const Rig& rig) {
    const std::string glb = format_glb(rig, "a.glb");
    std::uint32_t length = 0;
    std::memcpy(&length, glb.data() + 12, 4);
    return json::parse(glb.substr(20, length));
}

}  // namespace

TEST(GltfLooks, WhatNobodyChangedIsWrittenAsItWasRead) {
    const Rig rig = parse_gltf(model(), "a.gltf");
    EXPECT_EQ(rig.materials[0].emissive_map.coordinates, 1);
    EXPECT_EQ(rig.materials[0].base_map.wrap_u, PictureUse::Wrap::clamp);
    EXPECT_EQ(rig.materials[0].base_map.offset[0], 0.5);
    const json after = written(rig);
    EXPECT_EQ(after["materials"][0], json::parse(kMaterial));
    EXPECT_EQ(after["extensionsUsed"], json::parse(R"(["KHR_materials_clearcoat", "KHR_texture_transform"])"))
        << "numbers are floats again";
    EXPECT_FALSE(after.contains("extensionsRequired"));
}

TEST(GltfLooks, AChangedFactorIsWrittenAndTheRestStays) {
    Rig rig = parse_gltf(model(), "a.gltf");
    rig.materials[0].roughness = 0.25;
    rig.materials[0].emissive_map = {};
    const json after = written(rig)["materials"][0];
    EXPECT_EQ(after["pbrMetallicRoughness"]["roughnessFactor"], 0.25);
    EXPECT_EQ(after["pbrMetallicRoughness"]["baseColorTexture"],
              json::parse(kMaterial)["pbrMetallicRoughness"]["baseColorTexture"]);
    EXPECT_EQ(after["pbrMetallicRoughness"]["extras"], "x");
    EXPECT_FALSE(after.contains("emissiveTexture"));
    EXPECT_EQ(after["extensions"], json::parse(kMaterial)["extensions"]);
    EXPECT_EQ(after["extras"], json::parse(kMaterial)["extras"]);
}

TEST(GltfLooks, WithoutTheFilesTexturesALookIsWrittenFromWhatItSays) {
    Rig rig = parse_gltf(model(), "a.gltf");
    rig.kept.clear();
    const json after = written(rig), &base = after["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"];
    EXPECT_EQ(base["extensions"]["KHR_texture_transform"]["offset"], json::parse("[0.5, 0.0]"));
    const json& texture = after["textures"][base["index"].get<std::size_t>()];
    EXPECT_EQ(texture["source"], 0);
    EXPECT_EQ(after["samplers"][texture["sampler"].get<std::size_t>()]["wrapS"], 33071);
    EXPECT_EQ(after["materials"][0]["emissiveTexture"]["texCoord"], 1);
    const Rig again = parse_gltf(format_glb(rig, "a.glb"), "a.glb");
    MaterialLook look = again.materials[0];
    look.kept = rig.materials[0].kept;
    EXPECT_EQ(look, rig.materials[0]);
    rig.kept = "no JSON";
    expect_error(Fault::bad_data, "a.glb", [&] { written(rig); });
}

}  // namespace limber
