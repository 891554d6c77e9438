#include "methods/bem/volume_reaction.hpp"

#include "deform/obstacle_shape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

/// int over a facet of 1/2 min(g, 0)^2 for g linear between its corners: value, derivatives by the corners' g, and the
/// part of it that is inside.
struct Clip {
    double value = 0.0;
    double slope[3] = {0.0, 0.0, 0.0};
    double part = 0.0;
};

Clip clip_edge(double length, const double* g) noexcept {
    Clip c;
    if (g[0] >= 0.0 && g[1] >= 0.0) return c;
    const double s = length / 6.0;
    if (g[0] <= 0.0 && g[1] <= 0.0) {
        c.value = s * (g[0] * g[0] + g[0] * g[1] + g[1] * g[1]);
        c.slope[0] = s * (2.0 * g[0] + g[1]);
        c.slope[1] = s * (2.0 * g[1] + g[0]);
        c.part = 1.0;
        return c;
    }
    const int in = g[0] < 0.0 ? 0 : 1, out = 1 - in;
    const double cube = -g[in] * g[in] * g[in], width = g[out] - g[in];
    c.value = s * cube / width;
    c.slope[in] = s * (-3.0 * g[in] * g[in] / width + cube / (width * width));
    c.slope[out] = -s * cube / (width * width);
    c.part = -g[in] / width;
    return c;
}

// The part of a triangle around one corner whose g has the other sign than the other two: g0^4 / ((g0 - g1)(g0 - g2)).
Clip corner_part(const double* g, int a) noexcept {
    const int b = (a + 1) % 3, e = (a + 2) % 3;
    const double ab = g[a] - g[b], ae = g[a] - g[e];
    Clip c;
    const double square = g[a] * g[a] / (ab * ae);
    c.part = square;
    c.value = square * g[a] * g[a];
    c.slope[a] = 4.0 * square * g[a] - c.value / ab - c.value / ae;
    c.slope[b] = c.value / ab;
    c.slope[e] = c.value / ae;
    return c;
}

Clip clip_triangle(double area, const double* g) noexcept {
    const int inside = (g[0] < 0.0) + (g[1] < 0.0) + (g[2] < 0.0);
    Clip c;
    if (inside == 0) return c;
    const double s = area / 12.0;
    if (inside == 1) {
        c = corner_part(g, g[0] < 0.0 ? 0 : (g[1] < 0.0 ? 1 : 2));
    } else {
        const double sum = g[0] + g[1] + g[2];
        c.value = 0.5 * (sum * sum + g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        for (int i = 0; i < 3; ++i) c.slope[i] = sum + g[i];
        c.part = 1.0;
        const int out = g[0] > 0.0 ? 0 : (g[1] > 0.0 ? 1 : 2);
        if (inside == 2 && g[out] > 0.0) {
            const Clip left = corner_part(g, out);
            c.value -= left.value;
            for (int i = 0; i < 3; ++i) c.slope[i] -= left.slope[i];
            c.part -= left.part;
        }
    }
    c.value *= s;
    for (double& slope : c.slope) slope *= s;
    return c;
}

constexpr double kBottom = 100.0, kBottomFrom = 0.4;  // of the size

void add_bottom(double share, double g, double size, int corner, Clip& to) noexcept {
    const double beyond = -g - kBottomFrom * size;
    if (beyond <= 0.0) return;
    const double cube = share * kBottom / (size * size) * beyond * beyond * beyond;
    to.value += cube * beyond;
    to.slope[corner] -= 4.0 * cube;
}

Vec3 times(const SymMat3& s, const Vec3& v) noexcept {
    return {s.xx * v.x + s.xy * v.y + s.zx * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z,
            s.zx * v.x + s.yz * v.y + s.zz * v.z};
}

bool is_flat(const Obstacle& o) noexcept { return is_plane(o) || keeps_inside(o); }

/// Angle (in the plane) or solid angle under which a facet is seen from the origin, signed; over all facets 2 pi or 4
/// pi from inside, 0 from outside.
double seen_from_origin(const Vec3* r, int dimension) {
    if (dimension == 2) return std::atan2(r[0].x * r[1].y - r[0].y * r[1].x, dot(r[0], r[1]));
    const double a = norm(r[0]), b = norm(r[1]), c = norm(r[2]);
    return 2.0 * std::atan2(dot(r[0], cross(r[1], r[2])),
                            a * b * c + dot(r[0], r[1]) * c + dot(r[1], r[2]) * a + dot(r[2], r[0]) * b);
}

/// The smallest width of the points over many directions: how deep something may sink before it is under.
double least_width(const std::vector<Vec3>& points, int dimension) {
    double least = 1e300;
    const int around = dimension == 2 ? 48 : 24, rows = dimension == 2 ? 1 : 13;
    for (int r = 0; r < rows; ++r) {
        for (int i = 0; i < around; ++i) {
            const double t = std::numbers::pi * i / around, z = dimension == 2 ? 0.0 : -1.0 + 2.0 * r / (rows - 1),
                         s = std::sqrt(1.0 - z * z);
            const Vec3 way{s * std::cos(t), s * std::sin(t), z};
            double low = 1e300, high = -1e300;
            for (const Vec3& p : points) {
                low = std::min(low, dot(p, way));
                high = std::max(high, dot(p, way));
            }
            least = std::min(least, high - low);
        }
    }
    return least;
}

}  // namespace

struct VolumeReaction::Near {
    const Obstacle* obstacle;
    std::int32_t index;
    Mat3 turn;
    double* arm;  // 3 per point, world axes
    double* gap;
    double* gradient;      // 3 per point
    double* curvature;     // 6 per point, set where bent
    double *press, *rate;  // per point: sums over its facets
    Vec3 centre;
    bool flat;  // a plane, or the inside of a box: the way out does not jump
    bool bent;  // the way out changes along the surface

    Vec3 arm_of(std::size_t i) const { return {arm[3 * i], arm[3 * i + 1], arm[3 * i + 2]}; }
    Vec3 gradient_of(std::size_t i) const { return {gradient[3 * i], gradient[3 * i + 1], gradient[3 * i + 2]}; }
    SymMat3 curvature_of(std::size_t i) const {
        const double* c = curvature + 6 * i;
        return {c[0], c[1], c[2], c[3], c[4], c[5]};
    }
};

VolumeReaction::VolumeReaction(const BoundaryShape& shape, const Vec3& centroid, double stiffness, double thickness,
                               double latch_break)
    : dimension_(shape.dimension),
      stiffness_(stiffness),
      thickness_(shape.dimension == 2 ? thickness : 1.0),
      latch_break_(latch_break) {
    for (const Vec3& p : shape.points) {
        arm_.push_back(p - centroid);
        radius_ = std::max(radius_, norm(arm_.back()));
    }
    size_ = least_width(arm_, dimension_);
    area_.assign(arm_.size(), 0.0);
    const auto d = static_cast<std::size_t>(dimension_);
    double seen = 0.0;
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        Facet facet{};
        for (std::size_t k = 0; k < d; ++k) facet.point[k] = shape.facets[d * f + k];
        const Vec3 normal = outward_of(shape, f);
        facet.measure = norm(normal);
        if (!(facet.measure > 0.0)) continue;
        facet.normal = normal / facet.measure;
        for (std::size_t k = 0; k < d; ++k)
            area_[static_cast<std::size_t>(facet.point[k])] += facet.measure / static_cast<double>(d);
        facets_.push_back(facet);
        const Vec3 corner[3] = {arm_[static_cast<std::size_t>(facet.point[0])],
                                arm_[static_cast<std::size_t>(facet.point[1])],
                                arm_[static_cast<std::size_t>(facet.point[d - 1])]};
        seen += seen_from_origin(corner, dimension_);
    }
    solid_middle_ = seen > std::numbers::pi;
}

void VolumeReaction::add_facet(const Facet& facet, const Near& near, Push& push) const noexcept {
    double g[3];
    const int d = dimension_;
    for (int k = 0; k < d; ++k) g[k] = near.gap[facet.point[k]];
    Clip clip = d == 2 ? clip_edge(facet.measure, g) : clip_triangle(facet.measure, g);
    if (clip.part <= 0.0) return;
    for (int k = 0; k < d; ++k) add_bottom(facet.measure / d, g[k], size_, k, clip);
    const Vec3 normal = near.turn * facet.normal;
    Vec3 mean;
    for (int k = 0; k < d; ++k) mean += near.gradient_of(static_cast<std::size_t>(facet.point[k]));
    mean = mean / static_cast<double>(d);
    const double facing = near.flat ? -dot(mean, normal) : 1.0, scale = stiffness_ * thickness_;
    if (facing <= 0.0) return;
    push.energy += scale * clip.value * facing;
    if (near.flat) push.wrench.torque += cross(normal, mean) * (scale * clip.value);
    double along = 0.0, above = 0.0;
    for (int k = 0; k < d; ++k) {
        const auto i = static_cast<std::size_t>(facet.point[k]);
        const double size = -scale * facing * clip.slope[k];
        const Vec3 arm = near.arm_of(i), way = near.gradient_of(i);
        Vec3 force = way * size;
        if (near.flat && near.bent) force += times(near.curvature_of(i), normal) * (scale * clip.value / d);
        push.wrench.force += force;
        push.wrench.torque += cross(arm, force);
        along += size;
        (g[k] < 0.0 ? near.press[i] : above) += size;
    }
    // What presses at corners above the obstacle rubs at those within.
    const int inside = (g[0] < 0.0) + (g[1] < 0.0) + (d == 3 && g[2] < 0.0);
    for (int k = 0; k < d; ++k) {
        if (g[k] >= 0.0) continue;
        near.press[facet.point[k]] += above / inside;
        near.rate[facet.point[k]] += scale * facing * facet.measure * clip.part / inside;
    }
    push.volume += along / stiffness_;
}

void VolumeReaction::add_latches(const Near& near, const std::int32_t* latched, Push& push) const noexcept {
    for (std::size_t i = 0; i < arm_.size(); ++i) {
        if (latched[i] != near.index + 1 || near.gap[i] <= 0.0) continue;
        const double rate = stiffness_ * thickness_ * area_[i];
        const Vec3 arm = near.arm_of(i), way = near.gradient_of(i), force = way * (-rate * near.gap[i]);
        push.energy += 0.5 * rate * near.gap[i] * near.gap[i];
        push.wrench.force += force;
        push.wrench.torque += cross(arm, force);
        near.rate[i] += rate;
    }
}

void VolumeReaction::add_touches(const Near& near, Push& push, Touch* touches) const noexcept {
    for (std::size_t i = 0; i < arm_.size(); ++i) {
        if (near.rate[i] == 0.0) continue;
        const Vec3 arm = near.arm_of(i);
        touches[push.touches++] = {arm,
                                   near.gradient_of(i),
                                   obstacle_velocity(*near.obstacle, near.centre + arm),
                                   near.press[i],
                                   near.rate[i],
                                   near.index,
                                   0.0,
                                   0.0};
    }
}

Push VolumeReaction::evaluate(const RigidPose& pose, std::span<const Obstacle> obstacles, const std::int32_t* latched,
                              double* scratch, Touch* touches, Wrench* each) const noexcept {
    Push push;
    const std::size_t n = arm_.size();
    Near near{nullptr,
              0,
              to_matrix(pose.rotation),
              scratch,
              scratch + 3 * n,
              scratch + 4 * n,
              scratch + 7 * n,
              scratch + 13 * n,
              scratch + 14 * n,
              pose.position,
              true,
              true};
    bool turned = false;
    double strength = 0.0;
    for (std::size_t o = 0; o < obstacles.size(); ++o) {
        if (gap_to(obstacles[o], pose.position, dimension_ == 2).value > radius_ + latch_break_) continue;
        if (!turned) {
            for (std::size_t i = 0; i < n; ++i) {
                const Vec3 arm = near.turn * arm_[i];
                for (int k = 0; k < 3; ++k) near.arm[3 * i + static_cast<std::size_t>(k)] = arm[k];
            }
            turned = true;
        }
        near.obstacle = &obstacles[o];
        near.index = static_cast<std::int32_t>(o);
        near.flat = is_flat(obstacles[o]);
        near.bent = !is_plane(obstacles[o]);
        for (std::size_t i = 0; i < n; ++i) {
            const Gap gap = gap_to(obstacles[o], pose.position + near.arm_of(i), dimension_ == 2);
            near.gap[i] = gap.value;
            for (int k = 0; k < 3; ++k) near.gradient[3 * i + static_cast<std::size_t>(k)] = gap.gradient[k];
            if (!near.bent) continue;
            double* c = near.curvature + 6 * i;
            c[0] = gap.curvature.xx;
            c[1] = gap.curvature.yy;
            c[2] = gap.curvature.zz;
            c[3] = gap.curvature.xy;
            c[4] = gap.curvature.yz;
            c[5] = gap.curvature.zx;
        }
        const Wrench before = push.wrench;
        std::fill(near.press, near.press + 2 * n, 0.0);
        const std::int32_t last = dimension_ == 2 ? 1 : 2;
        for (const Facet& facet : facets_) {
            if (near.gap[facet.point[0]] < 0.0 || near.gap[facet.point[1]] < 0.0 || near.gap[facet.point[last]] < 0.0)
                add_facet(facet, near, push);
        }
        if (latch_break_ > 0.0) add_latches(near, latched, push);
        if (touches != nullptr) add_touches(near, push, touches);
        const Vec3 pushed = push.wrench.force - before.force, velocity = obstacle_velocity(obstacles[o], pose.position);
        push.power += dot(pushed, velocity) + dot(push.wrench.torque - before.torque, obstacles[o].angular_velocity);
        push.carrier += velocity * norm(pushed);
        strength += norm(pushed);
        if (each != nullptr) {
            each[o].force += push.wrench.force - before.force;
            each[o].torque += push.wrench.torque - before.torque;
        }
    }
    if (strength > 0.0) push.carrier = push.carrier / strength;
    return push;
}

double VolumeReaction::clearance(const RigidPose& pose, std::span<const Obstacle> obstacles) const noexcept {
    double best = 1e300;
    const Mat3 turn = to_matrix(pose.rotation);
    for (const Obstacle& obstacle : obstacles) {
        const double middle = gap_to(obstacle, pose.position, dimension_ == 2).value - radius_;
        if (middle > 0.0) {
            best = std::min(best, middle);
            continue;
        }
        for (const Vec3& arm : arm_) {
            best = std::min(best, gap_to(obstacle, pose.position + turn * arm, dimension_ == 2).value);
            if (best <= 0.0) return best;
        }
    }
    return best;
}

std::int32_t VolumeReaction::around_middle(const RigidPose& pose, std::span<const Obstacle> obstacles,
                                           Gap& gap) const noexcept {
    for (std::size_t o = 0; o < obstacles.size() && solid_middle_; ++o) {
        if (is_flat(obstacles[o])) continue;
        gap = gap_to(obstacles[o], pose.position, dimension_ == 2);
        if (gap.value < 0.0) return static_cast<std::int32_t>(o);
    }
    return -1;
}

bool VolumeReaction::update_latches(const RigidPose& pose, std::span<const Obstacle> obstacles,
                                    std::int32_t* latched) const noexcept {
    if (latch_break_ <= 0.0) return false;
    bool changed = false;
    const Mat3 turn = to_matrix(pose.rotation);
    for (std::size_t i = 0; i < arm_.size(); ++i) {
        const Vec3 at = pose.position + turn * arm_[i];
        const std::int32_t before = latched[i];
        if (before > 0) {
            const auto o = static_cast<std::size_t>(before - 1);
            if (o >= obstacles.size() || gap_to(obstacles[o], at, dimension_ == 2).value > latch_break_) latched[i] = 0;
        }
        for (std::size_t o = 0; o < obstacles.size() && latched[i] == 0; ++o)
            if (gap_to(obstacles[o], at, dimension_ == 2).value < 0.0) latched[i] = static_cast<std::int32_t>(o) + 1;
        changed = changed || latched[i] != before;
    }
    return changed;
}

}  // namespace limber
