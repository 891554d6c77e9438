// The report of `reproduce clustered` as JSON, tables and page.
#include "core/percentile.hpp"
#include "core/text.hpp"
#include "fem/stress.hpp"
#include "report/files.hpp"
#include "report/page.hpp"
#include "reproduce/clustered/reproduce_clustered.hpp"
#include "study/run_pictures.hpp"

#include <limber/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace limber {
namespace {

using nlohmann::json;

json object_json(const ClusteredStudyRow& r) {
    json runs = json::array();
    for (const ClusteredStudyRun& run : r.runs) {
        runs.push_back({{"method", run.title},
                        {"step_s", run.step},
                        {"sub_steps_per_frame", run.sub_steps},
                        {"relative_l2", run.displacement_error},
                        {"von_mises_error", run.stress_error}});
    }
    return {{"name", r.name}, {"vertices", r.vertices}, {"cells", r.cells}, {"runs", runs}};
}

std::string share_words(double share) {
    return share < 1e-9 ? text(short_number(share, 2)) : text(short_number(100.0 * share, 3), " %");
}

Table warping_table(const ClusteredStudy& study) {
    Table table{
        {{"bar"}, {"method"}, {"volume", Align::right}, {"distance", Align::right}, {"ms per frame", Align::right}},
        {}};
    for (const WarpingRow& r : study.warping) {
        if (r.stopped.empty()) {
            table.add(
                {r.motion, r.title, short_number(r.volume, 4), share_words(r.error), short_number(1e3 * r.step, 3)});
        } else {
            table.add({r.motion, r.title, "–",
                       text("stopped at ", short_number(r.recording->frames.back().time, 2), " s"),
                       short_number(1e3 * r.step, 3)});
        }
    }
    return table;
}

constexpr const char* kTruth = "neo-Hookean";  // as study/warping.cpp calls it

/// What 99 of 100 cells do not exceed at any time: the few at held corners would take all colours. 0 = no stress.
double usual_stress(const Recording& recording) {
    std::vector<double> all;
    for (const Frame& frame : recording.frames)
        for (const SymMat3& stress : frame.stress) all.push_back(von_mises(stress));
    std::sort(all.begin(), all.end());
    return all.empty() ? 0.0 : percentile(all, 0.99);
}

/// Figures 4 and 5: stress of the three methods, and how far two of them are from the first.
std::vector<RunPicture> pictures_of(const ClusteredStudy& study) {
    std::vector<RunPicture> out;
    for (const ClusteredStudyRow& row : study.rows) {
        RunPicture stress{text("stress_", row.name),
                          text("Stress in the ", row.name),
                          "Von Mises stress while the pull is on: finite elements element by element, by clusters, and "
                          "by 30 modes (Fig. 4).",
                          {},
                          Field::von_mises};
        RunPicture apart{text("difference_", row.name),
                         text("The ", row.name, ": distance to plain finite elements"),
                         "How far each vertex is from where plain finite elements put it (Fig. 5).",
                         {},
                         Field::error};
        RunPicture tense{text("stress_difference_", row.name),
                         text("The ", row.name, ": stress minus that of plain finite elements"),
                         "Red: more stress than plain finite elements; blue: less.",
                         {},
                         Field::von_mises_error};
        for (const ClusteredStudyRun& run : row.runs) stress.runs.push_back({run.title, run.recording, row.scene});
        for (std::size_t i = 1; i < row.runs.size(); ++i) {
            for (RunPicture* p : {&apart, &tense})
                p->runs.push_back({row.runs[i].title, row.runs[i].recording, row.scene});
        }
        apart.reference = tense.reference = row.plain().recording;
        for (RunPicture* p : {&stress, &apart, &tense}) {
            p->movie = false;
            p->about = text("scene ", row.name);
            out.push_back(std::move(*p));
        }
    }
    for (const char* motion : {"droop", "twist"}) {
        RunPicture picture{text("warping_", motion),
                           motion == std::string("droop") ? "A bar droops" : "Half a turn",
                           "Von Mises stress: linear strain, warping, and strain that is true when large.",
                           {},
                           Field::von_mises};
        for (const WarpingRow& row : study.warping) {
            if (row.motion != motion || !row.stopped.empty()) continue;
            picture.runs.push_back({row.title, row.recording, nullptr});
            if (row.title != kTruth) continue;
            picture.highest = usual_stress(*row.recording);
            picture.caption +=
                " Colours end where 99 of 100 cells of the neo-Hookean bar do; what is above has the last colour.";
        }
        picture.about = text("scene ", motion);
        out.push_back(std::move(picture));
    }
    return out;
}

}  // namespace

Table clustered_summary(const ClusteredStudy& study) {
    Table table{{{"object"},
                 {"vertices", Align::right},
                 {"tet4", Align::right},
                 {"method"},
                 {"a step [µs]", Align::right},
                 {"of plain", Align::right},
                 {"steps per frame", Align::right},
                 {"distance", Align::right},
                 {"stress", Align::right}},
                {}};
    for (const ClusteredStudyRow& r : study.rows) {
        for (const ClusteredStudyRun& run : r.runs) {
            table.add({r.name, text(r.vertices), text(r.cells), run.title, short_number(1e6 * run.step, 3),
                       short_number(run.step / r.plain().step, 2), text(run.sub_steps),
                       share_words(run.displacement_error), share_words(run.stress_error)});
        }
    }
    return table;
}

json clustered_json(const ClusteredStudy& study) {
    json rows = json::array(), claims = json::array(), warping = json::array();
    for (const ClusteredStudyRow& r : study.rows) rows.push_back(object_json(r));
    for (const Claim& c : study.claims) claims.push_back(to_json(c));
    for (const WarpingRow& r : study.warping) {
        const bool done = r.stopped.empty();
        warping.push_back({{"motion", r.motion},
                           {"method", r.title},
                           {"volume", done ? json(r.volume) : json(nullptr)},
                           {"relative_l2", done ? json(r.error) : json(nullptr)},
                           {"frame_s", r.step},
                           {"stopped", r.stopped}});
    }
    const Provenance p = provenance();
    return {{"command", study.settings.command},
            {"objects", rows},
            {"jelly_man", {{"cells", study.jelly_cells}, {"step_s", study.jelly_step}}},
            {"warping", warping},
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

void write_clustered_pages(const std::string& directory, const ClusteredStudy& study, Progress& progress) {
    make_directories(directory);
    Page page("Clustered finite elements",
              "Sphere, cube and torus by plain finite elements, by clusters and by 30 modes, after Tang et al.; and "
              "what warping does for large turns.");
    page.section("In plain words");
    double worst = 0.0;
    for (const ClusteredStudyRow& r : study.rows) worst = std::max(worst, r.clustered().step / r.plain().step);
    page.paragraph(
        text("Clusters are the same sums in another order: the answer is the same to the last digits, and a step takes "
             "at most ",
             short_number(100.0 * worst, 2), " % of the time that element-wise products take."));
    page.command(study.settings.command);
    page.table(clustered_summary(study),
               "Processor time of one step of the scheme with all vertices placed, one thread; distance: relative L2 "
               "over all vertices and frames; stress: largest difference in any cell at any time over the largest "
               "stress. Both against plain.");
    page.table(warping_table(study),
               "A soft bar (1 x 0.25 x 0.25 m, E = 200 kPa) held on the left that droops by its weight, and one whose "
               "other end makes half a turn. Volume: over that at rest, where it is farthest from it. Distance: to the "
               "neo-Hookean bar, relative L2 over the run.");
    if (study.settings.pictures) {
        page.section("In pictures");
        add_run_pictures(page, directory, pictures_of(study), progress);
    }
    page.section("Claim by claim");
    page.paragraph(text(tally(study.claims), " This took ", short_number(study.elapsed, 2), " s."));
    page.claims(study.claims);
    write_page(directory + "/index.html", page);
}

}  // namespace limber
