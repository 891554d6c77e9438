// Bodies and runs that the linear_fem tests share.
#pragma once

#include <limber/method.hpp>

#include <cmath>
#include <string>

namespace limber::test {

inline std::shared_ptr<const Body> bar(CellKind kind, int n, const Material& m, bool anchored = true,
                                       bool handle = false, double length = 2.0) {
    BodyDescription d;
    d.mesh = make_box(kind, 2 * n, n, n, {0, 0, 0}, {length, 1, 1});
    d.materials = {{"", m}};
    if (anchored) d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    if (handle) d.handles = {{"grip", d.mesh.vertex_sets.at("right"), {}, {length, 0.5, 0.5}}};
    return Body::make(d);
}

inline std::unique_ptr<Deformer> prepare(std::shared_ptr<const Body> body, const OptionValues& options,
                                         const char* method = "linear_fem") {
    Progress silent;
    return require_method(method).prepare(std::move(body), options, silent);
}

struct Sim {
    std::unique_ptr<Deformer> deformer;
    State state;
    Workspace scratch;
    StepReport last;

    Sim(std::shared_ptr<const Body> body, const OptionValues& options, const char* method = "linear_fem")
        : deformer(prepare(std::move(body), options, method)) {
        state = deformer->rest_state();
        scratch = deformer->make_workspace();
    }
    StepReport step(const Loads& loads, int count = 1) {
        for (int i = 0; i < count; ++i) last = deformer->step(state, loads, deformer->prepared_step(), scratch);
        return last;
    }
    std::vector<Vec3> u() const {
        std::vector<Vec3> out(deformer->body().vertex_count());
        deformer->displacements(state, out);
        return out;
    }
    std::vector<Vec3> v() const {
        std::vector<Vec3> out(deformer->body().vertex_count());
        deformer->velocities(state, out);
        return out;
    }
};

inline double distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, norm(a[i] - b[i]));
    return most;
}

}  // namespace limber::test
