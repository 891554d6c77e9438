// make_space_system: traction slots of a triangle surface, and the rows of all its nodes.
#include "bem/space_blocks.hpp"
#include "bem/space_cavity.hpp"
#include "bem/space_rows.hpp"
#include "bem/space_shape.hpp"

#include "core/text.hpp"
#include "geometry/surface_edges.hpp"

#include <limber/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace limber {
namespace {

// H, G and a factor of 6,000 nodes take 8 GB. Beyond, somebody has given a mesh for finite elements.
constexpr std::size_t kMostSpaceNodes = 6000;

void check_space_input(const BoundaryShape& shape, const BoundaryMaterial& material, const BoundarySettings& settings) {
    if (shape.dimension != 3) throw Error(Fault::bad_usage, {}, "a boundary in the plane", "one in space");
    if (settings.elements != BoundaryElements::linear)
        throw Error(Fault::unsupported, {}, "constant elements in space", "linear ones");
    if (!(material.shear > 0.0) || !std::isfinite(material.shear))
        throw Error(Fault::bad_material, {}, text("shear modulus ", material.shear), "a positive number");
    if (!(material.poisson > -1.0 && material.poisson < 0.5)) {
        throw Error(Fault::bad_material, {}, text("Poisson's ratio ", material.poisson),
                    "a number above -1 and below 0.5");
    }
    if (!settings.facet_group.empty() && settings.facet_group.size() != shape.facet_count()) {
        throw Error(Fault::bad_usage, {}, text(settings.facet_group.size(), " facet groups"),
                    text(shape.facet_count(), ", one for each facet"));
    }
    if (shape.points.size() > kMostSpaceNodes) {
        throw Error(
            Fault::unsupported, {}, text("a surface of ", shape.points.size(), " vertices"),
            text("at most ", kMostSpaceNodes, ": boundary elements take memory with the square of their number"));
    }
}

SurfaceEdges closed_edges(const Triangles& triangles) {
    SurfaceEdges edges = surface_edges(triangles);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (edges.users(e) != 2 || edges.use(e, 0).forward == edges.use(e, 1).forward) {
            throw Error(Fault::bad_mesh, {},
                        text("the edge of points ", edges.use(e, 0).low, " and ", edges.use(e, 0).high, " has ",
                             edges.users(e), " triangles"),
                        "two that run through it in opposite directions: a closed surface");
        }
    }
    return edges;
}

std::vector<SpacePanel> make_panels(const Triangles& triangles) {
    std::vector<SpacePanel> out;
    out.reserve(triangles.size());
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        const SpaceFacet facet = make_space_facet(triangles.at(f, 0), triangles.at(f, 1), triangles.at(f, 2));
        if (!(facet.area > 0.0)) {
            throw Error(Fault::bad_mesh, {}, text("boundary triangle ", f, " has no area"),
                        "corners that are not in one line");
        }
        out.emplace_back(facet);
    }
    return out;
}

void set_volume_and_centroid(BoundarySystem& system, const Triangles& triangles) {
    const Vec3 reference = triangles.vertices.front();
    Vec3 moment;
    system.measure = enclosed_volume(triangles);
    for (std::size_t f = 0; f < triangles.size(); ++f) {
        const Vec3 a = triangles.at(f, 0) - reference, b = triangles.at(f, 1) - reference,
                   c = triangles.at(f, 2) - reference;
        moment += dot(a, cross(b, c)) / 24.0 * (a + b + c);
    }
    if (!(system.measure > 0.0)) {
        throw Error(Fault::bad_mesh, {}, text("an enclosed volume of ", system.measure, " m^3"),
                    "triangles that turn counter-clockwise seen from outside");
    }
    system.origin = reference + moment / system.measure;
}

// Which corners of facets share a traction: numbered 3 facet + corner, joined across every edge that is smooth and
// within one group.
class CornerGroups {
public:
    explicit CornerGroups(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    }
    std::size_t first(std::size_t c) {
        while (parent_[c] != c) c = parent_[c] = parent_[parent_[c]];
        return c;
    }
    void join(std::size_t a, std::size_t b) {
        a = first(a);
        b = first(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::size_t> parent_;
};

CornerGroups join_smooth_corners(const Triangles& triangles, const SurfaceEdges& edges,
                                 const std::vector<SpacePanel>& panels, const BoundarySettings& settings) {
    CornerGroups groups(3 * triangles.size());
    const double least_cosine = std::cos(settings.corner_degrees * std::numbers::pi / 180.0);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const EdgeUse &a = edges.use(e, 0), &b = edges.use(e, 1);
        const auto first = static_cast<std::size_t>(a.triangle), second = static_cast<std::size_t>(b.triangle);
        if (dot(panels[first].facet().normal(), panels[second].facet().normal()) < least_cosine) continue;
        if (!settings.facet_group.empty() && settings.facet_group[first] != settings.facet_group[second]) continue;
        // They run through the edge in opposite directions: where one starts, the other ends.
        const auto i = static_cast<std::size_t>(a.side), j = static_cast<std::size_t>(b.side);
        groups.join(3 * first + i, 3 * second + (j + 1) % 3);
        groups.join(3 * first + (i + 1) % 3, 3 * second + j);
    }
    return groups;
}

void set_space_slots(BoundarySystem& system, CornerGroups groups, const std::vector<SpacePanel>& panels) {
    const std::vector<std::int32_t>& facets = system.shape.facets;
    std::vector<std::vector<std::size_t>> corners(system.nodes.size());  // of each node
    for (std::size_t c = 0; c < facets.size(); ++c) corners[static_cast<std::size_t>(facets[c])].push_back(c);
    system.facet_slots.assign(facets.size(), -1);
    system.node_slots.resize(system.nodes.size());
    for (std::size_t node = 0; node < corners.size(); ++node) {
        if (corners[node].empty()) {
            throw Error(Fault::bad_mesh, {}, text("boundary point ", node, " belongs to no triangle"),
                        "points of the surface only");
        }
        for (const std::size_t c : corners[node]) {  // ascending, so that the first of a group comes first
            const std::size_t first = groups.first(c);
            if (first == c) {
                system.facet_slots[c] = static_cast<std::int32_t>(system.slot_node.size());
                system.node_slots[node].push_back(system.facet_slots[c]);
                system.slot_node.push_back(static_cast<std::int32_t>(node));
                system.slot_weight.push_back(0.0);
                system.slot_normal.emplace_back();
            }
            system.facet_slots[c] = system.facet_slots[first];
            const auto slot = static_cast<std::size_t>(system.facet_slots[c]);
            const SpaceFacet& facet = panels[c / 3].facet();
            system.slot_weight[slot] += facet.area / 3.0;
            system.slot_normal[slot] += facet.area * facet.normal();
        }
    }
    for (Vec3& normal : system.slot_normal) normal = normal / norm(normal);
}

}  // namespace

BoundarySystem make_space_system(const BoundaryShape& shape, const BoundaryMaterial& material,
                                 const BoundarySettings& settings, Progress& progress) {
    check_space_input(shape, material, settings);
    const Triangles triangles = triangles_of(shape);
    const SurfaceEdges edges = closed_edges(triangles);
    const std::vector<SpacePanel> panels = make_panels(triangles);
    BoundarySystem system;
    system.shape = shape;
    system.material = material;
    system.nodes = shape.points;
    set_volume_and_centroid(system, triangles);
    set_space_slots(system, join_smooth_corners(triangles, edges, panels, settings), panels);
    system.h = DenseMatrix(system.unknowns(), system.unknowns());
    system.g = DenseMatrix(system.unknowns(), system.tractions());
    system.body = DenseMatrix(system.unknowns(), 12);

    constexpr std::size_t kBatch = 64;  // nodes between two looks at progress
    SpaceRows rows(system, panels, settings.accuracy, kBatch / SpaceRows::kNodes);
    for (std::size_t from = 0; from < system.nodes.size(); from += kBatch) {
        progress.update(static_cast<double>(from) / static_cast<double>(system.nodes.size()), "integrating");
        if (progress.stop_requested()) throw Error(Fault::interrupted, {}, "interrupted while integrating");
        rows.set(from, std::min(from + kBatch, system.nodes.size()));
    }
    for (const Cavity& cavity : find_cavities(shape)) add_cavity(system, cavity);
    progress.update(1.0, "integrating");
    return system;
}

}  // namespace limber
