#include "linalg/aligned.hpp"
#include "linalg/krylov.hpp"
#include "linalg/solvers.hpp"

#include "core/assert.hpp"
#include "core/text.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

// M^-1 K. The mass matrix itself is never needed: M (M^-1 K v) = K v.
class InverseMassTimesStiffness final : public KrylovOperator {
public:
    InverseMassTimesStiffness(const Csr& k, const LinearSolver& mass)
        : k_(k), mass_(mass), scratch_(mass.many_scratch_size()) {}
    std::size_t size() const override { return k_.rows(); }
    void apply(const double* v, const double*, double* w, double* q, std::size_t count) override {
        multiply_many(k_, v, q, count);
        divide(q, w, count);
    }
    void match(double* v, double* p, std::size_t count) override { divide(p, v, count); }

private:
    void divide(const double* b, double* x, std::size_t count) {
        std::fill(x, x + count * size(), 0.0);  // iterative mass solvers start from what is there
        mass_.solve_many(b, x, count, scratch_.data());
    }
    const Csr& k_;
    const LinearSolver& mass_;
    AlignedArray scratch_;
};

}  // namespace

double largest_frequency(const Csr& k, const LinearSolver& mass_solver, double tolerance, std::vector<double>* shape,
                         const Csr*) {
    LIMBER_ASSERT(mass_solver.size() == k.rows());
    InverseMassTimesStiffness op(k, mass_solver);
    KrylovSettings settings;
    settings.count = 1;
    settings.block = 4;
    settings.capacity = 80;
    // The residual bounds the error of omega^2, twice that of omega. A shape's error is the residual over the gap to
    // the next frequency, which may be small: ask for far more there.
    settings.tolerance = shape != nullptr ? std::min(tolerance, 1e-9) : tolerance;
    settings.max_applications = 20000;
    Progress silent;
    const KrylovPairs pairs = largest_pairs(op, settings, silent);
    if (pairs.values.empty()) return 0.0;
    if (!std::isfinite(pairs.values[0]))
        throw Error(Fault::bad_mesh, {}, "the largest frequency is not finite", "finite stiffness and positive mass");
    if (!pairs.converged) {
        throw Error(Fault::unsupported, {},
                    text("the largest frequency did not settle within ", pairs.applications, " products"),
                    "a mesh without extremely distorted cells");
    }
    if (shape != nullptr) *shape = pairs.vectors;
    return std::sqrt(std::max(0.0, pairs.values[0]));
}

}  // namespace limber
