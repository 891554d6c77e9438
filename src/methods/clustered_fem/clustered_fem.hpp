// clustered_fem: linear_fem's body with products over row clusters instead of a factor: any step at any time, explicit
// or iterated.
#pragma once

#include <limber/method.hpp>

#include <memory>

namespace limber {

std::unique_ptr<const Method> make_clustered_fem();

}  // namespace limber
