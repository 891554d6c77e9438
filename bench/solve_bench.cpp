// Triangular solves against reading the factor twice, and factorisation against the machine's flops, each beside
// Eigen's. These are the figures of bench/results/solve_2026-11-15_epyc.txt: --rounds 61 --filter
// 'solve|factor|product'.
#include "bench.hpp"
#include "eigen.hpp"
#include "yardstick.hpp"

#include "core/text.hpp"
#include "kernels/isa.hpp"
#include "linalg/packed_factor.hpp"
#include "linalg/test_matrices.hpp"

#include <Eigen/SparseCholesky>

#include <memory>

namespace limber::bench {
namespace {

struct Solve {
    Csr matrix;
    Symbolic symbolic;
    PackedFactor factor;
    std::vector<double> b, x, scratch;

    explicit Solve(const testing::TetBox& box)
        : matrix(testing::implicit_system(box, 1e-3)), symbolic(analyse(matrix)) {
        Progress silent;
        factor = PackedFactor(matrix, symbolic, FactorEngine::automatic, silent);
        b = testing::random_vector(matrix.rows(), 7);
        x.resize(b.size());
        scratch.resize(factor.scratch_size());
    }
};

struct EigenSolve {
    Eigen::SimplicialLDLT<EigenMatrix> solver;
    Eigen::VectorXd b, x;
};

Work solve_work(const testing::TetBox& box, Isa isa) {
    auto s = std::make_shared<Solve>(box);
    Work w;
    w.subject = [s, isa] {
        set_kernel_choice(isa);
        s->factor.solve(s->b.data(), s->x.data(), s->scratch.data());
        set_kernel_choice(best_isa());
    };
    w.against = "factor read twice";
    w.bytes = 8 * s->factor.value_count();
    w.passes = 2.0;
    w.flops = 4.0 * static_cast<double>(s->factor.value_count());
    if (isa == Isa::baseline) return w;  // Eigen's factor takes a minute: once is enough
    auto e = std::make_shared<EigenSolve>();
    e->solver.compute(to_eigen(s->matrix));
    e->b = Eigen::Map<const Eigen::VectorXd>(s->b.data(), static_cast<Eigen::Index>(s->b.size()));
    w.baseline = [e] { e->x = e->solver.solve(e->b); };
    w.baseline_name = "Eigen LDLT";
    return w;
}

// Eight right-hand sides against one: what a bundle saves is reading the factor, what is left is arithmetic.
Work bundle_work(const testing::TetBox& box) {
    auto s = std::make_shared<Solve>(box);
    auto b = std::make_shared<std::vector<double>>(testing::random_vector(kBundle * s->b.size(), 8));
    auto x = std::make_shared<std::vector<double>>(b->size());
    auto scratch = std::make_shared<AlignedArray>(kBundle * s->factor.scratch_size());
    Work w;
    w.subject = [s, b, x, scratch] { s->factor.solve_bundle(b->data(), x->data(), kBundle, scratch->data()); };
    w.limit = Limit::flops;
    w.against = "its flops at peak";
    w.bytes = 8 * s->factor.value_count();
    w.flops = 4.0 * static_cast<double>(kBundle * s->factor.value_count());
    w.baseline = [s] {
        for (std::size_t c = 0; c < kBundle; ++c) s->factor.solve(s->b.data(), s->x.data(), s->scratch.data());
    };
    w.baseline_name = "one by one";
    return w;
}

// Flops of the dense arithmetic inside the supernodes, columns counted one by one.
double factor_flops(const Symbolic& s) {
    double sum = 0.0;
    for (std::size_t k = 0; k < s.supernodes(); ++k) {
        for (std::size_t c = 0; c < s.width(k); ++c) {
            const auto below = static_cast<double>(s.width(k) - c - 1 + s.rows_below(k));
            sum += below * below + 2 * below + 1;
        }
    }
    return sum;
}

Work factor_work(const testing::TetBox& box, FactorEngine engine) {
    auto a = std::make_shared<Csr>(testing::implicit_system(box, 1e-3));
    auto symbolic = std::make_shared<Symbolic>(analyse(*a));
    auto e = std::make_shared<EigenMatrix>(to_eigen(*a));
    Work w;
    w.subject = [a, symbolic, engine] {
        Progress silent;
        keep(factor_matrix(*a, *symbolic, engine, silent).values.data()[0]);
    };
    w.limit = Limit::flops;
    w.against = "its flops at peak";
    for (std::size_t k = 0; k < symbolic->supernodes(); ++k)
        w.bytes += 8 * symbolic->width(k) * (symbolic->width(k) + symbolic->rows_below(k));
    w.flops = factor_flops(*symbolic);
    w.dear = true;
    if (engine == FactorEngine::cholmod) return w;
    w.baseline = [e] { keep(Eigen::SimplicialLDLT<EigenMatrix>(*e).vectorD()[0]); };
    w.baseline_name = "Eigen LDLT";
    return w;
}

}  // namespace

void add_solve_cases(Cases& cases, const Settings& settings) {
    const std::size_t n = settings.quick ? 9 : 17;
    const std::string cube = text("cube_", n);
    const auto box = [n] { return testing::tet_box(n, n, n); };
    cases.push_back({"solve/" + cube, [box] { return solve_work(box(), best_isa()); }});
    if (!settings.quick) {
        cases.push_back({"solve/beam_40x11x11", [] {
                             return solve_work(testing::tet_box(40, 11, 11, {4.0, 1.1, 1.1}), best_isa());
                         }});
    }
    cases.push_back({"solve_8/" + cube, [box] { return bundle_work(box()); }});
    cases.push_back({"solve_sse2/" + cube, [box] { return solve_work(box(), Isa::baseline); }});
    cases.push_back({"factor_own/" + cube, [box] { return factor_work(box(), FactorEngine::own); }});
    if (has_cholmod())
        cases.push_back({"factor_cholmod/" + cube, [box] { return factor_work(box(), FactorEngine::cholmod); }});
}

}  // namespace limber::bench
