#include "dyrt/skin_shapes.hpp"

#include "geometry/triangles.hpp"
#include "geometry/weld.hpp"
#include "rig/skinning.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace limber {
namespace {

constexpr double kSameSpot = 1e-7;     // of the skin's size
constexpr double kSameNormal = 0.999;  // cosine: files round their normals

}  // namespace

SkinGround::SkinGround(const Rig& rig) : rig_(rig) {
    const Pose bind = bind_pose(rig);
    std::vector<Vec3> normals;
    for (std::size_t p = 0; p < rig.parts.size(); ++p) {
        const SkinPart& part = rig.parts[p];
        const std::size_t first = positions_.size();
        first_.push_back(first);
        positions_.resize(first + part.positions.size());
        skin(rig, p, bind, std::span(positions_).subspan(first));
        for (const auto& t : part.triangles) {
            triangles_.push_back({static_cast<std::int32_t>(first) + t[0], static_cast<std::int32_t>(first) + t[1],
                                  static_cast<std::int32_t>(first) + t[2]});
        }
        const std::vector<Mat3> matrices = skin_matrices(rig, p, bind);
        for (std::size_t v = 0; v < matrices.size(); ++v) {
            back_.push_back(inverse(matrices[v]));
            normals.push_back(part.normals.empty() ? Vec3{} : unit(transpose(back_.back()) * part.normals[v]));
        }
    }
    const std::vector<std::int32_t> welded = weld(positions_, kSameSpot * box_of(positions_).diagonal());
    // At one place: a vertex joins the first whose normal is its own, or that has none.
    group_.resize(positions_.size());
    std::map<std::int32_t, std::vector<std::int32_t>> heads;
    for (std::size_t v = 0; v < positions_.size(); ++v) {
        std::vector<std::int32_t>& known = heads[welded[v]];
        const auto same = [&](std::int32_t h) {
            return norm(normals[v]) == 0.0 || dot(normals[v], normals[static_cast<std::size_t>(h)]) > kSameNormal;
        };
        const auto head = std::find_if(known.begin(), known.end(), same);
        group_[v] = head != known.end() ? *head : static_cast<std::int32_t>(v);
        if (head == known.end()) known.push_back(group_[v]);
    }
}

std::size_t SkinGround::part_of(std::size_t vertex) const {
    return static_cast<std::size_t>(std::upper_bound(first_.begin(), first_.end(), vertex) - first_.begin()) - 1;
}

Vec3 SkinGround::turn_to_own(std::size_t vertex, const Vec3& rate) const {
    const double det = determinant(back_[vertex]);
    return back_[vertex] * rate *
           ((det < 0.0 ? -1.0 : 1.0) /
            std::cbrt(std::abs(det)));  // an axial vector: mirrored spaces turn the other way
}

std::vector<Vec3> SkinGround::turning(std::span<const Vec3> velocity) const {
    std::vector<Vec3> area(positions_.size()), rate(positions_.size());
    for (const auto& t : triangles_) {
        const auto a = static_cast<std::size_t>(t[0]), b = static_cast<std::size_t>(t[1]),
                   c = static_cast<std::size_t>(t[2]);
        const Vec3 u = positions_[b] - positions_[a], v = positions_[c] - positions_[a];
        const Vec3 du = velocity[b] - velocity[a], dv = velocity[c] - velocity[a];
        const Vec3 full = cross(u, v), change = cross(du, v) + cross(u, dv);
        for (const std::int32_t corner : t) {
            area[static_cast<std::size_t>(group_[static_cast<std::size_t>(corner)])] += full;
            rate[static_cast<std::size_t>(group_[static_cast<std::size_t>(corner)])] += change;
        }
    }
    std::vector<Vec3> out(positions_.size());
    for (std::size_t v = 0; v < out.size(); ++v) {
        const auto g = static_cast<std::size_t>(group_[v]);
        const double square = dot(area[g], area[g]);
        if (square > 0.0) out[v] = cross(area[g], rate[g]) / square;  // n x n', with n = area / |area|
    }
    return out;
}

}  // namespace limber
