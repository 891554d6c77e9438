// A surface as the doctor sees it: faults in colour, everything sound in grey.
#include "core/text.hpp"
#include "geometry/doctor_faces.hpp"
#include "geometry/doctor_topology.hpp"
#include "geometry/orient.hpp"
#include "geometry/self_intersection.hpp"
#include "show/fault_views.hpp"
#include "show/subject.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr Colour kSound = rgb(0xC9CFD6), kWrongWay = rgb(0xF0A830), kCrossing = rgb(0x8E5BB5), kFlat = rgb(0x4BA3C3),
                 kRim = rgb(0xD2302A), kCrowded = rgb(0xC2308F);

/// What is drawn of a surface and its faults; the pictures of its two sides share it.
struct FaultPicture {
    std::unique_ptr<Subject> surface;
    DrawLines rims, crowded;
    DrawPoints pinched;
    std::vector<std::pair<Colour, std::string>> names;
};

class FaultSubject : public Subject {
public:
    FaultSubject(std::shared_ptr<const FaultPicture> picture, std::string title, const ViewDirection& view)
        : picture_(std::move(picture)), title_(std::move(title)), view_(view) {}

    std::string title() const override { return title_; }
    std::string line(double time) const override { return picture_->surface->line(time); }
    std::optional<ViewDirection> preferred_view() const override { return view_; }
    std::vector<std::pair<Colour, std::string>> named_colours(const SubjectLook&) const override {
        return picture_->names;
    }
    void draw(double time, const SubjectLook& look, DrawList& out) const override {
        picture_->surface->draw(time, look, out);
        if (!picture_->rims.points.empty()) out.lines.push_back(picture_->rims);
        if (!picture_->crowded.points.empty()) out.lines.push_back(picture_->crowded);
        if (!picture_->pinched.points.empty()) out.points.push_back(picture_->pinched);
    }

private:
    std::shared_ptr<const FaultPicture> picture_;
    std::string title_;
    ViewDirection view_;
};

class FaultFinder {
public:
    FaultFinder(const Surface& surface, Progress& progress)
        : sorted_(sort_faces(surface)),
          triangles_(triangulate(sorted_.kept)),
          outward_(triangles_),
          paint_{{kSound, kWrongWay, kCrossing, kFlat}, std::vector<std::int32_t>(sorted_.kept.face_count(), 0), {}} {
        orient(outward_);
        mark_faces(progress);
        mark_edges();
    }

    std::vector<std::unique_ptr<Subject>> subjects(const std::string& title) {
        name(holes_, kRim, holes_ == 1 ? "hole" : "holes");
        name(picture_->crowded.points.size() / 2 + picture_->pinched.points.size(), kCrowded, "shared by too many");
        name(counts_[1], kWrongWay, "the wrong way round");
        name(counts_[2], kCrossing, "crossing others");
        name(counts_[3], kFlat, "without area");
        if (picture_->names.empty()) picture_->names.emplace_back(kSound, "sound");
        picture_->surface = make_surface_subject(sorted_.kept, title, std::move(paint_));
        const std::vector<ViewDirection> views = views_of_faults(marks_);
        std::vector<std::unique_ptr<Subject>> out;
        for (std::size_t v = 0; v < views.size(); ++v) {
            out.push_back(std::make_unique<FaultSubject>(picture_,
                                                         views.size() == 1 ? title
                                                         : v == 0          ? "one side"
                                                                           : "the other side",
                                                         views[v]));
        }
        return out;
    }

private:
    void name(std::size_t count, const Colour& colour, const char* words) {
        if (count > 0) picture_->names.emplace_back(colour, text(count, " ", words));
    }

    void mark_face(std::int32_t face, std::int32_t as) {
        std::int32_t& now = paint_.of_face[static_cast<std::size_t>(face)];
        if (now == 0) {
            now = as;
            ++counts_[as];
        }
    }

    /// Triangle `t` has a fault `size` long. One without area looks nowhere and does not count.
    void mark_view(std::int32_t t, double size) {
        const Vec3 area = outward_.area_vector(static_cast<std::size_t>(t));
        if (const double length = norm(area); length > 0.0 && size > 0.0) marks_.push_back({area / length, size});
    }

    void mark_faces(Progress& progress) {
        for (const std::int32_t f : sorted_.flat_kept) {
            const auto at = std::lower_bound(sorted_.number.begin(), sorted_.number.end(), f);
            if (at != sorted_.number.end() && *at == f)
                mark_face(static_cast<std::int32_t>(at - sorted_.number.begin()), 3);
        }
        const SelfIntersections crossing = self_intersections(triangles_, progress);
        for (std::size_t t = 0; t < triangles_.size(); ++t) {
            const bool turned = dot(outward_.area_vector(t), triangles_.area_vector(t)) < 0.0;
            if (!turned && !crossing.takes_part[t]) continue;
            mark_face(triangles_.face[t], turned ? 1 : 2);
            mark_view(static_cast<std::int32_t>(t), std::sqrt(norm(triangles_.area_vector(t))));
        }
    }

    void mark_edges() {
        const SurfaceEdges edges = surface_edges(triangles_);
        holes_ = find_holes(triangles_, edges).size();
        DrawLines &rims = picture_->rims, &crowded = picture_->crowded;
        rims.colour = kRim;
        rims.width = 3.5F;
        rims.layer = DrawLayer::scene;
        crowded.colour = kCrowded;
        crowded.width = 3.5F;
        for (std::size_t e = 0; e < edges.size(); ++e) {
            if (edges.users(e) == 2) continue;
            DrawLines& lines = edges.users(e) == 1 ? rims : crowded;
            const Vec3 &from = at(edges.use(e, 0).low), &to = at(edges.use(e, 0).high);
            lines.points.insert(lines.points.end(), {from, to});
            mark_view(edges.use(e, 0).triangle, norm(to - from));
        }
        picture_->pinched.colour = kCrowded;
        picture_->pinched.diameter = 9.0F;
        for (const std::int32_t v : pinched_vertices(triangles_, edges)) picture_->pinched.points.push_back(at(v));
    }

    const Vec3& at(std::int32_t v) const { return triangles_.vertices[static_cast<std::size_t>(v)]; }

    SortedFaces sorted_;
    Triangles triangles_, outward_;  ///< as they are; and turned the way they should be
    SurfacePaint paint_;
    std::size_t counts_[4] = {}, holes_ = 0;
    std::vector<FaultMark> marks_;
    std::shared_ptr<FaultPicture> picture_ = std::make_shared<FaultPicture>();
};

}  // namespace

std::vector<std::unique_ptr<Subject>> make_fault_subjects(const Surface& surface, const std::string& title,
                                                          Progress& progress) {
    return FaultFinder(surface, progress).subjects(title);
}

}  // namespace limber
