// Materials, textures, samplers and images of glTF files, read and written.
#pragma once

#include "io/gltf/gltf_buffer.hpp"
#include "io/gltf/gltf_field.hpp"

#include <limber/tools/rig.hpp>

#include <nlohmann/json.hpp>

#include <string>

namespace limber {

/// What a material's JSON names.
struct GltfLookLists {
    GltfField textures, samplers;
    std::size_t pictures = 0;
};
/// Without `kept`. Throws Error for numbers that name nothing.
MaterialLook gltf_look(const GltfField& material, const GltfLookLists& lists);

/// The lists of a file that is written.
struct GltfLooksJson {
    nlohmann::ordered_json materials = nlohmann::ordered_json::array(), textures = materials, samplers = materials,
                           images = materials;
};
/// As their file had them where they came from one and were not changed: then only the places of pictures in the buffer
/// are new.
GltfLooksJson gltf_looks_json(const Rig& rig, const nlohmann::ordered_json& kept, GltfBuffer& buffer,
                              const std::string& path);

}  // namespace limber
