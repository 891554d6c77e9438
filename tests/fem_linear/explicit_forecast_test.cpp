// How many sub-steps an explicit scheme takes, foretold from single cells, against what the prepared body measures.
#include "fem_linear/explicit_forecast.hpp"

#include "methods/linear_fem_fixtures.hpp"

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace test;

double fact(const Deformer& deformer, const std::string& name) {
    for (const auto& [key, value] : deformer.facts())
        if (key == name) return value;
    return 0.0;
}

TEST(ExplicitForecast, IsNeverTooFewAndAtMostTwiceTooMany) {
    for (const CellKind kind : {CellKind::tet4, CellKind::hex8, CellKind::tet10}) {
        for (const double poisson : {0.3, 0.45}) {
            for (const char* mass : {"lumped", "consistent"}) {
                for (const double beta : {0.0, 0.01}) {
                    const auto body = bar(kind, 3, {"rubber", 2e4, poisson, 1000.0, 0.5, beta});
                    const double step = 0.05;
                    Progress silent;
                    const auto deformer = require_method("linear_fem")
                                              .prepare(body,
                                                       {{"scheme", std::string("symplectic_euler")},
                                                        {"mass", std::string(mass)},
                                                        {"integration", std::string("full")},
                                                        {"step", step}},
                                                       silent);
                    AssemblySettings assembly;
                    assembly.mass = std::string(mass) == "lumped" ? MassKind::lumped : MassKind::consistent;
                    const double taken = fact(*deformer, "sub_steps"),
                                 told = forecast_explicit(*body, assembly, Scheme::symplectic_euler, step).sub_steps;
                    const std::string label = std::string(to_string(kind)) + " " + mass + " nu " +
                                              std::to_string(poisson) + " beta " + std::to_string(beta);
                    EXPECT_GE(told, taken - 1) << label;
                    EXPECT_LE(told, 2.5 * taken + 1) << label;
                }
            }
        }
    }
}

TEST(ExplicitForecast, SaysWhatDampingCosts) {
    const auto body = bar(CellKind::tet4, 3, {"rubber", 2e4, 0.3, 1000.0, 0.0, 0.1});
    const ExplicitForecast forecast = forecast_explicit(*body, {}, Scheme::symplectic_euler, 1.0 / 60);
    EXPECT_GT(forecast.sub_steps, 5 * forecast.without_damping);
    EXPECT_TRUE(std::isinf(forecast_explicit(*body, {}, Scheme::backward_euler, 1.0 / 60).critical_step));
}

}  // namespace
}  // namespace limber
