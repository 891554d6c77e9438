// Temporary names beside an output: who made them can be told from the name, a deadly signal removes them, the next run
// clears the rest.
#pragma once

#include <string>

namespace limber {

/// "x.vtu" becomes "x.vtu.4711-0.tmp": the process and a number of its own.
std::string temporary_name(const std::string& target);

/// Removes files and folders that a killed process left under temporary names of `target`. Those whose process runs, or
/// that somebody holds locked (lock_temporary), stay. A folder is looked through once per process.
void clear_stale_temporaries(const std::string& target);

/// Marks an open temporary file or folder as in use, until it is closed or the process ends.
void lock_temporary(int file) noexcept;

/// While one of these lives, remove_doomed_files() removes the file of that name, or the folder with the files in it.
/// An empty path, and more than a few dozen at once, are left alone.
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

/// For signal handlers that end the program: only what may be called there.
void remove_doomed_files() noexcept;

/// While one of these lives, final_names() knows what `temporary` will be called.
class NamedLater {
public:
    NamedLater(const std::string& temporary, const std::string& target);
    ~NamedLater();
    NamedLater(const NamedLater&) = delete;
    NamedLater& operator=(const NamedLater&) = delete;

private:
    std::string temporary_;
};

/// `words` with the names that the user gave instead of temporary ones: for messages.
std::string final_names(std::string words);

/// A folder under a temporary name, locked; removed with all that is in it unless it was renamed.
class StagingFolder {
public:
    /// Beside `target`, where stale ones are cleared first. Messages name the files in it as if they were in `shown`.
    /// Throws Error{bad_file}.
    StagingFolder(const std::string& target, const std::string& shown);
    ~StagingFolder();
    StagingFolder(const StagingFolder&) = delete;
    StagingFolder& operator=(const StagingFolder&) = delete;

    const std::string& path() const { return path_; }
    /// It has its final name now, and stays.
    void keep() noexcept;

private:
    std::string path_;
    DoomedFile doomed_;
    NamedLater named_;
    int lock_ = -1;
    bool kept_ = false;
};

}  // namespace limber
