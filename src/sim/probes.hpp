// Probes of a scene, with every fault instead of the first.
#pragma once

#include <limber/tools/sim.hpp>

#include <vector>

namespace limber {

/// The probes that are sound; one Error each for the others.
std::vector<Probe> find_probes(const Scene& scene, const Body& body, std::size_t body_index,
                               std::vector<Error>& errors);

}  // namespace limber
