// The suite itself: it passes an honest method, and every check fails a method that breaks its promise.
#include "conformance/broken.hpp"
#include "conformance/truss.hpp"
#include "expect_error.hpp"

#include <limber/conformance.hpp>

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace limber {
namespace {

using testing::Break;
using testing::Broken;
using testing::Truss;

ConformanceResult check(Break broken, const std::string& name) {
    static const Truss truss;
    ConformanceSettings settings;
    settings.large_cells = 4;  // the truss is dense
    settings.reference = &truss;
    return run_conformance_check(Broken<Truss>(broken), name, settings);
}

const std::map<std::string, std::vector<Break>>& breaks() {
    static const std::map<std::string, std::vector<Break>> table{
        {"rests_at_rest", {Break::drifts, Break::non_finite}},
        {"allocates_nothing", {Break::allocates}},
        {"ignores_thread_count", {Break::counts_threads}},
        {"ignores_scratch", {Break::reads_scratch, Break::non_finite}},
        {"state_continues", {Break::remembers}},
        {"save_continues", {Break::forgets_on_load}},
        {"prepares_equally", {Break::prepares_differently}},
        {"shares_between_threads", {Break::minds_the_thread, Break::remembers}},
        {"superposes", {Break::stiffens, Break::non_finite}},
        {"energy_decays", {Break::gains_energy}},
        {"converges", {Break::first_order, Break::non_finite}},
        {"velocity_is_rate", {Break::wrong_velocity, Break::non_finite}},
        {"motion_reads_back", {Break::half_motion, Break::non_finite}},
        {"free_body_falls", {Break::light_gravity, Break::non_finite}},
        {"agrees_with_reference", {Break::off_by_a_percent, Break::non_finite}},
        {"stretches_by_theory", {Break::no_continuum, Break::non_finite}},
        {"reactions_balance", {Break::unbalanced, Break::light_gravity}},
        {"energy_is_half_the_work", {Break::double_energy}},
        {"handles_reach_targets", {Break::handles_lag, Break::wrong_velocity, Break::non_finite}},
        {"handle_stiffness", {Break::wrong_stiffness}},
        {"live_stiffness", {Break::wrong_stiffness}},
        {"live_hard", {Break::soft_hard, Break::non_finite}},
        {"live_soft", {Break::stiff_soft, Break::non_finite}},
        {"live_unilateral", {Break::pulls, Break::soft_hard}},
        {"live_come_and_go", {Break::reaction_stays}},
        {"refuses_bodies", {Break::claims_fewer_cells}},
        {"refuses_loads", {Break::swallows_nan, Break::changes_refused_state}},
        {"refuses_steps", {Break::takes_any_step, Break::changes_refused_state}},
        {"refuses_states", {Break::takes_any_state, Break::changes_refused_state}},
        {"refuses_unknown_options", {Break::takes_any_option}},
        {"option_ends", {Break::poisoned_option, Break::non_finite}},
        {"refuses_cut_saves", {Break::loads_anything}},
    };
    return table;
}

class Suite : public ::testing::TestWithParam<std::string> {};

TEST_P(Suite, PassesAnHonestMethod) {
    // Otherwise a failure under a break proves nothing.
    const ConformanceResult result = check(Break::nothing, GetParam());
    EXPECT_TRUE(result.passed) << result.message;
    EXPECT_FALSE(result.skipped) << result.message;
}

TEST_P(Suite, FailsABrokenOne) {
    for (const Break broken : breaks().at(GetParam())) {
        const ConformanceResult result = check(broken, GetParam());
        EXPECT_FALSE(result.passed) << "break " << static_cast<int>(broken) << " went unseen: " << result.message;
        EXPECT_FALSE(result.message.empty());
    }
}

std::vector<std::string> names() {
    std::vector<std::string> out;
    for (const ConformanceCheck& c : conformance_checks()) out.emplace_back(c.name);
    return out;
}

INSTANTIATE_TEST_SUITE_P(Check, Suite, ::testing::ValuesIn(names()), [](const auto& param) { return param.param; });

TEST(SuiteRunner, KnowsItsChecks) {
    const std::vector<std::string> known = names();
    EXPECT_EQ(std::set<std::string>(known.begin(), known.end()).size(), known.size());
    EXPECT_EQ(breaks().size(), known.size());
    expect_error(Fault::bad_usage, "there is no conformance check 'no_such_check'",
                 [&] { run_conformance_check(Truss(), "no_such_check"); });
}

TEST(SuiteRunner, TraitsDecideWhatIsAsked) {
    class Modest : public Truss {
        Traits traits() const override {
            Traits t = Truss::traits();
            t.accepts_live = t.linear = t.dynamic = t.free_bodies = t.readout_stiffness = false;
            return t;
        }
    };
    for (const char* name : {"live_hard", "superposes", "converges", "free_body_falls", "handle_stiffness"}) {
        const ConformanceResult result = run_conformance_check(Modest(), name);
        EXPECT_TRUE(result.skipped && result.passed) << name;
        EXPECT_NE(result.message.find("traits."), std::string::npos) << result.message;
    }
}

TEST(SuiteRunner, WhatAMethodThrowsIsAFailureAndNotACrash) {
    class Thrower : public Truss {
        std::unique_ptr<Deformer> prepare(std::shared_ptr<const Body>, const OptionValues&, Progress&) const override {
            throw std::runtime_error("out of ideas");
        }
    };
    const ConformanceResult result = run_conformance_check(Thrower(), "state_continues");
    EXPECT_FALSE(result.passed);
    EXPECT_NE(result.message.find("out of ideas"), std::string::npos);
}

TEST(SuiteRunner, LeavesTheThreadCountAsItWas) {
    set_thread_count(3);
    check(Break::nothing, "ignores_thread_count");
    EXPECT_EQ(thread_count(), 3);
    set_thread_count(1);
}

}  // namespace
}  // namespace limber
