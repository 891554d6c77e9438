#include "body/mass_centre.hpp"

#include "geometry/quadrature.hpp"
#include "geometry/shape.hpp"

namespace limber {

Vec3 centre_of_mass(const Body& body) {
    const Mesh& mesh = body.mesh();
    const int degree = mesh.kind == CellKind::tet10 ? 5 : 3;     // of x times det J in a curved cell
    Vec3 moment;
    double mass = 0.0;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        Vec3 x[kMaxCorners];
        gather_corners(mesh, c, x);
        for (const QuadraturePoint& q : quadrature(mesh.kind, degree)) {
            const double part = body.material_of(c).density * q.weight * determinant(cell_jacobian(mesh.kind, x, q.xi));
            moment += part * map_to_cell(mesh.kind, x, q.xi);
            mass += part;
        }
    }
    return moment / mass;
}

}  // namespace limber
