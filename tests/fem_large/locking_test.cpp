// Cook's membrane, a cantilever and a pressed block of a nearly incompressible material, in tet4 cells at default
// options: every method that takes them against the limit of finer and finer hex8 cells. Plain tet4 cells answer with a
// half to a fiftieth of the displacement.
#include "fem_large/nearly_incompressible.hpp"

#include <limber/method.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace limber {
namespace {

using namespace nearly_incompressible;

struct Run {
    std::unique_ptr<Deformer> deformer;
    State state;
    Workspace scratch;
    StepReport report;
};

Run prepared(const char* method, const Loaded& what, const OptionValues& options) {
    Progress silent;
    Run run;
    run.deformer = require_method(method).prepare(what.body, options, silent);
    run.state = run.deformer->rest_state();
    run.scratch = run.deformer->make_workspace();
    return run;
}

// The work of the load on the displacement it causes: the mean displacement of what is pushed.
double answer(const char* method, const Problem& problem, CellKind kind, std::array<int, 3> n, double poisson,
              const OptionValues& options = {}) {
    constexpr double kSmall = 1e-3;  // [N]: strains of 1e-5 and less
    const Loaded what = loaded(problem, kind, n, poisson, kSmall);
    OptionValues all = options;
    all["scheme"] = std::string("quasi_static");
    Run run = prepared(method, what, all);
    Loads loads;
    loads.force = what.force;
    run.report = run.deformer->step(run.state, loads, 1.0, run.scratch);
    // clustered_fem iterates without a factor: at nu = 0.4999 it may stop short of its tolerance, and says so.
    const bool may_stop_short = std::string(method) == "clustered_fem" && run.report.trouble == Trouble::not_converged;
    if (!may_stop_short) {
        EXPECT_EQ(run.report.trouble, Trouble::none) << method << " " << problem.name << " " << poisson;
    }
    std::vector<Vec3> u(what.body->vertex_count());
    run.deformer->displacements(run.state, u);
    double work = 0.0;
    for (std::size_t v = 0; v < u.size(); ++v) work += dot(u[v], what.force[v]);
    return work;
}

std::array<int, 3> times(std::array<int, 3> n, int twice, int once) {
    for (int& k : n) k = k * twice / once;
    return n;
}

// Second order in the cells' size: what is left after twice as many is a third of what changed.
double limit_of(const Problem& problem, std::array<int, 3> n, double poisson) {
    const double coarse = answer("linear_fem", problem, CellKind::hex8, times(n, 1, 2), poisson),
                 fine = answer("linear_fem", problem, CellKind::hex8, n, poisson);
    return fine + (fine - coarse) / 3;
}

bool heavy() { return std::getenv("LIMBER_HEAVY_LOCKING") != nullptr; }

TEST(Tet4NearlyIncompressible, AnswersWithinFivePerCentInEveryMethod) {
    for (const Problem& problem : problems()) {
        for (const double nu : kNearlyHalf) {
            if (!heavy() && (nu == 0.499 || std::string(problem.name) == "slender")) continue;
            const std::array<int, 3> n = heavy() ? problem.many : problem.few;
            const double limit = limit_of(problem, heavy() ? times(n, 3, 2) : times(n, 2, 2), nu);
            std::printf("%-10s nu %-6g", problem.name, nu);
            std::vector<double> off;
            for (const char* method : {"linear_fem", "clustered_fem", "stvk", "neo_hookean", "corotational"}) {
                // Those that share their averages with neo_hookean, or their whole matrix with linear_fem.
                if (!heavy() && (std::string(method) == "stvk" || std::string(method) == "clustered_fem")) continue;
                off.push_back(answer(method, problem, CellKind::tet4, n, nu) / limit - 1);
                std::printf("  %s %+.2f %%", method, 100 * off.back());
                EXPECT_NEAR(off.back(), 0.0, 0.05) << method << " " << problem.name << " " << nu;
                EXPECT_NEAR(off.back(), off.front(), 1e-3) << method << " agrees with linear_fem at small loads";
            }
            if (heavy()) {
                std::printf("  (full %+.1f %%)", 100 * (answer("linear_fem", problem, CellKind::tet4, n, nu,
                                                               {{"integration", std::string("full")}}) /
                                                            limit -
                                                        1));
            }
            std::printf("\n");
            std::fflush(stdout);
        }
    }
}

}  // namespace
}  // namespace limber
