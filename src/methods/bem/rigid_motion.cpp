#include "methods/bem/rigid_motion.hpp"

#include "core/rotation.hpp"
#include "linalg/small_lu.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kPhase = 0.08;         // of the stiffest contact per sub-step [rad]
constexpr int kMostSteps = 200000;
constexpr int kGuesses = 6;             // of the speed after rubbing
constexpr double kSameSpeed = 2e-3;

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

/// Coulomb's law with the speed *after* rubbing, so that what friction can hold stands still: `Rubbing` solves for it with the speeds of a guess, and guesses again until
/// they agree. With the speed before, a body on a slope would move on by what gravity gives it in each sub-step.
struct RigidMotion::Rubbing {
    Rubbing(const RigidMotion& owner, const RigidState& s, std::span<Touch> t, double h_, const RubbedBefore& last)
        : self(owner), touches(t), h(h_), before{s.velocity, owner.spin(s)}, momentum(s.spin_momentum) {
        const Mat3 turn = to_matrix(s.pose.rotation);
        inertia = turn * self.body_.inertia * transpose(turn);
        double brake = 0.0;         // what friction takes from a body that does not turn
        for (const Touch& touch : touches) brake += touch.force;
        brake *= h * self.settings_.friction / self.body_.mass;
        const Speeds guess{before.velocity + last.velocity, before.spin + last.spin};
        for (Touch& touch : touches) {
            const double leaving = dot(slide(before, touch), touch.normal);
            touch.press = self.settings_.relaxation * touch.rate;
            if (leaving > 0.0 && touch.force > 0.0) touch.press = std::min(touch.press, touch.force / leaving);       // it never pulls
            // What rubbing took last it mostly takes again.
            touch.slip = last.known ? speed(guess, touch) : std::max(speed(before, touch) - brake, self.settings_.slip_speed);
        }
    }

    struct Speeds {
        Vec3 velocity, spin;
    };
    static Vec3 slide(const Speeds& v, const Touch& touch) { return v.velocity + cross(v.spin, touch.arm) - touch.velocity; }
    /// Tangential speed, at least the one below which rubbing is viscous.
    double speed(const Speeds& v, const Touch& touch) const {
        const Vec3 all = slide(v, touch);
        return std::max(norm(all - touch.normal * dot(all, touch.normal)), self.settings_.slip_speed);
    }

    /// Sums over touches of D = grip (I - n n^T) + press n n^T as it acts on velocity and spin: with r the arm and w = (n, r x n) that is grip times
    /// (I, [r], r^2 I - r r^T), plus (press - grip) w w^T.
    struct Sums {
        double grip = 0.0, around[6] = {}, outer[21] = {};
        Vec3 grip_arm, drag, turning;

        void add(const Touch& t, double grip_here, double press) {
            const Vec3 &r = t.arm, c = cross(r, t.normal);
            grip += grip_here;
            grip_arm += r * grip_here;
            const double xx = grip_here * r.x * r.x, yy = grip_here * r.y * r.y, zz = grip_here * r.z * r.z;
            around[0] += yy + zz, around[1] += xx + zz, around[2] += xx + yy;
            around[3] -= grip_here * r.x * r.y, around[4] -= grip_here * r.y * r.z, around[5] -= grip_here * r.z * r.x;
            const double w[6] = {t.normal.x, t.normal.y, t.normal.z, c.x, c.y, c.z}, more = press - grip_here;
            for (int i = 0, k = 0; i < 6; ++i)
                for (int j = 0; j <= i; ++j, ++k) outer[k] += more * w[i] * w[j];
            if (t.velocity == Vec3{}) return;
            const Vec3 here = t.velocity * grip_here + t.normal * (more * dot(t.normal, t.velocity));
            drag += here;
            turning += cross(r, here);
        }
        void write(double step, double* a, double* b) const {
            for (int i = 0, k = 0; i < 6; ++i)
                for (int j = 0; j <= i; ++j, ++k) a[6 * j + i] = a[6 * i + j] = step * outer[k];
            Mat3 lever;         // r x
            lever(0, 1) = -grip_arm.z, lever(0, 2) = grip_arm.y, lever(1, 0) = grip_arm.z;
            lever(1, 2) = -grip_arm.x, lever(2, 0) = -grip_arm.y, lever(2, 1) = grip_arm.x;
            for (int i = 0; i < 3; ++i) {
                a[7 * i] += step * grip;
                a[7 * (3 + i)] += step * around[i];
                const int j = (i + 1) % 3;
                a[6 * (3 + j) + 3 + i] += step * around[3 + i], a[6 * (3 + i) + 3 + j] += step * around[3 + i];
                for (int c = 0; c < 3; ++c) a[6 * c + 3 + i] += step * lever(i, c), a[6 * (3 + i) + c] += step * lever(i, c);
                b[i] = step * drag[i], b[3 + i] = step * turning[i];
            }
        }
    };

    /// (M + h D) V' = M V + h D V_obstacle
    bool solve(Speeds& out) const {
        Sums sums;
        for (const Touch& touch : touches) sums.add(touch, self.settings_.friction * touch.force / touch.slip, touch.press);
        double a[36], b[6];
        sums.write(h, a, b);
        for (int i = 0; i < 3; ++i) {
            a[7 * i] += self.body_.mass;
            b[i] += self.body_.mass * before.velocity[i];
            b[3 + i] += momentum[i];
            for (int j = 0; j < 3; ++j) a[6 * (3 + j) + 3 + i] += inertia(i, j);
        }
        if (!self.body_.planar) {
            if (!solve_in_place(a, 6, 6, b)) return false;
            out = {{b[0], b[1], b[2]}, {b[3], b[4], b[5]}};
            return true;
        }
        double small[9], x[3];
        constexpr int pick[3] = {0, 1, 5};
        for (int i = 0; i < 3; ++i) {
            x[i] = b[pick[i]];
            for (int j = 0; j < 3; ++j) small[3 * j + i] = a[6 * pick[j] + pick[i]];
        }
        if (!solve_in_place(small, 3, 3, x)) return false;
        out = {{x[0], x[1], 0.0}, {0.0, 0.0, x[2]}};
        return true;
    }

    /// Takes these speeds for the next guess. True when they are the last one's.
    bool agrees(const Speeds& found) const {
        bool same = true;
        for (Touch& touch : touches) {
            const double now = speed(found, touch);
            same = same && std::abs(now - touch.slip) <= kSameSpeed * now;
            touch.slip = now;
        }
        return same;
    }

    const RigidMotion& self;
    std::span<Touch> touches;
    double h;
    Speeds before;
    Vec3 momentum;
    Mat3 inertia;
};

double RigidMotion::rub(RigidState& s, Touch* touches, std::size_t count, double h, RubbedBefore& last) const noexcept {
    if (count == 0 || (settings_.relaxation == 0.0 && settings_.friction == 0.0)) return 0.0;
    const Rubbing rubbing(*this, s, {touches, count}, h, last);
    Rubbing::Speeds found;
    for (int pass = 0; pass < kGuesses; ++pass) {
        if (!rubbing.solve(found)) return 0.0;
        if (settings_.friction == 0.0 || rubbing.agrees(found)) break;
    }
    last = {found.velocity - rubbing.before.velocity, found.spin - rubbing.before.spin, true};
    const double before = kinetic(s);
    s.velocity = found.velocity;
    s.spin_momentum = body_.planar ? Vec3{0.0, 0.0, body_.inertia(2, 2) * found.spin.z} : rubbing.inertia * found.spin;
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
    Push push = reaction_.evaluate(s.pose, now, latched, scratch, touches, nullptr);
    std::size_t touching = push.touches;
    RubbedBefore rubbed;
    double budget = kinetic(s) + potential(s, loads, push), left = dt;
    while (left > 1e-12 * dt) {
        if (++report.sub_steps > kMostSteps) {
            report.ok = report.finished = false;
            return report;
        }
        const double h = next_step(s, loads, left, push.energy > 0.0, latched, now);
        kick(s, loads, push, 0.5 * h);
        double lost = rub(s, touches, touching, 0.5 * h, rubbed);       // before it drifts: what friction holds must not creep by what gravity gave it since
        drift(s, h);
        left -= h;
        if (loads.moving) place(loads.obstacles, left, moved);
        if (const std::int32_t through = crossed(crossing, reaction_, s.pose, now); through >= 0) report.through = through;
        push = reaction_.evaluate(s.pose, now, latched, scratch, touches, nullptr);
        kick(s, loads, push, 0.5 * h);
        touching = push.touches;
        lost += rub(s, touches, touching, 0.5 * h, rubbed);
        if (body_.drag > 0.0) {
            const double before = kinetic(s), fade = std::exp(-body_.drag * h);
            s.velocity *= fade;
            s.spin_momentum *= fade;
            lost += before - kinetic(s);
        }
        const double stored = push.energy;
        if (reaction_.update_latches(s.pose, now, latched)) push = reaction_.evaluate(s.pose, now, latched, scratch, nullptr, nullptr);
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
