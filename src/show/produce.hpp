// From a studio to files: a picture, a filmstrip, a movie.
#pragma once

#include "show/movie_file.hpp"
#include "show/studio.hpp"

#include <limber/progress.hpp>

#include <string>
#include <vector>

namespace limber {

/// What every file says about itself.
struct FileWords {
    std::string title;
    std::string comment;  ///< provenance
};

/// A PNG that appears whole or not at all. Throws Error{bad_file}.
void write_png(const std::string& path, const Image& image, const FileWords& words);

/// One picture of subjects that stand still. Throws what Studio and write_png throw.
void write_still(const std::string& path, std::vector<std::unique_ptr<Subject>> subjects,
                 const StudioSettings& settings, const FileWords& words);

/// Draws every time and writes the movie; `settings` gives format and rate, the rest is filled in. Throws
/// Error{interrupted} when asked to stop; then nothing is left behind.
void write_movie(const std::string& path, Studio& studio, const std::vector<double>& times, MovieSettings settings,
                 const FileWords& words, Progress& progress);

/// .mp4 .gif .webp. False for anything else.
bool movie_format_of(const std::string& ending, MovieFormat& out);

/// How fast to play so that it can be watched: 1, or slow motion for what is over in less than two seconds. Times of
/// the subject per second.
double watchable_speed(double duration);
/// "1/4 speed"; "" for 1.
std::string speed_words(double speed);

}  // namespace limber
