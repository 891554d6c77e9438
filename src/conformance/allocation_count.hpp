// Counts every heap allocation of the process, whoever makes it.
#pragma once

#include <cstdint>

namespace limber::conformance {

/// Allocations so far, of all threads.
std::uint64_t allocation_count() noexcept;

/// False on platforms where nobody counts.
bool allocations_are_counted() noexcept;

}  // namespace limber::conformance
