#include "methods/bem/inner_field.hpp"

#include <algorithm>

namespace limber {

InnerField::InnerField(const Body& body, const BoundaryShape& shape, Progress& progress)
    : dimension_(body.mesh().dimension()) {
    // Elements lock near nu = 0.5; their averaged form does not.
    const bool soft = body.materials().front().poisson < 0.45;
    FemMatrices matrices = assemble(
        body, {soft ? Integration::full : Integration::bbar, MassKind::lumped, DampingKind::mass_only, 0.0}, progress);
    stiffness_ = std::move(matrices.stiffness);
    weight_ = std::move(matrices.weight);
    std::vector<bool> outside(body.vertex_count(), false);
    for (const std::int32_t v : shape.vertex) outside[static_cast<std::size_t>(v)] = true;
    for (std::size_t v = 0; v < outside.size(); ++v) {
        for (int c = 0; c < dimension_ && !outside[v]; ++c)
            inner_.push_back(static_cast<std::int32_t>(v) * dimension_ + c);
    }
    if (!inner_.empty()) solver_ = make_solver(compress(stiffness_, inner_), {}, progress);
}

std::size_t InnerField::scratch_size() const {
    return inner_.empty() ? 0 : stiffness_.size() + 2 * inner_.size() + solver_->scratch_size();
}

void InnerField::extend(double* u, const double* force, double* scratch) const noexcept {
    if (inner_.empty()) return;
    double *product = scratch, *right = product + stiffness_.size(), *x = right + inner_.size(),
           *own = x + inner_.size();
    for (const std::int32_t i : inner_) u[i] = 0.0;
    multiply(stiffness_, u, product);
    for (std::size_t k = 0; k < inner_.size(); ++k) {
        right[k] = (force != nullptr ? force[inner_[k]] : 0.0) - product[inner_[k]];
        x[k] = 0.0;
    }
    solver_->solve(right, x, own);
    for (std::size_t k = 0; k < inner_.size(); ++k) u[inner_[k]] = x[k];
}

void InnerField::condense(double* force, double* scratch) const noexcept {
    if (inner_.empty() ||
        std::all_of(inner_.begin(), inner_.end(), [force](std::int32_t i) { return force[i] == 0.0; })) {
        return;
    }
    double *product = scratch, *right = product + stiffness_.size(), *x = right + inner_.size(),
           *own = x + inner_.size();
    for (std::size_t k = 0; k < inner_.size(); ++k) {
        right[k] = force[inner_[k]];
        x[k] = 0.0;
    }
    solver_->solve(right, x, own);
    // K u = (f_inner, reaction of held boundary): the boundary has to bear the negative of that reaction.
    std::fill(product, product + stiffness_.size(), 0.0);
    for (std::size_t k = 0; k < inner_.size(); ++k) product[inner_[k]] = x[k];
    for (std::size_t k = 0; k < inner_.size(); ++k) force[inner_[k]] = 0.0;
    multiply_add(stiffness_, -1.0, product, force);
    for (const std::int32_t i : inner_) force[i] = 0.0;
}

}  // namespace limber
