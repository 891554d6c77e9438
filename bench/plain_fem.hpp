// Finite elements as one would first write them with Eigen: dense element matrices, triplets. Baselines of the
// benchmarks.
#pragma once

#include "eigen.hpp"

#include "geometry/quadrature.hpp"

#include <limber/body.hpp>

#include <Eigen/Dense>

namespace limber::bench {

/// The rule that limber integrates the stiffness with.
std::span<const QuadraturePoint> stiffness_points(CellKind kind);

class PlainElement {
public:
    explicit PlainElement(const Body& body);
    Eigen::MatrixXd stiffness(std::size_t cell) const;  ///< full integration
    Eigen::MatrixXd mass(std::size_t cell) const;       ///< one component's

private:
    Eigen::MatrixXd b_matrix(const Vec3* gradients) const;
    const Body& body_;
    int corners_, dim_;
    double depth_;
    Eigen::MatrixXd elasticity_;
};

/// K over all vertices: every cell's entries as triplets, sorted by Eigen.
EigenMatrix plain_assembly(const Body& body);

}  // namespace limber::bench
