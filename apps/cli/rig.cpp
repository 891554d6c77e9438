// limber rig: look into a rig: bones, clips, meshes, size, and regions to paste.
#include "cli/rig_files.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "report/claims.hpp"
#include "report/files.hpp"
#include "report/table.hpp"
#include "rig/clip_motion.hpp"
#include "rig/flesh_trial.hpp"
#include "rig/region_lines.hpp"
#include "rig/rig_size.hpp"
#include "show/produce.hpp"
#include "study/parameter.hpp"

#include <limber/tools/rig_io.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace limber::cli {
namespace {

using nlohmann::json;

struct RigArguments {
    std::string path, unit, preview;
    std::vector<std::string> regions;
    CommonArguments common;
};

struct NamedLength {
    const char* name;
    double metres;
};
constexpr NamedLength kLengths[] = {{"m", 1.0}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}};

/// Everything the verb tells, worked out once for both forms of output.
struct Facts {
    Rig rig;
    RigBox box;
    std::vector<double> share;
    std::vector<std::string> lines, paint;
    std::vector<FleshTrial> left_out;              ///< lines that cannot become flesh
    std::vector<std::vector<JointMotion>> motion;  ///< per clip and joint
    UnitGuess likely;
};

Facts facts_of(const RigArguments& arguments) {
    Facts f;
    f.rig = read_rig(arguments.path, {unit_of(arguments.unit)});
    f.box = rest_box(f.rig);
    f.share = skin_share(f.rig);
    Progress silent;
    for (FleshTrial& trial : try_flesh(f.rig, region_lines(f.rig), silent)) {
        if (trial.why.empty())
            f.lines.push_back(trial.line);
        else
            f.left_out.push_back(std::move(trial));
    }
    for (std::size_t c = 0; c < f.rig.clips.size(); ++c) f.motion.push_back(clip_motion(f.rig, c));
    f.likely = guess_unit_of_creature(std::max(f.box.size().y, f.box.size().z));
    for (const SkinPart& part : f.rig.parts) {
        for (const Paint& paint : part.paint)
            if (std::find(f.paint.begin(), f.paint.end(), paint.name) == f.paint.end()) f.paint.push_back(paint.name);
    }
    return f;
}

std::size_t most_influences(const SkinPart& part) {
    std::size_t most = 0;
    for (const Influences& v : part.influences) {
        most = std::max(most, static_cast<std::size_t>(
                                  std::count_if(v.weight.begin(), v.weight.end(), [](double w) { return w > 0.0; })));
    }
    return most;
}

std::string material_of(const Rig& rig, const SkinPart& part) {
    return part.material < 0 ? "" : rig.materials[static_cast<std::size_t>(part.material)].name;
}

struct Chosen {
    std::string name;
    std::size_t free = 0, between = 0, held = 0;
};

/// How a region falls on the skin.
Chosen count_region(const Rig& rig, const std::string& line) {
    const Region region = parse_region(line);
    Chosen out;
    out.name = region.name.empty() ? line : region.name;
    for (const std::vector<double>& part : freedom_of(rig, region))
        for (const double f : part) ++(f >= 1.0 ? out.free : f > 0.0 ? out.between : out.held);
    return out;
}

/// The clips, and which bones each moves.
json clips_json(const Facts& f) {
    constexpr double kDegrees = 57.29577951308232;
    json out = json::array();
    for (std::size_t c = 0; c < f.rig.clips.size(); ++c) {
        const Clip& clip = f.rig.clips[c];
        const ClipLoop loop = loop_of(f.rig, c);
        json moves = json::array();
        for (std::size_t j = 0; j < f.rig.joints.size(); ++j) {
            if (const JointMotion& m = f.motion[c][j]; m.moves) {
                moves.push_back({{"bone", f.rig.joints[j].name},
                                 {"joint", j},
                                 {"speed", json_number(m.speed)},
                                 {"degrees_per_second", json_number(kDegrees * m.spin)}});
            }
        }
        out.push_back({{"index", c},
                       {"name", clip.name},
                       {"duration", clip.duration},
                       {"curves", clip.channels.size()},
                       {"repeats", loop.repeats},
                       {"repeats_why", loop.why},
                       {"moves", moves}});
    }
    return out;
}

json to_json(const RigArguments& arguments, const Facts& f) {
    json bones = json::array(), left_out = json::array(), meshes = json::array(), regions = json::array();
    for (std::size_t j = 0; j < f.rig.joints.size(); ++j) {
        bones.push_back({{"name", f.rig.joints[j].name},
                         {"parent", f.rig.joints[j].parent},
                         {"skin_share", json_number(f.share[j])}});
    }
    for (const FleshTrial& trial : f.left_out) left_out.push_back({{"line", trial.line}, {"why", trial.why}});
    for (const SkinPart& part : f.rig.parts) {
        meshes.push_back({{"name", part.name},
                          {"vertices", part.positions.size()},
                          {"triangles", part.triangles.size()},
                          {"skinned", part.binding >= 0},
                          {"bones_per_vertex", most_influences(part)},
                          {"morphs", part.morphs.size()},
                          {"material", material_of(f.rig, part)}});
    }
    for (const std::string& line : arguments.regions) {
        const Chosen c = count_region(f.rig, line);
        regions.push_back({{"name", c.name}, {"free", c.free}, {"between", c.between}, {"held", c.held}});
    }
    const auto vec = [](const Vec3& v) { return json{json_number(v.x), json_number(v.y), json_number(v.z)}; };
    return {{"file", arguments.path},
            {"unit", f.rig.unit},
            {"likely_unit", {{"name", f.likely.name}, {"sure", f.likely.sure}}},
            {"low", vec(f.box.low)},
            {"high", vec(f.box.high)},
            {"height", json_number(f.box.size().y)},
            {"bones", bones},
            {"clips", clips_json(f)},
            {"meshes", meshes},
            {"painted", f.paint},
            {"region_lines", f.lines},
            {"no_flesh", left_out},
            {"regions", regions},
            {"notes", f.rig.notes},
            {"provenance", provenance_json()}};
}

std::string size_words(const Facts& f, bool stated) {
    const Vec3 size = f.box.size();
    std::string out = text("  ", f.box.of_skin ? "skin" : "skeleton", " at rest: ", short_number(size.y, 3),
                           " m high (y), ", short_number(size.x, 3), " m wide (x), ", short_number(size.z, 3),
                           " m deep (z)");
    if (f.rig.unit != 1.0) out += text("; one unit of the file is ", short_number(f.rig.unit, 4), " m");
    if (!stated && f.likely.unit != 1.0 && f.likely.sure) {
        out += text("\n  that is large: probably made in ", f.likely.name, ", then ",
                    short_number(size.y * f.likely.unit, 3), " m high (try --unit ",
                    f.likely.unit == 0.01    ? "cm"
                    : f.likely.unit == 0.001 ? "mm"
                                             : "in",
                    ")");
    }
    if (!stated && !f.likely.sure) out += "\n  no usual unit makes a creature of this size: see --unit";
    return out + "\n";
}

/// Depth first, so that children stand below their parents whatever the order of the joints.
std::vector<std::pair<std::size_t, std::size_t>> joints_with_depth(const Rig& rig) {
    std::vector<std::vector<std::size_t>> children(rig.joints.size() + 1);
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
        children[rig.joints[j].parent < 0 ? rig.joints.size() : static_cast<std::size_t>(rig.joints[j].parent)]
            .push_back(j);
    }
    std::vector<std::pair<std::size_t, std::size_t>> out, open;  // joint, depth
    const auto push = [&](std::size_t of, std::size_t depth) {
        for (std::size_t i = children[of].size(); i-- > 0;) open.emplace_back(children[of][i], depth);
    };
    push(rig.joints.size(), 0);
    while (!open.empty()) {
        out.push_back(open.back());
        open.pop_back();
        push(out.back().first, out.back().second + 1);
    }
    return out;
}

constexpr std::size_t kShownClips = 6;  // more do not fit beside the bones; --json has all

/// The bones as a tree, with their share of the skin and how fast each clip moves them.
std::string bone_tree(const Facts& f) {
    const std::size_t clips = std::min(f.rig.clips.size(), kShownClips);
    Table table{{{"bones"}}, {}};
    if (f.box.of_skin) table.columns.push_back({"skin [%]", Align::right});
    for (std::size_t c = 0; c < clips; ++c) {
        table.columns.push_back(
            {text(f.rig.clips[c].name.empty() ? text("clip ", c) : f.rig.clips[c].name, " [m/s]"), Align::right});
    }
    for (const auto& [j, depth] : joints_with_depth(f.rig)) {
        std::vector<std::string> row{std::string(2 * std::min<std::size_t>(depth, 40), ' ') + f.rig.joints[j].name};
        if (f.box.of_skin) row.push_back(f.share[j] >= 0.0005 ? fmt::format("{:.1f}", 100 * f.share[j]) : "");
        for (std::size_t c = 0; c < clips; ++c)
            row.push_back(f.motion[c][j].moves ? short_number(f.motion[c][j].speed, 2) : "still");
        table.add(std::move(row));
    }
    std::string out = "\n" + to_text(table, look_of(1));
    if (f.rig.clips.size() > clips)
        out += text("  (", counted(f.rig.clips.size() - clips, "more clip"), " with --json)\n");
    return out;
}

std::string clip_table(const Facts& f) {
    Table clips{{{"clip", Align::right},
                 {"name"},
                 {"duration [s]", Align::right},
                 {"curves", Align::right},
                 {"bones moved", Align::right},
                 {"fastest"},
                 {"repeats"}},
                {}};
    for (std::size_t c = 0; c < f.rig.clips.size(); ++c) {
        const std::vector<JointMotion>& m = f.motion[c];
        const auto moved = std::count_if(m.begin(), m.end(), [](const JointMotion& j) { return j.moves; });
        const auto most = std::max_element(
            m.begin(), m.end(), [](const JointMotion& a, const JointMotion& b) { return a.speed < b.speed; });
        const ClipLoop loop = loop_of(f.rig, c);
        clips.add({text(c), f.rig.clips[c].name.empty() ? "(unnamed)" : f.rig.clips[c].name,
                   short_number(f.rig.clips[c].duration), text(f.rig.clips[c].channels.size()), text(moved),
                   moved == 0 ? ""
                              : text(f.rig.joints[static_cast<std::size_t>(most - m.begin())].name, ", ",
                                     short_number(most->speed, 2), " m/s"),
                   loop_words(loop)});
    }
    return clips.rows.empty() ? "" : "\n" + to_text(clips, look_of(1));
}

/// What can be pasted, and what looks as if it could.
std::string region_words(const Facts& f) {
    std::string out;
    if (!f.lines.empty()) out += "\nregions that become flesh, ready to paste after --flesh (or --region)\n";
    for (const std::string& line : f.lines) out += text("  ", shell_word(line), "\n");
    if (!f.left_out.empty()) out += "\nno flesh of their own\n";
    for (const FleshTrial& trial : f.left_out) {
        const std::string start = text("region '", parse_region(trial.line).name, "': ");
        out += text("  ", shell_word(trial.line), ": ",
                    trial.why.starts_with(start) ? trial.why.substr(start.size()) : trial.why, "\n");
    }
    return out;
}

std::string to_words(const RigArguments& arguments, const Facts& f) {
    std::string out = text(arguments.path, ": ", counted(f.rig.joints.size(), "bone"), ", ", f.rig.parts.size(),
                           f.rig.parts.size() == 1 ? " mesh, " : " meshes, ", counted(f.rig.clips.size(), "clip"), "\n",
                           size_words(f, !arguments.unit.empty()));
    for (const std::string& note : f.rig.notes) out += text("  note: ", note, "\n");
    out += bone_tree(f);
    out += clip_table(f);
    Table meshes{{{"mesh"},
                  {"vertices", Align::right},
                  {"triangles", Align::right},
                  {"bones per vertex", Align::right},
                  {"morphs", Align::right},
                  {"material"}},
                 {}};
    for (const SkinPart& part : f.rig.parts) {
        meshes.add({part.name, text(part.positions.size()), text(part.triangles.size()),
                    part.binding < 0 ? "rigid" : text(most_influences(part)), text(part.morphs.size()),
                    material_of(f.rig, part)});
    }
    if (!meshes.rows.empty()) out += "\n" + to_text(meshes, look_of(1));
    if (!f.paint.empty()) out += "\nattributes that could be painted regions\n";
    for (const std::string& name : f.paint) out += "  " + name + "\n";
    out += region_words(f);
    Table regions{{{"region"}, {"free vertices", Align::right}, {"between", Align::right}, {"held", Align::right}}, {}};
    for (const std::string& line : arguments.regions) {
        const Chosen c = count_region(f.rig, line);
        regions.add({c.name, text(c.free), text(c.between), text(c.held)});
    }
    if (!regions.rows.empty()) out += "\n" + to_text(regions, look_of(1));
    return out;
}

/// The skin at rest, a panel for each region: what is free, held and between.
void draw_regions(const RigArguments& arguments, const Rig& rig) {
    const auto shared = std::make_shared<const Rig>(rig);
    std::vector<std::unique_ptr<Subject>> subjects;
    for (const std::string& line : arguments.regions) {
        const Region region = parse_region(line);
        subjects.push_back(make_region_subject(shared, region, region.name.empty() ? line : region.name));
    }
    StudioSettings settings;
    settings.width = subjects.size() == 1 ? 720 : 1200;
    settings.height = subjects.size() < 3 ? 720 : 900;
    settings.heading = arguments.path;
    settings.skeleton = true;
    write_still(arguments.preview, std::move(subjects), settings,
                {arguments.path, text("made by ", provenance_line(), "; regions of ", arguments.path)});
}

int info(const RigArguments& arguments) {
    check_preview(arguments.preview);
    if (!arguments.preview.empty() && arguments.regions.empty())
        throw Error(Fault::bad_usage, {"--preview", 0, {}}, "no region to show", "--region NAME=... as well");
    const Facts facts = facts_of(arguments);
    refuse_overwriting({}, {arguments.preview});
    if (!arguments.preview.empty()) draw_regions(arguments, facts.rig);
    if (arguments.common.json) {
        print_json(to_json(arguments, facts));
    } else {
        print(to_words(arguments, facts));
    }
    return kDone;
}

}  // namespace

Rig read_rig_with_warnings(const std::string& path, const std::string& unit, bool quiet) {
    // What a BVH lacks is told by whoever wants a skin; of other files no bone would be found either.
    const std::string ending = ending_of(path);
    if (ending != ".glb" && ending != ".gltf" && ending != ".bvh") {
        throw Error(Fault::bad_file, {path, 0, {}}, text("a file name ending in \"", ending, "\""),
                    "a character with a skin: .glb or .gltf");
    }
    Rig rig = read_rig(path, {unit_of(unit)});
    const std::string warning = unit.empty() ? unit_warning(rig) : "";
    if (warning.empty()) return rig;
    rig.notes.push_back(warning);
    if (!quiet) complain(text("warning: ", path, ": ", warning));
    return rig;
}

double unit_of(const std::string& word) {
    if (word.empty()) return 0.0;
    std::vector<std::string> names;
    for (const NamedLength& l : kLengths) {
        if (word == l.name) return l.metres;
        names.emplace_back(l.name);
    }
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (*end == '\0' && value > 0.0 && std::isfinite(value)) return value;
    throw Error(Fault::bad_usage, {"--unit", 0, {}}, text("'", word, "'", suggestion(word, names)),
                "m, cm, mm, in, ft, or the metres of one unit");
}

void add_rig(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("rig", "look into a rig: bones, clips, meshes, regions of flesh");
    verb->require_subcommand(1);
    CLI::App* about = verb->add_subcommand("info", "bones as a tree, clips, meshes, size and unit, regions to paste");
    auto a = std::make_shared<RigArguments>();
    about->add_option("file", a->path, ".glb, .gltf or .bvh")->required();
    about->add_option("--unit", a->unit, kUnitHelp);
    about
        ->add_option("--region", a->regions,
                     "name=bone:GLOB, paint:_NAME, material:GLOB, ball:x,y,z,r or capsule:x,y,z,x,y,z,r, joined by "
                     "'+': how many vertices are free; may be repeated")
        ->expected(1)
        ->take_all()
        ->trigger_on_parse(false);
    about->add_option("--preview", a->preview, "a picture of the regions on the skin: free, seam, held (.png)")
        ->type_name("FILE");
    add_json_flag(*about, a->common);
    about->callback([a, &action] { action = [a] { return info(*a); }; });
    add_rig_pose(*verb, action);
    add_rig_flesh(*verb, action);
}

}  // namespace limber::cli
