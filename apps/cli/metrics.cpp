// limber metrics: how far one recording is from another.
#include "cli/cli.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "metrics/summary.hpp"
#include "report/files.hpp"
#include "report/plot.hpp"
#include "report/table.hpp"

#include <limber/metrics.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace limber::cli {
namespace {

using nlohmann::json;

struct MetricsArguments {
    std::string reference, candidate, csv;
    std::vector<std::string> names;
    CommonArguments common;
};

struct Measured {
    MetricSpec spec;
    MetricSeries series;
    std::string missing;    ///< why it does not apply; "" = it does
};

std::vector<std::string> all_names() {
    std::vector<std::string> names;
    for (const MetricSpec& spec : metric_specs()) names.emplace_back(spec.name);
    return names;
}

/// Without --metric every measure is tried, and one that does not apply says why instead of ending the verb.
std::vector<Measured> measure(const MetricsArguments& arguments, const Recording& reference, const Recording& candidate) {
    const std::vector<std::string> known = all_names();
    for (const std::string& name : arguments.names)
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw Error(Fault::bad_usage, InputLocation{"--metric", 0, {}}, text("unknown metric '", name, "'", suggestion(name, known)), "a name listed by limber metrics --help");
    std::vector<Measured> out;
    for (const MetricSpec& spec : metric_specs()) {
        if (!arguments.names.empty() && std::find(arguments.names.begin(), arguments.names.end(), spec.name) == arguments.names.end()) continue;
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
    return {{"name", m.spec.name}, {"unit", m.spec.unit}, {"t", m.series.t}, {"value", m.series.value}, {"left_out", m.series.left_out},
            {"stated_error", m.series.stated_error}, {"symmetric", m.spec.symmetric}};
}

Table to_table(const std::vector<Measured>& all) {
    Table table{{{"metric"}, {"unit"}, {"largest", Align::right}, {"at [s]", Align::right}, {"mean", Align::right}, {"last", Align::right}, {"note"}}, {}};
    for (const Measured& m : all) {
        if (m.series.value.empty()) {
            table.add({m.spec.name, m.spec.unit, "-", "-", "-", "-", m.missing.empty() ? "no frames in common" : m.missing});
            continue;
        }
        const MetricSummary summary = summarize(m.series);
        std::string note = m.series.stated_error > 0 ? text("itself known to ", short_number(m.series.stated_error, 2)) : "";
        if (m.series.left_out > 0) note += text(note.empty() ? "" : "; ", counted(m.series.left_out, "frame"), " left out");
        table.add({m.spec.name, m.spec.unit, short_number(summary.maximum), short_number(summary.time_of_maximum), short_number(summary.mean),
                   short_number(summary.final_value), note});
    }
    return table;
}

void write_csv(const MetricsArguments& arguments, const std::vector<Measured>& all, const Recording& reference, const Recording& candidate) {
    Plot plot;
    plot.title = text("metrics of ", arguments.candidate, " against ", arguments.reference);
    plot.caption = text("scenes ", hex(candidate.scene_hash), " and ", hex(reference.scene_hash));
    plot.command = text("limber metrics ", arguments.reference, " ", arguments.candidate);
    plot.x = {"t", "s"};
    for (const Measured& m : all)
        if (m.missing.empty()) plot.series.push_back({m.spec.unit[0] ? text(m.spec.name, " [", m.spec.unit, "]") : m.spec.name, m.series.t, m.series.value});
    write_text_file(arguments.csv, to_csv(plot));
}

int metrics(const MetricsArguments& arguments) {
    refuse_overwriting({arguments.reference, arguments.candidate}, {arguments.csv});
    const Recording reference = read_recording(arguments.reference), candidate = read_recording(arguments.candidate);
    const std::vector<Measured> all = measure(arguments, reference, candidate);
    if (!arguments.csv.empty()) write_csv(arguments, all, reference, candidate);
    for (const auto& [path, recording] : {std::pair{arguments.reference, &reference}, std::pair{arguments.candidate, &candidate}})
        if (recording->cut_short) complain(text("warning: ", path, ": the recording was cut short after ", counted(recording->frames.size(), "frame")));
    if (arguments.common.json) {
        json list = json::array();
        for (const Measured& m : all) list.push_back(to_json(m));
        const auto about = [](const std::string& path, const Recording& r) {
            return json{{"file", path}, {"method", r.method}, {"scene_hash", hex(r.scene_hash)}, {"frames", r.frames.size()}, {"cut_short", r.cut_short}};
        };
        print_json({{"reference", about(arguments.reference, reference)}, {"candidate", about(arguments.candidate, candidate)}, {"metrics", list}, {"provenance", provenance_json()}});
    } else {
        print(to_text(to_table(all), look_of(1)));
    }
    // Two recordings that no measure can compare are bad input, not a result.
    const bool any = std::any_of(all.begin(), all.end(), [](const Measured& m) { return !m.series.value.empty(); });
    return any ? kDone : kBadInput;
}

std::string footer() {
    std::string out = "Metrics:";
    for (const MetricSpec& spec : metric_specs()) out += text("\n  ", spec.name, spec.unit[0] ? text(" [", spec.unit, "]") : "", ": ", spec.sentence);
    return out;
}

}  // namespace

void add_metrics(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("metrics", "measure how far one recording is from another");
    auto a = std::make_shared<MetricsArguments>();
    verb->add_option("reference", a->reference, "the recording taken as true")->required()->type_name("REFERENCE");
    verb->add_option("candidate", a->candidate, "the recording to be judged")->required()->type_name("CANDIDATE");
    verb->add_option("--metric", a->names, "only this one; may be repeated")->type_name("NAME")->expected(1)->take_all();
    verb->add_option("--csv", a->csv, "also every value at every time")->type_name("FILE");
    add_json_flag(*verb, a->common);
    verb->footer(footer);
    verb->callback([a, &action] { action = [a] { return metrics(*a); }; });
}

}  // namespace limber::cli
