// TriangleTree: a box tree over triangles that answers rays, nearest points and overlaps.
#pragma once

#include "geometry/triangles.hpp"

#include <functional>
#include <vector>

namespace limber {

/// Borrows the triangles. Const calls may run on any threads.
class TriangleTree {
public:
    explicit TriangleTree(const Triangles& triangles);

    /// How often a ray from `from` along `direction` passes through a triangle, not counting triangle `but`.
    /// `work`, if given, grows by the triangles looked at.
    int crossings(const Vec3& from, const Vec3& direction, std::int32_t but = -1, std::size_t* work = nullptr) const;

    /// How far the ray goes before it meets a triangle, not counting triangle `but`; infinity when it meets none.
    /// In lengths of `direction`.
    double first_hit(const Vec3& from, const Vec3& direction, std::int32_t but = -1) const;

    struct Nearest {
        std::int32_t triangle = -1;  ///< -1: there are none
        Vec3 point;
        double distance = 0.0;  ///< [m]
    };
    Nearest nearest(const Vec3& point) const;

    /// Calls `visit` for every triangle whose box meets the given one, at most `most` of them; how many.
    std::size_t in_box(const Box3& box, const std::function<void(std::int32_t triangle)>& visit,
                       std::size_t most = static_cast<std::size_t>(-1)) const;

private:
    struct Node {
        Box3 box;
        std::int32_t begin = 0, end = 0;
        std::int32_t right = 0;  ///< the left child is the next node; 0 = leaf
    };
    void build(std::int32_t begin, std::int32_t end, const std::vector<Vec3>& centroids);
    /// Visits the indices in `order_` of every leaf whose box, and whose ancestors' boxes, `enter` accepts.
    template <class Enter, class Visit>
    void walk(Enter&& enter, Visit&& visit) const;

    const Triangles* triangles_;
    std::vector<std::int32_t> order_;
    std::vector<Box3> boxes_;  ///< of the triangles, in that order
    std::vector<Node> nodes_;
};

/// The point of a triangle nearest to `p`.
Vec3 nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace limber
