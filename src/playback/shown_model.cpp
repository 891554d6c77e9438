#include <limber/tools/shown.hpp>

#include "core/text.hpp"
#include "playback/shown_surface.hpp"

#include <algorithm>
#include <numeric>

namespace limber {

struct ShownModel::Impl {
    Impl(const Recording& recording, const SurfaceSeriesTarget& choice) : shown(recording, choice) {
        const PaintedSurface& painted = shown.painted();
        const Triangles whole = triangulate(painted.surface);
        std::vector<std::size_t> all(whole.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        split = split_triangles(shown, whole, all);
        looks = painted.looks;
        const auto plain = static_cast<std::int32_t>(looks.size());
        for (const std::size_t t : all) {
            const std::int32_t look = painted.face_look.empty()
                                          ? -1
                                          : painted.face_look[static_cast<std::size_t>(whole.face[t])];
            triangle_look.push_back(look < 0 ? plain : look);
        }
        if (std::find(triangle_look.begin(), triangle_look.end(), plain) != triangle_look.end())
            looks.push_back(plain_look());
        for (const CornerSource& s : split.sources) {
            surface_vertex.push_back(s.vertex);
            if (!painted.uvs.empty())
                uvs.push_back(s.uv < 0 ? std::array{0.0, 0.0} : painted.uvs[static_cast<std::size_t>(s.uv)]);
        }
    }

    ShownSurface shown;
    SplitTriangles split;
    std::vector<std::int32_t> triangle_look, surface_vertex;
    std::vector<MaterialLook> looks;
    std::vector<std::array<double, 2>> uvs;
};

namespace {
const Recording& usable(const Recording& recording) {
    if (!recording.body) {
        throw Error(Fault::bad_usage, {recording.scene, 0, {}}, "a recording without a body",
                    "one that was run or read");
    }
    return recording;
}
}  // namespace

ShownModel::ShownModel(const Recording& recording, const SurfaceSeriesTarget& choice)
    : impl_(std::make_unique<Impl>(usable(recording), choice)) {}
ShownModel::~ShownModel() = default;
ShownModel::ShownModel(ShownModel&&) noexcept = default;
ShownModel& ShownModel::operator=(ShownModel&&) noexcept = default;

std::size_t ShownModel::vertex_count() const { return impl_->split.sources.size(); }
const std::vector<std::array<std::int32_t, 3>>& ShownModel::triangles() const { return impl_->split.triangles; }
const std::vector<std::int32_t>& ShownModel::triangle_look() const { return impl_->triangle_look; }
const std::vector<MaterialLook>& ShownModel::looks() const { return impl_->looks; }
const std::vector<Picture>& ShownModel::pictures() const { return impl_->shown.painted().pictures; }
const std::vector<std::array<double, 2>>& ShownModel::uvs() const { return impl_->uvs; }
const std::vector<std::int32_t>& ShownModel::surface_vertex() const { return impl_->surface_vertex; }
const Surface& ShownModel::surface() const { return impl_->shown.surface(); }
const std::vector<std::string>& ShownModel::remarks() const { return impl_->shown.remarks(); }

void ShownModel::at(std::span<const Vec3> displacement, std::span<Vec3> positions, std::span<Vec3> normals) const {
    const ShownSurface& shown = impl_->shown;
    std::vector<Vec3> moved(shown.surface().vertices.size());
    shown.displacements(displacement, moved);
    const std::vector<Vec3> slots = shown.normals(moved);
    for (std::size_t v = 0; v < vertex_count(); ++v) {
        const CornerSource& s = impl_->split.sources[v];
        const auto vertex = static_cast<std::size_t>(s.vertex);
        positions[v] = shown.surface().vertices[vertex] + moved[vertex];
        normals[v] = slots[static_cast<std::size_t>(s.normal)];
    }
}

void ShownModel::carry(std::span<const double> per_body_vertex, std::span<double> out) const {
    for (std::size_t v = 0; v < vertex_count(); ++v)
        out[v] = impl_->shown.value_at(static_cast<std::size_t>(impl_->surface_vertex[v]), per_body_vertex);
}

}  // namespace limber
