#include "geometry/doctor_faces.hpp"

#include "core/text.hpp"
#include "geometry/orient.hpp"

#include <limber/tools/doctor.hpp>

#include <algorithm>

namespace limber {
namespace {

/// Turns the faces whose first triangle orientation asks for; `source_corner` goes along. Returns how many.
std::size_t turn_faces(Surface& surface, std::vector<std::int32_t>& source_corner) {
    Triangles triangles = triangulate(surface);
    const auto before = triangles.corners;
    orient(triangles);
    std::size_t turned = 0;
    std::int32_t last = -1;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        if (triangles.face[t] == last) continue;
        last = triangles.face[t];
        if (before[t] == triangles.corners[t]) continue;
        const auto f = static_cast<std::size_t>(last);
        // The first corner stays first.
        std::reverse(surface.faces.begin() + surface.face_starts[f] + 1,
                     surface.faces.begin() + surface.face_starts[f + 1]);
        std::reverse(source_corner.begin() + surface.face_starts[f] + 1,
                     source_corner.begin() + surface.face_starts[f + 1]);
        ++turned;
    }
    return turned;
}

/// The vertices that stay, by their numbers before.
std::vector<std::int32_t> drop_unused(Surface& surface) {
    std::vector<std::int32_t> number(surface.vertices.size(), -1);
    for (const std::int32_t v : surface.faces) number[static_cast<std::size_t>(v)] = 0;
    std::vector<Vec3> kept;
    std::vector<std::int32_t> before;
    for (std::size_t v = 0; v < number.size(); ++v) {
        if (number[v] < 0) continue;
        number[v] = static_cast<std::int32_t>(kept.size());
        kept.push_back(surface.vertices[v]);
        before.push_back(static_cast<std::int32_t>(v));
    }
    for (std::int32_t& v : surface.faces) v = number[static_cast<std::size_t>(v)];
    surface.vertices = std::move(kept);
    return before;
}

}  // namespace

std::string RepairReport::words() const {
    std::string out;
    const auto add = [&](std::size_t count, const char* one, const char* many, const char* did) {
        if (count > 0) out += text(out.empty() ? "" : ", ", count, " ", count == 1 ? one : many, " ", did);
    };
    add(joined_vertices, "doubled vertex", "doubled vertices", "joined");
    add(unused_vertices, "unused vertex", "unused vertices", "left out");
    add(bad_faces, "face", "faces", "with impossible corners left out");
    add(flat_faces, "face", "faces", "without area left out");
    add(repeated_faces, "repeated face", "repeated faces", "left out");
    add(shortened_faces, "face", "faces", "freed of a corner named twice");
    add(turned_faces, "face", "faces", "turned");
    add(flat_kept, "face", "faces", "without area kept, since the surface would tear without");
    return out.empty() ? "nothing" : out;
}

Surface repair(const Surface& surface, RepairReport& report, RepairSources* sources) {
    SortedFaces sorted = sort_faces(surface);
    report = {};
    report.joined_vertices = sorted.doubled.size();
    report.unused_vertices = sorted.unused.size();
    report.flat_faces = sorted.flat.size();
    report.repeated_faces = sorted.repeated.size();
    report.bad_faces = sorted.bad.size();
    report.flat_kept = sorted.flat_kept.size();
    report.shortened_faces = sorted.shortened.size();
    report.turned_faces = turn_faces(sorted.kept, sorted.source_corner);
    std::vector<std::int32_t> vertex = drop_unused(sorted.kept);
    if (sources) *sources = {std::move(vertex), std::move(sorted.number), std::move(sorted.source_corner)};
    return std::move(sorted.kept);
}

}  // namespace limber
