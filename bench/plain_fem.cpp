#include "plain_fem.hpp"

#include "fem/element.hpp"

#include <array>

namespace limber::bench {

std::span<const QuadraturePoint> stiffness_points(CellKind kind) {
    const bool linear = kind == CellKind::tri3 || kind == CellKind::tet4;
    return quadrature(kind, linear ? 1 : kind == CellKind::tet10 ? 2 : 3);
}

PlainElement::PlainElement(const Body& body)
    : body_(body),
      corners_(corners_of(body.mesh().kind)),
      dim_(body.mesh().dimension()),
      depth_(dim_ == 2 ? body.thickness() : 1.0) {
    const ElasticityMatrix d = elasticity_matrix(body.materials()[0], dim_, body.plane());
    const int strains = dim_ == 2 ? 4 : 6;
    elasticity_.resize(strains, strains);
    for (int i = 0; i < strains; ++i) {
        for (int j = 0; j < strains; ++j)
            elasticity_(i, j) = d[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
}

Eigen::MatrixXd PlainElement::b_matrix(const Vec3* g) const {
    Eigen::MatrixXd b = Eigen::MatrixXd::Zero(elasticity_.rows(), corners_ * dim_);
    for (int a = 0; a < corners_; ++a) {
        const int at = a * dim_;
        for (int i = 0; i < dim_; ++i) b(i, at + i) = g[a][i];
        b(3, at) = g[a].y;
        b(3, at + 1) = g[a].x;
        if (dim_ == 2) continue;
        b(4, at + 1) = g[a].z;
        b(4, at + 2) = g[a].y;
        b(5, at) = g[a].z;
        b(5, at + 2) = g[a].x;
    }
    return b;
}

Eigen::MatrixXd PlainElement::stiffness(std::size_t cell) const {
    Eigen::MatrixXd k = Eigen::MatrixXd::Zero(corners_ * dim_, corners_ * dim_);
    std::array<Vec3, kMaxCorners> gradients;
    for (const QuadraturePoint& q : stiffness_points(body_.mesh().kind)) {
        const double w = q.weight * depth_ * physical_gradients(body_.mesh(), cell, q.xi, gradients.data());
        const Eigen::MatrixXd b = b_matrix(gradients.data());
        k += w * b.transpose() * (elasticity_ * b);
    }
    return k;
}

Eigen::MatrixXd PlainElement::mass(std::size_t cell) const {
    const CellKind kind = body_.mesh().kind;
    const bool linear = kind == CellKind::tri3 || kind == CellKind::tet4;
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(corners_, corners_);
    std::array<Vec3, kMaxCorners> gradients;
    Eigen::VectorXd n(corners_);
    for (const QuadraturePoint& q : quadrature(kind, linear ? 2 : kind == CellKind::tet10 ? 4 : 3)) {
        shape_values(kind, q.xi, n.data());
        m += q.weight * depth_ * body_.material_of(cell).density *
             physical_gradients(body_.mesh(), cell, q.xi, gradients.data()) * n * n.transpose();
    }
    return m;
}

EigenMatrix plain_assembly(const Body& body) {
    const Mesh& mesh = body.mesh();
    const auto dim = static_cast<std::int32_t>(mesh.dimension());
    const auto dofs = static_cast<std::int32_t>(corners_of(mesh.kind)) * dim;
    const PlainElement element(body);
    std::vector<Eigen::Triplet<double, std::int32_t>> entries;
    entries.reserve(mesh.cell_count() * static_cast<std::size_t>(dofs * dofs));
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        const Eigen::MatrixXd k = element.stiffness(c);
        const auto number = [&](std::int32_t i) { return mesh.cell(c)[i / dim] * dim + i % dim; };
        for (std::int32_t i = 0; i < dofs; ++i)
            for (std::int32_t j = 0; j < dofs; ++j) entries.emplace_back(number(i), number(j), k(i, j));
    }
    const auto size = static_cast<Eigen::Index>(body.vertex_count()) * dim;
    EigenMatrix out(size, size);
    out.setFromTriplets(entries.begin(), entries.end());
    return out;
}

}  // namespace limber::bench
