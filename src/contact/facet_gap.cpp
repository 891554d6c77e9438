#include "contact/facet_gap.hpp"

#include "contact/gap.hpp"
#include "deform/obstacle_shape.hpp"

#include <algorithm>

namespace limber {
namespace {

constexpr int kCuts = 16;  // 0.618^16: half a thousandth
constexpr double kGolden = 0.6180339887498949;

/// Least value of a convex function on [0, 1].
template <class F>
double golden_least(const F& f) noexcept {
    double low = 0.0, high = 1.0, a = 1.0 - kGolden, b = kGolden, fa = f(a), fb = f(b);
    for (int i = 0; i < kCuts; ++i) {
        if (fa < fb) {
            high = b;
            b = a;
            fb = fa;
            a = high - kGolden * (high - low);
            fa = f(a);
        } else {
            low = a;
            a = b;
            fa = fb;
            b = low + kGolden * (high - low);
            fb = f(b);
        }
    }
    return std::min(fa, fb);
}

}  // namespace

double least_gap(const Obstacle& obstacle, std::span<const Vec3> corners, bool planar) noexcept {
    const auto gap = [&](const Vec3& x) { return gap_to(obstacle, x, planar).value; };
    double least = gap(corners[0]), reach = 0.0;
    for (std::size_t k = 1; k < corners.size(); ++k) {
        least = std::min(least, gap(corners[k]));
        for (std::size_t j = 0; j < k; ++j) reach = std::max(reach, norm(corners[k] - corners[j]));
    }
    const bool at_corner = is_plane(obstacle) || keeps_inside(obstacle);
    if (at_corner || least > reach) return least;  // no point of the facet is farther than that from its nearest corner
    const Vec3 a = corners[0], ab = corners[1] - a;
    if (corners.size() == 2) return std::min(least, golden_least([&](double s) { return gap(a + ab * s); }));
    const Vec3 bc = corners[2] - corners[1];
    return std::min(least, golden_least([&](double s) {
                        return golden_least([&](double t) { return gap(a + (ab + bc * t) * s); });
                    }));
}

}  // namespace limber
