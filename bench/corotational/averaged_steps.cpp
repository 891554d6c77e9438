// A corotational step of averaged tet4 cells (the default near nu = 0.5) beside one of plain ones, which lock: `./run
// bench averaged [TURNS [PROBLEM [NU]]]`. The goal is 2. Default steps of a 60th of a second, suddenly loaded to some
// per cent of strain; CPU time, in turns, so that what else the machine does falls on both.
#include "fem_large/nearly_incompressible.hpp"

#include <limber/method.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

namespace {

using namespace limber;
using namespace limber::nearly_incompressible;

constexpr int kSteps = 6;
constexpr double kLoad = 20.0;  // [N]

double cpu_now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Per step.
struct Cost {
    double seconds = 0.0, iterations = 0.0, linearisations = 0.0;
    bool trouble = false;
};

Cost cost_of(const Loaded& what, const char* integration) {
    Progress silent;
    const auto deformer = require_method("corotational")
                              .prepare(what.body, {{"integration", std::string(integration)}}, silent);
    State state = deformer->rest_state();
    Workspace scratch = deformer->make_workspace();
    Loads loads;
    loads.force = what.force;
    Cost cost;
    for (int k = 0; k < kSteps; ++k) {
        const double before = cpu_now();
        const StepReport report = deformer->step(state, loads, 1.0 / 60, scratch);
        cost.seconds += (cpu_now() - before) / kSteps;
        cost.iterations += static_cast<double>(report.iterations) / kSteps;
        cost.linearisations += static_cast<double>(report.linearisations) / kSteps;
        cost.trouble = cost.trouble || report.trouble != Trouble::none;
    }
    return cost;
}

}  // namespace

int main(int argc, char** argv) {
    const int turns = argc > 1 ? std::max(1, std::atoi(argv[1])) : 3;
    const std::string only = argc > 2 ? argv[2] : "";  // a problem's name
    const double only_nu = argc > 3 ? std::atof(argv[3]) : 0.0;
    std::printf(
        "problem     tets    nu      averaged, plain [ms]   ratio (each turn)      iterations       linearisations\n");
    for (const Problem& problem : problems()) {
        for (const double nu : kNearlyHalf) {
            if ((!only.empty() && only != problem.name) || (only_nu > 0.0 && only_nu != nu)) continue;
            const Loaded what = loaded(problem, CellKind::tet4, problem.many, nu, kLoad);
            std::printf("%-10s  %-6zu  %-6g", problem.name, what.body->mesh().cell_count(), nu);
            Cost plain, averaged;
            std::vector<double> ratios;
            for (int turn = 0; turn < turns; ++turn) {
                const Cost a = cost_of(what, "full"), b = cost_of(what, "auto");
                ratios.push_back(b.seconds / a.seconds);
                if (turn == 0 || a.seconds < plain.seconds) plain = a;
                if (turn == 0 || b.seconds < averaged.seconds) averaged = b;
            }
            std::printf("  %7.1f, %7.1f      ", 1e3 * averaged.seconds, 1e3 * plain.seconds);
            for (const double r : ratios) std::printf(" %.2f", r);
            std::printf("     %7.0f, %-7.0f %5.1f, %-5.1f%s%s\n", averaged.iterations, plain.iterations,
                        averaged.linearisations, plain.linearisations, averaged.trouble ? "  averaged: trouble" : "",
                        plain.trouble ? "  plain: trouble" : "");
            std::fflush(stdout);
        }
    }
    return 0;
}
