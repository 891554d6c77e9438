// Pictures and materials: kept so that they can be written again, never looked into.
#include "io/gltf_read.hpp"

#include "core/text.hpp"

namespace limber {
namespace {

std::string mime_of(std::string_view bytes, const std::string& stated) {
    if (bytes.starts_with("\x89PNG")) return "image/png";
    if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
    return stated;
}

Picture picture_of(GltfRead& in, const GltfField& image) {
    Picture out;
    out.name = image["name"].name();
    std::string_view bytes;
    if (image["bufferView"].there()) {
        bytes = in.document.view(image["bufferView"]);
    } else if (image["uri"].there()) {
        bytes = in.document.resource(image["uri"], image["uri"].text().size());
        if (out.name.empty() && !image["uri"].text().starts_with("data:")) out.name = image["uri"].name();
    }
    in.document.spend_bytes(image, 2 * bytes.size() + out.name.size());
    out.bytes.assign(bytes.begin(), bytes.end());
    out.mime = mime_of(bytes, image["mimeType"].name());
    return out;
}

/// The picture behind a texture reference; -1 without one.
std::int32_t picture_index(GltfRead& in, const GltfField& reference) {
    const GltfField textures = in.document.list("textures");
    const std::int32_t t = reference["index"].index(textures.size());
    if (t < 0) return -1;
    if (reference["texCoord"].count(0) != 0) in.note("a picture uses the second texture coordinates, which are left out");
    return textures.at(static_cast<std::size_t>(t))["source"].index(in.rig.pictures.size());
}

}  // namespace

void read_gltf_looks(GltfRead& in) {
    const GltfField images = in.document.list("images"), materials = in.document.list("materials");
    for (std::size_t i = 0; i < images.size(); ++i) in.rig.pictures.push_back(picture_of(in, images.at(i)));
    for (std::size_t m = 0; m < materials.size(); ++m) {
        const GltfField field = materials.at(m), pbr = field["pbrMetallicRoughness"];
        MaterialLook look;
        look.name = field["name"].name();
        if (const auto c = pbr["baseColorFactor"].reals(4); !c.empty()) look.base_color = {c[0], c[1], c[2], c[3]};
        if (const auto c = field["emissiveFactor"].reals(3); !c.empty()) look.emissive = {c[0], c[1], c[2]};
        look.metallic = pbr["metallicFactor"].number(1.0);
        look.roughness = pbr["roughnessFactor"].number(1.0);
        look.base_picture = picture_index(in, pbr["baseColorTexture"]);
        look.normal_picture = picture_index(in, field["normalTexture"]);
        look.alpha = field["alphaMode"].name("OPAQUE");
        if (look.alpha != "OPAQUE" && look.alpha != "MASK" && look.alpha != "BLEND") field["alphaMode"].fail(text("the mode '", look.alpha.substr(0, 20), "'"), "OPAQUE, MASK or BLEND");
        look.alpha_cutoff = field["alphaCutoff"].number(0.5);
        look.double_sided = field["doubleSided"].flag(false);
        for (const char* left_out : {"emissiveTexture", "occlusionTexture"})
            if (field[left_out].there()) in.note(text("materials with ", left_out, ": that picture is not kept with the material"));
        if (pbr["metallicRoughnessTexture"].there()) in.note("materials with metallicRoughnessTexture: that picture is not kept with the material");
        in.rig.materials.push_back(std::move(look));
    }
}

}  // namespace limber
