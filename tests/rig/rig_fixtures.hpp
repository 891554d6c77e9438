// A small rig made in memory: a chain with turns, scales and offsets, a skinned tube and every kind of curve.
#pragma once

#include <limber/tools/rig.hpp>

#include <cmath>
#include <cstdint>

namespace limber::testing_body {

/// Numbers in [-1, 1], the same everywhere.
class Wobble {
public:
    explicit Wobble(std::uint64_t seed) : state_(seed) {}
    double next() {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<double>(state_ >> 11) / 4503599627370496.0 - 1.0;
    }
    Vec3 vec() { return {next(), next(), next()}; }
    Quat quat() { return normalized({next() + 1.5, next(), next(), next()}); }

private:
    std::uint64_t state_;
};

/// Joints 0-1-2-3 in a chain, 4 beside 1; part 0 skinned to all with up to 8 influences, part 1 rigid on joint 2 with a
/// morph.
inline Rig sample_rig() {
    Wobble w(7);
    Rig rig;
    rig.source = "sample";
    const char* names[] = {"Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "Tail"};
    const std::int32_t parents[] = {-1, 0, 1, 2, 0};
    for (std::size_t j = 0; j < 5; ++j)
        rig.joints.push_back({names[j], parents[j], {w.vec(), w.quat(), Vec3{1.1, 0.9, 1.2} + w.vec() * 0.1}});
    rig.bindings.push_back(bind_at_rest(rig));
    SkinPart tube;
    tube.name = "tube";
    tube.binding = 0;
    for (int i = 0; i < 40; ++i) {
        tube.positions.push_back(w.vec());
        tube.normals.push_back(w.vec() / 2.0 + Vec3{0, 1, 0});
        Influences v;
        double sum = 0.0;
        for (std::size_t k = 0; k < Influences::kMost; ++k) sum += v.weight[k] = std::abs(w.next());
        for (std::size_t k = 0; k < Influences::kMost; ++k) {
            v.weight[k] /= sum;
            v.joint[k] = static_cast<std::int32_t>(k % 5);
        }
        tube.influences.push_back(v);
    }
    for (std::int32_t i = 0; i + 2 < 40; ++i) tube.triangles.push_back({i, i + 1, i + 2});
    SkinPart knob;
    knob.name = "knob";
    knob.joint = 2;
    knob.positions = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}};
    knob.triangles = {{0, 1, 2}};
    knob.morphs.push_back({"swell", {{0, 0, 0.2}, {0, 0.1, 0}, {0.3, 0, 0}}, {}, 0.25});
    rig.parts = {tube, knob};
    return rig;
}

/// Keys at 0, 0.3, 0.5, 1.1 s with random values; quaternion keys of alternating sign, as exporters write them.
inline Channel sample_channel(std::int32_t joint, Channel::Target target, Channel::Curve curve, std::uint64_t seed,
                              std::size_t width) {
    Wobble w(seed);
    Channel c;
    c.joint = joint;
    c.target = target;
    c.curve = curve;
    c.times = {0.0, 0.3, 0.5, 1.1};
    const std::size_t per_key = curve == Channel::Curve::cubic ? 3 : 1;
    for (std::size_t k = 0; k < c.times.size() * per_key; ++k) {
        const bool value = per_key == 1 || k % 3 == 1;
        const Quat q = w.quat();
        const double sign = (k / per_key) % 2 ? -1.0 : 1.0;
        for (std::size_t i = 0; i < width; ++i) {
            const double quat[] = {q.x, q.y, q.z, q.w};
            c.values.push_back(target == Channel::Target::rotation && value && curve != Channel::Curve::cubic
                                   ? sign * quat[i]
                               : target == Channel::Target::rotation && value ? quat[i]
                               : target == Channel::Target::scale && value    ? 1.0 + 0.3 * w.next()
                                                                              : w.next());
        }
    }
    return c;
}

/// Every kind of curve on every kind of target, spread over the joints.
inline Clip sample_clip(const Rig& rig) {
    using T = Channel::Target;
    using C = Channel::Curve;
    Clip clip{"all", {}, 1.1};
    std::uint64_t seed = 100;
    const C curves[] = {C::linear, C::cubic, C::step, C::linear, C::cubic};
    for (std::int32_t j = 0; j < static_cast<std::int32_t>(rig.joints.size()); ++j) {
        clip.channels.push_back(sample_channel(j, T::translation, curves[(j + 1) % 5], ++seed, 3));
        clip.channels.push_back(sample_channel(j, T::rotation, curves[j], ++seed, 4));
        clip.channels.push_back(sample_channel(j, T::scale, curves[(j + 2) % 5], ++seed, 3));
    }
    clip.channels.push_back(sample_channel(2, T::weights, C::cubic, ++seed, 1));
    return clip;
}

inline double difference(const Affine& a, const Affine& b) {
    double d = norm(a.translation - b.translation);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) d = std::max(d, std::abs(a.linear(i, j) - b.linear(i, j)));
    return d;
}

}  // namespace limber::testing_body
