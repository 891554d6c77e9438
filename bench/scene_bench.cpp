// Whole scenes: preparing each against a triad over what is prepared, stepping it against reading that once.
#include "bench.hpp"
#include "plain_fem.hpp"
#include "yardstick.hpp"

#include "core/text.hpp"

#include <limber/tools/matrices.hpp>
#include <limber/tools/sim.hpp>

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace limber::bench {
namespace {

constexpr int kSteps = 20;  // per timing: one step of a small scene takes microseconds

// A step as one would first write it: sparse products for the residual, Eigen's factor for the solve.
struct Plain {
    EigenRows stiffness, mass;
    EigenMatrix system;
    Eigen::SimplicialLDLT<EigenMatrix> solver;
    Eigen::VectorXd u, a, x;

    explicit Plain(const Scene& scene, const std::shared_ptr<const Body>& body) {
        Progress silent;
        const BodyMatrices m = body_matrices(
            body, scene.method.name == "linear_fem" ? scene.method.options : OptionValues{}, silent);
        std::vector<bool> free(m.unknowns(), false);
        for (const std::int32_t i : m.free) free[static_cast<std::size_t>(i)] = true;
        EigenMatrix k = to_eigen(m.stiffness), mm = to_eigen(m.mass);
        const double h = scene.step;
        system = mm + h * h / 4 * k;
        // Held rows and columns go; ones on their diagonal keep the numbering.
        system.prune([&](std::int32_t i, std::int32_t j, double) {
            return i == j || (free[static_cast<std::size_t>(i)] && free[static_cast<std::size_t>(j)]);
        });
        stiffness = k;
        mass = mm;
        u = a = Eigen::VectorXd::Constant(system.rows(), 1e-3);
    }
    void step() {
        const Eigen::VectorXd residual = stiffness * u + mass * a;
        x = solver.solve(residual);
        keep(x[0]);
    }
};

struct Stepping {
    Scene scene;
    std::shared_ptr<const Body> body;
    std::unique_ptr<Deformer> deformer;
    std::unique_ptr<Timeline> timeline;
    State state, first;
    Workspace scratch;
    std::size_t at = 0;

    explicit Stepping(const std::string& path) : scene(read_scene(path)), body(make_body(scene)) {
        Progress silent;
        const Method& method = require_method(scene.method.name);
        deformer = method.prepare(body, method_options(scene, method), silent);
        timeline = std::make_unique<Timeline>(scene, body);
        first = deformer->rest_state();
        scratch = deformer->make_workspace();
        deformer->start(first, timeline->at_step(0), scratch);
        state = first;
    }
    void step() {
        if (at++ == timeline->step_count()) {
            at = 1;
            state = first;
        }
        deformer->step(state, timeline->at_step(at), scene.step, scratch);
    }
};

Work step_work(const std::string& path) {
    auto s = std::make_shared<Stepping>(path);
    auto plain = std::make_shared<Plain>(s->scene, s->body);
    plain->solver.compute(plain->system);
    Work w;
    w.subject = [s] {
        for (int i = 0; i < kSteps; ++i) s->step();
    };
    w.against = "data read once a step";
    w.bytes = s->deformer->memory();
    w.passes = kSteps;
    w.baseline = [plain] {
        for (int i = 0; i < kSteps; ++i) plain->step();
    };
    w.baseline_name = "Eigen step";
    w.units = kSteps;
    return w;
}

Work prepare_work(const std::string& path) {
    auto scene = std::make_shared<Scene>(read_scene(path));
    const auto body = make_body(*scene);
    auto plain = std::make_shared<Plain>(*scene, body);
    const auto prepare = [scene, body] {
        Progress silent;
        const Method& method = require_method(scene->method.name);
        return method.prepare(body, method_options(*scene, method), silent);
    };
    Work w;
    w.subject = [prepare] { keep(static_cast<double>(prepare()->memory())); };
    w.limit = Limit::triad;
    w.against = "triad of its data";
    w.bytes = prepare()->memory();
    w.baseline = [plain, body] {
        keep(plain_assembly(*body).valuePtr()[0]);
        plain->solver.compute(plain->system);
    };
    w.baseline_name = "Eigen triplets, LDLT";
    w.dear = true;
    return w;
}

}  // namespace

void add_scene_cases(Cases& cases, const Settings& settings) {
    std::vector<std::string> paths;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(settings.scenes, ignored))
        if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    for (const std::string& path : paths) {
        const std::string name = std::filesystem::path(path).stem().string();
        cases.push_back({"prepare/" + name, [path] { return prepare_work(path); }});
        cases.push_back({"step/" + name, [path] { return step_work(path); }});
    }
}

}  // namespace limber::bench
