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

/// Which box of edge `edge` a point is in; false where neighbouring boxes would have the same number.
bool box_number(const Vec3& point, double edge, Key& key) {
    bool fits = is_finite(point);
    for (int a = 0; a < 3 && fits; ++a) {
        const double k = std::floor(point[a] / edge);
        fits = std::abs(k) < 9e15;
        key[static_cast<std::size_t>(a)] = fits ? static_cast<std::int64_t>(k) : 0;
    }
    return fits;
}

/// Number by number: comparing the arrays as a whole calls a function each time, and this is sorted by.
bool earlier(const Entry& a, const Entry& b) {
    if (a.key[0] != b.key[0]) return a.key[0] < b.key[0];
    if (a.key[1] != b.key[1]) return a.key[1] < b.key[1];
    return a.key[2] != b.key[2] ? a.key[2] < b.key[2] : a.point < b.point;
}

std::vector<Entry> in_boxes(std::span<const Vec3> points, std::span<const std::int32_t> members, double edge) {
    std::vector<Entry> entries;
    for (const std::int32_t i : members)
        if (Key key{}; box_number(points[static_cast<std::size_t>(i)], edge, key)) entries.push_back({key, i});
    std::sort(entries.begin(), entries.end(), earlier);
    return entries;
}

/// Joins what shares a box so small that all in it are within reach, and gives the points that stand for the rest: all
/// of them, but of a crowd a few only. A cloud of distinct points within reach of each other would otherwise take the
/// square of their number.
std::vector<std::int32_t> thin_crowds(std::span<const Vec3> points, double reach, Joined& joined) {
    constexpr std::size_t kStandIns = 4;
    std::vector<std::int32_t> lone, out;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (joined.root(static_cast<std::int32_t>(i)) == static_cast<std::int32_t>(i))
            lone.push_back(static_cast<std::int32_t>(i));
    }  // of equal points the first
    const std::vector<Entry> entries = in_boxes(points, lone, 0.577 * reach);
    for (std::size_t i = 0, first = 0; i < entries.size(); ++i) {
        if (entries[i].key != entries[first].key) first = i;
        joined.join(entries[first].point, entries[i].point);
        if (i - first < kStandIns) out.push_back(entries[i].point);
    }
    return out;
}

/// Points in boxes of edge `reach`: those within reach are in the same box or one of the 26 around it.
void weld_near(std::span<const Vec3> points, double reach, Joined& joined) {
    const std::vector<Entry> entries = in_boxes(points, thin_crowds(points, reach, joined), reach);
    for (const Entry& e : entries) {
        for (std::int64_t dx = -1; dx <= 1; ++dx) {
            for (std::int64_t dy = -1; dy <= 1; ++dy) {
                // Three boxes in a row along z are neighbours in the sorted list.
                auto it = std::lower_bound(entries.begin(), entries.end(),
                                           Entry{{e.key[0] + dx, e.key[1] + dy, e.key[2] - 1}, -1}, earlier);
                for (; it != entries.end() && it->key[0] == e.key[0] + dx && it->key[1] == e.key[1] + dy &&
                       it->key[2] <= e.key[2] + 1;
                     ++it) {
                    if (it->point < e.point && joined.root(it->point) != joined.root(e.point) &&
                        norm2(points[static_cast<std::size_t>(it->point)] -
                              points[static_cast<std::size_t>(e.point)]) <= reach * reach) {
                        joined.join(it->point, e.point);
                    }
                }
            }
        }
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
