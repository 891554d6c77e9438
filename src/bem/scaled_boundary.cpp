// Scaled coordinates, and the polynomial fields that carry body forces to the boundary.
#include "bem/plane_rows.hpp"

#include <algorithm>

namespace limber {

ScaledBoundary scaled_boundary(const BoundarySystem& system) {
    ScaledBoundary scaled;
    scaled.centre = {system.origin.x, system.origin.y};
    double farthest = 0.0;
    for (const Vec3& p : system.shape.points) farthest = std::max(farthest, norm(p - system.origin));
    scaled.scale = 2 * farthest;
    for (std::size_t f = 0; f < system.shape.facet_count(); ++f) {
        const Complex start = scaled.coordinates(
            system.shape.points[static_cast<std::size_t>(system.shape.facets[2 * f])]);
        const Complex end = scaled.coordinates(
            system.shape.points[static_cast<std::size_t>(system.shape.facets[2 * f + 1])]);
        const double length = std::abs(end - start);
        scaled.edges.push_back({start, (end - start) / length, length});
    }
    for (const Vec3& node : system.nodes) scaled.nodes.push_back(scaled.coordinates(node));
    return scaled;
}

std::array<PlaneBodyField, kPlaneBodyColumns> plane_body_fields(double nu) {
    // Shear fields carry no pressure. The stretching ones have (lambda + 2 mu) u'' = -x; 1 / (lambda + 2 mu) = (1 - 2
    // nu) / (2 - 2 nu).
    const double soft = (1 - 2 * nu) / (2 - 2 * nu), side = nu / (1 - nu);
    return {{{0, 1, 2, -0.5, 0, 0},
             {1, 0, 2, -0.5, 0, 0},
             {0, 0, 3, -soft / 6, -0.5, -0.5 * side},
             {0, 1, 3, -1.0 / 6, 0, 0},
             {1, 0, 3, -1.0 / 6, 0, 0},
             {1, 1, 3, -soft / 6, -0.5, -0.5 * side}}};
}

namespace {

double coordinate_of(const Complex& at, int axis) { return axis == 0 ? at.real() : at.imag(); }
Complex along_axis(int axis, double value) { return axis == 0 ? Complex{value, 0.0} : Complex{0.0, value}; }

/// Coefficients of (a + xi b)^power.
std::array<double, 4> expanded(double a, double b, int power) {
    std::array<double, 4> c{1, 0, 0, 0};
    for (int p = 0; p < power; ++p)
        for (std::size_t m = 4; m-- > 0;) c[m] = a * c[m] + (m > 0 ? b * c[m - 1] : 0.0);
    return c;
}

}  // namespace

Complex PlaneBodyField::displacement(const Complex& at) const {
    return along_axis(component, k * std::pow(coordinate_of(at, coordinate), power));
}

std::array<Complex, 4> PlaneBodyField::displacement_along(const PlaneEdge& edge) const {
    const double a = coordinate_of(edge.start, coordinate), b = coordinate_of(edge.direction, coordinate) * edge.length;
    const std::array<double, 4> c = expanded(a, b, power);
    std::array<Complex, 4> out;
    for (std::size_t m = 0; m < 4; ++m) out[m] = along_axis(component, k * c[m]);
    return out;
}

/// Traction on the edge's outward normal per x^(power - 1).
Complex PlaneBodyField::traction_factor(const PlaneEdge& edge) const {
    const Complex n = edge.direction * Complex{0.0, -1.0};
    if (component != coordinate) return {k * power * n.imag(), k * power * n.real()};
    return component == 0 ? Complex{stretch * n.real(), across * n.imag()}
                          : Complex{across * n.real(), stretch * n.imag()};
}

std::array<Complex, 4> PlaneBodyField::traction_along(const PlaneEdge& edge) const {
    const double a = coordinate_of(edge.start, coordinate), b = coordinate_of(edge.direction, coordinate) * edge.length;
    const std::array<double, 4> c = expanded(a, b, power - 1);
    const Complex factor = traction_factor(edge);
    std::array<Complex, 4> out;
    for (std::size_t m = 0; m < 4; ++m) out[m] = c[m] * factor;
    return out;
}

std::array<Complex, 4> PlaneBodyField::displacement_beyond(const PlaneEdge& edge, const Complex& about) const {
    const double x = coordinate_of(about, coordinate), slope = k * power * std::pow(x, power - 1);
    std::array<Complex, 4> out = displacement_along(edge);
    out[0] -= displacement(about) + along_axis(component, slope * (coordinate_of(edge.start, coordinate) - x));
    out[1] -= along_axis(component, slope * coordinate_of(edge.direction, coordinate) * edge.length);
    return out;
}

std::array<Complex, 4> PlaneBodyField::traction_beyond(const PlaneEdge& edge, const Complex& about) const {
    std::array<Complex, 4> out = traction_along(edge);
    out[0] -= std::pow(coordinate_of(about, coordinate), power - 1) * traction_factor(edge);
    return out;
}

}  // namespace limber
