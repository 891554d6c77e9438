#include "geometry/solid_cost.hpp"

#include "core/memory.hpp"
#include "core/text.hpp"

#include <limber/error.hpp>

namespace limber {
namespace {

// Measured on a duck of 16k triangles, 1e5 to 1e6 cells (AMD EPYC, one thread): 34, 73 and 153 MB; 1.4, 4.0 and 8.5 s.
constexpr double kBytesPerCell = 150.0, kBytesAtLeast = 2e7, kSecondsPerCell = 9e-6;
constexpr double kManyCells = 1e6;

}  // namespace

SolidCost solid_cost(double cells) { return {kBytesAtLeast + kBytesPerCell * cells, kSecondsPerCell * cells}; }

std::string memory_words(double bytes) {
    return bytes >= 1e9 ? fmt::format("{:.2g} GB", bytes / 1e9) : fmt::format("{:.3g} MB", bytes / 1e6);
}

std::string solid_cost_words(double cells) {
    if (!(cells >= kManyCells)) return {};
    const SolidCost cost = solid_cost(cells);
    return text(
        fmt::format("{:.3g}", cells), " cells: about ", memory_words(cost.bytes), " of memory and ",
        cost.seconds < 100 ? fmt::format("{:.0f} s", cost.seconds) : fmt::format("{:.0f} min", cost.seconds / 60),
        " for the solid alone");
}

void refuse_beyond_memory(double cells) {
    const double wanted = solid_cost(cells).bytes, there = static_cast<double>(available_memory());
    if (there > 0.0 && wanted > there) {
        throw Error(Fault::unsupported, {},
                    text(fmt::format("{:.3g}", cells), " cells, which take about ", memory_words(wanted),
                         " of memory, and ", memory_words(there), " are free"),
                    "fewer cells");
    }
}

}  // namespace limber
