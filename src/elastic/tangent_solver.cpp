#include "elastic/tangent_solver.hpp"

#include "elastic/vectors.hpp"
#include "linalg/block_cg.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr std::size_t kSmall = 400;     // vertices up to which groups of them do not pay

// Conjugate gradients in double with the blocks on the diagonal as preconditioner: for bodies of a few hundred vertices.
class BlockJacobiCg final : public TangentSolver {
public:
    explicit BlockJacobiCg(const BlockCsr& pattern) : a_(pattern), n_(pattern.size()) {
        for (std::size_t r = 0; r < a_.rows(); ++r)
            for (std::int32_t e = a_.starts[r]; e < a_.starts[r + 1]; ++e)
                if (a_.columns[static_cast<std::size_t>(e)] == static_cast<std::int32_t>(r)) diagonal_.push_back(e);
    }
    const char* name() const override { return "block_jacobi_cg"; }
    std::size_t scratch_size() const override { return 4 * n_ + block2() * a_.rows(); }
    std::size_t bytes() const override { return diagonal_.size() * sizeof(std::int32_t); }

    void refresh(const double* values, const double*, double* scratch) const noexcept override {
        for (std::size_t r = 0; r < a_.rows(); ++r) invert(values + static_cast<std::size_t>(diagonal_[r]) * block2(), scratch + r * block2());
    }

    SolveReport solve(const double* values, const double* b, double* x, double tolerance, int max_iterations, double* scratch) const noexcept override {
        const double* inverse = scratch;
        double *r = scratch + block2() * a_.rows(), *z = r + n_, *p = z + n_, *q = p + n_;
        const double target = tolerance * norm_n(n_, b), size = norm_n(n_, b);
        SolveReport report;
        if (!(size > 0.0)) {
            std::fill_n(x, n_, 0.0);
            report.converged = size == 0.0;
            return report;
        }
        multiply(a_, values, x, r);
        for (std::size_t i = 0; i < n_; ++i) r[i] = b[i] - r[i];
        precondition(inverse, r, z);
        std::copy_n(z, n_, p);
        double rz = dot_n(n_, r, z), left = norm_n(n_, r);
        while (left > target && report.iterations < max_iterations) {
            multiply(a_, values, p, q);
            const double curvature = dot_n(n_, p, q);
            if (!(curvature > 0.0) || !(rz > 0.0)) break;
            const double step = rz / curvature;
            for (std::size_t i = 0; i < n_; ++i) x[i] += step * p[i], r[i] -= step * q[i];
            ++report.iterations;
            left = norm_n(n_, r);
            precondition(inverse, r, z);
            const double next = dot_n(n_, r, z), keep = next / rz;
            for (std::size_t i = 0; i < n_; ++i) p[i] = z[i] + keep * p[i];
            rz = next;
        }
        report.residual = left / size;
        report.converged = left <= target;
        return report;
    }

private:
    std::size_t block2() const { return static_cast<std::size_t>(a_.block * a_.block); }
    // A block that is not positive definite shows in the curvature of the whole; here its plain inverse will do, or none.
    void invert(const double* m, double* out) const noexcept {
        if (a_.block == 2) {
            const double d = m[0] * m[3] - m[1] * m[2], s = d != 0.0 ? 1.0 / d : 0.0;
            out[0] = s * m[3], out[1] = -s * m[1], out[2] = -s * m[2], out[3] = s * m[0];
            return;
        }
        Mat3 a;
        for (int i = 0; i < 9; ++i) a(i / 3, i % 3) = m[i];
        if (determinant(a) == 0.0) a = Mat3::identity();
        const Mat3 back = inverse(a);
        for (int i = 0; i < 9; ++i) out[i] = back(i / 3, i % 3);
    }
    void precondition(const double* inverse, const double* r, double* z) const noexcept {
        const auto b = static_cast<std::size_t>(a_.block);
        for (std::size_t row = 0; row < a_.rows(); ++row)
            for (std::size_t i = 0; i < b; ++i) {
                double sum = 0.0;
                for (std::size_t j = 0; j < b; ++j) sum += inverse[(row * b + i) * b + j] * r[row * b + j];
                z[row * b + i] = sum;
            }
    }

    const BlockCsr& a_;
    std::size_t n_;
    std::vector<std::int32_t> diagonal_;    // entry of each row's own block
};

// Two levels, in float under residuals in double (linalg/block_cg.hpp).
class TwoLevelCg final : public TangentSolver {
public:
    TwoLevelCg(const Body& body, const BlockCsr& pattern, std::span<const std::uint8_t> held) : body_(body), n_(pattern.size()), cg_(pattern, held) {}
    const char* name() const override { return "two_level_cg"; }
    std::size_t scratch_size() const override { return n_ + cg_.scratch_size(); }
    std::size_t bytes() const override { return cg_.bytes(); }
    void refresh(const double* values, const double* u, double* scratch) const noexcept override {
        const auto d = static_cast<std::size_t>(body_.mesh().dimension());
        for (std::size_t v = 0; v < body_.vertex_count(); ++v)
            for (std::size_t i = 0; i < d; ++i) scratch[v * d + i] = body_.mesh().vertices[v][static_cast<int>(i)] + u[v * d + i];
        cg_.refresh(values, scratch, scratch + n_);
    }
    SolveReport solve(const double* values, const double* b, double* x, double tolerance, int max_iterations, double* scratch) const noexcept override {
        return cg_.solve(values, b, x, tolerance, max_iterations, scratch + n_);
    }

private:
    const Body& body_;
    std::size_t n_;
    BlockCg cg_;
};

}  // namespace

std::unique_ptr<TangentSolver> make_tangent_solver(const Body& body, const BlockCsr& pattern, std::span<const std::int32_t> held) {
    if (pattern.rows() <= kSmall) return std::make_unique<BlockJacobiCg>(pattern);
    std::vector<std::uint8_t> marks(pattern.size(), 0);
    for (const std::int32_t h : held) marks[static_cast<std::size_t>(h)] = 1;
    return std::make_unique<TwoLevelCg>(body, pattern, marks);
}

}  // namespace limber
