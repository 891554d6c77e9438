// A triangle is cut first by the plane of a row of rays, then by the ray. Both cuts are half open (an end at the cut
// counts as below), and a shared edge is cut by the same arithmetic from either side, so every ray enters as often as
// it leaves.
#include "metrics/rays.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

namespace limber {
namespace {

constexpr double kMaxHits = 4e6;  // per grid
constexpr int kFewestRays = 16;
constexpr std::size_t kMaxPanelEnds = 64;
constexpr double kDoubtfulRays = 8;
constexpr double kHuge = std::numeric_limits<double>::max();

struct Point {
    double x, y, z;  // x along the ray, rows at constant z, columns at constant y
};

struct Facet {
    Point p[3];
    double low, high;  // z range
};

// Where rays stand along one cross direction, and the width each of them stands for.
struct Ruler {
    std::vector<double> at, width;
};

struct Hit {
    std::size_t column;
    double x;
};

void add_facets(const SkinShape& shape, int axis, std::vector<Facet>& out) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const auto& t : shape.skin.triangles) {
        Facet f{};
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3& p = shape.points[static_cast<std::size_t>(t[k])];
            f.p[k] = {p[axis], p[u], p[v]};
        }
        f.low = std::min({f.p[0].z, f.p[1].z, f.p[2].z});
        f.high = std::max({f.p[0].z, f.p[1].z, f.p[2].z});
        out.push_back(f);
    }
}

struct Box {
    Point low{kHuge, kHuge, kHuge}, high{-kHuge, -kHuge, -kHuge};
    void add(const Point& p) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
};

Box bounds_of(std::span<const Facet> facets) {
    Box box;
    for (const Facet& f : facets)
        for (const Point& p : f.p) box.add(p);
    return box;
}

double projected_area(const Facet& f) {
    return std::abs((f.p[1].y - f.p[0].y) * (f.p[2].z - f.p[0].z) - (f.p[2].y - f.p[0].y) * (f.p[1].z - f.p[0].z)) / 2;
}

// How many times the facets' projections cover the box; a sane body about four times.
double layers_of(std::span<const Facet> facets, const Box& box) {
    double area = 0.0;
    for (const Facet& f : facets) area += projected_area(f);
    return area / ((box.high.y - box.low.y) * (box.high.z - box.low.z));
}

// Faces along the rays make the clipped length jump, and a layer between two of them can be thinner than the grid.
// Places where such a face stands square to a cross direction become panel ends, so that no ray stands for a width on
// both sides.
void add_grazing(std::span<const Facet> facets, const Box& box, std::vector<double>& ys, std::vector<double>& zs) {
    const double thin_y = 0.01 * (box.high.y - box.low.y), thin_z = 0.01 * (box.high.z - box.low.z);
    for (const Facet& f : facets) {
        const Box own = bounds_of({&f, 1});
        const double y = own.high.y - own.low.y, z = own.high.z - own.low.z, x = own.high.x - own.low.x;
        if (projected_area(f) > 0.01 * x * std::max(y, z)) continue;
        if (y < thin_y) ys.insert(ys.end(), {own.low.y, own.high.y});
        if (z < thin_z) zs.insert(zs.end(), {own.low.z, own.high.z});
    }
}

// Ends of panels, in order, without near repeats; too many mean that there are no such faces but a jumble.
std::vector<double> panel_ends(std::vector<double> ends, std::initializer_list<double> extents) {
    const double tiny = 1e-12 * (std::max(extents) - std::min(extents));
    const auto tidy = [&](std::vector<double> v) {
        v.insert(v.end(), extents);
        std::sort(v.begin(), v.end());
        v.erase(std::unique(v.begin(), v.end(), [&](double a, double b) { return b - a <= tiny; }), v.end());
        return v;
    };
    std::vector<double> out = tidy(std::move(ends));
    return out.size() <= kMaxPanelEnds ? out : tidy({});
}

// Rays stand `offset` (0 to 1) into their width.
Ruler make_ruler(const std::vector<double>& ends, int across, double offset) {
    Ruler ruler;
    const double total = ends.back() - ends.front();
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
        const double width = ends[k + 1] - ends[k];
        const int count = std::max(2, static_cast<int>(std::lround(across * (width / total))));
        for (int i = 0; i < count; ++i) {
            ruler.at.push_back(ends[k] + width * ((i + offset) / count));
            ruler.width.push_back(width / count);
        }
    }
    return ruler;
}

// The columns that a cut facet's segment spans.
void add_hits(const Ruler& columns, Point from, Point to, std::vector<Hit>& hits) {
    if (from.y > to.y) std::swap(from, to);
    auto c = static_cast<std::size_t>(std::lower_bound(columns.at.begin(), columns.at.end(), from.y) -
                                      columns.at.begin());
    for (; c < columns.at.size() && columns.at[c] < to.y; ++c)
        hits.push_back({c, from.x + (to.x - from.x) * ((columns.at[c] - from.y) / (to.y - from.y))});
}

void cut(const Ruler& columns, const Facet& f, double z, std::vector<Hit>& hits) {
    Point ends[2];
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        Point a = f.p[k], b = f.p[(k + 1) % 3];
        if ((a.z <= z) == (b.z <= z)) continue;
        if (a.z > b.z) std::swap(a, b);
        const double s = (z - a.z) / (b.z - a.z);
        ends[count++] = {a.x + (b.x - a.x) * s, a.y + (b.y - a.y) * s, z};
    }
    if (count == 2) add_hits(columns, ends[0], ends[1], hits);
}

// Area of the row: lengths inside exactly one shape times the widths of their rays.
double row_area(const Ruler& columns, std::vector<Hit>& hits, double& longest) {
    std::sort(hits.begin(), hits.end(),
              [](const Hit& a, const Hit& b) { return a.column != b.column ? a.column < b.column : a.x < b.x; });
    double area = 0.0;
    for (std::size_t i = 0; i + 1 < hits.size();) {
        // An unpaired hit (an open surface) must not shift the pairing of the rays after it.
        if (hits[i].column != hits[i + 1].column) {
            ++i;
            continue;
        }
        const double length = hits[i + 1].x - hits[i].x;
        longest = std::max(longest, length);
        area += length * columns.width[hits[i].column];
        i += 2;
    }
    return area;
}

// Facets must be sorted by their low end. Each row is shifted against the last by the golden ratio of a width: a face
// that crosses an unshifted grid at 45 degrees would pass all rows at the same place between two rays.
double volume_on(const std::vector<double>& y_ends, const std::vector<double>& z_ends, int across,
                 const std::vector<Facet>& facets, double& longest) {
    const Ruler rows = make_ruler(z_ends, across, 0.5);
    std::vector<std::size_t> active;
    std::vector<Hit> hits;
    std::size_t next = 0;
    double volume = 0.0;
    for (std::size_t row = 0; row < rows.at.size(); ++row) {
        const double z = rows.at[row], turns = 0.5 + static_cast<double>(row) * (std::numbers::phi - 1);
        const Ruler columns = make_ruler(y_ends, across, turns - std::floor(turns));
        while (next < facets.size() && facets[next].low <= z) active.push_back(next++);
        std::erase_if(active, [&](std::size_t f) { return facets[f].high <= z; });
        hits.clear();
        for (const std::size_t f : active) cut(columns, facets[f], z, hits);
        volume += row_area(columns, hits, longest) * rows.width[row];
    }
    return volume;
}

}  // namespace

RayVolume xor_volume(const SkinShape& a, const SkinShape& b, int axis, int rays_across) {
    std::vector<Facet> facets;
    add_facets(a, axis, facets);
    const std::size_t of_a = facets.size();
    add_facets(b, axis, facets);
    const std::span<const Facet> all(facets);
    const Box box = bounds_of(all);
    if (facets.empty() || !(box.low.y < box.high.y)) return {};

    std::vector<double> ys, zs;
    add_grazing(all, box, ys, zs);
    for (const auto& part : {all.first(of_a), all.subspan(of_a)}) {
        if (part.empty()) continue;
        const Box own = bounds_of(part);
        ys.insert(ys.end(), {own.low.y, own.high.y});
        zs.insert(zs.end(), {own.low.z, own.high.z});
    }
    ys = panel_ends(std::move(ys), {box.low.y, box.high.y});
    zs = panel_ends(std::move(zs), {box.low.z, box.high.z});
    std::stable_sort(facets.begin(), facets.end(), [](const Facet& f, const Facet& g) { return f.low < g.low; });

    const double affordable = std::sqrt(kMaxHits / std::max(1.0, layers_of(all, box)));
    const int n = std::max(kFewestRays, std::min(rays_across, static_cast<int>(std::min(affordable, 1e4))));
    double values[3], longest = 0.0;
    for (int k = 0; k < 3; ++k) {
        const int across = n * (4 - k) / 4;  // n, 3n/4, n/2: grids that share few rays
        values[k] = volume_on(ys, zs, across, facets, longest);
    }
    // Three grids can agree by luck; a few rays more or less at the rim of the difference are always possible.
    const double one_ray = longest * ((box.high.y - box.low.y) / n) * ((box.high.z - box.low.z) / n);
    return {values[0], std::max({values[0], values[1], values[2]}) - std::min({values[0], values[1], values[2]}) +
                           kDoubtfulRays * one_ray};
}

}  // namespace limber
