// Displacement and stress of a solved static problem at any point: inside by integral rows, on the boundary from its
// facet.
#include "bem/inner_rows.hpp"
#include "bem/rigid_modes.hpp"

#include "core/text.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace limber {

namespace {

/// A place on the boundary: a facet and the weights of its corners.
struct OnFacet {
    std::size_t facet = 0;
    std::array<double, 3> weight{};
    std::array<Vec3, 3> corner{};
    double distance = 0.0;
};

OnFacet nearest_on(const BoundarySystem& system, std::size_t facet, const Vec3& point) {
    const auto d = static_cast<std::size_t>(system.dimension());
    OnFacet out;
    out.facet = facet;
    for (std::size_t k = 0; k < d; ++k)
        out.corner[k] = system.shape.points[static_cast<std::size_t>(system.shape.facets[d * facet + k])];
    const Vec3 a = out.corner[0], ab = out.corner[1] - a, r = point - a;
    if (d == 2) {
        out.weight[1] = std::clamp(dot(r, ab) / norm2(ab), 0.0, 1.0);
    } else {  // only places on the facet count, so plain barycentric coordinates do
        const Vec3 ac = out.corner[2] - a, n = cross(ab, ac);
        out.weight[1] = std::clamp(dot(cross(r, ac), n) / norm2(n), 0.0, 1.0);
        out.weight[2] = std::clamp(dot(cross(ab, r), n) / norm2(n), 0.0, 1.0 - out.weight[1]);
    }
    out.weight[0] = 1 - out.weight[1] - out.weight[2];
    Vec3 foot;
    for (std::size_t k = 0; k < d; ++k) foot += out.weight[k] * out.corner[k];
    out.distance = norm(point - foot);
    return out;
}

/// The facet that holds the point; false when it is off the boundary by more than 1e-9 of the body's size.
bool find_on_boundary(const BoundarySystem& system, const Vec3& point, OnFacet& out) {
    out.distance = 1e-9 * boundary_radius(system);
    bool found = false;
    for (std::size_t f = 0; f < system.shape.facet_count(); ++f) {
        const OnFacet there = nearest_on(system, f, point);
        if (there.distance > out.distance || (found && there.distance == out.distance)) continue;
        out = there;
        found = true;
    }
    return found;
}

/// One closed loop (surface) around the point and no cavity that holds it: the winding number by angles is 1.
bool winds_around(const BoundaryShape& shape, const Vec3& point) {
    const auto d = static_cast<std::size_t>(shape.dimension);
    double sum = 0.0;
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        std::array<Vec3, 3> r{};
        for (std::size_t k = 0; k < d; ++k)
            r[k] = shape.points[static_cast<std::size_t>(shape.facets[d * f + k])] - point;
        if (d == 2)
            sum += std::atan2(cross(r[0], r[1]).z, dot(r[0], r[1])) / (2 * std::numbers::pi);
        else {
            const double a = norm(r[0]), b = norm(r[1]), c = norm(r[2]);
            sum += std::atan2(dot(r[0], cross(r[1], r[2])),
                              a * b * c + dot(r[0], r[1]) * c + dot(r[1], r[2]) * a + dot(r[2], r[0]) * b) /
                   (2 * std::numbers::pi);
        }
    }
    return sum > 0.5;
}

Vec3 values_at(const std::vector<double>& values, std::int32_t index, std::size_t d) {
    Vec3 out;
    for (std::size_t c = 0; c < d; ++c) out[static_cast<int>(c)] = values[d * static_cast<std::size_t>(index) + c];
    return out;
}

Vec3 displacement_on(const BoundarySystem& system, const StaticSolution& solution, const OnFacet& at) {
    const auto d = static_cast<std::size_t>(system.dimension());
    if (system.elements == BoundaryElements::constant)
        return values_at(solution.displacement, static_cast<std::int32_t>(at.facet), d);
    Vec3 out;
    for (std::size_t k = 0; k < d; ++k)
        out += at.weight[k] * values_at(solution.displacement, system.shape.facets[d * at.facet + k], d);
    return out;
}

Mat3 outer(const Vec3& a, const Vec3& b) {
    Mat3 out;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out(i, j) = a[i] * b[j];
    return out;
}

/// Derivative of the displacement within the facet: row = component.
Mat3 surface_gradient(const BoundarySystem& system, const StaticSolution& solution, const OnFacet& at, Vec3& normal) {
    const auto d = static_cast<std::size_t>(system.dimension());
    std::array<Vec3, 3> u{};
    for (std::size_t k = 0; k < d; ++k)
        u[k] = values_at(solution.displacement, system.shape.facets[d * at.facet + k], d);
    const Vec3 ab = at.corner[1] - at.corner[0];
    const Vec3 ac = d == 2 ? Vec3{0, 0, 1}
                           : at.corner[2] - at.corner[0];  // a depth of one makes the plane a case of space
    const Vec3 n = cross(ab, ac);
    normal = n / norm(n);
    // Dual vectors: derivative along them gives u's differences along ab and ac.
    const Vec3 dual_b = cross(ac, n) / norm2(n), dual_c = cross(n, ab) / norm2(n);
    Mat3 out = outer(u[1] - u[0], dual_b);
    const Mat3 second = outer(d == 2 ? Vec3{} : u[2] - u[0], dual_c);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out(i, j) += second(i, j);
    return out;
}

/// The stress with this traction on `n` and these derivatives along the facet. Written so that it stays finite for nu
/// -> 1/2.
SymMat3 stress_on(const BoundaryMaterial& material, const Mat3& along, const Vec3& n, const Vec3& t) {
    const double trace = along(0, 0) + along(1, 1) + along(2, 2), ratio = material.poisson / (1 - material.poisson);
    const double pressure = ratio * (dot(t, n) + 2 * material.shear * trace);  // lambda times the dilation
    const double soft = (1 - 2 * material.poisson) / (2 * material.shear * (1 - material.poisson));
    const double across = soft * dot(t, n) - ratio * trace;  // n . du/dn
    const Vec3 outward = (t - pressure * n) / material.shear - transpose(along) * n - across * n;
    const Mat3 rest = outer(outward, n);
    const auto stress = [&](int i, int j) {
        return (i == j ? pressure : 0.0) + material.shear * (along(i, j) + along(j, i) + rest(i, j) + rest(j, i));
    };
    return {stress(0, 0), stress(1, 1), stress(2, 2), stress(0, 1), stress(1, 2), stress(2, 0)};
}

double times_row(const DenseMatrix& a, std::size_t row, const std::vector<double>& x) {
    double sum = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += a(row, j) * x[j];
    return sum;
}

double row_value(const InnerRows& rows, std::size_t row, const StaticSolution& s) {
    return times_row(rows.g, row, s.traction) - times_row(rows.h, row, s.displacement) +
           times_row(rows.body, row, s.body_force);
}

}  // namespace

bool is_outside(const BoundarySystem& system, const Vec3& point) {
    OnFacet at;
    return !find_on_boundary(system, point, at) && !winds_around(system.shape, point);
}

InnerRows displacement_rows(const BoundarySystem& system, const Vec3& point) {
    return system.dimension() == 2 ? plane_displacement_rows(system, point) : space_displacement_rows(system, point);
}

InnerRows stress_rows(const BoundarySystem& system, const Vec3& point) {
    return system.dimension() == 2 ? plane_stress_rows(system, point) : space_stress_rows(system, point);
}

Vec3 displacement_at(const BoundarySystem& system, const StaticSolution& solution, const Vec3& point) {
    OnFacet at;
    if (find_on_boundary(system, point, at)) return displacement_on(system, solution, at);
    const InnerRows rows = displacement_rows(system, point);
    Vec3 out;
    for (std::size_t c = 0; c < rows.h.rows; ++c) out[static_cast<int>(c)] = row_value(rows, c, solution);
    const double size = boundary_radius(system);
    for (std::size_t m = 0; m < solution.misfit.size(); ++m)
        out += solution.misfit[m] * rigid_mode(system.dimension(), m, point - system.origin, size);
    return out;
}

SymMat3 stress_at(const BoundarySystem& system, const StaticSolution& solution, const Vec3& point) {
    const auto d = static_cast<std::size_t>(system.dimension());
    OnFacet at;
    if (find_on_boundary(system, point, at)) {
        if (system.elements == BoundaryElements::constant) {
            throw Error(Fault::unsupported, {},
                        text("stress at a point on the boundary, (", point.x, ", ", point.y, ")"),
                        "linear elements, or a point inside");
        }
        Vec3 normal, traction;
        const Mat3 along = surface_gradient(system, solution, at, normal);
        for (std::size_t k = 0; k < d; ++k)
            traction += at.weight[k] * values_at(solution.traction, system.facet_slots[d * at.facet + k], d);
        return stress_on(system.material, along, normal, traction);
    }
    const InnerRows rows = stress_rows(system, point);
    std::array<double, 6> s{};
    for (std::size_t i = 0; i < rows.h.rows; ++i) s[i] = row_value(rows, i, solution);
    if (d == 3) return {s[0], s[1], s[2], s[3], s[4], s[5]};
    return {s[0], s[1], system.material.poisson * (s[0] + s[1]), s[2], 0.0, 0.0};
}

}  // namespace limber
