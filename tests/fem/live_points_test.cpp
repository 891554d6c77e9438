// LivePoints over a matrix small enough to be inverted by hand: forces against the equations that they solve.
#include "fem/live_points.hpp"

#include "fem/triples.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace limber {
namespace {

// A = diag: every unknown has its own stiffness.
class Diagonal final : public ColumnSolver {
public:
    explicit Diagonal(std::vector<double> stiffness) : stiffness_(std::move(stiffness)) {}
    SolveReport solve(const double* b, double* x) noexcept override {
        for (std::size_t i = 0; i < stiffness_.size(); ++i) x[i] = b[i] / stiffness_[i];
        ++calls;
        return {1, 0.0, true};
    }
    int calls = 0;

private:
    std::vector<double> stiffness_;
};

std::shared_ptr<const Body> cube() {
    BodyDescription d;
    d.mesh = make_box(CellKind::hex8, 1, 1, 1, {0, 0, 0}, {1, 1, 1});
    d.materials = {{"", {"m", 1e4, 0.3, 1000.0, 0.0, 0.0}}};
    return Body::make(d);
}

struct Bench {
    Bench() : body(cube()), solver(stiffness()) {
        for (std::int32_t i = 0; i < 24; ++i) free.push_back(i);
        points = std::make_unique<LivePoints>(*body, free, 2);
        scratch.assign(points->scratch_size(), 0.0);
        columns.assign(points->slots() * points->column_size(), 0.0);
        active.assign(points->slots(), 0);
        reals.assign(points->slots() * LivePoints::kSlotReals, 0.0);
        x.assign(24, 0.0);
    }
    static std::vector<double> stiffness() {
        std::vector<double> k(24);
        for (std::size_t i = 0; i < 24; ++i) k[i] = 10.0 + static_cast<double>(i);
        return k;
    }
    PointConstraint pin(std::int32_t vertex, const Vec3& moved, PointConstraint::Kind kind) const {
        PointConstraint c;
        c.kind = kind;
        c.vertex_count = 1;
        c.vertices[0] = vertex;
        c.weights[0] = 1.0;
        c.target = body->mesh().vertices[static_cast<std::size_t>(vertex)] + moved;
        c.stiffness = 5.0;
        return c;
    }
    Trouble run(std::span<const PointConstraint> live) {
        points->mark_active(live, active.data());
        points->begin(live, x.data(), x.data(), active.data(), reals.data(), scratch.data());
        points->aim(live, {}, x.data(), scratch.data());
        for (std::size_t s = 0; s < live.size(); ++s)
            points->solve_columns(live[s], solver, points->columns_of(s, columns.data()), scratch.data());
        const LivePoints::Solve solve{live, columns.data()};
        std::vector<double> reached(6);
        for (std::size_t s = 0; s < live.size(); ++s) put3(reached.data() + 3 * s, points->gather(live[s], x.data()));
        const Trouble trouble = points->solve(solve, reached.data(), active.data(), scratch.data());
        points->add_change(solve, x.data(), scratch.data());
        points->read_out(solve, active.data(), nullptr, true, reals.data(), scratch.data());
        return trouble;
    }
    std::shared_ptr<const Body> body;
    std::vector<std::int32_t> free, active;
    Diagonal solver;
    std::unique_ptr<LivePoints> points;
    std::vector<double> scratch, columns, reals, x;
};

TEST(LivePoints, AHardOneIsReachedWithTheForceThatItTakes) {
    Bench b;
    const PointConstraint live[] = {b.pin(2, {0.1, -0.2, 0.3}, PointConstraint::Kind::hard)};
    EXPECT_EQ(b.run(live), Trouble::none);
    const Vec3 force = LivePoints::reaction(b.reals.data(), 0).force;
    const Mat3 k = LivePoints::stiffness(b.reals.data(), 0);
    const Vec3 moved{0.1, -0.2, 0.3};
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(b.x[6 + static_cast<std::size_t>(i)], moved[i], 1e-14);
        EXPECT_NEAR(force[i], (16.0 + i) * moved[i], 1e-12);
        EXPECT_NEAR(k(i, i), 16.0 + i, 1e-12);
    }
    EXPECT_EQ(b.solver.calls, 3);
}

TEST(LivePoints, ASoftOneIsASpringInSeries) {
    Bench b;
    const PointConstraint live[] = {b.pin(0, {0.3, 0, 0}, PointConstraint::Kind::soft)};
    EXPECT_EQ(b.run(live), Trouble::none);
    EXPECT_NEAR(LivePoints::reaction(b.reals.data(), 0).force.x, 0.3 / (1 / 10.0 + 1 / 5.0), 1e-13);
}

TEST(LivePoints, AUnilateralOnePushesOrIsNotThere) {
    for (const double to : {0.2, -0.2}) {
        Bench b;
        PointConstraint c = b.pin(4, {0, to, 0}, PointConstraint::Kind::hard);
        c.unilateral = true;
        const PointConstraint live[] = {c};
        EXPECT_EQ(b.run(live), Trouble::none);
        EXPECT_NEAR(b.x[13], to > 0 ? 0.2 : 0.0, 1e-14);
        EXPECT_EQ(b.active[0], to > 0 ? 1 : 0);
    }
}

TEST(LivePoints, GoalsOfPartsLieOnACubicWithTheRightSlopes) {
    // Halfway of a cubic from rest at 0 to rest at 1 is 1/2, with the slope 3/2 over the duration.
    Bench b;
    const PointConstraint live[] = {b.pin(1, {1, 0, 0}, PointConstraint::Kind::hard)};
    b.points->begin(live, b.x.data(), b.x.data(), b.active.data(), b.reals.data(), b.scratch.data());
    b.points->aim(live, {0.5, 0.1}, b.x.data(), b.scratch.data());
    const LivePoints::Goal half = b.points->goal(0, b.scratch.data());
    EXPECT_NEAR(half.displacement.x, 0.5, 1e-14);
    EXPECT_NEAR(half.velocity.x, 15.0, 1e-12);
    b.points->aim(live, {1.0, 0.1}, b.x.data(), b.scratch.data());
    EXPECT_EQ(b.points->goal(0, b.scratch.data()).displacement.x, 1.0);
}

TEST(LivePoints, OneThatRepeatsAnotherIsNoConflictAndOneThatContradictsItIs) {
    for (const double apart : {0.0, 0.05}) {
        Bench b;
        const PointConstraint live[] = {b.pin(2, {0.1, 0, 0}, PointConstraint::Kind::hard),
                                        b.pin(2, {0.1 + apart, 0, 0}, PointConstraint::Kind::hard)};
        EXPECT_EQ(b.run(live), apart == 0.0 ? Trouble::none : Trouble::constraint_conflict);
        EXPECT_NEAR(b.x[6], 0.1, 1e-14);
        // What was dropped has no stiffness; it once had NaN.
        for (const double number : b.reals) EXPECT_TRUE(std::isfinite(number));
    }
}

TEST(LivePoints, PartsOfAStepPullASoftPointFromWhereItsTargetWas) {
    // A target that rests is the same one in every part, however far the point hangs from it: ramping the spring up
    // again in every step made bodies swing for ever.
    Bench b;
    const PointConstraint live[] = {b.pin(0, {0.3, 0, 0}, PointConstraint::Kind::soft)};
    ASSERT_EQ(b.run(live), Trouble::none);
    b.points->begin(live, b.x.data(), std::vector<double>(24).data(), b.active.data(), b.reals.data(),
                    b.scratch.data());
    for (const double part : {0.1, 0.5, 1.0}) {
        b.points->aim(live, {part, 0.1}, b.x.data(), b.scratch.data());
        EXPECT_NEAR(b.points->goal(0, b.scratch.data()).displacement.x, 0.3, 1e-14) << part;
    }
}

TEST(LivePoints, ASurfaceThatDoesNotTouchMovesByItsVelocity) {
    Bench b;
    PointConstraint c = b.pin(4, {0, -0.2, 0}, PointConstraint::Kind::hard);
    c.unilateral = true;
    c.velocity = {0, 1, 0};
    const PointConstraint live[] = {c};
    b.points->begin(live, b.x.data(), b.x.data(), b.active.data(), b.reals.data(), b.scratch.data());
    b.points->aim(live, {0.5, 0.1}, b.x.data(), b.scratch.data());
    EXPECT_NEAR(b.points->goal(0, b.scratch.data()).displacement.y, -0.25, 1e-14);
}

TEST(LivePoints, WhatABodyCannotTakeIsRefused) {
    const Bench b;
    const PointConstraint good = b.pin(3, {0, 0, 0}, PointConstraint::Kind::soft);
    const auto fits = [&](const auto& change) {
        PointConstraint c = good;
        change(c);
        return b.points->fits({&c, 1});
    };
    EXPECT_TRUE(fits([](PointConstraint&) {}));
    EXPECT_FALSE(fits([](PointConstraint& c) { c.kind = static_cast<PointConstraint::Kind>(7); }));
    EXPECT_FALSE(fits([](PointConstraint& c) { c.stiffness = 5e-324; }));
    EXPECT_FALSE(fits([](PointConstraint& c) {
        c.vertex_count = 3;
        c.weights = {1e300, -1e300, 1.0};
    }));
}

TEST(LivePoints, AKeyChangesWithVerticesAndWeightsOnly) {
    const Bench b;
    std::vector<double> key(LivePoints::kKeyReals, 0.0);
    PointConstraint c = b.pin(3, {0, 0, 0}, PointConstraint::Kind::hard);
    EXPECT_TRUE(LivePoints::renew_key(c, key.data()));
    EXPECT_FALSE(LivePoints::renew_key(c, key.data()));
    c.target.x += 1.0;
    EXPECT_FALSE(LivePoints::renew_key(c, key.data()));
    c.vertices[0] = 4;
    EXPECT_TRUE(LivePoints::renew_key(c, key.data()));
    c.vertex_count = 2;
    c.weights[0] = c.weights[1] = 0.5;
    EXPECT_TRUE(LivePoints::renew_key(c, key.data()));
}

}  // namespace
}  // namespace limber
