#include "show/fault_views.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

constexpr double kEnough = 0.9;   // of the faults, by weight: what one picture must show to be alone
constexpr double kGrazing = 0.2;  // cosine: what looks away more than this is a line at best

/// Turns and heights of a walk around the thing; the usual view first, so that it wins when nothing is better.
std::vector<ViewDirection> candidates() {
    std::vector<ViewDirection> out{parse_view("three-quarter")};
    for (const double rise : {18.0, -25.0, 55.0, -60.0}) {
        for (int k = 0; k < 8; ++k)
            out.push_back({(35.0 + 45.0 * k) * std::numbers::pi / 180.0, rise * std::numbers::pi / 180.0});
    }
    return out;
}

/// Weight of the marks that face the eye, those not in `seen` only.
double shown_by(const ViewDirection& view, std::span<const FaultMark> marks, const std::vector<char>& seen) {
    const Vec3 eye = direction_of(view);
    double sum = 0.0;
    for (std::size_t i = 0; i < marks.size(); ++i)
        if (!seen[i] && dot(marks[i].outward, eye) > kGrazing) sum += marks[i].weight;
    return sum;
}

}  // namespace

Vec3 direction_of(const ViewDirection& view) {
    return {std::sin(view.turn) * std::cos(view.rise), std::sin(view.rise), std::cos(view.turn) * std::cos(view.rise)};
}

std::vector<ViewDirection> views_of_faults(std::span<const FaultMark> marks) {
    const std::vector<ViewDirection> all = candidates();
    std::vector<char> seen(marks.size(), 0);
    double total = 0.0, first_shows = 0.0;
    for (const FaultMark& m : marks) total += m.weight;
    const auto best = [&](double& shows) {
        // A view has to be better by a hair to replace an earlier one: rounding must not choose.
        const ViewDirection* out = &all.front();
        shows = shown_by(*out, marks, seen);
        for (const ViewDirection& view : all) {
            if (const double here = shown_by(view, marks, seen); here > shows + 1e-9 * total) {
                out = &view;
                shows = here;
            }
        }
        return *out;
    };
    if (shown_by(all.front(), marks, seen) >= kEnough * total) return {all.front()};
    std::vector<ViewDirection> out{best(first_shows)};
    if (first_shows >= kEnough * total) return out;
    for (std::size_t i = 0; i < marks.size(); ++i) seen[i] = dot(marks[i].outward, direction_of(out[0])) > kGrazing;
    double more = 0.0;
    const ViewDirection second = best(more);
    if (more > 0.02 * total)
        out.push_back(second);  // a picture for a fiftieth of the faults would only make both smaller
    return out;
}

}  // namespace limber
