// The promises of rig.hpp, checked one by one; the first that is broken is named.
#include "core/text.hpp"

#include <limber/error.hpp>
#include <limber/tools/rig.hpp>

#include <cmath>

namespace limber {
namespace {

class Checker {
public:
    explicit Checker(const Rig& rig) : rig_(rig), morphs_(rig.joints.size(), kUnknown) {}

    void run() {
        for (std::size_t j = 0; j < rig_.joints.size(); ++j) check_joint(j);
        for (std::size_t b = 0; b < rig_.bindings.size(); ++b) check_binding(b);
        for (std::size_t p = 0; p < rig_.parts.size(); ++p) check_part(text("/parts/", p), rig_.parts[p]);
        for (std::size_t m = 0; m < rig_.materials.size(); ++m) {
            const MaterialLook& look = rig_.materials[m];
            for (const PictureUse* use :
                 {&look.base_map, &look.normal_map, &look.metal_rough_map, &look.occlusion_map, &look.emissive_map}) {
                index(text("/materials/", m), use->picture, rig_.pictures.size(), "picture");
            }
        }
        for (std::size_t c = 0; c < rig_.clips.size(); ++c) {
            for (std::size_t k = 0; k < rig_.clips[c].channels.size(); ++k)
                check_channel(text("/clips/", c, "/channels/", k), rig_.clips[c], rig_.clips[c].channels[k]);
        }
    }

private:
    void demand(bool holds, const std::string& where, const std::string& found,
                const std::string& expected = {}) const {
        if (!holds) throw Error(Fault::bad_data, {rig_.source, 0, where}, found, expected);
    }
    /// -1 (none) or below the count.
    void index(const std::string& where, std::int32_t i, std::size_t count, const char* what) const {
        demand(i >= -1 && (i < 0 || static_cast<std::size_t>(i) < count), where, text("names ", what, " ", i),
               text("-1 or below ", count));
    }
    void length(const std::string& where, std::size_t n, std::size_t expected, bool may_be_empty,
                const char* what) const {
        demand(n == expected || (may_be_empty && n == 0), where, text("has ", n, " ", what),
               text(expected, may_be_empty ? " or none" : ""));
    }
    void finite(const std::string& where, const std::vector<Vec3>& values, const char* what) const {
        for (std::size_t i = 0; i < values.size(); ++i)
            demand(is_finite(values[i]), where, text("entry ", i, " of the ", what, " is not finite"));
    }

    void check_joint(std::size_t j) const {
        const Joint& joint = rig_.joints[j];
        const std::string where = text("/joints/", j);
        demand(joint.parent >= -1 && joint.parent < static_cast<std::int32_t>(j), where,
               text("its parent is ", joint.parent), "-1 or a joint before it");
        const Quat& q = joint.rest.rotation;
        demand(is_finite(joint.rest.translation) && is_finite(joint.rest.scale), where, "its rest place is not finite");
        demand(std::isfinite(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z), where, "its rest rotation is not finite");
    }

    void check_binding(std::size_t b) const {
        const SkinBinding& binding = rig_.bindings[b];
        const std::string where = text("/bindings/", b);
        length(where, binding.inverse_bind.size(), binding.joints.size(), false, "inverse bind matrices");
        for (const std::int32_t j : binding.joints) {
            demand(j >= 0 && static_cast<std::size_t>(j) < rig_.joints.size(), where, text("names joint ", j),
                   text("below ", rig_.joints.size()));
        }
        for (const Affine& a : binding.inverse_bind) {
            for (int i = 0; i < 3; ++i) {
                demand(is_finite(Vec3{a.linear(i, 0), a.linear(i, 1), a.linear(i, 2)}) && is_finite(a.translation),
                       where, "an inverse bind matrix is not finite");
            }
        }
    }

    void check_part(const std::string& where, const SkinPart& part) {
        const std::size_t n = part.positions.size();
        index(where, part.binding, rig_.bindings.size(), "binding");
        index(where, part.joint, rig_.joints.size(), "joint");
        index(where, part.material, rig_.materials.size(), "material");
        length(where, part.normals.size(), n, true, "normals");
        length(where, part.uvs.size(), n, true, "texture coordinates");
        length(where, part.influences.size(), n, part.binding < 0, "influences");
        finite(where, part.positions, "positions");
        finite(where, part.normals, "normals");
        for (const auto& triangle : part.triangles) {
            for (const std::int32_t v : triangle) {
                demand(v >= 0 && static_cast<std::size_t>(v) < n, where, text("a triangle names vertex ", v),
                       text("below ", n));
            }
        }
        for (const Paint& paint : part.paint) length(where, paint.values.size(), n, false, "painted values");
        for (const VertexNumbers& a : part.attributes) {
            demand(a.width >= 1 && a.width <= 4, where,
                   text("the attribute '", a.name, "' has ", a.width, " numbers per vertex"), "1 to 4");
            length(where, a.values.size(), a.width * n, false, "numbers of an attribute");
        }
        for (const Morph& morph : part.morphs) {
            length(where, morph.positions.size(), n, false, "morph positions");
            length(where, morph.normals.size(), n, true, "morph normals");
            finite(where, morph.positions, "morph positions");
        }
        if (part.binding >= 0) check_weights(where, part);
        if (part.joint < 0) return;
        std::size_t& morphs = morphs_[static_cast<std::size_t>(part.joint)];
        if (morphs == kUnknown) morphs = part.morphs.size();
        length(where, part.morphs.size(), morphs, false, "morphs");  // the parts of one node share its weights
    }

    void check_weights(const std::string& where, const SkinPart& part) const {
        const std::size_t joints = rig_.bindings[static_cast<std::size_t>(part.binding)].joints.size();
        for (std::size_t v = 0; v < part.influences.size(); ++v) {
            double sum = 0.0;
            for (std::size_t k = 0; k < Influences::kMost; ++k) {
                const std::int32_t j = part.influences[v].joint[k];
                demand(j >= 0 && static_cast<std::size_t>(j) < joints, where,
                       text("vertex ", v, " names joint ", j, " of its binding"), text("below ", joints));
                sum += part.influences[v].weight[k];
            }
            demand(std::abs(sum - 1.0) < 1e-6, where, text("the weights of vertex ", v, " sum to ", sum), "1");
        }
    }

    void check_channel(const std::string& where, const Clip& clip, const Channel& channel) const {
        demand(channel.joint >= 0 && static_cast<std::size_t>(channel.joint) < rig_.joints.size(), where,
               text("moves joint ", channel.joint), text("below ", rig_.joints.size()));
        demand(!channel.times.empty(), where, "has no keys", "one or more");
        for (std::size_t k = 0; k < channel.times.size(); ++k) {
            demand(std::isfinite(channel.times[k]) && (k == 0 || channel.times[k] > channel.times[k - 1]), where,
                   text("the time of key ", k, " is ", channel.times[k]), "ascending times");
            demand(channel.times[k] <= clip.duration, where, text("the time of key ", k, " is ", channel.times[k]),
                   text("times within the clip's ", clip.duration, " s"));
        }
        const std::size_t per_key = channel.curve == Channel::Curve::cubic ? 3 : 1;
        length(where, channel.values.size(), channel.times.size() * per_key * channel.width(), false, "values");
        for (const double v : channel.values) demand(std::isfinite(v), where, "a value is not finite");
        if (channel.target != Channel::Target::weights) return;
        const std::size_t morphs = morphs_[static_cast<std::size_t>(channel.joint)];
        if (morphs != kUnknown) length(where, channel.width(), morphs, false, "weights per key");
    }

    static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);
    const Rig& rig_;
    std::vector<std::size_t> morphs_;  ///< of the parts that each joint holds
};

}  // namespace

void check_rig(const Rig& rig) { Checker(rig).run(); }

std::vector<std::string> missing_pictures(std::span<const Picture> pictures) {
    std::vector<std::string> out;
    for (const Picture& picture : pictures) {
        if (picture.bytes.empty()) {
            out.push_back(text("a picture is missing: ",
                               picture.problem.empty() ? text("'", picture.name, "' is empty") : picture.problem));
        }
    }
    return out;
}

}  // namespace limber
