#include "io/files/temporaries.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace limber {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemporaryEnding = ".tmp";

/// One name that a signal handler may remove. `live` is set last and cleared first, so that a handler never sees half a
/// name.
struct DoomedSlot {
    std::atomic<bool> taken{false}, live{false};
    char path[PATH_MAX];
};
DoomedSlot g_doomed[64];
static_assert(std::atomic<bool>::is_always_lock_free);

bool is_number(std::string_view words, long& out) {
    const auto [end, problem] = std::from_chars(words.data(), words.data() + words.size(), out);
    return problem == std::errc() && end == words.data() + words.size() && out >= 0;
}

/// The process in "NAME.4711-0.tmp"; -1 for any other name. `base` receives NAME.
long process_in(std::string_view name, std::string& base) {
    if (!name.ends_with(kTemporaryEnding)) return -1;
    name.remove_suffix(kTemporaryEnding.size());
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return -1;
    const std::string_view numbers = name.substr(dot + 1);
    const std::size_t dash = numbers.find('-');
    long process = -1, serial = -1;
    if (dash == std::string_view::npos || !is_number(numbers.substr(0, dash), process) ||
        !is_number(numbers.substr(dash + 1), serial)) {
        return -1;
    }
    base = name.substr(0, dot);
    return process;
}

/// Temporary names in use and what they stand for.
std::mutex g_names_mutex;
std::map<std::string, std::string>& names_in_use() {
    static std::map<std::string, std::string> all;
    return all;
}

/// The record that the system call fills: readdir() may not be called in a signal handler.
struct FolderEntry {
    std::uint64_t inode;
    std::int64_t next;
    unsigned short length;
    unsigned char kind;
    char name[1];
};

bool is_dots(const char* name) noexcept {
    return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

/// The files of a folder, then the folder itself. Folders within it stay, and it with them. Safe in signal handlers.
void remove_plain_folder(const char* path) noexcept {
    const int folder = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (folder < 0) return;
    alignas(FolderEntry) char entries[4096];
    for (bool removed = true; removed;) {
        removed = false;
        ::lseek(folder, 0, SEEK_SET);  // names move while others go
        for (long n = ::syscall(SYS_getdents64, folder, entries, sizeof entries); n > 0;
             n = ::syscall(SYS_getdents64, folder, entries, sizeof entries)) {
            for (long at = 0; at < n;) {
                const auto* const entry = reinterpret_cast<const FolderEntry*>(entries + at);
                if (!is_dots(entry->name) && ::unlinkat(folder, entry->name, 0) == 0) removed = true;
                at += entry->length;
            }
        }
    }
    ::close(folder);
    ::rmdir(path);
}

/// A process of that number that runs here may be another one by now; then the temporary waits for a later run.
bool is_running(long process) { return ::kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH; }

bool is_locked(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return errno != ENOENT;  // what cannot be opened is not known to be free
    const bool locked = ::flock(file, LOCK_EX | LOCK_NB) != 0;
    ::close(file);
    return locked;
}

/// Paths of temporaries whose process is gone, by the name that they stand for.
using StaleNames = std::multimap<std::string, std::string>;

StaleNames stale_names_in(const std::string& folder) {
    StaleNames out;
    std::error_code problem;
    for (fs::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem)) {
        std::string base;
        const long process = process_in(at->path().filename().string(), base);
        if (process > 0 && !is_running(process)) out.emplace(base, at->path().string());
    }
    return out;
}

}  // namespace

std::string temporary_name(const std::string& target) {
    static std::atomic<unsigned> serial{0};
    return text(target, ".", ::getpid(), "-", serial.fetch_add(1), kTemporaryEnding);
}

void clear_stale_temporaries(const std::string& target) {
    static std::mutex mutex;
    static std::map<std::string, StaleNames> seen;  // by folder
    const fs::path path(target);
    const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
    const std::lock_guard lock(mutex);
    auto known = seen.find(folder);
    if (known == seen.end()) known = seen.emplace(folder, stale_names_in(folder)).first;
    const auto [first, last] = known->second.equal_range(path.filename().string());
    for (auto at = first; at != last; ++at) {
        std::error_code ignored;
        if (!is_locked(at->second)) fs::remove_all(at->second, ignored);
    }
    known->second.erase(first, last);
}

void lock_temporary(int file) noexcept { static_cast<void>(::flock(file, LOCK_EX | LOCK_NB)); }

DoomedFile::DoomedFile(const std::string& path) noexcept {
    if (path.empty() || path.size() >= sizeof DoomedSlot::path) return;
    for (int i = 0; i < static_cast<int>(std::size(g_doomed)) && slot_ < 0; ++i)
        if (!g_doomed[i].taken.exchange(true)) slot_ = i;
    if (slot_ < 0) return;
    std::memcpy(g_doomed[slot_].path, path.c_str(), path.size() + 1);
    g_doomed[slot_].live = true;
}

DoomedFile::~DoomedFile() { spare(); }

void DoomedFile::spare() noexcept {
    if (slot_ < 0) return;
    g_doomed[slot_].live = false;
    g_doomed[slot_].taken = false;
    slot_ = -1;
}

void remove_doomed_files() noexcept {
    for (DoomedSlot& slot : g_doomed)
        if (slot.live && ::unlink(slot.path) != 0 && errno == EISDIR) remove_plain_folder(slot.path);
}

NamedLater::NamedLater(const std::string& temporary, const std::string& target) : temporary_(temporary) {
    const std::lock_guard lock(g_names_mutex);
    names_in_use()[temporary] = target;
}

NamedLater::~NamedLater() {
    const std::lock_guard lock(g_names_mutex);
    names_in_use().erase(temporary_);
}

std::string final_names(std::string words) {
    const std::lock_guard lock(g_names_mutex);
    // A file's name begins with its folder's, and sorts after it: the longer one is replaced first.
    for (auto at = names_in_use().rbegin(); at != names_in_use().rend(); ++at) {
        for (std::size_t found = words.find(at->first); found != std::string::npos;
             found = words.find(at->first, found + at->second.size())) {
            words.replace(found, at->first.size(), at->second);
        }
    }
    return words;
}

StagingFolder::StagingFolder(const std::string& target, const std::string& shown)
    : path_(temporary_name(target)), doomed_(path_), named_(path_, shown) {
    clear_stale_temporaries(target);
    std::error_code code;
    if (!fs::create_directory(path_, code)) {
        if (!code) code = std::make_error_code(std::errc::file_exists);
        throw Error(Fault::bad_file, {shown, 0, {}}, text("cannot be made: ", code.message()),
                    "a place that can be written");
    }
    lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ >= 0) lock_temporary(lock_);
}

StagingFolder::~StagingFolder() {
    std::error_code ignored;
    if (!kept_) fs::remove_all(path_, ignored);
    if (lock_ >= 0) ::close(lock_);
}

void StagingFolder::keep() noexcept {
    doomed_.spare();
    kept_ = true;
}

}  // namespace limber
