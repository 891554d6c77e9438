#include "show/studio.hpp"

#include "core/text.hpp"
#include "render/glyphs.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr int kLooks = 25;                 // times at which the subjects are looked at before the first picture
constexpr std::size_t kMostPoints = 4000;  // of one mesh at one time that the camera must hold

/// Middle of the subject's own mesh.
Vec3 middle_of(const DrawList& list) { return list.meshes.empty() ? Vec3{} : box_of(list.meshes.front()).centre(); }

std::string time_words(double time, double span) {
    const int decimals = span >= 10.0 ? 1 : span >= 0.5 ? 2 : span >= 0.05 ? 3 : 4;
    return fmt::format("t = {:.{}f} s", time, decimals);
}

/// The time that a subject shows when asked for `time`: one whose frames have ended shows its last.
double own_time(const Subject& subject, double time) { return std::min(time, subject.last_time().value_or(time)); }

std::string joined_words(const std::string& a, const std::string& b) {
    return a.empty() || b.empty() ? a + b : text(a, ", ", b);
}

}  // namespace

std::string ended_words(const Subject& subject, double time, double span) {
    const double own = own_time(subject, time);
    return time - own > 1e-6 * std::abs(time) ? text("ended at ", time_words(own, span)) : std::string();
}

ValueRange round_range(double largest) {
    if (!(largest > 0.0) || !std::isfinite(largest)) return {0.0, 1.0, ColourMap::sequential};
    const double power = std::pow(10.0, std::floor(std::log10(largest)));
    for (const double digit : {1.0, 1.2, 1.6, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0})
        if (largest <= digit * power * (1 + 1e-9)) return {0.0, digit * power, ColourMap::sequential};
    return {0.0, 10.0 * power, ColourMap::sequential};
}

std::vector<double> even_times(double from, double to, int count) {
    std::vector<double> out;
    out.reserve(static_cast<std::size_t>(std::max(count, 0)));
    for (int i = 0; i < count; ++i) out.push_back(count == 1 ? to : from + (to - from) * i / (count - 1));
    return out;
}

std::vector<double> movie_times(double from, double to, double fps, double speed) {
    const double count = std::floor((to - from) * fps / speed + 1e-6) + 1;
    if (!(count >= 1.0) || count > 100000) {
        throw Error(Fault::bad_usage, {}, text("a movie of ", count, " frames"),
                    "1 to 100000 (see --fps, --speed, --from and --to)");
    }
    std::vector<double> out;
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
        out.push_back(std::min(to, from + static_cast<double>(k) * speed / fps));
    return out;
}

Studio::Studio(std::vector<std::unique_ptr<Subject>> subjects, const StudioSettings& settings, int filmstrip)
    : subjects_(std::move(subjects)), settings_(settings) {
    look_.field = settings.field;
    look_.wireframe = settings.wireframe;
    look_.glyphs = settings.glyphs;
    look_.skeleton = settings.skeleton;
    look_.range = settings.range;
    plan_.width = settings.width;
    plan_.height = settings.height;
    plan_.panels = filmstrip > 0 ? filmstrip : static_cast<int>(subjects_.size());
    plan_.one_row = filmstrip > 0;
    plan_.caption = settings.caption;
    measure();
    plan_.legend = legend_.has_value();
    layout_ = sheet_layout(plan_);
    set_stage();
}

/// Looks at every subject at some of the times: how far it reaches, which values it has.
void Studio::measure() {
    DrawBox rest;
    for (const auto& subject : subjects_) {
        DrawList list;
        subject->draw(settings_.from, look_, list);
        rest.add(box_of(list));
    }
    look_.glyph_size = glyph_size(rest);
    double largest = 0.0;
    for (const auto& subject : subjects_) {
        for (const double time : even_times(settings_.from, settings_.to, settings_.to > settings_.from ? kLooks : 1)) {
            DrawList list;
            subject->draw(own_time(*subject, time), look_, list);
            if (subject == subjects_.front() && time == settings_.from) start_ = middle_of(list);
            const Vec3 back = settings_.follow ? start_ - middle_of(list) : Vec3{};
            DrawBox whole;
            for (const DrawMesh& mesh : list.meshes) {
                if (mesh.backdrop) continue;
                const std::size_t stride = 1 + mesh.positions.size() / kMostPoints;
                for (std::size_t v = 0; v < mesh.positions.size(); v += stride)
                    points_.push_back(mesh.positions[v] + back);
                for (const double value : mesh.values)
                    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
                whole.add(box_of(mesh));
            }
            if (!whole.empty()) {
                if (!stage_.extent) stage_.extent = {whole.low, whole.high};
                DrawBox all{(*stage_.extent)[0], (*stage_.extent)[1]};
                all.add(whole);
                stage_.extent = {all.low, all.high};
            }
        }
    }
    if (!settings_.around.empty()) points_ = settings_.around;
    const FieldWords words = words_of(settings_.field);
    if (*words.title != '\0') {
        if (!look_.range) look_.range = round_range(largest);
        if (is_signed(settings_.field)) {
            if (!settings_.range) look_.range->low = -look_.range->high;
            look_.range->map = ColourMap::diverging;
        }
        legend_ = make_legend(words, *look_.range);
        return;
    }
    for (const auto& subject : subjects_) {
        for (const auto& [colour, name] : subject->named_colours(look_)) {
            if (!legend_) legend_.emplace();
            const bool known = std::any_of(legend_->entries.begin(), legend_->entries.end(),
                                           [&n = name](const Legend::Entry& e) { return e.label == n; });
            if (!known) legend_->entries.push_back({colour, name});
        }
    }
}

void Studio::set_stage() {
    const bool planar = std::all_of(subjects_.begin(), subjects_.end(), [](const auto& s) { return s->planar(); });
    stage_.ground.kind = !settings_.ground ? DrawGround::Kind::none
                         : planar          ? DrawGround::Kind::wall
                                           : DrawGround::Kind::floor;
    for (const auto& subject : subjects_) {
        if (const std::optional<double> level = subject->ground_level())
            stage_.ground.level = std::min(*level, stage_.ground.level.value_or(*level));
    }
    usual_view_ = planar ? ViewDirection{0.0, 0.0} : parse_view("three-quarter");
}

Image Studio::shot(const Subject& subject, double time, const PanelBox& panel) {
    DrawList list;
    list.stage = stage_;
    subject.draw(own_time(subject, time), look_, list);
    Framing framing;
    framing.direction = settings_.view ? *settings_.view : subject.preferred_view().value_or(usual_view_);
    framing.width = panel.width;
    framing.height = panel.height;
    framing.orthographic = subject.planar();
    Camera camera = fit_camera(points_, framing);
    camera.eye = camera.target + settings_.distance * (camera.eye - camera.target);
    camera.height *= settings_.distance;
    if (settings_.follow) camera = moved(camera, middle_of(list) - start_);
    return renderer_.draw(list, camera, {panel.width, panel.height, 4});
}

SheetText Studio::words(const std::string& when, double time) const {
    SheetText out;
    out.legend = legend_;
    if (!settings_.caption) return out;
    const Subject& first = *subjects_.front();
    const bool alone = subjects_.size() == 1;
    out.heading = !settings_.heading.empty() ? settings_.heading : alone ? first.title() : "";
    out.line = joined_words(joined_words(when, alone ? first.line(time) : ""), joined_words(settings_.remark, lacks()));
    return out;
}

std::string Studio::lacks() const {
    return renderer_.left_out_shadows() ? "no shadows: faces lie on each other by the thousand" : "";
}

Image Studio::picture(double time) {
    std::vector<SheetPanel> panels;
    const bool moves = std::any_of(subjects_.begin(), subjects_.end(),
                                   [](const auto& s) { return s->end() > s->begin(); });
    for (std::size_t s = 0; s < subjects_.size(); ++s) {
        const Subject& subject = *subjects_[s];
        const std::string ended = moves ? ended_words(subject, time, settings_.to) : "";
        panels.push_back({shot(subject, time, layout_.panels[s]), subjects_.size() > 1 ? subject.title() : "",
                          joined_words(ended, subject.figure(own_time(subject, time)))});
    }
    return compose_sheet(plan_, panels, words(moves ? time_words(time, settings_.to) : "", time));
}

Image Studio::filmstrip(const std::vector<double>& times) {
    std::vector<SheetPanel> panels;
    for (std::size_t i = 0; i < times.size() && i < layout_.panels.size(); ++i) {
        panels.push_back({shot(*subjects_.front(), times[i], layout_.panels[i]), "",
                          joined_words(time_words(times[i], settings_.to),
                                       ended_words(*subjects_.front(), times[i], settings_.to))});
    }
    return compose_sheet(plan_, panels, words("", times.empty() ? 0.0 : times.back()));
}

}  // namespace limber
