// The stiffness's quadratic form without assembling it.
#pragma once

#include <limber/body.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace limber {

/// u^T K u with full integration [J x 2]: twice the strain energy of displacements `u`, one per body vertex.
double energy_norm2(const Body& body, std::span<const Vec3> u);

/// The same, to the same bits, for many fields on one body: the cells' matrices are kept (where they fit into 256 MB).
/// Borrows the body.
class EnergyNorm {
public:
    explicit EnergyNorm(const Body& body);
    double squared(std::span<const Vec3> u) const;

private:
    const Body* body_;
    std::vector<double> stiffness_;  ///< of every cell, one after another; empty = made anew each time
};

}  // namespace limber
