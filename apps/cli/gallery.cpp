// limber gallery: every scene of a folder, and everything that limber can make itself, as pictures and movies on one
// page.
#include "cli/cli.hpp"
#include "cli/mesh_files.hpp"
#include "cli/pictures.hpp"

#include "core/part_of_progress.hpp"
#include "core/text.hpp"
#include "report/files.hpp"
#include "report/page.hpp"
#include "report/table.hpp"
#include "show/produce.hpp"

#include <limber/tools/assets.hpp>
#include <limber/tools/painted_surface.hpp>
#include <limber/tools/sim.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace limber::cli {
namespace {

namespace fs = std::filesystem;

struct GalleryArguments {
    std::string folder = "scenes", out = "gallery";
    bool no_movies = false;
    CommonArguments common;
};

constexpr double kRate = 25.0, kLongest = 10.0;  // frames per second and seconds of a movie

/// One picture, and one movie where it moves.
class Gallery {
public:
    Gallery(const GalleryArguments& arguments, std::string folder)
        : out_(std::move(folder)), movies_(!arguments.no_movies && !find_ffmpeg().empty()) {}

    Page::Photo show(const std::string& name, const std::string& title, const std::string& caption,
                     const std::function<std::unique_ptr<Subject>()>& subject, StudioSettings settings,
                     const std::string& about, Progress& progress) {
        Page::Photo photo{name + ".png", "", title, caption};
        settings.width = 720;
        settings.height = 540;
        const FileWords words{title, text("made by ", provenance_line(), "; of ", about)};
        std::unique_ptr<Subject> first = subject();
        const double begin = first->begin(), end = first->end();
        std::string why;
        settings.from = settings.to = first->preferred_time(why);
        Studio still(one(std::move(first)), settings);
        write_png(text(out_, "/", photo.file), still.picture(settings.to), words);
        if (!movies_ || end <= begin) return photo;
        settings.from = begin;
        settings.to = std::min(end, begin + kLongest);
        const double speed = watchable_speed(settings.to - settings.from);
        settings.remark = speed_words(speed);
        Studio moving(one(subject()), settings);
        MovieSettings movie;
        movie.fps = kRate;
        photo.movie = name + ".mp4";
        write_movie(text(out_, "/", photo.movie), moving, movie_times(settings.from, settings.to, kRate, speed), movie,
                    words, progress);
        return photo;
    }

private:
    static std::vector<std::unique_ptr<Subject>> one(std::unique_ptr<Subject> subject) {
        std::vector<std::unique_ptr<Subject>> out;
        out.push_back(std::move(subject));
        return out;
    }

    std::string out_;
    bool movies_;
};

std::vector<std::string> scenes_in(const std::string& folder) {
    std::vector<std::string> out;
    std::error_code problem;
    for (fs::recursive_directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem))
        if (at->path().extension() == ".json") out.push_back(at->path().string());
    if (problem) throw Error(Fault::bad_file, {folder, 0, {}}, problem.message(), "a folder of scenes");
    if (out.empty()) throw Error(Fault::bad_usage, {folder, 0, {}}, "no scenes (.json)", "a folder of scenes");
    std::sort(out.begin(), out.end());
    return out;
}

Page::Photo show_scene(Gallery& gallery, const std::string& path, Progress& progress) {
    auto scene = std::make_shared<Scene>(read_scene(path, {}, {&progress}));
    RunResult run = run_scene(*scene, {}, progress);
    if (run.interrupted) throw Error(Fault::interrupted, {path, 0, {}}, "stopped; the page was not written");
    if (!run.ok()) throw Error(Fault::unsupported, {path, 0, {}}, run.message, "a scene that runs to its end");
    const auto recording = std::make_shared<const Recording>(std::move(run.recording));
    StudioSettings settings;
    settings.field = recording->shown && !recording->shown->looks.empty() ? Field::none : Field::displacement;
    return gallery.show(
        fs::path(path).stem().string(), scene->name, scene->about,
        [&] {
            return make_body_subject(recording, {"", scene, nullptr, settings.field});
        },
        settings, about_scene(*scene), progress);
}

Page::Photo show_model(Gallery& gallery, const std::string& name, const std::string& caption,
                       const std::shared_ptr<const Rig>& rig, std::optional<std::size_t> clip, Progress& progress) {
    const std::string file = text("asset_", name, clip ? "_" + rig->clips[*clip].name : "");
    return gallery.show(
        file, clip ? text(name, ", ", rig->clips[*clip].name) : name, caption,
        [&] { return make_rig_subject(rig, clip, name); }, {}, text("asset ", name), progress);
}

/// What the page shows under one heading; what failed is told there too.
struct Shelf {
    std::vector<Page::Photo> photos;
    std::vector<std::string> missing;
};

template <class Make>
void try_to_add(Shelf& shelf, const std::string& name, const Make& make) {
    try {
        shelf.photos.push_back(make());
    } catch (const Error& error) {
        if (error.fault() == Fault::interrupted || error.fault() == Fault::bad_file) throw;
        shelf.missing.push_back(text(name, ": ", error.what()));
    }
}

void put_on(Page& page, const Shelf& shelf, const std::string& heading) {
    page.section(heading);
    page.photos(shelf.photos);
    for (const std::string& line : shelf.missing) page.paragraph(text("Missing: ", line));
}

int run_gallery(const GalleryArguments& a) {
    const bool no_movies = !a.no_movies && find_ffmpeg().empty();
    const std::vector<std::string> paths = scenes_in(a.folder), assets = asset_names();
    std::unique_ptr<Progress> progress = start_work(a.common);
    IndexedFolder folder(a.out, claim_page("limber gallery", a.out));
    Gallery gallery(a, folder.staging());
    Shelf scenes, models;
    const auto all = static_cast<double>(paths.size() + assets.size());
    std::size_t done = 0;
    const auto next = [&](const std::string& name) {
        auto part = std::make_unique<PartOfProgress>(*progress, static_cast<double>(done) / all,
                                                     static_cast<double>(done + 1) / all);
        part->name(name);
        ++done;
        return part;
    };
    for (const std::string& path : paths) {
        const auto part = next(fs::path(path).stem().string());
        try_to_add(scenes, path, [&] { return show_scene(gallery, path, *part); });
    }
    for (const std::string& name : assets) {
        const auto part = next(name);
        const bool character = name == "humanoid";
        const auto rig = std::make_shared<const Rig>(character ? make_humanoid() : as_model(make_asset(name)));
        if (!character) {
            try_to_add(models, name,
                       [&] { return show_model(gallery, name, asset_summary(name), rig, std::nullopt, *part); });
        }
        for (std::size_t c = 0; character && c < rig->clips.size(); ++c)
            try_to_add(models, name, [&] { return show_model(gallery, name, asset_summary(name), rig, c, *part); });
    }
    Page page("Gallery", text("Every scene of ", fs::path(a.folder).filename().string(),
                              " and everything that limber mesh asset makes, drawn by limber itself."));
    put_on(page, scenes, "Scenes");
    put_on(page, models, "Models made by code");
    if (no_movies) page.paragraph("There are no movies: ffmpeg is not installed.");
    write_page(folder.file("index.html"), page);
    folder.commit();
    progress.reset();
    if (!a.common.quiet)
        for (const std::string& path : paths) warn_of_scene_models(path);
    for (const Shelf* shelf : {&scenes, &models})
        for (const std::string& line : shelf->missing) complain(text("warning: ", line));
    if (no_movies) complain("warning: ffmpeg is not installed: the page has no movies (--no-movies asks for that)");
    const std::size_t made = scenes.photos.size() + models.photos.size();
    if (a.common.json) {
        print_json({{"page", a.out + "/index.html"},
                    {"pictures", made},
                    {"missing", scenes.missing.size() + models.missing.size()}});
    } else {
        print(text(a.out, "/index.html: ", counted(made, "picture"), "\n"));
    }
    return scenes.missing.empty() && models.missing.empty() ? kDone : kTrouble;
}

}  // namespace

void add_gallery(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("gallery", "every scene of a folder as picture and movie, on one page");
    auto a = std::make_shared<GalleryArguments>();
    verb->add_option("folder", a->folder, "where the scenes are")->type_name("DIR")->capture_default_str();
    verb->add_option("-o,--out", a->out, "directory of the page")->type_name("DIR")->capture_default_str();
    verb->add_flag("--no-movies", a->no_movies, "pictures only");
    add_work_arguments(*verb, a->common);
    add_json_flag(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return run_gallery(*a); }; });
}

}  // namespace limber::cli
