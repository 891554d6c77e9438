#include "geometry/self_intersection.hpp"

#include "geometry/triangle_tree.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace limber {
namespace {

// Of the pair's own size. Coordinates in files have 6 to 9 digits, and what they mean to touch must not count as
// crossing.
constexpr double kTouch = 1e-7;

using Three = std::array<Vec3, 3>;
using Heights = std::array<double, 3>;

Three corners_of(const Triangles& triangles, std::size_t t) {
    return {triangles.at(t, 0), triangles.at(t, 1), triangles.at(t, 2)};
}

double longest_side(const Three& a) { return std::max({norm(a[1] - a[0]), norm(a[2] - a[1]), norm(a[0] - a[2])}); }

/// Signed distances from a plane; what is within `touch` is on it [m].
Heights heights(const Three& points, const Vec3& normal, const Vec3& on, double touch) {
    Heights h{};
    for (std::size_t k = 0; k < 3; ++k) {
        h[k] = dot(points[k] - on, normal);
        if (std::abs(h[k]) <= touch) h[k] = 0.0;
    }
    return h;
}

bool both_sides(const Heights& h) { return std::min({h[0], h[1], h[2]}) < 0.0 && std::max({h[0], h[1], h[2]}) > 0.0; }
bool in_plane(const Heights& h) { return h[0] == 0.0 && h[1] == 0.0 && h[2] == 0.0; }

struct Interval {
    double low = 1e300, high = -1e300;
    void add(double x) {
        low = std::min(low, x);
        high = std::max(high, x);
    }
};

/// The part of the line along `direction` that the triangle covers, given its heights above the other's plane.
Interval covered(const Three& points, const Heights& h, const Vec3& direction, const Vec3& origin) {
    Interval out;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t n = (k + 1) % 3;
        const double a = dot(points[k] - origin, direction), b = dot(points[n] - origin, direction);
        if (h[k] == 0.0) out.add(a);
        if (h[k] * h[n] < 0.0) out.add(a + (b - a) * h[k] / (h[k] - h[n]));
    }
    return out;
}

struct Flat {
    double x = 0.0, y = 0.0;
};

double turn(const Flat& a, const Flat& b, const Flat& p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/// The triangle seen along the normal, counter-clockwise.
std::vector<Flat> flatten(const Three& points, const Vec3& normal, const Vec3& on) {
    const Vec3 helper = std::abs(normal.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    Vec3 u = cross(helper, normal);
    u = u / norm(u);
    const Vec3 v = cross(normal, u);
    std::vector<Flat> out;
    for (const Vec3& p : points) out.push_back({dot(p - on, u), dot(p - on, v)});
    if (turn(out[0], out[1], out[2]) < 0.0) std::swap(out[1], out[2]);
    return out;
}

double area_of(const std::vector<Flat>& polygon) {
    double twice = 0.0;
    for (std::size_t k = 1; k + 1 < polygon.size(); ++k) twice += turn(polygon[0], polygon[k], polygon[k + 1]);
    return 0.5 * twice;
}

/// Area that two triangles in one plane have in common: one is cut by the other's sides in turn.
double common_area(std::vector<Flat> polygon, const std::vector<Flat>& by) {
    for (std::size_t s = 0; s < 3 && polygon.size() > 2; ++s) {
        const Flat &a = by[s], &b = by[(s + 1) % 3];
        std::vector<Flat> kept;
        for (std::size_t k = 0; k < polygon.size(); ++k) {
            const Flat &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
            const double hp = turn(a, b, p), hq = turn(a, b, q);
            if (hp >= 0.0) kept.push_back(p);
            if (hp * hq < 0.0) {
                const double x = hp / (hp - hq);
                kept.push_back({p.x + x * (q.x - p.x), p.y + x * (q.y - p.y)});
            }
        }
        polygon = std::move(kept);
    }
    return polygon.size() > 2 ? area_of(polygon) : 0.0;
}

}  // namespace

bool cross_each_other(const Triangles& triangles, std::size_t first, std::size_t second) {
    const Three a = corners_of(triangles, first), b = corners_of(triangles, second);
    Vec3 na = cross(a[1] - a[0], a[2] - a[0]), nb = cross(b[1] - b[0], b[2] - b[0]);
    if (!(norm(na) > 0.0 && norm(nb) > 0.0)) return false;
    na = na / norm(na);
    nb = nb / norm(nb);
    const double touch = kTouch * std::max(longest_side(a), longest_side(b));
    const Heights hb = heights(b, na, a[0], touch), ha = heights(a, nb, b[0], touch);
    if (in_plane(ha) && in_plane(hb)) {
        const std::vector<Flat> fa = flatten(a, na, a[0]), fb = flatten(b, na, a[0]);
        return common_area(fa, fb) > 1e-5 * std::min(area_of(fa), area_of(fb));
    }
    if (!both_sides(ha) || !both_sides(hb)) return false;
    const Vec3 line = cross(na, nb);
    if (!(norm(line) > 0.0)) return false;
    const Vec3 direction = line / norm(line);
    const Interval x = covered(a, ha, direction, a[0]), y = covered(b, hb, direction, a[0]);
    return std::min(x.high, y.high) - std::max(x.low, y.low) > touch;
}

namespace {

/// Triangles with the corners of an earlier one lie on it: each is a pair with that one, and need not be looked for.
/// Returns the others.
std::vector<std::int32_t> leave_out_repeated(const Triangles& triangles, SelfIntersections& out) {
    struct Key {
        std::uint64_t first_two;
        std::int32_t third, triangle;
        bool same_corners(const Key& other) const { return first_two == other.first_two && third == other.third; }
        bool operator<(const Key& other) const {
            if (first_two != other.first_two) return first_two < other.first_two;
            return third != other.third ? third < other.third : triangle < other.triangle;
        }
    };
    std::vector<Key> keys;
    keys.reserve(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        std::array<std::int32_t, 3> corners = triangles.corners[t];
        std::sort(corners.begin(), corners.end());
        keys.push_back({static_cast<std::uint64_t>(corners[0]) << 32 | static_cast<std::uint64_t>(corners[1]),
                        corners[2], static_cast<std::int32_t>(t)});
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::int32_t> kept;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto t = static_cast<std::size_t>(keys[i].triangle);
        const bool repeated = i > 0 && keys[i].same_corners(keys[i - 1]);
        if (!repeated) kept.push_back(keys[i].triangle);
        if (!repeated || !(norm2(triangles.area_vector(t)) > 0.0)) continue;
        out.takes_part[t] = out.takes_part[static_cast<std::size_t>(kept.back())] = 1;
        out.first = out.pairs++ == 0 ? kept.back() : std::min(out.first, kept.back());
    }
    std::sort(kept.begin(), kept.end());
    return kept;
}

Triangles only(const Triangles& all, const std::vector<std::int32_t>& kept) {
    Triangles out;
    out.vertices = all.vertices;
    for (const std::int32_t t : kept) out.corners.push_back(all.corners[static_cast<std::size_t>(t)]);
    return out;
}

}  // namespace

SelfIntersections self_intersections(const Triangles& all, Progress& progress, std::size_t most_tests) {
    SelfIntersections out;
    std::vector<char>& takes_part = out.takes_part;
    takes_part.assign(all.size(), 0);
    const std::vector<std::int32_t> kept = leave_out_repeated(all, out);
    const Triangles triangles = only(all, kept);
    const TriangleTree tree(triangles);
    if (most_tests == 0) most_tests = 2'000'000 + 40 * triangles.size();
    std::size_t tests = 0;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        if (t % 4096 == 0) {
            progress.update(static_cast<double>(t) / static_cast<double>(triangles.size()),
                            "looking for self-intersections");
        }
        if (progress.stop_requested())
            throw Error(Fault::interrupted, {}, "interrupted while looking for self-intersections");
        if (tests > most_tests) {
            out.complete = false;
            break;
        }
        tree.in_box(box_of({triangles.at(t, 0), triangles.at(t, 1), triangles.at(t, 2)}), [&](std::int32_t other) {
            const auto u = static_cast<std::size_t>(other);
            ++tests;  // also of those already looked at: finding them takes as long
            if (u <= t) return;
            if (!cross_each_other(triangles, t, u)) return;
            tests += 10;  // pairs found take longer than others, and a heap of them need not be counted to the last
            out.first = out.pairs++ == 0 ? kept[t] : std::min(out.first, kept[t]);
            takes_part[static_cast<std::size_t>(kept[t])] = takes_part[static_cast<std::size_t>(kept[u])] = 1;
        });
    }
    out.triangles = static_cast<std::size_t>(std::count(takes_part.begin(), takes_part.end(), 1));
    return out;
}

}  // namespace limber
