// The plane is cut into slabs at every corner and every crossing. Inside a slab edges keep their order, so the even-odd
// inside is a row of trapezoids. Their widths are differences of neighbouring edges: a sliver between two nearly equal
// outlines is never computed as the difference of two large areas.
#include "metrics/even_odd.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>

namespace limber {
namespace {

constexpr std::size_t kMaxCrossings = 200'000;  // beyond these two it is a jumble, not an outline
constexpr std::size_t kMaxSlabPieces = 4'000'000;
constexpr int kScanLines = 2048;

Real x_at(const Edge2& e, Real y) {
    if (y <= e.y0) return e.x0;
    if (y >= e.y1) return e.x1;
    return e.x0 + (e.x1 - e.x0) * ((y - e.y0) / (e.y1 - e.y0));
}

// Upward, sorted, without level edges (they bound no trapezoid's side) and without pairs of equal edges: most of two
// outlines that share clamped sides disappears here, exactly.
void make_canonical(std::vector<Edge2>& edges) {
    std::erase_if(edges, [](const Edge2& e) { return e.y0 == e.y1; });
    if (edges.empty()) return;
    Real low_x = edges.front().x0, low_y = edges.front().y0;
    for (Edge2& e : edges) {
        if (e.y0 > e.y1) {
            std::swap(e.x0, e.x1);
            std::swap(e.y0, e.y1);
        }
        low_x = std::min({low_x, e.x0, e.x1});
        low_y = std::min(low_y, e.y0);
    }
    // Far from the origin the digits would go into the distance instead of the width.
    for (Edge2& e : edges) {
        e.x0 -= low_x;
        e.x1 -= low_x;
        e.y0 -= low_y;
        e.y1 -= low_y;
    }
    std::erase_if(edges, [](const Edge2& e) { return e.y0 == e.y1; });  // the shift can level a very short one
    const auto key = [](const Edge2& e) { return std::tie(e.y0, e.x0, e.y1, e.x1); };
    std::sort(edges.begin(), edges.end(), [&](const Edge2& a, const Edge2& b) { return key(a) < key(b); });
    std::size_t kept = 0;
    for (const Edge2& e : edges) {
        if (kept > 0 && key(edges[kept - 1]) == key(e))
            --kept;
        else
            edges[kept++] = e;
    }
    edges.resize(kept);
}

// Heights at which two edges change order between their common ends. Missing one by rounding costs a sliver of
// rounding's width. False when there are too many.
bool add_crossings(const std::vector<Edge2>& edges, std::vector<Real>& heights) {
    std::vector<std::size_t> active;
    std::size_t count = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const Edge2& e = edges[i];
        std::erase_if(active, [&](std::size_t k) { return edges[k].y1 <= e.y0; });
        const auto [left, right] = std::minmax(e.x0, e.x1);
        for (const std::size_t k : active) {
            const Edge2& f = edges[k];
            if (std::max(f.x0, f.x1) < left || std::min(f.x0, f.x1) > right) continue;
            const Real top = std::min(e.y1, f.y1);
            const Real at_bottom = e.x0 - x_at(f, e.y0), at_top = x_at(e, top) - x_at(f, top);
            if (!((at_bottom < 0 && at_top > 0) || (at_bottom > 0 && at_top < 0))) continue;
            if (++count > kMaxCrossings) return false;
            heights.push_back(e.y0 + (top - e.y0) * (at_bottom / (at_bottom - at_top)));
        }
        active.push_back(i);
    }
    return true;
}

struct Span {
    Real bottom, top;  // x of one edge at the two ends of a slab
    Real sum() const { return bottom + top; }
};

Real slab_area(std::vector<Span>& spans, Real height) {
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return a.sum() != b.sum() ? a.sum() < b.sum() : a.bottom < b.bottom;
    });
    Real width = 0;
    for (std::size_t i = 0; i + 1 < spans.size(); i += 2)
        width += std::max<Real>(0, (spans[i + 1].bottom - spans[i].bottom) + (spans[i + 1].top - spans[i].top));
    return width * height / 2;
}

Real area_by_slabs(const std::vector<Edge2>& edges, const std::vector<Real>& heights) {
    std::vector<std::size_t> active;
    std::vector<Span> spans;
    Real area = 0;
    std::size_t next = 0;
    for (std::size_t k = 0; k + 1 < heights.size(); ++k) {
        const Real low = heights[k], high = heights[k + 1];
        std::erase_if(active, [&](std::size_t e) { return edges[e].y1 <= low; });
        while (next < edges.size() && edges[next].y0 <= low) active.push_back(next++);
        spans.clear();
        for (const std::size_t e : active) spans.push_back({x_at(edges[e], low), x_at(edges[e], high)});
        area += slab_area(spans, high - low);
    }
    return area;
}

// The fallback for a jumble: widths on evenly spaced lines; even and odd lines give two answers, their difference the
// error.
EvenOddArea area_by_lines(const std::vector<Edge2>& edges) {
    Real high = 0;
    for (const Edge2& e : edges) high = std::max(high, e.y1);
    Real sum[2] = {0, 0};
    std::vector<std::size_t> active;
    std::vector<Real> xs;
    std::size_t next = 0;
    for (int line = 0; line < kScanLines; ++line) {
        const Real y = high * (static_cast<Real>(line) + Real(0.5)) / kScanLines;
        while (next < edges.size() && edges[next].y0 <= y) active.push_back(next++);
        std::erase_if(active, [&](std::size_t e) { return edges[e].y1 <= y; });
        xs.clear();
        for (const std::size_t e : active) xs.push_back(x_at(edges[e], y));
        std::sort(xs.begin(), xs.end());
        for (std::size_t i = 0; i + 1 < xs.size(); i += 2) sum[line % 2] += xs[i + 1] - xs[i];
    }
    const Real step = high / kScanLines;
    return {(sum[0] + sum[1]) * step, std::abs(sum[0] - sum[1]) * step * 2};
}

std::size_t slab_pieces(const std::vector<Edge2>& edges, const std::vector<Real>& heights) {
    std::size_t pieces = 0;
    for (const Edge2& e : edges) {
        pieces += static_cast<std::size_t>(std::lower_bound(heights.begin(), heights.end(), e.y1) -
                                           std::lower_bound(heights.begin(), heights.end(), e.y0));
    }
    return pieces;
}

}  // namespace

EvenOddArea even_odd_area(std::vector<Edge2> edges) {
    make_canonical(edges);
    if (edges.empty()) return {};
    std::vector<Real> heights;
    heights.reserve(edges.size() * 3);
    for (const Edge2& e : edges) {
        heights.push_back(e.y0);
        heights.push_back(e.y1);
    }
    if (!add_crossings(edges, heights)) return area_by_lines(edges);
    std::sort(heights.begin(), heights.end());
    heights.erase(std::unique(heights.begin(), heights.end()), heights.end());
    if (slab_pieces(edges, heights) > kMaxSlabPieces) return area_by_lines(edges);
    return {area_by_slabs(edges, heights), 0};
}

}  // namespace limber
