#include "render/glyphs.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

/// At `along` on the axis, `radius` from it; the normal in the same two directions.
struct Glyphs::Rim {
    double along, radius, normal_along, normal_radius;
};

namespace {

constexpr double kPi = 3.14159265358979323846;

/// Triangles' corners in one collection before its balls become coarse: some 200 balls are seen one by one, 10,000 are
/// not.
constexpr std::size_t kCornersOfRoundGlyphs = 1'500'000;

/// Two directions across a unit vector, right-handed with it.
struct Across {
    Vec3 u, v;
};
Across across(const Vec3& along) {
    const Vec3 helper = std::abs(along.y) < 0.9 ? Vec3{0.0, 1.0, 0.0} : Vec3{1.0, 0.0, 0.0};
    Vec3 u = cross(helper, along);
    u = u / norm(u);
    return {u, cross(along, u)};
}

bool usable(const Vec3& a, double size) { return is_finite(a) && std::isfinite(size) && size > 0.0; }

}  // namespace

double glyph_size(const DrawBox& box) { return box.empty() || box.diagonal() == 0.0 ? 0.1 : 0.045 * box.diagonal(); }

std::int32_t Glyphs::corner(const Vec3& position, const Vec3& normal) {
    positions_.push_back(position);
    normals_.push_back(normal);
    return static_cast<std::int32_t>(positions_.size() - 1);
}

void Glyphs::triangle(std::int32_t a, std::int32_t b, std::int32_t c) {
    triangles_.insert(triangles_.end(), {a, b, c});
}

void Glyphs::flat_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 n = cross(b - a, c - a);
    const double length = norm(n);
    if (!(length > 0.0)) return;
    const Vec3 unit = n / length;
    const std::int32_t i = corner(a, unit), j = corner(b, unit), k = corner(c, unit);
    triangle(i, j, k);
}

void Glyphs::flat_quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    flat_triangle(a, b, c);
    flat_triangle(a, c, d);
}

void Glyphs::paint(const Colour& colour) { colours_.resize(positions_.size(), colour); }

void Glyphs::turned(const Vec3& base, const Vec3& along, const std::vector<Rim>& profile, int pieces) {
    const auto [u, v] = across(along);
    const auto first = static_cast<std::int32_t>(positions_.size());
    for (const Rim& rim : profile) {
        for (int k = 0; k <= pieces; ++k) {
            const double angle = 2.0 * kPi * k / pieces;
            const Vec3 out = std::cos(angle) * u + std::sin(angle) * v;
            corner(base + rim.along * along + rim.radius * out, rim.normal_along * along + rim.normal_radius * out);
        }
    }
    for (std::size_t p = 0; p + 1 < profile.size(); ++p) {
        const Rim &a = profile[p], &b = profile[p + 1];
        if (a.along == b.along && a.radius == b.radius) continue;  // the normal jumps here: a hard edge
        for (std::int32_t k = 0; k < pieces; ++k) {
            const std::int32_t i = first + static_cast<std::int32_t>(p) * (pieces + 1) + k, j = i + pieces + 1;
            if (a.radius > 0.0) triangle(i, i + 1, j + 1);
            if (b.radius > 0.0) triangle(i, j + 1, j);
        }
    }
}

void Glyphs::ring(const Vec3& centre, const Vec3& along, double radius, double tube) {
    constexpr int kAround = 40, kAcross = 10;
    std::vector<Rim> profile;
    for (int k = 0; k <= kAcross; ++k) {
        const double angle = 2.0 * kPi * k / kAcross, c = std::cos(angle), s = std::sin(angle);
        profile.push_back({tube * s, radius + tube * c, s, c});
    }
    turned(centre, along, profile, kAround);
}

void Glyphs::bone(const Vec3& head, const Vec3& tail, double thickness, const Colour& colour) {
    const Vec3 axis = tail - head;
    const double length = norm(axis);
    if (!usable(axis, length) || !usable(head, thickness)) return;
    const auto [u, v] = across(axis / length);
    const double half = 0.5 * std::min(thickness, 0.5 * length);
    const Vec3 waist = head + std::min(0.16 * length, 1.2 * half) / length * axis;
    const Vec3 corners[4] = {waist + half * u, waist + half * v, waist - half * u, waist - half * v};
    for (int k = 0; k < 4; ++k) {
        flat_triangle(corners[k], corners[(k + 1) % 4], tail);
        flat_triangle(corners[(k + 1) % 4], corners[k], head);
    }
    if (triangles_.size() < 2 * kCornersOfRoundGlyphs) sphere(head, 0.45 * half, colour);
    paint(colour);
}

void Glyphs::anchor(const Vec3& point, const Vec3& outward, double size, const Colour& colour) {
    const double length = norm(outward);
    if (!usable(outward, length) || !usable(point, size)) return;
    const Vec3 along = outward / length;
    const double radius = 0.2 * size, height = 0.8 * size, slant = std::hypot(radius, height);
    turned(point, along,
           {{0.0, 0.0, -radius / slant, height / slant},
            {height, radius, -radius / slant, height / slant},
            {height, radius, 1.0, 0.0},
            {height, 0.0, 1.0, 0.0}},
           20);
    sphere(point + 0.85 * size * along, 1.25 * radius, colour);
    paint(colour);
}

void Glyphs::handle(const Vec3& centre, double size, const Colour& colour) {
    if (!usable(centre, size)) return;
    sphere(centre, 0.28 * size, colour);
    ring(centre, {0.0, 1.0, 0.0}, 0.5 * size, 0.06 * size);
    ring(centre, {1.0, 0.0, 0.0}, 0.5 * size, 0.06 * size);
    paint(colour);
}

void Glyphs::arrow(const Vec3& tail, const Vec3& tip, double thickness, const Colour& colour) {
    const Vec3 axis = tip - tail;
    const double length = norm(axis);
    if (!usable(axis, length) || !usable(tail, thickness)) return;
    const double shaft = 0.5 * std::min(thickness, 0.25 * length), head = 2.4 * shaft;
    const double neck = length - std::min(6.0 * shaft, 0.6 * length), slant = std::hypot(head, length - neck);
    const double na = head / slant, nr = (length - neck) / slant;
    turned(tail, axis / length,
           {{0.0, 0.0, -1.0, 0.0},
            {0.0, shaft, -1.0, 0.0},
            {0.0, shaft, 0.0, 1.0},
            {neck, shaft, 0.0, 1.0},
            {neck, shaft, -1.0, 0.0},
            {neck, head, -1.0, 0.0},
            {neck, head, na, nr},
            {length, 0.0, na, nr}},
           20);
    paint(colour);
}

void Glyphs::sphere(const Vec3& centre, double radius, const Colour& colour) {
    capsule(centre, centre, radius, colour);
}

void Glyphs::capsule(const Vec3& a, const Vec3& b, double radius, const Colour& colour) {
    if (!usable(a, radius) || !is_finite(b)) return;
    const int quarter = triangles_.size() < kCornersOfRoundGlyphs ? 12 : 2;
    const double length = norm(b - a);
    std::vector<Rim> profile;
    for (int k = 0; k <= 2 * quarter; ++k) {
        const double angle = kPi * (k / (2.0 * quarter) - 0.5);
        const double s = std::sin(angle), c = k == 0 || k == 2 * quarter ? 0.0 : std::cos(angle);
        if (k == quarter && length > 0.0) profile.push_back({radius * s, radius * c, s, c});
        profile.push_back({radius * s + (k >= quarter ? length : 0.0), radius * c, s, c});
    }
    turned(a, length > 0.0 ? (b - a) / length : Vec3{0.0, 1.0, 0.0}, profile, 4 * quarter);
    paint(colour);
}

void Glyphs::box(const Vec3& centre, const Vec3& half, const Quat& turn, const Colour& colour) {
    if (!is_finite(centre) || !is_finite(half) || !(half.x > 0.0 && half.y > 0.0 && half.z > 0.0)) return;
    const Mat3 r = to_matrix(normalized(turn));
    for (int axis = 0; axis < 3; ++axis) {
        for (const double side : {-1.0, 1.0}) {
            Vec3 n, u, v;
            n[axis] = side * half[axis];
            u[(axis + 1) % 3] = half[(axis + 1) % 3];
            v[(axis + 2) % 3] = side * half[(axis + 2) % 3];
            flat_quad(centre + r * (n - u - v), centre + r * (n + u - v), centre + r * (n + u + v),
                      centre + r * (n - u + v));
        }
    }
    paint(colour);
}

void Glyphs::plane(const Vec3& point, const Vec3& normal, double half, const Colour& colour) {
    const double length = norm(normal);
    if (!usable(normal, length) || !usable(point, half)) return;
    const auto [u, v] = across(normal / length);
    flat_quad(point - half * u - half * v, point + half * u - half * v, point + half * u + half * v,
              point - half * u + half * v);
    paint(colour);
}

DrawMesh Glyphs::mesh() const {
    DrawPolygons polygons;
    polygons.faces = triangles_;
    polygons.vertex_count = positions_.size();
    DrawMesh out;
    out.topology = make_topology(polygons);
    out.positions = positions_;
    out.normals = normals_;
    out.colours = colours_;
    out.look.base = rgb(0xFFFFFF);
    out.look.roughness = 0.45;
    return out;
}

}  // namespace limber
