// What a ModalDeformer tells about a state.
#include "methods/modal/deformer.hpp"
#include "methods/modal/shapes.hpp"

#include "dyrt/oscillator.h"

#include <algorithm>
#include <cmath>

namespace limber {
void ModalDeformer::combine(const State& state, std::size_t amplitudes, std::size_t rest,
                            std::span<Vec3> out) const noexcept {
    const std::size_t d = basis_.dimension;
    std::fill(out.begin(), out.end(), Vec3{});
    add_shapes(basis_, state.reals.data() + amplitudes, basis_.count(), out);
    if (state.marks[kPushed] == 0) return;
    const double* from = state.reals.data() + rest;
    for (std::size_t v = 0; v < out.size(); ++v)
        for (std::size_t i = 0; i < d; ++i) out[v][static_cast<int>(i)] += from[v * d + i];
}

void ModalDeformer::displacements(const State& state, std::span<Vec3> out) const noexcept {
    combine(state, 0, rest_at(), out);
}

void ModalDeformer::velocities(const State& state, std::span<Vec3> out) const noexcept {
    combine(state, rates_at(), rest_rates_at(), out);
}

namespace {

double half_square(const std::vector<double>& matrix, std::size_t count, const double* x) noexcept {
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j) sum += x[i] * matrix[i * count + j] * x[j];
    return 0.5 * sum;
}

}  // namespace

// By the small matrix, unless its terms cancel (a handle that carries the whole body far away): then by the strains,
// which do not.
double ModalDeformer::elastic_energy(const State& state, Workspace& scratch) const noexcept {
    const std::size_t count = basis_.count();
    const double* z = state.reals.data();
    if (state.marks[kPushed] == 0) {
        double terms = 0.0;
        for (std::size_t i = 0; i < count; ++i) terms += 0.5 * std::abs(basis_.stiffness[i * count + i]) * z[i] * z[i];
        const double energy = half_square(basis_.stiffness, count, z);
        if (energy >= 1e-4 * terms) return energy;
    }
    double* x = unknowns_of(scratch);
    if (state.marks[kPushed] != 0)
        std::copy_n(z + rest_at(), basis_.unknowns, x);
    else
        std::fill_n(x, basis_.unknowns, 0.0);
    add_shapes(basis_, z, count, x);
    return strain_energy_->of(x);
}

Energies ModalDeformer::energies(const State& state, Workspace& scratch) const noexcept {
    const double* z = state.reals.data();
    Energies e;
    e.elastic = elastic_energy(state, scratch);
    if (state.marks[kPushed] == 0) {
        e.kinetic = half_square(basis_.mass, basis_.count(), z + rates_at());
        return e;
    }
    double *x = unknowns_of(scratch), *image = x + basis_.unknowns;
    const System& system = parts_.system;
    std::copy_n(z + rest_rates_at(), basis_.unknowns, x);
    add_shapes(basis_, z + rates_at(), basis_.count(), x);
    if (!system.is_lumped())
        multiply(system.mass, x, image);
    else
        for (std::size_t i = 0; i < basis_.unknowns; ++i) image[i] = system.lumped[i / basis_.dimension] * x[i];
    for (std::size_t i = 0; i < basis_.unknowns; ++i) e.kinetic += 0.5 * x[i] * image[i];
    return e;
}

// The part of a motion that the kept modes hold. Anything else cannot be represented, and saying so beats a different
// motion.
bool ModalDeformer::set_motion(State& state, std::span<const Vec3> displacement,
                               std::span<const Vec3> velocity) const noexcept {
    const std::size_t n = body_->vertex_count(), d = basis_.dimension;
    if (state.reals.size() != state_size() || state.marks.size() != kMarks) return false;
    if (displacement.size() != n || velocity.size() != n) return false;
    if (!std::all_of(displacement.begin(), displacement.end(), is_finite) ||
        !std::all_of(velocity.begin(), velocity.end(), is_finite)) {
        return false;
    }
    const System& s = parts_.system;
    State next = state;
    const auto project = [&](std::span<const Vec3> field, double* amplitudes) {
        std::vector<double> x(basis_.unknowns, 0.0), image(basis_.unknowns);
        for (const std::int32_t f : s.free)
            x[static_cast<std::size_t>(f)] = field[static_cast<std::size_t>(f) / d][f % static_cast<std::int32_t>(d)];
        for (std::size_t c = 0; c < basis_.drives; ++c) {
            for (const std::int32_t f : s.free)
                x[static_cast<std::size_t>(f)] -= amplitudes[basis_.modes + c] * basis_.shape(basis_.modes + c)[f];
        }
        if (s.is_lumped())
            for (std::size_t i = 0; i < x.size(); ++i) image[i] = s.lumped[i / d] * x[i];
        else
            multiply(s.mass, x.data(), image.data());
        double whole = 0.0, held = 0.0;
        for (std::size_t i = 0; i < x.size(); ++i) whole += x[i] * image[i];
        for (std::size_t k = 0; k < basis_.modes; ++k) {
            double share = 0.0;
            for (std::size_t i = 0; i < x.size(); ++i) share += basis_.shape(k)[i] * image[i];
            amplitudes[k] = share;
            held += share * share;
        }
        return whole - held <= 1e-12 * whole;
    };
    const bool fits = project(displacement, next.reals.data()) && project(velocity, next.reals.data() + rates_at());
    if (!fits) return false;
    next.marks[kStarted] = 0;
    next.marks[kPushed] = 0;
    for (std::size_t k = basis_.modes + basis_.drives; k < basis_.count(); ++k)
        next.reals[k] = next.reals[rates_at() + k] = 0.0;
    if (settings_.correct_forces)
        std::fill_n(next.reals.begin() + static_cast<std::ptrdiff_t>(rest_at()), 3 * basis_.unknowns, 0.0);
    state = std::move(next);
    return true;
}

Wrench ModalDeformer::reaction(const State& state, SupportRef support) const noexcept {
    if (support.index < 0 || support.kind == SupportRef::Kind::live) return {};
    const std::size_t i = supports_.index(support.kind, support.index);
    if (i >= supports_.count()) return {};
    const double* r = state.reals.data() + reactions_at() + 6 * i;
    return {{r[0], r[1], r[2]}, {r[3], r[4], r[5]}};
}

// A target farther away by one, its velocity kept, is a jump of the drive: the static stiffness, and the modes left
// behind.
bool ModalDeformer::tangent_stiffness(const State& state, SupportRef support, Mat3& out) const noexcept {
    if (support.kind != SupportRef::Kind::handle || support.index < 0) return false;
    const std::size_t s = supports_.index(support.kind, support.index), d = basis_.dimension, count = basis_.count();
    const double dt = state.reals[step_at()];
    if (s >= supports_.count() || !(dt > 0.0)) return false;
    out = Mat3{};
    for (std::size_t axis = 0; axis < d; ++axis) {
        const std::size_t drive = static_cast<std::size_t>(support.index) * d * (1 + d) + axis;
        for (std::size_t i = 0; i < d; ++i) {
            const std::size_t row = (6 * s + i) * count;
            double sum = basis_.reaction_k[row + basis_.modes + drive];
            for (std::size_t k = 0; k < basis_.modes; ++k) {
                limber_oscillator_step step;
                limber_oscillator_prepare(basis_.omega[k], basis_.decay[k], dt, &step);
                const double q = -step.qq * basis_.lag[k * basis_.drives + drive],
                             v = -step.vq * basis_.lag[k * basis_.drives + drive];
                const double a = -2.0 * basis_.decay[k] * v - basis_.omega[k] * basis_.omega[k] * q;
                sum += basis_.reaction_k[row + k] * q + basis_.reaction_c[row + k] * v + basis_.reaction_m[row + k] * a;
            }
            out(static_cast<int>(i), static_cast<int>(axis)) = sum;
        }
    }
    return true;
}

bool ModalDeformer::cell_stress(const State& state, std::span<SymMat3> out) const noexcept {
    const std::size_t cells = body_->mesh().cell_count();
    if (out.size() != cells) return false;
    std::fill(out.begin(), out.end(), SymMat3{});
    if (state.marks[kPushed] != 0) stress_->cell_stress({state.reals.data() + rest_at(), basis_.unknowns}, out);
    static_assert(sizeof(SymMat3) == 6 * sizeof(double));
    add_columns(reinterpret_cast<const double*>(shape_stress_.data()), 6 * cells, basis_.count(), state.reals.data(),
                reinterpret_cast<double*>(out.data()), 6 * cells);
    return true;
}

}  // namespace limber
