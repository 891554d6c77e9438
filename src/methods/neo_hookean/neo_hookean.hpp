// neo_hookean: see docs/methods/neo_hookean.md.
#pragma once

#include <limber/method.hpp>

#include <memory>

namespace limber {

std::unique_ptr<const Method> make_neo_hookean();

}  // namespace limber
