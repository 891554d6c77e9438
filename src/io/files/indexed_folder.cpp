#include "io/files/indexed_folder.hpp"

#include "core/text.hpp"
#include "io/files/files_read.hpp"
#include "io/files/owned_files.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <filesystem>

namespace limber {
namespace {

namespace fs = std::filesystem;

bool has_name(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool matches(const std::string& name, const std::string& pattern) {
    const std::size_t star = pattern.find('*');
    if (star == std::string::npos) return name == pattern;
    return name.size() + 1 >= pattern.size() && name.starts_with(pattern.substr(0, star)) &&
           name.ends_with(pattern.substr(star + 1));
}

[[noreturn]] void fail_folder(const std::string& path, const char* what, const std::error_code& code) {
    throw Error(Fault::bad_file, {path, 0, {}}, text(what, ": ", code.message()), "a place that can be written");
}

}  // namespace

bool is_claimed(const FolderClaim& claim, const std::string& name) {
    return name == claim.index || std::any_of(claim.patterns.begin(), claim.patterns.end(),
                                              [&](const std::string& pattern) { return matches(name, pattern); });
}

IndexedFolder::IndexedFolder(const std::string& path, FolderClaim claim) : path_(path), claim_(std::move(claim)) {
    while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
    if (path_.empty()) throw Error(Fault::bad_usage, {}, "no name for the folder to write", "a folder");
    refuse_strangers();
    std::error_code code;
    made_ = !fs::exists(path_, code);
    fs::create_directories(path_, code);
    if (code) fail_folder(path_, "cannot be made a directory", code);
    try {
        staging_.emplace(text(path_, "/.", claim_.index), path_);
        claim_kept();
    } catch (...) {
        remove_if_made();
        throw;
    }
}

IndexedFolder::~IndexedFolder() { remove_if_made(); }

/// Files that are written in place are claimed before they appear.
void IndexedFolder::claim_kept() {
    if (claim_.kept.empty()) return;
    std::vector<std::string> all = own_;
    for (const std::string& name : claim_.kept)
        if (!has_name(all, name)) all.push_back(name);
    write_owned_files(path_, claim_.index, {claim_.made_by, all});
}

/// What was not committed goes, and the folder if it was made for it. Kept files may be there; a list of nothing need
/// not be.
void IndexedFolder::remove_if_made() {
    staging_.reset();
    if (!made_) return;
    std::error_code ignored;
    bool holds_more = false;
    const std::string list = owned_files_name(claim_.index);
    for (fs::directory_iterator at(path_, ignored), end; !ignored && at != end; at.increment(ignored))
        holds_more = holds_more || at->path().filename() != list;
    if (!holds_more) fs::remove_all(path_, ignored);
}

bool IndexedFolder::owns(const std::string& name) const { return has_name(own_, name) || has_name(claim_.kept, name); }

void IndexedFolder::refuse_strangers() {
    std::error_code code;
    if (!fs::exists(path_, code)) return;
    if (!fs::is_directory(path_, code)) throw Error(Fault::bad_usage, {path_, 0, {}}, "is a file", "a folder to write");
    const std::optional<OwnedFiles> earlier = read_owned_files(path_, claim_.index);
    if (earlier && earlier->made_by != claim_.made_by) {
        throw Error(Fault::bad_usage, {path_, 0, {}},
                    text("is a folder that holds the ", claim_.index, " of ", earlier->made_by),
                    text("a new or empty folder, or an earlier output of ", claim_.made_by));
    }
    if (earlier) own_ = earlier->files;
    for (fs::directory_iterator at(path_, code), end; !code && at != end; at.increment(code)) {
        const std::string name = at->path().filename().string();
        if (is_claimed(claim_, name) && !owns(name)) refuse_stranger(path_, name, claim_.made_by);
    }
    if (code) fail_folder(path_, "cannot be read", code);
    for (const std::string& name : own_)
        if (!has_name(claim_.kept, name)) refuse_file_read(text(path_, "/", name));
}

std::vector<std::string> IndexedFolder::staged_files() const {
    std::vector<std::string> out;
    std::error_code code;
    for (fs::directory_iterator at(staging(), code), end; !code && at != end; at.increment(code))
        if (at->is_regular_file()) out.push_back(at->path().filename().string());
    if (code) fail_folder(path_, "cannot be read", code);
    std::sort(out.begin(), out.end());
    return out;
}

void IndexedFolder::check_targets(const std::vector<std::string>& staged) const {
    std::error_code ignored;
    for (const std::string& name : staged) {
        const std::string target = text(path_, "/", name);
        if (fs::exists(fs::symlink_status(target, ignored)) && !owns(name))
            refuse_stranger(path_, name, claim_.made_by);
    }
    for (const std::string& name : own_)
        if (!has_name(claim_.kept, name)) refuse_file_read(text(path_, "/", name));
}

void IndexedFolder::move_in(const std::string& name) const {
    std::error_code code;
    fs::rename(file(name), text(path_, "/", name), code);
    if (code) fail_folder(text(path_, "/", name), "cannot be put in place", code);
}

void IndexedFolder::commit() {
    const std::vector<std::string> staged = staged_files();
    check_targets(staged);
    std::vector<std::string> mine = staged;
    for (const std::string& name : claim_.kept)
        if (!has_name(mine, name)) mine.push_back(name);
    std::vector<std::string> all = mine;
    for (const std::string& name : own_)
        if (!has_name(all, name)) all.push_back(name);
    // A kill from here on leaves files that the next run knows as its own, and no index.
    write_owned_files(path_, claim_.index, {claim_.made_by, all});
    std::error_code code;
    fs::remove(text(path_, "/", claim_.index), code);
    if (code) fail_folder(text(path_, "/", claim_.index), "cannot be replaced", code);
    for (const std::string& name : own_)
        if (!has_name(mine, name)) fs::remove(text(path_, "/", name), code);
    for (const std::string& name : staged)
        if (name != claim_.index) move_in(name);
    if (has_name(staged, claim_.index)) move_in(claim_.index);
    write_owned_files(path_, claim_.index, {claim_.made_by, mine});
    own_ = mine;
    made_ = false;
}

}  // namespace limber
