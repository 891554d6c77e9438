#include "assets/flip.hpp"

#include "geometry/surface_edges.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace limber {
namespace {

constexpr double kFlat = 0.9;     // least cosine between the two triangles, before and after: creases stay
constexpr double kBetter = 1.02;  // by how much the smallest sine must grow: else two diagonals would take turns
constexpr int kLeastValence = 4;  // of the ends of an edge that goes

struct TriangleShape {
    Vec3 normal;  // of unit length
    double sine;  // of the smallest angle
};

TriangleShape shape_of_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 normal = cross(b - a, c - a);
    const double twice = norm(normal), ab = norm(b - a), bc = norm(c - b), ca = norm(a - c);
    const double longest = std::max({ab, bc, ca}), shortest = std::min({ab, bc, ca});
    if (!(twice > 0.0)) return {{}, 0.0};
    return {normal / twice, twice / (longest * (ab + bc + ca - longest -
                                                shortest))};  // the smallest angle lies between the two longest sides
}

class Flipper {
public:
    explicit Flipper(Triangles& triangles)
        : t_(triangles),
          edges_(surface_edges(triangles)),
          touched_(triangles.size(), 0),
          valence_(triangles.vertices.size(), 0) {
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            ++valence(edges_.use(e, 0).low);
            ++valence(edges_.use(e, 0).high);
        }
    }

    std::size_t pass() {
        std::size_t flips = 0;
        for (std::size_t e = 0; e < edges_.size(); ++e)
            if (edges_.users(e) == 2 && try_edge(edges_.use(e, 0), edges_.use(e, 1))) ++flips;
        return flips;
    }

private:
    /// The left triangle is a, b, c; the right one b, a, d; they become a, d, c and d, b, c.
    bool try_edge(const EdgeUse& left, const EdgeUse& right) {
        const auto l = static_cast<std::size_t>(left.triangle), r = static_cast<std::size_t>(right.triangle);
        if (left.forward == right.forward || touched_[l] || touched_[r]) return false;
        const std::int32_t a = left.forward ? left.low : left.high, b = left.forward ? left.high : left.low;
        const std::int32_t c = opposite(left), d = opposite(right);
        if (c == d || valence(a) <= kLeastValence || valence(b) <= kLeastValence || joined(c, d) || !better(a, b, c, d))
            return false;
        t_.corners[l] = {a, d, c};
        t_.corners[r] = {d, b, c};
        touched_[l] = touched_[r] = 1;
        --valence(a);
        --valence(b);
        ++valence(c);
        ++valence(d);
        fresh_.insert({std::min(c, d), std::max(c, d)});
        return true;
    }

    bool better(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) const {
        const auto judged = [&](std::int32_t i, std::int32_t j, std::int32_t k) {
            return shape_of_triangle(t_.vertices[static_cast<std::size_t>(i)], t_.vertices[static_cast<std::size_t>(j)],
                                     t_.vertices[static_cast<std::size_t>(k)]);
        };
        const TriangleShape was1 = judged(a, b, c), was2 = judged(b, a, d), new1 = judged(a, d, c),
                            new2 = judged(d, b, c);
        if (dot(was1.normal, was2.normal) < kFlat || dot(new1.normal, new2.normal) < kFlat ||
            dot(was1.normal, new1.normal) < kFlat) {
            return false;
        }
        return std::min(new1.sine, new2.sine) > kBetter * std::min(was1.sine, was2.sine);
    }

    /// Whether an edge between the two exists; one that was flipped away counts still, which only forgoes a flip.
    bool joined(std::int32_t a, std::int32_t b) const {
        const std::int32_t low = std::min(a, b), high = std::max(a, b);
        const auto before = [&](const EdgeUse& use, int) { return use.low != low ? use.low < low : use.high < high; };
        const auto at = std::lower_bound(edges_.uses.begin(), edges_.uses.end(), 0, before);
        return (at != edges_.uses.end() && at->low == low && at->high == high) || fresh_.count({low, high}) > 0;
    }

    std::int32_t opposite(const EdgeUse& use) const {
        return t_.corners[static_cast<std::size_t>(use.triangle)][static_cast<std::size_t>((use.side + 2) % 3)];
    }
    int& valence(std::int32_t v) { return valence_[static_cast<std::size_t>(v)]; }

    Triangles& t_;
    SurfaceEdges edges_;
    std::vector<char> touched_;
    std::vector<int> valence_;
    std::set<std::pair<std::int32_t, std::int32_t>> fresh_;  // edges made in this pass
};

}  // namespace

std::size_t flip_edges(Triangles& triangles) { return Flipper(triangles).pass(); }

}  // namespace limber
