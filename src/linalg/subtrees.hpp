// Parts of an elimination tree that have nothing to do with each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace limber {

/// Supernodes [begin, end), the last of them the root of all others.
struct Subtree {
    std::size_t begin, end;
};

/// A few subtrees of about equal work, ascending; what is in none of them (the top, at most a third of the work) comes
/// after its children. `work` is each supernode's own. They follow from these two alone, not from the number of
/// threads. None where the whole is less than `least`, or where the supernodes are not in postorder.
std::vector<Subtree> independent_subtrees(const std::vector<std::int32_t>& parent, const std::vector<double>& work,
                                          double least);

}  // namespace limber
