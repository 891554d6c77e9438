// The parts of validate(): each check appends what it finds.
#pragma once

#include <limber/mesh.hpp>

namespace limber {

using Findings = std::vector<MeshFinding>;

/// Counts one cause while remembering where it was met first.
struct Tally {
    std::size_t count = 0;
    std::size_t first = 0;
    void add(std::size_t index) {
        if (count == 0) first = index;
        ++count;
    }
};

/// Appends a finding; does nothing when the tally is empty.
void report(Findings& out, MeshFinding::Kind kind, MeshFinding::Severity severity, const Tally& tally,
            std::string message);

// Safe on anything at all.
bool check_structure(const Mesh& mesh, Findings& out);  ///< false: stop here, indices cannot be followed
void check_sets(Mesh& mesh, Findings& out);             ///< sorts unsorted sets

// Need every index in range.
void check_repeated_corners(const Mesh& mesh, Findings& out);
void check_duplicate_cells(const Mesh& mesh, Findings& out);
void check_unused_vertices(const Mesh& mesh, Findings& out);
void check_parts(const Mesh& mesh, Findings& out);

// Need finite coordinates too.
void check_planar(const Mesh& mesh, Findings& out);
void check_cell_shapes(Mesh& mesh, Findings& out);  ///< rewinds inverted cells

/// Mirrors a cell by renumbering: changes the sign of its Jacobian everywhere.
void rewind_cell(CellKind kind, std::int32_t* corner);

}  // namespace limber
