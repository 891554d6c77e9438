#include "dyrt/pictures.hpp"

#include "core/text.hpp"
#include "dyrt/output.hpp"
#include "report/files.hpp"
#include "report/table.hpp"
#include "show/produce.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace limber {
namespace {

constexpr std::size_t kModesShown = 6;  // in one picture
constexpr double kModeReach = 0.16;     // how far a mode is shown to move, of the part's middle side
constexpr double kClipRate = 20.0, kClipSeconds = 3.0;
constexpr Colour kStill = rgb(0xC9CDD2);

Colour mixed(const Colour& a, const Colour& b, float t) {
    return {a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b), 1.0F};
}

/// Grey where nothing moves, then the map's colours up to `most` [m].
Colour colour_of_motion(double distance, double most) {
    const double t = std::min(1.0, distance / most);
    return mixed(kStill, sample(ColourMap::sequential, t), static_cast<float>(std::min(1.0, 5.0 * t)));
}

/// The corners of the part's box, a little larger.
std::vector<Vec3> around(const DyrtPart& part) {
    Vec3 low = part.flesh.mesh.vertices[0], high = low;
    for (const Vec3& x : part.flesh.mesh.vertices) {
        for (int a = 0; a < 3; ++a) {
            low[a] = std::min(low[a], x[a]);
            high[a] = std::max(high[a], x[a]);
        }
    }
    const Vec3 more = (high - low) * 0.1;
    std::vector<Vec3> out;
    for (int corner = 0; corner < 8; ++corner) {
        Vec3 x;
        for (int a = 0; a < 3; ++a) x[a] = (corner >> a) & 1 ? high[a] + more[a] : low[a] - more[a];
        out.push_back(x);
    }
    return out;
}

double middle_side(const DyrtPart& part) {
    const std::vector<Vec3> box = around(part);
    std::array<double, 3> sides{};
    for (int a = 0; a < 3; ++a) sides[static_cast<std::size_t>(a)] = box[7][a] - box[0][a];
    std::sort(sides.begin(), sides.end());
    return sides[1];
}

/// The skin as the bind pose has it, without bones.
void remove_motion(Rig& rig) {
    const Pose bind = bind_pose(rig);
    for (std::size_t s = 0; s < rig.parts.size(); ++s) {
        std::vector<Vec3> positions(rig.parts[s].positions.size()), normals(rig.parts[s].normals.size());
        skin(rig, s, bind, positions, normals);
        rig.parts[s].positions = std::move(positions);
        rig.parts[s].normals = std::move(normals);
    }
    for (SkinPart& part : rig.parts) {
        part.influences.clear();
        part.binding = part.joint = -1;
    }
    rig.bindings.clear();
    rig.joints.clear();
}

/// The character in the bind pose with one oscillator out, coloured by how far each vertex goes.
std::unique_ptr<Subject> mode_subject(const DyrtCharacter& c, std::size_t part, std::size_t k) {
    const DyrtPart& p = c.parts[part];
    auto rig = std::make_shared<Rig>(*c.rig);
    rig->clips.clear();
    for (SkinPart& s : rig->parts) s.morphs.clear();
    const double amplitude = kModeReach * middle_side(p);
    const std::size_t n = p.vertices.size();
    RigPaint paint;
    for (const SkinPart& s : rig->parts) paint.colours.emplace_back(s.positions.size(), kStill);
    double most = 0.0;
    for (std::size_t i = 0; i < n; ++i) most = std::max(most, norm(p.displacements[k * n + i]));
    for (std::size_t i = 0; i < n; ++i) {
        SkinPart& s = rig->parts[static_cast<std::size_t>(p.vertices[i].part)];
        const auto v = static_cast<std::size_t>(p.vertices[i].vertex);
        s.positions[v] += p.displacements[k * n + i] * amplitude;
        if (!s.normals.empty()) s.normals[v] = p.vertices[i].normal + p.corrections[k * n + i] * amplitude;
        const double t = most > 0.0 ? norm(p.displacements[k * n + i]) / most : 0.0;
        paint.colours[static_cast<std::size_t>(p.vertices[i].part)][v] = colour_of_motion(t, 1.0);
    }
    remove_motion(*rig);
    if (k == 0) {
        for (const auto& [t, name] :
             {std::pair{0.0, "still"}, {0.33, "a third"}, {0.67, "two thirds"}, {1.0, "farthest"}}) {
            paint.names.emplace_back(t == 0.0 ? kStill : sample(ColourMap::sequential, t), name);
        }
    }
    return make_rig_subject(rig, std::nullopt,
                            text(p.name(), ":", k, ", ", short_number(p.omega[k] / (2.0 * std::numbers::pi), 3), " Hz"),
                            std::move(paint));
}

Page::Photo draw_modes(const std::string& directory, const DyrtCharacter& c, std::size_t part, const std::string& file,
                       const std::string& about) {
    const DyrtPart& p = c.parts[part];
    const std::size_t count = std::min(p.modes, kModesShown);
    std::vector<std::unique_ptr<Subject>> subjects;
    for (std::size_t k = 0; k < count; ++k) subjects.push_back(mode_subject(c, part, k));
    StudioSettings settings;
    settings.width = count > 1 ? 1200 : 640;
    settings.height = count > 3 ? 900 : 480;
    settings.around = around(p);
    settings.ground = false;
    const std::string title = text("Modes of ", p.name());
    write_still(text(directory, "/", file), std::move(subjects), settings, {title, about});
    return {file, "", title,
            text("In the bind pose, ",
                 p.modes > count ? text("the first ", count, " of ", p.modes) : text(counted(count, "mode")),
                 ", each out by ", short_number(1e3 * kModeReach * middle_side(p), 3), " mm at its farthest.")};
}

/// As long as can be watched: short clips that repeat go round several times.
double shown_until(const DyrtCharacter& c, std::size_t clip) {
    const double duration = c.rig->clips[clip].duration;
    if (!c.tracks[clip].front().looped) return std::min(duration, 2.0 * kClipSeconds);
    return duration >= kClipSeconds ? std::min(duration, 2.0 * kClipSeconds)
                                    : duration * std::ceil(0.5 * kClipSeconds / duration);
}

/// Where the flesh has moved most, of the frames.
double preferred_time(const DyrtCharacter& c, std::size_t clip) {
    double most = -1.0, out = 0.0;
    const std::vector<DyrtTrack>& tracks = c.tracks[clip];
    for (std::size_t f = 0; f < tracks.front().times.size(); ++f) {
        double sum = 0.0;
        for (std::size_t p = 0; p < c.parts.size(); ++p) {
            for (std::size_t k = 0; k < c.parts[p].count(); ++k)
                sum += std::pow(tracks[p].amplitudes[f * c.parts[p].count() + k], 2);
        }
        if (sum > most) {
            most = sum;
            out = tracks.front().times[f];
        }
    }
    return out;
}

/// The exported character, coloured by how far the flesh is from where skinning alone would have it (in the skin's own
/// space).
std::unique_ptr<Subject> motion_subject(std::shared_ptr<const Rig> rig, const Rig& source,
                                        std::span<const std::int32_t> source_of, std::size_t clip,
                                        const DyrtReach& reach) {
    std::vector<std::size_t> own;
    for (const std::int32_t s : source_of) own.push_back(source.parts[static_cast<std::size_t>(s)].morphs.size());
    RigPaint paint;
    paint.of_pose = [rig, own, most = reach.own](std::size_t part, const Pose& pose) {
        const SkinPart& p = rig->parts[part];
        std::vector<Colour> out;
        for (std::size_t v = 0; v < p.positions.size(); ++v) {
            Vec3 u;
            for (std::size_t m = own[part]; m < p.morphs.size(); ++m)
                u += p.morphs[m].positions[v] * pose.weights[part][m];
            out.push_back(colour_of_motion(norm(u), most));
        }
        return out;
    };
    paint.names.emplace_back(kStill, "still");
    for (const int third : {1, 2, 3}) {
        paint.names.emplace_back(sample(ColourMap::sequential, third / 3.0),
                                 text(short_number(1e3 * reach.world * third / 3.0, reach.world < 0.1 ? 2 : 3), " mm"));
    }
    return make_rig_subject(std::move(rig), clip, "how far it moves", std::move(paint));
}

/// Of the part that moves farthest.
DyrtReach farthest(const DyrtCharacter& c, std::size_t clip) {
    DyrtReach out;
    for (std::size_t p = 0; p < c.parts.size(); ++p)
        if (const DyrtReach one = largest_motion(c, p, clip); one.own > out.own) out = one;
    return out;
}

Page::Photo draw_movie(const std::string& directory, const DyrtCharacter& c, std::size_t clip, const std::string& about,
                       Progress& progress) {
    std::vector<std::unique_ptr<Subject>> subjects;
    subjects.push_back(make_rig_subject(c.rig, clip, "as it was"));
    const auto made = std::make_shared<const Rig>(c.exported.rig);
    subjects.push_back(make_rig_subject(made, clip, "with DyRT"));
    if (const DyrtReach reach = farthest(c, clip); reach.own > 0.0)
        subjects.push_back(motion_subject(made, *c.rig, c.exported.source, clip, reach));
    StudioSettings settings;
    settings.width = 960;
    settings.height = 420;
    const double until = shown_until(c, clip), speed = until < 0.5 * kClipSeconds ? 0.5 : 1.0;
    settings.to = until;
    settings.remark = speed_words(speed);
    const std::string name = clip_words(*c.rig, clip), title = text(name, ", with and without");
    Studio studio(std::move(subjects), settings);
    write_png(text(directory, "/movie.png"), studio.picture(preferred_time(c, clip)), {title, about});
    Page::Photo out{"movie.png", "", title,
                    "As it was, as the GLB plays it, and how far the flesh is from where skinning alone has it. The "
                    "picture is of the moment when it has moved most."};
    if (find_ffmpeg().empty()) {
        out.caption += " There is no movie: ffmpeg is not installed.";
        return out;
    }
    MovieSettings movie;
    movie.fps = kClipRate;
    write_movie(text(directory, "/movie.mp4"), studio, movie_times(0.0, until, kClipRate, speed), movie, {title, about},
                progress);
    out.movie = "movie.mp4";
    return out;
}

}  // namespace

DyrtPictures draw_dyrt(const std::string& directory, const DyrtCharacter& c, std::optional<std::size_t> clip,
                       const std::string& about, Progress& progress) {
    DyrtPictures out;
    const std::string words = text("made by ", provenance_line(), "; ", about);
    std::set<std::string> taken;
    try {
        for (std::size_t p = 0; p < c.parts.size(); ++p) {
            if (progress.stop_requested()) throw Error(Fault::interrupted, {directory, 0, {}}, "interrupted", "");
            out.modes.push_back(
                draw_modes(directory, c, p, text("modes_", file_name(c.parts[p].name(), taken), ".png"), words));
        }
        if (clip) out.movie = draw_movie(directory, c, *clip, words, progress);
    } catch (const Error& error) {
        if (error.fault() != Fault::unsupported) throw;
        out.missing = error.what();
    }
    return out;
}

}  // namespace limber
