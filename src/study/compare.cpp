#include "study/compare.hpp"

#include "core/part_of_progress.hpp"
#include "core/text.hpp"
#include "report/table.hpp"
#include "study/compare_large_strain.hpp"
#include "study/compare_reference.hpp"
#include "study/compare_run.hpp"
#include "study/run_pictures.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace limber {
namespace {

/// How much of the progress bar the reference takes.
constexpr double kReferenceShare = 0.35;
/// Of the reference's diagonal: facets of round bodies differ by less.
constexpr double kSameShape = 0.1;
/// Of a run, for pictures; and what all such frames together may take.
constexpr std::size_t kPicturedFrames = 61, kPicturedBytes = std::size_t{256} << 20;

ReferenceLevel level_of(const ComparedRun& run) {
    const Mesh& mesh = run.recording.body->mesh();
    return {run.result.vertices, run.result.cells,           mesh.kind,
            run.result.step,     run.result.cost.prepare_ms, run.result.cost.total_ms};
}

/// What the candidates are measured against: the truth, and their own mesh stepped finely (no frames: there is none).
struct Truth {
    Recording reference, same_mesh;
};

/// The coarsest level's mesh with the finest level's step: its distance to the coarsest level is what stepping costs
/// there.
void run_same_mesh(const ReferencePlan& plan, const Recording& coarsest, double interval,
                   const std::vector<MetricSpec>& metrics, ReferenceResult& out, Truth& truth, Progress& progress) {
    Scene scene = plan.levels.front();
    scene.step = plan.levels.back().step;
    truth.same_mesh = run_reference(scene, interval, progress).recording;
    out.same_mesh_step = scene.step;
    const Score distance = score({metrics[0]}, truth.same_mesh, coarsest)[0];
    Floor& floor = out.same_mesh;
    floor.metric = metrics[0];
    floor.distance = distance.overall;
    const double share = 1.0 / (plan.levels.front().step / scene.step - 1.0);
    floor.error = floor.distance * share;
    floor.t = distance.series.t;
    for (const double v : distance.series.value) floor.value.push_back(std::abs(v) * share);
    floor.words = text("distance from the same run with step ", step_words(plan.levels.front().step),
                       " s: a bound, if the order is at least 1");
}

/// Runs every level.
Truth run_levels(const ReferencePlan& plan, double interval, const std::vector<MetricSpec>& metrics,
                 ReferenceResult& out, Progress& progress) {
    std::vector<Recording> recordings;
    std::vector<std::vector<Score>> steps_up;
    double done = 0.0, all = 0.0;
    for (std::size_t k = 0; k < plan.levels.size(); ++k) all += std::pow(16.0, static_cast<double>(k));
    for (std::size_t k = 0; k < plan.levels.size(); ++k) {
        const double share = std::pow(16.0, static_cast<double>(k)) / all;
        PartOfProgress part(progress, kReferenceShare * done, kReferenceShare * (done + share));
        done += share;
        part.name(plan.levels.size() > 1 ? text("reference, level ", k) : "reference");
        ComparedRun run = run_reference(plan.levels[k], interval, part);
        out.levels.push_back(level_of(run));
        recordings.push_back(std::move(run.recording));
        if (k > 0) steps_up.push_back(score(metrics, recordings[k], recordings[k - 1]));
    }
    const ReferenceLevel& last = out.levels.back();
    out.name = text(plan.levels.back().method.name, ", ", last.cells, " ", to_string(last.kind), " cells, step ",
                    step_words(last.step), " s");
    Truth truth;
    if (recordings.size() > 1) {
        PartOfProgress part(progress, kReferenceShare, kReferenceShare);
        part.name("small steps on the scene's mesh");
        run_same_mesh(plan, recordings.front(), interval, metrics, out, truth, part);
    }
    // The coarsest level has the candidates' step, whose error is not the mesh's.
    const std::vector<Score> mesh_alone = recordings.size() > 1 ? score(metrics, recordings.back(), truth.same_mesh)
                                                                : std::vector<Score>{};
    out.floors = estimate_floors(steps_up, mesh_alone, metrics);
    truth.reference = std::move(recordings.back());
    return truth;
}

Truth make_reference(const CompareSettings& settings, const ReferencePlan& plan, double interval,
                     const std::vector<MetricSpec>& metrics, const std::shared_ptr<const Body>& body,
                     ReferenceResult& out, Progress& progress) {
    out.words = plan.words;
    Truth truth;
    Recording& recording = truth.reference;
    if (!plan.levels.empty()) {
        truth = run_levels(plan, interval, metrics, out, progress);
    } else {
        recording = read_series(settings.reference.file, body);
        out.name = settings.reference.file.path;
        for (const std::string& remark : recording.remarks) out.words += text(" ", remark, ".");
        out.floors = estimate_floors({}, {}, metrics);
    }
    if (recording.frames.size() < 2) {
        throw Error(Fault::bad_data, {out.name, 0, {}}, counted(recording.frames.size(), "frame"),
                    "a reference of at least two frames");
    }
    out.end_time = recording.frames.back().time;
    return truth;
}

/// As large as the estimate is no more than it: once refined, the estimate is the distance of a run like the candidates
/// themselves.
bool below(const Score& score, const Floor& floor) { return floor.error > 0.0 && score.overall <= floor.error; }

void mark_floors(const ReferenceResult& reference, CandidateResult& result) {
    for (std::size_t m = 0; m < result.scores.size(); ++m)
        result.scores[m].below_floor = below(result.scores[m], reference.floors[m]);
    result.same_mesh.below_floor = below(result.same_mesh, reference.same_mesh);
}

Score score_same_mesh(const MetricSpec& metric, const Recording& same_mesh, const Recording& candidate) {
    Score none;
    none.metric = metric;
    if (same_mesh.frames.empty()) {
        none.missing = "no run to measure it against";
    } else if (candidate.body->mesh().kind != same_mesh.body->mesh().kind ||
               candidate.body->mesh().vertices != same_mesh.body->mesh().vertices) {
        none.missing = "another mesh";
    }
    return none.missing.empty() ? score({metric}, same_mesh, candidate)[0] : none;
}

/// Why cells of the tables are empty, each reason once.
void note_missing(CandidateResult& result) {
    std::vector<std::pair<std::string, std::string>> reasons;
    for (const Score& s : result.scores) {
        if (s.missing.empty()) continue;
        const auto at = std::find_if(reasons.begin(), reasons.end(),
                                     [&](const auto& r) { return r.first == s.missing; });
        if (at == reasons.end())
            reasons.emplace_back(s.missing, s.metric.name);
        else
            at->second += text(", ", s.metric.name);
    }
    for (const auto& [reason, names] : reasons) result.notes.push_back(text("no ", names, ": ", reason));
}

std::string span_words(const Vec3& low, const Vec3& high) {
    return fmt::format("[{} {} {}] to [{} {} {}] m", short_number(low.x), short_number(low.y), short_number(low.z),
                       short_number(high.x), short_number(high.y), short_number(high.z));
}

/// Somebody else's body, or another unit or axis: metrics would still give numbers.
void note_shape(const Mesh& reference, const Mesh& own, CandidateResult& result) {
    const auto span = [](const Mesh& mesh) {
        Vec3 low = mesh.vertices.at(0), high = low;
        for (const Vec3& v : mesh.vertices) {
            for (int a = 0; a < 3; ++a) {
                low[a] = std::min(low[a], v[a]);
                high[a] = std::max(high[a], v[a]);
            }
        }
        return std::pair{low, high};
    };
    const auto [low, high] = span(reference);
    const auto [own_low, own_high] = span(own);
    if (std::max(norm(own_low - low), norm(own_high - high)) <= kSameShape * norm(high - low)) return;
    result.notes.insert(result.notes.begin(),
                        text("at rest it spans ", span_words(own_low, own_high), ", the reference ",
                             span_words(low, high), ": another body, unit or axis?"));
}

/// A file, or a run of another duration, that ends long before the reference: its first moments are not to be ranked
/// among whole runs.
void mark_short(double interval, double end, ComparedRun& run) {
    const std::vector<Frame>& frames = run.recording.frames;
    double spacing = std::max(interval, run.result.step);
    if (frames.size() > 1) spacing = std::max(spacing, frames.back().time - frames[frames.size() - 2].time);
    if (run.result.outcome != Outcome::done || run.result.end_time + spacing * (1.0 + 1e-9) >= end) return;
    run.result.outcome = Outcome::stopped;
    run.result.cause = text("it ends at ", short_number(run.result.end_time), " s, the reference at ",
                            short_number(end), " s");
}

void keep_motion(const std::string& name, double error, const Recording& recording, Comparison& out) {
    if (!out.settings.pictures || recording.frames.empty()) return;
    std::size_t bytes = 0;
    for (const ComparedMotion& m : out.motions)
        bytes += 2 * sizeof(Vec3) * m.recording->body->vertex_count() * m.recording->frames.size();
    if (bytes < kPicturedBytes) out.motions.push_back({name, error, thinned(recording, kPicturedFrames)});
}

CandidateResult compare_one(const Candidate& candidate, const Truth& truth, Comparison& so_far,
                            const std::vector<MetricSpec>& metrics, const std::shared_ptr<const Body>& body,
                            Progress& progress) {
    ComparedRun run = run_candidate(candidate, so_far.interval, body, progress);
    const bool ran = run.result.outcome != Outcome::failed && run.result.outcome != Outcome::not_run;
    if (ran) {
        cut_divergence(truth.reference, run);
        mark_short(so_far.interval, so_far.reference.end_time, run);
        run.result.scores = score(metrics, truth.reference, run.recording);
        run.result.same_mesh = score_same_mesh(metrics[0], truth.same_mesh, run.recording);
        mark_floors(so_far.reference, run.result);
        note_shape(truth.reference.body->mesh(), run.recording.body->mesh(), run.result);
        note_missing(run.result);
        if (run.result.ranked()) keep_motion(run.result.name, run.result.scores[0].overall, run.recording, so_far);
    } else
        run.result.same_mesh.missing = "it did not run";
    if (run.result.outcome == Outcome::not_run) run.result.cause = "interrupted before it was done";
    return std::move(run.result);
}

CandidateResult not_run(const Candidate& candidate) {
    CandidateResult out;
    out.name = candidate.name;
    out.choices = candidate.choices;
    out.file = candidate.file.path;
    out.same_mesh.missing = "it did not run";
    out.cause = "interrupted before it began";
    return out;
}

void run_candidates(const Truth& truth, const std::vector<MetricSpec>& metrics, const std::shared_ptr<const Body>& body,
                    Comparison& out, Progress& progress) {
    const std::vector<Candidate>& all = out.settings.candidates;
    const double each = (1.0 - kReferenceShare) / static_cast<double>(std::max<std::size_t>(1, all.size()));
    for (std::size_t i = 0; i < all.size(); ++i) {
        out.interrupted = out.interrupted || progress.stop_requested();
        if (out.interrupted) {
            out.candidates.push_back(not_run(all[i]));
            continue;
        }
        const double low = kReferenceShare + each * static_cast<double>(i);
        PartOfProgress part(progress, low, low + each);
        part.name(all[i].name);
        out.candidates.push_back(compare_one(all[i], truth, out, metrics, body, part));
        out.interrupted = out.candidates.back().outcome == Outcome::not_run;
    }
}

/// Linear elasticity gives way without bound under a point: finer meshes move less and less, and nothing converges.
void note_points(const Scene& scene, const Body& body, Comparison& out) {
    if (scene.bodies.empty() || out.settings.reference.kind != ReferenceSpec::Kind::refined) return;
    std::string what;
    for (const Handle& h : body.handles())
        if (h.vertices.size() == 1) what = text("handle \"", h.name, "\" drives");
    const Mesh mesh = make_mesh(scene.bodies[0]);
    for (const ForceSpec& f : scene.bodies[0].forces)
        if (mesh.vertex_sets.at(f.set).size() == 1) what = text("a force acts on set \"", f.set, "\",");
    if (what.empty()) return;
    out.notes.push_back(text(what,
                             " a single vertex: a point load has no limit under refinement, so a refined reference is "
                             "no truth here; drive a patch, or compare on one mesh with --reference ",
                             scene.method.name, ":step=..."));
}

void note_lengths(Comparison& out) {
    for (const CandidateResult& c : out.candidates) {
        if (c.ranked() && c.end_time > out.reference.end_time * (1.0 + 1e-9)) {
            out.notes.push_back(text("the reference ends at ", short_number(out.reference.end_time),
                                     " s; what candidates do later is not compared"));
            return;
        }
    }
}

}  // namespace

bool Comparison::one_mesh() const {
    if (reference.levels.size() < 2) return false;
    const ReferenceLevel& own = reference.levels.front();
    return std::all_of(candidates.begin(), candidates.end(), [&](const CandidateResult& r) {
        return r.vertices == 0 || (r.vertices == own.vertices && r.cells == own.cells);
    });
}

std::string step_words(double step) {
    const double rate = 1.0 / step;
    if (rate > 1.5 && std::abs(rate - std::round(rate)) < 1e-6 * rate)
        return text("1/", short_number(std::round(rate), 6));
    return short_number(step);
}

Comparison compare(const CompareSettings& settings, Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    Comparison out;
    out.settings = settings;
    out.scene_hash = hash(settings.base);
    const std::vector<MetricSpec> metrics = chosen_metrics(settings.metrics);
    const std::shared_ptr<const Body> body = make_body(settings.base);
    out.dimension = body->mesh().dimension();
    const ReferencePlan plan = plan_reference(settings);
    out.interval = choose_interval(settings, plan.levels);
    const Truth truth = make_reference(settings, plan, out.interval, metrics, body, out.reference, progress);
    keep_motion("reference", 0.0, truth.reference, out);
    if (!plan.levels.empty()) {
        PartOfProgress part(progress, kReferenceShare, kReferenceShare);
        part.name("large strain");
        Scene own = plan.levels.front();
        own.step = plan.levels.back().step;
        measure_large_strain(own, truth.same_mesh.frames.empty() ? truth.reference : truth.same_mesh, metrics[0], out,
                             part);
    }
    run_candidates(truth, metrics, body, out, progress);
    note_lengths(out);
    note_points(settings.base, *body, out);
    out.elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return out;
}

}  // namespace limber
