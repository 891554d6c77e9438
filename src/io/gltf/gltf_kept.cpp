#include "io/gltf/gltf_kept.hpp"

#include "core/text.hpp"
#include "io/files/scanner.hpp"

#include <algorithm>
#include <set>

namespace limber {

namespace {
using json = nlohmann::ordered_json;

bool listed(std::span<const char* const> names, const std::string& name) {
    return std::any_of(names.begin(), names.end(), [&](const char* n) { return name == n; });
}

void find_extensions(const json& value, std::set<std::string>& out) {
    if (value.is_array())
        for (const json& item : value) find_extensions(item, out);
    if (!value.is_object()) return;
    for (const auto& [name, member] : value.items()) {
        if (name == "extras") continue;
        if (name == "extensions" && member.is_object())
            for (const auto& extension : member.items()) out.insert(extension.key());
        find_extensions(member, out);
    }
}
}  // namespace

void GltfKeeper::keep(const GltfField& thing, const char* member, const char* as) {
    const GltfField field = thing[member];
    if (field.there()) add(as ? as : member, *field.value());
}

void GltfKeeper::add(const char* name, JsonValue value) { object_.add(name) = std::move(value); }

void GltfKeeper::add_number(const char* name, double value) {
    JsonValue& out = object_.add(name);
    out.kind = JsonValue::Kind::number;
    out.number = value;
}

void GltfKeeper::add_flag(const char* name) {
    JsonValue& out = object_.add(name);
    out.kind = JsonValue::Kind::flag;
    out.flag = true;
}

void GltfKeeper::keep_extras(const GltfField& thing, std::span<const char* const> extensions) {
    keep(thing, "extras");
    JsonValue kept = empty_object();
    for (const JsonMember& member : thing["extensions"].members()) {
        if (listed(extensions, member.name)) {
            kept.add(member.name) = member.value;
        } else {
            in_.note(limber::text("the extension ", in_quotes(member.name.substr(0, 60)),
                                  " of a node, mesh or file is not kept: it may name things by numbers that change"));
        }
    }
    if (!kept.members.empty()) add("extensions", std::move(kept));
}

KeptJson GltfKeeper::text(const GltfField& at) const {
    if (object_.members.empty()) return {};
    KeptJson out = write_json_line(object_);
    in_.document.spend_bytes(at, 2 * out.size());
    return out;
}

std::span<const char* const> kept_node_extensions() {
    static const char* const kNames[] = {"KHR_lights_punctual", "KHR_node_visibility", "KHR_node_selectability",
                                         "KHR_node_hoverability", "KHR_xmp_json_ld"};
    return kNames;
}
std::span<const char* const> kept_primitive_extensions() {
    static const char* const kNames[] = {"KHR_materials_variants"};
    return kNames;
}
std::span<const char* const> kept_file_extensions() {
    static const char* const kNames[] = {"KHR_lights_punctual", "KHR_materials_variants", "KHR_xmp_json_ld"};
    return kNames;
}

void read_gltf_rest(GltfRead& in) {
    const GltfField root = in.document.root(), asset = root["asset"], scenes = root["scenes"];
    GltfKeeper keeper(in);
    for (const char* list : {"textures", "samplers", "cameras", "extensionsUsed", "extensionsRequired"})
        if (root[list].size() > 0) keeper.keep(root, list);
    keeper.keep_extras(root, kept_file_extensions());
    GltfKeeper about(in), scene(in);
    about.keep(asset, "copyright");
    about.keep_extras(asset, kept_file_extensions());
    JsonValue part;
    if (parse_json_value(about.text(asset), part)) keeper.add("asset", std::move(part));
    if (scenes.size() > 0) {
        const GltfField shown = scenes.at(static_cast<std::size_t>(std::max(root["scene"].index(scenes.size()), 0)));
        scene.keep(shown, "name");
        scene.keep_extras(shown, kept_file_extensions());
        if (parse_json_value(scene.text(shown), part)) keeper.add("scene", std::move(part));
        if (scenes.size() > 1) in.note("the file has several scenes: the one that it shows is kept", 1);
    }
    in.rig.kept = keeper.text(root);
}

json kept_object(const KeptJson& kept, const std::string& path) {
    if (kept.empty()) return json::object();
    json out = json::parse(kept, nullptr, false);
    if (!out.is_object())
        throw Error(Fault::bad_data, {path, 0, {}}, "a rig whose kept text is no JSON object", "one, or nothing");
    return out;
}

void add_kept(json& thing, const json& kept) {
    for (const auto& [name, value] : kept.items()) {
        if (!thing.contains(name))
            thing[name] = value;
        else if (name == "extras" && value.is_object() && thing[name].is_object())
            add_kept(thing[name], value);
    }
}

std::vector<std::string> extensions_in(const json& root) {
    std::set<std::string> found;
    find_extensions(root, found);
    return {found.begin(), found.end()};
}

}  // namespace limber
