#include "show/produce.hpp"

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "report/table.hpp"

#include <limber/error.hpp>

#include <cmath>

namespace limber {

void write_png(const std::string& path, const Image& image, const FileWords& words) {
    write_file(path, encode_png(image, notes_for(words.title, words.comment)));
}

void write_still(const std::string& path, std::vector<std::unique_ptr<Subject>> subjects,
                 const StudioSettings& settings, const FileWords& words) {
    Studio studio(std::move(subjects), settings);
    write_png(path, studio.picture(settings.to), words);
}

void write_movie(const std::string& path, Studio& studio, const std::vector<double>& times, MovieSettings settings,
                 const FileWords& words, Progress& progress) {
    settings.width = studio.width();
    settings.height = studio.height();
    settings.frames = times.size();
    settings.title = words.title;
    settings.comment = words.comment;
    const std::unique_ptr<MovieFile> movie = open_movie(path, settings);
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (progress.stop_requested()) {
            throw Error(Fault::interrupted, {path, 0, {}},
                        text("stopped at frame ", i, " of ", times.size(), "; nothing was written"));
        }
        progress.update(static_cast<double>(i) / static_cast<double>(times.size()), "rendering");
        movie->add(studio.picture(times[i]));
    }
    progress.update(1.0, "encoding");
    movie->finish(progress);
}

bool movie_format_of(const std::string& ending, MovieFormat& out) {
    if (ending == ".mp4")
        out = MovieFormat::mp4;
    else if (ending == ".gif")
        out = MovieFormat::gif;
    else if (ending == ".webp")
        out = MovieFormat::webp;
    else
        return false;
    return true;
}

double watchable_speed(double duration) {
    if (!(duration > 0.0) || duration >= 2.0) return 1.0;
    double speed = 1.0;
    for (const double step : {2.0, 2.5, 2.0}) {
        if (duration / speed >= 2.0) return speed;
        speed /= step;
    }
    while (duration / speed < 2.0) speed /= 10.0;
    return speed;
}

std::string speed_words(double speed) {
    if (speed == 1.0) return {};
    if (speed < 1.0) return text("1/", short_number(1.0 / speed, 3), " speed");
    return text(short_number(speed, 3), " times speed");
}

}  // namespace limber
