// A character with its oscillators as morph targets. Flesh is cut out along whole triangles: vertices of the cut are in
// both meshes and move in neither.
#include "dyrt/export_keys.hpp"
#include "dyrt/export_plan.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace limber {
namespace {

using Client = DyrtExport::Client;

template <class T>
std::vector<T> picked(const std::vector<T>& from, const std::vector<std::int32_t>& which) {
    std::vector<T> out;
    if (from.empty()) return out;
    for (const std::int32_t i : which) out.push_back(from[static_cast<std::size_t>(i)]);
    return out;
}

VertexNumbers picked(const VertexNumbers& from, const std::vector<std::int32_t>& which) {
    VertexNumbers out{from.name, from.width, {}};
    out.values.reserve(from.width * which.size());
    for (const std::int32_t i : which) {
        for (std::size_t k = 0; k < from.width; ++k)
            out.values.push_back(from.values[from.width * static_cast<std::size_t>(i) + k]);
    }
    return out;
}

class Exporter {
public:
    Exporter(const Rig& rig, std::span<const DyrtPart> parts, std::span<const std::vector<DyrtTrack>> tracks,
             const DyrtExport& settings)
        : rig_(rig), parts_(parts), tracks_(tracks), settings_(settings) {}

    DyrtExported run() {
        check();
        plan_ = plan_export(rig_, parts_, tracks_, settings_, out_);
        tell();
        out_.rig.parts.clear();
        for (const ExportPiece& piece : plan_.pieces) add_part(piece);
        for (std::size_t c = 0; c < rig_.clips.size(); ++c) animate(c);
        return std::move(out_);
    }

private:
    void check() const {
        if (!tracks_.empty() && tracks_.size() != rig_.clips.size()) {
            throw Error(Fault::bad_usage, {rig_.source, 0, {}}, text(tracks_.size(), " lists of tracks"),
                        text("one per clip: ", rig_.clips.size()));
        }
        for (const std::vector<DyrtTrack>& t : tracks_) {
            if (!t.empty() && t.size() != parts_.size()) {
                throw Error(Fault::bad_usage, {rig_.source, 0, {}}, text(t.size(), " tracks of a clip"),
                            text("one per part: ", parts_.size()));
            }
        }
    }

    void tell() {
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            std::string names;
            for (std::size_t k = 0; k < parts_[p].count(); ++k)
                if (!out_.kept[p][k]) names += text(names.empty() ? "" : ", ", parts_[p].name(), ":", k);
            const auto still = std::count(out_.still[p].begin(), out_.still[p].end(), char{1});
            if (still > 0) {
                names += text(names.empty() ? "" : ", ", "the motion of ", still, " vertices", " of ", parts_[p].name(),
                              " where parts meet");
            }
            if (!names.empty()) {
                out_.notes.push_back(text(
                    "left out of the GLB: ", names, " (", plain_number(100.0 * out_.dropped[p], 2), " % of what ",
                    parts_[p].name(), " does, relative_l2 over the clips); --for three, unreal or godot keeps them"));
            }
            if (!parts_[p].rotations.empty()) {
                out_.notes.push_back(
                    text(parts_[p].name(), ": modal warping is for live use; morph targets add up straight"));
            }
        }
        const bool any_normals = std::any_of(parts_.begin(), parts_.end(), [](const DyrtPart& p) {
            return std::any_of(p.corrected.begin(), p.corrected.end(), [](char c) { return c != 0; });
        });
        if (!out_.normals && any_normals) {
            out_.notes.push_back(settings_.client == Client::blender
                                     ? "left out of the GLB: normals of the targets; Blender makes its own"
                                     : "left out of the GLB: normals of the targets (eight morphed attributes are what "
                                       "every client takes); --for three, unreal or godot keeps them");
        }
        const bool tangents = std::any_of(rig_.parts.begin(), rig_.parts.end(), [](const SkinPart& p) {
            return std::any_of(p.attributes.begin(), p.attributes.end(),
                               [](const VertexNumbers& a) { return a.name == "TANGENT"; });
        });
        if (tangents) {
            out_.notes.emplace_back(
                "tangents of normal maps turn with the bones; where flesh moves they stay as they are at rest");
        }
        for (const std::string& line : missing_pictures(rig_.pictures))
            out_.notes.push_back(text(line, "; the GLB names it as the file did"));
        for (std::size_t n = 0; settings_.client == Client::any && n < plan_.nodes.size(); ++n) {
            const std::size_t count = (plan_.nodes[n].own + plan_.targets[n].size()) *
                                      (out_.normals || plan_.nodes[n].own_normals ? 2 : 1);
            if (count > kSureAttributes) {
                out_.notes.push_back(
                    text("the mesh '", out_.rig.joints[static_cast<std::size_t>(plan_.nodes[n].joint)].name, "' has ",
                         count, " morphed attributes with those it had: not every client takes so many"));
            }
        }
    }

    void add_part(const ExportPiece& piece) {
        const SkinPart& from = rig_.parts[piece.source];
        std::vector<std::int32_t> number(from.positions.size(), -1), vertices;
        SkinPart part;
        for (const std::size_t t : piece.triangles)
            for (const std::int32_t c : from.triangles[t]) number[static_cast<std::size_t>(c)] = 0;
        for (std::size_t v = 0; v < number.size(); ++v) {
            if (number[v] == 0 || settings_.whole) {
                number[v] = static_cast<std::int32_t>(vertices.size());
                vertices.push_back(static_cast<std::int32_t>(v));
            }
        }
        for (const std::size_t t : piece.triangles) {
            std::array<std::int32_t, 3> corners{};
            for (std::size_t k = 0; k < 3; ++k) corners[k] = number[static_cast<std::size_t>(from.triangles[t][k])];
            part.triangles.push_back(corners);
        }
        part.name = from.name;
        part.positions = picked(from.positions, vertices);
        part.normals = picked(from.normals, vertices);
        part.uvs = picked(from.uvs, vertices);
        part.influences = picked(from.influences, vertices);
        for (const Paint& paint : from.paint) part.paint.push_back({paint.name, picked(paint.values, vertices)});
        for (const VertexNumbers& a : from.attributes) part.attributes.push_back(picked(a, vertices));
        for (const Morph& m : from.morphs)
            part.morphs.push_back({m.name, picked(m.positions, vertices), picked(m.normals, vertices), m.weight});
        part.binding = from.binding;
        part.joint = from.joint;
        part.material = from.material;
        part.kept = from.kept;
        if (piece.node >= 0) add_targets(piece, vertices, part);
        out_.rig.parts.push_back(std::move(part));
        out_.source.push_back(static_cast<std::int32_t>(piece.source));
        out_.vertices.push_back(std::move(vertices));
    }

    void add_targets(const ExportPiece& piece, const std::vector<std::int32_t>& vertices, SkinPart& part) {
        const ExportNode& node = plan_.nodes[static_cast<std::size_t>(piece.node)];
        part.joint = node.joint;
        if (!settings_.whole) part.name = out_.rig.joints[static_cast<std::size_t>(node.joint)].name;
        const bool normals = !part.normals.empty() && (out_.normals || node.own_normals);
        for (Morph& m : part.morphs)
            if (normals) m.normals.resize(vertices.size());
        for (const ExportTarget& t : plan_.targets[static_cast<std::size_t>(piece.node)]) {
            const DyrtPart& flesh = parts_[t.part];
            Morph morph;
            morph.name = text(flesh.name(), ":", t.oscillator, !t.one_sided ? "" : t.sign > 0.0 ? "+" : "-");
            morph.positions.resize(vertices.size());
            if (normals) morph.normals.resize(vertices.size());
            const double factor = t.sign * out_.scales[t.part][t.oscillator];
            for (std::size_t i = 0; i < vertices.size(); ++i) {
                for (const auto& [p, index] : plan_.touched[piece.source][static_cast<std::size_t>(vertices[i])]) {
                    if (p != t.part) continue;
                    const std::size_t at = t.oscillator * flesh.vertices.size() + index;
                    morph.positions[i] = flesh.displacements[at] * factor;
                    if (normals && out_.normals) morph.normals[i] = flesh.corrections[at] * factor;
                }
            }
            part.morphs.push_back(std::move(morph));
        }
    }

    static double weight(const ExportTarget& t, double amplitude_over_scale) {
        const double w = t.sign * std::clamp(amplitude_over_scale, -1.0, 1.0);  // rounding only
        return t.one_sided ? std::max(w, 0.0) : t.sign * w;
    }

    /// The curve that moves the source's own morphs in this clip.
    const Channel* own_curve(const ExportNode& node, std::size_t clip) const {
        const std::int32_t joint = rig_.parts[node.source].joint;
        for (const Channel& c : rig_.clips[clip].channels)
            if (c.target == Channel::Target::weights && c.joint == joint && node.own > 0) return &c;
        return nullptr;
    }

    void animate(std::size_t clip) {
        std::vector<Channel>& channels = out_.rig.clips[clip].channels;
        const bool baked = clip < tracks_.size() && !tracks_[clip].empty();
        // Curves of weights stay only where a mesh with those weights stays.
        std::erase_if(channels, [&](const Channel& c) {
            if (c.target != Channel::Target::weights) return false;
            const auto holds = [&](const ExportPiece& p) {
                return p.node < 0 && rig_.parts[p.source].joint == c.joint;
            };
            return std::none_of(plan_.pieces.begin(), plan_.pieces.end(), holds);
        });
        for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
            const Channel* own = own_curve(plan_.nodes[n], clip);
            if (!baked && !own) continue;
            std::vector<double> rest;
            for (std::size_t m = 0; m < plan_.nodes[n].own; ++m)
                rest.push_back(rig_.parts[plan_.nodes[n].source].morphs[m].weight);
            Channel channel = joined_weights(own, rest, flesh_of(n, clip));
            channel.joint = plan_.nodes[n].joint;
            channels.push_back(std::move(channel));
        }
    }

    FleshWeights flesh_of(std::size_t n, std::size_t clip) const {
        const std::vector<ExportTarget>& targets = plan_.targets[n];
        FleshWeights out;
        out.width = targets.size();
        if (clip >= tracks_.size() || tracks_[clip].empty()) return out;
        out.times = tracks_[clip][plan_.nodes[n].moved_by.front()].times;
        out.at_frame = [this, &targets, clip](std::size_t frame, std::span<double> weights) {
            for (std::size_t t = 0; t < targets.size(); ++t)
                weights[t] = weight(targets[t], amplitude(targets[t], tracks_[clip][targets[t].part], frame));
        };
        return out;
    }

    /// Over the scale.
    double amplitude(const ExportTarget& target, const DyrtTrack& track, std::size_t frame) const {
        const std::size_t m = parts_[target.part].count(), last = track.times.size() - 1;
        return track.amplitudes[(track.looped && frame == last ? 0 : frame) * m + target.oscillator] /
               out_.scales[target.part][target.oscillator];
    }

    const Rig& rig_;
    std::span<const DyrtPart> parts_;
    std::span<const std::vector<DyrtTrack>> tracks_;
    const DyrtExport settings_;
    DyrtExported out_;
    ExportPlan plan_;
};

}  // namespace

DyrtExported dyrt_rig(const Rig& rig, std::span<const DyrtPart> parts, std::span<const std::vector<DyrtTrack>> tracks,
                      const DyrtExport& settings) {
    return Exporter(rig, parts, tracks, settings).run();
}

}  // namespace limber
