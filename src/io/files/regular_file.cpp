#include "io/files/regular_file.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace limber {
namespace {

constexpr std::uint64_t kLargeFile = std::uint64_t{256} << 20;  ///< from here on holes are looked for [bytes]
constexpr std::uint64_t kFewestBlocks = 64;  ///< one part in so many of a large file is really on the disk

[[noreturn]] void refuse(const std::string& path, const std::string& found) {
    throw Error(Fault::bad_file, {path, 0, {}}, text("cannot be read: ", found));
}

[[noreturn]] void refuse(const std::string& path, int reason) { refuse(path, std::generic_category().message(reason)); }

const char* kind_in_words(mode_t mode) {
    if (S_ISDIR(mode)) return "this is a folder, not a file";
    if (S_ISFIFO(mode)) return "this is a pipe, not a file";
    if (S_ISSOCK(mode)) return "this is a socket, not a file";
    return "this is a device, not a file";
}

std::uint64_t memory_of_this_machine() {
    const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size)
                                 : ~std::uint64_t{0};
}

}  // namespace

RegularFile::RegularFile(const std::string& path) {
    // Looked at before it is opened: opening a pipe waits for its other end, opening a device may do something.
    if (::stat(path.c_str(), &info_) != 0) refuse(path, errno);
    if (!S_ISREG(info_.st_mode)) refuse(path, kind_in_words(info_.st_mode));
    const std::uint64_t on_disk = 512 * static_cast<std::uint64_t>(info_.st_blocks);
    if (size() > kLargeFile && on_disk < size() / kFewestBlocks)
        refuse(path, text("it claims ", size() / 1'000'000, " MB, nearly all of them holes"));
    if (size() > memory_of_this_machine())
        refuse(path, text("it has ", size() / 1'000'000, " MB, more than the memory of this machine"));
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file_ < 0) refuse(path, errno);
    if (::fstat(file_, &info_) == 0 && S_ISREG(info_.st_mode)) return;
    ::close(file_);  // exchanged for something else in between
    refuse(path, kind_in_words(info_.st_mode));
}

RegularFile::~RegularFile() { ::close(file_); }

}  // namespace limber
