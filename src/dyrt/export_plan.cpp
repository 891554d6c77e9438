#include "dyrt/export_plan.hpp"

#include "core/text.hpp"
#include "dyrt/export_choice.hpp"
#include "geometry/triangles.hpp"
#include "geometry/weld.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace limber {
namespace {

constexpr double kNothing = 1e-20;  // [m]: an amplitude that is rounding; as a scale it would be no number of 32 bits

using Client = DyrtExport::Client;
constexpr double kSamePoint = 1e-7;  // of the character's size

bool has_normals(const SkinPart& part) {
    return !part.normals.empty() &&
           std::any_of(part.morphs.begin(), part.morphs.end(), [](const Morph& m) { return !m.normals.empty(); });
}

class Planner {
public:
    Planner(const Rig& rig, std::span<const DyrtPart> parts, std::span<const std::vector<DyrtTrack>> tracks,
            const DyrtExport& settings, DyrtExported& out)
        : rig_(rig), parts_(parts), tracks_(tracks), settings_(settings), out_(out) {}

    ExportPlan run() {
        find_scales();
        for (const DyrtPart& p : parts_) out_.still.emplace_back(p.vertices.size(), char{0});
        plan_all();
        return std::move(plan_);
    }

private:
    /// With normals where there is room for them; where parts that meet crowd each other out, whichever loses less:
    /// targets, or the motion of the vertices between them.
    void plan_all() {
        const bool limited = settings_.client == Client::any;
        out_.normals = limited || takes_normals(settings_.client);
        plan();
        if (!limited || parts_.empty()) return;
        const bool fits = std::all_of(plan_.nodes.begin(), plan_.nodes.end(),
                                      [&](const ExportNode& n) { return attributes(n, true) <= kSureAttributes; });
        if (fits) return;
        out_.normals = false;
        plan();
        const auto most = [&] { return *std::max_element(out_.dropped.begin(), out_.dropped.end()); };
        const double crowded = most();
        if (settings_.whole || crowded == 0.0 || !still_between()) return;
        plan();
        if (most() < crowded) return;
        for (std::vector<char>& part : out_.still) std::fill(part.begin(), part.end(), char{0});
        plan();
    }

    void plan() {
        out_.rig = rig_;
        plan_.touched.clear();
        plan_.pieces.clear();
        plan_.nodes.clear();
        known_.clear();
        plan_.targets.clear();
        find_touched();
        cut();
        for (ExportPiece& piece : plan_.pieces) settle(piece);
        choose();
    }

    /// Marks the vertices of triangles that several parts move, and all that lie at their places. False when there are
    /// none, or when parts overlap.
    bool still_between() {
        std::vector<Vec3> positions;
        std::vector<std::size_t> first;
        const Pose rest = rest_pose(rig_);
        for (std::size_t s = 0; s < rig_.parts.size(); ++s) {
            first.push_back(positions.size());
            positions.resize(positions.size() + rig_.parts[s].positions.size());
            skin(rig_, s, rest, std::span(positions).subspan(first.back()));
        }
        const std::vector<std::int32_t> welded = weld(positions, kSamePoint * box_of(positions).diagonal());
        std::vector<char> stilled(positions.size(), 0);
        bool any = false;
        for (const ExportPiece& piece : plan_.pieces) {
            for (const std::size_t t : piece.triangles) {
                for (const std::int32_t c : rig_.parts[piece.source].triangles[t]) {
                    if (piece.moved_by.size() < 2) continue;
                    if (plan_.touched[piece.source][static_cast<std::size_t>(c)].size() > 1) return false;
                    stilled[static_cast<std::size_t>(welded[first[piece.source] + static_cast<std::size_t>(c)])] = 1;
                    any = true;
                }
            }
        }
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            for (std::size_t i = 0; i < parts_[p].vertices.size(); ++i) {
                const DyrtVertex& v = parts_[p].vertices[i];
                out_.still[p][i] = stilled[static_cast<std::size_t>(
                    welded[first[static_cast<std::size_t>(v.part)] + static_cast<std::size_t>(v.vertex)])];
            }
        }
        return any;
    }

    /// Whether a part has anything to say about its vertex here: normals may not count.
    bool counts(std::size_t part, std::size_t index) const {
        const DyrtPart& p = parts_[part];
        if (out_.still[part][index]) return false;
        if (out_.normals) return true;
        for (std::size_t k = 0; k < p.count(); ++k)
            if (norm2(p.displacements[k * p.vertices.size() + index]) > 0.0) return true;
        return false;
    }

    /// Per source part and vertex: the flesh parts that have it, and as their how manieth.
    void find_touched() {
        for (const SkinPart& p : rig_.parts) plan_.touched.emplace_back(p.positions.size());
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            for (std::size_t i = 0; i < parts_[p].vertices.size(); ++i) {
                const DyrtVertex& v = parts_[p].vertices[i];
                if (counts(p, i)) {
                    plan_.touched[static_cast<std::size_t>(v.part)][static_cast<std::size_t>(v.vertex)].emplace_back(p,
                                                                                                                     i);
                }
            }
        }
    }

    ExportParts movers(std::size_t source, const std::array<std::int32_t, 3>& triangle) const {
        std::set<std::size_t> all;
        for (const std::int32_t c : triangle)
            for (const auto& [part, index] : plan_.touched[source][static_cast<std::size_t>(c)]) all.insert(part);
        return {all.begin(), all.end()};
    }

    /// Unsplit, all parts of a node share its weights: they have the targets of all.
    ExportParts movers_of_node(std::size_t source) const {
        std::set<std::size_t> all;
        for (std::size_t s = 0; s < rig_.parts.size(); ++s) {
            if (s != source && (rig_.parts[s].joint < 0 || rig_.parts[s].joint != rig_.parts[source].joint)) continue;
            for (const auto& vertex : plan_.touched[s])
                for (const auto& [part, index] : vertex) all.insert(part);
        }
        return {all.begin(), all.end()};
    }

    void cut() {
        for (std::size_t s = 0; s < rig_.parts.size(); ++s) {
            const std::vector<std::array<std::int32_t, 3>>& triangles = rig_.parts[s].triangles;
            std::map<ExportParts, std::vector<std::size_t>> groups;
            const ExportParts whole = settings_.whole ? movers_of_node(s) : ExportParts{};
            for (std::size_t t = 0; t < triangles.size(); ++t)
                groups[settings_.whole ? whole : movers(s, triangles[t])].push_back(t);
            for (auto& [moved_by, list] : groups) plan_.pieces.push_back({s, moved_by, std::move(list), -1});
        }
    }

    /// The node that will hold a piece: moved ones share it with others that the same parts move.
    void settle(ExportPiece& piece) {
        if (piece.moved_by.empty()) return;
        const SkinPart& part = rig_.parts[piece.source];
        const bool stays = settings_.whole && part.joint >= 0;
        const auto key = std::tuple{stays ? ExportParts{} : piece.moved_by, stays ? -2 : part.binding, part.joint,
                                    stays ? std::size_t{0} : part.morphs.size(), stays || has_normals(part)};
        const auto [found, fresh] = known_.emplace(key, static_cast<std::int32_t>(plan_.nodes.size()));
        piece.node = found->second;
        if (!fresh) return;
        plan_.nodes.push_back({stays ? part.joint : new_joint(piece), piece.moved_by, piece.source, part.morphs.size(),
                               has_normals(part)});
    }

    std::int32_t new_joint(const ExportPiece& piece) {
        const SkinPart& part = rig_.parts[piece.source];
        Joint joint;
        joint.name = "flesh";
        for (const std::size_t p : piece.moved_by)
            joint.name += text(p == piece.moved_by.front() ? "_" : "_and_", parts_[p].name());
        const auto taken = [&](const std::string& name) {
            return std::any_of(out_.rig.joints.begin(), out_.rig.joints.end(),
                               [&](const Joint& j) { return j.name == name; });
        };
        const std::string plain = joint.name;
        for (int i = 2; taken(joint.name); ++i) joint.name = text(plain, "_", i);
        joint.parent = part.binding < 0 ? part.joint
                                        : -1;  // skinned meshes go where their bones go, whatever holds them
        out_.rig.joints.push_back(joint);
        return static_cast<std::int32_t>(out_.rig.joints.size()) - 1;
    }

    void find_scales() {
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            const std::size_t m = parts_[p].count();
            std::vector<double> scale(m, 0.0);
            for (const std::vector<DyrtTrack>& clip : tracks_) {
                for (std::size_t i = 0; !clip.empty() && i < clip[p].amplitudes.size(); ++i)
                    scale[i % m] = std::max(scale[i % m], std::abs(clip[p].amplitudes[i]));
            }
            for (double& s : scale)
                if (!(s > kNothing)) s = 1.0;
            out_.scales.push_back(std::move(scale));
        }
    }

    /// Morphed attributes of a node when nothing is left out.
    std::size_t attributes(const ExportNode& node, bool normals) const {
        std::size_t targets = node.own;
        for (const std::size_t p : node.moved_by) targets += parts_[p].count();
        return targets * (normals || node.own_normals ? 2 : 1);
    }

    void choose() {
        const bool limited = settings_.client == Client::any;
        std::vector<TargetContribution> worth;
        for (std::size_t p = 0; p < parts_.size(); ++p) worth.emplace_back(parts_[p], p, tracks_, out_.still[p]);
        std::vector<TargetLimit> rooms;
        for (const ExportNode& node : plan_.nodes) {
            const std::size_t most = kSureAttributes / (out_.normals || node.own_normals ? 2 : 1);
            if (limited) rooms.push_back({node.moved_by, most > node.own ? most - node.own : 0});
        }
        out_.kept = choose_targets(parts_, worth, rooms);
        out_.dropped.clear();
        for (std::size_t p = 0; p < parts_.size(); ++p) out_.dropped.push_back(worth[p].lost(out_.kept[p]));
        for (const ExportNode& node : plan_.nodes) plan_.targets.push_back(targets_of(node));
    }

    std::vector<ExportTarget> targets_of(const ExportNode& node) const {
        std::vector<ExportTarget> out;
        for (const std::size_t p : node.moved_by) {
            for (std::size_t k = 0; k < parts_[p].count(); ++k) {
                if (!out_.kept[p][k]) continue;
                const bool split = settings_.client == Client::blender;
                out.push_back({p, k, 1.0, split});
                if (split) out.push_back({p, k, -1.0, true});
            }
        }
        return out;
    }

    const Rig& rig_;
    std::span<const DyrtPart> parts_;
    std::span<const std::vector<DyrtTrack>> tracks_;
    const DyrtExport settings_;
    DyrtExported& out_;
    ExportPlan plan_;
    std::map<std::tuple<ExportParts, std::int32_t, std::int32_t, std::size_t, bool>, std::int32_t> known_;
};

}  // namespace

ExportPlan plan_export(const Rig& rig, std::span<const DyrtPart> parts, std::span<const std::vector<DyrtTrack>> tracks,
                       const DyrtExport& settings, DyrtExported& out) {
    return Planner(rig, parts, tracks, settings, out).run();
}

}  // namespace limber
