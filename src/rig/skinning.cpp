// Linear blend skinning: each vertex goes by the weighted mean of its joints' matrices.
#include "rig/skinning.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>
#include <limber/tools/rig.hpp>

namespace limber {
namespace {

void add(Affine& sum, const Affine& a, double weight) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) sum.linear(i, j) += weight * a.linear(i, j);
    sum.translation += weight * a.translation;
}

/// By the inverse transpose: a squeezed surface tilts its normals the other way. The cofactors are that up to the
/// determinant, whose sign matters for mirrored joints.
Vec3 turned_normal(const Mat3& a, const Vec3& n) {
    const Vec3 r0{a(0, 0), a(0, 1), a(0, 2)}, r1{a(1, 0), a(1, 1), a(1, 2)}, r2{a(2, 0), a(2, 1), a(2, 2)};
    const Vec3 out{dot(cross(r1, r2), n), dot(cross(r2, r0), n), dot(cross(r0, r1), n)};
    const double length = norm(out);
    if (!(length > 0.0)) return n;
    return out * ((determinant(a) < 0.0 ? -1.0 : 1.0) / length);
}

Palette palette_of(const Rig& rig, const SkinPart& part, const Pose& pose) {
    if (part.binding >= 0) return palette_of(rig.bindings[static_cast<std::size_t>(part.binding)], pose);
    Palette out;
    if (part.joint >= 0) {
        out.add(pose, part.joint, {});
    } else {
        out.matrix.emplace_back();
        out.rate.push_back({{}, {}});
    }
    return out;
}

/// A vertex of the part with its morphs, before any joint moves it.
struct Shaped {
    Vec3 position, normal, velocity;
};

Shaped shaped(const SkinPart& part, std::size_t v, std::span<const double> weights, std::span<const double> rates) {
    Shaped out{part.positions[v], part.normals.empty() ? Vec3{} : part.normals[v], {}};
    for (std::size_t m = 0; m < part.morphs.size(); ++m) {
        out.position += weights[m] * part.morphs[m].positions[v];
        out.velocity += rates[m] * part.morphs[m].positions[v];
        if (!part.morphs[m].normals.empty()) out.normal += weights[m] * part.morphs[m].normals[v];
    }
    return out;
}

}  // namespace

void Palette::add(const Pose& pose, std::int32_t joint, const Affine& bind) {
    const auto j = static_cast<std::size_t>(joint);
    matrix.push_back(pose.world[j] * bind);
    // The rate of world * bind: the bind matrix is constant, and its translation only goes through the linear rate.
    const Affine& turning = pose.world_rate[j];
    rate.push_back({turning.linear * bind.linear, turning.linear * bind.translation + turning.translation});
}

Palette palette_of(const SkinBinding& binding, const Pose& pose) {
    Palette out;
    for (std::size_t i = 0; i < binding.joints.size(); ++i) out.add(pose, binding.joints[i], binding.inverse_bind[i]);
    return out;
}

Blended blend(const Palette& palette, const Influences& influences) {
    Blended out;
    for (std::size_t k = 0; k < Influences::kMost; ++k) {
        if (influences.weight[k] == 0.0) continue;
        const auto j = static_cast<std::size_t>(influences.joint[k]);
        add(out.matrix, palette.matrix[j], influences.weight[k]);
        add(out.rate, palette.rate[j], influences.weight[k]);
    }
    return out;
}

void skin(const Rig& rig, std::size_t index, const Pose& pose, std::span<Vec3> positions, std::span<Vec3> normals,
          std::span<Vec3> velocities) {
    const SkinPart& part = rig.parts[index];
    const std::size_t n = part.positions.size();
    if (!normals.empty() && part.normals.size() != n) {
        throw Error(Fault::bad_usage, {rig.source, 0, {}},
                    text("room for ", normals.size(), " normals, but this part of the skin has none of its own"),
                    "an empty span for the normals");
    }
    const bool fits = positions.size() == n && (normals.empty() || normals.size() == n) &&
                      (velocities.empty() || velocities.size() == n);
    if (!fits) {
        throw Error(Fault::bad_usage, {rig.source, 0, {}},
                    text("room for ", positions.size(), " positions, ", normals.size(), " normals and ",
                         velocities.size(), " velocities"),
                    text("one per vertex of the part, which has ", n));
    }
    const Palette palette = palette_of(rig, part, pose);
    for (std::size_t v = 0; v < n; ++v) {
        const Shaped s = shaped(part, v, pose.weights[index], pose.weight_rates[index]);
        const Blended b = part.binding >= 0 ? blend(palette, part.influences[v])
                                            : Blended{palette.matrix[0], palette.rate[0]};
        positions[v] = b.matrix * s.position;
        if (!normals.empty()) normals[v] = turned_normal(b.matrix.linear, s.normal);
        if (!velocities.empty()) velocities[v] = b.rate * s.position + b.matrix.linear * s.velocity;
    }
}

std::vector<Mat3> skin_matrices(const Rig& rig, std::size_t index, const Pose& pose) {
    const SkinPart& part = rig.parts[index];
    const Palette palette = palette_of(rig, part, pose);
    std::vector<Mat3> out(part.positions.size(), palette.matrix.empty() ? Mat3::identity() : palette.matrix[0].linear);
    for (std::size_t v = 0; part.binding >= 0 && v < out.size(); ++v)
        out[v] = blend(palette, part.influences[v]).matrix.linear;
    return out;
}

}  // namespace limber
