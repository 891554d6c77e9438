#include "reproduce/jelly/jelly_pictures.hpp"

#include "core/text.hpp"
#include "report/files.hpp"
#include "show/produce.hpp"

#include <limber/error.hpp>

#include <algorithm>

namespace limber {
namespace {

struct JellyPicture {
    std::string name, title, caption;
};

class JellyArtist {
public:
    JellyArtist(Page& page, const std::string& directory, const JellyStudy& study, Progress& progress)
        : page_(page), directory_(directory), study_(study), progress_(progress) {}

    /// One body at several times, even steps between the two; a movie of the whole fall with --full.
    void strip(const JellyPicture& p, const Drop& drop, double from, double to, int count) {
        progress_.update(0.0, p.title);
        StudioSettings settings;
        settings.width = 1280;
        settings.height = 360;
        settings.from = from;
        settings.to = to;
        settings.heading = p.title;
        settings.field = Field::material;
        Studio studio(subjects(drop), settings, count);
        write_png(text(directory_, "/", p.name, ".png"), studio.filmstrip(even_times(from, to, count)), words(p));
        page_.photo({p.name + ".png", study_.settings.full ? movie(p, drop) : "", p.title, p.caption});
    }

    /// Several bodies at one time, each with its title.
    void row(const JellyPicture& p, const std::vector<std::pair<const Drop*, std::string>>& drops, double time) {
        progress_.update(0.0, p.title);
        std::vector<std::unique_ptr<Subject>> all;
        all.reserve(drops.size());
        for (const auto& [drop, title] : drops)
            all.push_back(make_body_subject(drop->recording, {title, drop->scene, nullptr, Field::material}));
        StudioSettings settings;
        settings.width = 1280;
        settings.height = 420;
        settings.from = settings.to = time;
        settings.heading = p.title;
        settings.field = Field::material;
        Studio studio(std::move(all), settings);
        write_png(text(directory_, "/", p.name, ".png"), studio.picture(time), words(p));
        page_.photo({p.name + ".png", "", p.title, p.caption});
    }

private:
    std::vector<std::unique_ptr<Subject>> subjects(const Drop& drop) const {
        std::vector<std::unique_ptr<Subject>> out;
        out.push_back(make_body_subject(drop.recording, {drop.scene->name, drop.scene, nullptr, Field::material}));
        return out;
    }

    FileWords words(const JellyPicture& p) const {
        return {p.title, text("made by ", provenance_line(), "; ", study_.settings.command)};
    }

    std::string movie(const JellyPicture& p, const Drop& drop) {
        if (find_ffmpeg().empty()) return {};
        StudioSettings settings;
        settings.width = 720;
        settings.height = 540;
        settings.to = drop.moments.back().time;
        settings.remark = "1/4 speed";
        settings.field = Field::material;
        Studio studio(subjects(drop), settings);
        MovieSettings film;
        write_movie(text(directory_, "/", p.name, ".mp4"), studio, movie_times(0.0, settings.to, film.fps, 0.25), film,
                    words(p), progress_);
        return p.name + ".mp4";
    }

    Page& page_;
    const std::string& directory_;
    const JellyStudy& study_;
    Progress& progress_;
};

double time_of(const Drop& drop, std::size_t moment) { return drop.moments[moment].time; }

std::size_t deepest_moment(const Drop& drop) {
    const auto lower = [](const DropMoment& a, const DropMoment& b) { return a.lowest < b.lowest; };
    return static_cast<std::size_t>(std::min_element(drop.moments.begin(), drop.moments.end(), lower) -
                                    drop.moments.begin());
}

/// The same fall while it is still a fall: only its start.
Drop before(const Drop& drop, std::size_t moment) {
    Drop out = drop;
    Recording start = *drop.recording;
    Frame frame = start.frames.front();
    for (Vec3& u : frame.displacement) u.y += 0.02 - drop.moments.front().lowest;  // two centimetres above the floor
    frame.time = time_of(drop, moment);
    start.frames = {frame};
    out.recording = std::make_shared<const Recording>(std::move(start));
    return out;
}

/// A moment as it would be without deformation.
Drop undeformed(const Drop& drop, std::size_t moment) {
    Drop out = drop;
    Recording rigid = *drop.recording;
    Frame frame = rigid.frames[moment];
    const DropMoment &now = drop.moments[moment], &rest = drop.moments.front();
    const Mat3 turn = to_matrix(now.rotation) * transpose(to_matrix(rest.rotation));
    for (std::size_t v = 0; v < frame.displacement.size(); ++v) {
        const Vec3& x = rigid.body->mesh().vertices[v];
        frame.displacement[v] = now.centre + turn * (x - rest.centre) - x;
    }
    rigid.frames = {frame};
    out.recording = std::make_shared<const Recording>(std::move(rigid));
    return out;
}

void draw_all(JellyArtist& artist, const JellyStudy& s) {
    artist.strip({"fig5_circle", "An elastic circle falls and bounces (Fig. 5)",
                  "Without internal friction; even steps of time."},
                 s.circle, 0.08, 0.36, 8);
    const Drop start = before(s.rubber, hardest(s.rubber));
    artist.row({"fig4_poisson", "Poisson's ratio (Fig. 4)",
                "Pressed by the same force at its hardest: rubber gives way to the sides, sponge does not."},
               {{&start, "before"}, {&s.rubber, "Poisson's ratio 0.4999"}, {&s.sponge, "Poisson's ratio 0.01"}},
               time_of(s.rubber, hardest(s.rubber)));
    artist.row({"fig8_alpha", "Alpha of (18) (Fig. 8)",
                "The ball at its hardest by two cross-sections with three values of alpha, and by its true surface."},
               {{&s.alphas[0].drop, "alpha 0.1"},
                {&s.alphas[1].drop, "alpha 1.5"},
                {&s.alphas[2].drop, "alpha 10"},
                {&s.alphas[3].drop, "true surface"}},
               time_of(s.alphas[3].drop, hardest(s.alphas[3].drop)));
    artist.strip({"fig9_sections", "An ellipsoid by two cross-sections (Fig. 9)", "As the paper does it."}, s.sections,
                 0.1, 0.3, 7);
    artist.strip({"fig9_surface", "The same by its true surface", "What the paper left for later."}, s.ellipsoid, 0.1,
                 0.3, 7);
    const std::size_t worst = deepest_moment(s.passes[0].drop);
    const Drop rigid = undeformed(s.passes[0].drop, worst);
    artist.row({"fig10_piercing", "The piercing fix (Fig. 10)",
                "A bar that comes down on one end: undeformed, after the first simulation, once more, and until "
                "nothing changes."},
               {{&rigid, "undeformed"},
                {&s.passes[0].drop, "first simulation"},
                {&s.passes[1].drop, "once more"},
                {&s.passes[2].drop, "until nothing changes"}},
               time_of(s.passes[0].drop, worst));
    artist.strip({"fig11_jelly", "A jelly falls upright (Fig. 11)", "It sticks, is stretched, and trembles."},
                 s.jellies[0].drop, 0.06, 0.34, 9);
    artist.strip(
        {"fig12_jelly", "A jelly falls tilted and from higher (Fig. 12)", "It lands on its edge, sways and settles."},
        s.jellies[1].drop, 0.1, 0.98, 9);
}

}  // namespace

void add_jelly_pictures(Page& page, const std::string& directory, const JellyStudy& study, Progress& progress) {
    try {
        JellyArtist artist(page, directory, study, progress);
        draw_all(artist, study);
    } catch (const Error& error) {
        if (error.fault() != Fault::unsupported) throw;  // the page is worth more than its pictures
        page.paragraph(text("Pictures are missing here: ", error.what(), "."));
    }
}

}  // namespace limber
