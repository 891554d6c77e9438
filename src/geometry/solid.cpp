#include <limber/tools/solid.hpp>

#include "core/text.hpp"
#include "geometry/solid_cost.hpp"
#include "geometry/solid_parts.hpp"
#include "geometry/solid_shape.hpp"
#include "geometry/stuffing.hpp"
#include "geometry/tet_quality.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr int kSamples = 32;  // points along the longest side when the volume is guessed
constexpr double kCountTolerance =
    0.1;  // how far the number of cells may be from what was asked for before a second try

constexpr double kToldMiss = 1.3;  // times, or a part of, the number that was asked for
constexpr double kThinWall = 0.9;
constexpr double kToldVolume = 0.95, kToldGuess = 0.85;

/// The volume inside, from a coarse grid of points: good to a few percent, which is enough to choose a cell size.
double guess_volume(const SolidShape& shape) {
    const Vec3 size = shape.box.size();
    const double spacing = std::max({size.x, size.y, size.z}) / kSamples;
    std::size_t n[3];
    for (int a = 0; a < 3; ++a) n[a] = static_cast<std::size_t>(std::max(1.0, std::ceil(size[a] / spacing)));
    std::size_t in = 0;
    for (std::size_t i = 0; i < n[0] * n[1] * n[2]; ++i) {
        const std::size_t row = i / n[0], layer = row / n[1];
        const double at[3] = {static_cast<double>(i % n[0]), static_cast<double>(row % n[1]),
                              static_cast<double>(layer)};
        Vec3 p = shape.box.low;
        for (int a = 0; a < 3; ++a) p[a] += size[a] * (at[a] + 0.5) / static_cast<double>(n[a]);
        in += shape.inside(p) ? 1 : 0;
    }
    return size.x * size.y * size.z * static_cast<double>(in) / static_cast<double>(n[0] * n[1] * n[2]);
}

constexpr double kLayers = 0.02;      // share of triangles that may lie within
constexpr std::size_t kLooks = 2000;  // at triangles

/// What is inside, and how thick it is in the mean if it is a wall: twice its volume over its surface.
struct Enclosed {
    double volume = 0.0, thickness = 0.0;
    bool exact = false;  ///< else guessed from points
    double open =
        0.0;  ///< share of the area that has nothing opposite: 0 of closed surfaces, 1/2 of half a ball, 1 of a plane
};
Enclosed enclosed_by(const SolidShape& shape) {
    double volume = 0.0, area = 0.0;
    Vec3 facing;
    std::size_t inner = 0, looked = 0;
    const InsideTest inside = [&](const Vec3& p) { return shape.inside(p); };
    for (const WindingNumber& w : shape.winding) {
        const Triangles& t = w.triangles();
        volume += enclosed_volume(t);
        for (std::size_t k = 0; k < t.size(); ++k) {
            area += norm(t.area_vector(k));
            facing += t.area_vector(k);
        }
        for (std::size_t k = 0; k < t.size(); k += std::max<std::size_t>(1, t.size() / kLooks), ++looked)
            inner += is_inner(t, k, inside, shape.box.diagonal() / kSamples) ? 1 : 0;
    }
    // Layers within each other would count twice.
    const bool exact = volume > 0.0 && static_cast<double>(inner) <= kLayers * static_cast<double>(looked);
    if (!exact) volume = guess_volume(shape);
    return {volume, area > 0.0 ? 2.0 * volume / area : 0.0, exact, area > 0.0 ? norm(facing) / area : 0.0};
}

/// Cells near the boundary are more and smaller: further tries correct for what the last one counted. The nearest
/// counts.
Mesh fill(const SolidShape& shape, const SolidSettings& settings, double volume, double& cell_size,
          Progress& progress) {
    const InsideTest inside = [&](const Vec3& p) { return shape.inside(p); };
    cell_size = settings.cell_size;
    if (cell_size > 0.0) return stuff(inside, shape.box, cell_size, progress);
    const double longest = shape.box.diagonal();
    double next = volume > 0.0 ? std::cbrt(kTetsPerCube * volume / settings.cells) : longest / kSamples;
    // The volume counts more than the number: a wall that is lost is worse than cells too many.
    const auto miss = [&](const Mesh& m) {
        if (m.cell_count() == 0) return std::numeric_limits<double>::infinity();
        return std::abs(std::log(static_cast<double>(m.cell_count()) / settings.cells)) +
               (volume > 0.0 ? 3.0 * std::abs(std::log(measure_of(m) / volume)) : 0.0);
    };
    double least = std::numeric_limits<double>::infinity();
    Mesh best;
    for (int attempt = 0; attempt < 4; ++attempt) {
        Mesh mesh = stuff(inside, shape.box, next, progress);
        const double ratio = static_cast<double>(mesh.cell_count()) / settings.cells, missed = miss(mesh);
        if (attempt == 0 || missed < least) {
            best = std::move(mesh);
            cell_size = next;
            least = missed;
        }
        if (ratio == 0.0 || std::abs(ratio - 1.0) <= kCountTolerance) break;
        next *= std::clamp(std::cbrt(ratio), 0.5, 2.0);  // lattices that hardly meet a thin wall count anything
    }
    return best;
}

constexpr double kFiner = 0.8;  // about twice the cells
constexpr int kFinerTries = 2;
constexpr double kWorthCells = 0.02;  // of the volume torn off: less is not worth the time that more cells take

/// Where a part of the shape came off, smaller cells may hold it: up to four times as many as were asked for. What does
/// not help is not kept.
TornParts hold_together(const SolidShape& shape, const SolidSettings& settings, Solid& solid, Progress& progress) {
    const InsideTest inside = [&](const Vec3& p) { return shape.inside(p); };
    TornParts fallen = torn_parts(solid.mesh, settings.least_island, inside, solid.cell_size, progress);
    if (settings.cell_size > 0.0) return fallen;
    const std::size_t asked = solid.mesh.cell_count();
    double size = solid.cell_size;
    for (int attempt = 0; attempt < kFinerTries && fallen.share > kWorthCells; ++attempt) {
        size *= kFiner;
        Mesh finer = stuff(inside, shape.box, size, progress);
        TornParts less = torn_parts(finer, settings.least_island, inside, size, progress);
        if (finer.cell_count() == 0 || less.share >= fallen.share) continue;
        solid.mesh = std::move(finer);
        solid.cell_size = size;
        fallen = std::move(less);
    }
    if (solid.mesh.cell_count() > asked) {
        solid.findings.push_back(
            {SolidFinding::Kind::torn, text(solid.mesh.cell_count(), " cells instead of ", asked,
                                            ", with which thin parts came off (a cell size that is given stays)")});
    }
    return fallen;
}

constexpr double kMostAdvised = 5e6;  // cells: more are no advice
constexpr double kSheet = 0.3;        // of Enclosed::open: what it encloses is a guess, and finer cells only show that
constexpr const char* kCageInstead = "a cage around it (\"cage\": 10 instead of cells; limber mesh cage)";

/// Cells half as large as walls are thick; where that would be none or too many (a sheet, a plane, a card), only a cage
/// holds the surface.
Error nothing_inside(const std::string& name, const Solid& solid, const Enclosed& enclosed) {
    const double fine = enclosed.thickness / 2,
                 cells = fine > 0.0 ? kTetsPerCube * enclosed.volume / (fine * fine * fine) : 0.0;
    const std::string found = text("nothing is inside the surface at a cell size of ",
                                   fmt::format("{:.3g}", solid.cell_size), " m");
    if (enclosed.open > kSheet) {
        return {Fault::bad_mesh, InputLocation{name, 0, {}}, text(found, ": it is an open sheet"),
                text("a closed surface, or ", kCageInstead)};
    }
    if (cells > 0.0 && cells <= kMostAdvised) {
        return {Fault::bad_mesh, InputLocation{name, 0, {}}, found,
                text("a cell size of about ", plain_number(fine, 2), " m (", plain_number(cells, 2),
                     " cells), half of what walls are thick in the mean, or a cage")};
    }
    return {Fault::bad_mesh, InputLocation{name, 0, {}},
            text(found, cells > 0.0 ? text(", and it is only about ", plain_number(enclosed.thickness, 2), " m thick")
                                    : std::string(", nor at any other: it is flat, or open and encloses nothing")),
            text("a closed surface, or ", kCageInstead)};
}

/// Walls that a lattice of such cells tears, and counts that it cannot meet.
void report_misses(const SolidSettings& settings, const Enclosed& enclosed, Solid& solid) {
    const double made = static_cast<double>(solid.mesh.cell_count()), ratio = made / settings.cells;
    const bool told = std::any_of(solid.findings.begin(), solid.findings.end(),
                                  [](const SolidFinding& f) { return f.kind == SolidFinding::Kind::torn; });
    if (settings.cell_size == 0.0 && !told && (ratio > kToldMiss || ratio < 1.0 / kToldMiss)) {
        solid.findings.push_back(
            {SolidFinding::Kind::thin, text(settings.cells, " cells were asked for and ", made,
                                            " made: walls about as thin as a cell take any number")});
    }
    if (enclosed.volume > 0.0 && solid.volume < (enclosed.exact ? kToldVolume : kToldGuess) * enclosed.volume) {
        solid.findings.push_back(
            {SolidFinding::Kind::thin,
             text("the solid has ", enclosed.exact ? "" : "about ",
                  plain_number(100.0 * solid.volume / enclosed.volume, 2),
                  " % of the volume that the surface encloses: walls thinner than a cell of ",
                  fmt::format("{:.3g}", solid.cell_size),
                  " m are slit or lost, and the body is softer than it should be; walls are about ",
                  plain_number(enclosed.thickness, 2), " m thick in the mean, and want cells of half of that")});
    } else if (enclosed.thickness > 0.0 && solid.cell_size > kThinWall * enclosed.thickness) {
        solid.findings.push_back(
            {SolidFinding::Kind::thin,
             text("cells of ", fmt::format("{:.3g}", solid.cell_size),
                  " m are no smaller than the body is thick in the mean, ", plain_number(enclosed.thickness, 2),
                  " m: walls may be slit, and the body far too soft; cells of half of that hold")});
    }
}

}  // namespace

Solid make_solid(std::span<const NamedSurface> surfaces, const SolidSettings& settings, Progress& progress) {
    if (surfaces.empty()) throw Error(Fault::bad_usage, {}, "no surface", "at least one");
    if (settings.cell_size < 0.0 || !std::isfinite(settings.cell_size) ||
        (settings.cell_size == 0.0 && (settings.cells < 1 || settings.cells > 20'000'000))) {
        throw Error(Fault::bad_usage, {}, text("cells ", settings.cells, ", cell size ", settings.cell_size),
                    "1 to 2e7 cells, or a positive cell size");
    }
    Solid solid;
    const SolidShape shape = make_shape(surfaces, solid.findings, progress);
    const Enclosed enclosed = enclosed_by(shape);
    const double cube = settings.cell_size * settings.cell_size * settings.cell_size;
    refuse_beyond_memory(cube > 0.0 ? kTetsPerCube * enclosed.volume / cube : settings.cells);
    solid.mesh = fill(shape, settings, enclosed.volume, solid.cell_size, progress);
    if (solid.mesh.cell_count() == 0) throw nothing_inside(surfaces[0].name, solid, enclosed);
    const TornParts fallen = hold_together(shape, settings, solid, progress);
    keep_parts(solid.mesh, settings.least_island, fallen, solid.parts, solid.findings);
    name_cells(shape, surfaces, solid.mesh);
    const InsideTest inside = [&](const Vec3& p) { return shape.inside(p); };
    if (enclosed.open > kSheet) {
        solid.findings.push_back(
            {SolidFinding::Kind::open,
             text("the surface is an open sheet (", plain_number(100.0 * enclosed.open, 2),
                  " % of its area has nothing opposite): what is inside is a guess, and more cells do not help; take ",
                  kCageInstead)});
    } else {
        for (const WindingNumber& w : shape.winding)
            report_thin(w.triangles(), inside, solid.mesh, solid.cell_size, solid.findings);
    }
    const TetQuality quality = tet_quality(solid.mesh);
    solid.smallest_angle = quality.dihedral.smallest;
    solid.largest_angle = quality.dihedral.largest;
    solid.angle_histogram = quality.histogram;
    solid.volume = measure_of(solid.mesh);
    if (enclosed.open <= kSheet) report_ends(shape.box, solid.mesh, solid.cell_size, solid.findings);
    if (enclosed.open <= kSheet) report_misses(settings, enclosed, solid);
    return solid;
}

}  // namespace limber
