#include <limber/solid.hpp>

#include "core/text.hpp"
#include "geometry/solid_parts.hpp"
#include "geometry/solid_shape.hpp"
#include "geometry/stuffing.hpp"
#include "geometry/tet_quality.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr int kSamples = 32;            // points along the longest side when the volume is guessed
constexpr double kCountTolerance = 0.1; // how far the number of cells may be from what was asked for before a second try

/// The volume inside, from a coarse grid of points: good to a few percent, which is enough to choose a cell size.
double guess_volume(const SolidShape& shape) {
    const Vec3 size = shape.box.size();
    const double spacing = std::max({size.x, size.y, size.z}) / kSamples;
    std::size_t n[3];
    for (int a = 0; a < 3; ++a) n[a] = static_cast<std::size_t>(std::max(1.0, std::ceil(size[a] / spacing)));
    std::size_t in = 0;
    for (std::size_t i = 0; i < n[0] * n[1] * n[2]; ++i) {
        const double at[3] = {static_cast<double>(i % n[0]), static_cast<double>(i / n[0] % n[1]), static_cast<double>(i / n[0] / n[1])};
        Vec3 p = shape.box.low;
        for (int a = 0; a < 3; ++a) p[a] += size[a] * (at[a] + 0.5) / static_cast<double>(n[a]);
        in += shape.inside(p) ? 1 : 0;
    }
    return size.x * size.y * size.z * static_cast<double>(in) / static_cast<double>(n[0] * n[1] * n[2]);
}

/// Cells near the boundary are more and smaller: the second try corrects for what the first one counted.
Mesh fill(const SolidShape& shape, const SolidSettings& settings, double& cell_size, Progress& progress) {
    const InsideTest inside = [&](const Vec3& p) { return shape.inside(p); };
    cell_size = settings.cell_size;
    if (cell_size > 0.0) return stuff(inside, shape.box, cell_size, progress);
    const double volume = guess_volume(shape);
    const double longest = shape.box.diagonal();
    cell_size = volume > 0.0 ? std::cbrt(kTetsPerCube * volume / settings.cells) : longest / kSamples;
    Mesh mesh = stuff(inside, shape.box, cell_size, progress);
    for (int attempt = 0; attempt < 3 && mesh.cell_count() > 0; ++attempt) {
        const double ratio = static_cast<double>(mesh.cell_count()) / settings.cells;
        if (std::abs(ratio - 1.0) <= kCountTolerance) break;
        cell_size *= std::cbrt(ratio);
        mesh = stuff(inside, shape.box, cell_size, progress);
    }
    return mesh;
}

}  // namespace

Solid make_solid(std::span<const NamedSurface> surfaces, const SolidSettings& settings, Progress& progress) {
    if (surfaces.empty()) throw Error(Fault::bad_usage, {}, "no surface", "at least one");
    if (settings.cell_size < 0.0 || !std::isfinite(settings.cell_size) || (settings.cell_size == 0.0 && (settings.cells < 1 || settings.cells > 20'000'000)))
        throw Error(Fault::bad_usage, {}, text("cells ", settings.cells, ", cell size ", settings.cell_size), "1 to 2e7 cells, or a positive cell size");
    Solid solid;
    const SolidShape shape = make_shape(surfaces, solid.findings, progress);
    solid.mesh = fill(shape, settings, solid.cell_size, progress);
    if (solid.mesh.cell_count() == 0)
        throw Error(Fault::bad_mesh, InputLocation{surfaces[0].name, 0, {}}, text("nothing is inside the surface at a cell size of ", solid.cell_size, " m"),
                    "a surface that encloses something thicker than a cell, or more cells");
    keep_parts(solid.mesh, settings.least_island, solid.parts, solid.findings);
    name_cells(shape, surfaces, solid.mesh);
    const InsideTest inside = [&](const Vec3& p) { return shape.inside(p); };
    for (const WindingNumber& w : shape.winding) report_thin(w.triangles(), inside, solid.mesh, solid.cell_size, solid.findings);
    const TetQuality quality = tet_quality(solid.mesh);
    solid.smallest_angle = quality.dihedral.smallest;
    solid.largest_angle = quality.dihedral.largest;
    solid.angle_histogram = quality.histogram;
    solid.volume = measure_of(solid.mesh);
    return solid;
}

}  // namespace limber
