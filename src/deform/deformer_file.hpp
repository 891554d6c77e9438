// The bytes of a saved deformer, without knowledge of which methods exist.
#pragma once

#include <limber/method.hpp>

#include <functional>

namespace limber {

/// nullptr when there is none of that name; find_method() in the program, anything in tests.
using MethodFinder = std::function<const Method*(const std::string& name)>;

/// load_deformer() of method.hpp with its own way to find methods.
std::unique_ptr<Deformer> load_deformer(std::shared_ptr<const Body> body, std::span<const std::uint8_t> bytes,
                                        const InputLocation& place, const MethodFinder& find);

}  // namespace limber
