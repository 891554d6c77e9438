#include "render/stage_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

namespace {

Vec3 unit(const Vec3& v) { return v / norm(v); }

template <class Visit>
void each_corner(const DrawBox& box, const Visit& visit) {
    for (int k = 0; k < 8; ++k) {
        visit(Vec3{(k & 1) != 0 ? box.high.x : box.low.x, (k & 2) != 0 ? box.high.y : box.low.y,
                   (k & 4) != 0 ? box.high.z : box.low.z});
    }
}

struct Range {
    double low = std::numeric_limits<double>::max(), high = -std::numeric_limits<double>::max();
    void add(double x) {
        low = std::min(low, x);
        high = std::max(high, x);
    }
    double size() const { return high - low; }
    double middle() const { return 0.5 * (low + high); }
};

/// Boxes of one list: all of it, what the stage is built for, and what casts shadows.
struct Boxes {
    DrawBox all, stage, casters;
};

Boxes boxes_of(const DrawList& list) {
    Boxes out;
    for (const DrawMesh& mesh : list.meshes) {
        const DrawBox box = box_of(mesh);
        out.all.add(box);
        if (mesh.layer == DrawLayer::scene && !mesh.backdrop) out.stage.add(box);
        if (mesh.layer == DrawLayer::scene && mesh.look.casts_shadow) out.casters.add(box);
    }
    const auto add_points = [&out](const std::vector<Vec3>& points, DrawLayer layer) {
        for (const Vec3& p : points) {
            out.all.add(p);
            if (layer == DrawLayer::scene) out.stage.add(p);
        }
    };
    for (const DrawLines& lines : list.lines) add_points(lines.points, lines.layer);
    for (const DrawPoints& points : list.points) add_points(points.points, points.layer);
    if (list.stage.extent) {
        out.stage = {};
        for (const Vec3& p : *list.stage.extent) out.stage.add(p);
    }
    if (out.stage.empty()) out.stage.add(out.all.empty() ? Vec3{} : out.all.centre());
    out.all.add(out.stage);
    return out;
}

/// 1, 2 or 5 times a power of ten, near `length`.
double round_length(double length) {
    const double power = std::pow(10.0, std::floor(std::log10(length))), lead = length / power;
    return power * (lead < 1.5 ? 1.0 : lead < 3.5 ? 2.0 : lead < 7.5 ? 5.0 : 10.0);
}

void lay_lights(StageLayout& out, const Camera& camera, bool wall) {
    const Matrix4 view = view_matrix(camera);
    const Vec3 right{view[0], view[4], view[8]}, back{view[2], view[6], view[10]};
    // The key light stands to the upper left of the camera, so that every view is lit from the same side of the
    // picture.
    Vec3 level_right{right.x, 0.0, right.z};
    level_right = norm(level_right) > 1e-6 ? unit(level_right) : Vec3{1.0, 0.0, 0.0};
    const Vec3 level_back = wall ? back : cross(level_right, Vec3{0.0, 1.0, 0.0}), up{0.0, 1.0, 0.0};
    out.key = wall ? unit(-0.42 * right + 0.75 * up + 1.15 * back)
                   : unit(-0.62 * level_right + 1.3 * up + 0.7 * level_back);
    out.fill = unit(0.9 * level_right + 0.25 * up + 0.5 * level_back);
    out.rim = unit(0.35 * level_right + 0.45 * up - 0.8 * level_back);
    out.far_eye = camera.orthographic;
    out.eye = camera.orthographic ? back : camera.eye - out.origin;
}

void lay_ground(StageLayout& out, const DrawGround& ground, const DrawBox& stage, const Camera& camera) {
    if (ground.kind == DrawGround::Kind::none) return;
    const bool wall = ground.kind == DrawGround::Kind::wall;
    const double size = std::max(stage.diagonal(), 1e-9), half = 4.5 * size;
    const int across = wall ? 2 : 1;
    // Just clear of the lowest point, so that a flat underside and the ground are not one plane.
    const double level = ground.level.value_or(stage.low[across] - (wall ? 0.02 : 0.0015) * size);
    const Vec3 viewed = camera.eye - camera.target;
    out.ground = camera.orthographic ? viewed[across] > 0.0
                                     : camera.eye[across] > level;  // from below there is nothing to see
    Vec3 centre = stage.centre();
    centre[across] = level;
    out.ground_centre = centre - out.origin;
    out.ground_x = {half, 0.0, 0.0};
    out.ground_y = wall ? Vec3{0.0, half, 0.0} : Vec3{0.0, 0.0, half};
    const double cell = ground.cell && *ground.cell > 0.0 ? *ground.cell : round_length(size / 9.0);
    // Grid lines lie at multiples of the cell from the world's origin; whole fives are taken off to keep the floats
    // small.
    const auto first = [cell](double x) { return std::remainder(x / cell, 5.0); };
    out.grid_first = {first(centre.x), first(wall ? centre.y : centre.z)};
    out.grid_step = {half / cell, half / cell};
}

void lay_shadow(StageLayout& out, const DrawBox& casters, bool wall) {
    if (casters.empty() || !(casters.diagonal() > 0.0)) return;
    const Vec3 x = unit(cross(wall ? Vec3{0.0, 1.0, 0.0} : Vec3{0.0, 0.0, -1.0}, out.key)), y = cross(out.key, x);
    Range rx, ry, rz;
    each_corner(casters, [&](const Vec3& corner) {
        const Vec3 p = corner - out.origin;
        rx.add(dot(p, x));
        ry.add(dot(p, y));
        rz.add(dot(p, out.key));
    });
    out.shadow = true;
    out.caster_size = casters.diagonal();
    // Room at the rim for the soft edge.
    const double room = 0.34 * out.caster_size;
    out.light_width = rx.size() + room;
    out.light_height = ry.size() + room;
    out.light_depth = rz.size() + 0.02 * out.caster_size;
    const double w = out.light_width, h = out.light_height, d = out.light_depth, top = rz.high + 0.01 * out.caster_size;
    const auto rows = [&](double scale, double shift_x, double shift_y, double shift_z) {
        return Matrix4{scale * x.x / w,
                       scale * y.x / h,
                       -scale * out.key.x / d,
                       0.0,
                       scale * x.y / w,
                       scale * y.y / h,
                       -scale * out.key.y / d,
                       0.0,
                       scale * x.z / w,
                       scale * y.z / h,
                       -scale * out.key.z / d,
                       0.0,
                       shift_x,
                       shift_y,
                       shift_z,
                       1.0};
    };
    out.light_clip = rows(2.0, -2.0 * rx.middle() / w, -2.0 * ry.middle() / h, 2.0 * top / d - 1.0);
    out.light_texture = rows(1.0, 0.5 - rx.middle() / w, 0.5 - ry.middle() / h, top / d);
    if (!out.ground) return;
    const Vec3 n = wall ? Vec3{0.0, 0.0, 1.0} : Vec3{0.0, 1.0, 0.0};
    const double level = dot(n, out.ground_centre), nk = dot(n, out.key), nx = dot(n, x), ny = dot(n, y);
    const double x0 = rx.middle() - 0.5 * w, y0 = ry.middle() - 0.5 * h;
    out.plane = {(top - (level - x0 * nx - y0 * ny) / nk) / d, w * nx / nk / d, h * ny / nk / d};
}

Matrix4 clip_of(const Camera& camera, const StageLayout& layout, const DrawBox& all, int width, int height) {
    const Camera here = moved(camera, -layout.origin);
    const Matrix4 view = view_matrix(here);
    Range depth;
    const auto add = [&](const Vec3& p) { depth.add(-(view[2] * p.x + view[6] * p.y + view[10] * p.z + view[14])); };
    each_corner(all, [&](const Vec3& corner) { add(corner - layout.origin); });
    const double nearest = depth.low;
    if (layout.ground) {
        for (const double i : {-1.0, 1.0})
            for (const double j : {-1.0, 1.0}) add(layout.ground_centre + i * layout.ground_x + j * layout.ground_y);
    }
    const double size = std::max(all.diagonal(), 1e-9);
    if (camera.orthographic)
        return projection_matrix(here, width, height, depth.low - 0.01 * size, depth.high + 0.01 * size) * view;
    const double far = std::max(depth.high + 0.01 * size, 1e-6 * size);
    // The ground comes nearer than the body; how much of it matters is left to the picture's lower edge.
    const double wanted = layout.ground ? 0.25 * nearest : nearest - 0.01 * size;
    return projection_matrix(here, width, height, std::clamp(wanted, far / 4000.0, far / 1.001), far) * view;
}

}  // namespace

StageLayout lay_out(const DrawList& list, const Camera& camera, int width, int height) {
    const Boxes boxes = boxes_of(list);
    const bool wall = list.stage.ground.kind == DrawGround::Kind::wall;
    StageLayout out;
    out.origin = boxes.stage.centre();
    lay_lights(out, camera, wall);
    lay_ground(out, list.stage.ground, boxes.stage, camera);
    if (list.stage.shadow) lay_shadow(out, boxes.casters, wall);
    out.clip = clip_of(camera, out, boxes.all, width, height);
    return out;
}

}  // namespace limber
