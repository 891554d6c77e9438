#include "io/files/atomic_file.hpp"

#include "core/text.hpp"
#include "io/files/files_read.hpp"
#include "io/files/read_budget.hpp"
#include "io/files/regular_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace limber {

namespace {
// std::strerror is not thread-safe; this is.
std::string reason_text(int reason) { return std::generic_category().message(reason); }

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path), target_(path) {
    std::error_code ignored;
    if (std::filesystem::is_symlink(path, ignored)) {
        const std::filesystem::path real = std::filesystem::weakly_canonical(path, ignored);
        if (!ignored) target_ = real.string();
    }
    struct stat info {};
    const bool exists = ::stat(target_.c_str(), &info) == 0;
    if (path.empty()) fail("cannot be written", ENOENT);
    if (exists && S_ISDIR(info.st_mode)) fail("cannot be written", EISDIR);
    if (exists && !S_ISREG(info.st_mode)) {
        // A pipe that nobody reads is refused: opened in the ordinary way it would be waited for, perhaps for ever.
        file_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
        if (file_ < 0)
            fail(S_ISFIFO(info.st_mode) && errno == ENXIO ? "is a pipe that nobody reads" : "cannot be written", errno);
        static_cast<void>(::fcntl(file_, F_SETFL, O_WRONLY));
        return;
    }
    refuse_file_read(target_);
    clear_stale_temporaries(target_);
    open_temporary();
    // A failure to keep the old permissions is no reason to lose the new contents.
    if (exists) static_cast<void>(::fchmod(file_, info.st_mode & 07777) == 0);
}

void AtomicFile::open_temporary() {
    for (int attempt = 0; attempt < 100 && file_ < 0; ++attempt) {
        temporary_ = temporary_name(target_);
        doomed_.emplace(temporary_);
        file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file_ >= 0) {
            named_.emplace(temporary_, path_);
            return lock_temporary(file_);
        }
        if (errno != EEXIST) break;
    }
    const int problem = errno;
    doomed_.reset();
    temporary_.clear();
    fail("cannot be written", problem);
}

AtomicFile::~AtomicFile() {
    if (file_ >= 0) ::close(file_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* action, int reason) const {
    throw Error(Fault::bad_file, {final_names(path_), 0, {}}, text(action, ": ", reason_text(reason)));
}

void AtomicFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(file_, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail("cannot be written", errno);
        bytes.remove_prefix(static_cast<std::size_t>(n));
        size_ += static_cast<std::uint64_t>(n);
    }
}

void AtomicFile::cut(std::uint64_t size) {
    if (temporary_.empty()) fail("cannot be cut back", ESPIPE);
    if (::ftruncate(file_, static_cast<off_t>(size)) != 0 || ::lseek(file_, static_cast<off_t>(size), SEEK_SET) < 0)
        fail("cannot be written", errno);
    size_ = size;
}

void AtomicFile::commit() {
    // Closed first: network file systems report a full disk only here, and then the old file must stay.
    const int closed = ::close(file_);
    file_ = -1;
    if (closed != 0 && errno != EINTR) fail("cannot be written", errno);
    if (temporary_.empty()) return;
    refuse_file_read(target_);  // it may have been read since
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be put in place", errno);
    temporary_.clear();
    doomed_.reset();
    named_.reset();
}

void write_file(const std::string& path, std::string_view bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

std::string read_file(const std::string& path) {
    const auto fail = [&](const std::string& found) { throw Error(Fault::bad_file, {path, 0, {}}, found); };
    const RegularFile open(path);
    remember_file_read(open.handle());
    // One byte to spare, so that the file's end is seen without growing. It may grow while it is read, and files of
    // /proc have no size.
    std::string bytes(open.size() + 1, '\0');
    for (std::size_t used = 0;;) {
        if (used == bytes.size()) bytes.resize(std::max<std::size_t>(2 * used, 65536));
        const ssize_t n = ::read(open.handle(), bytes.data() + used, bytes.size() - used);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail(text("cannot be read: ", reason_text(errno)));
        used += static_cast<std::size_t>(n);
        if (n == 0) {
            bytes.resize(used);
            break;
        }
    }
    if (bytes.empty()) fail("the file is empty");
    ReadBudget::file_read(open.device(), open.inode(), bytes.size(), path);
    return bytes;
}

}  // namespace limber
