// Figures 5 to 11 of the paper, redrawn from our runs.
#include "reproduce/accuracy/accuracy_claims.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

using Measure = std::vector<double> AccuracyRun::*;

struct SchemeStyle {
    const char* name;
    const char* words;
    int style;  ///< the same in every figure
};
constexpr SchemeStyle kSchemes[] = {{"explicit", "explicit", 0},
                                    {"implicit_lumped", "implicit, lumped", 1},
                                    {"implicit_lumped_alpha", "implicit, lumped, C = αM", 2},
                                    {"explicit_lumped", "explicit, lumped", 3},
                                    {"quasi_static", "quasi-static", 4},
                                    {"implicit", "implicit", 5}};

struct AccuracyFigure {
    const char* name;
    const char* title;
    const char* caption;
    const char* material;
    Measure measure;
    const char* axis;
    std::vector<const char*> schemes;
    bool off_chart = false;  ///< quasi-static may leave the chart, as in the paper
    Scale scale = Scale::linear;
};

Series series_of(const AccuracyRun& run, const SchemeStyle& scheme, Measure measure) {
    return {scheme.words, run.t, run.*measure, scheme.style};
}

Plot drawn(const AccuracyFigure& f, const AccuracySettings& settings, const std::vector<AccuracyRun>& runs) {
    Plot plot{
        f.name,
        f.title,
        f.caption,
        settings.command,
        {"time", "s", Scale::linear, 0.0},
        {f.axis, f.measure == &AccuracyRun::interior ? (std::string(f.material) == "MP3" ? "m³" : "m²") : "1", f.scale},
        {},
        {}};
    double top = 0.0;
    for (const SchemeStyle& scheme : kSchemes) {
        if (std::find_if(f.schemes.begin(), f.schemes.end(),
                         [&](const char* s) { return std::string(s) == scheme.name; }) == f.schemes.end()) {
            continue;
        }
        const AccuracyRun& run = find_run(runs, f.material, scheme.name);
        plot.series.push_back(series_of(run, scheme, f.measure));
        if (scheme.style != 4) top = std::max(top, largest_of(run.*f.measure));
    }
    if (f.off_chart && top > 0.0) plot.y.high = 1.25 * top;
    return plot;
}

Plot figure_11(const AccuracySettings& settings, const std::vector<AccuracyRun>& runs) {
    Plot plot{"fig11",
              "Figure 11: surface error when implicit MP2 is the truth",
              "Block and needle. Every scheme with MP1 is compared with implicit integration of MP2, and so is "
              "quasi-static MP2. The wrong material costs more than any scheme.",
              settings.command,
              {"time", "s", Scale::linear, 0.0},
              {"surface error E_s", "1"},
              {},
              {}};
    for (const SchemeStyle& scheme : kSchemes) {
        Series s = series_of(find_run(runs, "MP1", scheme.name, "MP2 implicit"), scheme, &AccuracyRun::surface);
        s.name = text("MP1 ", scheme.words);
        plot.series.push_back(std::move(s));
    }
    plot.series.push_back({"MP2 quasi-static", find_run(runs, "MP2", "quasi_static").t,
                           find_run(runs, "MP2", "quasi_static").surface, 6});
    return plot;
}

Plot rod_tip(const AccuracySettings& settings, const std::vector<AccuracyRun>& runs) {
    Plot plot{"rod-tip",
              "The tip of the rod: overshoot and steady state",
              "Height of the centre of the free end against its rest height. The paper reads off 4.2 s for the first "
              "time below the steady state.",
              settings.command,
              {"time", "s", Scale::linear, 0.0},
              {"tip displacement", "m"},
              {},
              {}};
    for (const SchemeStyle& scheme : kSchemes) {
        const AccuracyRun& run = find_run(runs, "MP3", scheme.name);
        Series s{scheme.words, run.t, {}, scheme.style};
        for (const Vec3& u : run.probes.at("tip").u) s.y.push_back(u.y);
        plot.series.push_back(std::move(s));
    }
    plot.guides = {{true, 4.2, "4.2 s"}};
    return plot;
}

}  // namespace

std::vector<Plot> paper_figures(const AccuracySettings& settings, const std::vector<AccuracyRun>& runs) {
    const std::vector<const char*> all{"explicit", "implicit_lumped", "implicit_lumped_alpha", "explicit_lumped",
                                       "quasi_static"};
    const std::vector<const char*> dynamic(all.begin(), all.end() - 1), two{"explicit_lumped", "quasi_static"};
    const AccuracyFigure figures[] = {
        {"fig5", "Figure 5: relative error E_n, block and needle, MP1",
         "Reference: implicit Newmark with consistent mass. The needle moves for 2 s and then rests. At the first "
         "steps explicit integration errs most, because the jump in the needle's velocity excites its highest modes.",
         "MP1", &AccuracyRun::relative_l2, "relative error E_n", all, false, Scale::log},
        {"fig6", "Figure 6: surface error E_s, block and needle, MP1",
         "Area inside exactly one of the two deformed shapes over the reference's area. Quasi-static leaves the chart, "
         "as in the paper.",
         "MP1", &AccuracyRun::surface, "surface error E_s", all, true},
        {"fig7", "Figure 7: interior error E_i, block and needle, MP1",
         "As printed, with tributary areas as weights: hence the unit. Without quasi-static.", "MP1",
         &AccuracyRun::interior, "interior error E_i", dynamic},
        {"fig8", "Figure 8: interior error E_i of quasi-static, block and needle, MP1",
         "Quasi-static against explicit integration with lumped mass, the worst of the others.", "MP1",
         &AccuracyRun::interior, "interior error E_i", two},
        {"fig9", "Figure 9: interior error E_i, bending rod, MP3",
         "Gravity of 5 cm/s² from time 0. Quasi-static leaves the chart.", "MP3", &AccuracyRun::interior,
         "interior error E_i", all, true},
        {"fig10", "Figure 10: interior error E_i of quasi-static, bending rod, MP3",
         "Its error is least where the rod passes its steady state, at about 4.2 s.", "MP3", &AccuracyRun::interior,
         "interior error E_i", all, false, Scale::log}};
    std::vector<Plot> out;
    for (const AccuracyFigure& f : figures) out.push_back(drawn(f, settings, runs));
    out.push_back(figure_11(settings, runs));
    out.push_back(rod_tip(settings, runs));
    return out;
}

}  // namespace limber
