// FreeResponse: how a free elastic body answers tractions on its boundary. The reference that every contact and support
// is added to.
//
// The traction problem H u = G t + B f is singular: rigid motions have no traction. Bordered by them it is not,
//     [ H   R ] [ u ]   [ G t + B f ]
//     [ R^T 0 ] [ a ] = [    0      ]      (R: rigid motions, orthonormal over the nodes; a: 0 but for discretisation)
// and a traction that does not balance is balanced by inertia, -rho (a + alpha x r) as a body force ("inertia relief").
// So one column per node and axis says everything: the displacement, without rigid motion, that a unit traction on that
// node causes in the body that flies off under it. Once supports and loads balance, all those inertias cancel; the same
// columns serve bodies that are held.
//
// "Node traction": the same traction on all slots of the node, or per axis on some of them (a support pulls on its own
// side of a corner only). Its force acts in the middle of its hat functions (`arm`), which at an edge is a third of a
// facet away from the node: with the node in its place the torque that inertia balances would not be that of the
// tractions, and a clamped beam of few facets half as stiff again and askew.
#pragma once

#include "bem/boundary_system.hpp"

#include <cstdint>
#include <limber/bytes.hpp>

namespace limber {

/// Area (volume), centroid and second moments about it of what a boundary encloses, exactly.
struct Enclosed {
    double measure = 0.0;  ///< [m^2, m^3]
    Vec3 centroid;         ///< [m]
    Mat3 second;           ///< integral of r r^T [m^4, m^5]

    /// Moment of inertia for density 1; in the plane only its zz counts.
    Mat3 inertia() const;
};
Enclosed enclosed_by(const BoundaryShape& shape);

class FreeResponse {
public:
    /// Uses up the matrices of `system` (they are most of the memory). Throws Error{interrupted}; Error{bad_mesh} for a
    /// boundary that cannot be solved. `on`: per slot and axis, whether the node's traction acts there; empty =
    /// everywhere. A node and axis without any acts everywhere.
    FreeResponse(BoundarySystem system, Progress& progress, const std::vector<char>& on = {});
    explicit FreeResponse(ByteReader& in);
    /// For bodies that will be held: each column also moves the body as a whole, as if soft springs held it. Once
    /// forces balance that changes nothing, but with it even displacements of all nodes belong to some tractions;
    /// without it only those without rigid motion would.
    void hold_by_springs(double shear);
    /// Where the points are and what they enclose, without any response: for bodies whose shape comes from elsewhere
    /// (column() must not be called).
    explicit FreeResponse(const BoundaryShape& shape);
    void save(ByteWriter& out) const;

    int dimension() const { return dimension_; }
    std::size_t nodes() const { return position_.size(); }
    std::size_t size() const { return static_cast<std::size_t>(dimension_) * nodes(); }
    int rigid_count() const { return dimension_ == 2 ? 3 : 6; }
    const Enclosed& enclosed() const { return enclosed_; }
    const Vec3& position(std::size_t node) const { return position_[node]; }
    /// Force of a unit traction on the node along an axis [m, m^2].
    double weight(std::size_t node, int axis) const {
        return weight_[static_cast<std::size_t>(dimension_) * node + static_cast<std::size_t>(axis)];
    }
    /// Force of a unit traction along a direction, along that direction.
    double weight(std::size_t node, const Vec3& direction) const {
        double sum = 0.0;
        for (int c = 0; c < dimension_; ++c) sum += direction[c] * direction[c] * weight(node, c);
        return sum;
    }
    /// Force of a traction vector.
    Vec3 force(std::size_t node, const Vec3& traction) const {
        Vec3 f;
        for (int c = 0; c < dimension_; ++c) f[c] = traction[c] * weight(node, c);
        return f;
    }
    /// Where the force of a traction along an axis acts, from the centroid [m].
    const Vec3& arm(std::size_t node, int axis) const {
        return arm_[static_cast<std::size_t>(dimension_) * node + static_cast<std::size_t>(axis)];
    }
    /// Work of a traction vector on rigid motion k: force, then torque about the centroid.
    double work(std::size_t node, const Vec3& traction, int k) const;
    /// Torque of a traction vector about the centroid.
    Vec3 torque(std::size_t node, const Vec3& traction) const;
    /// Displacement of all nodes for a unit traction on one node along one axis [m/Pa].
    const double* column(std::size_t node, int axis) const {
        return compliance_.column(static_cast<std::size_t>(dimension_) * node + static_cast<std::size_t>(axis));
    }
    /// Displacement of `node` along `axis_u` for a unit traction on `other` along `axis_t` [m/Pa].
    double entry(std::size_t node, int axis_u, std::size_t other, int axis_t) const {
        return column(other, axis_t)[static_cast<std::size_t>(dimension_) * node + static_cast<std::size_t>(axis_u)];
    }
    /// Displacement of all nodes for a body force x -> L (x - centroid), entry k (row by row) of L being 1,
    /// inertia-relieved [m per N/m^4].
    const double* stretch_column(std::size_t k) const { return stretch_.column(k); }
    /// Rigid motion k (translations, then rotations about the centroid) at a node: unit length, unit angle.
    Vec3 rigid_motion(std::size_t node, int k) const;
    double condition() const { return condition_; }  ///< of the bordered system
    std::uint64_t id() const {
        return id_;
    }  ///< of this response and its copies in this process, never 0: tells what was made from it from what was not
    std::size_t bytes() const { return (compliance_.values.size() + stretch_.values.size()) * sizeof(double); }

private:
    int dimension_ = 2;
    std::vector<Vec3> position_;
    std::vector<double> weight_;
    std::vector<Vec3> arm_;
    Enclosed enclosed_;
    DenseMatrix compliance_, stretch_;
    double condition_ = 0.0;
    std::uint64_t id_ = next_id();
    static std::uint64_t next_id() noexcept;
};

}  // namespace limber
