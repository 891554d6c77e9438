// Cholesky in single precision, refined in double: half the memory to hold and to read. What one sweep brings is good
// to six digits or so; each further one removes as many again from the residual, which is computed in double. Where
// that stalls (an ill-conditioned matrix) the factor preconditions conjugate gradients instead. Which of them happened
// shows in the iterations; the residual reported is the true one.
#include "linalg/direct.hpp"

#include "core/text.hpp"
#include "linalg/packed_factor.hpp"
#include "linalg/vectors.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

double product(const double* a, const double* b, std::size_t n) noexcept {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

class FloatCholesky final : public LinearSolver {
public:
    FloatCholesky(Csr a, PackedFactorFloat factor, double scale, const SolverSettings& settings)
        : a_(std::move(a)), blocks_(as_blocks(a_)), factor_(std::move(factor)), scale_(scale), settings_(settings) {
        if (blocks_.rows() > 0) a_ = {};
    }
    std::size_t size() const override { return factor_.size(); }
    // Four vectors, and the factor's own in single precision.
    std::size_t scratch_size() const override { return 4 * size() + factor_.scratch_size() / 2 + 1; }
    const char* name() const override { return "cholesky_float"; }

    SolveReport solve(const double* b, double* x, double* scratch) const noexcept override {
        constexpr double kStalls = 0.1;  // of the residual before
        const std::size_t n = size();
        double *r = scratch, *d = r + n;
        const double length = norm_n(n, b);
        SolveReport report;
        if (!(length > 0.0)) {
            std::fill(x, x + n, 0.0);
            return report;
        }
        const bool guessed = std::any_of(x, x + n, [](double v) { return v != 0.0; });
        report.residual = guessed ? residual(b, x, r) / length : 1.0;
        if (!guessed || !(report.residual <= 1.0)) {  // a guess worse than none
            std::fill(x, x + n, 0.0);
            std::copy(b, b + n, r);
            report.residual = 1.0;
        }
        while (!(report.residual <= settings_.tolerance) && report.iterations < settings_.max_iterations) {
            const double before = report.residual;
            precondition(r, d, scratch);
            for (std::size_t i = 0; i < n; ++i) x[i] += d[i];
            ++report.iterations;
            report.residual = residual(b, x, r) / length;
            if (report.residual <= kStalls * before) continue;
            if (!(report.residual <= before)) {  // it made things worse: take it back
                for (std::size_t i = 0; i < n; ++i) x[i] -= d[i];
                report.residual = residual(b, x, r) / length;
            }
            conjugate_gradients(b, length, x, scratch, report);
            break;
        }
        report.converged = report.residual <= settings_.tolerance;
        return report;
    }

    std::size_t bytes() const override {
        return factor_.bytes() + a_.starts.size() * 8 + a_.columns.size() * 4 + a_.values.size() * 8 +
               blocks_.starts.size() * 4 + blocks_.columns.size() * 4 + blocks_.values.size() * 8;
    }
    void save(ByteWriter& out) const override {
        out.u8(static_cast<std::uint8_t>(SolverTag::cholesky_float));
        out.f64(settings_.tolerance);
        out.i32(settings_.max_iterations);
        out.f64(scale_);
        const Csr a = blocks_.rows() > 0 ? as_single(blocks_) : a_;
        out.longs(a.starts);
        out.ints(a.columns);
        out.reals(a.values);
        factor_.save(out);
    }

private:
    void times(const double* x, double* y) const noexcept {
        if (blocks_.rows() > 0)
            multiply(blocks_, x, y);
        else
            multiply(a_, x, y);
    }
    double residual(const double* b, const double* x, double* r) const noexcept {
        times(x, r);
        for (std::size_t i = 0; i < size(); ++i) r[i] = b[i] - r[i];
        return norm_n(size(), r);
    }

    // d = A^-1 r to single precision, whatever the size of r.
    void precondition(const double* r, double* d, double* scratch) const noexcept {
        const std::size_t n = size();
        double most = 0.0;
        for (std::size_t i = 0; i < n; ++i) most = std::max(most, std::abs(r[i]));
        const double down = most > 0.0 ? 1.0 / most : 0.0, up = most / scale_;
        double* scaled = scratch + 3 * n;
        for (std::size_t i = 0; i < n; ++i) scaled[i] = r[i] * down;
        factor_.solve(scaled, d, reinterpret_cast<float*>(scratch + 4 * n));
        for (std::size_t i = 0; i < n; ++i) d[i] *= up;
    }

    void conjugate_gradients(const double* b, double length, double* x, double* scratch,
                             SolveReport& report) const noexcept {
        const std::size_t n = size();
        double *r = scratch, *z = r + n, *p = z + n,
               *q = p + n;  // q shares its place with precondition()'s copy: never alive together
        double rho = 0.0;
        bool fresh = true;
        while (report.iterations < settings_.max_iterations) {
            precondition(r, z, scratch);
            const double next = product(r, z, n), beta = fresh ? 0.0 : next / rho;
            rho = next;
            for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + (fresh ? 0.0 : beta * p[i]);
            fresh = false;
            times(p, q);
            const double curvature = product(p, q, n);
            if (!(rho > 0.0) || !(curvature > 0.0)) break;
            const double step = rho / curvature;
            for (std::size_t i = 0; i < n; ++i) {
                x[i] += step * p[i];
                r[i] -= step * q[i];
            }
            ++report.iterations;
            double estimate = norm_n(n, r) / length;
            if (!(estimate > settings_.tolerance)) {
                // The running residual drifts: only the true one counts, and the search goes on from it.
                const double before = report.residual;
                report.residual = estimate = residual(b, x, r) / length;
                if (estimate <= settings_.tolerance || !(estimate < 0.5 * before)) return;
                fresh = true;
            }
        }
        report.residual = residual(b, x, r) / length;
    }

    Csr a_;  // empty when it is there in blocks: a third less to read
    BlockCsr blocks_;
    PackedFactorFloat factor_;
    double scale_;
    SolverSettings settings_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_float_cholesky(const Csr& a, const SolverSettings& settings, Progress& progress) {
    double scale = 0.0;  // entries of the factor of A / scale are at most one
    for (std::size_t r = 0; r < a.rows(); ++r) {
        for (auto e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]); ++e)
            if (static_cast<std::size_t>(a.columns[e]) == r) scale = std::max(scale, a.values[e]);
    }
    if (!(scale > 0.0) || !std::isfinite(scale)) scale = 1.0;  // the factorisation says what is wrong
    progress.update(0.0, "ordering");
    if (progress.stop_requested()) throw_interrupted();
    const Symbolic symbolic = analyse(a);
    if (progress.stop_requested()) throw_interrupted();
    return std::make_unique<FloatCholesky>(a, PackedFactorFloat(a, symbolic, FactorEngine::automatic, progress, scale),
                                           scale, settings);
}

std::unique_ptr<LinearSolver> load_float_cholesky(ByteReader& in) {
    SolverSettings settings;
    settings.kind = SolverKind::cholesky_float;
    settings.tolerance = in.f64();
    settings.max_iterations = in.i32();
    const double scale = in.f64();
    Csr a;
    a.starts = in.longs();
    a.columns = in.ints();
    a.values = in.reals();
    if (!(settings.tolerance > 0.0) || !(scale > 0.0) || !std::isfinite(scale))
        in.fail("a tolerance or a scale that is not positive");
    bool good = !a.starts.empty() && a.starts.front() == 0 &&
                a.starts.back() == static_cast<std::int64_t>(a.columns.size()) && a.columns.size() == a.values.size();
    for (std::size_t r = 0; good && r < a.rows(); ++r) good = a.starts[r] <= a.starts[r + 1];
    for (std::size_t e = 0; good && e < a.columns.size(); ++e)
        good = a.columns[e] >= 0 && static_cast<std::size_t>(a.columns[e]) < a.rows() && std::isfinite(a.values[e]);
    if (!good) in.fail("the matrix beside the factor is damaged");
    PackedFactorFloat factor = PackedFactorFloat::load(in);
    if (factor.size() != a.rows())
        in.fail(text("a factor of ", factor.size(), " unknowns"), text(a.rows(), " unknowns"));
    return std::make_unique<FloatCholesky>(std::move(a), std::move(factor), scale, settings);
}

}  // namespace limber
