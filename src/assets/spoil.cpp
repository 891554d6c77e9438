#include <limber/tools/assets.hpp>

#include "assets/dirt.hpp"
#include "core/spelling.hpp"
#include "core/text.hpp"

#include <limber/error.hpp>

namespace limber {
namespace {

constexpr std::pair<Dirt, const char*> kNames[] = {
    {Dirt::clean, "clean"},           {Dirt::holes, "holes"}, {Dirt::flipped, "flipped"}, {Dirt::doubled, "doubled"},
    {Dirt::overlapped, "overlapped"}, {Dirt::noise, "noise"}, {Dirt::gaps, "gaps"},       {Dirt::soup, "soup"},
    {Dirt::combined, "combined"}};

Surface surface_of(const Triangles& t) {
    Surface out;
    out.vertices = t.vertices;
    for (const auto& c : t.corners) {
        out.faces.insert(out.faces.end(), c.begin(), c.end());
        out.face_starts.push_back(static_cast<std::int32_t>(out.faces.size()));
    }
    return out;
}

/// In an order in which no kind undoes another: shells first, what separates faces last.
std::string combine(Triangles& t, std::vector<Triangles>& truth, Dice& dice) {
    const bool shells = dice.between(0.0, 1.0) < 0.3, rough = dice.coin(), holes = dice.coin(), doubled = dice.coin(),
               flipped = dice.coin() || !(rough || holes || doubled);
    const std::size_t last = dice.below(3);
    std::string about;
    const auto add = [&](const std::string& did) { about += (about.empty() ? "" : "; ") + did; };
    if (shells) {
        truth.emplace_back();
        add(overlap_copy(t, truth.back(), dice));
    }
    if (rough) add(add_noise(t, dice));
    if (holes) add(make_holes(t, dice));
    if (doubled) add(double_faces(t, dice));
    if (flipped) add(flip_faces(t, dice));
    if (last == 1) add(make_soup(t, dice));
    if (last == 2) add(open_gaps(t, dice));
    return about;
}

std::string apply(Triangles& t, Dirt dirt, std::vector<Triangles>& truth, Dice& dice) {
    switch (dirt) {
        case Dirt::clean: return "as it is";
        case Dirt::holes: return make_holes(t, dice);
        case Dirt::flipped: return flip_faces(t, dice);
        case Dirt::doubled: return double_faces(t, dice);
        case Dirt::overlapped: truth.emplace_back(); return overlap_copy(t, truth.back(), dice);
        case Dirt::noise: return add_noise(t, dice);
        case Dirt::gaps: return open_gaps(t, dice);
        case Dirt::soup: return make_soup(t, dice) + "; " + flip_faces(t, dice);
        case Dirt::combined: return combine(t, truth, dice);
    }
    return {};
}

}  // namespace

const char* to_string(Dirt dirt) {
    for (const auto& [kind, name] : kNames)
        if (kind == dirt) return name;
    return "?";
}

std::vector<std::string> dirt_names() {
    std::vector<std::string> out;
    for (const auto& [kind, name] : kNames) out.emplace_back(name);
    return out;
}

Dirt dirt_of(const std::string& name) {
    for (const auto& [kind, known] : kNames)
        if (name == known) return kind;
    const std::vector<std::string> names = dirt_names();
    throw Error(Fault::bad_usage, InputLocation{"dirt", 0, {}},
                text("unknown kind of dirt '", name, "'", suggestion(name, names)),
                fmt::format("{}", fmt::join(names, ", ")));
}

DirtySurface spoil(const Surface& surface, Dirt dirt, std::uint32_t seed) {
    Triangles t = triangulate(surface);
    if (t.size() == 0) throw Error(Fault::bad_mesh, {}, "a surface without faces", "at least one face");
    std::vector<Triangles> truth{t};
    Dice dice(seed * 9u + static_cast<std::uint32_t>(dirt));
    DirtySurface out;
    out.about = apply(t, dirt, truth, dice);
    out.surface = surface_of(t);
    for (const Triangles& part : truth) out.truth.push_back(surface_of(part));
    return out;
}

}  // namespace limber
