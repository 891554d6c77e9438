// Surfaces and meshes as subjects: they stand still.
#include "core/text.hpp"
#include "geometry/smooth_normals.hpp"
#include "show/subject.hpp"

#include <algorithm>

namespace limber {
namespace {

class SurfaceSubject : public Subject {
public:
    SurfaceSubject(Surface surface, const std::string& title, SurfacePaint paint, std::string line, bool flat)
        : surface_(std::move(surface)), title_(title), line_(std::move(line)), paint_(std::move(paint)), planar_(flat) {
        if (surface_.face_count() == 0)
            throw Error(Fault::bad_mesh, {title, 0, {}}, "a surface without faces", "something to show");
        const SmoothNormals normals(surface_);
        normals_.resize(normals.count());
        normals.compute(surface_.vertices, normals_);
        topology_ = make_topology(
            {surface_.face_starts, surface_.faces, normals.of_corner(), paint_.of_face, {}, surface_.vertices.size()});
        if (line_.empty())
            line_ = text(surface_.vertices.size(), " vertices, ", counted(surface_.face_count(), "face"));
    }

    std::string title() const override { return title_; }
    std::string line(double) const override { return line_; }
    bool planar() const override { return planar_; }

    std::vector<std::pair<Colour, std::string>> named_colours(const SubjectLook&) const override {
        std::vector<std::pair<Colour, std::string>> out;
        for (std::size_t p = 0; p < paint_.paints.size() && p < paint_.names.size(); ++p)
            if (!paint_.names[p].empty()) out.emplace_back(paint_.paints[p], paint_.names[p]);
        return out;
    }

    void draw(double, const SubjectLook& look, DrawList& out) const override {
        DrawMesh mesh;
        mesh.topology = topology_;
        mesh.positions = surface_.vertices;
        mesh.normals = normals_;
        mesh.paints = paint_.paints;
        if (!paint_.paints.empty()) mesh.look.base = rgb(0xFFFFFF);
        mesh.look.wireframe = look.wireframe;
        out.meshes.push_back(std::move(mesh));
    }

private:
    Surface surface_;
    std::string title_, line_;
    SurfacePaint paint_;
    bool planar_;
    std::vector<Vec3> normals_;
    std::shared_ptr<const DrawTopology> topology_;
};

Surface outside_of(const Mesh& mesh) {
    Surface out;
    out.vertices = mesh.vertices;
    const bool flat = mesh.dimension() == 2;
    const Boundary boundary = flat ? Boundary{} : boundary_of(mesh);
    out.faces = flat ? mesh.cells : boundary.facets;
    const int corners = flat ? corners_of(mesh.kind) : boundary.corners;
    for (std::size_t end = static_cast<std::size_t>(corners); end <= out.faces.size();
         end += static_cast<std::size_t>(corners)) {
        out.face_starts.push_back(static_cast<std::int32_t>(end));
    }
    return out;
}

}  // namespace

std::unique_ptr<Subject> make_surface_subject(Surface surface, const std::string& title, SurfacePaint paint) {
    return std::make_unique<SurfaceSubject>(std::move(surface), title, std::move(paint), "", false);
}

std::unique_ptr<Subject> make_mesh_subject(const Mesh& mesh, const std::string& title) {
    const std::string line = text(mesh.vertices.size(), " vertices, ", counted(mesh.cell_count(), "cell"), " (",
                                  to_string(mesh.kind), ")");
    return std::make_unique<SurfaceSubject>(outside_of(mesh), title, SurfacePaint{}, line, mesh.dimension() == 2);
}

}  // namespace limber
