#include "geometry/embedding.hpp"

#include <limber/error.hpp>

#include "geometry/cell_inverse.hpp"
#include "geometry/cell_topology.hpp"
#include "geometry/shape.hpp"
#include "geometry/validate.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace limber {

namespace {

constexpr std::int32_t kLeafCells = 4;
/// Points this far outside in reference coordinates still count as inside: they are boundary points after rounding.
constexpr double kInsideMargin = -1e-9;

void grow(Vec3& low, Vec3& high, const Vec3& p) {
    for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], p[k]);
        high[k] = std::max(high[k], p[k]);
    }
}

/// Squared distance to a box; 0 inside.
double distance2(const Vec3& low, const Vec3& high, const Vec3& p) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double d = std::max({low[k] - p[k], p[k] - high[k], 0.0});
        sum += d * d;
    }
    return sum;
}

/// The cell's corners, made flat for 2D kinds.
void corners_in_space(const Mesh& mesh, std::size_t cell, Vec3* x) {
    gather_corners(mesh, cell, x);
    if (mesh.dimension() == 2)
        for (int a = 0; a < corners_of(mesh.kind); ++a) x[a].z = 0.0;
}

}  // namespace

PointLocator::PointLocator(const Mesh& mesh) : mesh_(&mesh) {
    std::vector<MeshFinding> findings;
    if (!check_structure(mesh, findings))
        throw Error(Fault::bad_mesh, {}, findings.front().message, "a mesh that can be searched");

    std::vector<Box> boxes(mesh.cell_count());
    for (std::size_t c = 0; c < boxes.size(); ++c) {
        Vec3 x[kMaxCorners];
        corners_in_space(mesh, c, x);
        boxes[c] = {x[0], x[0]};
        for (int a = 1; a < simplex_corners_of(mesh.kind); ++a) grow(boxes[c].low, boxes[c].high, x[a]);
        if (mesh.kind == CellKind::tet10)  // a curved edge bulges beyond its nodes, but never beyond its control point
        {
            for (std::size_t e = 0; e < kTetEdges.size(); ++e)
                grow(boxes[c].low, boxes[c].high, 2.0 * x[4 + e] - 0.5 * (x[kTetEdges[e][0]] + x[kTetEdges[e][1]]));
        }
    }
    order_.resize(boxes.size());
    std::iota(order_.begin(), order_.end(), 0);
    nodes_.reserve(boxes.size());
    build(0, static_cast<std::int32_t>(boxes.size()), boxes);
    size_ = norm(nodes_.front().box.high - nodes_.front().box.low);
}

void PointLocator::build(std::int32_t begin, std::int32_t end, const std::vector<Box>& boxes) {
    const std::size_t self = nodes_.size();
    Node node{boxes[static_cast<std::size_t>(order_[static_cast<std::size_t>(begin)])], begin, end, 0};
    for (std::int32_t i = begin; i < end; ++i) {
        const Box& box = boxes[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])];
        grow(node.box.low, node.box.high, box.low);
        grow(node.box.low, node.box.high, box.high);
    }
    nodes_.push_back(node);
    if (end - begin <= kLeafCells) return;

    const Vec3 extent = node.box.high - node.box.low;
    const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
    const auto centre = [&](std::int32_t c) {
        return 0.5 * boxes[static_cast<std::size_t>(c)].low[axis] + 0.5 * boxes[static_cast<std::size_t>(c)].high[axis];
    };
    const std::int32_t middle = begin + (end - begin) / 2;
    std::nth_element(
        order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
        [&](std::int32_t a, std::int32_t b) { return centre(a) != centre(b) ? centre(a) < centre(b) : a < b; });
    build(begin, middle, boxes);
    nodes_[self].right = static_cast<std::int32_t>(nodes_.size());
    build(middle, end, boxes);
}

void PointLocator::find_inside(const Vec3& point, Location& best) const {
    const double slack = 1e-9 * size_;
    double best_margin = kInsideMargin;
    std::array<std::int32_t, 64> stack{};  // the tree is balanced: depth < 32
    std::size_t top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const std::int32_t at = stack[--top];
        const Node& node = nodes_[static_cast<std::size_t>(at)];
        if (distance2(node.box.low, node.box.high, point) > slack * slack) continue;
        if (node.right > 0) {
            stack[top++] = node.right;
            stack[top++] = at + 1;
            continue;
        }
        for (std::int32_t i = node.begin; i < node.end; ++i) {
            const std::int32_t c = order_[static_cast<std::size_t>(i)];
            Vec3 x[kMaxCorners], xi;
            corners_in_space(*mesh_, static_cast<std::size_t>(c), x);
            if (!invert_cell_map(mesh_->kind, x, point, xi)) continue;
            const double margin = reference_margin(mesh_->kind, xi);
            if (margin < best_margin || (margin == best_margin && best.cell >= 0 && c > best.cell)) continue;
            best_margin = margin;
            best.cell = c;
            best.inside = true;
            best.distance = 0.0;
            best.xi = xi;
        }
    }
}

// True when the box around the corners is farther away than `distance`; a curved cell bulges out of it, so none is left
// out.
bool PointLocator::beyond(const Vec3* x, const Vec3& point, double distance) const {
    if (mesh_->kind == CellKind::tet10) return false;
    Vec3 low = x[0], high = x[0];
    for (int a = 1; a < corners_of(mesh_->kind); ++a) grow(low, high, x[a]);
    return distance2(low, high, point) > distance * distance;
}

void PointLocator::find_nearest(const Vec3& point, Location& best) const {
    best.distance = std::numeric_limits<double>::infinity();
    std::array<std::int32_t, 64> stack{};
    std::size_t top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const std::int32_t at = stack[--top];
        const Node& node = nodes_[static_cast<std::size_t>(at)];
        if (distance2(node.box.low, node.box.high, point) > best.distance * best.distance) continue;
        if (node.right > 0) {  // the nearer child is looked at first
            const Node &left = nodes_[static_cast<std::size_t>(at) + 1],
                       &right = nodes_[static_cast<std::size_t>(node.right)];
            const bool left_first = distance2(left.box.low, left.box.high, point) <=
                                    distance2(right.box.low, right.box.high, point);
            stack[top++] = left_first ? node.right : at + 1;
            stack[top++] = left_first ? at + 1 : node.right;
            continue;
        }
        for (std::int32_t i = node.begin; i < node.end; ++i) {
            const std::int32_t c = order_[static_cast<std::size_t>(i)];
            Vec3 x[kMaxCorners];
            corners_in_space(*mesh_, static_cast<std::size_t>(c), x);
            if (beyond(x, point, best.distance)) continue;
            const ClosestPoint near = closest_on_boundary(mesh_->kind, x, point);
            if (near.distance > best.distance || (near.distance == best.distance && best.cell >= 0 && c > best.cell))
                continue;
            best.cell = c;
            best.distance = near.distance;
            best.xi = near.xi;
        }
    }
}

Location PointLocator::locate(const Vec3& query) const {
    Vec3 point = query;
    if (mesh_->dimension() == 2) point.z = 0.0;
    Location best;
    // Beyond 1e150 squares overflow; such points have no useful neighbour either.
    for (int k = 0; k < 3; ++k) {
        if (!(std::abs(point[k]) <= 1e150)) {
            best.distance = std::numeric_limits<double>::infinity();
            return best;
        }
    }
    find_inside(point, best);
    if (best.cell < 0) find_nearest(point, best);
    if (best.cell >= 0) shape_values(mesh_->kind, best.xi, best.weights.data());
    return best;
}

Vec3 interpolate(const Mesh& mesh, const Location& at, std::span<const Vec3> field) {
    Vec3 value;
    if (at.cell < 0) return value;
    const std::int32_t* corner = mesh.cell(static_cast<std::size_t>(at.cell));
    for (int a = 0; a < corners_of(mesh.kind); ++a)
        value += at.weights[static_cast<std::size_t>(a)] * field[static_cast<std::size_t>(corner[a])];
    return value;
}

}  // namespace limber
