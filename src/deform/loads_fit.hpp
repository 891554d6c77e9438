// Whether loads are ones a body can take: sizes, finite numbers, unit rotations. Live constraints are the method's own business.
#pragma once

#include <limber/body.hpp>
#include <limber/loads.hpp>

namespace limber {

bool loads_fit(const Body& body, const Loads& loads) noexcept;

}  // namespace limber
