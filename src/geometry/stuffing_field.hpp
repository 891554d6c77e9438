// What isosurface stuffing knows of the shape: the side of every lattice point, and where lattice edges cross the
// boundary.
#pragma once

#include "geometry/bcc_lattice.hpp"
#include "geometry/stuffing.hpp"

#include <vector>

namespace limber {

class StuffingField {
public:
    /// Asks `inside` at every lattice point and along the edges that change side; then moves points that lie too near
    /// to a crossing onto it.
    StuffingField(const BccLattice& lattice, const InsideTest& inside, Progress& progress);

    /// 1 inside, -1 outside, 0 moved onto the boundary.
    int side(std::int32_t id) const { return side_[static_cast<std::size_t>(id)]; }
    /// Where the lattice point is after moving [m].
    Vec3 position(std::int32_t id) const;
    /// The crossing of an edge between an inside and an outside point [m].
    Vec3 crossing(std::int32_t in, std::int32_t out) const;
    /// A number of its own for every crossing, counted from 0; below crossing_numbers().
    std::size_t crossing_number(std::int32_t in, std::int32_t out) const;
    std::size_t crossing_numbers() const { return share_.size(); }

private:
    void find_sides(const InsideTest& inside, Progress& progress);
    void find_crossings(const InsideTest& inside, Progress& progress);
    void warp();
    bool nearest_crossing(std::int32_t id, Vec3& at) const;

    const BccLattice& lattice_;
    std::vector<std::int8_t> side_;
    std::vector<std::int32_t> slot_;         ///< of inside points with an outside neighbour; -1 = none
    std::vector<std::int32_t> edge_points_;  ///< the point of each slot
    std::vector<double> share_;  ///< per slot and direction: the crossing's part of the edge, 0 at the inside point
    std::vector<std::int32_t> moved_;  ///< per lattice point: index into moved_to_, or -1
    std::vector<Vec3> moved_to_;
};

}  // namespace limber
