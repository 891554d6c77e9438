#include "io/files/read_budget.hpp"

#include "core/text.hpp"

#include <limits>

namespace limber {

namespace {
/// What a file becomes when it is read: as many times its bytes.
constexpr std::uint64_t kMadeOfAByte = 4;

std::string megabytes(std::uint64_t bytes) { return fmt::format("{:.3g} MB", static_cast<double>(bytes) / (1 << 20)); }

std::string excess_words(const std::string& what, std::uint64_t most) {
    return text(what, " would take more than ", megabytes(most), " of memory");
}
std::string limit_words(std::uint64_t read) {
    return text("at most ", megabytes(ReadBudget::kFree), " and ", ReadBudget::kPerByte, " times the ", megabytes(read),
                " that were read");
}
}  // namespace

thread_local ReadBudget::Ledger* ReadBudget::current_ = nullptr;

std::uint64_t ReadBudget::Ledger::most() const {
    constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    return read > (all - kFree) / kPerByte ? all : kFree + kPerByte * read;
}

bool ReadBudget::Ledger::take(std::uint64_t bytes) {
    if (bytes > most() || spent > most() - bytes) return false;
    spent += bytes;
    return true;
}

ReadBudget::ReadBudget(std::uint64_t bytes) : shared_(current_) {
    if (shared_ != nullptr) return;
    own_.emplace();
    own_->read = bytes;
    shared_ = current_ = &*own_;
}

ReadBudget::~ReadBudget() {
    if (own_) current_ = nullptr;
}

bool ReadBudget::take(std::uint64_t bytes) const { return shared_->take(bytes); }

void ReadBudget::spend(std::uint64_t bytes, const std::string& what, const InputLocation& place) const {
    if (!take(bytes)) throw Error(Fault::bad_file, place, excess(what), limit());
}

std::string ReadBudget::excess(const std::string& what) const { return excess_words(what, shared_->most()); }
std::string ReadBudget::limit() const { return limit_words(shared_->read); }

void ReadBudget::file_read(std::uint64_t device, std::uint64_t inode, std::uint64_t bytes, const std::string& path) {
    if (current_ == nullptr) return;
    Ledger& ledger = *current_;
    if (ledger.files.insert({device, inode}).second) {
        ledger.read += bytes;
    } else if (!ledger.take(kMadeOfAByte * bytes)) {
        throw Error(Fault::bad_file, {path, 0, {}},
                    excess_words("this file, which is named again and again,", ledger.most()),
                    limit_words(ledger.read));
    }
}

}  // namespace limber
