#include "geometry/smooth_normals.hpp"

#include "core/joined.hpp"
#include "core/parallel.hpp"
#include "geometry/weld.hpp"

#include <algorithm>
#include <numbers>
#include <tuple>

namespace limber {

namespace {
constexpr double kSamePoint = 1e-9;  // of the surface's diagonal
/// Of larger polygons it is decided at rest which corners are concave: going around all of them for each would take the
/// square.
constexpr std::int32_t kLargePolygon = 16;

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Area times normal of a polygon, twice (Newell).
Vec3 polygon_vector(std::span<const std::int32_t> faces, std::size_t begin, std::size_t end, std::span<const Vec3> x) {
    Vec3 sum;
    for (std::size_t c = begin + 1; c + 1 < end; ++c)
        sum += cross(x[at(faces[c])] - x[at(faces[begin])], x[at(faces[c + 1])] - x[at(faces[begin])]);
    return sum;
}

/// One side of one face, between places (welded vertices).
struct Side {
    std::int32_t low, high;
    std::int32_t corner_low, corner_high;  ///< the face's corners there
    std::int32_t face;
};

std::vector<Side> sides_of(const Surface& s, const std::vector<std::int32_t>& welded) {
    std::vector<Side> sides;
    sides.reserve(s.faces.size());
    for (std::size_t f = 0; f < s.face_count(); ++f) {
        for (std::int32_t c = s.face_starts[f]; c < s.face_starts[f + 1]; ++c) {
            const std::int32_t n = c + 1 < s.face_starts[f + 1] ? c + 1 : s.face_starts[f];
            const std::int32_t a = welded[at(s.faces[at(c)])], b = welded[at(s.faces[at(n)])];
            if (a < b)
                sides.push_back({a, b, c, n, static_cast<std::int32_t>(f)});
            else if (b < a)
                sides.push_back({b, a, n, c, static_cast<std::int32_t>(f)});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& p, const Side& q) {
        return std::tie(p.low, p.high, p.face, p.corner_low) < std::tie(q.low, q.high, q.face, q.corner_low);
    });
    return sides;
}

std::vector<Vec3> unit_face_normals(const Surface& s) {
    std::vector<Vec3> out(s.face_count());
    for (std::size_t f = 0; f < out.size(); ++f) {
        const Vec3 n = polygon_vector(s.faces, at(s.face_starts[f]), at(s.face_starts[f + 1]), s.vertices);
        const double length = norm(n);
        if (length > 0.0) out[f] = n / length;
    }
    return out;
}

void join_over_flat_edges(const Surface& s, const std::vector<std::int32_t>& welded, double crease_degrees,
                          std::span<const std::int32_t> split, Joined& groups) {
    const std::vector<Side> sides = sides_of(s, welded);
    const std::vector<Vec3> normal = unit_face_normals(s);
    const double least = std::cos(crease_degrees * std::numbers::pi / 180.0);
    const auto free = [&](std::int32_t corner) { return split.empty() || split[at(corner)] < 0; };
    for (std::size_t i = 0; i < sides.size(); ++i) {
        for (std::size_t j = i + 1;
             j < sides.size() && sides[j].low == sides[i].low && sides[j].high == sides[i].high && j < i + 8; ++j) {
            if (!(dot(normal[at(sides[i].face)], normal[at(sides[j].face)]) > least)) continue;
            if (free(sides[i].corner_low) && free(sides[j].corner_low))
                groups.join(sides[i].corner_low, sides[j].corner_low);
            if (free(sides[i].corner_high) && free(sides[j].corner_high))
                groups.join(sides[i].corner_high, sides[j].corner_high);
        }
    }
}

void join_equal_splits(const Surface& s, const std::vector<std::int32_t>& welded, std::span<const std::int32_t> split,
                       Joined& groups) {
    std::vector<std::int32_t> order;
    for (std::size_t c = 0; c < split.size(); ++c)
        if (split[c] >= 0) order.push_back(static_cast<std::int32_t>(c));
    const auto key = [&](std::int32_t c) { return std::pair(welded[at(s.faces[at(c)])], split[at(c)]); };
    std::sort(order.begin(), order.end(),
              [&](std::int32_t a, std::int32_t b) { return std::pair(key(a), a) < std::pair(key(b), b); });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (key(order[i]) == key(order[i - 1])) groups.join(order[i - 1], order[i]);
}

double diagonal_of(std::span<const Vec3> points) {
    if (points.empty()) return 0.0;
    Vec3 low = points[0], high = points[0];
    for (const Vec3& p : points) {
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], p[k]);
            high[k] = std::max(high[k], p[k]);
        }
    }
    return norm(high - low);
}
}  // namespace

SmoothNormals::SmoothNormals(const Surface& rest, double crease_degrees, std::span<const std::int32_t> split)
    : faces_(rest.faces), of_corner_(rest.faces.size()) {
    const std::vector<std::int32_t> welded = weld(rest.vertices, kSamePoint * diagonal_of(rest.vertices));
    Joined groups(rest.faces.size());
    join_over_flat_edges(rest, welded, crease_degrees, split, groups);
    join_equal_splits(rest, welded, split, groups);

    std::vector<std::int32_t> number(rest.faces.size(), -1), size;
    for (std::size_t c = 0; c < rest.faces.size(); ++c) {
        const std::int32_t root = groups.root(static_cast<std::int32_t>(c));
        if (at(root) == c) {
            number[c] = static_cast<std::int32_t>(size.size());
            size.push_back(0);
        }
        of_corner_[c] = number[at(root)];
        ++size[at(of_corner_[c])];
    }
    starts_.resize(size.size() + 1);
    std::partial_sum(size.begin(), size.end(), starts_.begin() + 1);
    corners_.resize(rest.faces.size());
    std::vector<std::int32_t> next = starts_;
    for (std::size_t f = 0; f < rest.face_count(); ++f) {
        const std::int32_t begin = rest.face_starts[f], end = rest.face_starts[f + 1];
        const bool large = end - begin > kLargePolygon;
        const Vec3 whole = large ? polygon_vector(faces_, at(begin), at(end), rest.vertices) : Vec3{};
        for (std::int32_t c = begin; c < end; ++c) {
            Corner& corner = corners_[at(next[at(of_corner_[at(c)])]++)];
            corner = {rest.faces[at(c)],
                      rest.faces[at(c > begin ? c - 1 : end - 1)],
                      rest.faces[at(c + 1 < end ? c + 1 : begin)],
                      begin,
                      end - begin == 3 || large ? begin : end,
                      false};
            corner.inward = large && dot(corner_normal(corner, rest.vertices), whole) < 0.0;
        }
    }
}

// Corners count by the sine of their angle over the lengths of both sides: exact on spheres, and needs no trigonometry
// [Max 1999].
Vec3 SmoothNormals::corner_normal(const Corner& c, std::span<const Vec3> x) const noexcept {
    const Vec3 a = x[at(c.next)] - x[at(c.vertex)], b = x[at(c.previous)] - x[at(c.vertex)];
    const double weight = norm2(a) * norm2(b);
    if (!(weight > 0.0)) return {};
    const Vec3 n = cross(a, b) / weight;
    // The inner corner of a concave polygon looks the other way.
    if (c.inward || (c.begin != c.end && dot(n, polygon_vector(faces_, at(c.begin), at(c.end), x)) < 0.0)) return -n;
    return n;
}

void SmoothNormals::compute(std::span<const Vec3> positions, std::span<Vec3> normals) const noexcept {
    parallel_blocks(count(), 4096, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        for (std::size_t n = begin; n < end; ++n) {
            Vec3 sum;
            for (std::size_t c = at(starts_[n]); c < at(starts_[n + 1]); ++c)
                sum += corner_normal(corners_[c], positions);
            const double length = norm(sum);
            normals[n] = length > 0.0 && std::isfinite(length) ? sum / length : Vec3{0.0, 0.0, 1.0};
        }
    });
}

Vec3 turned_along(const Vec3& normal, const Vec3& from, const Vec3& to) {
    if (from == to) return normal;
    const Vec3 axis = cross(from, to);  // its length is the sine
    const double cosine = dot(from, to);
    // Turned over completely, there is no least rotation: any half turn that takes one to the other does.
    if (cosine < -1.0 + 1e-12) return -normal;
    return normal + cross(axis, normal) + cross(axis, cross(axis, normal)) / (1.0 + cosine);
}

}  // namespace limber
