#include "geometry/winding.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

constexpr double kFar = 2.0;                // radii; error below
constexpr std::int32_t kWindingLeaf = 8;           // triangles
constexpr double kFullAngle = 4.0 * std::numbers::pi;

double trace(const Mat3& m) { return m(0, 0) + m(1, 1) + m(2, 2); }

/// 4 pi times the winding number of a cluster seen from d away (centre minus point): the field F = d / |d|^3 of a point source,
/// expanded about the centre and integrated over the normals.
///   dF_k/dx_i = (delta_ik - 3 d_i d_k / d^2) / d^3,   d2F_k/dx_i dx_j = (15 d_i d_j d_k / d^2 - 3 (delta_ij d_k + delta_ik d_j + delta_jk d_i)) / d^5
double far_angle(const Vec3& d, double d2, const Vec3& dipole, const Mat3& quadrupole, const std::array<Mat3, 3>& octupole) {
    const double over_d3 = 1.0 / (d2 * std::sqrt(d2));
    const double first = dot(dipole, d);
    const double second = trace(quadrupole) - 3.0 * dot(d, quadrupole * d) / d2;
    double along = 0.0, mixed = 0.0;
    for (int k = 0; k < 3; ++k) {
        const Mat3& t = octupole[static_cast<std::size_t>(k)];
        const Vec3 td = t * d;
        along += dot(d, td) * d[k];
        mixed += trace(t) * d[k] + 2.0 * td[k];
    }
    const double third = (7.5 * along / d2 - 1.5 * mixed) / d2;
    return (first + second + third) * over_d3;
}

/// Mean of (place - centre) outer (place - centre) over a triangle [m^2].
Mat3 second_moment(const Triangles& triangles, std::size_t t, const Vec3& centre) {
    const Vec3 middle = triangles.centroid(t) - centre;
    Mat3 m;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            m(r, c) = 9.0 * middle[r] * middle[c];
            for (int k = 0; k < 3; ++k) m(r, c) += (triangles.at(t, k) - centre)[r] * (triangles.at(t, k) - centre)[c];
            m(r, c) /= 12.0;
        }
    return m;
}

}  // namespace

double solid_angle(const Vec3& point, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 x = a - point, y = b - point, z = c - point;
    const double lx = norm(x), ly = norm(y), lz = norm(z);
    const double volume = dot(x, cross(y, z));
    const double rest = lx * ly * lz + dot(x, y) * lz + dot(y, z) * lx + dot(z, x) * ly;
    return volume == 0.0 ? 0.0 : 2.0 * std::atan2(volume, rest);
}

WindingNumber::WindingNumber(Triangles triangles) : triangles_(std::move(triangles)) {
    const std::size_t n = triangles_.size();
    if (n == 0) return;
    std::vector<std::int32_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<std::int32_t>(i);
    nodes_.reserve(2 * n / static_cast<std::size_t>(kWindingLeaf) + 16);
    build(0, static_cast<std::int32_t>(n), order);
    Triangles sorted;
    sorted.vertices = triangles_.vertices;
    for (const std::int32_t t : order) {
        sorted.corners.push_back(triangles_.corners[static_cast<std::size_t>(t)]);
        if (!triangles_.face.empty()) sorted.face.push_back(triangles_.face[static_cast<std::size_t>(t)]);
    }
    triangles_ = std::move(sorted);
}

void WindingNumber::gather_moments(Node& node, const std::vector<std::int32_t>& order) const {
    double area = 0.0;
    Vec3 plain;
    for (std::int32_t i = node.begin; i < node.end; ++i) {
        const auto t = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
        const Vec3 a = triangles_.area_vector(t);
        node.dipole += a;
        node.centre += norm(a) * triangles_.centroid(t);
        area += norm(a);
        plain += triangles_.centroid(t);
    }
    node.centre = area > 0.0 ? node.centre / area : plain / static_cast<double>(node.end - node.begin);
    for (std::int32_t i = node.begin; i < node.end; ++i) {
        const auto t = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
        const Vec3 arm = triangles_.centroid(t) - node.centre, a = triangles_.area_vector(t);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) node.quadrupole(r, c) += arm[r] * a[c];
        const Mat3 spread = second_moment(triangles_, t, node.centre);
        for (int k = 0; k < 3; ++k)
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) node.octupole[static_cast<std::size_t>(k)](r, c) += spread(r, c) * a[k];
        for (int k = 0; k < 3; ++k) node.radius = std::max(node.radius, norm(triangles_.at(t, k) - node.centre));
    }
}

void WindingNumber::build(std::int32_t begin, std::int32_t end, std::vector<std::int32_t>& order) {
    const std::size_t here = nodes_.size();
    nodes_.emplace_back();
    nodes_[here].begin = begin;
    nodes_[here].end = end;
    gather_moments(nodes_[here], order);
    if (end - begin <= kWindingLeaf) return;
    std::vector<Vec3> centroids;
    for (std::int32_t i = begin; i < end; ++i) centroids.push_back(triangles_.centroid(static_cast<std::size_t>(order[static_cast<std::size_t>(i)])));
    const Vec3 size = box_of(centroids).size();
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const std::int32_t middle = begin + (end - begin) / 2;
    std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end, [&](std::int32_t a, std::int32_t b) {
        const double ca = triangles_.centroid(static_cast<std::size_t>(a))[axis], cb = triangles_.centroid(static_cast<std::size_t>(b))[axis];
        return ca != cb ? ca < cb : a < b;      // ties by number: the tree must not depend on the library's partition
    });
    build(begin, middle, order);
    nodes_[here].right = static_cast<std::int32_t>(nodes_.size());
    build(middle, end, order);
}

double WindingNumber::at(const Vec3& point, std::size_t* work) const {
    if (nodes_.empty()) return 0.0;
    double sum = 0.0;
    std::size_t summed = 0;
    std::int32_t stack[64];     // halving a 32-bit count goes at most 32 deep
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const auto here = static_cast<std::size_t>(stack[--top]);
        const Node& node = nodes_[here];
        const Vec3 d = node.centre - point;
        const double d2 = norm2(d);
        if (d2 > kFar * kFar * node.radius * node.radius) {
            ++summed;
            sum += far_angle(d, d2, node.dipole, node.quadrupole, node.octupole);
        } else if (node.right == 0) {
            summed += static_cast<std::size_t>(node.end - node.begin);
            for (std::int32_t i = node.begin; i < node.end; ++i) {
                const auto t = static_cast<std::size_t>(i);
                sum += solid_angle(point, triangles_.at(t, 0), triangles_.at(t, 1), triangles_.at(t, 2));
            }
        } else {
            stack[top++] = node.right;
            stack[top++] = static_cast<std::int32_t>(here) + 1;
        }
    }
    if (work) *work += summed;
    return sum / kFullAngle;
}

double WindingNumber::exact_at(const Vec3& point) const {
    double angle = 0.0;
    for (std::size_t t = 0; t < triangles_.size(); ++t) angle += solid_angle(point, triangles_.at(t, 0), triangles_.at(t, 1), triangles_.at(t, 2));
    return angle / kFullAngle;
}

}  // namespace limber
