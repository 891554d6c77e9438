// What a check works with: the method, the settings, and where it writes its verdict.
#pragma once

#include "conformance/test_bench.hpp"

#include <limber/conformance.hpp>

#include <functional>
#include <string>
#include <vector>

namespace limber::conformance {

class Context {
public:
    Context(const Method& m, const ConformanceSettings& s) : method(m), traits(m.traits()), settings(s) {}

    const Method& method;
    const Traits traits;
    const ConformanceSettings& settings;

    /// One more thing that was looked at; the check fails with the first ones that did not hold.
    void expect(bool holds, const std::string& message);
    /// `found` must not exceed `limit`. NaN does.
    void expect_at_most(double found, double limit, const std::string& what);
    void skip(const std::string& reason) { skip_ = reason; }

    ConformanceResult result(const std::string& check) const;

private:
    std::size_t looked_at_ = 0;
    std::size_t failed_ = 0;
    double closest_ = 0.0;  ///< the largest part of a limit that was used up
    std::string closest_what_;
    std::string failures_;
    std::string skip_;
};

/// A way to prepare the method: the defaults, one other choice, or two.
struct Variant {
    std::string label;
    OptionValues options;
};
std::vector<Variant> variants(const Method& method, bool pairs);

/// Runs `use` on the body prepared each way. Combinations that the method refuses by Error are left out.
void for_each_variant(Context& c, const std::shared_ptr<const Body>& body, bool pairs,
                      const std::function<void(const std::shared_ptr<const Deformer>&, const std::string& label)>& use);

using CheckFunction = void (*)(Context&);

// The checks, by file.
void rests_at_rest(Context&);  // check_bits.cpp
void allocates_nothing(Context&);
void ignores_thread_count(Context&);
void ignores_scratch(Context&);
void state_continues(Context&);
void save_continues(Context&);
void prepares_equally(Context&);
void shares_between_threads(Context&);
void superposes(Context&);  // check_motion.cpp
void energy_decays(Context&);
void converges(Context&);
void velocity_is_rate(Context&);
void motion_reads_back(Context&);
void free_body_falls(Context&);
void agrees_with_reference(Context&);  // check_rest.cpp
void stretches_by_theory(Context&);
void reactions_balance(Context&);
void energy_is_half_the_work(Context&);
void handles_reach_targets(Context&);  // check_supports.cpp
void vertices_reach_targets(Context&);
void handle_stiffness(Context&);
void live_stiffness(Context&);
void live_hard(Context&);
void live_soft(Context&);
void live_unilateral(Context&);
void live_come_and_go(Context&);
void refuses_bodies(Context&);  // check_refusals.cpp
void refuses_loads(Context&);
void refuses_steps(Context&);
void refuses_states(Context&);
void refuses_unknown_options(Context&);
void option_ends(Context&);
void refuses_cut_saves(Context&);

}  // namespace limber::conformance
