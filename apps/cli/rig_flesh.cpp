// limber rig flesh: the soft parts of a character as solids, each with a scene that runs.
#include "cli/rig_files.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "geometry/solid_cost.hpp"
#include "io/files/atomic_folder.hpp"
#include "io/files/written_by.hpp"
#include "report/claims.hpp"
#include "report/files.hpp"
#include "report/table.hpp"
#include "show/produce.hpp"

#include <limber/material.hpp>
#include <limber/tools/flesh.hpp>
#include <limber/tools/mesh_io.hpp>
#include <limber/tools/rig_io.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>

namespace limber::cli {
namespace {

using nlohmann::json;

constexpr const char* kIndex = "flesh.json";

struct FleshArguments {
    std::string path, unit, out, material = "fat", preview;
    std::vector<std::string> regions;
    FleshSettings settings;
    CommonArguments common;
};

/// A part and the names of its files.
struct Written {
    FleshPart part;
    std::string mesh, scene;
};

std::size_t count(const Mesh& mesh, const char* set) { return mesh.vertex_sets.at(set).size(); }

json to_json(const Rig& rig, const Written& w) {
    const FleshPart& p = w.part;
    json bones = json::array();
    for (const FleshBone& b : p.bones) {
        bones.push_back(
            {{"bone", rig.joints[static_cast<std::size_t>(b.joint)].name},
             {"to", b.child == b.joint ? json(nullptr) : json(rig.joints[static_cast<std::size_t>(b.child)].name)},
             {"radius", b.radius}});
    }
    return {{"name", p.name},
            {"mesh", w.mesh},
            {"scene", w.scene},
            {"cells", p.mesh.cell_count()},
            {"vertices", p.mesh.vertices.size()},
            {"cell_size", p.cell_size},
            {"volume", p.volume},
            {"bone_volume", p.bone_volume},
            {"free", count(p.mesh, "free")},
            {"held", p.held.size()},
            {"on_bones", count(p.mesh, "bone")},
            {"on_seam", count(p.mesh, "seam")},
            {"skin_vertices", p.skin.size()},
            {"pieces", p.pieces},
            {"thinnest", p.thinnest},
            {"thinnest_at", {p.thinnest_at.x, p.thinnest_at.y, p.thinnest_at.z}},
            {"smallest_angle", p.smallest_angle},
            {"reference", rig.joints[static_cast<std::size_t>(p.reference)].name},
            {"bones", bones},
            {"warnings", p.warnings}};
}

json to_json(const FleshArguments& a, const Rig& rig, const std::vector<Written>& parts) {
    json rows = json::array();
    for (const Written& w : parts) rows.push_back(to_json(rig, w));
    return {{"rig", a.path}, {"out", a.out}, {"parts", rows}, {"notes", rig.notes}, {"provenance", provenance_json()}};
}

std::string to_words(const FleshArguments& a, const Rig& rig, const std::vector<Written>& parts) {
    Table table{{{"part"},
                 {"cells", Align::right},
                 {"cell [mm]", Align::right},
                 {"volume [l]", Align::right},
                 {"bone [l]", Align::right},
                 {"free", Align::right},
                 {"on bones", Align::right},
                 {"on seam", Align::right},
                 {"skin", Align::right},
                 {"thinnest [mm]", Align::right},
                 {"moves with"}},
                {}};
    for (const Written& w : parts) {
        const FleshPart& p = w.part;
        table.add({p.name, text(p.mesh.cell_count()), short_number(1e3 * p.cell_size, 3),
                   short_number(1e3 * p.volume, 4), short_number(1e3 * p.bone_volume, 3), text(count(p.mesh, "free")),
                   text(count(p.mesh, "bone")), text(count(p.mesh, "seam")), text(p.skin.size()),
                   short_number(1e3 * p.thinnest, 3), rig.joints[static_cast<std::size_t>(p.reference)].name});
    }
    std::string out = text(a.out, ": ", counted(parts.size(), "part"), " of ", a.path, "\n",
                           to_text(table, look_of(1)));
    for (const Written& w : parts)
        out += text("  limber run ", (std::filesystem::path(a.out) / w.scene).string(), "\n");
    return out;
}

/// A scene that holds the part along bones and seam and lets it sag for half a second.
json scene_of(const FleshArguments& a, const Written& w) {
    return {
        {"format", 1},
        {"name", w.part.name},
        {"about",
         written_by(text("flesh part ", w.part.name, " of ", std::filesystem::path(a.path).filename().string()))},
        {"bodies",
         {{{"name", w.part.name},
           {"mesh", {{"path", w.mesh}}},
           {"materials", {{{"preset", a.material}}}},
           {"anchors", {{{"name", "bones and seam"}, {"set", "held"}}}}}}},
        {"gravity", {0, -9.81, 0}},
        {"method", {{"name", "linear_fem"}}},
        {"step", "1/120"},
        {"duration", 0.5},
        {"output",
         {{"every", 2},
          {"probes",
           {{{"name", "thinnest"}, {"point", {w.part.thinnest_at.x, w.part.thinnest_at.y, w.part.thinnest_at.z}}}}}}}};
}

std::vector<Written> name_files(std::vector<FleshPart> parts) {
    std::vector<Written> out;
    std::set<std::string> taken{"flesh"};
    for (FleshPart& p : parts) {
        const std::string name = file_name(p.name, taken);
        out.push_back({std::move(p), name + ".vtu", name + ".json"});
    }
    return out;
}

void write(AtomicFolder& folder, const FleshArguments& a, const Rig& rig, const std::vector<Written>& parts) {
    for (const Written& w : parts) {
        const VtuField freedom{"freedom", false, 1, w.part.freedom};
        write_vtu(folder.file(w.mesh), w.part.mesh, std::span(&freedom, 1), text("flesh part ", w.part.name));
        write_text_file(folder.file(w.scene), to_json_text(scene_of(a, w)));
    }
    write_text_file(folder.file(kIndex), to_json_text(to_json(a, rig, parts)));
    folder.commit();
}

/// The folder is replaced as a whole: the rig must not lie in it.
void refuse_own_folder(const FleshArguments& a) {
    std::error_code ignored;
    const auto rig = std::filesystem::weakly_canonical(a.path, ignored),
               out = std::filesystem::weakly_canonical(a.out, ignored);
    if (rig.parent_path() == out || rig == out)
        throw Error(Fault::bad_usage, {"--out", 0, {}}, text("'", a.out, "' holds the rig itself"), "another folder");
}

void check_material(const std::string& name) {
    if (find_material_preset(name) != nullptr) return;
    std::vector<std::string> names;
    for (const MaterialPreset& preset : material_presets()) names.emplace_back(preset.material.name);
    throw Error(Fault::bad_usage, {"--material", 0, {}}, text("'", name, "'", suggestion(name, names)),
                "a preset that `limber materials` lists");
}

int make(const FleshArguments& a) {
    std::vector<Region> regions;
    std::set<std::string> names;
    for (const std::string& line : a.regions) {
        regions.push_back(parse_region(line));
        if (!regions.back().name.empty() && !names.insert(regions.back().name).second) {
            throw Error(Fault::bad_usage, {"--flesh", 0, {}}, text("two parts are named '", regions.back().name, "'"),
                        "different names");
        }
    }
    check_material(a.material);  // told before the work, not after it
    refuse_own_folder(a);
    check_preview(a.preview);
    refuse_overwriting({a.path}, {a.preview});
    auto progress = start_work(a.common);
    const Rig rig = read_rig_with_warnings(a.path, a.unit, a.common.quiet);
    if (const std::string cost = solid_cost_words(a.settings.cell_size > 0.0 ? 0.0 : a.settings.cells);
        !cost.empty() && !a.common.quiet) {
        complain(text("note: ", cost));
    }
    refuse_beyond_memory(a.settings.cell_size > 0.0 ? 0.0 : a.settings.cells);
    AtomicFolder folder(a.out, std::string("limber rig flesh"));  // refused before the work, not after it
    const std::vector<Written> parts = name_files(make_flesh(rig, regions, a.settings, *progress));
    progress.reset();  // the bar ends before anything is printed
    if (!a.preview.empty()) {
        std::vector<FleshPart> solids;
        solids.reserve(parts.size());
        for (const Written& w : parts) solids.push_back(w.part);
        write_flesh_preview(a.preview, rig, solids, a.path);
    }
    write(folder, a, rig, parts);
    if (a.common.json)
        print_json(to_json(a, rig, parts));
    else
        print(to_words(a, rig, parts));
    if (!a.common.quiet) {
        for (const Written& w : parts)
            for (const std::string& warning : w.part.warnings) complain(text("warning: ", w.part.name, ": ", warning));
    }
    return kDone;
}

}  // namespace

void add_bone_options(CLI::App& verb, FleshSettings& settings) {
    verb.add_option("--threshold", settings.threshold, "flesh is where the region is freer than this")
        ->type_name("FREEDOM")
        ->check(NumberRange(0.0, 0.999))
        ->capture_default_str();
    CLI::Option* share = verb.add_option("--bone-share", settings.bone_share,
                                         "a bone's radius as a share of its distance to the skin")
                             ->type_name("SHARE")
                             ->check(NumberRange(0.001, 0.9))
                             ->capture_default_str();
    verb.add_option("--bone-radius", settings.bone_radius, "the radius of every bone [m] instead; 0 = none is cut out")
        ->type_name("M")
        ->check(zero_or_above())
        ->excludes(share);
}

void check_preview(const std::string& path) {
    if (!path.empty() && ending_of(path) != ".png")
        throw Error(Fault::bad_usage, {path, 0, {}}, "not a picture format", "a name ending in .png");
}

void write_flesh_preview(const std::string& path, const Rig& rig, const std::vector<FleshPart>& parts,
                         const std::string& source) {
    StudioSettings settings;
    settings.width = 1280;
    settings.height = 720;
    settings.ground = false;
    std::string names;
    for (const FleshPart& part : parts) {
        names += (names.empty() ? "" : ", ") + part.name;
        settings.around.insert(settings.around.end(), part.mesh.vertices.begin(), part.mesh.vertices.end());
    }
    settings.heading = text(std::filesystem::path(source).filename().string(), ": ", names);
    write_still(path, make_flesh_subjects(rig, parts), settings,
                {source, text("made by ", provenance_line(), "; flesh of ", source)});
}

void add_rig_flesh(CLI::App& rig, Action& action) {
    CLI::App* verb = rig.add_subcommand(
        "flesh", "soft parts of a character as solids, held along bones and seams, each with a scene");
    auto a = std::make_shared<FleshArguments>();
    verb->add_option("file", a->path, ".glb or .gltf")->required();
    verb->add_option("--flesh", a->regions,
                     "name=bone:GLOB, paint:_NAME, material:GLOB, ball:x,y,z,r or capsule:x,y,z,x,y,z,r, joined by '+' "
                     "(see limber rig info); may be repeated")
        ->required()
        ->expected(1)
        ->take_all()
        ->trigger_on_parse(false)
        ->type_name("REGION");
    verb->add_option("-o,--out", a->out, "the folder to write: a .vtu and a .json scene per part")
        ->required()
        ->type_name("FOLDER");
    CLI::Option* cells = verb->add_option("--cells", a->settings.cells, "about how many cells in each part")
                             ->type_name("N")
                             ->check(CLI::Range(1, 20'000'000))
                             ->capture_default_str();
    verb->add_option("--cell-size", a->settings.cell_size, "spacing of the lattice [m] instead")
        ->type_name("M")
        ->check(above_zero())
        ->excludes(cells);
    add_bone_options(*verb, a->settings);
    verb->add_option("--preview", a->preview, kPreviewHelp)->type_name("FILE");
    verb->add_option("--material", a->material, "of the scenes (limber materials lists them)")
        ->type_name("PRESET")
        ->capture_default_str();
    verb->add_option("--unit", a->unit, kUnitHelp)->type_name("UNIT");
    add_work_arguments(*verb, a->common);
    add_json_flag(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return make(*a); }; });
}

}  // namespace limber::cli
