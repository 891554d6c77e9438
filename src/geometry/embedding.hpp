// Finding points in a mesh: which cell, and with which shape-function weights.
#pragma once

#include <limber/mesh.hpp>

#include <array>
#include <span>
#include <vector>

namespace limber {

/// A point tied to a cell: sum of weights[a] * x[cell corner a] is the point itself (inside) or the nearest point of
/// the mesh (outside). cell = -1 and zero weights only for points that are not numbers.
struct Location {
    std::int32_t cell = -1;
    bool inside = false;
    double distance = 0.0;             ///< to the mesh; 0 inside [m]
    Vec3 xi;                           ///< reference coordinates (shape.hpp)
    std::array<double, 10> weights{};  ///< corners_of(kind) of them; they sum to 1
};

/// A box tree over a mesh's cells. The mesh must outlive it and keep its vertices; const calls may run on any threads.
class PointLocator {
public:
    /// Throws bad_mesh if the mesh is empty or has indices or coordinates that cannot be followed; inverted or flat
    /// cells are tolerated but may not be found (validate() names them).
    explicit PointLocator(const Mesh& mesh);

    /// On a face shared by several cells: the one with the point deepest inside, then the lowest number. 2D meshes
    /// ignore z.
    Location locate(const Vec3& point) const;

private:
    struct Box {
        Vec3 low, high;
    };
    struct Node {
        Box box;
        std::int32_t begin = 0, end = 0;  ///< of order_
        std::int32_t right = 0;           ///< the left child is the next node; 0 = leaf
    };
    void build(std::int32_t begin, std::int32_t end, const std::vector<Box>& boxes);
    void find_inside(const Vec3& point, Location& best) const;
    bool beyond(const Vec3* x, const Vec3& point, double distance) const;
    void find_nearest(const Vec3& point, Location& best) const;

    const Mesh* mesh_;
    double size_ = 0.0;  ///< diagonal of the whole mesh [m]
    std::vector<std::int32_t> order_;
    std::vector<Node> nodes_;
};

/// The field's value at a location; `field` has one entry per mesh vertex. Zero when cell = -1.
Vec3 interpolate(const Mesh& mesh, const Location& at, std::span<const Vec3> field);

}  // namespace limber
