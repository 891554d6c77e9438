// The comparison in words and tables.
#include "study/compare_output.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {
namespace {

/// Good enough for most eyes: the verdict names the cheapest candidate below this.
constexpr double kGoodEnough = 0.05;

std::string percent(double share) { return text(short_number(100.0 * share, 2), " %"); }

/// A value of a metric for a sentence.
std::string in_words(const MetricSpec& metric, double value, const Comparison& c) {
    if (std::string_view(metric.unit) == "1") return percent(value);
    return text(short_number(value, 2), " ", metric_unit(metric, c));
}

std::string listed(const std::vector<std::string>& names, std::size_t most = 4) {
    std::string out;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i) out += text(i == 0 ? "" : "; ", names[i]);
    if (names.size() > most) out += text(" and ", names.size() - most, " more");
    return out;
}

std::vector<const CandidateResult*> ranked(const Comparison& c) {
    std::vector<const CandidateResult*> out;
    for (const CandidateResult& r : c.candidates)
        if (r.ranked() && !r.scores.empty() && std::isfinite(r.scores[0].overall)) out.push_back(&r);
    std::stable_sort(out.begin(), out.end(),
                     [](const auto* a, const auto* b) { return a->scores[0].overall < b->scores[0].overall; });
    return out;
}

std::string cost_words(const Cost& cost) {
    if (!cost.known) return "cost not known";
    return text(short_number(cost.median_ms, 2), " ms per step, ", short_number(cost.per_second_ms, 2),
                " ms per simulated second");
}

/// Several that the reference cannot tell apart: no winner is named among them, only the cheapest.
std::string tie_words(const std::vector<const CandidateResult*>& tied, const Floor& floor, const Comparison& c) {
    const CandidateResult* cheapest = nullptr;
    std::vector<std::string> names;
    for (const CandidateResult* r : tied) {
        names.push_back(r->name);
        if (r->cost.known && (!cheapest || r->cost.per_second_ms < cheapest->cost.per_second_ms)) cheapest = r;
    }
    const double low = tied.front()->scores[0].overall, high = tied.back()->scores[0].overall;
    const std::string from = in_words(floor.metric, low, c), to = in_words(floor.metric, high, c);
    std::string out = text(
        "By ", metric_title(floor.metric), " over the run, ", tied.size(),
        " are the most accurate and cannot be told apart: ", from == to ? from : text(from, " to ", to),
        " away, where the reference itself is known to about ", in_words(floor.metric, floor.error, c), " (",
        listed(names), "). ");
    if (cheapest) out += text("The cheapest of them is ", cheapest->name, " (", cost_words(cheapest->cost), "). ");
    return out;
}

std::string accuracy_words(const Comparison& c, const std::vector<const CandidateResult*>& order) {
    const Floor& floor = c.reference.floors[0];
    const CandidateResult& best = *order[0];
    const double error = best.scores[0].overall;
    std::vector<const CandidateResult*> tied;
    for (const CandidateResult* r : order)
        if (std::isfinite(floor.error) && r->scores[0].overall <= error + floor.error) tied.push_back(r);
    if (tied.size() > 1) return tie_words(tied, floor, c);
    const std::string by = text("By ", metric_title(floor.metric), " over the run, ");
    const std::string out = order.size() == 1
                                ? text(by, best.name, " is ", in_words(floor.metric, error, c),
                                       " away from the reference (", cost_words(best.cost), "). ")
                                : text(by, "the most accurate is ", best.name, ": ", in_words(floor.metric, error, c),
                                       " (", cost_words(best.cost), "). ");
    if (!std::isfinite(floor.error)) return out + "The reference's own error is not known. ";
    return out + text("The reference itself is known to about ", in_words(floor.metric, floor.error, c), ". ");
}

std::string mesh_words(const Comparison& c) {
    const Floor& floor = c.reference.floors[0];
    if (!c.one_mesh() || !std::isfinite(floor.coarse)) return {};
    std::string out = text("The scene's mesh alone, stepped as finely as the reference, is ",
                           in_words(floor.metric, floor.coarse, c),
                           " away: no scheme or step can do much better on it. ");
    const CandidateResult *best = nullptr, *worst = nullptr;
    for (const CandidateResult& r : c.candidates) {
        if (!r.ranked() || !r.same_mesh.missing.empty() || !std::isfinite(r.same_mesh.overall)) continue;
        if (!best || r.same_mesh.overall < best->same_mesh.overall) best = &r;
        if (!worst || r.same_mesh.overall > worst->same_mesh.overall) worst = &r;
    }
    if (!best || best == worst) return out;
    return out + text("Everything but the mesh (against the same mesh with a step of ",
                      step_words(c.reference.same_mesh_step), " s) makes from ",
                      in_words(floor.metric, best->same_mesh.overall, c), " (", best->name, ") to ",
                      in_words(floor.metric, worst->same_mesh.overall, c), " (", worst->name, "). ");
}

std::string cheap_words(const std::vector<const CandidateResult*>& order, const MetricSpec& metric) {
    if (std::string_view(metric.unit) != "1") return {};
    const CandidateResult* cheapest = nullptr;
    bool any_good = false;
    for (const CandidateResult* r : order) {
        if (r->scores[0].overall > kGoodEnough) continue;
        any_good = true;
        if (r->cost.known && (!cheapest || r->cost.per_second_ms < cheapest->cost.per_second_ms)) cheapest = r;
    }
    if (order.size() == 1) return {};
    if (!any_good) {
        return text("None is within ", percent(kGoodEnough), "; the nearest is ", percent(order[0]->scores[0].overall),
                    " away. ");
    }
    if (!cheapest) return {};
    return text("The cheapest within ", percent(kGoodEnough), " is ", cheapest->name, ": ",
                percent(cheapest->scores[0].overall), " for ", cost_words(cheapest->cost), ". ");
}

/// "all 21", "3 of 21", "none of 21".
std::string of_all(std::size_t n, std::size_t all) {
    return n == all ? text("all ", all) : n == 0 ? text("none of ", all) : text(n, " of ", all);
}

std::string budget_words(const Comparison& c) {
    std::size_t timed = 0, hz = 0, khz = 0, real = 0;
    for (const CandidateResult& r : c.candidates) {
        if (!r.ranked() || !r.cost.known) continue;
        ++timed;
        hz += r.cost.within_60_hz() ? 1 : 0;
        khz += r.cost.within_1_khz() ? 1 : 0;
        real += r.cost.per_second_ms <= 1000.0 ? 1 : 0;
    }
    if (timed == 0) return {};
    const auto yes = [](std::size_t n) { return n > 0 ? "yes" : "no"; };
    if (timed == 1) {
        return text("A step fits into 16.7 ms (60 Hz): ", yes(hz), "; into 1 ms (1 kHz): ", yes(khz),
                    ", by its 99th percentile; faster than real time: ", yes(real), ". ");
    }
    return text("A step fits into 16.7 ms (60 Hz) for ", of_all(hz, timed), " and into 1 ms (1 kHz) for ",
                of_all(khz, timed), ", by its 99th percentile; faster than real time: ", of_all(real, timed), ". ");
}

std::string trouble_words(const Comparison& c) {
    std::string out;
    for (const Outcome outcome : {Outcome::diverged, Outcome::stopped, Outcome::failed}) {
        std::vector<std::string> names;
        for (const CandidateResult& r : c.candidates)
            if (r.outcome == outcome) names.push_back(r.name);
        if (!names.empty()) out += text(names.size(), " ", to_string(outcome), ": ", listed(names), ". ");
    }
    const auto left = std::count_if(c.candidates.begin(), c.candidates.end(),
                                    [](const CandidateResult& r) { return r.outcome == Outcome::not_run; });
    if (c.interrupted && left == 0) {
        out += "The comparison was interrupted while its pictures were drawn. ";
    } else if (c.interrupted) {
        out += text("The comparison was interrupted: ", left, " of ", c.candidates.size(),
                    " candidates were not run. ");
    }
    return out;
}

std::string error_cell(const Score& s, bool largest) {
    if (s.missing.empty() && std::isinf(s.overall)) return "overflows";
    if (!s.missing.empty() || !std::isfinite(s.overall)) return "-";
    const std::string number = short_number(largest ? s.summary.maximum : s.overall, 3);
    return s.below_floor && !largest ? text("(", number, ")") : number;
}

/// No powers of ten for numbers that people read at a glance.
std::string plain_number(double v) { return v >= 100.0 && v < 1e7 ? fmt::format("{:.0f}", v) : short_number(v, 3); }

/// A metric's name that may be broken at its underscores, with its unit: for titles of columns.
std::string column_title(const MetricSpec& metric, const Comparison& c) {
    std::string out;
    for (const char ch : std::string_view(metric.name)) out += ch == '_' ? std::string("_\u200b") : std::string(1, ch);
    const std::string unit = metric_unit(metric, c);
    return unit.empty() ? out : text(out, " [", unit, "]");
}

std::string megabytes(std::size_t bytes) { return short_number(static_cast<double>(bytes) / 1e6, 3); }

std::string note_of(const CandidateResult& r) {
    if (r.outcome != Outcome::done) {
        return r.outcome == Outcome::diverged && r.cause.rfind("diverged", 0) == 0
                   ? r.cause
                   : text(to_string(r.outcome), ": ", r.cause);
    }
    if (!r.scores.empty() && !r.scores[0].missing.empty())
        return text("no ", r.scores[0].metric.name, ": ", r.scores[0].missing);
    return r.notes.empty() ? "" : r.notes[0];
}

/// What a real-time program asks first.
std::string fits(const Cost& cost) {
    return !cost.known ? "-" : cost.within_1_khz() ? "1 kHz" : cost.within_60_hz() ? "60 Hz" : "no";
}

}  // namespace

std::string metric_title(const MetricSpec& metric) {
    static constexpr std::array<std::array<const char*, 2>, 9> kTitles{{{"relative_l2", "relative error E_n"},
                                                                        {"relative_energy", "energy-norm error"},
                                                                        {"surface", "surface error E_s"},
                                                                        {"interior", "interior error E_i"},
                                                                        {"interior_mean", "mean distance"},
                                                                        {"max_distance", "largest distance"},
                                                                        {"volume_drift", "volume drift"},
                                                                        {"energy_drift", "energy drift"},
                                                                        {"momentum_drift", "momentum drift"}}};
    for (const auto& [name, title] : kTitles)
        if (std::string_view(metric.name) == name) return title;
    return metric.name;
}

std::string metric_unit(const MetricSpec& metric, const Comparison& comparison) {
    std::string unit = metric.unit;
    if (unit == "1") return {};
    if (unit != "m^d") return unit;
    return comparison.dimension == 2 ? "m²" : "m³";
}

std::vector<std::string> verdict_lines(const Comparison& c) {
    const std::vector<const CandidateResult*> order = ranked(c);
    std::vector<std::string> out;
    if (order.empty() || c.reference.floors.empty()) {
        out.emplace_back("No candidate ran to its end, so there is nothing to rank.");
    } else {
        out = {accuracy_words(c, order), mesh_words(c),
               cheap_words(order, c.reference.floors[0].metric) + budget_words(c)};
    }
    out.push_back(trouble_words(c));
    for (std::string& line : out)
        while (!line.empty() && line.back() == ' ') line.pop_back();
    out.erase(std::remove(out.begin(), out.end(), std::string()), out.end());
    return out;
}

std::string verdict(const Comparison& c) { return fmt::format("{}", fmt::join(verdict_lines(c), " ")); }

Table summary_table(const Comparison& c) {
    Table table{{{"candidate"}}, {}};
    const std::size_t shown = std::min<std::size_t>(3, c.metric_count());
    for (std::size_t m = 0; m < shown; ++m) table.columns.push_back({c.reference.floors[m].metric.name, Align::right});
    if (c.reference.same_mesh_step > 0.0) table.columns.push_back({"on the same mesh", Align::right});
    for (const char* title : {"ms/step", "99 %", "ms/sim s"}) table.columns.push_back({title, Align::right});
    table.columns.push_back({"fits"});
    table.columns.push_back({"note"});
    for (const CandidateResult& r : c.candidates) {
        std::vector<std::string> row{r.name};
        for (std::size_t m = 0; m < shown; ++m)
            row.push_back(m < r.scores.size() ? error_cell(r.scores[m], false) : "-");
        if (c.reference.same_mesh_step > 0.0) row.push_back(error_cell(r.same_mesh, false));
        for (const double v : {r.cost.median_ms, r.cost.p99_ms, r.cost.per_second_ms})
            row.push_back(r.cost.known ? short_number(v, 3) : "-");
        row.push_back(fits(r.cost));
        row.push_back(note_of(r));
        table.add(std::move(row));
    }
    return table;
}

Table error_table(const Comparison& c, bool largest) {
    const bool same_mesh = c.reference.same_mesh_step > 0.0;
    Table table{{{"candidate"}}, {}};
    for (const Floor& f : c.reference.floors) {
        table.columns.push_back({column_title(f.metric, c), Align::right});
        if (&f == &c.reference.floors[0] && same_mesh) table.columns.push_back({"on the same mesh", Align::right});
    }
    for (const CandidateResult& r : c.candidates) {
        std::vector<std::string> row{r.name};
        for (const Score& s : r.scores) {
            row.push_back(error_cell(s, largest));
            if (&s == &r.scores[0] && same_mesh) row.push_back(error_cell(r.same_mesh, largest));
        }
        table.add(std::move(row));
    }
    if (largest) return table;
    std::vector<std::string> floors{"the reference itself (estimate)"};
    for (const Floor& f : c.reference.floors) {
        floors.push_back(short_number(f.error, 3));
        if (&f == &c.reference.floors[0] && same_mesh) floors.push_back(short_number(c.reference.same_mesh.error, 3));
    }
    table.add(std::move(floors));
    return table;
}

Table cost_table(const Comparison& c) {
    Table table{{{"candidate"}}, {}};
    for (const char* title : {"ms/step", "99 %", "largest", "ms per simulated s", "× real time", "prepare ms", "MB",
                              "iterations per step", "steps", "cells"}) {
        table.columns.push_back({title, Align::right});
    }
    for (const char* title : {"fits", "outcome"}) table.columns.push_back({title});
    for (const CandidateResult& r : c.candidates) {
        const Cost& k = r.cost;
        std::vector<std::string> row{r.name};
        for (const double v :
             {k.median_ms, k.p99_ms, k.max_ms, k.per_second_ms, 1000.0 / k.per_second_ms, k.prepare_ms}) {
            row.push_back(k.known ? plain_number(v) : "-");
        }
        row.push_back(k.known ? megabytes(k.bytes) : "-");
        row.push_back(k.known ? short_number(k.iterations, 3) : "-");
        row.push_back(k.known ? text(k.steps) : "-");
        row.push_back(r.cells > 0 ? text(r.cells) : "-");
        row.push_back(fits(k));
        row.emplace_back(to_string(r.outcome));
        table.add(std::move(row));
    }
    return table;
}

Table note_table(const Comparison& c) {
    Table table{{{"candidate"}, {"note"}}, {}};
    for (const CandidateResult& r : c.candidates) {
        if (r.outcome != Outcome::done) table.add({r.name, note_of(r)});
        for (const std::string& note : r.notes) table.add({r.name, note});
    }
    return table;
}

Table floor_table(const Comparison& c) {
    Table table{{{"metric"},
                 {"own error", Align::right},
                 {"two finest levels", Align::right},
                 {"order", Align::right},
                 {"scene's mesh alone", Align::right},
                 {"how"}},
                {}};
    for (const Floor& f : c.reference.floors) {
        const std::string unit = metric_unit(f.metric, c);
        table.add({unit.empty() ? f.metric.name : text(f.metric.name, " [", unit, "]"), short_number(f.error, 3),
                   short_number(f.distance, 3), short_number(f.order, 2), short_number(f.coarse, 3), f.words});
    }
    return table;
}

}  // namespace limber
