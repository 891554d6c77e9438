// How much energy a step of average acceleration or of the midpoint rule made by itself.
#include "elastic/newton_vectors.hpp"
#include "elastic/vectors.hpp"

namespace limber {

// Midpoint rule:         kinetic energy changes by  (f - g - C v)_middle . moved
// average acceleration:  by the mean of (f - g - C v) . moved at both ends; at the start that is M a, whatever the last step put into a.
// So what is made is the elastic energy's change less the mean of g . moved.
EnergyGain Newton::energy_gain(const StepProblem& p, bool middle, double extra, double* scratch) const noexcept {
    Vectors s(*this, scratch);
    const ElasticModel& model = system_.model();
    double *end = s.x_try, *moved = s.dx;
    for (std::size_t i = 0; i < s.n; ++i) {
        end[i] = p.base_u[i] + p.form.end_u * p.x[i];
        moved[i] = end[i] - p.start_u[i];
    }
    EnergyGain out;
    double elastic_work = dot_n(s.n, s.g, moved);
    if (!middle) {
        double before = 0.0;
        model.gradient(p.start_u, p.warm, s.b, s.model);        // in the prescribed rows; the free ones know their M a
        for (const std::int32_t h : system_.supports().prescribed()) before += s.b[h] * moved[h];
        system_.inertia(p.start_a, p.start_v, s.b, s.spare);
        for (const std::int32_t f : system_.supports().free()) before += (p.start_force[f] - s.b[f]) * moved[f];
        if (system_.beta() > 0.0) {
            model.viscous(p.start_u, p.start_v, p.warm, s.b, s.model);
            for (const std::int32_t f : system_.supports().free()) before -= system_.beta() * s.b[f] * moved[f];
        }
        elastic_work = (before + elastic_work) / 2;
    }
    model.viscous(s.u, s.v_, p.warm, s.b, s.model);
    out.taken = (middle ? 1.0 : 0.5) * dot_n(s.n, s.b, moved);
    const double elastic_before = model.energy(p.start_u, p.warm, s.model), elastic_after = model.energy(end, p.warm, s.model);
    out.gain = elastic_after - elastic_before - elastic_work - extra * out.taken;
    system_.inertia(p.start_v, nullptr, s.b, s.spare);
    out.whole = elastic_before + elastic_after + 0.5 * dot_n(s.n, p.start_v, s.b);
    for (std::size_t i = 0; i < s.n; ++i) moved[i] = p.base_v[i] + p.form.end_v * p.x[i];
    system_.inertia(moved, nullptr, s.b, s.spare);
    out.whole += 0.5 * dot_n(s.n, moved, s.b);
    return out;
}

}  // namespace limber
