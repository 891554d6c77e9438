// The character around one region filled with cells, and to whom each cell belongs.
#pragma once

#include "rig/flesh_bones.hpp"
#include "rig/flesh_cells.hpp"

namespace limber {

/// What all regions of a character share.
struct FleshGround {
    const Rig& rig;
    const FleshSettings& settings;
    Pose bind;
    CharacterSkin skin;
    std::vector<FleshBone> bones;
    std::vector<std::string> names;            ///< of the regions
    std::vector<std::vector<double>> freedom;  ///< per region: one per vertex of `skin`
    bool draft = false;                        ///< as few cells as make flesh (flesh_draft.hpp)

    /// A trial with few cells stands for a solid of this many, whose cells are smaller; 0 = it is meant as it is.
    double meant_cells = 0.0;

    FleshGround(const Rig& rig, std::span<const Region> regions, const FleshSettings& settings, Progress& progress);
    /// Other regions instead, on the same skin and bones.
    void set_regions(std::span<const Region> regions);
    /// The size of the cells that are meant, where `count` cells have `size` [m].
    double meant_size(double size, double count) const;
    /// The region that a point belongs to: the first of those that are as free there as the freest, to 0.05.
    static std::size_t owner(std::span<const double> freedoms);
    /// Throws Error about a region.
    [[noreturn]] void refuse(std::size_t region, const std::string& found, const std::string& expected) const;
};

struct FleshCells {
    Mesh mesh;               ///< flesh, bones and rest near the region
    double cell_size = 0.0;  ///< [m]
    std::vector<std::array<std::int32_t, 4>> neighbours;
    std::vector<CharacterSkin::Point> skin_point;  ///< per vertex: the nearest one
    std::vector<char> on_skin;                     ///< per vertex: whether it lies there
    std::vector<double> freedom;                   ///< per vertex
    CellLabels label;
    std::size_t pieces = 0, dropped = 0;
    double lost = 0.0;  ///< share of the region's volume that went to other regions

    double pinched = 0.0;  ///< share of its cells that hung by an edge or a vertex only, now of the rest

    bool is_flesh(std::int32_t cell) const { return cell >= 0 && label[static_cast<std::size_t>(cell)] == kFlesh; }
    std::size_t flesh_count() const;
    std::array<Vec3, 4> corners(std::size_t cell) const;
};

/// With the cell size that gives about as many cells as are wanted. At least one cell is flesh.
FleshCells fill_region(const FleshGround& ground, std::size_t region, Progress& progress);

/// The whole part of one region. Throws what make_flesh throws.
FleshPart make_part(const FleshGround& ground, std::size_t region, Progress& progress);

}  // namespace limber
