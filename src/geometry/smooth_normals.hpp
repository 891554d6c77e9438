// Smooth normals of a moving surface. Vertices at the same place count as one, so that seams of texture coordinates do
// not crack; hard edges stay hard.
#pragma once

#include <limber/mesh.hpp>

#include <span>
#include <vector>

namespace limber {

inline constexpr double kCreaseDegrees = 60.0;

/// Which face corners share a normal is decided once, on the rest shape.
class SmoothNormals {
public:
    /// Neighbouring faces share normals along an edge when their rest normals are less than `crease_degrees` apart.
    /// `split`: empty, or one number per face corner: corners at one place with equal numbers share a normal, whatever
    /// the angle (normals that a file splits itself); -1 leaves the corner to the angle.
    explicit SmoothNormals(const Surface& rest, double crease_degrees = kCreaseDegrees,
                           std::span<const std::int32_t> split = {});

    std::size_t count() const { return starts_.size() - 1; }
    /// Per face corner: which normal it has.
    const std::vector<std::int32_t>& of_corner() const { return of_corner_; }
    /// Unit normals of the moved surface, count() of them. Takes no memory. Where faces have no area: (0, 0, 1).
    void compute(std::span<const Vec3> positions, std::span<Vec3> normals) const noexcept;

private:
    struct Corner {
        std::int32_t vertex, previous, next;
        std::int32_t begin, end;  ///< of the face, in faces_; begin == end for triangles and large polygons
        bool inward;              ///< of large polygons: whether the corner is a concave one, at rest
    };
    Vec3 corner_normal(const Corner& c, std::span<const Vec3> positions) const noexcept;

    std::vector<std::int32_t> faces_;  ///< of the surface
    std::vector<std::int32_t> of_corner_;
    std::vector<std::int32_t> starts_{0};  ///< corners_[starts_[n] .. starts_[n + 1]) share normal n
    std::vector<Corner> corners_;
};

/// `normal` turned by the least rotation that takes `from` to `to` (unit vectors). Equal ones leave it as it is, to the
/// bit.
Vec3 turned_along(const Vec3& normal, const Vec3& from, const Vec3& to);

}  // namespace limber
