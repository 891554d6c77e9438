#include "sim/small_strain_watch.hpp"

#include "core/text.hpp"
#include "sim/edge_change.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kChange = 0.5;   // of an edge, turns included: 29 degrees
constexpr double kStretch = 0.2;  // of an edge of a free body, which may turn as a whole
constexpr double kShare = 0.01;   // of the cells: a point load always bends some

/// Methods that solve for large strain ask how far a step may end from it.
bool is_of_large_strain(const Method& method) {
    const OptionTable options = method.options();
    return std::any_of(options.begin(), options.end(), [](const OptionSpec& o) { return o.name == "max_newton"; });
}

}  // namespace

SmallStrainWatch::SmallStrainWatch(const Method& method, const Body& body, bool collides)
    : body_(body),
      method_(method.name()),
      watches_(!is_of_large_strain(method)),
      free_(body.support() != Support::held),
      collides_(collides) {}

void SmallStrainWatch::look(std::span<const Vec3> displacement, double time) {
    const std::size_t cells = body_.mesh().cell_count();
    if (!watches_ || cells == 0 || displacement.size() != body_.vertex_count()) return;
    std::size_t beyond = 0;
    double largest = 0.0;
    for (std::size_t c = 0; c < cells; ++c) {
        const double change = edge_change(body_.mesh(), c, displacement, free_);
        if (change > (free_ ? kStretch : kChange)) ++beyond;
        largest = std::max(largest, change);
    }
    const double share = static_cast<double>(beyond) / static_cast<double>(cells);
    if (share <= std::max(share_, kShare)) return;
    share_ = share;
    largest_ = largest;
    time_ = time;
}

std::string SmallStrainWatch::words() const {
    if (share_ == 0.0) return {};
    return fmt::format(
        "at t = {:.3g} s {} % of the cells are {} by more than {:.0f} % (at most {:.3g} times their edges): {} "
        "takes strain for small, and its shapes are not to be trusted there; {}",
        time_, plain_number(100.0 * share_, 2), free_ ? "stretched" : "turned or stretched",
        100.0 * (free_ ? kStretch : kChange), largest_, method_,
        collides_ ? "a stiffer body helps"
                  : "corotational or another method of large strain is made for it, or a stiffer body");
}

}  // namespace limber
