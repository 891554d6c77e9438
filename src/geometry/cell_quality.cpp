#include "geometry/cell_quality.hpp"

#include "geometry/quadrature.hpp"
#include "geometry/shape.hpp"

#include <algorithm>

namespace limber {

double least_determinant(CellKind kind, const Vec3* x) {
    double least = determinant(cell_jacobian(kind, x, reference_node(kind, 0)));
    if (kind == CellKind::tri3 || kind == CellKind::tet4) return least;  // constant
    for (int a = 1; a < corners_of(kind); ++a)
        least = std::min(least, determinant(cell_jacobian(kind, x, reference_node(kind, a))));
    for (const QuadraturePoint& q : quadrature(kind, 5))
        least = std::min(least, determinant(cell_jacobian(kind, x, q.xi)));
    return least;
}

double cell_size(CellKind kind, const Vec3* x) {
    double largest = 0.0;
    for (int a = 1; a < corners_of(kind); ++a) largest = std::max(largest, norm2(x[a] - x[0]));
    return std::sqrt(largest);
}

}  // namespace limber
