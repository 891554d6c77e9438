#include <limber/tools/sim.hpp>

#include "core/text.hpp"
#include "scene/build.hpp"
#include "sim/curve.hpp"

#include <cmath>

namespace limber {

namespace {

/// A keyframe this near to a step time [of a step] is at it: 2/3 s and 20 * (1/30) s differ in the last bit only.
constexpr double kSnap = 1e-9;
/// More steps than any run here should take: a typing mistake, not a wish.
constexpr double kMaxSteps = 1e8;

template <class Key>
void check_keys(const std::vector<Key>& keys, const InputLocation& place) {
    for (std::size_t k = 0; k < keys.size(); ++k) {
        const bool ascending = k == 0 || keys[k].t > keys[k - 1].t;
        if (!std::isfinite(keys[k].t) || !ascending) {
            throw Error(Fault::bad_scene, {place.path, 0, text(place.field, "/keyframes/", k, "/t")},
                        text("t = ", keys[k].t, " s"), "finite times in ascending order");
        }
    }
}

Curve<1> scale_curve(const ScaleTrack& track, const InputLocation& place) {
    check_keys(track.keys, place);
    if (track.keys.empty()) return Curve<1>({0.0}, {{1.0}}, Interpolation::step);
    std::vector<double> times;
    std::vector<std::array<double, 1>> values;
    for (const ScaleKey& key : track.keys) {
        times.push_back(key.t);
        values.push_back({key.scale});
    }
    return Curve<1>(std::move(times), std::move(values), track.interpolation);
}

template <class Driven>
Curve<6> pose_curve(const Driven& spec, const InputLocation& place) {
    check_keys(spec.keys, place);
    std::vector<double> times;
    std::vector<std::array<double, 6>> values;
    for (const PoseKey& key : spec.keys) {
        const Vec3& p = key.translation;
        const Vec3& r = key.rotation;
        times.push_back(key.t);
        values.push_back({p.x, p.y, p.z, r.x, r.y, r.z});
    }
    return Curve<6>(std::move(times), std::move(values), spec.interpolation);
}

HandleTarget target_of(const Curve<6>::Sample& s) noexcept {
    const auto first = [](const std::array<double, 6>& v) { return Vec3{v[0], v[1], v[2]}; };
    const auto last = [](const std::array<double, 6>& v) { return Vec3{v[3], v[4], v[5]}; };
    const Spin spin = spin_of(last(s.value), last(s.rate), last(s.acceleration));
    HandleTarget target;
    target.translation = first(s.value);
    target.rotation = from_rotation_vector(last(s.value));
    target.velocity = first(s.rate);
    target.angular_velocity = spin.velocity;
    target.acceleration = first(s.acceleration);
    target.angular_acceleration = spin.acceleration;
    return target;
}

/// An obstacle that its pivot's motion carries along.
struct Mover {
    Obstacle start;
    Vec3 pivot;
    Curve<6> pose;

    Obstacle at(double t, double snap) const noexcept {
        const HandleTarget target = target_of(pose.at(t, snap));
        const Vec3 arm = to_matrix(target.rotation) * (start.position - pivot);
        Obstacle now = start;
        now.position = pivot + target.translation + arm;
        now.rotation = normalized(target.rotation * start.rotation);
        now.velocity = target.velocity + cross(target.angular_velocity, arm);
        now.angular_velocity = target.angular_velocity;
        return now;
    }
};

}  // namespace

struct Timeline::Impl {
    struct Push {
        IndexSet vertices;
        Vec3 each;  ///< [N] on every vertex at scale 1
        Curve<1> scale;
    };

    double step = 0.0, duration = 0.0;
    Vec3 gravity;
    Curve<1> gravity_scale;
    std::vector<Curve<6>> poses;
    std::vector<Push> pushes;
    std::vector<HandleTarget> targets;
    std::vector<Mover> movers;
    std::vector<Obstacle> obstacles;
    std::vector<Vec3> force;  ///< one per vertex; empty when the scene has no forces
    Loads loads;

    void evaluate(double t) noexcept {
        const double snap = kSnap * step;
        loads.gravity = gravity * gravity_scale.at(t, snap).value[0];
        for (std::size_t h = 0; h < poses.size(); ++h) targets[h] = target_of(poses[h].at(t, snap));
        for (const Push& push : pushes)
            for (const std::int32_t v : push.vertices) force[static_cast<std::size_t>(v)] = Vec3{};
        for (const Push& push : pushes) {
            const Vec3 now = push.each * push.scale.at(t, snap).value[0];
            for (const std::int32_t v : push.vertices) force[static_cast<std::size_t>(v)] += now;
        }
        for (std::size_t o = 0; o < movers.size(); ++o) obstacles[o] = movers[o].at(t, snap);
        loads.handles = targets;
        loads.obstacles = obstacles;
        loads.force = force;
    }
};

namespace {
std::size_t count_vertices(const Body& body, const std::string& set, const InputLocation& place, IndexSet& out) {
    const auto found = body.mesh().vertex_sets.find(set);
    if (found == body.mesh().vertex_sets.end() || found->second.empty())
        throw Error(Fault::bad_scene, place, text("no vertex set named \"", set, "\" on the body"));
    out = found->second;
    return out.size();
}
}  // namespace

namespace {
void check_times(const Scene& scene) {
    if (!(scene.step > 0.0) || !std::isfinite(scene.step) || !(scene.duration >= 0.0) ||
        !std::isfinite(scene.duration)) {
        throw Error(Fault::bad_scene, {scene.source, 0, "/step"},
                    text("step ", scene.step, " s, duration ", scene.duration, " s"),
                    "a positive step and a duration that is not negative");
    }
    if (!(scene.duration / scene.step <= kMaxSteps)) {
        throw Error(Fault::bad_scene, {scene.source, 0, "/duration"}, text(scene.duration / scene.step, " steps"),
                    text("at most ", kMaxSteps));
    }
}
}  // namespace

Timeline::Timeline(const Scene& scene, const std::shared_ptr<const Body>& body, std::size_t body_index)
    : impl_(std::make_unique<Impl>()) {
    if (body_index >= scene.bodies.size())
        throw Error(Fault::bad_scene, {scene.source, 0, "/bodies"}, text("no body ", body_index));
    if (scene.statics) {
        throw Error(Fault::bad_scene, {scene.source, 0, "/static"}, "a static problem, which has no steps",
                    "`limber static` for it; method, step and duration for a run");
    }
    if (!scene.bodies[body_index].conditions.empty()) {
        throw Error(Fault::bad_scene, {scene.source, 0, text("/bodies/", body_index, "/conditions")},
                    "conditions, which only static problems use", "anchors, handles and forces for a run");
    }
    check_times(scene);
    std::vector<SceneFault> faults;
    check_stage(scene, body->mesh().dimension(), {scene.source, &faults});
    if (!faults.empty()) throw SceneError(std::move(faults));
    const BodySpec& spec = scene.bodies[body_index];
    const std::string field = text("/bodies/", body_index);
    Impl& in = *impl_;
    in.step = scene.step;
    in.duration = scene.duration;
    in.gravity = scene.gravity.vector;
    in.gravity_scale = scale_curve(scene.gravity.scale, {scene.source, 0, "/gravity"});
    if (spec.handles.size() != body->handles().size()) {
        throw Error(Fault::bad_scene, {scene.source, 0, field + "/handles"},
                    text(spec.handles.size(), " in the scene, ", body->handles().size(), " on the body"),
                    "the body of this scene");
    }
    for (std::size_t h = 0; h < spec.handles.size(); ++h)
        in.poses.push_back(pose_curve(spec.handles[h], {scene.source, 0, text(field, "/handles/", h)}));
    in.targets.resize(in.poses.size());
    for (std::size_t o = 0; o < scene.obstacles.size(); ++o) {
        const ObstacleSpec& obstacle = scene.obstacles[o];
        in.movers.push_back({obstacle.start, obstacle.pivot.value_or(obstacle.start.position),
                             pose_curve(obstacle, {scene.source, 0, text("/obstacles/", o)})});
    }
    in.obstacles.resize(in.movers.size());
    for (std::size_t f = 0; f < spec.forces.size(); ++f) {
        const InputLocation place{scene.source, 0, text(field, "/forces/", f)};
        Impl::Push push;
        const std::size_t count = count_vertices(*body, spec.forces[f].set, place, push.vertices);
        push.each = spec.forces[f].total ? spec.forces[f].force / static_cast<double>(count) : spec.forces[f].force;
        push.scale = scale_curve(spec.forces[f].scale, place);
        in.pushes.push_back(std::move(push));
    }
    if (!in.pushes.empty()) in.force.resize(body->vertex_count());
    in.evaluate(0.0);
}

Timeline::~Timeline() = default;
Timeline::Timeline(Timeline&&) noexcept = default;
Timeline& Timeline::operator=(Timeline&&) noexcept = default;

double Timeline::step() const { return impl_->step; }

std::size_t Timeline::step_count() const {
    // Ten seconds of 1/30 s are 300 steps, though the quotient may come out a hair below.
    const double steps = impl_->duration / impl_->step;
    return static_cast<std::size_t>(std::floor(steps + 1e-9 * std::max(1.0, steps)));
}

double Timeline::time(std::size_t i) const { return static_cast<double>(i) * impl_->step; }

const Loads& Timeline::at_step(std::size_t i) noexcept { return at(static_cast<double>(i) * impl_->step); }

const Loads& Timeline::at(double t) noexcept {
    impl_->evaluate(t);
    return impl_->loads;
}

}  // namespace limber
