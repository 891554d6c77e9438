#include "rig/flesh_garments.hpp"

#include <algorithm>

namespace limber {
namespace {

constexpr double kNear = 0.01, kFar = 0.02;  // of the character's diagonal

bool is_painted(const SkinPart& part, const Region& region) {
    return std::any_of(region.terms.begin(), region.terms.end(), [&](const Region::Term& t) {
        return std::any_of(part.paint.begin(), part.paint.end(), [&](const Paint& p) { return p.name == t.name; });
    });
}

}  // namespace

void extend_to_garments(const Rig& rig, const Region& region, const CharacterSkin& skin, std::vector<double>& freedom) {
    if (std::any_of(region.terms.begin(), region.terms.end(),
                    [](const Region::Term& t) { return t.kind != Region::Term::Kind::paint; })) {
        return;
    }
    Triangles painted;
    painted.vertices = skin.vertices();
    for (std::size_t p = 0; p < rig.parts.size(); ++p) {
        if (!is_painted(rig.parts[p], region)) continue;
        const auto first = static_cast<std::int32_t>(skin.first_of(p));
        for (const auto& t : rig.parts[p].triangles)
            painted.corners.push_back({first + t[0], first + t[1], first + t[2]});
    }
    if (painted.corners.empty()) return;
    const TriangleTree tree(painted);
    const double size = skin.box().diagonal();
    for (std::size_t p = 0; p < rig.parts.size(); ++p) {
        if (is_painted(rig.parts[p], region)) continue;
        for (std::size_t v = skin.first_of(p); v < skin.first_of(p) + rig.parts[p].positions.size(); ++v) {
            const TriangleTree::Nearest at = tree.nearest(skin.vertices()[v]);
            const double u = std::clamp((kFar - at.distance / size) / (kFar - kNear), 0.0, 1.0);
            if (!(u > 0.0)) continue;
            const auto t = static_cast<std::size_t>(at.triangle);
            const std::array<double, 3> weight = weights_in_triangle(at.point, painted.at(t, 0), painted.at(t, 1),
                                                                     painted.at(t, 2));
            double there = 0.0;
            for (std::size_t k = 0; k < 3; ++k)
                there += weight[k] * freedom[static_cast<std::size_t>(painted.corners[t][k])];
            freedom[v] = there * u * u * (3.0 - 2.0 * u);
        }
    }
}

}  // namespace limber
