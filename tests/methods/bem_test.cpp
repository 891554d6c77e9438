// Boundary elements that fall, hit, squash, stick and bounce.
#include "bem_drop.hpp"
#include "deform/obstacle_shape.hpp"

#include <gtest/gtest.h>

#include <random>

namespace limber {
namespace {

constexpr double kRadius = 0.05;

struct Bounce {
    double drop = 0.0, rebound = 0.0;  // heights of fall and of the first rebound [m]
    double contact = 0.0;              // how long it touched [s]
    double lowest = 0.0;               // of any vertex, ever [m]
    double gain = 0.0;                 // most energy above the start's, relative
};

/// How much higher it will fly.
double rise(const DropBench& bench) {
    const double v = free_body_state(bench.state.reals).velocity.y;
    return v > 0.0 ? v * v / (2.0 * 9.81) : 0.0;
}

Bounce bounce(Mesh mesh, const Material& material, OptionValues options, double drop = 0.1, double dt = 1.0 / 240.0) {
    DropBench bench(std::move(mesh), material, options);
    // Falling itself is exact and tested elsewhere: it starts where it touches, as fast as it would be.
    EXPECT_TRUE(bench.start_from({0.0, kRadius + 1e-6, 0.0}, {}, {0.0, -std::sqrt(2.0 * 9.81 * drop), 0.0}, {}));
    Bounce out;
    out.drop = drop;
    const double start = bench.energy();
    bool touched = false, left = false;
    for (int i = 0; i * dt < 0.4; ++i) {
        const StepReport report = bench.step(dt);
        EXPECT_EQ(report.trouble, Trouble::none) << to_string(report.trouble) << " in step " << i;
        const bool touches = norm(bench.deformer->reaction(bench.state, {SupportRef::Kind::obstacle, 0}).force) > 0.0;
        if (touches && left) break;
        out.contact += touches ? dt : 0.0;
        touched = touched || touches;
        left = left || (touched && !touches);
        if (left) out.rebound = bench.centre().y - kRadius + rise(bench);
        out.lowest = std::min(out.lowest, bench.lowest());
        out.gain = std::max(out.gain, (bench.energy() - start) / (bench.mass * 9.81 * drop));
        if (left) break;
    }
    return out;
}

// A dead lump would satisfy "no energy gain"; a sloppy integrator would jump higher than it fell.
TEST(Bem, ABallReboundsToNearlyItsHeightAndNeverAboveIt) {
    for (const bool planar : {true, false}) {
        const Bounce b = bounce(planar ? ellipse_mesh(96, kRadius, kRadius) : make_ball(CellKind::tet4, 6, {}, kRadius),
                                jelly_material(1e4), {});
        std::printf("        %s: rebound %.4f of the drop, gain %.1e, lowest %.1e\n", planar ? "disc" : "ball",
                    b.rebound / b.drop, b.gain, b.lowest);
        EXPECT_GE(b.rebound, 0.6 * b.drop);
        EXPECT_LE(b.rebound, b.drop);
        EXPECT_LE(b.gain, 1e-12);
        EXPECT_GE(b.lowest, -1e-6 * kRadius);
    }
}

// Friction that fed energy anywhere would break the order.
TEST(Bem, ReboundFallsWithInternalFriction) {
    double last = 1.0;
    for (const double viscosity : {0.0, 20.0, 60.0, 150.0, 400.0}) {
        const Bounce b = bounce(ellipse_mesh(64, kRadius, kRadius), jelly_material(1e4),
                                {{"internal_friction", viscosity}});
        EXPECT_LT(b.rebound / b.drop, last) << viscosity << " Pa s";
        EXPECT_LE(b.gain, 1e-12);
        last = b.rebound / b.drop;
    }
    EXPECT_LT(last, 0.3);
}

// The model: m y'' = k V(d) - m g, V the exact segment of a disc. An independent integration of that gives the contact
// time.
double predicted_contact(double stiffness, double drop) {
    const double mass = 1000.0 * kPi * kRadius * kRadius, g = 9.81;
    double d = 0.0, v = std::sqrt(2.0 * g * drop), t = 0.0;
    const double h = 1e-7;
    do {  // symplectic Euler with tiny steps
        const double y = std::min(2.0, std::max(0.0, d / kRadius));
        const double area = kRadius * kRadius *
                            (std::acos(1.0 - y) - (1.0 - y) * std::sqrt(std::max(0.0, 2.0 * y - y * y)));
        v -= h * (stiffness * area / mass - g);
        d += h * v;
        t += h;
    } while (d > 0.0);
    return t;
}

TEST(Bem, ContactTimeFallsWithYoungsModulusAsTheModelPredicts) {
    double last = 1e300;
    for (const double young : {1e4, 4e4, 1.6e5, 6.4e5}) {
        const Bounce b = bounce(ellipse_mesh(96, kRadius, kRadius), jelly_material(young), {}, 0.1, 1.0 / 4000.0);
        const double stiffness = 2.0 * young / ((1.0 - 0.45 * 0.45) * 2.0 * kRadius),
                     model = predicted_contact(stiffness, 0.1);
        std::printf("        E = %g Pa: contact %.2f ms, model %.2f ms\n", young, 1e3 * b.contact, 1e3 * model);
        EXPECT_NEAR(b.contact, model, 0.01 * model + 1.0 / 2000.0);
        EXPECT_LT(b.contact, last);
        last = b.contact;
    }
}

// What holds it up must be exactly what pulls it down, and so must the tractions that shape it.
TEST(Bem, AtRestTheReactionIsTheWeight) {
    for (const bool planar : {true, false}) {
        DropBench bench(
            planar ? ellipse_mesh(64, 1.2 * kRadius, 0.8 * kRadius) : make_ball(CellKind::tet4, 6, {}, kRadius),
            jelly_material(5e3), {{"internal_friction", 60.0}});
        bench.start_from({0.0, kRadius, 0.0}, {}, {}, {});
        for (int i = 0; i < 1200; ++i) bench.step();
        const Vec3 force = bench.deformer->reaction(bench.state, {SupportRef::Kind::obstacle, 0}).force;
        EXPECT_NEAR(force.y / (9.81 * bench.mass), 1.0, 1e-6);
        EXPECT_NEAR(force.x / (9.81 * bench.mass), 0.0, 1e-6);
        EXPECT_NEAR(bench.lowest(), 0.0, 1e-6 * kRadius);
    }
}

// Nothing acts on it: a scheme that made energy of spin had it taken from the whole motion, which slowed down.
TEST(Bem, ATumblingBodyInEmptySpaceKeepsItsMomentumAndItsEnergy) {
    const Vec3 speed{3.0, 2.0, -1.0};
    for (const double dt : {1.0 / 60.0, 1.0 / 15.0}) {
        DropBench bench(make_box(CellKind::tet4, 3, 2, 2, {}, {0.6, 0.4, 0.25}), jelly_material(1e7, 0.3), {});
        bench.obstacles.clear();
        bench.loads.gravity = {};
        ASSERT_TRUE(bench.start_from({}, {}, speed, {15.7, 12.2, -19.2}));
        const FreeBodyState start = free_body_state(bench.state.reals);
        const double energy = bench.energy();
        const int steps = static_cast<int>(std::lround(2.0 / dt));
        for (int i = 0; i < steps; ++i) ASSERT_EQ(bench.step(dt).trouble, Trouble::none);
        const FreeBodyState end = free_body_state(bench.state.reals);
        EXPECT_LE(norm(end.velocity - speed), 1e-12 * norm(speed)) << dt;
        EXPECT_LE(norm(end.centre - start.centre - speed * (steps * dt)), 1e-11) << dt;
        EXPECT_NEAR(bench.energy() / energy, 1.0, 1e-11) << dt;
    }
}

// Friction is part of what the slope does to the body: without it the reaction would not carry the weight.
TEST(Bem, OnASlopeTheReactionIsTheWeightAlsoWhereFrictionHolds) {
    const double slope = 20.0 * kPi / 180.0;
    for (const double friction : {0.5, 0.2}) {
        DropBench bench(make_box(CellKind::tet4, 4, 4, 4, {-0.1, 0.0, -0.1}, {0.1, 0.2, 0.1}), jelly_material(1e5, 0.3),
                        {{"friction", friction}, {"internal_friction", 200.0}});
        const Vec3 weight = Vec3{std::sin(slope), -std::cos(slope), 0.0} * (9.81 * bench.mass);
        bench.loads.gravity = weight / bench.mass;
        const double dt = 1.0 / 240.0;
        for (int i = 0; i < 480; ++i) ASSERT_EQ(bench.step(dt).trouble, Trouble::none);
        const Vec3 before = free_body_state(bench.state.reals).velocity;
        Vec3 mean;
        constexpr int kSteps = 120;
        for (int i = 0; i < kSteps; ++i) {
            ASSERT_EQ(bench.step(dt).trouble, Trouble::none);
            mean += bench.deformer->reaction(bench.state, {SupportRef::Kind::obstacle, 0}).force / kSteps;
        }
        const Vec3 gained = (free_body_state(bench.state.reals).velocity - before) * (bench.mass / (kSteps * dt));
        EXPECT_LE(norm(mean + weight - gained), 1e-3 * norm(weight)) << "friction " << friction;
        if (friction < std::tan(slope)) {
            EXPECT_NEAR(-mean.x / mean.y, friction, 1e-2);
        }
    }
}

struct RandomDrop {
    Mesh mesh;
    Material material;
    OptionValues options;
    Vec3 shift, turn, velocity, spin;
    std::vector<Obstacle> obstacles;
    double size = 0.0;
};

RandomDrop random_drop(std::mt19937& random, bool planar) {
    const auto between = [&](double a, double b) {
        return a + (b - a) * static_cast<double>(random() % 100001) / 100000.0;
    };
    RandomDrop r;
    const double a = between(0.03, 0.08), b = between(0.03, 0.08);
    switch (random() % 3) {
        case 0: r.mesh = planar ? ellipse_mesh(24, a, b) : make_ball(CellKind::tet4, 3, {}, a); break;
        case 1:
            r.mesh = planar ? make_grid(CellKind::quad4, 6, 5, {-a, -b, 0.0}, {a, b, 0.0})
                            : make_box(CellKind::hex8, 3, 3, 2, {-a, -b, -0.04}, {a, b, 0.04});
            break;
        default: r.mesh = planar ? ellipse_mesh(16, a, a) : make_cylinder(CellKind::tet4, 3, 3, a, 2.0 * b);
    }
    r.size = 2.0 * std::max(a, b);
    r.material = jelly_material(std::pow(10.0, between(3.3, 5.5)), between(0.0, 0.49));
    r.material.density = between(200.0, 3000.0);
    r.options = {{"internal_friction", random() % 2 ? 0.0 : between(0.0, 100.0)},
                 {"friction", random() % 3 ? between(0.0, 1.0) : 0.0},
                 {"stick", random() % 4 ? 0.0 : between(0.0, 500.0)},
                 {"vibration", std::string(random() % 3 ? "off" : "on")}};
    r.shift = {between(-0.02, 0.02), between(0.15, 0.35), planar ? 0.0 : between(-0.02, 0.02)};
    r.turn = {planar ? 0.0 : between(-3.0, 3.0), planar ? 0.0 : between(-3.0, 3.0), between(-3.0, 3.0)};
    r.velocity = {between(-1.0, 1.0), between(-1.0, 0.5), planar ? 0.0 : between(-1.0, 1.0)};
    r.spin = {planar ? 0.0 : between(-10.0, 10.0), planar ? 0.0 : between(-10.0, 10.0), between(-20.0, 20.0)};
    r.obstacles = {Obstacle{}};
    if (random() % 2) {
        r.obstacles.push_back({PlaneShape{}, {0.3, 0.0, 0.0}, from_rotation_vector({0.0, 0.0, kPi / 2}), {}, {}});
    }
    if (random() % 3 == 0) {
        r.obstacles.push_back({BallShape{0.05}, {between(-0.1, 0.1), 0.0, 0.0}, {}, {}, {}});
    }
    if (random() % 4 == 0) r.obstacles.push_back({BoxShape{{0.05, 0.03, 0.05}}, {-0.15, 0.03, 0.0}, {}, {}, {}});
    return r;
}

/// Runs one drop; fails the test on anything that must not be. Returns the last state.
State run_drop(const RandomDrop& r, int number, int steps, int* through = nullptr) {
    DropBench bench(r.mesh, r.material, r.options);
    bench.obstacles = r.obstacles;
    EXPECT_TRUE(bench.start_from(r.shift, r.turn, r.velocity, r.spin)) << number;
    const double start = bench.energy(), scale = bench.mass * 9.81 * 0.3 + 0.5 * bench.mass;
    double most = 0.0, last = start;
    for (int i = 0; i < steps; ++i) {
        const StepReport report = bench.step();
        // A soft body may go through a ball or box smaller than itself; then it says so. Never through a floor or wall.
        if (through != nullptr && report.trouble == Trouble::passed_through &&
            !is_plane(r.obstacles[static_cast<std::size_t>(report.where)])) {
            ++*through;
            return bench.state;
        }
        EXPECT_EQ(report.trouble, Trouble::none)
            << "drop " << number << ", step " << i << ": " << to_string(report.trouble);
        EXPECT_TRUE(bench.finite()) << "drop " << number << ", step " << i;
        if (report.trouble != Trouble::none) return bench.state;
        const double now = bench.energy();
        most = std::max(most, (now - last) / scale);
        last = now;
    }
    EXPECT_LE(most, 1e-9) << "drop " << number << " gains energy";
    EXPECT_GE(bench.lowest(), -0.01 * r.size) << "drop " << number << " ends below the floor";
    return bench.state;
}

// LIMBER_DROPS=500 runs as many as docs/methods/bem.md counts; the few here are a sample of them.
TEST(Bem, RandomDropsNeverGainEnergyNorFallThroughTheFloor) {
    const int drops = std::getenv("LIMBER_DROPS") != nullptr ? std::atoi(std::getenv("LIMBER_DROPS")) : 24;
    std::mt19937 random(8);
    int through = 0;
    for (int i = 0; i < drops; ++i) run_drop(random_drop(random, i % 4 != 0), i, 120, &through);
    std::printf("        %d of %d went through a ball or box smaller than themselves and said so\n", through, drops);
    EXPECT_LE(through, std::max(1, drops / 20));
}

TEST(Bem, SameSeedsGiveTheSameBits) {
    std::mt19937 one(3), two(3);
    for (int i = 0; i < 4; ++i)
        EXPECT_EQ(run_drop(random_drop(one, i % 2 == 0), i, 60), run_drop(random_drop(two, i % 2 == 0), i, 60));
}

// Contact sets, places and ringing live in the state; scratch memory must mean nothing, and a saved deformer must be
// the same one.
TEST(Bem, AStateGoesOnMidContactOnOtherMemoryAndInALoadedDeformer) {
    DropBench bench(make_ball(CellKind::tet4, 8, {}, kRadius), jelly_material(4e3),
                    {{"stick", 200.0}, {"vibration", std::string("on")}});
    bench.start_from({0.0, kRadius, 0.0}, {0.2, 0.0, 0.1}, {0.1, -1.0, 0.0}, {});
    for (int i = 0; i < 4; ++i) bench.step();
    ASSERT_GT(norm(bench.deformer->reaction(bench.state, {SupportRef::Kind::obstacle, 0}).force), 0.0);
    ByteWriter out;
    bench.deformer->save(out);
    ByteReader in(out.bytes());
    const std::unique_ptr<Deformer> loaded = require_method("bem").load(bench.body, in);
    State other = bench.state, fresh = bench.state;
    Workspace scribbled = loaded->make_workspace();
    std::fill(scribbled.reals.begin(), scribbled.reals.end(), 1e77);
    for (int i = 0; i < 20; ++i) {
        bench.step();
        loaded->step(other, bench.loads, 1.0 / 60.0, scribbled);
        ASSERT_EQ(bench.state, other) << i;
        Workspace empty = loaded->make_workspace();  // no factor of the last step to go on with
        loaded->step(fresh, bench.loads, 1.0 / 60.0, empty);
        ASSERT_EQ(bench.state, fresh) << i;
    }
}

// A thin shelf cannot stop a soft body, whose reaction knows volume only; going through without a word would be a lie.
TEST(Bem, GoingThroughAThinShelfIsReported) {
    const auto fall = [](double thickness) {
        DropBench bench(ellipse_mesh(48, kRadius, kRadius), jelly_material(5e3), {});
        bench.obstacles = {{BoxShape{{0.5, 0.5 * thickness, 0.0}}, {0.0, -0.5 * thickness, 0.0}, {}, {}, {}}};
        bench.start_from({0.0, kRadius + 0.1, 0.0}, {}, {}, {});
        for (int i = 0; i < 60; ++i)
            if (const StepReport report = bench.step(); report.trouble != Trouble::none) return report;
        return StepReport{};
    };
    EXPECT_EQ(fall(0.5).trouble, Trouble::none);
    const StepReport thin = fall(0.01);
    EXPECT_EQ(thin.trouble, Trouble::passed_through) << to_string(thin.trouble);
    EXPECT_EQ(thin.where, 0);
}

// Far too soft for its fall, a linear body would fill the room or fail to be solved.
TEST(Bem, ABodyFarTooSoftStaysBoundedAndOutOfTheFloor) {
    for (const double young : {1.0, 100.0, 1000.0}) {
        for (const bool planar : {true, false}) {
            DropBench bench(planar ? ellipse_mesh(48, kRadius, kRadius)
                                   : make_box(CellKind::hex8, 4, 4, 4, {-0.05, -0.05, -0.05}, {0.05, 0.05, 0.05}),
                            jelly_material(young, 0.3), {});
            bench.start_from({0.0, kRadius + 0.5, 0.0}, {}, {}, {});
            for (int i = 0; i < 60; ++i) {
                const StepReport report = bench.step();
                ASSERT_EQ(report.trouble, Trouble::none)
                    << young << " Pa, step " << i << ": " << to_string(report.trouble);
                double farthest = 0.0;
                for (const std::int32_t v : bench.surface)
                    farthest = std::max(farthest, norm(bench.at(static_cast<std::size_t>(v)) - bench.centre()));
                ASSERT_LE(farthest, 6.0 * kRadius) << young << " Pa, step " << i;
                ASSERT_GE(bench.lowest(), -1e-3 * kRadius) << young << " Pa, step " << i;
            }
        }
    }
}

// Friction that takes the speed before rubbing lets a body creep by what gravity gives it in each sub-step: 6 mm/s
// here.
TEST(Bem, OnASlopeThatFrictionHoldsABodyCreepsByTheLawOnlyAndSlidesOnASteeperOne) {
    for (const bool planar : {true, false}) {
        for (const double young : {1e5, 1e6}) {
            const double tan30 = std::tan(kPi / 6.0);
            for (const double friction : {0.7, 10.0, 0.4}) {
                DropBench bench(planar ? make_grid(CellKind::quad4, 4, 4, {-0.05, -0.05, 0.0}, {0.05, 0.05, 0.0})
                                       : make_box(CellKind::hex8, 2, 2, 2, {-0.05, -0.05, -0.05}, {0.05, 0.05, 0.05}),
                                jelly_material(young), {{"friction", friction}, {"internal_friction", 4e-3 * young}});
                bench.loads.gravity = {9.81 * std::sin(kPi / 6.0), -9.81 * std::cos(kPi / 6.0), 0.0};
                bench.start_from({0.0, 0.0499, 0.0}, {}, {}, {});
                for (int i = 0; i < 210; ++i) bench.step();  // until it no longer rocks
                const Vec3 from = bench.centre();
                const double speed = free_body_state(bench.state.reals).velocity.x;
                for (int i = 0; i < 30; ++i) bench.step();
                const double moved = bench.centre().x - from.x, allowed = 1e-4 * tan30 / friction * 0.5;
                if (friction > tan30) {
                    EXPECT_NEAR(moved, allowed, 0.05 * allowed + 2e-6)
                        << young << " Pa, friction " << friction << (planar ? ", plane" : ", space");
                } else {
                    EXPECT_NEAR(2.0 * (moved - 0.5 * speed) / 0.25,
                                9.81 * (std::sin(kPi / 6.0) - friction * std::cos(kPi / 6.0)), 0.02)
                        << young << (planar ? ", plane" : ", space");
                }
            }
        }
    }
}

// "Sticks": pulled off the floor it holds on, and lets go in the end.
TEST(Bem, AStickyBodyResistsBeingLifted) {
    const auto lift_off = [](double stick) {
        DropBench bench(ellipse_mesh(48, kRadius, kRadius), jelly_material(1e4),
                        {{"stick", stick}, {"internal_friction", 100.0}});
        bench.start_from({0.0, kRadius, 0.0}, {}, {}, {});
        for (int i = 0; i < 300; ++i) bench.step();
        std::vector<Vec3> force(bench.body->vertex_count());
        bench.loads.force = force;
        for (int pull = 0; pull < 400; ++pull) {
            for (Vec3& f : force) f.y = 0.01 * pull * 9.81 * bench.mass / static_cast<double>(force.size());
            bench.step();
            if (bench.lowest() > 0.2 * kRadius) return 0.01 * pull;
        }
        return 4.0;
    };
    const double loose = lift_off(0.0), sticky = lift_off(3000.0);
    EXPECT_GT(loose, 1.0);
    EXPECT_LT(loose, 1.3);
    EXPECT_GT(sticky, loose + 0.3);
}

// Pulled by several times its modulus a linear body would be drawn through the floor it sticks to.
TEST(Bem, StickingHarderThanTheBodyIsStiffIsRefusedByTheValue) {
    BodyDescription d;
    d.mesh = ellipse_mesh(32, kRadius, kRadius);
    d.materials = {{"", jelly_material(2e4)}};
    const auto body = Body::make(d);
    const auto told = [&](const OptionValues& options) {
        try {
            require_method("bem").check(*body, options);
        } catch (const Error& e) {
            return e.place().field + ": " + e.found() + "; " + e.expected();
        }
        return std::string();
    };
    EXPECT_EQ(told({{"stick", 2e4}}), "");
    EXPECT_EQ(told({{"stick", 1e5}}),
              "/method/options/stick: 100000 Pa, which is more than Young's modulus; at most 20000 Pa: small strain "
              "cannot tear");
    EXPECT_NE(told({{"stick", 1e4}, {"stiffness", 1e4}})
                  .find("holds on 1 m above the floor; half of the body's size at most: 498 Pa"),
              std::string::npos)
        << told({{"stick", 1e4}, {"stiffness", 1e4}});
}

// The paper's Figure 10: after one simulation the deformed body may pierce the floor; "once more" mends it.
TEST(Bem, TheSecondPassKeepsADeformedBodyOutOfTheFloor) {
    const auto deepest = [](double passes) {
        DropBench bench(make_grid(CellKind::quad4, 20, 6, {-0.09, -0.02, 0.0}, {0.09, 0.02, 0.0}),
                        jelly_material(4e3, 0.3), {{"passes", passes}});
        bench.start_from({0.0, 0.15, 0.0}, {0.0, 0.0, 0.35}, {}, {});
        double low = 0.0;
        for (int i = 0; i < 40; ++i) {
            bench.step();
            low = std::min(low, bench.lowest());
        }
        return low;
    };
    EXPECT_LT(deepest(0.0), -1e-4);
    EXPECT_GE(deepest(1.0), -1e-6);
    EXPECT_GE(deepest(8.0), -1e-6);
}

// Poisson's ratio: rubber keeps its area when squashed, sponge does not (Figure 4).
TEST(Bem, AnIncompressibleDiscBulgesWhereASpongeDoesNot) {
    const auto squashed = [](double poisson) {
        DropBench bench(ellipse_mesh(96, kRadius, kRadius), jelly_material(1e4, poisson),
                        {{"friction", 0.0}, {"stiffness", 2e5}});
        bench.start_from({0.0, 0.15, 0.0}, {}, {}, {});
        double widest = 0.0;
        for (int i = 0; i < 30; ++i) {
            bench.step();
            double low = 1e9, high = -1e9;
            for (std::size_t v = 0; v < bench.displacement.size(); ++v) {
                low = std::min(low, bench.at(v).x);
                high = std::max(high, bench.at(v).x);
            }
            widest = std::max(widest, (high - low) / (2.0 * kRadius) - 1.0);
        }
        return widest;
    };
    const double rubber = squashed(0.4999), sponge = squashed(0.01);
    std::printf("        widened by %.3f (nu 0.4999) and %.3f (nu 0.01)\n", rubber, sponge);
    EXPECT_GT(rubber, 3.0 * sponge);
}

// A jelly trembles after it left the floor; without vibration its shape is at rest in flight.
TEST(Bem, VibrationRingsOnInFlightAndIsPaidForByTheBounce) {
    const auto flight = [](const char* vibration, double& rebound) {
        DropBench bench(ellipse_mesh(64, kRadius, kRadius), jelly_material(1e4),
                        {{"vibration", std::string(vibration)}});
        bench.start_from({0.0, kRadius + 0.1, 0.0}, {}, {}, {});
        const double start = bench.energy();
        double wobble = 0.0, gain = -1.0;
        bool touched = false;
        rebound = 0.0;
        for (int i = 0; i < 60; ++i) {
            bench.step();
            gain = std::max(gain, bench.energy() / start - 1.0);
            const bool touches = norm(bench.deformer->reaction(bench.state, {SupportRef::Kind::obstacle, 0}).force) >
                                 0.0;
            if (touched && touches && rebound > 0.0) break;
            touched = touched || touches;
            if (!touched || touches) continue;
            rebound = std::max(rebound, bench.centre().y - kRadius);
            for (std::size_t v = 0; v < bench.displacement.size(); ++v) {
                wobble = std::max(wobble,
                                  std::abs(norm(bench.at(v) - bench.centre()) - norm(bench.body->mesh().vertices[v])));
            }
        }
        EXPECT_LE(gain, 1e-12);
        return wobble;
    };
    double still = 0.0, ringing = 0.0;
    EXPECT_LT(flight("off", still), 1e-9);
    EXPECT_GT(flight("on", ringing), 0.01 * kRadius);
    EXPECT_LT(ringing, still);
    EXPECT_GT(ringing, 0.4 * still);
}

// A step far too long for so stiff a body is given up, which is not the same as a number that overflowed.
TEST(Bem, AStepThatTakesTooManySubStepsSaysSo) {
    DropBench bench(make_grid(CellKind::quad4, 1, 1, {-0.05, -0.05, 0.0}, {0.05, 0.05, 0.0}), jelly_material(1e14), {});
    bench.start_from({0.0, 0.05, 0.0}, {}, {}, {});
    EXPECT_EQ(bench.step(10.0).trouble, Trouble::not_converged);
}

// Two bodies in one would be factored as one singular matrix ("column 348 is not finite").
TEST(Bem, ABodyOfSeveralPartsIsRefusedByTheirNumber) {
    BodyDescription d;
    d.mesh = make_box(CellKind::hex8, 2, 2, 2, {}, {0.1, 0.1, 0.1});
    const Mesh one = d.mesh;
    for (const Vec3& x : one.vertices) d.mesh.vertices.push_back(x + Vec3{1.0, 0.0, 0.0});
    for (const std::int32_t v : one.cells) d.mesh.cells.push_back(v + static_cast<std::int32_t>(one.vertices.size()));
    d.mesh.vertex_sets.clear();
    d.materials = {{"", jelly_material(1e4)}};
    const auto body = Body::make(d);
    try {
        require_method("bem").check(*body, {});
        ADD_FAILURE() << "two parts pass for one";
    } catch (const Error& e) {
        EXPECT_NE(e.found().find("2 separate parts"), std::string::npos) << e.found();
    }
}

// Two discretisations of one body have one limit.
TEST(Bem, HeldBodiesConvergeToLinearFem) {
    double last = 1.0;
    for (const int n : {4, 8, 16, 32}) {
        BodyDescription d;
        d.mesh = make_grid(CellKind::quad4, n, n / 2, {}, {1.0, 0.5, 0.0});
        d.materials = {{"", jelly_material(1e3, 0.3)}};
        d.anchors = {{"left", d.mesh.vertex_sets.at("left"), {}}};
        const auto body = Body::make(d);
        std::vector<Vec3> force(body->vertex_count());
        const int sharing = n / 2 + 1;
        for (const std::int32_t v : d.mesh.vertex_sets.at("right"))
            force[static_cast<std::size_t>(v)].y = -1e-3 / sharing;
        std::vector<std::vector<Vec3>> u;
        for (const char* name : {"linear_fem", "bem"}) {
            OptionValues options;
            if (u.empty()) options = {{"scheme", std::string("quasi_static")}, {"step", 0.01}};
            Progress quiet;
            const auto deformer = require_method(name).prepare(body, options, quiet);
            State state = deformer->rest_state();
            Workspace scratch = deformer->make_workspace();
            Loads loads;
            loads.force = force;
            deformer->step(state, loads, 0.01, scratch);
            u.emplace_back(body->vertex_count());
            deformer->displacements(state, u.back());
        }
        double off = 0.0, size = 0.0;
        for (std::size_t v = 0; v < u[0].size(); ++v) {
            off = std::max(off, norm(u[0][v] - u[1][v]));
            size = std::max(size, norm(u[0][v]));
        }
        std::printf("        %d cells along: %.1f %% from linear_fem\n", n, 100.0 * off / size);
        EXPECT_LT(off / size, 0.5 * last);
        last = off / size;
    }
    EXPECT_LT(last, 0.02);
}

}  // namespace
}  // namespace limber
