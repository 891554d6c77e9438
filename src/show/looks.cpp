#include "show/looks.hpp"

#include "core/text.hpp"
#include "render/png.hpp"

namespace limber {

Textures decode_textures(std::span<const Picture> pictures, const std::string& source) {
    Textures out;
    for (const Picture& picture : pictures) out.push_back(std::make_shared<const Image>(decode_picture(picture.bytes, text(source, ": ", picture.name))));
    return out;
}

DrawLook draw_look(const MaterialLook& look, const Textures& textures) {
    DrawLook out;
    out.base = from_linear(look.base_color);
    out.metallic = look.metallic;
    out.roughness = look.roughness;
    for (std::size_t k = 0; k < 3; ++k) out.emissive[k] = static_cast<float>(look.emissive[k]);
    if (look.base_picture >= 0 && static_cast<std::size_t>(look.base_picture) < textures.size()) out.texture = textures[static_cast<std::size_t>(look.base_picture)];
    if (look.alpha == "MASK") out.alpha_cutoff = look.alpha_cutoff;
    return out;
}

}  // namespace limber
