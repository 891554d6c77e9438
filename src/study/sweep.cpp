#include "study/sweep.hpp"

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "report/files.hpp"
#include "study/sweep_jobs.hpp"
#include "study/sweep_store.hpp"
#include "study/variant.hpp"

#include <limber/tools/series.hpp>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <new>

namespace limber {
namespace {

bool ends_with(const std::string& words, const std::string& ending) {
    return words.size() >= ending.size() && words.compare(words.size() - ending.size(), ending.size(), ending) == 0;
}

std::size_t grid_size(const std::vector<Parameter>& parameters) {
    double points = 1.0;
    for (const Parameter& p : parameters) points *= static_cast<double>(p.values.size());
    if (points > static_cast<double>(kMostPoints))
        throw Error(Fault::bad_usage, {"--set", 0, {}}, text(points, " points"), text("at most ", kMostPoints));
    return static_cast<std::size_t>(points);
}

/// Each path is looked up in the scene as the ones before it leave it: method=... may come before an option of that
/// method.
std::vector<Parameter> parse_all(const SweepSettings& settings) {
    JsonValue root = tree_of(settings.scene);
    std::vector<Parameter> out;
    if (settings.varied.empty())
        throw Error(Fault::bad_usage, {"--set", 0, {}}, "nothing to vary", "at least one --set PATH=VALUES");
    for (const std::string& words : settings.varied) {
        Parameter p = parse_parameter(root, words);
        for (const Parameter& other : out) {
            if (other.target.pointer == p.target.pointer) {
                throw Error(Fault::bad_usage, {text("--set ", words), 0, {}},
                            text("varies what ", other.path, " varies"), "each field once");
            }
        }
        std::vector<SceneFault> faults;
        if (!apply_set(root, p.assignment(0), faults)) throw SceneError(std::move(faults));
        out.push_back(std::move(p));
    }
    return out;
}

struct Reference {
    std::shared_ptr<const Recording> recording;
    std::string key = "none";  ///< changes when the reference does
};

std::shared_ptr<const Recording> run_reference(const Scene& scene, Progress& progress) {
    RunResult run = run_scene(scene, {}, progress);
    if (run.interrupted) throw Error(Fault::interrupted, {}, "interrupted while the reference ran");
    if (!run.ok()) {
        throw Error(Fault::bad_scene, {scene.source, 0, {}}, text("the reference failed: ", run.message),
                    "a scene that runs");
    }
    return std::make_shared<const Recording>(std::move(run.recording));
}

/// What errors depend on: the frames, and the shape they move.
std::string content_key(const Recording& recording) {
    std::uint64_t h = 0xcbf29ce484222325ull;
    const auto add = [&h](double value) {
        for (int shift = 0; shift < 64; shift += 8)
            h = (h ^ (std::bit_cast<std::uint64_t>(value) >> shift & 0xff)) * 0x100000001b3ull;
    };
    for (const Frame& frame : recording.frames) {
        add(frame.time);
        for (const auto* field : {&frame.displacement, &frame.velocity}) {
            for (const Vec3& v : *field)
                for (int a = 0; a < 3; ++a) add(v[a]);
        }
    }
    return fmt::format("{:#018x} on {:#018x}", h, recording.body ? recording.body->hash() : 0);
}

Reference load_reference(const SweepSettings& settings, const Scene& base, Progress& progress) {
    Reference out;
    const std::string& asked = settings.reference;
    if (asked.empty()) return out;
    if (asked == "scene") {
        out.recording = run_reference(base, progress);
    } else if (ends_with(asked, ".json")) {
        out.recording = run_reference(read_scene(asked), progress);
    } else {
        out.recording = std::make_shared<const Recording>(
            read_series(parse_series_source(asked, text("--reference ", asked)), make_body(base)));
    }
    out.key = content_key(*out.recording);
    if (out.recording->frames.empty())
        throw Error(Fault::bad_data, {asked, 0, {}}, "a reference without frames", "a recording with frames");
    return out;
}

/// Files that values name count by what they hold.
std::string files_key(const SweepSettings& settings, const std::vector<Parameter>& parameters) {
    std::string out;
    for (const Parameter& p : parameters) {
        if (p.target.pointer != "/bodies/0/mesh/path") continue;
        for (const std::string& value : p.values) {
            std::error_code ignored;
            const std::filesystem::path file = std::filesystem::path(settings.scene.folder) / value;
            if (std::filesystem::is_regular_file(file, ignored)) out += text_hash(read_file(file.string()));
        }
    }
    return out;
}

StoreKey key_of(const SweepSettings& settings, const SweepReport& report, const Reference& reference) {
    std::string grid, quantities;
    for (const Parameter& p : report.parameters) {
        grid += p.target.pointer + "=";
        for (const std::string& value : p.values) grid += value + "\n";
    }
    for (const PointColumn& column : report.columns) quantities += column.name + "\n";
    std::string scene = settings.scene.text;
    for (const std::string& set : settings.scene.sets) scene += "\n" + set;
    return {{"the scene", text_hash(text(scene, report.scene_hash))},
            {"the grid", text_hash(grid + files_key(settings, report.parameters))},
            {"the quantities", text_hash(quantities)},
            {"the reference", reference.key},
            {"limber or the machine", report.made_by}};
}

std::vector<std::string> sets_of(const SweepReport& report, std::size_t point) {
    std::vector<std::string> sets;
    for (std::size_t p = 0; p < report.parameters.size(); ++p)
        sets.push_back(report.parameters[p].assignment(report.value_of(point, p)));
    return sets;
}

PointResult measure(const SceneText& base, const std::vector<std::string>& sets, const PointRequest& request,
                    MemoryGate& gate, Progress& progress) {
    try {
        const Scene scene = scene_of(base, sets);
        const double bytes = estimated_bytes(scene);
        if (bytes > gate.total()) {
            return refused_point(request, fmt::format("about {:.0f} GB of memory needed, the machine has {:.0f} GB",
                                                      bytes / 1e9, gate.total() / 1e9));
        }
        const MemoryShare share(gate, bytes);
        return measure_point(scene, request, progress);
    } catch (const Error& error) {
        if (error.fault() == Fault::interrupted) throw;
        return refused_point(request, error.what());
    } catch (const std::bad_alloc&) {
        return refused_point(request, "not enough memory");
    }
}

/// Without a directory nothing is kept; with one, every point is on disk before the next is taken.
void run_points(const SweepSettings& settings, const PointRequest& request, SweepStore* store, SweepReport& report,
                Progress& progress) {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < report.points.size(); ++i) {
        const auto found = store ? store->points().find(i) : std::map<std::size_t, PointResult>::const_iterator{};
        if (store && found != store->points().end())
            report.points[i] = found->second;
        else
            left.push_back(i);
    }
    report.resumed = report.points.size() - left.size();
    MemoryGate gate;
    std::mutex mutex;
    const bool all = run_jobs(left.size(), settings.jobs > 0 ? settings.jobs : default_jobs(), "point", progress,
                              [&](std::size_t item, Progress& inner) {
                                  const std::size_t point = left[item];
                                  PointResult result = measure(settings.scene, sets_of(report, point), request, gate,
                                                               inner);
                                  const std::lock_guard lock(mutex);
                                  if (store) store->add(point, result);
                                  report.points[point] = std::move(result);
                              });
    if (all) return;
    const std::size_t done = store ? store->points().size() : 0;
    throw Error(Fault::interrupted, {settings.scene.path, 0, {}},
                text("interrupted after ", done, " of ", counted(report.points.size(), "point"),
                     store ? "; the same command goes on from there" : ""));
}

}  // namespace

std::size_t SweepReport::value_of(std::size_t point, std::size_t parameter) const {
    std::size_t stride = 1;
    for (std::size_t p = parameter + 1; p < parameters.size(); ++p) stride *= parameters[p].values.size();
    return point / stride % parameters[parameter].values.size();
}

std::size_t SweepReport::count(PointStatus status) const {
    return static_cast<std::size_t>(
        std::count_if(points.begin(), points.end(), [&](const PointResult& r) { return r.status == status; }));
}

SweepReport run_sweep(const SweepSettings& settings, Progress& progress) {
    SweepReport report;
    const OneThread one_thread;
    report.made_by = provenance_line();
    const Scene base = scene_of(settings.scene);
    report.scene = base.name;
    report.scene_hash = fmt::format("{:#018x}", hash(base));
    report.command = settings.command;
    report.parameters = parse_all(settings);
    report.points.resize(grid_size(report.parameters));
    const Reference reference = load_reference(settings, base, progress);
    // The first point's scene may have probes or supports that the unchanged one has not; the columns are those of the
    // unchanged one.
    const PointRequest request = make_point_request(base, settings.quantities, reference.recording);
    report.columns = request.columns;
    std::unique_ptr<SweepStore> store;
    if (!settings.directory.empty()) {
        make_directories(settings.directory);
        store = std::make_unique<SweepStore>(settings.directory + "/points.jsonl", key_of(settings, report, reference),
                                             request.columns.size(), settings.fresh);
    }
    run_points(settings, request, store.get(), report, progress);
    return report;
}

}  // namespace limber
