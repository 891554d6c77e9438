#include "rig/region_lines.hpp"

#include "rig/region_glob.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace limber {
namespace {

constexpr double kLeastShare = 0.01;

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string lowered(std::string s) {
    for (char& c : s)
        if (is_upper(c)) c = static_cast<char>(c - 'A' + 'a');
    return s;
}

/// "_l", "_r" or "": by the whole word, by a letter that stands alone ("Thigh.L", "l_arm"), or one before a capital
/// ("LThigh").
std::string side_of(const std::string& name) {
    const std::string low = lowered(name);
    if (low.find("left") != std::string::npos) return "_l";
    if (low.find("right") != std::string::npos) return "_r";
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (low[i] != 'l' && low[i] != 'r') continue;
        const bool starts = i == 0 || !is_letter(name[i - 1]);
        const bool ends = i + 1 == name.size() || !is_letter(name[i + 1]);
        const bool camel = i + 2 < name.size() && is_upper(name[i]) && is_upper(name[i + 1]) && !is_upper(name[i + 2]);
        if (starts && (ends || camel)) return low[i] == 'l' ? "_l" : "_r";
    }
    return {};
}

bool has(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

/// A body part as people call it, from what riggers call the bone; the first that fits counts. "" when none does.
std::string limb_name(const std::string& low) {
    static const std::pair<const char*, const char*> kWords[] = {
        {"upleg", "thigh"},        {"upperleg", "thigh"},      {"upper_leg", "thigh"},   {"thigh", "thigh"},
        {"calf", "calf"},          {"shin", "calf"},           {"lowerleg", "calf"},     {"lower_leg", "calf"},
        {"lowleg", "calf"},        {"foot", "foot"},           {"toe", "foot"},          {"forearm", "forearm"},
        {"lowerarm", "forearm"},   {"lower_arm", "forearm"},   {"hand", "hand"},         {"finger", "hand"},
        {"thumb", "hand"},         {"shoulder", "shoulder"},   {"clavicle", "shoulder"}, {"collar", "shoulder"},
        {"upperarm", "upper_arm"}, {"upper_arm", "upper_arm"}, {"uparm", "upper_arm"},   {"breast", "breast"},
        {"belly", "belly"},        {"stomach", "belly"},       {"abdomen", "belly"},     {"spine", "belly"},
        {"chest", "chest"},        {"torso", "chest"},         {"pelvis", "hips"},       {"hip", "hips"},
        {"neck", "neck"},          {"head", "head"},           {"tail", "tail"}};
    for (const auto& [word, part] : kWords)
        if (has(low, word)) return part;
    return {};
}

/// Plain "leg" and "arm" bones go by their place in the limb: the first is the thigh, the next the calf, then the foot.
std::string next_of_limb(const std::string& low, const std::string& parent) {
    const bool leg = has(low, "leg"), arm = has(low, "arm") && !has(low, "armature");
    if (leg) return parent == "thigh" ? "calf" : parent == "calf" || parent == "foot" ? "foot" : "thigh";
    if (arm) return parent == "upper_arm" ? "forearm" : parent == "forearm" || parent == "hand" ? "hand" : "upper_arm";
    return {};
}

std::string tidied(const std::string& name) {
    std::string out;
    for (const char c : lowered(name))
        out += is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80 ? c : '_';
    return out;
}

/// The bones a term means, as freedom_of() reads it.
std::vector<std::size_t> matching_bones(const Rig& rig, const std::string& glob) {
    std::vector<std::size_t> exact, like;
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
        if (rig.joints[j].name == glob) exact.push_back(j);
        if (glob_matches(glob, rig.joints[j].name)) like.push_back(j);
    }
    return exact.empty() ? like : exact;
}

/// "bone:NAME" that means bones of exactly this name, with '?' for signs that lists of regions and terms are made of;
/// "" where there is none.
std::string bone_term(const Rig& rig, const std::string& name) {
    std::string term = name;
    for (char& c : term)
        if (c == ',' || c == '+' || c == '=' || c == ':' || static_cast<unsigned char>(c) < 0x20) c = '?';
    if (term == name) return "bone:" + term;  // a bone of exactly this name is meant alone
    for (const std::size_t j : matching_bones(rig, term))
        if (rig.joints[j].name != name) return {};
    return "bone:" + term;
}

/// A name for the region of each joint.
std::vector<std::string> region_names(const Rig& rig) {
    std::vector<std::string> limb, out;
    for (const Joint& joint : rig.joints) {
        const std::string low = lowered(joint.name);
        std::string part = limb_name(low);
        if (part.empty())
            part = next_of_limb(low, joint.parent < 0 ? "" : limb[static_cast<std::size_t>(joint.parent)]);
        const std::string tidy = tidied(joint.name);
        const std::string plain = tidy.find_first_not_of('_') == std::string::npos
                                      ? "bone_" + std::to_string(out.size())
                                      : tidy;
        out.push_back(part.empty() ? plain : part + side_of(joint.name));
        limb.push_back(std::move(part));
    }
    return out;
}

double triangle_area(const std::vector<Vec3>& x, const std::array<std::int32_t, 3>& t) {
    const Vec3 &a = x[static_cast<std::size_t>(t[0])], &b = x[static_cast<std::size_t>(t[1])],
               &c = x[static_cast<std::size_t>(t[2])];
    return norm(cross(b - a, c - a)) / 2;
}

/// Regions by name, in the order in which they came, each with its terms.
class Lines {
public:
    void add(const std::string& name, const std::string& term) {
        const auto [it, fresh] = number_.try_emplace(name, lines_.size());
        if (fresh) lines_.push_back({name, {}, ""});
        Line& line = lines_[it->second];
        if (line.terms.insert(term).second) line.joined += (line.joined.empty() ? "" : "+") + term;
    }
    std::vector<std::string> take() const {
        std::vector<std::string> out;
        for (const Line& line : lines_) out.push_back(line.name + "=" + line.joined);
        return out;
    }

private:
    struct Line {
        std::string name;
        std::set<std::string> terms;
        std::string joined;
    };
    std::vector<Line> lines_;
    std::map<std::string, std::size_t> number_;
};

/// A channel of vertex colours that is the same everywhere marks no region; nobody paints such a one.
bool is_painted(const Paint& paint) {
    return !paint.name.starts_with("COLOR_") ||
           std::any_of(paint.values.begin(), paint.values.end(), [&](double v) { return v != paint.values[0]; });
}

}  // namespace

std::vector<double> skin_share(const Rig& rig) {
    std::vector<double> share(rig.joints.size(), 0.0);
    const Pose pose = rest_pose(rig);
    double total = 0.0;
    std::vector<Vec3> x;
    for (std::size_t p = 0; p < rig.parts.size(); ++p) {
        const SkinPart& part = rig.parts[p];
        x.resize(part.positions.size());
        skin(rig, p, pose, x);
        for (const auto& triangle : part.triangles) {
            const double third = triangle_area(x, triangle) / 3;
            total += 3 * third;
            for (const std::int32_t corner : triangle) {
                if (part.binding < 0 && part.joint >= 0) share[static_cast<std::size_t>(part.joint)] += third;
                if (part.binding < 0) continue;
                const Influences& v = part.influences[static_cast<std::size_t>(corner)];
                const SkinBinding& binding = rig.bindings[static_cast<std::size_t>(part.binding)];
                for (std::size_t k = 0; k < Influences::kMost; ++k) {
                    share[static_cast<std::size_t>(binding.joints[static_cast<std::size_t>(v.joint[k])])] +=
                        third * v.weight[k];
                }
            }
        }
    }
    for (double& s : share) s = total > 0.0 ? s / total : 0.0;
    return share;
}

std::vector<std::string> region_lines(const Rig& rig) {
    Lines lines;
    const std::vector<double> share = skin_share(rig);
    const std::vector<std::string> names = region_names(rig);
    std::map<std::string, double> together;  // a tail of forty bones is one tail
    for (std::size_t j = 0; j < rig.joints.size(); ++j) together[names[j]] += share[j];
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
        if (share[j] > 0.0 && together[names[j]] >= kLeastShare) {
            if (const std::string term = bone_term(rig, rig.joints[j].name); !term.empty()) lines.add(names[j], term);
        }
    }
    for (const SkinPart& part : rig.parts) {
        for (const Paint& paint : part.paint) {
            if (is_painted(paint))
                lines.add(tidied(paint.name.substr(paint.name.starts_with('_') ? 1 : 0)), "paint:" + paint.name);
        }
    }
    if (rig.materials.size() > 1) {
        for (const SkinPart& part : rig.parts) {
            if (part.material >= 0 && !rig.materials[static_cast<std::size_t>(part.material)].name.empty()) {
                const std::string& name = rig.materials[static_cast<std::size_t>(part.material)].name;
                lines.add(tidied(name), "material:" + name);
            }
        }
    }
    return lines.take();
}

}  // namespace limber
