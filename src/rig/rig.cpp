#include "core/spelling.hpp"
#include "core/text.hpp"

#include <limber/error.hpp>
#include <limber/tools/rig.hpp>

#include <algorithm>

namespace limber {

Affine to_affine(const Transform& transform) {
    Affine out{to_matrix(normalized(transform.rotation)), transform.translation};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out.linear(i, j) *= transform.scale[j];
    return out;
}

std::size_t Channel::width() const {
    if (target == Target::rotation) return 4;
    if (target != Target::weights) return 3;
    const std::size_t per_key = curve == Curve::cubic ? 3 : 1;
    return times.empty() ? 0 : values.size() / (times.size() * per_key);
}

const char* to_string(Channel::Target target) {
    switch (target) {
        case Channel::Target::translation: return "translation";
        case Channel::Target::rotation: return "rotation";
        case Channel::Target::scale: return "scale";
        case Channel::Target::weights: return "weights";
    }
    return "?";
}

const char* to_string(Channel::Curve curve) {
    switch (curve) {
        case Channel::Curve::linear: return "LINEAR";
        case Channel::Curve::step: return "STEP";
        case Channel::Curve::cubic: return "CUBICSPLINE";
    }
    return "?";
}

void scale_rig(Rig& rig, double factor) {
    for (Joint& joint : rig.joints) joint.rest.translation *= factor;
    for (SkinBinding& binding : rig.bindings)
        for (Affine& a : binding.inverse_bind) a.translation *= factor;
    for (SkinPart& part : rig.parts) {
        for (Vec3& p : part.positions) p *= factor;
        for (Morph& morph : part.morphs)
            for (Vec3& p : morph.positions) p *= factor;
    }
    for (Clip& clip : rig.clips) {
        for (Channel& channel : clip.channels) {
            if (channel.target == Channel::Target::translation)
                for (double& v : channel.values) v *= factor;
        }
    }
}

SkinBinding bind_at_rest(const Rig& rig) {
    SkinBinding binding;
    const Pose pose = rest_pose(rig);
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
        binding.joints.push_back(static_cast<std::int32_t>(j));
        binding.inverse_bind.push_back(inverse(pose.world[j]));
    }
    return binding;
}

std::size_t find_clip(const Rig& rig, const std::string& name) {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < rig.clips.size(); ++c) {
        if (!name.empty() && rig.clips[c].name == name) return c;
        names.push_back(rig.clips[c].name.empty() ? text(c) : rig.clips[c].name);
    }
    const bool digits = !name.empty() && name.size() < 10 &&
                        std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (digits && std::stoul(name) < rig.clips.size()) return std::stoul(name);
    std::string known;
    for (std::size_t c = 0; c < std::min<std::size_t>(names.size(), 8); ++c)
        known += (known.empty() ? "" : ", ") + names[c];
    throw Error(Fault::bad_usage, {rig.source, 0, {}}, text("no clip is named '", name, "'", suggestion(name, names)),
                names.empty()
                    ? "a rig with clips: this one has none"
                    : text("one of ", known, names.size() > 8 ? ", ..." : "", ", or an index below ", names.size()));
}

}  // namespace limber
