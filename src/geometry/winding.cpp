#include "geometry/winding.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace limber {
namespace {

constexpr double kFar = 2.0;              // radii; error below
constexpr std::int32_t kWindingLeaf = 8;  // triangles
constexpr double kFullAngle = 4.0 * std::numbers::pi;

double trace(const Mat3& m) { return m(0, 0) + m(1, 1) + m(2, 2); }

/// 4 pi times the winding number of a cluster seen from d away (centre minus point): the field F = d / |d|^3 of a point
/// source, expanded about the centre and integrated over the normals.
///   dF_k/dx_i = (delta_ik - 3 d_i d_k / d^2) / d^3,   d2F_k/dx_i dx_j = (15 d_i d_j d_k / d^2 - 3 (delta_ij d_k +
///   delta_ik d_j + delta_jk d_i)) / d^5
double far_angle(const Vec3& d, double d2, const Vec3& dipole, const Mat3& quadrupole,
                 const std::array<Mat3, 3>& octupole) {
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

/// Mean of (point - centre) outer (point - centre) over a triangle [m^2].
Mat3 second_moment(const Triangles& triangles, std::size_t t, const Vec3& centre) {
    const Vec3 middle = triangles.centroid(t) - centre;
    Mat3 m;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            m(r, c) = 9.0 * middle[r] * middle[c];
            for (int k = 0; k < 3; ++k) m(r, c) += (triangles.at(t, k) - centre)[r] * (triangles.at(t, k) - centre)[c];
            m(r, c) /= 12.0;
        }
    }
    return m;
}

/// Along which the middles of some triangles are spread most.
int longest_axis(std::span<const std::int32_t> triangles, const std::vector<Vec3>& centroids) {
    Vec3 low = centroids[static_cast<std::size_t>(triangles[0])], high = low;
    for (const std::int32_t t : triangles) {
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], centroids[static_cast<std::size_t>(t)][k]);
            high[k] = std::max(high[k], centroids[static_cast<std::size_t>(t)][k]);
        }
    }
    const Vec3 size = high - low;
    return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

}  // namespace

double solid_angle(const Vec3& point, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 x = a - point, y = b - point, z = c - point;
    const double lx = norm(x), ly = norm(y), lz = norm(z);
    const double volume = dot(x, cross(y, z));
    const double rest = lx * ly * lz + dot(x, y) * lz + dot(y, z) * lx + dot(z, x) * ly;
    return volume == 0.0 ? 0.0 : 2.0 * std::atan2(volume, rest);
}

/// A sum of many angles atan2(volume, rest). Small ones are joined as a product of complex numbers 1 + i tan, whose
/// argument is their sum as long as it stays below pi: one arc tangent for hundreds of them.
class WindingNumber::AngleSum {
public:
    void add(double volume, double rest, double tangent) {
        const double size = std::abs(tangent);
        if (!(rest > 0.0 && size < 1.0)) {
            if (volume != 0.0) sum_ += std::atan2(volume, rest);
            return;
        }
        const double re = re_ - im_ * tangent;
        im_ += re_ * tangent;
        re_ = re;
        reach_ += size;  // an angle is never larger than its tangent
        if (reach_ > 2.0) flush();
    }
    void add(double angle) { sum_ += angle; }
    double total() {
        flush();
        return sum_;
    }

private:
    void flush() {
        sum_ += std::atan2(im_, re_);
        re_ = 1.0;
        im_ = 0.0;
        reach_ = 0.0;
    }

    double sum_ = 0.0, re_ = 1.0, im_ = 0.0, reach_ = 0.0;
};

WindingNumber::WindingNumber(Triangles triangles) : triangles_(std::move(triangles)) {
    const std::size_t n = triangles_.size();
    if (n == 0) return;
    std::vector<std::int32_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<std::int32_t>(i);
    nodes_.reserve(2 * n / static_cast<std::size_t>(kWindingLeaf) + 16);
    std::vector<Vec3> centroids(n);
    for (std::size_t t = 0; t < n; ++t) centroids[t] = triangles_.centroid(t);
    build(0, static_cast<std::int32_t>(n), order, centroids);
    Triangles sorted;
    sorted.vertices = triangles_.vertices;
    for (const std::int32_t t : order) {
        sorted.corners.push_back(triangles_.corners[static_cast<std::size_t>(t)]);
        if (!triangles_.face.empty()) sorted.face.push_back(triangles_.face[static_cast<std::size_t>(t)]);
    }
    triangles_ = std::move(sorted);
    lay_out_corners();
}

void WindingNumber::lay_out_corners() {
    for (int k = 0; k < 3; ++k) {
        for (int axis = 0; axis < 3; ++axis) {
            std::vector<double>& out = corner_[3 * static_cast<std::size_t>(k) + static_cast<std::size_t>(axis)];
            out.resize(triangles_.size());
            for (std::size_t t = 0; t < out.size(); ++t) out[t] = triangles_.at(t, k)[axis];
        }
    }
}

void WindingNumber::gather_moments(Node& node, const std::vector<std::int32_t>& order) const {
    Vec3 plain;
    for (std::int32_t i = node.begin; i < node.end; ++i) {
        const auto t = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
        const Vec3 a = triangles_.area_vector(t);
        node.dipole += a;
        node.centre += norm(a) * triangles_.centroid(t);
        node.area += norm(a);
        plain += triangles_.centroid(t);
    }
    node.centre = node.area > 0.0 ? node.centre / node.area : plain / static_cast<double>(node.end - node.begin);
    for (std::int32_t i = node.begin; i < node.end; ++i) {
        const auto t = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
        const Vec3 arm = triangles_.centroid(t) - node.centre, a = triangles_.area_vector(t);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) node.quadrupole(r, c) += arm[r] * a[c];
        const Mat3 spread = second_moment(triangles_, t, node.centre);
        for (int k = 0; k < 3; ++k) {
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) node.octupole[static_cast<std::size_t>(k)](r, c) += spread(r, c) * a[k];
        }
    }
    set_radius(node, order);
}

void WindingNumber::set_radius(Node& node, const std::vector<std::int32_t>& order) const {
    double most = 0.0;
    for (std::int32_t i = node.begin; i < node.end; ++i) {
        for (int k = 0; k < 3; ++k) {
            most = std::max(most, norm2(triangles_.at(static_cast<std::size_t>(order[static_cast<std::size_t>(i)]), k) -
                                        node.centre));
        }
    }
    node.radius = std::sqrt(most);
}

/// Moments about the centres of the halves, moved to the centre of both. With arm = y + shift:
///   arm_r a_c = y_r a_c + shift_r a_c,   arm_r arm_c a_k = y_r y_c a_k + shift_r y_c a_k + y_r shift_c a_k + shift_r
///   shift_c a_k
void WindingNumber::join_moments(Node& node, const Node& left, const Node& right,
                                 const std::vector<std::int32_t>& order) const {
    node.area = left.area + right.area;
    const double share = node.area > 0.0 ? left.area / node.area : 0.5;
    node.centre = share * left.centre + (1.0 - share) * right.centre;
    for (const Node* half : {&left, &right}) {
        const Vec3 shift = half->centre - node.centre;
        node.dipole += half->dipole;
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                node.quadrupole(r, c) += half->quadrupole(r, c) + shift[r] * half->dipole[c];
                for (int k = 0; k < 3; ++k) {
                    const double moved = shift[r] * half->quadrupole(c, k) + half->quadrupole(r, k) * shift[c] +
                                         shift[r] * shift[c] * half->dipole[k];
                    node.octupole[static_cast<std::size_t>(k)](
                        r, c) += half->octupole[static_cast<std::size_t>(k)](r, c) + moved;
                }
            }
        }
    }
    set_radius(node, order);
}

void WindingNumber::build(std::int32_t begin, std::int32_t end, std::vector<std::int32_t>& order,
                          const std::vector<Vec3>& centroids) {
    const std::size_t here = nodes_.size();
    nodes_.emplace_back();
    nodes_[here].begin = begin;
    nodes_[here].end = end;
    if (end - begin <= kWindingLeaf) return gather_moments(nodes_[here], order);
    const int axis = longest_axis(
        std::span(order).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)), centroids);
    const std::int32_t middle = begin + (end - begin) / 2;
    std::nth_element(
        order.begin() + begin, order.begin() + middle, order.begin() + end, [&](std::int32_t a, std::int32_t b) {
            const double ca = centroids[static_cast<std::size_t>(a)][axis],
                         cb = centroids[static_cast<std::size_t>(b)][axis];
            return ca != cb ? ca < cb : a < b;  // ties by number: the tree must not depend on the library's partition
        });
    build(begin, middle, order, centroids);
    nodes_[here].right = static_cast<std::int32_t>(nodes_.size());
    build(middle, end, order, centroids);
    join_moments(nodes_[here], nodes_[here + 1], nodes_[static_cast<std::size_t>(nodes_[here].right)], order);
}

// Twice the angles of solid_angle(), in loops that compilers turn into vectors.
void WindingNumber::add_leaf(const Node& leaf, const Vec3& point, AngleSum& sum) const {
    double volume[kWindingLeaf], rest[kWindingLeaf], tangent[kWindingLeaf];
    const auto first = static_cast<std::size_t>(leaf.begin), count = static_cast<std::size_t>(leaf.end - leaf.begin);
    const double* const c[9] = {&corner_[0][first], &corner_[1][first], &corner_[2][first],
                                &corner_[3][first], &corner_[4][first], &corner_[5][first],
                                &corner_[6][first], &corner_[7][first], &corner_[8][first]};
    for (std::size_t i = 0; i < count; ++i) {
        const double ax = c[0][i] - point.x, ay = c[1][i] - point.y, az = c[2][i] - point.z;
        const double bx = c[3][i] - point.x, by = c[4][i] - point.y, bz = c[5][i] - point.z;
        const double cx = c[6][i] - point.x, cy = c[7][i] - point.y, cz = c[8][i] - point.z;
        const double la = std::sqrt(ax * ax + ay * ay + az * az), lb = std::sqrt(bx * bx + by * by + bz * bz),
                     lc = std::sqrt(cx * cx + cy * cy + cz * cz);
        volume[i] = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
        rest[i] = la * lb * lc + (ax * bx + ay * by + az * bz) * lc + (bx * cx + by * cy + bz * cz) * la +
                  (cx * ax + cy * ay + cz * az) * lb;
        tangent[i] = volume[i] / rest[i];
    }
    for (std::size_t i = 0; i < count; ++i) sum.add(volume[i], rest[i], tangent[i]);
}

double WindingNumber::at(const Vec3& point, std::size_t* work) const {
    if (nodes_.empty()) return 0.0;
    AngleSum halves;
    std::size_t summed = 0;
    std::int32_t stack[64];  // halving a 32-bit count goes at most 32 deep
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const auto here = static_cast<std::size_t>(stack[--top]);
        const Node& node = nodes_[here];
        const Vec3 d = node.centre - point;
        const double d2 = norm2(d);
        if (d2 > kFar * kFar * node.radius * node.radius) {
            ++summed;
            halves.add(0.5 * far_angle(d, d2, node.dipole, node.quadrupole, node.octupole));
        } else if (node.right == 0) {
            summed += static_cast<std::size_t>(node.end - node.begin);
            add_leaf(node, point, halves);
        } else {
            stack[top++] = node.right;
            stack[top++] = static_cast<std::int32_t>(here) + 1;
        }
    }
    if (work) *work += summed;
    return 2.0 * halves.total() / kFullAngle;
}

double WindingNumber::exact_at(const Vec3& point) const {
    double angle = 0.0;
    for (std::size_t t = 0; t < triangles_.size(); ++t)
        angle += solid_angle(point, triangles_.at(t, 0), triangles_.at(t, 1), triangles_.at(t, 2));
    return angle / kFullAngle;
}

}  // namespace limber
