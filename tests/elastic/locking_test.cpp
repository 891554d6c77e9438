// Cook's membrane, a cantilever and a pressed block of a nearly incompressible material, in tet4 cells at default options: every method that takes
// them against the limit of finer and finer hex8 cells. Plain tet4 cells answer with a half to a fiftieth of the displacement.
#include <limber/body.hpp>
#include <limber/mesh.hpp>
#include <limber/method.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>

namespace limber {
namespace {

constexpr double kNearlyHalf[] = {0.49, 0.499, 0.4999};
constexpr double kYoung = 1e5;

struct Problem {
    const char* name;
    std::array<int, 3> few, many;                   // cells of a quick test, of one with about 20,000 tets
    std::function<Vec3(const Vec3&)> place;         // of a point of the unit cube
    std::function<double(const Vec3&)> load;        // per area of the unit cube's loaded face, by place in the unit cube
    int held, pushed;                               // axis across which the face at 0 is held, and the one at 1 is pushed along y
};

const std::vector<Problem>& problems() {
    const auto all = [](const Vec3&) { return 1.0; };
    static const std::vector<Problem> list = {
        {"cook", {16, 16, 4}, {24, 24, 6}, [](const Vec3& x) { return Vec3{0.48 * x.x, 0.44 * x.x + x.y * (0.44 - 0.28 * x.x), 0.16 * x.z}; }, all, 0, 0},
        {"cantilever", {20, 5, 5}, {36, 10, 10}, [](const Vec3& x) { return Vec3{x.x, 0.25 * x.y, 0.25 * x.z}; }, all, 0, 0},
        {"slender", {40, 4, 4}, {70, 7, 7}, [](const Vec3& x) { return Vec3{x.x, 0.1 * x.y, 0.1 * x.z}; }, all, 0, 0},
        {"block", {8, 8, 8}, {14, 16, 14}, [](const Vec3& x) { return Vec3{0.3 * x.x, 0.3 * x.y, 0.3 * x.z}; },
         [](const Vec3& x) { return -(std::fabs(x.x - 0.5) < 1e-9 ? 0.5 : x.x < 0.5 ? 1.0 : 0.0) * (std::fabs(x.z - 0.5) < 1e-9 ? 0.5 : x.z < 0.5 ? 1.0 : 0.0); }, 1, 1},
    };
    return list;
}

struct Loaded {
    std::shared_ptr<const Body> body;
    std::vector<Vec3> force;
};

Loaded loaded(const Problem& problem, CellKind kind, std::array<int, 3> n, double poisson, double size) {
    BodyDescription d;
    d.mesh = make_box(kind, n[0], n[1], n[2], {}, {1, 1, 1});
    Loaded out;
    IndexSet held;
    for (std::size_t v = 0; v < d.mesh.vertices.size(); ++v) {
        Vec3& x = d.mesh.vertices[v];
        double share = x[problem.pushed] > 1 - 1e-9 ? size * problem.load(x) : 0.0;
        for (int i = 0; i < 3; ++i)
            if (i != problem.pushed) share *= (x[i] < 1e-9 || x[i] > 1 - 1e-9 ? 0.5 : 1.0) / n[static_cast<std::size_t>(i)];
        out.force.push_back({0.0, share, 0.0});
        if (x[problem.held] < 1e-9) held.push_back(static_cast<std::int32_t>(v));
        x = problem.place(x);
    }
    d.materials = {{"", {"soft", kYoung, poisson, 1000.0, 0.0, 0.01}}};
    d.anchors = {{"wall", held, {}}};
    out.body = Body::make(std::move(d));
    return out;
}

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
double answer(const char* method, const Problem& problem, CellKind kind, std::array<int, 3> n, double poisson, const OptionValues& options = {}) {
    constexpr double kSmall = 1e-3;     // [N]: strains of 1e-5 and less
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
    const double coarse = answer("linear_fem", problem, CellKind::hex8, times(n, 1, 2), poisson), fine = answer("linear_fem", problem, CellKind::hex8, n, poisson);
    return fine + (fine - coarse) / 3;
}

bool heavy() { return std::getenv("LIMBER_HEAVY_LOCKING") != nullptr; }

TEST(Tet4NearlyIncompressible, AnswersWithinFivePerCentInEveryMethod) {
    for (const Problem& problem : problems())
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
            if (heavy()) std::printf("  (full %+.1f %%)", 100 * (answer("linear_fem", problem, CellKind::tet4, n, nu, {{"integration", std::string("full")}}) / limit - 1));
            std::printf("\n");
            std::fflush(stdout);
        }
}

double cpu_now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Cost {
    double seconds = 0.0;
    long iterations = 0, linearisations = 0;
};

// Default steps of a 60th of a second under a load of some per cent of strain.
Cost cost_of(const Loaded& what, const char* integration, int steps) {
    Run run = prepared("corotational", what, {{"integration", std::string(integration)}});
    Loads loads;
    loads.force = what.force;
    Cost cost;
    for (int k = 0; k < steps; ++k) {
        const double before = cpu_now();
        const StepReport report = run.deformer->step(run.state, loads, 1.0 / 60, run.scratch);
        cost.seconds += (cpu_now() - before) / steps;
        cost.iterations += report.iterations;
        cost.linearisations += report.linearisations;
    }
    cost.iterations /= steps;
    return cost;
}

TEST(Tet4NearlyIncompressible, ACorotationalStepCostsAtMostTwiceAPlainOnes) {
    // Time in turns, so that what else the machine does falls on both.
    if (std::getenv("LIMBER_MEASURE_LOCKING") == nullptr) GTEST_SKIP() << "a measurement, whose bar is not met yet (docs/methods/corotational.md): LIMBER_MEASURE_LOCKING=1";
    const char* only = std::getenv("LIMBER_MEASURE_ONLY");       // e.g. "cook 0.49"
    for (const Problem& problem : problems())
        for (const double nu : kNearlyHalf) {
            if (only != nullptr && only != fmt::format("{} {}", problem.name, nu)) continue;
            const Loaded what = loaded(problem, CellKind::tet4, problem.many, nu, 0.02 * kYoung * 0.01);
            Cost plain, averaged;
            for (int turn = 0; turn < 3; ++turn) {
                const Cost a = cost_of(what, "full", 6), b = cost_of(what, "auto", 6);
                plain.seconds += a.seconds / 3, averaged.seconds += b.seconds / 3;
                plain.iterations = a.iterations, averaged.iterations = b.iterations;
                plain.linearisations = a.linearisations, averaged.linearisations = b.linearisations;
            }
            std::printf("%-10s nu %-6g step %.1f ms, plain %.1f ms: %.2f times; iterations %ld, plain %ld; linearisations in all steps %ld, plain %ld\n", problem.name, nu, 1e3 * averaged.seconds, 1e3 * plain.seconds,
                        averaged.seconds / plain.seconds, averaged.iterations, plain.iterations, averaged.linearisations, plain.linearisations);
            std::fflush(stdout);
            EXPECT_LE(averaged.seconds, 2.0 * plain.seconds) << problem.name << " " << nu;
        }
}

}  // namespace
}  // namespace limber
