#include "io/shown_surface.hpp"

#include "core/text.hpp"
#include "geometry/triangles.hpp"
#include "geometry/weld.hpp"
#include "io/atomic_file.hpp"
#include "io/series_data.hpp"

#include <limber/mesh_io.hpp>
#include <limber/rig_io.hpp>

#include <algorithm>

namespace limber {

namespace {
std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

std::string size_words(const Vec3& size) { return fmt::format("{:.3g} x {:.3g} x {:.3g} m", size.x, size.y, size.z); }
}  // namespace

ShownSurface::ShownSurface(const Body& body, const SurfaceSeriesTarget& target)
    : own_(target.match.empty() ? LengthUnit::m : target.match_unit, target.match.empty() ? UpAxis::y : target.match_up) {
    if (target.match.empty()) take_boundary(body.mesh());
    else take_file(body, target);
    prepare_normals(target.crease_degrees);
}

// Planar bodies are sheets: their cells are the faces.
void ShownSurface::take_boundary(const Mesh& mesh) {
    const bool planar = mesh.dimension() == 2;
    const Boundary boundary = planar ? Boundary{} : boundary_of(mesh);
    const std::vector<std::int32_t>& corners = planar ? mesh.cells : boundary.facets;
    const int width = planar ? corners_of(mesh.kind) : boundary.corners;
    std::vector<std::int32_t> number(mesh.vertices.size(), -1);
    for (const std::int32_t c : corners) number[at(c)] = 0;
    for (std::size_t v = 0; v < number.size(); ++v)
        if (number[v] == 0) {
            number[v] = static_cast<std::int32_t>(body_vertex_.size());
            body_vertex_.push_back(static_cast<std::int32_t>(v));
            surface_.vertices.push_back(mesh.vertices[v]);
        }
    for (std::size_t c = 0; c < corners.size(); ++c) {
        surface_.faces.push_back(number[at(corners[c])]);
        if ((c + 1) % static_cast<std::size_t>(width) == 0) surface_.face_starts.push_back(static_cast<std::int32_t>(c + 1));
    }
    as_in_file_ = surface_.vertices;
}

void ShownSurface::take_file(const Body& body, const SurfaceSeriesTarget& target) {
    const std::string ending = ending_of(target.match);
    if (ending == ".obj") {
        obj_ = parse_obj_model(read_file(target.match), target.match);
        surface_ = obj_->surface;
        if (!obj_->normals.empty()) file_normals_ = obj_->normals, corner_normal_ = obj_->corner_normal;
    } else if (ending == ".glb" || ending == ".gltf") {
        if (!(own_ == FileFrame(LengthUnit::m, UpAxis::y))) throw Error(Fault::bad_usage, {target.match, 0, {}}, "another unit or axis for a glTF file", "metres and y up, which glTF always has");
        rig_ = read_rig(target.match);
        take_rig();
    } else {
        surface_ = read_surface(target.match);
    }
    as_in_file_ = surface_.vertices;
    for (Vec3& v : surface_.vertices) v = own_.from_file(v);
    try {
        embedded_.emplace(surface_.vertices, body.mesh(), EmbeddingSettings{target.limit});
    } catch (const Error& error) {
        throw Error(error.fault(), {target.match, 0, {}}, error.found(), error.expected());
    }
    if (const std::string warning = embedded_->warning(); !warning.empty()) {
        std::string words = text(target.match, ": ", warning);
        const Box3 mine = box_of(surface_.vertices), solid = box_of(body.mesh().vertices);
        if (mine.diagonal() > 5 * solid.diagonal() || solid.diagonal() > 5 * mine.diagonal())
            words += text("; it measures ", size_words(mine.size()), ", the body ", size_words(solid.size()), ": is its unit right (--match-unit, now ", to_string(target.match_unit), ")?");
        remarks_.push_back(std::move(words));
    } else if (embedded_->outside() > 0) {
        remarks_.push_back(fmt::format("{} of {} vertices of {} lie outside the body, at most {:.3g} m: they follow the nearest cell", embedded_->outside(), embedded_->size(), target.match, embedded_->farthest()));
    }
}

void ShownSurface::take_rig() {
    const Pose pose = rest_pose(*rig_);
    bool normals = true;
    for (std::size_t p = 0; p < rig_->parts.size(); ++p) {
        const SkinPart& part = rig_->parts[p];
        const std::size_t first = surface_.vertices.size(), n = part.positions.size();
        surface_.vertices.resize(first + n);
        file_normals_.resize(first + n);
        normals = normals && part.normals.size() == n;
        skin(*rig_, p, pose, std::span(surface_.vertices).subspan(first), part.normals.size() == n ? std::span(file_normals_).subspan(first) : std::span<Vec3>{});
        for (const auto& t : part.triangles) {
            for (const std::int32_t v : t) surface_.faces.push_back(static_cast<std::int32_t>(first) + v);
            surface_.face_starts.push_back(static_cast<std::int32_t>(surface_.faces.size()));
        }
    }
    if (surface_.face_count() == 0) throw Error(Fault::bad_mesh, {rig_->source, 0, {}}, "a model without triangles", "a surface to show");
    if (normals) corner_normal_ = surface_.faces;
    else file_normals_.clear();
}

void ShownSurface::prepare_normals(double crease_degrees) {
    std::vector<std::int32_t> split;
    const std::vector<std::int32_t> same = weld(file_normals_, 1e-6);
    for (const std::int32_t n : corner_normal_) split.push_back(n < 0 ? -1 : same[at(n)]);
    normals_.emplace(surface_, crease_degrees, split);
    smooth_at_rest_.resize(normals_->count());
    normals_->compute(surface_.vertices, smooth_at_rest_);
    given_.resize(normals_->count());
    for (std::size_t c = 0; c < split.size(); ++c) {
        if (split[c] < 0) continue;
        const Vec3 n = own_.turned_from_file(file_normals_[at(corner_normal_[c])]);
        const double length = norm(n);
        if (length > 1e-12) given_[at(normals_->of_corner()[c])] = n / length;
    }
}

void ShownSurface::displacements(std::span<const Vec3> body, std::span<Vec3> out) const {
    if (embedded_) return embedded_->displacements(body, out);
    for (std::size_t v = 0; v < out.size(); ++v) out[v] = body[at(body_vertex_[v])];
}

std::vector<Vec3> ShownSurface::in_file(std::span<const Vec3> displacement, const FileFrame& out) const {
    std::vector<Vec3> positions;
    positions.reserve(displacement.size());
    const bool same = out == own_;
    for (std::size_t v = 0; v < displacement.size(); ++v) {
        const Vec3& u = displacement[v];
        positions.push_back((same ? as_in_file_[v] : out.to_file(surface_.vertices[v])) + (u == Vec3{} ? Vec3{} : out.to_file(u)));
    }
    return positions;
}

std::vector<Vec3> ShownSurface::normals(std::span<const Vec3> displacement) const {
    std::vector<Vec3> moved(surface_.vertices);
    for (std::size_t v = 0; v < moved.size(); ++v) moved[v] += displacement[v];
    std::vector<Vec3> out(normals_->count());
    normals_->compute(moved, out);
    for (std::size_t n = 0; n < out.size(); ++n)
        if (given_[n] != Vec3{}) out[n] = turned_along(given_[n], smooth_at_rest_[n], out[n]);
    return out;
}

std::vector<Vec3> ShownSurface::obj_normals(std::span<const Vec3> displacement, const FileFrame& out) const {
    if (!obj_ || obj_->normals.empty()) return {};
    std::vector<Vec3> moved(surface_.vertices), smooth(normals_->count()), sum(obj_->normals.size());
    for (std::size_t v = 0; v < moved.size(); ++v) moved[v] += displacement[v];
    normals_->compute(moved, smooth);
    std::vector<bool> turned(sum.size(), false);
    for (std::size_t c = 0; c < obj_->corner_normal.size(); ++c) {
        const std::int32_t line = obj_->corner_normal[c];
        const std::size_t slot = at(normals_->of_corner()[c]);
        if (line < 0) continue;
        sum[at(line)] += turned_along(own_.turned_from_file(obj_->normals[at(line)]), smooth_at_rest_[slot], smooth[slot]);
        turned[at(line)] = turned[at(line)] || smooth_at_rest_[slot] != smooth[slot];
    }
    std::vector<Vec3> result;
    for (std::size_t n = 0; n < sum.size(); ++n) {
        const Vec3& before = obj_->normals[n];
        const double length = norm(sum[n]);
        const bool still = !turned[n] || !(length > 0.0);
        result.push_back(still ? (out == own_ ? before : out.turned_to_file(own_.turned_from_file(before))) : out.turned_to_file(sum[n] * (norm(before) / length)));
    }
    return result;
}

}  // namespace limber
