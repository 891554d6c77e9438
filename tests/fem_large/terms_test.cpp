// Terms of large strain: each one's force against its value and its blocks, and one from outside in a whole step.
#include "fem_large/body_terms.hpp"
#include "fem_large/deformer.hpp"
#include "fem_large/elastic_fixtures.hpp"

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace testing;

/// A spring between two vertices that share no cell, along the line between them.
class Spring final : public Term {
public:
    Spring(const Mesh& mesh, std::int32_t a, std::int32_t b, double stiffness, double length, double most = 1.0)
        : mesh_(mesh), a_(a), b_(b), stiffness_(stiffness), length_(length), most_(most) {}
    const char* name() const override { return "spring"; }
    std::vector<std::array<std::int32_t, 2>> couplings() const override { return {{a_, b_}}; }
    TermValue value(const TermStep&) const noexcept override { return TermValue::energy; }
    double bound(const TermStep&, const TermPoint&, const double*, TermMemory) const noexcept override { return most_; }

    Vec3 line(const double* u) const {
        Vec3 d;
        for (int i = 0; i < 3; ++i) d[i] = at(b_, i) + u[3 * b_ + i] - at(a_, i) - u[3 * a_ + i];
        return d;
    }
    double energy(const double* u) const {
        const double stretch = norm(line(u)) - length_;
        return 0.5 * stiffness_ * stretch * stretch;
    }
    void add(const TermStep& step, const TermPoint& p, const TermMatrix& matrix, TermMemory,
             TermSum& sum) const noexcept override {
        const Vec3 d = line(p.u), way = d / norm(d), force = stiffness_ * (norm(d) - length_) * way;
        for (int i = 0; i < 3; ++i) {
            for (double* f : {sum.residual, sum.gradient}) {
                f[3 * b_ + i] += force[i];
                f[3 * a_ + i] -= force[i];
            }
        }
        sum.energy += energy(p.u);
        sum.scale += norm(force);
        if (matrix.values == nullptr) return;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                const double across = (1 - length_ / norm(d)) * ((i == j ? 1.0 : 0.0) - way[i] * way[j]);
                const double k = step.du * stiffness_ * (way[i] * way[j] + across);
                matrix.block(a_, a_)[3 * i + j] += k;
                matrix.block(b_, b_)[3 * i + j] += k;
                matrix.block(a_, b_)[3 * i + j] -= k;
                matrix.block(b_, a_)[3 * i + j] -= k;
            }
        }
    }

private:
    double at(std::int32_t v, int i) const { return mesh_.vertices[static_cast<std::size_t>(v)][i]; }
    const Mesh& mesh_;
    std::int32_t a_, b_;
    double stiffness_, length_, most_;
};

/// A body's own terms and one spring, over memory of their own.
struct TermBench {
    explicit TermBench(const HyperSpec& spec)
        : body(hyper_body(spec)),
          system(*body, make_hyperelastic(*body, HyperLaw::neo_hookean, Integration::full), assembly(),
                 std::vector<std::array<std::int32_t, 2>>{{0, far()}}, silent),
          list(own_terms(), system.size()),
          state(list.state_reals()),
          scratch(list.scratch_size()),
          residual(system.size()),
          gradient(system.size()),
          values(system.value_count()) {
        list.each(storage(), [](const Term& term, TermMemory own) { term.rest(own); });
    }
    static AssemblySettings assembly() {
        AssemblySettings a;
        a.integration = Integration::full;
        a.damping = DampingKind::rayleigh;
        return a;
    }
    std::int32_t far() const { return static_cast<std::int32_t>(body->vertex_count()) - 1; }
    std::vector<std::unique_ptr<const Term>> own_terms() {
        auto elastic = std::make_unique<ElasticTerm>(system);
        auto damping = std::make_unique<DampingTerm>(*elastic);
        std::vector<std::unique_ptr<const Term>> all;
        all.push_back(std::move(elastic));
        all.push_back(std::make_unique<LoadTerm>(system.size()));
        all.push_back(std::make_unique<InertiaTerm>(system));
        all.push_back(std::move(damping));
        all.push_back(std::make_unique<Spring>(body->mesh(), 0, far(), 400.0, 0.7));
        return all;
    }
    TermList::Storage storage() { return {state.data(), nullptr, scratch.data()}; }
    TermSum sum_at(const TermStep& step, const std::vector<double>& u, const std::vector<double>& v,
                   const std::vector<double>& a, bool with_matrix) {
        std::fill(residual.begin(), residual.end(), 0.0);
        TermSum sum{residual.data(), gradient.data()};
        TermMatrix matrix;
        if (with_matrix) matrix = {values.data(), &system.pattern()};
        list.each(storage(), [&](const Term& term, TermMemory own) {
            term.add(step, {u.data(), v.data(), a.data()}, matrix, own, sum);
        });
        return sum;
    }
    Progress silent;
    std::shared_ptr<const Body> body;
    ElasticSystem system;
    TermList list;
    std::vector<double> state, scratch, residual, gradient, values;
};

TEST(Terms, TheMatrixIsTheSlopeOfTheResidual) {
    // Blocks of vertices that share no cell lie in another pattern than the model's: a wrong entry shows here. At u = 0
    // the damping matrix does not turn, so that nothing is held still.
    TermBench bench({.kind = CellKind::tet4, .cells = 3, .alpha = 0.7, .beta = 0.02});
    const std::size_t n = bench.system.size();
    const std::vector<double> force(n, 0.0), zero(n, 0.0), dx = random_field(bench.body->mesh(), 1.0, 3);
    const TermStep step{.force = force.data(), .du = 2e-4, .dv = 0.01, .stiffness_damping = bench.system.beta()};
    bench.sum_at(step, zero, zero, zero, true);
    std::vector<double> slope(n), product(n);
    multiply(bench.system.pattern(), bench.values.data(), dx.data(), product.data());
    const double e = 1e-4;
    for (const double side : {1.0, -1.0}) {
        bench.sum_at(step, along(zero, side * e * step.du, dx), along(zero, side * e * step.dv, dx),
                     along(zero, side * e, dx), false);
        for (std::size_t i = 0; i < n; ++i) slope[i] += side / (2 * e) * bench.residual[i];
    }
    EXPECT_LT(apart(slope, product), 1e-7 * size_of(product));
}

TEST(Terms, TheGradientIsTheSlopeOfTheEnergy) {
    TermBench bench({.kind = CellKind::hex8, .cells = 2});
    const std::size_t n = bench.system.size();
    const std::vector<double> zero(n, 0.0), u = random_field(bench.body->mesh(), 0.03, 5),
                                            d = random_field(bench.body->mesh(), 1.0, 6);
    const TermStep step{.force = zero.data(), .moves = false};
    const double e = 1e-6;
    const double up = bench.sum_at(step, along(u, e, d), zero, zero, false).energy,
                 down = bench.sum_at(step, along(u, -e, d), zero, zero, false).energy;
    bench.sum_at(step, u, zero, zero, false);
    EXPECT_NEAR((up - down) / (2 * e) / inner(bench.gradient, d), 1.0, 1e-6);
    EXPECT_EQ(bench.gradient, bench.residual);  // nothing else acts
}

TEST(Terms, CurvatureIsWhatForcesDoAlongACorrection) {
    TermBench bench({.kind = CellKind::tet4, .cells = 2, .alpha = 0.7, .beta = 0.02});
    const std::size_t n = bench.system.size();
    const std::vector<double> zero(n, 0.0), dx = random_field(bench.body->mesh(), 1.0, 9);
    const TermStep step{.force = zero.data(), .du = 2e-4, .dv = 0.01, .stiffness_damping = bench.system.beta()};
    double curvature = 0.0;
    bench.list.each(bench.storage(), [&](const Term& term, TermMemory own) {
        if (term.value(step) == TermValue::quadratic) curvature += term.curvature(step, zero.data(), dx.data(), own);
    });
    // Velocities and accelerations alone: no elastic force at u = 0, and the spring's is constant.
    bench.sum_at(step, zero, along(zero, step.dv, dx), dx, false);
    const std::vector<double> moving = bench.residual;
    bench.sum_at(step, zero, zero, zero, false);
    EXPECT_NEAR(inner(along(moving, -1.0, bench.residual), dx) / curvature, 1.0, 1e-10);
}

std::unique_ptr<Deformer> with_spring(const std::shared_ptr<const Body>& body, double most, std::int32_t far) {
    ElasticSettings settings;
    settings.scheme = Scheme::quasi_static;
    settings.assembly.integration = Integration::full;
    settings.tolerance = 1e-12;
    settings.linear_tolerance = 1e-10;
    Progress silent;
    std::vector<std::unique_ptr<const Term>> more;
    if (most > 0.0) more.push_back(std::make_unique<Spring>(body->mesh(), 0, far, 400.0, 0.7, most));
    return std::make_unique<ElasticDeformer>("with_spring", body, OptionValues{}, settings,
                                             make_hyperelastic(*body, HyperLaw::neo_hookean, Integration::full), silent,
                                             std::vector<std::string>{}, std::move(more));
}

struct Answer {
    StepReport report;
    std::vector<Vec3> u;
};

Answer static_answer(const Deformer& deformer, std::span<const Vec3> force) {
    State state = deformer.rest_state();
    Workspace scratch = deformer.make_workspace();
    Loads loads;
    loads.force = force;
    Answer out;
    out.report = deformer.step(state, loads, 1.0, scratch);
    out.u.resize(deformer.body().vertex_count());
    deformer.displacements(state, out.u);
    return out;
}

TEST(Terms, ATermFromOutsideBalancesWithTheBody) {
    // The same body under the force that the spring is found to exert is bent in the same way.
    const auto body = hyper_body({.kind = CellKind::tet4, .cells = 4, .anchored = true});
    const auto far = static_cast<std::int32_t>(body->vertex_count()) - 1;  // vertex 0 is held
    const auto sprung = with_spring(body, 1.0, far);
    const Answer a = static_answer(*sprung, {});
    ASSERT_EQ(a.report.trouble, Trouble::none);
    EXPECT_LE(a.report.linearisations, 8);
    const Spring spring(body->mesh(), 0, far, 400.0, 0.7);
    std::vector<double> flat;
    for (const Vec3& u : a.u)
        for (int i = 0; i < 3; ++i) flat.push_back(u[i]);
    const Vec3 d = spring.line(flat.data()), pull = -400.0 * (norm(d) - 0.7) / norm(d) * d;
    EXPECT_GT(norm(a.u[static_cast<std::size_t>(far)]), 0.01);
    std::vector<Vec3> force(body->vertex_count());
    force[static_cast<std::size_t>(far)] = pull;
    const Answer b = static_answer(*with_spring(body, 0.0, far), force);
    for (std::size_t v = 0; v < a.u.size(); ++v) ASSERT_LT(norm(a.u[v] - b.u[v]), 1e-8);
}

TEST(Terms, ABoundShortensCorrectionsAndNotTheAnswer) {
    const auto body = hyper_body({.kind = CellKind::tet4, .cells = 4, .anchored = true});
    const auto far = static_cast<std::int32_t>(body->vertex_count()) - 1;
    const Answer free = static_answer(*with_spring(body, 1.0, far), {});
    const Answer bound = static_answer(*with_spring(body, 0.6, far), {});
    ASSERT_EQ(bound.report.trouble, Trouble::none);
    EXPECT_GT(bound.report.linearisations, free.report.linearisations);
    for (std::size_t v = 0; v < free.u.size(); ++v) ASSERT_LT(norm(free.u[v] - bound.u[v]), 1e-8);
}

TEST(Terms, APointThatBecomesOneSidedDrawsNoOtherAlong) {
    // Its old force stood askew to its new normal; what the normal cannot hold vanished and moved a held point by 0.3
    // mm.
    for (const char* method : {"corotational", "neo_hookean"}) {
        Progress silent;
        const auto body = hyper_body({.kind = CellKind::tet4, .cells = 4, .young = 5e4, .anchored = true});
        const auto deformer = require_method(method).prepare(body, {}, silent);
        State state = deformer->rest_state();
        Workspace scratch = deformer->make_workspace();
        std::vector<PointConstraint> live(2);
        const IndexSet& right = body->mesh().vertex_sets.at("right");
        for (std::size_t k = 0; k < 2; ++k) {
            PointConstraint& c = live[k];
            c.kind = PointConstraint::Kind::hard;
            c.vertex_count = 1;
            c.vertices[0] = k == 0 ? right.front() : right.back();
            c.weights[0] = 1.0;
            c.target = body->mesh().vertices[static_cast<std::size_t>(c.vertices[0])];
        }
        live[0].target += Vec3{0.05, 0.08, 0.0};
        Loads loads;
        loads.live = live;
        std::vector<Vec3> u(body->vertex_count());
        for (int i = 0; i < 10; ++i) {
            if (i == 5) {
                live[0].unilateral = true;
                live[0].normal = Vec3{0.6, 0.8, 0.0};
            }
            ASSERT_EQ(deformer->step(state, loads, 1.0 / 60.0, scratch).trouble, Trouble::none) << method << " " << i;
            deformer->displacements(state, u);
            EXPECT_LT(norm(u[static_cast<std::size_t>(live[1].vertices[0])]), 1e-9) << method << " step " << i;
        }
    }
}

}  // namespace
}  // namespace limber
