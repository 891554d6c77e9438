// A surface as the doctor sees it: faults in colour, everything sound in grey.
#include "core/text.hpp"
#include "geometry/doctor_faces.hpp"
#include "geometry/doctor_topology.hpp"
#include "geometry/orient.hpp"
#include "geometry/self_intersection.hpp"
#include "show/subject.hpp"

#include <algorithm>

namespace limber {
namespace {

constexpr Colour kSound = rgb(0xC9CFD6), kWrongWay = rgb(0xF0A830), kCrossing = rgb(0x8E5BB5), kFlat = rgb(0x4BA3C3), kRim = rgb(0xD2302A), kCrowded = rgb(0xC2308F);

/// The surface itself, with lines and points on top.
class FaultSubject : public Subject {
public:
    FaultSubject(std::unique_ptr<Subject> surface, DrawLines rims, DrawLines crowded, DrawPoints pinched, std::vector<std::pair<Colour, std::string>> names)
        : surface_(std::move(surface)), rims_(std::move(rims)), crowded_(std::move(crowded)), pinched_(std::move(pinched)), names_(std::move(names)) {}

    std::string title() const override { return surface_->title(); }
    std::string line(double time) const override { return surface_->line(time); }
    std::vector<std::pair<Colour, std::string>> named_colours(const SubjectLook&) const override { return names_; }
    void draw(double time, const SubjectLook& look, DrawList& out) const override {
        surface_->draw(time, look, out);
        if (!rims_.points.empty()) out.lines.push_back(rims_);
        if (!crowded_.points.empty()) out.lines.push_back(crowded_);
        if (!pinched_.points.empty()) out.points.push_back(pinched_);
    }

private:
    std::unique_ptr<Subject> surface_;
    DrawLines rims_, crowded_;
    DrawPoints pinched_;
    std::vector<std::pair<Colour, std::string>> names_;
};

/// Triangles that orient() would turn.
std::vector<char> wrong_way(const Triangles& triangles) {
    Triangles turned = triangles;
    orient(turned);
    std::vector<char> out;
    for (std::size_t t = 0; t < triangles.size(); ++t) out.push_back(dot(turned.area_vector(t), triangles.area_vector(t)) < 0.0);
    return out;
}

}  // namespace

std::unique_ptr<Subject> make_fault_subject(const Surface& surface, const std::string& title, Progress& progress) {
    const SortedFaces sorted = sort_faces(surface);
    const Triangles triangles = triangulate(sorted.kept);
    const SurfaceEdges edges = surface_edges(triangles);
    SurfacePaint paint{{kSound, kWrongWay, kCrossing, kFlat}, std::vector<std::int32_t>(sorted.kept.face_count(), 0), {}};
    std::size_t counts[4] = {};
    const auto mark = [&](std::int32_t face, std::int32_t as) {
        std::int32_t& now = paint.of_face[static_cast<std::size_t>(face)];
        if (now == 0) now = as, ++counts[as];
    };
    for (const std::int32_t f : sorted.flat_kept) {
        const auto at = std::lower_bound(sorted.number.begin(), sorted.number.end(), f);
        if (at != sorted.number.end() && *at == f) mark(static_cast<std::int32_t>(at - sorted.number.begin()), 3);
    }
    const SelfIntersections crossing = self_intersections(triangles, progress);
    const std::vector<char> turned = wrong_way(triangles);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        if (turned[t]) mark(triangles.face[t], 1);
        else if (crossing.takes_part[t]) mark(triangles.face[t], 2);
    }
    DrawLines rims, crowded;
    rims.colour = kRim, rims.width = 3.5F, rims.layer = DrawLayer::scene;
    crowded.colour = kCrowded, crowded.width = 3.5F;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (edges.users(e) == 2) continue;
        DrawLines& lines = edges.users(e) == 1 ? rims : crowded;
        for (const std::int32_t v : {edges.use(e, 0).low, edges.use(e, 0).high}) lines.points.push_back(triangles.vertices[static_cast<std::size_t>(v)]);
    }
    DrawPoints pinched;
    pinched.colour = kCrowded;
    pinched.diameter = 9.0F;
    for (const std::int32_t v : pinched_vertices(triangles, edges)) pinched.points.push_back(triangles.vertices[static_cast<std::size_t>(v)]);
    std::vector<std::pair<Colour, std::string>> names;
    const auto name = [&](std::size_t count, const Colour& colour, const char* words) { if (count > 0) names.emplace_back(colour, text(count, " ", words)); };
    name(rims.points.size() / 2, kRim, "edges of holes");
    name(crowded.points.size() / 2 + pinched.points.size(), kCrowded, "shared by too many");
    name(counts[1], kWrongWay, "the wrong way round");
    name(counts[2], kCrossing, "crossing others");
    name(counts[3], kFlat, "without area");
    if (names.empty()) names.emplace_back(kSound, "sound");
    return std::make_unique<FaultSubject>(make_surface_subject(sorted.kept, title, std::move(paint)), std::move(rims), std::move(crowded), std::move(pinched), std::move(names));
}

}  // namespace limber
