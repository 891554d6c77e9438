// For an isotropic material the 3x3 block of corners a and b is, at each point of the rule,
//
//   lambda g_a g_b^T + mu g_b g_a^T + mu (g_a . g_b) I        (g: gradient of the shape function)
//
// which is B^T D B without its zeros. Mean dilatation (B-bar) leaves the deviator as it is and takes the volume change
// from the cell's mean m: lambda becomes lambda - kappa = -2/3 mu here, and kappa V m m^T is added once.
#include "fem/element.hpp"

#include "fem/cell_gradients.hpp"
#include "geometry/quadrature.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

// Exact for straight cells: stiffness of tet10 has degree 2, its mass degree 4.
int stiffness_degree(CellKind kind) {
    switch (kind) {
        case CellKind::tri3:
        case CellKind::tet4: return 1;
        case CellKind::tet10: return 2;
        default: return 3;  // 2 points per axis
    }
}
int mass_degree(CellKind kind) {
    switch (kind) {
        case CellKind::tri3:
        case CellKind::tet4: return 2;
        case CellKind::tet10: return 4;
        default: return 3;
    }
}

// Shape functions at the points of one rule: the same for every cell of a kind.
struct RulePoint {
    double weight = 0.0;
    std::array<double, kMaxCorners> n{};
    std::array<Vec3, kMaxCorners> dn{};
};
using Rule = std::vector<RulePoint>;

Rule make_rule(CellKind kind, int degree) {
    Rule rule;
    for (const QuadraturePoint& q : quadrature(kind, degree)) {
        RulePoint p;
        p.weight = q.weight;
        shape_values(kind, q.xi, p.n.data());
        shape_gradients(kind, q.xi, p.dn.data());
        rule.push_back(p);
    }
    return rule;
}

std::array<Rule, 5> make_rules(int (*degree)(CellKind)) {
    std::array<Rule, 5> rules;
    for (const CellKind kind : {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8})
        rules[static_cast<std::size_t>(kind)] = make_rule(kind, degree(kind));
    return rules;
}

const Rule& stiffness_rule(CellKind kind) {
    static const std::array<Rule, 5> rules = make_rules(stiffness_degree);
    return rules[static_cast<std::size_t>(kind)];
}
const Rule& mass_rule(CellKind kind) {
    static const std::array<Rule, 5> rules = make_rules(mass_degree);
    return rules[static_cast<std::size_t>(kind)];
}

// One cell: its corners, and what the rules make of them.
struct Cell {
    Cell(const Body& body, std::size_t number)
        : kind(body.mesh().kind),
          corners(corners_of(kind)),
          dim(dimension_of(kind)),
          depth(dim == 2 ? body.thickness() : 1.0) {
        gather_corners(body.mesh(), number, x.data());
    }
    Mat3 jacobian(const RulePoint& p) const {
        Mat3 j;
        for (int a = 0; a < corners; ++a) {
            const Vec3 &at = x[static_cast<std::size_t>(a)], &dn = p.dn[static_cast<std::size_t>(a)];
            for (int r = 0; r < dim; ++r)
                for (int c = 0; c < dim; ++c) j(r, c) += at[r] * dn[c];
        }
        if (dim == 2) j(2, 2) = 1.0;
        return j;
    }
    /// The gradients by rest position; returns the point's share of the volume [m^3].
    double gradients(const RulePoint& p, Vec3* g) const {
        const Mat3 j = jacobian(p), back = transpose(inverse(j));
        for (int a = 0; a < corners; ++a) g[a] = back * p.dn[static_cast<std::size_t>(a)];
        return p.weight * determinant(j) * depth;
    }

    CellKind kind;
    int corners, dim;
    double depth;
    std::array<Vec3, kMaxCorners> x{};
};

// Gradients and volume shares at every point of the stiffness rule, and the mean dilatation they give.
struct Gradients {
    Gradients(const Cell& cell, double* dilatation) : points(stiffness_rule(cell.kind).size()) {
        std::fill_n(dilatation, cell.corners * cell.dim, 0.0);
        for (std::size_t q = 0; q < points; ++q) {
            weight[q] = cell.gradients(stiffness_rule(cell.kind)[q], g[q].data());
            measure += weight[q];
            for (int a = 0; a < cell.corners; ++a) {
                for (int i = 0; i < cell.dim; ++i)
                    dilatation[a * cell.dim + i] += weight[q] * g[q][static_cast<std::size_t>(a)][i];
            }
        }
        for (int i = 0; i < cell.corners * cell.dim; ++i) dilatation[i] /= measure;
    }
    std::size_t points;
    double measure = 0.0;
    std::array<double, kMaxStiffnessPoints> weight{};
    std::array<std::array<Vec3, kMaxCorners>, kMaxStiffnessPoints> g;
};

template <int dim>
void add_blocks(const Gradients& at, int corners, double lambda, double mu, double* k) {
    const int n = corners * dim;
    for (std::size_t q = 0; q < at.points; ++q) {
        for (int a = 0; a < corners; ++a) {
            const Vec3& ga = at.g[q][static_cast<std::size_t>(a)];
            double wl[dim], wm[dim];
            for (int i = 0; i < dim; ++i) {
                wl[i] = at.weight[q] * lambda * ga[i];
                wm[i] = at.weight[q] * mu * ga[i];
            }
            for (int b = a; b < corners; ++b) {
                const Vec3& gb = at.g[q][static_cast<std::size_t>(b)];
                double along = 0.0;
                for (int i = 0; i < dim; ++i) along += wm[i] * gb[i];
                for (int i = 0; i < dim; ++i) {
                    double* row = k + (a * dim + i) * n + b * dim;
                    for (int j = 0; j < dim; ++j) row[j] += wl[i] * gb[j] + wm[j] * gb[i];
                    row[i] += along;
                }
            }
        }
    }
}

// Rank-one volumetric stiffness: modulus * V (mean div)^2 / 2. With Picinbono's penalty it is his force at each vertex
// along the normal of the opposite face: for a tetrahedron dV/dx_i *is* that normal (times area/3).
void add_volumetric(double modulus, ElementMatrices& out) {
    for (int i = 0; i < out.dofs; ++i) {
        const double s = modulus * out.measure * out.dilatation[static_cast<std::size_t>(i)];
        for (int j = i; j < out.dofs; ++j) {
            out.stiffness[static_cast<std::size_t>(i * out.dofs + j)] += s *
                                                                         out.dilatation[static_cast<std::size_t>(j)];
        }
    }
}

// The loops above fill the upper half: both halves are then equal to the last bit.
void mirror(double* m, int n) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) m[i * n + j] = m[j * n + i];
}

void add_mass(const Cell& cell, double density, ElementMatrices& out) {
    const int n = cell.corners;
    for (const RulePoint& p : mass_rule(cell.kind)) {
        const double w = p.weight * determinant(cell.jacobian(p)) * cell.depth;
        for (int a = 0; a < n; ++a) {
            const double share = w * p.n[static_cast<std::size_t>(a)];
            out.volume[static_cast<std::size_t>(a)] += share;
            for (int b = a; b < n; ++b)
                out.mass[static_cast<std::size_t>(a * n + b)] += density * share * p.n[static_cast<std::size_t>(b)];
        }
    }
    mirror(out.mass.data(), n);
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

double mean_dilatation(const Body& body, std::size_t number, double* dilatation) {
    return Gradients(Cell(body, number), dilatation).measure;
}

std::size_t cell_gradients(const Body& body, std::size_t number, double* weights, Vec3* gradients) {
    std::array<double, kMaxElementDofs> dilatation{};
    const Cell cell(body, number);
    const Gradients at(cell, dilatation.data());
    std::copy_n(at.weight.begin(), at.points, weights);
    for (std::size_t q = 0; q < at.points; ++q)
        std::copy_n(at.g[q].begin(), cell.corners, gradients + q * static_cast<std::size_t>(cell.corners));
    return at.points;
}

void element_matrices(const Body& body, std::size_t number, const ElementSettings& settings, ElementMatrices& out) {
    const Cell cell(body, number);
    out.dofs = cell.corners * cell.dim;
    std::fill_n(out.stiffness.begin(), out.dofs * out.dofs, 0.0);
    std::fill_n(out.mass.begin(), cell.corners * cell.corners, 0.0);
    std::fill_n(out.volume.begin(), cell.corners, 0.0);
    const Gradients at(cell, out.dilatation.data());
    out.measure = at.measure;

    const Material& m = body.material_of(number);
    const bool plane_stress = cell.dim == 2 && body.plane() == Plane::stress;
    const bool mean_volume = settings.integration == Integration::bbar;
    double lambda = plane_stress ? m.young * m.poisson / (1 - m.poisson * m.poisson) : m.lame_lambda();
    const double shear = (settings.averaged ? kCellShearShare : 1.0) * m.shear();
    if (mean_volume || settings.averaged)
        lambda = -2.0 / 3.0 * shear;  // lambda - kappa, without their cancelling digits
    if (cell.dim == 2)
        add_blocks<2>(at, cell.corners, lambda, shear, out.stiffness.data());
    else
        add_blocks<3>(at, cell.corners, lambda, shear, out.stiffness.data());
    if (mean_volume && !settings.averaged) add_volumetric(m.bulk(), out);
    if (settings.volume_penalty > 0.0) add_volumetric(settings.volume_penalty, out);
    mirror(out.stiffness.data(), out.dofs);
    add_mass(cell, m.density, out);
}

}  // namespace limber
