#include "geometry/orient.hpp"

#include "geometry/orient_gaps.hpp"
#include "geometry/triangle_tree.hpp"
#include "geometry/winding.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

// A closed surface's area vectors cancel; beyond this share of the area it is a scrap, and its volume says nothing.
constexpr double kOpen = 0.3;
constexpr int kVotes = 24;
constexpr std::size_t kSideSamples = 8;
constexpr double kSideReach = 0.35,
                 kLeastReach = 1.5;  // of the patch's size, of a triangle's: nearer its neighbours say little
constexpr int kRounds = 3;
constexpr double kClearSides = 0.25;  // least difference of winding that is believed
constexpr std::size_t kMostHosts = 64;
constexpr std::size_t kMostWork =
    15'000'000;  // triangles looked at to judge scraps: thousands that overlap would take their square

struct PatchSum {
    double area = 0.0, turned_area = 0.0;  // [m^2]
    Vec3 area_vector, centroid;
    double volume = 0.0;  // about the patch's own centroid [m^3]
    bool closed_enough() const { return encloses(area, area_vector); }
};

void turn(std::array<std::int32_t, 3>& corners) { std::swap(corners[1], corners[2]); }

/// Which triangles must be turned for neighbours to agree, starting from each patch's first. Counts the edges that
/// cannot.
std::vector<char> agree(const Triangles& triangles, const SurfaceEdges& edges, std::size_t& one_sided) {
    std::vector<std::array<std::int32_t, 3>> across(triangles.size(),
                                                    {-1, -1, -1});  // edge number of each side, if shared by two
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (edges.users(e) == 2) {
            for (std::size_t k = 0; k < 2; ++k) {
                across[static_cast<std::size_t>(edges.use(e, k).triangle)]
                      [static_cast<std::size_t>(edges.use(e, k).side)] = static_cast<std::int32_t>(e);
            }
        }
    }
    std::vector<char> turned(triangles.size(), -1);
    std::vector<std::int32_t> queue;
    std::size_t conflicts = 0;
    for (std::size_t seed = 0; seed < triangles.size(); ++seed) {
        if (turned[seed] >= 0) continue;
        turned[seed] = 0;
        queue.assign(1, static_cast<std::int32_t>(seed));
        for (std::size_t at = 0; at < queue.size(); ++at) {
            const auto t = static_cast<std::size_t>(queue[at]);
            for (const std::int32_t e : across[t]) {
                if (e < 0) continue;
                const EdgeUse &a = edges.use(static_cast<std::size_t>(e), 0),
                              &b = edges.use(static_cast<std::size_t>(e), 1);
                const std::int32_t other = a.triangle == queue[at] ? b.triangle : a.triangle;
                const char wanted = static_cast<char>(turned[t] ^ (a.forward == b.forward ? 1 : 0));
                char& is = turned[static_cast<std::size_t>(other)];
                if (is < 0) {
                    is = wanted;
                    queue.push_back(other);
                } else if (is != wanted) {
                    ++conflicts;
                }
            }
        }
    }
    one_sided = conflicts / 2;  // each such edge is met from both sides
    return turned;
}

std::vector<PatchSum> sum_patches(const Triangles& triangles, const Patches& patches) {
    std::vector<PatchSum> sums(static_cast<std::size_t>(patches.count));
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        PatchSum& s = sums[static_cast<std::size_t>(patches.of_triangle[t])];
        const Vec3 a = triangles.area_vector(t);
        s.area += norm(a);
        s.area_vector += a;
        s.centroid += norm(a) * triangles.centroid(t);
    }
    for (PatchSum& s : sums)
        if (s.area > 0.0) s.centroid = s.centroid / s.area;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        PatchSum& s = sums[static_cast<std::size_t>(patches.of_triangle[t])];
        s.volume += dot(triangles.centroid(t) - s.centroid, triangles.area_vector(t)) / 3.0;
    }
    return sums;
}

/// Directions that no mesh is aligned with, from a low-discrepancy spiral.
Vec3 spiral(int k) {
    const double z = 1.0 - (2.0 * k + 1.0) / kVotes, r = std::sqrt(std::max(0.0, 1.0 - z * z)),
                 angle = 2.399963229728653 * k + 0.7;
    return {r * std::cos(angle), r * std::sin(angle), z};
}

/// Positive: the front is outside. Rays leave from the middles of the patch's largest triangles, to either side.
int outside_by_rays(const Triangles& triangles, const TriangleTree& tree, const std::vector<std::int32_t>& members,
                    std::size_t& work) {
    int votes = 0;
    for (int k = 0; k < kVotes; ++k) {
        const std::int32_t t = members[static_cast<std::size_t>(k) % members.size()];
        const Vec3 from = triangles.centroid(static_cast<std::size_t>(t)), direction = spiral(k);
        const double front = dot(direction, triangles.area_vector(static_cast<std::size_t>(t)));
        const bool even = tree.crossings(from, direction, t, &work) % 2 == 0;
        votes += (front > 0.0) == even ? 1 : -1;
    }
    return votes;
}

/// How much more the rest of the surface, as it was given, winds around what is behind a patch than around what is in
/// front of it, a way off that goes with the patch's size. Where shells overlap this still tells, as parity does not:
/// within another shell a ray from outside passes the surface once more. The least of several places; 0 where they
/// contradict each other.
double given_sides(const Triangles& triangles, const WindingNumber& given, const std::vector<std::int32_t>& patch,
                   const std::vector<std::int32_t>& largest, double area, std::size_t& work) {
    const auto others = [&](const Vec3& at) {
        double own = 0.0;
        for (const std::int32_t m : patch) {
            own += solid_angle(at, triangles.at(static_cast<std::size_t>(m), 0),
                               triangles.at(static_cast<std::size_t>(m), 1),
                               triangles.at(static_cast<std::size_t>(m), 2));
        }
        work += patch.size();
        return given.at(at, &work) - own / (4.0 * std::numbers::pi);
    };
    double least = 0.0;
    const std::size_t count = std::min<std::size_t>(largest.size(), kSideSamples);
    for (std::size_t k = 0; k < count; ++k) {
        const auto t = static_cast<std::size_t>(largest[k * largest.size() / count]);
        const Vec3 normal = triangles.area_vector(t);
        const double reach = std::max(kSideReach * std::sqrt(area), kLeastReach * std::sqrt(norm(normal)));
        const Vec3 off = (reach / norm(normal)) * normal;
        const double sides = others(triangles.centroid(t) - off) - others(triangles.centroid(t) + off);
        if (k > 0 && sides * least <= 0.0) return 0.0;
        if (k == 0 || std::abs(sides) < std::abs(least)) least = sides;
    }
    return least;
}

std::vector<std::vector<std::int32_t>> members_of(const Triangles& triangles, const Patches& patches) {
    std::vector<std::vector<std::int32_t>> members(static_cast<std::size_t>(patches.count));
    for (std::size_t t = 0; t < triangles.size(); ++t)
        members[static_cast<std::size_t>(patches.of_triangle[t])].push_back(static_cast<std::int32_t>(t));
    return members;
}

std::vector<std::vector<std::int32_t>> largest_members(const Triangles& triangles,
                                                       std::vector<std::vector<std::int32_t>> members) {
    for (auto& list : members) {
        const auto larger = [&](std::int32_t a, std::int32_t b) {
            const double x = norm2(triangles.area_vector(static_cast<std::size_t>(a))),
                         y = norm2(triangles.area_vector(static_cast<std::size_t>(b)));
            return x != y ? x > y : a < b;
        };
        const std::size_t keep = std::min<std::size_t>(list.size(), kVotes);
        std::partial_sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(keep), list.end(), larger);
        list.resize(keep);
    }
    return members;
}

/// The triangles of one patch on vertices of their own.
Triangles patch_of(const Triangles& triangles, const Patches& patches, std::int32_t patch,
                   std::vector<std::int32_t>& number) {
    Triangles out;
    std::vector<std::int32_t> used;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        if (patches.of_triangle[t] != patch) continue;
        std::array<std::int32_t, 3> corners{};
        for (std::size_t k = 0; k < 3; ++k) {
            std::int32_t& n = number[static_cast<std::size_t>(triangles.corners[t][k])];
            if (n < 0) {
                n = static_cast<std::int32_t>(out.vertices.size());
                out.vertices.push_back(triangles.at(t, static_cast<int>(k)));
                used.push_back(triangles.corners[t][k]);
            }
            corners[k] = n;
        }
        out.corners.push_back(corners);
    }
    for (const std::int32_t v : used) number[static_cast<std::size_t>(v)] = -1;
    return out;
}

/// Whether a point lies within the patches that enclose a volume, each taken by itself and either way round. Only the
/// largest few are asked: a crumb cannot hold a piece that matters, and asking thousands would take their square.
class Enclosures {
public:
    Enclosures(const Triangles& triangles, const Patches& patches, const std::vector<PatchSum>& sums) {
        std::vector<std::int32_t> order;
        for (std::size_t p = 0; p < sums.size(); ++p)
            if (sums[p].closed_enough()) order.push_back(static_cast<std::int32_t>(p));
        const auto larger = [&](std::int32_t a, std::int32_t b) {
            const double x = std::abs(sums[static_cast<std::size_t>(a)].volume),
                         y = std::abs(sums[static_cast<std::size_t>(b)].volume);
            return x != y ? x > y : a < b;
        };
        std::sort(order.begin(), order.end(), larger);
        if (order.size() > kMostHosts) order.resize(kMostHosts);
        std::vector<std::int32_t> number(triangles.vertices.size(), -1);
        for (const std::int32_t p : order)
            hosts_.emplace_back(p, WindingNumber(patch_of(triangles, patches, p, number)));
    }
    bool holds(const Vec3& point, std::int32_t but) const {
        return std::any_of(hosts_.begin(), hosts_.end(), [&](const auto& host) {
            return host.first != but && std::abs(host.second.at(point)) > 0.5;
        });
    }

private:
    std::vector<std::pair<std::int32_t, WindingNumber>> hosts_;
};

void turn_patches(Triangles& triangles, const Patches& patches, const std::vector<char>& wrong) {
    for (std::size_t t = 0; t < triangles.size(); ++t)
        if (wrong[static_cast<std::size_t>(patches.of_triangle[t])]) turn(triangles.corners[t]);
}

/// Pieces that enclose nothing, turned where they are wrong; how many. Several rounds: what one turned makes the next
/// one's sides clearer. The largest are judged first; what is beyond the bound on work stays as given.
std::size_t orient_open_patches(Triangles& triangles, const Patches& patches, const TriangleTree& tree,
                                const std::vector<std::vector<std::int32_t>>& all,
                                const std::vector<std::vector<std::int32_t>>& largest,
                                const std::vector<PatchSum>& sums, std::size_t& unjudged) {
    std::vector<std::size_t> scraps;
    for (std::size_t p = 0; p < sums.size(); ++p)
        if (!sums[p].closed_enough()) scraps.push_back(p);
    std::stable_sort(scraps.begin(), scraps.end(),
                     [&](std::size_t a, std::size_t b) { return sums[a].area > sums[b].area; });
    std::vector<char> turned(sums.size(), 0);
    std::size_t work = 0, judged = scraps.size();
    for (int round = 0; round < kRounds && !scraps.empty() && work < kMostWork; ++round) {
        const WindingNumber given(triangles);
        const double upright = enclosed_volume(triangles) < 0.0
                                   ? -1.0
                                   : 1.0;  // a surface that is inside out as a whole says so
        std::vector<char> wrong(sums.size(), 0);
        for (std::size_t i = 0; i < scraps.size(); ++i) {
            const std::size_t p = scraps[i];
            if (work > kMostWork) {
                if (round == 0) judged = i;
                break;
            }
            const double sides = upright * given_sides(triangles, given, all[p], largest[p], sums[p].area, work);
            wrong[p] = std::abs(sides) > kClearSides ? sides < 0.0
                                                     : outside_by_rays(triangles, tree, largest[p], work) < 0;
            turned[p] = static_cast<char>(turned[p] ^ wrong[p]);
        }
        turn_patches(triangles, patches, wrong);
    }
    unjudged = scraps.size() - judged;
    return static_cast<std::size_t>(std::count(turned.begin(), turned.end(), 1));
}

}  // namespace

bool encloses(double area, const Vec3& area_vector) { return norm(area_vector) < kOpen * area; }

OrientReport orient(Triangles& triangles) {
    OrientReport report;
    const std::vector<std::array<std::int32_t, 3>> before = triangles.corners;
    const SurfaceEdges edges = surface_edges(triangles);
    std::vector<char> turned = agree(triangles, edges, report.one_sided);
    const Patches patches = join_across_gaps(triangles, edges, find_patches(triangles, edges), turned);
    report.patches = static_cast<std::size_t>(patches.count);
    std::vector<double> area(report.patches, 0.0), turned_area(report.patches, 0.0);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto p = static_cast<std::size_t>(patches.of_triangle[t]);
        area[p] += norm(triangles.area_vector(t));
        if (turned[t]) turned_area[p] += norm(triangles.area_vector(t));
    }
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto p = static_cast<std::size_t>(patches.of_triangle[t]);
        if ((turned[t] != 0) == (turned_area[p] > 0.5 * area[p])) continue;
        turn(triangles.corners[t]);
        ++report.disagreeing;
    }

    const std::vector<PatchSum> sums = sum_patches(triangles, patches);
    const std::vector<std::vector<std::int32_t>> all = members_of(triangles, patches),
                                                 members = largest_members(triangles, all);
    const Enclosures enclosures(triangles, patches, sums);
    const TriangleTree tree(triangles);
    std::vector<char> wrong(report.patches, 0);
    for (std::size_t p = 0; p < report.patches; ++p) {
        if (!sums[p].closed_enough()) continue;
        const Vec3 on = triangles.centroid(static_cast<std::size_t>(members[p].front()));
        wrong[p] = sums[p].volume < 0.0 && !enclosures.holds(on, static_cast<std::int32_t>(p));
    }
    turn_patches(triangles, patches, wrong);
    report.turned_patches = static_cast<std::size_t>(std::count(wrong.begin(), wrong.end(), 1));
    report.turned_patches += orient_open_patches(triangles, patches, tree, all, members, sums, report.unjudged);
    for (std::size_t t = 0; t < triangles.size(); ++t)
        if (before[t] != triangles.corners[t]) ++report.flipped;
    return report;
}

}  // namespace limber
