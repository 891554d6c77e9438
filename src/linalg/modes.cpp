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
#include <numbers>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRigid = 1e-12;   // omega^2 below this share of the stiffest diagonal ratio is rounding noise
constexpr double kPromise = 1e-8;  // residuals and orthonormality
constexpr double kAim = 3e-9;      // of the search
constexpr double kTogether =
    4e-9;                      // omega^2 this near are one frequency: any mixture of their shapes keeps the promise
constexpr double kTie = 1e-5;  // entries this near in size count as equal when one of them has to be chosen

// (K - shift M)^-1 M
class ShiftInverse final : public KrylovOperator {
public:
    ShiftInverse(const Csr& m, const LinearSolver& solver)
        : m_(m), triples_(as_triples(m)), solver_(solver), scratch_(solver.many_scratch_size()) {}
    std::size_t size() const override { return m_.rows(); }
    void apply(const double*, const double* p, double* w, double* q, std::size_t count) override {
        std::fill(w, w + count * size(), 0.0);
        solver_.solve_many(p, w, count, scratch_.data());
        match(w, q, count);
    }
    void match(double* v, double* p, std::size_t count) override {
        if (triples_.vertices() > 0)
            multiply_many(triples_, v, p, count);
        else
            multiply_many(m_, v, p, count);
    }
    bool multiplies_fast() const override { return true; }

private:
    const Csr& m_;
    TripleCsr triples_;  // M again, where it is the same for all three directions
    const LinearSolver& solver_;
    AlignedArray scratch_;
};

double entry(const Csr& a, std::size_t i) {
    const auto begin = a.columns.begin() + a.starts[i], end = a.columns.begin() + a.starts[i + 1];
    const auto at = std::lower_bound(begin, end, static_cast<std::int32_t>(i));
    return at != end && static_cast<std::size_t>(*at) == i ? a.values[static_cast<std::size_t>(at - a.columns.begin())]
                                                           : 0.0;
}

// A lower bound of the largest omega^2: the Rayleigh quotients of single unknowns.
double stiffness_scale(const Csr& k, const Csr& m) {
    double scale = 0.0;
    for (std::size_t i = 0; i < k.rows(); ++i) {
        if (!(entry(m, i) > 0.0)) {
            throw Error(Fault::bad_mesh, {}, text("unknown ", i, " has mass ", entry(m, i)),
                        "a positive mass at every unknown");
        }
        scale = std::max(scale, entry(k, i) / entry(m, i));
    }
    return scale;
}

// (K + shift M)^-1 with the least trouble: K itself where it can be factored; a free body's K is singular, so its
// spectrum is moved up.
struct Shifted {
    double shift = 0.0;
    std::unique_ptr<LinearSolver> own;
    const LinearSolver* solver = nullptr;
};

Shifted shifted_solver(const Csr& k, const Csr& m, double scale, const ModeSettings& settings, Progress& progress) {
    Shifted out;
    out.solver = settings.solver;
    if (out.solver != nullptr) return out;
    if (!settings.singular) {
        try {
            out.own = make_solver(k, {}, progress);
        } catch (const Error& e) {
            if (e.fault() != Fault::bad_mesh) throw;
        }
    }
    if (out.own == nullptr) {
        out.shift = scale > 0.0 ? 1e-8 * scale : 1.0;
        out.own = make_solver(add(1.0, k, out.shift, m), {}, progress);
    }
    out.solver = out.own.get();
    return out;
}

MatrixXd times(const Csr& a, const MatrixXd& x) {
    MatrixXd y(x.rows(), x.cols());
    multiply_many(a, x.data(), y.data(), static_cast<std::size_t>(x.cols()));
    return y;
}

// Shapes and omega^2, and what is done to them once they are found.
class ModeShapes {
public:
    ModeShapes(const Csr& k, const Csr& m, double scale, MatrixXd shapes, VectorXd lambda)
        : k_(k), m_(m), scale_(scale), x_(std::move(shapes)), lambda_(std::move(lambda)) {}

    // From K and M alone, whatever found the shapes.
    void examine() {
        const Index count = x_.cols();
        VectorXd force(count);
        residual_.resize(count);
        MatrixXd gram(count, count);
        double weight = 0.0;
        for (Index j = 0; j < count; j += kColumns) {
            const Index here = std::min(kColumns, count - j);
            const MatrixXd some = x_.middleCols(j, here), kx = times(k_, some), mx = times(m_, some);
            gram.middleCols(j, here).noalias() = x_.transpose() * mx;
            for (Index c = 0; c < here; ++c) {
                force[j + c] = rigid(j + c) ? 0.0 : kx.col(c).norm();
                residual_[j + c] = (kx.col(c) - (rigid(j + c) ? 0.0 : lambda_[j + c]) * mx.col(c)).norm();
                weight = std::max(weight, mx.col(c).norm());
            }
        }
        // With nothing but rigid modes to compare with, the stiffest unknown gives the scale.
        const double largest = force.maxCoeff() > 0.0 ? force.maxCoeff() : scale_ * weight;
        for (Index j = 0; j < count; ++j) {
            const double reference = force[j] > 0.0 ? force[j] : largest;
            residual_[j] = reference > 0.0 ? residual_[j] / reference : 0.0;
        }
        orthonormality_ = (gram - MatrixXd::Identity(count, count)).cwiseAbs().maxCoeff();
    }
    double trouble() const { return std::max(residual_.maxCoeff(), orthonormality_); }

    // One inverse iteration on the whole subspace, then the best shapes in it.
    void improve(KrylovOperator& op) {
        const MatrixXd p = times(m_, x_);
        MatrixXd w(x_.rows(), x_.cols()), q(x_.rows(), x_.cols());
        op.apply(x_.data(), p.data(), w.data(), q.data(), static_cast<std::size_t>(x_.cols()));
        for (Index j = 0; j < x_.cols(); ++j)
            x_.col(j) = w.col(j) / std::sqrt(std::max(w.col(j).dot(q.col(j)), 1e-300));
        const MatrixXd kp = x_.transpose() * times(k_, x_), mp = x_.transpose() * times(m_, x_);
        const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen(0.5 * (kp + kp.transpose()),
                                                                       0.5 * (mp + mp.transpose()));
        lambda_ = eigen.eigenvalues();
        x_ = (x_ * eigen.eigenvectors()).eval();
    }

    // Groups of equal frequencies get one frequency and the one basis that ModeSettings::priority names.
    void settle(std::span<const std::int32_t> priority) {
        for (Index first = 0, end = 0; first < x_.cols(); first = end) {
            for (end = first + 1; end < x_.cols() && same(end - 1, end);) ++end;
            if (!rigid(first))
                lambda_.segment(first, end - first).setConstant(lambda_.segment(first, end - first).mean());
            for (Index j = first; j < end; ++j) turn(j, end, priority);
        }
    }

    // The first `count`, fewer when they end at the bound.
    Eigenpairs result(Index count, double below) const {
        Eigenpairs out;
        for (Index j = 0; j < count; ++j) {
            const double omega = rigid(j) ? 0.0 : std::sqrt(lambda_[j]);
            if (below > 0.0 && omega > below) break;
            out.omega.push_back(omega);
            out.residual.push_back(residual_[j]);
            out.rigid += rigid(j) ? 1 : 0;
        }
        out.shapes.assign(x_.data(), x_.data() + x_.rows() * static_cast<Index>(out.omega.size()));
        out.orthonormality = orthonormality_;
        return out;
    }

    double omega(Index j) const { return rigid(j) ? 0.0 : std::sqrt(lambda_[j]); }

private:
    static constexpr Index kColumns = 8;
    bool rigid(Index j) const { return !(lambda_[j] > kRigid * scale_); }
    bool same(Index a, Index b) const {
        return rigid(a) ? rigid(b) : lambda_[b] - lambda_[a] <= kTogether * lambda_[b];
    }

    // Mixes shapes [first, end) so that `first` takes all there is at their common largest unknown, with a positive
    // sign.
    void turn(Index first, Index end, std::span<const std::int32_t> priority) {
        const Index width = end - first;
        const VectorXd size = x_.middleCols(first, width).rowwise().norm();
        const double enough = (1.0 - kTie) * size.maxCoeff();
        Index at = 0;
        const auto number = [&](Index i) {
            return priority.empty() ? i : static_cast<Index>(priority[static_cast<std::size_t>(i)]);
        };
        for (Index i = 0; i < x_.rows(); ++i) {
            if (size[number(i)] >= enough) {
                at = number(i);
                break;
            }
        }
        if (!(size[at] > 0.0)) return;
        // The reflection that takes the row to (size, 0, ..., 0).
        VectorXd axis = x_.row(at).segment(first, width).transpose() / size[at];
        const double sign = axis[0] > 0.0 ? -1.0 : 1.0;
        axis[0] -= sign;
        if (axis.squaredNorm() > 0.0) {
            const VectorXd along = x_.middleCols(first, width) * axis * (2.0 / axis.squaredNorm());
            x_.middleCols(first, width).noalias() -= along * axis.transpose();
        }
        x_.col(first) *= sign;
    }

    const Csr& k_;
    const Csr& m_;
    double scale_;
    MatrixXd x_;
    VectorXd lambda_, residual_;
    double orthonormality_ = 0.0;
};

class ModeSearch {
public:
    ModeSearch(const Csr& k, const Csr& m, const ModeSettings& settings, Progress& progress)
        : k_(k),
          m_(m),
          settings_(settings),
          progress_(progress),
          scale_(stiffness_scale(k, m)),
          shifted_(shifted_solver(k, m, scale_, settings, progress)),
          op_(m, *shifted_.solver) {}

    // With a bound, the number below it is not known: it is looked for in growing steps, over one factor.
    Eigenpairs run(std::size_t most) {
        constexpr std::size_t kFirst = 16;
        std::size_t count = settings_.below > 0.0 ? std::min(most, kFirst) : most;
        while (true) {
            ModeShapes modes = find(count);
            const bool all = settings_.below <= 0.0 || modes.omega(static_cast<Index>(count) - 1) > settings_.below ||
                             count == k_.rows();
            if (!all && count < most) {
                count = std::min(most, 2 * count);
                continue;
            }
            if (!all) {
                throw Error(
                    Fault::unsupported, {},
                    text("more than ", most, " modes up to ", settings_.below / (2.0 * std::numbers::pi), " Hz"),
                    "a lower bound, or a larger count");
            }
            Eigenpairs out = modes.result(static_cast<Index>(count), settings_.below);
            out.solves = solves_;
            return out;
        }
    }

private:
    ModeShapes find(std::size_t count) {
        const std::size_t n = k_.rows();
        KrylovSettings search;
        search.count = count;
        search.block = settings_.block;
        search.capacity = 2 * count + 16 * settings_.block;
        search.tolerance = kAim;
        search.together = 1e-6;
        search.max_applications = 200 * static_cast<int>(count) + 10000;
        search.seed = settings_.seed;
        const KrylovPairs pairs = largest_pairs(op_, search, progress_);
        solves_ += pairs.applications;
        const auto found = static_cast<Index>(pairs.values.size());
        VectorXd lambda(found);
        for (Index j = 0; j < found; ++j) lambda[j] = 1.0 / pairs.values[static_cast<std::size_t>(j)] - shifted_.shift;
        ModeShapes modes(k_, m_, scale_, Eigen::Map<const MatrixXd>(pairs.vectors.data(), static_cast<Index>(n), found),
                         lambda);
        modes.settle(settings_.priority);
        modes.examine();
        for (int pass = 0; pass < 4 && !(modes.trouble() <= kPromise); ++pass) {
            solves_ += static_cast<int>(found);
            modes.improve(op_);
            modes.settle(settings_.priority);
            modes.examine();
        }
        if (!(modes.trouble() <= kPromise)) {
            throw Error(Fault::unsupported, {}, text("modes were found to ", modes.trouble(), " only"),
                        text(kPromise, ": a mesh without extremely distorted cells, materials less far apart"));
        }
        return modes;
    }

    const Csr& k_;
    const Csr& m_;
    const ModeSettings& settings_;
    Progress& progress_;
    double scale_;
    Shifted shifted_;
    ShiftInverse op_;
    int solves_ = 0;
};

}  // namespace

Eigenpairs lowest_modes(const Csr& k, const Csr& m, const ModeSettings& settings, Progress& progress) {
    LIMBER_ASSERT(k.rows() == m.rows());
    const std::size_t wanted = std::min(k.rows(), static_cast<std::size_t>(std::max(0, settings.count)));
    if (wanted == 0) return {};
    return ModeSearch(k, m, settings, progress).run(wanted);
}

}  // namespace limber
