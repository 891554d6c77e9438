#include <limber/tools/solid.hpp>

#include "core/text.hpp"
#include "geometry/generate.hpp"
#include "geometry/solid_shape.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {
namespace {

constexpr int kMostAcross = 512;
constexpr double kGrow = 1e-9;  // of a cube: a face that lies on the lattice touches the cubes on both of its sides

using Cube = std::array<int, 3>;

struct Lattice {
    Vec3 low;
    double edge = 0.0;
    Cube count{};

    std::size_t cubes() const {
        return static_cast<std::size_t>(count[0]) * static_cast<std::size_t>(count[1]) *
               static_cast<std::size_t>(count[2]);
    }
    std::size_t index(const Cube& c) const {
        return (static_cast<std::size_t>(c[2]) * static_cast<std::size_t>(count[1]) + static_cast<std::size_t>(c[1])) *
                   static_cast<std::size_t>(count[0]) +
               static_cast<std::size_t>(c[0]);
    }
    Cube cube(std::size_t i) const {
        const auto nx = static_cast<std::size_t>(count[0]), ny = static_cast<std::size_t>(count[1]);
        return {static_cast<int>(i % nx), static_cast<int>(i / nx % ny), static_cast<int>(i / nx / ny)};
    }
    Vec3 corner(int i, int j, int k) const {
        return low + edge * Vec3{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
    }
    Vec3 middle(const Cube& c) const { return corner(c[0], c[1], c[2]) + 0.5 * edge * Vec3{1, 1, 1}; }
};

Lattice lattice_around(const Box3& box, int across) {
    const Vec3 size = box.size();
    Lattice out;
    out.edge = std::max({size.x, size.y, size.z}) / across;
    for (int a = 0; a < 3; ++a) {
        // A shape that is flat along an axis still needs a layer of cubes.
        const int n = std::max(1, static_cast<int>(std::ceil(size[a] / out.edge - kGrow)));
        out.count[static_cast<std::size_t>(a)] = n;
        out.low[a] = 0.5 * (box.low[a] + box.high[a]) - 0.5 * n * out.edge;
    }
    return out;
}

/// Separating axes of a triangle and a cube about the origin with this half edge: none means they meet.
bool meets(const std::array<Vec3, 3>& p, double half) {
    const auto apart = [&](const Vec3& axis) {
        const double a = dot(p[0], axis), b = dot(p[1], axis), c = dot(p[2], axis);
        const double reach = half * (std::abs(axis.x) + std::abs(axis.y) + std::abs(axis.z));
        return std::min({a, b, c}) > reach || std::max({a, b, c}) < -reach;
    };
    const std::array<Vec3, 3> unit{Vec3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const Vec3& axis : unit)
        if (apart(axis)) return false;
    if (apart(cross(p[1] - p[0], p[2] - p[0]))) return false;
    for (std::size_t k = 0; k < 3; ++k) {
        for (const Vec3& axis : unit)
            if (apart(cross(p[(k + 1) % 3] - p[k], axis))) return false;
    }
    return true;
}

void mark_touched(const Triangles& triangles, const Lattice& lattice, std::vector<char>& keep, Progress& progress) {
    const double half = (0.5 + kGrow) * lattice.edge;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        if (progress.stop_requested()) throw Error(Fault::interrupted, {}, "interrupted while building the cage");
        const Box3 box = box_of({triangles.at(t, 0), triangles.at(t, 1), triangles.at(t, 2)});
        Cube first{}, last{};
        for (int a = 0; a < 3; ++a) {
            const auto n = static_cast<std::size_t>(a);
            first[n] = std::clamp(
                static_cast<int>(std::floor((box.low[a] - lattice.low[a]) / lattice.edge - 2 * kGrow)), 0,
                lattice.count[n] - 1);
            last[n] = std::clamp(
                static_cast<int>(std::floor((box.high[a] - lattice.low[a]) / lattice.edge + 2 * kGrow)), 0,
                lattice.count[n] - 1);
        }
        for (int k = first[2]; k <= last[2]; ++k) {
            for (int j = first[1]; j <= last[1]; ++j) {
                for (int i = first[0]; i <= last[0]; ++i) {
                    char& cube = keep[lattice.index({i, j, k})];
                    const Vec3 at = lattice.middle({i, j, k});
                    if (!cube &&
                        meets({triangles.at(t, 0) - at, triangles.at(t, 1) - at, triangles.at(t, 2) - at}, half)) {
                        cube = 1;
                    }
                }
            }
        }
    }
}

/// The kept cubes as hexes; vertices numbered x fastest, so that hexes split alike from both sides of a face.
Mesh hexes_of(const Lattice& lattice, const std::vector<char>& keep) {
    const int nx = lattice.count[0] + 1, ny = lattice.count[1] + 1;
    std::vector<std::int32_t> number(
        static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) * (static_cast<std::size_t>(lattice.count[2]) + 1),
        -1);
    const auto at = [&](int i, int j, int k) -> std::int32_t& {
        return number[(static_cast<std::size_t>(k) * static_cast<std::size_t>(ny) + static_cast<std::size_t>(j)) *
                          static_cast<std::size_t>(nx) +
                      static_cast<std::size_t>(i)];
    };
    static constexpr int kCorner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                          {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (std::size_t c = 0; c < keep.size(); ++c) {
        if (keep[c]) {
            for (const auto& d : kCorner)
                at(lattice.cube(c)[0] + d[0], lattice.cube(c)[1] + d[1], lattice.cube(c)[2] + d[2]) = 0;
        }
    }
    Mesh mesh;
    mesh.kind = CellKind::hex8;
    for (int k = 0; k <= lattice.count[2]; ++k) {
        for (int j = 0; j < ny; ++j) {
            for (int i = 0; i < nx; ++i) {
                if (at(i, j, k) < 0) continue;
                at(i, j, k) = static_cast<std::int32_t>(mesh.vertices.size());
                mesh.vertices.push_back(lattice.corner(i, j, k));
            }
        }
    }
    for (std::size_t c = 0; c < keep.size(); ++c) {
        if (keep[c]) {
            for (const auto& d : kCorner) {
                mesh.cells.push_back(
                    at(lattice.cube(c)[0] + d[0], lattice.cube(c)[1] + d[1], lattice.cube(c)[2] + d[2]));
            }
        }
    }
    return mesh;
}

}  // namespace

Mesh make_cage(std::span<const NamedSurface> surfaces, const CageSettings& settings, Progress& progress) {
    if (surfaces.empty()) throw Error(Fault::bad_usage, {}, "no surface", "at least one");
    if (settings.cells_across < 1 || settings.cells_across > kMostAcross) {
        throw Error(Fault::bad_usage, InputLocation{"cells across", 0, {}}, text(settings.cells_across),
                    text("1 to ", kMostAcross));
    }
    require_kind("make_cage", settings.kind, {CellKind::hex8, CellKind::tet4});
    std::vector<SolidFinding> ignored;
    const SolidShape shape = make_shape(surfaces, ignored, progress);
    const Lattice lattice = lattice_around(shape.box, settings.cells_across);
    std::vector<char> keep(lattice.cubes(), 0);
    progress.update(0.3, "finding the cubes that the surface touches");
    for (const WindingNumber& w : shape.winding) mark_touched(w.triangles(), lattice, keep, progress);
    progress.update(0.6, "asking what is inside");
    for (std::size_t c = 0; c < keep.size(); ++c) {
        if (c % 1024 == 0 && progress.stop_requested())
            throw Error(Fault::interrupted, {}, "interrupted while building the cage");
        if (!keep[c] && shape.inside(lattice.middle(lattice.cube(c)))) keep[c] = 1;
    }
    Mesh mesh = convert_hexes(hexes_of(lattice, keep), settings.kind);
    name_cells(shape, surfaces, mesh);
    mesh.vertex_sets["surface"] = boundary_of(mesh).vertices;
    progress.update(1.0, "building the cage");
    return mesh;
}

}  // namespace limber
