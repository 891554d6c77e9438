// Cutting a closed triangle surface by a plane, and the nodes of the cut.
#include "bem/cross_sections.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace limber {

namespace {

using Loop = std::vector<Vec3>;  // x, y in the section

/// A triangle's piece of the cut: from the crossing of one surface edge to that of another.
struct CutPiece {
    std::pair<std::int32_t, std::int32_t> from, to;  // surface edges, lower point first
};

/// Points on the plane count as above it, so every triangle is cut in none or two of its edges and pieces always close.
std::vector<CutPiece> pieces_of(const BoundaryShape& surface, const std::vector<double>& height) {
    std::vector<CutPiece> out;
    for (std::size_t f = 0; f < surface.facet_count(); ++f) {
        CutPiece piece;
        int crossings = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t a = surface.facets[3 * f + k], b = surface.facets[3 * f + (k + 1) % 3];
            const bool below_a = height[static_cast<std::size_t>(a)] < 0.0,
                       below_b = height[static_cast<std::size_t>(b)] < 0.0;
            if (below_a == below_b) continue;
            (below_a ? piece.from : piece.to) = {std::min(a, b), std::max(a, b)};
            ++crossings;
        }
        if (crossings == 2) out.push_back(piece);
    }
    std::sort(out.begin(), out.end(), [](const CutPiece& a, const CutPiece& b) { return a.from < b.from; });
    return out;
}

/// Follows pieces end to start. On a closed manifold each edge starts one piece and ends one.
std::vector<Loop> loops_of(const std::vector<CutPiece>& pieces, const std::vector<Vec3>& local,
                           const std::vector<double>& height) {
    std::vector<std::uint8_t> used(pieces.size(), 0);
    std::vector<Loop> out;
    for (std::size_t first = 0; first < pieces.size(); ++first) {
        if (used[first]) continue;
        Loop loop;
        for (std::size_t at = first; at < pieces.size() && !used[at];) {
            used[at] = 1;
            const auto [a, b] = pieces[at].from;
            const double ha = height[static_cast<std::size_t>(a)], hb = height[static_cast<std::size_t>(b)];
            const Vec3 p = local[static_cast<std::size_t>(a)] +
                           (ha / (ha - hb)) * (local[static_cast<std::size_t>(b)] - local[static_cast<std::size_t>(a)]);
            loop.push_back({p.x, p.y, 0.0});
            const auto next = std::lower_bound(
                pieces.begin(), pieces.end(), pieces[at].to,
                [](const CutPiece& piece, const auto& edge) { return piece.from < edge; });
            at = static_cast<std::size_t>(next - pieces.begin());
        }
        out.push_back(std::move(loop));
    }
    return out;
}

double area_of(const Loop& loop) {
    double twice = 0.0;
    for (std::size_t i = 0; i < loop.size(); ++i) twice += cross(loop[i], loop[(i + 1) % loop.size()]).z;
    return twice / 2;
}

Loop without_repeats(const Loop& loop) {
    double size = 0.0;
    for (const Vec3& p : loop) size = std::max(size, norm(p - loop[0]));
    Loop out;
    for (const Vec3& p : loop)
        if (out.empty() || norm(p - out.back()) > 1e-9 * size) out.push_back(p);
    while (out.size() > 1 && norm(out.front() - out.back()) <= 1e-9 * size) out.pop_back();
    return out;
}

std::vector<std::size_t> corners_of_loop(const Loop& loop, double degrees) {
    std::vector<std::size_t> out;
    const double least_cosine = std::cos(degrees * std::numbers::pi / 180);
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const Vec3 a = loop[i] - loop[(i + loop.size() - 1) % loop.size()], b = loop[(i + 1) % loop.size()] - loop[i];
        if (dot(a, b) < least_cosine * norm(a) * norm(b)) out.push_back(i);
    }
    return out;
}

/// A loop without corners starts where it crosses the axis below: a vertex is put there.
void start_lowest(Loop& loop) {
    std::size_t best = 0;
    double lowest = 1e300;
    Vec3 there = loop[0];
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const Vec3 a = loop[i], b = loop[(i + 1) % loop.size()];
        if ((a.x < 0.0) == (b.x < 0.0)) continue;
        const Vec3 p = a + (a.x / (a.x - b.x)) * (b - a);
        if (p.y >= lowest) continue;
        lowest = p.y;
        best = i + 1;
        there = p;
    }
    std::rotate(loop.begin(), loop.begin() + static_cast<std::ptrdiff_t>(best % loop.size()), loop.end());
    if (lowest < 1e300 && norm(loop[0] - there) > 0.0) loop.insert(loop.begin(), there);
}

/// `count` places at equal steps along loop[from] .. loop[to], the first at loop[from], none at loop[to]; `to` may run
/// past the end.
void space_evenly(const Loop& loop, std::size_t from, std::size_t to, std::size_t count, Loop& out) {
    std::vector<double> along{0.0};
    for (std::size_t i = from; i < to; ++i)
        along.push_back(along.back() + norm(loop[(i + 1) % loop.size()] - loop[i % loop.size()]));
    std::size_t piece = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const double at = along.back() * static_cast<double>(k) / static_cast<double>(count);
        while (piece + 2 < along.size() && along[piece + 1] <= at) ++piece;
        const Vec3 a = loop[(from + piece) % loop.size()], b = loop[(from + piece + 1) % loop.size()];
        out.push_back(a + ((at - along[piece]) / (along[piece + 1] - along[piece])) * (b - a));
    }
}

double run_length(const Loop& loop, std::size_t from, std::size_t to) {
    double sum = 0.0;
    for (std::size_t i = from; i < to; ++i) sum += norm(loop[(i + 1) % loop.size()] - loop[i % loop.size()]);
    return sum;
}

/// Nodes for each run between corners: at least one, then one at a time to the run with the longest edges.
std::vector<std::size_t> shares_of(const std::vector<double>& lengths, std::size_t nodes) {
    std::vector<std::size_t> out(lengths.size(), 1);
    for (std::size_t given = lengths.size(); given < nodes; ++given) {
        std::size_t longest = 0;
        for (std::size_t r = 1; r < lengths.size(); ++r) {
            if (lengths[r] / static_cast<double>(out[r]) >
                lengths[longest] / static_cast<double>(out[longest]) * (1 + 1e-9)) {
                longest = r;
            }
        }
        ++out[longest];
    }
    return out;
}

Loop with_nodes(Loop loop, const SectionSettings& settings) {
    const auto nodes = static_cast<std::size_t>(settings.nodes);
    std::vector<std::size_t> corners = corners_of_loop(loop, settings.corner_degrees);
    if (corners.size() > nodes / 2)
        corners.clear();  // the cut is coarser than its nodes: nothing smooth to tell corners from
    Loop out;
    if (corners.empty()) {
        start_lowest(loop);
        space_evenly(loop, 0, loop.size(), nodes, out);
        return out;
    }
    std::vector<double> lengths;
    const auto end_of = [&](std::size_t r) {
        return r + 1 < corners.size() ? corners[r + 1] : corners[0] + loop.size();
    };
    for (std::size_t r = 0; r < corners.size(); ++r) lengths.push_back(run_length(loop, corners[r], end_of(r)));
    const std::vector<std::size_t> shares = shares_of(lengths, nodes);
    for (std::size_t r = 0; r < corners.size(); ++r) space_evenly(loop, corners[r], end_of(r), shares[r], out);
    return out;
}

}  // namespace

BoundaryShape cut_section(const BoundaryShape& surface, const SectionAxes& axes, bool second,
                          const SectionSettings& settings) {
    if (surface.dimension != 3 || settings.nodes < 3) {
        throw Error(Fault::unsupported, {},
                    text("a section of ", settings.nodes, " nodes through a body in ",
                         surface.dimension == 3 ? "space" : "the plane"),
                    "3 nodes or more, in space");
    }
    std::vector<Vec3> local;
    std::vector<double> height;
    for (const Vec3& p : surface.points) {
        const Vec3 v = axes.local(p);
        local.push_back(second ? Vec3{v.z, v.y, 0.0} : Vec3{v.x, v.y, 0.0});
        height.push_back(second ? v.x : v.z);
    }
    Loop widest;
    double area = 0.0;
    for (const Loop& loop : loops_of(pieces_of(surface, height), local, height)) {
        if (std::abs(area_of(loop)) <= std::abs(area)) continue;
        area = area_of(loop);
        widest = loop;
    }
    widest = without_repeats(widest);
    if (widest.size() < 3)
        throw Error(Fault::unsupported, {}, "a section plane that misses the body's surface", "one through its inside");
    if (area < 0.0) std::reverse(widest.begin(), widest.end());
    BoundaryShape out;
    out.dimension = 2;
    out.points = with_nodes(widest, settings);
    const auto n = static_cast<std::int32_t>(out.points.size());
    for (std::int32_t i = 0; i < n; ++i) {
        out.facets.insert(out.facets.end(), {i, (i + 1) % n});
        out.vertex.push_back(i);
    }
    return out;
}

}  // namespace limber
