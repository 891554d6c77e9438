#include "show/obstacle_shapes.hpp"

#include "deform/obstacle_shape.hpp"
#include "playback/series_resample.hpp"
#include "render/glyphs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

constexpr double kBackdrop = 4.0;  // obstacles larger than so many bodies are not kept in the picture
constexpr double kWall = 0.05;     // thickness of drawn walls, of the body's size

Vec3 own_axis(const Obstacle& o, const Vec3& axis) { return to_matrix(o.rotation) * axis; }

bool is_floor(const Obstacle& o) { return is_plane(o) && own_axis(o, {0, 1, 0}).y > 1.0 - 1e-12; }

// What shapes are in the plane, counter-clockwise, in their own axes.
std::vector<Vec3> outline_of(const BoxShape& s) {
    return {{-s.half.x, -s.half.y, 0}, {s.half.x, -s.half.y, 0}, {s.half.x, s.half.y, 0}, {-s.half.x, s.half.y, 0}};
}

std::vector<Vec3> outline_of(const CapsuleShape& s) {
    constexpr int kHalf = 48;
    std::vector<Vec3> out;
    for (int k = 0; k <= kHalf; ++k) {
        out.push_back({s.radius * std::cos(std::numbers::pi * k / kHalf),
                       s.half_length + s.radius * std::sin(std::numbers::pi * k / kHalf), 0});
    }
    for (int k = 0; k <= kHalf; ++k) {
        out.push_back({-s.radius * std::cos(std::numbers::pi * k / kHalf),
                       -s.half_length - s.radius * std::sin(std::numbers::pi * k / kHalf), 0});
    }
    return out;
}

std::vector<Vec3> outline_of(const BallShape& s) { return outline_of(CapsuleShape{s.radius, 0.0}); }

/// One flat polygon behind the body.
DrawMesh flat(const std::vector<Vec3>& corners, double behind) {
    DrawMesh mesh;
    std::vector<std::int32_t> starts{0, static_cast<std::int32_t>(corners.size())}, faces;
    for (std::size_t k = 0; k < corners.size(); ++k) faces.push_back(static_cast<std::int32_t>(k));
    mesh.topology = make_topology({starts, faces, {}, {}, {}, corners.size()});
    mesh.positions = corners;
    for (Vec3& p : mesh.positions) p.z = -behind;
    mesh.look.base = kObstacleColour;
    mesh.look.lit = false;
    mesh.look.casts_shadow = false;
    return mesh;
}

/// Draws one planar scene's obstacles.
class FlatObstacles {
public:
    FlatObstacles(const DrawBox& body, double size, DrawList& out) : body_(body), size_(size), out_(out) {}

    void add(const Obstacle& o) {
        std::visit(Overloads{
                       [&](const PlaneShape&) { add_half_plane(o); },
                       [&](const BoxShape& s) {
                           if (s.inside)
                               add_frame(o, s.half);
                           else
                               add_outline(o, outline_of(s));
                       },
                       [&](const BallShape& s) { add_outline(o, outline_of(s)); },
                       [&](const CapsuleShape& s) { add_outline(o, outline_of(s)); },
                   },
                   o.shape);
    }

private:
    void add_outline(const Obstacle& o, std::vector<Vec3> outline) {
        for (Vec3& p : outline) p = o.position + own_axis(o, p);
        add_polygon(outline, extent(o) > kBackdrop * size_);
    }

    void add_polygon(const std::vector<Vec3>& corners, bool backdrop) {
        out_.meshes.push_back(flat(corners, 0.004 * size_));
        out_.meshes.back().backdrop = backdrop;
    }

    /// All of the forbidden side as a backdrop; below the body, a strip that the picture keeps.
    void add_half_plane(const Obstacle& o) {
        const Vec3 along = own_axis(o, {1, 0, 0}), up = own_axis(o, {0, 1, 0});
        const Vec3 middle = o.position + along * dot(body_.centre() - o.position, along);
        const double far = 40.0 * size_;
        add_polygon({middle - along * far - up * far, middle + along * far - up * far, middle + along * far,
                     middle - along * far},
                    true);
        if (dot(body_.centre() - o.position, up) > 1.5 * size_) return;
        const double half = 0.5 * body_.diagonal(), deep = 0.08 * size_;
        add_polygon({middle - along * half - up * deep, middle + along * half - up * deep, middle + along * half,
                     middle - along * half},
                    false);
    }

    /// Walls around a box that keeps bodies in.
    void add_frame(const Obstacle& o, const Vec3& half) {
        const double w = half.x, h = half.y, t = kWall * size_;
        const double bars[4][4] = {
            {-w - t, -h - t, w + t, -h}, {-w - t, h, w + t, h + t}, {-w - t, -h, -w, h}, {w, -h, w + t, h}};
        for (const auto& b : bars) {
            std::vector<Vec3> corners{{b[0], b[1], 0}, {b[2], b[1], 0}, {b[2], b[3], 0}, {b[0], b[3], 0}};
            add_outline(o, std::move(corners));
        }
    }

    const DrawBox& body_;
    double size_;
    DrawList& out_;
};

/// A box that keeps bodies in: its bottom, and its edges.
void add_container(const Obstacle& o, const Vec3& half, double size, Glyphs& glyphs, DrawLines& edges) {
    const double t = 0.5 * kWall * size;
    glyphs.box(o.position + own_axis(o, {0, -half.y - t, 0}), {half.x, t, half.z}, o.rotation);
    const auto corner = [&](int k) {
        return o.position + own_axis(o, {(k & 1) != 0 ? half.x : -half.x, (k & 2) != 0 ? half.y : -half.y,
                                         (k & 4) != 0 ? half.z : -half.z});
    };
    for (int k = 0; k < 8; ++k) {
        for (const int bit : {1, 2, 4}) {
            if ((k & bit) == 0) {
                edges.points.push_back(corner(k));
                edges.points.push_back(corner(k | bit));
            }
        }
    }
}

/// What of a convex polygon is above a level.
std::vector<Vec3> above(const std::vector<Vec3>& corners, double level) {
    std::vector<Vec3> out;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec3 &a = corners[k], &b = corners[(k + 1) % corners.size()];
        if (a.y >= level) out.push_back(a);
        if ((a.y >= level) != (b.y >= level)) out.push_back(a + (b - a) * ((level - a.y) / (b.y - a.y)));
    }
    return out;
}

/// A square piece of a plane near a point, seen from both sides; it ends at the ground.
void add_patch(const Obstacle& o, const Vec3& near, double half, std::optional<double> ground, DrawList& out) {
    const Vec3 right = own_axis(o, {half, 0, 0}), up = own_axis(o, {0, 1, 0}), back = own_axis(o, {0, 0, half}),
               middle = near - up * dot(near - o.position, up);
    std::vector<Vec3> corners{middle - right + back, middle + right + back, middle + right - back,
                              middle - right - back};
    if (ground) corners = above(corners, *ground);
    const std::size_t count = corners.size();
    if (count < 3) return;
    DrawMesh mesh;
    std::vector<std::int32_t> starts{0, static_cast<std::int32_t>(count), static_cast<std::int32_t>(2 * count)}, faces;
    for (std::size_t k = 0; k < count; ++k) faces.push_back(static_cast<std::int32_t>(k));
    for (std::size_t k = 0; k < count; ++k) faces.push_back(static_cast<std::int32_t>(2 * count - 1 - k));
    corners.insert(corners.end(), corners.begin(), corners.begin() + static_cast<std::ptrdiff_t>(count));
    mesh.topology = make_topology({starts, faces, {}, {}, {}, corners.size()});
    mesh.positions = std::move(corners);
    mesh.look.base = kObstacleColour;
    mesh.look.casts_shadow = false;
    mesh.backdrop = true;
    out.meshes.push_back(std::move(mesh));
}

void add_solids(const std::vector<Obstacle>& obstacles, const ShownBeside& body, std::optional<double> ground,
                DrawList& out) {
    const double size = body.rest.diagonal();
    Glyphs near, far;
    DrawLines edges;
    edges.colour = kObstacleColour;
    for (const Obstacle& o : obstacles) {
        Glyphs& glyphs = extent(o) > kBackdrop * size ? far : near;
        std::visit(Overloads{
                       [&](const PlaneShape&) {
                           const bool is_ground = ground && is_floor(o) && o.position.y == *ground;
                           if (!is_ground) add_patch(o, body.rest.centre(), 2.0 * size, ground, out);
                       },
                       [&](const BoxShape& s) {
                           if (s.inside)
                               add_container(o, s.half, size, glyphs, edges);
                           else
                               glyphs.box(o.position, s.half, o.rotation);
                       },
                       [&](const BallShape& s) { glyphs.sphere(o.position, s.radius); },
                       [&](const CapsuleShape& s) {
                           const Vec3 arm = own_axis(o, {0, s.half_length, 0});
                           glyphs.capsule(o.position - arm, o.position + arm, s.radius);
                       },
                   },
                   o.shape);
    }
    if (!near.empty()) out.meshes.push_back(near.mesh());
    if (!far.empty()) {
        out.meshes.push_back(far.mesh());
        out.meshes.back().backdrop = true;
        out.meshes.back().look.casts_shadow = false;
    }
    if (!edges.points.empty()) out.lines.push_back(std::move(edges));
}

}  // namespace

std::vector<Obstacle> obstacles_at(const Recording& recording, double time) {
    const FrameMix mix = frames_at(recording, time);
    std::vector<Obstacle> out = recording.frames[mix.first].obstacles;
    if (mix.part == 0.0) return out;
    const std::vector<Obstacle>& next = recording.frames[mix.second].obstacles;
    for (std::size_t i = 0; i < out.size() && i < next.size(); ++i) {
        Quat &a = out[i].rotation, b = next[i].rotation;
        if (a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0.0)
            b = {-b.w, -b.x, -b.y, -b.z};  // the same turn, the near way round
        const auto mixed = [&](double from, double to) { return (1.0 - mix.part) * from + mix.part * to; };
        a = normalized({mixed(a.w, b.w), mixed(a.x, b.x), mixed(a.y, b.y), mixed(a.z, b.z)});
        out[i].position = (1.0 - mix.part) * out[i].position + mix.part * next[i].position;
    }
    return out;
}

std::optional<double> floor_level(const Recording& recording) {
    if (recording.frames.empty() || recording.body->mesh().dimension() == 2) return {};
    for (std::size_t i = 0; i < recording.frames.front().obstacles.size(); ++i) {
        const Obstacle& o = recording.frames.front().obstacles[i];
        const bool still = std::all_of(recording.frames.begin(), recording.frames.end(), [&](const Frame& f) {
            return i < f.obstacles.size() && is_floor(f.obstacles[i]) && f.obstacles[i].position.y == o.position.y;
        });
        if (still) return o.position.y;
    }
    return {};
}

void add_obstacles(const std::vector<Obstacle>& obstacles, const ShownBeside& body, std::optional<double> ground,
                   DrawList& out) {
    if (!body.planar) return add_solids(obstacles, body, ground, out);
    FlatObstacles shapes(body.now, body.rest.diagonal(), out);
    for (const Obstacle& o : obstacles) shapes.add(o);
}

}  // namespace limber
