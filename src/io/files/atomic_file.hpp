// AtomicFile: a file that appears complete or not at all. Written beside its final place, then renamed onto it.
#pragma once

#include "io/files/temporaries.hpp"

#include <limber/error.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace limber {

/// All failures throw Error{bad_file} with the path and the operating system's reason; a file that this process has
/// read (files_read.hpp) is refused with Error{bad_usage}. Devices and pipes (/dev/stdout) cannot be renamed onto:
/// those are written in place.
class AtomicFile {
public:
    explicit AtomicFile(const std::string& path);
    /// Removes the temporary file unless it was committed.
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::string_view bytes);
    /// Bytes written so far.
    std::uint64_t size() const { return size_; }
    /// Back to what it was at that size: after a write that failed half-way.
    void cut(std::uint64_t size);
    /// Closes it and puts it in its place.
    void commit();
    const std::string& path() const { return path_; }
    /// What another program may fill instead of write(); "" for devices and pipes.
    const std::string& temporary() const { return temporary_; }

private:
    [[noreturn]] void fail(const char* action, int reason) const;
    void open_temporary();

    std::string path_;       ///< as given: what messages show
    std::string target_;     ///< path_ with symbolic links followed
    std::string temporary_;  ///< empty once committed, or when writing in place
    std::optional<DoomedFile> doomed_;
    std::optional<NamedLater> named_;
    std::uint64_t size_ = 0;
    int file_ = -1;
};

/// The whole of `bytes` in one go.
void write_file(const std::string& path, std::string_view bytes);

/// The whole file. Throws Error{bad_file}: missing, a directory, unreadable, empty.
std::string read_file(const std::string& path);

}  // namespace limber
