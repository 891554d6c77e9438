#include "body/mass_centre.hpp"

#include "geometry/quadrature.hpp"
#include "geometry/shape.hpp"
#include "geometry/tributary.hpp"

namespace limber {

Vec3 centre_of_mass(const Body& body) {
    const Mesh& mesh = body.mesh();
    const int degree = mesh.kind == CellKind::tet10 ? 5 : 3;  // of x times det J in a curved cell
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

std::vector<double> vertex_masses(const Body& body) {
    const Mesh& mesh = body.mesh();
    const double depth = mesh.dimension() == 2 ? body.thickness() : 1.0;
    std::vector<double> masses(mesh.vertices.size(), 0.0);
    const auto corners = static_cast<std::size_t>(corners_of(mesh.kind));
    for (std::size_t m = 0; m < body.materials().size(); ++m) {
        Mesh part;
        part.kind = mesh.kind;
        part.vertices = mesh.vertices;
        for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
            if (static_cast<std::size_t>(body.material_index(c)) == m)
                part.cells.insert(part.cells.end(), mesh.cell(c), mesh.cell(c) + corners);
        }
        const std::vector<double> share = tributary_measure(part);
        for (std::size_t i = 0; i < masses.size(); ++i) masses[i] += share[i] * depth * body.materials()[m].density;
    }
    return masses;
}

}  // namespace limber
