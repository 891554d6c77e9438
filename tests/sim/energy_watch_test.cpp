// A run that makes energy out of nothing is told from one that is given it, however far the body goes.
#include <limber/tools/sim.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

Scene box_scene(const char* method, double young) {
    Scene s;
    s.name = "box";
    BodySpec b;
    b.mesh.generator.kind = CellKind::tet4;
    b.mesh.generator.counts = {2, 1, 1};
    b.mesh.generator.high = {2.0, 1.0, 1.0};
    Material m;
    m.young = young;
    m.poisson = 0.3;
    m.density = 1000.0;
    b.materials.push_back({"*", m});
    s.bodies.push_back(std::move(b));
    s.method.name = method;
    s.step = 0.01;
    s.duration = 0.3;
    return s;
}

RunResult run_of(const Scene& scene, int every = 1) {
    RunSettings settings;
    settings.every = every;
    Progress silent;
    return run_scene(scene, settings, silent);
}

double farthest(const RunResult& result) {
    double out = 0.0;
    for (const Frame& f : result.recording.frames)
        for (const Vec3& u : f.displacement) out = std::max(out, norm(u));
    return out;
}

void expect_fine(const Scene& scene, const char* what) {
    const RunResult result = run_of(scene);
    EXPECT_TRUE(result.ok()) << what << ": " << result.message;
    EXPECT_EQ(result.message.find("energy"), std::string::npos)
        << what << ": " << result.message;  // turned far, small strain has a word of its own
}

TEST(EnergyWatch, AnExplosionIsNoSuccess) {
    for (const double young : {1e7, 1e9, 1e12, 1e15}) {
        for (const int every : {1, 7, 1000}) {
            Scene s = box_scene("linear_fem", young);
            s.bodies[0].anchors.push_back({"wall", "left", {}});
            s.gravity.vector = {0.0, -9.81, 0.0};
            s.method.options["scheme"] = std::string("newmark_explicit");
            s.duration = young < 1e8 ? 3.0 : 0.2;
            const RunResult result = run_of(s, every);
            EXPECT_FALSE(result.ok()) << young << " every " << every;
            EXPECT_TRUE(result.blew_up()) << young;
            EXPECT_NE(result.message, "") << young;
            EXPECT_TRUE(result.recording.cut_short);
            EXPECT_LT(farthest(result), 10.0) << young << " every " << every << ": what was kept is no explosion";
        }
    }
}

TEST(EnergyWatch, BodiesMayTravelFarFallDeepAndBePushedHard) {
    for (const char* method : {"linear_fem", "corotational", "neo_hookean"}) {
        Scene fall = box_scene(method, 1e6);
        fall.gravity.vector = {0.0, -9.81, 0.0};
        fall.duration = 3.0;
        expect_fine(fall, "a fall");
        fall.bodies[0].motion.velocity = {1e4, 30.0, 0.0};
        expect_fine(fall, "a throw");
        Scene push = box_scene(method, 1e6);
        push.bodies[0].forces.push_back({"all", {1e4, 0.0, 0.0}, true, {}});
        push.bodies[0].sets.push_back(
            {"all", VertexSetSpec::Kind::box, {-1.0, -1.0, -1.0}, {3.0, 2.0, 2.0}, {}, 0.0, {}, {}});
        push.duration = 2.0;
        expect_fine(push, "a push from rest");
    }
}

TEST(EnergyWatch, HandlesMayCarryShakeTurnAndThrowTheBody) {
    for (const char* method : {"linear_fem", "modal", "corotational", "neo_hookean"}) {
        const auto driven = [&](std::vector<PoseKey> keys, Interpolation how) {
            Scene s = box_scene(method, 1e6);
            s.bodies[0].handles.push_back({"hand", "left", {}, {}, std::move(keys), how});
            s.gravity.vector = {0.0, -9.81, 0.0};
            s.duration = 2.0;
            return s;
        };
        const bool small_strain = find_method(method)->traits().linear;  // the others would be crushed, and say so
        expect_fine(driven({{0.0, {}, {}}, {2.0, {small_strain ? 2000.0 : 20.0, 0.0, 0.0}, {}}}, Interpolation::smooth),
                    "carried far");
        expect_fine(driven({{0.0, {}, {}}, {2.0, {20.0, 0.0, 0.0}, {}}}, Interpolation::linear),
                    "moving from the first moment");
        std::vector<PoseKey> shaken;
        for (int i = 0; i <= 40; ++i) shaken.push_back({0.05 * i, {0.0, i % 2 == 0 ? 0.0 : 0.05, 0.0}, {}});
        expect_fine(driven(shaken, Interpolation::smooth), "shaken");
        expect_fine(driven({{0.0, {}, {}}, {1.0, {0.5, 0.0, 0.0}, {}}}, Interpolation::step), "put elsewhere at once");
    }
    Scene turned = box_scene("linear_fem", 1e6);
    turned.bodies[0].anchors.push_back({"wall", "left", {}});
    turned.bodies[0].handles.push_back(
        {"hand", "right", {}, {}, {{0.0, {}, {}}, {1.0, {}, {3.0, 0.0, 0.0}}}, Interpolation::smooth});
    turned.duration = 1.0;
    expect_fine(turned, "half a turn under small strain");
}

TEST(EnergyWatch, SchemesThatOnlyLoseEnergyNeverGainIt) {
    for (const char* scheme :
         {"newmark_implicit", "backward_euler", "bdf2", "implicit_midpoint", "quasi_static", "symplectic_euler"}) {
        Scene s = box_scene("linear_fem", 1e5);
        s.bodies[0].anchors.push_back({"wall", "left", {}});
        s.bodies[0].forces.push_back(
            {"right", {0.0, -300.0, 0.0}, true, {{{0.0, 0.0}, {0.1, 1.0}, {0.2, 0.0}}, Interpolation::step}});
        s.gravity.vector = {0.0, -9.81, 0.0};
        s.method.options["scheme"] = std::string(scheme);
        s.duration = 1.0;
        expect_fine(s, scheme);
    }
}

TEST(EnergyWatch, ASpinThatSmallStrainCannotHoldIsSaid) {
    Scene s = box_scene("linear_fem", 1e4);
    s.bodies[0].motion.spin = {0.0, 10000.0, 10000.0};
    const RunResult wild = run_of(s);
    EXPECT_TRUE(wild.diverged) << wild.message;
    EXPECT_NE(wild.message.find("started with"), std::string::npos) << wild.message;
    s.bodies[0].motion.spin = {0.0, 3.0, 3.0};  // the stretch is of the order of rho w^2 L^2 / E = 1
    const RunResult large = run_of(s);
    EXPECT_TRUE(!large.ok() || !large.message.empty());
    s.bodies[0].motion.spin = {0.0, 0.1, 0.1};
    expect_fine(s, "a slow spin");
}

}  // namespace
}  // namespace limber
