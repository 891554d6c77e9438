#include "dyrt/page.hpp"

#include "core/text.hpp"
#include "dyrt/output.hpp"
#include "dyrt/pictures.hpp"
#include "io/files/owned_files.hpp"
#include "report/files.hpp"
#include "report/page.hpp"
#include "sim/provenance_text.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>

namespace limber {
namespace {

using nlohmann::json;

constexpr const char* kIndex = "dyrt.json";

/// A part's amplitudes over a clip.
Plot amplitude_plot(const DyrtCharacter& c, std::size_t part, std::size_t clip, const DyrtPageWords& words,
                    std::set<std::string>& taken) {
    const DyrtPart& p = c.parts[part];
    const DyrtTrack& track = c.tracks[clip][part];
    Plot plot;
    plot.name = file_name(text("amplitudes_", p.name(), "_", clip_words(*c.rig, clip)), taken);
    plot.title = p.name();
    plot.caption = text("Amplitudes of ", p.name(), " over ", clip_words(*c.rig, clip),
                        track.looped ? ", which repeats" : "");
    plot.command = words.command;
    plot.x = {"time", "s"};
    plot.y = {"amplitude", "mm"};
    plot.width = c.parts.size() > 1 ? 420 : 640;
    for (std::size_t k = 0; k < p.modes; ++k) {
        Series s;
        s.name = text("mode ", k);
        s.x = track.times;
        for (std::size_t f = 0; f < track.times.size(); ++f) s.y.push_back(1e3 * track.amplitudes[f * p.count() + k]);
        plot.series.push_back(std::move(s));
    }
    return plot;
}

class PageMaker {
public:
    PageMaker(const DyrtCharacter& c, const DyrtPageWords& words, const AtomicFolder& folder)
        : c_(c),
          words_(words),
          folder_(folder),
          page_(text("DyRT of ", name_of(c.rig->source)), text("made by ", provenance_line())) {}

    void make(Progress& progress) {
        const std::optional<std::size_t> clip = clip_with_most_motion(c_);
        const DyrtPictures pictures = draw_dyrt(folder_.file("."), c_, clip, words_.command, progress);
        page_.command(words_.command);
        page_.paragraph(text(
            words_.glb, " plays in any glTF client; the .dyrt beside it is for live use (docs/dyrt.md).",
            words_.live.empty() ? "" : text(" To play with it, open ", words_.live, " beside them in a browser.")));
        if (pictures.movie) page_.photo(*pictures.movie);
        if (!pictures.missing.empty()) page_.paragraph(text("Pictures are missing here: ", pictures.missing, "."));
        add_parts();
        for (std::size_t p = 0; p < c_.parts.size(); ++p)
            add_part(p, p < pictures.modes.size() ? &pictures.modes[p] : nullptr);
        add_error();
        for (const std::size_t k : words_.clips) add_clip(k);
        write_page(folder_.file("index.html"), page_);
        write_text_file(folder_.file(kIndex), index().dump(1, ' ', false, json::error_handler_t::replace) + "\n");
    }

private:
    static std::string name_of(const std::string& source) { return std::filesystem::path(source).filename().string(); }

    void add_parts() {
        page_.section("Parts");
        page_.table(dyrt_parts_table(c_),
                    "Each part is a solid of its own, held along bones and where it meets the rest. E, alpha and beta: "
                    "what it is made of, as asked for or as frequency and settling time ask for it.");
        if (!words_.clips.empty()) {
            page_.table(dyrt_clips_table(c_),
                        "How far each part moves in each clip, and whether the clip goes on with its beginning when it "
                        "is over. The movie shows the one in which it moves most.");
        }
        for (const std::vector<std::string>& list : {c_.notes, c_.exported.notes})
            for (const std::string& note : list) page_.paragraph(note);
        for (const DyrtPart& p : c_.parts) {
            for (const std::vector<std::string>& list : {p.flesh.warnings, p.warnings})
                for (const std::string& warning : list) page_.paragraph(text(p.name(), ": ", warning));
        }
    }

    void add_part(std::size_t p, const Page::Photo* modes) {
        const DyrtPart& part = c_.parts[p];
        page_.section(part.name());
        if (modes) page_.photo(*modes);
        page_.table(dyrt_oscillators_table(c_, p),
                    text("Its oscillators; a target's weight 1 is the largest amplitude. Residual: |K phi - omega^2 M "
                         "phi| / |K phi|. Orthonormality: ",
                         short_number(part.orthonormality, 2), "."));
        page_.fold("Transfer matrix");
        page_.dense_table(
            dyrt_transfer_table(part),
            text("What each number of the motion of ",
                 c_.rig->joints[static_cast<std::size_t>(part.flesh.reference)].name,
                 ", in its own axes, does to each amplitude's acceleration: a, acceleration of its origin less gravity "
                 "[1]; w', angular acceleration [m]; w w, products of the angular velocity [m]."));
        page_.unfold();
    }

    void add_error() {
        if (c_.errors.empty()) return;
        page_.section("Against finite elements");
        page_.table(dyrt_error_table(c_),
                    text("relative_l2 over the skin and all frames of ", clip_words(*c_.rig, *c_.compared),
                         ": with all oscillators, and with the first modes alone (no static answers)."));
        for (std::size_t p = 0; p < c_.errors.size(); ++p)
            page_.paragraph(text(c_.parts[p].name(), ": the reference is ", c_.errors[p].reference, "."));
        Plot plot;
        plot.name = "error_by_modes";
        plot.title = "Distance from finite elements by number of modes";
        plot.caption = "Modes alone. What they leave out slowly is what the static answers are for.";
        plot.command = words_.command;
        plot.x = {"modes", ""};
        plot.y = {"relative_l2", "%", Scale::log};
        for (std::size_t p = 0; p < c_.errors.size(); ++p) {
            Series s;
            s.name = c_.parts[p].name();
            for (std::size_t k = 0; k < c_.errors[p].by_modes.size(); ++k) {
                s.x.push_back(static_cast<double>(k + 1));
                s.y.push_back(100.0 * c_.errors[p].by_modes[k]);
            }
            plot.series.push_back(std::move(s));
        }
        add_figures({plot}, plot.title, plot.caption);
    }

    void add_clip(std::size_t clip) {
        page_.section(text("Clip ", clip_words(*c_.rig, clip)));
        std::vector<Plot> plots;
        for (std::size_t p = 0; p < c_.parts.size(); ++p) plots.push_back(amplitude_plot(c_, p, clip, words_, taken_));
        double seam = 0.0;
        for (const DyrtTrack& t : c_.tracks[clip]) seam = std::max(seam, t.seam);
        const bool looped = c_.tracks[clip].front().looped;
        add_figures(plots, "Amplitudes",
                    looped ? text("The clip repeats, and so does the flesh: last and first frame differ by ",
                                  short_number(1e3 * seam, 2), " mm.")
                           : "The clip does not repeat; the flesh hangs at rest before it.");
    }

    void add_figures(std::vector<Plot> plots, const std::string& title, const std::string& caption) {
        for (const Plot& plot : plots) write_plot(folder_.file("."), plot);
        for (Plot& plot : plots) plot.command.clear();  // it stands at the top of the page
        if (plots.size() == 1)
            page_.figure(plots[0]);
        else
            page_.panels(plots, title, caption);
    }

    /// Every file of the folder, and all the numbers.
    json index() const {
        json out = to_json(c_), names = json::array();
        std::set<std::string> all{kIndex, "index.html"};
        for (const auto& entry : std::filesystem::directory_iterator(folder_.file(".")))
            all.insert(entry.path().filename().string());
        for (const std::string& name : all) names.push_back(name);
        out["files"] = names;
        out["command"] = words_.command;
        out["provenance"] = json::parse(provenance_text(), nullptr, false);
        return out;
    }

    const DyrtCharacter& c_;
    const DyrtPageWords& words_;
    const AtomicFolder& folder_;
    Page page_;
    std::set<std::string> taken_;
};

}  // namespace

std::vector<std::string> earlier_page(const std::string& folder) {
    std::vector<std::string> out;
    const std::string path = (std::filesystem::path(folder) / kIndex).string();
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return out;
    const json index = json::parse(read_own_file(path), nullptr, false);
    if (!index.is_object() || !index.contains("files") || !index["files"].is_array()) return out;
    for (const json& name : index["files"])
        if (name.is_string()) out.push_back(name.get<std::string>());
    return out;
}

void write_dyrt_page(const AtomicFolder& folder, const DyrtCharacter& character, const DyrtPageWords& words,
                     Progress& progress) {
    PageMaker(character, words, folder).make(progress);
}

}  // namespace limber
