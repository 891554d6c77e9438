// The report of `reproduce dyrt` as JSON, table and page.
#include "reproduce/dyrt/reproduce_dyrt.hpp"

#include "core/text.hpp"
#include "report/files.hpp"
#include "report/page.hpp"
#include "reproduce/dyrt/reproduce_dyrt_pictures.hpp"

#include <limber/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace limber {
namespace {

using nlohmann::json;

json row_json(const DyrtStudyRow& r) {
    return {{"name", r.name},
            {"cells", r.cells},
            {"unknowns", r.unknowns},
            {"vertices", r.vertices},
            {"meshing_s", r.meshing},
            {"modes_s", r.modes},
            {"hertz", json_numbers(r.hertz)},
            {"eigen_residual", r.error},
            {"jump_m", r.jump},
            {"walk_m", r.walk},
            {"error",
             {{"against", r.fem.reference},
              {"relative_l2", r.fem.relative_l2},
              {"largest_m", r.fem.largest},
              {"by_modes", json_numbers(r.fem.by_modes)}}},
            {"normals_rad", {{"plain", r.plain_normals}, {"corrected", r.corrected_normals}}}};
}

std::string ratios(const DyrtStudyRow& r) {
    std::string out;
    for (std::size_t k = 0; k < std::min<std::size_t>(5, r.hertz.size()); ++k)
        out += text(k == 0 ? "" : " : ", short_number(r.hertz[k] / r.hertz[0], 3));
    return out;
}

}  // namespace

Table dyrt_summary(const DyrtStudy& study) {
    Table table{{{"part"},
                 {"tet10", Align::right},
                 {"unknowns", Align::right},
                 {"vertices", Align::right},
                 {"flesh [s]", Align::right},
                 {"modes [s]", Align::right},
                 {"first [Hz]", Align::right},
                 {"frequencies"},
                 {"jump [mm]", Align::right},
                 {"walk [mm]", Align::right},
                 {"error", Align::right}},
                {}};
    for (const DyrtStudyRow& r : study.rows) {
        table.add({r.name, text(r.cells), text(r.unknowns), text(r.vertices), short_number(r.meshing, 3),
                   short_number(r.modes, 3), short_number(r.hertz[0], 3), ratios(r), short_number(1e3 * r.jump, 3),
                   short_number(1e3 * r.walk, 3), text(short_number(100.0 * r.fem.relative_l2, 3), " %")});
    }
    return table;
}

json dyrt_json(const DyrtStudy& study) {
    json rows = json::array(), claims = json::array();
    for (const DyrtStudyRow& r : study.rows) rows.push_back(row_json(r));
    for (const Claim& c : study.claims) claims.push_back(to_json(c));
    const Provenance p = provenance();
    return {{"command", study.settings.command},
            {"character_vertices", study.vertices},
            {"parts", rows},
            {"step_s", study.step},
            {"displace_s", study.displace},
            {"filter_gain", {{"as_printed", study.printed_gain}, {"mended", study.corrected_gain}}},
            {"claims", claims},
            {"elapsed_s", study.elapsed},
            {"provenance",
             {{"version", p.version},
              {"commit", p.commit},
              {"compiler", p.compiler},
              {"cpu", p.cpu},
              {"isa", p.isa},
              {"linked", p.linked},
              {"threads", p.threads}}}};
}

void write_dyrt_pages(const std::string& directory, const DyrtStudy& study, Progress& progress) {
    make_directories(directory);
    Page page("DyRT",
              text("A character of ", study.vertices,
                   " vertices with three soft parts whose modes are driven by bones, after James & Pai (2002)."));
    page.section("In plain words");
    page.paragraph(text("A frame costs the processor ", short_number(1e6 * study.step, 3), " µs for all three parts (",
                        short_number(100.0 * study.step * 60.0, 2),
                        " % of a core at 60 Hz). Moving the vertices takes ", short_number(1e3 * study.displace, 2),
                        " ms when the processor does it, and nothing when the vertex shader does."));
    page.command(study.settings.command);
    page.table(dyrt_summary(study),
               text("Five modes and six residuals per part; fat, stiffened until the first mode is at 6 Hz (E = ",
                    short_number(study.parts[0].material.young, 3),
                    " Pa for the left thigh), settling in half a second. Seconds are processor time. Error: relative "
                    "L2 over the moved skin and the whole jump, against ",
                    study.rows[0].fem.reference, "."));
    if (study.settings.pictures) {
        page.section("In pictures");
        add_dyrt_study_pictures(page, directory, study, progress);
    }
    page.section("Plots");
    for (const Plot& plot : study.plots) page.figure(plot);
    page.section("Claim by claim");
    page.paragraph(text(tally(study.claims), " This took ", short_number(study.elapsed, 2), " s."));
    page.claims(study.claims);
    for (const Plot& plot : study.plots) write_plot(directory, plot);
    write_page(directory + "/index.html", page);
}

}  // namespace limber
