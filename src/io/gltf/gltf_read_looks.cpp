// Pictures and materials: what is drawn of them, and all of their JSON, so that they can be written again as they were.
#include "io/gltf/gltf_looks.hpp"

#include "core/text.hpp"
#include "io/gltf/gltf_kept.hpp"

namespace limber {
namespace {

std::string mime_of(std::string_view bytes, const std::string& stated) {
    if (bytes.starts_with("\x89PNG")) return "image/png";
    if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
    return stated;
}

/// A picture beside the file may be missing: everything but the picture is there all the same.
std::string_view picture_bytes(GltfRead& in, const GltfField& image, Picture& out) {
    if (image["bufferView"].there()) return in.document.view(image["bufferView"]);
    if (!image["uri"].there()) {
        out.problem = text("image ", image.place(), " has neither 'bufferView' nor 'uri'");
        return {};
    }
    try {
        return in.document.resource(image["uri"], image["uri"].text().size());
    } catch (const Error& error) {
        if (error.fault() != Fault::bad_file) throw;
        out.problem = error.found();
        return {};
    }
}

Picture picture_of(GltfRead& in, const GltfField& image) {
    Picture out;
    out.name = image["name"].name();
    const std::string_view bytes = picture_bytes(in, image, out);
    const bool beside = image["uri"].there() && !image["uri"].text().starts_with("data:");
    if (out.name.empty() && beside) out.name = image["uri"].name();
    in.document.spend_bytes(image, 2 * bytes.size() + out.name.size());
    out.bytes.assign(bytes.begin(), bytes.end());
    out.mime = mime_of(bytes, image["mimeType"].name());
    if (bytes.empty() && out.problem.empty()) out.problem = text("image ", image.place(), " is empty");
    GltfKeeper keeper(in);
    // A data URI in a GLB stays one; the text form has nothing else, and what is written from it is binary.
    for (const JsonMember& member : image.members()) {
        if (member.name != "bufferView" && !(member.name == "uri" && !bytes.empty() && !in.document.is_binary()))
            keeper.keep(image, member.name.c_str());
    }
    out.kept = keeper.text(image);
    return out;
}

PictureUse::Wrap wrap_of(const GltfField& field) {
    switch (field.count(10497)) {
        case 33071: return PictureUse::Wrap::clamp;
        case 33648: return PictureUse::Wrap::mirror;
        default: return PictureUse::Wrap::repeat;
    }
}

/// The number of a texture's image: of the PNG or JPEG where the texture has another form of it, too.
std::int32_t image_of(const GltfField& texture, std::size_t pictures) {
    const std::int32_t plain = texture["source"].index(pictures);
    if (plain >= 0) return plain;
    for (const char* name : {"KHR_texture_basisu", "EXT_texture_webp", "EXT_texture_avif", "MSFT_texture_dds"})
        if (const std::int32_t other = texture["extensions"][name]["source"].index(pictures); other >= 0) return other;
    return -1;
}

PictureUse picture_use(const GltfField& reference, const GltfLookLists& lists, const char* strength = nullptr) {
    PictureUse out;
    const std::int32_t t = reference["index"].index(lists.textures.size());
    if (t < 0) return out;
    const GltfField texture = lists.textures.at(static_cast<std::size_t>(t));
    out.picture = image_of(texture, lists.pictures);
    if (out.picture < 0) return out;
    const GltfField moved = reference["extensions"]["KHR_texture_transform"];
    out.coordinates = static_cast<std::int32_t>(moved["texCoord"].count(reference["texCoord"].count(0)));
    if (const auto v = moved["offset"].reals(2); !v.empty()) out.offset = {v[0], v[1]};
    if (const auto v = moved["scale"].reals(2); !v.empty()) out.scale = {v[0], v[1]};
    out.rotation = moved["rotation"].number(0.0);
    if (strength) out.strength = reference[strength].number(1.0);
    const std::int32_t s = texture["sampler"].index(lists.samplers.size());
    if (s < 0) return out;
    const GltfField sampler = lists.samplers.at(static_cast<std::size_t>(s));
    out.wrap_u = wrap_of(sampler["wrapS"]);
    out.wrap_v = wrap_of(sampler["wrapT"]);
    out.nearest = sampler["magFilter"].count(9729) == 9728;
    return out;
}

}  // namespace

MaterialLook gltf_look(const GltfField& field, const GltfLookLists& lists) {
    const GltfField pbr = field["pbrMetallicRoughness"], extensions = field["extensions"];
    MaterialLook look;
    look.name = field["name"].name();
    if (const auto c = pbr["baseColorFactor"].reals(4); !c.empty()) look.base_color = {c[0], c[1], c[2], c[3]};
    if (const auto c = field["emissiveFactor"].reals(3); !c.empty()) look.emissive = {c[0], c[1], c[2]};
    look.emissive_strength = extensions["KHR_materials_emissive_strength"]["emissiveStrength"].number(1.0);
    look.metallic = pbr["metallicFactor"].number(1.0);
    look.roughness = pbr["roughnessFactor"].number(1.0);
    look.base_map = picture_use(pbr["baseColorTexture"], lists);
    look.metal_rough_map = picture_use(pbr["metallicRoughnessTexture"], lists);
    look.normal_map = picture_use(field["normalTexture"], lists, "scale");
    look.occlusion_map = picture_use(field["occlusionTexture"], lists, "strength");
    look.emissive_map = picture_use(field["emissiveTexture"], lists);
    look.alpha = field["alphaMode"].name("OPAQUE");
    if (look.alpha != "OPAQUE" && look.alpha != "MASK" && look.alpha != "BLEND")
        field["alphaMode"].fail(text("the mode '", look.alpha.substr(0, 20), "'"), "OPAQUE, MASK or BLEND");
    look.alpha_cutoff = field["alphaCutoff"].number(0.5);
    look.double_sided = field["doubleSided"].flag(false);
    look.unlit = extensions["KHR_materials_unlit"].there();
    return look;
}

void read_gltf_looks(GltfRead& in) {
    const GltfField images = in.document.list("images"), materials = in.document.list("materials");
    for (std::size_t i = 0; i < images.size(); ++i) in.rig.pictures.push_back(picture_of(in, images.at(i)));
    for (const std::string& line : missing_pictures(in.rig.pictures)) in.note(line);
    const GltfLookLists lists{in.document.list("textures"), in.document.list("samplers"), images.size()};
    for (std::size_t m = 0; m < materials.size(); ++m) {
        MaterialLook look = gltf_look(materials.at(m), lists);
        look.kept = write_json_line(*materials.at(m).value());
        in.document.spend_bytes(materials.at(m), 2 * look.kept.size());
        in.rig.materials.push_back(std::move(look));
    }
}

}  // namespace limber
