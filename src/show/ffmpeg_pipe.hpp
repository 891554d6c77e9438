// A running ffmpeg that takes raw frames on its standard input.
#pragma once

#include <limber/progress.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace limber {

class FfmpegPipe {
public:
    /// Throws Error{bad_file} when it cannot be started. `path` is what messages name.
    FfmpegPipe(const std::string& program, const std::vector<std::string>& arguments, const std::string& path);
    /// Ends it, whatever it was doing.
    ~FfmpegPipe();
    FfmpegPipe(const FfmpegPipe&) = delete;
    FfmpegPipe& operator=(const FfmpegPipe&) = delete;

    void write(std::string_view bytes);
    /// Ends its input and waits. Throws Error{bad_file} with its last words when it did not succeed or complained,
    /// Error{interrupted} when it was asked to stop meanwhile: a GIF is only encoded here.
    void finish(Progress& progress);

private:
    [[noreturn]] void fail();
    void close_input();
    int wait(Progress& progress);
    std::string last_words() const;

    std::string path_;
    pid_t child_ = -1;
    int input_ = -1, words_ = -1;
};

}  // namespace limber
