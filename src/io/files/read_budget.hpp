// ReadBudget: how much memory one reading may make out of the files it opens. A mesh of 2 MB can name a set of all its
// cells 20,000 times, a list of 30 kB one large file a thousand times: what is made is therefore counted against what
// was read.
#pragma once

#include <limber/error.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace limber {

/// The outermost one on a thread holds the budget, from the verb's first file to the last file which that one names;
/// those within it share it. Every Scanner is one, so that a new format has a budget before its author thinks of it.
class ReadBudget {
public:
    /// What every reading may make [bytes], and how much more for each byte that it read.
    static constexpr std::uint64_t kFree = std::uint64_t{128} << 20, kPerByte = 32;

    ReadBudget() : ReadBudget(0) {}
    /// `bytes`: of text that is in memory already; they count only where no other reading is under way.
    explicit ReadBudget(std::uint64_t bytes);
    ~ReadBudget();
    ReadBudget(const ReadBudget&) = delete;
    ReadBudget& operator=(const ReadBudget&) = delete;

    /// False when `bytes` more are beyond the budget; otherwise they are counted.
    bool take(std::uint64_t bytes) const;
    /// take(), or Error{bad_file}: `what` takes too much.
    void spend(std::uint64_t bytes, const std::string& what, const InputLocation& place) const;
    /// The words of the error: what is allowed.
    std::string limit() const;
    /// Of the error: "the sets take more than 130 MB of memory".
    std::string excess(const std::string& what) const;

    /// Called where bytes of a file come in. The first time a file is read its bytes count for it, each further time
    /// against it.
    static void file_read(std::uint64_t device, std::uint64_t inode, std::uint64_t bytes, const std::string& path);

private:
    struct Ledger {
        std::uint64_t read = 0, spent = 0;
        std::set<std::pair<std::uint64_t, std::uint64_t>> files;

        Ledger() {}  // not the implicit one: clang cannot make that before ReadBudget is complete
        std::uint64_t most() const;
        bool take(std::uint64_t bytes);
    };
    static thread_local Ledger* current_;
    std::optional<Ledger> own_;  ///< of the outermost
    Ledger* shared_;
};

}  // namespace limber
