#include "show/movie_file.hpp"

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/atomic_folder.hpp"
#include "show/ffmpeg_pipe.hpp"

#include <limber/error.hpp>

#include <cstdlib>
#include <filesystem>

#include <unistd.h>

namespace limber {
namespace {

namespace fs = std::filesystem;

// Above this a GIF's palette is chosen frame by frame: ffmpeg would keep all frames in memory to choose one for all.
constexpr double kMostGifBytes = 400e6;

std::vector<std::string> encoder_words(const MovieSettings& s) {
    switch (s.format) {
        case MovieFormat::gif: {
            const double bytes = 4.0 * s.width * s.height * static_cast<double>(s.frames);
            const std::string palette =
                bytes <= kMostGifBytes
                    ? "palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle"
                    : "palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=bayer:bayer_scale=4";
            return {"-filter_complex", "[0:v]split[a][b];[a]" + palette, "-loop", "0", "-f", "gif"};
        }
        case MovieFormat::webp:
            return {"-c:v", "libwebp_anim", "-lossless", "0",  "-quality", "82", "-compression_level",
                    "4",    "-loop",        "0",         "-f", "webp"};
        default:
            return {
                "-c:v",        "libx264",   "-preset",          "fast",  "-crf",
                "18",          "-pix_fmt",  "yuv420p",          "-vf",   "scale=out_color_matrix=bt709:out_range=tv",
                "-colorspace", "bt709",     "-color_primaries", "bt709", "-color_trc",
                "bt709",       "-movflags", "+faststart",       "-f",    "mp4"};
    }
}

std::vector<std::string> ffmpeg_words(const MovieSettings& s, const std::string& out) {
    std::vector<std::string> words{"-hide_banner", "-loglevel", "error", "-y",    "-f",
                                   "rawvideo",     "-pix_fmt",  "rgba",  "-s",    text(s.width, "x", s.height),
                                   "-r",           text(s.fps), "-i",    "pipe:0"};
    const std::vector<std::string> encoder = encoder_words(s);
    words.insert(words.end(), encoder.begin(), encoder.end());
    // Nothing of the time of day gets into the file: the same frames give the same bytes.
    const std::vector<std::string> rest{"-fflags",    "+bitexact",        "-flags:v",  "+bitexact",
                                        "-metadata",  "title=" + s.title, "-metadata", "comment=" + s.comment,
                                        "file:" + out};
    words.insert(words.end(), rest.begin(), rest.end());
    return words;
}

class FfmpegMovie : public MovieFile {
public:
    // The place must be writable before an hour of rendering goes into it.
    FfmpegMovie(const std::string& path, const MovieSettings& settings) : settings_(settings), file_(path) {
        if (file_.temporary().empty())
            throw Error(Fault::bad_file, {path, 0, {}}, "cannot be written: it is a device or a pipe", "a file");
        pipe_ = std::make_unique<FfmpegPipe>(find_ffmpeg(), ffmpeg_words(settings, file_.temporary()), path);
    }
    ~FfmpegMovie() override { pipe_.reset(); }  // it must not write any more when its file goes

    void add(const Image& image) override {
        pipe_->write({reinterpret_cast<const char*>(image.rgba.data()), image.rgba.size()});
    }

    void finish(Progress& progress) override {
        pipe_->finish(progress);
        if (settings_.format == MovieFormat::gif)
            rewrite(with_gif_comment(read_file(file_.temporary()), settings_.comment));
        if (settings_.format == MovieFormat::webp)
            rewrite(with_webp_comment(read_file(file_.temporary()), settings_.comment));
        file_.commit();
    }

private:
    void rewrite(const std::string& bytes) {
        file_.cut(0);
        file_.write(bytes);
    }

    MovieSettings settings_;
    AtomicFile file_;
    std::unique_ptr<FfmpegPipe> pipe_;
};

class PngFrames : public MovieFile {
public:
    PngFrames(const std::string& path, const MovieSettings& settings)
        : settings_(settings), folder_(path, std::string("limber render")) {}
    void add(const Image& image) override {
        write_file(folder_.file(fmt::format("frame_{:06}.png", count_++)),
                   encode_png(image, notes_for(settings_.title, settings_.comment)));
    }
    void finish(Progress&) override { folder_.commit(); }

private:
    MovieSettings settings_;
    AtomicFolder folder_;
    std::size_t count_ = 0;
};

}  // namespace

std::string find_ffmpeg() {
    const char* path = std::getenv("PATH");
    std::string rest = path ? path : "";
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        std::string program = rest.substr(0, colon) + "/ffmpeg";
        if (program[0] == '/' && ::access(program.c_str(), X_OK) == 0 && !fs::is_directory(program)) return program;
        rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
    }
    return {};
}

void need_ffmpeg(const std::string& path) {
    if (find_ffmpeg().empty()) {
        throw Error(Fault::unsupported, {path, 0, {}}, "cannot be made: ffmpeg is not installed",
                    "ffmpeg in PATH, or a folder (ending in /) for numbered PNG files");
    }
}

std::unique_ptr<MovieFile> open_movie(const std::string& path, const MovieSettings& settings) {
    if (settings.format == MovieFormat::png_frames) return std::make_unique<PngFrames>(path, settings);
    need_ffmpeg(path);
    return std::make_unique<FfmpegMovie>(path, settings);
}

std::vector<PngNote> notes_for(const std::string& title, const std::string& comment) {
    return {{"Title", title}, {"Software", comment}};
}

}  // namespace limber
