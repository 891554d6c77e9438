#include "geometry/quadrature.hpp"

#include <limber/error.hpp>

#include "core/text.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace limber {

namespace {

using Rule = std::vector<QuadraturePoint>;

// Orbits of the simplex symmetry group, in barycentric coordinates. Weights are shares of the reference measure.

void add_tri_centre(Rule& rule, double share) { rule.push_back({{1.0 / 3.0, 1.0 / 3.0, 0.0}, share / 2.0}); }

/// Three points (a, a, 1-2a).
void add_tri_orbit(Rule& rule, double a, double share) {
    const double b = 1.0 - 2.0 * a, w = share / 2.0;
    rule.push_back({{a, a, 0.0}, w});
    rule.push_back({{b, a, 0.0}, w});
    rule.push_back({{a, b, 0.0}, w});
}

/// Four points (a, a, a, 1-3a).
void add_tet_orbit(Rule& rule, double a, double share) {
    const double b = 1.0 - 3.0 * a, w = share / 6.0;
    rule.push_back({{a, a, a}, w});
    rule.push_back({{b, a, a}, w});
    rule.push_back({{a, b, a}, w});
    rule.push_back({{a, a, b}, w});
}

/// Six points (a, a, b, b), b = 1/2 - a.
void add_tet_edge_orbit(Rule& rule, double a, double share) {
    const double b = 0.5 - a, w = share / 6.0;
    for (const Vec3& xi : {Vec3{b, a, a}, Vec3{a, b, a}, Vec3{a, a, b}, Vec3{b, b, a}, Vec3{b, a, b}, Vec3{a, b, b}})
        rule.push_back({xi, w});
}

Rule tri_rule(int degree) {
    Rule rule;
    if (degree == 1) {
        add_tri_centre(rule, 1.0);
    } else if (degree == 2) {
        add_tri_orbit(rule, 1.0 / 6.0, 1.0 / 3.0);
    } else if (degree <= 4) {
        add_tri_orbit(rule, 0.44594849091596488632, 0.22338158967801146570);
        add_tri_orbit(rule, 0.09157621350977074346, 0.10995174365532186764);
    } else {
        const double root = std::sqrt(15.0);
        add_tri_centre(rule, 9.0 / 40.0);
        add_tri_orbit(rule, (6.0 - root) / 21.0, (155.0 - root) / 1200.0);
        add_tri_orbit(rule, (6.0 + root) / 21.0, (155.0 + root) / 1200.0);
    }
    return rule;
}

Rule tet_rule(int degree) {
    Rule rule;
    if (degree == 1) {
        rule.push_back({{0.25, 0.25, 0.25}, 1.0 / 6.0});
    } else if (degree == 2) {
        add_tet_orbit(rule, (5.0 - std::sqrt(5.0)) / 20.0, 0.25);
    } else if (degree == 3) {
        add_tet_orbit(rule, 0.32805469671142664734, 0.13852796651186214232);
        add_tet_orbit(rule, 0.10695227393293068277, 0.11147203348813785768);
    } else {
        add_tet_orbit(rule, 0.31088591926330060980, 0.11268792571801585080);
        add_tet_orbit(rule, 0.092735250310891226402, 0.073493043116361949544);
        add_tet_edge_orbit(rule, 0.045503704125649649492, 0.042546020777081466438);
    }
    return rule;
}

Rule line_rule(int degree) {
    if (degree == 1) return {{{0.0, 0.0, 0.0}, 2.0}};
    if (degree <= 3) {
        const double g = 1.0 / std::sqrt(3.0);
        return {{{-g, 0.0, 0.0}, 1.0}, {{g, 0.0, 0.0}, 1.0}};
    }
    const double g = std::sqrt(0.6);
    return {{{-g, 0.0, 0.0}, 5.0 / 9.0}, {{0.0, 0.0, 0.0}, 8.0 / 9.0}, {{g, 0.0, 0.0}, 5.0 / 9.0}};
}

/// Gauss points with x fastest.
Rule tensor_rule(int degree, int dimension) {
    const Rule line = line_rule(degree);
    const Rule flat{{{0.0, 0.0, 0.0}, 1.0}};
    Rule rule;
    for (const QuadraturePoint& c : dimension == 3 ? line : flat) {
        for (const QuadraturePoint& b : line) {
            for (const QuadraturePoint& a : line)
                rule.push_back({{a.xi.x, b.xi.x, c.xi.x}, a.weight * b.weight * c.weight});
        }
    }
    return rule;
}

constexpr int kMaxDegree = 5;
using RuleTable = std::array<Rule, kMaxDegree>;

RuleTable make_table(CellKind kind) {
    RuleTable table;
    for (int degree = 1; degree <= kMaxDegree; ++degree) {
        Rule& rule = table[static_cast<std::size_t>(degree - 1)];
        if (kind == CellKind::tri3)
            rule = tri_rule(degree);
        else if (kind == CellKind::quad4)
            rule = tensor_rule(degree, 2);
        else if (kind == CellKind::hex8)
            rule = tensor_rule(degree, 3);
        else
            rule = tet_rule(degree);
    }
    return table;
}

}  // namespace

std::span<const QuadraturePoint> quadrature(CellKind kind, int degree) {
    static const std::array<RuleTable, 4> tables{make_table(CellKind::tri3), make_table(CellKind::quad4),
                                                 make_table(CellKind::tet4), make_table(CellKind::hex8)};
    if (degree < 1 || degree > kMaxDegree) {
        throw Error(Fault::bad_usage, {}, text("a quadrature rule of degree ", degree, " was asked for"),
                    text("a degree from 1 to ", kMaxDegree));
    }
    const std::size_t row = kind == CellKind::tri3 ? 0 : kind == CellKind::quad4 ? 1 : kind == CellKind::hex8 ? 3 : 2;
    return tables[row][static_cast<std::size_t>(degree - 1)];
}

}  // namespace limber
