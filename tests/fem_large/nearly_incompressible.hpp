// Cook's membrane, cantilevers and a pressed block of a nearly incompressible material: what tests of locking and
// bench/corotational/averaged_steps.cpp share.
#pragma once

#include <limber/body.hpp>
#include <limber/mesh.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

namespace limber::nearly_incompressible {

inline constexpr double kNearlyHalf[] = {0.49, 0.499, 0.4999};
inline constexpr double kYoung = 1e5;

struct Problem {
    const char* name;
    std::array<int, 3> few, many;             // cells of a quick test, of one with about 20,000 tets
    std::function<Vec3(const Vec3&)> place;   // of a point of the unit cube
    std::function<double(const Vec3&)> load;  // per area of the unit cube's loaded face, by place in the unit cube
    int held, pushed;  // axis across which the face at 0 is held, and the one at 1 is pushed along y
};

inline const std::vector<Problem>& problems() {
    const auto all = [](const Vec3&) { return 1.0; };
    static const std::vector<Problem> list = {
        {"cook",
         {16, 16, 4},
         {24, 24, 6},
         [](const Vec3& x) {
             return Vec3{0.48 * x.x, 0.44 * x.x + x.y * (0.44 - 0.28 * x.x), 0.16 * x.z};
         },
         all,
         0,
         0},
        {"cantilever",
         {20, 5, 5},
         {36, 10, 10},
         [](const Vec3& x) {
             return Vec3{x.x, 0.25 * x.y, 0.25 * x.z};
         },
         all,
         0,
         0},
        {"slender",
         {40, 4, 4},
         {70, 7, 7},
         [](const Vec3& x) {
             return Vec3{x.x, 0.1 * x.y, 0.1 * x.z};
         },
         all,
         0,
         0},
        {"block",
         {8, 8, 8},
         {14, 16, 14},
         [](const Vec3& x) {
             return Vec3{0.3 * x.x, 0.3 * x.y, 0.3 * x.z};
         },
         [](const Vec3& x) {
             return -(std::fabs(x.x - 0.5) < 1e-9 ? 0.5
                      : x.x < 0.5                 ? 1.0
                                                  : 0.0) *
                    (std::fabs(x.z - 0.5) < 1e-9 ? 0.5
                     : x.z < 0.5                 ? 1.0
                                                 : 0.0);
         },
         1,
         1},
    };
    return list;
}

struct Loaded {
    std::shared_ptr<const Body> body;
    std::vector<Vec3> force;
};

inline Loaded loaded(const Problem& problem, CellKind kind, std::array<int, 3> n, double poisson, double size) {
    BodyDescription d;
    d.mesh = make_box(kind, n[0], n[1], n[2], {}, {1, 1, 1});
    Loaded out;
    IndexSet held;
    for (std::size_t v = 0; v < d.mesh.vertices.size(); ++v) {
        Vec3& x = d.mesh.vertices[v];
        double share = x[problem.pushed] > 1 - 1e-9 ? size * problem.load(x) : 0.0;
        for (int i = 0; i < 3; ++i) {
            if (i != problem.pushed)
                share *= (x[i] < 1e-9 || x[i] > 1 - 1e-9 ? 0.5 : 1.0) / n[static_cast<std::size_t>(i)];
        }
        out.force.push_back({0.0, share, 0.0});
        if (x[problem.held] < 1e-9) held.push_back(static_cast<std::int32_t>(v));
        x = problem.place(x);
    }
    d.materials = {{"", {"soft", kYoung, poisson, 1000.0, 0.0, 0.01}}};
    d.anchors = {{"wall", held, {}}};
    out.body = Body::make(std::move(d));
    return out;
}

}  // namespace limber::nearly_incompressible
