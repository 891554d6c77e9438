// How much energy a step of average acceleration or of the midpoint rule made by itself.
#include "fem_large/newton_vectors.hpp"
#include "linalg/vectors.hpp"

namespace limber {

// Kinetic energy, of a free body without that of its flight: how fast it is seen to fly must not decide how well it
// keeps its shape.
double Newton::inner_energy(std::size_t n, const double* v, const double* momentum) const noexcept {
    const double all = 0.5 * dot_n(n, v, momentum);
    if (!system_.supports().prescribed().empty()) return all;
    const auto d = static_cast<std::size_t>(system_.dimension());
    double sum[3] = {}, squares = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum[i % d] += momentum[i];
    for (const double s : sum) squares += s * s;
    const double inner = all - squares / (2.0 * system_.total_mass());
    return inner > 1e-12 * all ? inner : 1e-12 * all;  // what rounding leaves
}

// By the midpoint rule kinetic energy changes by (f - g - C v) . moved of the middle, by average acceleration by the
// mean of both ends'. So what is made is the elastic energy's change less the work of g, taken in the same way.
EnergyGain Newton::energy_gain(const StepProblem& p, bool middle, double extra, double* scratch) const noexcept {
    Vectors s(*this, scratch);
    const ElasticModel& model = system_.model();
    double* warm = terms_.memory(0, p.memory).state;
    double *end = s.x_try, *moved = s.dx;
    for (std::size_t i = 0; i < s.n; ++i) {
        end[i] = p.at.base_u[i] + p.form.end_u * p.x[i];
        moved[i] = end[i] - p.start_u[i];
    }
    EnergyGain out;
    double elastic_before = 0.0, elastic_work = dot_n(s.n, s.g, moved);
    if (middle) {
        model.viscous(s.u, s.v_, warm, s.b, s.model);
        out.taken = dot_n(s.n, s.b, moved);
        elastic_before = model.energy(p.start_u, warm, s.model);
    } else {
        elastic_before = model.gradient(p.start_u, warm, s.b, s.model);
        elastic_work = (dot_n(s.n, s.b, moved) + elastic_work) / 2;
    }
    const double elastic_after = model.energy(end, warm, s.model);
    out.gain = elastic_after - elastic_before - elastic_work - extra * out.taken;
    system_.inertia(p.start_v, nullptr, s.b, s.spare);
    out.whole = elastic_before + elastic_after + inner_energy(s.n, p.start_v, s.b);
    for (std::size_t i = 0; i < s.n; ++i) moved[i] = p.at.base_v[i] + p.form.end_v * p.x[i];
    system_.inertia(moved, nullptr, s.b, s.spare);
    out.whole += inner_energy(s.n, moved, s.b);
    return out;
}

}  // namespace limber
