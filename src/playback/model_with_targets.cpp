// A glTF model whose skin rides on a body: what the run adds to it.
#include "playback/shown_rig.hpp"

#include "core/text.hpp"
#include "rig/skinning.hpp"

#include <algorithm>
#include <set>

namespace limber {

namespace {
using Field = std::vector<Vec3>;

Vec3 unit(const Vec3& v) {
    const double length = norm(v);
    return length > 0.0 ? v / length : v;
}

class TargetModelBuilder {
public:
    TargetModelBuilder(const ShownSurface& shown, const ShownTargets& targets, std::span<const double> times)
        : shown_(shown), targets_(targets), times_(times), rig_(*shown.rig()) {}

    Rig build() {
        if (targets_.positions.empty()) return std::move(rig_);
        const Pose pose = rest_pose(rig_);
        slots();
        std::vector<std::size_t> morphs_before;
        for (std::size_t p = 0, first = 0; p < rig_.parts.size(); ++p) {
            morphs_before.push_back(rig_.parts[p].morphs.size());
            add_targets(p, first, skin_matrices(rig_, p, pose));
            first += rig_.parts[p].positions.size();
        }
        add_clip(morphs_before);
        return std::move(rig_);
    }

private:
    /// The normal slot of each vertex; -1 for vertices of no triangle.
    void slots() {
        slot_.assign(shown_.surface().vertices.size(), -1);
        for (std::size_t c = 0; c < shown_.surface().faces.size(); ++c)
            slot_[static_cast<std::size_t>(shown_.surface().faces[c])] = shown_.normal_of_corner()[c];
        const Field still(slot_.size());
        rest_normals_ = shown_.normals(still);
    }

    void add_targets(std::size_t p, std::size_t first, const std::vector<Mat3>& to_world) {
        SkinPart& part = rig_.parts[p];
        const bool normals = part.normals.size() == part.positions.size();
        for (std::size_t k = 0; k < targets_.positions.size(); ++k) {
            Morph morph;
            morph.name = targets_.names[k];
            for (std::size_t v = 0; v < part.positions.size(); ++v) {
                // Where a skin's matrices cancel there is no way back: such a vertex stays.
                const bool singular = !(std::abs(determinant(to_world[v])) > 1e-12);
                morph.positions.push_back(singular ? Vec3{} : inverse(to_world[v]) * targets_.positions[k][first + v]);
                if (normals) morph.normals.push_back(normal_change(k, first + v, to_world[v], part.normals[v]));
            }
            part.morphs.push_back(std::move(morph));
        }
    }
    Vec3 normal_change(std::size_t target, std::size_t vertex, const Mat3& to_world, const Vec3& own) const {
        if (slot_[vertex] < 0) return {};
        const auto slot = static_cast<std::size_t>(slot_[vertex]);
        return unit(transpose(to_world) * (rest_normals_[slot] + targets_.normals[target][slot])) - unit(own);
    }

    // Weights of a node are one list: older clips get zeros for the new targets, the new clip the old targets' rest
    // weights.
    void add_clip(const std::vector<std::size_t>& before) {
        for (Clip& clip : rig_.clips)
            for (Channel& channel : clip.channels) widen(channel, before);
        Clip clip;
        clip.name = "run";
        clip.duration = times_.back();
        std::set<std::int32_t> done;
        for (std::size_t p = 0; p < rig_.parts.size(); ++p) {
            const SkinPart& part = rig_.parts[p];
            if (part.joint < 0 || !done.insert(part.joint).second) continue;
            Channel channel;
            channel.joint = part.joint;
            channel.target = Channel::Target::weights;
            channel.times.assign(times_.begin(), times_.end());
            for (const auto& w : targets_.weights) {
                for (std::size_t m = 0; m < before[p]; ++m) channel.values.push_back(part.morphs[m].weight);
                channel.values.insert(channel.values.end(), w.begin(), w.end());
            }
            clip.channels.push_back(std::move(channel));
        }
        rig_.clips.push_back(std::move(clip));
    }
    void widen(Channel& channel, const std::vector<std::size_t>& before) const {
        if (channel.target != Channel::Target::weights) return;
        const std::size_t width = channel.width();
        const auto part = std::find_if(rig_.parts.begin(), rig_.parts.end(),
                                       [&](const SkinPart& p) { return p.joint == channel.joint; });
        if (part == rig_.parts.end() || width == 0 ||
            before[static_cast<std::size_t>(part - rig_.parts.begin())] != width) {
            return;
        }
        std::vector<double> wider;
        for (std::size_t i = 0; i < channel.values.size(); i += width) {
            wider.insert(wider.end(), channel.values.begin() + static_cast<std::ptrdiff_t>(i),
                         channel.values.begin() + static_cast<std::ptrdiff_t>(i + width));
            wider.insert(wider.end(), targets_.positions.size(), 0.0);
        }
        channel.values = std::move(wider);
    }

    const ShownSurface& shown_;
    const ShownTargets& targets_;
    std::span<const double> times_;
    Rig rig_;
    std::vector<std::int32_t> slot_;
    Field rest_normals_;
};
}  // namespace

Rig model_with_targets(const ShownSurface& shown, const ShownTargets& targets, std::span<const double> times) {
    return TargetModelBuilder(shown, targets, times).build();
}

}  // namespace limber
