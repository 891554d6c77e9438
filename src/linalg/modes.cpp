#include "linalg/aligned.hpp"
#include "linalg/direct.hpp"
#include "linalg/krylov.hpp"
#include "linalg/solvers.hpp"

#include "core/assert.hpp"
#include "core/text.hpp"

#include <limber/error.hpp>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRigid = 1e-12;        // omega^2 below this share of the stiffest diagonal ratio is rounding noise
constexpr double kResidual = 1e-9;      // aimed at; the promise is 1e-8

// (K - shift M)^-1 M
class ShiftInverse final : public KrylovOperator {
public:
    ShiftInverse(const Csr& m, const LinearSolver& solver) : m_(m), solver_(solver), scratch_(solver.many_scratch_size()) {}
    std::size_t size() const override { return m_.rows(); }
    void apply(const double*, const double* p, double* w, double* q, std::size_t count) override {
        std::fill(w, w + count * size(), 0.0);
        solver_.solve_many(p, w, count, scratch_.data());
        multiply_many(m_, w, q, count);
    }
    void match(double* v, double* p, std::size_t count) override { multiply_many(m_, v, p, count); }

private:
    const Csr& m_;
    const LinearSolver& solver_;
    AlignedArray scratch_;
};

double entry(const Csr& a, std::size_t i) {
    const auto begin = a.columns.begin() + a.starts[i], end = a.columns.begin() + a.starts[i + 1];
    const auto at = std::lower_bound(begin, end, static_cast<std::int32_t>(i));
    return at != end && static_cast<std::size_t>(*at) == i ? a.values[static_cast<std::size_t>(at - a.columns.begin())] : 0.0;
}

// A lower bound of the largest omega^2: the Rayleigh quotients of single unknowns.
double stiffness_scale(const Csr& k, const Csr& m) {
    double scale = 0.0;
    for (std::size_t i = 0; i < k.rows(); ++i) {
        if (!(entry(m, i) > 0.0)) throw Error(Fault::bad_mesh, {}, text("unknown ", i, " has mass ", entry(m, i)), "a positive mass at every unknown");
        scale = std::max(scale, entry(k, i) / entry(m, i));
    }
    return scale;
}

// K itself where it can be factored; a free body's K is singular, so its spectrum is moved up a little.
std::unique_ptr<LinearSolver> shifted_solver(const Csr& k, const Csr& m, double scale, Progress& progress) {
    try {
        return make_solver(k, {}, progress);
    } catch (const Error& e) {
        if (e.fault() != Fault::bad_mesh) throw;
    }
    const double shift = scale > 0.0 ? 1e-8 * scale : 1.0;
    return make_solver(add(1.0, k, shift, m), {}, progress);
}

MatrixXd times(const Csr& a, const MatrixXd& x) {
    MatrixXd y(x.rows(), x.cols());
    multiply_many(a, x.data(), y.data(), static_cast<std::size_t>(x.cols()));
    return y;
}

class ModePolisher {
public:
    ModePolisher(const Csr& k, const Csr& m, double scale, MatrixXd shapes) : k_(k), m_(m), scale_(scale), x_(std::move(shapes)) { rayleigh_ritz(); }

    // One inverse iteration on the whole subspace: removes the high frequencies in which a residual is largest.
    void improve(KrylovOperator& op) {
        const MatrixXd p = times(m_, x_);
        MatrixXd w(x_.rows(), x_.cols()), q(x_.rows(), x_.cols());
        op.apply(x_.data(), p.data(), w.data(), q.data(), static_cast<std::size_t>(x_.cols()));
        for (Index j = 0; j < x_.cols(); ++j) x_.col(j) = w.col(j) / std::sqrt(std::max(w.col(j).dot(q.col(j)), 1e-300));
        rayleigh_ritz();
    }

    VectorXd residuals() const {
        const MatrixXd kx = times(k_, x_), mx = times(m_, x_);
        VectorXd force(x_.cols()), error(x_.cols());
        for (Index j = 0; j < x_.cols(); ++j) {
            const double squared = rigid(j) ? 0.0 : lambda_[j];
            force[j] = rigid(j) ? 0.0 : kx.col(j).norm();
            error[j] = (kx.col(j) - squared * mx.col(j)).norm();
        }
        const double largest = std::max(force.maxCoeff(), 1e-300);
        for (Index j = 0; j < x_.cols(); ++j) {
            // With nothing but rigid modes to compare with, the stiffest unknown gives the scale.
            const double reference = force[j] > 0.0 ? force[j] : (force.maxCoeff() > 0.0 ? largest : scale_ * mx.col(j).norm());
            error[j] = reference > 0.0 ? error[j] / reference : 0.0;
        }
        return error;
    }

    Eigenpairs result(Index count) {
        Eigenpairs out;
        const VectorXd error = residuals();
        for (Index j = 0; j < count; ++j) {
            out.omega.push_back(rigid(j) ? 0.0 : std::sqrt(lambda_[j]));
            out.residual.push_back(error[j]);
            fix_sign(j);
            out.shapes.insert(out.shapes.end(), x_.col(j).data(), x_.col(j).data() + x_.rows());
        }
        return out;
    }

private:
    bool rigid(Index j) const { return !(lambda_[j] > kRigid * scale_); }

    void rayleigh_ritz() {
        const MatrixXd kp = x_.transpose() * times(k_, x_), mp = x_.transpose() * times(m_, x_);
        const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen(0.5 * (kp + kp.transpose()), 0.5 * (mp + mp.transpose()));
        lambda_ = eigen.eigenvalues();
        x_ = (x_ * eigen.eigenvectors()).eval();
    }

    // The largest entry is positive; of entries equal up to rounding the first one counts.
    void fix_sign(Index j) {
        const double most = x_.col(j).cwiseAbs().maxCoeff();
        Index at = 0;
        while (std::abs(x_(at, j)) < (1.0 - 1e-6) * most) ++at;
        if (x_(at, j) < 0.0) x_.col(j) = -x_.col(j);
    }

    const Csr& k_;
    const Csr& m_;
    double scale_;
    MatrixXd x_;
    VectorXd lambda_;
};

}  // namespace

Eigenpairs lowest_modes(const Csr& k, const Csr& m, int count, Progress& progress, const LinearSolver* given) {
    LIMBER_ASSERT(k.rows() == m.rows());
    const std::size_t n = k.rows(), wanted = std::min(n, static_cast<std::size_t>(std::max(0, count)));
    if (wanted == 0) return {};
    const double scale = stiffness_scale(k, m);
    const std::unique_ptr<LinearSolver> own = given == nullptr ? shifted_solver(k, m, scale, progress) : nullptr;
    ShiftInverse op(m, given != nullptr ? *given : *own);
    KrylovSettings settings;
    settings.count = std::min(n, wanted + 4);       // a few more, so that the last one wanted is as good as the others
    settings.block = 8;
    settings.capacity = 2 * settings.count + 40;
    settings.tolerance = 1e-10;
    settings.max_applications = 200 * static_cast<int>(settings.count) + 10000;
    const KrylovPairs pairs = largest_pairs(op, settings, progress);
    ModePolisher modes(k, m, scale, Eigen::Map<const MatrixXd>(pairs.vectors.data(), static_cast<Index>(n), static_cast<Index>(settings.count)));
    for (int pass = 0; pass < 4 && modes.residuals().head(static_cast<Index>(wanted)).maxCoeff() > kResidual; ++pass) modes.improve(op);
    return modes.result(static_cast<Index>(wanted));
}

}  // namespace limber
