#include "geometry/doctor_faces.hpp"

#include "geometry/weld.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace limber {
namespace {

// A face whose area is below this share of its longest side squared is a line.
constexpr double kFlat = 1e-9;

using FaceCorners = std::vector<std::int32_t>;
using Edge = std::pair<std::int32_t, std::int32_t>;

FaceCorners face_of(const Surface& s, std::size_t f) {
    return {s.faces.begin() + s.face_starts[f], s.faces.begin() + s.face_starts[f + 1]};
}

bool can_be_followed(const Surface& surface, const FaceCorners& corners) {
    const auto count = static_cast<std::int32_t>(surface.vertices.size());
    return std::all_of(corners.begin(), corners.end(), [&](std::int32_t v) {
        return v >= 0 && v < count && is_finite(surface.vertices[static_cast<std::size_t>(v)]);
    });
}

/// FaceCorners named twice in a row become one; `source_corners` goes along.
void shorten(FaceCorners& corners, std::vector<std::int32_t>& source_corners) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        if (kept > 0 && corners[k] == corners[kept - 1]) continue;
        corners[kept] = corners[k];
        source_corners[kept++] = source_corners[k];
    }
    while (kept > 1 && corners[kept - 1] == corners[0]) --kept;
    corners.resize(kept);
    source_corners.resize(kept);
}

/// The same for every way of writing the face: it begins at its lowest corner and runs to the lower neighbour.
FaceCorners canonical(FaceCorners c) {
    std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
    if (c.size() > 2 && c.back() < c[1]) std::reverse(c.begin() + 1, c.end());
    return c;
}

bool is_flat(const Surface& surface, const FaceCorners& corners) {
    const Vec3& apex = surface.vertices[static_cast<std::size_t>(corners[0])];
    double area = 0.0, longest2 = 0.0;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec3 &a = surface.vertices[static_cast<std::size_t>(corners[k])],
                   &b = surface.vertices[static_cast<std::size_t>(corners[(k + 1) % corners.size()])];
        area += 0.5 * norm(cross(a - apex, b - apex));
        longest2 = std::max(longest2, norm2(b - a));
    }
    return area <= kFlat * longest2;
}

std::vector<Edge> edges_of(const FaceCorners& c) {
    std::vector<Edge> out;
    for (std::size_t k = 0; k < c.size(); ++k) out.push_back(std::minmax(c[k], c[(k + 1) % c.size()]));
    return out;
}

struct FaceCandidate {
    FaceCorners corners, source_corners;
    std::int32_t face;
    bool flat = false, drop = false;
};

void mark_repeated(std::vector<FaceCandidate>& candidates, SortedFaces& out) {
    std::vector<std::pair<FaceCorners, std::size_t>> all;
    for (std::size_t i = 0; i < candidates.size(); ++i) all.emplace_back(canonical(candidates[i].corners), i);
    std::sort(all.begin(), all.end());
    for (std::size_t i = 1; i < all.size(); ++i)
        if (all[i].first == all[i - 1].first) candidates[all[i].second].drop = true;
    for (const FaceCandidate& c : candidates)
        if (c.drop) out.repeated.push_back(c.face);
}

/// A flat face between two others holds them together; one with a free side holds nothing.
void mark_flat(std::vector<FaceCandidate>& candidates, const Surface& surface, SortedFaces& out) {
    bool any = false;
    for (FaceCandidate& c : candidates)
        if (!c.drop && is_flat(surface, c.corners)) c.flat = any = true;
    if (!any) return;
    std::vector<Edge> edges;
    for (const FaceCandidate& c : candidates) {
        if (!c.drop)
            for (const Edge& e : edges_of(c.corners)) edges.push_back(e);
    }
    std::sort(edges.begin(), edges.end());
    for (FaceCandidate& c : candidates) {
        if (!c.flat) continue;
        for (const Edge& e : edges_of(c.corners)) {
            const auto [low, high] = std::equal_range(edges.begin(), edges.end(), e);
            if (high - low < 2) c.drop = true;
        }
        (c.drop ? out.flat : out.flat_kept).push_back(c.face);
    }
}

void look_at_vertices(const Surface& surface, const std::vector<std::int32_t>& joined, SortedFaces& out) {
    std::vector<char> used(surface.vertices.size(), 0);
    for (const std::int32_t v : surface.faces)
        if (v >= 0 && static_cast<std::size_t>(v) < used.size()) used[static_cast<std::size_t>(v)] = 1;
    for (std::size_t v = 0; v < used.size(); ++v) {
        if (!used[v])
            out.unused.push_back(static_cast<std::int32_t>(v));
        else if (joined[v] != static_cast<std::int32_t>(v))
            out.doubled.push_back(static_cast<std::int32_t>(v));
    }
}

}  // namespace

double doubling_reach(const Surface& surface) {
    std::vector<Vec3> finite;
    for (const Vec3& p : surface.vertices)
        if (is_finite(p)) finite.push_back(p);
    return kDoubled * box_of(finite).diagonal();
}

SortedFaces sort_faces(const Surface& surface) {
    SortedFaces out;
    const std::vector<std::int32_t> joined = weld(surface.vertices, doubling_reach(surface));
    look_at_vertices(surface, joined, out);
    std::vector<FaceCandidate> candidates;
    for (std::size_t f = 0; f < surface.face_count(); ++f) {
        FaceCorners corners = face_of(surface, f);
        const auto number = static_cast<std::int32_t>(f);
        if (!can_be_followed(surface, corners)) {
            out.bad.push_back(number);
            continue;
        }
        for (std::int32_t& v : corners) v = joined[static_cast<std::size_t>(v)];
        const std::size_t before = corners.size();
        FaceCorners source_corners(before);
        std::iota(source_corners.begin(), source_corners.end(), surface.face_starts[f]);
        shorten(corners, source_corners);
        if (corners.size() < 3) {
            out.flat.push_back(number);
            continue;
        }
        if (corners.size() < before) out.shortened.push_back(number);
        candidates.push_back({std::move(corners), std::move(source_corners), number});
    }
    mark_repeated(candidates, out);
    mark_flat(candidates, surface, out);
    std::sort(out.flat.begin(), out.flat.end());
    out.kept.vertices = surface.vertices;
    for (const FaceCandidate& c : candidates) {
        if (c.drop) continue;
        out.kept.faces.insert(out.kept.faces.end(), c.corners.begin(), c.corners.end());
        out.source_corner.insert(out.source_corner.end(), c.source_corners.begin(), c.source_corners.end());
        out.kept.face_starts.push_back(static_cast<std::int32_t>(out.kept.faces.size()));
        out.number.push_back(c.face);
    }
    return out;
}

}  // namespace limber
