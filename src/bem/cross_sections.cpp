#include "bem/cross_sections.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

/// Second moments of the surface's area about the centroid: enough to know a body's own axes.
Mat3 spread_of(const BoundaryShape& surface, const Vec3& centroid) {
    Mat3 out;
    for (std::size_t f = 0; f < surface.facet_count(); ++f) {
        const auto at = [&](std::size_t k) {
            return surface.points[static_cast<std::size_t>(surface.facets[3 * f + k])] - centroid;
        };
        const double area = 0.5 * norm(cross(at(1) - at(0), at(2) - at(0)));
        const Vec3 middle = (at(0) + at(1) + at(2)) / 3.0;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) out(i, j) += area * middle[i] * middle[j];
    }
    return out;
}

/// Any unit vector across `up`: along the world axis that is most across it.
Vec3 across(const Vec3& up) {
    Vec3 axis;
    axis[std::abs(up.x) <= std::abs(up.z) + 1e-12 && std::abs(up.x) <= std::abs(up.y) + 1e-12
             ? 0
             : (std::abs(up.z) <= std::abs(up.y) ? 2 : 1)] = 1.0;
    const Vec3 v = axis - dot(axis, up) * up;
    return v / norm(v);
}

/// The direction across `up` along which the body is longest; any for a body that is round about `up`.
Vec3 own_axis(const Mat3& spread, const Vec3& up) {
    const Vec3 a = across(up), b = cross(a, up);
    const double aa = dot(a, spread * a), bb = dot(b, spread * b), ab = dot(a, spread * b);
    if (std::hypot(aa - bb, 2 * ab) < 1e-6 * (aa + bb)) return a;
    const double angle = 0.5 * std::atan2(2 * ab, aa - bb);
    return std::cos(angle) * a + std::sin(angle) * b;
}

struct Crossing {
    double at = 0.0;  ///< along the line
    std::array<std::int32_t, 2> node{};
    double share = 0.0;  ///< of the second node
};

/// Where the line through `at` parallel to `axis` meets the section, nearest on either side; a place outside takes the
/// nearer side for both.
std::array<Crossing, 2> crossings(const BoundaryShape& section, const Vec3& at, int axis) {
    const int other = 1 - axis;
    double low = 1e300, high = -1e300;
    for (const Vec3& p : section.points) {
        low = std::min(low, p[other]);
        high = std::max(high, p[other]);
    }
    const double level = std::clamp(at[other], low + 1e-9 * (high - low), high - 1e-9 * (high - low));
    Crossing before, after;
    bool has_before = false, has_after = false;
    for (std::size_t f = 0; f < section.facet_count(); ++f) {
        const std::int32_t i = section.facets[2 * f], j = section.facets[2 * f + 1];
        const Vec3 a = section.points[static_cast<std::size_t>(i)], b = section.points[static_cast<std::size_t>(j)];
        if ((a[other] < level) == (b[other] < level)) continue;
        const double share = (level - a[other]) / (b[other] - a[other]);
        const Crossing here{a[axis] + share * (b[axis] - a[axis]), {i, j}, share};
        if (here.at <= at[axis] && (!has_before || here.at > before.at)) {
            before = here;
            has_before = true;
        }
        if (here.at > at[axis] && (!has_after || here.at < after.at)) {
            after = here;
            has_after = true;
        }
    }
    if (!has_before) before = after;
    if (!has_after) after = before;
    return {before, after};
}

}  // namespace

SectionAxes section_axes(const BoundaryShape& surface, const Vec3& centroid, std::span<const Vec3> contacts,
                         double reach, const Vec3& fallback) {
    double size = 0.0;
    for (const Vec3& p : surface.points) size = std::max(size, norm(p - centroid));
    Vec3 mean = centroid;
    for (const Vec3& p : contacts) mean += (p - centroid) / static_cast<double>(contacts.size());
    SectionAxes axes;
    axes.origin = centroid;
    axes.up = norm(centroid - mean) > 1e-6 * size ? centroid - mean : fallback;
    axes.up = axes.up / norm(axes.up);
    const Vec3 first = own_axis(spread_of(surface, centroid), axes.up), second = cross(first, axes.up);
    std::array<std::size_t, 2> on{};
    std::array<double, 2> along{};
    for (const Vec3& p : contacts) {
        const double a = dot(p - mean, first), b = dot(p - mean, second);
        if (std::abs(b) <= reach) ++on[0];
        if (std::abs(a) <= reach) ++on[1];
        along[0] += a * a;
        along[1] += b * b;
    }
    const bool swap = on[0] != on[1] ? on[1] > on[0] : along[1] > along[0] * (1 + 1e-9);
    axes.side = swap ? second : first;
    axes.out = cross(axes.side, axes.up);
    return axes;
}

double CrossSections::Pull::of(std::span<const double> u) const noexcept {
    double sum = 0.0;
    for (std::size_t k = 0; k < 4; ++k) sum += weight[k] * u[static_cast<std::size_t>(entry[k])];
    return sum;
}

CrossSections::Pull CrossSections::pull(const BoundaryShape& section, const Vec3& at, int axis, double alpha) {
    const auto [b, c] = crossings(section, at, axis);
    // (18) by the ratio of distances, so that high powers neither overflow nor vanish: the nearer side has 1 / (1 +
    // (near / far)^alpha).
    const double r1 = std::abs(at[axis] - b.at), r2 = std::abs(c.at - at[axis]);
    const double near = std::min(r1, r2), far = std::max(r1, r2);
    const double nearer = far > 0.0 ? 1.0 / (1.0 + std::pow(near / far, alpha)) : 0.5;
    const double first = r1 <= r2 ? nearer : 1.0 - nearer;
    Pull out;
    for (std::size_t k = 0; k < 2; ++k) {
        const Crossing& side = k == 0 ? b : c;
        const double weight = k == 0 ? first : 1.0 - first;
        out.entry[2 * k] = 2 * side.node[0] + axis;
        out.entry[2 * k + 1] = 2 * side.node[1] + axis;
        out.weight[2 * k] = weight * (1.0 - side.share);
        out.weight[2 * k + 1] = weight * side.share;
    }
    return out;
}

CrossSections::CrossSections(const BoundaryShape& surface, const SectionAxes& axes, std::span<const Vec3> vertices,
                             const SectionSettings& settings)
    : axes_(axes), sections_{cut_section(surface, axes, false, settings), cut_section(surface, axes, true, settings)} {
    rows_.reserve(vertices.size());
    for (const Vec3& vertex : vertices) {
        const Vec3 p = axes.local(vertex), in_first{p.x, p.y, 0.0}, in_second{p.z, p.y, 0.0};
        Row row;
        row.side = pull(sections_[0], in_first, 0, settings.alpha);
        row.up_first = pull(sections_[0], in_first, 1, settings.alpha);
        row.out = pull(sections_[1], in_second, 0, settings.alpha);
        row.up_second = pull(sections_[1], in_second, 1, settings.alpha);
        const double around = p.x * p.x + p.z * p.z;
        row.first_share = around > 0.0 ? p.x * p.x / around : 0.5;
        rows_.push_back(row);
    }
}

void CrossSections::displacements(std::span<const double> u_first, std::span<const double> u_second,
                                  std::span<Vec3> out) const noexcept {
    for (std::size_t v = 0; v < rows_.size(); ++v) {
        const Row& row = rows_[v];
        const double up = row.first_share * row.up_first.of(u_first) +
                          (1.0 - row.first_share) * row.up_second.of(u_second);
        out[v] = axes_.world({row.side.of(u_first), up, row.out.of(u_second)});
    }
}

}  // namespace limber
