#include "geometry/triangle_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr std::int32_t kLeaf = 6;

constexpr double kNowhere = std::numeric_limits<double>::infinity();

Box3 no_box() { return {{kNowhere, kNowhere, kNowhere}, {-kNowhere, -kNowhere, -kNowhere}}; }

inline void take_in(Box3& box, const Vec3& p) {
    for (int k = 0; k < 3; ++k) {
        box.low[k] = std::min(box.low[k], p[k]);
        box.high[k] = std::max(box.high[k], p[k]);
    }
}

bool hits(const Box3& box, const Vec3& from, const Vec3& inverse) {
    double low = 0.0, high = std::numeric_limits<double>::infinity();
    for (int a = 0; a < 3; ++a) {
        const double t0 = (box.low[a] - from[a]) * inverse[a], t1 = (box.high[a] - from[a]) * inverse[a];
        low = std::max(low, std::min(t0, t1));
        high = std::min(high, std::max(t0, t1));
    }
    return low <= high;
}

/// How far along the ray the triangle is, in lengths of `direction`; 0 or less: it is not met.
double hit_at(const Vec3& from, const Vec3& direction, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 u = b - a, v = c - a, p = cross(direction, v);
    const double det = dot(u, p);
    if (det == 0.0) return 0.0;
    const Vec3 s = from - a, q = cross(s, u);
    const double x = dot(s, p) / det, y = dot(direction, q) / det;
    return x >= 0.0 && y >= 0.0 && x + y <= 1.0 ? dot(v, q) / det : 0.0;
}

double distance2(const Box3& box, const Vec3& p) {
    double sum = 0.0;
    for (int a = 0; a < 3; ++a) {
        const double d = std::max({box.low[a] - p[a], p[a] - box.high[a], 0.0});
        sum += d * d;
    }
    return sum;
}

bool meet(const Box3& a, const Box3& b) {
    for (int k = 0; k < 3; ++k)
        if (a.high[k] < b.low[k] || b.high[k] < a.low[k]) return false;
    return true;
}

}  // namespace

Vec3 nearest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto on_edge = [&](const Vec3& u, const Vec3& v) {
        const Vec3 e = v - u;
        const double l2 = norm2(e), t = l2 > 0.0 ? std::clamp(dot(p - u, e) / l2, 0.0, 1.0) : 0.0;
        return u + t * e;
    };
    const Vec3 n = cross(b - a, c - a);
    const double n2 = norm2(n);
    if (n2 > 0.0) {
        const Vec3 d = p - a;
        const double v = dot(cross(d, c - a), n) / n2, w = dot(cross(b - a, d), n) / n2;
        if (v >= 0.0 && w >= 0.0 && v + w <= 1.0) return a + v * (b - a) + w * (c - a);
    }
    Vec3 best = on_edge(a, b);
    for (const Vec3& q : {on_edge(b, c), on_edge(c, a)})
        if (norm2(q - p) < norm2(best - p)) best = q;
    return best;
}

TriangleTree::TriangleTree(const Triangles& triangles) : triangles_(&triangles), order_(triangles.size()) {
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<std::int32_t>(i);
    std::vector<Vec3> centroids(order_.size());
    for (std::size_t t = 0; t < centroids.size(); ++t) centroids[t] = triangles.centroid(t);
    if (!order_.empty()) build(0, static_cast<std::int32_t>(order_.size()), centroids);
    boxes_.assign(order_.size(), no_box());
    for (std::size_t i = 0; i < order_.size(); ++i)
        for (int k = 0; k < 3; ++k) take_in(boxes_[i], triangles.at(static_cast<std::size_t>(order_[i]), k));
}

void TriangleTree::build(std::int32_t begin, std::int32_t end, const std::vector<Vec3>& centroids) {
    const std::size_t here = nodes_.size();
    nodes_.push_back({{}, begin, end, 0});
    Box3 middles = no_box();
    for (std::int32_t i = begin; i < end; ++i)
        take_in(middles, centroids[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])]);
    if (end - begin <= kLeaf) {
        Box3 box = no_box();
        for (std::int32_t i = begin; i < end; ++i) {
            for (int k = 0; k < 3; ++k)
                take_in(box, triangles_->at(static_cast<std::size_t>(order_[static_cast<std::size_t>(i)]), k));
        }
        nodes_[here].box = box;
        return;
    }
    const Vec3 size = middles.size();
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const std::int32_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::int32_t a, std::int32_t b) {
                         const double ca = centroids[static_cast<std::size_t>(a)][axis],
                                      cb = centroids[static_cast<std::size_t>(b)][axis];
                         return ca != cb ? ca < cb : a < b;
                     });
    build(begin, middle, centroids);
    const auto right = static_cast<std::int32_t>(nodes_.size());
    build(middle, end, centroids);
    Box3 box = nodes_[here + 1].box;
    take_in(box, nodes_[static_cast<std::size_t>(right)].box.low);
    take_in(box, nodes_[static_cast<std::size_t>(right)].box.high);
    nodes_[here].box = box;
    nodes_[here].right = right;
}

template <class Enter, class Visit>
void TriangleTree::walk(Enter&& enter, Visit&& visit) const {
    std::int32_t stack[64];  // halving a 32-bit count goes at most 32 deep
    int top = 0;
    if (!nodes_.empty()) stack[top++] = 0;
    while (top > 0) {
        const auto here = static_cast<std::size_t>(stack[--top]);
        const Node& node = nodes_[here];
        if (!enter(node.box)) continue;
        if (node.right != 0) {
            stack[top++] = node.right;
            stack[top++] = static_cast<std::int32_t>(here) + 1;
            continue;
        }
        for (std::int32_t i = node.begin; i < node.end; ++i) visit(static_cast<std::size_t>(i));
    }
}

int TriangleTree::crossings(const Vec3& from, const Vec3& direction, std::int32_t but, std::size_t* work) const {
    const Vec3 inverse{1.0 / direction.x, 1.0 / direction.y, 1.0 / direction.z};
    int count = 0;
    std::size_t looked_at = 0;
    walk([&](const Box3& box) { return hits(box, from, inverse); },
         [&](std::size_t index) {
             const std::int32_t t = order_[index];
             const auto n = static_cast<std::size_t>(t);
             ++looked_at;
             if (t != but &&
                 hit_at(from, direction, triangles_->at(n, 0), triangles_->at(n, 1), triangles_->at(n, 2)) > 0.0) {
                 ++count;
             }
         });
    if (work) *work += looked_at;
    return count;
}

double TriangleTree::first_hit(const Vec3& from, const Vec3& direction, std::int32_t but) const {
    const Vec3 inverse{1.0 / direction.x, 1.0 / direction.y, 1.0 / direction.z};
    double first = std::numeric_limits<double>::infinity();
    walk([&](const Box3& box) { return hits(box, from, inverse); },
         [&](std::size_t index) {
             const std::int32_t t = order_[index];
             const auto n = static_cast<std::size_t>(t);
             const double at = t == but ? 0.0
                                        : hit_at(from, direction, triangles_->at(n, 0), triangles_->at(n, 1),
                                                 triangles_->at(n, 2));
             if (at > 0.0) first = std::min(first, at);
         });
    return first;
}

// Not by walk(): the nearer child comes first, so that the other can mostly be passed over.
TriangleTree::Nearest TriangleTree::nearest(const Vec3& point) const {
    Nearest best;
    double best2 = std::numeric_limits<double>::infinity();
    std::int32_t stack[64];
    int top = 0;
    if (!nodes_.empty()) stack[top++] = 0;
    while (top > 0) {
        const auto here = static_cast<std::size_t>(stack[--top]);
        const Node& node = nodes_[here];
        if (distance2(node.box, point) >= best2) continue;
        if (node.right != 0) {
            std::int32_t close = static_cast<std::int32_t>(here) + 1, distant = node.right;
            if (distance2(nodes_[static_cast<std::size_t>(distant)].box, point) <
                distance2(nodes_[static_cast<std::size_t>(close)].box, point)) {
                std::swap(close, distant);
            }
            stack[top++] = distant;
            stack[top++] = close;
            continue;
        }
        for (std::int32_t i = node.begin; i < node.end; ++i) {
            const auto t = static_cast<std::size_t>(order_[static_cast<std::size_t>(i)]);
            const Vec3 q = nearest_on_triangle(point, triangles_->at(t, 0), triangles_->at(t, 1), triangles_->at(t, 2));
            const double d2 = norm2(q - point);
            if (d2 < best2) best2 = d2, best = {static_cast<std::int32_t>(t), q, std::sqrt(d2)};
        }
    }
    return best;
}

std::size_t TriangleTree::in_box(const Box3& box, const std::function<void(std::int32_t)>& visit,
                                 std::size_t most) const {
    std::size_t count = 0;
    walk([&](const Box3& node) { return count < most && meet(node, box); },
         [&](std::size_t index) {
             if (count >= most || !meet(boxes_[index], box)) return;
             ++count;
             visit(order_[index]);
         });
    return count;
}

}  // namespace limber
