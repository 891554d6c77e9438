// linear_fem: the method every other one is measured against at small loads.
#pragma once

#include <limber/method.hpp>

#include <memory>

namespace limber {

std::unique_ptr<const Method> make_linear_fem();

}  // namespace limber
