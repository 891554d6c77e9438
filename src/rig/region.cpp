// Regions: from text to one number per vertex, 0 held to 1 free.
#include "rig/region_glob.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "geometry/segment.hpp"

#include <limber/error.hpp>
#include <limber/tools/rig.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace limber {
namespace {

using Kind = Region::Term::Kind;

struct KindName {
    Kind kind;
    const char* name;
    std::size_t numbers;  ///< 0: a name follows
};
constexpr KindName kKinds[] = {{Kind::bone, "bone", 0},
                               {Kind::paint, "paint", 0},
                               {Kind::material, "material", 0},
                               {Kind::ball, "ball", 4},
                               {Kind::capsule, "capsule", 7}};
constexpr const char* kExpected = "bone:GLOB, paint:_NAME, material:GLOB, ball:x,y,z,r or capsule:x,y,z,x,y,z,r";
/// Part of a ball's or capsule's radius over which it fades: a sudden edge would be a crack in the flesh.
constexpr double kRim = 0.2;

[[noreturn]] void refuse(const std::string& found, const std::string& expected = kExpected) {
    throw Error(Fault::bad_usage, {"region", 0, {}}, found, expected);
}

const KindName* kind_at(std::string_view text) {
    for (const KindName& k : kKinds) {
        const std::string_view name = k.name;
        if (text.size() > name.size() && text.starts_with(name) && text[name.size()] == ':') return &k;
    }
    return nullptr;
}

/// The end of the term at the front: a '+' counts only before another term, bones may have it in their names.
std::size_t term_end(std::string_view text) {
    for (std::size_t i = 1; i < text.size(); ++i)
        if (text[i] == '+' && kind_at(text.substr(i + 1))) return i;
    return text.size();
}

std::vector<double> numbers_in(const std::string& list) {
    std::vector<double> out;
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t comma = std::min(list.find(',', at), list.size());
        double value = 0.0;
        const auto [stop, fault] = std::from_chars(list.data() + at, list.data() + comma, value);
        if (fault != std::errc{} || stop != list.data() + comma || !std::isfinite(value)) {
            refuse(text("'", list.substr(at, comma - at), "' in '", list, "'"),
                   "numbers with commas between them, in metres");
        }
        out.push_back(value);
        at = comma + 1;
    }
    return out;
}

Region::Term parse_term(const std::string& term) {
    const KindName* kind = kind_at(term);
    if (!kind) {
        std::vector<std::string> names;
        for (const KindName& k : kKinds) names.emplace_back(k.name);
        refuse(text("the term '", term, "'", suggestion(term.substr(0, term.find(':')), names)));
    }
    Region::Term out{kind->kind, term.substr(std::string_view(kind->name).size() + 1), {}, {}, 0.0};
    if (kind->numbers == 0) {
        if (out.name.empty()) refuse(text("'", term, "' without a name"));
        return out;
    }
    const std::vector<double> v = numbers_in(out.name);
    if (v.size() != kind->numbers) refuse(text(v.size(), " numbers in '", term, "'"), text(kind->numbers));
    if (!(v.back() > 0.0)) refuse(text("the radius ", v.back(), " in '", term, "'"), "more than 0");
    out.a = {v[0], v[1], v[2]};
    out.b = v.size() == 7 ? Vec3{v[3], v[4], v[5]} : out.a;
    out.radius = v.back();
    return out;
}

using Freedom = std::vector<std::vector<double>>;

/// What one term says; their sum is cut at 1 when all are in.
void add(double& value, double more) { value += std::clamp(more, 0.0, 1.0); }

/// Glob signs away, so that the nearest real name can be sought.
std::string bare(const std::string& glob) {
    std::string out;
    for (const char c : glob)
        if (c != '*' && c != '?') out += c;
    return out;
}

std::string some_of(const std::vector<std::string>& names) {
    std::string out;
    for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 6); ++i) out += (i ? ", " : "") + names[i];
    return names.empty() ? "none here" : names.size() > 6 ? out + ", ..." : out;
}

/// A part of a name is the commonest slip: then stars are wanted. Otherwise the nearest spelling.
std::string better(const std::string& glob, const std::vector<std::string>& names) {
    const std::string inside = "*" + bare(glob) + "*";
    if (inside.size() > 2 &&
        std::any_of(names.begin(), names.end(), [&](const std::string& n) { return glob_matches(inside, n); })) {
        return text("; did you mean '", inside, "'?");
    }
    return suggestion(bare(glob), names);
}

[[noreturn]] void no_match(const Rig& rig, const char* what, const std::string& name,
                           const std::vector<std::string>& names) {
    throw Error(Fault::bad_usage, {rig.source, 0, {}}, text("no ", what, " matches '", name, "'", better(name, names)),
                text("one of: ", some_of(names)));
}

/// The bones a glob means: the one of exactly that name if there is one (names may have stars in them), else all that
/// match.
std::vector<char> bones_called(const Rig& rig, const std::string& glob) {
    std::vector<char> out(rig.joints.size(), 0);
    const bool exact = std::any_of(rig.joints.begin(), rig.joints.end(),
                                   [&](const Joint& j) { return j.name == glob; });
    for (std::size_t j = 0; j < out.size(); ++j)
        out[j] = (exact ? rig.joints[j].name == glob : glob_matches(glob, rig.joints[j].name)) ? 1 : 0;
    return out;
}

/// The weights of the chosen bones, each once however many terms name it. Whether there are any.
bool free_bones(const Rig& rig, const std::vector<char>& chosen, Freedom& out) {
    bool moved = false;
    for (std::size_t p = 0; p < rig.parts.size(); ++p) {
        const SkinPart& part = rig.parts[p];
        for (std::size_t v = 0; v < part.positions.size(); ++v) {
            double weight = part.binding < 0 && part.joint >= 0 && chosen[static_cast<std::size_t>(part.joint)] ? 1.0
                                                                                                                : 0.0;
            if (part.binding >= 0) {
                const SkinBinding& binding = rig.bindings[static_cast<std::size_t>(part.binding)];
                for (std::size_t k = 0; k < Influences::kMost; ++k) {
                    if (chosen[static_cast<std::size_t>(
                            binding.joints[static_cast<std::size_t>(part.influences[v].joint[k])])]) {
                        weight += part.influences[v].weight[k];
                    }
                }
            }
            moved = moved || weight > 0.0;
            add(out[p][v], weight);
        }
    }
    return moved;
}

/// All terms of bones together, so that a bone named twice counts once.
void free_bones(const Rig& rig, const Region& region, Freedom& out) {
    std::vector<char> chosen(rig.joints.size(), 0);
    bool any = false;
    for (const Region::Term& term : region.terms) {
        if (term.kind != Kind::bone) continue;
        any = true;
        const std::vector<char> called = bones_called(rig, term.name);
        if (std::count(called.begin(), called.end(), 1) == 0) {
            std::vector<std::string> names;
            for (const Joint& joint : rig.joints) names.push_back(joint.name);
            no_match(rig, "bone", term.name, names);
        }
        Freedom alone;
        for (const SkinPart& part : rig.parts) alone.emplace_back(part.positions.size(), 0.0);
        if (!free_bones(rig, called, alone)) {
            throw Error(Fault::bad_usage, {rig.source, 0, {}},
                        text("the bones that match '", term.name, "' move no skin"), "bones with weights on vertices");
        }
        for (std::size_t j = 0; j < chosen.size(); ++j) chosen[j] = chosen[j] || called[j] ? 1 : 0;
    }
    if (any) free_bones(rig, chosen, out);
}

void free_painted(const Rig& rig, const std::string& name, Freedom& out) {
    std::vector<std::string> names;
    bool any = false;
    for (std::size_t p = 0; p < rig.parts.size(); ++p) {
        for (const Paint& paint : rig.parts[p].paint) {
            if (std::find(names.begin(), names.end(), paint.name) == names.end()) names.push_back(paint.name);
            if (paint.name != name) continue;
            any = true;
            for (std::size_t v = 0; v < paint.values.size(); ++v) add(out[p][v], paint.values[v]);
        }
    }
    if (!any) {
        throw Error(Fault::bad_usage, {rig.source, 0, {}},
                    text("no attribute is named '", name, "'", suggestion(name, names)),
                    text("one of: ", some_of(names)));
    }
}

void free_material(const Rig& rig, const std::string& glob, Freedom& out) {
    std::vector<std::string> names;
    bool any = false;
    for (const MaterialLook& look : rig.materials) names.push_back(look.name);
    for (std::size_t p = 0; p < rig.parts.size(); ++p) {
        const std::int32_t m = rig.parts[p].material;
        if (m < 0 || !glob_matches(glob, rig.materials[static_cast<std::size_t>(m)].name)) continue;
        any = true;
        for (double& f : out[p]) add(f, 1.0);
    }
    if (!any) no_match(rig, "material with skin", glob, names);
}

void free_within(const Rig& rig, const Region::Term& term, Freedom& out) {
    const Pose pose = rest_pose(rig);
    std::vector<Vec3> positions;
    bool any = false;
    for (std::size_t p = 0; p < rig.parts.size(); ++p) {
        positions.resize(rig.parts[p].positions.size());
        skin(rig, p, pose, positions);
        for (std::size_t v = 0; v < positions.size(); ++v) {
            const double u = std::clamp((1.0 - distance_to_segment(positions[v], term.a, term.b) / term.radius) / kRim,
                                        0.0, 1.0);
            any = any || u > 0.0;
            add(out[p][v], u * u * (3.0 - 2.0 * u));
        }
    }
    if (!any) {
        throw Error(Fault::bad_usage, {rig.source, 0, {}},
                    text("no vertex lies within the ", term.kind == Kind::ball ? "ball" : "capsule", " around ",
                         term.a.x, ",", term.a.y, ",", term.a.z),
                    "one that reaches the skin in its rest pose (metres)");
    }
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

/// Goes back to the last star only: linear in practice, and never more than length times length.
bool glob_matches(std::string_view glob, std::string_view name) {
    std::size_t g = 0, n = 0, star = std::string_view::npos, from = 0;
    while (n < name.size()) {
        if (g < glob.size() && glob[g] == '*') {
            star = g++;
            from = n;
        } else if (g < glob.size() && (glob[g] == '?' || lower(glob[g]) == lower(name[n]))) {
            ++g;
            ++n;
        } else if (star != std::string_view::npos) {
            g = star + 1;
            n = ++from;
        } else {
            return false;
        }
    }
    while (g < glob.size() && glob[g] == '*') ++g;
    return g == glob.size();
}

Region parse_region(const std::string& text) {
    Region out;
    std::string rest = text;
    const std::size_t equals = text.find('='), colon = text.find(':');
    if (equals != std::string::npos && (colon == std::string::npos || equals < colon)) {
        out.name = text.substr(0, equals);
        rest = text.substr(equals + 1);
        if (out.name.empty()) refuse("a region without a name before '='", "name=" + std::string(kExpected));
    }
    if (rest.empty()) refuse("a region without terms");
    while (!rest.empty()) {
        const std::size_t end = term_end(rest);
        out.terms.push_back(parse_term(rest.substr(0, end)));
        rest = end < rest.size() ? rest.substr(end + 1) : std::string();
    }
    return out;
}

std::vector<std::vector<double>> freedom_of(const Rig& rig, const Region& region) {
    Freedom out;
    for (const SkinPart& part : rig.parts) out.emplace_back(part.positions.size(), 0.0);
    free_bones(rig, region, out);
    for (const Region::Term& term : region.terms) {
        switch (term.kind) {
            case Kind::bone: break;
            case Kind::paint: free_painted(rig, term.name, out); break;
            case Kind::material: free_material(rig, term.name, out); break;
            case Kind::ball:
            case Kind::capsule: free_within(rig, term, out); break;
        }
    }
    for (std::vector<double>& part : out)
        for (double& f : part) f = std::min(f, 1.0);
    return out;
}

}  // namespace limber
