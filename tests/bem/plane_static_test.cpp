#include "plane_shapes.hpp"

#include "bem/static_problem.hpp"

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
        const Vec3 a = shape.points[static_cast<std::size_t>(shape.facets[2 * f])], b = shape.points[static_cast<std::size_t>(shape.facets[2 * f + 1])];
        if (inside(0.5 * (a + b))) out.push_back(static_cast<std::int32_t>(f));
    }
    return out;
}

BoundarySystem system_of(const BoundaryShape& shape, const BoundaryMaterial& material, const std::vector<std::int32_t>& held = {},
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
    // Tension and shear of turned rectangles: left edge held in both components, its opposite in one, tractions elsewhere. Corners carry two tractions.
    for (const BoundaryMaterial& material : both_planes(2e5, 0.35))
        for (const double angle : {0.0, 0.3, 1.1, 2.5})
            for (const auto& d : std::vector<std::array<double, 4>>{{1e-3, 0, 0, -4e-4}, {0, 1e-3, 2e-3, 0}, {1e-3, 5e-4, -2e-4, 3e-4}}) {
                const Vec3 centre{0.3, -2, 0};
                const BoundaryShape shape = polygon(rectangle(2.0, 0.5, 7, 3, angle, centre));
                const auto local = [&](const Vec3& p) { return turned(p - centre, -angle); };
                const auto left = facets_where(shape, [&](const Vec3& p) { return local(p).x < -0.999; });
                const auto right = facets_where(shape, [&](const Vec3& p) { return local(p).x > 0.999; });
                const BoundarySystem system = system_of(shape, material, left);
                const auto field = [&](const Vec3& p) { return Vec3{d[0] * p.x + d[1] * p.y, d[2] * p.x + d[3] * p.y, 0}; };
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
                for (const Vec3& inside : {Vec3{0.1, 0.02, 0}, Vec3{0.5, 0.2499, 0}, Vec3{-0.3, 0.25, 0}}) {      // the last is on the boundary
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

struct RingErrors {
    double displacement = 0, inside = 0, stress = 0;
};

RingErrors ring_errors(const Ring& ring, int n, BoundaryElements elements) {
    const BoundarySystem system = system_of(ring.shape(n), ring.material, {}, elements);
    StaticConditions conditions(system);
    conditions.traction = on_slots(system, [&](const Vec3& p, const Vec3& normal) { return -(norm(p) < 0.5 * (ring.inner + ring.outer) ? ring.p_inner : ring.p_outer) * normal; });
    // Slots shared by two edges get the mean normal: pressure on the polygon balances only when summed edge by edge.
    conditions.traction = on_slots(system, [&](const Vec3& p, const Vec3&) {
        const bool in = norm(p) < 0.5 * (ring.inner + ring.outer);
        return (in ? ring.p_inner : -ring.p_outer) / norm(p) * p;
    });
    const StaticSolution solution = solved(system, conditions);
    RingErrors out;
    for (std::size_t i = 0; i < system.nodes.size(); ++i) {
        const Vec3 p = system.nodes[i], want = ring.u(norm(p)) / norm(p) * p;
        out.displacement = std::max(out.displacement, norm(Vec3{solution.displacement[2 * i], solution.displacement[2 * i + 1], 0} - want) / ring.u(ring.inner));
    }
    for (const double r : {0.6, 0.9, 1.2}) {
        const Vec3 p = turned({r, 0, 0}, 0.7);
        out.inside = std::max(out.inside, norm(displacement_at(system, solution, p) - ring.u(r) / r * p) / ring.u(ring.inner));
        const SymMat3 s = stress_at(system, solution, p);
        const double c = std::cos(0.7), k = std::sin(0.7);
        const double radial = c * c * s.xx + 2 * c * k * s.xy + k * k * s.yy, hoop = s.xx + s.yy - radial;
        out.stress = std::max({out.stress, std::abs(radial - (ring.a() - ring.b() / (r * r))) / ring.p_inner, std::abs(hoop - (ring.a() + ring.b() / (r * r))) / ring.p_inner});
    }
    return out;
}

TEST(PlaneStatic, ThickCylinderConvergesToLame) {
    const Ring ring;
    for (const BoundaryElements elements : {BoundaryElements::linear, BoundaryElements::constant}) {
        RingErrors before;
        for (const int n : {16, 32, 64, 128}) {
            const RingErrors now = ring_errors(ring, n, elements);
            std::printf("%d n %d: u %.3e inside %.3e stress %.3e", static_cast<int>(elements), n, now.displacement, now.inside, now.stress);
            if (n > 16) std::printf("  orders %.2f %.2f %.2f", std::log2(before.displacement / now.displacement), std::log2(before.inside / now.inside), std::log2(before.stress / now.stress));
            std::printf("\n");
            before = now;
        }
    }
}

}  // namespace
}  // namespace limber
