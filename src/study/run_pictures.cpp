#include "study/run_pictures.hpp"

#include "core/text.hpp"
#include "report/files.hpp"
#include "show/produce.hpp"
#include "show/studio.hpp"

#include <algorithm>

namespace limber {
namespace {

constexpr double kMovieSeconds = 2.5,
                 kMovieRate = 10.0;  // short and small: pages are made more often than they are watched

StudioSettings settings_of(const RunPicture& picture) {
    StudioSettings settings;
    const auto count = static_cast<int>(picture.runs.size());
    settings.width = count == 1 ? 640 : 960;
    settings.height = count == 1 ? 480 : count == 2 ? 420 : count == 3 ? 340 : 640;
    settings.field = picture.field;
    if (picture.highest) settings.range = round_range(*picture.highest);
    return settings;
}

std::vector<std::unique_ptr<Subject>> subjects_of(const RunPicture& picture) {
    std::vector<std::unique_ptr<Subject>> out;
    for (const PicturedRun& run : picture.runs)
        out.push_back(make_body_subject(run.recording, {run.title, run.scene, picture.reference, picture.field}));
    return out;
}

/// Draws one; returns the movie's name, "" without one.
std::string draw_run_picture(const std::string& directory, const RunPicture& picture, Progress& progress) {
    std::vector<std::unique_ptr<Subject>> subjects = subjects_of(picture);
    StudioSettings settings = settings_of(picture);
    double end = 0.0;
    for (const auto& s : subjects) end = std::max(end, s->end());
    std::string why;
    const double time = picture.time ? *picture.time : subjects.front()->preferred_time(why);
    const bool film = picture.movie && !find_ffmpeg().empty() && end > subjects.front()->begin();
    settings.from = film ? subjects.front()->begin() : time;
    settings.to = film ? end : time;
    const double speed = film ? std::max((settings.to - settings.from) / kMovieSeconds, 1e-6) : 1.0;
    const FileWords words{
        picture.title, text("made by ", provenance_line(), picture.about.empty() ? "" : text("; of ", picture.about))};
    Studio studio(std::move(subjects), settings);
    write_png(text(directory, "/", picture.name, ".png"), studio.picture(time), words);
    if (!film) return {};
    MovieSettings movie;
    movie.fps = kMovieRate;
    write_movie(text(directory, "/", picture.name, ".mp4"), studio,
                movie_times(settings.from, settings.to, kMovieRate, speed), movie, words, progress);
    return picture.name + ".mp4";
}

}  // namespace

void add_run_pictures(Page& page, const std::string& directory, std::span<const RunPicture> pictures,
                      Progress& progress) {
    for (const RunPicture& picture : pictures) {
        if (picture.runs.empty()) continue;
        try {
            const std::string movie = draw_run_picture(directory, picture, progress);
            page.photo({picture.name + ".png", movie, picture.title, picture.caption});
        } catch (const Error& error) {
            if (error.fault() != Fault::unsupported) throw;  // the page is worth more than its pictures
            page.paragraph(text("Pictures are missing here: ", error.what(), "."));
            return;
        }
    }
}

std::shared_ptr<const Recording> thinned(const Recording& recording, std::size_t most) {
    auto out = std::make_shared<Recording>(recording);
    const std::size_t count = recording.frames.size();
    if (count <= most || most < 2) return out;
    out->frames.clear();
    for (std::size_t i = 0; i < most; ++i) out->frames.push_back(recording.frames[i * (count - 1) / (most - 1)]);
    return out;
}

}  // namespace limber
