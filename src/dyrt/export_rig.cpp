// A character with its oscillators as morph targets. Flesh is cut out along whole triangles: vertices of the cut are in both meshes and move in neither.
#include "dyrt/export_choice.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace limber {
namespace {

using Client = DyrtExport::Client;
constexpr std::size_t kSureAttributes = 8;      // morphed ones that every glTF client should take [glTF 2.0, 3.7.2.2]

struct ClientWords {
    Client client;
    const char* name;
    double rate;        // keys: Unreal and Godot resample at 30 by default
    bool normals;       // Blender takes none from targets
};
constexpr ClientWords kClients[] = {{Client::any, "any", 60.0, false}, {Client::three, "three", 60.0, true}, {Client::blender, "blender", 60.0, false},
                                    {Client::unreal, "unreal", 30.0, true}, {Client::godot, "godot", 30.0, true}};

const ClientWords& words_of(Client client) { return kClients[static_cast<std::size_t>(client)]; }

using Parts = std::vector<std::size_t>;         // flesh parts, ascending

/// Triangles of one source part that the same flesh parts move.
struct Piece {
    std::size_t source = 0;
    Parts moved_by;
    std::vector<std::size_t> triangles;
    std::int32_t node = -1;                     ///< into Exporter::nodes_; -1 = stays where it was
};

/// One list of weights.
struct Node {
    std::int32_t joint = 0;
    Parts moved_by;
    std::size_t source = 0;                     ///< a source part whose own morphs it has
    std::size_t own = 0;                        ///< how many those are
    bool own_normals = false;
};

struct Target {
    std::size_t part = 0, oscillator = 0;
    double sign = 1.0;
    bool one_sided = false;
};

template <class T>
std::vector<T> picked(const std::vector<T>& from, const std::vector<std::int32_t>& which) {
    std::vector<T> out;
    if (from.empty()) return out;
    for (const std::int32_t i : which) out.push_back(from[static_cast<std::size_t>(i)]);
    return out;
}

bool has_normals(const SkinPart& part) {
    return !part.normals.empty() && std::any_of(part.morphs.begin(), part.morphs.end(), [](const Morph& m) { return !m.normals.empty(); });
}

class Exporter {
public:
    Exporter(const Rig& rig, std::span<const DyrtPart> parts, std::span<const std::vector<DyrtTrack>> tracks, const DyrtExport& settings)
        : rig_(rig), parts_(parts), tracks_(tracks), settings_(settings) {}

    DyrtExported run() {
        check();
        out_.rig = rig_;
        find_touched();
        cut();
        for (Piece& piece : pieces_) settle(piece);
        find_scales();
        choose();
        out_.rig.parts.clear();
        for (const Piece& piece : pieces_) add_part(piece);
        for (std::size_t c = 0; c < rig_.clips.size(); ++c) animate(c);
        return std::move(out_);
    }

private:
    void check() const {
        if (!tracks_.empty() && tracks_.size() != rig_.clips.size()) throw Error(Fault::bad_usage, {rig_.source, 0, {}}, text(tracks_.size(), " lists of tracks"), text("one per clip: ", rig_.clips.size()));
        for (const std::vector<DyrtTrack>& t : tracks_)
            if (!t.empty() && t.size() != parts_.size()) throw Error(Fault::bad_usage, {rig_.source, 0, {}}, text(t.size(), " tracks of a clip"), text("one per part: ", parts_.size()));
    }

    /// Per source part and vertex: the flesh parts that have it, and as their how manieth.
    void find_touched() {
        for (const SkinPart& p : rig_.parts) touched_.emplace_back(p.positions.size());
        for (std::size_t p = 0; p < parts_.size(); ++p)
            for (std::size_t i = 0; i < parts_[p].vertices.size(); ++i) {
                const DyrtVertex& v = parts_[p].vertices[i];
                touched_[static_cast<std::size_t>(v.part)][static_cast<std::size_t>(v.vertex)].emplace_back(p, i);
            }
    }

    Parts movers(std::size_t source, const std::array<std::int32_t, 3>& triangle) const {
        std::set<std::size_t> all;
        for (const std::int32_t c : triangle)
            for (const auto& [part, index] : touched_[source][static_cast<std::size_t>(c)]) all.insert(part);
        return {all.begin(), all.end()};
    }

    /// Unsplit, all parts of a node share its weights: they have the targets of all.
    Parts movers_of_node(std::size_t source) const {
        std::set<std::size_t> all;
        for (std::size_t s = 0; s < rig_.parts.size(); ++s) {
            if (s != source && (rig_.parts[s].joint < 0 || rig_.parts[s].joint != rig_.parts[source].joint)) continue;
            for (const auto& vertex : touched_[s])
                for (const auto& [part, index] : vertex) all.insert(part);
        }
        return {all.begin(), all.end()};
    }

    void cut() {
        for (std::size_t s = 0; s < rig_.parts.size(); ++s) {
            const std::vector<std::array<std::int32_t, 3>>& triangles = rig_.parts[s].triangles;
            std::map<Parts, std::vector<std::size_t>> groups;
            const Parts whole = settings_.whole ? movers_of_node(s) : Parts{};
            for (std::size_t t = 0; t < triangles.size(); ++t) groups[settings_.whole ? whole : movers(s, triangles[t])].push_back(t);
            for (auto& [moved_by, list] : groups) pieces_.push_back({s, moved_by, std::move(list), -1});
        }
    }

    /// The node that will hold a piece: moved ones share it with others that the same parts move.
    void settle(Piece& piece) {
        if (piece.moved_by.empty()) return;
        const SkinPart& part = rig_.parts[piece.source];
        const bool stays = settings_.whole && part.joint >= 0;
        const auto key = std::tuple{stays ? Parts{} : piece.moved_by, stays ? -2 : part.binding, part.joint, stays ? std::size_t{0} : part.morphs.size(), stays || has_normals(part)};
        const auto [found, fresh] = known_.emplace(key, static_cast<std::int32_t>(nodes_.size()));
        piece.node = found->second;
        if (!fresh) return;
        nodes_.push_back({stays ? part.joint : new_joint(piece), piece.moved_by, piece.source, part.morphs.size(), has_normals(part)});
    }

    std::int32_t new_joint(const Piece& piece) {
        const SkinPart& part = rig_.parts[piece.source];
        Joint joint;
        joint.name = "flesh";
        for (const std::size_t p : piece.moved_by) joint.name += text(p == piece.moved_by.front() ? "_" : "_and_", parts_[p].name());
        const auto taken = [&](const std::string& name) { return std::any_of(out_.rig.joints.begin(), out_.rig.joints.end(), [&](const Joint& j) { return j.name == name; }); };
        const std::string plain = joint.name;
        for (int i = 2; taken(joint.name); ++i) joint.name = text(plain, "_", i);
        joint.parent = part.binding < 0 ? part.joint : -1;      // skinned meshes go where their bones go, whatever holds them
        out_.rig.joints.push_back(joint);
        return static_cast<std::int32_t>(out_.rig.joints.size()) - 1;
    }

    void find_scales() {
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            const std::size_t m = parts_[p].count();
            std::vector<double> scale(m, 0.0);
            for (const std::vector<DyrtTrack>& clip : tracks_)
                for (std::size_t i = 0; !clip.empty() && i < clip[p].amplitudes.size(); ++i) scale[i % m] = std::max(scale[i % m], std::abs(clip[p].amplitudes[i]));
            for (double& s : scale)
                if (!(s > 0.0)) s = 1.0;
            out_.scales.push_back(std::move(scale));
        }
    }

    /// Morphed attributes of a node when nothing is left out.
    std::size_t attributes(const Node& node, bool normals) const {
        std::size_t targets = node.own;
        for (const std::size_t p : node.moved_by) targets += parts_[p].count();
        return targets * (normals || node.own_normals ? 2 : 1);
    }

    void choose() {
        const bool limited = settings_.client == Client::any;
        const bool fits = std::all_of(nodes_.begin(), nodes_.end(), [&](const Node& n) { return attributes(n, true) <= kSureAttributes; });
        out_.normals = words_of(settings_.client).normals || (limited && fits);
        std::vector<TargetWorth> worth;
        for (std::size_t p = 0; p < parts_.size(); ++p) worth.emplace_back(parts_[p], p, tracks_);
        std::vector<TargetRoom> rooms;
        for (const Node& node : nodes_) {
            const std::size_t most = kSureAttributes / (out_.normals || node.own_normals ? 2 : 1);
            if (limited) rooms.push_back({node.moved_by, most > node.own ? most - node.own : 0});
        }
        out_.kept = choose_targets(parts_, worth, rooms);
        for (std::size_t p = 0; p < parts_.size(); ++p) out_.dropped.push_back(worth[p].lost(out_.kept[p]));
        for (const Node& node : nodes_) targets_.push_back(targets_of(node));
        tell();
    }

    std::vector<Target> targets_of(const Node& node) const {
        std::vector<Target> out;
        for (const std::size_t p : node.moved_by)
            for (std::size_t k = 0; k < parts_[p].count(); ++k) {
                if (!out_.kept[p][k]) continue;
                const bool split = settings_.client == Client::blender;
                out.push_back({p, k, 1.0, split});
                if (split) out.push_back({p, k, -1.0, true});
            }
        return out;
    }

    void tell() {
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            std::string names;
            for (std::size_t k = 0; k < parts_[p].count(); ++k)
                if (!out_.kept[p][k]) names += text(names.empty() ? "" : ", ", parts_[p].name(), ":", k);
            if (!names.empty()) out_.notes.push_back(text("left out of the GLB: ", names, " (", fmt::format("{:.2g}", 100.0 * out_.dropped[p]), " % of what ", parts_[p].name(), " does, relative_l2 over the clips); --for three, unreal or godot keeps them"));
            if (!parts_[p].rotations.empty()) out_.notes.push_back(text(parts_[p].name(), ": modal warping is for live use; morph targets add up straight"));
        }
        const bool any_normals = std::any_of(parts_.begin(), parts_.end(), [](const DyrtPart& p) { return std::any_of(p.corrected.begin(), p.corrected.end(), [](char c) { return c != 0; }); });
        if (!out_.normals && any_normals)
            out_.notes.push_back(settings_.client == Client::blender ? "left out of the GLB: normals of the targets; Blender makes its own" : "left out of the GLB: normals of the targets (eight morphed attributes are what every client takes); --for three, unreal or godot keeps them");
        for (std::size_t n = 0; settings_.client == Client::any && n < nodes_.size(); ++n) {
            const std::size_t count = (nodes_[n].own + targets_[n].size()) * (out_.normals || nodes_[n].own_normals ? 2 : 1);
            if (count > kSureAttributes) out_.notes.push_back(text("the mesh '", out_.rig.joints[static_cast<std::size_t>(nodes_[n].joint)].name, "' has ", count, " morphed attributes with those it had: not every client takes so many"));
        }
    }

    void add_part(const Piece& piece) {
        const SkinPart& from = rig_.parts[piece.source];
        std::vector<std::int32_t> number(from.positions.size(), -1), vertices;
        SkinPart part;
        for (const std::size_t t : piece.triangles)
            for (const std::int32_t c : from.triangles[t]) number[static_cast<std::size_t>(c)] = 0;
        for (std::size_t v = 0; v < number.size(); ++v)
            if (number[v] == 0 || settings_.whole) number[v] = static_cast<std::int32_t>(vertices.size()), vertices.push_back(static_cast<std::int32_t>(v));
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
        for (const Morph& m : from.morphs) part.morphs.push_back({m.name, picked(m.positions, vertices), picked(m.normals, vertices), m.weight});
        part.binding = from.binding;
        part.joint = from.joint;
        part.material = from.material;
        if (piece.node >= 0) add_targets(piece, vertices, part);
        out_.rig.parts.push_back(std::move(part));
        out_.source.push_back(static_cast<std::int32_t>(piece.source));
        out_.vertices.push_back(std::move(vertices));
    }

    void add_targets(const Piece& piece, const std::vector<std::int32_t>& vertices, SkinPart& part) {
        const Node& node = nodes_[static_cast<std::size_t>(piece.node)];
        part.joint = node.joint;
        if (!settings_.whole) part.name = out_.rig.joints[static_cast<std::size_t>(node.joint)].name;
        const bool normals = !part.normals.empty() && (out_.normals || node.own_normals);
        for (Morph& m : part.morphs)
            if (normals) m.normals.resize(vertices.size());
        for (const Target& t : targets_[static_cast<std::size_t>(piece.node)]) {
            const DyrtPart& flesh = parts_[t.part];
            Morph morph;
            morph.name = text(flesh.name(), ":", t.oscillator, !t.one_sided ? "" : t.sign > 0.0 ? "+" : "-");
            morph.positions.resize(vertices.size());
            if (normals) morph.normals.resize(vertices.size());
            const double factor = t.sign * out_.scales[t.part][t.oscillator];
            for (std::size_t i = 0; i < vertices.size(); ++i)
                for (const auto& [p, index] : touched_[piece.source][static_cast<std::size_t>(vertices[i])]) {
                    if (p != t.part) continue;
                    const std::size_t at = t.oscillator * flesh.vertices.size() + index;
                    morph.positions[i] = flesh.displacements[at] * factor;
                    if (normals && out_.normals) morph.normals[i] = flesh.corrections[at] * factor;
                }
            part.morphs.push_back(std::move(morph));
        }
    }

    static double weight(const Target& t, double amplitude_over_scale) {
        const double w = t.sign * std::clamp(amplitude_over_scale, -1.0, 1.0);      // rounding only
        return t.one_sided ? std::max(w, 0.0) : t.sign * w;
    }

    /// The curve that moves the source's own morphs in this clip.
    const Channel* own_curve(const Node& node, std::size_t clip) const {
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
            const auto holds = [&](const Piece& p) { return p.node < 0 && rig_.parts[p.source].joint == c.joint; };
            return std::none_of(pieces_.begin(), pieces_.end(), holds);
        });
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            const Channel* own = own_curve(nodes_[n], clip);
            if (!baked && !own) continue;
            Channel channel;
            channel.joint = nodes_[n].joint;
            channel.target = Channel::Target::weights;
            fill(channel, n, clip, own);
            channels.push_back(std::move(channel));
        }
    }

    void fill(Channel& channel, std::size_t n, std::size_t clip, const Channel* own) const {
        const Node& node = nodes_[n];
        const bool baked = clip < tracks_.size() && !tracks_[clip].empty();
        std::set<double> times;
        if (own) times.insert(own->times.begin(), own->times.end());
        const std::vector<double> frames = baked ? tracks_[clip][node.moved_by.front()].times : std::vector<double>{};
        times.insert(frames.begin(), frames.end());
        channel.times.assign(times.begin(), times.end());
        Pose pose;
        for (const double t : channel.times) {
            if (node.own > 0) {
                pose_at(rig_, clip, t, pose);
                const std::vector<double>& w = pose.weights[node.source];
                channel.values.insert(channel.values.end(), w.begin(), w.end());
            }
            for (const Target& target : targets_[n]) channel.values.push_back(baked ? weight(target, amplitude(target, tracks_[clip][target.part], t)) : 0.0);
        }
    }

    /// Over the scale; between frames along a straight line.
    double amplitude(const Target& target, const DyrtTrack& track, double time) const {
        const std::size_t m = parts_[target.part].count(), last = track.times.size() - 1;
        const auto value = [&](std::size_t frame) { return track.amplitudes[(track.looped && frame == last ? 0 : frame) * m + target.oscillator] / out_.scales[target.part][target.oscillator]; };
        const auto after = static_cast<std::size_t>(std::lower_bound(track.times.begin(), track.times.end(), time) - track.times.begin());
        if (after > last) return value(last);
        if (after == 0 || track.times[after] == time) return value(after);
        const double u = (time - track.times[after - 1]) / (track.times[after] - track.times[after - 1]);
        return (1.0 - u) * value(after - 1) + u * value(after);
    }

    const Rig& rig_;
    std::span<const DyrtPart> parts_;
    std::span<const std::vector<DyrtTrack>> tracks_;
    const DyrtExport settings_;
    DyrtExported out_;
    std::vector<std::vector<std::vector<std::pair<std::size_t, std::size_t>>>> touched_;
    std::vector<Piece> pieces_;
    std::vector<Node> nodes_;
    std::vector<std::vector<Target>> targets_;      ///< per node
    std::map<std::tuple<Parts, std::int32_t, std::int32_t, std::size_t, bool>, std::int32_t> known_;
};

}  // namespace

DyrtExport::Client parse_client(const std::string& name) {
    std::vector<std::string> names;
    for (const ClientWords& c : kClients) {
        if (name == c.name) return c.client;
        names.emplace_back(c.name);
    }
    throw Error(Fault::bad_usage, {"--for", 0, {}}, text("'", name, "'", suggestion(name, names)), "any, three, blender, unreal or godot");
}
const char* to_string(DyrtExport::Client client) { return words_of(client).name; }
double key_rate(DyrtExport::Client client) { return words_of(client).rate; }

DyrtExported dyrt_rig(const Rig& rig, std::span<const DyrtPart> parts, std::span<const std::vector<DyrtTrack>> tracks, const DyrtExport& settings) {
    return Exporter(rig, parts, tracks, settings).run();
}

}  // namespace limber
