// The provenance line that mesh and surface files carry as a comment.
#pragma once

#include <string>

namespace limber {

/// "written by limber 0.1.0, commit ..., compiler, cpu, isa": one line, printable ASCII, without "--" (XML forbids it) or '$' (MSH sections).
const std::string& written_by();

}  // namespace limber
