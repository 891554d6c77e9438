// A solid from any surface: tetrahedra that fill it, however dirty it is.
#pragma once

#include <limber/mesh.hpp>
#include <limber/progress.hpp>

#include <array>
#include <span>
#include <string>
#include <vector>

namespace limber {

struct NamedSurface {
    std::string name;  ///< becomes a cell set; may be empty when there is only one
    Surface surface;   ///< [m]
};

struct SolidSettings {
    int cells = 20000;           ///< about how many; ignored when cell_size is given
    double cell_size = 0.0;      ///< lattice spacing [m]; 0 = from `cells`
    double least_island = 1e-3;  ///< loose parts below this share of the volume are left out, and reported
};

/// Something a person should know about the solid.
struct SolidFinding {
    enum class Kind { repaired, thin, island, torn, loose_parts, open };
    Kind kind;
    std::string message;  ///< one line in plain words, with numbers
};

struct Solid {
    Mesh mesh;                                         ///< tet4; vertex set "surface", cell sets by name
    double cell_size = 0.0;                            ///< [m]
    double volume = 0.0;                               ///< [m^3]
    double smallest_angle = 0.0, largest_angle = 0.0;  ///< dihedral [degrees]
    std::array<std::size_t, 18> angle_histogram{};     ///< cells by their smallest angle, ten degrees each
    std::size_t parts = 0;                             ///< that share no face
    std::vector<SolidFinding> findings;
};

/// Surfaces are cleaned and oriented first; inside is where any of them winds around more than half. Where several
/// overlap, a cell belongs to the last surface that holds its centre. Throws Error{bad_mesh} when nothing is inside,
/// Error{interrupted}.
Solid make_solid(std::span<const NamedSurface> surfaces, const SolidSettings& settings, Progress& progress);

struct CageSettings {
    int cells_across = 10;           ///< cubes along the longest side, 1 to 512
    CellKind kind = CellKind::hex8;  ///< or tet4: six to a cube
};
/// A coarse cage around the surfaces: every cube of a lattice that a face touches or whose middle is inside. Holds each
/// vertex of each surface; vertex set "surface", cell sets by name. Throws Error{bad_usage}, Error{bad_mesh},
/// Error{interrupted}.
Mesh make_cage(std::span<const NamedSurface> surfaces, const CageSettings& settings, Progress& progress);

}  // namespace limber
