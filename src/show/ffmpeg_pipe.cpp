#include "show/ffmpeg_pipe.hpp"

#include "core/text.hpp"
#include "io/files/temporaries.hpp"

#include <limber/error.hpp>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace limber {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
    throw Error(Fault::bad_file, {final_names(path), 0, {}}, text("cannot be made: ", final_names(what)));
}

std::string reason(int number) { return std::generic_category().message(number); }

/// Between fork and exec: only what a signal handler may call.
[[noreturn]] void become(char* const* argv, int input, int words) {
    ::setpgid(0, 0);                     // Ctrl-C on the terminal is for limber, which then ends this
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // and it does not outlive limber
    ::dup2(input, STDIN_FILENO);
    ::dup2(words, STDERR_FILENO);
    ::dup2(words, STDOUT_FILENO);
    ::execv(argv[0], argv);
    ::_exit(127);
}

}  // namespace

FfmpegPipe::FfmpegPipe(const std::string& program, const std::vector<std::string>& arguments, const std::string& path)
    : path_(path) {
    std::signal(SIGPIPE, SIG_IGN);  // an ffmpeg that died shows as a failed write
    std::vector<std::string> all{program};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    argv.reserve(all.size() + 1);
    for (std::string& word : all) argv.push_back(word.data());
    argv.push_back(nullptr);
    int ends[2] = {-1, -1};
    words_ = ::memfd_create("ffmpeg", MFD_CLOEXEC);
    if (words_ < 0 || ::pipe2(ends, O_CLOEXEC) != 0) {
        const int problem = errno;
        if (words_ >= 0) ::close(words_);
        refuse(path_, reason(problem));
    }
    child_ = ::fork();
    if (child_ == 0) become(argv.data(), ends[0], words_);
    const int problem = errno;
    ::close(ends[0]);
    input_ = ends[1];
    if (child_ < 0) {
        close_input();
        ::close(words_);
        refuse(path_, reason(problem));
    }
    static_cast<void>(::fcntl(input_, F_SETPIPE_SZ, 1 << 20));  // fewer switches between the two; works without it too
}

FfmpegPipe::~FfmpegPipe() {
    if (child_ > 0) {
        ::kill(child_, SIGKILL);
        while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {}
    }
    close_input();
    if (words_ >= 0) ::close(words_);
}

void FfmpegPipe::close_input() {
    if (input_ >= 0) ::close(input_);
    input_ = -1;
}

void FfmpegPipe::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(input_, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail();
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

/// Its exit status.
int FfmpegPipe::wait(Progress& progress) {
    int status = 0;
    for (;;) {
        const pid_t ended = ::waitpid(child_, &status, WNOHANG);
        if (ended == child_ || (ended < 0 && errno != EINTR)) return status;
        if (progress.stop_requested()) {
            throw Error(Fault::interrupted, {final_names(path_), 0, {}},
                        "stopped while it was encoded; nothing was written");
        }
        ::usleep(10'000);
    }
}

void FfmpegPipe::finish(Progress& progress) {
    close_input();
    const int status = wait(progress);
    child_ = -1;
    // On a full disk it ends with code 0 and half a file: only its words tell. It is started so that it says nothing
    // but errors.
    const std::string words = last_words();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && words.empty()) return;
    if (WIFSIGNALED(status)) refuse(path_, text("ffmpeg was ended by signal ", WTERMSIG(status)));
    refuse(path_, words.empty() ? text("ffmpeg ended with code ", WEXITSTATUS(status)) : text("ffmpeg says: ", words));
}

void FfmpegPipe::fail() {
    Progress silent;
    finish(silent);  // throws with its last words, if it has failed by itself
    refuse(path_, "ffmpeg ended before the last frame");
}

/// The last line that says something.
std::string FfmpegPipe::last_words() const {
    std::string words(4096, '\0');
    const off_t size = ::lseek(words_, 0, SEEK_END);
    const off_t start = size > 4096 ? size - 4096 : 0;
    const ssize_t n = ::pread(words_, words.data(), words.size(), start);
    words.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    while (!words.empty() && (words.back() == '\n' || words.back() == ' ' || words.back() == '\r')) words.pop_back();
    const std::size_t line = words.find_last_of("\n\r");
    return line == std::string::npos ? words : words.substr(line + 1);
}

}  // namespace limber
