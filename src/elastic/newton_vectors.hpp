// Where each vector of Newton's method lies in its scratch memory.
#pragma once

#include "elastic/newton.hpp"

namespace limber {

struct Newton::Vectors {
    Vectors(const Newton& newton, double* p) : n(newton.system_.size()) {
        for (double** v : {&u, &v_, &a, &g, &r, &balance, &x_try, &dx, &product, &spare, &b}) {
            *v = p;
            p += n;
        }
        values = p;
        kept = values + value_count(newton.system_);
        model = kept + newton.system_.kept_size();
        solver = model + newton.system_.model().scratch_size();
    }
    static std::size_t value_count(const ElasticSystem& s) { return s.pattern().columns.size() * static_cast<std::size_t>(s.dimension() * s.dimension()); }
    static std::size_t size(const Newton& newton) {
        const ElasticSystem& s = newton.system_;
        return 11 * s.size() + value_count(s) + s.kept_size() + s.model().scratch_size() + newton.solver_.scratch_size();
    }
    std::size_t n;
    double *u, *v_, *a, *g;     // where the step balances
    double *r, *balance;        // residual without and with live forces
    double *x_try, *dx, *product, *spare, *b;
    double *values, *kept, *model, *solver;
};

}  // namespace limber
