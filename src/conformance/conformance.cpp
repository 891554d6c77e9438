#include "conformance/context.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace limber {
namespace {

using namespace conformance;

constexpr std::array kChecks{
    ConformanceCheck{"rests_at_rest", "without loads nothing moves, whatever is chosen"},
    ConformanceCheck{"allocates_nothing", "no step after the first, and no readout, takes memory"},
    ConformanceCheck{"ignores_thread_count", "one thread and many give the same bits"},
    ConformanceCheck{"ignores_scratch", "scratch memory means nothing between steps"},
    ConformanceCheck{"state_continues", "a saved state continues with the same bits"},
    ConformanceCheck{"save_continues", "a saved and loaded deformer continues with the same bits"},
    ConformanceCheck{"prepares_equally", "preparing twice gives the same bits"},
    ConformanceCheck{"shares_between_threads", "two threads may step two states of one deformer"},
    ConformanceCheck{"superposes", "a linear method adds up loads"},
    ConformanceCheck{"energy_decays", "damped and let go, energy does not grow"},
    ConformanceCheck{"converges", "halving dt converges at the order claimed"},
    ConformanceCheck{"velocity_is_rate", "velocity is the rate of displacement"},
    ConformanceCheck{"motion_reads_back", "a motion that is set is the motion that is read"},
    ConformanceCheck{"free_body_falls", "a free body falls as Newton says"},
    ConformanceCheck{"agrees_with_reference", "small loads give what linear_fem gives, within the stated tolerance"},
    ConformanceCheck{"stretches_by_theory", "a stretched bar thins and pulls as theory says"},
    ConformanceCheck{"reactions_balance", "at rest, reactions and loads sum to zero, torques too"},
    ConformanceCheck{"energy_is_half_the_work", "at rest, elastic energy is half the load's work"},
    ConformanceCheck{"handles_reach_targets", "handles are where they were sent, at the speed they were sent with"},
    ConformanceCheck{"vertices_reach_targets",
                     "vertices driven by themselves are where they were sent, and pull like a handle"},
    ConformanceCheck{"handle_stiffness", "a handle's stiffness is the slope of its reaction"},
    ConformanceCheck{"live_stiffness", "a live constraint's stiffness is the slope of its reaction"},
    ConformanceCheck{"live_hard", "a hard live constraint is met"},
    ConformanceCheck{"live_soft", "a soft live constraint pulls like its spring"},
    ConformanceCheck{"live_unilateral", "a one-sided live constraint only pushes"},
    ConformanceCheck{"live_come_and_go", "live constraints come, change and go without a trace"},
    ConformanceCheck{"refuses_bodies", "bodies that the traits exclude are refused, others taken"},
    ConformanceCheck{"refuses_loads", "bad loads are reported and change nothing"},
    ConformanceCheck{"refuses_steps", "a wrong dt is reported and changes nothing"},
    ConformanceCheck{"refuses_states", "a state of another deformer is reported and stays as it is"},
    ConformanceCheck{"refuses_unknown_options", "options that do not exist or do not fit are refused"},
    ConformanceCheck{"option_ends", "both ends of every option's range work or explain themselves"},
    ConformanceCheck{"refuses_cut_saves", "a save that was cut short is refused"},
};

constexpr std::array<CheckFunction, kChecks.size()> kFunctions{rests_at_rest,
                                                               allocates_nothing,
                                                               ignores_thread_count,
                                                               ignores_scratch,
                                                               state_continues,
                                                               save_continues,
                                                               prepares_equally,
                                                               shares_between_threads,
                                                               superposes,
                                                               energy_decays,
                                                               converges,
                                                               velocity_is_rate,
                                                               motion_reads_back,
                                                               free_body_falls,
                                                               agrees_with_reference,
                                                               stretches_by_theory,
                                                               reactions_balance,
                                                               energy_is_half_the_work,
                                                               handles_reach_targets,
                                                               vertices_reach_targets,
                                                               handle_stiffness,
                                                               live_stiffness,
                                                               live_hard,
                                                               live_soft,
                                                               live_unilateral,
                                                               live_come_and_go,
                                                               refuses_bodies,
                                                               refuses_loads,
                                                               refuses_steps,
                                                               refuses_states,
                                                               refuses_unknown_options,
                                                               option_ends,
                                                               refuses_cut_saves};

ConformanceResult run_one(const Method& method, std::size_t index, const ConformanceSettings& settings) {
    const auto start = std::chrono::steady_clock::now();
    Context context(method, settings);
    try {
        if (context.traits.cells.empty())
            context.expect(false, "traits.cells is empty: the method takes no body at all");
        else
            kFunctions[index](context);
    } catch (const std::exception& e) {
        context.expect(false, text("threw: ", e.what()));
    }
    ConformanceResult result = context.result(kChecks[index].name);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace

std::span<const ConformanceCheck> conformance_checks() { return kChecks; }

ConformanceResult run_conformance_check(const Method& method, const std::string& check,
                                        const ConformanceSettings& settings) {
    const auto found = std::find_if(kChecks.begin(), kChecks.end(),
                                    [&](const ConformanceCheck& c) { return check == c.name; });
    if (found == kChecks.end()) {
        throw Error(Fault::bad_usage, {}, text("there is no conformance check '", check, "'"),
                    "one of conformance_checks()");
    }
    return run_one(method, static_cast<std::size_t>(found - kChecks.begin()), settings);
}

std::vector<ConformanceResult> run_conformance(const Method& method, const ConformanceSettings& settings) {
    std::vector<ConformanceResult> results;
    for (std::size_t i = 0; i < kChecks.size(); ++i) results.push_back(run_one(method, i, settings));
    return results;
}

}  // namespace limber
