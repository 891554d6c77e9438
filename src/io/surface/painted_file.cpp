#include "io/surface/painted_file.hpp"

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/read_budget.hpp"
#include "io/gltf/gltf_kept.hpp"
#include "rig/posed_surface.hpp"

#include <limber/tools/mesh_io.hpp>
#include <limber/tools/rig_io.hpp>

#include <algorithm>

namespace limber {

namespace {

bool is_gltf(const std::string& ending) { return ending == ".glb" || ending == ".gltf"; }

/// What looks need of a file's rest; cameras and the like belong to nodes, which a surface has not.
KeptJson kept_of_looks(const Rig& rig) {
    const nlohmann::ordered_json all = kept_object(rig.kept, rig.source);
    nlohmann::ordered_json out = nlohmann::ordered_json::object();
    for (const char* name : {"textures", "samplers", "extensionsRequired", "asset"})
        if (all.contains(name)) out[name] = all[name];
    return out.empty() ? KeptJson{} : out.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void put(std::vector<VertexNumbers>& list, const std::string& name, std::size_t width, std::size_t vertices,
         std::size_t at, double value) {
    auto found = std::find_if(list.begin(), list.end(), [&](const VertexNumbers& a) { return a.name == name; });
    if (found == list.end()) {
        found = list.insert(
            list.end(), {name, width, std::vector<double>(width * vertices, name.starts_with("COLOR_") ? 1.0 : 0.0)});
    }
    if (found->width == width) found->values[at] = value;
}

/// Further texture coordinates and the first vertex colours, of which alpha is 1 where the part has none. Tangents stay
/// behind: in another pose they are others, and clients make them from the texture coordinates.
void take_attributes(const SkinPart& part, std::size_t first, PaintedSurface& out) {
    const std::size_t vertices = out.surface.vertices.size(), n = part.positions.size();
    for (const VertexNumbers& a : part.attributes) {
        for (std::size_t i = 0; a.name.starts_with("TEXCOORD_") && i < a.values.size(); ++i)
            put(out.attributes, a.name, a.width, vertices, a.width * first + i, a.values[i]);
    }
    for (const Paint& paint : part.paint) {
        for (std::size_t c = 0; c < 4; ++c) {
            for (std::size_t v = 0; paint.name == text("COLOR_0.", "rgba"[c]) && v < n; ++v)
                put(out.attributes, "COLOR_0", 4, vertices, 4 * (first + v) + c, paint.values[v]);
        }
    }
}

void take_obj(PaintedFile& out, const std::string& path, std::vector<std::string>& remarks) {
    const ObjModel& model = out.obj.emplace(parse_obj_model(read_file(path), path));
    PaintedSurface& p = out.painted;
    p.surface = model.surface;
    if (!model.uvs.empty()) p.corner_uv = model.corner_uv;
    for (const auto& uv : model.uvs) p.uvs.push_back({uv[0], 1.0 - uv[1]});
    if (!model.normals.empty()) {
        p.normals = model.normals;
        p.corner_normal = model.corner_normal;
    }
    read_obj_looks(model, path, p, remarks);
    if (!p.looks.empty()) p.face_look = model.face_material;
}

}  // namespace

bool is_surface_file(const std::string& path) {
    const std::string ending = ending_of(path);
    return ending == ".obj" || ending == ".ply" || ending == ".stl" || is_gltf(ending);
}

PaintedSurface painted_rig(const Rig& rig) {
    PaintedSurface out;
    const Pose pose = rest_pose(rig);
    out.surface = posed_surface(rig, pose);
    const std::size_t count = out.surface.vertices.size();
    out.normals.resize(count);
    out.uvs.resize(count);
    bool normals = true, textured = false, painted = false;
    std::vector<Vec3> positions(count);
    for (std::size_t p = 0, first = 0; p < rig.parts.size(); ++p) {
        const SkinPart& part = rig.parts[p];
        const std::size_t n = part.positions.size();
        const bool has_normals = part.normals.size() == n, has_uvs = part.uvs.size() == n;
        normals = normals && has_normals;
        textured = textured || has_uvs;
        painted = painted || part.material >= 0;
        if (has_uvs) std::copy(part.uvs.begin(), part.uvs.end(), out.uvs.begin() + static_cast<std::ptrdiff_t>(first));
        take_attributes(part, first, out);
        if (has_normals)
            skin(rig, p, pose, std::span(positions).subspan(first, n), std::span(out.normals).subspan(first, n));
        for (const auto& t : part.triangles) {
            for (const std::int32_t v : t) out.corner_uv.push_back(has_uvs ? static_cast<std::int32_t>(first) + v : -1);
            out.face_look.push_back(part.material);
        }
        first += n;
    }
    if (normals)
        out.corner_normal = out.surface.faces;
    else
        out.normals.clear();
    if (!textured) {
        out.uvs.clear();
        out.corner_uv.clear();
    }
    if (!painted)
        out.face_look.clear();
    else {
        out.looks = rig.materials;
        out.pictures = rig.pictures;
        out.kept = kept_of_looks(rig);
    }
    return out;
}

PaintedFile read_painted_file(const std::string& path, LengthUnit unit, UpAxis up, std::vector<std::string>& remarks) {
    const ReadBudget budget;
    PaintedFile out;
    const std::string ending = ending_of(path);
    const FileAxes axes(unit, up);
    if (ending == ".obj") {
        take_obj(out, path, remarks);
    } else if (is_gltf(ending)) {
        if (up != UpAxis::y)
            throw Error(Fault::bad_usage, {path, 0, {}}, "another axis for a glTF file", "y up, which glTF always has");
        out.painted = painted_rig(out.rig.emplace(read_rig(path, {metres_in(unit)})));  // in metres already
        for (const std::string& line : missing_pictures(out.painted.pictures))
            remarks.push_back(text(path, ": ", line));
    } else {
        out.painted.surface = read_surface(path);
    }
    out.as_in_file = out.painted.surface.vertices;
    for (Vec3& v : out.rig ? out.as_in_file : out.painted.surface.vertices)
        v = out.rig ? axes.to_file(v) : axes.from_file(v);
    for (Vec3& n : out.painted.normals) n = axes.turned_from_file(n);
    out.painted.file = path;
    out.painted.unit = unit;
    out.painted.up = up;
    return out;
}

std::vector<std::string> looks_left_out(const std::string& path) {
    std::vector<std::string> remarks;
    const bool gltf = is_gltf(ending_of(path));
    if (ending_of(path) != ".obj" && !gltf) return remarks;
    try {
        if (!gltf) {
            read_painted_surface(path, LengthUnit::m, UpAxis::y, remarks);
        } else {
            for (const std::string& line : missing_pictures(read_rig(path).pictures))
                remarks.push_back(text(path, ": ", line));
        }
    } catch (const Error&) {
        remarks.clear();  // whoever needs the looks is told why they cannot be read
    }
    return remarks;
}

PaintedSurface read_painted_surface(const std::string& path, LengthUnit unit, UpAxis up,
                                    std::vector<std::string>& remarks) {
    return read_painted_file(path, unit, up, remarks).painted;
}

}  // namespace limber
