#include "study/compare_run.hpp"

#include "core/parallel.hpp"
#include "core/percentile.hpp"
#include "core/spelling.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

#include <limber/tools/metrics.hpp>

#include <algorithm>
#include <cmath>
#include <new>

namespace limber {
namespace {

/// More frames than this show nothing more in a plot and cost time to measure.
constexpr double kMostFrames = 200.0;
/// Of the reference's frames [bytes].
constexpr double kMostFrameBytes = 1.5e9;
constexpr double kBytesPerVertex = 48.0;
/// How many frames apart common times may be when a step does not divide the interval.
constexpr int kMostApart = 64;

double effective_duration(const CompareSettings& settings) {
    return std::max(settings.base.duration, settings.base.step);
}

bool divides(double part, double whole) {
    const double ratio = std::round(whole / part);
    return ratio >= 1.0 && std::abs(ratio * part - whole) <= 1e-9 * whole;
}

bool relative_to_motion(const char* metric) {
    return std::string_view(metric) == "relative_l2" || std::string_view(metric) == "relative_energy";
}

/// |u|^2 in parts of `scale`^2.
double motion_squared(const Frame& frame, double scale) {
    double sum = 0.0;
    for (const Vec3& u : frame.displacement) sum += norm2(u / scale);
    return sum;
}

/// |u|^2 of the reference's frame nearest to t, in parts of the largest component's, so that no square overflows or
/// vanishes.
class MeasuredMotion {
public:
    explicit MeasuredMotion(const Recording& reference) {
        double largest = 0.0;
        for (const Frame& f : reference.frames) {
            for (const Vec3& u : f.displacement)
                largest = std::max({largest, std::abs(u.x), std::abs(u.y), std::abs(u.z)});
        }
        for (const Frame& f : reference.frames) {
            t_.push_back(f.time);
            squared_.push_back(largest > 0.0 ? motion_squared(f, largest) : 0.0);
        }
    }
    double at(double t) const {
        std::size_t i = static_cast<std::size_t>(std::lower_bound(t_.begin(), t_.end(), t) - t_.begin());
        if (i == t_.size() || (i > 0 && t - t_[i - 1] < t_[i] - t)) --i;
        return squared_[i];
    }

private:
    std::vector<double> t_, squared_;
};

double over_the_run(const MetricSeries& series, bool weigh, const MeasuredMotion& motion) {
    // Scaled by the largest value: squares of a run that is about to blow up would overflow.
    double largest = 0.0, sum = 0.0, weights = 0.0;
    for (const double v : series.value) largest = std::max(largest, std::abs(v));
    if (largest == 0.0) return 0.0;
    for (std::size_t i = 0; i < series.value.size(); ++i) {
        const double w = weigh ? motion.at(series.t[i]) : 1.0, share = series.value[i] / largest;
        sum += w * share * share;
        weights += w;
    }
    return weights > 0.0 ? largest * std::sqrt(sum / weights) : kUnknown;
}

Score score_one(const MetricSpec& metric, const Recording& reference, const Recording& candidate,
                const MeasuredMotion& motion) {
    Score out;
    out.metric = metric;
    try {
        out.series = evaluate_metric(metric.name, reference, candidate);
        out.summary = summarize(out.series);
        // At the start everything rests: one common frame there is no comparison.
        if (!out.series.overflowed.empty())
            out.overall = std::numeric_limits<double>::infinity();
        else if (out.series.t.empty() || out.series.t.back() <= 0.0)
            out.missing = "no value at a common time after the start";
        else
            out.overall = over_the_run(out.series, relative_to_motion(metric.name), motion);
    } catch (const Error& error) {
        out.missing = error.what();
    } catch (const std::bad_alloc&) {
        out.missing = "not enough memory";
    }
    return out;
}

void describe_body(const Recording& recording, CandidateResult& out) {
    out.method = recording.method;
    out.scene_hash = recording.scene_hash;
    out.step = recording.step;
    if (!recording.body) return;
    out.vertices = recording.body->vertex_count();
    out.cells = recording.body->mesh().cell_count();
}

void note_locking(const Scene& scene, const Body& body, std::vector<std::string>& notes) {
    const Method* method = find_method(scene.method.name);
    if (!method) return;
    const OptionTable table = method->options();
    if (std::none_of(table.begin(), table.end(), [](const OptionSpec& s) { return s.name == "integration"; })) return;
    const bool full = Options(table, scene.method.options).choice("integration") == "full";
    for (const LockingRisk& risk : locking_risks(body, full)) notes.push_back(risk.message);
}

void take_cost(const RunResult& run, Cost& cost) {
    cost.known = run.steps > 0;
    cost.prepare_ms = run.recording.prepare_ms;
    cost.bytes = run.recording.prepared_bytes;
    cost.steps = run.steps;
    cost.median_ms = run.median_ms;
    cost.p99_ms = run.p99_ms;
    cost.max_ms = run.max_ms;
    if (run.steps == 0) return;
    cost.total_ms = run.total_ms;
    // Not the total: on a busy machine a few steps wait for other programs, and they would decide.
    cost.per_second_ms = run.median_ms * static_cast<double>(run.steps) / run.end_time;
    cost.iterations = static_cast<double>(run.iterations) / static_cast<double>(run.steps);
}

ComparedRun run_one(const Scene& scene, double interval, Progress& progress) {
    ComparedRun out;
    RunSettings settings;
    std::string note;
    double step = scene.step;
    if (const auto given = scene.method.options.find("step"); given != scene.method.options.end())
        if (const double* value = given->second.number()) step = *value;
    settings.every = every_of(step, interval, note);
    if (!note.empty()) out.result.notes.push_back(note);
    settings.on_remark = [&](const std::string& line) { out.result.notes.push_back(line); };
    RunResult run = run_scene(scene, settings, progress);
    take_cost(run, out.result.cost);
    out.recording = std::move(run.recording);
    describe_body(out.recording, out.result);
    note_locking(scene, *out.recording.body, out.result.notes);
    out.result.end_time = run.end_time;
    if (run.ok() && !run.message.empty()) out.result.notes.push_back(run.message);
    if (!run.ok()) out.result.cause = run.message;
    out.result.outcome = run.interrupted ? Outcome::not_run
                         : run.ok()      ? Outcome::done
                         : run.blew_up() ? Outcome::diverged
                                         : Outcome::stopped;
    return out;
}

/// What a recording of ours says about its cost: only the steps that made frames are known.
void take_recorded_cost(const Recording& recording, Cost& cost) {
    std::vector<double> ms;
    for (const Frame& f : recording.frames)
        if (f.time > 0.0 && f.step_ms > 0.0) ms.push_back(f.step_ms);
    if (!recording.has_cost || ms.empty() || !(recording.step > 0.0)) return;
    std::sort(ms.begin(), ms.end());
    cost.known = true;
    cost.prepare_ms = recording.prepare_ms;
    cost.bytes = recording.prepared_bytes;
    cost.steps = static_cast<std::size_t>(std::llround(recording.frames.back().time / recording.step));
    cost.median_ms = percentile(ms, 0.5);
    cost.p99_ms = percentile(ms, 0.99);
    cost.max_ms = ms.back();
    double iterations = 0.0;
    for (const Frame& f : recording.frames) iterations += f.report.iterations;
    cost.per_second_ms = cost.median_ms / recording.step;
    cost.iterations = iterations / static_cast<double>(ms.size());
}

ComparedRun load_one(const SeriesSource& file, const std::shared_ptr<const Body>& body) {
    ComparedRun out;
    out.recording = read_series(file, body);
    describe_body(out.recording, out.result);
    take_recorded_cost(out.recording, out.result.cost);
    out.result.notes = out.recording.remarks;
    if (out.result.cost.known)
        out.result.notes.emplace_back("costs as recorded, of the steps that made frames, perhaps on another machine");
    out.result.outcome = Outcome::done;
    if (out.recording.cut_short) out.result.notes.emplace_back("the recording was cut short");
    if (!out.recording.frames.empty()) out.result.end_time = out.recording.frames.back().time;
    return out;
}

double largest_motion(const Frame& frame) {
    double out = 0.0;
    for (const Vec3& u : frame.displacement)
        out = std::max(out, is_finite(u) ? norm(u) : std::numeric_limits<double>::infinity());
    return out;
}

}  // namespace

const char* to_string(Outcome outcome) {
    switch (outcome) {
        case Outcome::done: return "done";
        case Outcome::diverged: return "diverged";
        case Outcome::stopped: return "stopped";
        case Outcome::failed: return "failed";
        case Outcome::not_run: return "not run";
    }
    return "unknown";
}

double choose_interval(const CompareSettings& settings, const std::vector<Scene>& reference_levels) {
    const double own = settings.base.step * std::max(1, settings.base.output.every),
                 frames = effective_duration(settings) / own;
    double most = kMostFrames;
    if (!reference_levels.empty()) {
        const double vertices = static_cast<double>(make_mesh(reference_levels.back().bodies.at(0)).vertices.size());
        most = std::clamp(kMostFrameBytes / (kBytesPerVertex * vertices), 10.0, kMostFrames);
    }
    const double stride = std::max(1.0, std::ceil(frames / most - 1e-6));
    return own * stride;
}

int every_of(double step, double interval, std::string& note) {
    if (divides(step, interval)) return static_cast<int>(std::lround(interval / step));
    if (divides(interval, step)) return 1;  // longer steps: every frame of theirs is a frame of ours
    for (int apart = 2; apart <= kMostApart; ++apart) {
        if (divides(step, apart * interval)) {
            note = text("a step of ", short_number(step), " s meets the frames only every ",
                        short_number(apart * interval), " s");
            return static_cast<int>(std::lround(apart * interval / step));
        }
    }
    note = text("a step of ", short_number(step), " s does not meet the frames, ", short_number(interval), " s apart");
    return std::max(1, static_cast<int>(std::lround(interval / step)));
}

ComparedRun run_candidate(const Candidate& candidate, double interval, const std::shared_ptr<const Body>& body,
                          Progress& progress) {
    ComparedRun out;
    std::string failure = candidate.fault;
    bool interrupted = false;
    if (failure.empty()) {
        try {
            out = candidate.scene ? run_one(*candidate.scene, interval, progress) : load_one(candidate.file, body);
        } catch (const Error& error) {
            interrupted = error.fault() == Fault::interrupted;
            failure = error.what();
        } catch (const std::bad_alloc&) {
            failure = "not enough memory";
        }
    }
    if (!failure.empty()) {
        out.result.outcome = interrupted ? Outcome::not_run : Outcome::failed;
        out.result.cause = failure;
    }
    out.result.name = candidate.name;
    out.result.choices = candidate.choices;
    out.result.file = candidate.file.path;
    return out;
}

ComparedRun run_reference(const Scene& scene, double interval, Progress& progress) {
    ComparedRun out = run_one(scene, interval, progress);
    if (out.result.outcome == Outcome::not_run)
        throw Error(Fault::interrupted, {}, "interrupted while the reference ran; nothing was written");
    if (out.result.outcome != Outcome::done) {
        throw Error(Fault::unsupported, {scene.source, 0, "/method"},
                    text("the reference run ended early: ", out.result.cause), "another --reference");
    }
    return out;
}

void cut_divergence(const Recording& reference, ComparedRun& run) {
    if (run.result.file.empty() || !run.recording.body) return;
    double bound = diagonal_of(run.recording.body->mesh());
    for (const Frame& f : reference.frames) bound = std::max(bound, largest_motion(f));
    bound *= 1000.0;
    std::vector<Frame>& frames = run.recording.frames;
    const auto first = std::find_if(frames.begin(), frames.end(),
                                    [&](const Frame& f) { return !(largest_motion(f) <= bound); });
    if (first == frames.end()) return;
    run.result.outcome = Outcome::diverged;
    run.result.cause = text("diverged: beyond ", short_number(bound, 2), " m at t = ", short_number(first->time), " s");
    run.result.end_time = first == frames.begin() ? 0.0 : (first - 1)->time;
    frames.erase(first, frames.end());
}

std::vector<MetricSpec> chosen_metrics(const std::vector<std::string>& names) {
    std::vector<MetricSpec> all(metric_specs().begin(), metric_specs().end());
    if (names.empty()) return all;
    all.insert(all.end(), shown_metric_specs().begin(), shown_metric_specs().end());
    std::vector<std::string> known;
    known.reserve(all.size());
    for (const MetricSpec& spec : all) known.emplace_back(spec.name);
    std::vector<MetricSpec> out;
    for (const std::string& name : names) {
        const auto at = std::find(known.begin(), known.end(), name);
        if (at == known.end()) {
            throw Error(Fault::bad_usage, {"--metric", 0, {}},
                        text("unknown metric '", name, "'", suggestion(name, known)),
                        fmt::format("one of {}", fmt::join(known, ", ")));
        }
        const bool twice = std::any_of(out.begin(), out.end(), [&](const MetricSpec& s) { return name == s.name; });
        if (!twice) out.push_back(all[static_cast<std::size_t>(at - known.begin())]);
    }
    return out;
}

std::vector<Score> score(const std::vector<MetricSpec>& metrics, const Recording& reference,
                         const Recording& candidate) {
    const MeasuredMotion motion(reference);
    std::vector<Score> out(metrics.size());
    // Measured while nothing is timed, so all cores may help.
    parallel_blocks(metrics.size(), 1, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) out[i] = score_one(metrics[i], reference, candidate, motion);
    });
    return out;
}

}  // namespace limber
