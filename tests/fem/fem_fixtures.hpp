// Bodies and small solves that the FEM tests share.
#pragma once

#include "fem/assembly.hpp"
#include "geometry/quadrature.hpp"
#include "geometry/shape.hpp"
#include "integrate/system.hpp"
#include "linalg/solvers.hpp"

#include <limber/body.hpp>

#include <cmath>
#include <functional>
#include <random>
#include <set>

namespace limber::test {

inline constexpr CellKind kAllKinds[] = {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10,
                                         CellKind::hex8};

/// A unit square or cube of n cells a side; interior vertices moved by up to `jitter` of a cell.
inline Mesh unit_mesh(CellKind kind, int n, double jitter = 0.0, unsigned seed = 7) {
    const bool flat = dimension_of(kind) == 2;
    const CellKind corners = kind == CellKind::tet10 ? CellKind::tet4 : kind;
    Mesh mesh = flat ? make_grid(kind, n, n, {0, 0, 0}, {1, 1, 0}) : make_box(corners, n, n, n, {0, 0, 0}, {1, 1, 1});
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> move(-jitter / n, jitter / n);
    for (Vec3& x : mesh.vertices) {
        const auto inside = [](double c) { return c > 1e-9 && c < 1 - 1e-9; };
        const Vec3 by{move(random), move(random), flat ? 0.0 : move(random)};
        if (inside(x.x) && inside(x.y) && (flat || inside(x.z))) x += by;
    }
    return kind == CellKind::tet10 ? to_tet10(mesh) : mesh;
}

inline std::shared_ptr<const Body> unit_body(Mesh mesh, Material material, Plane plane = Plane::strain) {
    BodyDescription d;
    d.mesh = std::move(mesh);
    d.plane = plane;
    d.materials = {{"", std::move(material)}};
    return Body::make(std::move(d));
}

/// Displacements that solve K u = f with u prescribed as `exact` on the whole boundary.
inline std::vector<double> solve_with_boundary(const Body& body, Integration integration,
                                               const std::function<Vec3(const Vec3&)>& exact,
                                               const std::vector<double>& force) {
    Progress silent;
    FemMatrices fem = assemble(body, {integration, MassKind::consistent, DampingKind::rayleigh, 0.0}, silent);
    const int dim = body.mesh().dimension();
    const IndexSet edge = boundary_of(body.mesh()).vertices;
    const std::set<std::int32_t> held(edge.begin(), edge.end());
    System system;
    system.stiffness = std::move(fem.stiffness);
    system.lumped = std::move(fem.lumped);
    std::vector<double> u(system.size(), 0.0), internal(system.size()), scratch(2 * system.size());
    for (std::size_t v = 0; v < body.vertex_count(); ++v) {
        for (int i = 0; i < dim; ++i) {
            const auto dof = static_cast<std::int32_t>(v) * dim + i;
            if (held.count(static_cast<std::int32_t>(v)) != 0) {
                system.prescribed.push_back(dof);
                u[static_cast<std::size_t>(dof)] = exact(body.mesh().vertices[v])[i];
            } else {
                system.free.push_back(dof);
            }
        }
    }
    internal_force(system, u.data(), nullptr, nullptr, internal.data(), scratch.data());
    std::vector<double> b, x(system.free.size(), 0.0);
    for (const std::int32_t f : system.free)
        b.push_back(force[static_cast<std::size_t>(f)] - internal[static_cast<std::size_t>(f)]);
    const auto solver = make_solver(effective_matrix(system, 0.0, 0.0, 1.0), {}, silent);
    std::vector<double> room(solver->scratch_size());
    solver->solve(b.data(), x.data(), room.data());
    for (std::size_t i = 0; i < x.size(); ++i) u[static_cast<std::size_t>(system.free[i])] = x[i];
    return u;
}

/// Calls take(cell, shape values, position, weight) at every quadrature point of a high-degree rule.
template <class Take>
void integrate_over(const Mesh& mesh, Take&& take) {
    std::array<double, kMaxCorners> n{};
    std::array<Vec3, kMaxCorners> g{}, x{};
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        gather_corners(mesh, c, x.data());
        for (const QuadraturePoint& q : quadrature(mesh.kind, 5)) {
            shape_values(mesh.kind, q.xi, n.data());
            take(c, n, map_to_cell(mesh.kind, x.data(), q.xi), q.weight * physical_gradients(mesh, c, q.xi, g.data()));
        }
    }
}

}  // namespace limber::test
