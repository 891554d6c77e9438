#include "geometry/weld.hpp"

#include "core/joined.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {
namespace {

using Key = std::array<std::int64_t, 3>;

struct Entry {
    Key key;
    std::int32_t point;
};

void weld_equal(std::span<const Vec3> points, Joined& joined) {
    std::vector<std::int32_t> order;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (is_finite(points[i])) order.push_back(static_cast<std::int32_t>(i));
    const auto at = [&](std::int32_t i) -> const Vec3& { return points[static_cast<std::size_t>(i)]; };
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        const Vec3 &p = at(a), &q = at(b);
        return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : p.z != q.z ? p.z < q.z : a < b;
    });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (at(order[i - 1]) == at(order[i])) joined.join(order[i - 1], order[i]);
}

/// Points in boxes of edge `reach`: those within reach are in the same box or one of the 26 around it.
void weld_near(std::span<const Vec3> points, double reach, Joined& joined) {
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < points.size(); ++i) {
        Key key{};
        bool fits = is_finite(points[i]);
        for (int a = 0; a < 3 && fits; ++a) {
            const double k = std::floor(points[i][a] / reach);
            fits = std::abs(k) < 9e15;      // beyond that neighbouring boxes have the same number
            key[static_cast<std::size_t>(a)] = fits ? static_cast<std::int64_t>(k) : 0;
        }
        if (fits) entries.push_back({key, static_cast<std::int32_t>(i)});
    }
    const auto before = [](const Entry& a, const Entry& b) { return a.key != b.key ? a.key < b.key : a.point < b.point; };
    std::sort(entries.begin(), entries.end(), before);
    for (const Entry& e : entries)
        for (std::int64_t dx = -1; dx <= 1; ++dx)
            for (std::int64_t dy = -1; dy <= 1; ++dy) {
                // Three boxes in a row along z are neighbours in the sorted list.
                auto it = std::lower_bound(entries.begin(), entries.end(), Entry{{e.key[0] + dx, e.key[1] + dy, e.key[2] - 1}, -1}, before);
                for (; it != entries.end() && it->key[0] == e.key[0] + dx && it->key[1] == e.key[1] + dy && it->key[2] <= e.key[2] + 1; ++it)
                    if (it->point < e.point && joined.root(it->point) != joined.root(e.point) &&
                        norm2(points[static_cast<std::size_t>(it->point)] - points[static_cast<std::size_t>(e.point)]) <= reach * reach)
                        joined.join(it->point, e.point);
            }
}

}  // namespace

std::vector<std::int32_t> weld(std::span<const Vec3> points, double reach) {
    Joined joined(points.size());
    weld_equal(points, joined);
    if (reach > 0.0) weld_near(points, reach, joined);
    std::vector<std::int32_t> out(points.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = joined.root(static_cast<std::int32_t>(i));
    return out;
}

}  // namespace limber
