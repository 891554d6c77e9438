#include "show/looks.hpp"

#include "core/text.hpp"
#include "render/png.hpp"

#include <limber/error.hpp>

namespace limber {

namespace {
/// What pictures may take when they are unpacked [bytes], and how much more for each byte of them: a page of one colour packs to nothing.
constexpr std::uint64_t kFreePixelBytes = std::uint64_t{256} << 20, kPixelBytesPerByte = 32;

void check_unpacked_size(std::span<const Picture> pictures, const std::string& source) {
    std::uint64_t packed = 0, unpacked = 0;
    for (const Picture& picture : pictures) {
        packed += picture.bytes.size();
        unpacked += 4 * static_cast<std::uint64_t>(picture_pixels(picture.bytes, text(source, ": ", picture.name)));
    }
    if (unpacked > kFreePixelBytes + kPixelBytesPerByte * packed)
        throw Error(Fault::unsupported, {source, 0, {}}, text("pictures that take ", unpacked >> 20, " MB when they are unpacked"),
                    text("at most ", kFreePixelBytes >> 20, " MB and ", kPixelBytesPerByte, " times their ", packed >> 20, " MB"));
}
}  // namespace

Textures decode_textures(std::span<const Picture> pictures, const std::string& source) {
    check_unpacked_size(pictures, source);
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
