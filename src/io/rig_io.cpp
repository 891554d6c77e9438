#include "io/atomic_file.hpp"
#include "io/scanner.hpp"

#include "core/text.hpp"

#include <limber/rig_io.hpp>

#include <algorithm>
#include <filesystem>

namespace limber {

Rig read_rig(const std::string& path, const RigReading& reading) {
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (ending != ".glb" && ending != ".gltf" && ending != ".bvh")
        throw Error(Fault::bad_file, {path, 0, {}}, text("a file name ending in ", in_quotes(ending)), ".glb, .gltf or .bvh");
    const std::string bytes = read_file(path);
    return ending == ".bvh" ? parse_bvh(bytes, path, reading) : parse_gltf(bytes, path, reading);
}

}  // namespace limber
