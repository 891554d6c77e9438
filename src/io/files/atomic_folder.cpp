#include "io/files/atomic_folder.hpp"

#include "core/text.hpp"
#include "io/files/files_read.hpp"
#include "io/files/owned_files.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <vector>

#include <fcntl.h>

namespace limber {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const char* what, const std::error_code& code) {
    throw Error(Fault::bad_file, {path, 0, {}}, text(what, ": ", code.message()), "a place that can be written");
}

/// Also those that were read: replacing the folder would take them away.
void refuse_others(const std::string& path, std::span<const std::string> own, const std::string& made_by) {
    std::error_code code;
    if (!fs::exists(path, code)) return;
    if (!fs::is_directory(path, code)) throw Error(Fault::bad_usage, {path, 0, {}}, "is a file", "a folder to write");
    for (fs::directory_iterator at(path, code), end; !code && at != end; at.increment(code)) {
        const std::string name = at->path().filename().string();
        if (std::find(own.begin(), own.end(), name) == own.end())
            refuse_stranger(path, name, made_by.empty() ? "the same kind" : made_by);
        refuse_file_read(at->path().string());
    }
    if (code) fail(path, "cannot be read", code);
}

/// At once where the file system can: there is always a whole folder of that name.
bool swap_folders(const std::string& a, const std::string& b) {
    return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
}

constexpr const char* kFolderList = "folder";  // the list of a folder's files stands for the folder

}  // namespace

AtomicFolder::AtomicFolder(const std::string& path, std::span<const std::string> own) : path_(path) { open(own); }

AtomicFolder::AtomicFolder(const std::string& path, const std::string& made_by) : path_(path), made_by_(made_by) {
    const std::optional<OwnedFiles> earlier = read_owned_files(path, kFolderList);
    std::vector<std::string> own;
    if (earlier && earlier->made_by == made_by) own = earlier->files;
    if (earlier && earlier->made_by == made_by) own.push_back(owned_files_name(kFolderList));
    open(own);
}

void AtomicFolder::open(std::span<const std::string> own) {
    while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
    if (path_.empty()) throw Error(Fault::bad_usage, {}, "no name for the folder to write", "a folder");
    refuse_others(path_, own, made_by_);
    std::error_code code;
    if (fs::is_symlink(path_, code)) path_ = fs::canonical(path_, code).string();
    code.clear();  // asking about what is not there yet is no failure
    const fs::path parent = fs::path(path_).parent_path();
    if (!parent.empty()) fs::create_directories(parent, code);
    if (code) fail(path_, "cannot be made", code);
    temporary_.emplace(path_, path_);
}

void AtomicFolder::sign() const {
    OwnedFiles all{made_by_, {}};
    std::error_code code;
    for (fs::directory_iterator at(temporary_->path(), code), end; !code && at != end; at.increment(code))
        all.files.push_back(at->path().filename().string());
    if (code) fail(path_, "cannot be read", code);
    std::sort(all.files.begin(), all.files.end());
    write_owned_files(temporary_->path(), kFolderList, all);
}

void AtomicFolder::commit() {
    if (!made_by_.empty()) sign();
    std::error_code code;
    for (fs::directory_iterator at(path_, code), end; !code && at != end; at.increment(code))
        refuse_file_read(at->path().string());  // it may have been read since
    code.clear();
    const bool replaces = fs::exists(path_, code);
    if (replaces && swap_folders(temporary_->path(), path_)) return;  // what was there goes with the temporary name
    const std::string old = temporary_name(path_);
    if (replaces) fs::rename(path_, old, code);
    if (code) fail(path_, "cannot be replaced", code);
    fs::rename(temporary_->path(), path_, code);
    if (code) {
        std::error_code ignored;
        if (replaces) fs::rename(old, path_, ignored);
        fail(path_, "cannot be put in place", code);
    }
    temporary_->keep();
    if (replaces) fs::remove_all(old, code);
}

}  // namespace limber
