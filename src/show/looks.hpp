// The looks of models as the renderer takes them.
#pragma once

#include "render/draw_list.hpp"

#include <limber/tools/rig.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace limber {

using Textures = std::vector<std::shared_ptr<const Image>>;
/// One per picture; null for those that no look draws, and for those that are missing or damaged, which `remarks` tell.
/// `source` appears in messages. Throws Error{unsupported} for pictures that would fill the memory.
Textures decode_textures(std::span<const Picture> pictures, std::span<const MaterialLook> looks,
                         const std::string& source, std::vector<std::string>& remarks);
DrawLook draw_look(const MaterialLook& look, const Textures& textures);

}  // namespace limber
