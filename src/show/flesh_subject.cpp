// Flesh parts as subjects: on the skin, what moves and what stays with the bones; and cut open, what holds them.
#include "core/text.hpp"
#include "geometry/cell_topology.hpp"
#include "render/glyphs.hpp"
#include "rig/posed_surface.hpp"
#include "show/subject.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr Colour kMoves = rgb(0xD9534F), kStays = rgb(0xC9CFD6), kInside = rgb(0xF3C1B2), kOnSeam = rgb(0x3B5B8C),
                 kOnBone = rgb(0x5E4B1E), kBoneFound = rgb(0xF2C14E);

Colour between(const Colour& a, const Colour& b, double share) {
    const auto u = static_cast<float>(std::clamp(share, 0.0, 1.0));
    return {a.r + u * (b.r - a.r), a.g + u * (b.g - a.g), a.b + u * (b.b - a.b), 1.0F};
}

/// Every bone that was cut out of some part, in front of the skin.
DrawMesh bones_of(const std::vector<FleshPart>& parts) {
    Glyphs bones;
    for (const FleshPart& part : parts)
        for (const FleshBone& bone : part.bones) bones.capsule(bone.from, bone.to, bone.radius, kBoneFound);
    return bones.empty() ? DrawMesh{} : bones.mesh();
}

/// All skin in the bind pose, in which parts are made.
class SkinOfFlesh : public Subject {
public:
    SkinOfFlesh(const Rig& rig, const std::vector<FleshPart>& parts, const ViewDirection& view)
        : surface_(posed_surface(rig, bind_pose(rig))), bones_(bones_of(parts)), view_(view) {
        std::vector<std::size_t> first{0};
        for (const SkinPart& part : rig.parts) first.push_back(first.back() + part.positions.size());
        std::vector<double> blend(first.back(), 0.0);
        for (const FleshPart& part : parts) {
            for (const FleshSkinVertex& v : part.skin)
                blend[first[static_cast<std::size_t>(v.part)] + static_cast<std::size_t>(v.vertex)] += v.blend;
        }
        for (const double b : blend) {
            colours_.push_back(between(kStays, kMoves, b));
            moved_ += b > 0.0 ? 1 : 0;
        }
        topology_ = make_topology({surface_.face_starts, surface_.faces, {}, {}, {}, surface_.vertices.size()});
    }

    std::string title() const override { return "on the skin"; }
    std::string line(double) const override { return text(moved_, " of ", colours_.size(), " skin vertices move"); }
    std::optional<ViewDirection> preferred_view() const override { return view_; }
    std::vector<std::pair<Colour, std::string>> named_colours(const SubjectLook&) const override {
        std::vector<std::pair<Colour, std::string>> out{
            {kMoves, "flesh"}, {between(kStays, kMoves, 0.5), "in part"}, {kStays, "stays"}};
        if (bones_.topology) out.emplace_back(kBoneFound, "bones");
        return out;
    }

    void draw(double, const SubjectLook& look, DrawList& out) const override {
        DrawMesh mesh;
        mesh.topology = topology_;
        mesh.positions = surface_.vertices;
        mesh.colours = colours_;
        mesh.look.base = rgb(0xFFFFFF);
        mesh.look.wireframe = look.wireframe;
        out.meshes.push_back(std::move(mesh));
        if (!bones_.topology) return;
        out.meshes.push_back(bones_);
        out.meshes.back().layer = DrawLayer::overlay;
    }

private:
    Surface surface_;
    DrawMesh bones_;
    ViewDirection view_;
    std::vector<Colour> colours_;
    std::size_t moved_ = 0;
    std::shared_ptr<const DrawTopology> topology_;
};

/// The solids without their nearer halves.
class CutFlesh : public Subject {
public:
    CutFlesh(const std::vector<FleshPart>& parts, const ViewDirection& view) : bones_(bones_of(parts)), view_(view) {
        const Vec3 towards{std::sin(view.turn), 0.0, std::cos(view.turn)};
        Surface surface;
        SurfacePaint paint{
            {kMoves, kInside, kOnSeam, kOnBone}, {}, {"flesh", "cut", "held at the seam", "held on bones"}};
        for (const FleshPart& part : parts) {
            add(part, towards, surface, paint, held_);
            cells_ += part.mesh.cell_count();
        }
        surface_ = make_surface_subject(std::move(surface), "", std::move(paint));
    }

    std::string title() const override { return "cut open"; }
    std::string line(double) const override { return counted(cells_, "cell"); }
    std::optional<ViewDirection> preferred_view() const override { return view_; }
    std::vector<std::pair<Colour, std::string>> named_colours(const SubjectLook& look) const override {
        return surface_->named_colours(look);
    }

    void draw(double time, const SubjectLook& look, DrawList& out) const override {
        surface_->draw(time, look, out);
        if (bones_.topology) out.meshes.push_back(bones_);
        if (!held_.points.empty()) out.points.push_back(held_);
    }

private:
    /// One side of the plane, and what the plane cuts.
    struct Half {
        Vec3 through, towards;
        Surface& surface;
        SurfacePaint& paint;

        double height(const Vec3& x) const { return dot(x - through, towards); }
        void face(const std::vector<Vec3>& points, std::int32_t colour) {
            if (points.size() < 3) return;
            for (const Vec3& x : points) {
                surface.faces.push_back(static_cast<std::int32_t>(surface.vertices.size()));
                surface.vertices.push_back(x);
            }
            surface.face_starts.push_back(static_cast<std::int32_t>(surface.faces.size()));
            paint.of_face.push_back(colour);
        }
        Vec3 crossing(const Vec3& a, const Vec3& b) const {
            return a + (b - a) * (height(a) / (height(a) - height(b)));
        }
        /// What is behind the plane of a triangle.
        void add(const std::array<Vec3, 3>& x, std::int32_t colour) {
            std::vector<Vec3> kept;
            for (std::size_t k = 0; k < 3; ++k) {
                const Vec3 &a = x[k], &b = x[(k + 1) % 3];
                if (height(a) <= 0.0) kept.push_back(a);
                if ((height(a) <= 0.0) != (height(b) <= 0.0)) kept.push_back(crossing(a, b));
            }
            face(kept, colour);
        }
        /// Where the plane goes through a tetrahedron, turned towards the eye.
        void section(const std::array<Vec3, 4>& x) {
            std::vector<Vec3> points;
            Vec3 middle;
            for (const auto& [i, j] : kTetEdges) {
                const Vec3 &a = x[static_cast<std::size_t>(i)], &b = x[static_cast<std::size_t>(j)];
                if ((height(a) <= 0.0) != (height(b) <= 0.0)) points.push_back(crossing(a, b));
            }
            if (points.size() < 3) return;
            for (const Vec3& p : points) middle += p / static_cast<double>(points.size());
            const Vec3 side = points[0] - middle, up = cross(towards, side);
            const auto angle = [&](const Vec3& p) {
                return std::atan2(dot(p - middle, up) * norm(side), dot(p - middle, side) * norm(up));
            };
            std::sort(points.begin(), points.end(), [&](const Vec3& a, const Vec3& b) { return angle(a) < angle(b); });
            face(points, 1);
        }
    };

    /// Cut by an upright plane through the middle that faces the eye.
    static void add(const FleshPart& part, const Vec3& towards, Surface& surface, SurfacePaint& paint,
                    DrawPoints& held) {
        const Mesh& mesh = part.mesh;
        Half half{{}, towards, surface, paint};
        for (const Vec3& x : mesh.vertices) half.through += x / static_cast<double>(mesh.vertices.size());
        std::vector<char> seam(mesh.vertices.size(), 0), bone(mesh.vertices.size(), 0);
        for (const std::int32_t v : mesh.vertex_sets.at("seam")) seam[static_cast<std::size_t>(v)] = 1;
        for (const std::int32_t v : mesh.vertex_sets.at("bone")) bone[static_cast<std::size_t>(v)] = 1;
        const Boundary outside = boundary_of(mesh);
        for (std::size_t f = 0; f < outside.facet_count(); ++f) {
            std::array<Vec3, 3> x;
            std::size_t on_seam = 0, on_bone = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                const auto v = static_cast<std::size_t>(outside.facets[3 * f + k]);
                x[k] = mesh.vertices[v];
                on_seam += static_cast<std::size_t>(seam[v]);
                on_bone += static_cast<std::size_t>(bone[v]);
            }
            half.add(x, on_bone == 3 ? 3 : on_seam == 3 ? 2 : 0);
        }
        for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
            std::array<Vec3, 4> x;
            for (std::size_t k = 0; k < 4; ++k) x[k] = mesh.vertices[static_cast<std::size_t>(mesh.cell(c)[k])];
            half.section(x);
        }
        // What is held near the plane, as dots on it: seen from the front a seam is a line.
        for (const std::int32_t v : part.held) {
            const auto i = static_cast<std::size_t>(v);
            const double height = half.height(mesh.vertices[i]);
            if (std::abs(height) > 0.5 * part.cell_size) continue;
            held.points.push_back(mesh.vertices[i] + towards * (0.02 * part.cell_size - height));
            held.colours.push_back(bone[i] ? kOnBone : kOnSeam);
        }
    }

    DrawMesh bones_;
    DrawPoints held_;
    ViewDirection view_;
    std::unique_ptr<Subject> surface_;
    std::size_t cells_ = 0;
};

}  // namespace

std::vector<std::unique_ptr<Subject>> make_flesh_subjects(const Rig& rig, const std::vector<FleshPart>& parts) {
    const ViewDirection view = parse_view("three-quarter");
    std::vector<std::unique_ptr<Subject>> out;
    out.push_back(std::make_unique<SkinOfFlesh>(rig, parts, view));
    out.push_back(std::make_unique<CutFlesh>(parts, view));
    return out;
}

}  // namespace limber
