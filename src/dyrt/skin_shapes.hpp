// What each oscillator does to the skin: displacements, normal corrections [paper: (20), (21)] and rotations, in the
// skin parts' own spaces.
#pragma once

#include "dyrt/part_basis.hpp"

#include <span>

namespace limber {

/// Zero stays zero.
inline Vec3 unit(const Vec3& v) {
    const double length = norm(v);
    return length > 0.0 ? v / length : Vec3{};
}

/// The character's skin in the bind pose, with what the corrections need; made once for all parts.
class SkinGround {
public:
    explicit SkinGround(const Rig& rig);

    const Rig& rig() const { return rig_; }
    std::size_t first_of(std::size_t part) const { return first_[part]; }
    std::size_t part_of(std::size_t vertex) const;
    std::size_t vertex_count() const { return positions_.size(); }
    /// From the bind pose's directions to those of the vertex's own space: displacements, and turning rates.
    Vec3 to_own(std::size_t vertex, const Vec3& displacement) const { return back_[vertex] * displacement; }
    Vec3 turn_to_own(std::size_t vertex, const Vec3& rate) const;
    /// How fast smooth normals turn as vertices move (one velocity per vertex of the skin) [1/s]; `groups` that touch
    /// nothing moved stay 0. Vertices at one place with one normal turn together, so that seams do not crack.
    std::vector<Vec3> turning(std::span<const Vec3> velocity) const;

private:
    const Rig& rig_;
    std::vector<std::size_t> first_;
    std::vector<Vec3> positions_;  ///< all parts, bind pose [m]
    std::vector<std::array<std::int32_t, 3>> triangles_;
    std::vector<std::int32_t> group_;  ///< per vertex: those that share a normal
    std::vector<Mat3> back_;           ///< per vertex: inverse of its skinning matrix in the bind pose
};

/// Fills everything of `out` that is per vertex: shapes, vertices, displacements, corrections, rotations; and scales
/// amplitudes, so that transfer and coriolis are per amplitude afterwards. `out` has flesh, omega, transfer and
/// coriolis.
void put_on_skin(const SkinGround& ground, const PartBasis& basis, const DyrtSettings& settings, DyrtPart& out);

}  // namespace limber
