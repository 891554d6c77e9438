// Recordings made by hand for the tests: a displacement field given as a function of rest position and time.
#pragma once

#include <limber/tools/metrics.hpp>

#include <functional>
#include <utility>

namespace limber::test {

using Motion = std::function<Vec3(const Vec3& rest, double t)>;

inline std::shared_ptr<const Body> body_of(Mesh mesh, double density = 1000.0, double thickness = 1.0) {
    BodyDescription d;
    d.mesh = std::move(mesh);
    d.thickness = thickness;
    Material m;
    m.name = "test";
    m.density = density;
    d.materials.push_back({"", m});
    return Body::make(std::move(d));
}

/// Frames at 0, step, ..., count * step. Velocities are central differences of the motion (exact for quadratic ones).
inline Recording record(std::shared_ptr<const Body> body, const Motion& motion, int count = 4, double step = 0.25) {
    Recording r;
    r.scene = "by hand";
    r.step = step;
    r.body = std::move(body);
    for (int i = 0; i <= count; ++i) {
        Frame f;
        f.time = i * step;
        for (const Vec3& p : r.body->mesh().vertices) {
            f.displacement.push_back(motion(p, f.time));
            f.velocity.push_back((motion(p, f.time + 0.5) - motion(p, f.time - 0.5)));
        }
        r.frames.push_back(std::move(f));
    }
    return r;
}

inline Motion at_rest() {
    return [](const Vec3&, double) { return Vec3{}; };
}
/// Grows with t from nothing; smooth, not linear in space.
inline Motion bulge(double size) {
    return [size](const Vec3& p, double t) {
        return Vec3{size * t * p.x * (1 - p.y * p.y), 0.5 * size * t * std::sin(3 * p.x) * p.y, 0};
    };
}
inline Motion shift(const Vec3& by) {
    return [by](const Vec3&, double t) { return by * t; };
}

inline Mesh unit_grid(int n, CellKind kind = CellKind::quad4) { return make_grid(kind, n, n, {0, 0, 0}, {1, 1, 0}); }
inline Mesh unit_box(int n, CellKind kind = CellKind::hex8) { return make_box(kind, n, n, n, {0, 0, 0}, {1, 1, 1}); }

}  // namespace limber::test
