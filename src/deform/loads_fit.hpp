// Whether loads are ones a body can take: sizes, finite numbers, unit rotations. Live constraints are the method's own
// business.
#pragma once

#include <limber/body.hpp>
#include <limber/loads.hpp>

namespace limber {

/// `obstacles`: the method collides; without, loads that have some do not fit, since ignoring them would be a lie.
bool loads_fit(const Body& body, const Loads& loads, bool obstacles = false) noexcept;

}  // namespace limber
