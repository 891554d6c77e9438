// Steps of large strain with default options are right or say that they are not.
#include "fem_large/battery.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace limber {
namespace {

using namespace testing;

int asked_for(const char* variable, int otherwise) {
    const char* asked = std::getenv(variable);
    return asked != nullptr ? std::atoi(asked) : otherwise;
}

/// The same case with every step solved to 1e-10, by the exact tangent from the start and without cutting steps
/// further; where that does not get there, by the classic one.
BatteryRun battery_reference(const BatteryCase& c, const BatteryRun& run) {
    OptionValues options{
        {"tolerance", 1e-10}, {"max_newton", 1000.0}, {"max_sub_steps", 1.0}, {"linear_tolerance", 1e-8}};
    if (c.method == "corotational") options["tangent"] = std::string("exact");
    const std::vector<int> parts = c.load == "handle" ? std::vector<int>{} : run.parts;
    BatteryRun reference = run_battery(c, options, parts);
    if (reference.frames.size() >= run.frames.size() || c.method != "corotational") return reference;
    options["tangent"] = std::string("classic");
    BatteryRun classic = run_battery(c, options, parts);
    return classic.frames.size() > reference.frames.size() ? classic : reference;
}

struct BatteryCount {
    int right = 0, told = 0, unknown = 0;
    double worst = 0.0;
};

void judge(std::uint64_t seed, BatteryCount& count) {
    const BatteryCase c = battery_case(seed);
    const BatteryRun run = run_battery(c, {}), reference = battery_reference(c, run);
    const double distance = battery_distance(reference, run);
    const bool ended = run.trouble != Trouble::none;
    if (ended) {
        EXPECT_GT(run.residual, 1e-9) << seed << ": " << c.label;
        std::printf("%d says %s, residual %.1e: %s\n", static_cast<int>(seed), to_string(run.trouble).c_str(),
                    run.residual, c.label.c_str());
    }
    // What was recorded before trouble is right too; cells inside out may go on either way.
    EXPECT_TRUE(distance <= 0.01 || run.inverted)
        << seed << " is off by " << distance << " with a residual of " << run.residual << ": " << c.label;
    if (ended || (run.inverted && distance > 0.01))
        ++count.told;
    else if (reference.frames.size() < run.frames.size())
        ++count.unknown;
    else if (distance <= 0.01)
        ++count.right;
    if (distance <= 0.01) count.worst = std::max(count.worst, distance);
}

TEST(LargeStrainBattery, DefaultStepsAreRightOrSaySo) {
    // LIMBER_BATTERY=500 LIMBER_BATTERY_SEED=1 runs as many as docs/methods/corotational.md counts (./test --heavy
    // does); the few here are a sample.
    const int cases = asked_for("LIMBER_BATTERY", 30), first = asked_for("LIMBER_BATTERY_SEED", 1);
    BatteryCount count;
    for (int i = 0; i < cases; ++i) judge(static_cast<std::uint64_t>(first + i), count);
    std::printf("of %d cases %d right (the worst off by %.1e), %d say so, %d without a reference to the end\n", cases,
                count.right, count.worst, count.told, count.unknown);
    EXPECT_GE(count.right, cases * 96 / 100);
}

/// A bar of the given length whose left end is turned about z, or which nothing holds.
std::shared_ptr<const Body> turning_bar(CellKind kind, double length, double young, bool held) {
    BodyDescription d;
    d.mesh = battery_mesh(kind, length, length / 4, 1);
    d.thickness = length / 4;
    d.materials = {{"", {"test", young, 0.4, 1000.0, 0.0, 0.0}}};
    if (held) d.handles = {{"left", d.mesh.vertex_sets.at("left"), {}, {}}};
    return Body::make(std::move(d));
}

constexpr const char* kLargeStrainMethods[] = {"corotational", "stvk", "neo_hookean"};

TEST(LargeStrainTurns, ABodyThatIsMerelyTurnedConvergesToRounding) {
    // There are no forces to be relative to. Thirty degrees a step, two turns; stiff and soft, small and large.
    for (const char* method : kLargeStrainMethods) {
        for (const CellKind kind : kAllKinds) {
            for (const auto& [length, young] : {std::pair(1.0, 1e5), std::pair(1e-3, 1e13), std::pair(1e3, 1e2)}) {
                const auto body = turning_bar(kind, length, young, true);
                Progress silent;
                const auto deformer = require_method(method).prepare(
                    body, {{"scheme", std::string("quasi_static")}, {"handle_stiffness", false}}, silent);
                State state = deformer->rest_state();
                Workspace scratch = deformer->make_workspace();
                double worst = 0.0;
                for (int i = 1; i <= 24; ++i) {
                    HandleTarget target;
                    target.rotation = from_rotation_vector({0.0, 0.0, i * std::numbers::pi / 6});
                    Loads loads;
                    loads.handles = {&target, 1};
                    const StepReport report = deformer->step(state, loads, 0.1, scratch);
                    ASSERT_EQ(report.trouble, Trouble::none) << method << " " << to_string(kind) << " " << length
                                                             << " m, step " << i << ", residual " << report.residual;
                    std::vector<Vec3> u(body->vertex_count());
                    deformer->displacements(state, u);
                    const Mat3 turn = to_matrix(target.rotation);
                    for (std::size_t v = 0; v < u.size(); ++v) {
                        worst = std::max(
                            worst, norm(body->mesh().vertices[v] + u[v] - turn * body->mesh().vertices[v]) / length);
                    }
                }
                EXPECT_LT(worst, 1e-10) << method << " " << to_string(kind) << " " << length << " m";
            }
        }
    }
}

/// The mean displacement along y of a bar held at the left under gravity along -y.
double droop_of(const char* method, const std::shared_ptr<const Body>& body, double gravity) {
    Progress silent;
    const auto deformer = require_method(method).prepare(body, {{"scheme", std::string("quasi_static")}}, silent);
    State state = deformer->rest_state();
    Workspace scratch = deformer->make_workspace();
    Loads loads;
    loads.gravity = {0.0, -gravity, 0.0};
    const StepReport report = deformer->step(state, loads, 0.1, scratch);
    EXPECT_EQ(report.trouble, Trouble::none) << method << ", residual " << report.residual;
    std::vector<Vec3> u(body->vertex_count());
    deformer->displacements(state, u);
    double sum = 0.0;
    for (const Vec3& x : u) sum += x.y / static_cast<double>(u.size());
    return sum;
}

TEST(LargeStrainTurns, TinyLoadsOnStiffBodiesAreNotRounding) {
    // What lets a turned body converge must not be larger than the forces of a body that hardly moves: strains of 1e-14
    // and of 1e-7 are linear_fem's.
    for (const char* method : kLargeStrainMethods) {
        for (const CellKind kind : kAllKinds) {
            for (const auto& [length, young, gravity] : {std::tuple(1.0, 2e11, 9.81), std::tuple(1e-3, 1e13, 9.81),
                                                         std::tuple(1e3, 1e2, 1e-16), std::tuple(1.0, 1e5, 1e-9)}) {
                BodyDescription d;
                d.mesh = battery_mesh(kind, length, length / 4, 1);
                d.thickness = length / 4;
                d.materials = {{"", {"test", young, 0.3, 1000.0, 0.0, 0.0}}};
                d.anchors = {{"left", d.mesh.vertex_sets.at("left"), {}}};
                const auto body = Body::make(std::move(d));
                EXPECT_NEAR(droop_of(method, body, gravity) / droop_of("linear_fem", body, gravity), 1.0, 1e-4)
                    << method << " " << to_string(kind) << " " << young << " Pa";
            }
        }
    }
}

}  // namespace
}  // namespace limber
