// K u + D v as row clusters, beside the standard evaluation (two dense products per element, with the same vector
// instructions) and beside Eigen's sparse product; and whole steps of the method, beside the standard and thirty modes.
#include "beam.hpp"
#include "bench.hpp"
#include "eigen.hpp"
#include "yardstick.hpp"

#include "core/text.hpp"
#include "linalg/test_matrices.hpp"
#include "methods/clustered_fem/product.hpp"

#include <limber/method.hpp>

#include <cmath>
#include <numbers>

namespace limber::bench {
namespace {

constexpr double kZeta = 0.01, kXi = 0.1;

struct Force {
    std::shared_ptr<const StiffnessProduct> product;
    std::vector<double> u, v, mass, out, scratch;

    void apply() {
        product->apply({u.data(), 1.0, v.data(), kZeta, mass.data(), nullptr, 0.0, v.data(), kXi}, out.data(),
                       scratch.data());
    }
};

struct Matrices {
    std::shared_ptr<const Body> body;
    FemMatrices fem;
};

Matrices matrices(std::shared_ptr<const Body> body) {
    Progress silent;
    AssemblySettings settings;
    settings.mass = MassKind::lumped;
    FemMatrices fem = assemble(*body, settings, silent);
    return {std::move(body), std::move(fem)};
}

std::shared_ptr<Force> force(const Matrices& m, Clusters clusters, bool single) {
    auto f = std::make_shared<Force>();
    ClusteredFemSettings settings;
    settings.linear.assembly.mass = MassKind::lumped;
    settings.clusters = clusters;
    settings.single = single;
    f->product = make_clustered_product(*m.body, m.fem.stiffness, settings);
    f->u = testing::random_vector(m.fem.stiffness.size(), 1);
    f->v = testing::random_vector(m.fem.stiffness.size(), 2);
    f->mass = m.fem.lumped;
    f->out.resize(f->u.size());
    f->scratch.resize(f->product->scratch_size());
    return f;
}

/// What a full (not halved) block matrix with indices takes, and u, v, m and the result.
std::size_t full_bytes(const BlockCsr& k, std::size_t real) {
    const std::size_t blocks = k.columns.size();
    return blocks * (9 * real + 4) + 4 * k.rows() + 8 * (3 * k.size() + k.rows());
}

enum class Beside { elements, eigen, eigen_twice };

std::function<void()> baseline(const Matrices& m, Beside beside, int repeats) {
    if (beside == Beside::elements) {
        const auto f = force(m, Clusters::none, false);
        return [f, repeats] {
            for (int i = 0; i < repeats; ++i) f->apply();
        };
    }
    struct Sparse {
        EigenRows k, d;
        Eigen::VectorXd u, v, out;
    };
    auto s = std::make_shared<Sparse>();
    const std::vector<std::int32_t> all = testing::all_unknowns(m.fem.stiffness);
    s->k = to_eigen(compress(m.fem.stiffness, all));
    s->d = kZeta * s->k;
    s->u = s->v = Eigen::VectorXd::Ones(s->k.rows());
    s->out = s->u;
    const bool twice = beside == Beside::eigen_twice;
    return [s, repeats, twice] {
        for (int i = 0; i < repeats; ++i) {
            s->out.noalias() = s->k * s->u;
            if (twice) s->out.noalias() += s->d * s->v;
        }
    };
}

Work product_work(const std::function<std::shared_ptr<const Body>()>& make, Beside beside, Clusters clusters,
                  bool single) {
    const Matrices m = matrices(make());
    const auto f = force(m, clusters, single);
    Work w;
    w.bytes = full_bytes(m.fem.stiffness, single ? sizeof(float) : sizeof(double));
    const int repeats = std::max<int>(
        1, static_cast<int>(20'000'000 / w.bytes));  // a call is long against the clock and finds its own cache
    w.subject = [f, repeats] {
        for (int i = 0; i < repeats; ++i) f->apply();
    };
    w.limit = Limit::triad;
    w.against = "full storage by triad";
    w.passes = w.units = repeats;
    w.flops = 18.0 * static_cast<double>(m.fem.stiffness.columns.size()) * repeats;
    w.baseline = baseline(m, beside, repeats);
    w.baseline_name = beside == Beside::elements ? "two products per element, SIMD"
                      : beside == Beside::eigen  ? "Eigen, K u only"
                                                 : "Eigen, K u + D v";
    return w;
}

// Bodies of the sizes of the paper's table 1: boxes bent into shape.
std::shared_ptr<const Body> table_body(const std::string& name) {
    BodyDescription d;
    const bool torus = name == "torus";
    d.mesh = torus            ? jittered_box(38, 2, 4, {1, 1, 1})
             : name == "cube" ? jittered_box(5, 5, 8, {1, 1, 1})
                              : jittered_box(5, 6, 6, {1, 1, 1});
    for (Vec3& x : d.mesh.vertices) {
        if (torus) {  // cut open at one place
            const double turn = 2 * std::numbers::pi * 0.995 * x.x, r = 1.0 + 0.5 * (x.y - 0.5);
            x = {r * std::cos(turn), -r * std::sin(turn), 0.5 * x.z};
        } else if (name == "sphere") {
            const Vec3 c = 2.0 * x - Vec3{1, 1, 1};
            const double most = std::max({std::abs(c.x), std::abs(c.y), std::abs(c.z)}), r = norm(c);
            x = r > 0.0 ? c * (0.9 * most / r + 0.1) : c;
        }
    }
    d.materials = {{"", {"soft", 1e5, 0.3, 1000.0, 0.1, 0.0005}}};
    d.anchors = {{"left", d.mesh.vertex_sets.at("left"), {}}};
    return Body::make(std::move(d));
}

/// Steps of 1/60 s of one body under gravity.
struct Steps {
    std::shared_ptr<const Body> body;
    std::unique_ptr<Deformer> deformer;
    State state;
    Workspace scratch;

    Steps(std::shared_ptr<const Body> of, const std::string& method, const OptionValues& options)
        : body(std::move(of)) {
        Progress silent;
        deformer = require_method(method).prepare(body, options, silent);
        state = deformer->rest_state();
        scratch = deformer->make_workspace();
    }
    /// One sub-step's worth of time for every method: what the paper's "step" is.
    void take(double dt) {
        Loads loads;
        loads.gravity = {0, -1, 0};
        keep(static_cast<double>(deformer->step(state, loads, dt, scratch).sub_steps));
    }
};

OptionValues explicit_steps(const char* clusters) {
    return {{"scheme", std::string("symplectic_euler")}, {"clusters", std::string(clusters)}};
}

double fact(const Deformer& d, const std::string& name) {
    for (const auto& [key, value] : d.facts())
        if (key == name) return value;
    return 0.0;
}

Work step_work(const std::string& name, bool modal) {
    const auto body = table_body(name);
    const auto standard = std::make_shared<Steps>(body, "clustered_fem", explicit_steps("none"));
    const double dt = 0.5 * fact(*standard->deformer, "critical_step");
    const auto subject = modal ? std::make_shared<Steps>(body, "modal", OptionValues{{"modes", 30.0}})
                               : std::make_shared<Steps>(body, "clustered_fem", explicit_steps("rows"));
    constexpr int kRepeats = 200;
    Work w;
    w.subject = [subject, dt] {
        for (int i = 0; i < kRepeats; ++i) subject->take(dt);
    };
    w.limit = Limit::triad;
    w.against = "state by triad";
    w.bytes = 8 * subject->state.reals.size();
    w.passes = w.units = kRepeats;
    w.baseline = [standard, dt] {
        for (int i = 0; i < kRepeats; ++i) standard->take(dt);
    };
    w.baseline_name = "a step element by element";
    return w;
}

/// Thirty modes with a force on every vertex and every vertex placed, as `limber reproduce clustered` measures it: all
/// shapes are read twice. Beside Eigen's two dense products of that size.
Work loaded_modes_work(const std::function<std::shared_ptr<const Body>()>& make) {
    struct Loaded {
        Steps steps;
        std::vector<Vec3> force, out;
        Eigen::MatrixXd shapes;
        Eigen::VectorXd f, q, u;
    };
    const auto body = make();
    auto s = std::make_shared<Loaded>(
        Loaded{Steps(body, "modal", OptionValues{{"modes", 30.0}, {"correction", std::string("none")}}),
               std::vector<Vec3>(body->vertex_count(), Vec3{1e-3, 0, 0}),
               {},
               {},
               {},
               {},
               {}});
    s->out.resize(s->force.size());
    const auto n = static_cast<Eigen::Index>(3 * s->force.size());
    s->shapes = Eigen::MatrixXd::Random(n, 30);
    s->f = s->u = Eigen::VectorXd::Random(n);
    s->q = Eigen::VectorXd::Zero(30);
    Work w;
    w.bytes = 2 * 30 * 8 * static_cast<std::size_t>(n);
    const int repeats = std::max<int>(1, static_cast<int>(40'000'000 / w.bytes));
    w.subject = [s, repeats] {
        Loads loads;
        loads.force = s->force;
        for (int i = 0; i < repeats; ++i) {
            keep(static_cast<double>(
                s->steps.deformer->step(s->steps.state, loads, 1.0 / 60.0, s->steps.scratch).sub_steps));
            s->steps.deformer->displacements(s->steps.state, s->out);
        }
    };
    w.limit = Limit::triad;
    w.against = "shapes read twice by triad";
    w.passes = w.units = repeats;
    w.baseline = [s, repeats] {
        for (int i = 0; i < repeats; ++i) {
            s->q.noalias() = s->shapes.transpose() * s->f;
            s->u.noalias() = s->shapes * s->q;
            keep(s->u[0]);
        }
    };
    w.baseline_name = "Eigen, the two products";
    return w;
}

void add_product(Cases& cases, const std::string& name, const std::function<std::shared_ptr<const Body>()>& make) {
    const auto add = [&](const std::string& what, Beside beside, Clusters clusters, bool single) {
        cases.push_back(
            {text("clustered", what, "/", name), [=] { return product_work(make, beside, clusters, single); }});
    };
    add("", Beside::elements, Clusters::rows, false);
    add("_float", Beside::elements, Clusters::rows, true);
    add("_eigen", Beside::eigen, Clusters::rows, false);
    add("_eigen2", Beside::eigen_twice, Clusters::rows, false);
    add("_voxels", Beside::elements, Clusters::voxels, false);
}

}  // namespace

void add_clustered_cases(Cases& cases, const Settings& settings) {
    for (const char* name : {"sphere", "cube", "torus"}) {
        add_product(cases, name, [name] { return table_body(name); });
        cases.push_back({text("clustered_step/", name), [name] { return step_work(name, false); }});
        cases.push_back({text("modal_step/", name), [name] { return step_work(name, true); }});
        cases.push_back(
            {text("modal_loaded/", name), [name] { return loaded_modes_work([name] { return table_body(name); }); }});
    }
    for (const Beam& beam : kBeams) {
        if (!settings.quick || beam.nx < 30) {
            add_product(cases, text("beam_", beam.name), [beam] { return beam_body(beam); });
            if (beam.nx < 60) {
                cases.push_back({text("modal_loaded/beam_", beam.name),
                                 [beam] { return loaded_modes_work([beam] { return beam_body(beam); }); }});
            }
        }
    }
}

}  // namespace limber::bench
