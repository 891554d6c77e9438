#include "io/atomic_folder.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>

#include <unistd.h>

namespace limber {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const char* what, const std::error_code& code) {
    throw Error(Fault::bad_file, {path, 0, {}}, text(what, ": ", code.message()), "a place that can be written");
}

void refuse_strangers(const std::string& path, std::span<const std::string> own) {
    std::error_code code;
    if (!fs::exists(path, code)) return;
    if (!fs::is_directory(path, code)) throw Error(Fault::bad_usage, {path, 0, {}}, "is a file", "a folder to write");
    for (fs::directory_iterator at(path, code), end; !code && at != end; at.increment(code)) {
        const std::string name = at->path().filename().string();
        if (std::find(own.begin(), own.end(), name) == own.end())
            throw Error(Fault::bad_usage, {path, 0, {}}, text("is a folder that holds something else (", name, ")"), "a new or empty folder, or an earlier output of the same kind");
    }
    if (code) fail(path, "cannot be read", code);
}

}  // namespace

AtomicFolder::AtomicFolder(const std::string& path, std::span<const std::string> own) : path_(path) {
    while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
    if (path_.empty()) throw Error(Fault::bad_usage, {}, "no name for the folder to write", "a folder");
    refuse_strangers(path_, own);
    std::error_code code;
    if (fs::is_symlink(path_, code)) path_ = fs::canonical(path_, code).string();
    code.clear();   // asking about what is not there yet is no failure
    const fs::path parent = fs::path(path_).parent_path();
    if (!parent.empty()) fs::create_directories(parent, code);
    if (code) fail(path_, "cannot be made", code);
    temporary_ = text(path_, ".", ::getpid(), ".tmp");
    if (!fs::create_directory(temporary_, code)) {
        const std::error_code why = code ? code : std::make_error_code(std::errc::file_exists);
        const std::string name = std::exchange(temporary_, {});
        fail(name, "cannot be made", why);
    }
}

AtomicFolder::~AtomicFolder() {
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

void AtomicFolder::commit() {
    std::error_code code;
    const std::string old = temporary_ + ".old";
    const bool replaces = fs::exists(path_, code);
    if (replaces) fs::rename(path_, old, code);
    if (code) fail(path_, "cannot be replaced", code);
    fs::rename(temporary_, path_, code);
    if (code) {
        std::error_code ignored;
        if (replaces) fs::rename(old, path_, ignored);
        fail(path_, "cannot be put in place", code);
    }
    temporary_.clear();
    if (replaces) fs::remove_all(old, code);
}

std::vector<std::string> numbered_files(const std::string& path, const std::string& ending) {
    std::vector<std::string> out;
    std::error_code problem;
    for (fs::directory_iterator i(path, problem), end; !problem && i != end; i.increment(problem)) {
        const std::string name = i->path().filename().string();
        const std::string digits = name.starts_with("frame_") && name.ends_with(ending) && name.size() > 6 + ending.size() ? name.substr(6, name.size() - 6 - ending.size()) : "";
        if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos) out.push_back(name);
    }
    return out;
}

}  // namespace limber
