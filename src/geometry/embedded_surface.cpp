#include <limber/embedding.hpp>

#include "core/parallel.hpp"
#include "core/text.hpp"
#include "geometry/embedding.hpp"
#include "geometry/shape.hpp"

#include <limber/error.hpp>

#include <algorithm>

namespace limber {

namespace {
constexpr std::size_t kPointBlock = 1024;

/// Adds to the weights what carries the field from `near`, a point of the cell, to `point`: N(near) + dN/dx (point -
/// near).
void extrapolate(CellKind kind, const Vec3* x, const Vec3& xi, const Vec3& point, double* weight) {
    const Mat3 jacobian = cell_jacobian(kind, x, xi);
    const double scale = std::max({norm(x[1] - x[0]), norm(x[2] - x[0]), norm(x[2] - x[1])});
    // A flat cell has no slope to follow: its points move with the nearest point.
    if (!(std::abs(determinant(jacobian)) > 1e-9 * scale * scale * (dimension_of(kind) == 3 ? scale : 1.0))) return;
    Vec3 offset = point - map_to_cell(kind, x, xi);
    if (dimension_of(kind) == 2) offset.z = 0.0;
    const Vec3 along = inverse(jacobian) * offset;  // the offset in reference coordinates
    Vec3 slope[kMaxCorners];
    shape_gradients(kind, xi, slope);
    for (int a = 0; a < corners_of(kind); ++a) weight[a] += dot(slope[a], along);
}
}  // namespace

double cell_size_of(const Mesh& mesh) {
    double sum = 0.0;
    const int n = std::min(corners_of(mesh.kind), 8);
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        Vec3 x[kMaxCorners];
        gather_corners(mesh, c, x);
        double largest = 0.0;
        for (int a = 0; a < n; ++a)
            for (int b = a + 1; b < n; ++b) largest = std::max(largest, norm(x[a] - x[b]));
        sum += largest;
    }
    return mesh.cell_count() > 0 ? sum / static_cast<double>(mesh.cell_count()) : 0.0;
}

EmbeddedSurface::EmbeddedSurface(std::span<const Vec3> points, const Mesh& mesh, const EmbeddingSettings& settings)
    : rest_(points.begin(), points.end()), corners_(static_cast<std::size_t>(corners_of(mesh.kind))) {
    for (std::size_t p = 0; p < rest_.size(); ++p) {
        if (!is_finite(rest_[p]))
            throw Error(Fault::bad_mesh, {}, text("point ", p, " is not finite"), "finite coordinates");
    }
    bind(mesh);
    limit_ = settings.limit > 0.0 ? settings.limit : cell_size_of(mesh);
    for (std::size_t p = 0; p < rest_.size(); ++p) {
        outside_ += distance_[p] > 0.0 ? 1 : 0;
        beyond_ += distance_[p] > limit_ ? 1 : 0;
        if (distance_[p] > farthest_) {
            farthest_ = distance_[p];
            farthest_point_ = p;
        }
    }
    distance_ = {};
}

void EmbeddedSurface::bind(const Mesh& mesh) {
    const PointLocator locator(mesh);
    vertex_.resize(rest_.size() * corners_);
    weight_.resize(rest_.size() * corners_);
    distance_.resize(rest_.size());
    parallel_blocks(rest_.size(), kPointBlock, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        for (std::size_t p = begin; p < end; ++p) {
            const Location at = locator.locate(rest_[p]);
            distance_[p] = at.inside ? 0.0 : at.distance;
            if (at.cell < 0) continue;  // beyond 1e150 m: stays where it is
            const auto cell = static_cast<std::size_t>(at.cell);
            double* weight = weight_.data() + p * corners_;
            std::copy_n(at.weights.begin(), corners_, weight);
            std::copy_n(mesh.cell(cell), corners_, vertex_.begin() + static_cast<std::ptrdiff_t>(p * corners_));
            if (at.inside) continue;
            Vec3 x[kMaxCorners];
            gather_corners(mesh, cell, x);
            if (mesh.dimension() == 2)
                for (std::size_t a = 0; a < corners_; ++a) x[a].z = 0.0;
            extrapolate(mesh.kind, x, at.xi, rest_[p], weight);
        }
    });
}

void EmbeddedSurface::displacements(std::span<const Vec3> body, std::span<Vec3> out) const noexcept {
    parallel_blocks(rest_.size(), 4 * kPointBlock, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        for (std::size_t p = begin; p < end; ++p) {
            Vec3 u;
            for (std::size_t i = p * corners_; i < (p + 1) * corners_; ++i)
                u += weight_[i] * body[static_cast<std::size_t>(vertex_[i])];
            out[p] = u;
        }
    });
}

void EmbeddedSurface::positions(std::span<const Vec3> body, std::span<Vec3> out) const noexcept {
    displacements(body, out);
    for (std::size_t p = 0; p < rest_.size(); ++p) out[p] += rest_[p];
}

std::string EmbeddedSurface::warning() const {
    if (beyond_ == 0) return {};
    return text(beyond_, " of ", counted(rest_.size(), "point"), " lie more than ", fmt::format("{:.3g}", limit_),
                " m outside the solid, point ", farthest_point_, " farthest with ", fmt::format("{:.3g}", farthest_),
                " m: they follow the nearest cell, and may swing");
}

}  // namespace limber
