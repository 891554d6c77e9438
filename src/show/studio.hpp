// Studio: subjects, a camera and a stage become finished pictures. One camera, one colour range and one light for all
// of them, so that what looks different is different.
#pragma once

#include "render/camera.hpp"
#include "render/renderer.hpp"
#include "render/sheet.hpp"
#include "show/subject.hpp"

#include <limber/progress.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace limber {

struct StudioSettings {
    int width = 960, height = 640;  ///< [px] of the finished picture
    /// Unset: the subject's own, else three-quarter; planar subjects from the front.
    std::optional<ViewDirection> view;
    double distance = 1.0;  ///< times that at which everything just fits
    bool follow = false;    ///< the camera goes with the first subject
    Field field = Field::none;
    std::optional<ValueRange> range;  ///< in SI units; unset: of all subjects over all times shown
    bool wireframe = false, ground = true, skeleton = false, glyphs = true;
    bool caption = true;
    std::string heading;          ///< instead of the subject's title
    std::string remark;           ///< at the end of the caption, such as the speed of a movie
    std::vector<Vec3> around;     ///< what must be in the picture instead of everything: a part of a character [m]
    double from = 0.0, to = 0.0;  ///< the times that will be shown: camera and range suit them all [s]
};

class Studio {
public:
    /// `filmstrip`: this many pictures of the (single) subject in a row; 0 = every subject once, side by side.
    /// Throws Error{unsupported} without EGL, Error{bad_usage} for sizes.
    Studio(std::vector<std::unique_ptr<Subject>> subjects, const StudioSettings& settings, int filmstrip = 0);

    /// All subjects at one time.
    Image picture(double time);
    /// The subject at several times, as many as the constructor was told.
    Image filmstrip(const std::vector<double>& times);

    /// What the colours span, once measured.
    const std::optional<ValueRange>& range() const { return look_.range; }
    const std::vector<std::unique_ptr<Subject>>& subjects() const { return subjects_; }
    std::string renderer() const { return renderer_.about(); }
    /// What the pictures drawn so far lack, in words; "" for nothing.
    std::string lacks() const;
    int width() const { return settings_.width; }  ///< [px]
    int height() const { return settings_.height; }

private:
    void measure();
    void set_stage();
    Image shot(const Subject& subject, double time, const PanelBox& panel);
    SheetText words(const std::string& time_words, double time) const;

    std::vector<std::unique_ptr<Subject>> subjects_;
    StudioSettings settings_;
    SheetPlan plan_;
    SheetLayout layout_;
    SubjectLook look_;
    std::optional<Legend> legend_;
    DrawStage stage_;
    ViewDirection usual_view_;  ///< of subjects that have none of their own
    std::vector<Vec3> points_;  ///< everything that must be in the picture
    Vec3 start_;                ///< where the followed subject was first
    Renderer renderer_;
};

/// Times from `from` to `to`, `count` of them, evenly; one is the last.
std::vector<double> even_times(double from, double to, int count);
/// The times of a movie: every 1 / fps of the viewer's time, in which `speed` seconds of the subject pass per second.
/// At least one. Throws Error{bad_usage} when there would be more than a hundred thousand.
std::vector<double> movie_times(double from, double to, double fps, double speed);

/// "" while the subject's frames go on at `time`, otherwise where they ended: "ended at t = 0.30 s". `span`: the last
/// time shown [s].
std::string ended_words(const Subject& subject, double time, double span);

/// A value and its unit with the prefix that suits the largest value: 0.0042 m are 4.2 mm.
struct ShownUnit {
    std::string name;
    double factor = 1.0;  ///< values are divided by it
};
ShownUnit shown_unit(const std::string& si_unit, double largest);
/// From 0 to a round number at or above the largest value: one on which the legend has a tick.
ValueRange round_range(double largest);
/// A bar with round numbers for a range in SI units.
Legend make_legend(const FieldWords& words, const ValueRange& range);

}  // namespace limber
