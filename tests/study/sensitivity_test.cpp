#include "study/sensitivity.hpp"

#include "core/text.hpp"
#include "expect_error.hpp"
#include "io/files/atomic_file.hpp"
#include "study/sensitivity_difference.hpp"
#include "study/sensitivity_plan.hpp"
#include "study/study_scenes.hpp"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace limber {
namespace {

using testing_study::bar;
using testing_study::Folder;
using testing_study::strip;

SensitivityReport sensitivity(const SceneText& scene, std::vector<std::string> parameters,
                              std::vector<std::string> quantities, std::vector<std::string> methods = {}) {
    SensitivitySettings s;
    s.scene = scene;
    s.parameters = std::move(parameters);
    s.quantities = std::move(quantities);
    s.methods = std::move(methods);
    s.jobs = 2;
    Progress silent;
    return run_sensitivity(s, silent);
}

const Sensitivity& find(const SensitivityReport& report, const std::string& parameter, const std::string& quantity,
                        std::size_t method = 0) {
    for (const Sensitivity& s : report.rows) {
        if (s.method == method && report.parameters[s.parameter].name == parameter &&
            report.quantities[s.quantity].name == quantity) {
            return s;
        }
    }
    ADD_FAILURE() << parameter << " of " << quantity;
    return report.rows.at(0);
}

/// Known, within its own bar of the truth, and the bar is not an excuse.
void expect_exact(const SensitivityReport& report, const std::string& parameter, const std::string& quantity,
                  double truth, double widest = 1e-6) {
    const Sensitivity& s = find(report, parameter, quantity);
    ASSERT_TRUE(s.known) << parameter << " of " << quantity << ": " << s.cause;
    EXPECT_NEAR(s.value, truth, s.bar) << parameter << " of " << quantity;
    EXPECT_LT(s.bar, widest) << parameter << " of " << quantity;
}

Slope slope_of(const std::function<double(double)>& f, double first, int steps, double noise) {
    std::vector<DifferencePair> pairs;
    for (int k = 0; k < steps; ++k) pairs.push_back({first / (1 << k), f(-first / (1 << k)), f(first / (1 << k))});
    return extrapolated_slope(pairs, f(0.0), noise);
}

TEST(Difference, TheBarHoldsTheTruthForSmoothFunctions) {
    const std::pair<std::function<double(double)>, double> cases[] = {
        {[](double x) { return std::exp(3 * x); }, 3.0},
        {[](double x) { return std::sin(5 * x) + 2; }, 5.0},
        {[](double x) { return 1 / (1.2 + x); }, -1 / 1.44},
        {[](double x) { return x * x + 7; }, 0.0},
        {[](double x) { return std::sqrt(0.5 + x); }, 0.5 / std::sqrt(0.5)}};
    for (const auto& [f, truth] : cases) {
        const Slope s = slope_of(f, 0.1, 4, 1e-15);
        EXPECT_TRUE(s.known);
        EXPECT_NEAR(s.value, truth, s.bar());
        EXPECT_LT(s.bar(), 1e-5 * (1 + std::abs(truth)));
    }
}

TEST(Difference, ExtrapolationIsFarBetterThanTheFinestDifference) {
    const auto f = [](double x) { return std::exp(3 * x); };
    const double plain = std::abs((f(0.0125) - f(-0.0125)) / 0.025 - 3.0);
    EXPECT_LT(std::abs(slope_of(f, 0.1, 4, 1e-15).value - 3.0), 1e-5 * plain);
}

TEST(Difference, NoiseWidensTheBarEnoughToHoldTheTruth) {
    // The noise is deterministic, of both signs and as large as stated: the bar must hold for every phase of it.
    for (int phase = 0; phase < 50; ++phase) {
        const double noise = 1e-5;
        const auto f = [&](double x) { return std::exp(2 * x) + noise * std::sin(1e7 * x + phase); };
        const Slope s = slope_of(f, 0.1, 4, noise);
        EXPECT_NEAR(s.value, 2.0, s.bar()) << phase;
        EXPECT_LT(s.bar(), 0.05) << phase;
        EXPECT_GT(s.bar(), 1e-5) << phase;
    }
}

TEST(Difference, AKinkShowsInTheBar) {
    const Slope s = slope_of([](double x) { return x > 0.03 ? 1 + 5 * x : 1 + x + 0.12; }, 0.1, 4, 1e-15);
    EXPECT_TRUE(!s.known || s.bar() > 0.05 || std::abs(s.value - 1.0) <= s.bar());
    // Just in the middle, central differences agree with each other on the mean of two slopes; the bar must reach both
    // of them.
    const Slope corner = slope_of([](double x) { return 1 + std::sin(2 * x) + std::abs(x) + 7 * x * x; }, 0.1, 4,
                                  1e-15);
    EXPECT_NEAR(corner.value, 2.0, 1e-6);
    EXPECT_NEAR(corner.bar(), 1.0, 0.01);
    EXPECT_FALSE(extrapolated_slope({{0.1, 0.0, 1.0}}, 0.5, 0.0).known);
    EXPECT_FALSE(extrapolated_slope({}, 0.0, 0.0).known);
}

TEST(Difference, NodesGiveTheSlopeOfTheirPolynomialAndAnHonestBar) {
    const auto cubic = [](double x) { return 2 + 3 * x - x * x + 4 * x * x * x; };
    std::vector<DifferenceNode> nodes;
    for (const double x : {-0.2, -0.11, 0.09, 0.25}) nodes.push_back({x, cubic(x)});
    const Slope exact = node_slope(2.0, nodes, 0.0);
    EXPECT_NEAR(exact.value, 3.0, 1e-12);
    EXPECT_GT(exact.bar(), 1e-3);  // it cannot know that the cubic ends there
    // One-sided, few, and curved: the truth is inside of the bar.
    for (const std::vector<double>& xs : {std::vector<double>{0.1}, std::vector<double>{0.1, 0.2},
                                          std::vector<double>{-0.1, 0.1}, std::vector<double>{-0.7, 0.4}}) {
        std::vector<DifferenceNode> some;
        for (const double x : xs) some.push_back({x, std::exp(2 * x)});
        const Slope s = node_slope(1.0, some, 0.0);
        EXPECT_NEAR(s.value, 2.0, s.bar()) << xs.size();
    }
    EXPECT_FALSE(node_slope(1.0, {}, 0.0).known);
}

TEST(Sensitivity, ABarInTensionFollowsItsClosedForm) {
    // u_x = F L / (E b h), u_y = -nu F / (E b), energy = F^2 L / (2 E b h); linear cells represent all of it exactly.
    const SensitivityReport r = sensitivity(bar(),
                                            {"E", "poisson", "density", "bodies.0.forces.0.total.x", "mesh.high.x",
                                             "mesh.high.y", "mesh.high.z", "mesh.counts.0", "step"},
                                            {"tip end ux", "tip end uy", "elastic end", "frequency"});
    EXPECT_NEAR(r.methods[0].values[0], 8.0 * 2.0 / (5000.0 * 0.5 * 0.25), 1e-9);
    const struct {
        const char* parameter;
        double ux, uy, energy;
    } truths[] = {{"E", -1, -1, -1},
                  {"poisson", 0, 1, 0},
                  {"density", 0, 0, 0},
                  {"bodies.0.forces.0.total.x", 1, 1, 2},
                  {"mesh.high.x", 1, 0, 1},
                  {"mesh.high.y", -1, 0, -1},
                  {"mesh.high.z", -1, -1, -1},
                  {"mesh.counts.0", 0, 0, 0},
                  {"step", 0, 0, 0}};
    for (const auto& t : truths) {
        expect_exact(r, t.parameter, "tip end ux", t.ux);
        expect_exact(r, t.parameter, "tip end uy", t.uy);
        expect_exact(r, t.parameter, "elastic end", t.energy);
    }
    // omega^2 = K / M whatever the mode.
    expect_exact(r, "E", "frequency", 0.5);
    expect_exact(r, "density", "frequency", -0.5);
    expect_exact(r, "bodies.0.forces.0.total.x", "frequency", 0.0);
    EXPECT_NEAR(find(r, "poisson", "tip end uy").relative, 1 / 0.3, 1e-6);
    EXPECT_NEAR(find(r, "E", "tip end ux").relative, -1 / 5000.0, 1e-9);
}

TEST(Sensitivity, ACantileverFollowsBeamTheoryToOnePerCent) {
    // Slender (1 : 20), so that Timoshenko's shear is 0.2 % of the deflection; free to thin where it is held, which
    // beam theory takes for granted (a full clamp makes it 1 % stiffer); ten-node tetrahedra do not lock.
    constexpr double length = 1.0, height = 0.05, width = 0.1, nu = 0.3;
    const SceneText beam{"beam.json",
                         "",
                         R"({"format": 1, "name": "beam", "bodies": [{
      "mesh": {"shape": "box", "kind": "tet10", "counts": [20, 1, 2], "high": [1, 0.05, 0.1]},
      "materials": [{"young": 2e6, "poisson": 0.3, "density": 1200}],
      "sets": [{"name": "foot", "box": [[0, 0, 0], [0, 0, 9]]}, {"name": "side", "box": [[0, 0, 0], [0, 9, 0]]}],
      "anchors": [{"set": "left", "axes": "x"}, {"set": "foot", "axes": "y"}, {"set": "side", "axes": "z"}],
      "forces": [{"set": "right", "total": [0, -0.01, 0]}]}],
      "method": {"name": "linear_fem", "options": {"scheme": "quasi_static", "integration": "full"}}, "step": 1, "duration": 1,
      "output": {"probes": [{"name": "tip", "vertex": 20}]}})",
                         {}};
    const SensitivityReport r = sensitivity(beam, {"E", "mesh.high.x", "mesh.high.y", "mesh.high.z"},
                                            {"tip end uy", "frequency", "elastic end"});
    // F L^3 / (3 E I) + F L / (k G A) with k = 5/6: `share` is the second over the first.
    const double share = (3.0 * 2.0 * (1 + nu) / (5.0 / 6.0)) * (height * height / 12.0) / (length * length);
    const double deflection = -0.01 * length * length * length / (3 * 2e6 * width * height * height * height / 12) *
                              (1 + share);
    EXPECT_NEAR(r.methods[0].values[0] / deflection, 1.0, 0.01);
    const struct {
        const char* parameter;
        double tip, frequency;
    } truths[] = {{"E", -1, 0.5},
                  {"mesh.high.x", (3 + share) / (1 + share), -2},
                  {"mesh.high.y", -(3 + share) / (1 + share), 1},
                  {"mesh.high.z", -1, 0}};
    for (const auto& t : truths) {
        const Sensitivity &tip = find(r, t.parameter, "tip end uy"), &energy = find(r, t.parameter, "elastic end"),
                          &frequency = find(r, t.parameter, "frequency");
        for (const Sensitivity* s : {&tip, &energy, &frequency}) {
            ASSERT_TRUE(s->known) << s->cause;
            EXPECT_LT(s->bar, 1e-4) << t.parameter;  // of the discrete beam; what theory leaves out is not in it
        }
        EXPECT_NEAR(tip.value, t.tip, 0.01 * std::max(1.0, std::abs(t.tip))) << t.parameter;
        EXPECT_NEAR(energy.value, t.tip, 0.01 * std::max(1.0, std::abs(t.tip)))
            << t.parameter;  // half the load times the deflection
        EXPECT_NEAR(frequency.value, t.frequency, 0.01 * std::max(1.0, std::abs(t.frequency))) << t.parameter;
    }
}

TEST(Sensitivity, TheLowestFrequencyOfASquareBarHasTwoSlopesInItsHeight) {
    // Higher, it swings sideways first, which its height does not change; lower, up and down, which it does: 0 on one
    // side, up to 1 on the other.
    const SceneText square = bar({"bodies.0.anchors=[{\"set\": \"left\"}]", "bodies.0.sets=[]",
                                  "mesh.high=[2, 0.25, 0.25]", "mesh.counts=[6, 2, 2]", "bodies.0.forces=[]",
                                  "output.probes=[]"});
    const SensitivityReport r = sensitivity(square, {"mesh.high.y"}, {"frequency"});
    const Sensitivity& s = find(r, "mesh.high.y", "frequency");
    ASSERT_TRUE(s.known) << s.cause;
    EXPECT_NEAR(s.value - s.bar, 0.0, 0.02);
    EXPECT_GT(s.value + s.bar, 0.5);  // these few cells are stiff in bending
    EXPECT_LT(s.value + s.bar, 1.05);
}

TEST(Sensitivity, TheStepOfBackwardEulerMovesAFallingBodyAsItsSumSays) {
    // Held against y only and pulled along x, the strip falls rigidly: u = g h^2 n (n + 1) / 2 = g T^2 / 2 (1 + h / T),
    // so d ln u / d ln h = 1 / (n + 1).
    const SceneText fall = strip({"bodies.0.anchors.0.axes=y", "bodies.0.forces=[]", "gravity=[1, 0, 0]",
                                  "scheme=backward_euler", "material.alpha=0"});
    const SensitivityReport r = sensitivity(fall, {"step", "gravity.x"}, {"tip end ux"});
    EXPECT_NEAR(r.methods[0].values[0], 0.5 * 0.2 * 0.2 * 1.1, 1e-12);
    expect_exact(r, "step", "tip end ux", 1.0 / 11.0, 0.02);
    expect_exact(r, "gravity.x", "tip end ux", 1.0);
}

TEST(Sensitivity, PoissonsRatioNearZeroIsShiftedNotScaled) {
    const SensitivityReport r = sensitivity(bar({"poisson=0.05"}), {"poisson"}, {"tip end uy"});
    expect_exact(r, "poisson", "tip end uy", 1.0);
    EXPECT_NEAR(find(r, "poisson", "tip end uy").relative, 20.0, 1e-6);
    const SensitivityReport zero = sensitivity(bar({"poisson=0"}), {"poisson"}, {"tip end ux", "tip end uy"});
    expect_exact(zero, "poisson", "tip end ux", 0.0);
    const Sensitivity& across = find(zero, "poisson", "tip end ux");
    EXPECT_NEAR(across.relative, 0.0, across.relative_bar);
    EXPECT_LT(across.relative_bar, 1e-6);
    EXPECT_EQ(sensitivity_table(r, 0).rows.size(), 2u);  // and the second row says 20
    EXPECT_EQ(sensitivity_table(r, 0).rows[1][2].rfind("20.0000", 0), 0u) << sensitivity_table(r, 0).rows[1][2];
    EXPECT_FALSE(find(zero, "poisson", "tip end uy").known);  // 0, or rounding that passes for a displacement
}

TEST(Sensitivity, DefaultParametersAreThoseThatAreNumbersAndNotZero) {
    const SensitivityReport r = sensitivity(strip(), {}, {"tip end |u|"});
    const auto has = [&](const std::string& name) {
        return std::any_of(r.parameters.begin(), r.parameters.end(),
                           [&](const SensitivityParameter& p) { return p.name == name; });
    };
    for (const char* name : {"material.young", "material.poisson", "material.density", "material.rayleigh_alpha",
                             "material.rayleigh_beta", "step", "h", "newmark_beta", "newmark_gamma"}) {
        const bool left_out = std::any_of(r.left_out.begin(), r.left_out.end(),
                                          [&](const auto& l) { return l.first == name; });
        EXPECT_TRUE(has(name) || left_out) << name;
    }
    EXPECT_FALSE(has("volume_penalty"));
    // A material that names no damping has none; that is no reason to refuse the rest.
    const SensitivityReport bare = sensitivity(bar(), {}, {"tip end ux"});
    EXPECT_TRUE(find(bare, "material.young", "tip end ux").known);
    EXPECT_TRUE(std::any_of(bare.left_out.begin(), bare.left_out.end(),
                            [](const auto& l) { return l.first == "material.rayleigh_alpha"; }));
    EXPECT_TRUE(has("h"));
    // Everything the strip's answer is proportional to: scaling stiffness, mass and force together changes nothing.
    double sum = 0.0;
    for (const char* name : {"material.young", "material.density"}) sum += find(r, name, "tip end |u|").value;
    EXPECT_NEAR(sum + 1.0, 0.0, 1e-6);
}

TEST(Sensitivity, AVertexProbeKeepsItsPlaceWhenTheCellsChange) {
    // Pulled by its whole end the bar is uniform on any mesh. Vertex 19 of a finer one is elsewhere, where u_y is
    // another: only a pinned probe gives 0.
    const SceneText pulled = bar({"bodies.0.forces=[]",
                                  "bodies.0.handles=[{\"set\": \"right\", \"axes\": \"x\", \"keyframes\": [{\"t\": 0, "
                                  "\"translation\": [0.1, 0, 0]}]}]"});
    const SensitivityReport r = sensitivity(pulled, {"h", "mesh.counts.1"},
                                            {"tip end ux", "tip end uy", "largest peak |f|"});
    for (const char* parameter : {"h", "mesh.counts.1"}) {
        for (const char* quantity : {"tip end ux", "tip end uy", "largest peak |f|"})
            expect_exact(r, parameter, quantity, 0.0);
    }
    EXPECT_NEAR(r.parameters[0].value, std::cbrt(0.25 / 4), 1e-12);
}

TEST(Sensitivity, ARunThatDivergesIsARowWithItsCause) {
    const SensitivityReport r = sensitivity(
        strip({"scheme=newmark_explicit", "mass=lumped", "damping=mass_only", "step=0.2", "duration=200", "young=1e5"}),
        {"E", "density"}, {"tip end |u|"});
    for (const Sensitivity& s : r.rows) {
        EXPECT_FALSE(s.known);
        EXPECT_NE(s.cause, "");
    }
    EXPECT_NE(r.methods[0].cause, "");
    EXPECT_EQ(sensitivity_csv(r).find("nan"), std::string::npos);
    EXPECT_NO_THROW(static_cast<void>(tornado_plot(r, 0)));
}

TEST(Sensitivity, MethodsAreComparedSideBySide) {
    const SensitivityReport r = sensitivity(strip(), {"E", "newmark_beta"}, {"tip end |u|"},
                                            {"linear_fem", "linear_fem:scheme=backward_euler,mass=lumped"});
    ASSERT_EQ(r.methods.size(), 2u);
    const Sensitivity &first = find(r, "E", "tip end |u|", 0), &second = find(r, "E", "tip end |u|", 1);
    ASSERT_TRUE(first.known && second.known) << first.cause << second.cause;
    EXPECT_GT(std::abs(first.value - second.value), first.bar + second.bar);
    expect_exact(r, "newmark_beta", "tip end |u|", find(r, "newmark_beta", "tip end |u|", 0).value);
    EXPECT_NEAR(find(r, "newmark_beta", "tip end |u|", 1).value, 0.0, 1e-12);  // backward Euler has no beta
    EXPECT_GE(sensitivity(strip(), {"E"}, {"tip end |u|"}, {"all"}).methods.size(), 1u);
    expect_error(Fault::bad_usage, "--method linear_fem", [&] {
        sensitivity(strip(), {"E"}, {"tip end |u|"}, {"linear_fem", "linear_fem"});
    });  // two tables of one name
    for (const char* method : {"linear_fen", "linear_fem:shceme=bdf2", "linear_fem:scheme", ":"}) {
        // A value that is no choice is the option's fault.
        const Fault fault = std::string_view(method) == "linear_fem:scheme" ? Fault::bad_option : Fault::bad_usage;
        expect_error(fault, "--method " + std::string(method), [&] { sensitivity(strip(), {"E"}, {}, {method}); });
    }
}

TEST(Sensitivity, PathsThatAreNoNumbersAreRefused) {
    for (const char* path : {"scheme", "mesh.high", "about", "materail.young", "bodies"}) {
        expect_error(Fault::bad_usage, "--parameter " + std::string(path), [&] { sensitivity(strip(), {path}, {}); });
    }
    // At 0 there are no relative changes; at the end of a range, no room.
    const SensitivityReport r = sensitivity(strip({"material.alpha=0"}), {"E", "material.alpha"}, {"tip end |u|"});
    ASSERT_EQ(r.left_out.size(), 1u);
    EXPECT_EQ(r.left_out[0].first, "material.alpha");
}

TEST(Sensitivity, NumbersAreWrittenWithTheDigitsTheirBarLeaves) {
    EXPECT_EQ(value_with_bar(-1.00000000001, 3e-10), "-1.00000 ± 3e-10");
    EXPECT_EQ(value_with_bar(2.98765, 0.004), "2.988 ± 0.004");
    EXPECT_EQ(value_with_bar(1e-13, 1e-12), "0 ± 1e-12");
    EXPECT_EQ(value_with_bar(3.2, 7.0), "0 ± 10");
    EXPECT_EQ(value_with_bar(164.2, 31.0), "164 ± 30");
    EXPECT_EQ(value_with_bar(12.4, 3.2), "12 ± 3");
    EXPECT_EQ(value_with_bar(2.5, 0.0), "2.50000 ± 0");
    EXPECT_EQ(value_with_bar(0.00871, 3e-8), "0.00871 ± 3e-8");
    EXPECT_EQ(value_with_bar(std::nan(""), 1.0), "-");
}

TEST(Sensitivity, TheFilesCarryCommandAndProvenance) {
    Folder folder;
    SensitivityReport r = sensitivity(bar(), {"E", "poisson"}, {"tip end ux"});
    r.command = "limber sensitivity bar.json";
    write_sensitivity(folder.path("out"), r);
    for (const char* name : {"sensitivity.csv", "sensitivity.json", "index.html", "tornado_tip_end_ux.svg"}) {
        const std::string content = read_file(folder.path(std::string("out/") + name));
        EXPECT_NE(content.find("limber sensitivity bar.json"), std::string::npos) << name;
        EXPECT_NE(content.find(r.scene_hash), std::string::npos) << name;
    }
    // Two quantities never share a file.
    const SensitivityReport greek = sensitivity(
        strip({"output.probes=[{\"name\": \"α\", \"point\": [2, 1]}, {\"name\": \"β\", \"point\": [2, 0]}]"}), {"E"},
        {"α end |u|", "β end |u|"});
    EXPECT_EQ(tornado_plot(greek, 0).name, "tornado_end_u");
    EXPECT_EQ(tornado_plot(greek, 1).name, "tornado_end_u_2");
    EXPECT_EQ(sensitivity_json(r)["sensitivities"].size(), 2u);
}

}  // namespace
}  // namespace limber
