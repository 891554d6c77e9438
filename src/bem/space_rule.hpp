// Rules of integration on a triangle for points far from it.
#pragma once

#include <array>
#include <span>

namespace limber {

struct TrianglePoint {
    std::array<double, 3> n{};  ///< shape functions, which are area coordinates
    double weight = 0.0;        ///< of an area of 1
};

constexpr int kTriangleRules = 3;

/// 0: 3 points, exact to degree 2. 1: 7 points, degree 5. 2: 16 points, degree 8.
std::span<const TrianglePoint> triangle_rule(int rule);

}  // namespace limber
