// Running a scene: the timeline of loads, the loop that steps and records, and what it says when something goes wrong.
#pragma once

#include <limber/method.hpp>
#include <limber/tools/recording.hpp>
#include <limber/tools/scene.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace limber {

/// A scene's loads over time, on the vertices of its body. Evaluating allocates nothing.
/// Step i ends at i * step, by multiplication, and a keyframe within 1e-9 of a step from there counts as exactly there.
class Timeline {
public:
    /// Throws Error when a set or keyframe does not fit the body.
    Timeline(const Scene& scene, const std::shared_ptr<const Body>& body, std::size_t body_index = 0);
    ~Timeline();
    Timeline(Timeline&&) noexcept;
    Timeline& operator=(Timeline&&) noexcept;

    double step() const;               ///< [s]
    std::size_t step_count() const;    ///< steps that fit into the duration
    double time(std::size_t i) const;  ///< end of step i (i = 0: the start) [s]

    /// Loads at the end of step i; its spans live until the next call. `at_step(0)` are those at the start.
    const Loads& at_step(std::size_t i) noexcept;
    /// The same at any time [s].
    const Loads& at(double t) noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// A material point whose motion is written down: a vertex, or a point inside a cell.
struct Probe {
    std::string name;
    Vec3 rest;  ///< [m]
    std::vector<std::int32_t> vertices;
    std::vector<double> weights;  ///< sum to 1

    /// The value of a per-vertex field there.
    Vec3 value(std::span<const Vec3> per_vertex) const;
};
/// The scene's probes on its body. Throws Error{bad_scene} for a point outside the body.
std::vector<Probe> make_probes(const Scene& scene, const Body& body, std::size_t body_index = 0);

struct RunSettings {
    double duration = 0.0;    ///< [s]; 0 = the scene's
    int every = 0;            ///< a frame each so many steps; 0 = the scene's
    bool stress = false;      ///< frames with the stress of each cell, also where the scene does not ask for it
    bool keep_frames = true;  ///< false: frames go to on_frame only
    Trouble tolerate = Trouble::none;  ///< bits that do not stop the run (they stay in each frame's report)
    bool keep_diverged = false;        ///< a run called diverged goes on, for whoever studies how it blows up
    std::function<void(const Recording& head)> on_start;     ///< once, after prepare and before the first frame
    std::function<void(const std::string& line)> on_remark;  ///< what the prepared deformer wants people to know
    std::function<void(const Frame& frame)> on_frame;        ///< every frame, first at t = 0
};

struct RunResult {
    Recording recording;              ///< frames up to the last good one; cut_short when it ended early
    Trouble trouble = Trouble::none;  ///< what stopped it
    bool diverged = false;            ///< had more energy than the body started with and was given (docs/diverged.md)
    bool interrupted = false;         ///< Progress::stop_requested
    /// One line: how it ended, or what a person should know of a run that went well; "" = nothing.
    std::string message;
    double end_time = 0.0;                               ///< of the last good step [s]
    std::size_t steps = 0;                               ///< good ones
    std::size_t frames = 0;                              ///< also when they were not kept
    Trouble tolerated = Trouble::none;                   ///< trouble seen and tolerated
    double median_ms = 0.0, p99_ms = 0.0, max_ms = 0.0;  ///< per step, wall clock
    double total_ms = 0.0;                               ///< of all good steps
    std::size_t iterations = 0;                          ///< of all good steps
    std::size_t linearisations = 0;                      ///< of all good steps (nonlinear methods)
    std::size_t cut_steps = 0;                           ///< good steps that were taken in more than one part
    std::size_t inverted_steps = 0;                      ///< good steps after which a cell was inside out
    double energy_gain = 0.0;   ///< the largest share of its energy that the body got out of nothing (docs/diverged.md)
    std::string solver;         ///< the linear solvers that were used, "" = none; several as "cholesky, pcg"
    std::vector<Probe> probes;  ///< evaluate them on the frames

    bool ok() const { return trouble == Trouble::none && !diverged && !interrupted; }
    /// Blew up: beyond what energy allows, or beyond what a double holds.
    bool blew_up() const { return diverged || has(trouble, Trouble::non_finite); }
};

/// The options a scene's method is prepared with: the scene's, plus its step for methods that fix one.
OptionValues method_options(const Scene& scene, const Method& method);

/// Builds the body, prepares the method, steps to the end. Throws Error only before the first step
/// (Error{interrupted} when the method stopped while preparing); afterwards the result tells.
RunResult run_scene(const Scene& scene, const RunSettings& settings, Progress& progress);
/// With a deformer prepared (or loaded) before, for the first body of the scene.
RunResult run_prepared(const Scene& scene, const Deformer& deformer, const std::shared_ptr<const Body>& body,
                       double prepare_ms, const RunSettings& settings, Progress& progress);

}  // namespace limber
