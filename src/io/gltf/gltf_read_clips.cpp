// Animations: samplers and channels to curves.
#include "io/gltf/gltf_kept.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

/// False for what is not about a node's place or weights.
bool target_of(const GltfField& target, Channel::Target& out) {
    const std::string path = target["path"].needed().text();
    for (const Channel::Target t :
         {Channel::Target::translation, Channel::Target::rotation, Channel::Target::scale, Channel::Target::weights}) {
        if (path == to_string(t)) {
            out = t;
            return true;
        }
    }
    return false;
}

Channel::Curve curve_of(const GltfField& field) {
    const std::string name = field.text("LINEAR");
    for (const Channel::Curve c : {Channel::Curve::linear, Channel::Curve::step, Channel::Curve::cubic})
        if (name == to_string(c)) return c;
    field.fail(text("the interpolation '", name.substr(0, 20), "'"), "LINEAR, STEP or CUBICSPLINE");
}

/// Keys at the same time are a jump: the last of them counts.
void drop_repeated(GltfRead& in, const GltfField& input, Channel& channel) {
    const std::size_t per_key = channel.values.size() / channel.times.size();
    std::size_t kept = 0;
    for (std::size_t k = 0; k < channel.times.size(); ++k) {
        if (k > 0 && channel.times[k] < channel.times[k - 1]) {
            input.fail(text("the time of key ", k, " is ", channel.times[k], " after ", channel.times[k - 1]),
                       "ascending times", Fault::bad_mesh);
        }
        const bool again = kept > 0 && channel.times[kept - 1] == channel.times[k];
        if (again) in.note("keys at equal times: the last of each counts");
        const std::size_t to = again ? kept - 1 : kept++;
        channel.times[to] = channel.times[k];
        std::copy_n(channel.values.begin() + static_cast<std::ptrdiff_t>(k * per_key), per_key,
                    channel.values.begin() + static_cast<std::ptrdiff_t>(to * per_key));
    }
    channel.times.resize(kept);
    channel.values.resize(kept * per_key);
}

/// Rotations are unit quaternions: others are scaled and told, since a player may take them as they are. Keys of short
/// integers are off by a hundredth and stay.
void scale_rotations(GltfRead& in, const GltfField& output, Channel& channel) {
    constexpr double kOff = 0.02;
    const std::size_t per_key = channel.curve == Channel::Curve::cubic ? 12 : 4, first = per_key == 12 ? 4 : 0;
    for (std::size_t k = 0; k < channel.times.size(); ++k) {
        double* q = channel.values.data() + k * per_key + first;
        const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
        if (!(length > 1e-6))
            output.fail(text("key ", k, " is a rotation of length ", length), "unit quaternions", Fault::bad_mesh);
        if (std::abs(length - 1.0) <= kOff) continue;
        in.note("rotation keys that are no unit quaternions were scaled");
        for (std::size_t i = 0; i < 4; ++i) q[i] /= length;
    }
}

/// False when the channel moves nothing that is kept.
bool read_channel(GltfRead& in, const GltfField& animation, const GltfField& field,
                  const std::vector<std::size_t>& morph_counts, Channel& out) {
    const GltfField target = field["target"].needed(), samplers = animation["samplers"].needed();
    const GltfField sampler = samplers.at(static_cast<std::size_t>(field["sampler"].needed().index(samplers.size())));
    const std::int32_t node = target["node"].index(in.joint_of_node.size());
    if (node < 0 || !target_of(target, out.target)) {
        in.note("an animation channel that moves no node is left out");
        return false;
    }
    out.joint = in.joint_of_node[static_cast<std::size_t>(node)];
    out.curve = curve_of(sampler["interpolation"]);
    const GltfDocument::Numbers times = in.document.numbers(sampler["input"], "SCALAR");
    if (times.count == 0) sampler["input"].fail("a curve without keys", "one or more", Fault::bad_mesh);
    const bool weights = out.target == Channel::Target::weights, rotation = out.target == Channel::Target::rotation;
    const GltfDocument::Numbers values = in.document.numbers(sampler["output"], weights    ? "SCALAR"
                                                                                : rotation ? "VEC4"
                                                                                           : "VEC3");
    const std::size_t morphs = weights ? morph_counts[static_cast<std::size_t>(out.joint)] : 1;
    if (morphs == 0) {
        in.note("an animation channel for the weights of a node without morphs is left out");
        return false;
    }
    const std::size_t expected = times.count * (out.curve == Channel::Curve::cubic ? 3 : 1) * morphs;
    if (values.count != expected) {
        sampler["output"].fail(text(values.count, " values for ", counted(times.count, "key")), text(expected),
                               Fault::bad_mesh);
    }
    out.times = times.values;
    out.values = values.values;
    if (out.times.front() < 0.0) {
        sampler["input"].fail(text("the time of key 0 is ", out.times.front(), " s"), "times of 0 s and more",
                              Fault::bad_mesh);
    }
    drop_repeated(in, sampler["input"], out);
    if (rotation) scale_rotations(in, sampler["output"], out);
    return true;
}

}  // namespace

void read_gltf_clips(GltfRead& in) {
    const GltfField animations = in.document.list("animations");
    std::vector<std::size_t> morph_counts(in.rig.joints.size(), 0);
    for (const SkinPart& part : in.rig.parts) morph_counts[static_cast<std::size_t>(part.joint)] = part.morphs.size();
    for (std::size_t a = 0; a < animations.size(); ++a) {
        Clip clip;
        clip.name = animations.at(a)["name"].name();
        GltfKeeper keeper(in);
        keeper.keep_extras(animations.at(a), {});
        clip.kept = keeper.text(animations.at(a));
        const GltfField channels = animations.at(a)["channels"].needed();
        for (std::size_t c = 0; c < channels.size(); ++c) {
            in.document.spend_bytes(channels.at(c), 256);
            Channel channel;
            if (!read_channel(in, animations.at(a), channels.at(c), morph_counts, channel)) continue;
            clip.duration = std::max(clip.duration, channel.times.back());
            clip.channels.push_back(std::move(channel));
        }
        in.rig.clips.push_back(std::move(clip));
    }
}

}  // namespace limber
