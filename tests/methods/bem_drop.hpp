// A bench for dropping things: a free body, obstacles, and what happened.
#pragma once

#include "bem/free_body_state.hpp"

#include <limber/method.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace limber {

inline constexpr double kPi = 3.14159265358979323846;

/// A polar grid of triangles: `around` vertices on the rim, half axes a and b.
inline Mesh ellipse_mesh(int around, double a, double b) {
    Mesh m;
    m.kind = CellKind::tri3;
    m.vertices.push_back({});
    const int rings = std::max(2, around / 10);
    for (int k = 1; k <= rings; ++k) {
        for (int i = 0; i < around; ++i) {
            const double t = 2.0 * kPi * i / around, s = static_cast<double>(k) / rings;
            m.vertices.push_back({a * s * std::cos(t), b * s * std::sin(t), 0.0});
        }
    }
    for (int k = 0; k < rings; ++k) {
        for (int i = 0; i < around; ++i) {
            const int j = (i + 1) % around, outer = 1 + k * around, inner = outer - around;
            if (k == 0)
                m.cells.insert(m.cells.end(), {0, outer + i, outer + j});
            else
                m.cells.insert(m.cells.end(), {inner + i, outer + i, outer + j, inner + i, outer + j, inner + j});
        }
    }
    return m;
}

struct DropBench {
    std::shared_ptr<const Body> body;
    std::unique_ptr<Deformer> deformer;
    State state;
    Workspace scratch;
    std::vector<Obstacle> obstacles{Obstacle{}};  // the floor y = 0
    Loads loads;
    std::vector<Vec3> displacement;
    double mass = 0.0;
    IndexSet surface;

    DropBench(Mesh mesh, const Material& material, const OptionValues& options) {
        BodyDescription d;
        d.mesh = std::move(mesh);
        d.materials = {{"", material}};
        body = Body::make(std::move(d));
        Progress quiet;
        deformer = require_method("bem").prepare(body, options, quiet);
        state = deformer->rest_state();
        scratch = deformer->make_workspace();
        displacement.resize(body->vertex_count());
        surface = boundary_of(body->mesh()).vertices;
        mass = material.density * measure_of(body->mesh());
        loads.gravity = {0.0, -9.81, 0.0};
    }

    /// Lifts and turns it, and gives it a motion.
    bool start_from(const Vec3& shift, const Vec3& turn, const Vec3& velocity, const Vec3& spin) {
        std::vector<Vec3> u, v;
        const Mat3 r = to_matrix(from_rotation_vector(turn));
        Vec3 centre;
        for (const Vec3& x : body->mesh().vertices) centre += x / static_cast<double>(body->vertex_count());
        for (const Vec3& x : body->mesh().vertices) {
            const Vec3 arm = r * (x - centre);
            u.push_back(shift + centre + arm - x);
            v.push_back(velocity + cross(spin, arm));
        }
        return deformer->set_motion(state, u, v);
    }

    StepReport step(double dt = 1.0 / 60.0) {
        loads.obstacles = obstacles;
        const StepReport report = deformer->step(state, loads, dt, scratch);
        deformer->displacements(state, displacement);
        return report;
    }

    Vec3 at(std::size_t v) const { return body->mesh().vertices[v] + displacement[v]; }
    /// Of the surface: at strains beyond small ones inner vertices may leave it, which nobody sees.
    double lowest() const {
        double y = 1e300;
        for (const std::int32_t v : surface) y = std::min(y, at(static_cast<std::size_t>(v)).y);
        return y;
    }
    Vec3 centre() const { return free_body_state(state.reals).centre; }
    double energy() {
        const Energies e = deformer->energies(state, scratch);
        return e.total() - mass * dot(loads.gravity, centre());
    }
    bool finite() {
        std::vector<Vec3> v(displacement.size());
        deformer->velocities(state, v);
        const auto good = [](const Vec3& x) { return is_finite(x); };
        return std::all_of(displacement.begin(), displacement.end(), good) && std::all_of(v.begin(), v.end(), good) &&
               std::isfinite(energy());
    }
};

inline Material jelly_material(double young, double poisson = 0.45) {
    Material m;
    m.young = young;
    m.poisson = poisson;
    m.density = 1000.0;
    return m;
}

}  // namespace limber
