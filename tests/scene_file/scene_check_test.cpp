#include "scene_file/scene_texts.hpp"

#include "core/text.hpp"
#include "expect_error.hpp"
#include "io/temporary_folder.hpp"

#include <limber/tools/mesh_io.hpp>

#include <gtest/gtest.h>

#include <fstream>

namespace limber::testing_io {
namespace {

TEST(SceneCheck, AFieldWithAnEmptyNameIsAFaultAndNotACrash) {
    // Found by the fuzzer: most tables have no choosing field, and "" was looked up as one.
    EXPECT_FALSE(check_text(R"({"": 0})").ok());
    EXPECT_FALSE(check_text(R"({"format": 1, "bodies": [{"": "", "mesh": {"": 1}}], "": {}})").ok());
}

TEST(SceneCheck, ASoundSceneHasNoFaultsAndItsValuesArrive) {
    const SceneCheck check = check_text(kSoundScene);
    ASSERT_TRUE(check.ok()) << all_lines(check.faults);
    EXPECT_TRUE(check.warnings.empty()) << all_lines(check.warnings);
    const Scene& scene = *check.scene;
    EXPECT_EQ(scene.step, 1.0 / 30.0);
    EXPECT_EQ(scene.bodies[0].mesh.generator.counts, (std::array<int, 3>{2, 1, 1}));
    EXPECT_EQ(scene.bodies[0].mesh.generator.high, (Vec3{2.0, 1.0, 1.0}));
    EXPECT_EQ(scene.bodies[0].anchors[0].name, "left");
    EXPECT_EQ(scene.bodies[0].handles[0].keys[1].translation.x, 0.1);
    EXPECT_EQ(*scene.method.options.at("scheme").word(), "bdf2");
    EXPECT_EQ(scene.output.every, 1);
    ASSERT_TRUE(check.body);
    EXPECT_EQ(check.body->handles()[0].vertices.size(), 4u);
}

TEST(SceneCheck, ManySubStepsOfAnExplicitSchemeAreForetold) {
    // Damping of 0.1 s on cells of 1 m: nothing in the scene says that a step will be cut into hundreds.
    const std::string damped = with(with(kSoundScene, "bdf2", "symplectic_euler"), "\"young\": 1000",
                                    "\"young\": 1e8, \"rayleigh_beta\": 0.1");
    const SceneCheck check = check_text(damped);
    ASSERT_TRUE(check.ok()) << all_lines(check.faults);
    ASSERT_EQ(check.warnings.size(), 1u) << all_lines(check.warnings);
    EXPECT_EQ(check.warnings[0].place.field, "/method/options/scheme");
    const std::string line = to_string(check.warnings[0]);
    EXPECT_NE(line.find("sub-steps"), std::string::npos) << line;
    EXPECT_NE(line.find("without it about"), std::string::npos) << line;
    EXPECT_TRUE(check_text(with(kSoundScene, "bdf2", "symplectic_euler")).warnings.empty());
}

TEST(SceneCheck, AnExplicitStepThatIsNotCutIsForetoldToBlowUp) {
    const std::string stiff = with(with(kSoundScene, "bdf2", "newmark_explicit"), "\"young\": 1000", "\"young\": 1e12");
    const SceneCheck check = check_text(stiff);
    ASSERT_TRUE(check.ok()) << all_lines(check.faults);
    ASSERT_EQ(check.warnings.size(), 1u) << all_lines(check.warnings);
    const std::string line = to_string(check.warnings[0]);
    EXPECT_NE(line.find("will blow up"), std::string::npos) << line;
    EXPECT_EQ(line.find("sub-steps"), std::string::npos) << line;
    EXPECT_TRUE(check_text(with(kSoundScene, "bdf2", "newmark_explicit")).warnings.empty());
}

class OneFaultEach : public testing::TestWithParam<Slip> {};

TEST_P(OneFaultEach, IsToldOnceWithPlaceFoundAndExpected) {
    // One wrong thing must give one line: echoes of it elsewhere bury the cause.
    const Slip& p = GetParam();
    const SceneCheck check = check_text(with(kSoundScene, p.from, p.to));
    ASSERT_EQ(check.faults.size(), 1u) << all_lines(check.faults);
    const std::string line = to_string(check.faults[0]);
    EXPECT_EQ(check.faults[0].place.field, p.field) << line;
    EXPECT_NE(line.find(p.found), std::string::npos) << line;
    EXPECT_NE(line.find(p.expected), std::string::npos) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_FALSE(check.ok());
}

INSTANTIATE_TEST_SUITE_P(
    Scene, OneFaultEach,
    testing::Values(
        Slip{"\"duration\": 1", "\"duration\": 1, \"output\": {\"csv\": true}", "/output/probes", "no probes",
             "at least one"},
        Slip{"\"1/30\"", "1e-320", "/step", "e-3", "1e-09"}, Slip{"\"1/30\"", "1e-11", "/step", "1e-11", "1e-09"},
        Slip{"\"scheme\": \"bdf2\"", "\"step\": 1e-9", "/duration", "steps; expected", "at most"},
        Slip{"\"high\": [2, 1, 1]", "\"high\": [2, 1, 1e-14]", "/bodies/0", "without volume", "cells with a volume"},
        Slip{"\"young\": 1000", "\"young\": -5", "/bodies/0/materials/0/young", "-5", "above 0"},
        Slip{"\"young\": 1000", "\"young\": \"soft\"", "/bodies/0/materials/0/young", "\"soft\"", "[Pa]"},
        Slip{"\"young\": 1000", "\"yuong\": 1000", "/bodies/0/materials/0/yuong", "no such field",
             "did you mean \"young\"?"},
        Slip{"\"young\": 1000, ", "", "/bodies/0/materials/0/young", "missing", "a number"},
        Slip{"\"young\": 1000, \"poisson\": 0.3, \"density\": 1000", "", "/bodies/0/materials/0", "too little",
             "preset, or young and poisson and density"},
        Slip{"\"poisson\": 0.3", "\"poisson\": 0.5", "/bodies/0/materials/0/poisson", "0.5", "below 0.5"},
        Slip{"\"poisson\": 0.3", "\"poisson\": 0.3, \"preset\": \"jely\"", "/bodies/0/materials/0/preset", "jely",
             "did you mean \"jelly\"?"},
        Slip{"\"poisson\": 0.3", "\"poisson\": 0.3, \"poisson\": 0.4", "/bodies/0/materials/0/poisson", "given twice",
             "each name once"},
        Slip{"\"poisson\": 0.3", "\"poisson\": 0.3, \"cells\": \"bone\"", "/bodies/0/materials/0/cells", "bone",
             "\"*\""},
        Slip{"[2, 1, 1], \"high\"", "[2, 1], \"high\"", "/bodies/0/mesh/counts", "[2, 1]", "3 of them for a box"},
        Slip{"[2, 1, 1], \"high\"", "[2, 1.5, 1], \"high\"", "/bodies/0/mesh/counts/1", "1.5", "whole number"},
        Slip{"[2, 1, 1], \"high\"", "[2, 1, 100000000000], \"high\"", "/bodies/0/mesh/counts/2", "100000000000",
             "at most 10000"},
        Slip{"[2, 1, 1], \"high\"", "[9999, 9999, 9999], \"high\"", "/bodies/0/mesh/counts", "cells", "at most"},
        Slip{"\"high\": [2, 1, 1]", "\"high\": [2, -1, 1]", "/bodies/0/mesh/high", "-1", "low below high"},
        Slip{"\"high\": [2, 1, 1]", "\"high\": [2, 1, 1, 1]", "/bodies/0/mesh/high", "a list of 4", "[x, y, z]"},
        Slip{"\"high\": [2, 1, 1]", "\"high\": [2, 1, 1], \"radius\": 3", "/bodies/0/mesh/radius",
             "not used by \"box\"", "ball, cylinder, torus"},
        Slip{"\"shape\": \"box\"", "\"shape\": \"bx\"", "/bodies/0/mesh/shape", "\"bx\"", "did you mean \"box\"?"},
        Slip{"\"shape\": \"box\"", "\"shape\": \"box\", \"path\": \"a.msh\"", "/bodies/0/mesh", "2 alternatives",
             "exactly one of path, surfaces, asset, shape"},
        Slip{"\"shape\": \"box\", \"kind\": \"hex8\", \"counts\": [2, 1, 1], \"high\": [2, 1, 1]",
             "\"path\": \"nowhere.msh\"", "/bodies/0/mesh/path", "nowhere.msh", ""},
        Slip{"\"set\": \"left\"", "\"set\": \"lefft\"", "/bodies/0/anchors/0/set", "lefft", "did you mean \"left\"?"},
        Slip{"\"set\": \"left\"", "\"set\": \"left\", \"axes\": \"xx\"", "/bodies/0/anchors/0/axes", "\"xx\"",
             "each once"},
        Slip{"{\"t\": 0}", "{\"t\": 0.5}", "/bodies/0/handles/0/keyframes/1/t", "0.5 s after 0.5 s", "ascending"},
        Slip{"{\"t\": 0}", "{}", "/bodies/0/handles/0/keyframes/0/t", "missing", "[s]"},
        Slip{"{\"t\": 0}", "7", "/bodies/0/handles/0/keyframes/0", "7", "an object"},
        Slip{"[[2, 0, 0], [2, 1, 1]]", "[[5, 0, 0], [6, 1, 1]]", "/bodies/0/sets/0", "holds no vertex",
             "the mesh spans [0, 0, 0] to [2, 1, 1] m"},
        Slip{"\"sets\": [", "\"sets\": [{\"name\": \"left\", \"nearest\": [0, 0]}, ", "/bodies/0/sets/0/name",
             "already a set", "a name of its own"},
        Slip{"linear_fem", "linear_fme", "/method/name", "linear_fme", "did you mean \"linear_fem\"?"},
        Slip{"\"scheme\": \"bdf2\"", "\"scheme\": \"bdf3\"", "/method/options/scheme", "bdf3", "bdf2"},
        Slip{"\"scheme\": \"bdf2\"", "\"shceme\": \"bdf2\"", "/method/options/shceme", "shceme", "scheme"},
        Slip{"\"scheme\": \"bdf2\"", "\"scheme\": [1]", "/method/options/scheme", "a list of 1", "text"},
        Slip{"\"1/30\"", "\"1/0\"", "/step", "1/0", "fraction"}, Slip{"\"1/30\"", "0", "/step", "0", "1e-09"},
        Slip{"\"duration\": 1", "\"duration\": 1e300", "/duration", "1e+300", "[s]"},
        Slip{"\"duration\": 1", "\"duration\": -1", "/duration", "-1", "at least 0"},
        Slip{"\"step\": \"1/30\"", "\"step\": 1e-9", "/duration", "steps", "at most"},
        Slip{"\"format\": 1", "\"format\": 0", "/format", "0", "1"},
        Slip{"\"format\": 1,", "", "/format", "missing", "whole number"},
        Slip{"\"duration\": 1", "\"duration\": 1, \"output\": {\"probes\": [{\"name\": \"p\", \"point\": [9, 9, 9]}]}",
             "/output/probes/0/point", "outside the body", ""},
        Slip{"\"duration\": 1",
             "\"duration\": 1, \"gravity\": {\"vector\": [0, 0, 0], \"start\": 1, \"keyframes\": [{\"t\": 0, "
             "\"scale\": 1}]}",
             "/gravity/start", "both", "one of them"},
        Slip{"\"duration\": 1", "\"duration\": 1, \"gravity\": \"down\"", "/gravity", "\"down\"", "[x, y, z]"},
        Slip{"\"duration\": 1", "\"duration\": 1, \"gravity\": [0, -1e30, 0]", "/gravity", "-1e+30", "at most"},
        Slip{"[[2, 0, 0], [2, 1, 1]]", "[[2, 0, 0], [2, 1e30, 1]]", "/bodies/0/sets/0/box", "", "at most"}),
    [](const auto& one) { return one.param.name(); });

TEST(SceneCheck, EveryFaultIsToldAtOnce) {
    std::string text = with(kSoundScene, "\"young\": 1000", "\"yuong\": 1000");
    text = with(text, "\"set\": \"left\"", "\"set\": \"lefft\"");
    text = with(text, "\"scheme\": \"bdf2\"", "\"scheme\": \"bdf3\", \"masss\": \"lumped\"");
    text = with(text, "\"1/30\"", "\"soon\"");
    text = with(text, "[[2, 0, 0], [2, 1, 1]]", "[[5, 0, 0], [6, 1, 1]]");
    const SceneCheck check = check_text(text);
    const std::vector<std::string> expected{
        "/bodies/0/materials/0/yuong", "/method/options/scheme", "/method/options/masss", "/step", "/bodies/0/sets/0",
        "/bodies/0/anchors/0/set"};
    EXPECT_EQ(fields_of(check.faults), expected) << all_lines(check.faults);
    EXPECT_FALSE(check.scene);
}

TEST(SceneCheck, AnExceptionCarriesTheFirstFaultAndTheirNumber) {
    const std::string text = with(with(kSoundScene, "\"young\": 1000", "\"yuong\": 1000"), "\"1/30\"", "0");
    try {
        parse_scene(text, "test.json");
        FAIL();
    } catch (const SceneError& error) {
        EXPECT_EQ(error.faults().size(), 2u);
        EXPECT_NE(std::string(error.what()).find("1 more fault"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("did you mean \"young\"?"), std::string::npos) << error.what();
    }
}

TEST(SceneCheck, ANewerFormatIsRefusedByItsNumberAlone) {
    // A newer file may have fields this version cannot know: faults about those would mislead.
    const SceneCheck check = check_text(
        with(with(kSoundScene, "\"format\": 1", "\"format\": 2"), "\"step\"", "\"stride\""));
    ASSERT_EQ(check.faults.size(), 1u);
    EXPECT_NE(to_string(check.faults[0]).find("newer"), std::string::npos);
}

TEST(SceneCheck, SyntaxFaultsNameLineAndColumn) {
    const SceneCheck check = check_text("{\n  \"format\": 1,\n  \"name\" \"x\"\n}");
    ASSERT_EQ(check.faults.size(), 1u);
    EXPECT_EQ(check.faults[0].place.line, 3);
    const std::string line = to_string(check.faults[0]);
    EXPECT_EQ(line.find("test.json:3: column 12"), 0u) << line;
}

TEST(SceneCheck, TextThatIsNoSceneIsOneLineNotACrash) {
    const std::string deep(100000, '[');
    std::string list = "[1";
    for (int i = 0; i < 1100000; ++i) list += ",1";
    const std::vector<std::string> texts{"",
                                         " \n",
                                         "null",
                                         "[]",
                                         "7",
                                         "{",
                                         "{\"format\": 1e999}",
                                         "{\"format\": NaN}",
                                         deep,
                                         "\"" + std::string(70u << 20, 'x') + "\"",
                                         std::string("\xff\xfe{\0\"\0", 6),
                                         "{\"a\": \"\xc3\x28\"}",
                                         std::string("{\"a\0\": 1}", 9),
                                         list + "]",
                                         "{} {}"};
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const SceneCheck check = check_text(texts[i]);
        EXPECT_FALSE(check.ok()) << i;
        for (const SceneFault& fault : check.faults) {
            const std::string line = to_string(fault);
            EXPECT_EQ(line.find('\n'), std::string::npos) << i;
            EXPECT_LT(line.size(), 600u) << i;
        }
    }
}

TEST(SceneCheck, EveryProbeOutsideTheBodyIsTold) {
    const SceneCheck check = check_text(with(kSoundScene, "\"duration\": 1", R"("duration": 1, "output": {"probes": [
        {"name": "a", "point": [9, 9, 9]}, {"name": "b", "vertex": 0}, {"name": "c", "vertex": 12}]})"));
    EXPECT_EQ(fields_of(check.faults), (std::vector<std::string>{"/output/probes/0/point", "/output/probes/2/vertex"}));
}

TEST(SceneCheck, MillionsOfFaultsAreCut) {
    std::string keys = "{\"t\": 0}";
    for (int i = 0; i < 5000; ++i) keys += ", {\"tt\": 0}";
    const SceneCheck check = check_text(with(kSoundScene, "{\"t\": 0}", keys));
    EXPECT_EQ(check.faults.size(), 201u);
    EXPECT_NE(check.faults.back().found.find("more fault"), std::string::npos);
}

TEST(SceneCheck, TwoThingsOfOneNameAreAFault) {
    const SceneCheck check = check_text(
        with(kSoundScene, "[{\"set\": \"left\"}]",
             "[{\"name\": \"a\", \"set\": \"left\"}, {\"name\": \"a\", \"set\": \"left\"}]"));
    EXPECT_EQ(fields_of(check.faults), (std::vector<std::string>{"/bodies/0/anchors/1/name"}))
        << all_lines(check.faults);
}

TEST(SceneCheck, WarnsOfLockingDisplacedStartsLateKeysAndUnusedSetsButRuns) {
    std::string text = with(kSoundScene, "\"poisson\": 0.3", "\"poisson\": 0.49");
    text = with(text, "\"scheme\": \"bdf2\"", "\"integration\": \"full\", \"step\": 0.01");
    text = with(text, "{\"t\": 0}, {\"t\": 0.5", "{\"t\": 0, \"translation\": [0.1, 0, 0]}, {\"t\": 5");
    text = with(text, "\"sets\": [", "\"sets\": [{\"name\": \"idle\", \"nearest\": [0, 0]}, ");
    const SceneCheck check = check_text(text);
    EXPECT_TRUE(check.ok()) << all_lines(check.faults);
    EXPECT_EQ(
        fields_of(check.warnings),
        (std::vector<std::string>{"/bodies/0/materials", "/method/options/step", "/bodies/0/handles/0/keyframes/0",
                                  "/bodies/0/handles/0/keyframes/1/t", "/bodies/0/sets/0"}))
        << all_lines(check.warnings);
    const SceneCheck cured = check_text(with(text, "\"integration\": \"full\"", "\"integration\": \"bbar\""));
    EXPECT_EQ(cured.warnings.size(), 4u) << all_lines(cured.warnings);
}

TEST(SceneCheck, AFirstMotionThatTheMethodCannotTakeIsAFault) {
    // `limber run` said so alone, once it had prepared: a held body of bem has no inertia.
    const std::string moving = with(kSoundScene, "\"handles\"", "\"motion\": {\"velocity\": [1, 0, 0]}, \"handles\"");
    EXPECT_TRUE(check_text(moving).ok()) << all_lines(check_text(moving).faults);
    const SceneCheck check = check_text(
        with(moving, "\"linear_fem\", \"options\": {\"scheme\": \"bdf2\"}", "\"bem\", \"options\": {}"));
    ASSERT_EQ(check.faults.size(), 1u) << all_lines(check.faults);
    EXPECT_EQ(check.faults[0].place.field, "/bodies/0/motion");
    EXPECT_NE(check.faults[0].found.find("cannot start with this motion"), std::string::npos) << check.faults[0].found;
}

TEST(SceneCheck, ABodyThatTheMethodCannotTakeIsAFaultOfTheMethod) {
    // linear_fem takes a free body, but a handle and an anchor may not drive the same vertex.
    const SceneCheck check = check_text(with(kSoundScene, "\"set\": \"end\"", "\"set\": \"left\""));
    ASSERT_EQ(check.faults.size(), 1u) << all_lines(check.faults);
    EXPECT_NE(to_string(check.faults[0]).find("both prescribe"), std::string::npos);
}

TEST(SceneCheck, MeshFilesAreFoundBesideTheSceneAndTheirFaultsNamed) {
    const TemporaryFolder folder;
    write_mesh(folder.file("bar.msh"), make_box(CellKind::hex8, 2, 1, 1, {}, {20.0, 10.0, 10.0}),
               MeshFormat::msh4_ascii);
    std::string text = with(kSoundScene,
                            "\"shape\": \"box\", \"kind\": \"hex8\", \"counts\": [2, 1, 1], \"high\": [2, 1, 1]",
                            "\"path\": \"bar.msh\", \"unit\": \"cm\"");
    text = with(text, "[{\"set\": \"left\"}]", "[{\"set\": \"wall\"}]");
    text = with(text, "[{\"name\": \"end\", \"box\": [[2, 0, 0], [2, 1, 1]]}]",
                "[{\"name\": \"end\", \"box\": [[0.2, 0, 0], [0.2, 0.1, 0.1]]}, {\"name\": \"wall\", \"box\": [[0, 0, "
                "0], [0, 1, 1]]}]");
    std::ofstream(folder.file("scene.json")) << text;
    const SceneCheck check = check_scene(folder.file("scene.json"));
    ASSERT_TRUE(check.ok()) << all_lines(check.faults);
    EXPECT_NEAR(measure_of(check.body->mesh()), 0.2 * 0.1 * 0.1, 1e-12);

    std::ofstream(folder.file("bar.msh")) << "$MeshFormat\n4.1 0 8\nrubbish";
    const SceneCheck broken = check_scene(folder.file("scene.json"));
    ASSERT_EQ(broken.faults.size(), 1u) << all_lines(broken.faults);
    EXPECT_EQ(broken.faults[0].place.field, "/bodies/0/mesh/path");
    EXPECT_NE(broken.faults[0].found.find("bar.msh"), std::string::npos);
}

TEST(SceneCheck, AMissingFileIsAFaultAndNotAnException) {
    const SceneCheck check = check_scene("no/such/scene.json");
    ASSERT_EQ(check.faults.size(), 1u);
    EXPECT_EQ(check.faults[0].fault, Fault::bad_file);
    expect_error(Fault::bad_file, "no/such/scene.json", [&] { read_scene("no/such/scene.json"); });
}

}  // namespace
}  // namespace limber::testing_io
