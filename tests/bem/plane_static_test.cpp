#include "plane_shapes.hpp"

#include "bem/static_problem.hpp"
#include "expect_error.hpp"
#include "linalg/dense_lu.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

#include <array>

namespace limber {
namespace {

using namespace plane_testing;

double difference(const std::vector<double>& a, const std::vector<double>& b) {
    double out = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
    return out;
}

/// Facets whose middle satisfies `inside`.
template <class F>
std::vector<std::int32_t> facets_where(const BoundaryShape& shape, F&& inside) {
    std::vector<std::int32_t> out;
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        const Vec3 a = shape.points[static_cast<std::size_t>(shape.facets[2 * f])],
                   b = shape.points[static_cast<std::size_t>(shape.facets[2 * f + 1])];
        if (inside(0.5 * (a + b))) out.push_back(static_cast<std::int32_t>(f));
    }
    return out;
}

BoundarySystem system_of(const BoundaryShape& shape, const BoundaryMaterial& material,
                         const std::vector<std::int32_t>& held = {},
                         BoundaryElements elements = BoundaryElements::linear) {
    Progress silent;
    BoundarySettings settings;
    settings.elements = elements;
    settings.facet_group.assign(shape.facet_count(), 0);
    for (const std::int32_t f : held) settings.facet_group[static_cast<std::size_t>(f)] = 1;
    return make_plane_system(shape, material, settings, silent);
}

StaticSolution solved(const BoundarySystem& system, const StaticConditions& conditions) {
    Progress silent;
    return solve_static(system, conditions, silent);
}

/// Plane strain and plane stress of the same stuff.
std::array<BoundaryMaterial, 2> both_planes(double young, double poisson) {
    const double shear = young / (2 * (1 + poisson));
    return {{{shear, poisson}, {shear, poisson / (1 + poisson)}}};
}

TEST(PlaneStatic, LinearFieldsAreExactUnderMixedConditions) {
    // Tension and shear of turned rectangles: left edge held in both components, its opposite in one, tractions
    // elsewhere. Corners carry two tractions.
    for (const BoundaryMaterial& material : both_planes(2e5, 0.35)) {
        for (const double angle : {0.0, 0.3, 1.1, 2.5}) {
            for (const auto& d : std::vector<std::array<double, 4>>{
                     {1e-3, 0, 0, -4e-4}, {0, 1e-3, 2e-3, 0}, {1e-3, 5e-4, -2e-4, 3e-4}}) {
                const Vec3 centre{0.3, -2, 0};
                const BoundaryShape shape = polygon(rectangle(2.0, 0.5, 7, 3, angle, centre));
                const auto local = [&](const Vec3& p) { return turned(p - centre, -angle); };
                const auto left = facets_where(shape, [&](const Vec3& p) { return local(p).x < -0.999; });
                const auto right = facets_where(shape, [&](const Vec3& p) { return local(p).x > 0.999; });
                const BoundarySystem system = system_of(shape, material, left);
                const auto field = [&](const Vec3& p) {
                    return Vec3{d[0] * p.x + d[1] * p.y, d[2] * p.x + d[3] * p.y, 0};
                };
                const auto stress = stress_of(material, d[0], d[1], d[2], d[3]);
                const auto t = on_slots(system, [&](const Vec3&, const Vec3& n) { return traction_of(stress, n); });
                StaticConditions conditions(system);
                conditions.traction = t;
                for (int c = 0; c < 2; ++c) conditions.hold_facets(left, c, [&](const Vec3& p) { return field(p)[c]; });
                conditions.hold_facets(right, 1, [&](const Vec3& p) { return field(p).y; });
                const StaticSolution solution = solved(system, conditions);
                const auto u = on_nodes(system, field);
                EXPECT_LT(difference(solution.displacement, u), 1e-10 * largest(u));
                EXPECT_LT(difference(solution.traction, t), 1e-10 * largest(t));
                for (const Vec3& inside :
                     {Vec3{0.1, 0.02, 0}, Vec3{0.5, 0.2499, 0}, Vec3{-0.3, 0.25, 0}}) {  // the last is on the boundary
                    const Vec3 at = turned(inside, angle) + centre;
                    EXPECT_LT(norm(displacement_at(system, solution, at) - field(at)), 1e-10 * largest(u));
                    const SymMat3 s = stress_at(system, solution, at);
                    EXPECT_NEAR(s.xx, stress[0], 1e-9 * largest(t));
                    EXPECT_NEAR(s.yy, stress[1], 1e-9 * largest(t));
                    EXPECT_NEAR(s.xy, stress[2], 1e-9 * largest(t));
                    EXPECT_NEAR(s.zz, material.poisson * (stress[0] + stress[1]), 1e-9 * largest(t));
                }
            }
        }
    }
}

TEST(PlaneStatic, CornersHeldOnBothSidesFindBothTractions) {
    // Displacement everywhere: every corner has four unknown tractions and two equations of its own.
    const BoundaryMaterial material{1e4, 0.3};
    const BoundaryShape shape = polygon(rectangle(1.0, 0.7, 4, 1, 0.2));
    const BoundarySystem system = system_of(shape, material);
    const auto field = [](const Vec3& p) { return Vec3{1e-3 * p.x - 2e-3 * p.y, 4e-4 * p.x + 1e-3 * p.y, 0}; };
    StaticConditions conditions(system);
    std::vector<std::int32_t> all(shape.facet_count());
    for (std::size_t f = 0; f < all.size(); ++f) all[f] = static_cast<std::int32_t>(f);
    for (int c = 0; c < 2; ++c) conditions.hold_facets(all, c, [&](const Vec3& p) { return field(p)[c]; });
    const StaticSolution solution = solved(system, conditions);
    const auto stress = stress_of(material, 1e-3, -2e-3, 4e-4, 1e-3);
    const auto t = on_slots(system, [&](const Vec3&, const Vec3& n) { return traction_of(stress, n); });
    EXPECT_LT(difference(solution.traction, t), 1e-10 * largest(t)) << "condition " << solution.condition;
    EXPECT_LT(solution.condition, 1e4);
}

/// A square with u = (x^2 - y^2, -2 x y) (no dilation, no body force) prescribed all around: largest error of a
/// traction, corners included.
double square_error(int n, double nu) {
    const BoundaryMaterial material{1e4, nu};
    const BoundaryShape shape = polygon(rectangle(1.0, 1.0, n, n, 0.3, {0.4, 0.1, 0}));
    const BoundarySystem system = system_of(shape, material);
    StaticConditions conditions(system);
    const auto field = [](const Vec3& p) { return Vec3{p.x * p.x - p.y * p.y, -2 * p.x * p.y, 0}; };
    for (int c = 0; c < 2; ++c) {
        conditions.hold_facets(facets_where(shape, [](const Vec3&) { return true; }), c,
                               [&](const Vec3& p) { return field(p)[c]; });
    }
    const StaticSolution solution = solved(system, conditions);
    const auto t = on_slots(system, [&](const Vec3& p, const Vec3& normal) {
        return traction_of(stress_of(material, 2 * p.x, -2 * p.y, -2 * p.y, -2 * p.x), normal);
    });
    return difference(solution.traction, t) / largest(t);
}

TEST(PlaneStatic, TractionsConvergeIntoHeldCorners) {
    // Order 1 there: the derivative of a linear displacement is all that a corner's traction can know.
    for (const double nu : {0.0, 0.3}) {
        const double coarse = square_error(8, nu), fine = square_error(16, nu);
        EXPECT_LT(fine, 0.06);
        EXPECT_GT(std::log2(coarse / fine), 0.95);
    }
}

/// Lame's thick cylinder under inner and outer pressure in plane strain.
struct Ring {
    double inner = 0.5, outer = 1.3, p_inner = 2000, p_outer = 700;
    BoundaryMaterial material{4e4, 0.3};

    double a() const { return (p_inner * inner * inner - p_outer * outer * outer) / (outer * outer - inner * inner); }
    double b() const { return (p_inner - p_outer) * inner * inner * outer * outer / (outer * outer - inner * inner); }
    double u(double r) const { return ((1 - 2 * material.poisson) * a() * r + b() / r) / (2 * material.shear); }
    BoundaryShape shape(int n) const {
        BoundaryShape out = polygon(circle(outer, 2 * n));
        append_loop(out, circle(inner, n, true));
        return out;
    }
};

struct Errors {
    double displacement = 0, inside = 0, stress = 0;  // over the largest exact value
};

Errors ring_errors(const Ring& ring, int n, BoundaryElements elements) {
    const BoundarySystem system = system_of(ring.shape(n), ring.material, {}, elements);
    StaticConditions conditions(system);
    conditions.traction = on_slots(system, [&](const Vec3& p, const Vec3&) {
        return (norm(p) < 0.5 * (ring.inner + ring.outer) ? ring.p_inner : -ring.p_outer) / norm(p) * p;
    });
    const StaticSolution solution = solved(system, conditions);
    Errors out;
    for (std::size_t i = 0; i < system.nodes.size(); ++i) {
        const Vec3 p = system.nodes[i], want = ring.u(norm(p)) / norm(p) * p;
        out.displacement = std::max(
            out.displacement,
            norm(Vec3{solution.displacement[2 * i], solution.displacement[2 * i + 1], 0} - want) / ring.u(ring.inner));
    }
    for (const double r : {0.6, 0.9, 1.2}) {
        const Vec3 p = turned({r, 0, 0}, 0.7);
        out.inside = std::max(out.inside,
                              norm(displacement_at(system, solution, p) - ring.u(r) / r * p) / ring.u(ring.inner));
        const SymMat3 s = stress_at(system, solution, p);
        const double c = std::cos(0.7), k = std::sin(0.7);
        const double radial = c * c * s.xx + 2 * c * k * s.xy + k * k * s.yy, hoop = s.xx + s.yy - radial;
        out.stress = std::max({out.stress, std::abs(radial - (ring.a() - ring.b() / (r * r))) / ring.p_inner,
                               std::abs(hoop - (ring.a() + ring.b() / (r * r))) / ring.p_inner});
    }
    return out;
}

/// Orders between two meshes, the second twice as fine.
Errors orders(const Errors& coarse, const Errors& fine) {
    return {std::log2(coarse.displacement / fine.displacement), std::log2(coarse.inside / fine.inside),
            std::log2(coarse.stress / fine.stress)};
}
/// Errors at most `most` and falling with at least order `least`, all three.
void expect_convergence(const Errors& coarse, const Errors& fine, double most, double least, const std::string& what) {
    const Errors order = orders(coarse, fine);
    SCOPED_TRACE(what);
    for (const double e : {fine.displacement, fine.inside, fine.stress}) EXPECT_LT(e, most);
    for (const double o : {order.displacement, order.inside, order.stress}) EXPECT_GT(o, least);
}

TEST(PlaneStatic, ThickCylinderConvergesToLameUpToIncompressibility) {
    // A closed ring is where boundary elements lose 1 / (1 - 2 nu) of their accuracy unless something is done: 16 % at
    // nu = 0.49, n = 32.
    for (const double nu : {0.0, 0.3, 0.49, 0.4999}) {
        Ring ring;
        ring.material.poisson = nu;
        expect_convergence(ring_errors(ring, 32, BoundaryElements::linear),
                           ring_errors(ring, 64, BoundaryElements::linear), 4e-3, 1.9, "linear");
        const Errors constant = ring_errors(ring, 64, BoundaryElements::constant);
        for (const double e : {constant.displacement, constant.inside, constant.stress}) EXPECT_LT(e, 5e-3) << nu;
    }
}

/// Gravity on a disc, balanced by the traction of sigma_yy = rho g y: an exact field of the second degree. Held on its
/// lower half, loaded on its upper.
Errors heavy_disc(double nu, int n, BoundaryElements elements, bool holed = false) {
    const double radius = 1.3;
    const BoundaryMaterial material{5e3, nu};
    const double weight = 900.0;  // [N/m^3]
    BoundaryShape shape = polygon(circle(radius, n));
    if (holed) {
        std::vector<Vec3> rim = circle(0.2, n / 2, true);
        for (Vec3& p : rim) p = Vec3{0.6 + 1.5 * p.x, 0.1 + p.y + 2 * p.x * p.x, 0};  // a bean off the centre
        append_loop(shape, rim);
    }
    const auto lower = facets_where(shape, [&](const Vec3& p) { return p.y < 0 && norm(p) > 0.95 * radius; });
    const BoundarySystem system = system_of(shape, material, lower, elements);
    // e_yy = (1 - nu) s / 2 mu, e_xx = -nu s / 2 mu with s = w y
    const auto field = [&](const Vec3& p) {
        return weight / (2 * material.shear) * Vec3{-nu * p.x * p.y, 0.5 * ((1 - nu) * p.y * p.y + nu * p.x * p.x), 0};
    };
    StaticConditions conditions(system);
    conditions.body_force[1] = -weight;
    for (std::size_t k = 0; k < system.slot_node.size(); ++k) {
        const Vec3 p = system.nodes[static_cast<std::size_t>(system.slot_node[k])];
        const double normal_y = norm(p) > 0.95 * radius ? p.y / norm(p) : system.slot_normal[k].y;
        conditions.traction[2 * k + 1] = weight * p.y * normal_y;
    }
    for (int c = 0; c < 2; ++c) conditions.hold_facets(lower, c, [&](const Vec3& p) { return field(p)[c]; });
    const StaticSolution solution = solved(system, conditions);
    const double most = weight / (2 * material.shear) * radius * radius;
    Errors out;
    out.displacement = difference(solution.displacement, on_nodes(system, field)) / most;
    for (const Vec3& at : {Vec3{0.3, 0.4, 0}, Vec3{-0.1, -0.6, 0}, Vec3{0, 0.8, 0}}) {
        const Vec3 p = radius * at;
        out.inside = std::max(out.inside, norm(displacement_at(system, solution, p) - field(p)) / most);
        const SymMat3 s = stress_at(system, solution, p);
        out.stress = std::max({out.stress, std::abs(s.yy - weight * p.y) / (weight * radius),
                               std::abs(s.xx) / (weight * radius), std::abs(s.xy) / (weight * radius)});
    }
    return out;
}

TEST(PlaneStatic, HeavyDiscConvergesToItsExactField) {
    for (const double nu : {0.3, 0.49, 0.4999}) {
        expect_convergence(heavy_disc(nu, 48, BoundaryElements::linear), heavy_disc(nu, 96, BoundaryElements::linear),
                           4e-4, 1.85, "linear");
        expect_convergence(heavy_disc(nu, 64, BoundaryElements::constant),
                           heavy_disc(nu, 128, BoundaryElements::constant), 1e-3, 0.8, "constant");
        expect_convergence(heavy_disc(nu, 64, BoundaryElements::linear, true),
                           heavy_disc(nu, 128, BoundaryElements::linear, true), 1e-3, 1.8, "holed");
    }
}

/// A disc that turns: u_r = rho w^2 (1 - 2 nu) / (16 mu (1 - nu)) r ((3 - 2 nu) R^2 - r^2) in plane strain, free rim.
Errors spinning_disc(double nu, int n, bool stress) {
    const double young = 1e5, shear = young / (2 * (1 + nu)), density = 1000, w = 3.0, radius = 0.8;
    const BoundaryMaterial material{shear, stress ? nu / (1 + nu) : nu};
    const BoundarySystem system = system_of(polygon(circle(radius, n)), material);
    StaticConditions conditions(system);
    conditions.body_force[2] = conditions.body_force[5] = density * w * w;
    const StaticSolution solution = solved(system, conditions);
    const double e = stress ? young : young / (1 - nu * nu), v = stress ? nu : nu / (1 - nu);
    const auto u = [&](double r) {
        return (1 - v) * density * w * w * r / (8 * e) * ((3 + v) * radius * radius - (1 + v) * r * r);
    };
    const auto radial = [&](double r) { return (3 + v) / 8 * density * w * w * (radius * radius - r * r); };
    Errors out;
    for (std::size_t i = 0; i < system.nodes.size(); ++i) {
        out.displacement = std::max(out.displacement,
                                    norm(Vec3{solution.displacement[2 * i], solution.displacement[2 * i + 1], 0} -
                                         u(radius) / radius * system.nodes[i]) /
                                        u(radius));
    }
    for (const double r : {0.2, 0.6}) {
        const Vec3 p = turned({r, 0, 0}, 0.4);
        out.inside = std::max(out.inside, norm(displacement_at(system, solution, p) - u(r) / r * p) / u(radius));
        const SymMat3 s = stress_at(system, solution, p);
        const double c = std::cos(0.4), k = std::sin(0.4);
        out.stress = std::max(out.stress,
                              std::abs(c * c * s.xx + 2 * c * k * s.xy + k * k * s.yy - radial(r)) / radial(0));
    }
    return out;
}

/// A disc whose rim is held while it is spun up: u_theta = rho a r (r^2 - R^2) / 8 mu, shear at the rim rho a R^2 / 4.
Errors spun_up_disc(int n) {
    const double density = 1000, a = 7.0, radius = 0.8;
    const BoundaryMaterial material{3e4, 0.3};
    const BoundaryShape shape = polygon(circle(radius, n));
    const BoundarySystem system = system_of(shape, material);
    StaticConditions conditions(system);
    conditions.body_force[3] = density * a;  // -rho a x r
    conditions.body_force[4] = -density * a;
    for (std::size_t i = 0; i < system.nodes.size(); ++i)
        for (int c = 0; c < 2; ++c) conditions.hold(i, c, 0.0);
    const StaticSolution solution = solved(system, conditions);
    const double rim = density * a * radius * radius / 4;
    Errors out;
    const auto exact = on_slots(system, [&](const Vec3& p, const Vec3&) { return rim / radius * Vec3{-p.y, p.x, 0}; });
    out.displacement = difference(solution.traction, exact) / rim;
    const Vec3 p = turned({0.5, 0, 0}, 0.4);
    const Vec3 want = density * a * (0.25 - radius * radius) / (8 * material.shear) * Vec3{-p.y, p.x, 0};
    out.inside = norm(displacement_at(system, solution, p) - want) / norm(want);
    const SymMat3 s = stress_at(system, solution, p);
    out.stress = std::abs(0.5 * std::sin(0.8) * (s.yy - s.xx) + std::cos(0.8) * s.xy - density * a * 0.25 / 4) / rim;
    return out;
}

TEST(PlaneStatic, TurningDiscsConvergeToClosedForms) {
    expect_convergence(spinning_disc(0.3, 48, false), spinning_disc(0.3, 96, false), 2e-3, 1.9, "plane strain");
    expect_convergence(spinning_disc(0.3, 48, true), spinning_disc(0.3, 96, true), 2e-3, 1.9, "plane stress");
    expect_convergence(spun_up_disc(48), spun_up_disc(96), 1e-3, 1.9, "spun up");
}

TEST(PlaneStatic, TheDegenerateRadiusIsARadiusLikeAnyOther) {
    // On a circle of radius exp(1 / (2 (3 - 4 nu))) the single layer of unscaled kernels is singular: tractions from
    // displacements are lost.
    Progress silent;
    for (const double nu : {0.0, 0.3, 0.45}) {
        std::array<std::vector<double>, 2> tractions;
        std::array<double, 2> condition{};
        const std::array<double, 2> radius{1.0, std::exp(1 / (2 * (3 - 4 * nu)))};
        for (std::size_t k = 0; k < 2; ++k) {
            const BoundarySystem system = system_of(polygon(circle(radius[k], 64)), {1e4, nu});
            StaticConditions conditions(system);
            for (std::size_t i = 0; i < system.nodes.size(); ++i) {
                for (int c = 0; c < 2; ++c)
                    conditions.hold(i, c, 1e-3 * system.nodes[i][c] + (c == 0 ? 0.2 : 0.0) * radius[k]);
            }
            tractions[k] = solved(system, conditions).traction;
            condition[k] = DenseLu(system.g, silent, "test").condition();
        }
        EXPECT_LT(difference(tractions[0], tractions[1]), 1e-9 * largest(tractions[0]));
        EXPECT_NEAR(condition[1] / condition[0], 1.0, 0.01);
        EXPECT_LT(condition[1], 1e4);
        const double want = 2 * 1e4 / (1 - 2 * nu) * 1e-3;  // 2 (lambda + mu) e
        EXPECT_NEAR(std::hypot(tractions[1][0], tractions[1][1]), want, 0.02 * want);
    }
}

TEST(PlaneStatic, AHeldDiscsReactionIsItsWeight) {
    // Equations at nodes alone leave the balance to the discretisation; at nu = 0.4999 the held patch carries huge
    // pressures.
    for (const double nu : {0.0, 0.3, 0.49, 0.4999}) {
        for (const BoundaryElements elements : {BoundaryElements::linear, BoundaryElements::constant}) {
            const BoundaryShape shape = polygon(circle(0.7, 40));
            const auto bottom = facets_where(shape, [](const Vec3& p) { return p.y < -0.65; });
            const BoundarySystem system = system_of(shape, {2e4, nu}, bottom, elements);
            StaticConditions conditions(system);
            conditions.body_force = {30, -9810, 0, 0, 0, 0};
            for (int c = 0; c < 2; ++c) conditions.hold_facets(bottom, c, [](const Vec3&) { return 0.0; });
            const StaticSolution solution = solved(system, conditions);
            const Resultant reaction = traction_resultant(system, solution.traction, {}, bottom),
                            weight = body_resultant(system, conditions.body_force, {});
            EXPECT_NEAR(weight.force.y, -9810 * system.measure, 1e-9);
            EXPECT_LT(norm(reaction.force + weight.force), 1e-10 * norm(weight.force)) << nu;
            EXPECT_LT(norm(reaction.torque + weight.torque), 1e-10 * norm(weight.force) * 0.7) << nu;
            const Vec3 top = displacement_at(system, solution, {0, 0.5, 0});
            EXPECT_LT(top.y, 0.0) << "gravity pulls down";
        }
    }
}

TEST(PlaneStatic, LoadsOnAFreeBodyMustBalance) {
    const BoundarySystem system = system_of(polygon(rectangle(1, 1, 4, 4)), {1e4, 0.3});
    StaticConditions conditions(system);
    conditions.body_force[1] = -10;
    try {
        solved(system, conditions);
        FAIL() << "a falling body has no static solution";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("(0, -10, 0) N"), std::string::npos) << error.what();
    }
    conditions.body_force = {0, 0, 0, -1, 1, 0};  // a couple
    expect_error(Fault::bad_usage, "N and a torque of (", [&] { solved(system, conditions); });
    conditions.body_force = {0, 0, 1, 0, 0, 1};  // balanced: spreads, moves nothing on average
    const StaticSolution solution = solved(system, conditions);
    EXPECT_EQ(solution.free_modes, 3);
    double sum = 0;
    for (std::size_t i = 0; i < system.nodes.size(); ++i) sum += solution.displacement[2 * i];
    EXPECT_NEAR(sum, 0.0, 1e-12);
    // Held along x only: y may still be free to fall, and then says so.
    conditions.hold(0, 0, 0.0, SlotTraction::shared);
    conditions.body_force = {5, 0, 0, 0, 0, 0};
    expect_error(Fault::bad_usage, "conditions leave 2 of 3 free",
                 [&] { solved(system, conditions); });  // it would turn
    conditions.hold(4, 0, 0.0, SlotTraction::shared);
    conditions.hold(12, 0, 0.0, SlotTraction::shared);
    EXPECT_EQ(solved(system, conditions).free_modes, 1);
    conditions.body_force[1] = 1e-3;
    expect_error(Fault::bad_usage, "conditions leave 1 of 3 free", [&] { solved(system, conditions); });
}

}  // namespace
}  // namespace limber
