#include "methods/bem/rigid_motion.hpp"

#include "core/rotation.hpp"
#include "linalg/small_lu.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kPhase = 0.08;         // of the stiffest contact per sub-step [rad]
constexpr int kMostSteps = 200000;

double smallest_inertia(const RigidBody& b) {
    if (b.planar) return b.inertia(2, 2);
    // Gershgorin's lower bound can be negative for skew axes; the determinant over the other two is safe.
    const double trace = b.inertia(0, 0) + b.inertia(1, 1) + b.inertia(2, 2);
    return std::max(determinant(b.inertia) / (0.25 * trace * trace), 1e-3 * trace);
}

/// Obstacles `back` seconds before the end of the step: moved back along their present velocity.
void place(std::span<const Obstacle> at_end, double back, Obstacle* out) noexcept {
    for (std::size_t i = 0; i < at_end.size(); ++i) {
        out[i] = at_end[i];
        out[i].position -= at_end[i].velocity * back;
        out[i].rotation = normalized(from_rotation_vector(at_end[i].angular_velocity * -back) * at_end[i].rotation);
    }
}

/// Follows the middle of the body through obstacles; the number of one that it left on the side where it did not come in, or -1.
std::int32_t crossed(Crossing& crossing, const VolumeReaction& reaction, const RigidPose& pose, std::span<const Obstacle> obstacles) noexcept {
    Gap gap;
    const std::int32_t inside = reaction.around_middle(pose, obstacles, gap);
    const std::int32_t before = crossing.obstacle;
    if (inside >= 0) {
        if (before != inside) crossing = {inside, gap.gradient};
        return -1;
    }
    if (before < 0) return -1;
    crossing.obstacle = -1;
    if (static_cast<std::size_t>(before) >= obstacles.size()) return -1;
    return dot(reaction.way_out(pose, obstacles[static_cast<std::size_t>(before)]), crossing.entered) < -0.2 ? before : -1;
}

}  // namespace

RigidMotion::RigidMotion(const RigidBody& body, const VolumeReaction& reaction, const ContactSettings& settings, double measure)
    : body_(body), reaction_(reaction), settings_(settings) {
    const double area = 1.5 * (body.planar ? std::sqrt(measure) : std::cbrt(measure * measure));
    const double r = reaction.radius();
    contact_step_ = kPhase / std::sqrt(reaction.stiffness() * area * (1.0 / body.mass + r * r / smallest_inertia(body)));
}

Vec3 RigidMotion::spin(const RigidState& s) const noexcept {
    const Mat3 turn = to_matrix(s.pose.rotation);
    return turn * (body_.inverse_inertia * (transpose(turn) * s.spin_momentum));
}

double RigidMotion::kinetic(const RigidState& s) const noexcept { return 0.5 * body_.mass * norm2(s.velocity) + 0.5 * dot(spin(s), s.spin_momentum); }

double RigidMotion::potential(const RigidState& s, const RigidLoads& loads, const Push& push) const noexcept {
    return push.energy - dot(loads.gravity * body_.mass + loads.wrench.force, s.pose.position);
}

void RigidMotion::kick(RigidState& s, const RigidLoads& loads, const Push& push, double h) const noexcept {
    s.velocity += (loads.gravity + (loads.wrench.force + push.wrench.force) / body_.mass) * h;
    s.spin_momentum += (loads.wrench.torque + push.wrench.torque) * h;
    if (!body_.planar) return;
    s.velocity.z = 0.0;
    s.spin_momentum.x = s.spin_momentum.y = 0.0;
}

void RigidMotion::drift(RigidState& s, double h) const noexcept {
    s.pose.position += s.velocity * h;
    if (s.spin_momentum == Vec3{}) return;
    RigidState half = s;
    half.pose.rotation = normalized(from_rotation_vector(spin(s) * (0.5 * h)) * s.pose.rotation);
    s.pose.rotation = normalized(from_rotation_vector(spin(half) * h) * s.pose.rotation);
}

double RigidMotion::rub(RigidState& s, const Touch* touches, std::size_t count, double h) const noexcept {
    if (count == 0 || (settings_.relaxation == 0.0 && settings_.friction == 0.0)) return 0.0;
    const Vec3 omega = spin(s);
    double a[36] = {}, b[6] = {};       // (M + h D) V' = M V + h D V_obstacle
    for (std::size_t t = 0; t < count; ++t) {
        const Touch& touch = touches[t];
        const Vec3 slide = s.velocity + cross(omega, touch.arm) - touch.velocity;
        const double leaving = dot(slide, touch.normal);
        double press = settings_.relaxation * touch.rate;
        if (leaving > 0.0 && touch.force > 0.0) press = std::min(press, touch.force / leaving);       // it never pulls
        const double grip = settings_.friction * touch.force / std::max(norm(slide - touch.normal * leaving), settings_.slip_speed);
        Mat3 d, cross_arm;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) d(i, j) = (i == j ? grip : 0.0) + (press - grip) * touch.normal[i] * touch.normal[j];
        cross_arm(0, 1) = -touch.arm.z, cross_arm(0, 2) = touch.arm.y, cross_arm(1, 0) = touch.arm.z;
        cross_arm(1, 2) = -touch.arm.x, cross_arm(2, 0) = -touch.arm.y, cross_arm(2, 1) = touch.arm.x;
        const Mat3 turned = cross_arm * d, both = turned * cross_arm;
        const Vec3 drag = d * touch.velocity, turning = cross(touch.arm, drag);
        for (int i = 0; i < 3; ++i) {
            b[i] += h * drag[i];
            b[3 + i] += h * turning[i];
            for (int j = 0; j < 3; ++j) {
                a[6 * j + i] += h * d(i, j);
                a[6 * (3 + j) + 3 + i] -= h * both(i, j);
                a[6 * j + 3 + i] += h * turned(i, j);
                a[6 * (3 + i) + j] += h * turned(i, j);
            }
        }
    }
    const Mat3 turn = to_matrix(s.pose.rotation), inertia = turn * body_.inertia * transpose(turn);
    for (int i = 0; i < 3; ++i) {
        a[7 * i] += body_.mass;
        b[i] += body_.mass * s.velocity[i];
        b[3 + i] += s.spin_momentum[i];
        for (int j = 0; j < 3; ++j) a[6 * (3 + j) + 3 + i] += inertia(i, j);
    }
    const double before = kinetic(s);
    if (body_.planar) {
        double small[9], x[3];
        constexpr int pick[3] = {0, 1, 5};
        for (int i = 0; i < 3; ++i) {
            x[i] = b[pick[i]];
            for (int j = 0; j < 3; ++j) small[3 * j + i] = a[6 * pick[j] + pick[i]];
        }
        if (!solve_in_place(small, 3, 3, x)) return 0.0;
        s.velocity = {x[0], x[1], 0.0};
        s.spin_momentum = {0.0, 0.0, body_.inertia(2, 2) * x[2]};
    } else {
        if (!solve_in_place(a, 6, 6, b)) return 0.0;
        s.velocity = {b[0], b[1], b[2]};
        s.spin_momentum = inertia * Vec3{b[3], b[4], b[5]};
    }
    return before - kinetic(s);
}

void RigidMotion::trim(RigidState& s, double excess) const noexcept {
    const double kinetic_now = kinetic(s);
    if (!(excess > 0.0) || !(kinetic_now > 0.0)) return;
    const double left = std::max(0.0, kinetic_now - excess), scale = std::sqrt(left / kinetic_now);
    s.velocity *= scale;
    s.spin_momentum *= scale;
}

double RigidMotion::next_step(const RigidState& s, const RigidLoads& loads, double left, bool touching, const std::int32_t* latched, std::span<const Obstacle> obstacles) const noexcept {
    if (obstacles.empty()) return left;
    const bool held = touching || (reaction_.latches() && std::any_of(latched, latched + reaction_.point_count(), [](std::int32_t mark) { return mark > 0; }));
    const double clearance = held ? 0.0 : reaction_.clearance(s.pose, obstacles);
    if (clearance <= 0.0) return std::min(left, contact_step_);
    double speed = norm(s.velocity) + norm(spin(s)) * reaction_.radius() + norm(loads.gravity + loads.wrench.force / body_.mass) * left;
    double fastest = 0.0;
    for (const Obstacle& o : obstacles) fastest = std::max(fastest, norm(o.velocity) + norm(o.angular_velocity) * (norm(s.pose.position - o.position) + reaction_.radius()));
    speed += fastest;
    return std::min(left, std::max(contact_step_, clearance / std::max(speed, 1e-300)));
}

RigidReport RigidMotion::advance(RigidState& s, const RigidLoads& loads, double dt, std::int32_t* latched, Crossing& crossing, double* scratch, Touch* touches,
                                 Obstacle* moved) const noexcept {
    RigidReport report;
    const bool conservative = !loads.moving && loads.wrench.torque == Vec3{};
    const std::size_t count = loads.obstacles.size();
    const std::span<const Obstacle> now(moved, count);
    place(loads.obstacles, dt, moved);
    Push push = reaction_.evaluate(s.pose, now, latched, scratch, nullptr, nullptr);
    double budget = kinetic(s) + potential(s, loads, push), left = dt;
    while (left > 1e-12 * dt) {
        if (++report.sub_steps > kMostSteps) {
            report.ok = false;
            return report;
        }
        const double h = next_step(s, loads, left, push.energy > 0.0, latched, now);
        kick(s, loads, push, 0.5 * h);
        drift(s, h);
        left -= h;
        if (loads.moving) place(loads.obstacles, left, moved);
        if (const std::int32_t through = crossed(crossing, reaction_, s.pose, now); through >= 0) report.through = through;
        push = reaction_.evaluate(s.pose, now, latched, scratch, touches, nullptr);
        kick(s, loads, push, 0.5 * h);
        double lost = rub(s, touches, push.touches, h);
        if (body_.drag > 0.0) {
            const double before = kinetic(s), fade = std::exp(-body_.drag * h);
            s.velocity *= fade;
            s.spin_momentum *= fade;
            lost += before - kinetic(s);
        }
        const double stored = push.energy;
        reaction_.update_latches(s.pose, now, latched);
        if (reaction_.latches()) push = reaction_.evaluate(s.pose, now, latched, scratch, nullptr, nullptr);
        lost += std::max(0.0, stored - push.energy);
        budget -= lost;
        if (conservative) trim(s, kinetic(s) + potential(s, loads, push) - budget);
        if (!is_finite(s.velocity) || !is_finite(s.pose.position) || !is_finite(s.spin_momentum)) {
            report.ok = false;
            return report;
        }
    }
    return report;
}

}  // namespace limber
