// modal: a body moves in its lowest modes, each advanced exactly [James & Pai 2002, corrected: docs/methods/modal.md].
#pragma once

#include <limber/method.hpp>

#include <memory>

namespace limber {

std::unique_ptr<const Method> make_modal();

}  // namespace limber
