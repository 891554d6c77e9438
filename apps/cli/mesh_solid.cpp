// limber mesh solid, limber mesh cage: tetrahedra that fill surfaces, and coarse cells around them.
#include "cli/mesh_files.hpp"

#include "core/text.hpp"
#include "geometry/solid_cost.hpp"
#include "report/table.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace limber::cli {
namespace {

using nlohmann::json;

const char* kind_name(SolidFinding::Kind kind) {
    switch (kind) {
        case SolidFinding::Kind::repaired: return "repaired";
        case SolidFinding::Kind::thin: return "thin";
        case SolidFinding::Kind::island: return "island";
        case SolidFinding::Kind::torn: return "torn";
        case SolidFinding::Kind::loose_parts: return "loose_parts";
        case SolidFinding::Kind::open: return "open";
    }
    return "";
}

std::string sets_words(const Mesh& mesh) {
    std::string out;
    for (const auto& [name, set] : mesh.cell_sets)
        out += text("  cell set ", name, ": ", counted(set.size(), "cell"), "\n");
    return out;
}

json sets_json(const Mesh& mesh) {
    json out = json::object();
    for (const auto& [name, set] : mesh.cell_sets) out[name] = set.size();
    return out;
}

/// One line per ten degrees, from the first to the last that any cell has.
std::string histogram_words(const std::array<std::size_t, 18>& histogram) {
    constexpr std::size_t kWide = 40;
    std::size_t first = 0, last = histogram.size() - 1;
    while (first < last && histogram[first] == 0) ++first;
    while (last > first && histogram[last] == 0) --last;
    const std::size_t most = *std::max_element(histogram.begin(), histogram.end());
    std::string out = "  smallest dihedral angle of each cell\n";
    for (std::size_t i = first; i <= last; ++i) {
        const std::size_t bar = most == 0 ? 0 : (histogram[i] * kWide + most - 1) / most;
        out += fmt::format("  {:>4}-{:<3} {:<{}} {}\n", 10 * i, 10 * (i + 1), std::string(bar, '#'), kWide,
                           histogram[i]);
    }
    return out;
}

json solid_json(const std::string& path, const Solid& solid) {
    json findings = json::array();
    for (const SolidFinding& f : solid.findings)
        findings.push_back({{"kind", kind_name(f.kind)}, {"message", f.message}});
    return {{"written", path},
            {"kind", to_string(solid.mesh.kind)},
            {"cells", solid.mesh.cell_count()},
            {"vertices", solid.mesh.vertices.size()},
            {"cell_size", solid.cell_size},
            {"volume", solid.volume},
            {"smallest_angle", solid.smallest_angle},
            {"largest_angle", solid.largest_angle},
            {"angle_histogram", solid.angle_histogram},
            {"parts", solid.parts},
            {"cell_sets", sets_json(solid.mesh)},
            {"findings", findings}};
}

std::string solid_words(const std::string& path, const Solid& solid) {
    return text(path, ": ", counted(solid.mesh.cell_count(), "tet4 cell"), ", ", solid.mesh.vertices.size(),
                " vertices, cell size ", short_number(solid.cell_size, 4), " m\n  volume ",
                short_number(solid.volume, 6), " m^3, dihedral angles ", short_number(solid.smallest_angle, 3), " to ",
                short_number(solid.largest_angle, 4), " degrees\n", sets_words(solid.mesh),
                histogram_words(solid.angle_histogram));
}

struct SolidArguments {
    SurfaceArguments surfaces;
    SolidSettings settings;
    std::string out, format;
    CommonArguments common;
};

int make(const SolidArguments& a) {
    const MeshFormat format = format_for(a.out, a.format);
    auto progress = start_work(a.common);
    const SurfaceArguments::Loaded loaded = a.surfaces.load();
    refuse_overwriting(loaded.paths, {a.out});
    for (const std::string& note : loaded.notes)
        if (!a.common.quiet) complain(text("warning: ", note));
    if (const std::string cost = solid_cost_words(a.settings.cell_size > 0.0 ? 0.0 : a.settings.cells);
        !cost.empty() && !a.common.quiet) {
        complain(text("note: ", cost));
    }
    const Solid solid = make_solid(loaded.surfaces, a.settings, *progress);
    progress.reset();  // the bar ends before anything is printed
    write_any(a.out, solid.mesh, format);
    json report = solid_json(a.out, solid);
    report["notes"] = loaded.notes;
    if (a.common.json)
        print_json(report);
    else
        print(solid_words(a.out, solid));
    if (!a.common.quiet) {
        for (const SolidFinding& f : solid.findings)
            complain(text(f.kind == SolidFinding::Kind::repaired ? "note: " : "warning: ", f.message));
    }
    return kDone;
}

struct CageArguments {
    SurfaceArguments surfaces;
    CageSettings settings;
    std::string kind = "hex8", out, format;
    CommonArguments common;
};

int make_around(const CageArguments& a) {
    const MeshFormat format = format_for(a.out, a.format);
    CageSettings settings = a.settings;
    parse_cell_kind(a.kind, settings.kind);
    auto progress = start_work(a.common);
    const SurfaceArguments::Loaded loaded = a.surfaces.load();
    refuse_overwriting(loaded.paths, {a.out});
    for (const std::string& note : loaded.notes)
        if (!a.common.quiet) complain(text("warning: ", note));
    const Mesh mesh = make_cage(loaded.surfaces, settings, *progress);
    progress.reset();
    write_any(a.out, mesh, format);
    const double volume = measure_of(mesh);
    if (a.common.json) {
        print_json({{"written", a.out},
                    {"kind", to_string(mesh.kind)},
                    {"cells", mesh.cell_count()},
                    {"vertices", mesh.vertices.size()},
                    {"volume", volume},
                    {"cell_sets", sets_json(mesh)},
                    {"notes", loaded.notes}});
    } else {
        print(text(a.out, ": ", mesh.cell_count(), " ", to_string(mesh.kind),
                   mesh.cell_count() == 1 ? " cell, " : " cells, ", mesh.vertices.size(), " vertices, volume ",
                   short_number(volume, 6), " m^3\n", sets_words(mesh)));
    }
    return kDone;
}

}  // namespace

void add_mesh_solid(CLI::App& mesh, Action& action) {
    CLI::App* verb = mesh.add_subcommand("solid", "fill surfaces, however dirty, with tetrahedra");
    auto a = std::make_shared<SolidArguments>();
    add_surface_arguments(*verb, a->surfaces);
    verb->add_option("-o,--out", a->out, "the file to write; its ending chooses the format")
        ->required()
        ->type_name("FILE");
    CLI::Option* cells = verb->add_option("--cells", a->settings.cells, "about how many cells")
                             ->type_name("N")
                             ->check(CLI::Range(1, 20'000'000))
                             ->capture_default_str();
    verb->add_option("--cell-size", a->settings.cell_size, "spacing of the lattice [m] instead")
        ->type_name("M")
        ->check(above_zero())
        ->excludes(cells);
    verb->add_option("--least-island", a->settings.least_island,
                     "loose parts below this share of the volume are left out")
        ->type_name("SHARE")
        ->check(NumberRange(0.0, 1.0))
        ->capture_default_str();
    verb->add_option("--format", a->format, kFormatHelp)->type_name("NAME");
    add_work_arguments(*verb, a->common);
    add_json_flag(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return make(*a); }; });
}

void add_mesh_cage(CLI::App& mesh, Action& action) {
    CLI::App* verb = mesh.add_subcommand("cage", "coarse cells around surfaces: every cube they touch or fill");
    auto a = std::make_shared<CageArguments>();
    add_surface_arguments(*verb, a->surfaces);
    verb->add_option("-o,--out", a->out, "the file to write; its ending chooses the format")
        ->required()
        ->type_name("FILE");
    verb->add_option("--cells-across", a->settings.cells_across, "cubes along the longest side")
        ->type_name("N")
        ->check(CLI::Range(1, 512))
        ->capture_default_str();
    verb->add_option("--kind", a->kind, "hex8, or tet4: six to a cube")
        ->type_name("KIND")
        ->check(CLI::IsMember({"hex8", "tet4"}))
        ->capture_default_str();
    verb->add_option("--format", a->format, kFormatHelp)->type_name("NAME");
    add_work_arguments(*verb, a->common);
    add_json_flag(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return make_around(*a); }; });
}

}  // namespace limber::cli
