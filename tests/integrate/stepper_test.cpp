// One mass on one spring: every scheme against the closed form.
#include "integrate/stepper.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace limber {
namespace {

constexpr Scheme kDynamic[] = {
    Scheme::newmark_implicit, Scheme::newmark_explicit, Scheme::symplectic_euler, Scheme::backward_euler, Scheme::bdf2,
    Scheme::implicit_midpoint};

BlockCsr pair_matrix(double diagonal, double coupling) {
    // Two vertices in the plane; x of vertex 0 is coupled to x of vertex 1, y entries are units so that nothing is
    // singular.
    BlockCsr a;
    a.block = 2;
    a.starts = {0, 2, 4};
    a.columns = {0, 1, 0, 1};
    a.values = {diagonal, 0, 0, 1, coupling, 0, 0, 0, coupling, 0, 0, 0, diagonal, 0, 0, 1};
    return a;
}

// m x'' + c x' + k (x - y) = f(t), y driven.
struct Oscillator {
    double mass = 2.0, stiffness = 50.0, alpha = 0.3, beta = 0.01;
    bool lumped = false;
    System system() const {
        System s;
        s.stiffness = pair_matrix(stiffness, -stiffness);
        if (lumped)
            s.lumped = {mass, mass};
        else
            s.mass = pair_matrix(mass, 0.25 * mass);
        s.alpha = alpha;
        s.beta = beta;
        s.free = {0, 1};
        s.prescribed = {2, 3};
        s.prescribed_rows = {1};
        return s;
    }
};

struct Run {
    std::vector<double> u, v, a, force_old, u_old, v_old, scratch;
    explicit Run(const Stepper& s) : u(4), v(4), a(4), force_old(4), u_old(4), v_old(4), scratch(s.scratch_size()) {}
    Motion motion() { return {u.data(), v.data(), a.data(), force_old.data(), u_old.data(), v_old.data()}; }
};

using Curve = std::function<double(double)>;

double final_position(const Oscillator& o, Scheme scheme, double h, double end, const Curve& force, const Curve& y,
                      const Curve& dy, const Curve& ddy) {
    Progress silent;
    const Stepper stepper(o.system(), {scheme, h, 0.5, 0.5}, {}, silent);
    Run run(stepper);
    if (scheme != Scheme::bdf2) run.u_old.clear();
    Motion m = run.motion();
    if (scheme != Scheme::bdf2) m.u_old = m.v_old = nullptr;
    const auto prescribed = [&](double t) {
        return std::array<std::array<double, 2>, 3>{{{y(t), 0}, {dy(t), 0}, {ddy(t), 0}}};
    };
    auto p = prescribed(0);
    std::array<double, 4> f{force(0), 0, 0, 0};
    stepper.start(m, f.data(), {p[0].data(), p[1].data(), p[2].data()}, run.scratch.data());
    const auto steps = static_cast<int>(std::lround(end / h));
    for (int i = 1; i <= steps; ++i) {
        p = prescribed(i * h);
        f[0] = force(i * h);
        const Prescribed target{p[0].data(), p[1].data(), p[2].data()};
        stepper.predict(m, f.data(), target, run.scratch.data());
        stepper.solve(m, run.scratch.data());
        stepper.finish(m, f.data(), target, run.scratch.data());
    }
    return run.u[0];
}

struct SchemeCase {
    Scheme scheme;
    friend void PrintTo(const SchemeCase& one, std::ostream* out) { *out << to_string(one.scheme); }
};

std::vector<SchemeCase> scheme_cases() {
    std::vector<SchemeCase> all;
    for (const Scheme scheme : kDynamic) all.push_back({scheme});
    return all;
}

class EveryScheme : public testing::TestWithParam<SchemeCase> {};
INSTANTIATE_TEST_SUITE_P(Integrate, EveryScheme, testing::ValuesIn(scheme_cases()),
                         [](const auto& one) { return std::string(to_string(one.param.scheme)); });

TEST_P(EveryScheme, ConvergesToTheClosedFormAtItsOrder) {
    // Forced, damped, with a driven support: x'' m + m/4 y'' + c (..) ... solved by x(t) = sin^2 chosen, force computed
    // from it.
    Oscillator o;
    const Curve x = [](double t) { return std::pow(std::sin(t), 4); };
    const Curve dx = [](double t) { return 4 * std::pow(std::sin(t), 3) * std::cos(t); };
    const Curve ddx = [](double t) {
        return 12 * std::pow(std::sin(t) * std::cos(t), 2) - 4 * std::pow(std::sin(t), 4);
    };
    const Curve y = [](double t) { return 0.3 * std::pow(std::sin(1.3 * t), 4); };
    const Curve dy = [](double t) { return 0.3 * 1.3 * 4 * std::pow(std::sin(1.3 * t), 3) * std::cos(1.3 * t); };
    const Curve ddy = [](double t) {
        return 0.3 * 1.69 *
               (12 * std::pow(std::sin(1.3 * t) * std::cos(1.3 * t), 2) - 4 * std::pow(std::sin(1.3 * t), 4));
    };
    const Curve force = [&](double t) {
        const double am = o.alpha * o.mass, bk = o.beta * o.stiffness;
        return o.mass * ddx(t) + 0.25 * o.mass * ddy(t) + (am + bk) * dx(t) + (0.25 * am - bk) * dy(t) +
               o.stiffness * (x(t) - y(t));
    };
    std::vector<double> error;
    for (const int n : {200, 400, 800})
        error.push_back(std::abs(final_position(o, GetParam().scheme, 2.0 / n, 2.0, force, y, dy, ddy) - x(2.0)));
    EXPECT_NEAR(std::log2(error[0] / error[1]), order_of(GetParam().scheme), 0.2);
    EXPECT_NEAR(std::log2(error[1] / error[2]), order_of(GetParam().scheme), 0.1);
    EXPECT_LT(error[2], 1e-2);
}

TEST_P(EveryScheme, SettlesAtTheStaticAnswer) {
    Oscillator o;
    o.alpha = 5.0;
    const Curve zero = [](double) { return 0.0; };
    const double u = final_position(
        o, GetParam().scheme, 0.01, 30.0, [](double) { return 4.0; }, zero, zero, zero);
    EXPECT_NEAR(u, 4.0 / o.stiffness, 1e-9);
}

double growth(Scheme scheme, double h, const Oscillator& o) {
    Progress silent;
    const Stepper stepper(o.system(), {scheme, h, 0.5, 0.5}, {}, silent);
    Run run(stepper);
    Motion m = run.motion();
    if (scheme != Scheme::bdf2) m.u_old = m.v_old = nullptr;
    run.u[0] = 1.0;
    const std::array<double, 4> none{};
    const Prescribed rest{none.data(), none.data(), none.data()};
    stepper.start(m, none.data(), rest, run.scratch.data());
    double first = 0.0, last = 0.0;
    for (int i = 0; i < 4000; ++i) {
        stepper.predict(m, none.data(), rest, run.scratch.data());
        stepper.solve(m, run.scratch.data());
        stepper.finish(m, none.data(), rest, run.scratch.data());
        const double size = std::abs(run.u[0]) + std::abs(run.v[0]) * h;
        (i < 2000 ? first : last) = std::max(i < 2000 ? first : last, size);
        if (!(size < 1e100)) return 1e100;
    }
    return last / first;
}

TEST(Stability, ExplicitSchemesBreakExactlyAtTheirCriticalStep) {
    for (const Scheme scheme : {Scheme::newmark_explicit, Scheme::symplectic_euler}) {
        const Oscillator o;
        const double omega = std::sqrt(o.stiffness / o.mass), limit = critical_step(scheme, omega, o.alpha, o.beta);
        EXPECT_LT(growth(scheme, limit * 0.995, o), 1.0) << to_string(scheme);
        EXPECT_GT(growth(scheme, limit * 1.005, o), 1.0) << to_string(scheme);
    }
    EXPECT_DOUBLE_EQ(critical_step(Scheme::newmark_explicit, 4.0, 7.0, 9.0), 0.5);  // damping does not move it
}

TEST(Stability, ImplicitSchemesStandStepsFarBeyondThePeriod) {
    for (const Scheme scheme :
         {Scheme::newmark_implicit, Scheme::backward_euler, Scheme::bdf2, Scheme::implicit_midpoint}) {
        EXPECT_LE(growth(scheme, 100.0, Oscillator{}), 1.0) << to_string(scheme);
    }
}

TEST(Bdf2, StartsWithAStepOfTheThetaRule) {
    // u1 = u0 + h (v0 + 2 v1)/3, v1 = v0 + h (a0 + 2 a1)/3 with m a + c v + k u = 0, solved here by hand. The same to
    // rounding, from soft to stiff.
    for (const double h : {0.01, 1.0, 100.0}) {
        const Oscillator o;
        Progress silent;
        const Stepper stepper(o.system(), {Scheme::bdf2, h, 0.5, 0.5}, {}, silent);
        struct Run run(stepper);
        const Motion m = run.motion();
        const std::array<double, 4> none{};
        const Prescribed rest{none.data(), none.data(), none.data()};
        const double u0 = 0.7, v0 = -2.0, c = o.alpha * o.mass + o.beta * o.stiffness,
                     a0 = -(c * v0 + o.stiffness * u0) / o.mass, g = 2 * h / 3;
        run.u[0] = u0;
        run.v[0] = v0;
        stepper.start(m, none.data(), rest, run.scratch.data());
        stepper.predict(m, none.data(), rest, run.scratch.data());
        stepper.solve(m, run.scratch.data());
        stepper.finish(m, none.data(), rest, run.scratch.data());
        const double v_base = v0 + h / 3 * a0, u_base = u0 + h / 3 * v0 + g * v_base;
        const double a1 = -(c * v_base + o.stiffness * u_base) / (o.mass + g * c + g * g * o.stiffness);
        EXPECT_NEAR(run.v[0], v_base + g * a1, 1e-9 * (std::abs(v_base) + 1)) << h;
        EXPECT_NEAR(run.u[0], u_base + g * g * a1, 1e-9 * (std::abs(u_base) + 1)) << h;
    }
}

TEST(Bdf2, ItsStartNeverAddsEnergy) {
    // A past along a parabola did: in proportion to the square of h^2 k / m.
    for (const double h : {0.01, 0.1, 1.0, 10.0, 1000.0}) {
        for (const double beta : {0.0, 0.01, 1.0, 100.0}) {
            for (const double v0 : {0.0, 3.0, -3.0}) {
                Oscillator o;
                o.beta = beta;
                Progress silent;
                const Stepper stepper(o.system(), {Scheme::bdf2, h, 0.5, 0.5}, {}, silent);
                struct Run run(stepper);
                const Motion m = run.motion();
                const std::array<double, 4> none{};
                const Prescribed rest{none.data(), none.data(), none.data()};
                run.u[0] = 1.0;
                run.v[0] = v0;
                const auto energy = [&] {
                    return 0.5 * o.mass * run.v[0] * run.v[0] + 0.5 * o.stiffness * run.u[0] * run.u[0];
                };
                const double before = energy();
                stepper.start(m, none.data(), rest, run.scratch.data());
                for (int i = 0; i < 20; ++i) {
                    stepper.predict(m, none.data(), rest, run.scratch.data());
                    stepper.solve(m, run.scratch.data());
                    stepper.finish(m, none.data(), rest, run.scratch.data());
                    EXPECT_LE(energy(), before * (1 + 1e-9)) << h << " " << beta << " " << v0 << ", step " << i;
                }
            }
        }
    }
}

TEST(Energy, AverageAccelerationAndMidpointKeepItWithoutDamping) {
    for (const Scheme scheme : {Scheme::newmark_implicit, Scheme::implicit_midpoint}) {
        Oscillator o;
        o.alpha = o.beta = 0.0;
        EXPECT_NEAR(growth(scheme, 0.05, o), 1.0, 1e-3) << to_string(scheme);
    }
}

TEST(System, LumpedAndConsistentFormsAgreeWhenTheMassIsDiagonal) {
    Oscillator o;
    System consistent = o.system();
    consistent.mass = pair_matrix(o.mass, 0.0);
    for (std::size_t e = 0; e < 4; ++e) consistent.mass.values[e * 4 + 3] = e % 3 == 0 ? o.mass : 0.0;
    o.lumped = true;
    const System lumped = o.system();
    const std::vector<double> u{1, 2, 3, 4}, v{0.5, -1, 2, 0.1}, a{3, 1, -2, 5};
    std::vector<double> f(4), g(4), scratch(8);
    internal_force(consistent, u.data(), v.data(), a.data(), f.data(), scratch.data());
    internal_force(lumped, u.data(), v.data(), a.data(), g.data(), scratch.data());
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(f[i], g[i], 1e-12);
    std::vector<double> h(4, -7.0);
    internal_force_prescribed(lumped, u.data(), v.data(), a.data(), h.data(), scratch.data());
    EXPECT_EQ(h[0], -7.0);  // free rows are left alone
    EXPECT_NEAR(h[2], g[2], 1e-12);
    // A formed C must act as the fused alpha, beta do.
    System formed = lumped;
    formed.uniform_damping = false;
    formed.damping = formed.stiffness;
    for (double& x : formed.damping.values) x *= o.beta;
    formed.damping.values[0] += o.alpha * o.mass;
    formed.damping.values[3] += o.alpha * o.mass;
    formed.damping.values[12] += o.alpha * o.mass;
    formed.damping.values[15] += o.alpha * o.mass;
    internal_force(formed, u.data(), v.data(), a.data(), f.data(), scratch.data());
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(f[i], g[i], 1e-12);
}

}  // namespace
}  // namespace limber
