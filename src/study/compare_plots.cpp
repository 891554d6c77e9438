// The card's figures. What is varied decides their shape: one thing becomes the colour, a number becomes the line that
// joins points, everything else becomes panels.
#include "study/compare_output.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace limber {
namespace {

/// More curves than this in one picture and nobody can follow one.
constexpr std::size_t kMostCurves = 7;
/// Widths of plots that stand two and three in a row.
constexpr double kHalf = 460, kThird = 330;

struct VariedAxis {
    std::string name;
    std::vector<std::string> values;
    bool words = false;
};

std::vector<VariedAxis> axes_of(const Comparison& c) {
    std::vector<VariedAxis> out;
    for (const CandidateResult& r : c.candidates) {
        for (const Choice& choice : r.choices) {
            auto at = std::find_if(out.begin(), out.end(), [&](const VariedAxis& a) { return a.name == choice.axis; });
            if (at == out.end()) at = out.insert(out.end(), {choice.axis, {}, choice.words});
            if (std::find(at->values.begin(), at->values.end(), choice.value) == at->values.end())
                at->values.push_back(choice.value);
        }
    }
    return out;
}

/// Which varied thing plays which part; "" = none does.
struct Roles {
    std::string colour, line;
};

Roles roles_of(const Comparison& c) {
    const std::vector<VariedAxis> axes = axes_of(c);
    Roles out;
    // Words before numbers: colours have no order.
    for (const bool words : {true, false}) {
        std::size_t most = 0;
        if (!out.colour.empty()) break;
        for (const VariedAxis& a : axes) {
            if (a.words == words && a.name != "file" && a.values.size() > most && a.values.size() <= kMostCurves) {
                out.colour = a.name;
                most = a.values.size();
            }
        }
    }
    std::size_t longest = 1;
    for (const VariedAxis& a : axes) {
        if (!a.words && a.name != out.colour && a.values.size() > longest) {
            out.line = a.name;
            longest = a.values.size();
        }
    }
    return out;
}

std::string value_on(const CandidateResult& r, const std::string& axis) {
    for (const Choice& choice : r.choices)
        if (choice.axis == axis) return choice.value;
    return {};
}

/// The choices that are none of these, as words: "step 1/30".
std::string other_words(const CandidateResult& r, const std::vector<std::string>& without) {
    std::string out;
    for (const Choice& choice : r.choices) {
        if (choice.axis == "file" || std::find(without.begin(), without.end(), choice.axis) != without.end()) continue;
        const std::string key = choice.axis.substr(choice.axis.find_last_of("./") + 1);
        out += text(out.empty() ? "" : ", ", choice.words ? choice.value : text(key, " ", choice.value));
    }
    return out;
}

/// A curve's name and colour; the same in every picture of the card.
class CurveStyles {
public:
    CurveStyles(const Comparison& c, const Roles& roles) : roles_(roles) {
        for (const CandidateResult& r : c.candidates) style(key(r));
    }
    std::string key(const CandidateResult& r) const {
        std::string value = roles_.colour.empty() ? "" : value_on(r, roles_.colour);
        if (value.empty()) return r.name;
        for (const Choice& choice : r.choices) {
            if (choice.axis == roles_.colour && !choice.words)
                return text(choice.axis.substr(choice.axis.find_last_of("./") + 1), " ", value);
        }
        return value;
    }
    /// Along a line that joins points: what stays the same on it.
    std::string line_key(const CandidateResult& r) const {
        if (!roles_.colour.empty() || roles_.line.empty() || !r.file.empty()) return key(r);
        const std::string rest = other_words(r, {roles_.line});
        return rest.empty() ? r.method : rest;
    }
    int style(const std::string& name) {
        const auto at = std::find(names_.begin(), names_.end(), name);
        if (at != names_.end()) return static_cast<int>(at - names_.begin());
        names_.push_back(name);
        return static_cast<int>(names_.size()) - 1;
    }

private:
    Roles roles_;
    std::vector<std::string> names_;
};

/// Candidates by panel, in order of appearance, at most kMostCurves names in each.
struct Panel {
    std::string title;
    std::vector<const CandidateResult*> members;
    std::vector<std::string> keys;
};

std::vector<Panel> panels_of(const Comparison& c, const CurveStyles& palette, const Roles& roles, bool lines) {
    std::vector<Panel> out;
    for (const CandidateResult& r : c.candidates) {
        // Without a colour every curve has a name of its own, and panels are only there to hold seven of them each.
        const std::string rest = roles.colour.empty() ? ""
                                                      : other_words(r, lines ? std::vector{roles.colour, roles.line}
                                                                             : std::vector{roles.colour});
        const std::string title = r.file.empty() ? rest : "files", key = lines ? palette.line_key(r) : palette.key(r);
        const auto fits = [&](const Panel& p) {
            return p.title == title &&
                   (p.keys.size() < kMostCurves || std::find(p.keys.begin(), p.keys.end(), key) != p.keys.end());
        };
        auto at = std::find_if(out.begin(), out.end(), fits);
        if (at == out.end()) at = out.insert(out.end(), {title, {}, {}});
        at->members.push_back(&r);
        if (std::find(at->keys.begin(), at->keys.end(), key) == at->keys.end()) at->keys.push_back(key);
    }
    return out;
}

Plot start_plot(const Comparison& c, const std::string& name, std::size_t index, std::size_t count,
                const std::string& title) {
    Plot plot;
    plot.name = count > 1 ? text(name, "-", index + 1) : name;
    plot.title = title;
    plot.command = c.settings.command;
    plot.about = text("scene ", c.settings.base.name, " ", fmt::format("{:#018x}", c.scene_hash), ", reference ",
                      c.reference.name);
    plot.width = count == 1 ? 640 : count == 2 || count == 4 ? kHalf : kThird;
    return plot;
}

Axis error_axis(const Comparison& c, const MetricSpec& metric) {
    const std::string unit = metric_unit(metric, c);
    return {metric_title(metric), unit.empty() ? "1" : unit, Scale::log, {}, {}};
}

const Score* score_of(const CandidateResult& r, std::size_t m, ErrorPart part) {
    if (part == ErrorPart::same_mesh)
        return r.same_mesh.missing.empty() && std::isfinite(r.same_mesh.overall) ? &r.same_mesh : nullptr;
    return m < r.scores.size() && r.scores[m].missing.empty() ? &r.scores[m] : nullptr;
}

const Floor& floor_of(const Comparison& c, std::size_t m, ErrorPart part) {
    return part == ErrorPart::same_mesh ? c.reference.same_mesh : c.reference.floors[m];
}

std::string part_words(ErrorPart part) { return part == ErrorPart::same_mesh ? " on the same mesh" : ""; }
std::string part_name(ErrorPart part) { return part == ErrorPart::same_mesh ? "same-mesh-" : ""; }
std::string against(const Comparison& c, ErrorPart part) {
    if (part == ErrorPart::all) return text("Against ", c.reference.name, ".");
    return text("Against the scene's own mesh with a step of ", step_words(c.reference.same_mesh_step),
                " s: everything that the mesh is not to blame for.");
}

/// Limits that all panels share. Log axes show seven decades at most, and little of what means nothing; what happens in
/// the first instants, where nothing has moved yet and relative errors are huge, does not stretch them.
void set_limits(const Comparison& c, std::size_t m, ErrorPart part, std::vector<Plot>& plots) {
    double top = 0.0, low = 0.0, bottom = 0.0;
    bool negative = false;
    for (const CandidateResult& r : c.candidates) {
        const Score* found = score_of(r, m, part);
        if (!found) continue;
        const MetricSeries& s = found->series;
        for (std::size_t i = 0; i < s.value.size(); ++i) {
            negative = negative || s.value[i] < 0.0;
            if (!r.ranked() || s.t[i] < 0.03 * c.reference.end_time) continue;
            top = std::max(top, s.value[i]);
            bottom = std::min(bottom, s.value[i]);
            if (s.value[i] > 0.0) low = low > 0.0 ? std::min(low, s.value[i]) : s.value[i];
        }
    }
    for (Plot& plot : plots) {
        plot.y.scale = negative ? Scale::linear : Scale::log;
        if (negative && top > bottom) {
            plot.y.low = bottom - 0.05 * (top - bottom);
            plot.y.high = top + 0.05 * (top - bottom);
        } else if (!negative && top > 0.0) {
            plot.y.high = 1.3 * top;
            const double known = floor_of(c, m, part).error;
            plot.y.low = std::max({0.8 * low, 1e-7 * top, known > 0.0 ? 0.1 * known : 0.0});
        }
    }
}

std::string floor_label() { return "reference's own error"; }

std::string not_shown(const Comparison& c) {
    std::vector<std::string> names;
    for (const CandidateResult& r : c.candidates)
        if (!r.ranked() || !r.cost.known) names.push_back(r.name);
    if (names.empty()) return {};
    return text(" Not shown, because they did not run to the end or their cost is not known: ",
                fmt::format("{}", fmt::join(names, "; ")), ".");
}

std::string joined_words(const Comparison& c, const Roles& roles) {
    for (const VariedAxis& a : axes_of(c)) {
        if (a.name == roles.line) {
            return text(" Each line joins one colour's runs at ", a.name, " ",
                        fmt::format("{}", fmt::join(a.values, ", ")), ".");
        }
    }
    return {};
}

}  // namespace

Figure error_over_time(const Comparison& c, std::size_t m, ErrorPart part) {
    const Roles roles = roles_of(c);
    CurveStyles palette(c, roles);
    const Floor& floor = floor_of(c, m, part);
    Figure out;
    out.title = text("Error", part_words(part), " over time: ", metric_title(floor.metric), " (", floor.metric.name,
                     ")");
    const std::vector<Panel> panels = panels_of(c, palette, roles, false);
    for (std::size_t p = 0; p < panels.size(); ++p) {
        Plot plot = start_plot(c, text("error-over-time-", part_name(part), floor.metric.name), p, panels.size(),
                               panels[p].title.empty() ? out.title : panels[p].title);
        plot.x = {"time", "s", Scale::linear, 0.0, {}};
        plot.y = error_axis(c, floor.metric);
        for (const CandidateResult* r : panels[p].members) {
            if (const Score* s = score_of(*r, m, part))
                plot.series.push_back({palette.key(*r), s->series.t, s->series.value, palette.style(palette.key(*r))});
        }
        if (!floor.t.empty()) plot.shades.push_back({floor_label(), floor.t, floor.value});
        if (!plot.series.empty()) out.plots.push_back(std::move(plot));
    }
    set_limits(c, m, part, out.plots);
    out.caption = text(floor.metric.sentence, ". ", against(c, part));
    if (out.caption[0] >= 'a' && out.caption[0] <= 'z') out.caption[0] = static_cast<char>(out.caption[0] - 'a' + 'A');
    const bool diverged = std::any_of(c.candidates.begin(), c.candidates.end(),
                                      [](const CandidateResult& r) { return r.outcome == Outcome::diverged; });
    if (diverged) out.caption += " Curves that leave the picture belong to runs that diverge.";
    for (Plot& plot : out.plots) plot.caption = out.caption;
    return out;
}

namespace {

/// One picture of a cost figure.
Plot cost_plot(const Comparison& c, std::size_t m, ErrorPart part, bool per_step, const Panel& panel,
               CurveStyles& palette) {
    const Floor& floor = floor_of(c, m, part);
    Plot plot = start_plot(
        c, text(per_step ? "error-over-step-cost-" : "error-over-second-cost-", part_name(part), floor.metric.name), 0,
        1,
        text(panel.title, panel.title.empty() ? "" : ": ", per_step ? "cost per step" : "cost per simulated second"));
    plot.x = {per_step ? "cost of a step (median)" : "cost of a simulated second", "ms", Scale::log, {}, {}};
    plot.y = error_axis(c, floor.metric);
    double top = 0.0, right = per_step ? 1000.0 / 60.0 : 1000.0, left = per_step ? 1.0 : 1000.0;
    for (const std::string& key : panel.keys) {
        Series s{key, {}, {}, palette.style(key), true, true};
        for (const CandidateResult* r : panel.members) {
            const Score* found = score_of(*r, m, part);
            if (palette.line_key(*r) != key || !r->ranked() || !r->cost.known || !found) continue;
            s.x.push_back(per_step ? r->cost.median_ms : r->cost.per_second_ms);
            s.y.push_back(found->overall);
        }
        for (std::size_t i = 0; i < s.x.size(); ++i) {
            top = std::max(top, s.y[i]);
            right = std::max(right, s.x[i]);
            left = std::min(left, s.x[i]);
        }
        if (!s.x.empty()) plot.series.push_back(std::move(s));
    }
    // Room for markers and for the line of the budget.
    if (top > 0.0) plot.y.high = 2.0 * top;
    plot.x.high = 1.6 * right;
    plot.x.low = 0.6 * left;
    if (per_step)
        plot.guides = {{true, 1.0, "1 kHz"}, {true, 1000.0 / 60.0, "60 Hz"}};
    else
        plot.guides = {{true, 1000.0, "real time"}};
    if (part == ErrorPart::all && std::isfinite(floor.coarse) && floor.coarse > 0.0 && c.one_mesh())
        plot.guides.push_back({false, floor.coarse, "mesh"});
    if (std::isfinite(floor.error) && floor.error > 0.0) plot.shades.push_back({floor_label(), {}, {floor.error}});
    return plot;
}

}  // namespace

Figure error_over_cost(const Comparison& c, std::size_t m, ErrorPart part) {
    const Roles roles = roles_of(c);
    CurveStyles palette(c, roles);
    const Floor& floor = floor_of(c, m, part);
    Figure out;
    out.title = text("Error", part_words(part), " against cost: ", metric_title(floor.metric), " (", floor.metric.name,
                     ")");
    for (const Panel& panel : panels_of(c, palette, roles, true)) {
        for (const bool per_step : {true, false}) {
            Plot plot = cost_plot(c, m, part, per_step, panel, palette);
            if (!plot.series.empty()) out.plots.push_back(std::move(plot));
        }
    }
    const bool several = out.plots.size() > 2;
    out.caption = text("Lower left is better. Error: root mean square over the run. ", against(c, part),
                       " Left of a dotted line a step fits into that budget, or the run keeps up with real time.",
                       part == ErrorPart::all && c.one_mesh() && std::isfinite(floor.coarse)
                           ? " The line named mesh is the scene's mesh stepped as finely as the reference."
                           : "",
                       joined_words(c, roles), not_shown(c));
    for (std::size_t i = 0; i < out.plots.size(); ++i) {
        if (several) out.plots[i].name += text("-", i / 2 + 1);
        out.plots[i].caption = out.caption;
        out.plots[i].width = kHalf;
    }
    return out;
}

}  // namespace limber
