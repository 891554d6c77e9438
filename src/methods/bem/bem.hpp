#pragma once

#include <limber/method.hpp>

namespace limber {

std::unique_ptr<const Method> make_bem();

}  // namespace limber
