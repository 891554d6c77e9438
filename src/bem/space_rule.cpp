#include "bem/space_rule.hpp"

#include "geometry/quadrature.hpp"

#include <vector>

namespace limber {
namespace {

// One point in the middle, three orbits of three, one of six: solved from the moment equations in 50 digits.
std::vector<TrianglePoint> sixteen_points() {
    constexpr double third = 1.0 / 3.0;
    std::vector<TrianglePoint> out{{{third, third, third}, 0.14431560767778716825}};
    constexpr double three[3][2] = {{0.45929258829272315602, 0.09509163426728462479},
                                    {0.17056930775176020662, 0.10321737053471825028},
                                    {0.05054722831703097545, 0.03245849762319808031}};
    for (const auto& [a, w] : three) {
        for (std::size_t k = 0; k < 3; ++k) {
            TrianglePoint p{{a, a, a}, w};
            p.n[k] = 1.0 - 2.0 * a;
            out.push_back(p);
        }
    }
    constexpr double a = 0.26311282963463811342, b = 0.72849239295540428124, c = 1.0 - a - b,
                     w = 0.02723031417443499426;
    for (const std::array<double, 3>& n : {std::array{a, b, c}, {b, c, a}, {c, a, b}, {a, c, b}, {c, b, a}, {b, a, c}})
        out.push_back({n, w});
    return out;
}

std::vector<TrianglePoint> of_geometry(int degree) {
    std::vector<TrianglePoint> out;
    for (const QuadraturePoint& p : quadrature(CellKind::tri3, degree))
        out.push_back({{1.0 - p.xi.x - p.xi.y, p.xi.x, p.xi.y}, 2.0 * p.weight});
    return out;
}

}  // namespace

std::span<const TrianglePoint> triangle_rule(int rule) {
    static const std::array<std::vector<TrianglePoint>, kTriangleRules> rules{of_geometry(2), of_geometry(5),
                                                                              sixteen_points()};
    return rules[static_cast<std::size_t>(rule)];
}

}  // namespace limber
