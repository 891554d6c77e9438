// Series of other programs become recordings: units and axes, times, and the body's vertices.
#include "io/files/atomic_file.hpp"
#include "io/files/read_budget.hpp"
#include "io/points/point_cache.hpp"
#include "playback/series_build.hpp"
#include "playback/series_data.hpp"
#include "playback/series_vtu.hpp"
#include "sim/provenance_text.hpp"

#include "core/text.hpp"

#include <limber/tools/mesh_io.hpp>

#include <nlohmann/json.hpp>

namespace limber {

const char* to_string(SeriesMatch match) {
    switch (match) {
        case SeriesMatch::automatic: return "automatic";
        case SeriesMatch::by_index: return "by_index";
        case SeriesMatch::by_rest_position: return "by_rest_position";
    }
    return "?";
}

const char* to_string(SeriesFormat format) {
    switch (format) {
        case SeriesFormat::npz: return "npz";
        case SeriesFormat::pc2: return "pc2";
        case SeriesFormat::mdd: return "mdd";
        case SeriesFormat::vtu: return "vtu";
    }
    return "?";
}

SeriesData load_point_cache(std::string_view bytes, const std::string& name) {
    const bool pc2 = ending_of(name) == ".pc2";
    PointCache cache = pc2 ? parse_pc2(bytes, name) : parse_mdd(bytes, name);
    SeriesData out;
    out.points = cache.points;
    out.frames = std::move(cache.frames);
    out.times = std::move(cache.times);
    out.single_times = true;
    out.spacing = cache.spacing;
    if (pc2 && cache.start != 0)
        out.remarks.push_back(text("the first sample is frame ", cache.start, "; it is taken as the start time"));
    return out;
}

std::vector<Vec3> load_points(const std::string& path, const SeriesArrays& arrays) {
    const std::string end = ending_of(path);
    if (end == ".obj" || end == ".ply" || end == ".stl") return read_surface(path).vertices;
    if (end == ".msh") return read_mesh(path).vertices;
    const std::string bytes = read_file(path);
    if (end == ".vtu") return parse_vtu_points(bytes, path).points;
    if (end == ".pc2" || end == ".mdd") return load_point_cache(bytes, path).frames.front();
    if (end == ".npz") return load_npz_points(bytes, path, arrays);
    throw Error(Fault::bad_file, {path, 0, {}}, text("a rest shape in a file that ends in '", end, "'"),
                ".vtu, .msh, .obj, .ply, .stl, .npz, .pc2 or .mdd");
}

namespace {
SeriesData load(const SeriesSource& source) {
    const std::string end = ending_of(source.path);
    if (end == ".pvd" || end == ".vtu") return load_vtu_series(source.path);
    if (end != ".pc2" && end != ".mdd" && end != ".npz") {
        throw Error(Fault::bad_file, {source.path, 0, {}}, text("a series in a file that ends in '", end, "'"),
                    ".limber, .pvd, .vtu, .npz, .pc2 or .mdd");
    }
    const std::string bytes = read_file(source.path);
    return end == ".npz" ? load_npz_series(bytes, source.path, source.arrays) : load_point_cache(bytes, source.path);
}

// A recording knows its unit, its times and its mesh: telling it others would be a misunderstanding.
Recording read_own(const SeriesSource& source) {
    const SeriesArrays& a = source.arrays;
    const bool arrays = !(a.positions + a.displacements + a.velocities + a.times + a.rest).empty();
    if (source.unit != LengthUnit::m || source.up != UpAxis::y || source.frame_rate != 0 || !source.rest.empty() ||
        source.first_frame_is_rest || arrays) {
        throw Error(Fault::bad_usage, {source.path, 0, {}},
                    "a unit, an axis, a frame rate, arrays or a rest shape for a limber recording",
                    "none: it has its own");
    }
    return read_recording(source.path);
}
}  // namespace

Recording read_series(const SeriesSource& source, std::shared_ptr<const Body> body) {
    if (ending_of(source.path) == ".limber") return read_own(source);
    if (!body) throw Error(Fault::bad_usage, {source.path, 0, {}}, "a series without a body", "the body that it shows");
    const ReadBudget budget;
    SeriesData data = load(source);
    if (!source.rest.empty()) {
        data.rest = load_points(source.rest, source.arrays);
        if (data.rest.size() != data.points) {
            throw Error(Fault::bad_data, {source.rest, 0, {}}, counted(data.rest.size(), "point"),
                        text(data.points, ", as in ", source.path));
        }
    }
    Recording out = build_series(std::move(data), source, std::move(body));
    out.scene = source.path;
    out.method = "imported";
    out.unit = source.unit;
    out.up = source.up;
    const nlohmann::json read_by = nlohmann::json::parse(provenance_text(), nullptr, false);
    out.provenance = nlohmann::json{{"imported_from", source.path},
                                    {"unit", to_string(source.unit)},
                                    {"up", to_string(source.up)},
                                    {"read_by", read_by.is_discarded() ? nlohmann::json() : read_by}}
                         .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return out;
}

}  // namespace limber
