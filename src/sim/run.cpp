#include <limber/tools/sim.hpp>

#include "core/percentile.hpp"
#include "core/text.hpp"
#include "sim/energy_watch.hpp"
#include "sim/first_motion.hpp"
#include "sim/provenance_text.hpp"
#include "sim/small_strain_watch.hpp"
#include "sim/softness.hpp"

#include <algorithm>
#include <chrono>

namespace limber {

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

bool all_finite(const std::vector<Vec3>& values) {
    return std::all_of(values.begin(), values.end(), [](const Vec3& v) { return is_finite(v); });
}

bool finite_tensor(const SymMat3& s) { return is_finite({s.xx, s.yy, s.zz}) && is_finite({s.xy, s.yz, s.zx}); }

bool is_finite_frame(const Frame& frame) {
    return all_finite(frame.displacement) && all_finite(frame.velocity) &&
           std::all_of(frame.stress.begin(), frame.stress.end(), finite_tensor) &&
           std::isfinite(frame.energies.kinetic) && std::isfinite(frame.energies.elastic) &&
           std::all_of(frame.reactions.begin(), frame.reactions.end(),
                       [](const Wrench& w) { return is_finite(w.force) && is_finite(w.torque); });
}

/// Trouble that must stop the run, given what the caller tolerates. Cells turned inside out alone do not: methods that
/// tell of them balanced the step all the same and mostly turn the cells back; stopping there would forbid what they
/// are made for. The run says so.
Trouble untolerated(Trouble seen, Trouble tolerate) {
    return static_cast<Trouble>(static_cast<std::uint32_t>(seen) &
                                ~static_cast<std::uint32_t>(tolerate | Trouble::inverted_cell));
}

bool is_static(const Scene& scene) {
    const auto scheme = scene.method.options.find("scheme");
    const std::string* chosen = scheme != scene.method.options.end() ? scheme->second.word() : nullptr;
    return chosen != nullptr && *chosen == "quasi_static";
}

/// Advice names only what the method has.
const char* advice_for(Trouble trouble, const Scene& scene) {
    const Method* method = find_method(scene.method.name);
    const OptionTable options = method != nullptr ? method->options() : OptionTable{};
    const auto has_option = [&](const char* name) {
        return std::any_of(options.begin(), options.end(), [&](const OptionSpec& o) { return o.name == name; });
    };
    const bool collides = method != nullptr && method->traits().accepts_obstacles;
    if (has(trouble, Trouble::non_finite))
        return has_option("scheme") ? "; a smaller step or an implicit scheme helps" : "; a smaller step helps";
    if (has(trouble, Trouble::constraint_conflict) && collides) {
        return "; a support inside an obstacle, or an obstacle that entered between vertices: keep supports out of "
               "obstacles, refine the surface where obstacles are small";
    }
    if (has(trouble, Trouble::not_converged)) {
        if (is_static(scene)) {
            return "; less load in each step helps most: bring it on over several steps (keyframes from 0), or start "
                   "with a scheme that has inertia and stiffness damping";
        }
        return has_option("tolerance") ? "; a smaller step, a looser tolerance or more iterations help"
                                       : "; a smaller step, or less motion and load in each, helps";
    }
    if (has(trouble, Trouble::passed_through)) {
        return "; an obstacle at least as thick as the body, a stiffer body (bem: options.stiffness) or a slower fall "
               "helps";
    }
    if (has(trouble, Trouble::inverted_cell)) return "; a smaller step or gentler motion helps";
    return "";
}

/// What helps a body of large strain: found out for this one.
std::string cure_words(const Scene& scene, const std::shared_ptr<const Body>& body, const Loads& loads) {
    if (scene.method.name == "stvk")
        return "stvk gives way under pressure by its nature, neo_hookean does not: --set method=neo_hookean";
    const std::string soft = softness_warning(scene, body, loads);
    return soft.empty() ? text("a quarter of the step helps most: --set step=", scene.step / 4) : soft;
}

/// One run: state, last good state, and the frames that leave it.
class Loop {
public:
    Loop(const Scene& scene, const Deformer& deformer, const RunSettings& settings, RunResult& result)
        : deformer_(deformer),
          settings_(settings),
          result_(result),
          state_(deformer.rest_state()),
          good_(state_),
          scratch_(deformer.make_workspace()),
          watch_(scene, deformer, result.recording.step),
          strain_(require_method(scene.method.name), deformer.body(), !scene.obstacles.empty()) {}

    void set_moving(const Scene& scene) {
        start_moving(scene, deformer_, state_);
        good_ = state_;
    }

    /// Gives the rest state the accelerations of the loads at t = 0. False when that failed.
    bool start(const Loads& now) {
        report_ = deformer_.start(state_, now, scratch_);
        const Trouble bad = untolerated(report_.trouble, settings_.tolerate);
        result_.tolerated |= report_.trouble;
        if (bad != Trouble::none) return fall_back(bad);
        watch_.begin(state_, now, deformer_.energies(state_, scratch_));
        return true;
    }

    /// False when the step was not good: the state is then the last good one again.
    bool advance(const Loads& loads, double dt) {
        good_ = state_;
        const Clock::time_point start = Clock::now();
        report_ = deformer_.step(state_, loads, dt, scratch_);
        step_ms_ = ms_since(start);
        const Trouble bad = untolerated(report_.trouble, settings_.tolerate);
        if (bad != Trouble::none) return fall_back(bad);
        result_.tolerated |= report_.trouble;
        note_inverted(dt);
        if (report_.sub_steps > 1) ++result_.cut_steps;
        if (watch_.wants_every_step()) watch_.account(state_, loads);
        result_.total_ms += step_ms_;
        result_.iterations += static_cast<std::size_t>(report_.iterations);
        result_.linearisations += static_cast<std::size_t>(report_.linearisations);
        if (report_.solver != last_solver_) note_solver(report_.solver);
        times_.push_back(static_cast<float>(step_ms_));
        return true;
    }

    /// False when the frame held a value that is not finite, or more energy than there can be; it is then not recorded.
    bool record(double time, const Loads& loads) {
        Frame frame = make_frame(time);
        frame.obstacles.assign(loads.obstacles.begin(), loads.obstacles.end());
        if (!is_finite_frame(frame)) return fall_back(Trouble::non_finite);
        strain_.look(frame.displacement, time);
        if (!watch_.wants_every_step()) watch_.account(state_, loads);
        if (watch_.judge(frame.energies, time) == EnergyWatch::Verdict::diverged) {
            result_.diverged = true;
            if (!settings_.keep_diverged) return fall_back(Trouble::none);
        }
        emit(std::move(frame));
        return true;
    }

    const StepReport& report() const { return report_; }

    /// "" when no cell was ever inside out.
    std::string inverted_words(const Scene& scene, const Loads& loads) const {
        if (result_.inverted_steps == 0) return {};
        const std::string soft = is_of_large_strain(scene) ? softness_warning(scene, result_.recording.body, loads)
                                                           : std::string();
        return text("cells were turned inside out in ", counted(result_.inverted_steps, "step"), ", ", first_inverted_,
                    "; do not trust what is near them. ",
                    soft.empty() ? std::string("A smaller step, a finer mesh or a stiffer material helps")
                                 : text("The body falls into itself: ", soft));
    }

    /// What a person should know of a run that went to its end; "" = nothing.
    std::string closing_words(const Scene& scene, const Loads& loads) const {
        std::string out;
        for (const std::string& words : {inverted_words(scene, loads), watch_.gain_words(), strain_.words()})
            if (!words.empty()) out += text(out.empty() ? "" : "; ", words);
        return out;
    }
    const EnergyWatch& watch() const { return watch_; }

    void write_timings() {
        if (times_.empty()) return;
        std::sort(times_.begin(), times_.end());
        result_.median_ms = percentile(times_, 0.5);
        result_.p99_ms = percentile(times_, 0.99);
        result_.max_ms = times_.back();
    }

private:
    bool fall_back(Trouble trouble) {
        result_.trouble = trouble;
        state_ = good_;
        return false;
    }

    /// In how many steps cells were inside out, and where first.
    void note_inverted(double dt) {
        if (!has(report_.trouble, Trouble::inverted_cell)) return;
        if (result_.inverted_steps++ == 0) {
            first_inverted_ = text("first in ", cell_words(deformer_.body().mesh(), report_.where),
                                   fmt::format(" at t = {:.4g} s", static_cast<double>(result_.steps + 1) * dt));
        }
    }

    void note_solver(const char* name) {
        last_solver_ = name;
        const std::string all = text(", ", result_.solver, ", ");
        if (*name != '\0' && all.find(text(", ", name, ", ")) == std::string::npos)
            result_.solver += text(result_.solver.empty() ? "" : ", ", name);
    }

    Frame make_frame(double time) {
        const Body& body = deformer_.body();
        Frame frame;
        frame.time = time;
        frame.displacement.resize(body.vertex_count());
        frame.velocity.resize(body.vertex_count());
        deformer_.displacements(state_, frame.displacement);
        deformer_.velocities(state_, frame.velocity);
        if (result_.recording.has_stress) {
            frame.stress.resize(body.mesh().cell_count());
            deformer_.cell_stress(state_, frame.stress);
        }
        frame.energies = deformer_.energies(state_, scratch_);
        for (int i = 0; i < static_cast<int>(body.anchors().size()); ++i)
            frame.reactions.push_back(deformer_.reaction(state_, {SupportRef::Kind::anchor, i}));
        for (int i = 0; i < static_cast<int>(body.handles().size()); ++i)
            frame.reactions.push_back(deformer_.reaction(state_, {SupportRef::Kind::handle, i}));
        for (std::size_t i = 0; i < result_.recording.obstacle_count; ++i)
            frame.reactions.push_back(deformer_.reaction(state_, {SupportRef::Kind::obstacle, static_cast<int>(i)}));
        frame.report = report_;
        frame.step_ms = step_ms_;
        return frame;
    }

    void emit(Frame frame) {
        if (settings_.on_frame) settings_.on_frame(frame);
        ++result_.frames;
        if (settings_.keep_frames) result_.recording.frames.push_back(std::move(frame));
    }

    const Deformer& deformer_;
    const RunSettings& settings_;
    RunResult& result_;
    State state_, good_;
    Workspace scratch_;
    EnergyWatch watch_;
    StepReport report_;
    const char* last_solver_ = "";
    SmallStrainWatch strain_;
    std::string first_inverted_;
    double step_ms_ = 0.0;
    std::vector<float> times_;
};

std::string trouble_message(std::size_t i, double time, const RunResult& result, const Loop& loop, const Scene& scene,
                            const Loads& loads) {
    const Trouble trouble = result.trouble;
    const StepReport& report = loop.report();
    std::string line = text("step ", i, " (t = ", time, " s): ", result.diverged ? "diverged" : to_string(trouble));
    // What blows up and what has overflowed already have one cause and one cure.
    const std::shared_ptr<const Body>& body = result.recording.body;
    const bool large = is_of_large_strain(scene) && !is_static(scene);
    if (result.diverged) {
        return line +
               text(": ", loop.watch().words(), "; kept the frames up to t = ", result.end_time, " s",
                    large ? text("; ", cure_words(scene, body, loads)) : text(advice_for(Trouble::non_finite, scene)));
    }
    const auto where = static_cast<std::size_t>(report.where);
    if (has(trouble, Trouble::passed_through) && report.where >= 0 && where < scene.obstacles.size())
        line += text(", \"", scene.obstacles[where].name, "\"");
    else if (report.where >= 0 && is_of_large_strain(scene) && where < body->vertex_count())
        line += text(" ", position_words(body->mesh(), report.where));
    else if (report.where >= 0)
        line += text(", first at vertex or cell ", report.where);
    if (has(trouble, Trouble::not_converged) && report.residual > 0.0)
        line += text(", relative residual ", fmt::format("{:.2g}", report.residual));
    return line + text("; kept the state at t = ", result.end_time, " s",
                       large ? text("; ", cure_words(scene, body, loads)) : text(advice_for(trouble, scene)));
}

/// Steps until the end, trouble or a request to stop. Frames at every `every`-th step.
void step_to_end(Loop& loop, Timeline& timeline, const Scene& scene, std::size_t every, RunResult& result,
                 Progress& progress) {
    const std::size_t count = timeline.step_count();
    std::size_t last_frame = 0;
    const auto tell = [&](std::size_t step) {
        if (result.diverged) {  // the steps since the last frame were of the same run
            result.steps = last_frame;
            result.end_time = timeline.time(last_frame);
        }
        result.message = trouble_message(step, timeline.time(step), result, loop, scene, timeline.at_step(step));
    };
    const Loads& at_start = timeline.at_step(0);
    if (!loop.start(at_start) || !loop.record(0.0, at_start)) {
        result.message = text("at the start (t = 0 s): ",
                              result.diverged ? text("diverged: ", loop.watch().words()) : to_string(result.trouble));
        return;
    }
    for (std::size_t i = 1; i <= count; ++i) {
        if (progress.stop_requested()) {
            result.interrupted = true;
            result.message = text("interrupted at t = ", result.end_time, " s of ", timeline.time(count), " s");
            break;
        }
        const Loads& loads = timeline.at_step(i);
        const bool good = loop.advance(loads, timeline.step()) &&
                          (i % every != 0 || loop.record(timeline.time(i), loads));
        if (!good) {
            tell(i);
            break;
        }
        if (i % every == 0) last_frame = i;
        result.steps = i;
        result.end_time = timeline.time(i);
        progress.update(static_cast<double>(i) / static_cast<double>(count), "stepping");
    }
    // What was computed since the last frame is not lost, however the run ended.
    if (result.steps > last_frame) {
        const Trouble cause = result.trouble;
        const bool kept = loop.record(result.end_time, timeline.at_step(result.steps));
        if (cause !=
            Trouble::none) {  // what ended it stays its cause, though the last frame may have been beyond the bound too
            result.trouble = cause;
            result.diverged = false;
        }
        if (!kept && result.message.empty()) tell(result.steps);
    }
}

/// A method that does not collide would leave obstacles out without a word.
void require_obstacles(const Deformer& deformer, const Scene& scene) {
    const Method* method = find_method(deformer.method_name());
    if (!scene.obstacles.empty() && method != nullptr && !method->traits().accepts_obstacles) {
        throw Error(Fault::unsupported, {scene.source, 0, "/obstacles"},
                    text("the method ", deformer.method_name(), " does not collide"),
                    "a method that does, or a scene without obstacles");
    }
}

/// Asked before the first step: a run that was to record stress must not end without it.
void require_stress(const Deformer& deformer, const Scene& scene) {
    std::vector<SymMat3> stress(deformer.body().mesh().cell_count());
    if (!deformer.cell_stress(deformer.rest_state(), stress)) {
        throw Error(Fault::unsupported, {scene.source, 0, "/output/stress"},
                    text("the method ", deformer.method_name(), " knows no stress"),
                    "a method that does, or no stress in the output");
    }
}

}  // namespace

OptionValues method_options(const Scene& scene, const Method& method) {
    OptionValues values = scene.method.options;
    const OptionTable table = method.options();
    const bool takes_step = std::any_of(table.begin(), table.end(),
                                        [](const OptionSpec& o) { return o.name == "step"; });
    if (takes_step) values.emplace("step", scene.step);
    return values;
}

RunResult run_prepared(const Scene& scene, const Deformer& deformer, const std::shared_ptr<const Body>& body,
                       double prepare_ms, const RunSettings& settings, Progress& progress) {
    Scene timed = scene;
    if (deformer.prepared_step() > 0.0) timed.step = deformer.prepared_step();
    if (settings.duration > 0.0) timed.duration = settings.duration;
    const int every = settings.every > 0 ? settings.every : std::max(1, scene.output.every);
    Timeline timeline(timed, body);

    RunResult result;
    result.probes = make_probes(scene, *body);
    Recording& head = result.recording;
    head.scene = scene.name.empty() ? scene.source : scene.name;
    head.scene_hash = hash(scene);
    head.method = deformer.method_name();
    head.provenance = provenance_text();
    head.step = timeline.step();
    head.prepare_ms = prepare_ms;
    head.prepared_bytes = deformer.memory();
    head.body = body;
    if (!scene.bodies.empty()) {
        head.unit = scene.bodies[0].mesh.axes().unit();
        head.up = scene.bodies[0].mesh.axes().up();
        head.shown = scene.bodies[0].shown.loaded;
    }
    head.obstacle_count = scene.obstacles.size();
    head.has_stress = settings.stress || scene.output.stress;
    const Method* method = find_method(head.method);
    head.has_linearisations = method != nullptr && !method->traits().linear;
    require_obstacles(deformer, scene);
    if (head.has_stress) require_stress(deformer, scene);
    Loop loop(timed, deformer, settings, result);
    if (!scene.bodies.empty() && scene.bodies[0].motion != MotionSpec{}) loop.set_moving(scene);
    if (settings.on_start) settings.on_start(head);
    if (settings.on_remark)
        for (const std::string& line : deformer.remarks()) settings.on_remark(line);

    step_to_end(loop, timeline, scene, static_cast<std::size_t>(every), result, progress);
    loop.write_timings();
    result.energy_gain = loop.watch().worst_gain();
    if (result.message.empty()) result.message = loop.closing_words(scene, timeline.at_step(result.steps));
    head.cut_short = !result.ok();
    return result;
}

namespace {

/// What a method refuses on second sight names the scene too.
std::unique_ptr<Deformer> prepare(const Scene& scene, const Method& method, std::shared_ptr<const Body> body,
                                  Progress& progress) {
    try {
        return method.prepare(std::move(body), method_options(scene, method), progress);
    } catch (const Error& error) {
        if (!error.place().path.empty() || error.fault() == Fault::interrupted) throw;
        throw Error(error.fault(), {scene.source, error.place().line, error.place().field}, error.found(),
                    error.expected());
    }
}

}  // namespace

RunResult run_scene(const Scene& scene, const RunSettings& settings, Progress& progress) {
    const Method& method = require_method(scene.method.name, {scene.source, 0, "/method/name"});
    const std::shared_ptr<const Body> body = make_body(scene);
    check_traits(method, *body);
    const Clock::time_point start = Clock::now();
    const std::unique_ptr<Deformer> deformer = prepare(scene, method, body, progress);
    return run_prepared(scene, *deformer, body, ms_since(start), settings, progress);
}

}  // namespace limber
