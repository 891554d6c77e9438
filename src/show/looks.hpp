// The looks of models (base colours, pictures) as the renderer takes them.
#pragma once

#include "render/draw_list.hpp"

#include <limber/rig.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace limber {

using Textures = std::vector<std::shared_ptr<const Image>>;
/// One per picture. `source` appears in messages. Throws Error{bad_file}.
Textures decode_textures(std::span<const Picture> pictures, const std::string& source);
DrawLook draw_look(const MaterialLook& look, const Textures& textures);

}  // namespace limber
