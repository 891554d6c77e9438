// limber mesh: look at, convert and generate meshes.
#include "cli/mesh_files.hpp"

#include "core/spelling.hpp"
#include "core/text.hpp"
#include "report/claims.hpp"
#include "report/table.hpp"

#include <limber/round.hpp>
#include <limber/tools/mesh_io.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber::cli {
namespace {

using nlohmann::json;

struct Bounds {
    Vec3 low, high;
};
Bounds bounds_of(const std::vector<Vec3>& points) {
    Bounds b;
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (int k = 0; k < 3; ++k) {
            b.low[k] = i == 0 ? points[i][k] : std::min(b.low[k], points[i][k]);
            b.high[k] = i == 0 ? points[i][k] : std::max(b.high[k], points[i][k]);
        }
    }
    return b;
}

json vec_json(const Vec3& v) { return {v.x, v.y, v.z}; }
std::string vec_words(const Vec3& v) {
    return text("(", short_number(v.x), ", ", short_number(v.y), ", ", short_number(v.z), ")");
}

const char* severity_name(MeshFinding::Severity s) {
    return s == MeshFinding::Severity::fatal ? "fatal" : s == MeshFinding::Severity::warning ? "warning" : "repaired";
}

json sets_json(const std::map<std::string, IndexSet>& sets) {
    json out = json::object();
    for (const auto& [name, set] : sets) out[name] = set.size();
    return out;
}

json mesh_json(const std::string& path, const Mesh& mesh, const std::vector<MeshFinding>& findings, double measure) {
    json list = json::array();
    for (const MeshFinding& f : findings) {
        list.push_back({{"kind", to_string(f.kind)},
                        {"severity", severity_name(f.severity)},
                        {"count", f.count},
                        {"first", f.first},
                        {"message", f.message}});
    }
    const Bounds b = bounds_of(mesh.vertices);
    return {{"file", path},
            {"kind", to_string(mesh.kind)},
            {"vertices", mesh.vertices.size()},
            {"cells", mesh.cell_count()},
            {"low", vec_json(b.low)},
            {"high", vec_json(b.high)},
            {mesh.dimension() == 2 ? "area" : "volume", json_number(measure)},
            {"vertex_sets", sets_json(mesh.vertex_sets)},
            {"cell_sets", sets_json(mesh.cell_sets)},
            {"findings", list}};
}

std::string mesh_text(const std::string& path, const Mesh& mesh, double measure) {
    const Bounds b = bounds_of(mesh.vertices);
    std::string out = text(path, ": ", mesh.vertices.size(), " vertices, ", mesh.cell_count(), " ",
                           to_string(mesh.kind), " cells\n  from ", vec_words(b.low), " to ", vec_words(b.high));
    if (std::isfinite(measure)) {
        out += text(mesh.dimension() == 2 ? ", area " : ", volume ", short_number(measure, 6),
                    mesh.dimension() == 2 ? " m^2" : " m^3");
    }
    out += "\n";
    for (const auto& [name, set] : mesh.vertex_sets) out += text("  vertex set ", name, ": ", set.size(), "\n");
    for (const auto& [name, set] : mesh.cell_sets) out += text("  cell set ", name, ": ", set.size(), "\n");
    return out;
}

int surface_info(const std::string& path, bool as_json) {
    const Surface surface = read_surface(path);
    warn_of_looks(path);
    const Bounds b = bounds_of(surface.vertices);
    const std::vector<std::string> notes = size_notes(path, surface.vertices, "");
    for (const std::string& note : notes) complain(text("warning: ", note));
    if (as_json) {
        print_json({{"file", path},
                    {"kind", "surface"},
                    {"notes", notes},
                    {"vertices", surface.vertices.size()},
                    {"faces", surface.face_count()},
                    {"low", vec_json(b.low)},
                    {"high", vec_json(b.high)}});
    } else {
        print(text(path, ": surface, ", surface.vertices.size(), " vertices, ", surface.face_count(), " faces\n  from ",
                   vec_words(b.low), " to ", vec_words(b.high), "\n"));
    }
    return kDone;
}

int info(const std::string& path, bool as_json) {
    if (is_surface_ending(ending_of(path))) return surface_info(path, as_json);
    Mesh mesh = read_mesh(path);
    const std::vector<MeshFinding> findings = validate(mesh);
    const bool fatal = std::any_of(findings.begin(), findings.end(),
                                   [](const MeshFinding& f) { return f.severity == MeshFinding::Severity::fatal; });
    // Cells of a mesh with fatal faults may name vertices that do not exist: they are not measured.
    const double measure = fatal ? std::numeric_limits<double>::quiet_NaN() : measure_of(mesh);
    const std::vector<std::string> notes = size_notes(path, mesh.vertices, "");
    json report = mesh_json(path, mesh, findings, measure);
    report["notes"] = notes;
    if (as_json)
        print_json(report);
    else
        print(mesh_text(path, mesh, measure));
    for (const std::string& note : notes) complain(text("warning: ", note));
    for (const MeshFinding& f : findings) complain(text(path, ": ", severity_name(f.severity), ": ", f.message));
    return fatal ? kBadInput : kDone;
}

int convert(const std::string& in, const std::string& out, const std::string& asked, bool as_json) {
    const MeshFormat format = format_for(out, asked);
    std::size_t vertices = 0;
    if (is_surface_ending(ending_of(in))) {
        if (!is_surface_format(format)) {
            throw Error(Fault::unsupported, InputLocation{in, 0, {}},
                        "a surface has no cells, so it cannot become a mesh file",
                        "an output ending in .obj, .ply or .stl");
        }
        const Surface surface = read_surface(in);
        warn_of_looks(in);
        vertices = surface.vertices.size();
        write_surface(out, surface, format);
    } else {
        const Mesh mesh = read_mesh(in);
        vertices = mesh.vertices.size();
        Mesh examined = mesh;  // validate() mends; what is written stays as it was read
        for (const MeshFinding& finding : validate(examined)) {
            if (finding.severity == MeshFinding::Severity::fatal) {
                throw Error(Fault::bad_mesh, InputLocation{in, 0, {}}, finding.message,
                            "a mesh that can be a body (limber mesh info lists everything)");
            }
            complain(text(in, ": warning: ", finding.message));
        }
        write_any(out, mesh, format);
    }
    if (as_json)
        print_json({{"in", in}, {"out", out}, {"vertices", vertices}});
    else
        print(text(out, ": written from ", in, " (", vertices, " vertices)\n"));
    return kDone;
}

struct GenerateArguments {
    std::string shape, kind, out, format;
    std::vector<int> cells;
    std::vector<double> low{0, 0, 0}, high{1, 1, 1};
    std::vector<double> radii{0.5, 0.5, 0.5};
    double radius = 0.5, inner_radius = 0.25, tube_radius = 0.1, length = 1.0, end_radius = 0.0;
    bool json = false;
};

/// At most this many cells along one direction: more is a typing error, not a mesh.
constexpr int kMostCells = 4096;

std::vector<int> counts_of(const GenerateArguments& a, std::size_t needed) {
    std::vector<int> counts = a.cells.empty() ? std::vector<int>{4} : a.cells;
    if (counts.size() == 1) counts.assign(needed, counts[0]);
    if (counts.size() != needed) {
        throw Error(Fault::bad_usage, InputLocation{"--cells", 0, {}}, counted(counts.size(), "number"),
                    text("1 or ", needed, " for a ", a.shape));
    }
    double total = 1.0;
    for (const int n : counts) total *= n;
    if (total > 2e7) {
        throw Error(Fault::bad_usage, InputLocation{"--cells", 0, {}}, text("about ", short_number(total, 2), " cells"),
                    "at most 2e7");
    }
    return counts;
}

Mesh generated(const GenerateArguments& a) {
    CellKind kind = a.shape == "grid" || a.shape == "disc" || a.shape == "ellipse" || a.shape == "ring"
                        ? CellKind::quad4
                        : CellKind::hex8;
    if (!a.kind.empty() && !parse_cell_kind(a.kind, kind)) {
        const std::vector<std::string> kinds{"tri3", "quad4", "tet4", "tet10", "hex8"};
        throw Error(Fault::bad_usage, InputLocation{"--kind", 0, {}},
                    text("unknown cell kind '", a.kind, "'", suggestion(a.kind, kinds)),
                    "tri3, quad4, tet4, tet10 or hex8");
    }
    const Vec3 low{a.low[0], a.low[1], a.low.size() > 2 ? a.low[2] : 0.0},
        high{a.high[0], a.high[1], a.high.size() > 2 ? a.high[2] : 0.0};
    if (a.shape == "grid") {
        const std::vector<int> n = counts_of(a, 2);
        return make_grid(kind, n[0], n[1], low, high);
    }
    if (a.shape == "box") {
        const std::vector<int> n = counts_of(a, 3);
        return make_box(kind, n[0], n[1], n[2], low, high);
    }
    const Vec3 radii{a.radii[0], a.radii[1], a.radii.size() > 2 ? a.radii[2] : 0.0};
    const bool one = a.shape == "ball" || a.shape == "disc" || a.shape == "ellipse" || a.shape == "ellipsoid";
    const std::vector<int> n = counts_of(a, one ? 1 : 2);
    if (a.shape == "disc") return make_disc(kind, n[0], {}, a.radius);
    if (a.shape == "ellipse") return make_ellipse(kind, n[0], {}, radii);
    if (a.shape == "ring") return make_ring(kind, n[0], n[1], {}, a.inner_radius, a.radius);
    if (a.shape == "ellipsoid") return make_ellipsoid(kind, n[0], {}, radii);
    if (a.shape == "shell") return make_shell(kind, n[0], n[1], {}, a.inner_radius, a.radius);
    if (a.shape == "ball") return make_ball(kind, n[0], {}, a.radius);
    if (a.shape == "cylinder" && a.end_radius != 0.0)
        return make_frustum(kind, n[0], n[1], a.radius, a.end_radius, a.length);
    if (a.shape == "cylinder") return make_cylinder(kind, n[0], n[1], a.radius, a.length);
    return make_torus(kind, n[0], n[1], a.radius, a.tube_radius);
}

int generate(const GenerateArguments& a) {
    const MeshFormat format = format_for(a.out, a.format);
    const Mesh mesh = generated(a);
    write_any(a.out, mesh, format);
    if (a.json)
        print_json(mesh_json(a.out, mesh, {}, measure_of(mesh)));
    else
        print(mesh_text(a.out, mesh, measure_of(mesh)));
    return kDone;
}

void add_info(CLI::App& mesh, Action& action) {
    CLI::App* verb = mesh.add_subcommand("info", "say what a mesh file holds and what is wrong with it");
    auto path = std::make_shared<std::string>();
    auto common = std::make_shared<CommonArguments>();
    verb->add_option("file", *path, ".msh, .vtu, .inp, .mesh, .node (and .ele), .obj, .ply, .stl or .glb")
        ->required()
        ->type_name("FILE");
    add_json_flag(*verb, *common);
    verb->callback([path, common, &action] { action = [path, common] { return info(*path, common->json); }; });
}

void add_convert(CLI::App& mesh, Action& action) {
    CLI::App* verb = mesh.add_subcommand("convert",
                                         "write a mesh in another format (to .obj, .ply, .stl: its surface)");
    struct Arguments {
        std::string in, out, format;
        CommonArguments common;
    };
    auto a = std::make_shared<Arguments>();
    verb->add_option("in", a->in, "the file to read")->required()->type_name("IN");
    verb->add_option("out", a->out, "the file to write; its ending chooses the format")->required()->type_name("OUT");
    verb->add_option("--format", a->format, kFormatHelp)->type_name("NAME");
    add_json_flag(*verb, a->common);
    verb->callback([a, &action] { action = [a] { return convert(a->in, a->out, a->format, a->common.json); }; });
}

void add_generate(CLI::App& mesh, Action& action) {
    CLI::App* verb = mesh.add_subcommand(
        "generate", "make a grid, box, ball, cylinder, torus, disc, ellipse, ring, ellipsoid or shell (a hollow ball)");
    auto a = std::make_shared<GenerateArguments>();
    verb->add_option("shape", a->shape, "grid, box, ball, cylinder, torus, disc, ellipse, ring, ellipsoid or shell")
        ->required()
        ->type_name("SHAPE")
        ->check(CLI::IsMember(
            {"grid", "box", "ball", "cylinder", "torus", "disc", "ellipse", "ring", "ellipsoid", "shell"}));
    verb->add_option("-o,--out", a->out, "the file to write; its ending chooses the format")
        ->required()
        ->type_name("FILE");
    verb->add_option(
            "--kind", a->kind,
            "quad4 (default) or tri3 for a grid, disc, ellipse or ring; hex8 (default), tet4 or tet10 for the others")
        ->type_name("KIND");
    verb->add_option("--cells", a->cells,
                     "cells along each direction, or one number for all: grid nx ny; box nx ny nz; ball across; "
                     "cylinder across along; torus across around; disc, ellipse around (a multiple of 4); ring around "
                     "through; ellipsoid across; shell across through; default 4")
        ->type_name("N ...")
        ->expected(1, 3)
        ->check(NumberRange(1, kMostCells));
    verb->add_option("--low", a->low, "lowest corner of a grid or box [m]")->type_name("X Y Z")->expected(2, 3);
    verb->add_option("--high", a->high, "highest corner of a grid or box [m]")->type_name("X Y Z")->expected(2, 3);
    verb->add_option("--radius", a->radius, "ball, cylinder, ring of the torus, disc; outer one of ring and shell [m]")
        ->type_name("M")
        ->capture_default_str();
    verb->add_option("--inner-radius", a->inner_radius, "ring, shell [m]")->type_name("M")->capture_default_str();
    verb->add_option("--radii", a->radii, "ellipse, ellipsoid [m]; default 0.5 each")
        ->type_name("X Y Z")
        ->expected(2, 3);
    verb->add_option("--tube-radius", a->tube_radius, "torus [m]")->type_name("M")->capture_default_str();
    verb->add_option("--length", a->length, "cylinder [m]")->type_name("M")->capture_default_str();
    verb->add_option("--end-radius", a->end_radius, "cylinder, of its far end, for a frustum; 0 = as --radius [m]")
        ->type_name("M")
        ->capture_default_str();
    verb->add_option("--format", a->format, "as for convert")->type_name("NAME");
    verb->add_flag("--json", a->json, "print the result as JSON");
    verb->callback([a, &action] { action = [a] { return generate(*a); }; });
}

}  // namespace

void add_mesh(CLI::App& app, Action& action) {
    CLI::App* mesh = app.add_subcommand("mesh", "look at, mend, convert and generate meshes; fill surfaces");
    mesh->require_subcommand(1);
    add_info(*mesh, action);
    add_convert(*mesh, action);
    add_generate(*mesh, action);
    add_mesh_doctor(*mesh, action);
    add_mesh_solid(*mesh, action);
    add_mesh_cage(*mesh, action);
    add_mesh_asset(*mesh, action);
}

}  // namespace limber::cli
