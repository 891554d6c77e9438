#include "sim/energy_watch.hpp"

#include "body/mass_centre.hpp"
#include "core/rotation.hpp"
#include "core/text.hpp"

#include <limber/mesh.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

/// Energy made out of nothing, in shares of what the body had and was given: from here on the run says so, ...
constexpr double kWorthAWord = 0.25;
/// ... and from here on it is no run any more. Below it lie the honest errors of coarse steps and of sampled work.
constexpr double kDiverged = 10.0;
/// Of the most that the body had and was given in the whole run.
constexpr double kNothing = 0.01;

bool varies(const ScaleTrack& track) { return track.keys.size() > 1; }

bool loads_vary(const Scene& scene) {
    if (varies(scene.gravity.scale) || !scene.obstacles.empty()) return true;
    if (scene.bodies.empty()) return false;
    const BodySpec& body = scene.bodies[0];
    return !body.handles.empty() ||
           std::any_of(body.forces.begin(), body.forces.end(), [](const ForceSpec& f) { return varies(f.scale); });
}

/// The turn from `before` to `after` as a rotation vector, at most half a turn.
Vec3 turn_between(const Quat& before, const Quat& after) {
    Quat q = normalized(after * conjugate(before));
    if (q.w < 0.0) q = {-q.w, -q.x, -q.y, -q.z};
    const Vec3 axis{q.x, q.y, q.z};
    const double sine = norm(axis);
    return sine > 0.0 ? axis * (2.0 * std::atan2(sine, q.w) / sine) : Vec3{};
}

double shortest_edge(const Mesh& mesh) {
    double shortest = 0.0;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        for (int a = 0; a < corners_of(mesh.kind); ++a) {
            for (int b = 0; b < a; ++b) {
                const double length = norm(mesh.vertices[static_cast<std::size_t>(mesh.cell(c)[a])] -
                                           mesh.vertices[static_cast<std::size_t>(mesh.cell(c)[b])]);
                if (length > 0.0 && (shortest == 0.0 || length < shortest)) shortest = length;
            }
        }
    }
    return shortest;
}

double diagonal(const Mesh& mesh) {
    Vec3 low = mesh.vertices.front(), high = low;
    for (const Vec3& p : mesh.vertices) {
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    }
    return norm(high - low);
}

}  // namespace

EnergyWatch::EnergyWatch(const Scene& scene, const Deformer& deformer, double step)
    : deformer_(deformer), step_(step), every_step_(loads_vary(scene)) {
    const Body& body = deformer.body();
    const Mesh& mesh = body.mesh();
    mass_ = vertex_masses(body);
    for (const double m : mass_) body_mass_ += m;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        const double volume = std::abs(cell_measure(mesh, c)) * (mesh.dimension() == 2 ? body.thickness() : 1.0);
        stiffest_ += volume * (body.material_of(c).bulk() + 4.0 / 3.0 * body.material_of(c).shear());
    }
    edge_ = shortest_edge(mesh);
    size_ = diagonal(mesh);
    for (const Handle& handle : body.handles()) {
        double reach = 0.0;
        Vec3 centre;
        for (const std::int32_t v : handle.vertices) {
            const Vec3& p = mesh.vertices[static_cast<std::size_t>(v)];
            reach = std::max(reach, norm(p - handle.pivot));
            centre += p / static_cast<double>(handle.vertices.size());
        }
        handle_reach_.push_back(reach);
        handle_centre_.push_back(centre);
    }
    from_start_.assign(scene.obstacles.size(), 1);
    moved_.resize(body.vertex_count());
    now_.resize(body.vertex_count());
}

void EnergyWatch::begin(const State& state, const Loads& loads, const Energies& energies) {
    deformer_.displacements(state, moved_);
    for (std::size_t h = 0; h < handle_reach_.size(); ++h) {
        const Wrench w = deformer_.reaction(state, {SupportRef::Kind::handle, static_cast<int>(h)});
        handles_.push_back({w.force, w.torque, handle_centre_[h], {}});
        if (h >= loads.handles.size()) continue;
        // A handle that does not start at rest may have strained the body before anybody looked.
        const HandleTarget& at = loads.handles[h];
        widen_reach(norm(at.translation), norm(turn_between({}, at.rotation)) * handle_reach_[h],
                    norm(at.velocity) + norm(at.angular_velocity) * handle_reach_[h]);
        handles_[h].centre += at.translation +
                              to_matrix(at.rotation) * (handle_centre_[h] - deformer_.body().handles()[h].pivot) -
                              (handle_centre_[h] - deformer_.body().handles()[h].pivot);
        handles_[h].rotation = at.rotation;
    }
    for (const Obstacle& o : loads.obstacles) obstacles_.push_back({{}, {}, o.position, o.rotation});
    started_with_ = energies.kinetic + std::max(0.0, energies.elastic);
    remember(loads);
}

void EnergyWatch::remember(const Loads& loads) {
    gravity_ = loads.gravity;
    force_.assign(loads.force.begin(), loads.force.end());
}

// With loads that change within a step nobody knows when: the end that gives more is believed.
double EnergyWatch::work_of_vertices(const Loads& loads) const {
    Vec3 weighed;
    double before = 0.0, after = 0.0;
    for (std::size_t v = 0; v < now_.size(); ++v) {
        const Vec3 moved = now_[v] - moved_[v];
        weighed += mass_[v] * moved;
        if (v < force_.size()) before += dot(force_[v], moved);
        if (v < loads.force.size()) after += dot(loads.force[v], moved);
    }
    return std::max(before + dot(gravity_, weighed), after + dot(loads.gravity, weighed));
}

double EnergyWatch::work_of_handle(std::size_t h, const HandleTarget& now, const Wrench& wrench) {
    Support& then = handles_[h];
    const Vec3 pivot = deformer_.body().handles()[h].pivot;
    const Vec3 centre = pivot + now.translation + to_matrix(now.rotation) * (handle_centre_[h] - pivot);
    const Vec3 moved = centre - then.centre, turned = turn_between(then.rotation, now.rotation);
    widen_reach(norm(moved) + norm(turned) * handle_reach_[h], norm(turn_between({}, now.rotation)) * handle_reach_[h],
                std::max(norm(now.velocity) + norm(now.angular_velocity) * handle_reach_[h],
                         (norm(moved) + norm(turned) * handle_reach_[h]) / step_));
    // Methods of small strain take levers at rest, others where the handle is: again the one that gives more.
    double most = -std::numeric_limits<double>::infinity();
    for (const auto& [force, torque] : {Wrench{then.force, then.torque}, wrench}) {
        for (const Vec3& lever : {handle_centre_[h], centre})
            most = std::max(most, dot(force, moved) + dot(torque - cross(lever, force), turned));
    }
    then = {wrench.force, wrench.torque, centre, now.rotation};
    return most;
}

// An obstacle at rest gives nothing, except to a body that began inside it; one that moves pushes with its own
// velocity.
double EnergyWatch::work_of_obstacle(std::size_t o, const Obstacle& now, const Wrench& wrench, const Vec3& body_moved) {
    Support& then = obstacles_[o];
    const Vec3 moved = now.position - then.centre, turned = turn_between(then.rotation, now.rotation);
    double most = 0.0;
    for (const auto& [force, torque] : {Wrench{then.force, then.torque}, wrench}) {
        most = std::max(most, dot(force, moved) + dot(torque - cross(now.position, force), turned));
        if (from_start_[o] != 0) most = std::max(most, dot(force, body_moved));
    }
    if (norm2(wrench.force) == 0.0) from_start_[o] = 0;
    then = {wrench.force, wrench.torque, now.position, now.rotation};
    return most;
}

// What a handle gives within one step, or by turning a body of small strain (which grows as it turns), need not show in
// the sums of its reactions: at most its vertices move alone, strain the next cells and carry the body along.
void EnergyWatch::widen_reach(double moved, double turned, double speed) {
    const double strain = std::max(moved, std::min(turned, 2.0 * size_)) / edge_;
    unseen_ = std::max(unseen_, 0.5 * stiffest_ * strain * strain + 0.5 * body_mass_ * speed * speed);
}

void EnergyWatch::account(const State& state, const Loads& loads) {
    deformer_.displacements(state, now_);
    farthest_ = 0.0;
    Vec3 body_moved;
    for (std::size_t v = 0; v < now_.size(); ++v) {
        farthest_ = std::max({farthest_, std::abs(now_[v].x), std::abs(now_[v].y), std::abs(now_[v].z)});
        body_moved += (mass_[v] / body_mass_) * (now_[v] - moved_[v]);
    }
    work_ += work_of_vertices(loads);
    for (std::size_t h = 0; h < std::min(handles_.size(), loads.handles.size()); ++h) {
        work_ += work_of_handle(h, loads.handles[h],
                                deformer_.reaction(state, {SupportRef::Kind::handle, static_cast<int>(h)}));
    }
    for (std::size_t o = 0; o < std::min(obstacles_.size(), loads.obstacles.size()); ++o) {
        work_ += work_of_obstacle(o, loads.obstacles[o],
                                  deformer_.reaction(state, {SupportRef::Kind::obstacle, static_cast<int>(o)}),
                                  body_moved);
    }
    largest_work_ = std::max(largest_work_, std::abs(work_));
    moved_.swap(now_);
    remember(loads);
}

/// Strain and velocity of a body at rest that is only known to the last digits of where it is.
double EnergyWatch::rounding() const {
    const double off = 1e-13 * (size_ + farthest_), strain = off / edge_, speed = off / step_;
    return 0.5 * stiffest_ * strain * strain + 0.5 * body_mass_ * speed * speed;
}

EnergyWatch::Verdict EnergyWatch::judge(const Energies& energies, double time) {
    energy_ = energies.kinetic + std::max(0.0, energies.elastic);
    const double scale = started_with_ + largest_work_ + unseen_ + rounding();
    const double gain = (energy_ - (started_with_ + work_ + unseen_)) / scale;
    if (gain > kDiverged) return Verdict::diverged;
    if (gain > worst_gain_) {
        worst_gain_ = gain;
        worst_excess_ = gain * scale;
        worst_time_ = time;
    }
    return gain > kWorthAWord ? Verdict::gained : Verdict::fine;
}

std::string EnergyWatch::words() const {
    return fmt::format("the body has {:.3g} J, but started with {:.3g} J and was given at most {:.3g} J", energy_,
                       started_with_, std::max(0.0, work_) + unseen_);
}

std::string EnergyWatch::gain_words() const {
    // Of what a body has in its first step, an error may be large that is nothing beside what it has later.
    const double most = started_with_ + largest_work_ + unseen_;
    if (worst_gain_ <= kWorthAWord || worst_excess_ <= kNothing * most) return {};
    return fmt::format(
        "the body gained energy out of nothing, {} times what it had and was given, at t = {:.4g} s; do not trust how "
        "fast and how far it moves. Where it turns, a method of "
        "large strain helps (small strain swells as it turns, at any step); where not, a smaller step",
        plain_number(worst_gain_, 2), worst_time_);
}

}  // namespace limber
