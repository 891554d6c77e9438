// A benchmark case: something limber does, what the machine would need at least for it, and what the obvious code
// takes. All three are timed in turn within one run, so that a slow moment of the machine slows all three.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace limber::bench {

struct Settings {
    int rounds = 31;     ///< of cheap cases; dear ones take fewer
    bool quick = false;  ///< small sizes, few rounds: under a minute, for people
    std::string scenes;  ///< folder
};

/// Which of the machine's limits a case is held against.
enum class Limit { read, triad, flops };

/// What to time. `bytes` is what must at least be touched, `passes` how often; `flops` is nominal: what the textbook
/// form takes.
struct Work {
    std::function<void()> subject;
    Limit limit = Limit::read;
    std::string against;  ///< the limit in words: "factor read twice"
    std::size_t bytes = 0;
    double passes = 1.0;
    double flops = 0.0;
    std::function<void()> baseline;  ///< the obvious code for the same; may be empty
    std::string baseline_name;
    int units = 1;      ///< how often the subject does its thing per call: times are given for one
    bool dear = false;  ///< seconds rather than milliseconds: few rounds
};

/// Seconds are medians. The ratio is the figure to look at: it hardly moves between machines and moments.
struct Result {
    std::string name;
    double ratio = 0.0;       ///< time over the limit's time: 1 = the machine cannot do it faster
    double best_ratio = 0.0;  ///< the same of the best times: what remains when the machine was busy
    std::string against;
    double time = 0.0, best = 0.0;  ///< [s]
    double limit_time = 0.0;        ///< [s]
    std::size_t bytes = 0;
    double read_rate = 0.0;                           ///< at this size [B/s]
    double triad_rate = 0.0;                          ///< at this size [B/s]
    double peak = 0.0;                                ///< [1/s]
    double flops = 0.0;                               ///< nominal
    std::string baseline;                             ///< "" = none
    double baseline_time = 0.0, baseline_best = 0.0;  ///< [s]
    int rounds = 0;

    double times_faster() const { return time > 0.0 ? baseline_time / time : 0.0; }       ///< than the baseline
    double best_times_faster() const { return best > 0.0 ? baseline_best / best : 0.0; }  ///< best against best
};

/// `set_up` builds the data once the case is chosen.
struct Case {
    std::string name;
    std::function<Work()> set_up;
};

using Cases = std::vector<Case>;
// One per file.
void add_solve_cases(Cases& cases, const Settings& settings);
void add_product_cases(Cases& cases, const Settings& settings);
void add_clustered_cases(Cases& cases, const Settings& settings);
void add_fem_cases(Cases& cases, const Settings& settings);
void add_geometry_cases(Cases& cases, const Settings& settings);
void add_solid_cases(Cases& cases, const Settings& settings);
void add_render_cases(Cases& cases, const Settings& settings);  ///< none where OpenGL cannot be started
void add_bem_cases(Cases& cases, const Settings& settings);
void add_jelly_cases(Cases& cases, const Settings& settings);
void add_dyrt_cases(Cases& cases, const Settings& settings);
void add_scene_cases(Cases& cases, const Settings& settings);

/// Runs the cases under Google Benchmark; `on_start` is told each name and its number.
std::vector<Result> run_cases(const Cases& cases, const Settings& settings,
                              const std::function<void(const std::string& name, std::size_t i)>& on_start);

}  // namespace limber::bench
