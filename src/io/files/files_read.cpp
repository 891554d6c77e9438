#include "io/files/files_read.hpp"

#include <limber/error.hpp>

#include <atomic>
#include <mutex>
#include <set>
#include <utility>

#include <sys/stat.h>

namespace limber {
namespace {

using FileIdentity = std::pair<dev_t, ino_t>;

std::atomic<bool> g_protected{false};
std::mutex g_read_mutex;
std::set<FileIdentity>& identities_read() {
    static std::set<FileIdentity> all;
    return all;
}

}  // namespace

void protect_files_read() { g_protected = true; }

void remember_file_read(int file) {
    struct stat info {};
    if (!g_protected || ::fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) return;
    const std::lock_guard lock(g_read_mutex);
    identities_read().insert({info.st_dev, info.st_ino});
}

void refuse_file_read(const std::string& path) {
    struct stat info {};
    if (!g_protected || path.empty() || ::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return;
    const std::lock_guard lock(g_read_mutex);
    if (identities_read().count({info.st_dev, info.st_ino}) > 0)
        throw Error(Fault::bad_usage, {path, 0, {}}, "is an input and would be overwritten", "another file to write");
}

}  // namespace limber
