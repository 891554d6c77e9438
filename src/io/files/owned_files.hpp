// Which files of a folder an earlier run of the same verb wrote: a small hidden file beside them lists them. All others
// are somebody's.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace limber {

struct OwnedFiles {
    std::string made_by;             ///< "limber compare"
    std::vector<std::string> files;  ///< plain names, without folders
};

/// The list's name for what it lists: ".index.html.files".
std::string owned_files_name(const std::string& index);

/// A file of the writer's own, which may be replaced: it does not count as read (files_read.hpp). "" when it cannot be
/// read.
std::string read_own_file(const std::string& path);

/// Nothing where there is no such list, or one that cannot be understood: then nothing is owned.
std::optional<OwnedFiles> read_owned_files(const std::string& folder, const std::string& index);

/// Throws Error{bad_file}.
void write_owned_files(const std::string& folder, const std::string& index, const OwnedFiles& owned);

/// Throws Error{bad_usage}: `name` lies in the folder, and `made_by` did not write it.
[[noreturn]] void refuse_stranger(const std::string& folder, const std::string& name, const std::string& made_by);

}  // namespace limber
