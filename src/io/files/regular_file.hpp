// RegularFile: a file opened for reading that has an end. Pipes, devices and sockets may have none, and opening one may
// wait for ever.
#pragma once

#include <cstdint>
#include <string>

#include <sys/stat.h>

namespace limber {

class RegularFile {
public:
    /// Throws Error{bad_file}: missing, unreadable, not a regular file, or larger than this machine can hold (a file of
    /// holes takes no space on the disk).
    explicit RegularFile(const std::string& path);
    ~RegularFile();
    RegularFile(const RegularFile&) = delete;
    RegularFile& operator=(const RegularFile&) = delete;

    int handle() const { return file_; }
    std::uint64_t size() const { return static_cast<std::uint64_t>(info_.st_size); }
    std::uint64_t device() const { return info_.st_dev; }
    std::uint64_t inode() const { return info_.st_ino; }

private:
    int file_ = -1;
    struct stat info_ {};
};

}  // namespace limber
