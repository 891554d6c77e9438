#include "linalg/direct.hpp"

#include "core/assert.hpp"
#include "core/text.hpp"
#include "linalg/packed_factor.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

class CholeskySolver final : public LinearSolver {
public:
    explicit CholeskySolver(PackedFactor factor) : factor_(std::move(factor)) {}
    std::size_t size() const override { return factor_.size(); }
    std::size_t scratch_size() const override { return factor_.scratch_size(); }
    const char* name() const override { return "cholesky"; }
    SolveReport solve(const double* b, double* x, double* scratch) const noexcept override {
        factor_.solve(b, x, scratch);
        return {};
    }
    void solve_many(const double* b, double* x, std::size_t count, double* scratch) const noexcept override {
        const std::size_t n = size();
        std::size_t c = 0;
        for (; c + 1 < count; c += kBundle)
            factor_.solve_bundle(b + c * n, x + c * n, std::min(kBundle, count - c), scratch);
        if (c < count) factor_.solve(b + c * n, x + c * n, scratch);  // one alone costs less by itself
    }
    std::size_t many_scratch_size() const override { return kBundle * factor_.scratch_size(); }
    std::size_t bytes() const override { return factor_.bytes(); }
    void save(ByteWriter& out) const override {
        out.u8(static_cast<std::uint8_t>(SolverTag::cholesky));
        factor_.save(out);
    }

private:
    PackedFactor factor_;
};

class DiagonalSolver final : public LinearSolver {
public:
    explicit DiagonalSolver(std::vector<double> diagonal) : diagonal_(std::move(diagonal)) {}
    std::size_t size() const override { return diagonal_.size(); }
    std::size_t scratch_size() const override { return 0; }
    const char* name() const override { return "diagonal"; }
    SolveReport solve(const double* b, double* x, double*) const noexcept override {
        for (std::size_t i = 0; i < diagonal_.size(); ++i) x[i] = b[i] / diagonal_[i];
        return {};
    }
    std::size_t bytes() const override { return diagonal_.size() * sizeof(double); }
    void save(ByteWriter& out) const override {
        out.u8(static_cast<std::uint8_t>(SolverTag::diagonal));
        out.reals(diagonal_);
    }

private:
    std::vector<double> diagonal_;
};

// Rows out of order or halves that differ would send the factorisation out of its arrays.
bool has_symmetric_pattern(const Csr& a) {
    std::vector<std::int64_t> next(
        a.starts.begin(),
        a.starts.end() - 1);  // rows are visited in order, so each row's entries are asked for in order
    for (std::size_t r = 0; r < a.rows(); ++r) {
        for (std::size_t e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]);
             ++e) {
            const std::size_t c = static_cast<std::size_t>(a.columns[e]);
            if (a.columns[e] < 0 || c >= a.rows() ||
                (e > static_cast<std::size_t>(a.starts[r]) && a.columns[e - 1] >= a.columns[e])) {
                return false;
            }
            if (next[c] == a.starts[c + 1] ||
                a.columns[static_cast<std::size_t>(next[c]++)] != static_cast<std::int32_t>(r)) {
                return false;
            }
        }
    }
    return true;
}

bool usable(double d) { return d > 0.0 && std::isfinite(d) && std::isfinite(1.0 / d); }

}  // namespace

std::unique_ptr<LinearSolver> make_cholesky(const Csr& a, FactorEngine engine, Progress& progress) {
    LIMBER_ASSERT(has_symmetric_pattern(a));
    progress.update(0.0, "ordering");
    if (progress.stop_requested()) throw_interrupted();
    const Symbolic symbolic = analyse(a);
    if (progress.stop_requested()) throw_interrupted();
    return std::make_unique<CholeskySolver>(PackedFactor(a, symbolic, engine, progress));
}

std::unique_ptr<LinearSolver> load_cholesky(ByteReader& in) {
    return std::make_unique<CholeskySolver>(PackedFactor::load(in));
}

bool is_diagonal(const Csr& a) {
    if (a.columns.size() != a.rows()) return false;
    for (std::size_t i = 0; i < a.rows(); ++i)
        if (a.starts[i] != static_cast<std::int64_t>(i) || static_cast<std::size_t>(a.columns[i]) != i) return false;
    return true;
}

std::unique_ptr<LinearSolver> make_diagonal(const Csr& a) {
    for (std::size_t i = 0; i < a.rows(); ++i) {
        if (!usable(a.values[i])) {
            throw Error(
                Fault::bad_mesh, {},
                text("the system is not positive definite: the diagonal entry of unknown ", i, " is ", a.values[i]),
                "a positive number");
        }
    }
    return std::make_unique<DiagonalSolver>(a.values);
}

std::unique_ptr<LinearSolver> load_diagonal(ByteReader& in) {
    std::vector<double> diagonal = in.reals();
    for (std::size_t i = 0; i < diagonal.size(); ++i)
        if (!usable(diagonal[i])) in.fail(text("diagonal entry ", i, " is ", diagonal[i]), "a positive number");
    return std::make_unique<DiagonalSolver>(std::move(diagonal));
}

}  // namespace limber
