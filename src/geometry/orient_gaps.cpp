#include "geometry/orient_gaps.hpp"

#include "core/joined.hpp"
#include "geometry/orient.hpp"
#include "geometry/triangle_tree.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kWidestGap = 0.25;  // of the shorter side
constexpr std::size_t kMostNear =
    50;  // sides that one is compared with: a fan of long slivers has all of its sides near each other

struct OpenSide {
    Vec3 from, to;  // as its triangle runs
    std::int32_t triangle = 0;
    double length = 0.0;  // [m]
};

struct GapChoice {
    std::int32_t side = -1;
    bool agree = true;
    double gap = 0.0;  // of the shorter side
};

std::vector<OpenSide> open_sides(const Triangles& triangles, const SurfaceEdges& edges) {
    std::vector<OpenSide> out;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (edges.users(e) != 1) continue;
        const EdgeUse& use = edges.use(e, 0);
        const auto t = static_cast<std::size_t>(use.triangle);
        const Vec3 a = triangles.at(t, use.side), b = triangles.at(t, (use.side + 1) % 3);
        out.push_back({a, b, use.triangle, norm(b - a)});
    }
    return out;
}

/// The middles of the sides, each as a triangle without extent: what a tree can find.
Triangles middles(const std::vector<OpenSide>& sides) {
    Triangles out;
    for (const OpenSide& s : sides) {
        const auto v = static_cast<std::int32_t>(out.vertices.size());
        out.vertices.push_back(0.5 * (s.from + s.to));
        out.corners.push_back({v, v, v});
    }
    return out;
}

void weigh(const OpenSide& a, const OpenSide& b, std::int32_t number, GapChoice& best) {
    const double shorter = std::min(a.length, b.length);
    const double against = std::max(norm2(a.from - b.to), norm2(a.to - b.from)),
                 along = std::max(norm2(a.from - b.from), norm2(a.to - b.to));
    const double nearest = std::min(against, along);
    if (!(nearest < kWidestGap * kWidestGap * shorter * shorter)) return;  // most are farther, and need no root
    const double gap = std::sqrt(nearest) / shorter;
    if (!(gap < kWidestGap) || (best.side >= 0 && (gap > best.gap || (gap == best.gap && number > best.side)))) return;
    best = {number, against <= along, gap};
}

std::vector<GapChoice> choose(const std::vector<OpenSide>& sides) {
    const Triangles points = middles(sides);
    const TriangleTree tree(points);
    std::vector<GapChoice> out(sides.size());
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const Vec3 middle = points.vertices[i], reach = kWidestGap * sides[i].length * Vec3{1, 1, 1};
        tree.in_box(
            {middle - reach, middle + reach},
            [&](std::int32_t j) {
                const OpenSide& other = sides[static_cast<std::size_t>(j)];
                if (other.triangle != sides[i].triangle) weigh(sides[i], other, j, out[i]);
            },
            kMostNear);
    }
    return out;
}

/// Patches gathered into groups, with what of each must be turned for its group to agree.
class Groups {
public:
    Groups(const Triangles& triangles, const Patches& patches, const std::vector<char>& turned)
        : parent_(static_cast<std::size_t>(patches.count)),
          turn_(parent_.size(), 0),
          area_(parent_.size(), 0.0),
          vector_(parent_.size()) {
        for (std::size_t p = 0; p < parent_.size(); ++p) parent_[p] = p;
        for (std::size_t t = 0; t < triangles.size(); ++t) {
            const auto p = static_cast<std::size_t>(patches.of_triangle[t]);
            const Vec3 a = triangles.area_vector(t);
            area_[p] += norm(a);
            vector_[p] += turned[t] ? -a : a;
        }
    }

    struct Found {
        std::size_t root;
        char turn;  // against the root
    };
    Found find(std::size_t p) const {
        Found f{p, 0};
        for (; parent_[f.root] != f.root; f.root = parent_[f.root]) f.turn = static_cast<char>(f.turn ^ turn_[f.root]);
        return f;
    }

    /// `turn`: p against q. The smaller goes to the larger, so that ways to the root stay short.
    void join(std::size_t p, std::size_t q, bool turn) {
        Found a = find(p), b = find(q);
        if (a.root == b.root || (closed(a.root) && closed(b.root))) return;
        if (area_[a.root] > area_[b.root] || (area_[a.root] == area_[b.root] && a.root < b.root)) std::swap(a, b);
        const auto against = static_cast<char>(a.turn ^ b.turn ^ (turn ? 1 : 0));
        parent_[a.root] = b.root;
        turn_[a.root] = against;
        area_[b.root] += area_[a.root];
        vector_[b.root] += against ? -vector_[a.root] : vector_[a.root];
    }

private:
    bool closed(std::size_t root) const { return encloses(area_[root], vector_[root]); }

    std::vector<std::size_t> parent_;
    std::vector<char> turn_;
    std::vector<double> area_;  // [m^2]
    std::vector<Vec3> vector_;  // [m^2]
};

}  // namespace

std::vector<GapMatch> match_across_gaps(const Triangles& triangles, const SurfaceEdges& edges) {
    const std::vector<OpenSide> sides = open_sides(triangles, edges);
    const std::vector<GapChoice> choices = choose(sides);
    std::vector<GapMatch> out;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const GapChoice& c = choices[i];
        if (c.side < static_cast<std::int32_t>(i) ||
            choices[static_cast<std::size_t>(c.side)].side != static_cast<std::int32_t>(i)) {
            continue;
        }
        out.push_back(
            {sides[i].triangle, sides[static_cast<std::size_t>(c.side)].triangle, c.agree, 1.0 - c.gap / kWidestGap});
    }
    return out;
}

Patches join_across_gaps(const Triangles& triangles, const SurfaceEdges& edges, const Patches& patches,
                         std::vector<char>& turned) {
    std::vector<GapMatch> matches = match_across_gaps(triangles, edges);
    std::stable_sort(matches.begin(), matches.end(),
                     [](const GapMatch& a, const GapMatch& b) { return a.strength > b.strength; });
    Groups groups(triangles, patches, turned);
    for (const GapMatch& m : matches) {
        const auto a = static_cast<std::size_t>(m.triangle), b = static_cast<std::size_t>(m.other);
        groups.join(static_cast<std::size_t>(patches.of_triangle[a]), static_cast<std::size_t>(patches.of_triangle[b]),
                    (turned[a] ^ turned[b] ^ (m.agree ? 0 : 1)) != 0);
    }
    Joined joined(triangles.size());
    std::vector<std::int32_t> first(static_cast<std::size_t>(patches.count), -1);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const Groups::Found f = groups.find(static_cast<std::size_t>(patches.of_triangle[t]));
        turned[t] = static_cast<char>(turned[t] ^ f.turn);
        if (first[f.root] < 0) first[f.root] = static_cast<std::int32_t>(t);
        joined.join(first[f.root], static_cast<std::int32_t>(t));
    }
    Patches out;
    out.of_triangle = joined.groups(out.count);
    return out;
}

}  // namespace limber
