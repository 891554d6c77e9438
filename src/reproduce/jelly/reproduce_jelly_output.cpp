// The report of `reproduce jelly` as JSON, table, plots and page.
#include "core/text.hpp"
#include "report/files.hpp"
#include "report/page.hpp"
#include "reproduce/jelly/jelly_pictures.hpp"
#include "reproduce/jelly/reproduce_jelly.hpp"

#include <limber/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace limber {
namespace {

using nlohmann::json;

json rows_json(const std::vector<JellyRow>& rows, const char* what) {
    json out = json::array();
    for (const JellyRow& r : rows) {
        out.push_back({{what, r.value}, {"rebound", r.rebound}, {"contact_s", r.contact}});
        if (r.model > 0.0) out.back()["model_s"] = r.model;
    }
    return out;
}

json drop_json(const std::string& name, const Drop& d) {
    json t = json::array(), y = json::array(), energy = json::array(), push = json::array(), tall = json::array(),
         width = json::array();
    for (const DropMoment& m : d.moments) {
        t.push_back(m.time);
        y.push_back(m.centre.y);
        energy.push_back(m.energy);
        push.push_back(m.push);
        tall.push_back(m.tall);
        width.push_back(m.width);
    }
    return {{"name", name},   {"mass_kg", d.mass}, {"fall_m", d.fall()}, {"rebound", rebound_of(d)},
            {"t", t},         {"centre_m", y},     {"energy_j", energy}, {"push_n", push},
            {"tall_m", tall}, {"width_m", width}};
}

json speed_json(const JellySpeed& v) {
    return {{"body", v.name},       {"nodes", v.nodes},     {"frames_in_contact", v.frames},
            {"frame_s", v.median},  {"frame_p99_s", v.p99}, {"of_a_frame", 60.0 * v.median},
            {"update_s", v.update}, {"full_s", v.again},    {"ratio", v.again / v.update}};
}

Series trace(const std::string& name, const Drop& d, double (*value)(const DropMoment&, const Drop&)) {
    Series s;
    s.name = name;
    for (const DropMoment& m : d.moments) {
        s.x.push_back(m.time);
        s.y.push_back(value(m, d));
    }
    return s;
}

Series column(const std::string& name, const std::vector<JellyRow>& rows, double JellyRow::*value, double factor,
              bool line = true) {
    Series s;
    s.name = name;
    for (const JellyRow& r : rows) {
        s.x.push_back(r.value);
        s.y.push_back(factor * r.*value);
    }
    s.line = line;
    return s;
}

}  // namespace

void add_jelly_plots(JellyStudy& s) {
    const std::string& command = s.settings.command;
    Plot bounce{"bounce",
                "The circle's bounce",
                "Height of the centroid above where it touches, and energy, both over those of the fall. Without "
                "internal friction nothing is lost, and nothing is ever won.",
                command,
                {"time", "s"},
                {"share of the fall", ""},
                {},
                {}};
    bounce.series.push_back(trace("height", s.circle, [](const DropMoment& m, const Drop& d) {
        return (m.centre.y - d.touching_height()) / d.fall();
    }));
    bounce.series.push_back(trace("energy", s.circle, [](const DropMoment& m, const Drop& d) {
        return (m.energy - d.mass * 9.81 * d.touching_height()) / d.scale();
    }));
    Plot friction{"internal_friction",
                  "Internal friction and rebound",
                  "The disc of 10 kPa.",
                  command,
                  {"internal friction", "Pa s"},
                  {"rebound over fall", ""},
                  {column("rebound", s.friction, &JellyRow::rebound, 1.0)},
                  {}};
    Plot young{"young",
               "Young's modulus and rebound (4.2)",
               "The disc with 40 Pa s of internal friction.",
               command,
               {"Young's modulus", "Pa", Scale::log},
               {"rebound over fall", ""},
               {column("rebound", s.modulus, &JellyRow::rebound, 1.0)},
               {}};
    Plot contact{"contact_time",
                 "Young's modulus and time of contact",
                 "Without internal friction: the method, and m y'' = k V - m g integrated by itself.",
                 command,
                 {"Young's modulus", "Pa", Scale::log},
                 {"contact", "ms", Scale::log},
                 {},
                 {}};
    contact.series.push_back(column("model", s.modulus, &JellyRow::model, 1e3));
    contact.series.push_back(column("method", s.modulus, &JellyRow::contact, 1e3, false));
    Plot jelly{"jelly",
               "The jellies' height",
               "From bottom to top, over that at rest: squashed, stretched by what sticks, trembling.",
               command,
               {"time", "s"},
               {"height over that at the start", ""},
               {},
               {}};
    for (const JellyLanding& j : s.jellies) {
        jelly.series.push_back(
            trace(j.title, j.drop, [](const DropMoment& m, const Drop& d) { return m.tall / d.moments.front().tall; }));
    }
    s.plots = {std::move(bounce), std::move(friction), std::move(young), std::move(contact), std::move(jelly)};
}

Table jelly_summary(const JellyStudy& s) {
    Table table{{{"body"},
                 {"nodes", Align::right},
                 {"a frame in contact [ms]", Align::right},
                 {"p99 [ms]", Align::right},
                 {"of 1/60 s", Align::right},
                 {"update [µs]", Align::right},
                 {"full solve [ms]", Align::right},
                 {"ratio", Align::right}},
                {}};
    for (const JellySpeed* v : {&s.plane, &s.space}) {
        table.add({v->name, text(v->nodes), short_number(1e3 * v->median, 3), short_number(1e3 * v->p99, 3),
                   short_number(60.0 * v->median, 2), short_number(1e6 * v->update, 3), short_number(1e3 * v->again, 3),
                   short_number(v->again / v->update, 3)});
    }
    return table;
}

json jelly_json(const JellyStudy& s) {
    json claims = json::array(), alphas = json::array(), passes = json::array(), drops = json::array();
    for (const Claim& c : s.claims) claims.push_back(to_json(c));
    for (const AlphaRow& a : s.alphas) {
        alphas.push_back({{"alpha", a.alpha > 0.0 ? json(a.alpha) : json(nullptr)},
                          {"shape", a.alpha > 0.0 ? "sections" : "surface"},
                          {"rms_radii", a.displacement},
                          {"distance", a.distance}});
    }
    for (const PassRow& p : s.passes) passes.push_back({{"passes", p.passes}, {"deepest", p.deepest}});
    drops.push_back(drop_json("circle", s.circle));
    drops.push_back(drop_json("ellipsoid", s.ellipsoid));
    for (const JellyLanding& j : s.jellies) drops.push_back(drop_json(j.title, j.drop));
    const Provenance p = provenance();
    return {{"command", s.settings.command},
            {"drops", drops},
            {"internal_friction", rows_json(s.friction, "pa_s")},
            {"young", rows_json(s.modulus, "pa")},
            {"poisson", {{"bulge_0.4999", bulge_of(s.rubber)}, {"bulge_0.01", bulge_of(s.sponge)}}},
            {"alpha", alphas},
            {"passes", passes},
            {"speed", {speed_json(s.plane), speed_json(s.space)}},
            {"held_disc", {{"as_printed", s.held.printed}, {"corrected", s.held.corrected}}},
            {"claims", claims},
            {"elapsed_s", s.elapsed},
            {"provenance",
             {{"version", p.version},
              {"commit", p.commit},
              {"compiler", p.compiler},
              {"cpu", p.cpu},
              {"isa", p.isa},
              {"linked", p.linked},
              {"threads", p.threads}}}};
}

void write_jelly_pages(const std::string& directory, const JellyStudy& study, Progress& progress) {
    make_directories(directory);
    Page page("Jelly",
              "Elastic bodies by their boundary alone that fall, squash, stick and bounce, after Watanabe et al.; and "
              "what a true surface in space says of two cross-sections.");
    page.section("In plain words");
    page.paragraph(text(
        "A disc of ", study.plane.nodes, " nodes takes ", short_number(100.0 * 60.0 * study.plane.median, 2),
        " % of a core at 60 frames per second while it touches the floor, a ball of ", study.space.nodes, " nodes ",
        short_number(100.0 * 60.0 * study.space.median, 2), " %. Changing one contact node costs one part in ",
        short_number(study.plane.again / study.plane.update, 2), " (plane) and ",
        short_number(study.space.again / study.space.update, 2), " (space) of solving everything again."));
    page.command(study.settings.command);
    page.table(jelly_summary(study),
               "Processor time, one core. Update: one of 16 contact nodes goes out, another comes in, all nodes are "
               "displaced. Full solve: factoring and solving the system of all nodes, already integrated.");
    if (study.settings.pictures) {
        page.section("In pictures");
        add_jelly_pictures(page, directory, study, progress);
    }
    page.section("Plots");
    for (const Plot& plot : study.plots) page.figure(plot);
    page.section("Claim by claim");
    page.paragraph(text(tally(study.claims), " Computing took ", short_number(study.elapsed, 2), " s."));
    page.claims(study.claims);
    for (const Plot& plot : study.plots) write_plot(directory, plot);
    write_page(directory + "/index.html", page);
}

}  // namespace limber
