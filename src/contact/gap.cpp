#include "contact/gap.hpp"

#include "core/overloads.hpp"
#include "core/rotation.hpp"
#include "deform/obstacle_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr double kFacing = 0.1;  // cosine: surfaces that turn this much towards a face can have come through it
constexpr Vec3 kAxis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/// Length and direction; scaled first, because squares of tiny lengths vanish. `fallback` is the direction of nothing.
struct Polar {
    double length;
    Vec3 direction;
};
Polar polar_of(const Vec3& v, const Vec3& fallback) {
    const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    if (largest < std::numeric_limits<double>::min()) return {0.0, fallback};
    const Vec3 scaled = v / largest;
    const double length = norm(scaled);
    return {length * largest, scaled / length};
}

/// Of a distance that grows along `direction` and is round in the coordinates marked in `round`: (I - d d^T) / length
/// among those.
SymMat3 curvature_of(const Polar& polar, const bool (&round)[3]) {
    if (polar.length < std::numeric_limits<double>::min()) return {};
    const Vec3& d = polar.direction;
    const auto entry = [&](int i, int j) {
        return round[i] && round[j] ? ((i == j ? 1.0 : 0.0) - d[i] * d[j]) / polar.length : 0.0;
    };
    return {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(1, 2), entry(2, 0)};
}

Gap gap_to_box(const Vec3& half, const Vec3& p, int dimension) {
    Vec3 beyond;
    bool round[3] = {};
    int outside = 0, nearest = 0;
    double depth = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < dimension; ++i) {
        const double past = std::abs(p[i]) - half[i];
        if (past > depth) {
            depth = past;
            nearest = i;
        }
        if (past <= 0.0) continue;
        beyond[i] = std::copysign(past, p[i]);
        round[i] = true;
        ++outside;
    }
    const Vec3 face = kAxis[nearest] * std::copysign(1.0, p[nearest]);
    if (outside < 2) return {depth, face, {}};  // before a face, or inside: the nearest face is flat
    const Polar polar = polar_of(beyond, face);
    return {polar.length, polar.direction, curvature_of(polar, round)};
}

Gap gap_to_ball(double radius, const Vec3& p, bool planar) {
    const Polar polar = polar_of(p, kAxis[1]);
    return {polar.length - radius, polar.direction, curvature_of(polar, {true, true, !planar})};
}

Gap gap_to_capsule(double radius, double half, const Vec3& p, bool planar) {
    const bool beside = std::abs(p.y) <= half;
    const Vec3 from_axis = p - Vec3{0.0, std::clamp(p.y, -half, half), 0.0};
    const Polar polar = polar_of(from_axis, kAxis[0]);
    return {polar.length - radius, polar.direction, curvature_of(polar, {true, !beside, !planar})};
}

/// In the obstacle's own axes.
Gap own_gap(const Obstacle& obstacle, const Vec3& p, bool planar) {
    return std::visit(Overloads{
                          [&](const PlaneShape&) {
                              return Gap{p.y, kAxis[1], {}};
                          },
                          [&](const BoxShape& s) { return gap_to_box(s.half, p, planar ? 2 : 3); },
                          [&](const BallShape& s) { return gap_to_ball(s.radius, p, planar); },
                          [&](const CapsuleShape& s) { return gap_to_capsule(s.radius, s.half_length, p, planar); },
                      },
                      obstacle.shape);
}

SymMat3 operator-(const SymMat3& c) { return {-c.xx, -c.yy, -c.zz, -c.xy, -c.yz, -c.zx}; }

}  // namespace

Gap gap_to(const Obstacle& obstacle, const Vec3& point, bool planar) noexcept {
    Vec3 from = point - obstacle.position;
    if (planar) from.z = 0.0;
    const Mat3 r = to_matrix(obstacle.rotation);
    if (is_plane(obstacle)) {  // what contact asks most often: without turning into its axes and back
        const Vec3 up{r(0, 1), r(1, 1), r(2, 1)};
        return {dot(up, from), up, {}};
    }
    Gap gap = own_gap(obstacle, transpose(r) * from, planar);
    gap.gradient = r * gap.gradient;
    if (!(gap.curvature == SymMat3{})) gap.curvature = turned(r, gap.curvature);
    if (keeps_inside(obstacle)) gap = {-gap.value, -gap.gradient, -gap.curvature};
    return gap;
}

Gap gap_against(const Obstacle& obstacle, const Vec3& point, const Vec3& normal, bool planar) noexcept {
    Gap gap = gap_to(obstacle, point, planar);
    const BoxShape* box = std::get_if<BoxShape>(&obstacle.shape);
    if (box == nullptr || box->inside || gap.value >= 0.0 || dot(normal, gap.gradient) < -kFacing) return gap;
    const Mat3 r = to_matrix(obstacle.rotation);
    const Vec3 p = transpose(r) * (point - obstacle.position);
    double nearest = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < (planar ? 2 : 3); ++i) {
        for (const double side : {-1.0, 1.0}) {
            const Vec3 face = r * (kAxis[i] * side);
            const double value = side * p[i] - box->half[i];
            if (dot(normal, face) < -kFacing && value > nearest) {
                nearest = value;
                gap = {value, face, {}};
            }
        }
    }
    return gap;
}

std::int32_t nearest_obstacle(std::span<const Obstacle> obstacles, const Vec3& point, bool planar, Gap& gap) noexcept {
    std::int32_t best = -1;
    for (std::size_t o = 0; o < obstacles.size(); ++o) {
        const Gap here = gap_to(obstacles[o], point, planar);
        if (best < 0 || here.value < gap.value) {
            best = static_cast<std::int32_t>(o);
            gap = here;
        }
    }
    return best;
}

}  // namespace limber
