// A body in space by two plane sections [Watanabe et al., section 5]: one through the mean contact point and the
// centroid, the other perpendicular to it, both holding the line between these two points. What the boundaries of the
// sections do is carried to every vertex by (18).
#pragma once

#include "bem/boundary_shape.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace limber {

/// Right-handed axes at the centroid. `up` points from the contact to the centroid; the first section is spanned by
/// `side` and `up`, the second by `out` and `up`.
struct SectionAxes {
    Vec3 origin;  ///< [m]
    Vec3 side{1, 0, 0}, up{0, 1, 0}, out{0, 0, 1};

    /// Along side, up, out.
    Vec3 local(const Vec3& point) const {
        return {dot(point - origin, side), dot(point - origin, up), dot(point - origin, out)};
    }
    Vec3 world(const Vec3& v) const { return v.x * side + v.y * up + v.z * out; }  ///< of a vector
};

struct SectionSettings {
    int nodes = 64;                ///< around each section
    double corner_degrees = 25.0;  ///< corners sharper than this stay nodes
    double alpha = 1.5;            ///< of (18): small = both sides alike, large = the nearer side alone
};

/// The axes for contacts of a surface with this centroid. Of the planes through the contacts' mean and the centroid
/// the two that follow the body's own axes are looked at; the first section is the one with more contact points on it
/// (within `reach` [m]), of equals the one along which they spread more. Without contacts, or with their mean at the
/// centroid, up is `fallback`.
SectionAxes section_axes(const BoundaryShape& surface, const Vec3& centroid, std::span<const Vec3> contacts,
                         double reach, const Vec3& fallback);

/// The outer loop of a plane cut, in the plane's own coordinates (x along side or out, y along up), counter-clockwise,
/// node 0 lowest on the axis when there is no corner. Throws Error{unsupported} when the plane misses the surface or
/// less than three nodes are asked for.
BoundaryShape cut_section(const BoundaryShape& surface, const SectionAxes& axes, bool second,
                          const SectionSettings& settings);

class CrossSections {
public:
    /// `vertices`: those that displacements() moves [m].
    CrossSections(const BoundaryShape& surface, const SectionAxes& axes, std::span<const Vec3> vertices,
                  const SectionSettings& settings);

    const SectionAxes& axes() const { return axes_; }
    const BoundaryShape& first() const { return sections_[0]; }
    const BoundaryShape& second() const { return sections_[1]; }

    /// `u_first`, `u_second`: two numbers per node of each section, in its own coordinates [m]. `out`: one per vertex,
    /// world axes. Along `side` from the first section, along `out` from the second, along `up` from both: each alone
    /// for vertices in its own plane. No allocation.
    void displacements(std::span<const double> u_first, std::span<const double> u_second,
                       std::span<Vec3> out) const noexcept;

private:
    /// A weighted sum of four entries of a section's displacement: two nodes on either side of a line through the
    /// vertex.
    struct Pull {
        std::array<std::int32_t, 4> entry{};
        std::array<double, 4> weight{};
        double of(std::span<const double> u) const noexcept;
    };
    struct Row {
        Pull side, up_first, out, up_second;
        double first_share = 0.5;  ///< of up
    };
    static Pull pull(const BoundaryShape& section, const Vec3& at, int axis, double alpha);

    SectionAxes axes_;
    std::array<BoundaryShape, 2> sections_;
    std::vector<Row> rows_;
};

}  // namespace limber
