// Movies: frames go in one by one, a file appears when all are there. By ffmpeg, or as a folder of numbered PNGs.
#pragma once

#include "render/image.hpp"
#include "render/png.hpp"

#include <limber/progress.hpp>

#include <memory>
#include <string>
#include <vector>

namespace limber {

enum class MovieFormat { mp4, gif, webp, png_frames };

struct MovieSettings {
    MovieFormat format = MovieFormat::mp4;
    int width = 960, height = 640;  ///< [px] of every frame
    double fps = 25.0;
    std::size_t frames = 0;  ///< how many there will be
    std::string title;
    std::string comment;  ///< the provenance
};

class MovieFile {
public:
    virtual ~MovieFile() = default;  ///< without finish(): nothing is left behind
    virtual void add(const Image& image) = 0;
    /// Puts the movie in its place. Everything here throws Error{bad_file} in one line; this also Error{interrupted}.
    virtual void finish(Progress& progress) = 0;
};

/// Where `ffmpeg` is in PATH; "" when it is not.
std::string find_ffmpeg();
/// Throws Error{unsupported} where there is none: a movie of that name cannot be made.
void need_ffmpeg(const std::string& path);

/// png_frames: `path` is a folder. Throws Error{bad_file}.
std::unique_ptr<MovieFile> open_movie(const std::string& path, const MovieSettings& settings);

/// Title and provenance as a PNG file carries them.
std::vector<PngNote> notes_for(const std::string& title, const std::string& comment);

/// GIF and WebP bytes with a comment inside, where those formats keep one (a comment block, XMP). Bytes of another
/// shape come back as they are.
std::string with_gif_comment(std::string bytes, const std::string& comment);
std::string with_webp_comment(std::string bytes, const std::string& comment);

}  // namespace limber
