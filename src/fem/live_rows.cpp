#include "fem/live_rows.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kLargestWeight = 1e6;
constexpr double kDependent = 1e-10;  // of its diagonal: a pivot below is of a row that repeats others
constexpr double kNoGap = 1e-12;      // of the body's size,
constexpr double kTouches = 1e-15;    // of the body's size: a surface nearer than that is touched and asks for no force
constexpr double kOfGap = 1e-9;       // of its own gap,
constexpr double kRounding = 1e-12;   // and of what all forces do to it: what a row may be left with
constexpr double kAbsurd = 1e6;       // of body and gap: forces that would each move a point so far cancel each other

bool fits(const PointConstraint& c, std::size_t vertices) noexcept {
    if (c.kind != PointConstraint::Kind::hard && c.kind != PointConstraint::Kind::soft) return false;
    if (c.vertex_count < 1 || c.vertex_count > PointConstraint::kMaxVertices) return false;
    double sum = 0.0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.vertex_count); ++i) {
        if (c.vertices[i] < 0 || static_cast<std::size_t>(c.vertices[i]) >= vertices ||
            !(std::abs(c.weights[i]) <= kLargestWeight))
            return false;
        sum += c.weights[i];
    }
    if (std::abs(sum - 1.0) > 1e-6 || !is_finite(c.target) || !is_finite(c.velocity)) return false;
    if (c.unilateral && !(std::abs(norm(c.normal) - 1.0) < 1e-6)) return false;
    if (c.kind == PointConstraint::Kind::hard) return true;
    return std::isfinite(c.stiffness) && c.stiffness > 0.0 && std::isfinite(1.0 / c.stiffness);
}

}  // namespace

bool live_fits(std::span<const PointConstraint> live, std::size_t vertices, int capacity) noexcept {
    return live.size() <= static_cast<std::size_t>(capacity) &&
           std::all_of(live.begin(), live.end(),
                       [&](const PointConstraint& c) { return !is_on(c) || fits(c, vertices); });
}

LiveRows::LiveRows(int slots, double* p, double size) : capacity(static_cast<std::size_t>(3 * slots)), length(size) {
    const std::size_t r = capacity;
    matrix = p;
    factor = matrix + r * r;
    gap = factor + r * r;
    lambda = gap + r;
    use = lambda + r;
    slot = use + r;
    direction = slot + r;
    wanted = direction + 3 * r;
    least = wanted + r;
}

std::size_t LiveRows::scratch_size(int slots) {
    const auto r = static_cast<std::size_t>(3 * slots);
    return 2 * r * r + 9 * r;
}

void LiveRows::begin(std::span<const PointConstraint> live, int dimension, const Mat3* turn) noexcept {
    count = 0;
    for (std::size_t s = 0; s < live.size(); ++s) {
        if (!is_on(live[s])) continue;
        for (int k = 0; k < (live[s].unilateral ? 1 : dimension); ++k, ++count) {
            Vec3 way{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
            if (live[s].unilateral) way = turn != nullptr ? *turn * live[s].normal : live[s].normal;
            slot[count] = static_cast<double>(s);
            use[count] = 1.0;
            for (int a = 0; a < 3; ++a) direction[3 * count + static_cast<std::size_t>(a)] = way[a];
        }
    }
}

// A pivot that vanishes against its own diagonal.
bool LiveRows::repeats_others(double pivot, double diagonal) {
    return !(pivot > kDependent * diagonal) || !(diagonal > 0.0);
}

// Rows whose equation is not fulfilled, because others ask for something else; those that were dropped, and those that
// rounding has spoiled. Each is judged by its own numbers: one far target must not hide what another lacks.
bool LiveRows::contradicts() const noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        if (wanted[i] == 0.0) continue;
        double left = gap[i], moved = 0.0;
        for (std::size_t j = 0; j < count; ++j) {
            const double part = matrix[i * capacity + j] * lambda[j];
            left -= part;
            moved += std::abs(part);
        }
        if (!(std::abs(left) <= kNoGap * length + kOfGap * std::abs(gap[i]) + kRounding * moved)) return true;
        if (!(moved <= kAbsurd * (length + std::abs(gap[i])))) return true;
    }
    return false;
}

// By elimination without exchanges: the matrix is positive definite, or block triangular with such blocks (soft rows of
// explicit schemes).
bool LiveRows::solve_in_use() noexcept {
    bool complete = true;
    std::copy_n(matrix, capacity * count, factor);
    std::copy_n(gap, count, lambda);
    double* t = factor;
    for (std::size_t j = 0; j < count; ++j) {
        if (use[j] == 0.0) continue;
        const double original = t[j * capacity + j];
        for (std::size_t k = 0; k < j; ++k) {
            if (use[k] != 0.0) {
                const double l = t[j * capacity + k] / t[k * capacity + k];
                for (std::size_t c = k + 1; c < count; ++c) t[j * capacity + c] -= l * t[k * capacity + c];
                t[j * capacity + k] = 0.0;
                lambda[j] -= l * lambda[k];
            }
        }
        if (repeats_others(t[j * capacity + j], original)) {
            use[j] = 0.0;
            complete = false;
        }
    }
    for (std::size_t i = count; i-- > 0;) {
        if (use[i] == 0.0) {
            lambda[i] = 0.0;
            continue;
        }
        for (std::size_t k = i + 1; k < count; ++k)
            if (use[k] != 0.0) lambda[i] -= t[i * capacity + k] * lambda[k];
        lambda[i] /= t[i * capacity + i];
    }
    return complete;
}

// One row after the other is left at its least, the worst first; `wanted` is then -1.
void LiveRows::solve_above() noexcept {
    std::copy_n(use, count, wanted);
    for (std::size_t round = 0; round <= count; ++round) {
        for (std::size_t i = 0; i < count; ++i) use[i] = wanted[i] > 0.0 ? 1.0 : 0.0;
        solve_in_use();
        std::size_t worst = count;
        for (std::size_t i = 0; i < count; ++i) {
            const bool below = wanted[i] > 0.0 && lambda[i] < least[i];
            if (below && (worst == count || lambda[i] - least[i] < lambda[worst] - least[worst])) worst = i;
        }
        if (worst == count) break;
        wanted[worst] = -1.0;
        for (std::size_t j = 0; j < count; ++j) gap[j] -= matrix[j * capacity + worst] * least[worst];
    }
    for (std::size_t i = 0; i < count; ++i)
        if (wanted[i] < 0.0) lambda[i] = least[i];
}

void LiveRows::invert() noexcept {
    std::copy_n(matrix, capacity * count, factor);
    double* t = factor;
    for (std::size_t k = 0; k < count; ++k) {
        if (use[k] != 0.0 && repeats_others(t[k * capacity + k], matrix[k * capacity + k])) use[k] = 0.0;
        if (use[k] == 0.0) continue;
        const double pivot = 1.0 / t[k * capacity + k];
        t[k * capacity + k] = 1.0;
        for (std::size_t j = 0; j < count; ++j) t[k * capacity + j] *= pivot;
        for (std::size_t i = 0; i < count; ++i) {
            if (i == k || use[i] == 0.0) continue;
            const double f = t[i * capacity + k];
            t[i * capacity + k] = 0.0;
            for (std::size_t j = 0; j < count; ++j)
                if (use[j] != 0.0) t[i * capacity + j] -= f * t[k * capacity + j];
        }
    }
}

// Classic active set: drop the worst puller, else take in the worst penetrator.
Trouble LiveRows::solve(std::span<const PointConstraint> live, std::int32_t* marks) noexcept {
    const auto unilateral = [&](std::size_t i) { return live[slot_of(i)].unilateral; };
    const auto active = [&](std::size_t i) -> std::int32_t& { return marks[slot_of(i)]; };
    std::size_t one_sided = 0;
    for (std::size_t i = 0; i < count; ++i) one_sided += unilateral(i) ? 1 : 0;
    bool conflict = false;
    for (std::size_t round = 0; round < 4 * one_sided + 4; ++round) {
        for (std::size_t i = 0; i < count; ++i) use[i] = !unilateral(i) || active(i) != 0 ? 1.0 : 0.0;
        for (std::size_t i = 0; i < count; ++i) wanted[i] = use[i];
        solve_in_use();
        conflict = contradicts();
        std::size_t worst = count;
        for (std::size_t i = 0; i < count; ++i)
            if (unilateral(i) && lambda[i] < 0.0 && (worst == count || lambda[i] < lambda[worst])) worst = i;
        if (worst < count) {
            active(worst) = 0;
            continue;
        }
        double most = kTouches * length;
        for (std::size_t i = 0; i < count; ++i) {
            if (!unilateral(i) || active(i) != 0) continue;
            double left = gap[i];
            for (std::size_t j = 0; j < count; ++j) left -= matrix[i * capacity + j] * lambda[j];
            if (left > most) {
                most = left;
                worst = i;
            }
        }
        if (worst == count) return conflict ? Trouble::constraint_conflict : Trouble::none;
        active(worst) = 1;
    }
    return Trouble::not_converged | (conflict ? Trouble::constraint_conflict : Trouble::none);
}

}  // namespace limber
