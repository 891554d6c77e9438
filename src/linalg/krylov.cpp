#include "linalg/krylov.hpp"

#include <limber/error.hpp>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class BlockLanczos {
public:
    BlockLanczos(KrylovOperator& op, const KrylovSettings& settings)
        : op_(op), n_(static_cast<Index>(op.size())), wanted_(std::min(static_cast<Index>(settings.count), n_)),
          block_(std::min(static_cast<Index>(settings.block), n_)),
          capacity_(std::min(n_, std::max(static_cast<Index>(settings.capacity), wanted_ + 2 * block_ + 8))), settings_(settings),
          v_(n_, capacity_), p_(n_, capacity_), h_(MatrixXd::Zero(capacity_, capacity_)) {}

    KrylovPairs run(Progress& progress) {
        for (Index i = 0; i < block_; ++i) append_random();
        while (true) {
            while (processed_ < size_ && (size_ < capacity_ || size_ == n_)) {
                if (progress.stop_requested())
                    throw Error(Fault::interrupted, {}, "interrupted while searching for eigenmodes");
                process();
            }
            ritz();
            const Index good = converged_count();
            progress.update(static_cast<double>(good) / static_cast<double>(std::max<Index>(1, wanted_)), "finding modes");
            if (good == wanted_ || processed_ == n_ || applications_ >= settings_.max_applications) return result(good == wanted_ || processed_ == n_);
            restart(good);
        }
    }

private:
    // Applies the operator to the next block of basis vectors; what is new about the results becomes further basis vectors.
    void process() {
        const Index j = processed_, old = size_;
        Index width = std::min(block_, old - j);
        if (old < n_) width = std::min(width, capacity_ - old);
        processed_ += width;
        MatrixXd w(n_, width), q(n_, width);
        op_.apply(v_.col(j).data(), p_.col(j).data(), w.data(), q.data(), static_cast<std::size_t>(width));
        applications_ += static_cast<int>(width);
        VectorXd before(width);
        for (Index i = 0; i < width; ++i) before[i] = norm(w.col(i), q.col(i));
        MatrixXd c = project_out(0, w, q);
        // Where much cancels, q is M w only to a few digits; left alone, the error grows from vector to vector.
        op_.match(w.data(), q.data(), static_cast<std::size_t>(width));
        c += project_out(0, w, q);
        h_.block(0, j, old, width) = c;
        if (old == n_) return;
        for (Index i = 0; i < width; ++i) {
            MatrixXd one = w.col(i), image = q.col(i);
            add_what_is_new(one, image, before[i], j + i, old);
        }
    }

    // One result of process(), free of the first `old` basis vectors already: now of those that its block added.
    void add_what_is_new(MatrixXd& w, MatrixXd& q, double before, Index column, Index old) {
        const double alone = norm(w, q);
        for (int pass = 0; pass < 2; ++pass) h_.block(old, column, size_ - old, 1) += project_out(old, w, q);
        if (norm(w, q) < 0.1 * alone) {     // much cancelled again
            op_.match(w.data(), q.data(), 1);
            h_.block(0, column, size_, 1) += project_out(0, w, q);
        }
        const double left = norm(w, q);
        if (left > 1e-12 * before) {
            h_(size_, column) = left;
            append(w / left, q / left);
        } else {
            append_random();    // an invariant subspace: look for what it does not contain
        }
    }

    static double norm(const Eigen::Ref<const MatrixXd>& w, const Eigen::Ref<const MatrixXd>& q) { return std::sqrt(std::max(0.0, w.col(0).dot(q.col(0)))); }

    // Removes the basis from number `first` on from the columns of w (callers do it twice, which is enough); returns the coefficients.
    MatrixXd project_out(Index first, MatrixXd& w, MatrixXd& q) const {
        const Index count = size_ - first;
        const MatrixXd c = p_.middleCols(first, count).transpose() * w;
        w.noalias() -= v_.middleCols(first, count) * c;
        q.noalias() -= p_.middleCols(first, count) * c;
        return c;
    }

    void append(const MatrixXd& w, const MatrixXd& q) {
        v_.col(size_) = w;
        p_.col(size_) = q;
        ++size_;
    }

    void append_random() {
        MatrixXd w(n_, 1), q(n_, 1);
        for (int attempt = 0; attempt < 8; ++attempt) {
            for (Index i = 0; i < n_; ++i) w(i, 0) = q(i, 0) = next_random();
            op_.match(w.data(), q.data(), 1);
            const double before = norm(w, q);
            project_out(0, w, q);
            const double left = norm(w, q);
            if (!(left > 1e-8 * before)) continue;
            w /= left;
            q /= left;
            op_.match(w.data(), q.data(), 1);
            project_out(0, w, q);
            const double length = norm(w, q);
            append(w / length, q / length);
            return;
        }
        throw Error(Fault::bad_mesh, {}, "the mass matrix is not positive definite or not finite", "a positive mass at every unknown");
    }

    double next_random() {      // splitmix64, mapped to (-1, 1)
        std::uint64_t z = (random_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
        return static_cast<double>(z >> 11) * 0x1p-52 - 1.0;
    }

    void ritz() {
        const MatrixXd t = 0.5 * (h_.topLeftCorner(processed_, processed_) + h_.topLeftCorner(processed_, processed_).transpose());
        const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(t);
        theta_ = eigen.eigenvalues().reverse();
        y_ = eigen.eigenvectors().rowwise().reverse();
        coupling_ = h_.block(processed_, 0, size_ - processed_, processed_) * y_;
    }

    Index converged_count() const {
        Index good = 0;
        while (good < wanted_ && coupling_.col(good).norm() <= settings_.tolerance * std::abs(theta_[good])) ++good;
        return good;
    }

    // Keeps the best Ritz vectors and the vectors not yet processed, which carry on the Krylov sequence.
    void restart(Index good) {
        const Index waiting = size_ - processed_;
        const Index keep = std::min(processed_ - 1, wanted_ + (processed_ - wanted_) / 3 + good / 2);
        for (MatrixXd* m : {&v_, &p_}) {
            const MatrixXd kept = m->leftCols(processed_) * y_.leftCols(keep);
            const MatrixXd rest = m->middleCols(processed_, waiting);
            m->leftCols(keep) = kept;
            m->middleCols(keep, waiting) = rest;
        }
        h_.setZero();
        h_.topLeftCorner(keep, keep) = theta_.head(keep).asDiagonal();
        h_.block(keep, 0, waiting, keep) = coupling_.leftCols(keep);
        processed_ = keep;
        size_ = keep + waiting;
    }

    KrylovPairs result(bool converged) const {
        KrylovPairs out;
        out.values.assign(theta_.data(), theta_.data() + wanted_);
        out.vectors.resize(static_cast<std::size_t>(n_ * wanted_));
        out.images.resize(static_cast<std::size_t>(n_ * wanted_));
        Eigen::Map<MatrixXd>(out.vectors.data(), n_, wanted_).noalias() = v_.leftCols(processed_) * y_.leftCols(wanted_);
        Eigen::Map<MatrixXd>(out.images.data(), n_, wanted_).noalias() = p_.leftCols(processed_) * y_.leftCols(wanted_);
        out.converged = converged;
        out.applications = applications_;
        return out;
    }

    KrylovOperator& op_;
    Index n_, wanted_, block_, capacity_;
    KrylovSettings settings_;
    MatrixXd v_, p_, h_;        // basis, M times basis, projected operator
    MatrixXd y_, coupling_;
    VectorXd theta_;
    Index size_ = 0, processed_ = 0;
    int applications_ = 0;
    std::uint64_t random_ = 20;
};

}  // namespace

KrylovPairs largest_pairs(KrylovOperator& op, const KrylovSettings& settings, Progress& progress) {
    if (op.size() == 0 || settings.count == 0) return {{}, {}, {}, true, 0};
    return BlockLanczos(op, settings).run(progress);
}

}  // namespace limber
