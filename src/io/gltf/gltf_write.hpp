// GLB: glTF 2.0 in one binary file. Metres, y up, 32-bit floats.
#pragma once

#include <limber/tools/rig.hpp>

#include <string>

namespace limber {

/// Everything the rig has: nodes, skins, meshes with materials, texture coordinates, paint and morphs, pictures and
/// clips. A rig without joints is a plain model. `about`: what it is of, such as a scene and its hash; provenance is in
/// the asset's `extras`. Throws Error{bad_data} for a rig that check_rig refuses, Error{unsupported} for numbers beyond
/// 32 bits; `path` is for messages.
std::string format_glb(const Rig& rig, const std::string& path, const std::string& about = {});
/// The file appears complete or not at all.
void write_glb(const std::string& path, const Rig& rig, const std::string& about = {});

}  // namespace limber
