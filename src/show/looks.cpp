#include "show/looks.hpp"

#include "core/text.hpp"
#include "render/png.hpp"

#include <limber/error.hpp>

#include <cmath>

namespace limber {

namespace {
/// What pictures may take when they are unpacked [bytes], and how much more for each byte of them: a page of one colour
/// packs to nothing.
constexpr std::uint64_t kFreePixelBytes = std::uint64_t{256} << 20, kPixelBytesPerByte = 32;

std::array<const PictureUse*, 5> maps_of(const MaterialLook& look) {
    return {&look.base_map, &look.normal_map, &look.metal_rough_map, &look.occlusion_map, &look.emissive_map};
}

/// Only what a look shows is decoded: files hold pictures for other clients, too.
std::vector<bool> drawn_pictures(std::size_t count, std::span<const MaterialLook> looks) {
    std::vector<bool> out(count, false);
    for (const MaterialLook& look : looks) {
        for (const PictureUse* use : maps_of(look)) {
            if (use->picture >= 0 && static_cast<std::size_t>(use->picture) < count)
                out[static_cast<std::size_t>(use->picture)] = true;
        }
    }
    return out;
}

/// Pictures that are not there, or that nobody can read, are told and left out.
std::vector<bool> readable_pictures(std::span<const Picture> pictures, std::vector<bool> wanted,
                                    const std::string& source, std::vector<std::string>& remarks) {
    std::uint64_t packed = 0, unpacked = 0;
    for (std::size_t p = 0; p < pictures.size(); ++p) {
        if (!wanted[p]) continue;
        if (pictures[p].bytes.empty()) {
            wanted[p] = false;
            remarks.push_back(
                text(source, ": ", missing_pictures(pictures.subspan(p, 1)).front(), "; drawn without it"));
            continue;
        }
        try {
            unpacked += 4 * static_cast<std::uint64_t>(picture_pixels(pictures[p].bytes, pictures[p].name));
            packed += pictures[p].bytes.size();
        } catch (const Error& error) {
            wanted[p] = false;
            remarks.push_back(
                text(source, ": the picture '", pictures[p].name, "': ", error.found(), "; drawn without it"));
        }
    }
    if (unpacked > kFreePixelBytes + kPixelBytesPerByte * packed) {
        throw Error(Fault::unsupported, {source, 0, {}},
                    text("pictures that take ", unpacked >> 20, " MB when they are unpacked"),
                    text("at most ", kFreePixelBytes >> 20, " MB and ", kPixelBytesPerByte, " times their ",
                         packed >> 20, " MB"));
    }
    return wanted;
}

std::shared_ptr<const Image> image_of(const PictureUse& use, const Textures& textures) {
    const bool there = use.picture >= 0 && static_cast<std::size_t>(use.picture) < textures.size();
    return there ? textures[static_cast<std::size_t>(use.picture)] : nullptr;
}

DrawSampling::Wrap wrap_of(PictureUse::Wrap wrap) {
    switch (wrap) {
        case PictureUse::Wrap::clamp: return DrawSampling::Wrap::clamp;
        case PictureUse::Wrap::mirror: return DrawSampling::Wrap::mirror;
        default: return DrawSampling::Wrap::repeat;
    }
}

/// [KHR_texture_transform]: translation * rotation * scale, and a turn goes from u towards -v.
DrawSampling sampling_of(const PictureUse& use) {
    DrawSampling out;
    out.wrap_u = wrap_of(use.wrap_u);
    out.wrap_v = wrap_of(use.wrap_v);
    out.nearest = use.nearest;
    out.second_uv = use.coordinates == 1;
    const double c = std::cos(use.rotation), s = std::sin(use.rotation);
    const double rows[6] = {c * use.scale[0],  s * use.scale[1], use.offset[0],
                            -s * use.scale[0], c * use.scale[1], use.offset[1]};
    for (std::size_t k = 0; k < 6; ++k) out.uv_transform[k] = static_cast<float>(rows[k]);
    return out;
}

bool has_clear_texels(const Image& image) {
    for (std::size_t k = 3; k < image.rgba.size(); k += 4)
        if (image.rgba[k] < 255) return true;
    return false;
}
}  // namespace

Textures decode_textures(std::span<const Picture> pictures, std::span<const MaterialLook> looks,
                         const std::string& source, std::vector<std::string>& remarks) {
    const std::vector<bool> readable = readable_pictures(pictures, drawn_pictures(pictures.size(), looks), source,
                                                         remarks);
    Textures out(pictures.size());
    for (std::size_t p = 0; p < pictures.size(); ++p) {
        if (!readable[p]) continue;
        try {
            out[p] = std::make_shared<const Image>(decode_picture(pictures[p].bytes, pictures[p].name));
        } catch (const Error& error) {
            remarks.push_back(
                text(source, ": the picture '", pictures[p].name, "': ", error.found(), "; drawn without it"));
        }
    }
    return out;
}

DrawLook draw_look(const MaterialLook& look, const Textures& textures) {
    DrawLook out;
    out.base = from_linear(look.base_color);
    out.metallic = look.metallic;
    out.roughness = look.roughness;
    for (std::size_t k = 0; k < 3; ++k) out.emissive[k] = static_cast<float>(look.emissive[k] * look.emissive_strength);
    out.texture = image_of(look.base_map, textures);
    out.sampling = sampling_of(look.base_map);
    out.normal_map = {image_of(look.normal_map, textures), sampling_of(look.normal_map)};
    out.metal_rough_map = {image_of(look.metal_rough_map, textures), sampling_of(look.metal_rough_map)};
    out.occlusion_map = {image_of(look.occlusion_map, textures), sampling_of(look.occlusion_map)};
    out.emissive_map = {image_of(look.emissive_map, textures), sampling_of(look.emissive_map)};
    // Without its map the factor alone would make the whole surface glow.
    if (look.emissive_map.picture >= 0 && !out.emissive_map.image) out.emissive = {};
    out.normal_strength = look.normal_map.strength;
    out.occlusion_strength = look.occlusion_map.strength;
    out.lit = !look.unlit;
    out.single_sided = !look.double_sided &&
                       !look.kept.empty();  // only files that say so: OBJ and generated looks have no word for it
    if (look.alpha == "MASK") out.alpha_cutoff = look.alpha_cutoff;
    out.solid = look.alpha != "BLEND";
    out.see_through = look.alpha == "BLEND" && out.texture && has_clear_texels(*out.texture);
    return out;
}

}  // namespace limber
