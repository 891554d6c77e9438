#include "scene_file/scene_set.hpp"
#include "core/text.hpp"
#include "expect_error.hpp"
#include "scene_file/scene_texts.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace limber::testing_io {
namespace {

Scene with_sets(const std::vector<std::string>& sets) { return parse_scene(kSoundScene, "test.json", sets); }

std::string set_fault_of(const std::string& set) {
    const SceneCheck check = check_scene_text(kSoundScene, "test.json", std::vector<std::string>{set});
    return all_lines(check.faults);
}

TEST(SceneSet, DotsSlashesNumbersAndNamesReachTheSameField) {
    for (const char* path : {"bodies.0.materials.0.young", "/bodies/0/materials/0/young",
                             "bodies/bar/materials/0/young", "bodies.bar.materials.0.young"}) {
        EXPECT_EQ(with_sets({std::string(path) + "=5000"}).bodies[0].materials[0].material.young, 5000.0) << path;
    }
    EXPECT_FALSE(with_sets({"bodies.bar.handles.grip.axes=xy"}).bodies[0].handles[0].axes.z);
}

TEST(SceneSet, ValuesAreJsonOrElseText) {
    EXPECT_EQ(with_sets({"step=1/60"}).step, 1.0 / 60.0);
    EXPECT_EQ(with_sets({"step=0.25"}).step, 0.25);
    EXPECT_EQ(with_sets({"gravity=[0, -9.81, 0]"}).gravity.vector.y, -9.81);
    EXPECT_TRUE(with_sets({"output.vtu=true"}).output.vtu);
    EXPECT_EQ(*with_sets({"method.options.scheme=backward_euler"}).method.options.at("scheme").word(),
              "backward_euler");
    EXPECT_EQ(with_sets({"bodies.0.mesh.counts.1=3"}).bodies[0].mesh.generator.counts[1], 3);
    EXPECT_EQ(with_sets({"about=a=b"}).about, "a=b");
}

TEST(SceneSet, FieldsTheFileLeavesOutCanBeSetToo) {
    const Scene scene = with_sets({"method.options.mass=lumped", "output.every=5", "bodies.0.plane=stress",
                                   "gravity.vector=[0, -1, 0]", "gravity.start=0.5"});
    EXPECT_EQ(*scene.method.options.at("mass").word(), "lumped");
    EXPECT_EQ(scene.output.every, 5);
    EXPECT_EQ(scene.bodies[0].plane, Plane::stress);
    EXPECT_EQ(scene.gravity.scale.keys.size(), 2u);
}

TEST(SceneSet, LaterOnesWin) { EXPECT_EQ(with_sets({"duration=3", "duration=4"}).duration, 4.0); }

TEST(SceneSet, AMisspeltPathIsAFaultWithASuggestionAndChangesNothing) {
    EXPECT_NE(set_fault_of("bodies.0.materials.0.poison=0.3").find("did you mean \"poisson\"?"), std::string::npos);
    EXPECT_NE(set_fault_of("bodies.0.handles.gripp.axes=x").find("did you mean \"grip\"?"), std::string::npos);
    EXPECT_NE(set_fault_of("bodies.7.name=x").find("no entry \"7\" in a list of 1"), std::string::npos);
    EXPECT_NE(set_fault_of("step.x=1").find("a list or an object"), std::string::npos);
    EXPECT_NE(set_fault_of("step").find("no \"=\""), std::string::npos);
    EXPECT_NE(set_fault_of("=3").find("no path"), std::string::npos);
    // Only the assignment is at fault: the half-walked path must not leave an empty "output" or the like behind.
    const SceneCheck check = check_scene_text(kSoundScene, "test.json", std::vector<std::string>{"output.proobes.0=1"});
    EXPECT_EQ(check.faults.size(), 1u) << all_lines(check.faults);
    EXPECT_EQ(check.faults[0].fault, Fault::bad_usage);
}

/// The sound scene with a second material: for the cells of a set that need not exist yet.
std::string two_materials() {
    return with(kSoundScene, "\"density\": 1000}]",
                "\"density\": 1000}, {\"cells\": \"shell\", \"young\": 7, \"poisson\": 0.2, \"density\": 1}]");
}

TEST(SceneSet, ShortPathsMeanTheirWholePaths) {
    // Against the whole path, on the whole scene: a short form that set anything else would change the hash.
    const std::pair<const char*, const char*> pairs[] = {
        {"material.young=5000", "bodies.0.materials.0.young=5000"},
        {"material.0.young=5000", "bodies.0.materials.0.young=5000"},
        {"material.*.young=5000", "bodies.0.materials.0.young=5000"},
        {"/material/young=5000", "bodies.0.materials.0.young=5000"},
        {"mesh.counts.0=5", "bodies.0.mesh.counts.0=5"},
        {"mesh.high.y=3", "bodies.0.mesh.high.1=3"},
        {"mesh.low.x=-1", "bodies.0.mesh.low=[-1, 0, 0]"},
        {"method=linear_fem", "method.name=linear_fem"},
        {"scheme=backward_euler", "method.options.scheme=backward_euler"},
        {"newmark_beta=0.75", "method.options.newmark_beta=0.75"},
        {"step=0.01", "/step=0.01"},
        {"young=5000", "bodies.0.materials.0.young=5000"},
        {"E=5000", "bodies.0.materials.0.young=5000"},
        {"poisson_ratio=0.4", "bodies.0.materials.0.poisson=0.4"},
        {"material.nu=1/4", "bodies.0.materials.0.poisson=0.25"},
        {"gravity.y=-2", "gravity=[0, -2, 0]"}};
    for (const auto& [brief, whole] : pairs) {
        EXPECT_EQ(hash(with_sets({brief})), hash(with_sets({whole}))) << brief;
        const bool changes = std::string(brief) != "method=linear_fem";
        EXPECT_EQ(hash(with_sets({brief})) != hash(with_sets({})), changes) << brief;
    }
    EXPECT_EQ(with_sets({"method={\"name\": \"linear_fem\"}"}).method.options.size(),
              0u);  // an object replaces the options too
}

TEST(SceneSet, OtherWordsForAMaterialsFieldsReachTheField) {
    for (const char* word : {"young", "E", "youngs_modulus", "young_modulus"}) {
        EXPECT_EQ(with_sets({text("material.", word, "=5000")}).bodies[0].materials[0].material.young, 5000.0) << word;
        EXPECT_EQ(with_sets({text("bodies.0.materials.0.", word, "=5000")}).bodies[0].materials[0].material.young,
                  5000.0)
            << word;
    }
    for (const char* word : {"poisson", "nu", "poisson_ratio", "poissons_ratio"})
        EXPECT_EQ(with_sets({text("material.", word, "=0.25")}).bodies[0].materials[0].material.poisson, 0.25) << word;
    for (const char* word : {"density", "rho", "mass_density"})
        EXPECT_EQ(with_sets({text(word, "=7")}).bodies[0].materials[0].material.density, 7.0) << word;
    EXPECT_EQ(with_sets({"material.alpha=7"}).bodies[0].materials[0].material.rayleigh_alpha, 7.0);
    EXPECT_EQ(with_sets({"material.beta=7"}).bodies[0].materials[0].material.rayleigh_beta, 7.0);
}

TEST(SceneSet, OfSeveralMaterialsOneMustBeNamed) {
    const auto faults = [](const char* set) {
        return all_lines(check_scene_text(two_materials(), "test.json", std::vector<std::string>{set}).faults);
    };
    for (const char* set : {"material.young=3", "young=3"}) {
        const std::string message = faults(set);
        EXPECT_NE(message.find("the scene has 2 materials"), std::string::npos) << message;
        EXPECT_NE(message.find("material.0.young (cells \"*\"), material.1.young (cells \"shell\")"), std::string::npos)
            << message;
    }
    std::string changed = apply_set(two_materials(), "material.shell.young=3");
    EXPECT_NE(changed.find("\"young\": 3,"), std::string::npos) << changed;
    EXPECT_NE(changed.find("\"young\": 1000,"), std::string::npos) << changed;
    changed = apply_set(two_materials(), "material.0.E=3");
    EXPECT_NE(changed.find("\"young\": 7,"), std::string::npos) << changed;
}

TEST(SceneSet, AMisspeltShortPathGetsASuggestion) {
    EXPECT_NE(set_fault_of("materail.young=1").find("did you mean \"material\"?"), std::string::npos);
    EXPECT_NE(set_fault_of("material.poison_ratio=0.3").find("did you mean \"poisson_ratio\"?"), std::string::npos);
    EXPECT_NE(set_fault_of("scheem=bdf2").find("did you mean \"scheme\"?"), std::string::npos);
    EXPECT_NE(set_fault_of("mesh.count.0=3").find("did you mean \"counts\"?"), std::string::npos);
    EXPECT_NE(set_fault_of("yuong=3").find("did you mean \"young\"?"), std::string::npos);
    EXPECT_NE(set_fault_of("method=linear_fen").find("linear_fem"), std::string::npos);
    EXPECT_NE(set_fault_of("entirely_else=1").find("or an option of the method (step, scheme"), std::string::npos);
}

TEST(SceneSet, APlaceTellsWhatStandsThereEvenWhereTheFileLeavesItOut) {
    JsonValue root;
    std::vector<SceneFault> faults;
    const std::string preset = with(kSoundScene, "{\"young\": 1000, \"poisson\": 0.3, \"density\": 1000}",
                                    "{\"preset\": \"jelly\", \"young\": 777}");
    ASSERT_TRUE(parse_json(preset, "", faults, root));
    const auto at = [&](const char* path) {
        ScenePathTarget target;
        EXPECT_TRUE(find_path_target(root, path, path, target, faults)) << path;
        return target;
    };
    EXPECT_EQ(at("E").pointer, "/bodies/0/materials/0/young");
    EXPECT_EQ(at("E").value.number, 777.0);
    EXPECT_EQ(at("E").unit, "Pa");
    EXPECT_EQ(at("density").value.number, find_material_preset("jelly")->material.density);
    EXPECT_EQ(at("density").kind, ScenePathKind::number);
    EXPECT_EQ(at("rayleigh_beta").value.number, find_material_preset("jelly")->material.rayleigh_beta);
    EXPECT_EQ(at("newmark_beta").value.number, 0.5);
    EXPECT_EQ(at("newmark_beta").high, 2.0);
    EXPECT_EQ(at("mesh.counts.0").kind, ScenePathKind::whole_number);
    EXPECT_EQ(at("mesh.low.x").kind, ScenePathKind::number);
    EXPECT_EQ(at("mesh.low.x").value.number, 0.0);
    EXPECT_EQ(at("mesh.high").kind, ScenePathKind::other);
    EXPECT_EQ(at("gravity").kind, ScenePathKind::other);
    EXPECT_EQ(at("gravity.y").kind, ScenePathKind::number);
    EXPECT_EQ(at("gravity.y").unit, "m/s^2");
    EXPECT_EQ(at("scheme").choices.size(), 7u);
    EXPECT_EQ(at("method").choices.front(), "linear_fem");
    EXPECT_EQ(at("step").value.text, "1/30");
    // Damping that nobody gives is none, not unknown.
    ASSERT_TRUE(parse_json(kSoundScene, "", faults, root));
    for (const char* path : {"material.rayleigh_alpha", "material.rayleigh_beta"})
        EXPECT_TRUE(at(path).value.is(JsonValue::Kind::number) && at(path).value.number == 0.0) << path;
}

TEST(SceneSet, WrongValuesAreFaultsOfTheirField) {
    EXPECT_NE(set_fault_of("method.options.shceme=bdf2").find("/method/options/shceme"), std::string::npos);
    EXPECT_NE(set_fault_of("duration=long").find("/duration"), std::string::npos);
}

TEST(SceneSet, OnTextGivesTextThatReadsBackTheSame) {
    const std::string text = apply_set(kSoundScene, "bodies.0.materials.0.young=5000");
    EXPECT_EQ(hash(parse_scene(text, "a.json")), hash(with_sets({"bodies.0.materials.0.young=5000"})));
    EXPECT_NE(hash(parse_scene(text, "a.json")), hash(with_sets({})));
    expect_error(Fault::bad_usage, "--set bodis=1", [&] { apply_set(kSoundScene, "bodis=1"); });
    expect_error(Fault::bad_scene, "line 1", [&] { apply_set("{", "step=1"); });
}

TEST(SceneFill, DegreesBecomeRadiansAndPlanarPointsGetAZ) {
    const Scene scene = with_sets(
        {"bodies.0.handles.0.keyframes.1.rotation=[0, 0, 90]", "bodies.0.handles.0.pivot=[1, 2]"});
    EXPECT_DOUBLE_EQ(scene.bodies[0].handles[0].keys[1].rotation.z, std::numbers::pi / 2);
    EXPECT_EQ(*scene.bodies[0].handles[0].pivot, (Vec3{1.0, 2.0, 0.0}));
}

TEST(SceneFill, APresetGivesTheNumbersThatAreLeftOut) {
    const Scene scene = with_sets({"bodies.0.materials.0={\"preset\": \"jelly\", \"young\": 777}"});
    const Material& jelly = find_material_preset("jelly")->material;
    EXPECT_EQ(scene.bodies[0].materials[0].material.young, 777.0);
    EXPECT_EQ(scene.bodies[0].materials[0].material.density, jelly.density);
    EXPECT_EQ(scene.bodies[0].materials[0].material.rayleigh_beta, jelly.rayleigh_beta);
}

TEST(SceneFill, GravityFromAStartTimeIsNothingBeforeIt) {
    const Scene scene = with_sets({"gravity={\"vector\": [0, -1, 0], \"start\": 0.5}"});
    EXPECT_EQ(scene.gravity.scale.interpolation, Interpolation::step);
    ASSERT_EQ(scene.gravity.scale.keys.size(), 2u);
    EXPECT_EQ(scene.gravity.scale.keys[0].scale, 0.0);
    EXPECT_EQ(scene.gravity.scale.keys[1].t, 0.5);
    EXPECT_TRUE(with_sets({"gravity={\"vector\": [0, -1, 0], \"start\": 0}"}).gravity.scale.keys.empty());
}

}  // namespace
}  // namespace limber::testing_io
