// stvk: see docs/methods/stvk.md.
#pragma once

#include <limber/method.hpp>

#include <memory>

namespace limber {

std::unique_ptr<const Method> make_stvk();

}  // namespace limber
