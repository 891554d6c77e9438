#include "io/gltf/gltf_write.hpp"
#include "expect_error.hpp"

#include <limber/error.hpp>
#include <limber/tools/rig_io.hpp>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cstring>

namespace limber {
namespace {

/// Numbers that 32-bit floats hold exactly, so that a round trip has no excuse.
Rig two_bones() {
    Rig rig;
    rig.joints = {{"root", -1, {{0, 1, 0}, {}, {1, 1, 1}}},
                  {"tip", 0, {{0, 0.5, 0}, {0.5, 0.5, 0.5, 0.5}, {1, 2, 1}}},
                  {"holder", -1, {}}};
    SkinBinding binding = bind_at_rest(rig);
    binding.name = "skin";
    rig.bindings = {binding};
    SkinPart part;
    part.name = "arm";
    part.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0.5, -1}};
    part.normals = {{0, 0, 1}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
    part.uvs = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0.25}};
    part.triangles = {{0, 1, 2}, {2, 1, 3}};
    part.influences.resize(4);
    for (std::size_t v = 0; v < 4; ++v) {
        part.influences[v].joint = {0, 1, 2};
        part.influences[v].weight = {0.5, 0.25, 0.25};
    }
    part.influences[3].joint = {0, 1, 2, 0, 1};  // a fifth one: needs a second set
    part.influences[3].weight = {0.25, 0.25, 0.25, 0.125, 0.125};
    part.paint = {{"_BELLY", {0, 0.5, 1, 0.25}},
                  {"COLOR_0.r", {0, 1, 0.5, 0.25}},
                  {"COLOR_0.g", {1, 1, 0, 0.75}},
                  {"COLOR_0.b", {0, 0, 0, 0.125}}};
    part.morphs = {{"wide", {{1, 0, 0}, {0, 0, 0}, {0, 0, 2}, {0, 0.5, 0}}, {{0, 0.5, 0}, {}, {}, {}}, 0.25},
                   {"tall", {{0, 1, 0}, {}, {}, {}}, {{}, {}, {}, {1, 0, 0}}, 0.0}};
    part.binding = 0;
    part.joint = 2;
    part.material = 0;
    rig.parts = {part};
    MaterialLook look;
    look.name = "skin colour";
    look.base_color = {0.5, 0.25, 1, 0.5};
    look.alpha = "BLEND";
    look.double_sided = true;
    look.base_map.picture = 0;
    look.metallic = 0;
    look.roughness = 0.5;
    rig.materials = {look};
    rig.pictures = {{"dot", "image/png", {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 1, 2, 3}}};
    Channel turn{1, Channel::Target::rotation, Channel::Curve::linear, {0, 0.5}, {0, 0, 0, 1, 0.5, 0.5, 0.5, 0.5}};
    Channel move{0, Channel::Target::translation, Channel::Curve::step, {0, 0.5}, {0, 1, 0, 2, 1, 0}};
    Channel weigh{
        2, Channel::Target::weights, Channel::Curve::cubic, {0, 1}, {0, 0, 0.25, 0, 1, 2, 0, 0, -1, 0.5, 0, 0}};
    rig.clips = {{"wave", {turn, move, weigh}, 1.0}};
    return rig;
}

nlohmann::json json_of(const std::string& glb) {
    std::uint32_t length = 0;
    std::memcpy(&length, glb.data() + 12, 4);
    return nlohmann::json::parse(glb.substr(20, length));
}

TEST(WriteGlb, IsReadBackAsItWas) {
    const Rig before = two_bones();
    const Rig after = parse_gltf(format_glb(before, "arm.glb"), "arm.glb");
    ASSERT_EQ(after.joints.size(), before.joints.size());
    for (std::size_t j = 0; j < before.joints.size(); ++j) {
        EXPECT_EQ(after.joints[j].name, before.joints[j].name);
        EXPECT_EQ(after.joints[j].parent, before.joints[j].parent);
        EXPECT_EQ(after.joints[j].rest, before.joints[j].rest) << j;
    }
    ASSERT_EQ(after.bindings.size(), 1u);
    EXPECT_EQ(after.bindings[0].joints, before.bindings[0].joints);
    for (std::size_t j = 0; j < before.joints.size(); ++j) {
        for (int k = 0; k < 3; ++k) {
            EXPECT_NEAR(after.bindings[0].inverse_bind[j].translation[k],
                        before.bindings[0].inverse_bind[j].translation[k], 1e-6);
        }
    }
    ASSERT_EQ(after.parts.size(), 1u);
    const SkinPart &a = after.parts[0], &b = before.parts[0];
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.normals, b.normals);
    EXPECT_EQ(a.uvs, b.uvs);
    EXPECT_EQ(a.triangles, b.triangles);
    EXPECT_EQ(a.binding, 0);
    EXPECT_EQ(a.joint, 2);
    EXPECT_EQ(a.material, 0);
    for (std::size_t v = 0; v < 4; ++v) EXPECT_EQ(a.influences[v].weight, b.influences[v].weight) << v;
    ASSERT_EQ(a.paint.size(), b.paint.size());
    for (std::size_t i = 0; i < a.paint.size(); ++i) {
        EXPECT_EQ(a.paint[i].name, b.paint[i].name);
        EXPECT_EQ(a.paint[i].values, b.paint[i].values);
    }
    ASSERT_EQ(a.morphs.size(), 2u);
    for (std::size_t m = 0; m < 2; ++m) {
        EXPECT_EQ(a.morphs[m].name, b.morphs[m].name);
        EXPECT_EQ(a.morphs[m].positions, b.morphs[m].positions);
        EXPECT_EQ(a.morphs[m].normals, b.morphs[m].normals);
        EXPECT_EQ(a.morphs[m].weight, b.morphs[m].weight);
    }
}

TEST(WriteGlb, KeepsLooksPicturesAndClips) {
    const Rig before = two_bones();
    const Rig after = parse_gltf(format_glb(before, "arm.glb"), "arm.glb");
    ASSERT_EQ(after.materials.size(), 1u);
    EXPECT_EQ(after.materials[0].name, "skin colour");
    EXPECT_EQ(after.materials[0].base_color, before.materials[0].base_color);
    EXPECT_EQ(after.materials[0].alpha, "BLEND");
    EXPECT_TRUE(after.materials[0].double_sided);
    EXPECT_EQ(after.materials[0].base_map.picture, 0);
    ASSERT_EQ(after.pictures.size(), 1u);
    EXPECT_EQ(after.pictures[0].bytes, before.pictures[0].bytes);
    ASSERT_EQ(after.clips.size(), 1u);
    ASSERT_EQ(after.clips[0].channels.size(), 3u);
    for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_EQ(after.clips[0].channels[c].target, before.clips[0].channels[c].target);
        EXPECT_EQ(after.clips[0].channels[c].curve, before.clips[0].channels[c].curve);
        EXPECT_EQ(after.clips[0].channels[c].times, before.clips[0].channels[c].times);
        EXPECT_EQ(after.clips[0].channels[c].values, before.clips[0].channels[c].values);
    }
}

TEST(WriteGlb, SaysWhoWroteItAndKeepsItsChunksAligned) {
    const std::string glb = format_glb(two_bones(), "arm.glb", "scene arm 0x1");
    const nlohmann::json root = json_of(glb);
    EXPECT_EQ(root["asset"]["version"], "2.0");
    EXPECT_EQ(root["asset"]["extras"]["about"], "scene arm 0x1");
    EXPECT_TRUE(root["asset"]["extras"]["written_by"].contains("commit"));
    EXPECT_EQ(glb.size() % 4, 0u);
    for (const auto& view : root["bufferViews"]) EXPECT_EQ(view["byteOffset"].get<std::size_t>() % 4, 0u);
    EXPECT_EQ(glb, format_glb(two_bones(), "arm.glb", "scene arm 0x1"));
}

TEST(WriteGlb, RefusesNumbersThatDoNotFitAndBrokenRigs) {
    Rig far = two_bones();
    far.parts[0].positions[1].x = 1e39;
    expect_error(Fault::unsupported, "far.glb", [&] { format_glb(far, "far.glb"); });
    Rig broken = two_bones();
    broken.parts[0].triangles[0][1] = 17;
    expect_error(Fault::bad_data, "/parts/0", [&] { format_glb(broken, "broken.glb"); });
}

TEST(WriteGlb, OfSkinnedAndRigidPartsOnOneNodeMakesMeshesOfTheirOwn) {
    // A node has one mesh and one skin: what is not skinned needs a node below it, and the weights move both.
    Rig rig = two_bones();
    rig.parts.push_back(rig.parts[0]);
    rig.parts[1].binding = -1;
    rig.parts[1].influences.clear();
    const nlohmann::json root = json_of(format_glb(rig, "arm.glb"));
    EXPECT_EQ(root["meshes"].size(), 2u);
    EXPECT_EQ(root["nodes"].size(), 4u);
    EXPECT_EQ(root["nodes"][2]["children"], nlohmann::json::array({3}));
    EXPECT_EQ(root["animations"][0]["channels"].size(), 4u);
}

}  // namespace
}  // namespace limber
