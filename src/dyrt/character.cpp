#include "dyrt/character.hpp"

#include "core/part_of_progress.hpp"
#include "core/text.hpp"
#include "dyrt/output.hpp"
#include "dyrt/skin_stretch.hpp"
#include "geometry/triangles.hpp"
#include "rig/flesh_draft.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>

namespace limber {
namespace {

/// CPU time since the last look: others may be using the machine.
class Watch {
public:
    double lap() {
        const std::clock_t now = std::clock();
        const double out = static_cast<double>(now - last_) / CLOCKS_PER_SEC;
        last_ = now;
        return out;
    }

private:
    std::clock_t last_ = std::clock();
};

constexpr double kErrorStep = 1.0 / 240.0;  // [s]: finite elements take most of the time, and swing at a few hertz

std::size_t shortest(const Rig& rig, const std::vector<std::size_t>& clips) {
    return *std::min_element(clips.begin(), clips.end(), [&](std::size_t a, std::size_t b) {
        return rig.clips[a].duration < rig.clips[b].duration;
    });
}

constexpr double kStillest = 1e-4;  // of a part's size: below, nothing moves
constexpr int kMostTries = 12;

double size_of(const DyrtPart& part) { return box_of(part.flesh.mesh.vertices).diagonal(); }

struct Reach {
    double motion = 0.0;   ///< [m]
    std::size_t clip = 0;  ///< where
};
/// How much the skin changes, as SkinEdges has it.
struct SkinChange {
    double most = 0.0;
    std::size_t clip = 0;
};
Reach reach_of(const DyrtCharacter& c, std::size_t part) {
    Reach out;
    for (std::size_t clip = 0; clip < c.tracks.size(); ++clip)
        if (const double motion = largest_motion(c, part, clip).world; motion > out.motion) out = {motion, clip};
    return out;
}

SkinChange skin_change_of(const DyrtCharacter& c, std::size_t part, const SkinEdges& edges) {
    SkinChange out;
    for (std::size_t clip = 0; clip < c.tracks.size(); ++clip) {
        if (c.tracks[clip].empty()) continue;
        const double change = edges.largest_change(c.parts[part], c.tracks[clip][part]);
        if (change > out.most) out = {change, clip};
    }
    return out;
}

void bake_part(DyrtCharacter& c, std::size_t part, const DyrtCharacterSettings& settings) {
    for (const std::size_t clip : settings.clips)
        c.tracks[clip][part] = bake_clip(*c.rig, c.parts[part], clip, settings.bake);
}

/// Every modulus times the square of `factor`: all frequencies times it, with the same damping ratios; a settling time
/// that was asked for stays.
void stiffen(DyrtPart& part, double factor, double settle) {
    part.material.young *= factor * factor;
    part.material.rayleigh_alpha *= settle > 0.0 ? 1.0 : factor;
    part.material.rayleigh_beta /= settle > 0.0 ? factor * factor : factor;
    for (double& w : part.omega) w *= factor;
    for (double& d : part.decay) d *= settle > 0.0 ? 1.0 : factor;
}

/// How far a part is beyond what is natural, as a factor: 1 or less is fine.
struct Excess {
    Reach reach;
    SkinChange skin;
    double factor = 0.0;
};
Excess excess_of(const DyrtCharacter& c, std::size_t p, const SkinEdges& edges, double amount) {
    Excess out{reach_of(c, p), skin_change_of(c, p, edges)};
    // How much it counts is on top of what is natural: it is looked at without.
    const double counts = std::max(amount, 1e-6);
    out.factor = std::max(out.reach.motion / (kNaturalReach * size_of(c.parts[p])),
                          out.skin.most / kNaturalSkinChange) /
                 counts;
    return out;
}

/// Motion falls with the square of the frequency, but for resonances.
void choose_stiffness(DyrtCharacter& c, std::size_t p, const DyrtCharacterSettings& settings) {
    const SkinEdges edges(*c.rig, c.parts[p]);
    const double size = size_of(c.parts[p]), first = c.parts[p].omega[0], young = c.parts[p].material.young;
    const Excess before = excess_of(c, p, edges, settings.dyrt.amount);
    Excess now = before;
    for (int i = 0; i < kMostTries && now.factor > 1.0; ++i) {
        stiffen(c.parts[p], std::clamp(1.02 * std::sqrt(now.factor), 1.02, 8.0), settings.dyrt.settle);
        bake_part(c, p, settings);
        now = excess_of(c, p, edges, settings.dyrt.amount);
    }
    const DyrtPart& part = c.parts[p];
    if (part.omega[0] == first) return;
    const std::string clip = clip_words(*c.rig, before.reach.clip);
    // What a first choice would have done is no news once there is a second one.
    std::erase_if(c.notes, [&](const std::string& note) { return note.starts_with(part.name() + ": "); });
    const bool raised = young > settings.dyrt.material.young;
    const std::string subject = raised ? text("with its first mode at ", kNaturalFrequency, " Hz it")
                                       : part.material.name;
    const std::string amount = settings.dyrt.amount != 1.0 ? text(" before --amount ", settings.dyrt.amount) : "";
    c.notes.push_back(text(part.name(), ": ", subject, " would move by ", short_number(1e3 * before.reach.motion, 3),
                           " mm in '", clip, "', ", short_number(100.0 * before.reach.motion / size, 2),
                           " % of its size, and stretch or turn edges of its skin by ",
                           short_number(100.0 * before.skin.most, 3),
                           " %; chosen instead: E = ", short_number(part.material.young, 3), " Pa, first mode at ",
                           short_number(part.omega[0] / (2.0 * std::numbers::pi), 3), " Hz, so that it stays below ",
                           100.0 * kNaturalReach, " % and ", 100.0 * kNaturalSkinChange, " %", amount,
                           " (--frequency or --material: your own)"));
}

/// A whole figure of fat would sway once in many seconds: parts that were made stiffer because of that.
void note_slow_parts(DyrtCharacter& c, const Material& asked) {
    for (const DyrtPart& part : c.parts) {
        if (part.material.young <= asked.young) continue;
        const double slow = kNaturalFrequency * std::sqrt(asked.young / part.material.young);
        c.notes.push_back(text(part.name(), ": ", asked.name, " would swing at ", short_number(slow, 2),
                               " Hz; chosen instead: E = ", short_number(part.material.young, 3), " Pa, first mode at ",
                               kNaturalFrequency, " Hz (--frequency or --material: your own)"));
    }
}

/// Forces less, until the part keeps within half of its size: what was asked for would tear the character apart.
void limit(DyrtCharacter& c, std::size_t p, const DyrtCharacterSettings& settings) {
    const double size = size_of(c.parts[p]);
    const Reach asked = reach_of(c, p);
    if (asked.motion <= kHardReach * size) return;
    const double less = kHardReach * size / asked.motion;
    c.parts[p].amount *= less;
    for (double& t : c.parts[p].transfer) t *= less;
    bake_part(c, p, settings);
    c.parts[p].warnings.push_back(text("as asked for it would move by ", short_number(1e3 * asked.motion, 3),
                                       " mm in '", clip_words(*c.rig, asked.clip), "' and is ",
                                       short_number(1e3 * size, 3), " mm large: all forces are taken times ",
                                       short_number(less, 2),
                                       ", so that it moves by half of its size; a higher --frequency, a stiffer "
                                       "--material or a lower --amount would be right"));
}

void warn_of_reach(DyrtCharacter& c) {
    for (std::size_t p = 0; p < c.parts.size(); ++p) {
        const double size = size_of(c.parts[p]);
        const Reach reach = reach_of(c, p);
        if (reach.motion > kLinearReach * size && reach.motion < 0.99 * kHardReach * size) {
            c.parts[p].warnings.push_back(text(
                "it moves by ", short_number(1e3 * reach.motion, 3), " mm in '", clip_words(*c.rig, reach.clip),
                "' and is ", short_number(1e3 * size, 3),
                " mm large: linear shapes look swollen there; a higher --frequency or a lower --amount would help"));
        }
        if (reach.motion > kLinearReach * size) continue;
        const SkinChange skin = skin_change_of(c, p, SkinEdges(*c.rig, c.parts[p]));
        if (skin.most > kFoldedSkinChange) {
            c.parts[p].warnings.push_back(
                text("its skin folds at the rim in '", clip_words(*c.rig, skin.clip), "': edges change by ",
                     short_number(100.0 * skin.most, 3),
                     " % of their length; a higher --frequency or a lower --amount would help"));
        }
    }
}

/// A clip that holds the bone still has no jiggling, only rounding, which must not be scaled up to weights of 1.
void silence_resting_parts(DyrtCharacter& c) {
    for (std::size_t p = 0; p < c.parts.size(); ++p) {
        for (std::size_t clip = 0; clip < c.tracks.size(); ++clip) {
            if (c.tracks[clip].empty() || largest_motion(c, p, clip).world > kStillest * size_of(c.parts[p])) continue;
            DyrtTrack& track = c.tracks[clip][p];
            std::fill(track.amplitudes.begin(), track.amplitudes.end(), 0.0);
            std::fill(track.rates.begin(), track.rates.end(), 0.0);
            track.seam = 0.0;
            c.notes.push_back(text(c.parts[p].name(), ": nothing moves in '", clip_words(*c.rig, clip),
                                   "': its bone stands still there"));
        }
    }
}

}  // namespace

DyrtCharacter make_dyrt_character(std::shared_ptr<const Rig> rig, const DyrtCharacterSettings& settings,
                                  Progress& progress) {
    DyrtCharacter out;
    out.rig = std::move(rig);
    Watch watch;
    PartOfProgress filling(progress, 0.0, 0.3);
    std::vector<FleshPart> flesh = settings.layered ? layered_flesh(*out.rig, settings.regions, settings.flesh, filling,
                                                                    settings.draft)
                                                    : make_flesh(*out.rig, settings.regions, settings.flesh, filling,
                                                                 settings.draft);
    out.took.emplace_back("solids", watch.lap());
    PartOfProgress modes(progress, 0.3, 0.6);
    DyrtSettings dyrt = settings.dyrt;
    if (settings.natural) dyrt.least_frequency = kNaturalFrequency;
    out.parts = make_dyrt(*out.rig, std::move(flesh), dyrt, modes);
    if (settings.natural) note_slow_parts(out, settings.dyrt.material);
    out.took.emplace_back("modes", watch.lap());
    out.tracks.resize(out.rig->clips.size());
    for (const std::size_t clip : settings.clips) {
        for (const DyrtPart& part : out.parts) {
            progress.update(0.6, "baking");
            modes.check();
            out.tracks[clip].push_back(bake_clip(*out.rig, part, clip, settings.bake));
        }
    }
    for (std::size_t p = 0; p < out.parts.size() && !settings.clips.empty(); ++p) {
        modes.check();
        if (settings.natural) choose_stiffness(out, p, settings);
        limit(out, p, settings);
    }
    warn_of_reach(out);
    silence_resting_parts(out);
    out.took.emplace_back("clips", watch.lap());
    if (settings.error && !settings.clips.empty()) out.compared = shortest(*out.rig, settings.clips);
    BakeSettings coarse = settings.bake;
    coarse.substep = std::max(coarse.substep, kErrorStep);
    for (std::size_t p = 0; out.compared && p < out.parts.size(); ++p) {
        const auto n = static_cast<double>(out.parts.size());
        PartOfProgress share(progress, 0.6 + 0.3 * static_cast<double>(p) / n,
                             0.6 + 0.3 * static_cast<double>(p + 1) / n);
        out.errors.push_back(error_of(*out.rig, out.parts[p], *out.compared, coarse, share));
    }
    if (settings.error) out.took.emplace_back("error", watch.lap());
    out.exported = dyrt_rig(*out.rig, out.parts, out.tracks, settings.file);
    out.took.emplace_back("export", watch.lap());
    return out;
}

}  // namespace limber
