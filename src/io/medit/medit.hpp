// Medit .mesh files (ASCII): what Mmg, Gmsh and FreeFem exchange.
#pragma once

#include <limber/mesh.hpp>

#include <string>

namespace limber {

/// Sets become references: a number for each combination of sets, told in comments, from which the reader has the names
/// again.
std::string format_medit(const Mesh& mesh);

/// How such a comment begins: "# limber set cells 3 liver" (or "vertices").
inline constexpr const char* kMeditSet = "# limber set ";

}  // namespace limber
