#include "scene_file/model_sizes.hpp"

#include "core/text.hpp"
#include "geometry/plausible_size.hpp"
#include "geometry/solid_cost.hpp"
#include "geometry/triangles.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/read_budget.hpp"
#include "rig/rig_size.hpp"
#include "scene_file/scene_fill.hpp"
#include "scene_file/scene_set.hpp"
#include "scene_file/scene_validate.hpp"

#include <limber/tools/mesh_io.hpp>
#include <limber/tools/painted_surface.hpp>
#include <limber/tools/rig_io.hpp>

#include <filesystem>

namespace limber {
namespace {

bool states_unit(const JsonValue& body, const char* part) {
    const JsonValue* object = body.find(part);
    return object && object->find("unit");
}

/// Looks into the files of one scene.
class ModelSizes {
public:
    ModelSizes(const std::string& scene_path, const FaultSink& warnings)
        : folder_(std::filesystem::path(scene_path).parent_path()), warnings_(warnings) {}

    void look_at(const BodySpec& body, const StatedUnits::OfBody& stated, const std::string& field) const {
        if (!stated.mesh && !body.mesh.flesh.empty() && body.mesh.asset.empty()) {
            attempt([&] { warn_of_character_size(read_rig(file_of(body.mesh.path)), field + "/mesh", warnings_); });
        } else if (!stated.mesh && body.mesh.asset.empty() && !body.mesh.generated()) {
            std::vector<std::string> paths;
            if (!body.mesh.path.empty()) paths.push_back(body.mesh.path);
            for (const SurfaceFile& file : body.mesh.surfaces) paths.push_back(file.path);
            attempt([&] { warn_of_model_size(box_of(points_of(paths)).size(), field + "/mesh", warnings_); });
        }
        if (!stated.shown && !body.shown.path.empty())
            attempt([&] {
                warn_of_model_size(box_of(points_of({body.shown.path})).size(), field + "/surface", warnings_);
            });
    }

private:
    std::string file_of(const std::string& path) const { return (folder_ / path).lexically_normal().string(); }

    std::vector<Vec3> points_of(const std::vector<std::string>& paths) const {
        std::vector<Vec3> out;
        for (const std::string& path : paths) {
            const std::vector<Vec3> more = is_surface_file(path) ? read_surface(file_of(path)).vertices
                                                                 : read_mesh(file_of(path)).vertices;
            out.insert(out.end(), more.begin(), more.end());
        }
        return out;
    }

    template <class Work>
    static void attempt(Work&& work) {
        try {
            work();
        } catch (const Error&) {
            return;
        }
    }

    std::filesystem::path folder_;
    const FaultSink& warnings_;
};

}  // namespace

StatedUnits stated_units(const JsonValue& root) {
    StatedUnits out;
    const JsonValue* bodies = root.find("bodies");
    if (!bodies || !bodies->is(JsonValue::Kind::list)) return out;
    for (const JsonValue& body : bodies->items)
        out.bodies.push_back({states_unit(body, "mesh"), states_unit(body, "surface")});
    return out;
}

void warn_of_model_size(const Vec3& size, const std::string& field, const FaultSink& warnings) {
    if (const SizeWarning warning = size_warning(size))
        warnings.add(Fault::bad_mesh, field, warning.words("\"unit\": \"{}\""));
}

void warn_of_character_size(const Rig& rig, const std::string& field, const FaultSink& warnings) {
    if (const std::string warning = unit_warning(rig, "\"unit\": \"{}\""); !warning.empty())
        warnings.add(Fault::bad_mesh, field, warning);
}

std::string announced_cells(const std::string& scene_path, std::span<const std::string> sets) {
    try {
        std::vector<SceneFault> faults;
        JsonValue root;
        if (!parse_json(read_file(scene_path), scene_path, faults, root)) return {};
        for (const std::string& assignment : sets) apply_set(root, assignment, faults);
        insert_defaults(root, scene_table());
        double cells = 0.0;
        for (const BodySpec& body : fill_scene(root, {scene_path, &faults}).bodies)
            if (body.mesh.cells <= SceneReading{}.most_cells) cells += body.mesh.cells;  // more are refused
        return solid_cost_words(cells);
    } catch (const Error&) {
        return {};
    }
}

std::vector<SceneFault> model_size_warnings(const std::string& scene_path, std::span<const std::string> sets) {
    std::vector<SceneFault> faults, warnings;
    try {
        const ReadBudget budget;
        JsonValue root;
        if (!parse_json(read_file(scene_path), scene_path, faults, root)) return {};
        for (const std::string& assignment : sets) apply_set(root, assignment, faults);
        validate(root, scene_table(), "", {scene_path, &faults});
        if (!faults.empty()) return {};
        const StatedUnits stated = stated_units(root);
        insert_defaults(root, scene_table());
        const Scene scene = fill_scene(root, {scene_path, &faults});
        const FaultSink sink{scene_path, &warnings};
        const ModelSizes sizes(scene_path, sink);
        for (std::size_t b = 0; b < scene.bodies.size(); ++b)
            sizes.look_at(scene.bodies[b], stated.of(b), text("/bodies/", b));
    } catch (const Error&) {
        return {};
    }
    return warnings;
}

}  // namespace limber
