// Subjects: things that can be shown. Each adds itself to a draw list as it is at a time.
#pragma once

#include "render/camera.hpp"
#include "render/draw_list.hpp"
#include "show/field.hpp"

#include <limber/mesh.hpp>
#include <limber/progress.hpp>
#include <limber/tools/flesh.hpp>
#include <limber/tools/recording.hpp>
#include <limber/tools/rig.hpp>
#include <limber/tools/scene.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace limber {

/// How all subjects of a picture are drawn.
struct SubjectLook {
    Field field = Field::none;
    std::optional<ValueRange> range{};  ///< of the field; unset while it is being measured
    bool wireframe = false;
    bool glyphs = true;       ///< anchors, handles, forces
    bool skeleton = false;    ///< bones, in front of the skin
    double glyph_size = 0.0;  ///< [m]; 0: none are drawn
};

class Subject {
public:
    virtual ~Subject() = default;

    virtual std::string title() const = 0;  ///< "cantilever, linear_fem"
    virtual std::string line(double time) const {
        static_cast<void>(time);
        return {};
    }  ///< of the caption, after the time
    /// How far it is from what it is compared with, in words; "" when it is not.
    virtual std::string figure(double time) const {
        static_cast<void>(time);
        return {};
    }
    virtual double begin() const { return 0.0; }  ///< [s]
    virtual double end() const { return 0.0; }    ///< the same for things that do not move
    /// Where its frames end although others go on; unset for things that repeat or stand still [s].
    virtual std::optional<double> last_time() const { return {}; }
    /// The moment that shows most, and why in a few words.
    virtual double preferred_time(std::string& why) const {
        why.clear();
        return begin();
    }
    /// Times between its frames mean nothing; 0 = any rate is as good [1/s].
    virtual double frame_rate() const { return 0.0; }
    virtual bool planar() const { return false; }
    /// Where the ground is that it stands on or falls to; unset: wherever the picture has room for it [m].
    virtual std::optional<double> ground_level() const { return {}; }
    /// From where to look at it unless the user says; unset: the studio's own choice.
    virtual std::optional<ViewDirection> preferred_view() const { return {}; }
    /// Colours without numbers, by name (materials); empty for others.
    virtual std::vector<std::pair<Colour, std::string>> named_colours(const SubjectLook& look) const {
        static_cast<void>(look);
        return {};
    }

    /// What it is drawn without (pictures that are missing), one line each.
    virtual std::vector<std::string> remarks() const { return {}; }

    /// Adds what is seen at `time`. The first mesh added is the subject itself: cameras follow its middle.
    virtual void draw(double time, const SubjectLook& look, DrawList& out) const = 0;
};

/// What a recording shows beside its frames.
struct BodySubjectSettings {
    std::string title;                           ///< "" = scene and method
    std::shared_ptr<const Scene> scene;          ///< for the forces; may be null
    std::shared_ptr<const Recording> reference;  ///< for differences; may be null
    Field field = Field::none;
    double stretch = 1.0;  ///< displacements are drawn so many times as large; values stay what they are
};
/// Throws Error{bad_data} for a recording without frames, and what FieldOnBody throws.
std::unique_ptr<Subject> make_body_subject(std::shared_ptr<const Recording> recording,
                                           const BodySubjectSettings& settings);

/// A colour per part and vertex instead of a character's own looks, and what the colours mean.
struct RigPaint {
    std::vector<std::vector<Colour>> colours;  ///< empty: its own looks
    /// Or a colour per vertex of a part as the pose has it.
    std::function<std::vector<Colour>(std::size_t part, const Pose& pose)> of_pose{};
    std::vector<std::pair<Colour, std::string>> names;
};
/// A character (or any glTF model) playing one of its clips; without one, at rest.
std::unique_ptr<Subject> make_rig_subject(std::shared_ptr<const Rig> rig, std::optional<std::size_t> clip,
                                          const std::string& title, RigPaint paint = {});
/// A region on the skin at rest: what is free, what is held, and the seam between.
std::unique_ptr<Subject> make_region_subject(std::shared_ptr<const Rig> rig, const Region& region,
                                             const std::string& title);
/// Flesh parts of a rig, all in one picture: on its skin in the bind pose, with the bones found in them in front; and
/// the solids cut open, with what holds them.
std::vector<std::unique_ptr<Subject>> make_flesh_subjects(const Rig& rig, const std::vector<FleshPart>& parts);

/// Things that stand still. Colours per face are paints.
struct SurfacePaint {
    std::vector<Colour> paints;
    std::vector<std::int32_t> of_face;  ///< into paints; empty: none
    std::vector<std::string> names;     ///< of the paints, for the legend; "" are left out
};
std::unique_ptr<Subject> make_surface_subject(Surface surface, const std::string& title, SurfacePaint paint = {});
std::unique_ptr<Subject> make_mesh_subject(const Mesh& mesh, const std::string& title);

/// What the doctor finds, in colour: rims of holes, edges and places shared by too many, faces that look the wrong way,
/// cross others or have no area. One subject, or two to be shown side by side when no single view has (nearly) all
/// faults on its side; `title` is that of one, two are called by their sides. Throws Error{interrupted},
/// Error{bad_mesh} when no face can be shown.
std::vector<std::unique_ptr<Subject>> make_fault_subjects(const Surface& surface, const std::string& title,
                                                          Progress& progress);

}  // namespace limber
