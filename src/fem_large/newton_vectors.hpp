// Where each vector of Newton's method lies in its scratch memory.
#pragma once

#include "fem_large/newton.hpp"

namespace limber {

struct Newton::Vectors {
    Vectors(const Newton& newton, double* p) : n(newton.system_.size()) {
        for (double** v : {&u, &v_, &a, &g, &r, &x_try, &dx, &product, &spare, &b, &last_x, &last_dx}) {
            *v = p;
            p += n;
        }
        past = p;
        values = past + 2 * kRemembered * n;
        kept = values + newton.system_.value_count();
        model = kept + newton.system_.kept_size();
        solver = model + newton.system_.model().scratch_size();
    }
    static std::size_t size(const Newton& newton) {
        const ElasticSystem& s = newton.system_;
        return (12 + 2 * kRemembered) * s.size() + s.value_count() + s.kept_size() + s.model().scratch_size() +
               newton.solver_.scratch_size();
    }
    static constexpr std::size_t kRemembered = 5;  // corrections that mixing looks back on
    double* past_x(std::size_t slot) const { return past + 2 * slot * n; }
    double* past_dx(std::size_t slot) const { return past + (2 * slot + 1) * n; }
    std::size_t n;
    double *u, *v_, *a;  // where the step balances
    double *r, *g;       // the residual; the part of it that is an energy's gradient
    double *x_try, *dx, *product, *spare, *b;
    double *last_x, *last_dx, *past;  // of mixing: differences of answers and of corrections, slot by slot
    double *values, *kept, *model, *solver;
};

}  // namespace limber
