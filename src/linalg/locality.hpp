// An order of vertices in which neighbours have neighbouring numbers: what a product reads of its vector then stays in
// the cache.
#pragma once

#include "linalg/sparse.hpp"

#include <cstdint>
#include <vector>

namespace limber {

/// Reverse Cuthill-McKee on the pattern of `a` (square, symmetric pattern). order[k] = the row that comes k-th.
std::vector<std::int32_t> order_for_locality(const BlockCsr& a);

}  // namespace limber
