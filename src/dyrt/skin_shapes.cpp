#include "dyrt/skin_shapes.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

Vec3 at(const double* shape, std::size_t vertex) {
    return {shape[3 * vertex], shape[3 * vertex + 1], shape[3 * vertex + 2]};
}

/// Half the curl at every vertex of the flesh: the mean over its cells by volume.
std::vector<Vec3> vertex_rotations(const Mesh& mesh, std::span<const Vec3> shape) {
    std::vector<Vec3> sum(mesh.vertices.size());
    std::vector<double> volume(mesh.vertices.size(), 0.0);
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        const auto corner = mesh.cell(c);
        const auto v = [&](std::size_t i) { return static_cast<std::size_t>(corner[i]); };
        const Vec3& o = mesh.vertices[v(0)];
        const Vec3 a = mesh.vertices[v(1)] - o, b = mesh.vertices[v(2)] - o, d = mesh.vertices[v(3)] - o;
        const double six = dot(a, cross(b, d));
        // curl u = sum of (gradient of each corner's weight) x (its displacement)
        const Vec3 ga = cross(b, d) / six, gb = cross(d, a) / six, gd = cross(a, b) / six;
        const Vec3& uo = shape[v(0)];
        const Vec3 half = (cross(ga, shape[v(1)] - uo) + cross(gb, shape[v(2)] - uo) + cross(gd, shape[v(3)] - uo)) *
                          0.5;
        for (std::size_t i = 0; i < 4; ++i) {
            sum[v(i)] += half * six;
            volume[v(i)] += six;
        }
    }
    for (std::size_t v = 0; v < sum.size(); ++v)
        if (volume[v] > 0.0) sum[v] = sum[v] / volume[v];
    return sum;
}

/// A field of the flesh's vertices carried to the whole skin, in the bind pose.
std::vector<Vec3> carried(const SkinGround& ground, const FleshPart& flesh, std::span<const Vec3> field) {
    std::vector<Vec3> out(ground.vertex_count());
    for (const FleshSkinVertex& s : flesh.skin) {
        Vec3 u;
        for (std::size_t i = 0; i < 4; ++i) u += field[static_cast<std::size_t>(s.corner[i])] * s.weight[i];
        out[ground.first_of(static_cast<std::size_t>(s.part)) + static_cast<std::size_t>(s.vertex)] = u * s.blend;
    }
    return out;
}

double longest(std::span<const Vec3> field) {
    double out = 0.0;
    for (const Vec3& x : field) out = std::max(out, norm(x));
    return out;
}

bool wants_normals(const DyrtSettings& settings, std::size_t oscillator) {
    return settings.normals.empty() || std::find(settings.normals.begin(), settings.normals.end(),
                                                 static_cast<int>(oscillator)) != settings.normals.end();
}

/// Moved vertices, and those beside them whose normals turn.
std::vector<std::size_t> touched(const SkinGround& ground, const FleshPart& flesh,
                                 const std::vector<std::vector<Vec3>>& turning) {
    std::vector<char> is(ground.vertex_count(), 0);
    for (const FleshSkinVertex& s : flesh.skin)
        is[ground.first_of(static_cast<std::size_t>(s.part)) + static_cast<std::size_t>(s.vertex)] = 1;
    for (const std::vector<Vec3>& t : turning) {
        for (std::size_t v = 0; v < t.size(); ++v)
            if (norm(t[v]) > 0.0) is[v] = 1;
    }
    std::vector<std::size_t> out;
    for (std::size_t v = 0; v < is.size(); ++v)
        if (is[v]) out.push_back(v);
    return out;
}

void scale_oscillator(DyrtPart& out, std::size_t k, double scale) {
    for (std::size_t c = 0; c < kDyrtDrives; ++c) out.transfer[k * kDyrtDrives + c] *= scale;
    const std::size_t m = out.count();
    if (out.coriolis.empty()) return;
    for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t j = 0; j < m; ++j) {
            out.coriolis[(a * m + k) * m + j] *= scale;
            out.coriolis[(a * m + j) * m + k] /= scale;
        }
    }
}

}  // namespace

void put_on_skin(const SkinGround& ground, const PartBasis& basis, const DyrtSettings& settings, DyrtPart& out) {
    const std::size_t m = out.count(), n = out.flesh.mesh.vertices.size();
    std::vector<std::vector<Vec3>> moved(m), turning(m), warped(m);
    out.shapes.resize(m * n);
    out.corrected.assign(m, 0);
    for (std::size_t k = 0; k < m; ++k) {
        const std::span<Vec3> shape(out.shapes.data() + k * n, n);
        for (std::size_t v = 0; v < n; ++v) shape[v] = at(basis.shape(k), v);
        moved[k] = carried(ground, out.flesh, shape);
        const double most = longest(moved[k]), scale = most > 0.0 ? most : longest(shape);
        for (Vec3& x : shape) x = x / scale;
        for (Vec3& x : moved[k]) x = x / scale;
        scale_oscillator(out, k, scale);
        out.corrected[k] = wants_normals(settings, k) ? 1 : 0;
        if (out.corrected[k]) turning[k] = ground.turning(moved[k]);
        if (settings.warp) warped[k] = carried(ground, out.flesh, vertex_rotations(out.flesh.mesh, shape));
    }
    const std::vector<std::size_t> list = touched(ground, out.flesh, turning);
    for (const std::size_t v : list) {
        const std::size_t p = ground.part_of(v), own = v - ground.first_of(p);
        const SkinPart& skin = ground.rig().parts[p];
        out.vertices.push_back({static_cast<std::int32_t>(p), static_cast<std::int32_t>(own), skin.positions[own],
                                skin.normals.empty() ? Vec3{} : unit(skin.normals[own])});
    }
    for (std::size_t k = 0; k < m; ++k) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            const std::size_t v = list[i];
            out.displacements.push_back(ground.to_own(v, moved[k][v]));
            out.corrections.push_back(
                out.corrected[k] ? cross(ground.turn_to_own(v, turning[k][v]), out.vertices[i].normal) : Vec3{});
            if (settings.warp) out.rotations.push_back(ground.turn_to_own(v, warped[k][v]));
        }
    }
}

}  // namespace limber
