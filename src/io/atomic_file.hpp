// AtomicFile: a file that appears complete or not at all. Written beside its final place, then renamed onto it.
#pragma once

#include <limber/error.hpp>

#include <string>
#include <string_view>

namespace limber {

/// All failures throw Error{bad_file} with the path and the operating system's reason.
/// Devices and pipes (/dev/stdout) cannot be renamed onto: those are written in place.
class AtomicFile {
public:
    explicit AtomicFile(const std::string& path);
    /// Removes the temporary file unless it was published.
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::string_view bytes);
    /// What was written so far appears under the final name; more may follow and is then seen at once.
    void publish();
    /// publish() and close.
    void commit();
    const std::string& path() const { return path_; }

private:
    [[noreturn]] void fail(const char* action, int reason) const;

    std::string path_;       ///< as given: what messages show
    std::string target_;     ///< path_ with symbolic links followed
    std::string temporary_;  ///< empty once published, or when writing in place
    int file_ = -1;
};

/// The whole of `bytes` in one go.
void write_file(const std::string& path, std::string_view bytes);

/// The whole file. Throws Error{bad_file}: missing, a directory, unreadable, empty.
std::string read_file(const std::string& path);

}  // namespace limber
