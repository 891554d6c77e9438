#include "linalg/krylov.hpp"

#include "linalg/aligned.hpp"
#include "linalg/dense_blas.hpp"

#include <limber/error.hpp>

#include <Eigen/Cholesky>
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
        : op_(op),
          n_(static_cast<Index>(op.size())),
          wanted_(std::min(static_cast<Index>(settings.count), n_)),
          block_(std::min(static_cast<Index>(settings.block), n_)),
          capacity_(std::min(n_, std::max(static_cast<Index>(settings.capacity), wanted_ + 2 * block_ + 8))),
          images_(op.multiplies_fast() ? block_ : capacity_),
          settings_(settings),
          v_room_(static_cast<std::size_t>(n_ * capacity_)),
          p_room_(static_cast<std::size_t>(n_ * images_)),
          v_(v_room_.data(), n_, capacity_),
          p_(p_room_.data(), n_, images_),
          h_(MatrixXd::Zero(capacity_, capacity_)),
          random_(settings.seed) {}

    KrylovPairs run(Progress& progress) {
        for (Index i = 0; i < block_; ++i) append_random();
        while (true) {
            while (can_process()) {
                if (progress.stop_requested())
                    throw Error(Fault::interrupted, {}, "interrupted while searching for eigenmodes");
                process();
                if (processed_ < next_look_ && can_process()) continue;
                ritz();
                const Index good = converged_count();
                progress.update(
                    static_cast<double>(std::min(good, wanted_)) / static_cast<double>(std::max<Index>(1, wanted_)),
                    "finding modes");
                if (good == needed() || processed_ == n_) return result(true);
                if (applications_ >= settings_.max_applications) return result(false);
            }
            restart(converged_count());
        }
    }

private:
    bool can_process() const { return processed_ < size_ && (size_ < capacity_ || size_ == n_); }
    bool keeps_images() const { return images_ == capacity_; }
    // M times basis vector k: of all of them, or only of those not yet processed.
    Index image(Index k) const { return keeps_images() ? k : k - processed_; }

    // Applies the operator to the next block of basis vectors; what is new about the results becomes further basis
    // vectors.
    void process() {
        const Index j = processed_, old = size_;
        Index width = std::min(block_, old - j);
        if (old < n_) width = std::min(width, capacity_ - old);
        MatrixXd &w = w_, &q = q_;
        w.resize(n_, width);
        q.resize(n_, width);
        op_.apply(v_.col(j).data(), p_.col(image(j)).data(), w.data(), q.data(), static_cast<std::size_t>(width));
        applications_ += static_cast<int>(width);
        if (!keeps_images())
            for (Index k = width; k < old - j; ++k) p_.col(k - width) = p_.col(k);
        processed_ += width;
        VectorXd before(width);
        for (Index i = 0; i < width; ++i) before[i] = norm(w.col(i), q.col(i));
        // But for rounding, which the second time removes, only the vectors this block came from and those since are in
        // it.
        MatrixXd c = MatrixXd::Zero(old, width);
        c.bottomRows(old - near_) = project_out(near_, w, q);
        near_ = width == old - j ? j : 0;
        if (old < n_ && add_block(w, q, c, before, j)) return;
        near_ = 0;
        for (int pass = 0; pass < 2; ++pass) {
            // Where much cancels, q is M w only to a few digits; left alone, the error grows from vector to vector.
            op_.match(w.data(), q.data(), static_cast<std::size_t>(width));
            c += project_out(0, w, q);
        }
        h_.block(0, j, old, width) = c;
        if (old == n_) return;
        for (Index i = 0; i < width; ++i) {
            MatrixXd one = w.col(i), image = q.col(i);
            add_what_is_new(one, image, before[i], j + i, old);
        }
    }

    // The usual case: the whole block is new. w = V c + W R with W orthonormal, each found twice because rounding
    // spoils the first time.
    bool add_block(MatrixXd& w, MatrixXd& q, const MatrixXd& c, const VectorXd& before, Index column) {
        constexpr double kNew = 1e-5;  // of a vector's length; less is left to the careful way
        const Index old = size_, width = w.cols();
        MatrixXd &w1 = w1_, &q1 = q1_, first;
        w1 = w;
        q1 = q;
        if (!orthonormalise(w1, q1, kNew * before, first)) return false;
        if (keeps_images()) op_.match(w1.data(), q1.data(), static_cast<std::size_t>(width));
        const MatrixXd again = project_out(0, w1, q1);
        MatrixXd second;
        if (!orthonormalise(w1, q1, VectorXd::Constant(width, 0.5), second)) return false;
        h_.block(0, column, old, width) = c + again * first;
        h_.block(old, column, width, width) = second * first;
        v_.middleCols(old, width) = w1;
        p_.middleCols(image(old), width) = q1;
        size_ += width;
        return true;
    }

    // w = W R with W^T M W = 1; false when some column brings less than `least` that is new.
    static bool orthonormalise(MatrixXd& w, MatrixXd& q, const VectorXd& least, MatrixXd& r) {
        MatrixXd gram(w.cols(), w.cols());
        dots(w.data(), w.rows(), w.cols(), q, gram);
        const Eigen::LLT<MatrixXd, Eigen::Upper> llt(0.5 * (gram + gram.transpose()));
        if (llt.info() != Eigen::Success) return false;
        r = llt.matrixU();
        if (!((r.diagonal().array() > least.array()).all())) return false;
        const MatrixXd back = r.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(w.cols(), w.cols()));
        // In place: column k of the product needs only columns up to k.
        for (MatrixXd* m : {&w, &q}) {
            for (Index k = w.cols(); k-- > 0;) {
                m->col(k) *= back(k, k);
                for (Index i = 0; i < k; ++i) m->col(k) += back(i, k) * m->col(i);
            }
        }
        return true;
    }

    static void dots(const double* a, Index n, Index k, const MatrixXd& b, MatrixXd& c) {
        c.resize(k, b.cols());
        dense_dots(a, static_cast<std::size_t>(n), static_cast<std::size_t>(k), b.data(),
                   static_cast<std::size_t>(b.cols()), c.data());
    }
    static void subtract(const double* a, const MatrixXd& c, MatrixXd& b) {
        dense_subtract(a, static_cast<std::size_t>(b.rows()), static_cast<std::size_t>(c.rows()), c.data(),
                       static_cast<std::size_t>(c.cols()), b.data());
    }

    // One result of process(), free of the first `old` basis vectors already: now of those that its block added.
    void add_what_is_new(MatrixXd& w, MatrixXd& q, double before, Index column, Index old) {
        const double alone = norm(w, q);
        for (int pass = 0; pass < 2; ++pass) h_.block(old, column, size_ - old, 1) += project_out(old, w, q);
        if (norm(w, q) < 0.1 * alone) {  // much cancelled again
            op_.match(w.data(), q.data(), 1);
            h_.block(0, column, size_, 1) += project_out(0, w, q);
        }
        const double left = norm(w, q);
        if (left > 1e-12 * before) {
            h_(size_, column) = left;
            append(w / left, q / left);
        } else {
            append_random();  // an invariant subspace: look for what it does not contain
        }
    }

    static double norm(const Eigen::Ref<const MatrixXd>& w, const Eigen::Ref<const MatrixXd>& q) {
        return std::sqrt(std::max(0.0, w.col(0).dot(q.col(0))));
    }

    // Removes the basis from number `first` on from the columns of w (callers do it twice, which is enough); returns
    // the coefficients.
    MatrixXd project_out(Index first, MatrixXd& w, MatrixXd& q) const {
        const Index count = size_ - first;
        MatrixXd c(count, w.cols());
        if (count == 0) return c;
        if (keeps_images()) {
            dots(p_.col(first).data(), n_, count, w, c);
            subtract(v_.col(first).data(), c, w);
            subtract(p_.col(first).data(), c, q);
        } else {
            dots(v_.col(first).data(), n_, count, q, c);
            subtract(v_.col(first).data(), c, w);
            op_.match(w.data(), q.data(), static_cast<std::size_t>(w.cols()));
        }
        return c;
    }

    void append(const MatrixXd& w, const MatrixXd& q) {
        v_.col(size_) = w;
        p_.col(image(size_)) = q;
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
        throw Error(Fault::bad_mesh, {}, "the mass matrix is not positive definite or not finite",
                    "a positive mass at every unknown");
    }

    double next_random() {  // splitmix64, mapped to (-1, 1)
        std::uint64_t z = (random_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
        return static_cast<double>(z >> 11) * 0x1p-52 - 1.0;
    }

    void ritz() {
        const MatrixXd t = 0.5 * (h_.topLeftCorner(processed_, processed_) +
                                  h_.topLeftCorner(processed_, processed_).transpose());
        const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(t);
        theta_ = eigen.eigenvalues().reverse();
        y_ = eigen.eigenvectors().rowwise().reverse();
        coupling_ = h_.block(processed_, 0, size_ - processed_, processed_) * y_;
        next_look_ = processed_ + std::max(block_, processed_ / 25);  // looking costs the cube of the basis' size
    }

    // The pairs wanted, and those that hang together with the last of them.
    Index needed() const {
        const Index most = std::min(processed_, wanted_ + block_);
        Index count = wanted_;
        while (count < most && theta_[count] > (1.0 - settings_.together) * theta_[count - 1]) ++count;
        return count;
    }

    Index converged_count() const {
        if (processed_ < wanted_) return 0;
        const Index all = needed();
        Index good = 0;
        while (good < all && coupling_.col(good).norm() <= settings_.tolerance * std::abs(theta_[good])) ++good;
        return good;
    }

    // Keeps the best Ritz vectors and the vectors not yet processed, which carry on the Krylov sequence.
    void restart(Index good) {
        const Index waiting = size_ - processed_;
        const Index keep = std::min(processed_ - 1, wanted_ + (processed_ - wanted_) / 3 + good / 2);
        for (Eigen::Map<MatrixXd>* m : {&v_, &p_}) {
            if (m == &p_ && !keeps_images()) continue;
            constexpr Index kRows = 4096;  // at a time: the basis is replaced in its own place
            for (Index row = 0; row < n_; row += kRows) {
                const Index rows = std::min(kRows, n_ - row);
                const MatrixXd kept = m->block(row, 0, rows, processed_) * y_.leftCols(keep),
                               rest = m->block(row, processed_, rows, waiting);
                m->block(row, 0, rows, keep) = kept;
                m->block(row, keep, rows, waiting) = rest;
            }
        }
        h_.setZero();
        h_.topLeftCorner(keep, keep) = theta_.head(keep).asDiagonal();
        h_.block(keep, 0, waiting, keep) = coupling_.leftCols(keep);
        processed_ = keep;
        size_ = keep + waiting;
        next_look_ = 0;
        near_ = 0;
    }

    KrylovPairs result(bool converged) const {
        const Index count = std::min(needed(), processed_), waiting = size_ - processed_;
        KrylovPairs out;
        out.values.assign(theta_.data(), theta_.data() + count);
        out.vectors.resize(static_cast<std::size_t>(n_ * count));
        MatrixXd y(size_, count);
        y.topRows(processed_) = y_.leftCols(count);
        for (Index k = 0; k < count; ++k)
            y.col(k).tail(waiting) = coupling_.col(k) * (converged && theta_[k] != 0.0 ? 1.0 / theta_[k] : 0.0);
        Eigen::Map<MatrixXd>(out.vectors.data(), n_, count).noalias() = v_.leftCols(size_) * y;
        out.converged = converged;
        out.applications = applications_;
        return out;
    }

    KrylovOperator& op_;
    Index n_, wanted_, block_, capacity_, images_;
    KrylovSettings settings_;
    AlignedArray v_room_, p_room_;  // taken from the machine only as far as the basis grows
    Eigen::Map<MatrixXd> v_,
        p_;                     // basis, M times basis (where it is kept, otherwise only of what waits to be processed)
    MatrixXd h_;                // projected operator
    MatrixXd w_, q_, w1_, q1_;  // one block's; kept, since giving them back at every step costs page faults
    MatrixXd y_, coupling_;
    VectorXd theta_;
    Index size_ = 0, processed_ = 0, next_look_ = 0;
    Index near_ = 0;  // the first basis vector that the next results have a share of, up to rounding
    int applications_ = 0;
    std::uint64_t random_;
};

}  // namespace

KrylovPairs largest_pairs(KrylovOperator& op, const KrylovSettings& settings, Progress& progress) {
    if (op.size() == 0 || settings.count == 0) return {{}, {}, true, 0};
    return BlockLanczos(op, settings).run(progress);
}

}  // namespace limber
