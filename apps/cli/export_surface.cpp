// limber export to obj, ply, stl and glb, and of point caches on an artist's own surface.
#include "cli/export.hpp"

#include "core/text.hpp"

#include <limber/tools/surface_series.hpp>

#include <map>

namespace limber::cli {
namespace {

const std::map<std::string, SurfaceSeriesFormat> kSurfaceFormats{
    {"obj", SurfaceSeriesFormat::obj}, {"ply", SurfaceSeriesFormat::ply}, {"stl", SurfaceSeriesFormat::stl},
    {"glb", SurfaceSeriesFormat::glb}, {"pc2", SurfaceSeriesFormat::pc2}, {"mdd", SurfaceSeriesFormat::mdd}};

}  // namespace

void add_surface_options(CLI::App& verb, ExportArguments& a) {
    verb.add_option("--match", a.surface.match,
                    "obj, ply, stl, glb, pc2, mdd: the surface that rides on the body, the recording's own unless "
                    "told; its vertex order, texture coordinates, materials and groups are kept")
        ->type_name("SURFACE");
    verb.add_flag("--boundary", a.surface.boundary,
                  "the body's own boundary (pc2, mdd: all its vertices), though the recording is shown by a surface");
    verb.add_option("--match-unit", a.surface.match_unit, "the unit of that file, m unless told")
        ->type_name("m|cm|mm|in|ft")
        ->transform(length_words());
    verb.add_option("--match-up", a.surface.match_up, "the axis that points up in it, y unless told")
        ->type_name("y|z")
        ->transform(up_words());
    verb.add_option("--time", a.surface.time, "obj, ply, stl, glb: the shape at one time instead of all frames")
        ->type_name("SECONDS");
    verb.add_option("--crease", a.surface.crease_degrees,
                    "degrees: sharper edges stay hard where the file has no normals of its own; 60 unless told")
        ->type_name("ANGLE")
        ->check(NumberRange(0.0, 180.0));
    verb.add_option("--targets", a.surface.targets,
                    "glb: at most so many morph targets; as many as 0.1 % of the motion needs unless told")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    verb.add_flag("--every-frame", a.surface.target_per_frame, "glb: a morph target for each frame: exact, and large");
    verb.add_flag("--blender", a.surface.positive_weights, "glb: weights between 0 and 1 only, as Blender keeps them");
}

bool is_surface_export(const ExportArguments& a, const Recording& recording) {
    const bool cache = a.to == "pc2" || a.to == "mdd";
    return kSurfaceFormats.count(a.to) > 0 &&
           (!cache || !a.surface.match.empty() || (recording.shown && !a.surface.boundary));
}

void refuse_surface_options(const ExportArguments& a) {
    const std::pair<bool, const char*> given[] = {
        {!a.surface.match.empty(), "--match"},
        {a.surface.boundary && kSurfaceFormats.count(a.to) == 0, "--boundary"},
        {a.surface.time.has_value(), "--time"},
        {a.surface.targets > 0, "--targets"},
        {a.surface.target_per_frame, "--every-frame"},
        {a.surface.positive_weights, "--blender"}};
    for (const auto& [used, name] : given) {
        if (used) {
            throw Error(Fault::bad_usage, {name, 0, {}}, text("an option for surfaces, with --to ", a.to),
                        "obj, ply, stl or glb (pc2 and mdd with --match)");
        }
    }
}

SeriesWritten export_surface(const Recording& recording, const ExportArguments& a, Progress& progress) {
    if (a.to != "glb" && (a.surface.targets > 0 || a.surface.target_per_frame || a.surface.positive_weights))
        throw Error(Fault::bad_usage, {a.out, 0, {}}, text("--targets, --every-frame or --blender for ", a.to), "glb");
    if (a.surface.boundary && !a.surface.match.empty())
        throw Error(Fault::bad_usage, {a.out, 0, {}}, "both --match and --boundary", "one of them");
    if (a.surface.targets > 0 && a.surface.target_per_frame)
        throw Error(Fault::bad_usage, {a.out, 0, {}}, "both --targets and --every-frame", "one of them");
    SurfaceSeriesTarget target = a.surface;
    target.path = a.out;
    target.format = kSurfaceFormats.at(a.to);
    target.unit = a.unit;
    target.up = a.up;
    target.frame_rate = a.frame_rate;
    target.progress = &progress;
    return write_surface_series(recording, target);
}

}  // namespace limber::cli
