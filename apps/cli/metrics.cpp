// limber metrics: how far one recording is from another.
#include "cli/cli.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "geometry/triangles.hpp"
#include "metrics/summary.hpp"
#include "report/files.hpp"
#include "report/plot.hpp"
#include "report/table.hpp"
#include "study/variant.hpp"

#include <limber/embedding.hpp>
#include <limber/tools/metrics.hpp>
#include <limber/tools/painted_surface.hpp>
#include <limber/tools/series.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace limber::cli {
namespace {

using nlohmann::json;

struct MetricsArguments {
    std::string reference, candidate, csv;
    std::vector<std::string> names;
    bool on_surface = false;  ///< --surface, with or without a file
    std::string surface;      ///< --surface FILE; "" = the recordings' own
    LengthUnit surface_unit = LengthUnit::m;
    UpAxis surface_up = UpAxis::y;
    CommonArguments common;
};

struct Measured {
    MetricSpec spec;
    MetricSeries series;
    std::string missing;  ///< why it does not apply; "" = it does
};

std::vector<MetricSpec> all_specs() {
    std::vector<MetricSpec> out(metric_specs().begin(), metric_specs().end());
    out.insert(out.end(), shown_metric_specs().begin(), shown_metric_specs().end());
    return out;
}

std::vector<std::string> all_names() {
    std::vector<std::string> names;
    for (const MetricSpec& spec : all_specs()) names.emplace_back(spec.name);
    return names;
}

/// Without --metric: what the two have, or what --surface asks for.
std::vector<MetricSpec> wanted_specs(const MetricsArguments& arguments, const Recording& reference) {
    if (!arguments.names.empty()) return all_specs();
    if (arguments.on_surface) return {shown_metric_specs().begin(), shown_metric_specs().end()};
    return metric_specs_for(reference);
}

/// Without --metric every measure is tried, and one that does not apply says why instead of ending the verb.
std::vector<Measured> measure(const MetricsArguments& arguments, const Recording& reference,
                              const Recording& candidate) {
    const std::vector<std::string> known = all_names();
    for (const std::string& name : arguments.names) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            throw Error(Fault::bad_usage, InputLocation{"--metric", 0, {}},
                        text("unknown metric '", name, "'", suggestion(name, known)),
                        "a name listed by limber metrics --help");
        }
    }
    std::vector<Measured> out;
    for (const MetricSpec& spec : wanted_specs(arguments, reference)) {
        if (!arguments.names.empty() &&
            std::find(arguments.names.begin(), arguments.names.end(), spec.name) == arguments.names.end()) {
            continue;
        }
        Measured m{spec, {}, {}};
        try {
            m.series = evaluate_metric(spec.name, reference, candidate);
        } catch (const Error& error) {
            if (!arguments.names.empty() || error.fault() != Fault::unsupported) throw;
            m.missing = error.what();
        }
        out.push_back(std::move(m));
    }
    return out;
}

json to_json(const Measured& m) {
    if (!m.missing.empty()) return {{"name", m.spec.name}, {"unit", m.spec.unit}, {"missing", m.missing}};
    return {{"name", m.spec.name},
            {"unit", m.spec.unit},
            {"t", m.series.t},
            {"value", m.series.value},
            {"left_out", m.series.left_out},
            {"overflowed", m.series.overflowed},
            {"stated_error", m.series.stated_error},
            {"symmetric", m.spec.symmetric}};
}

Table to_table(const std::vector<Measured>& all) {
    Table table{{{"metric"},
                 {"unit"},
                 {"largest", Align::right},
                 {"at [s]", Align::right},
                 {"mean", Align::right},
                 {"last", Align::right},
                 {"note"}},
                {}};
    for (const Measured& m : all) {
        if (m.series.value.empty() && m.series.overflowed.empty()) {
            table.add(
                {m.spec.name, m.spec.unit, "-", "-", "-", "-", m.missing.empty() ? "no frames in common" : m.missing});
            continue;
        }
        const MetricSummary summary = summarize(m.series);
        std::string note = m.series.stated_error > 0 ? text("itself known to ", short_number(m.series.stated_error, 2))
                                                     : "";
        const auto add_note = [&](const std::string& words) { note += text(note.empty() ? "" : "; ", words); };
        const std::size_t too_large = m.series.overflowed.size(), no_value = m.series.left_out - too_large;
        if (too_large > 0) add_note(text("too large for a number in ", counted(too_large, "frame")));
        if (no_value > 0) add_note(text(counted(no_value, "frame"), " left out"));
        const auto shown = [](double value) {
            return std::isinf(value) ? std::string("> 1.8e308") : short_number(value);
        };
        table.add({m.spec.name, m.spec.unit, shown(summary.maximum), short_number(summary.time_of_maximum),
                   shown(summary.mean), shown(summary.final_value), note});
    }
    return table;
}

void write_csv(const MetricsArguments& arguments, const std::vector<Measured>& all, const Recording& reference,
               const Recording& candidate) {
    Plot plot;
    plot.title = text("metrics of ", arguments.candidate, " against ", arguments.reference);
    plot.caption = text("scenes ", hex(candidate.scene_hash), " and ", hex(reference.scene_hash));
    plot.command = text("limber metrics ", arguments.reference, " ", arguments.candidate);
    plot.x = {"t", "s"};
    for (const Measured& m : all) {
        if (m.missing.empty()) {
            plot.series.push_back(
                {m.spec.unit[0] ? text(m.spec.name, " [", m.spec.unit, "]") : m.spec.name, m.series.t, m.series.value});
        }
    }
    write_text_file(arguments.csv, to_csv(plot));
}

/// Recordings, or one recording and a series of another program on its body.
struct Both {
    Recording reference, candidate;
};

Both read_both(const MetricsArguments& arguments) {
    const SeriesSource reference = parse_series_source(arguments.reference, arguments.reference),
                       candidate = parse_series_source(arguments.candidate, arguments.candidate);
    const auto is_recording = [](const SeriesSource& source) { return ending_of(source.path) == ".limber"; };
    Both out;
    // A file of another name may still be a recording; only endings of series are taken for series.
    const auto is_series = [&](const SeriesSource& source) {
        const std::string ending = ending_of(source.path);
        return ending == ".pvd" || ending == ".vtu" || ending == ".npz" || ending == ".pc2" || ending == ".mdd";
    };
    if (is_series(reference) && is_series(candidate)) {
        throw Error(Fault::bad_usage, {arguments.reference, 0, {}}, "two series of other programs, without a body",
                    "at least one recording of limber");
    }
    if (!is_series(reference))
        out.reference = read_recording(is_recording(reference) ? reference.path : arguments.reference);
    if (!is_series(candidate))
        out.candidate = read_recording(is_recording(candidate) ? candidate.path : arguments.candidate);
    if (is_series(reference)) out.reference = read_series(reference, out.candidate.body);
    if (is_series(candidate)) out.candidate = read_series(candidate, out.reference.body);
    out.reference.scene = reference
                              .path;  // what measures refuse is told of the file, not of a title that both may have
    out.candidate.scene = candidate.path;
    return out;
}

/// Numbers between bodies that do not even fill the same room mean nothing.
void warn_of_strangers(const MetricsArguments& arguments, const Both& both) {
    constexpr double kSameRoom = 0.1;  // of the reference's diagonal
    if (!both.reference.body || !both.candidate.body) return;
    const Box3 a = box_of(both.reference.body->mesh().vertices), b = box_of(both.candidate.body->mesh().vertices);
    const double apart = std::max(norm(b.low - a.low), norm(b.high - a.high));
    if (apart > kSameRoom * a.diagonal()) {
        complain(text("warning: ", arguments.candidate,
                      ": its body at rest fills another box than the reference's (corners up to ",
                      short_number(apart, 3), " m apart): are they the same thing, in the same unit?"));
    }
}

/// The surface to measure on: the file's, the reference's, or the candidate's.
void choose_surface(const MetricsArguments& arguments, Both& both) {
    if (!arguments.surface.empty()) {
        std::vector<std::string> remarks;
        both.reference.shown = std::make_shared<const PaintedSurface>(
            read_painted_surface(arguments.surface, arguments.surface_unit, arguments.surface_up, remarks));
        for (const std::string& remark : remarks) complain(text("warning: ", remark));
        for (const Recording* r : {&both.reference, &both.candidate}) {
            if (r->body) {
                if (const std::string warning = EmbeddedSurface(both.reference.shown->surface.vertices, r->body->mesh())
                                                    .warning();
                    !warning.empty()) {
                    complain(text("warning: ", arguments.surface, ": ", warning));
                }
            }
        }
    } else if (!both.reference.shown) {
        both.reference.shown = both.candidate.shown;
    }
}

int metrics(const MetricsArguments& arguments) {
    refuse_overwriting({arguments.reference, arguments.candidate, arguments.surface}, {arguments.csv});
    Both both = read_both(arguments);
    choose_surface(arguments, both);
    refuse_overwriting({}, {arguments.csv});
    warn_of_strangers(arguments, both);
    const Recording &reference = both.reference, &candidate = both.candidate;
    const std::vector<Measured> all = measure(arguments, reference, candidate);
    if (!arguments.csv.empty()) write_csv(arguments, all, reference, candidate);
    for (const auto& [path, recording] :
         {std::pair{arguments.reference, &reference}, std::pair{arguments.candidate, &candidate}}) {
        if (recording->cut_short) {
            complain(text("warning: ", path, ": the recording was cut short after ",
                          counted(recording->frames.size(), "frame")));
        }
    }
    if (arguments.common.json) {
        json list = json::array();
        for (const Measured& m : all) list.push_back(to_json(m));
        const auto about = [](const std::string& path, const Recording& r) {
            return json{{"file", path},
                        {"method", r.method},
                        {"scene_hash", hex(r.scene_hash)},
                        {"frames", r.frames.size()},
                        {"cut_short", r.cut_short}};
        };
        print_json({{"reference", about(arguments.reference, reference)},
                    {"candidate", about(arguments.candidate, candidate)},
                    {"metrics", list},
                    {"provenance", provenance_json()}});
    } else {
        print(to_text(to_table(all), look_of(1)));
    }
    // Two recordings that no measure can compare are bad input, not a result.
    const bool any = std::any_of(all.begin(), all.end(), [](const Measured& m) {
        return !m.series.value.empty() || !m.series.overflowed.empty();
    });
    return any ? kDone : kBadInput;
}

std::string metrics_footer() {
    std::string out = "Metrics:";
    for (const MetricSpec& spec : all_specs())
        out += text("\n  ", spec.name, spec.unit[0] ? text(" [", spec.unit, "]") : "", ": ", spec.sentence);
    return out;
}

}  // namespace

void add_metrics(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("metrics", "measure how far one recording is from another");
    auto a = std::make_shared<MetricsArguments>();
    verb->add_option(
            "reference", a->reference,
            "the recording taken as true; or a series (.pvd .vtu .npz .pc2 .mdd), also FILE:rate=25,unit=mm,up=z")
        ->required()
        ->type_name("REFERENCE");
    verb->add_option("candidate", a->candidate, "the recording to be judged, or such a series")
        ->required()
        ->type_name("CANDIDATE");
    verb->add_option("--metric", a->names, "only this one; may be repeated")
        ->type_name("NAME")
        ->expected(1)
        ->take_all();
    CLI::Option* surface = verb->add_option("--surface", a->surface,
                                            "measure on a surface that rides on both: a file (.obj .ply .stl .glb), or "
                                            "without one that of the recordings")
                               ->type_name("FILE")
                               ->expected(0, 1);
    verb->add_option("--surface-unit", a->surface_unit, "the unit of that file, m unless told")
        ->type_name("m|cm|mm|in|ft")
        ->transform(length_words());
    verb->add_option("--surface-up", a->surface_up, "the axis that points up in it, y unless told")
        ->type_name("y|z")
        ->transform(up_words());
    verb->add_option("--csv", a->csv, "also every value at every time")->type_name("FILE");
    add_json_flag(*verb, a->common);
    verb->footer(metrics_footer);
    verb->callback([a, surface, &action] {
        a->on_surface = surface->count() > 0;
        action = [a] { return metrics(*a); };
    });
}

}  // namespace limber::cli
