#include "playback/shown_surface.hpp"

#include "core/text.hpp"
#include "geometry/weld.hpp"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

namespace limber {

namespace {
std::size_t surface_index(std::int32_t i) { return static_cast<std::size_t>(i); }

std::string size_words(const Vec3& size) { return fmt::format("{:.3g} x {:.3g} x {:.3g} m", size.x, size.y, size.z); }
}  // namespace

ShownSurface::ShownSurface(const Recording& recording, const SurfaceSeriesTarget& target) {
    const Body& body = *recording.body;
    if (!target.match.empty()) {
        take_file(target.match, target.match_unit, target.match_up);
        embed(body, target.limit);
    } else if (recording.shown && !target.boundary) {
        take_recorded(*recording.shown, recording.file);
        embed(body, target.limit > 0.0 ? target.limit : recording.shown->limit);
    } else {
        take_boundary(body, FileAxes(recording.unit, recording.up));
    }
    if (name_.empty()) name_ = body.name();
    prepare_normals(target.crease_degrees);
}

// Planar bodies are sheets: their cells are the faces.
void ShownSurface::take_boundary(const Body& body, const FileAxes& own) {
    const Mesh& mesh = body.mesh();
    const bool planar = mesh.dimension() == 2;
    const Boundary boundary = planar ? Boundary{} : boundary_of(mesh);
    const std::vector<std::int32_t>& corners = planar ? mesh.cells : boundary.facets;
    const int width = planar ? corners_of(mesh.kind) : boundary.corners;
    Surface& surface = file_.painted.surface;
    std::vector<std::int32_t> number(mesh.vertices.size(), -1);
    for (const std::int32_t c : corners) number[surface_index(c)] = 0;
    for (std::size_t v = 0; v < number.size(); ++v) {
        if (number[v] == 0) {
            number[v] = static_cast<std::int32_t>(body_vertex_.size());
            body_vertex_.push_back(static_cast<std::int32_t>(v));
            surface.vertices.push_back(mesh.vertices[v]);
        }
    }
    for (std::size_t c = 0; c < corners.size(); ++c) {
        surface.faces.push_back(number[surface_index(corners[c])]);
        if ((c + 1) % static_cast<std::size_t>(width) == 0)
            surface.face_starts.push_back(static_cast<std::int32_t>(c + 1));
    }
    own_ = own;
    for (const Vec3& v : surface.vertices) file_.as_in_file.push_back(own.to_file(v));
}

void ShownSurface::take_file(const std::string& path, LengthUnit unit, UpAxis up) {
    file_ = read_painted_file(path, unit, up, remarks_);
    own_ = FileAxes(unit, up);
    name_ = std::filesystem::path(path).stem().string();
    from_ = path;
}

namespace {
/// Where the file may lie now: where it lay, seen from the current folder; beside the recording, which may have moved
/// with it, by its path and by its name.
std::vector<std::string> places_of(const std::string& file, const std::string& recording) {
    namespace fs = std::filesystem;
    std::vector<std::string> out{file};
    if (recording.empty()) return out;
    const fs::path folder = fs::path(recording).parent_path(), path(file);
    for (const fs::path& place : {folder / path, folder / path.filename()})
        if (std::find(out.begin(), out.end(), place.string()) == out.end()) out.push_back(place.string());
    return out;
}
}  // namespace

// The file itself holds more than a recording does (groups, comments, skins): it is used while it is still the one that
// was recorded.
void ShownSurface::take_recorded(const PaintedSurface& shown, const std::string& recording) {
    std::string why = "is not there any more";
    if (!shown.file.empty()) {
        for (const std::string& place : places_of(shown.file, recording))
            if (take_if_same(shown, place, why)) return;
    }
    remarks_.clear();
    file_ = {};
    file_.painted = shown;
    own_ = FileAxes(shown.unit, shown.up);
    for (const Vec3& v : shown.surface.vertices) file_.as_in_file.push_back(own_.to_file(v));
    name_ = std::filesystem::path(shown.file).stem().string();
    from_ = "the recording's surface";
    if (!shown.file.empty()) {
        remarks_.push_back(
            text(shown.file, " ", why, ": the copy in the recording is shown, without groups and skins"));
    }
}

/// `why` is told where a file is there but no longer the one that was recorded.
bool ShownSurface::take_if_same(const PaintedSurface& shown, const std::string& path, std::string& why) {
    std::error_code problem;
    if (!std::filesystem::is_regular_file(path, problem)) return false;
    try {
        remarks_.clear();
        take_file(path, shown.unit, shown.up);
        why = "has changed since the run";
        return surface().vertices == shown.surface.vertices && surface().faces == shown.surface.faces &&
               surface().face_starts == shown.surface.face_starts;
    } catch (const Error& error) {
        why = text("cannot be read now (", error.found(), ")");
        return false;
    }
}

void ShownSurface::embed(const Body& body, double limit) {
    try {
        embedded_.emplace(surface().vertices, body.mesh(), EmbeddingSettings{limit});
    } catch (const Error& error) {
        throw Error(error.fault(), {from_, 0, {}}, error.found(), error.expected());
    }
    if (const std::string warning = embedded_->warning(); !warning.empty()) {
        std::string words = text(from_, ": ", warning);
        const Box3 mine = box_of(surface().vertices), solid = box_of(body.mesh().vertices);
        if (mine.diagonal() > 5 * solid.diagonal() || solid.diagonal() > 5 * mine.diagonal()) {
            words += text("; it measures ", size_words(mine.size()), ", the body ", size_words(solid.size()),
                          ": is its unit right (--match-unit, now ", to_string(painted().unit), ")?");
        }
        remarks_.push_back(std::move(words));
    } else if (embedded_->outside() > 0) {
        remarks_.push_back(
            fmt::format("{} of {} vertices of {} lie outside the body, at most {:.3g} m: they follow the nearest cell",
                        embedded_->outside(), embedded_->size(), from_, embedded_->farthest()));
    }
}

void ShownSurface::prepare_normals(double crease_degrees) {
    std::vector<std::int32_t> split;
    const PaintedSurface& p = painted();
    const std::vector<std::int32_t> same = weld(p.normals, 1e-6);
    for (const std::int32_t n : p.corner_normal) split.push_back(n < 0 ? -1 : same[surface_index(n)]);
    normals_.emplace(p.surface, crease_degrees, split);
    smooth_at_rest_.resize(normals_->count());
    normals_->compute(p.surface.vertices, smooth_at_rest_);
    given_.resize(normals_->count());
    for (std::size_t c = 0; c < split.size(); ++c) {
        if (split[c] < 0) continue;
        const Vec3& n = p.normals[surface_index(p.corner_normal[c])];
        const double length = norm(n);
        if (length > 1e-12) given_[surface_index(normals_->of_corner()[c])] = n / length;
    }
}

void ShownSurface::displacements(std::span<const Vec3> body, std::span<Vec3> out) const {
    if (embedded_) return embedded_->displacements(body, out);
    for (std::size_t v = 0; v < out.size(); ++v) out[v] = body[surface_index(body_vertex_[v])];
}

double ShownSurface::value_at(std::size_t vertex, std::span<const double> per_body_vertex) const {
    if (!embedded_) return per_body_vertex[surface_index(body_vertex_[vertex])];
    const std::span<const std::int32_t> corners = embedded_->vertices_of(vertex);
    const std::span<const double> weights = embedded_->weights_of(vertex);
    double sum = 0.0;
    for (std::size_t k = 0; k < corners.size(); ++k) sum += weights[k] * per_body_vertex[surface_index(corners[k])];
    return sum;
}

std::vector<Vec3> ShownSurface::in_file(std::span<const Vec3> displacement, const FileAxes& out) const {
    std::vector<Vec3> positions;
    positions.reserve(displacement.size());
    const bool same = out == own_;
    for (std::size_t v = 0; v < displacement.size(); ++v) {
        const Vec3& u = displacement[v];
        positions.push_back((same ? file_.as_in_file[v] : out.to_file(surface().vertices[v])) +
                            (u == Vec3{} ? Vec3{} : out.to_file(u)));
    }
    return positions;
}

std::vector<Vec3> ShownSurface::normals(std::span<const Vec3> displacement) const {
    std::vector<Vec3> moved(surface().vertices);
    for (std::size_t v = 0; v < moved.size(); ++v) moved[v] += displacement[v];
    std::vector<Vec3> out(normals_->count());
    normals_->compute(moved, out);
    for (std::size_t n = 0; n < out.size(); ++n)
        if (given_[n] != Vec3{}) out[n] = turned_along(given_[n], smooth_at_rest_[n], out[n]);
    return out;
}

std::vector<Vec3> ShownSurface::obj_normals(std::span<const Vec3> displacement, const FileAxes& out) const {
    if (!obj() || obj()->normals.empty()) return {};
    std::vector<Vec3> moved(surface().vertices), smooth(normals_->count()), sum(obj()->normals.size());
    for (std::size_t v = 0; v < moved.size(); ++v) moved[v] += displacement[v];
    normals_->compute(moved, smooth);
    std::vector<bool> turned(sum.size(), false);
    for (std::size_t c = 0; c < obj()->corner_normal.size(); ++c) {
        const std::int32_t line = obj()->corner_normal[c];
        const std::size_t slot = surface_index(normals_->of_corner()[c]);
        if (line < 0) continue;
        sum[surface_index(line)] += turned_along(own_.turned_from_file(obj()->normals[surface_index(line)]),
                                                 smooth_at_rest_[slot], smooth[slot]);
        turned[surface_index(line)] = turned[surface_index(line)] || smooth_at_rest_[slot] != smooth[slot];
    }
    std::vector<Vec3> result;
    for (std::size_t n = 0; n < sum.size(); ++n) {
        const Vec3& before = obj()->normals[n];
        const double length = norm(sum[n]);
        const bool still = !turned[n] || !(length > 0.0);
        result.push_back(still ? (out == own_ ? before : out.turned_to_file(own_.turned_from_file(before)))
                               : out.turned_to_file(sum[n] * (norm(before) / length)));
    }
    return result;
}

namespace {
/// Where a face has a vertex. Searched in small faces, kept for large ones: a polygon may have a hundred thousand
/// corners.
class CornerSources {
public:
    explicit CornerSources(const ShownSurface& shown) : shown_(shown), surface_(shown.painted().surface) {}

    CornerSource of(std::int32_t face, std::int32_t vertex) {
        const std::size_t corner = corner_of(surface_index(face), vertex);
        const std::vector<std::int32_t>& uvs = shown_.painted().corner_uv;
        return {vertex, uvs.empty() ? -1 : uvs[corner], shown_.normal_of_corner()[corner]};
    }

private:
    std::size_t corner_of(std::size_t face, std::int32_t vertex) {
        const std::size_t begin = surface_index(surface_.face_starts[face]),
                          end = surface_index(surface_.face_starts[face + 1]);
        if (end - begin <= 16) {
            return static_cast<std::size_t>(
                std::find(surface_.faces.begin() + static_cast<std::ptrdiff_t>(begin), surface_.faces.end(), vertex) -
                surface_.faces.begin());
        }
        if (face != known_face_) {
            first_.clear();
            for (std::size_t c = begin; c < end; ++c) first_.emplace(surface_.faces[c], c);
            known_face_ = face;
        }
        return first_.at(vertex);
    }

    const ShownSurface& shown_;
    const Surface& surface_;
    std::size_t known_face_ = static_cast<std::size_t>(-1);
    std::unordered_map<std::int32_t, std::size_t> first_;
};
}  // namespace

SplitTriangles split_triangles(const ShownSurface& shown, const Triangles& triangles,
                               std::span<const std::size_t> members) {
    SplitTriangles out;
    std::vector<std::array<CornerSource, 3>> corners;
    CornerSources sources(shown);
    for (const std::size_t t : members) {
        corners.emplace_back();
        for (std::size_t k = 0; k < 3; ++k)
            out.sources.push_back(corners.back()[k] = sources.of(triangles.face[t], triangles.corners[t][k]));
    }
    std::sort(out.sources.begin(), out.sources.end());
    out.sources.erase(std::unique(out.sources.begin(), out.sources.end()), out.sources.end());
    const auto number = [&](const CornerSource& s) {
        return static_cast<std::int32_t>(std::lower_bound(out.sources.begin(), out.sources.end(), s) -
                                         out.sources.begin());
    };
    for (const auto& c : corners) out.triangles.push_back({number(c[0]), number(c[1]), number(c[2])});
    return out;
}

MaterialLook plain_look() {
    MaterialLook look;
    look.name = "plain";
    look.base_color = {0.8, 0.8, 0.8, 1.0};
    look.metallic = 0.0;
    look.roughness = 0.8;
    return look;
}

}  // namespace limber
