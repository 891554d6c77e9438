// Recordings made by hand, to be shown.
#pragma once

#include <limber/tools/recording.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace limber::testing_show {

/// A bar of 4 x 1 (x 1) m in four cells, held on the left; its frames are given.
inline std::shared_ptr<Recording> bar(const std::vector<double>& times,
                                      const std::function<Vec3(const Vec3&, double)>& motion,
                                      CellKind kind = CellKind::hex8) {
    BodyDescription d;
    d.name = "bar";
    d.mesh = dimension_of(kind) == 3 ? make_box(kind, 4, 1, 1, {0, 0, 0}, {4, 1, 1})
                                     : make_grid(kind, 4, 1, {0, 0, 0}, {4, 1, 0});
    Material m;
    m.young = 1e4;
    m.poisson = 0.25;
    m.density = 1000;
    d.materials = {{"", m}};
    d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    auto out = std::make_shared<Recording>();
    out->body = Body::make(std::move(d));
    out->scene = "bar";
    out->method = "by hand";
    for (const double t : times) {
        Frame f;
        f.time = t;
        for (const Vec3& p : out->body->mesh().vertices) f.displacement.push_back(motion(p, t));
        f.velocity.resize(f.displacement.size());
        out->frames.push_back(std::move(f));
    }
    return out;
}

inline Vec3 stretched(const Vec3& p, double t) { return {0.01 * t * p.x, 0, 0}; }

}  // namespace limber::testing_show
