#include "fem/element.hpp"

#include "geometry/quadrature.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

// Only the first `dofs` entries of each row mean anything: small cells should not pay for the largest one's zeros.
struct BMatrix {
    std::array<std::array<double, kMaxElementDofs>, 6> row;
};

void plain_b(const Vec3* g, int corners, int dim, BMatrix& b) {
    for (auto& row : b.row) std::fill_n(row.begin(), corners * dim, 0.0);
    for (int a = 0; a < corners; ++a) {
        const auto at = [&](int strain, int axis) -> double& {
            return b.row[static_cast<std::size_t>(strain)][static_cast<std::size_t>(a * dim + axis)];
        };
        at(0, 0) = g[a].x;
        at(1, 1) = g[a].y;
        at(3, 0) = g[a].y;
        at(3, 1) = g[a].x;
        if (dim == 3) {
            at(2, 2) = g[a].z;
            at(4, 1) = g[a].z;
            at(4, 2) = g[a].y;
            at(5, 0) = g[a].z;
            at(5, 2) = g[a].x;
        }
    }
}

// strain -= (div - mean div) / 3 on each normal component, zz included also in the plane.
void use_mean_dilatation(const Vec3* g, const double* mean, int corners, int dim, BMatrix& b) {
    for (int a = 0; a < corners; ++a)
        for (int axis = 0; axis < dim; ++axis) {
            const auto j = static_cast<std::size_t>(a * dim + axis);
            const double shift = (mean[j] - g[a][axis]) / 3.0;
            for (std::size_t s = 0; s < 3; ++s) b.row[s][j] += shift;
        }
}

void add_btdb(const BMatrix& b, const ElasticityMatrix& d, int strains, int dofs, double weight, double* k) {
    std::array<std::array<double, kMaxElementDofs>, 6> db;
    for (std::size_t s = 0; s < static_cast<std::size_t>(strains); ++s) {
        std::fill_n(db[s].begin(), dofs, 0.0);
        for (std::size_t t = 0; t < static_cast<std::size_t>(strains); ++t) {
            const double dst = d[s][t];
            if (dst == 0.0) continue;
            for (std::size_t j = 0; j < static_cast<std::size_t>(dofs); ++j) db[s][j] += dst * b.row[t][j];
        }
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(dofs); ++i)
        for (std::size_t s = 0; s < static_cast<std::size_t>(strains); ++s) {
            const double w = weight * b.row[s][i];
            if (w == 0.0) continue;
            for (std::size_t j = 0; j < static_cast<std::size_t>(dofs); ++j) k[i * static_cast<std::size_t>(dofs) + j] += w * db[s][j];
        }
}

// Exact for straight cells: stiffness of tet10 has degree 2, its mass degree 4.
int stiffness_degree(CellKind kind) {
    switch (kind) {
        case CellKind::tri3: case CellKind::tet4: return 1;
        case CellKind::tet10: return 2;
        default: return 3;   // 2 points per axis
    }
}
int mass_degree(CellKind kind) {
    switch (kind) {
        case CellKind::tri3: case CellKind::tet4: return 2;
        case CellKind::tet10: return 4;
        default: return 3;
    }
}

void remove_volumetric(ElasticityMatrix& d, double bulk) {
    for (std::size_t s = 0; s < 3; ++s)
        for (std::size_t t = 0; t < 3; ++t) d[s][t] -= bulk;
}

void add_mass(const Body& body, std::size_t cell, ElementMatrices& out) {
    const Mesh& mesh = body.mesh();
    const int corners = corners_of(mesh.kind);
    const auto n = static_cast<std::size_t>(corners);
    const double depth = mesh.dimension() == 2 ? body.thickness() : 1.0;
    const double density = body.material_of(cell).density;
    std::array<double, kMaxCorners> shape{};
    std::array<Vec3, kMaxCorners> g{};
    for (const QuadraturePoint& q : quadrature(mesh.kind, mass_degree(mesh.kind))) {
        const double w = q.weight * physical_gradients(mesh, cell, q.xi, g.data()) * depth;
        shape_values(mesh.kind, q.xi, shape.data());
        for (std::size_t a = 0; a < n; ++a) {
            out.volume[a] += w * shape[a];
            for (std::size_t b = 0; b < n; ++b) out.mass[a * n + b] += density * w * shape[a] * shape[b];
        }
    }
}

// Picinbono et al.: a force at each vertex along the normal of the opposite face, against the change of the cell's volume.
// For a tetrahedron dV/dx_i *is* that normal (times area/3), so its linear form is p V (mean div)^2 / 2.
void add_volume_penalty(double penalty, ElementMatrices& out) {
    const auto n = static_cast<std::size_t>(out.dofs);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            out.stiffness[i * n + j] += penalty * out.measure * out.dilatation[i] * out.dilatation[j];
}

}  // namespace

ElasticityMatrix elasticity_matrix(const Material& m, int dimension, Plane plane) {
    ElasticityMatrix d{};
    const double g = m.shear();
    if (dimension == 2 && plane == Plane::stress) {
        const double c = m.young / (1 - m.poisson * m.poisson);
        d[0][0] = d[1][1] = c;
        d[0][1] = d[1][0] = c * m.poisson;
        d[3][3] = g;
        return d;
    }
    const double lambda = m.lame_lambda();
    for (std::size_t s = 0; s < 3; ++s) {
        for (std::size_t t = 0; t < 3; ++t) d[s][t] = lambda;
        d[s][s] += 2 * g;
        d[s + 3][s + 3] = g;
    }
    return d;
}

double physical_gradients(const Mesh& mesh, std::size_t cell, const Vec3& xi, Vec3* gradients) {
    const int corners = corners_of(mesh.kind);
    std::array<Vec3, kMaxCorners> dn{}, x{};
    shape_gradients(mesh.kind, xi, dn.data());
    gather_corners(mesh, cell, x.data());
    const Mat3 jacobian = cell_jacobian(mesh.kind, x.data(), xi);
    const Mat3 back = transpose(inverse(jacobian));
    for (int a = 0; a < corners; ++a) gradients[a] = back * dn[static_cast<std::size_t>(a)];
    return determinant(jacobian);
}

double mean_dilatation(const Body& body, std::size_t cell, double* dilatation) {
    const Mesh& mesh = body.mesh();
    const int dim = mesh.dimension(), corners = corners_of(mesh.kind);
    const double depth = dim == 2 ? body.thickness() : 1.0;
    std::array<Vec3, kMaxCorners> g{};
    std::fill_n(dilatation, corners * dim, 0.0);
    double measure = 0.0;
    for (const QuadraturePoint& q : quadrature(mesh.kind, stiffness_degree(mesh.kind))) {
        const double w = q.weight * physical_gradients(mesh, cell, q.xi, g.data()) * depth;
        measure += w;
        for (int a = 0; a < corners; ++a)
            for (int axis = 0; axis < dim; ++axis) dilatation[a * dim + axis] += w * g[static_cast<std::size_t>(a)][axis];
    }
    for (int i = 0; i < corners * dim; ++i) dilatation[i] /= measure;
    return measure;
}

void element_matrices(const Body& body, std::size_t cell, const ElementSettings& settings, ElementMatrices& out) {
    const Mesh& mesh = body.mesh();
    const int dim = mesh.dimension();
    const int corners = corners_of(mesh.kind);
    const double depth = dim == 2 ? body.thickness() : 1.0;
    out.dofs = corners * dim;
    std::fill_n(out.stiffness.begin(), out.dofs * out.dofs, 0.0);
    std::fill_n(out.mass.begin(), corners * corners, 0.0);
    std::fill_n(out.volume.begin(), corners, 0.0);
    out.measure = mean_dilatation(body, cell, out.dilatation.data());
    const auto points = quadrature(mesh.kind, stiffness_degree(mesh.kind));
    std::array<Vec3, kMaxCorners> g{};

    ElasticityMatrix d = elasticity_matrix(body.material_of(cell), dim, body.plane());
    if (settings.deviatoric_only) remove_volumetric(d, body.material_of(cell).bulk());
    BMatrix b;
    for (const QuadraturePoint& q : points) {
        const double w = q.weight * physical_gradients(mesh, cell, q.xi, g.data()) * depth;
        plain_b(g.data(), corners, dim, b);
        if (settings.integration == Integration::bbar) use_mean_dilatation(g.data(), out.dilatation.data(), corners, dim, b);
        add_btdb(b, d, dim == 2 ? 4 : 6, out.dofs, w, out.stiffness.data());
    }
    add_mass(body, cell, out);
    if (settings.volume_penalty > 0.0) add_volume_penalty(settings.volume_penalty, out);
}

}  // namespace limber
