// The body-centred cubic lattice: two cubic grids of points, each in the middle of the other's cubes.
#pragma once

#include "geometry/triangles.hpp"

#include <array>
#include <cstdint>

namespace limber {

/// Points have coordinates in half cells, all even ("red") or all odd ("black"). Neighbours: six of the same colour one
/// cell away (long edges), eight of the other colour (short edges).
class BccLattice {
public:
    static constexpr int kDirections = 14;
    static constexpr int kLong = 6;  ///< directions below this are along long edges

    /// Covers the box with a margin of at least one cell on every side. Throws Error{bad_usage} beyond 2^27 points.
    BccLattice(const Box3& box, double cell_size);

    using Half = std::array<std::int32_t, 3>;  ///< a point in half cells

    std::int32_t size() const { return red_count_ + black_count_; }
    std::int32_t red_count() const { return red_count_; }
    Half half(std::int32_t id) const;
    /// -1 outside the lattice.
    std::int32_t id(const Half& half) const;
    Vec3 position(std::int32_t id) const;
    /// -1 outside the lattice.
    std::int32_t neighbour(std::int32_t id, int direction) const;
    double length(int direction) const { return direction < kLong ? cell_size_ : 0.8660254037844386 * cell_size_; }
    static int opposite(int direction) { return direction < kLong ? direction ^ 1 : kLong + (7 - (direction - kLong)); }
    /// The direction from one point to a neighbour.
    static int direction(const Half& from, const Half& to);
    bool is_long(std::int32_t a, std::int32_t b) const { return (a < red_count_) == (b < red_count_); }

private:
    double cell_size_;
    Vec3 low_;
    std::array<std::int32_t, 3> cells_{};
    std::int32_t red_count_ = 0, black_count_ = 0;
};

}  // namespace limber
