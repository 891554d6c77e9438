#include "dyrt/live_model.hpp"

#include "core/text.hpp"
#include "dyrt/output.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

namespace limber {
namespace {

using nlohmann::json;
static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

class Blob {
public:
    template <class T>
    json put(const std::vector<T>& values) {
        bytes_.resize((bytes_.size() + 3) / 4 * 4, '\0');
        const std::size_t at = bytes_.size();
        bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
        return json::array({at, values.size()});
    }
    json floats(const std::vector<double>& values) {
        std::vector<float> out;
        out.reserve(values.size());
        for (const double v : values) out.push_back(narrow(v));
        return put(out);
    }
    json vectors(const std::vector<Vec3>& values) {
        std::vector<float> out;
        out.reserve(3 * values.size());
        for (const Vec3& v : values)
            for (int i = 0; i < 3; ++i) out.push_back(narrow(v[i]));
        return put(out);
    }
    std::string take() { return std::move(bytes_); }

private:
    static float narrow(double v) {
        if (!(std::abs(v) <= std::numeric_limits<float>::max()))
            throw Error(Fault::unsupported, {"live page", 0, {}}, text("the number ", v), "one that fits into 32 bits");
        return static_cast<float>(v);
    }
    std::string bytes_;
};

json list_of(const Vec3& v) { return json::array({v.x, v.y, v.z}); }

class Maker {
public:
    Maker(const DyrtCharacter& c, const DyrtCharacterSettings& settings) : c_(c), settings_(settings), rig_(*c.rig) {
        scale_rig(rig_, 1.0 / rig_.unit);
    }

    LiveModel run(const json& more) {
        json head = more;
        head["metres"] = rig_.unit;
        head["joints"] = joints();
        head["bindings"] = bindings();
        head["materials"] = materials();  // before the pictures: it says which of them are shown
        head["pictures"] = pictures();
        head["clips"] = clips();
        head["parts"] = parts();
        const std::optional<std::size_t> most = clip_with_most_motion(c_);
        const auto at = std::find(settings_.clips.begin(), settings_.clips.end(), most.value_or(0));
        head["liveliest"] = at == settings_.clips.end() ? 0 : at - settings_.clips.begin();
        return {head.dump(-1, ' ', false, json::error_handler_t::replace), blob_.take()};
    }

private:
    json joints() const {
        json out = json::array();
        for (const Joint& j : rig_.joints) {
            const Quat q = normalized(j.rest.rotation);
            out.push_back({{"name", j.name},
                           {"parent", j.parent},
                           {"t", list_of(j.rest.translation)},
                           {"r", json::array({q.x, q.y, q.z, q.w})},
                           {"s", list_of(j.rest.scale)}});
        }
        return out;
    }

    json bindings() {
        json out = json::array();
        for (const SkinBinding& b : rig_.bindings) {
            std::vector<double> inverse;
            for (const Affine& m : b.inverse_bind) {
                for (int column = 0; column < 4; ++column) {
                    for (int row = 0; row < 3; ++row)
                        inverse.push_back(column < 3 ? m.linear(row, column) : m.translation[row]);
                    inverse.push_back(column < 3 ? 0.0 : 1.0);
                }
            }
            out.push_back({{"joints", b.joints}, {"inverse", blob_.floats(inverse)}});
        }
        return out;
    }

    json materials() {
        json out = json::array();
        std::vector<char> used(rig_.materials.size(), 0);
        for (const SkinPart& part : rig_.parts)
            if (part.material >= 0) used[static_cast<std::size_t>(part.material)] = 1;
        for (std::size_t i = 0; i < rig_.materials.size(); ++i) {
            const MaterialLook& look = rig_.materials[i];
            const double smooth = 1.0 - look.roughness;
            const std::int32_t base = look.base_map.picture;
            const bool drawn = used[i] && base >= 0 && !rig_.pictures[static_cast<std::size_t>(base)].bytes.empty();
            const int picture = drawn ? shown_.emplace(base, static_cast<int>(shown_.size())).first->second : -1;
            out.push_back({{"colour", look.base_color},
                           {"picture", picture},
                           {"alpha", look.alpha},
                           {"cutoff", look.alpha_cutoff},
                           {"two_sided", look.double_sided},
                           {"gloss", 0.02 + 0.3 * smooth * smooth}});
        }
        return out;
    }

    json pictures() {
        std::vector<std::int32_t> order(shown_.size());
        for (const auto& [from, to] : shown_) order[static_cast<std::size_t>(to)] = from;
        json out = json::array();
        for (const std::int32_t i : order) {
            const Picture& p = rig_.pictures[static_cast<std::size_t>(i)];
            out.push_back({{"mime", p.mime}, {"bytes", blob_.put(p.bytes)}});
        }
        return out;
    }

    json clips() {
        json out = json::array();
        for (const std::size_t i : settings_.clips) {
            const Clip& clip = rig_.clips[i];
            const bool repeats = !c_.tracks[i].empty() && c_.tracks[i].front().looped;
            json moves = json::array(), channels = json::array();
            for (std::size_t p = 0; p < c_.parts.size(); ++p) moves.push_back(largest_motion(c_, p, i).world);
            std::map<std::vector<double>, json> times;  // curves with the same keys share them
            for (const Channel& k : clip.channels) {
                auto found = times.find(k.times);
                if (found == times.end()) found = times.emplace(k.times, blob_.floats(k.times)).first;
                channels.push_back({{"joint", k.joint},
                                    {"target", to_string(k.target)},
                                    {"curve", to_string(k.curve)},
                                    {"width", k.width()},
                                    {"times", found->second},
                                    {"values", blob_.floats(k.values)}});
            }
            out.push_back({{"name", clip_words(rig_, i)},
                           {"duration", clip.duration},
                           {"repeats", repeats},
                           {"why", repeats ? "" : loop_of(*c_.rig, i).why},
                           {"moves", moves},
                           {"channels", channels}});
        }
        return out;
    }

    json parts() {
        json out = json::array();
        for (const SkinPart& p : rig_.parts) {
            json part{{"name", p.name},
                      {"joint", p.joint},
                      {"binding", p.binding},
                      {"material", p.material},
                      {"positions", blob_.vectors(p.positions)}};
            if (!p.normals.empty()) part["normals"] = blob_.vectors(p.normals);
            if (!p.uvs.empty()) part["uvs"] = uvs(p);
            std::vector<std::uint32_t> corners;
            for (const auto& t : p.triangles) corners.insert(corners.end(), t.begin(), t.end());
            part["triangles"] = blob_.put(corners);
            if (p.binding >= 0 && !p.influences.empty()) add_influences(p, part);
            add_morphs(p, part);
            out.push_back(std::move(part));
        }
        return out;
    }

    json uvs(const SkinPart& p) {
        std::vector<double> flat;
        for (const auto& uv : p.uvs) flat.insert(flat.end(), uv.begin(), uv.end());
        return blob_.floats(flat);
    }

    void add_influences(const SkinPart& p, json& part) {
        const bool many = std::any_of(p.influences.begin(), p.influences.end(), [](const Influences& i) {
            return std::any_of(i.weight.begin() + 4, i.weight.end(), [](double w) { return w != 0.0; });
        });
        const std::size_t count = many ? 8 : 4;
        std::vector<std::uint16_t> joints;
        std::vector<double> weights;
        for (const Influences& i : p.influences) {
            for (std::size_t k = 0; k < count; ++k) {
                joints.push_back(static_cast<std::uint16_t>(i.weight[k] != 0.0 ? i.joint[k] : 0));
                weights.push_back(i.weight[k]);
            }
        }
        part["influences"] = count;
        part["joints"] = blob_.put(joints);
        part["weights"] = blob_.floats(weights);
    }

    /// Shapes that some clip or the rest pose brings out, and of those the vertices that they move.
    void add_morphs(const SkinPart& p, json& part) {
        std::vector<char> shown(p.morphs.size(), 0);
        std::vector<double> rest;
        for (const Morph& m : p.morphs) rest.push_back(m.weight);
        for (std::size_t k = 0; k < rest.size(); ++k) shown[k] = rest[k] != 0.0;
        for (const std::size_t clip : settings_.clips) {
            for (const Channel& c : rig_.clips[clip].channels) {
                for (std::size_t i = 0; c.target == Channel::Target::weights && c.joint == p.joint &&
                                        c.width() == rest.size() && i < c.values.size();
                     ++i) {
                    if (c.values[i] != 0.0) shown[i % rest.size()] = 1;
                }
            }
        }
        json morphs = json::array();
        for (std::size_t k = 0; k < p.morphs.size(); ++k) {
            if (!shown[k]) continue;
            const Morph& m = p.morphs[k];
            std::vector<std::uint32_t> vertices;
            std::vector<Vec3> positions, normals;
            for (std::size_t v = 0; v < m.positions.size(); ++v) {
                const bool turns = !m.normals.empty() && m.normals[v] != Vec3{};
                if (m.positions[v] == Vec3{} && !turns) continue;
                vertices.push_back(static_cast<std::uint32_t>(v));
                positions.push_back(m.positions[v]);
                if (!m.normals.empty()) normals.push_back(m.normals[v]);
            }
            json morph{{"index", k}, {"vertices", blob_.put(vertices)}, {"positions", blob_.vectors(positions)}};
            if (!m.normals.empty()) morph["normals"] = blob_.vectors(normals);
            morphs.push_back(std::move(morph));
        }
        part["rest_weights"] = rest;
        part["morphs"] = std::move(morphs);
    }

    const DyrtCharacter& c_;
    const DyrtCharacterSettings& settings_;
    Rig rig_;  ///< in the source's unit
    Blob blob_;
    std::map<std::int32_t, int> shown_;  ///< pictures of the rig that are shown: their numbers on the page
};

}  // namespace

LiveModel make_live_model(const DyrtCharacter& character, const DyrtCharacterSettings& settings, const json& more) {
    return Maker(character, settings).run(more);
}

}  // namespace limber
