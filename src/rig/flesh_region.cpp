#include "rig/flesh_region.hpp"

#include "core/parallel.hpp"
#include "core/part_of_progress.hpp"
#include "core/text.hpp"
#include "geometry/harmonic.hpp"
#include "geometry/tet_neighbours.hpp"
#include "rig/flesh_draft.hpp"
#include "rig/flesh_garments.hpp"
#include "rig/flesh_thickness.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr int kSurfaceSamples = 16;      // points along the longest side when the region's volume is guessed
constexpr std::size_t kFewSamples = 40;  // fewer of them inside say little about a volume
constexpr double kSurelyThin = 0.7;      // of what is needed: the first cell size is a guess
constexpr double kCountTolerance =
    0.1;  // how far the number of cells may be from what was asked for before another try
constexpr double kTrialTolerance = 0.7;  // the same for a trial, which has to be quick
constexpr int kTries = 6, kEmptyTries = 2;
constexpr double kOnSkin = 0.05;  // of a cell: solids meet the skin to a thousandth, closed holes lie farther off
constexpr double kMargin = 0.3;   // of the region's diagonal: how much of the character around it is filled as well
constexpr double kDraftMargin = 0.15;
constexpr double kMostAround = 30.0;  // cells of the character around a region, for each of its own
constexpr double kMostPoints = 1e8, kMostTrialPoints = 2e6;  // of a lattice
constexpr double kEqual =
    0.05;  // freedoms nearer than this count as equal, so that of nested regions the one named first has its own

bool contains(const Box3& box, const Vec3& p) {
    for (int a = 0; a < 3; ++a)
        if (p[a] < box.low[a] || p[a] > box.high[a]) return false;
    return true;
}

Box3 grown(const Box3& box, double by, const Box3& limit) {
    Box3 out;
    for (int a = 0; a < 3; ++a) {
        out.low[a] = std::max(box.low[a] - by, limit.low[a]);
        out.high[a] = std::min(box.high[a] + by, limit.high[a]);
    }
    return out;
}

double mixed(const std::vector<double>& values, const CharacterSkin::Point& at) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k) sum += at.weight[k] * values[static_cast<std::size_t>(at.vertex[k])];
    return sum;
}

/// One region's work: tries cell sizes and boxes until both fit.
class Filler {
public:
    Filler(const FleshGround& ground, std::size_t region) : ground_(ground), region_(region) { find_box(); }

    FleshCells run(Progress& progress) {
        if (ground_.draft && ground_.settings.cell_size == 0.0) return run_draft(progress);
        thickness_ = thickness_of(ground_, region_);
        double size = ground_.settings.cell_size > 0.0 ? ground_.settings.cell_size : first_size();
        check_thickness(size);
        int empty = 0;
        for (int attempt = 0;; ++attempt) {
            PartOfProgress part(progress, static_cast<double>(attempt) / kTries,
                                static_cast<double>(attempt + 1) / kTries);
            part.name(text("filling ", ground_.names[region_]));
            part.check();
            FleshCells cells = fill(size, part);
            const bool last = attempt + 1 >= kTries;
            if (cut_off_ && margin_ < 4.0) {  // part of it was beyond the box
                margin_ *= 2.0;
                --attempt;
                continue;
            }
            const auto count = static_cast<double>(cells.flesh_count());
            const double off = std::abs(count / ground_.settings.cells - 1.0);
            const bool fits = ground_.settings.cell_size > 0.0 ||
                              off <= (ground_.meant_cells > 0.0 ? kTrialTolerance : kCountTolerance);
            const double next = std::max(size * std::clamp(std::cbrt(count / ground_.settings.cells), 0.5, 2.0),
                                         least_size(cells));
            const bool stuck = last || (next >= size && count < ground_.settings.cells);
            if (count > 0 && (fits || stuck)) return cells;
            if (count == 0 && (stuck || ++empty > kEmptyTries || cells.lost > 0.99 || ground_.settings.cell_size > 0.0))
                refuse_empty(cells);
            size = next;
        }
    }

private:
    /// As few cells as are thick enough.
    FleshCells run_draft(Progress& progress) {
        double size = draft_size(ground_, region_);
        margin_ = kDraftMargin;
        for (int attempt = 0;; ++attempt) {
            PartOfProgress part(progress, static_cast<double>(attempt) / (attempt + 2),
                                static_cast<double>(attempt + 1) / (attempt + 3));
            part.name(text("filling ", ground_.names[region_]));
            part.check();
            FleshCells cells = fill(size, part);
            if (cut_off_ && margin_ < 4.0) {
                margin_ *= 2.0;
                --attempt;
                continue;
            }
            // Never more cells than a part that is made in full: what is thinner still is refused, and that within
            // seconds.
            const double count = static_cast<double>(cells.flesh_count()), most = 1.2 * ground_.settings.cells;
            const double thick = region_thickness(cells),
                         least = std::max({least_size(cells), size * std::cbrt(count / most), 0.5 * size});
            const double next = std::max(std::min(thick / (1.02 * kDraftAcross), 0.85 * size), least);
            const bool stuck = attempt >= kTries || next >= size, empty = cells.flesh_count() == 0;
            if (!empty && (thick >= kDraftAcross * size || stuck)) return cells;
            if (empty && (stuck || cells.lost > 0.99)) refuse_empty(cells);
            size = empty ? std::max(0.6 * size, least_size(cells)) : next;
        }
    }

    const std::vector<double>& freedom() const { return ground_.freedom[region_]; }

    void find_box() {
        std::vector<Vec3> caught;
        double most = 0.0;
        for (std::size_t v = 0; v < freedom().size(); ++v) {
            most = std::max(most, freedom()[v]);
            if (freedom()[v] > ground_.settings.threshold) caught.push_back(ground_.skin.vertices()[v]);
        }
        if (caught.empty()) {
            ground_.refuse(region_,
                           text("no vertex is freer than ", ground_.settings.threshold, " (the freest has ",
                                fmt::format("{:.3g}", most), ")"),
                           text("a region that catches skin",
                                most > 0.0 ? text(", or --threshold ", plain_number(0.6 * most, 2)) : ""));
        }
        box_ = box_of(caught);
    }

    /// A region that keeps little of what surrounds it (bones and other regions take it) must not drag millions of
    /// cells along.
    double least_size(const FleshCells& cells) const {
        return std::cbrt(kTetsPerCube * measure_of(cells.mesh) / (kMostAround * ground_.settings.cells + 1e5));
    }

    Box3 filled() const { return grown(box_, margin_ * box_.diagonal(), ground_.skin.box()); }

    /// What is far too thin is told at once, and not when the solid is made. The solid itself knows better (flesh.cpp),
    /// so that doubt is no reason here.
    void check_thickness(double size) const {
        const double count = ground_.settings.cell_size > 0.0 ? kTetsPerCube * thickness_.volume / (size * size * size)
                                                              : ground_.settings.cells;
        const double meant = ground_.meant_size(size, count);
        if (thickness_.thick > 0.0 && thickness_.thick < kSurelyThin * kThick * meant) {
            refuse_thin(ground_, region_, thickness_.thick, meant,
                        ground_.meant_cells > 0.0 ? ground_.meant_cells : count);
        }
    }

    /// From the volume of a coarse grid of points whose nearest skin is free; where the grid hardly meets it, from what
    /// is behind the skin.
    double first_size() const {
        if (ground_.meant_cells > 0.0 && thickness_.volume > 0.0)
            return std::cbrt(kTetsPerCube * thickness_.volume / ground_.settings.cells);  // a trial has to be quick
        const Box3 box = filled();
        const Vec3 size = box.size();
        const double spacing = std::max({size.x, size.y, size.z}) / kSurfaceSamples;
        std::array<std::size_t, 3> n{};
        for (int a = 0; a < 3; ++a)
            n[static_cast<std::size_t>(a)] = static_cast<std::size_t>(std::max(1.0, std::ceil(size[a] / spacing)));
        std::size_t in = 0;
        for (std::size_t i = 0; i < n[0] * n[1] * n[2]; ++i) {
            const std::size_t row = i / n[0], layer = row / n[1];
            const Vec3 at{static_cast<double>(i % n[0]), static_cast<double>(row % n[1]), static_cast<double>(layer)};
            Vec3 p = box.low;
            for (int a = 0; a < 3; ++a)
                p[a] += size[a] * (at[a] + 0.5) / static_cast<double>(n[static_cast<std::size_t>(a)]);
            if (ground_.skin.inside(p) && mixed(freedom(), ground_.skin.nearest(p)) > ground_.settings.threshold) ++in;
        }
        const double cell = size.x * size.y * size.z / static_cast<double>(n[0] * n[1] * n[2]);
        const double volume = in < kFewSamples && thickness_.volume > 0.0 ? thickness_.volume
                                                                          : cell * static_cast<double>(in);
        if (!(volume > 0.0)) return box_.diagonal() / kSurfaceSamples;
        return std::cbrt(kTetsPerCube * volume / ground_.settings.cells);
    }

    /// What lies far apart is mostly air, and a lattice has to be laid through all of it.
    void check_lattice(const Box3& box, double size) const {
        const Vec3 reach = box.size();
        if (!(reach.x >= 0.0 && reach.y >= 0.0 && reach.z >= 0.0))
            ground_.refuse(region_, "its vertices belong to no triangle", "a region that catches skin");
        if (!(size > 0.0)) ground_.refuse(region_, "it encloses no volume", "skin around a solid");
        double points = 1.0;
        for (int a = 0; a < 3; ++a) points *= reach[a] / size + 1.0;
        if (points <= (ground_.meant_cells > 0.0 ? kMostTrialPoints : kMostPoints)) return;
        ground_.refuse(region_,
                       text("it reaches over ", fmt::format("{:.3g}", box.diagonal()), " m, and cells of ",
                            plain_number(size, 2), " m would need ", plain_number(points, 2), " lattice points"),
                       "larger or fewer cells, or a region in one place that is thicker than a sheet");
    }

    FleshCells fill(double size, Progress& progress) {
        const Box3 box = filled();
        check_lattice(box, size);
        FleshCells out;
        out.cell_size = size;
        out.mesh = stuff([&](const Vec3& p) { return contains(box, p) && ground_.skin.inside(p); }, box, size,
                         progress);
        out.neighbours = tet_neighbours(out.mesh);
        find_skin_points(out);
        label(out);
        cut_off_ = reaches_side(out, box);
        const LabelledCells labelled{out.mesh, out.neighbours, out.label};
        const auto before = static_cast<double>(out.flesh_count());
        out.pinched = before > 0 ? static_cast<double>(remove_pinches(labelled)) / before : 0.0;
        out.pieces = keep_pieces(labelled, ground_.settings.least_piece, out.dropped);
        return out;
    }

    void find_skin_points(FleshCells& out) const {
        const std::size_t n = out.mesh.vertices.size();
        out.skin_point.resize(n);
        out.on_skin.assign(n, 0);
        const IndexSet& surface = out.mesh.vertex_sets["surface"];
        parallel_blocks(surface.size(), 256, [&](std::size_t, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const auto v = static_cast<std::size_t>(surface[i]);
                out.skin_point[v] = ground_.skin.nearest(out.mesh.vertices[v]);
                out.on_skin[v] = out.skin_point[v].distance <= kOnSkin * out.cell_size ? 1 : 0;
            }
        });
    }

    /// A region's freedom at every vertex of the mesh.
    std::vector<double> carried_inward(const FleshCells& cells, const HarmonicField& field, std::size_t region) const {
        std::vector<double> values(cells.mesh.vertices.size(), 0.0);
        for (std::size_t v = 0; v < values.size(); ++v)
            if (cells.on_skin[v]) values[v] = std::clamp(mixed(ground_.freedom[region], cells.skin_point[v]), 0.0, 1.0);
        return field.extend(values);
    }

    void label(FleshCells& out) const {
        const HarmonicField field(out.mesh, out.on_skin);
        out.freedom = carried_inward(out, field, region_);
        std::vector<std::vector<double>> others(ground_.freedom.size());
        for (std::size_t r = 0; r < others.size(); ++r)
            if (r != region_) others[r] = carried_inward(out, field, r);
        const auto mean = [&](const std::vector<double>& f, std::size_t c) {
            double sum = 0.0;
            for (int k = 0; k < 4; ++k) sum += 0.25 * f[static_cast<std::size_t>(out.mesh.cell(c)[k])];
            return sum;
        };
        double region = 0.0, lost = 0.0;
        std::vector<double> freedoms(others.size());
        out.label.assign(out.mesh.cell_count(), kRest);
        for (std::size_t c = 0; c < out.label.size(); ++c) {
            const double own = mean(out.freedom, c);
            if (!(own > ground_.settings.threshold)) continue;
            for (std::size_t r = 0; r < others.size(); ++r) freedoms[r] = r == region_ ? own : mean(others[r], c);
            const bool mine = FleshGround::owner(freedoms) == region_;
            region += cell_measure(out.mesh, c);
            if (!mine) {
                lost += cell_measure(out.mesh, c);
                continue;
            }
            const auto bone = bone_through(ground_.bones, out.corners(c));
            out.label[c] = bone ? static_cast<std::int32_t>(*bone) : kFlesh;
        }
        out.lost = region > 0.0 ? lost / region : 0.0;
    }

    /// Whether flesh or bone of the region ends at a side of the box that is within the character.
    bool reaches_side(const FleshCells& cells, const Box3& box) const {
        const double near = 0.02 * cells.cell_size;
        for (std::size_t c = 0; c < cells.label.size(); ++c) {
            if (cells.label[c] == kRest) continue;
            for (const Vec3& x : cells.corners(c)) {
                for (int a = 0; a < 3; ++a) {
                    if ((x[a] < box.low[a] + near && box.low[a] > ground_.skin.box().low[a]) ||
                        (x[a] > box.high[a] - near && box.high[a] < ground_.skin.box().high[a])) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    [[noreturn]] void refuse_empty(const FleshCells& cells) const {
        const std::string at = text(" at a cell size of ", fmt::format("{:.3g}", 1e3 * cells.cell_size), " mm");
        if (cells.lost > 0.99) {
            ground_.refuse(region_, "all of it belongs to other regions that are as free or freer there",
                           "regions that differ, the smaller one named first");
        }
        // Half the size at least; where its thickness asks for less, that.
        const std::string more = cells_for(
            std::min(0.5 * cells.cell_size, thickness_.thick > 0.0 ? thickness_.thick / kThick : cells.cell_size),
            cells.cell_size, ground_.settings.cells);
        const bool bones = std::any_of(cells.label.begin(), cells.label.end(), [](std::int32_t l) { return l >= 0; });
        if (bones) {
            ground_.refuse(region_, text("bones take all of it", at),
                           text(thinner_bones(ground_.settings), more.empty() ? "" : ", " + more));
        }
        ground_.refuse(region_, text("no cell is free", at),
                       text(more.empty() ? "" : more + ", or ", "a region that catches more than a fold of skin"));
    }

    const FleshGround& ground_;
    std::size_t region_;
    Box3 box_;  ///< around the free skin
    RegionThickness thickness_;
    double margin_ = kMargin;
    bool cut_off_ = false;
};

std::vector<double> flat(const std::vector<std::vector<double>>& per_part) {
    std::vector<double> out;
    for (const std::vector<double>& part : per_part) out.insert(out.end(), part.begin(), part.end());
    return out;
}

}  // namespace

FleshGround::FleshGround(const Rig& of, std::span<const Region> regions, const FleshSettings& with, Progress& progress)
    : rig(of), settings(with), bind(bind_pose(of)), skin(of, bind, progress), bones(bones_of(of, bind, skin, with)) {
    set_regions(regions);
}

void FleshGround::set_regions(std::span<const Region> regions) {
    names.clear();
    freedom.clear();
    for (std::size_t r = 0; r < regions.size(); ++r) {
        names.push_back(regions[r].name.empty() ? text("part_", r + 1) : regions[r].name);
        freedom.push_back(flat(freedom_of(rig, regions[r])));
        extend_to_garments(rig, regions[r], skin, freedom.back());
    }
}

double FleshGround::meant_size(double size, double count) const {
    return meant_cells > 0.0 ? size * std::cbrt(count / meant_cells) : size;
}

std::size_t FleshGround::owner(std::span<const double> freedoms) {
    const double most = *std::max_element(freedoms.begin(), freedoms.end());
    return static_cast<std::size_t>(
        std::find_if(freedoms.begin(), freedoms.end(), [&](double f) { return f >= most - kEqual; }) -
        freedoms.begin());
}

void FleshGround::refuse(std::size_t region, const std::string& found, const std::string& expected) const {
    throw Error(Fault::bad_usage, {rig.source, 0, {}}, text("region '", names[region], "': ", found), expected);
}

std::size_t FleshCells::flesh_count() const {
    return static_cast<std::size_t>(std::count(label.begin(), label.end(), kFlesh));
}

std::array<Vec3, 4> FleshCells::corners(std::size_t cell) const {
    std::array<Vec3, 4> out;
    for (std::size_t k = 0; k < 4; ++k) out[k] = mesh.vertices[static_cast<std::size_t>(mesh.cell(cell)[k])];
    return out;
}

FleshCells fill_region(const FleshGround& ground, std::size_t region, Progress& progress) {
    return Filler(ground, region).run(progress);
}

}  // namespace limber
