#include "reproduce/jelly/jelly_drop.hpp"

#include "bem/free_body_state.hpp"
#include "core/text.hpp"
#include "study/cpu_time.hpp"

#include <limber/method.hpp>
#include <limber/tools/sim.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

/// Steps a scene and keeps what happens.
class FallRecorder {
public:
    FallRecorder(const Scene& scene, const std::shared_ptr<const Body>& body, const Deformer& deformer, Drop& out)
        : deformer_(deformer),
          timeline_(scene, body),
          state_(deformer.rest_state()),
          scratch_(deformer.make_workspace()),
          out_(out),
          surface_(boundary_of(body->mesh()).vertices) {
        recording_.scene = scene.name;
        recording_.method = "bem";
        recording_.step = timeline_.step();
        recording_.body = body;
        recording_.obstacle_count = scene.obstacles.size();
        out_.mass = body->materials().front().density * measure_of(body->mesh()) *
                    (body->mesh().dimension() == 2 ? scene.bodies[0].thickness : 1.0);
    }

    void run(Progress& progress, const std::string& name) {
        deformer_.start(state_, timeline_.at_step(0), scratch_);
        keep(0, timeline_.at_step(0), {});
        for (std::size_t i = 1; i <= timeline_.step_count(); ++i) {
            if (progress.stop_requested()) throw Error(Fault::interrupted, {}, "interrupted");
            progress.update(static_cast<double>(i) / static_cast<double>(timeline_.step_count()), name.c_str());
            const Loads& loads = timeline_.at_step(i);
            const double start = cpu_seconds();
            const StepReport report = deformer_.step(state_, loads, timeline_.step(), scratch_);
            const double took = cpu_seconds() - start;
            if (report.trouble != Trouble::none) {
                throw Error(Fault::unsupported, {name, 0, {}},
                            text(to_string(report.trouble), " at t = ", timeline_.time(i), " s"), "a fall to its end");
            }
            keep(i, loads, report);
            if (out_.moments.back().push != 0.0) out_.costs.push_back(took);
        }
        std::sort(out_.costs.begin(), out_.costs.end());
        out_.recording = std::make_shared<const Recording>(std::move(recording_));
    }

private:
    void keep(std::size_t step, const Loads& loads, const StepReport& report) {
        Frame frame;
        frame.time = timeline_.time(step);
        frame.displacement.resize(recording_.body->vertex_count());
        frame.velocity.resize(frame.displacement.size());
        deformer_.displacements(state_, frame.displacement);
        deformer_.velocities(state_, frame.velocity);
        frame.energies = deformer_.energies(state_, scratch_);
        frame.obstacles.assign(loads.obstacles.begin(), loads.obstacles.end());
        frame.report = report;
        DropMoment now;
        for (std::size_t o = 0; o < loads.obstacles.size(); ++o) {
            frame.reactions.push_back(deformer_.reaction(state_, {SupportRef::Kind::obstacle, static_cast<int>(o)}));
            now.push += frame.reactions.back().force.y;
        }
        now.time = frame.time;
        const FreeBodyState body = free_body_state(state_.reals);
        now.centre = body.centre;
        now.rotation = body.rotation;
        now.energy = frame.energies.total() - out_.mass * dot(loads.gravity, body.centre);
        now.passes = report.iterations;
        measure(frame, now);
        out_.moments.push_back(now);
        recording_.frames.push_back(std::move(frame));
    }

    void measure(const Frame& frame, DropMoment& now) const {
        double left = 1e300, right = -1e300, low = 1e300, high = -1e300;
        for (const std::int32_t i : surface_) {
            const auto v = static_cast<std::size_t>(i);
            const Vec3 p = recording_.body->mesh().vertices[v] + frame.displacement[v];
            left = std::min(left, p.x);
            right = std::max(right, p.x);
            low = std::min(low, p.y);
            high = std::max(high, p.y);
        }
        now.lowest = low;
        now.width = right - left;
        now.tall = high - low;
    }

    const Deformer& deformer_;
    Timeline timeline_;
    State state_;
    Workspace scratch_;
    Drop& out_;
    IndexSet surface_;
    Recording recording_;
};

std::size_t first_touch(const Drop& drop) {
    std::size_t i = 0;
    while (i < drop.moments.size() && drop.moments[i].push <= 0.0) ++i;
    return i;
}

}  // namespace

Drop run_drop(const Scene& scene, Progress& progress) {
    Drop out;
    out.scene = std::make_shared<const Scene>(scene);
    const std::shared_ptr<const Body> body = make_body(scene);
    const double start = cpu_seconds();
    const std::unique_ptr<Deformer> deformer = require_method("bem").prepare(body, scene.method.options, progress);
    out.prepared = cpu_seconds() - start;
    FallRecorder(scene, body, *deformer, out).run(progress, scene.name);
    return out;
}

double rebound_of(const Drop& drop) {
    double high = drop.touching_height();
    const std::size_t touch = first_touch(drop);
    bool left = false;
    for (std::size_t i = touch; i < drop.moments.size(); ++i) {
        left = left || drop.moments[i].push <= 0.0;
        if (left && drop.moments[i].push > 0.0) break;
        high = std::max(high, i > touch ? drop.moments[i].centre.y : high);
    }
    return (high - drop.touching_height()) / drop.fall();
}

double contact_time(const Drop& drop) {
    double sum = 0.0;
    for (std::size_t i = first_touch(drop); i < drop.moments.size() && drop.moments[i].push > 0.0; ++i)
        sum += drop.moments[i].time - drop.moments[i - 1].time;
    return sum;
}

double energy_gain(const Drop& drop) {
    double most = -1.0;
    for (std::size_t i = 1; i < drop.moments.size(); ++i)
        most = std::max(most, (drop.moments[i].energy - drop.moments[i - 1].energy) / drop.scale());
    return most;
}

std::size_t hardest(const Drop& drop) {
    const std::size_t touch = first_touch(drop);
    if (touch == drop.moments.size()) return 0;
    std::size_t out = touch;
    for (std::size_t i = touch; i < drop.moments.size() && drop.moments[i].push > 0.0; ++i)
        if (drop.moments[i].push > drop.moments[out].push) out = i;
    return out;
}

std::vector<Vec3> shape_of(const Drop& drop, std::size_t moment) {
    const Mesh& mesh = drop.recording->body->mesh();
    const Frame& frame = drop.recording->frames[moment];
    const DropMoment &now = drop.moments[moment], &rest = drop.moments.front();
    const Mat3 turn = to_matrix(now.rotation) * transpose(to_matrix(rest.rotation));
    std::vector<Vec3> out;
    for (const std::int32_t i : boundary_of(mesh).vertices) {
        const auto v = static_cast<std::size_t>(i);
        out.push_back(mesh.vertices[v] + frame.displacement[v] -
                      (now.centre + turn * (mesh.vertices[v] - rest.centre)));
    }
    return out;
}

double rms(const std::vector<Vec3>& u) {
    double sum = 0.0;
    for (const Vec3& v : u) sum += norm2(v);
    return u.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(u.size()));
}

double distance_of(const std::vector<Vec3>& u, const std::vector<Vec3>& truth) {
    std::vector<Vec3> apart;
    for (std::size_t i = 0; i < u.size() && i < truth.size(); ++i) apart.push_back(u[i] - truth[i]);
    return rms(apart) / rms(truth);
}

double model_contact_time(double radius, double density, double stiffness, double fall) {
    constexpr double kStep = 1e-7, kGravity = 9.81, kPi = std::numbers::pi;
    const double mass = density * kPi * radius * radius;
    double depth = 0.0, speed = std::sqrt(2.0 * kGravity * fall), time = 0.0;
    do {
        const double y = std::clamp(depth / radius, 0.0, 2.0);
        const double area = radius * radius *
                            (std::acos(1.0 - y) - (1.0 - y) * std::sqrt(std::max(0.0, 2.0 * y - y * y)));
        speed -= kStep * (stiffness * area / mass - kGravity);
        depth += kStep * speed;
        time += kStep;
    } while (depth > 0.0 && time < 1.0);
    return time;
}

double area_below(const std::vector<Vec3>& polygon) {
    std::vector<Vec3> cut;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
        if (a.y < 0.0) cut.push_back(a);
        if ((a.y < 0.0) != (b.y < 0.0)) cut.push_back(a + (b - a) * (a.y / (a.y - b.y)));
    }
    double twice = 0.0;
    for (std::size_t i = 0; i < cut.size(); ++i) twice += cross(cut[i], cut[(i + 1) % cut.size()]).z;
    return 0.5 * std::abs(twice);
}

}  // namespace limber
