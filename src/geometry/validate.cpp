// validate(): cheap and safe checks first, so that later ones may follow every index.
#include "geometry/validate.hpp"

#include "core/text.hpp"
#include "geometry/cell_topology.hpp"
#include "geometry/generate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

using Kind = MeshFinding::Kind;
using Severity = MeshFinding::Severity;

const char* to_string(MeshFinding::Kind kind) {
    switch (kind) {
        case Kind::inverted_cell: return "inverted_cell";
        case Kind::zero_volume_cell: return "zero_volume_cell";
        case Kind::unused_vertex: return "unused_vertex";
        case Kind::duplicate_cell: return "duplicate_cell";
        case Kind::index_out_of_range: return "index_out_of_range";
        case Kind::repeated_corner: return "repeated_corner";
        case Kind::non_finite_coordinate: return "non_finite_coordinate";
        case Kind::disconnected_parts: return "disconnected_parts";
        case Kind::not_planar: return "not_planar";
        case Kind::empty: return "empty";
        case Kind::bad_set: return "bad_set";
        case Kind::bad_shape: return "bad_shape";
    }
    return "unknown";
}

void report(Findings& out, Kind kind, Severity severity, const Tally& tally, std::string message) {
    if (tally.count > 0) out.push_back({kind, severity, tally.count, tally.first, std::move(message)});
}

namespace {

void check_indices(const Mesh& mesh, Findings& out) {
    const auto corners = static_cast<std::size_t>(corners_of(mesh.kind));
    const std::size_t vertices = mesh.vertices.size();
    Tally bad;
    std::int32_t first_index = 0;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        for (std::size_t k = 0; k < corners; ++k) {
            const std::int32_t v = mesh.cell(c)[k];
            if (v >= 0 && static_cast<std::size_t>(v) < vertices) continue;
            if (bad.count == 0) first_index = v;
            bad.add(c);
            break;
        }
    }
    report(out, Kind::index_out_of_range, Severity::fatal, bad,
           text(counted(bad.count, "cell"), " name vertices that do not exist; first: cell ", bad.first,
                " names vertex ", first_index, ", but the mesh has ", vertices, " vertices numbered from 0"));
}

void check_coordinates(const Mesh& mesh, Findings& out) {
    Tally bad;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        for (int axis = 0; axis < 3; ++axis) {
            if (!(std::abs(mesh.vertices[v][axis]) <= kMaxCoordinate)) {  // also catches NaN
                bad.add(v);
                break;
            }
        }
    }
    if (bad.count == 0) return;
    const Vec3& p = mesh.vertices[bad.first];
    report(out, Kind::non_finite_coordinate, Severity::fatal, bad,
           text(bad.count, " vertices have coordinates that are not numbers within ", kMaxCoordinate,
                " m; first: vertex ", bad.first, " at (", p.x, ", ", p.y, ", ", p.z, ")"));
}

void report_fatal(Findings& out, Kind kind, std::string message) {
    report(out, kind, Severity::fatal, Tally{1, 0}, std::move(message));
}

}  // namespace

bool check_structure(const Mesh& mesh, Findings& out) {
    // Components of all vertices are numbered in 32 bits, so products of a vertex and a dimension stay within an int.
    const auto limit = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) / 3;
    if (!is_known(mesh.kind)) {
        report_fatal(out, Kind::bad_shape, text("the cell kind has the unknown number ", static_cast<int>(mesh.kind)));
        return false;
    }
    if (mesh.vertices.empty() || mesh.cells.empty()) {
        report_fatal(out, Kind::empty, mesh.vertices.empty() ? "the mesh has no vertices" : "the mesh has no cells");
        return false;
    }
    if (mesh.vertices.size() > limit || mesh.cells.size() / static_cast<std::size_t>(corners_of(mesh.kind)) > limit) {
        report_fatal(out, Kind::bad_shape, text("the mesh has more than ", limit, " vertices or cells"));
        return false;
    }
    if (mesh.cells.size() % static_cast<std::size_t>(corners_of(mesh.kind)) != 0) {
        report_fatal(out, Kind::bad_shape,
                     text("the cell list holds ", mesh.cells.size(), " numbers, which is no multiple of the ",
                          corners_of(mesh.kind), " corners of a ", to_string(mesh.kind)));
        return false;
    }
    const std::size_t before = out.size();
    check_indices(mesh, out);
    check_coordinates(mesh, out);
    return out.size() == before;
}

std::vector<MeshFinding> validate(Mesh& mesh) {
    Findings out;
    const bool sound = check_structure(mesh, out);
    check_sets(mesh, out);
    if (!sound) return out;
    check_repeated_corners(mesh, out);
    check_duplicate_cells(mesh, out);
    check_planar(mesh, out);
    check_cell_shapes(mesh, out);
    check_unused_vertices(mesh, out);
    check_parts(mesh, out);
    return out;
}

}  // namespace limber
