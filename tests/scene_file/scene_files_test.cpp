// The scenes we ship, the schema and the reference page; and damaged scenes.
#include "scene_file/scene_texts.hpp"

#include "io/mutate.hpp"
#include "scene_file/schema_checker.hpp"

#include <limber/tools/sim.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace limber::testing_io {
namespace {

std::string read_text(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

std::vector<std::filesystem::path> shipped_scenes(const char* folder = "scenes") {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(source_root() / folder))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// Compares with the tracked file, or writes it when LIMBER_UPDATE_DOCS is set.
void expect_tracked(const std::filesystem::path& file, const std::string& generated) {
    if (std::getenv("LIMBER_UPDATE_DOCS")) std::ofstream(source_root() / file, std::ios::binary) << generated;
    EXPECT_TRUE(read_text(source_root() / file) == generated)
        << file << " is out of date: run this test with LIMBER_UPDATE_DOCS=1";
}

TEST(SceneFiles, EveryShippedSceneIsSoundAndSaysWhatItIsAbout) {
    auto files = shipped_scenes();
    EXPECT_GE(files.size(), 5u);
    const auto more = shipped_scenes("scenes/static");
    files.insert(files.end(), more.begin(), more.end());
    for (const auto& file : files) {
        const SceneCheck check = check_scene(file.string());
        EXPECT_TRUE(check.ok()) << all_lines(check.faults);
        if (check.scene) {
            EXPECT_FALSE(check.scene->about.empty()) << file;
            EXPECT_EQ(check.scene->name, file.stem().string());
        }
    }
}

TEST(SceneFiles, TheSchemaAcceptsEveryShippedScene) {
    const SchemaChecker schema(scene_schema());
    for (const char* folder : {"scenes", "scenes/static"})
        for (const auto& file : shipped_scenes(folder)) EXPECT_EQ(schema.complaint(read_text(file)), "") << file;
    for (const char* name : {"duck.json", "organ.json"}) {
        EXPECT_EQ(schema.complaint(read_text(source_root() / "scenes/objects" / name)), "") << name;
    }  // run by tests/cli/own_object_test.py
}

TEST(SceneFiles, TheSchemaRefusesWhatTheReaderRefuses) {
    // The same table writes both; a field type forgotten in one of them shows here.
    const SchemaChecker schema(scene_schema());
    ASSERT_EQ(schema.complaint(kSoundScene), "");
    const std::vector<std::pair<const char*, const char*>> damages{
        {"\"young\": 1000", "\"young\": -5"},
        {"\"young\": 1000", "\"yuong\": 1000"},
        {"\"young\": 1000, ", ""},
        {"\"poisson\": 0.3", "\"poisson\": 0.5"},
        {"[2, 1, 1], \"high\"", "[2, 1], \"high\""},
        {"[2, 1, 1], \"high\"", "[2, 1.5, 1], \"high\""},
        {"\"high\": [2, 1, 1]", "\"high\": [2]"},
        {"\"high\": [2, 1, 1]", "\"radius\": 3"},
        {"\"shape\": \"box\"", "\"shape\": \"bx\""},
        {"\"shape\": \"box\"", "\"shape\": \"box\", \"path\": \"a.msh\""},
        {"{\"t\": 0}", "{}"},
        {"linear_fem", "linear_fme"},
        {"\"scheme\": \"bdf2\"", "\"scheme\": \"x\""},
        {"\"scheme\": \"bdf2\"", "\"shceme\": \"bdf2\""},
        {"\"scheme\": \"bdf2\"", "\"max_live\": 1.5"},
        {"\"1/30\"", "0"},
        {"\"1/30\"", "\"soon\""},
        {"\"format\": 1", "\"format\": 2"},
        {"\"format\": 1,", ""},
        {"\"duration\": 1", "\"duration\": true"},
        {"\"duration\": 1", "\"duration\": 1, \"gravity\": 3"},
        {"\"shape\": \"box\"", "\"shape\": \"box\", \"cells\": 5"},
        {"\"shape\": \"box\", \"kind\": \"hex8\", \"counts\": [2, 1, 1], \"high\": [2, 1, 1]", "\"asset\": \"duck\""},
        {"\"shape\": \"box\", \"kind\": \"hex8\", \"counts\": [2, 1, 1], \"high\": [2, 1, 1]",
         "\"asset\": \"duck\", \"cells\": 50, \"cage\": 5"},
        {"\"shape\": \"box\", \"kind\": \"hex8\", \"counts\": [2, 1, 1], \"high\": [2, 1, 1]",
         "\"surfaces\": [{\"path\": \"a.obj\"}], \"cells\": 50"},
        {"\"materials\"", "\"surface\": {\"limit\": 1}, \"materials\""}};
    for (const auto& [from, to] : damages) {
        const std::string text = with(kSoundScene, from, to);
        EXPECT_NE(schema.complaint(text), "") << to;
        EXPECT_FALSE(check_text(text).ok()) << to;
    }
}

TEST(SceneFiles, SchemaAndReferencePageAreUpToDate) {
    expect_tracked("docs/schema/scene.schema.json", scene_schema());
    expect_tracked("docs/scene.md", scene_reference_markdown());
}

TEST(SceneFiles, EveryFieldAndOptionIsInTheReferencePage) {
    const std::string page = scene_reference_markdown();
    for (const char* field : {"`young`", "`keyframes`", "`nearest`", "`tube_radius`", "`interpolation`", "`csv`",
                              "`scheme`", "`max_live`"}) {
        EXPECT_NE(page.find(field), std::string::npos) << field;
    }
}

/// A mutation may ask for a big body; that is a wish, not a crash, but not what this test is about.
bool is_small(const Scene& scene) {
    const auto& n = scene.bodies[0].mesh.generator.counts;
    return static_cast<double>(n[0]) * n[1] * n[2] <= 20000.0 && scene.duration / scene.step <= 1000.0;
}

/// One digit becomes another: mostly still a scene, but not the one its author meant.
std::string mistype(std::string text, std::uint64_t seed) {
    Dice dice(seed);
    std::size_t at = dice.below(text.size());
    while (text[at] < '0' || text[at] > '9') at = (at + 1) % text.size();
    text[at] = static_cast<char>('0' + dice.below(10));
    return text;
}

TEST(SceneFiles, TwoHundredDamagedScenesEndInOneLineCausesOrRunWithoutNaN) {
    const auto files = shipped_scenes();
    int refused = 0, ran = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const std::string sound = read_text(files[seed % files.size()]);
        const std::string text = seed < 150 ? mutate(sound, seed) : mistype(sound, seed);
        const SceneCheck check = check_scene_text(text, "damaged.json");
        refused += check.ok() ? 0 : 1;
        for (const SceneFault& fault : check.faults) {
            const std::string line = to_string(fault);
            EXPECT_EQ(line.find('\n'), std::string::npos) << seed;
            EXPECT_FALSE(fault.found.empty()) << seed;
        }
        if (!check.ok() || !is_small(*check.scene)) continue;
        Progress silent;
        RunSettings settings;
        settings.duration = 2 * check.scene->step;
        try {
            const RunResult result = run_scene(*check.scene, settings, silent);
            for (const Frame& frame : result.recording.frames)
                for (const Vec3& u : frame.displacement) ASSERT_TRUE(is_finite(u)) << seed;
            ++ran;
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << seed;
        }
    }
    // Neither side may be empty, or the mutator does too much or too little to mean anything.
    EXPECT_GT(refused, 100);
    EXPECT_GT(ran, 10);
}

}  // namespace
}  // namespace limber::testing_io
