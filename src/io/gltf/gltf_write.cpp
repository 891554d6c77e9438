#include "io/gltf/gltf_write.hpp"

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "io/gltf/gltf_buffer.hpp"
#include "io/gltf/gltf_kept.hpp"
#include "io/gltf/gltf_looks.hpp"
#include "sim/provenance_text.hpp"

#include <limber/error.hpp>
#include <limber/version.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>

namespace limber {

namespace {
using json = nlohmann::ordered_json;
using Use = GltfBuffer::Use;

json list_of(std::initializer_list<double> values) { return json(std::vector<double>(values)); }

bool has_normals(const SkinPart& part) {
    return !part.morphs.empty() && std::all_of(part.morphs.begin(), part.morphs.end(), [&](const Morph& m) {
        return m.normals.size() == part.positions.size();
    });
}

class GlbWriter {
public:
    GlbWriter(const Rig& rig, const std::string& path, const std::string& about)
        : rig_(rig), path_(path), about_(about), buffer_(path) {}

    std::string write() {
        check_rig(rig_);
        kept_ = kept_object(rig_.kept, path_);
        add_nodes();
        add_skins();
        add_meshes();
        looks_ = gltf_looks_json(rig_, kept_, buffer_, path_);
        add_clips();
        return assembled();
    }

private:
    static json named(const std::string& name) {
        json out = json::object();
        if (!name.empty()) out["name"] = name;
        return out;
    }

    void add_nodes() {
        for (const Joint& joint : rig_.joints) {
            json node = named(joint.name);
            const Transform& t = joint.rest;
            const Quat q = normalized(t.rotation);
            if (t.translation != Vec3{})
                node["translation"] = list_of({t.translation.x, t.translation.y, t.translation.z});
            if (q != Quat{}) node["rotation"] = list_of({q.x, q.y, q.z, q.w});
            if (t.scale != Vec3{1.0, 1.0, 1.0}) node["scale"] = list_of({t.scale.x, t.scale.y, t.scale.z});
            json kept = kept_object(joint.kept, path_);
            elsewhere_.push_back(kept.erase("elsewhere") > 0);
            add_kept(node, kept);
            nodes_.push_back(std::move(node));
        }
        for (std::size_t j = 0; j < rig_.joints.size(); ++j)
            if (!elsewhere_[j]) hang(static_cast<int>(j), rig_.joints[j].parent);
    }
    void hang(int node, std::int32_t parent) {
        if (parent < 0)
            roots_.push_back(node);
        else
            nodes_[static_cast<std::size_t>(parent)]["children"].push_back(node);
    }

    void add_skins() {
        for (const SkinBinding& binding : rig_.bindings) {
            std::vector<double> flat;
            for (const Affine& m : binding.inverse_bind) {
                for (int column = 0; column < 4; ++column) {
                    for (int row = 0; row < 3; ++row)
                        flat.push_back(column < 3 ? m.linear(row, column) : m.translation[row]);
                    flat.push_back(column < 3 ? 0.0 : 1.0);
                }
            }
            json skin = named(binding.name);
            skin["inverseBindMatrices"] = buffer_.numbers(flat, "MAT4", 16, Use::none);
            skin["joints"] = binding.joints;
            add_kept(skin, kept_object(binding.kept, path_));
            skins_.push_back(std::move(skin));
        }
    }

    // Parts that hang on one node with one skin and as many morphs are one mesh: clients animate the weights of a mesh.
    void add_meshes() {
        std::map<std::tuple<std::int32_t, std::int32_t, std::size_t, bool>, std::vector<std::size_t>> groups;
        for (std::size_t p = 0; p < rig_.parts.size(); ++p) {
            const SkinPart& part = rig_.parts[p];
            if (part.positions.empty() || part.triangles.empty()) continue;
            groups[{part.joint, part.binding, part.morphs.size(), has_normals(part)}].push_back(p);
        }
        for (const auto& [key, parts] : groups) {
            const SkinPart& first = rig_.parts[parts.front()];
            json mesh = named(parts.size() > 1 ? without_number(first.name) : first.name);
            for (const std::size_t p : parts) mesh["primitives"].push_back(primitive(rig_.parts[p]));
            json kept = kept_object(first.kept, path_);
            if (!first.morphs.empty()) {
                json names = json::array(), weights = json::array();
                for (const Morph& m : first.morphs) {
                    names.push_back(m.name);
                    weights.push_back(m.weight);
                }
                mesh["weights"] = std::move(weights);
                mesh["extras"] = {{"targetNames", std::move(names)}};
            }
            if (kept.contains("mesh")) add_kept(mesh, without_names(kept["mesh"]));
            meshes_.push_back(std::move(mesh));
            place_mesh(first);
        }
    }

    /// Readers number the primitives of a mesh behind its name.
    static std::string without_number(const std::string& name) {
        const std::size_t slash = name.find_last_of('/');
        const bool numbered = slash != std::string::npos && slash + 1 < name.size() &&
                              name.find_first_not_of("0123456789", slash + 1) == std::string::npos;
        return numbered ? name.substr(0, slash) : name;
    }
    /// Names of targets are written anew: there may be more of them.
    static json without_names(json kept) {
        if (kept.contains("extras") && kept["extras"].is_object()) kept["extras"].erase("targetNames");
        if (kept.contains("extras") && kept["extras"].is_object() && kept["extras"].empty()) kept.erase("extras");
        return kept;
    }

    void place_mesh(const SkinPart& part) {
        const bool taken = part.joint < 0 || nodes_[static_cast<std::size_t>(part.joint)].contains("mesh");
        int node = part.joint;
        if (taken) {
            node = static_cast<int>(nodes_.size());
            nodes_.push_back(named(part.name));
            hang(node, part.joint);
        }
        json& holder = nodes_[static_cast<std::size_t>(node)];
        holder["mesh"] = meshes_.size() - 1;
        if (part.binding >= 0) holder["skin"] = part.binding;
        if (!part.morphs.empty()) mesh_nodes_[part.joint].push_back({node, part.morphs.size()});
    }

    /// Channels of vertex colours ("COLOR_0.r") go together as the reader found them; all else is an attribute of its
    /// own.
    void add_paint(const SkinPart& part, json& attributes) {
        std::map<std::string, std::vector<const Paint*>> colours;
        for (const Paint& paint : part.paint) {
            const std::size_t dot = paint.name.find('.');
            if (paint.name.starts_with("COLOR_") && dot != std::string::npos) {
                colours[paint.name.substr(0, dot)].push_back(&paint);
            } else {
                attributes[paint.name.starts_with('_') ? paint.name : "_" + paint.name] = buffer_.numbers(
                    paint.values, "SCALAR", 1, Use::vertices);
            }
        }
        for (const auto& [name, channels] : colours) {
            if (channels.size() != 3 && channels.size() != 4) continue;
            std::vector<double> flat;
            for (std::size_t v = 0; v < part.positions.size(); ++v)
                for (const Paint* channel : channels) flat.push_back(channel->values[v]);
            attributes[name] = buffer_.numbers(flat, channels.size() == 3 ? "VEC3" : "VEC4", channels.size(),
                                               Use::vertices);
        }
    }

    json primitive(const SkinPart& part) {
        json attributes{{"POSITION", buffer_.vectors(part.positions, true)}};
        if (!part.normals.empty()) attributes["NORMAL"] = buffer_.vectors(part.normals, false);
        if (!part.uvs.empty()) {
            std::vector<double> flat;
            for (const auto& uv : part.uvs) flat.insert(flat.end(), uv.begin(), uv.end());
            attributes["TEXCOORD_0"] = buffer_.numbers(flat, "VEC2", 2, Use::vertices);
        }
        constexpr const char* kTypes[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
        for (const VertexNumbers& a : part.attributes)
            attributes[a.name] = buffer_.numbers(a.values, kTypes[a.width - 1], a.width, Use::vertices);
        if (part.binding >= 0 && !part.influences.empty()) add_influences(part, attributes);
        add_paint(part, attributes);
        std::vector<std::uint32_t> corners;
        corners.reserve(3 * part.triangles.size());
        for (const auto& t : part.triangles)
            for (const std::int32_t c : t) corners.push_back(static_cast<std::uint32_t>(c));
        json out{{"attributes", std::move(attributes)}, {"indices", buffer_.indices(corners, part.positions.size())}};
        if (part.material >= 0) out["material"] = part.material;
        json kept = kept_object(part.kept, path_);
        kept.erase("mesh");
        add_kept(out, kept);
        const bool normals = has_normals(part) && !part.normals.empty();
        for (const Morph& m : part.morphs) {
            json target{{"POSITION", buffer_.vectors(m.positions, true)}};
            if (normals) target["NORMAL"] = buffer_.vectors(m.normals, false);
            out["targets"].push_back(std::move(target));
        }
        return out;
    }

    void add_influences(const SkinPart& part, json& attributes) {
        const std::size_t joints = rig_.bindings[static_cast<std::size_t>(part.binding)].joints.size();
        bool many = false;
        for (const Influences& i : part.influences)
            many = many || std::any_of(i.weight.begin() + 4, i.weight.end(), [](double w) { return w != 0.0; });
        for (std::size_t set = 0; set < (many ? 2u : 1u); ++set) {
            std::vector<std::uint16_t> joint;
            std::vector<double> weight;
            for (const Influences& i : part.influences) {
                for (std::size_t k = 4 * set; k < 4 * set + 4; ++k) {
                    // A joint of weight 0 is none: clients and validators want number 0 there.
                    joint.push_back(i.weight[k] != 0.0 ? static_cast<std::uint16_t>(i.joint[k]) : std::uint16_t{0});
                    weight.push_back(i.weight[k]);
                }
            }
            attributes[text("JOINTS_", set)] = buffer_.joints(joint, joints);
            attributes[text("WEIGHTS_", set)] = buffer_.numbers(weight, "VEC4", 4, Use::vertices);
        }
    }

    void add_clips() {
        for (const Clip& clip : rig_.clips) {
            json animation = named(clip.name);
            std::map<std::vector<double>, int> inputs;  // curves with the same keys share them
            for (const Channel& channel : clip.channels) {
                const Channel rounded = with_times_apart(channel);
                auto found = inputs.find(rounded.times);
                if (found == inputs.end()) {
                    found = inputs.emplace(rounded.times, buffer_.numbers(rounded.times, "SCALAR", 1, Use::none, true))
                                .first;
                }
                add_channel(rounded, found->second, animation);
            }
            if (!animation.contains("channels")) continue;
            add_kept(animation, kept_object(clip.kept, path_));
            animations_.push_back(std::move(animation));
        }
    }

    /// Keys whose times are one in 32 bits are a jump: the last of them counts.
    static Channel with_times_apart(const Channel& channel) {
        Channel out = channel;
        const std::size_t per_key = channel.values.size() / channel.times.size();
        out.times.clear();
        out.values.clear();
        for (std::size_t k = 0; k < channel.times.size(); ++k) {
            const bool again = !out.times.empty() &&
                               static_cast<float>(out.times.back()) == static_cast<float>(channel.times[k]);
            if (again) {
                out.times.pop_back();
                out.values.resize(out.values.size() - per_key);
            }
            out.times.push_back(channel.times[k]);
            const auto first = channel.values.begin() + static_cast<std::ptrdiff_t>(k * per_key);
            out.values.insert(out.values.end(), first, first + static_cast<std::ptrdiff_t>(per_key));
        }
        return out;
    }

    void add_channel(const Channel& channel, int input, json& animation) {
        const char* type = channel.target == Channel::Target::rotation  ? "VEC4"
                           : channel.target == Channel::Target::weights ? "SCALAR"
                                                                        : "VEC3";
        const std::size_t width = channel.target == Channel::Target::weights    ? 1
                                  : channel.target == Channel::Target::rotation ? 4
                                                                                : 3;
        std::vector<std::pair<int, std::size_t>> nodes{{channel.joint, 0}};
        if (channel.target == Channel::Target::weights) nodes = mesh_nodes_[channel.joint];
        if (nodes.empty()) return;
        const json sampler{{"input", input},
                           {"interpolation", to_string(channel.curve)},
                           {"output", buffer_.numbers(channel.values, type, width, Use::none)}};
        animation["samplers"].push_back(sampler);
        const std::size_t number = animation["samplers"].size() - 1;
        for (const auto& [node, morphs] : nodes) {
            if (channel.target == Channel::Target::weights && morphs != channel.width()) continue;
            animation["channels"].push_back(
                {{"sampler", number}, {"target", {{"node", node}, {"path", to_string(channel.target)}}}});
        }
    }

    std::string assembled() {
        const nlohmann::json provenance = nlohmann::json::parse(provenance_text(), nullptr, false);
        json extras{{"written_by", provenance.is_discarded() ? nlohmann::json(provenance_text()) : provenance}};
        if (!about_.empty()) extras["about"] = about_;
        json scene = json::object();
        if (!roots_.empty()) scene["nodes"] = roots_;
        if (kept_.contains("scene")) add_kept(scene, kept_["scene"]);
        json root{
            {"asset",
             {{"version", "2.0"}, {"generator", text("limber ", provenance_version())}, {"extras", std::move(extras)}}},
            {"scene", 0},
            {"scenes", json::array({scene})}};
        if (kept_.contains("asset")) add_kept(root["asset"], kept_["asset"]);
        const std::pair<const char*, const json*> lists[] = {{"nodes", &nodes_},
                                                             {"meshes", &meshes_},
                                                             {"skins", &skins_},
                                                             {"materials", &looks_.materials},
                                                             {"textures", &looks_.textures},
                                                             {"samplers", &looks_.samplers},
                                                             {"images", &looks_.images},
                                                             {"animations", &animations_},
                                                             {"accessors", &buffer_.accessors()},
                                                             {"bufferViews", &buffer_.views()}};
        for (const auto& [name, list] : lists)
            if (!list->empty()) root[name] = *list;
        for (const char* name : {"cameras", "extensions", "extras"})
            if (kept_.contains(name)) root[name] = kept_[name];
        name_extensions(root);
        if (!buffer_.data().empty()) root["buffers"] = json::array({{{"byteLength", buffer_.data().size()}}});

        std::string words = root.dump(-1, ' ', false, json::error_handler_t::replace);
        words.resize((words.size() + 3) / 4 * 4, ' ');
        const std::size_t total = 12 + 8 + words.size() + (buffer_.data().empty() ? 0 : 8 + buffer_.data().size());
        if (total > std::numeric_limits<std::uint32_t>::max()) {
            throw Error(Fault::unsupported, {path_, 0, {}}, text("not written: a GLB file of ", total, " bytes"),
                        "less than 4 GiB: fewer frames or targets");
        }
        std::string out = "glTF";
        const auto put = [&](std::size_t v) {
            const auto small = static_cast<std::uint32_t>(v);
            out.append(reinterpret_cast<const char*>(&small), 4);
        };
        put(2);
        put(total);
        put(words.size());
        out += "JSON";
        out += words;
        if (!buffer_.data().empty()) {
            put(buffer_.data().size());
            out.append("BIN\0", 4);
            out += buffer_.data();
        }
        return out;
    }
    static std::string provenance_version() { return provenance().version; }

    /// Those that occur: quantized numbers, for one, are written as floats. What the file could not be shown without,
    /// stays so.
    void name_extensions(json& root) const {
        const std::vector<std::string> used = extensions_in(root);
        if (used.empty()) return;
        root["extensionsUsed"] = used;
        json required = json::array();
        if (kept_.contains("extensionsRequired")) {
            for (const json& name : kept_["extensionsRequired"]) {
                if (name.is_string() && std::find(used.begin(), used.end(), name.get<std::string>()) != used.end())
                    required.push_back(name);
            }
        }
        if (!required.empty()) root["extensionsRequired"] = std::move(required);
    }

    const Rig& rig_;
    const std::string& path_;
    const std::string& about_;
    GltfBuffer buffer_;
    json kept_, nodes_ = json::array(), roots_ = json::array(), meshes_ = json::array(), skins_ = json::array(),
                animations_ = json::array();
    GltfLooksJson looks_;
    std::vector<bool> elsewhere_;  ///< by joint: a root that is in no scene
    std::map<std::int32_t, std::vector<std::pair<int, std::size_t>>>
        mesh_nodes_;  ///< by joint: nodes whose meshes have morphs, and how many
};
}  // namespace

std::string format_glb(const Rig& rig, const std::string& path, const std::string& about) {
    return GlbWriter(rig, path, about).write();
}
void write_glb(const std::string& path, const Rig& rig, const std::string& about) {
    write_file(path, format_glb(rig, path, about));
}

}  // namespace limber
