// limber.h: what C programs build on. Faults are told by status and words, nothing throws, nothing is handed out twice.
#include "conformance/allocation_count.hpp"

#include <limber/limber.h>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace limber {
namespace {

constexpr double kStep = 1.0 / 60.0;

struct FreeMaker {
    void operator()(limber_body_maker* p) const { limber_body_maker_free(p); }
};
struct FreeBody {
    void operator()(limber_body* p) const { limber_body_free(p); }
};
struct FreeOptions {
    void operator()(limber_options* p) const { limber_options_free(p); }
};
struct FreeDeformer {
    void operator()(limber_deformer* p) const { limber_deformer_free(p); }
};
struct FreeWorld {
    void operator()(limber_world* p) const { limber_world_free(p); }
};
using Maker = std::unique_ptr<limber_body_maker, FreeMaker>;
using OwnedBody = std::unique_ptr<limber_body, FreeBody>;
using OwnedOptions = std::unique_ptr<limber_options, FreeOptions>;
using OwnedDeformer = std::unique_ptr<limber_deformer, FreeDeformer>;
using OwnedWorld = std::unique_ptr<limber_world, FreeWorld>;

std::string line_of(const limber_error& error) {
    char line[1400];
    limber_error_line(&error, line, sizeof line);
    return line;
}

Maker bar_maker() {
    limber_body_maker* maker = nullptr;
    limber_error error;
    EXPECT_EQ(limber_body_maker_new_box(LIMBER_TET4, 4, 2, 2, {0, 0, 0}, {0.4, 0.1, 0.1}, &maker, &error), LIMBER_OK);
    limber_material jelly;
    EXPECT_EQ(limber_material_preset("silicone", &jelly, nullptr), LIMBER_OK);
    jelly.young = 2e4;
    EXPECT_EQ(limber_body_maker_material(maker, nullptr, &jelly, &error), LIMBER_OK) << line_of(error);
    EXPECT_EQ(limber_body_maker_anchor(maker, "wall", "left", LIMBER_XYZ, &error), LIMBER_OK) << line_of(error);
    return Maker(maker);
}

OwnedBody bar() {
    limber_body* body = nullptr;
    limber_error error;
    EXPECT_EQ(limber_body_make(bar_maker().get(), "bar", &body, &error), LIMBER_OK) << line_of(error);
    return OwnedBody(body);
}

OwnedDeformer prepared(const char* method = "corotational") {
    limber_deformer* deformer = nullptr;
    limber_error error;
    EXPECT_EQ(limber_prepare(bar().get(), method, nullptr, nullptr, nullptr, &deformer, &error), LIMBER_OK)
        << line_of(error);
    return OwnedDeformer(deformer);
}

OwnedWorld world_of(const limber_deformer* deformer) {
    limber_world* world = nullptr;
    EXPECT_EQ(limber_world_new(&world, nullptr), LIMBER_OK);
    std::size_t body = 7;
    EXPECT_EQ(limber_world_add(world, deformer, &body, nullptr), LIMBER_OK);
    EXPECT_EQ(body, 0u);
    limber_world_gravity(world, {0, -9.81, 0});
    return OwnedWorld(world);
}

TEST(CApi, HeaderAndLibraryBelongTogether) {
    EXPECT_EQ(limber_c_api(), LIMBER_C_API);
    EXPECT_STRNE(limber_version(), "");
}

TEST(CApi, ABarSagsAndReadsOut) {
    const OwnedDeformer deformer = prepared();
    const OwnedWorld world = world_of(deformer.get());
    for (int i = 0; i < 60; ++i) ASSERT_EQ(limber_world_step(world.get(), kStep), 0u) << i;
    std::vector<limber_vec3> at(5 * 3 * 3), speed(at.size());
    limber_error error;
    ASSERT_EQ(limber_world_positions(world.get(), 0, at.data(), at.size(), &error), LIMBER_OK) << line_of(error);
    ASSERT_EQ(limber_world_velocities(world.get(), 0, speed.data(), at.size(), &error), LIMBER_OK);
    EXPECT_LT(at.back().y, 0.1 - 1e-3);
    std::vector<float> for_a_card(3 * at.size());
    ASSERT_EQ(limber_world_positions_float(world.get(), 0, for_a_card.data(), at.size(), &error), LIMBER_OK);
    EXPECT_EQ(for_a_card[3 * (at.size() - 1) + 1], static_cast<float>(at.back().y));
    limber_wrench pull;
    ASSERT_EQ(limber_world_reaction(world.get(), 0, LIMBER_ANCHOR, 0, &pull, &error), LIMBER_OK);
    EXPECT_GT(pull.force.y, 0.0);  // the wall carries the bar
    double kinetic = -1.0, elastic = -1.0;
    ASSERT_EQ(limber_world_energies(world.get(), 0, &kinetic, &elastic, &error), LIMBER_OK);
    EXPECT_GT(elastic, 0.0);
    limber_report report;
    ASSERT_EQ(limber_world_report(world.get(), 0, &report, &error), LIMBER_OK);
    EXPECT_EQ(report.trouble, 0u);
    EXPECT_NEAR(limber_world_time(world.get()), 1.0, 1e-12);
}

TEST(CApi, FaultsSayPlaceFoundAndExpected) {
    limber_error error;
    limber_body_maker* maker = nullptr;
    const limber_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::int32_t beyond[] = {0, 1, 2, 9};
    ASSERT_EQ(limber_body_maker_new(LIMBER_TET4, corners, 4, beyond, 1, &maker, &error), LIMBER_OK);
    const Maker held(maker);
    limber_material m{1e5, 0.5, 1000, 0, 0};
    ASSERT_EQ(limber_body_maker_material(maker, nullptr, &m, &error), LIMBER_OK);
    limber_body* body = nullptr;
    EXPECT_EQ(limber_body_make(maker, nullptr, &body, &error), LIMBER_BAD_MESH);
    EXPECT_NE(line_of(error).find("9"), std::string::npos) << line_of(error);
    EXPECT_EQ(body, nullptr);

    EXPECT_EQ(limber_body_maker_anchor(maker, "a", "nowhere", LIMBER_XYZ, &error), LIMBER_BAD_USAGE);
    EXPECT_NE(line_of(error).find("'nowhere'"), std::string::npos) << line_of(error);
    EXPECT_EQ(limber_body_maker_anchor(maker, "a", nullptr, LIMBER_XYZ, &error), LIMBER_BAD_USAGE);
    EXPECT_EQ(limber_body_maker_new(static_cast<limber_cell_kind>(7), corners, 4, beyond, 1, &maker, &error),
              LIMBER_BAD_USAGE);

    limber_deformer* deformer = nullptr;
    EXPECT_EQ(limber_prepare(bar().get(), "corrotational", nullptr, nullptr, nullptr, &deformer, &error),
              LIMBER_BAD_USAGE);
    EXPECT_NE(line_of(error).find("corotational"), std::string::npos) << line_of(error);
    EXPECT_EQ(limber_prepare(nullptr, "corotational", nullptr, nullptr, nullptr, &deformer, nullptr), LIMBER_BAD_USAGE);

    limber_options* options = nullptr;
    ASSERT_EQ(limber_options_new(&options, &error), LIMBER_OK);
    const OwnedOptions owned(options);
    ASSERT_EQ(limber_options_set_integer(options, "max_live", 1000000, &error), LIMBER_OK);
    EXPECT_EQ(limber_prepare(bar().get(), "corotational", options, nullptr, nullptr, &deformer, &error),
              LIMBER_BAD_OPTION);
    EXPECT_NE(line_of(error).find("max_live"), std::string::npos) << line_of(error);
    EXPECT_EQ(deformer, nullptr);
}

TEST(CApi, WordsAreCutToTheirRoom) {
    limber_error error{LIMBER_BAD_USAGE, "scene.json", "a thing", "another"};
    char room[8];
    limber_error_line(&error, room, sizeof room);
    EXPECT_STREQ(room, "scene.j");
    limber_trouble_words(LIMBER_NOT_CONVERGED | LIMBER_NON_FINITE, room, sizeof room);
    EXPECT_STREQ(room, "not con");
    limber_error_line(&error, room, 0);
    EXPECT_EQ(line_of(error), "scene.json: a thing; expected another");
}

TEST(CApi, PreparingTellsHowFarItIsAndCanBeStopped) {
    int calls = 0;
    const auto go_on = [](void* user, double fraction, const char* doing) {
        EXPECT_GE(fraction, 0.0);
        EXPECT_LE(fraction, 1.0);
        EXPECT_STRNE(doing, "");
        return ++*static_cast<int*>(user) < 1000000;
    };
    limber_deformer* deformer = nullptr;
    limber_error error;
    ASSERT_EQ(limber_prepare(bar().get(), "linear_fem", nullptr, go_on, &calls, &deformer, &error), LIMBER_OK);
    const OwnedDeformer owned(deformer);
    EXPECT_GT(calls, 0);
    const auto stop = [](void*, double, const char*) { return false; };
    limber_deformer* none = nullptr;
    EXPECT_EQ(limber_prepare(bar().get(), "linear_fem", nullptr, stop, nullptr, &none, &error), LIMBER_INTERRUPTED);
    EXPECT_EQ(none, nullptr);
}

TEST(CApi, ABodyMayGoBeforeItsDeformerAndADeformerBeforeItsWorld) {
    OwnedWorld world;
    world = world_of(prepared().get());
    EXPECT_EQ(limber_world_step(world.get(), kStep), 0u);
}

TEST(CApi, DeformersAndStatesComeBackWithTheSameBits) {
    const OwnedBody body = bar();
    const OwnedDeformer first = prepared();
    std::uint8_t* bytes = nullptr;
    std::size_t size = 0;
    limber_error error;
    ASSERT_EQ(limber_deformer_save(first.get(), &bytes, &size, &error), LIMBER_OK);
    limber_deformer* again = nullptr;
    ASSERT_EQ(limber_deformer_load(body.get(), bytes, size, &again, &error), LIMBER_OK) << line_of(error);
    const OwnedDeformer second(again);
    again = nullptr;
    EXPECT_EQ(limber_deformer_load(body.get(), bytes, size / 2, &again, &error), LIMBER_BAD_DATA);
    limber_bytes_free(bytes);

    const OwnedWorld a = world_of(first.get()), b = world_of(second.get());
    for (int i = 0; i < 5; ++i) limber_world_step(a.get(), kStep);
    ASSERT_EQ(limber_world_save(a.get(), 0, &bytes, &size, &error), LIMBER_OK);
    ASSERT_EQ(limber_world_load(b.get(), 0, bytes, size, &error), LIMBER_OK) << line_of(error);
    EXPECT_EQ(limber_world_load(b.get(), 0, bytes, size - 3, &error), LIMBER_BAD_DATA);
    const OwnedWorld other = world_of(prepared("linear_fem").get());
    EXPECT_EQ(limber_world_load(other.get(), 0, bytes, size, &error), LIMBER_BAD_DATA);
    EXPECT_NE(line_of(error).find("corotational"), std::string::npos) << line_of(error);
    limber_bytes_free(bytes);
    std::vector<limber_vec3> x(limber_body_vertex_count(body.get())), y(x.size());
    limber_world_step(a.get(), kStep);
    limber_world_step(b.get(), kStep);
    limber_world_positions(a.get(), 0, x.data(), x.size(), &error);
    limber_world_positions(b.get(), 0, y.data(), y.size(), &error);
    for (std::size_t v = 0; v < x.size(); ++v) EXPECT_EQ(x[v].y, y[v].y) << v;
}

TEST(CApi, DraggingTakesNoMemory) {
    // A game's loop: grab a vertex by a soft live constraint, move it, step, read floats.
    if (!conformance::allocations_are_counted()) GTEST_SKIP() << "allocations are not counted here";
    const OwnedDeformer deformer = prepared();
    const OwnedWorld world = world_of(deformer.get());
    std::size_t slots = 0;
    limber_live* live = limber_world_live(world.get(), 0, &slots);
    ASSERT_GE(slots, 1u);
    live[0].kind = LIMBER_LIVE_SOFT;
    live[0].vertex_count = 1;
    live[0].vertices[0] = 44;
    live[0].weights[0] = 1.0;
    live[0].stiffness = 50.0;
    live[0].target = {0.4, 0.1, 0.1};
    limber_world_step(world.get(), kStep);
    std::vector<float> out(3 * 45);
    const std::uint64_t before = conformance::allocation_count();
    for (int i = 0; i < 30; ++i) {
        live[0].target.y = 0.1 + 0.05 * std::sin(0.2 * i);
        ASSERT_EQ(limber_world_step(world.get(), kStep), 0u);
        ASSERT_EQ(limber_world_positions_float(world.get(), 0, out.data(), 45, nullptr), LIMBER_OK);
    }
    EXPECT_EQ(conformance::allocation_count(), before);
    limber_wrench pull;
    ASSERT_EQ(limber_world_reaction(world.get(), 0, LIMBER_LIVE, 0, &pull, nullptr), LIMBER_OK);
    EXPECT_GT(std::fabs(pull.force.y), 0.0);
}

TEST(CApi, ABodyRestsOnAnObstacleThatIsThere) {
    limber_body_maker* maker = nullptr;
    limber_error error;
    ASSERT_EQ(limber_body_maker_new_box(LIMBER_HEX8, 2, 2, 2, {-0.05, 0, -0.05}, {0.05, 0.1, 0.05}, &maker, &error),
              LIMBER_OK);
    const Maker held(maker);
    const limber_material jelly{2e4, 0.3, 1000.0, 2.0, 0.0};
    limber_body_maker_material(maker, nullptr, &jelly, &error);
    limber_body* body = nullptr;
    ASSERT_EQ(limber_body_make(maker, "jelly", &body, &error), LIMBER_OK) << line_of(error);
    const OwnedBody owned(body);
    limber_deformer* deformer = nullptr;
    ASSERT_EQ(limber_prepare(body, "bem", nullptr, nullptr, nullptr, &deformer, &error), LIMBER_OK) << line_of(error);
    const OwnedDeformer prepared_body(deformer);
    const OwnedWorld world = world_of(deformer);
    limber_obstacle floor{};
    floor.shape = LIMBER_PLANE;
    floor.rotation.w = 1.0;
    std::size_t index = 9;
    ASSERT_EQ(limber_world_add_obstacle(world.get(), &floor, &index, &error), LIMBER_OK);
    EXPECT_EQ(index, 0u);
    for (int i = 0; i < 60; ++i) ASSERT_EQ(limber_world_step(world.get(), kStep), 0u) << i;
    limber_wrench push;
    ASSERT_EQ(limber_world_reaction(world.get(), 0, LIMBER_OBSTACLE, 0, &push, &error), LIMBER_OK);
    EXPECT_NEAR(push.force.y, 9.81, 0.5);  // a litre of water's weight
    EXPECT_EQ(limber_world_set_obstacle(world.get(), 1, &floor, &error), LIMBER_BAD_USAGE);
}

TEST(CApi, WhatDoesNotExistIsNamed) {
    const OwnedDeformer deformer = prepared();
    const OwnedWorld world = world_of(deformer.get());
    limber_error error;
    limber_wrench pull;
    EXPECT_EQ(limber_world_reaction(world.get(), 1, LIMBER_ANCHOR, 0, &pull, &error), LIMBER_BAD_USAGE);
    EXPECT_NE(line_of(error).find("body 1"), std::string::npos) << line_of(error);
    EXPECT_EQ(limber_world_reaction(world.get(), 0, LIMBER_ANCHOR, 1, &pull, &error), LIMBER_BAD_USAGE);
    EXPECT_EQ(limber_world_reaction(world.get(), 0, LIMBER_HANDLE, -1, &pull, &error), LIMBER_BAD_USAGE);
    std::vector<limber_vec3> few(3);
    EXPECT_EQ(limber_world_positions(world.get(), 0, few.data(), few.size(), &error), LIMBER_BAD_USAGE);
    EXPECT_NE(line_of(error).find("45"), std::string::npos) << line_of(error);
    std::size_t count = 5;
    EXPECT_EQ(limber_world_forces(world.get(), 3, &count), nullptr);
    EXPECT_EQ(count, 0u);
    EXPECT_EQ(limber_world_handles(world.get(), 0, &count), nullptr);
    EXPECT_EQ(limber_world_step(nullptr, kStep), static_cast<std::uint32_t>(LIMBER_BAD_STATE));
    limber_world_free(nullptr);
    limber_body_free(nullptr);
}

TEST(CApi, MethodsAndTheirOptionsAreListed) {
    ASSERT_GE(limber_method_count(), 7u);
    EXPECT_EQ(limber_method_name(limber_method_count()), nullptr);
    limber_error error;
    for (std::size_t m = 0; m < limber_method_count(); ++m) {
        const char* name = limber_method_name(m);
        EXPECT_STRNE(limber_method_summary(name), "");
        limber_traits traits;
        ASSERT_EQ(limber_method_traits(name, &traits, &error), LIMBER_OK);
        EXPECT_NE(traits.cells, 0u);
        ASSERT_GT(limber_option_count(name), 0u);
        for (std::size_t i = 0; i < limber_option_count(name); ++i) {
            limber_option_info info;
            ASSERT_EQ(limber_option(name, i, &info, &error), LIMBER_OK);
            EXPECT_STRNE(info.name, "");
            EXPECT_STRNE(info.sentence, "");
            EXPECT_EQ(info.type == LIMBER_CHOICE, *info.fallback_choice != '\0') << info.name;
        }
    }
    EXPECT_EQ(limber_option_count("no such method"), 0u);
}

TEST(CApi, TwoThreadsMayStepTwoWorldsOfOneDeformer) {
    const OwnedDeformer deformer = prepared();
    const OwnedWorld a = world_of(deformer.get()), b = world_of(deformer.get());
    const auto run = [](limber_world* world) {
        for (int i = 0; i < 20; ++i) limber_world_step(world, kStep);
    };
    std::thread one(run, a.get()), two(run, b.get());
    one.join();
    two.join();
    std::vector<limber_vec3> x(45), y(45);
    limber_world_positions(a.get(), 0, x.data(), 45, nullptr);
    limber_world_positions(b.get(), 0, y.data(), 45, nullptr);
    for (std::size_t v = 0; v < 45; ++v) EXPECT_EQ(x[v].y, y[v].y);
}

}  // namespace
}  // namespace limber
