#include "geometry/solid_shape.hpp"

#include "core/text.hpp"
#include "geometry/clean.hpp"

#include <limber/error.hpp>

#include <algorithm>

namespace limber {
namespace {

constexpr std::size_t kMostPerPoint = 6'000;  // triangles and clusters
constexpr double kWeld = 1e-6;                // of the diagonal: nearer vertices are one

Box3 around(const Box3& a, const Box3& b) {
    Box3 out = a;
    for (int k = 0; k < 3; ++k) {
        out.low[k] = std::min(a.low[k], b.low[k]);
        out.high[k] = std::max(a.high[k], b.high[k]);
    }
    return out;
}

void tell_repairs(const std::string& name, const CleanReport& r, std::vector<SolidFinding>& findings) {
    std::string words;
    const auto add = [&](std::size_t count, const char* one, const char* did) {
        if (count > 0) words += text(words.empty() ? "" : ", ", counted(count, one), " ", did);
    };
    add(r.joined_vertices, "doubled corner", "joined");
    add(r.flat, "flat triangle", "left out");
    add(r.repeated, "repeated triangle", "left out");
    add(r.not_finite, "triangle", "with impossible corners left out");
    add(r.orientation.flipped, "triangle", "turned");
    if (!words.empty())
        findings.push_back({SolidFinding::Kind::repaired, text(name.empty() ? "" : text(name, ": "), words)});
}

/// Inside and outside are asked for at tens of thousands of points at least. An ordinary surface answers from some
/// hundred triangles and clusters, whatever its size; one of slivers that all reach from end to end takes all of them
/// each time.
void refuse_endless(const std::string& name, const WindingNumber& winding, const Box3& box) {
    constexpr int kAcross = 4;
    std::size_t work = 0;
    constexpr int points = kAcross * kAcross * kAcross;
    for (int i = 0; i < points; ++i) {
        const int at[3] = {i % kAcross, i / kAcross % kAcross, i / kAcross / kAcross};
        Vec3 p = box.low;
        for (int k = 0; k < 3; ++k) p[k] += box.size()[k] * (at[k] + 0.5) / kAcross;
        winding.at(p, &work);
    }
    const std::size_t mean = work / points;
    if (mean <= kMostPerPoint) return;
    throw Error(Fault::bad_mesh, InputLocation{name, 0, {}},
                text("its ", winding.triangles().size(), " triangles are so long or lie so deep in each other that ",
                     mean, " of them decide whether a point is inside"),
                text("at most ", kMostPerPoint, ": a surface of shorter triangles, without inner layers"));
}

}  // namespace

bool SolidShape::inside(const Vec3& p) const {
    return std::any_of(winding.begin(), winding.end(), [&](const WindingNumber& w) { return w.inside(p); });
}

SolidShape make_shape(std::span<const NamedSurface> surfaces, std::vector<SolidFinding>& findings, Progress& progress) {
    SolidShape shape;
    for (const NamedSurface& s : surfaces) {
        progress.update(0.0, "cleaning the surface");
        if (progress.stop_requested()) throw Error(Fault::interrupted, {}, "interrupted while cleaning the surface");
        std::vector<Vec3> finite;
        for (const Vec3& p : s.surface.vertices)
            if (is_finite(p)) finite.push_back(p);
        CleanReport report;
        Triangles triangles = clean(s.surface, kWeld * box_of(finite).diagonal(), report);
        if (triangles.size() == 0) {
            throw Error(Fault::bad_mesh, InputLocation{s.name, 0, {}},
                        text("no face with area among ", s.surface.face_count()),
                        "a surface with triangles or polygons");
        }
        tell_repairs(s.name, report, findings);
        const Box3 box = box_of(triangles.vertices);
        shape.box = shape.winding.empty() ? box : around(shape.box, box);
        shape.winding.emplace_back(std::move(triangles));
        refuse_endless(s.name, shape.winding.back(), box);
    }
    return shape;
}

void name_cells(const SolidShape& shape, std::span<const NamedSurface> surfaces, Mesh& mesh) {
    if (surfaces.size() == 1 && surfaces[0].name.empty()) return;
    for (const NamedSurface& s : surfaces) mesh.cell_sets[s.name];
    const int corners = corners_of(mesh.kind);
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        Vec3 centre;
        for (int k = 0; k < corners; ++k)
            centre += mesh.vertices[static_cast<std::size_t>(mesh.cell(c)[k])] / static_cast<double>(corners);
        std::size_t owner = 0;
        for (std::size_t s = 0; s < shape.winding.size(); ++s)
            if (shape.winding[s].inside(centre)) owner = s;
        mesh.cell_sets[surfaces[owner].name].push_back(static_cast<std::int32_t>(c));
    }
}

}  // namespace limber
