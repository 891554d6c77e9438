#include "cli/render_inputs.hpp"

#include "cli/mesh_files.hpp"
#include "core/text.hpp"
#include "rig/rig_size.hpp"

#include <limber/tools/mesh_io.hpp>
#include <limber/tools/painted_surface.hpp>
#include <limber/tools/rig_io.hpp>
#include <limber/tools/series.hpp>
#include <limber/tools/sim.hpp>

#include <algorithm>
#include <filesystem>

namespace limber::cli {
namespace {

struct Named {
    std::string title, path;  ///< title "" = the input's own
};

/// TITLE=FILE where the whole is not itself a file.
Named named(const std::string& word) {
    const std::size_t equals = word.find('=');
    std::error_code ignored;
    if (equals == std::string::npos || std::filesystem::exists(word, ignored)) return {"", word};
    return {word.substr(0, equals), word.substr(equals + 1)};
}

bool is_one_of(const std::string& ending, std::initializer_list<const char*> all) {
    return std::any_of(all.begin(), all.end(), [&](const char* e) { return ending == e; });
}
bool is_scene(const std::string& ending) { return ending == ".json"; }
bool is_recording(const std::string& ending) { return ending == ".limber"; }
bool is_body(const std::string& path) { return is_scene(ending_of(path)) || is_recording(ending_of(path)); }

/// A recording, and the scene it came from when it was run here.
struct Played {
    std::shared_ptr<const Recording> recording;
    std::shared_ptr<const Scene> scene;
};

class Loader {
public:
    Loader(const RenderInputs& inputs, bool talk, Progress& progress)
        : inputs_(inputs), talk_(talk), progress_(progress) {}

    LoadedInputs load() {
        if (!inputs_.reference.empty()) reference_ = play(inputs_.reference).recording;
        for (const std::string& word : inputs_.files) {
            const std::string path = named(word).path;
            played_.push_back(is_body(path) ? play(path) : Played{});
        }
        choose_field();
        for (std::size_t i = 0; i < inputs_.files.size(); ++i) add(named(inputs_.files[i]), played_[i]);
        return std::move(out_);
    }

private:
    Played play(const std::string& path) {
        const std::string ending = ending_of(path);
        Played out;
        if (is_scene(ending)) {
            auto scene = std::make_shared<Scene>(read_scene(path, inputs_.sets, {&progress_}));
            if (talk_) warn_of_scene_models(path, inputs_.sets);
            RunSettings settings;
            settings.stress = is_stress(inputs_.field) && inputs_.field_given;
            settings.on_remark = [&](const std::string& line) {
                if (talk_) complain(text("note: ", line));
            };
            RunResult result = run_scene(*scene, settings, progress_);
            if (result.interrupted) {
                throw Error(Fault::interrupted, {path, 0, {}},
                            text("stopped while running, at ", result.end_time, " s; nothing was written"));
            }
            if (!result.ok()) {
                complain(text(path, ": ", result.message));
                out_.trouble = true;
            } else if (!result.message.empty() && talk_) {
                complain(text("warning: ", path, ": ", result.message));
            }
            out.recording = std::make_shared<const Recording>(std::move(result.recording));
            out.scene = scene;
        } else if (is_recording(ending)) {
            auto recording = std::make_shared<Recording>(read_recording(path));
            if (recording->cut_short && talk_)
                complain(text("warning: ", path, ": cut short; it is shown as far as it goes"));
            out.recording = recording;
        } else {
            throw Error(Fault::bad_usage, {path, 0, {}},
                        ending.empty() ? "a file without an ending" : text("a file ending in ", ending),
                        "a recording (.limber) or a scene (.json)");
        }
        out_.about.push_back(
            text(out.recording->scene, " ", hex(out.recording->scene_hash), " by ", out.recording->method));
        if (out.recording->frames.empty())
            throw Error(Fault::bad_data, {path, 0, {}}, "a recording without frames", "at least one frame to show");
        return out;
    }

    /// Colours by what suits the inputs: the error where there is a reference, displacements of bodies, own looks of
    /// everything that has them.
    void choose_field() {
        out_.field = inputs_.field;
        if (inputs_.field_given) return;
        const bool plain = std::all_of(played_.begin(), played_.end(), [](const Played& p) {
            return p.recording && !(p.recording->shown && !p.recording->shown->looks.empty());
        });
        out_.field = reference_ ? Field::error : plain ? Field::displacement : Field::none;
    }

    void add(const Named& input, const Played& played) {
        const std::string ending = ending_of(input.path), stem = std::filesystem::path(input.path).stem().string();
        const std::string title = !input.title.empty() ? input.title : stem;
        out_.paths.push_back(input.path);
        if (played.recording) {
            BodySubjectSettings settings;
            settings.title = !input.title.empty() ? input.title : inputs_.files.size() > 1 ? stem : "";
            settings.scene = played.scene;
            settings.reference = reference_;
            settings.field = out_.field;
            out_.subjects.push_back(make_body_subject(played.recording, settings));
            if (!played.scene) tell_remarks();
        } else if (is_one_of(ending, {".glb", ".gltf", ".bvh"})) {
            out_.subjects.push_back(rig(input.path, title));
            tell_remarks();
            out_.about.push_back(title);
        } else if (is_one_of(ending, {".obj", ".ply", ".stl"})) {
            const Surface surface = read_surface(input.path);
            add_warnings(size_notes(input.path, surface.vertices, ""));
            out_.subjects.push_back(make_surface_subject(surface, title));
            if (talk_) warn_of_looks(input.path);
            out_.about.push_back(title);
        } else if (is_one_of(ending, {".msh", ".vtu", ".inp", ".mesh", ".node", ".ele"})) {
            const Mesh mesh = read_mesh(input.path);
            add_warnings(size_notes(input.path, mesh.vertices, ""));
            out_.subjects.push_back(make_mesh_subject(mesh, title));
            out_.about.push_back(title);
        } else {
            throw Error(Fault::bad_usage, {input.path, 0, {}},
                        ending.empty() ? "a file without an ending" : text("a file ending in ", ending),
                        "a scene (.json), a recording (.limber), a character (.glb .gltf .bvh), a surface (.obj .ply "
                        ".stl) or a mesh (.msh .vtu .inp .mesh .node .ele)");
        }
    }

    void add_warnings(const std::vector<std::string>& notes) {
        out_.remarks.insert(out_.remarks.end(), notes.begin(), notes.end());
    }

    /// Of the last subject; a scene's are told where it is read.
    void tell_remarks() {
        for (const std::string& line : out_.subjects.back()->remarks()) out_.remarks.push_back(line);
    }

    std::unique_ptr<Subject> rig(const std::string& path, const std::string& title) {
        auto model = std::make_shared<Rig>(read_rig(path));
        if (const std::string words = unit_warning(*model, ""); !words.empty()) add_warnings({text(path, ": ", words)});
        std::optional<std::size_t> clip;
        if (!inputs_.clip.empty())
            clip = find_clip(*model, inputs_.clip);
        else if (inputs_.moving && !model->clips.empty())
            clip = 0;
        return make_rig_subject(model, clip, title);
    }

    const RenderInputs& inputs_;
    bool talk_;
    Progress& progress_;
    std::shared_ptr<const Recording> reference_;
    std::vector<Played> played_;  ///< per input; empty ones for what is no body
    LoadedInputs out_;
};

}  // namespace

LoadedInputs load_inputs(const RenderInputs& inputs, bool talk, Progress& progress) {
    return Loader(inputs, talk, progress).load();
}

}  // namespace limber::cli
