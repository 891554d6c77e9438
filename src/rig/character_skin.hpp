// All the skin of a rig as one surface in the bind pose, and what is inside of it.
#pragma once

#include "geometry/solid_shape.hpp"
#include "geometry/triangle_tree.hpp"

#include <limber/tools/rig.hpp>

#include <memory>

namespace limber {

/// Of a point in a triangle: sum to 1, none below 0.
std::array<double, 3> weights_in_triangle(const Vec3& point, const Vec3& a, const Vec3& b, const Vec3& c);

class CharacterSkin {
public:
    /// Throws Error{bad_usage} for a rig without skin or with skin that hangs on no joint, Error{bad_mesh},
    /// Error{interrupted}.
    CharacterSkin(const Rig& rig, const Pose& bind, Progress& progress);
    CharacterSkin(const CharacterSkin&) = delete;
    CharacterSkin& operator=(const CharacterSkin&) = delete;

    const std::vector<Vec3>& vertices() const {
        return triangles_.vertices;
    }  ///< of all parts, one part after the other [m]
    std::size_t first_of(std::size_t part) const { return first_[part]; }
    /// Into Rig::joints; rigid parts follow one joint.
    const Influences& influences(std::size_t vertex) const { return influences_[vertex]; }

    /// A point of the skin: the corners of a triangle and their weights, which sum to 1.
    struct Point {
        std::array<std::int32_t, 3> vertex{};
        std::array<double, 3> weight{};
        double distance = 0.0;  ///< [m]
    };
    Point nearest(const Vec3& point) const;
    double distance(const Vec3& point) const { return tree_->nearest(point).distance; }

    const Triangles& triangles() const { return triangles_; }
    /// How far it is from a point inside along `direction` (of length 1) until the character ends, through surfaces
    /// that lie within it; 0 from outside [m].
    double way_out(const Vec3& point, const Vec3& direction) const;

    bool inside(const Vec3& point) const { return shape_.inside(point); }
    const Box3& box() const { return shape_.box; }

private:
    Triangles triangles_;
    std::vector<std::size_t> first_;
    std::vector<Influences> influences_;
    SolidShape shape_;
    std::unique_ptr<TriangleTree> tree_;
};

}  // namespace limber
