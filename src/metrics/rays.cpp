// A triangle is cut first by the plane of a row of rays, then by the ray. Both cuts are half open (an end at the cut
// counts as below), and a shared edge is cut by the same arithmetic from either side, so every ray enters as often as it leaves.
#include "metrics/rays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr double kMaxHits = 4e6;      // per grid
constexpr int kFewestRays = 16;

struct Point {
    double x, y, z;   // x along the ray, rows at constant z, columns at constant y
};

struct Facet {
    Point p[3];
    double low, high;   // z range
};

struct Grid {
    double y_low, y_step, z_low, z_step;
    int n;
    double y(int column) const { return y_low + (column + 0.5) * y_step; }
    double z(int row) const { return z_low + (row + 0.5) * z_step; }
};

struct Hit {
    int column;
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
        if (f.low < f.high) out.push_back(f);
    }
}

struct Box {
    double y_low = std::numeric_limits<double>::max(), y_high = std::numeric_limits<double>::lowest();
    double z_low = y_low, z_high = y_high;
};

Box bounds_of(const std::vector<Facet>& facets) {
    Box box;
    for (const Facet& f : facets)
        for (const Point& p : f.p) {
            box.y_low = std::min(box.y_low, p.y);
            box.y_high = std::max(box.y_high, p.y);
            box.z_low = std::min(box.z_low, p.z);
            box.z_high = std::max(box.z_high, p.z);
        }
    return box;
}

// How many times the facets' projections cover the box; a sane body about four times.
double layers_of(const std::vector<Facet>& facets, const Box& box) {
    double area = 0.0;
    for (const Facet& f : facets)
        area += std::abs((f.p[1].y - f.p[0].y) * (f.p[2].z - f.p[0].z) - (f.p[2].y - f.p[0].y) * (f.p[1].z - f.p[0].z)) / 2;
    return area / ((box.y_high - box.y_low) * (box.z_high - box.z_low));
}

// The columns that a cut facet's segment spans.
void add_hits(const Grid& grid, Point from, Point to, std::vector<Hit>& hits) {
    if (from.y > to.y) std::swap(from, to);
    const auto column_of = [&](double y) { return std::clamp((y - grid.y_low) / grid.y_step - 0.5, -2.0, grid.n + 1.0); };
    const int first = std::max(0, static_cast<int>(std::floor(column_of(from.y))) - 1);
    const int last = std::min(grid.n - 1, static_cast<int>(std::ceil(column_of(to.y))) + 1);
    for (int c = first; c <= last; ++c) {
        const double y = grid.y(c);
        if (from.y <= y && y < to.y) hits.push_back({c, from.x + (to.x - from.x) * ((y - from.y) / (to.y - from.y))});
    }
}

void cut(const Grid& grid, const Facet& f, double z, std::vector<Hit>& hits) {
    Point ends[2];
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        Point a = f.p[k], b = f.p[(k + 1) % 3];
        if ((a.z <= z) == (b.z <= z)) continue;
        if (a.z > b.z) std::swap(a, b);
        const double s = (z - a.z) / (b.z - a.z);
        ends[count++] = {a.x + (b.x - a.x) * s, a.y + (b.y - a.y) * s, z};
    }
    if (count == 2) add_hits(grid, ends[0], ends[1], hits);
}

// Sum over the row's rays of the length inside exactly one shape.
double row_length(std::vector<Hit>& hits) {
    std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.column != b.column ? a.column < b.column : a.x < b.x; });
    double length = 0.0;
    for (std::size_t i = 0; i + 1 < hits.size();) {
        // An unpaired hit (an open surface) must not shift the pairing of the rays after it.
        if (hits[i].column != hits[i + 1].column) { ++i; continue; }
        length += hits[i + 1].x - hits[i].x;
        i += 2;
    }
    return length;
}

// Facets must be sorted by their low end.
double volume_on(const Grid& grid, const std::vector<Facet>& facets) {
    std::vector<std::size_t> active;
    std::vector<Hit> hits;
    std::size_t next = 0;
    double length = 0.0;
    for (int row = 0; row < grid.n; ++row) {
        const double z = grid.z(row);
        while (next < facets.size() && facets[next].low <= z) active.push_back(next++);
        std::erase_if(active, [&](std::size_t f) { return facets[f].high <= z; });
        hits.clear();
        for (const std::size_t f : active) cut(grid, facets[f], z, hits);
        length += row_length(hits);
    }
    return length * grid.y_step * grid.z_step;
}

}  // namespace

RayVolume xor_volume(const SkinShape& a, const SkinShape& b, int axis, int rays_across) {
    std::vector<Facet> facets;
    add_facets(a, axis, facets);
    add_facets(b, axis, facets);
    const Box box = bounds_of(facets);
    if (facets.empty() || !(box.y_low < box.y_high)) return {};
    std::stable_sort(facets.begin(), facets.end(), [](const Facet& f, const Facet& g) { return f.low < g.low; });

    const double affordable = std::sqrt(kMaxHits / std::max(1.0, layers_of(facets, box)));
    const int n = std::max(kFewestRays, std::min(rays_across, static_cast<int>(std::min(affordable, 1e4))));
    double values[3];
    for (int k = 0; k < 3; ++k) {
        const int across = n * (4 - k) / 4;   // n, 3n/4, n/2: grids that share no rays
        const Grid grid{box.y_low, (box.y_high - box.y_low) / across, box.z_low, (box.z_high - box.z_low) / across, across};
        values[k] = volume_on(grid, facets);
    }
    return {values[0], std::max({values[0], values[1], values[2]}) - std::min({values[0], values[1], values[2]})};
}

}  // namespace limber
