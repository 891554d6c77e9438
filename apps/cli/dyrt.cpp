// limber dyrt: a rigged character in, a jiggling character out.
#include "cli/rig_files.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "dyrt/live_page.hpp"
#include "dyrt/output.hpp"
#include "dyrt/page.hpp"
#include "io/files/atomic_file.hpp"
#include "io/gltf/gltf_write.hpp"
#include "report/files.hpp"
#include "study/parameter.hpp"

#include <limber/tools/rig_io.hpp>

#include <nlohmann/json.hpp>

#include <ctime>
#include <filesystem>
#include <optional>
#include <set>

namespace limber::cli {
namespace {

using nlohmann::json;

struct DyrtArguments {
    std::string path, unit, out, material = "fat", loop = "auto", gravity = "yes", client = "any", normals = "all",
                                 preview, command;
    std::vector<std::string> flesh, clips;
    std::optional<double> young, poisson, density, rate;
    std::vector<std::pair<std::string, std::string>> words;  ///< of the command: option and how it was typed
    DyrtCharacterSettings settings;
    bool no_error = false, no_page = false, no_live = false, draft = false, cells_given = false;
    CommonArguments common;
};

/// What was typed, in a fixed order: the name of an option ("" for others) and the words.
std::vector<std::pair<std::string, std::string>> command_words(const CLI::App& verb) {
    std::vector<std::pair<std::string, std::string>> out{{"", "limber dyrt"}};
    for (const CLI::Option* option : verb.get_options()) {
        const std::string name = option->get_positional() ? "" : "--" + option->get_single_name();
        if (option->count() == 0 || name == "--quiet" || name == "--threads" || name == "--json") continue;
        if (option->get_items_expected_max() == 0) {
            out.emplace_back(name, name);
        } else {
            for (const std::string& word : option->results())
                out.emplace_back(name, text(name, name.empty() ? "" : " ", shell_word(word)));
        }
    }
    return out;
}

std::string joined(const std::vector<std::pair<std::string, std::string>>& words) {
    std::string out;
    for (const auto& [name, typed] : words) out += text(out.empty() ? "" : " ", typed);
    return out;
}

/// "belly=paint:_BELLY,ball=ball:0,1,0,0.2,thigh=bone:thigh": a comma ends a region where a name and '=' follow it.
std::vector<std::string> split_regions(const std::string& list) {
    std::vector<std::string> out{""};
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::size_t equals = list.find_first_of("=,:+", i + 1);
        const bool named = list[i] == ',' && equals != std::string::npos && equals > i + 1 && list[equals] == '=';
        if (named)
            out.emplace_back();
        else
            out.back() += list[i];
    }
    return out;
}

std::vector<Region> regions_of(const std::vector<std::string>& flesh) {
    if (flesh.empty()) {
        throw Error(Fault::bad_usage, {}, "no part is named that should be flesh",
                    "--flesh NAME=REGION; `limber rig info FILE` lists regions to paste");
    }
    std::vector<Region> out;
    std::set<std::string> names;
    for (const std::string& list : flesh) {
        for (const std::string& line : split_regions(list)) {
            out.push_back(parse_region(line));
            if (!out.back().name.empty() && !names.insert(out.back().name).second) {
                throw Error(Fault::bad_usage, {"--flesh", 0, {}}, text("two parts are named '", out.back().name, "'"),
                            "different names");
            }
        }
    }
    return out;
}

Material material_of(const DyrtArguments& a) {
    const MaterialPreset* preset = find_material_preset(a.material);
    if (preset == nullptr) {
        std::vector<std::string> names;
        for (const MaterialPreset& p : material_presets()) names.emplace_back(p.material.name);
        throw Error(Fault::bad_usage, {"--material", 0, {}}, text("'", a.material, "'", suggestion(a.material, names)),
                    "a preset that `limber materials` lists");
    }
    Material out = preset->material;
    if (a.young) out.young = *a.young;
    if (a.poisson) out.poisson = *a.poisson;
    if (a.density) out.density = *a.density;
    check(out, {"--material", 0, {}});
    return out;
}

std::vector<int> normals_of(const std::string& words) {
    if (words == "all") return {};
    if (words == "none") return {-1};
    std::vector<int> out;
    for (std::size_t at = 0; at <= words.size();) {
        const std::size_t comma = std::min(words.find(',', at), words.size());
        const std::string one = words.substr(at, comma - at);
        if (one.empty() || one.size() > 3 ||
            !std::all_of(one.begin(), one.end(), [](char c) { return c >= '0' && c <= '9'; })) {
            throw Error(Fault::bad_usage, {"--normals", 0, {}}, text("'", words, "'"),
                        "all, none, or numbers of modes from 0 with commas between them");
        }
        out.push_back(std::stoi(one));
        at = comma + 1;
    }
    return out;
}

/// What lasts is baked: a clip of one key has no motion.
std::vector<std::size_t> clips_of(const DyrtArguments& a, const Rig& rig, std::vector<std::string>& notes) {
    std::vector<std::size_t> out;
    for (const std::string& name : a.clips) out.push_back(find_clip(rig, name));
    for (std::size_t c = 0; a.clips.empty() && c < rig.clips.size(); ++c) {
        if (rig.clips[c].duration > 0.0)
            out.push_back(c);
        else
            notes.push_back(text("the clip '", clip_words(rig, c), "' lasts 0 s and is not baked"));
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    if (out.empty()) notes.emplace_back("no clip: the targets are there and nothing moves them (live use needs none)");
    return out;
}

void settle_settings(DyrtArguments& a) {
    DyrtCharacterSettings& s = a.settings;
    s.regions = regions_of(a.flesh);
    s.dyrt.material = material_of(a);
    s.dyrt.normals = normals_of(a.normals);
    const int oscillators = s.dyrt.modes + 6 * s.dyrt.residuals;
    for (const int k : s.dyrt.normals) {
        if (k >= oscillators) {
            throw Error(Fault::bad_usage, {"--normals", 0, {}}, text(k),
                        text("0 to ", oscillators - 1, ": ", s.dyrt.modes, " modes and ", 6 * s.dyrt.residuals,
                             " static answers"));
        }
    }
    s.file.client = parse_client(a.client);
    s.bake.rate = a.rate.value_or(key_rate(s.file.client));
    s.bake.loop = a.loop == "yes"  ? BakeSettings::Loop::yes
                  : a.loop == "no" ? BakeSettings::Loop::no
                                   : BakeSettings::Loop::automatic;
    s.bake.coriolis = s.dyrt.coriolis;
    if (a.gravity == "no") s.bake.gravity = {};
    a.no_page = a.no_page || a.draft;
    s.draft = a.draft && !a.cells_given;
    s.error = !a.no_error && !a.draft;
}

/// What is written; "" = not.
struct DyrtOutputs {
    std::string glb, dyrt, folder, live;
};

DyrtOutputs outputs_of(const DyrtArguments& a) {
    const std::filesystem::path glb(a.out);
    if (glb.extension() != ".glb" || glb.stem().empty())
        throw Error(Fault::bad_usage, {"--out", 0, {}}, text("'", a.out, "'"), "a file that ends in .glb");
    DyrtOutputs out{a.out, std::filesystem::path(glb).replace_extension(".dyrt").string(),
                    a.no_page ? "" : (glb.parent_path() / glb.stem()).string(), ""};
    if (!a.no_live) out.live = (glb.parent_path() / (glb.stem().string() + "_live.html")).string();
    for (const std::string& file : {out.glb, out.dyrt, out.live}) {
        std::error_code unknown;
        if (std::filesystem::is_directory(file, unknown))
            throw Error(Fault::bad_usage, {file, 0, {}}, "is a folder", "a file's name, since this would be written");
    }
    check_preview(a.preview);
    refuse_overwriting({a.path}, {out.glb, out.dyrt, out.folder, out.live, a.preview});
    return out;
}

void write(const DyrtArguments& a, DyrtCharacter& c, const DyrtOutputs& outputs, AtomicFolder* folder,
           Progress& progress) {
    const std::string about = text("DyRT of ", std::filesystem::path(a.path).filename().string(), ": ", a.command);
    Rig rig = c.exported.rig;
    scale_rig(rig, 1.0 / rig.unit);
    // Both are made before either is written: what cannot be written leaves nothing.
    const std::string glb = format_glb(rig, outputs.glb, about),
                      dyrt = format_dyrt(*c.rig, c.parts, c.exported.scales, about, a.settings.bake.gravity);
    std::clock_t start = std::clock();
    const auto name_of = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
    const std::string live = outputs.live.empty()
                                 ? ""
                                 : format_live_page(c, a.settings, dyrt,
                                                    {std::filesystem::path(outputs.glb).stem().string(), a.words});
    if (!live.empty()) c.took.emplace_back("live page", static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    start = std::clock();
    if (folder) {
        write_dyrt_page(*folder, c, {a.command, name_of(outputs.glb), name_of(outputs.live), a.settings.clips},
                        progress);
    }
    if (folder) c.took.emplace_back("page", static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    write_file(outputs.glb, glb);
    write_file(outputs.dyrt, dyrt);
    if (!live.empty()) write_file(outputs.live, live);
    if (folder) folder->commit();
}

json to_json(const DyrtArguments& a, const DyrtCharacter& c, const DyrtOutputs& outputs,
             const std::vector<std::string>& notes) {
    json out = limber::to_json(c);
    out["rig"] = a.path;
    out["glb"] = outputs.glb;
    out["dyrt"] = outputs.dyrt;
    out["page"] = outputs.folder.empty() ? json(nullptr) : json(outputs.folder + "/index.html");
    out["live"] = outputs.live.empty() ? json(nullptr) : json(outputs.live);
    out["for"] = to_string(a.settings.file.client);
    for (const std::string& n : notes) out["notes"].push_back(n);
    for (const std::string& n : c.rig->notes) out["notes"].push_back(n);
    return out;
}

std::string to_words(const DyrtArguments& a, const DyrtCharacter& c, const DyrtOutputs& outputs,
                     const std::vector<std::string>& notes) {
    std::string out = to_text(dyrt_parts_table(c), look_of(1));
    const DyrtSettings& d = a.settings.dyrt;
    if (d.frequency > 0.0 || d.settle > 0.0 || d.amount != 1.0) {
        for (const DyrtPart& p : c.parts) {
            out += text(p.name(), ": ",
                        d.frequency > 0.0 ? text("first mode at ", short_number(d.frequency),
                                                 " Hz: E = ", short_number(p.material.young), " Pa; ")
                                          : "",
                        d.settle > 0.0 ? text("down to a twentieth in ", short_number(d.settle),
                                              " s: alpha = ", short_number(p.material.rayleigh_alpha),
                                              " 1/s, beta = ", short_number(1e3 * p.material.rayleigh_beta), " ms; ")
                                       : "",
                        "all forces times ", short_number(d.amount), "\n");
        }
    }
    for (std::size_t p = 0; p < c.parts.size(); ++p) out += to_text(dyrt_oscillators_table(c, p), look_of(1));
    if (!a.settings.clips.empty()) out += to_text(dyrt_clips_table(c), look_of(1));
    for (const std::string& n : c.notes) out += n + "\n";
    if (!c.errors.empty()) {
        out += text("distance from ", c.errors[0].reference, " over '", clip_words(*c.rig, *c.compared),
                    "', relative_l2:\n", to_text(dyrt_error_table(c), look_of(1)));
    }
    for (const std::string& n : c.exported.notes) out += n + "\n";
    for (const std::string& n : notes) out += n + "\n";
    out += "CPU time [s]:";
    for (const auto& [step, seconds] : c.took) out += text(" ", step, " ", fmt::format("{:.2f}", seconds));
    return out + text("\nwrote ", outputs.glb, ", ", outputs.dyrt,
                      outputs.folder.empty() ? "" : text(", ", outputs.folder, "/index.html"), "\n",
                      outputs.live.empty() ? "" : text("to play with it, open in a browser: ", outputs.live, "\n"));
}

int make(DyrtArguments a) {
    settle_settings(a);
    const DyrtOutputs outputs = outputs_of(a);
    auto progress = start_work(a.common);
    const auto rig = std::make_shared<const Rig>(read_rig_with_warnings(a.path, a.unit, a.common.quiet));
    refuse_overwriting({}, {outputs.glb, outputs.dyrt, outputs.live});
    const AtomicFile room(outputs.glb);  // a place that takes no file is told now, not after the work
    std::optional<AtomicFolder> folder;  // refused before the work, not after it
    if (!outputs.folder.empty()) folder.emplace(outputs.folder, earlier_page(outputs.folder));
    std::vector<std::string> notes;
    a.settings.clips = clips_of(a, *rig, notes);
    if (a.draft) {
        notes.emplace_back(
            "a draft: few cells, no comparison with finite elements, no page of numbers; leave out --draft for all of "
            "it");
    }
    DyrtCharacter c = make_dyrt_character(rig, a.settings, *progress);
    if (!a.preview.empty()) {
        std::vector<FleshPart> solids;
        for (const DyrtPart& part : c.parts) solids.push_back(part.flesh);
        write_flesh_preview(a.preview, *rig, solids, a.path);
    }
    write(a, c, outputs, folder ? &*folder : nullptr, *progress);
    progress.reset();  // the bar ends before anything is printed
    if (a.common.json)
        print_json(to_json(a, c, outputs, notes));
    else
        print(to_words(a, c, outputs, notes));
    for (std::size_t p = 0; !a.common.quiet && p < c.parts.size(); ++p) {
        for (const std::vector<std::string>& list : {c.parts[p].flesh.warnings, c.parts[p].warnings})
            for (const std::string& warning : list) complain(text("warning: ", c.parts[p].name(), ": ", warning));
    }
    return kDone;
}

void add_flesh_options(CLI::App& verb, DyrtArguments& a) {
    DyrtCharacterSettings& s = a.settings;
    verb.add_option("--flesh", a.flesh,
                    "name=bone:GLOB, paint:_NAME, material:GLOB, ball:x,y,z,r or capsule:x,y,z,x,y,z,r, joined by '+'; "
                    "several with commas between them, or the option again (limber rig info lists some)")
        ->expected(1)
        ->take_all()
        ->trigger_on_parse(false)
        ->type_name("REGIONS");
    CLI::Option* cells = verb.add_option("--cells", s.flesh.cells, "about how many cells in each part")
                             ->type_name("N")
                             ->check(CLI::Range(1, 20'000'000))
                             ->capture_default_str();
    verb.add_option("--cell-size", s.flesh.cell_size, "spacing of the lattice [m] instead")
        ->type_name("M")
        ->check(above_zero())
        ->excludes(cells);
    add_bone_options(verb, s.flesh);
    verb.add_flag("--tet10", s.dyrt.quadratic, "cells of second order");
    verb.add_flag("--layered", s.layered, "parts may overlap: each is made as if alone, and what they do adds up");
    verb.add_option("--material", a.material,
                    "of all parts (limber materials lists them); unless told: fat, made stiffer where it would swell "
                    "in the clips")
        ->type_name("PRESET");
    verb.add_option("--young", a.young, "Young's modulus instead of the preset's [Pa]")->type_name("PA");
    verb.add_option("--poisson", a.poisson, "Poisson's ratio instead")->type_name("NU");
    verb.add_option("--density", a.density, "density instead [kg/m^3]")->type_name("RHO");
    verb.add_option("--unit", a.unit, kUnitHelp)->type_name("UNIT");
    verb.add_option("--preview", a.preview, kPreviewHelp)->type_name("FILE");
}

void add_motion_options(CLI::App& verb, DyrtArguments& a) {
    DyrtCharacterSettings& s = a.settings;
    verb.add_option("--modes", s.dyrt.modes, "oscillators of each part, without the static answers")
        ->type_name("M")
        ->check(CLI::Range(1, 58))
        ->capture_default_str();
    verb.add_option("--below", s.dyrt.frequency_limit, "only modes below this [Hz]")
        ->type_name("HZ")
        ->check(above_zero());
    verb.add_option("--residuals", s.dyrt.residuals, "times six static answers for what the modes leave out; 0 = none")
        ->type_name("0..3")
        ->check(CLI::Range(0, 3))
        ->capture_default_str();
    CLI::Option* frequency = verb.add_option("--frequency", s.dyrt.frequency,
                                             "of the first mode [Hz]: Young's modulus follows")
                                 ->type_name("HZ")
                                 ->check(above_zero());
    verb.get_option("--young")->excludes(frequency);
    CLI::Option* settle = verb.add_option("--settle", s.dyrt.settle,
                                          "until the first mode is down to a twentieth [s]: alpha and beta follow")
                              ->type_name("S")
                              ->check(above_zero());
    verb.add_option("--damping-ratio", s.dyrt.damping_ratio, "of every mode, instead of alpha and beta")
        ->type_name("RATIO")
        ->check(NumberRange(0.0, 5.0))
        ->excludes(settle);
    verb.add_option("--amount", s.dyrt.amount, "times everything bones do")
        ->type_name("TIMES")
        ->check(NumberRange(0.0, 100.0))
        ->capture_default_str();
    verb.add_flag("--coriolis", s.dyrt.coriolis, "also the force on what moves in a turning frame");
    verb.add_flag("--warp", s.dyrt.warp, "rotations for modal warping in the .dyrt");
    verb.add_option("--normals", a.normals, "which oscillators turn normals: all, none or numbers from 0")
        ->type_name("LIST")
        ->capture_default_str();
    verb.add_option("--gravity", a.gravity, "whether it pulls as bones turn")
        ->type_name("yes|no")
        ->check(CLI::IsMember({"yes", "no"}))
        ->capture_default_str();
}

void add_file_options(CLI::App& verb, DyrtArguments& a) {
    verb.add_option("--clips", a.clips, "names or numbers (default: all)")->type_name("CLIP,...")->delimiter(',');
    verb.add_option("--loop", a.loop, "whether clips repeat; auto: those that end as they began")
        ->type_name("auto|yes|no")
        ->check(CLI::IsMember({"auto", "yes", "no"}))
        ->capture_default_str();
    verb.add_option("--rate", a.rate, "keys per second (default: what the client keeps)")
        ->type_name("HZ")
        ->check(NumberRange(1.0, 1000.0));
    verb.add_option("--for", a.client,
                    "any, three, blender, unreal or godot: how many targets, with which signs, normals and key rate")
        ->type_name("CLIENT")
        ->capture_default_str();
    verb.add_flag("--whole", a.settings.file.whole, "leave the meshes in one piece");
    verb.add_flag("--no-error", a.no_error, "do not compare with finite elements");
    verb.add_flag("--no-page", a.no_page, "no page with numbers, pictures and a movie");
    verb.add_flag("--no-live", a.no_live, "no live page");
}

}  // namespace

void add_dyrt(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand(
        "dyrt",
        "make a rigged character's flesh jiggle: a GLB that plays anywhere, a .dyrt for live use, a page to "
        "play with and one with numbers. Begin with --draft: a second or two per try");
    auto a = std::make_shared<DyrtArguments>();
    verb->add_option("file", a->path, ".glb or .gltf")->required();
    verb->add_option(
            "-o,--out", a->out,
            "the .glb to write; beside it NAME.dyrt, NAME_live.html and a folder NAME with the page of numbers")
        ->required()
        ->type_name("FILE.glb");
    verb->add_flag("--draft", a->draft,
                   "a first look: few cells, no comparison with finite elements, no page but the live one");
    add_flesh_options(*verb, *a);
    add_motion_options(*verb, *a);
    add_file_options(*verb, *a);
    add_work_arguments(*verb, a->common);
    add_json_flag(*verb, a->common);
    verb->callback([a, verb, &action] {
        a->words = command_words(*verb);
        a->command = joined(a->words);
        a->cells_given = verb->get_option("--cells")->count() + verb->get_option("--cell-size")->count() > 0;
        // Who names none of these has not said how soft.
        a->settings.natural = true;
        for (const char* name : {"--material", "--young", "--frequency"})
            a->settings.natural = a->settings.natural && verb->get_option(name)->count() == 0;
        action = [a] { return make(*a); };
    });
}

}  // namespace limber::cli
