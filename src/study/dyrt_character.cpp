#include "study/dyrt_character.hpp"

#include "core/part_of_progress.hpp"
#include "core/text.hpp"
#include "geometry/triangles.hpp"
#include "study/dyrt_output.hpp"

#include <algorithm>
#include <ctime>

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

constexpr double kErrorStep = 1.0 / 240.0;      // [s]: finite elements take most of the time, and swing at a few hertz

std::size_t shortest(const Rig& rig, const std::vector<std::size_t>& clips) {
    return *std::min_element(clips.begin(), clips.end(), [&](std::size_t a, std::size_t b) { return rig.clips[a].duration < rig.clips[b].duration; });
}

constexpr double kLinearReach = 0.15;        // of a part's size: what moves farther looks swollen

void warn_of_reach(DyrtCharacter& c) {
    for (std::size_t p = 0; p < c.parts.size(); ++p) {
        double reach = 0.0;
        for (std::size_t clip = 0; clip < c.tracks.size(); ++clip) reach = std::max(reach, largest_motion(c, p, clip).world);
        const double size = box_of(c.parts[p].flesh.mesh.vertices).diagonal();
        if (reach > kLinearReach * size)
            c.parts[p].warnings.push_back(text("it moves by ", short_number(1e3 * reach, 3), " mm and is ", short_number(1e3 * size, 3), " mm large: linear shapes look swollen there; a higher --frequency or a lower --amount would help"));
    }
}

}  // namespace

DyrtCharacter make_dyrt_character(std::shared_ptr<const Rig> rig, const DyrtCharacterSettings& settings, Progress& progress) {
    DyrtCharacter out;
    out.rig = std::move(rig);
    Watch watch;
    PartOfProgress filling(progress, 0.0, 0.3);
    std::vector<FleshPart> flesh = settings.layered ? layered_flesh(*out.rig, settings.regions, settings.flesh, filling) : make_flesh(*out.rig, settings.regions, settings.flesh, filling);
    out.took.emplace_back("solids", watch.lap());
    PartOfProgress modes(progress, 0.3, 0.6);
    out.parts = make_dyrt(*out.rig, std::move(flesh), settings.dyrt, modes);
    out.took.emplace_back("modes", watch.lap());
    out.tracks.resize(out.rig->clips.size());
    for (const std::size_t clip : settings.clips)
        for (const DyrtPart& part : out.parts) {
            progress.update(0.6, "baking");
            modes.check();
            out.tracks[clip].push_back(bake_clip(*out.rig, part, clip, settings.bake));
        }
    warn_of_reach(out);
    out.took.emplace_back("clips", watch.lap());
    if (settings.error && !settings.clips.empty()) out.compared = shortest(*out.rig, settings.clips);
    BakeSettings coarse = settings.bake;
    coarse.substep = std::max(coarse.substep, kErrorStep);
    for (std::size_t p = 0; out.compared && p < out.parts.size(); ++p) {
        const auto n = static_cast<double>(out.parts.size());
        PartOfProgress share(progress, 0.6 + 0.3 * static_cast<double>(p) / n, 0.6 + 0.3 * static_cast<double>(p + 1) / n);
        out.errors.push_back(error_of(*out.rig, out.parts[p], *out.compared, coarse, share));
    }
    if (settings.error) out.took.emplace_back("error", watch.lap());
    out.exported = dyrt_rig(*out.rig, out.parts, out.tracks, settings.file);
    out.took.emplace_back("export", watch.lap());
    return out;
}

}  // namespace limber
