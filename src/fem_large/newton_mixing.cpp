// Anderson's mixing: where corrections shrink slowly (a tangent that leaves something out, above all how damping
// changes with the displacements), the last few of them tell how they depend on x, and the combination that would have
// left the least is taken.
#include "fem_large/newton_vectors.hpp"
#include "linalg/vectors.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {
namespace {

constexpr double kSlow = 0.1;         // rate from which on it is worth a trial
constexpr double kWorthIt = 0.8;      // of |r|: what a trial must leave at most
constexpr double kDependent = 1e-10;  // pivots below are of corrections that say nothing new

using Small = std::array<double, 5 * 5>;
using Few = std::array<double, 5>;

// Cholesky; unknowns of small pivots stay zero.
void solve_small(std::size_t n, Small& a, Few& b) {
    std::array<bool, 5> use{};
    for (std::size_t j = 0; j < n; ++j) {
        const double whole = a[j * 5 + j];
        for (std::size_t k = 0; k < j; ++k) a[j * 5 + j] -= a[j * 5 + k] * a[j * 5 + k];
        use[j] = a[j * 5 + j] > kDependent * whole;
        const double pivot = use[j] ? std::sqrt(a[j * 5 + j]) : 1.0;
        a[j * 5 + j] = pivot;
        for (std::size_t i = j + 1; i < n; ++i) {
            for (std::size_t k = 0; k < j; ++k) a[i * 5 + j] -= a[i * 5 + k] * a[j * 5 + k];
            a[i * 5 + j] = use[j] ? a[i * 5 + j] / pivot : 0.0;
        }
        for (std::size_t k = 0; k < j; ++k) b[j] -= a[j * 5 + k] * b[k];
        b[j] = use[j] ? b[j] / pivot : 0.0;
    }
    for (std::size_t j = n; j-- > 0;) {
        for (std::size_t i = j + 1; i < n; ++i) b[j] -= a[i * 5 + j] * b[i];
        b[j] = use[j] ? b[j] / a[j * 5 + j] : 0.0;
    }
}

}  // namespace

// Remembers the present correction; true when s.x_try is a combination of the last ones.
bool Newton::mix(const StepProblem& p, Iteration& it, Vectors& s) const noexcept {
    static_assert(Vectors::kRemembered == 5);
    if (it.remembered > 0) {
        const auto slot = static_cast<std::size_t>(it.remembered - 1) % Vectors::kRemembered;
        for (std::size_t i = 0; i < s.n; ++i) {
            s.past_x(slot)[i] = p.x[i] - s.last_x[i];
            s.past_dx(slot)[i] = s.dx[i] - s.last_dx[i];
        }
    }
    std::copy_n(p.x, s.n, s.last_x);
    std::copy_n(s.dx, s.n, s.last_dx);
    const std::size_t count = std::min(static_cast<std::size_t>(it.remembered), Vectors::kRemembered);
    ++it.remembered;
    if (count == 0 || it.rate < kSlow) return false;
    Small a{};
    Few weight{};
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j <= i; ++j) a[i * 5 + j] = dot_n(s.n, s.past_dx(i), s.past_dx(j));
        weight[i] = dot_n(s.n, s.past_dx(i), s.dx);
    }
    solve_small(count, a, weight);
    for (std::size_t i = 0; i < s.n; ++i) s.x_try[i] = p.x[i] + s.dx[i];
    for (std::size_t k = 0; k < count; ++k)
        for (std::size_t i = 0; i < s.n; ++i) s.x_try[i] -= weight[k] * (s.past_x(k)[i] + s.past_dx(k)[i]);
    return true;
}

bool Newton::try_mixed(const StepProblem& p, Iteration& it, Point& to, Vectors& s) const noexcept {
    if (terms_.has_rows(p.step) || !mix(p, it, s)) return false;
    to = evaluate(p, s.x_try, Want::gradient, Tangent::exact, s);
    if (!(to.residual <= kWorthIt * it.now.residual) || !std::isfinite(to.energy)) return false;
    for (std::size_t i = 0; i < s.n; ++i) s.dx[i] = s.x_try[i] - p.x[i];
    std::copy_n(s.x_try, s.n, p.x);
    return true;
}

}  // namespace limber
