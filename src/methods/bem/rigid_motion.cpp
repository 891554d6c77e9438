#include "methods/bem/rigid_motion.hpp"

#include "contact/facet_gap.hpp"
#include "core/rotation.hpp"
#include "deform/obstacle_shape.hpp"
#include "linalg/small_lu.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kPhase = 0.08;  // of the stiffest contact per sub-step [rad]
constexpr int kMostSteps = 200000;
constexpr double kMostTravel = 0.25;  // of the body's width per sub-step near an obstacle: what is thinner than that is
                                      // found by the way of the middle
constexpr double kMostError = 2e-3;   // of a sub-step's energy, against what was there and what came in
constexpr double kRounding = 1e-12;   // of all energies that are added up
constexpr double kUnpaid = 1e-10;     // of the contact's energy: what may be owed without trying a shorter sub-step
constexpr double kAtRest = 1e-3;      // of the contact's energy, what moves of a body that is about at rest
constexpr double kShortest = 1e-10;  // of the step that resolves shallow contact: an energy that still jumps has a jump
                                     // there (the nearest wall of a box changes)
constexpr double kGrowth = 2.0;      // of sub-steps, after one that had to be shortened
constexpr int kGuesses = 6;          // of the speed after rubbing
constexpr double kSameSpeed = 2e-3;
constexpr int kEnergyRounds = 8;       // Newton's, for the energy of spin; three do where a step turns by half a radian
constexpr double kSameEnergy = 2e-15;  // of it
constexpr double kMostTurn = 0.2;      // in one of these rounds [rad]

double smallest_inertia(const RigidBody& b) {
    if (b.planar) return b.inertia(2, 2);
    // Gershgorin's lower bound can be negative for skew axes; the determinant over the other two is safe.
    const double trace = b.inertia(0, 0) + b.inertia(1, 1) + b.inertia(2, 2);
    return std::max(determinant(b.inertia) / (0.25 * trace * trace), 1e-3 * trace);
}

/// Obstacles `back` seconds before the end of the step: moved back along their present velocity.
void move_obstacles(std::span<const Obstacle> at_end, double back, Obstacle* out) noexcept {
    for (std::size_t i = 0; i < at_end.size(); ++i) {
        out[i] = at_end[i];
        out[i].position -= at_end[i].velocity * back;
        out[i].rotation = normalized(from_rotation_vector(at_end[i].angular_velocity * -back) * at_end[i].rotation);
    }
}

/// The obstacle that the middle went through between two poses without being in it at either, or -1. Obstacles are
/// where they are after `h` seconds.
std::int32_t skipped(const VolumeReaction& reaction, const RigidPose& from, const RigidPose& to,
                     std::span<const Obstacle> obstacles, double h) noexcept {
    for (std::size_t o = 0; o < obstacles.size() && reaction.has_solid_middle(); ++o) {
        if (!has_far_side(obstacles[o])) continue;
        RigidPose carried = from;  // as the obstacle saw it
        carried.position += obstacle_velocity(obstacles[o], from.position) * h;
        const Vec3 way[2] = {carried.position, to.position};
        if (least_gap(obstacles[o], way, reaction.dimension() == 2) >= 0.0) continue;
        if (dot(reaction.way_out(carried, obstacles[o]), reaction.way_out(to, obstacles[o])) < -0.2)
            return static_cast<std::int32_t>(o);
    }
    return -1;
}

/// Follows the middle of the body through obstacles; the number of one that it left on the side where it did not come
/// in, or -1.
std::int32_t crossed(Crossing& crossing, const VolumeReaction& reaction, const RigidPose& from, const RigidPose& to,
                     std::span<const Obstacle> obstacles, double h) noexcept {
    Gap gap;
    const std::int32_t inside = reaction.around_middle(to, obstacles, gap);
    const std::int32_t before = crossing.obstacle;
    if (inside >= 0) {
        if (before != inside) crossing = {inside, gap.gradient};
        return -1;
    }
    if (before < 0) return skipped(reaction, from, to, obstacles, h);
    crossing.obstacle = -1;
    if (static_cast<std::size_t>(before) >= obstacles.size()) return -1;
    return dot(reaction.way_out(to, obstacles[static_cast<std::size_t>(before)]), crossing.entered) < -0.2 ? before
                                                                                                           : -1;
}

}  // namespace

RigidMotion::RigidMotion(const RigidBody& body, const VolumeReaction& reaction, const ContactSettings& settings,
                         double measure)
    : body_(body), reaction_(reaction), settings_(settings) {
    const double area = 1.5 * (body.planar ? std::sqrt(measure) : std::cbrt(measure * measure));
    const double r = reaction.radius();
    contact_step_ = kPhase /
                    std::sqrt(reaction.stiffness() * area * (1.0 / body.mass + r * r / smallest_inertia(body)));
}

Vec3 RigidMotion::spin(const RigidState& s) const noexcept {
    const Mat3 turn = to_matrix(s.pose.rotation);
    return turn * (body_.inverse_inertia * (transpose(turn) * s.spin_momentum));
}

double RigidMotion::kinetic(const RigidState& s, const Vec3& carrier) const noexcept {
    return 0.5 * body_.mass * norm2(s.velocity - carrier) + 0.5 * dot(spin(s), s.spin_momentum);
}

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
    const double energy = 0.5 * dot(spin(s), s.spin_momentum);
    s.pose.rotation = normalized(from_rotation_vector(spin(half) * h) * s.pose.rotation);
    if (!body_.planar) keep_spin_energy(s, energy);
}

// Without it the midpoint rule loses or makes energy of spin, and what it makes would be taken from the whole motion: a
// tumbling body would slow down in empty space. With momentum L and spin w, a small turn d changes L.w/2 by d.(w x L).
void RigidMotion::keep_spin_energy(RigidState& s, double energy) const noexcept {
    for (int round = 0; round < kEnergyRounds; ++round) {
        const Vec3 w = spin(s), slope = cross(w, s.spin_momentum);
        const double missing = energy - 0.5 * dot(w, s.spin_momentum), steep = norm2(slope);
        if (!(std::abs(missing) > kSameEnergy * energy) || !(steep > 0.0)) return;
        Vec3 turn = slope * (missing / steep);
        const double angle = norm(turn);
        if (!std::isfinite(angle)) return;
        if (angle > kMostTurn) turn *= kMostTurn / angle;
        s.pose.rotation = normalized(from_rotation_vector(turn) * s.pose.rotation);
    }
}

/// Coulomb's law with the speed *after* rubbing, so that what friction can hold stands still: `Friction` solves for it
/// with the speeds of a guess, and guesses again until they agree. With the speed before, a body on a slope would move
/// on by what gravity gives it in each sub-step.
struct RigidMotion::Friction {
    Friction(const RigidMotion& owner, const RigidState& s, std::span<Touch> t, double h_, const LastFriction& last)
        : self(owner), touches(t), h(h_), before{s.velocity, owner.spin(s)}, momentum(s.spin_momentum) {
        const Mat3 turn = to_matrix(s.pose.rotation);
        inertia = turn * self.body_.inertia * transpose(turn);
        double brake = 0.0;  // what friction takes from a body that does not turn
        for (const Touch& touch : touches) brake += touch.force;
        brake *= h * self.settings_.friction / self.body_.mass;
        const Speeds guess{before.velocity + last.velocity, before.spin + last.spin};
        for (Touch& touch : touches) {
            const double leaving = dot(slide(before, touch), touch.normal);
            touch.press = self.settings_.relaxation * touch.rate;
            if (leaving > 0.0 && touch.force > 0.0)
                touch.press = std::min(touch.press, touch.force / leaving);  // it never pulls
            // What rubbing took last it mostly takes again.
            touch.slip = last.known ? speed(guess, touch)
                                    : std::max(speed(before, touch) - brake, self.settings_.slip_speed);
        }
    }

    struct Speeds {
        Vec3 velocity, spin;
    };
    static Vec3 slide(const Speeds& v, const Touch& touch) {
        return v.velocity + cross(v.spin, touch.arm) - touch.velocity;
    }
    /// Tangential speed, at least the one below which rubbing is viscous.
    double speed(const Speeds& v, const Touch& touch) const {
        const Vec3 all = slide(v, touch);
        return std::max(norm(all - touch.normal * dot(all, touch.normal)), self.settings_.slip_speed);
    }

    /// Sums over touches of D = grip (I - n n^T) + press n n^T as it acts on velocity and spin: with r the arm and w =
    /// (n, r x n) that is grip times (I, [r], r^2 I - r r^T), plus (press - grip) w w^T.
    struct Sums {
        double grip = 0.0, around[6] = {}, outer[21] = {};
        Vec3 grip_arm, drag, turning;

        void add(const Touch& t, double grip_here, double press) {
            const Vec3 &r = t.arm, c = cross(r, t.normal);
            grip += grip_here;
            grip_arm += r * grip_here;
            const double xx = grip_here * r.x * r.x, yy = grip_here * r.y * r.y, zz = grip_here * r.z * r.z;
            around[0] += yy + zz;
            around[1] += xx + zz;
            around[2] += xx + yy;
            around[3] -= grip_here * r.x * r.y;
            around[4] -= grip_here * r.y * r.z;
            around[5] -= grip_here * r.z * r.x;
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
            Mat3 lever;  // r x
            lever(0, 1) = -grip_arm.z;
            lever(0, 2) = grip_arm.y;
            lever(1, 0) = grip_arm.z;
            lever(1, 2) = -grip_arm.x;
            lever(2, 0) = -grip_arm.y;
            lever(2, 1) = grip_arm.x;
            for (int i = 0; i < 3; ++i) {
                a[7 * i] += step * grip;
                a[7 * (3 + i)] += step * around[i];
                const int j = (i + 1) % 3;
                a[6 * (3 + j) + 3 + i] += step * around[3 + i];
                a[6 * (3 + i) + 3 + j] += step * around[3 + i];
                for (int c = 0; c < 3; ++c) {
                    a[6 * c + 3 + i] += step * lever(i, c);
                    a[6 * (3 + i) + c] += step * lever(i, c);
                }
                b[i] = step * drag[i];
                b[3 + i] = step * turning[i];
            }
        }
    };

    /// (M + h D) V' = M V + h D V_obstacle
    bool solve(Speeds& out) const {
        Sums sums;
        for (Touch& touch : touches) {
            touch.grip = self.settings_.friction * touch.force / touch.slip;
            sums.add(touch, touch.grip, touch.press);
        }
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

    /// Adds the impulses that made these speeds of those before. Returns what obstacles that move do in work by them.
    double add_impulses(const Speeds& found, Wrench* rubbing) const {
        double carried = 0.0;
        for (const Touch& t : touches) {
            const Vec3 v = slide(found, t), along = t.normal * dot(v, t.normal);
            const Vec3 force = ((v - along) * t.grip + along * t.press) * -h;
            rubbing[t.obstacle].force += force;
            rubbing[t.obstacle].torque += cross(t.arm, force);
            carried += dot(force, t.velocity);
        }
        return carried;
    }

    const RigidMotion& self;
    std::span<Touch> touches;
    double h;
    Speeds before;
    Vec3 momentum;
    Mat3 inertia;
};

double RigidMotion::apply_friction(RigidState& s, Touch* touches, std::size_t count, double h, LastFriction& last,
                                   const Drift* drifted, Wrench* rubbing) const noexcept {
    if (count == 0 || (settings_.relaxation == 0.0 && settings_.friction == 0.0)) return 0.0;
    const Friction friction(*this, s, {touches, count}, h, last);
    Friction::Speeds found;
    for (int pass = 0; pass < kGuesses; ++pass) {
        if (!friction.solve(found)) return 0.0;
        if (settings_.friction == 0.0 || friction.agrees(found)) break;
    }
    const double carried = friction.add_impulses(found, rubbing);
    last = {found.velocity - friction.before.velocity, found.spin - friction.before.spin, true};
    s.velocity = found.velocity;
    s.spin_momentum = body_.planar ? Vec3{0.0, 0.0, body_.inertia(2, 2) * found.spin.z} : friction.inertia * found.spin;
    // Kicks and potentials do their work along the drift, so friction must too. The difference of kinetic energies
    // would be less by what each kick gives before it is held, and the trim would take that from a body that stands
    // still.
    const Drift along = drifted != nullptr ? *drifted : Drift{found.velocity, found.spin};
    const double taken = body_.mass * dot(friction.before.velocity - found.velocity, along.velocity) +
                         dot(friction.momentum - s.spin_momentum, along.spin);
    // Where a kick turns the slip round, rubbing goes with the drift that it followed. That is of the scheme: rubbing
    // makes heat of the slip, never motion. Only an obstacle that moves may give.
    return std::max(0.0, taken + carried) - carried;
}

double RigidMotion::trim(RigidState& s, const Vec3& carrier, double excess) const noexcept {
    const double kinetic_now = kinetic(s, carrier);
    if (!(excess > 0.0) || !(kinetic_now > 0.0)) return 0.0;
    const double left = std::max(0.0, kinetic_now - excess), scale = std::sqrt(left / kinetic_now);
    const Vec3 before = s.velocity;
    s.velocity = carrier + (s.velocity - carrier) * scale;
    s.spin_momentum *= scale;
    return body_.mass * dot(carrier, s.velocity - before);
}

double RigidMotion::next_step(const RigidState& s, const RigidLoads& loads, double left, bool touching,
                              const std::int32_t* latched, std::span<const Obstacle> obstacles) const noexcept {
    if (obstacles.empty()) return left;
    const bool held = touching || (reaction_.latches() && std::any_of(latched, latched + reaction_.point_count(),
                                                                      [](std::int32_t mark) { return mark > 0; }));
    const double clearance = held ? 0.0 : reaction_.clearance(s.pose, obstacles);
    double speed = norm(s.velocity) + norm(spin(s)) * reaction_.radius() +
                   norm(loads.gravity + loads.wrench.force / body_.mass) * left;
    double fastest = 0.0, sunk = 0.0;
    for (const Obstacle& o : obstacles) {
        fastest = std::max(fastest, norm(o.velocity) + norm(o.angular_velocity) *
                                                           (norm(s.pose.position - o.position) + reaction_.radius()));
        sunk = std::max(sunk, -gap_to(o, s.pose.position, body_.planar).value);
    }
    speed = std::max(speed + fastest, 1e-300);
    const double near = std::min(contact_step_, kMostTravel * (reaction_.width() + sunk) / speed);
    return std::min(left, clearance <= 0.0 ? near : std::max(near, clearance / speed));
}

/// Where a motion is between two sub-steps. `budget`: the energy that may be there, which only what acts from outside
/// adds to.
struct RigidMotion::Course {
    RigidState state;
    Push push;
    std::size_t touching = 0;
    LastFriction last_friction;
    Vec3 carrier;  ///< velocity of what pushes, or pushed last
    double budget = 0.0;
};

double RigidMotion::drag_for(RigidState& s, double h) const noexcept {
    if (!(body_.drag > 0.0)) return 0.0;
    const double before = kinetic(s), fade = std::exp(-body_.drag * h);
    s.velocity *= fade;
    s.spin_momentum *= fade;
    return before - kinetic(s);
}

RigidMotion::Course RigidMotion::attempt(const Course& from, const RigidLoads& loads, double h,
                                         const std::int32_t* latched, std::span<const Obstacle> obstacles,
                                         double* scratch, Touch* touches, Wrench* rubbing) const noexcept {
    Course to = from;
    std::fill(rubbing, rubbing + obstacles.size(), Wrench{});
    kick(to.state, loads, from.push, 0.5 * h);
    double lost = apply_friction(
        to.state, touches, from.touching, 0.5 * h, to.last_friction, nullptr,
        rubbing);  // before it drifts: what friction holds must not creep by what gravity gave it since
    double work = dot(loads.wrench.torque, spin(to.state)) * h;
    const Drift drifted{to.state.velocity, spin(to.state)};
    drift(to.state, h);
    to.push = reaction_.evaluate(to.state.pose, obstacles, latched, scratch, touches, nullptr);
    to.touching = to.push.touches;
    if (to.push.energy > 0.0) to.carrier = to.push.carrier;
    kick(to.state, loads, to.push, 0.5 * h);
    lost += apply_friction(to.state, touches, to.touching, 0.5 * h, to.last_friction, &drifted, rubbing);
    lost += drag_for(to.state, h);
    work += 0.5 * h * (from.push.power + to.push.power);
    to.budget = from.budget + work - lost;
    return to;
}

bool RigidMotion::is_resolved(const Course& from, const Course& to, const RigidLoads& loads) const noexcept {
    const Vec3& carrier = to.carrier;
    const double came_in = to.budget - from.budget,
                 passed_on = body_.mass * dot(carrier, to.state.velocity - from.state.velocity);
    const double before = kinetic(from.state) + potential(from.state, loads, from.push),
                 after = kinetic(to.state) + potential(to.state, loads, to.push);
    // As the obstacle sees it: a body that rides on a fast one must not hide its errors behind that speed.
    const double scale = kinetic(from.state, carrier) + from.push.energy + std::abs(came_in - passed_on);
    const double rounding = kRounding * (std::abs(before) + std::abs(after) + kinetic(from.state) + kinetic(to.state) +
                                         from.push.energy + to.push.energy);
    return std::abs(after - before - came_in) <= kMostError * scale + rounding;
}

RigidReport RigidMotion::advance(RigidState& s, const RigidLoads& loads, double dt, std::int32_t* latched,
                                 Crossing& crossing, EnergyAccount& account, double* scratch, Touch* touches,
                                 Obstacle* moved, Wrench* rubbed, Wrench* rubbing) const noexcept {
    RigidReport report;
    const std::span<const Obstacle> obstacles(moved, loads.obstacles.size());
    double left = dt, longest = dt;
    const auto begin = [&](Course& at) {
        move_obstacles(loads.obstacles, left, moved);
        at.push = reaction_.evaluate(at.state.pose, obstacles, latched, scratch, touches, nullptr);
        at.touching = at.push.touches;
    };
    Course now;
    now.state = s;
    begin(now);
    now.budget = kinetic(s) + potential(s, loads, now.push) - account.owed;
    now.carrier = now.push.energy > 0.0 ? now.push.carrier : account.carrier;
    while (left > 1e-12 * dt) {
        if (++report.sub_steps > kMostSteps) {
            report.ok = report.finished = false;
            return report;
        }
        const double h = std::min(longest,
                                  next_step(now.state, loads, left, now.push.energy > 0.0, latched, obstacles));
        if (loads.moving) move_obstacles(loads.obstacles, left - h, moved);
        Course next = attempt(now, loads, h, latched, obstacles, scratch, touches, rubbing);
        const double excess = kinetic(next.state) + potential(next.state, loads, next.push) - next.budget,
                     payable = kinetic(next.state, next.carrier);
        // Where a bounce turns round nothing moves that could pay; a little earlier something does. A body at rest
        // owes, or it would be halved for ever.
        const bool bounces = kinetic(now.state, now.carrier) > kAtRest * next.push.energy &&
                             h > kAtRest * contact_step_;
        const bool turns_round = bounces && excess - payable > kUnpaid * next.push.energy;
        if (turns_round || !is_resolved(now, next, loads)) {
            longest = 0.5 * h;
            const bool jumps = longest < kShortest * contact_step_;
            if (jumps && !(excess <= payable)) {
                report.ok = false;
                report.finished = !std::isfinite(excess);
                return report;
            }
            if (!jumps) {
                begin(now);
                continue;
            }
        }
        longest *= kGrowth;
        left -= h;
        for (std::size_t o = 0; o < obstacles.size(); ++o) {
            rubbed[o].force += rubbing[o].force / dt;
            rubbed[o].torque += rubbing[o].torque / dt;
        }
        if (const std::int32_t through = crossed(crossing, reaction_, now.state.pose, next.state.pose, obstacles, h);
            through >= 0) {
            report.through = through;
        }
        const double stored = next.push.energy;
        if (reaction_.update_latches(next.state.pose, obstacles, latched))
            next.push = reaction_.evaluate(next.state.pose, obstacles, latched, scratch, nullptr, nullptr);
        next.budget -= std::max(0.0, stored - next.push.energy);
        next.budget += trim(next.state, next.carrier,
                            kinetic(next.state) + potential(next.state, loads, next.push) - next.budget);
        now = next;
    }
    s = now.state;
    const double rounding = kRounding * now.push.energy;
    account = {std::max(0.0, kinetic(s) + potential(s, loads, now.push) - now.budget - rounding), now.carrier};
    return report;
}

}  // namespace limber
