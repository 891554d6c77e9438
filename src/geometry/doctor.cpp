#include <limber/tools/doctor.hpp>

#include "core/text.hpp"
#include "geometry/doctor_faces.hpp"
#include "geometry/doctor_topology.hpp"
#include "geometry/orient.hpp"
#include "geometry/plausible_size.hpp"
#include "geometry/self_intersection.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

using Kind = SurfaceFinding::Kind;
using Severity = SurfaceFinding::Severity;

std::string number(double x) { return fmt::format("{:.4g}", x); }
std::string counted_as(std::size_t n, const char* one, const char* many) { return text(n, " ", n == 1 ? one : many); }

/// Gathers findings; places are told in the surface's own coordinates and face numbers from 1, as files count them.
class Examination {
public:
    Examination(const Surface& surface, SurfaceHealth& health) : surface_(surface), health_(health) {}

    void add(Kind kind, Severity severity, std::size_t count, std::int32_t face, const Vec3& where, bool repairable,
             const std::string& words) {
        const std::string where_words = text(", ", count > 1 ? "such as " : "",
                                             face >= 0 ? text("face ", face + 1, " ") : std::string(), "at (",
                                             number(where.x), ", ", number(where.y), ", ", number(where.z), ")");
        health_.findings.push_back({kind, severity, count, face, where, repairable, words + where_words});
    }
    /// About faces given by number: the first tells the place.
    void add_faces(Kind kind, Severity severity, const std::vector<std::int32_t>& faces, bool repairable,
                   const std::string& words) {
        if (!faces.empty())
            add(kind, severity, faces.size(), faces.front(), middle_of(faces.front()), repairable, words);
    }
    void add_vertices(Kind kind, Severity severity, const std::vector<std::int32_t>& vertices, bool repairable,
                      const std::string& words) {
        if (!vertices.empty()) {
            add(kind, severity, vertices.size(), -1, surface_.vertices[static_cast<std::size_t>(vertices.front())],
                repairable, words);
        }
    }
    void note(Kind kind, std::size_t count, const std::string& words) {
        health_.findings.push_back({kind, Severity::note, count, -1, {}, false, words});
    }

private:
    /// Of the corners that have one.
    Vec3 middle_of(std::int32_t face) const {
        Vec3 sum;
        double n = 0.0;
        for (std::int32_t c = surface_.face_starts[static_cast<std::size_t>(face)];
             c < surface_.face_starts[static_cast<std::size_t>(face) + 1]; ++c) {
            const std::int32_t v = surface_.faces[static_cast<std::size_t>(c)];
            if (v < 0 || static_cast<std::size_t>(v) >= surface_.vertices.size() ||
                !is_finite(surface_.vertices[static_cast<std::size_t>(v)])) {
                continue;
            }
            sum += surface_.vertices[static_cast<std::size_t>(v)];
            n += 1.0;
        }
        return n > 0.0 ? sum / n : sum;
    }

    const Surface& surface_;
    SurfaceHealth& health_;
};

void tell_faces(const SortedFaces& sorted, bool seams, Examination& out) {
    out.add_faces(Kind::bad_corner, Severity::fault, sorted.bad, true,
                  text(counted(sorted.bad.size(), "face"), " with corners that do not exist or are no numbers"));
    out.add_vertices(Kind::doubled_vertex, seams ? Severity::note : Severity::fault, sorted.doubled, !seams,
                     text(counted_as(sorted.doubled.size(), "vertex", "vertices"), " where another one is already",
                          seams ? " (seams of texture coordinates and normals need them)" : ""));
    out.add_vertices(Kind::unused_vertex, Severity::note, sorted.unused, !seams,
                     text(counted_as(sorted.unused.size(), "vertex", "vertices"), " that no face uses"));
    out.add_faces(Kind::flat_face, Severity::fault, sorted.flat, true,
                  text(counted(sorted.flat.size(), "face"), " without area"));
    out.add_faces(Kind::flat_face, Severity::note, sorted.flat_kept, false,
                  text(counted(sorted.flat_kept.size(), "face"), " without area that hold their neighbours together"));
    out.add_faces(Kind::flat_face, Severity::fault, sorted.shortened, true,
                  text(counted(sorted.shortened.size(), "face"), " with a corner named twice in a row"));
    out.add_faces(Kind::repeated_face, Severity::fault, sorted.repeated, true,
                  text(counted(sorted.repeated.size(), "face"), " given before"));
}

void tell_topology(const Triangles& triangles, const SurfaceEdges& edges, SurfaceHealth& health, Examination& out) {
    const auto face_at = [&](std::int32_t triangle) { return triangles.face[static_cast<std::size_t>(triangle)]; };
    const std::vector<Hole> holes = find_holes(triangles, edges);
    health.holes = holes.size();
    health.closed = holes.empty() && triangles.size() > 0;
    if (!holes.empty()) {
        const Hole& worst = holes.front();
        health.longest_hole = worst.perimeter;
        std::size_t sides = 0;
        for (const Hole& h : holes) sides += h.sides;
        out.add(Kind::hole, Severity::fault, holes.size(), face_at(worst.triangle), worst.middle, false,
                text(counted(holes.size(), "hole"), " (", counted(sides, "side"), " with one face), the longest ",
                     number(worst.perimeter), " around"));
    }
    const std::vector<std::int32_t> crowded = crowded_edges(edges);
    if (!crowded.empty()) {
        const EdgeUse& use = edges.use(static_cast<std::size_t>(crowded.front()), 0);
        out.add(Kind::shared_edge, Severity::fault, crowded.size(), face_at(use.triangle),
                0.5 * (triangles.vertices[static_cast<std::size_t>(use.low)] +
                       triangles.vertices[static_cast<std::size_t>(use.high)]),
                false, text(counted(crowded.size(), "edge"), " with more than two faces (non-manifold)"));
    }
    const std::vector<std::int32_t> pinched = pinched_vertices(triangles, edges);
    out.add_vertices(
        Kind::shared_vertex, Severity::fault, pinched, false,
        text(counted_as(pinched.size(), "vertex", "vertices"), " where pieces touch in a point only (non-manifold)"));
}

void tell_orientation(const Triangles& triangles, SurfaceHealth& health, Examination& out) {
    Triangles turned = triangles;
    const OrientReport report = orient(turned);
    std::int32_t first = -1;
    for (std::size_t t = 0; t < triangles.size() && first < 0; ++t)
        if (triangles.corners[t] != turned.corners[t]) first = static_cast<std::int32_t>(t);
    const std::int32_t face = first < 0 ? -1 : triangles.face[static_cast<std::size_t>(first)];
    const Vec3 where = first < 0 ? Vec3{} : triangles.centroid(static_cast<std::size_t>(first));
    std::vector<char> seen(health.faces, 0);
    std::size_t faces = 0;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        char& s = seen[static_cast<std::size_t>(triangles.face[t])];
        if (triangles.corners[t] != turned.corners[t] && s == 0) {
            s = 1;
            ++faces;
        }
    }
    if (report.disagreeing > 0) {
        out.add(Kind::disagreeing_faces, Severity::fault, report.disagreeing, face, where, true,
                text(counted(report.disagreeing, "triangle"),
                     " turned the wrong way: neighbours do not agree on what is outside"));
    }
    if (report.turned_patches > 0) {
        out.add(Kind::inside_out, Severity::fault, report.turned_patches, face, where, true,
                text(report.turned_patches == report.patches
                         ? std::string("the surface is inside out")
                         : text(report.turned_patches, " of ", counted(report.patches, "piece"),
                                report.turned_patches == 1 ? " is" : " are", " inside out"),
                     " (", counted(faces, "face"), ")"));
    }
    if (report.unjudged > 0) {
        out.note(Kind::inside_out, report.unjudged,
                 text("too many pieces overlap to tell which way they face: ", report.unjudged, " of ",
                      counted(report.patches, "piece"), " not looked at"));
    }
    if (report.one_sided > 0) {
        out.note(
            Kind::one_sided, report.one_sided,
            text(counted(report.one_sided, "edge"), " where no turning makes neighbours agree (a one-sided band)"));
    }
    if (health.closed) health.volume = enclosed_volume(turned);
}

void tell_islands(const Triangles& triangles, SurfaceHealth& health, Examination& out) {
    const std::vector<Island> islands = find_islands(triangles);
    health.islands = islands.size();
    if (islands.size() < 2) return;
    std::string sizes;
    for (std::size_t i = 0; i < islands.size() && i < 5; ++i) sizes += text(i == 0 ? "" : ", ", islands[i].triangles);
    out.note(Kind::island, islands.size(),
             text(islands.size(), " separate pieces, of ", sizes,
                  islands.size() > 5 ? text(" ... ", islands.back().triangles) : std::string(), " triangles"));
}

void tell_crossings(const Triangles& triangles, Progress& progress, Examination& out) {
    const SelfIntersections found = self_intersections(triangles, progress);
    if (found.pairs == 0) {
        if (!found.complete) {
            out.note(Kind::self_intersection, 0,
                     "too many triangles lie on each other to look for self-intersections everywhere; none among those "
                     "looked at");
        }
        return;
    }
    const auto t = static_cast<std::size_t>(found.first);
    out.add(Kind::self_intersection, Severity::fault, found.pairs, triangles.face[t], triangles.centroid(t), false,
            text(found.complete ? "" : "at least ", counted(found.pairs, "pair"),
                 " of triangles pass through each other (", counted(found.triangles, "triangle"), " in all)"));
}

void tell_size(const SurfaceHealth& health, double unit, Examination& out) {
    if (const SizeWarning warning = size_warning(health.high - health.low, unit))
        out.note(Kind::unlikely_size, 1, warning.words("--unit {}"));
}

Triangles triangles_of(const SortedFaces& sorted) {
    Triangles triangles = triangulate(sorted.kept);
    for (std::int32_t& f : triangles.face) f = sorted.number[static_cast<std::size_t>(f)];
    return triangles;
}

void measure(const Triangles& triangles, SurfaceHealth& health) {
    std::vector<Vec3> used;
    for (const auto& c : triangles.corners)
        for (const std::int32_t v : c) used.push_back(triangles.vertices[static_cast<std::size_t>(v)]);
    const Box3 box = box_of(used);
    health.low = box.low;
    health.high = box.high;
    for (std::size_t t = 0; t < triangles.size(); ++t) health.area += norm(triangles.area_vector(t));
}

}  // namespace

const char* to_string(SurfaceFinding::Kind kind) {
    switch (kind) {
        case Kind::hole: return "hole";
        case Kind::shared_edge: return "non_manifold_edge";
        case Kind::shared_vertex: return "non_manifold_vertex";
        case Kind::self_intersection: return "self_intersection";
        case Kind::disagreeing_faces: return "inconsistent_orientation";
        case Kind::inside_out: return "inside_out";
        case Kind::one_sided: return "one_sided";
        case Kind::doubled_vertex: return "doubled_vertex";
        case Kind::unused_vertex: return "unused_vertex";
        case Kind::flat_face: return "flat_face";
        case Kind::repeated_face: return "repeated_face";
        case Kind::bad_corner: return "bad_corner";
        case Kind::island: return "island";
        case Kind::unlikely_size: return "unlikely_size";
    }
    return "";
}

bool SurfaceHealth::sound() const {
    return std::none_of(findings.begin(), findings.end(),
                        [](const SurfaceFinding& f) { return f.severity == Severity::fault; });
}

SurfaceHealth examine(const Surface& surface, const DoctorSettings& settings, Progress& progress) {
    SurfaceHealth health;
    health.vertices = surface.vertices.size();
    health.faces = surface.face_count();
    Examination out(surface, health);
    progress.update(0.0, "sorting faces");
    const SortedFaces sorted = sort_faces(surface);
    const Triangles triangles = triangles_of(sorted);
    health.triangles = triangles.size();
    measure(triangles, health);
    const SurfaceEdges edges = surface_edges(triangles);
    tell_topology(triangles, edges, health, out);
    if (settings.self_intersections) tell_crossings(triangles, progress, out);
    tell_orientation(triangles, health, out);
    tell_faces(sorted, settings.seams, out);
    tell_islands(triangles, health, out);
    tell_size(health, settings.unit, out);
    std::stable_sort(health.findings.begin(), health.findings.end(),
                     [](const SurfaceFinding& a, const SurfaceFinding& b) { return a.severity > b.severity; });
    progress.update(1.0, "examined");
    return health;
}

}  // namespace limber
