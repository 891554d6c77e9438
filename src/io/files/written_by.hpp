// The provenance line that mesh and surface files carry as a comment.
#pragma once

#include <string>

namespace limber {

/// "written by limber 0.1.0, commit ..., compiler, cpu, isa, threads; `about`": one line, printable ASCII, without "--"
/// (XML forbids it) or '$' (MSH sections). `about` says what the file is of (a scene and its hash); anything the
/// formats forbid in it is replaced.
std::string written_by(const std::string& about = {});

}  // namespace limber
