// AtomicFolder: a folder whose files appear all together or not at all. Filled beside its final place, then renamed
// onto it.
#pragma once

#include "io/files/temporaries.hpp"

#include <optional>
#include <span>
#include <string>

namespace limber {

class AtomicFolder {
public:
    /// `path` must not exist, be an empty folder, or hold nothing but `own` names (an earlier output, which is
    /// replaced): whatever else lies there is somebody's. Throws Error{bad_usage} naming it, Error{bad_file} when the
    /// folder cannot be made.
    AtomicFolder(const std::string& path, std::span<const std::string> own);
    /// Own is what an earlier run of the same verb wrote: the folder holds a list of its files (owned_files.hpp),
    /// signed by `made_by`.
    AtomicFolder(const std::string& path, const std::string& made_by);

    /// Where to write the file of that name. It goes with this object unless it was committed.
    std::string file(const std::string& name) const { return temporary_->path() + "/" + name; }
    /// Puts the folder in its place. Throws Error{bad_file}.
    void commit();

private:
    void open(std::span<const std::string> own);
    void sign() const;

    std::string path_, made_by_;
    std::optional<StagingFolder> temporary_;
};

}  // namespace limber
