#include "fem_large/body_terms.hpp"

#include "linalg/vectors.hpp"

#include <limits>

namespace limber {
namespace {

constexpr double kRoundingSteps = 8.0;  // of forces, in epsilons of stiffness times displacement

}  // namespace

void ElasticTerm::add(const TermStep& step, const TermPoint& at, const TermMatrix& matrix, TermMemory own,
                      TermSum& sum) const noexcept {
    const ElasticModel& model = system_.model();
    const double beta = step.moves ? step.stiffness_damping : 0.0;
    double* const viscous = DampingTerm::acts(step) ? damping(own) : nullptr;
    double* const scratch = model_scratch(own);
    if (matrix.values != nullptr) {
        const TangentWeights weights{step.du, step.moves ? step.dv * beta : 0.0, matrix.positive, matrix.cheap};
        sum.energy += system_.linearise(at.u, at.v, weights, own.state, sum.gradient, viscous, matrix.values,
                                        own.scratch + system_.size(), scratch);
    } else if (viscous != nullptr) {
        sum.energy += model.gradient_moving(at.u, at.v, own.state, sum.gradient, viscous, scratch);
    } else {
        sum.energy += model.gradient(at.u, own.state, sum.gradient, scratch);
    }
    for (std::size_t i = 0; i < system_.size(); ++i) sum.residual[i] += sum.gradient[i];
    sum.scale += norm_n(system_.size(), sum.gradient);
    sum.rounding += kRoundingSteps * std::numeric_limits<double>::epsilon() * system_.rest_force(at.u, at.v, beta);
}

void LoadTerm::add(const TermStep& step, const TermPoint&, const TermMatrix&, TermMemory, TermSum& sum) const noexcept {
    for (std::size_t i = 0; i < unknowns_; ++i) sum.residual[i] -= step.force[i];
    sum.scale += norm_n(unknowns_, step.force);
}

void InertiaTerm::add(const TermStep& step, const TermPoint& at, const TermMatrix& matrix, TermMemory own,
                      TermSum& sum) const noexcept {
    if (!step.moves) return;
    double *force = own.spare, *work = own.spare + system_.size();
    system_.inertia(at.a, at.v, force, work);
    sum.scale += norm_n(system_.size(), force);
    for (std::size_t i = 0; i < system_.size(); ++i) sum.residual[i] += force[i];
    if (matrix.values != nullptr) system_.add_mass(1.0, step.dv, matrix.values);
}

double InertiaTerm::curvature(const TermStep& step, const double*, const double* dx, TermMemory own) const noexcept {
    double *velocity = own.scratch, *force = own.spare, *work = own.spare + system_.size();
    for (std::size_t i = 0; i < system_.size(); ++i) velocity[i] = step.dv * dx[i];
    system_.inertia(dx, velocity, force, work);
    return dot_n(system_.size(), dx, force);
}

void DampingTerm::add(const TermStep& step, const TermPoint&, const TermMatrix&, TermMemory own,
                      TermSum& sum) const noexcept {
    if (!acts(step)) return;
    const std::size_t n = elastic_.system().size();
    const double *viscous = ElasticTerm::damping(own), beta = step.stiffness_damping;
    sum.scale += beta * norm_n(n, viscous);
    for (std::size_t i = 0; i < n; ++i) sum.residual[i] += beta * viscous[i];
}

double DampingTerm::curvature(const TermStep& step, const double* u, const double* dx, TermMemory own) const noexcept {
    const ElasticSystem& system = elastic_.system();
    system.model().viscous(u, dx, own.state, own.spare, elastic_.model_scratch(own));
    return step.dv * step.stiffness_damping * dot_n(system.size(), dx, own.spare);
}

}  // namespace limber
