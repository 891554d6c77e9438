// Temporary names beside an output: who made them can be told from the name, a deadly signal removes them, the next run clears the rest.
#pragma once

#include <string>

namespace limber {

/// "x.vtu" becomes "x.vtu.4711-0.tmp": the process and a number of its own.
std::string temporary_name(const std::string& target);

/// Removes files and folders that a killed process left under temporary names of `target`. Those whose process runs, or that somebody
/// holds locked (lock_temporary), stay. A folder is looked through once per process.
void clear_stale_temporaries(const std::string& target);

/// Marks an open temporary file or folder as in use, until it is closed or the process ends.
void lock_temporary(int file) noexcept;

/// While one of these lives, remove_doomed_files() removes the file of that name. An empty path, and more than a few dozen at once, are left alone.
class DoomedFile {
public:
    explicit DoomedFile(const std::string& path) noexcept;
    ~DoomedFile();
    DoomedFile(const DoomedFile&) = delete;
    DoomedFile& operator=(const DoomedFile&) = delete;
    /// It has its final name now.
    void spare() noexcept;

private:
    int slot_ = -1;
};

/// For signal handlers that end the program: only what POSIX allows there.
void remove_doomed_files() noexcept;

}  // namespace limber
