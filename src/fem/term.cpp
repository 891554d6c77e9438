#include "fem/term.hpp"

#include "core/assert.hpp"

#include <algorithm>

namespace limber {

double* TermMatrix::block(std::int32_t row, std::int32_t column) const noexcept {
    const auto r = static_cast<std::size_t>(row);
    const auto begin = pattern->columns.begin() + pattern->starts[r],
               end = pattern->columns.begin() + pattern->starts[r + 1];
    const auto it = std::lower_bound(begin, end, column);
    LIMBER_ASSERT(it != end && *it == column);
    return values + (it - pattern->columns.begin()) * pattern->block * pattern->block;
}

TermList::TermList(std::vector<std::unique_ptr<const Term>> terms, std::size_t unknowns)
    : terms_(std::move(terms)), unknowns_(unknowns) {
    for (const auto& term : terms_) {
        Offset offset{reals_, marks_, scratch_};
        if (const Term* owner = term->memory_of(); owner != nullptr) {
            const auto is_owner = [&](const auto& other) { return other.get() == owner; };
            const auto at = std::find_if(terms_.begin(), terms_.end(), is_owner) - terms_.begin();
            LIMBER_ASSERT(static_cast<std::size_t>(at) < offsets_.size());
            offset = offsets_[static_cast<std::size_t>(at)];
        } else {
            reals_ += term->state_reals();
            marks_ += term->state_marks();
            scratch_ += term->scratch_size();
        }
        offsets_.push_back(offset);
    }
    scratch_ += 2 * unknowns_;  // for everybody
}

TermMemory TermList::memory(std::size_t i, const Storage& all) const noexcept {
    const Offset& at = offsets_[i];
    return {all.state + at.state, all.marks + at.marks, all.scratch + at.scratch,
            all.scratch + scratch_ - 2 * unknowns_};
}

bool TermList::fits(const Loads& loads) const noexcept {
    return std::all_of(terms_.begin(), terms_.end(), [&](const auto& term) { return term->fits(loads); });
}

std::size_t TermList::count_of(const TermStep& step, TermValue value) const noexcept {
    const auto judged_so = [&](const auto& term) { return term->value(step) == value; };
    return static_cast<std::size_t>(std::count_if(terms_.begin(), terms_.end(), judged_so));
}

bool TermList::has_rows(const TermStep& step) const noexcept {
    return std::any_of(terms_.begin(), terms_.end(), [&](const auto& term) { return term->has_rows(step); });
}

}  // namespace limber
