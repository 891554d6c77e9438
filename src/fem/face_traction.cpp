#include "fem/face_traction.hpp"

#include "geometry/cell_topology.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {
namespace {

/// Force per vertex of the mesh, gathered facet by facet.
class Gathered {
public:
    Gathered(const Mesh& mesh, const IndexSet& set, const Traction& traction)
        : mesh_(mesh), set_(set), traction_(traction), force_(mesh.vertices.size()) {
        const Boundary outer = boundary_of(mesh);
        std::vector<char> at_boundary(mesh.vertices.size(), 0);
        for (const std::int32_t v : outer.vertices) at_boundary[static_cast<std::size_t>(v)] = 1;
        for (std::size_t c = 0; c < mesh.cell_count(); ++c)
            for (const LocalFacet& facet : facets_of(mesh.kind)) add_if_inside(c, facet, at_boundary);
    }
    const std::vector<Vec3>& force() const { return force_; }

private:
    const Vec3& corner(std::int32_t v) const { return mesh_.vertices[static_cast<std::size_t>(v)]; }
    void add(std::int32_t v, const Vec3& f) { force_[static_cast<std::size_t>(v)] += f; }

    void add_if_inside(std::size_t cell, const LocalFacet& facet, const std::vector<char>& at_boundary) {
        std::array<std::int32_t, 4> v{};
        const auto corners = static_cast<std::size_t>(facet_corners_of(mesh_.kind));
        for (std::size_t i = 0; i < corners; ++i) {
            v[i] = mesh_.cell(cell)[facet.corner[i]];
            if (!at_boundary[static_cast<std::size_t>(v[i])] || !std::binary_search(set_.begin(), set_.end(), v[i]))
                return;
        }
        if (corners == 2) return add_edge(v[0], v[1]);
        add_face(cell, facet, v, corners);
    }

    void add_edge(std::int32_t a, std::int32_t b) {
        const Vec3 edge = corner(b) - corner(a);
        const double length = norm(edge);
        const Vec3 outward{edge.y / length, -edge.x / length, 0.0};  // the body is on the left
        for (const double xi : {-1 / std::sqrt(3.0), 1 / std::sqrt(3.0)}) {
            const double share = (1 + xi) / 2;
            const Vec3 f = traction_(corner(a) + edge * share, outward) * (length / 2);
            add(a, f * (1 - share));
            add(b, f * share);
        }
    }

    void add_face(std::size_t cell, const LocalFacet& facet, const std::array<std::int32_t, 4>& v,
                  std::size_t corners) {
        const Vec3 span = corners == 4 ? cross(corner(v[2]) - corner(v[0]), corner(v[3]) - corner(v[1]))
                                       : cross(corner(v[1]) - corner(v[0]), corner(v[2]) - corner(v[0]));
        const double area = norm(span) / 2;
        Vec3 middle;
        for (std::size_t i = 0; i < corners; ++i) middle += corner(v[i]) / static_cast<double>(corners);
        const Vec3 share = traction_(middle, span / norm(span)) * (area / static_cast<double>(corners));
        for (std::size_t i = 0; i < corners; ++i)
        // On a quadratic triangle the corners' shape functions have no mean: all of the load is on the middles of
        // the edges.
        {
            add(mesh_.kind == CellKind::tet10 ? middle_of(cell, facet.corner[i], facet.corner[(i + 1) % 3]) : v[i],
                share);
        }
    }

    std::int32_t middle_of(std::size_t cell, int a, int b) const {
        for (std::size_t e = 0; e < kTetEdges.size(); ++e) {
            if ((kTetEdges[e][0] == a && kTetEdges[e][1] == b) || (kTetEdges[e][0] == b && kTetEdges[e][1] == a))
                return mesh_.cell(cell)[4 + e];
        }
        return mesh_.cell(cell)[a];
    }

    const Mesh& mesh_;
    const IndexSet& set_;
    const Traction& traction_;
    std::vector<Vec3> force_;
};

}  // namespace

std::vector<Vec3> traction_forces(const Mesh& mesh, const IndexSet& set, const Traction& traction) {
    return Gathered(mesh, set, traction).force();
}

}  // namespace limber
