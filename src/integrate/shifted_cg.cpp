#include "integrate/shifted_cg.hpp"

#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr std::size_t kRows =
    512;  // block rows per slot of a sum: sums run in the same order for any number of threads

std::vector<double> diagonal_blocks(const BlockCsr& a) {
    const auto entries = static_cast<std::size_t>(a.block * a.block);
    std::vector<double> out(a.rows() * entries, 0.0);
    for (std::size_t r = 0; r < a.rows(); ++r) {
        for (auto e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]); ++e) {
            if (static_cast<std::size_t>(a.columns[e]) == r) {
                std::copy_n(a.values.begin() + static_cast<std::ptrdiff_t>(entries * e), entries,
                            out.begin() + static_cast<std::ptrdiff_t>(entries * r));
            }
        }
    }
    return out;
}

// The inverse of a symmetric positive definite block in place, by Gauss-Jordan.
void invert(double* d, std::size_t b) noexcept {
    for (std::size_t k = 0; k < b; ++k) {
        const double pivot = 1.0 / d[k * b + k];
        d[k * b + k] = 1.0;
        for (std::size_t j = 0; j < b; ++j) d[k * b + j] *= pivot;
        for (std::size_t i = 0; i < b; ++i) {
            if (i == k) continue;
            const double f = d[i * b + k];
            d[i * b + k] = 0.0;
            for (std::size_t j = 0; j < b; ++j) d[i * b + j] -= f * d[k * b + j];
        }
    }
}

}  // namespace

// Where each vector lies in the scratch array.
struct ShiftedCg::Vectors {
    Vectors(const ShiftedCg& s, double* from)
        : x(from),
          r(x + s.free_.size()),
          z(r + s.free_.size()),
          p(z + s.free_.size()),
          q(p + s.free_.size()),
          inverse(q + s.free_.size()),
          sums(inverse + s.stiffness_.size()),
          product(sums + 2 * slots(s)) {}
    static std::size_t slots(const ShiftedCg& s) { return (s.free_.size() / s.block_ + kRows - 1) / kRows; }
    double *x, *r, *z, *p, *q, *inverse, *sums, *product;
};

ShiftedCg::ShiftedCg(const System& system, const ShiftedCgSettings& settings)
    : system_(system),
      settings_(settings),
      block_(static_cast<std::size_t>(system.stiffness.block)),
      stiffness_(diagonal_blocks(system.stiffness)),
      free_(system.size(), 0) {
    if (!system.is_lumped()) mass_ = diagonal_blocks(system.mass);
    if (!system.uniform_damping) damping_ = diagonal_blocks(system.damping);
    for (const std::int32_t f : system.free) free_[static_cast<std::size_t>(f)] = 1;
}

std::size_t ShiftedCg::scratch_size() const {
    return 5 * free_.size() + stiffness_.size() + 2 * Vectors::slots(*this) + product_scratch(system_);
}

std::size_t ShiftedCg::bytes() const {
    return (stiffness_.size() + mass_.size() + damping_.size()) * sizeof(double) + free_.size();
}

bool ShiftedCg::only_divides(const Shift& s) const noexcept {
    const double k = s.k + (system_.uniform_damping ? s.c * system_.beta : 0.0);
    return k == 0.0 && system_.is_lumped() && (system_.uniform_damping || s.c == 0.0);
}

double ShiftedCg::apply(const Shift& s, const double* x, double* q, const Vectors& at) const noexcept {
    const double m = s.m + (system_.uniform_damping ? s.c * system_.alpha : 0.0);
    const double k = s.k + (system_.uniform_damping ? s.c * system_.beta : 0.0);
    StiffnessProduct::Terms terms{x, k};
    if (system_.is_lumped()) {
        terms.mass = system_.lumped.data();
        terms.a = x;
        terms.a_scale = m;
    }
    system_.product->apply(terms, q, at.product);
    if (!system_.is_lumped() && m != 0.0) multiply_add(system_.mass, m, x, q);
    if (!system_.uniform_damping && s.c != 0.0) multiply_add(system_.damping, s.c, x, q);
    parallel_blocks(free_.size() / block_, kRows, [&](std::size_t slot, std::size_t begin, std::size_t end) noexcept {
        double sum = 0.0;
        for (std::size_t i = begin * block_; i < end * block_; ++i) {
            if (free_[i] == 0) q[i] = 0.0;
            sum += x[i] * q[i];
        }
        at.sums[2 * slot] = sum;
    });
    double sum = 0.0;
    for (std::size_t slot = 0; slot < Vectors::slots(*this); ++slot) sum += at.sums[2 * slot];
    return sum;
}

void ShiftedCg::invert_blocks(const Shift& s, double* inverse) const noexcept {
    const double m = s.m + (system_.uniform_damping ? s.c * system_.alpha : 0.0);
    const double k = s.k + (system_.uniform_damping ? s.c * system_.beta : 0.0);
    const std::size_t b = block_, entries = b * b;
    parallel_blocks(free_.size() / b, kRows, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        for (std::size_t r = begin; r < end; ++r) {
            double* d = inverse + r * entries;
            for (std::size_t i = 0; i < entries; ++i) {
                d[i] = k * stiffness_[r * entries + i];
                if (!mass_.empty())
                    d[i] += m * mass_[r * entries + i];
                else if (i % (b + 1) == 0)
                    d[i] += m * system_.lumped[r];
                if (!damping_.empty()) d[i] += s.c * damping_[r * entries + i];
            }
            for (std::size_t i = 0; i < b; ++i) {
                if (free_[r * b + i] != 0) continue;
                for (std::size_t j = 0; j < b; ++j) d[i * b + j] = d[j * b + i] = 0.0;
                d[i * b + i] = 1.0;
            }
            invert(d, b);
        }
    });
}

double ShiftedCg::advance(double by, const Vectors& at, double& rr) const noexcept {
    const std::size_t b = block_;
    parallel_blocks(free_.size() / b, kRows, [&](std::size_t slot, std::size_t begin, std::size_t end) noexcept {
        double sum_rz = 0.0, sum_rr = 0.0;
        for (std::size_t row = begin; row < end; ++row) {
            const std::size_t at0 = row * b;
            for (std::size_t i = at0; i < at0 + b; ++i) {
                at.x[i] += by * at.p[i];
                at.r[i] -= by * at.q[i];
            }
            for (std::size_t i = 0; i < b; ++i) {
                double z = 0.0;
                for (std::size_t j = 0; j < b; ++j) z += at.inverse[(at0 + i) * b + j] * at.r[at0 + j];
                at.z[at0 + i] = z;
                sum_rz += z * at.r[at0 + i];
                sum_rr += at.r[at0 + i] * at.r[at0 + i];
            }
        }
        at.sums[2 * slot] = sum_rz;
        at.sums[2 * slot + 1] = sum_rr;
    });
    double rz = 0.0;
    rr = 0.0;
    for (std::size_t slot = 0; slot < Vectors::slots(*this); ++slot) {
        rz += at.sums[2 * slot];
        rr += at.sums[2 * slot + 1];
    }
    return rz;
}

void ShiftedCg::turn(double beta, const Vectors& at) const noexcept {
    parallel_blocks(free_.size() / block_, kRows, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
        for (std::size_t i = begin * block_; i < end * block_; ++i) at.p[i] = at.z[i] + beta * at.p[i];
    });
}

SolveReport ShiftedCg::solve(const Shift& shift, const double* b, double* x, double* scratch) const noexcept {
    SolveReport report;
    const std::size_t n = free_.size(), unknowns = system_.free.size();
    if (only_divides(shift)) {
        const double m = shift.m + (system_.uniform_damping ? shift.c * system_.alpha : 0.0);
        for (std::size_t i = 0; i < unknowns; ++i)
            x[i] = b[i] / (m * system_.lumped[static_cast<std::size_t>(system_.free[i]) / block_]);
        return report;
    }
    const Vectors at(*this, scratch);
    std::fill_n(at.x, 5 * n, 0.0);  // x to q
    double size = 0.0;
    for (std::size_t i = 0; i < unknowns; ++i) {
        const auto f = static_cast<std::size_t>(system_.free[i]);
        at.x[f] = x[i];
        at.r[f] = b[i];
        size += b[i] * b[i];
    }
    if (size == 0.0) {
        std::fill_n(x, unknowns, 0.0);
        return report;
    }
    invert_blocks(shift, at.inverse);
    apply(shift, at.x, at.q, at);
    for (std::size_t i = 0; i < n; ++i) at.r[i] -= at.q[i];
    const double enough = settings_.tolerance * settings_.tolerance * size;
    double rr = 0.0, rz = advance(0.0, at, rr);
    turn(0.0, at);
    while (rr > enough && report.iterations < settings_.max_iterations) {
        const double bend = apply(shift, at.p, at.q, at);
        if (!(bend > 0.0)) break;
        const double before = rz;
        rz = advance(rz / bend, at, rr);
        turn(rz / before, at);
        ++report.iterations;
    }
    report.residual = std::sqrt(rr / size);
    report.converged = rr <= enough;
    for (std::size_t i = 0; i < unknowns; ++i) x[i] = at.x[static_cast<std::size_t>(system_.free[i])];
    return report;
}

}  // namespace limber
