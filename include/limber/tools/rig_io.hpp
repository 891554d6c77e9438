// Rigs from files: glTF 2.0 (.glb, .gltf) and BVH.
#pragma once

#include <limber/tools/rig.hpp>

#include <string>
#include <string_view>

namespace limber {

struct RigReading {
    /// One unit of the file in metres; 0 = the format's own word: metres for glTF; for BVH, which has none, a guess
    /// from the skeleton's height that is told in Rig::notes.
    double unit = 0.0;
};

/// By the file's ending. Throws Error{bad_file, unsupported}; memory stays within a small multiple of the files' sizes.
Rig read_rig(const std::string& path, const RigReading& reading = {});
/// From memory: GLB when the bytes begin with "glTF", JSON otherwise. Files it names are looked for beside `path`,
/// never above.
Rig parse_gltf(std::string_view bytes, const std::string& path, const RigReading& reading = {});
/// Motion becomes one clip: linear curves of one key per frame.
Rig parse_bvh(std::string_view bytes, const std::string& path, const RigReading& reading = {});

}  // namespace limber
