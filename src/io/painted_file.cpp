#include "io/painted_file.hpp"

#include "body/posed_surface.hpp"
#include "core/text.hpp"
#include "io/atomic_file.hpp"
#include "io/read_budget.hpp"

#include <limber/mesh_io.hpp>
#include <limber/rig_io.hpp>

#include <algorithm>

namespace limber {

namespace {

bool is_gltf(const std::string& ending) { return ending == ".glb" || ending == ".gltf"; }

void take_obj(PaintedFile& out, const std::string& path, std::vector<std::string>& remarks) {
    const ObjModel& model = out.obj.emplace(parse_obj_model(read_file(path), path));
    PaintedSurface& p = out.painted;
    p.surface = model.surface;
    if (!model.uvs.empty()) p.corner_uv = model.corner_uv;
    for (const auto& uv : model.uvs) p.uvs.push_back({uv[0], 1.0 - uv[1]});
    if (!model.normals.empty()) p.normals = model.normals, p.corner_normal = model.corner_normal;
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
        normals = normals && has_normals, textured = textured || has_uvs, painted = painted || part.material >= 0;
        if (has_uvs) std::copy(part.uvs.begin(), part.uvs.end(), out.uvs.begin() + static_cast<std::ptrdiff_t>(first));
        if (has_normals) skin(rig, p, pose, std::span(positions).subspan(first, n), std::span(out.normals).subspan(first, n));
        for (const auto& t : part.triangles) {
            for (const std::int32_t v : t) out.corner_uv.push_back(has_uvs ? static_cast<std::int32_t>(first) + v : -1);
            out.face_look.push_back(part.material);
        }
        first += n;
    }
    if (normals) out.corner_normal = out.surface.faces;
    else out.normals.clear();
    if (!textured) out.uvs.clear(), out.corner_uv.clear();
    if (!painted) out.face_look.clear();
    else out.looks = rig.materials, out.pictures = rig.pictures;
    return out;
}

PaintedFile read_painted_file(const std::string& path, LengthUnit unit, UpAxis up, std::vector<std::string>& remarks) {
    const ReadBudget budget;
    PaintedFile out;
    const std::string ending = ending_of(path);
    const FileFrame frame(unit, up);
    if (ending == ".obj") {
        take_obj(out, path, remarks);
    } else if (is_gltf(ending)) {
        if (up != UpAxis::y) throw Error(Fault::bad_usage, {path, 0, {}}, "another axis for a glTF file", "y up, which glTF always has");
        out.painted = painted_rig(out.rig.emplace(read_rig(path, {metres_in(unit)})));      // in metres already
    } else {
        out.painted.surface = read_surface(path);
    }
    out.as_in_file = out.painted.surface.vertices;
    for (Vec3& v : out.rig ? out.as_in_file : out.painted.surface.vertices) v = out.rig ? frame.to_file(v) : frame.from_file(v);
    for (Vec3& n : out.painted.normals) n = frame.turned_from_file(n);
    out.painted.file = path;
    out.painted.unit = unit;
    out.painted.up = up;
    return out;
}

std::vector<std::string> looks_left_out(const std::string& path) {
    std::vector<std::string> remarks;
    if (ending_of(path) != ".obj") return remarks;
    try {
        read_painted_surface(path, LengthUnit::m, UpAxis::y, remarks);
    } catch (const Error&) {
        remarks.clear();    // whoever needs the looks is told why they cannot be read
    }
    return remarks;
}

PaintedSurface read_painted_surface(const std::string& path, LengthUnit unit, UpAxis up, std::vector<std::string>& remarks) {
    return read_painted_file(path, unit, up, remarks).painted;
}

}  // namespace limber
