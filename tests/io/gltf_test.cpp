#include "io/gltf_fixtures.hpp"
#include "io/mutate.hpp"
#include "io/temporary_folder.hpp"

#include "expect_error.hpp"
#include "io/files/atomic_file.hpp"

#include <limber/error.hpp>
#include <limber/tools/rig_io.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

using namespace testing_io;

/// The one line of the refusal; fails when there is none.
std::string gltf_refusal(const std::string& bytes, const std::string& path = "x.glb") {
    try {
        parse_gltf(bytes, path);
    } catch (const Error& e) {
        EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
        return e.what();
    }
    ADD_FAILURE() << "was read";
    return {};
}

template <class Change>
std::string refusal_after(Change&& change) {
    GltfBuilder b = sample_gltf();
    change(b);
    return gltf_refusal(b.glb());
}

#define EXPECT_NAMES(message, words) EXPECT_NE((message).find(words), std::string::npos) << (message)

TEST(Gltf, ASkinIsReadAsItWasWritten) {
    const Rig rig = parse_gltf(sample_gltf().glb(), "x.glb");
    ASSERT_EQ(rig.joints.size(), 3u);
    EXPECT_EQ(rig.joints[1].name, "Spine");
    EXPECT_EQ(rig.joints[1].parent, 0);
    EXPECT_EQ(rig.joints[1].rest.translation, (Vec3{0, 1, 0}));
    ASSERT_EQ(rig.parts.size(), 1u);
    const SkinPart& part = rig.parts[0];
    EXPECT_EQ(part.name, "strip");
    EXPECT_EQ(part.positions[3], (Vec3{1, 1, 0}));
    EXPECT_EQ(part.normals[0], (Vec3{0, 0, 1}));
    EXPECT_EQ(part.normals[5], (Vec3{0, 0, -1}));  // -128 counts as -1, not as less
    EXPECT_EQ(part.uvs[1][0], 1.0);
    ASSERT_EQ(part.triangles.size(), 4u);
    EXPECT_EQ(part.influences[3].weight[1], 0.75);
    EXPECT_EQ(part.influences[3].joint[1], 1);
    ASSERT_EQ(part.paint.size(), 1u);
    EXPECT_EQ(part.paint[0].name, "_BELLY");
    EXPECT_EQ(part.paint[0].values[5], 1.0);
    ASSERT_EQ(part.morphs.size(), 1u);
    EXPECT_EQ(part.morphs[0].name, "swell");
    EXPECT_EQ(rig.materials[0].base_color[1], 0.25);
    EXPECT_TRUE(rig.notes.empty()) << rig.notes[0];
}

TEST(Gltf, VertexColoursAreReadAsPaintByChannel) {
    // Bytes are fractions of 255, and the fourth channel is there only when the file has it.
    GltfBuilder b = sample_gltf();
    auto& attributes = b.root["meshes"][0]["primitives"][0]["attributes"];
    attributes["COLOR_0"] = b.accessor<std::uint8_t>(
        {255, 0, 51, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 255, 0, 0}, "VEC4", 4, true);
    attributes["COLOR_1"] = b.accessor<float>({0.5f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.25f}, "VEC3", 3);
    const std::vector<Paint> paint = parse_gltf(b.glb(), "x.glb").parts[0].paint;
    std::vector<std::string> names;
    names.reserve(paint.size());
    for (const Paint& p : paint) names.push_back(p.name);
    EXPECT_EQ(names, (std::vector<std::string>{"_BELLY", "COLOR_0.r", "COLOR_0.g", "COLOR_0.b", "COLOR_0.a",
                                               "COLOR_1.r", "COLOR_1.g", "COLOR_1.b"}));
    ASSERT_EQ(paint.size(), 8u);
    EXPECT_EQ(paint[1].values[0], 1.0);
    EXPECT_EQ(paint[2].values[5], 1.0);
    EXPECT_EQ(paint[3].values[0], 0.2);
    EXPECT_EQ(paint[4].values[5], 0.0);
    EXPECT_EQ(paint[7].values[5], 0.25);
    const Rig rig = parse_gltf(b.glb(), "x.glb");
    EXPECT_EQ(freedom_of(rig, parse_region("paint:COLOR_0.g"))[0], (std::vector<double>{0, 0, 0, 0, 0, 1}));
    attributes["COLOR_0"] = b.accessor<std::uint8_t>(
        {255, 0, 51, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 255, 0, 0}, "VEC4", 4, false);
    expect_error(Fault::bad_mesh, "COLOR_0", [&] { parse_gltf(b.glb(), "x.glb"); });
}

TEST(Gltf, MotionIsReadAsItWasWritten) {
    // Half-way to the second key: a slerp of 45 degrees about z at pi per second; a cubic; a step.
    const Rig rig = parse_gltf(sample_gltf().glb(), "x.glb");
    ASSERT_EQ(rig.clips.size(), 1u);
    EXPECT_EQ(rig.clips[0].name, "");
    EXPECT_EQ(rig.clips[0].duration, 1.0);
    EXPECT_EQ(find_clip(rig, "0"), 0u);
    const Pose pose = pose_at(rig, 0, 0.25);
    EXPECT_LT(norm(pose.angular_velocity[1] - Vec3{0, 0, std::acos(-1.0)}), 1e-6);
    // Hermite with value 0, rate 1 to value 1, rate 0 over half a second, at its middle: 0.5 + 0.5 / 8.
    EXPECT_NEAR(pose.position(0).x, 0.5625, 1e-12);
    EXPECT_EQ(pose.weights[0][0], 0.0);
    EXPECT_EQ(pose_at(rig, 0, 0.6).weights[0][0], 1.0);
    std::vector<Vec3> x(6);
    skin(rig, 0, pose, x);
    const double c = std::sqrt(0.5);
    EXPECT_LT(norm(x[5] - (Vec3{0.5625, 1, 0} + Vec3{c - c, c + c, 0})), 1e-6);
}

TEST(Gltf, TheThreeWaysToHoldABufferGiveTheSameRig) {
    const GltfBuilder b = sample_gltf();
    const TemporaryFolder folder;
    write_file(folder.file("some data.bin"), b.binary);
    write_file(folder.file("x.gltf"), b.gltf("some%20data.bin"));
    write_file(folder.file("x.glb"), b.glb());
    const Rig a = read_rig(folder.file("x.gltf")), c = read_rig(folder.file("x.glb")),
              d = parse_gltf(b.gltf("data:application/octet-stream;base64," + base64(b.binary)), "d.gltf");
    for (const Rig* rig : {&c, &d}) {
        EXPECT_EQ(rig->parts[0].positions, a.parts[0].positions);
        EXPECT_EQ(rig->parts[0].influences, a.parts[0].influences);
        EXPECT_EQ(rig->clips[0].channels[1].values, a.clips[0].channels[1].values);
    }
}

TEST(Gltf, UrisThatLeaveTheFolderAreRefused) {
    const TemporaryFolder folder;
    const GltfBuilder b = sample_gltf();
    std::filesystem::create_directory(folder.file("in"));
    write_file(folder.file("secret.bin"), b.binary);
    std::filesystem::create_symlink("../secret.bin", folder.file("in/link.bin"));
    const std::string path = folder.file("in/x.gltf");
    for (const char* uri : {"../secret.bin", "..%2fsecret.bin", "a/../../secret.bin", "%2e%2e/secret.bin",
                            "..\\secret.bin", "file:///etc/passwd", "http://x/y.bin"}) {
        EXPECT_NAMES(gltf_refusal(b.gltf(uri), path), "folder of the glTF file");
    }
    EXPECT_NAMES(gltf_refusal(b.gltf(folder.file("secret.bin")), path), "folder of the glTF file");
    EXPECT_NAMES(gltf_refusal(b.gltf("link.bin"), path), "leads elsewhere");
    EXPECT_NAMES(gltf_refusal(b.gltf("none.bin"), path), "is not there");
    EXPECT_NAMES(gltf_refusal(b.gltf("data:x;base64,@@@@"), path), "base64");
}

TEST(Gltf, StridesOffsetsAndSparseValuesAreFollowed) {
    GltfBuilder b = sample_gltf();
    // Positions interleaved with rubbish, behind an offset; then two of them replaced.
    std::vector<float> mixed(4, 99.0f);
    for (int v = 0; v < 6; ++v)
        for (const float f : {static_cast<float>(v), 10.0f + static_cast<float>(v), 0.0f, 77.0f}) mixed.push_back(f);
    const int view = b.view(mixed);
    b.root["bufferViews"][static_cast<std::size_t>(view)]["byteStride"] = 16;
    const int which = b.view<std::uint8_t>({1, 4}), what = b.view<float>({-1, -2, -3, -4, -5, -6});
    b.root["accessors"][0] = {{"bufferView", view},
                              {"byteOffset", 16},
                              {"componentType", 5126},
                              {"count", 6},
                              {"type", "VEC3"},
                              {"sparse",
                               {{"count", 2},
                                {"indices", {{"bufferView", which}, {"componentType", 5121}}},
                                {"values", {{"bufferView", what}}}}}};
    const Rig rig = parse_gltf(b.glb(), "x.glb");
    EXPECT_EQ(rig.parts[0].positions[0], (Vec3{0, 10, 0}));
    EXPECT_EQ(rig.parts[0].positions[1], (Vec3{-1, -2, -3}));
    EXPECT_EQ(rig.parts[0].positions[4], (Vec3{-4, -5, -6}));
    EXPECT_EQ(rig.parts[0].positions[5], (Vec3{5, 15, 0}));
}

TEST(Gltf, EightInfluencesAndOddWeightsAreMended) {
    GltfBuilder b = sample_gltf();
    json& attributes = b.root["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_1"] = b.accessor<std::uint16_t>(
        {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 9}, "VEC4", 4);
    attributes["WEIGHTS_1"] = b.accessor<std::uint8_t>(
        {0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4", 4, true);
    Rig rig = parse_gltf(b.glb(), "x.glb");
    EXPECT_EQ(rig.parts[0].influences[0].weight[0], 0.5);
    EXPECT_EQ(rig.parts[0].influences[0].weight[5], 0.5);
    EXPECT_EQ(rig.parts[0].influences[5].joint[7], 0);  // joint 9 does not exist, but has no weight
    ASSERT_EQ(rig.notes.size(), 1u);
    EXPECT_NAMES(rig.notes[0], "sum to 1");
}

TEST(Gltf, ChildrenBeforeParentsAreSortedAndCurvesFollow) {
    GltfBuilder b = sample_gltf();
    b.root["nodes"] = {{{"name", "Spine"}, {"translation", {0, 1, 0}}},
                       {{"name", "Hips"}, {"children", {0}}},
                       {{"mesh", 0}, {"skin", 0}}};
    b.root["skins"][0]["joints"] = {1, 0};
    b.root["scenes"][0]["nodes"] = {1, 2};
    b.root["animations"][0]["channels"][0]["target"]["node"] = 0;
    b.root["animations"][0]["channels"][1]["target"]["node"] = 1;
    const Rig rig = parse_gltf(b.glb(), "x.glb"), plain = parse_gltf(sample_gltf().glb(), "y.glb");
    EXPECT_EQ(rig.joints[0].name, "Hips");
    EXPECT_EQ(rig.joints[2].name, "node_2");
    std::vector<Vec3> x(6), y(6);
    skin(rig, 0, pose_at(rig, 0, 0.3), x);
    skin(plain, 0, pose_at(plain, 0, 0.3), y);
    EXPECT_EQ(x, y);
}

TEST(Gltf, MatricesOfNodesAreTakenApart) {
    // Scale 2, 3, -4 and a quarter turn about z, columns as glTF lists them.
    GltfBuilder b = sample_gltf();
    b.root["nodes"][1] = {{"name", "Spine"}, {"matrix", {0, 2, 0, 0, -3, 0, 0, 0, 0, 0, -4, 0, 5, 6, 7, 1}}};
    b.root.erase("animations");
    const Rig rig = parse_gltf(b.glb(), "x.glb");
    const Affine a = to_affine(rig.joints[1].rest);
    EXPECT_LT(norm(a * Vec3{1, 0, 0} - Vec3{5, 8, 7}), 1e-12);
    EXPECT_LT(norm(a * Vec3{0, 1, 0} - Vec3{2, 6, 7}), 1e-12);
    EXPECT_LT(norm(a * Vec3{0, 0, 1} - Vec3{5, 6, 3}), 1e-12);
}

TEST(Gltf, StripsFansAndMissingMatricesAreUnderstood) {
    GltfBuilder b = sample_gltf();
    json& primitive = b.root["meshes"][0]["primitives"][0];
    b.root["skins"][0].erase("inverseBindMatrices");
    primitive.erase("indices");
    primitive["mode"] = 5;
    Rig rig = parse_gltf(b.glb(), "x.glb");
    EXPECT_EQ(rig.bindings[0].inverse_bind[1], Affine{});
    ASSERT_EQ(rig.parts[0].triangles.size(), 4u);
    EXPECT_EQ(rig.parts[0].triangles[1],
              (std::array<std::int32_t, 3>{2, 1, 3}));  // turned round: same side as the first
    primitive["mode"] = 6;
    rig = parse_gltf(b.glb(), "x.glb");
    EXPECT_EQ(rig.parts[0].triangles[3], (std::array<std::int32_t, 3>{0, 4, 5}));
    primitive["mode"] = 1;
    rig = parse_gltf(b.glb(), "x.glb");
    EXPECT_TRUE(rig.parts.empty());
    EXPECT_FALSE(rig.notes.empty());
}

TEST(Gltf, AnotherUnitScalesEveryLength) {
    const Rig metres = parse_gltf(sample_gltf().glb(), "x.glb"), rig = parse_gltf(sample_gltf().glb(), "x.glb", {0.01});
    EXPECT_EQ(rig.unit, 0.01);
    std::vector<Vec3> x(6), y(6);
    skin(metres, 0, pose_at(metres, 0, 0.6), x);
    skin(rig, 0, pose_at(rig, 0, 0.6), y);
    for (std::size_t v = 0; v < x.size(); ++v) EXPECT_LT(norm(x[v] * 0.01 - y[v]), 1e-14);
}

TEST(GltfHostile, HierarchiesThatAreNoTreesAreRefused) {
    EXPECT_NAMES(refusal_after([](GltfBuilder& b) { b.root["nodes"][1]["children"] = {0}; }), "own ancestors");
    EXPECT_NAMES(refusal_after([](GltfBuilder& b) { b.root["nodes"][0]["children"] = {0}; }),
                 "two parents or is its own");
    EXPECT_NAMES(refusal_after([](GltfBuilder& b) { b.root["nodes"][2]["children"] = {1}; }), "two parents");
    EXPECT_NAMES(refusal_after([](GltfBuilder& b) { b.root["nodes"][0]["children"] = {77}; }), "the index 77");
}

TEST(GltfHostile, CountsAndOffsetsBeyondTheBytesAreRefused) {
    const auto accessor = [](const char* field, const json& value) {
        return refusal_after([&](GltfBuilder& b) { b.root["accessors"][0][field] = value; });
    };
    EXPECT_NAMES(accessor("count", 7), "buffer view");
    EXPECT_NAMES(accessor("count", 2147483647), "buffer view");
    EXPECT_NAMES(accessor("count", 1e300), "whole number");
    EXPECT_NAMES(accessor("count", -1), "whole number");
    EXPECT_NAMES(accessor("byteOffset", 1), "buffer view");
    EXPECT_NAMES(accessor("byteOffset", 2147483647), "buffer view");
    EXPECT_NAMES(accessor("componentType", 5130), "component type");
    EXPECT_NAMES(accessor("type", "VEC4"), "VEC3");
    const auto view = [](const char* field, const json& value) {
        return refusal_after([&](GltfBuilder& b) { b.root["bufferViews"][0][field] = value; });
    };
    EXPECT_NAMES(view("byteLength", 2147483647), "buffer of");
    EXPECT_NAMES(view("byteOffset", 2147483647), "buffer of");
    EXPECT_NAMES(view("byteStride", 4), "stride");
    EXPECT_NAMES(view("buffer", 1), "the index 1");
}

TEST(GltfHostile, MuchOutOfNothingIsRefused) {
    // An accessor without a view is zeros: two thousand million of them would be 48 GB.
    EXPECT_NAMES(refusal_after([](GltfBuilder& b) {
                     b.root["accessors"][0] = {{"componentType", 5126}, {"count", 2000000000}, {"type", "VEC3"}};
                 }),
                 "unfolds");
    // One mesh shown by a hundred thousand nodes.
    EXPECT_NAMES(refusal_after([](GltfBuilder& b) {
                     for (int i = 0; i < 100000; ++i) b.root["nodes"].push_back({{"mesh", 0}});
                     b.root.erase("scenes");
                     b.root.erase("scene");
                 }),
                 "unfolds");
}

TEST(GltfHostile, WrongContentsAreNamed) {
    const auto poked = [](std::size_t byte, float value) {
        return refusal_after([&](GltfBuilder& b) { std::memcpy(b.binary.data() + byte, &value, 4); });
    };
    EXPECT_NAMES(poked(16, NAN), "element 1");
    EXPECT_NAMES(poked(16, INFINITY), "element 1");
    const auto primitive = [](const char* field, const json& value) {
        return refusal_after([&](GltfBuilder& b) { b.root["meshes"][0]["primitives"][0][field] = value; });
    };
    EXPECT_NAMES(primitive("material", 4), "the index 4");
    EXPECT_NAMES(primitive("mode", 9), "mode");
    EXPECT_NAMES(primitive("indices", 0), "SCALAR");
    EXPECT_NAMES(refusal_after([](GltfBuilder& b) {
                     b.root["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = b.accessor<std::uint8_t>(
                         std::vector<std::uint8_t>(24, 5), "VEC4", 4);
                 }),
                 "names joint 5");
    EXPECT_NAMES(
        refusal_after([](GltfBuilder& b) {
            b.root["meshes"][0]["primitives"][0]["indices"] = b.accessor<std::uint16_t>({0, 1, 6}, "SCALAR", 1);
        }),
        "names vertex 6");
    EXPECT_NAMES(refusal_after([](GltfBuilder& b) {
                     b.root["animations"][0]["samplers"][0]["input"] = b.accessor<float>({0, 1, 0.5f}, "SCALAR", 1);
                 }),
                 "ascending");
    EXPECT_NAMES(refusal_after([](GltfBuilder& b) {
                     b.root["animations"][0]["samplers"][0]["input"] = b.accessor<float>({0, 1}, "SCALAR", 1);
                 }),
                 "values for 2 keys");
    EXPECT_NAMES(refusal_after([](GltfBuilder& b) {
                     b.root["animations"][0]["samplers"][0]["input"] = b.accessor<float>({-1, 0, 1}, "SCALAR", 1);
                 }),
                 "the time of key 0 is -1 s");
    EXPECT_NAMES(refusal_after([](GltfBuilder& b) {
                     b.root["animations"][0]["samplers"][0]["output"] = b.accessor<float>(
                         {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1}, "VEC4", 4);
                 }),
                 "key 1 is a rotation of length 0");
    EXPECT_NAMES(refusal_after([](GltfBuilder& b) {
                     b.root["skins"][0]["inverseBindMatrices"] = b.accessor<float>(matrix_moving(0, 0, 0), "MAT4", 16);
                 }),
                 "inverse bind");
}

TEST(GltfHostile, RotationsOfOtherLengthsAreScaledAndTold) {
    GltfBuilder b = sample_gltf();
    b.root["animations"][0]["samplers"][0]["interpolation"] = "LINEAR";
    b.root["animations"][0]["samplers"][0]["output"] = b.accessor<float>({0, 0, 0, 2, 0, 3, 0, 4, 1, 0, 0, 0}, "VEC4",
                                                                         4);
    const Rig rig = parse_gltf(b.glb(), "x.glb");
    const std::vector<double>& q = rig.clips[0].channels[0].values;
    EXPECT_EQ(q, (std::vector<double>{0, 0, 0, 1, 0, 0.6, 0, 0.8, 1, 0, 0, 0}));
    ASSERT_EQ(rig.notes.size(), 1u);
    EXPECT_NAMES(rig.notes[0], "no unit quaternions were scaled");
}

TEST(GltfHostile, RequiredExtensionsAreRefusedByName) {
    EXPECT_NAMES(refusal_after([](GltfBuilder& b) { b.root["extensionsRequired"] = {"KHR_draco_mesh_compression"}; }),
                 "KHR_draco_mesh_compression");
    GltfBuilder fine = sample_gltf();
    fine.root["extensionsRequired"] = {"KHR_mesh_quantization"};
    EXPECT_EQ(parse_gltf(fine.glb(), "x.glb").parts.size(), 1u);
}

TEST(GltfHostile, ContainersThatLieAreRefused) {
    const std::string good = sample_gltf().glb();
    EXPECT_NAMES(gltf_refusal("glTF"), "GLB file");
    EXPECT_NAMES(gltf_refusal(good.substr(0, good.size() - 4)), "cut");
    EXPECT_NAMES(gltf_refusal("glTF" + GltfBuilder::word(1) + good.substr(8)), "version");
    EXPECT_NAMES(gltf_refusal(good.substr(0, 12) + GltfBuilder::word(0xffffffffu) + good.substr(16)), "chunk 0 claims");
    EXPECT_NAMES(gltf_refusal("{}", "x.gltf"), "is missing");
    EXPECT_NAMES(gltf_refusal("[1]", "x.gltf"), "no glTF file");
    EXPECT_NAMES(gltf_refusal("{\"asset\":{\"version\":\"1.0\"}}", "x.gltf"), "version");
    std::string many = "{\"asset\":{\"version\":\"2.0\"},\"x\":[0";
    for (int i = 0; i < 2100000; ++i) many += ",0";
    EXPECT_NAMES(gltf_refusal(many + "]}", "x.gltf"), "values");
}

TEST(GltfHostile, DamagedFilesAreReadOrRefusedInOneLine) {
    const std::string valid = sample_gltf().glb();
    std::size_t refused = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        try {
            const Rig rig = parse_gltf(mutate(valid, seed), "mutant");
            if (!rig.clips.empty()) pose_at(rig, 0, 0.3);
        } catch (const Error& e) {
            ++refused;
            EXPECT_EQ(std::string(e.what()).find_first_of("\n\r"), std::string::npos);
        }
    }
    EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace limber
