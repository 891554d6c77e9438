// The fingerprint of a body's physics: a saved deformer is refused for any other body.
#pragma once

#include <limber/body.hpp>

#include <cstdint>
#include <span>

namespace limber {

/// 64-bit FNV-1a over mesh, thickness, plane, materials, anchors and handles. The body's own name and the names of
/// materials and sets do not count: renaming them changes nothing that was prepared.
std::uint64_t hash_of(const BodyDescription& body, std::span<const Material> materials,
                      std::span<const std::int32_t> material_index);

}  // namespace limber
