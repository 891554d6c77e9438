#include "linalg/block_cg.hpp"

#include "linalg/block_cg_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr double kFloatFloor =
    2e-6;                          // what one run in float may promise: its own residual drifts from the true one below
constexpr double kSafety = 0.85;   // of the tolerance, for that drift
constexpr double kPoorRun = 0.25;  // a run that leaves more than this of the residual has met float's limit

double inner_product_of(const double* a, const double* b, std::size_t n) {
    double s = 0.0;
    for (std::size_t i = 0; i < n; ++i) s += a[i] * b[i];
    return s;
}

}  // namespace

struct BlockCg::Inner {
    int iterations = 0;
    bool positive = true;  // no direction of negative curvature was met
};

double BlockCg::residual(const Parts& s, const double* values, const double* b, const double* x,
                         double* r) const noexcept {
    multiply_all(s, values, x, r);
    double sum = 0.0;
    for (std::size_t i = 0; i < unknowns_; ++i) {
        r[i] = b[i] - r[i];
        sum += r[i] * r[i];
    }
    return std::sqrt(sum);
}

// r = factor * (the caller's r), everything else zero
void BlockCg::load(const Parts& s, const double* r, double factor) const noexcept {
    const auto block = static_cast<std::size_t>(block_);
    for (std::size_t row = 0; row < vertex_.size(); ++row) {
        const double* from = r + block * static_cast<std::size_t>(vertex_[row]);
        for (std::size_t c = 0; c < 4; ++c) s.r[4 * row + c] = c < block ? static_cast<float>(factor * from[c]) : 0.0f;
    }
    for (float* v : {s.x, s.p, s.q}) std::fill_n(v, 4 * vertex_.size(), 0.0f);
}

// One step along p, then both halves of the preconditioner; returns r . z.
double BlockCg::precondition(const Parts& s, float alpha, double& rr) const noexcept {
    const FloatVectors v = s.vectors();
    for_chunks(chunks_, [&](std::size_t chunk, std::size_t begin, std::size_t end) noexcept {
        FloatSums sums;
        for (std::size_t a = begin; a < end; ++a) {
            s.kernels.update(v, alpha, static_cast<std::size_t>(aggregate_starts_[a]),
                             static_cast<std::size_t>(aggregate_starts_[a + 1]), sums, s.resultant + 8 * a);
        }
        s.sums[2 * chunk] = sums.rr;
        s.sums[2 * chunk + 1] = sums.rz;
    });
    rr = 0.0;
    double rz = 0.0;
    for (std::size_t c = 0; c + 1 < chunks_.size(); ++c) {
        rr += s.sums[2 * c];
        rz += s.sums[2 * c + 1];
    }
    std::copy_n(s.resultant, 8 * aggregates(), s.motion);
    coarse_.solve(s.kernels, s.coarse, s.motion);
    // r . P y = P^T r . y: no pass over the vertices
    for (std::size_t i = 0; i < 8 * aggregates(); ++i)
        rz += static_cast<double>(s.resultant[i]) * static_cast<double>(s.motion[i]);
    return rz;
}

void BlockCg::turn(const Parts& s, float beta) const noexcept {
    const FloatVectors v = s.vectors();
    for_chunks(chunks_, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        for (std::size_t a = begin; a < end; ++a) {
            s.kernels.direction(v, beta, s.motion + 8 * a, static_cast<std::size_t>(aggregate_starts_[a]),
                                static_cast<std::size_t>(aggregate_starts_[a + 1]));
        }
    });
}

// x (float, from zero) until |r| <= target; r is loaded.
BlockCg::Inner BlockCg::run_float(const Parts& s, double target, int max_iterations) const noexcept {
    Inner run;
    const FloatRows rows{slice_rows_.data(), slice_starts_.data(), slice_columns_.data(), s.values};
    const std::size_t last = chunks_.size() - 2;
    double rr = 0.0, rz = precondition(s, 0.0f, rr);
    turn(s, 0.0f);
    while (run.iterations < max_iterations) {
        // To and fro: what the last product left in the cache is the first that the next one wants.
        for_chunks(chunks_, [&](std::size_t k, std::size_t, std::size_t) noexcept {
            const std::size_t chunk = run.iterations % 2 == 0 ? k : last - k;
            s.sums[chunk] = s.kernels.product(rows, s.p, s.q, static_cast<std::size_t>(chunk_slices_[chunk]),
                                              static_cast<std::size_t>(chunk_slices_[chunk + 1]));
        });
        double pq = 0.0;
        for (std::size_t c = 0; c + 1 < chunks_.size(); ++c) pq += s.sums[c];
        if (patches_ != nullptr) pq += add_patches(s);
        run.positive = pq > 0.0 && rz > 0.0 && std::isfinite(rz / pq);
        if (!run.positive) break;
        const double before = rz;
        rz = precondition(s, static_cast<float>(rz / pq), rr);
        ++run.iterations;
        if (!(std::sqrt(rr) > target)) break;
        turn(s, static_cast<float>(rz / before));
    }
    return run;
}

SolveReport BlockCg::solve(const double* values, const double* b, double* x, double tolerance, int max_iterations,
                           double* scratch) const noexcept {
    const Parts s(layout_, scratch);
    const auto block = static_cast<std::size_t>(block_);
    SolveReport report;
    const double size = std::sqrt(inner_product_of(b, b, unknowns_));
    const bool guessed = std::any_of(x, x + unknowns_, [](double v) { return v != 0.0; });
    double left = guessed ? residual(s, values, b, x, s.residual) : size;
    if (!(left < size)) {  // no guess, or one worse than none
        std::fill_n(x, unknowns_, 0.0);
        std::copy_n(b, unknowns_, s.residual);
        left = size;
    }
    if (!(size > 0.0)) return report;
    while (!direct_ && left > tolerance * size && report.iterations < max_iterations) {
        load(s, s.residual, 1.0 / left);
        const double target = std::max(kSafety * tolerance * size / left, kFloatFloor);
        const Inner run = run_float(s, target, max_iterations - report.iterations);
        report.iterations += run.iterations;
        const double factor = left * *s.scale;
        for (std::size_t row = 0; row < vertex_.size(); ++row) {
            for (std::size_t c = 0; c < block; ++c)
                x[block * static_cast<std::size_t>(vertex_[row]) + c] += factor * static_cast<double>(s.x[4 * row + c]);
        }
        const double before = left;
        left = residual(s, values, b, x, s.residual);
        if (!run.positive || !(left < kPoorRun * before)) break;
    }
    // Again from the true residual while that helps: the running one drifts from it here too.
    for (double worse = std::numeric_limits<double>::infinity();
         left > tolerance * size && left < 0.5 * worse && report.iterations < max_iterations;) {
        worse = left;
        run_double(s, values, x, size, tolerance, max_iterations, report);
        left = residual(s, values, b, x, s.residual);
    }
    report.residual = left / size;
    report.converged = report.residual <= 1.1 * tolerance;
    return report;
}

// p = A^-1 r with the factor of the whole matrix
void BlockCg::solve_pairs(const Parts& s) const noexcept {
    std::fill_n(s.motion, 8 * aggregates(), 0.0f);
    const auto column = [&](std::size_t row) {
        const auto a = static_cast<std::size_t>(aggregate_of_[row]);
        return s.motion + 8 * a + 3 * (row - static_cast<std::size_t>(aggregate_starts_[a]));
    };
    for (std::size_t row = 0; row < vertex_.size(); ++row) std::copy_n(s.r + 4 * row, 3, column(row));
    coarse_.solve(s.kernels, s.coarse, s.motion);
    for (std::size_t row = 0; row < vertex_.size(); ++row) std::copy_n(column(row), 3, s.p + 4 * row);
}

// The same preconditioner under double vectors: for matrices whose condition float cannot bear.
void BlockCg::run_double(const Parts& s, const double* values, double* x, double scale, double tolerance,
                         int max_iterations, SolveReport& report) const noexcept {
    const auto block = static_cast<std::size_t>(block_);
    double *r = s.residual, *p = s.direction, *q = s.product;
    double rho = 0.0, left = std::sqrt(inner_product_of(r, r, unknowns_));
    std::fill_n(p, unknowns_, 0.0);
    while (left > kSafety * tolerance * scale && report.iterations < max_iterations) {
        load(s, r, 1.0 / left);
        double rr = 0.0;
        if (direct_) {
            solve_pairs(s);
        } else {
            precondition(s, 0.0f, rr);
            turn(s, 0.0f);
        }  // z is in p now
        double next = 0.0;
        for (std::size_t row = 0; row < vertex_.size(); ++row) {
            for (std::size_t c = 0; c < block; ++c) {
                next += left * static_cast<double>(s.p[4 * row + c]) *
                        r[block * static_cast<std::size_t>(vertex_[row]) + c];
            }
        }
        const double beta = rho > 0.0 ? next / rho : 0.0;
        rho = next;
        for (std::size_t row = 0; row < vertex_.size(); ++row) {
            for (std::size_t c = 0; c < block; ++c) {
                double& to = p[block * static_cast<std::size_t>(vertex_[row]) + c];
                to = left * static_cast<double>(s.p[4 * row + c]) + beta * to;
            }
        }
        multiply_all(s, values, p, q);
        const double alpha = rho / inner_product_of(p, q, unknowns_);
        if (!(alpha > 0.0) || !std::isfinite(alpha)) return;
        for (std::size_t i = 0; i < unknowns_; ++i) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        ++report.iterations;
        left = std::sqrt(inner_product_of(r, r, unknowns_));
    }
}

}  // namespace limber
