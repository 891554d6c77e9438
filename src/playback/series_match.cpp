#include "playback/series_match.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace limber {

namespace {
using Key = std::array<std::int64_t, 3>;

// Points in cubes of four tolerances, sorted by cube: what is within one tolerance lies in the 27 cubes around.
class Cubes {
public:
    Cubes(std::span<const Vec3> points, const Vec3& low, const Vec3& high, double tolerance)
        : points_(points), low_(low), side_(4 * tolerance) {
        for (std::size_t p = 0; p < points.size(); ++p) {
            // Far points can belong to no vertex, and their cubes could not be numbered.
            bool near = true;
            for (int c = 0; c < 3; ++c)
                near = near && points[p][c] >= low[c] - tolerance && points[p][c] <= high[c] + tolerance;
            if (near) entries_.emplace_back(key(points[p]), static_cast<std::int32_t>(p));
        }
        std::sort(entries_.begin(), entries_.end());
    }

    template <class Use>
    void around(const Vec3& at, Use&& use) const {
        const Key middle = key(at);
        for (std::int64_t i = -1; i <= 1; ++i) {
            for (std::int64_t j = -1; j <= 1; ++j) {
                // Cubes that differ only in the last number lie next to each other.
                const Key first{middle[0] + i, middle[1] + j, middle[2] - 1},
                    last{middle[0] + i, middle[1] + j, middle[2] + 1};
                auto e = std::lower_bound(entries_.begin(), entries_.end(),
                                          std::pair{first, std::numeric_limits<std::int32_t>::min()});
                for (; e != entries_.end() && e->first <= last; ++e)
                    use(e->second, norm(points_[static_cast<std::size_t>(e->second)] - at));
            }
        }
    }

private:
    Key key(const Vec3& p) const {
        Key k{};
        for (int c = 0; c < 3; ++c)
            k[static_cast<std::size_t>(c)] = static_cast<std::int64_t>(std::floor((p[c] - low_[c]) / side_));
        return k;
    }
    std::span<const Vec3> points_;
    Vec3 low_;
    double side_;
    std::vector<std::pair<Key, std::int32_t>> entries_;
};

// Looked for one by one: only to name the worst, and only as many as take a moment.
void find_worst(std::span<const Vec3> vertices, std::span<const Vec3> points, RestMatch& out) {
    const std::size_t most = std::max<std::size_t>(1,
                                                   std::size_t{50'000'000} / std::max<std::size_t>(points.size(), 1));
    for (std::size_t v = 0; v < vertices.size() && out.looked_at < most; ++v) {
        if (out.point[v] >= 0) continue;
        ++out.looked_at;
        double nearest = std::numeric_limits<double>::infinity();
        for (const Vec3& p : points) nearest = std::min(nearest, norm2(p - vertices[v]));
        if (std::sqrt(nearest) > out.worst.distance) out.worst = {std::sqrt(nearest), v};
    }
}
}  // namespace

RestGap gap_by_index(std::span<const Vec3> vertices, std::span<const Vec3> points) {
    RestGap gap;
    for (std::size_t v = 0; v < vertices.size(); ++v)
        if (const double d = norm(points[v] - vertices[v]); d > gap.distance) gap = {d, v};
    return gap;
}

RestMatch match_by_rest(std::span<const Vec3> vertices, std::span<const Vec3> points, double tolerance) {
    RestMatch out;
    out.point.assign(vertices.size(), -1);
    if (vertices.empty()) return out;
    Vec3 low = vertices[0], high = vertices[0];
    for (const Vec3& v : vertices) {
        for (int c = 0; c < 3; ++c) {
            low[c] = std::min(low[c], v[c]);
            high[c] = std::max(high[c], v[c]);
        }
    }
    const Cubes cubes(points, low, high, tolerance);
    std::vector<bool> used(points.size(), false);
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        std::vector<std::pair<double, std::int32_t>> near;
        cubes.around(vertices[v], [&](std::int32_t p, double d) {
            if (d <= tolerance) near.emplace_back(d, p);
        });
        if (near.empty()) {
            ++out.missing;
            continue;
        }
        std::sort(near.begin(), near.end());
        out.point[v] = near.front().second;
        for (std::size_t i = 0; i < near.size(); ++i) {
            used[static_cast<std::size_t>(near[i].second)] = true;
            if (i > 0) out.also.emplace_back(static_cast<std::int32_t>(v), near[i].second);
        }
    }
    out.unused = static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
    if (out.missing > 0) find_worst(vertices, points, out);
    return out;
}

}  // namespace limber
