// What vertices inside a body do when its boundary is displaced: linear finite elements between given boundary values.
// Boundary elements know only the boundary; this fills the rest of the mesh (for output, stress and forces inside) at
// the price of one sparse solve.
#pragma once

#include "bem/boundary_shape.hpp"
#include "fem/assembly.hpp"
#include "linalg/solvers.hpp"

#include <memory>
#include <vector>

namespace limber {

class InnerField {
public:
    InnerField(const Body& body, const BoundaryShape& shape, Progress& progress);

    bool empty() const { return inner_.empty(); }
    std::size_t scratch_size() const;
    std::size_t bytes() const { return solver_ != nullptr ? solver_->bytes() : 0; }
    /// Gravity's share per vertex [kg].
    const std::vector<double>& weight() const { return weight_; }

    /// `u` over all vertices (dimension each): boundary entries are read, inner ones written. `force`: per vertex or
    /// nullptr.
    void extend(double* u, const double* force, double* scratch) const noexcept;
    /// Forces on inner vertices, carried over to the boundary as the elements would (static condensation): added to the
    /// boundary's entries, inner ones become zero.
    void condense(double* force, double* scratch) const noexcept;

private:
    int dimension_;
    BlockCsr stiffness_;
    std::vector<double> weight_;
    std::vector<std::int32_t> inner_;  ///< unknowns
    std::unique_ptr<LinearSolver> solver_;
};

}  // namespace limber
