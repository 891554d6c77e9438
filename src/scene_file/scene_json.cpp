// Reading and checking scenes: the public functions, and the order in which faults are looked for.
#include <limber/method.hpp>
#include <limber/tools/scene.hpp>

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/read_budget.hpp"
#include "scene_file/scene_fill.hpp"
#include "scene_file/scene_meshes.hpp"
#include "scene_file/scene_set.hpp"
#include "scene_file/scene_validate.hpp"
#include "scene_file/scene_warnings.hpp"

#include <algorithm>
#include <filesystem>

namespace limber {

namespace {

/// Beyond this nobody reads on, and a hostile file could ask for millions.
constexpr std::size_t kMaxFaults = 200;

bool is_at_or_below(const std::string& path, const std::string& top) {
    return path.compare(0, top.size(), top) == 0 && (path.size() == top.size() || path[top.size()] == '/');
}

bool any_below(const std::vector<SceneFault>& faults, const std::string& top) {
    return std::any_of(faults.begin(), faults.end(),
                       [&](const SceneFault& f) { return is_at_or_below(f.place.field, top); });
}

/// A later finding about a place that was faulted before (above or below it) is an echo.
void add_new_faults(std::vector<SceneFault>& faults, std::vector<SceneFault> later) {
    const std::size_t known = faults.size();
    for (SceneFault& fault : later) {
        const std::string& field = fault.place.field;
        const bool echo = std::any_of(
            faults.begin(), faults.begin() + static_cast<std::ptrdiff_t>(known), [&](const SceneFault& f) {
                return is_at_or_below(f.place.field, field) || is_at_or_below(field, f.place.field);
            });
        if (!echo) faults.push_back(std::move(fault));
    }
}

/// A newer format may mean anything: one fault, and no others that would only confuse.
bool is_newer(const JsonValue& root, const FaultSink& sink) {
    const JsonValue* format = root.find("format");
    if (!format || !format->is(JsonValue::Kind::number) || !(format->number > Scene::kFormat)) return false;
    sink.add(Fault::bad_scene, "/format", text("format ", format->number, " is newer than this limber"),
             text("at most ", Scene::kFormat));
    return true;
}

/// JSON, assignments, table, values, mesh files. False when there is no scene to go on with.
bool read_values(std::string_view source, const std::string& name, std::span<const std::string> sets,
                 const std::string& folder, const SceneReading& reading, std::vector<SceneFault>& faults,
                 std::vector<SceneFault>& warnings, Scene& out) {
    const FaultSink sink{name, &faults};
    JsonValue root;
    if (!parse_json(source, name, faults, root)) return false;
    for (const std::string& assignment : sets) apply_set(root, assignment, faults);
    if (is_newer(root, sink)) return false;
    validate(root, scene_table(), "", sink);
    if (!root.is(JsonValue::Kind::object)) return false;
    const StatedUnits stated = stated_units(root);
    insert_defaults(root, scene_table());
    std::vector<SceneFault> across_fields;
    out = fill_scene(root, {name, &across_fields});
    add_new_faults(faults, std::move(across_fields));
    if (out.name.empty()) out.name = std::filesystem::path(name).stem().string();
    load_meshes(out, folder, reading, stated, sink, {name, &warnings});
    return true;
}

void check_bodies(SceneCheck& check, const Scene& scene, const std::string& name) {
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const std::string field = text("/bodies/", b);
        if (any_below(check.faults, field + "/mesh")) continue;
        std::vector<SceneFault> found;
        BodyDescription description = describe_body(scene.bodies[b], field, {name, &found});
        add_new_faults(check.faults, std::move(found));
        if (!check.faults.empty() || b > 0) continue;
        try {
            check.body = Body::make(std::move(description), {name, 0, field});
        } catch (const Error& error) {
            FaultSink{name, &check.faults}.add(error, field);
        }
    }
}

void cut_long_list(std::vector<SceneFault>& faults, const std::string& name) {
    if (faults.size() <= kMaxFaults) return;
    const std::size_t more = faults.size() - kMaxFaults;
    faults.resize(kMaxFaults);
    FaultSink{name, &faults}.add(Fault::bad_scene, "", counted(more, "more fault"));
}

void check_into(SceneCheck& check, std::string_view source, const std::string& name, std::span<const std::string> sets,
                const std::string& folder, const SceneReading& reading) {
    Scene scene;
    if (!read_values(source, name, sets, folder, reading, check.faults, check.warnings, scene)) return;
    if (check.faults.empty()) check.scene = scene;
    check_bodies(check, scene, name);
    if (check.faults.empty() && check.body) find_scene_warnings(scene, *check.body, name, check.faults, check.warnings);
}

std::string folder_of(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

}  // namespace

Scene parse_scene(std::string_view source, const std::string& name, std::span<const std::string> sets,
                  const std::string& folder, const SceneReading& reading) {
    std::vector<SceneFault> faults, warnings;
    Scene scene;
    const ReadBudget budget(source.size());
    read_values(source, name, sets, folder, reading, faults, warnings, scene);
    cut_long_list(faults, name);
    if (!faults.empty()) throw SceneError(std::move(faults));
    return scene;
}

Scene read_scene(const std::string& path, std::span<const std::string> sets, const SceneReading& reading) {
    const ReadBudget budget;
    return parse_scene(read_file(path), path, sets, folder_of(path), reading);
}

SceneCheck check_scene_text(std::string_view source, const std::string& name, std::span<const std::string> sets,
                            const std::string& folder, const SceneReading& reading) {
    const ReadBudget budget(source.size());
    SceneCheck check;
    const FaultSink sink{name, &check.faults};
    try {
        check_into(check, source, name, sets, folder, reading);
    } catch (const Error& error) {
        sink.add(error, "");
    } catch (const std::exception&) {
        sink.add(Fault::bad_scene, "", "it does not fit into the memory that there is", "fewer cells, or more memory");
    }
    cut_long_list(check.faults, name);
    return check;
}

SceneCheck check_scene(const std::string& path, std::span<const std::string> sets, const SceneReading& reading) {
    const ReadBudget budget;
    try {
        return check_scene_text(read_file(path), path, sets, folder_of(path), reading);
    } catch (const Error& error) {
        SceneCheck check;
        check.faults.push_back({error.fault(), error.place(), error.found(), error.expected(), {}});
        return check;
    }
}

}  // namespace limber
