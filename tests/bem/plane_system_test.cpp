#include "plane_shapes.hpp"

#include "bem/plane_edge.hpp"
#include "expect_error.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace limber {
namespace {

using namespace plane_testing;

struct Rule {
    std::vector<double> at, weight;  // on (0, 1)
};

Rule gauss(int n) {
    Rule rule;
    for (int i = 0; i < n; ++i) {
        double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), derivative = 0;
        for (int step = 0; step < 60; ++step) {
            double before = 1, value = x;
            for (int k = 2; k <= n; ++k) {
                const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
                before = value;
                value = next;
            }
            derivative = n * (x * value - before) / (x * x - 1);
            x -= value / derivative;
        }
        rule.at.push_back(0.5 * (1 - x));
        rule.weight.push_back(1 / ((1 - x * x) * derivative * derivative));
    }
    return rule;
}

/// Kelvin's kernels as the errata print them (shear modulus 1), r from the source to the point.
double kelvin_u(double nu, const Vec3& r, int i, int j) {
    const double length = norm(r);
    return 1 / (8 * std::numbers::pi * (1 - nu)) *
           (-(3 - 4 * nu) * std::log(length) * (i == j) + r[i] * r[j] / (length * length));
}
double kelvin_t(double nu, const Vec3& r, const Vec3& n, int i, int j) {
    const double length = norm(r);
    const Vec3 d = r / length;
    return -1 / (4 * std::numbers::pi * (1 - nu) * length) *
           (((1 - 2 * nu) * (i == j) + 2 * d[i] * d[j]) * dot(d, n) - (1 - 2 * nu) * (d[i] * n[j] - d[j] * n[i]));
}

/// An integral over the edge by Gauss on pieces that shrink towards `foot`, the place on (0, 1) nearest the source.
double integrated(const std::function<double(double)>& f, double foot) {
    static const Rule rule = gauss(16);
    double sum = 0;
    for (const double end : {0.0, 1.0}) {
        double outer = end;
        for (int piece = 0; piece < 60; ++piece) {
            const double inner = piece == 59 ? foot : foot + 0.5 * (outer - foot);
            for (std::size_t k = 0; k < rule.at.size(); ++k)
                sum += std::abs(outer - inner) * rule.weight[k] * f(inner + (outer - inner) * rule.at[k]);
            outer = inner;
        }
    }
    return sum;
}

double entry(const PlaneMap& map, int i, int j) {
    const Complex w = map(j == 0 ? Complex{1, 0} : Complex{0, 1});
    return i == 0 ? w.real() : w.imag();
}

TEST(PlaneEdge, IntegratesKelvinsKernelsAtEveryDistance) {
    // Closed forms, both Gauss rules and their borders; near the edge, beside its ends, and in its own line, where
    // formulas with an arctangent divided by the distance lose their digits.
    const Vec3 a{0.3, -0.2, 0}, b = a + turned({0.7, 0, 0}, 0.6);
    const Vec3 along = (b - a) / norm(b - a), n{along.y, -along.x, 0};
    const PlaneEdge edge{{a.x, a.y}, {along.x, along.y}, norm(b - a)};
    for (const double nu : {-0.5, 0.0, 0.3, 0.4999}) {
        for (const double where : {-4.0, -0.4, -1e-3, 0.2, 0.5, 1.001, 1.9, 3.0, 5.5}) {
            for (const double off : {1e-9, -1e-9, 1e-4, -0.03, 0.5, 1.2, -2.5, 6.0}) {
                if (std::abs(off) < 1e-8 && where > 0 && where < 1)
                    continue;  // the quadrature here cannot see that near
                const Vec3 source = a + where * (b - a) + off * n;
                const EdgeIntegrals q = integrate_edge(edge, {source.x, source.y}, EdgeSource::apart, 4, 3);
                const PlaneConstants constants(nu);
                for (int m = 0; m < 4; m += 3) {
                    for (int i = 0; i < 2; ++i) {
                        for (int j = 0; j < 2; ++j) {
                            const auto point = [&](double xi) { return a + xi * (b - a) - source; };
                            const double foot = std::clamp(where, 0.0, 1.0);
                            const double u = edge.length * integrated(
                                                               [&](double xi) {
                                                                   return std::pow(xi, m) *
                                                                          kelvin_u(nu, point(xi), i, j);
                                                               },
                                                               foot);
                            const double t = edge.length * integrated(
                                                               [&](double xi) {
                                                                   return std::pow(xi, m) *
                                                                          kelvin_t(nu, point(xi), n, i, j);
                                                               },
                                                               foot);
                            EXPECT_NEAR(entry(single_layer(constants, edge, q, m), i, j), u, 2e-14)
                                << where << " " << off << " " << nu << " " << m;
                            EXPECT_NEAR(entry(double_layer(constants, edge, q, m), i, j), t, 1e-12)
                                << where << " " << off << " " << nu << " " << m;
                        }
                    }
                }
            }
        }
    }
}

/// An L with unequal sides, far from the origin: not convex, and no symmetry to hide behind.
std::vector<Vec3> bracket(double size, double angle) {
    std::vector<Vec3> points;
    const std::vector<Vec3> corners{{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {1.2, 1, 0}, {1.2, 2.5, 0}, {0, 2.5, 0}};
    for (std::size_t c = 0; c < corners.size(); ++c) {
        for (int k = 0; k < 3; ++k) {
            const double at = k == 0 ? 0.0 : (k == 1 ? 0.3 : 0.8);
            points.push_back(
                size *
                turned(corners[c] + at * (corners[(c + 1) % corners.size()] - corners[c]) + Vec3{7, -4, 0}, angle));
        }
    }
    return points;
}

TEST(PlaneSystem, LinearFieldsSatisfyTheEquationExactly) {
    // Stretch, shear and rotation; the bracket has corners of 270 degrees, whose free term only rigid translation
    // knows, and two holes.
    Progress silent;
    for (const double size : {1e-3, 1.0, 50.0}) {
        for (const double nu : {-0.3, 0.0, 0.3, 0.499}) {
            const BoundaryMaterial material{3e5, nu};
            BoundaryShape shape = polygon(bracket(size, 0.4));
            const Vec3 at = shape.points[0];
            append_loop(shape, {at + size * turned({0.3, 0.3, 0}, 0.4), at + size * turned({0.5, 0.7, 0}, 0.4),
                                at + size * turned({0.7, 0.4, 0}, 0.4)});
            append_loop(shape, {at + size * turned({1.5, 0.3, 0}, 0.4), at + size * turned({1.5, 0.8, 0}, 0.4),
                                at + size * turned({2.2, 0.8, 0}, 0.4), at + size * turned({1.7, 0.6, 0}, 0.4)});
            const BoundarySystem system = make_plane_system(shape, material, {}, silent);
            const std::vector<std::array<double, 4>> gradients{
                {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, -1, 1, 0}};
            for (const auto& d : gradients) {
                const auto u = on_nodes(system, [&](const Vec3& p) {
                    return Vec3{d[0] * p.x + d[1] * p.y, d[2] * p.x + d[3] * p.y, 0};
                });
                const auto stress = stress_of(material, d[0], d[1], d[2], d[3]);
                const auto t = on_slots(system, [&](const Vec3&, const Vec3& n) { return traction_of(stress, n); });
                auto residual = times(system.h, u);
                const auto right = times(system.g, t);
                for (std::size_t i = 0; i < residual.size(); ++i) residual[i] -= right[i];
                EXPECT_LT(largest(residual), 2e-13 * largest(u) / (1 - 2 * nu)) << "nu " << nu << " size " << size;
            }
        }
    }
}

/// int U b over the polygon by signed triangles from the source, each in coordinates that start at it.
Vec3 area_integral(const BoundaryShape& shape, double nu, double scale, const Vec3& source,
                   const std::function<Vec3(const Vec3&)>& b) {
    static const Rule rule = gauss(24);
    Vec3 sum;
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        const Vec3 p = shape.points[static_cast<std::size_t>(shape.facets[2 * f])] - source,
                   q = shape.points[static_cast<std::size_t>(shape.facets[2 * f + 1])] - source;
        const double twice = p.x * q.y - p.y * q.x;
        if (std::abs(twice) < 1e-14) continue;
        for (std::size_t i = 0; i < rule.at.size(); ++i) {
            for (std::size_t k = 0; k < rule.at.size(); ++k) {
                const double out = std::pow(rule.at[i], 3);  // smooths the logarithm at the source
                const Vec3 r = out * (p + rule.at[k] * (q - p));
                const double weight = rule.weight[i] * 3 * rule.at[i] * rule.at[i] * rule.weight[k] * out * twice;
                const Vec3 load = b(source + r);
                for (int c = 0; c < 2; ++c)
                    for (int j = 0; j < 2; ++j) sum[c] += weight * kelvin_u(nu, r / scale, c, j) * load[j];
            }
        }
    }
    return sum;
}

TEST(PlaneSystem, BodyForceColumnsAreTheAreaIntegralOfTheKernel) {
    // The paper's (10) is off by a constant; here nothing but the definition is trusted. At nodes and at points inside.
    Progress silent;
    for (const double nu : {0.1, 0.4999}) {
        const BoundaryMaterial material{2.0, nu};
        const BoundarySystem system = make_plane_system(polygon(bracket(0.8, -0.2)), material, {}, silent);
        double farthest = 0;
        for (const Vec3& p : system.nodes) farthest = std::max(farthest, norm(p - system.origin));
        const Vec3 inside = system.shape.points[0] + turned({0.4, 0.3, 0}, -0.2);
        const InnerRows rows = plane_displacement_rows(system, inside);
        for (std::size_t c = 0; c < 6; ++c) {
            const auto b = [&](const Vec3& x) {
                const Vec3 r = x - system.origin;
                const double v = c < 2 ? 1.0 : (c % 2 == 0 ? r.x : r.y);
                return c == 0 || c == 2 || c == 3 ? Vec3{v, 0, 0} : Vec3{0, v, 0};
            };
            for (std::size_t node = 0; node < system.nodes.size(); node += 5) {
                const Vec3 want = area_integral(system.shape, nu, 2 * farthest, system.nodes[node], b) / material.shear;
                EXPECT_NEAR(system.body(2 * node, c), want.x, 1e-7) << c;
                EXPECT_NEAR(system.body(2 * node + 1, c), want.y, 1e-7) << c;
            }
            const Vec3 want = area_integral(system.shape, nu, 2 * farthest, inside, b) / material.shear;
            EXPECT_NEAR(rows.body(0, c), want.x, 1e-7) << c;
            EXPECT_NEAR(rows.body(1, c), want.y, 1e-7) << c;
        }
    }
}

TEST(PlaneSystem, StressRowsAreTheDerivativesOfDisplacementRows) {
    // Also a tenth of a thousandth of the size from an edge. Derivatives by central differences of the fourth order.
    Progress silent;
    const BoundaryMaterial material{2.0, 0.4};
    for (const BoundaryElements elements : {BoundaryElements::linear, BoundaryElements::constant}) {
        BoundarySettings settings;
        settings.elements = elements;
        const BoundarySystem system = make_plane_system(polygon(bracket(1.0, 0.3)), material, settings, silent);
        for (const double off : {0.5, 1e-4}) {
            const Vec3 at = system.shape.points[0] + turned({0.41, off, 0}, 0.3);
            const InnerRows stress = plane_stress_rows(system, at);
            const double step = 0.02 * std::min(off, 0.1);
            const auto slope = [&](int axis, const auto& pick) {
                double sum = 0;
                for (const auto& [k, w] : {std::pair{1, 8.0}, {2, -1.0}, {-1, -8.0}, {-2, 1.0}}) {
                    Vec3 moved = at;
                    moved[axis] += k * step;
                    sum += w * pick(plane_displacement_rows(system, moved));
                }
                return sum / (12 * step);
            };
            const auto compare = [&](auto member, std::size_t j) {
                const auto part = [&](std::size_t i) {
                    return [&, i](const InnerRows& rows) { return (rows.*member)(i, j); };
                };
                const auto want = stress_of(material, slope(0, part(0)), slope(1, part(0)), slope(0, part(1)),
                                            slope(1, part(1)));
                const double size = std::max({1.0, std::abs(want[0]), std::abs(want[1]), std::abs(want[2])});
                for (std::size_t i = 0; i < 3; ++i)
                    EXPECT_NEAR((stress.*member)(i, j), want[i], 2e-6 * size) << off << " " << i << " " << j;
            };
            for (const std::size_t j : {0u, 1u, 2u, 3u, 13u, 20u}) {
                compare(&InnerRows::h, j);
                compare(&InnerRows::g, j);
            }
            for (std::size_t j = 0; j < 6; ++j) compare(&InnerRows::body, j);
        }
    }
}

TEST(PlaneSystem, RefusesWhatItCannotIntegrate) {
    Progress silent;
    const auto refuses = [&](Fault fault, std::string_view words, const BoundaryShape& shape,
                             const BoundaryMaterial& material, const BoundarySettings& settings = {}) {
        expect_error(fault, words, [&] { make_plane_system(shape, material, settings, silent); });
    };
    const BoundaryShape square = polygon(rectangle(1, 1, 2, 2));
    refuses(Fault::bad_material, "Poisson's ratio 0.5", square, {1.0, 0.5});
    refuses(Fault::bad_material, "Poisson's ratio nan", square, {1.0, std::nan("")});
    refuses(Fault::bad_material, "shear modulus 0", square, {0.0, 0.3});
    std::vector<Vec3> backwards = rectangle(1, 1, 2, 2);
    std::reverse(backwards.begin(), backwards.end());
    refuses(Fault::bad_mesh, "an enclosed area of -", polygon(backwards), {1.0, 0.3});
    std::vector<Vec3> repeated = rectangle(1, 1, 2, 2);
    repeated.insert(repeated.begin(), repeated.front());
    refuses(Fault::bad_mesh, "boundary edge 0 has no length", polygon(repeated), {1.0, 0.3});
    // Gigabytes, before anything is allocated.
    refuses(Fault::unsupported, "a boundary of 9001 nodes", polygon(circle(1.0, 9001)), {1.0, 0.3});
    BoundarySettings settings;
    settings.facet_group = {0, 1};
    refuses(Fault::bad_usage, "2 facet groups", square, {1.0, 0.3}, settings);
}

}  // namespace
}  // namespace limber
