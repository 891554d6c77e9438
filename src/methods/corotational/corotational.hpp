// corotational: small strain in large motion. Each cell is linear in a frame that turns with it.
#pragma once

#include <limber/method.hpp>

#include <memory>

namespace limber {

std::unique_ptr<Method> make_corotational();

}  // namespace limber
