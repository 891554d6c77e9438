// The comparison as files: JSON, CSV and the accuracy card.
#include "study/compare_output.hpp"

#include "core/text.hpp"
#include "report/claims.hpp"
#include "report/csv.hpp"
#include "report/files.hpp"
#include "report/page.hpp"
#include "study/run_pictures.hpp"

#include <limber/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

using nlohmann::json;

std::string hex(std::uint64_t value) { return fmt::format("{:#018x}", value); }

json score_json(const Score& s) {
    json out{{"name", s.metric.name}, {"unit", s.metric.unit}};
    if (!s.missing.empty()) {
        out["missing"] = s.missing;
        return out;
    }
    out["overall"] = json_number(s.overall);
    out["mean"] = json_number(s.summary.mean);
    out["largest"] = json_number(s.summary.maximum);
    out["time_of_largest"] = json_number(s.summary.time_of_maximum);
    out["last"] = json_number(s.summary.final_value);
    out["below_floor"] = s.below_floor;
    out["left_out"] = s.series.left_out;
    out["overflowed"] = s.series.overflowed;
    out["stated_error"] = json_number(s.series.stated_error);
    out["t"] = s.series.t;
    out["value"] = s.series.value;
    return out;
}

json cost_json(const Cost& k) {
    if (!k.known) return nullptr;
    return {{"median_step_ms", k.median_ms},
            {"p99_step_ms", k.p99_ms},
            {"max_step_ms", k.max_ms},
            {"total_step_ms", k.total_ms},
            {"ms_per_simulated_second", json_number(k.per_second_ms)},
            {"prepare_ms", k.prepare_ms},
            {"prepared_bytes", k.bytes},
            {"iterations_per_step", json_number(k.iterations)},
            {"steps", k.steps},
            {"within_60_hz", k.within_60_hz()},
            {"within_1_khz", k.within_1_khz()}};
}

json candidate_json(const CandidateResult& r) {
    json choices = json::object(), scores = json::array();
    for (const Choice& c : r.choices) choices[c.axis] = c.value;
    for (const Score& s : r.scores) scores.push_back(score_json(s));
    return {{"name", r.name},
            {"choices", choices},
            {"file", r.file.empty() ? json(nullptr) : json(r.file)},
            {"method", r.method},
            {"scene_hash", hex(r.scene_hash)},
            {"step", json_number(r.step)},
            {"vertices", r.vertices},
            {"cells", r.cells},
            {"outcome", to_string(r.outcome)},
            {"cause", r.cause},
            {"end_time", json_number(r.end_time)},
            {"cost", cost_json(r.cost)},
            {"metrics", scores},
            {"same_mesh", r.same_mesh.missing.empty() ? score_json(r.same_mesh) : json(nullptr)},
            {"notes", r.notes}};
}

json reference_json(const ReferenceResult& r) {
    json levels = json::array(), floors = json::array();
    for (const ReferenceLevel& l : r.levels) {
        levels.push_back({{"vertices", l.vertices},
                          {"cells", l.cells},
                          {"kind", to_string(l.kind)},
                          {"step", l.step},
                          {"prepare_ms", l.prepare_ms},
                          {"total_step_ms", json_number(l.total_ms)}});
    }
    for (const Floor& f : r.floors) {
        floors.push_back({{"name", f.metric.name},
                          {"error", json_number(f.error)},
                          {"distance", json_number(f.distance)},
                          {"order", json_number(f.order)},
                          {"asymptotic", f.asymptotic},
                          {"coarse", json_number(f.coarse)},
                          {"words", f.words},
                          {"t", f.t},
                          {"value", f.value}});
    }
    return {{"name", r.name},
            {"words", r.words},
            {"levels", levels},
            {"own_error", floors},
            {"same_mesh_step", r.same_mesh_step > 0.0 ? json(r.same_mesh_step) : json(nullptr)},
            {"same_mesh_own_error", json_number(r.same_mesh.error)},
            {"end_time", json_number(r.end_time)}};
}

std::string heading(const Comparison& c) {
    return csv_comment("limber compare, scene ",
                       text(c.settings.base.name, " ", hex(c.scene_hash), ", reference ", c.reference.name)) +
           csv_comment("command: ", c.settings.command) + csv_comment("made by ", provenance_line());
}

void add_numbers(std::string& out, std::initializer_list<double> values) {
    for (const double v : values) out += text(",", csv_cell(v));
}

std::vector<std::string> axis_names(const Comparison& c) {
    std::vector<std::string> out;
    for (const CandidateResult& r : c.candidates) {
        for (const Choice& choice : r.choices)
            if (std::find(out.begin(), out.end(), choice.axis) == out.end()) out.push_back(choice.axis);
    }
    return out;
}

std::string row_of(const Comparison& c, const CandidateResult& r) {
    std::string out = text(csv_cell(r.name), ",", to_string(r.outcome), ",", csv_cell(r.cause));
    for (const std::string& axis : axis_names(c)) {
        const auto at = std::find_if(r.choices.begin(), r.choices.end(),
                                     [&](const Choice& choice) { return choice.axis == axis; });
        out += text(",", at == r.choices.end() ? "" : csv_cell(at->value));
    }
    out += text(",", csv_cell(r.method), ",", csv_cell(r.step > 0.0 ? r.step : kUnknown), ",", r.vertices, ",", r.cells,
                ",", csv_cell(r.end_time));
    for (std::size_t m = 0; m < c.metric_count(); ++m) {
        if (m >= r.scores.size() || !r.scores[m].missing.empty()) {
            out += ",,,,,,";
            continue;
        }
        const Score& s = r.scores[m];
        add_numbers(out,
                    {s.overall, s.summary.mean, s.summary.maximum, s.summary.time_of_maximum, s.summary.final_value});
        out += s.below_floor ? ",yes" : ",no";
    }
    out += text(",", csv_cell(r.same_mesh.overall));
    if (!r.cost.known) return out + ",,,,,,,,,,";
    const Cost& k = r.cost;
    add_numbers(out, {k.median_ms, k.p99_ms, k.max_ms, k.per_second_ms, k.prepare_ms});
    out += text(",", k.bytes);
    add_numbers(out, {k.iterations});
    return out + text(",", k.steps, ",", k.within_60_hz() ? "yes" : "no", ",", k.within_1_khz() ? "yes" : "no");
}

/// The command stands at the top of the card once, and in every plot's own files.
void add_figure(Page& page, const Figure& figure) {
    std::vector<Plot> plots = figure.plots;
    for (Plot& plot : plots) plot.command.clear();
    if (plots.size() == 1) {
        plots[0].title = figure.title;
        page.figure(plots[0]);
    } else {
        page.panels(plots, figure.title, figure.caption);
    }
}

/// Figures of the first metric, then two of every other.
struct CardFigures {
    std::vector<Figure> first, others;
};

CardFigures figures_of(const Comparison& c) {
    CardFigures out;
    const bool same_mesh = c.reference.same_mesh_step > 0.0;
    out.first.push_back(error_over_cost(c, 0));
    if (same_mesh) out.first.push_back(error_over_cost(c, 0, ErrorPart::same_mesh));
    out.first.push_back(error_over_time(c, 0));
    if (same_mesh) out.first.push_back(error_over_time(c, 0, ErrorPart::same_mesh));
    for (std::size_t m = 1; m < c.metric_count(); ++m) {
        out.others.push_back(error_over_cost(c, m));
        out.others.push_back(error_over_time(c, m));
    }
    return out;
}

void add_reference(Page& page, const Comparison& c) {
    page.section("The reference");
    page.paragraph(text(c.reference.name, ". ", c.reference.words));
    if (c.reference.levels.size() > 1) {
        Table levels{{{"level"},
                      {"cells", Align::right},
                      {"kind"},
                      {"vertices", Align::right},
                      {"step [s]", Align::right},
                      {"stepping took [s]", Align::right}},
                     {}};
        for (std::size_t k = 0; k < c.reference.levels.size(); ++k) {
            const ReferenceLevel& l = c.reference.levels[k];
            levels.add({k == 0 ? "0, as the candidates" : text(k), text(l.cells), to_string(l.kind), text(l.vertices),
                        step_words(l.step), short_number(l.total_ms / 1000.0, 2)});
        }
        page.table(levels);
        page.dense_table(floor_table(c),
                         "Own error: how far the reference is thought to be from the truth, over the run. An error "
                         "below it means nothing; tables show it in parentheses, figures in grey.");
    }
}

void add_provenance(Page& page, const Comparison& c) {
    page.section("Scene and provenance");
    const Provenance p = provenance();
    Table table{{{"what"}, {"value"}}, {}};
    table.add({"command", c.settings.command});
    table.add({"scene", text(c.settings.base.name.empty() ? c.settings.base.source : c.settings.base.name, ", hash ",
                             hex(c.scene_hash))});
    table.add({"limber", text(p.version, ", commit ", p.commit)});
    table.add({"compiler", p.compiler});
    table.add({"processor", text(p.cpu, "; kernels for ", p.isa, "; ",
                                 counted(static_cast<std::size_t>(p.threads), "thread"), " inside a step")});
    table.add({"linked", p.linked});
    table.add({"compared", text("every ", short_number(c.interval), " s; all of it took ", short_number(c.elapsed, 3),
                                " s; candidates ran one after another")});
    page.table(table);
    if (c.settings.scene_json.empty()) return;
    page.fold("The scene (JSON)");
    page.code(c.settings.scene_json);
    page.unfold();
}

void add_figures(Page& page, const Comparison& c, const CardFigures& figures) {
    page.section("Error against cost");
    for (std::size_t i = 0; i < figures.first.size(); ++i) {
        if (i == figures.first.size() / 2) page.section("Error over time");
        add_figure(page, figures.first[i]);
    }
    if (figures.others.empty()) return;
    page.section("By other metrics");
    for (std::size_t m = 1; m < c.metric_count(); ++m) {
        page.fold(text(metric_title(c.reference.floors[m].metric), " (", c.reference.floors[m].metric.name, ")"));
        add_figure(page, figures.others[2 * m - 2]);
        add_figure(page, figures.others[2 * m - 1]);
        page.unfold();
    }
}

/// The reference beside the best, the middle and the worst candidate; then only how far each is off.
void add_motions(Page& page, const std::string& directory, Comparison& c, Progress& progress) {
    if (c.motions.size() < 2) return;
    std::vector<ComparedMotion> ranked(c.motions.begin() + 1, c.motions.end());
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const ComparedMotion& a, const ComparedMotion& b) { return a.error < b.error; });
    if (ranked.size() > 3) ranked = {ranked.front(), ranked[ranked.size() / 2], ranked.back()};
    const std::string about = text("scene ", c.settings.base.name, " ", hex(c.scene_hash));
    RunPicture side{
        "motions",
        "The reference and candidates",
        "All on one scale, at one time; a run that ended earlier shows its last frame and says when that was.",
        {{"reference", c.motions[0].recording}},
        Field::displacement,
        nullptr,
        {},
        true,
        about};
    RunPicture error{"errors",
                     "How far each candidate is off",
                     "Distance of every point from where the reference has it, where the reference has moved most.",
                     {},
                     Field::error,
                     c.motions[0].recording,
                     {},
                     false,
                     about};
    for (const ComparedMotion& m : ranked) {
        side.runs.push_back({m.name, m.recording});
        error.runs.push_back({m.name, m.recording});
    }
    double most = -1.0;
    for (const Frame& f : c.motions[0].recording->frames) {
        double sum = 0.0;
        for (const Vec3& u : f.displacement) sum += norm2(u);
        if (sum > most) {
            most = sum;
            error.time = f.time;
        }
    }
    page.section("In pictures");
    const RunPicture pictures[] = {side, error};
    try {
        add_run_pictures(page, directory, pictures, progress);
    } catch (const Error& stopped) {
        if (stopped.fault() != Fault::interrupted) throw;
        c.interrupted = true;  // the numbers are all there, and kept
        page.paragraph("Pictures are missing here: the comparison was interrupted while they were drawn.");
    }
}

std::string lede(const Comparison& c) {
    const std::string about = c.settings.base.about;
    return text(about.empty() ? "" : text(about, " "), counted(c.candidates.size(), "candidate"),
                ", one reference, every error and every cost.");
}

}  // namespace

nlohmann::json comparison_json(const Comparison& c) {
    json candidates = json::array();
    for (const CandidateResult& r : c.candidates) candidates.push_back(candidate_json(r));
    const Provenance p = provenance();
    return {{"scene", c.settings.base.name},
            {"scene_hash", hex(c.scene_hash)},
            {"command", c.settings.command},
            {"interval", c.interval},
            {"verdict", verdict(c)},
            {"reference", reference_json(c.reference)},
            {"candidates", candidates},
            {"notes", c.notes},
            {"large_strain", {{"distance", json_number(c.large_strain.distance)}, {"words", c.large_strain.words}}},
            {"interrupted", c.interrupted},
            {"elapsed", c.elapsed},
            {"provenance",
             {{"version", p.version},
              {"commit", p.commit},
              {"compiler", p.compiler},
              {"cpu", p.cpu},
              {"isa", p.isa},
              {"linked", p.linked},
              {"threads", p.threads}}}};
}

std::string comparison_csv(const Comparison& c) {
    std::string out = text(heading(c), "candidate,outcome,cause");
    for (const std::string& axis : axis_names(c)) out += text(",", csv_cell(axis));
    out += ",method name,step [s],vertices,cells,end [s]";
    for (const Floor& f : c.reference.floors) {
        const std::string name = f.metric.name, unit = metric_unit(f.metric, c),
                          in = unit.empty() ? "" : text(" [", unit, "]");
        out += text(",", name, in, ",", name, " mean", in, ",", name, " largest", in, ",", name, " largest at [s],",
                    name, " last", in, ",", name, " below floor");
    }
    out += ",on the same mesh";
    out +=
        ",median step [ms],p99 step [ms],max step [ms],per simulated second [ms],prepare [ms],prepared "
        "[bytes],iterations per step,steps,within 60 Hz,within 1 kHz\n";
    for (const CandidateResult& r : c.candidates) out += row_of(c, r) + "\n";
    return out;
}

std::string series_csv(const Comparison& c) {
    std::string out = text(heading(c), "candidate,metric,unit,t [s],value\n");
    for (const CandidateResult& r : c.candidates) {
        for (const Score& s : r.scores) {
            const std::string head = text(csv_cell(r.name), ",", s.metric.name, ",", metric_unit(s.metric, c), ",");
            for (std::size_t i = 0; i < s.series.t.size(); ++i)
                out += text(head, csv_cell(s.series.t[i]), ",", csv_cell(s.series.value[i]), "\n");
        }
    }
    return out;
}

void write_comparison(const std::string& directory, Comparison& c, Progress& progress) {
    const std::string name = c.settings.base.name.empty() ? "scene" : c.settings.base.name;
    Page page(text("Accuracy card: ", name), lede(c));
    page.section("Verdict");
    for (const std::string& line : verdict_lines(c)) page.paragraph(line);
    if (!c.large_strain.words.empty()) page.paragraph(text(c.large_strain.words, "."));
    for (const std::string& note : c.notes) page.paragraph(text("Note: ", note, "."));
    page.command(c.settings.command);
    make_directories(directory);
    add_motions(page, directory, c, progress);
    const CardFigures figures = figures_of(c);
    add_figures(page, c, figures);
    page.section("All numbers");
    page.dense_table(
        error_table(c, false),
        "Errors over the run: root mean square over the compared frames; measures relative to the momentary motion "
        "weigh each frame by the square of that motion. In parentheses: below the reference's own error.");
    page.fold("Largest values");
    page.dense_table(error_table(c, true), "The largest value over the run, with its sign.");
    page.unfold();
    page.dense_table(cost_table(c),
                     "Wall clock on the machine named below; every candidate ran alone. 99 %: the step that 99 of 100 "
                     "do not exceed; it decides whether a step fits.");
    const Table notes = note_table(c);
    if (!notes.rows.empty()) page.dense_table(notes);
    add_reference(page, c);
    add_provenance(page, c);
    for (const std::vector<Figure>* list : {&figures.first, &figures.others}) {
        for (const Figure& f : *list) {
            for (Plot plot : f.plots) {
                // Beside others a panel needs few words; as a file it stands alone.
                if (plot.title != f.title) plot.title = text(f.title, ", ", plot.title);
                write_plot(directory, plot);
            }
        }
    }
    write_text_file(directory + "/compare.json",
                    comparison_json(c).dump(1, ' ', false, json::error_handler_t::replace) + "\n");
    write_text_file(directory + "/compare.csv", comparison_csv(c));
    write_text_file(directory + "/series.csv", series_csv(c));
    write_page(directory + "/index.html", page);
}

}  // namespace limber
