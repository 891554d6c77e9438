#include "integrate/system.hpp"

#include "core/assert.hpp"

#include <algorithm>

namespace limber {
namespace {

// x + s y (y may be null), into out.
void combine(std::size_t n, const double* x, double s, const double* y, double* out) noexcept {
    for (std::size_t i = 0; i < n; ++i) out[i] = (x != nullptr ? x[i] : 0.0) + (y != nullptr ? s * y[i] : 0.0);
}

void add_lumped(const System& s, const double* x, double* out, std::size_t row) noexcept {
    const auto b = static_cast<std::size_t>(s.stiffness.block);
    for (std::size_t i = row * b; i < (row + 1) * b; ++i) out[i] += s.lumped[row] * x[i];
}

// The two products every form comes down to: K on `by_stiffness`, M on `by_mass`, C on `by_damping` (any may be null).
struct Operands {
    const double* by_stiffness;
    const double* by_mass;
    const double* by_damping;
};
Operands operands(const System& s, const double* u, const double* v, const double* a, double* scratch) noexcept {
    const std::size_t n = s.size();
    if (!s.uniform_damping) return {u, a, v};
    Operands o{u, a, nullptr};
    if (v != nullptr && s.beta != 0.0) {
        combine(n, u, s.beta, v, scratch);
        o.by_stiffness = scratch;
    }
    if (v != nullptr && s.alpha != 0.0) {
        combine(n, a, s.alpha, v, scratch + n);
        o.by_mass = scratch + n;
    }
    return o;
}

}  // namespace

std::size_t product_scratch(const System& s) {
    return std::max(2 * s.size(), s.product ? s.product->scratch_size() : 0);
}

void stiffness_force(const System& s, const double* u, double* out, double* scratch) noexcept {
    if (s.product) return s.product->apply({u}, out, scratch);
    multiply(s.stiffness, u, out);
}

namespace {

// Everything that one pass over K can take along; the rest is added.
void fused_force(const System& s, const double* u, const double* v, const double* a, double* out,
                 double* scratch) noexcept {
    StiffnessProduct::Terms terms{u};
    const bool damped = s.uniform_damping && v != nullptr;
    if (damped && s.beta != 0.0) {
        terms.v = v;
        terms.v_scale = s.beta;
    }
    if (s.is_lumped()) {
        terms.mass = s.lumped.data();
        terms.a = a;
        if (damped && s.alpha != 0.0) {
            terms.b = v;
            terms.b_scale = s.alpha;
        }
    }
    s.product->apply(terms, out, scratch);
    if (!s.is_lumped() && a != nullptr) multiply_add(s.mass, 1.0, a, out);
    if (!s.is_lumped() && damped && s.alpha != 0.0) multiply_add(s.mass, s.alpha, v, out);
    if (!s.uniform_damping && v != nullptr) multiply_add(s.damping, 1.0, v, out);
}

}  // namespace

void internal_force(const System& s, const double* u, const double* v, const double* a, double* out,
                    double* scratch) noexcept {
    if (s.product) return fused_force(s, u, v, a, out, scratch);
    const Operands o = operands(s, u, v, a, scratch);
    multiply(s.stiffness, o.by_stiffness, out);
    if (o.by_mass != nullptr) {
        if (s.is_lumped())
            for (std::size_t row = 0; row < s.lumped.size(); ++row) add_lumped(s, o.by_mass, out, row);
        else
            multiply_add(s.mass, 1.0, o.by_mass, out);
    }
    if (o.by_damping != nullptr) multiply_add(s.damping, 1.0, o.by_damping, out);
}

void internal_force_prescribed(const System& s, const double* u, const double* v, const double* a, double* out,
                               double* scratch) noexcept {
    const Operands o = operands(s, u, v, a, scratch);
    const auto b = static_cast<std::size_t>(s.stiffness.block);
    const auto add_rows = [&](const BlockCsr& matrix, const double* x) {
        for (const std::int32_t row : s.prescribed_rows) {
            double part[3] = {0.0, 0.0, 0.0};
            const auto r = static_cast<std::size_t>(row);
            for (std::int32_t k = matrix.starts[r]; k < matrix.starts[r + 1]; ++k) {
                const double* value = matrix.values.data() + static_cast<std::size_t>(k) * b * b;
                const double* from = x + static_cast<std::size_t>(matrix.columns[static_cast<std::size_t>(k)]) * b;
                for (std::size_t i = 0; i < b; ++i)
                    for (std::size_t j = 0; j < b; ++j) part[i] += value[i * b + j] * from[j];
            }
            for (std::size_t i = 0; i < b; ++i) out[r * b + i] += part[i];
        }
    };
    for (const std::int32_t row : s.prescribed_rows) std::fill_n(out + static_cast<std::size_t>(row) * b, b, 0.0);
    add_rows(s.stiffness, o.by_stiffness);
    if (o.by_mass != nullptr) {
        if (s.is_lumped()) {
            for (const std::int32_t row : s.prescribed_rows)
                add_lumped(s, o.by_mass, out, static_cast<std::size_t>(row));
        } else {
            add_rows(s.mass, o.by_mass);
        }
    }
    if (o.by_damping != nullptr) add_rows(s.damping, o.by_damping);
}

Csr effective_matrix(const System& s, double m, double c, double k) {
    const double mass_part = m + (s.uniform_damping ? c * s.alpha : 0.0);
    const double stiff_part = k + (s.uniform_damping ? c * s.beta : 0.0);
    Csr out;
    if (s.is_lumped()) {
        const auto b = static_cast<std::size_t>(s.stiffness.block);
        std::vector<double> d;
        for (const std::int32_t i : s.free) d.push_back(mass_part * s.lumped[static_cast<std::size_t>(i) / b]);
        out = diagonal(d);
    } else {
        out = compress(s.mass, s.free);
        for (double& value : out.values) value *= mass_part;
    }
    if (stiff_part != 0.0) out = add(1.0, out, stiff_part, compress(s.stiffness, s.free));
    if (!s.uniform_damping && c != 0.0) out = add(1.0, out, c, compress(s.damping, s.free));
    return out;
}

}  // namespace limber
