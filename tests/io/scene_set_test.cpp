#include "io/scene_texts.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace limber::testing_io {
namespace {

Scene with_sets(const std::vector<std::string>& sets) { return parse_scene(kSoundScene, "test.json", sets); }

std::string fault_of(const std::string& set) {
    const SceneCheck check = check_scene_text(kSoundScene, "test.json", std::vector<std::string>{set});
    return all_lines(check.faults);
}

TEST(SceneSet, DotsSlashesNumbersAndNamesReachTheSameField) {
    for (const char* path : {"bodies.0.materials.0.young", "/bodies/0/materials/0/young", "bodies/bar/materials/0/young", "bodies.bar.materials.0.young"})
        EXPECT_EQ(with_sets({std::string(path) + "=5000"}).bodies[0].materials[0].material.young, 5000.0) << path;
    EXPECT_FALSE(with_sets({"bodies.bar.handles.grip.axes=xy"}).bodies[0].handles[0].axes.z);
}

TEST(SceneSet, ValuesAreJsonOrElseText) {
    EXPECT_EQ(with_sets({"step=1/60"}).step, 1.0 / 60.0);
    EXPECT_EQ(with_sets({"step=0.25"}).step, 0.25);
    EXPECT_EQ(with_sets({"gravity=[0, -9.81, 0]"}).gravity.vector.y, -9.81);
    EXPECT_TRUE(with_sets({"output.vtu=true"}).output.vtu);
    EXPECT_EQ(std::get<std::string>(with_sets({"method.options.scheme=backward_euler"}).method.options.at("scheme")), "backward_euler");
    EXPECT_EQ(with_sets({"bodies.0.mesh.counts.1=3"}).bodies[0].mesh.generator.counts[1], 3);
    EXPECT_EQ(with_sets({"about=a=b"}).about, "a=b");
}

TEST(SceneSet, FieldsTheFileLeavesOutCanBeSetToo) {
    const Scene scene = with_sets({"method.options.mass=lumped", "output.every=5", "bodies.0.plane=stress", "gravity.vector=[0, -1, 0]", "gravity.start=0.5"});
    EXPECT_EQ(std::get<std::string>(scene.method.options.at("mass")), "lumped");
    EXPECT_EQ(scene.output.every, 5);
    EXPECT_EQ(scene.bodies[0].plane, Plane::stress);
    EXPECT_EQ(scene.gravity.scale.keys.size(), 2u);
}

TEST(SceneSet, LaterOnesWin) { EXPECT_EQ(with_sets({"duration=3", "duration=4"}).duration, 4.0); }

TEST(SceneSet, AMisspeltPathIsAFaultWithASuggestionAndChangesNothing) {
    EXPECT_NE(fault_of("bodies.0.materials.0.poison=0.3").find("did you mean \"poisson\"?"), std::string::npos);
    EXPECT_NE(fault_of("bodies.0.handles.gripp.axes=x").find("did you mean \"grip\"?"), std::string::npos);
    EXPECT_NE(fault_of("bodies.7.name=x").find("no entry \"7\" in a list of 1"), std::string::npos);
    EXPECT_NE(fault_of("step.x=1").find("a list or an object"), std::string::npos);
    EXPECT_NE(fault_of("step").find("no \"=\""), std::string::npos);
    EXPECT_NE(fault_of("=3").find("no path"), std::string::npos);
    // Only the assignment is at fault: the half-walked path must not leave an empty "output" or the like behind.
    const SceneCheck check = check_scene_text(kSoundScene, "test.json", std::vector<std::string>{"output.proobes.0=1"});
    EXPECT_EQ(check.faults.size(), 1u) << all_lines(check.faults);
    EXPECT_EQ(check.faults[0].fault, Fault::bad_usage);
}

TEST(SceneSet, WrongValuesAreFaultsOfTheirField) {
    EXPECT_NE(fault_of("method.options.shceme=bdf2").find("/method/options/shceme"), std::string::npos);
    EXPECT_NE(fault_of("duration=long").find("/duration"), std::string::npos);
}

TEST(SceneSet, OnTextGivesTextThatReadsBackTheSame) {
    const std::string text = apply_set(kSoundScene, "bodies.0.materials.0.young=5000");
    EXPECT_EQ(hash(parse_scene(text, "a.json")), hash(with_sets({"bodies.0.materials.0.young=5000"})));
    EXPECT_NE(hash(parse_scene(text, "a.json")), hash(with_sets({})));
    EXPECT_THROW(apply_set(kSoundScene, "bodis=1"), Error);
    EXPECT_THROW(apply_set("{", "step=1"), Error);
}

TEST(SceneFill, DegreesBecomeRadiansAndPlanarPointsGetAZ) {
    const Scene scene = with_sets({"bodies.0.handles.0.keyframes.1.rotation=[0, 0, 90]", "bodies.0.handles.0.pivot=[1, 2]"});
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
