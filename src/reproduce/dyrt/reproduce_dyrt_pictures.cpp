// Figures 1, 3 and 4 of the DyRT paper, with our character.
#include "reproduce/dyrt/reproduce_dyrt_pictures.hpp"

#include "core/text.hpp"
#include "dyrt/pictures.hpp"
#include "show/produce.hpp"

#include <limber/error.hpp>

#include <algorithm>

namespace limber {
namespace {

constexpr std::size_t kJumpClip = 1;
constexpr double kPulled = 0.05;  // how far figure 3 pulls the mode [m]

DyrtCharacter character_of(const DyrtStudy& study) {
    DyrtCharacter out;
    out.rig = std::make_shared<const Rig>(study.rig);
    out.parts = study.parts;
    for (std::size_t clip = 0; clip < study.rig.clips.size(); ++clip) {
        std::vector<DyrtTrack>& tracks = out.tracks.emplace_back();
        for (const DyrtPart& part : study.parts) tracks.push_back(bake_clip(study.rig, part, clip, {}));
    }
    out.exported = dyrt_rig(study.rig, study.parts, out.tracks, {.client = DyrtExport::Client::three});
    return out;
}

/// The first thigh, pulled along its first mode; the humanoid's own space is its bind pose.
std::unique_ptr<Subject> pulled(const DyrtStudy& study, double amplitude, bool corrected, const std::string& title) {
    auto rig = std::make_shared<Rig>(study.rig);
    rig->clips.clear();
    const DyrtPart& part = study.parts[0];
    for (std::size_t i = 0; i < part.vertices.size(); ++i) {
        SkinPart& skin = rig->parts[static_cast<std::size_t>(part.vertices[i].part)];
        const auto v = static_cast<std::size_t>(part.vertices[i].vertex);
        skin.positions[v] += part.displacements[i] * amplitude;
        if (corrected) skin.normals[v] = part.vertices[i].normal + part.corrections[i] * amplitude;
        skin.normals[v] = skin.normals[v] / norm(skin.normals[v]);
    }
    RigPaint plain;  // one light colour: this is about shading
    for (const SkinPart& skin : rig->parts) plain.colours.emplace_back(skin.positions.size(), rgb(0xD8CFC4));
    return make_rig_subject(rig, std::nullopt, title, std::move(plain));
}

Page::Photo draw_normals(const std::string& directory, const DyrtStudy& study, const std::string& about) {
    std::vector<std::unique_ptr<Subject>> subjects;
    subjects.push_back(pulled(study, 0.0, false, "at rest"));
    subjects.push_back(pulled(study, kPulled, false, "normals left as they were"));
    subjects.push_back(pulled(study, kPulled, true, "normals corrected by (21)"));
    StudioSettings settings;
    settings.width = 1080;
    settings.height = 480;
    settings.ground = false;
    settings.around = study.parts[0].flesh.mesh.vertices;
    const std::string title = "Normals with and without correction (Fig. 3)";
    write_still(directory + "/normals.png", std::move(subjects), settings, {title, about});
    return {"normals.png", "", title, "The left thigh pulled by 5 cm along its first mode."};
}

Page::Photo draw_jump(const std::string& directory, const DyrtCharacter& c, const std::string& about) {
    constexpr int kPictures = 6;
    std::vector<std::unique_ptr<Subject>> subjects;
    subjects.push_back(make_rig_subject(std::make_shared<const Rig>(c.exported.rig), kJumpClip, "jump"));
    StudioSettings settings;
    settings.width = 1200;
    settings.height = 420;
    settings.to = c.rig->clips[kJumpClip].duration;
    const std::string title = "The jump (Fig. 4)";
    Studio studio(std::move(subjects), settings, kPictures);
    write_png(directory + "/jump.png", studio.filmstrip(even_times(0.25 * settings.to, 0.85 * settings.to, kPictures)),
              {title, about});
    return {"jump.png", "", title, "Crouch, flight and landing; thighs and belly go on for a while."};
}

}  // namespace

void add_dyrt_study_pictures(Page& page, const std::string& directory, const DyrtStudy& study, Progress& progress) {
    const DyrtCharacter c = character_of(study);
    const std::string about = study.settings.command;
    const DyrtPictures drawn = draw_dyrt(directory, c, kJumpClip, about, progress);
    try {
        page.photo(draw_normals(directory, study, about));
        page.photo(draw_jump(directory, c, about));
    } catch (const Error& error) {
        if (error.fault() != Fault::unsupported) throw;
    }
    if (drawn.movie) page.photo(*drawn.movie);
    for (const Page::Photo& photo : drawn.modes) page.photo(photo);
    if (!drawn.missing.empty()) page.paragraph(text("Pictures cannot be drawn: ", drawn.missing));
}

}  // namespace limber
