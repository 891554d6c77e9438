// IndexedFolder: files that one of them lists (a page, a PVD series), put into a folder that may hold other things as
// well.
#pragma once

#include "io/files/temporaries.hpp"

#include <optional>
#include <string>
#include <vector>

namespace limber {

/// What a verb writes into a folder.
struct FolderClaim {
    std::string made_by;                ///< "limber compare"
    std::string index;                  ///< the file that lists the others: put in its place last
    std::vector<std::string> patterns;  ///< names that may be written; one '*' stands for any text
    /// Names written in place by somebody else (sweep's points): own, never cleared here.
    std::vector<std::string> kept;
};

/// True for names that the verb may write there.
bool is_claimed(const FolderClaim& claim, const std::string& name);

/// Everything is written beside its place and moved there when it is whole: the index goes first and comes back last,
/// so that whoever finds it finds all that it lists, of one run. What an earlier run of the same verb left and this one
/// did not write is removed.
class IndexedFolder {
public:
    /// Throws Error{bad_usage} when files of such names lie there that `made_by` did not write, Error{bad_file} when
    /// the folder cannot be made.
    IndexedFolder(const std::string& path, FolderClaim claim);
    /// Removes what was not committed, and the folder if it was made for it.
    ~IndexedFolder();
    IndexedFolder(const IndexedFolder&) = delete;
    IndexedFolder& operator=(const IndexedFolder&) = delete;

    const std::string& path() const { return path_; }
    /// Where to write; folders inside it are left out.
    const std::string& staging() const { return staging_->path(); }
    std::string file(const std::string& name) const { return staging() + "/" + name; }
    /// Throws Error{bad_file}, and Error{bad_usage} with everything as it was when somebody else's file has appeared
    /// under a name.
    void commit();

private:
    void refuse_strangers();
    void claim_kept();
    void remove_if_made();
    std::vector<std::string> staged_files() const;
    void check_targets(const std::vector<std::string>& staged) const;
    void move_in(const std::string& name) const;
    bool owns(const std::string& name) const;

    std::string path_;
    std::optional<StagingFolder> staging_;
    FolderClaim claim_;
    std::vector<std::string> own_;  ///< of an earlier run
    bool made_ = false;             ///< the folder was not there
};

}  // namespace limber
