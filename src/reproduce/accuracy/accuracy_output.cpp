// The report of `reproduce accuracy` as JSON, table and page.
#include "reproduce/accuracy/accuracy.hpp"

#include "core/text.hpp"
#include "report/files.hpp"
#include "report/page.hpp"
#include "reproduce/accuracy/accuracy_claims.hpp"
#include "reproduce/accuracy/accuracy_pictures.hpp"

#include <limber/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace limber {
namespace {

using nlohmann::json;

json vector_json(const Vec3& v) { return {json_number(v.x), json_number(v.y), json_number(v.z)}; }

json run_json(const AccuracyRun& run) {
    json probes = json::object();
    for (const auto& [name, track] : run.probes) {
        json u = json::array();
        for (const Vec3& v : track.u) u.push_back(vector_json(v));
        probes[name] = {{"at", vector_json(track.at)}, {"u", std::move(u)}};
    }
    const bool rod = run.scene == "rod";
    json out{{"scene", run.scene},
             {"cells", rod ? json(run.cells) : json(std::stoi(run.cells))},
             {"plane", rod ? json(nullptr) : json(run.plane)},
             {"integration", run.integration},
             {"material", run.material},
             {"scheme", run.scheme},
             {"reference", run.reference},
             {"t", json_numbers(run.t)},
             {"relative_l2", json_numbers(run.relative_l2)},
             {"surface", json_numbers(run.surface)},
             {"interior", json_numbers(run.interior)},
             {"probes", std::move(probes)}};
    if (run.diverged_at) out["diverged_at"] = json_number(*run.diverged_at);
    return out;
}

json spectrum_json(const AccuracySpectrum& s) {
    const bool rod = s.scene == "rod";
    return {{"scene", s.scene},
            {"cells", rod ? json(s.cells) : json(std::stoi(s.cells))},
            {"material", s.material},
            {"integration", s.integration},
            {"lowest", json_numbers(s.lowest)},
            {"omega_max", {{"consistent", json_number(s.omega_max[0])}, {"lumped", json_number(s.omega_max[1])}}},
            {"critical_step",
             {{"consistent", json_number(s.critical_step[0])}, {"lumped", json_number(s.critical_step[1])}}}};
}

Table verdicts(const std::vector<Claim>& claims) {
    Table table{{{"claim"}, {"measured", Align::right}, {"expected", Align::right}, {""}}, {}};
    for (const Claim& c : claims) {
        table.add({c.id, c.unit.empty() ? short_number(c.measured) : text(short_number(c.measured), " ", c.unit),
                   expected_words(c), c.holds ? "holds" : "differs"});
    }
    return table;
}

void add_conventions(Page& page) {
    page.section("Conventions");
    page.paragraph(
        "Block: bilinear quads on the unit square, 2 x 2 Gauss points, unit thickness; left, top and bottom held; the "
        "needle is the vertex (1, 0.5), both components prescribed: "
        "u_x = -0.08 min(t, 2) m, v_x = -0.08 m/s before 2 s and 0 from then on. Rod: 0.5 x 0.25 x 0.25 m of hex8 "
        "cells, the face x = 0 held, gravity 0.05 m/s² along -y from t = 0.");
    page.paragraph(
        "Implicit: Newmark with the paper's beta = gamma = 1/2, u_{i+1} = u_i + h v_i + (h²/4)(a_i + a_{i+1}) (the "
        "printed h v_{i+1} would be unstable). Explicit: beta = 0. Prescribed motion enters through "
        "K, C and M. Lumping is by row sums. Explicit with lumped mass is damped by C = alpha M; implicit with lumped "
        "mass is shown with C = alpha M + beta K and with C = alpha M.");
    page.paragraph(
        "E_n is the Euclidean norm of the displacement error over that of the reference, E_s the area (volume) of the "
        "symmetric difference over the reference's, E_i the integral of the distance between matching "
        "points over the square root of the area (cube root of the volume), with tributary weights. The step is 1/30 "
        "s.");
}

}  // namespace

nlohmann::json accuracy_json(const AccuracyReport& report) {
    json runs = json::array(), claims = json::array(), spectra = json::array();
    for (const AccuracyRun& run : report.runs) runs.push_back(run_json(run));
    for (const Claim& claim : report.claims) claims.push_back(to_json(claim));
    for (const AccuracySpectrum& s : report.spectra) spectra.push_back(spectrum_json(s));
    const Provenance p = provenance();
    return {{"runs", std::move(runs)},
            {"claims", std::move(claims)},
            {"spectra", std::move(spectra)},
            {"command", report.settings.command},
            {"provenance",
             {{"version", p.version},
              {"commit", p.commit},
              {"compiler", p.compiler},
              {"cpu", p.cpu},
              {"isa", p.isa},
              {"linked", p.linked},
              {"threads", p.threads}}}};
}

Table accuracy_summary(const AccuracyReport& report) {
    Table table{{{"scene"},
                 {"cells"},
                 {"material"},
                 {"scheme"},
                 {"against"},
                 {"E_n mean", Align::right},
                 {"E_n end", Align::right},
                 {"E_s mean", Align::right},
                 {"E_i mean", Align::right},
                 {"ms/step", Align::right},
                 {""}},
                {}};
    for (const AccuracyRun& run : report.runs) {
        const std::string kind = text(run.cells, run.plane == "stress" ? " stress" : "",
                                      run.integration == "bbar" ? " bbar" : "");
        if (run.diverged_at) {
            table.add({run.scene, kind, run.material, run.scheme, run.reference, "-", "-", "-", "-",
                       short_number(run.step_ms, 2), text("diverged at ", short_number(*run.diverged_at, 3), " s")});
            continue;
        }
        table.add({run.scene, kind, run.material, run.scheme, run.reference, short_number(mean_of(run.relative_l2), 3),
                   short_number(last_of(run.relative_l2), 3), short_number(mean_of(run.surface), 3),
                   short_number(mean_of(run.interior), 3), short_number(run.step_ms, 2), ""});
    }
    return table;
}

void write_accuracy_pages(const std::string& directory, const AccuracyReport& report, Progress& progress) {
    Page page("Accuracy benchmarks",
              "Alterovitz and Goldberg's block, needle and rod by every scheme of their paper: what they say, what "
              "limber measures, and why the two differ where they do.");
    page.section("How the claims fare");
    page.paragraph(text(tally(report.claims), " This took ", short_number(report.elapsed, 2), " s."));
    page.command(report.settings.command);
    page.table(verdicts(report.claims));
    make_directories(directory);
    if (report.settings.pictures) {
        page.section("In pictures");
        add_run_pictures(page, directory, accuracy_pictures(report.settings, progress), progress);
    }
    page.section("Figures");
    for (const Plot& plot : report.plots) page.figure(plot);
    page.section("Claim by claim");
    page.claims(report.claims);
    page.section("Runs");
    page.paragraph(
        "Means are over time; a run against \"implicit\" is compared with implicit integration of the same material on "
        "the same mesh.");
    page.table(accuracy_summary(report));
    add_conventions(page);
    for (const Plot& plot : report.plots) write_plot(directory, plot);
    write_page(text(directory, "/index.html"), page);
}

}  // namespace limber
