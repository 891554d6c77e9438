#include "io/gltf/gltf_looks.hpp"

#include "core/text.hpp"
#include "io/gltf/gltf_kept.hpp"
#include "io/vtk/vtu_arrays.hpp"

#include <map>
#include <tuple>

namespace limber {

namespace {
using json = nlohmann::ordered_json;

int wrap_code(PictureUse::Wrap wrap) {
    switch (wrap) {
        case PictureUse::Wrap::clamp: return 33071;
        case PictureUse::Wrap::mirror: return 33648;
        default: return 10497;
    }
}

class LooksWriter {
public:
    LooksWriter(const Rig& rig, const json& kept, GltfBuffer& buffer, const std::string& path)
        : rig_(rig), buffer_(buffer), path_(path) {
        if (kept.contains("textures")) out_.textures = kept["textures"];
        if (kept.contains("samplers")) out_.samplers = kept["samplers"];
        parse_json_value(json{{"textures", out_.textures}, {"samplers", out_.samplers}}.dump(), lists_);
    }

    GltfLooksJson write() {
        for (const Picture& picture : rig_.pictures) out_.images.push_back(image(picture));
        if (out_.textures.empty()) {
            for (std::size_t p = 0; p < rig_.pictures.size(); ++p) {
                made_[Key{static_cast<std::int32_t>(p), PictureUse::Wrap::repeat, PictureUse::Wrap::repeat, false}] =
                    static_cast<int>(p);
                out_.textures.push_back({{"source", p}});
            }
        }
        for (const MaterialLook& look : rig_.materials) out_.materials.push_back(material(look));
        return std::move(out_);
    }

private:
    using Key = std::tuple<std::int32_t, PictureUse::Wrap, PictureUse::Wrap, bool>;

    /// A data URI stays one while it holds the picture's bytes, and a URI whose file could not be read stays what it
    /// is.
    static bool stays(const Picture& picture, const json& image) {
        if (picture.bytes.empty()) return true;
        if (!image.contains("uri") || !image["uri"].is_string()) return false;
        const std::string uri = image["uri"].get<std::string>();
        const std::size_t comma = uri.find(',');
        std::string bytes;
        if (!uri.starts_with("data:") || comma == std::string::npos ||
            !decode_base64(std::string_view(uri).substr(comma + 1), uri.size(), bytes)) {
            return false;
        }
        return std::equal(bytes.begin(), bytes.end(), picture.bytes.begin(), picture.bytes.end(),
                          [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
    }

    json image(const Picture& picture) {
        json out = kept_object(picture.kept, path_);
        if (stays(picture, out)) return out;
        out.erase("uri");
        if (!out.contains("name") && !picture.name.empty()) out["name"] = picture.name;
        if (!out.contains("mimeType")) out["mimeType"] = picture.mime.empty() ? "image/png" : picture.mime;
        out["bufferView"] = buffer_.bytes({reinterpret_cast<const char*>(picture.bytes.data()), picture.bytes.size()});
        return out;
    }

    json material(const MaterialLook& look) {
        json kept = kept_object(look.kept, path_);
        if (look.kept.empty()) return from_fields(look);
        MaterialLook before;
        try {
            JsonValue value;
            parse_json_value(look.kept, value);
            const GltfField lists(path_, &lists_, "");
            before = gltf_look(GltfField(path_, &value, "/material"),
                               {lists["textures"], lists["samplers"], rig_.pictures.size()});
        } catch (const Error&) {
            return from_fields(look);  // what it names is not in this rig
        }
        before.kept = look.kept;
        if (before == look) return kept;
        json out = from_fields(look);
        for (const auto& [name, use] : maps(look))
            if (use->picture >= 0 && *use == *maps(before).at(name)) entry(out, name) = at(kept, name);
        add_kept(out, kept);
        if (kept.contains("pbrMetallicRoughness"))
            add_kept(out["pbrMetallicRoughness"], without_maps(kept["pbrMetallicRoughness"], look));
        for (const auto& [name, use] : maps(look))
            if (use->picture < 0) out.erase(name);
        return out;
    }

    static std::map<std::string, const PictureUse*> maps(const MaterialLook& look) {
        return {{"baseColorTexture", &look.base_map},
                {"metallicRoughnessTexture", &look.metal_rough_map},
                {"normalTexture", &look.normal_map},
                {"occlusionTexture", &look.occlusion_map},
                {"emissiveTexture", &look.emissive_map}};
    }
    static bool inside(const std::string& name) {
        return name == "baseColorTexture" || name == "metallicRoughnessTexture";
    }
    static json& entry(json& material, const std::string& name) {
        return inside(name) ? material["pbrMetallicRoughness"][name] : material[name];
    }
    static const json& at(const json& material, const std::string& name) {
        return inside(name) ? material["pbrMetallicRoughness"][name] : material[name];
    }
    static json without_maps(json surface, const MaterialLook& look) {
        if (look.base_map.picture < 0) surface.erase("baseColorTexture");
        if (look.metal_rough_map.picture < 0) surface.erase("metallicRoughnessTexture");
        return surface;
    }

    json from_fields(const MaterialLook& look) {
        json material = json::object();
        if (!look.name.empty()) material["name"] = look.name;
        material["pbrMetallicRoughness"] = {{"baseColorFactor", look.base_color},
                                            {"metallicFactor", look.metallic},
                                            {"roughnessFactor", look.roughness}};
        for (const auto& [name, use] : maps(look))
            if (use->picture >= 0) entry(material, name) = reference(*use);
        if (look.normal_map.picture >= 0 && look.normal_map.strength != 1.0)
            material["normalTexture"]["scale"] = look.normal_map.strength;
        if (look.occlusion_map.picture >= 0 && look.occlusion_map.strength != 1.0)
            material["occlusionTexture"]["strength"] = look.occlusion_map.strength;
        if (look.emissive != std::array<double, 3>{}) material["emissiveFactor"] = look.emissive;
        if (look.emissive_strength != 1.0)
            material["extensions"]["KHR_materials_emissive_strength"]["emissiveStrength"] = look.emissive_strength;
        if (look.unlit) material["extensions"]["KHR_materials_unlit"] = json::object();
        if (look.alpha != "OPAQUE") material["alphaMode"] = look.alpha;
        if (look.alpha == "MASK") material["alphaCutoff"] = look.alpha_cutoff;
        if (look.double_sided) material["doubleSided"] = true;
        return material;
    }

    json reference(const PictureUse& use) {
        json out{{"index", texture(use)}};
        if (use.coordinates != 0) out["texCoord"] = use.coordinates;
        json moved = json::object();
        if (use.offset != std::array<double, 2>{}) moved["offset"] = use.offset;
        if (use.rotation != 0.0) moved["rotation"] = use.rotation;
        if (use.scale != std::array<double, 2>{1.0, 1.0}) moved["scale"] = use.scale;
        if (!moved.empty()) out["extensions"]["KHR_texture_transform"] = std::move(moved);
        return out;
    }

    int texture(const PictureUse& use) {
        const auto [entry, fresh] = made_.try_emplace(Key{use.picture, use.wrap_u, use.wrap_v, use.nearest},
                                                      static_cast<int>(out_.textures.size()));
        if (!fresh) return entry->second;
        json made{{"source", use.picture}};
        if (use.wrap_u != PictureUse::Wrap::repeat || use.wrap_v != PictureUse::Wrap::repeat || use.nearest) {
            json sampler{{"wrapS", wrap_code(use.wrap_u)}, {"wrapT", wrap_code(use.wrap_v)}};
            if (use.nearest) sampler["magFilter"] = 9728;
            made["sampler"] = out_.samplers.size();
            out_.samplers.push_back(std::move(sampler));
        }
        out_.textures.push_back(std::move(made));
        return entry->second;
    }

    const Rig& rig_;
    GltfBuffer& buffer_;
    const std::string& path_;
    GltfLooksJson out_;
    JsonValue lists_;          ///< textures and samplers as they were kept
    std::map<Key, int> made_;  ///< textures for looks without a file of their own
};
}  // namespace

GltfLooksJson gltf_looks_json(const Rig& rig, const json& kept, GltfBuffer& buffer, const std::string& path) {
    return LooksWriter(rig, kept, buffer, path).write();
}

}  // namespace limber
