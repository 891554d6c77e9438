// make_plane_system: nodes, traction slots, and the rows of all nodes.
#include "bem/free_response.hpp"
#include "bem/plane_rows.hpp"

#include "core/parallel.hpp"
#include "core/text.hpp"

#include <limber/error.hpp>

#include <cmath>
#include <numbers>

namespace limber {

namespace {

// H, G and a factor of as many nodes take 8 GB.
constexpr std::size_t kMostPlaneNodes = 9000;

Vec3 point_of(const BoundaryShape& shape, std::size_t facet, std::size_t corner) {
    return shape.points[static_cast<std::size_t>(shape.facets[2 * facet + corner])];
}

void check_plane_input(const BoundaryShape& shape, const BoundaryMaterial& material, const BoundarySettings& settings) {
    if (shape.dimension != 2) throw Error(Fault::bad_usage, {}, "a boundary in space", "one in the plane");
    if (shape.points.size() > kMostPlaneNodes) {
        throw Error(
            Fault::unsupported, {}, text("a boundary of ", shape.points.size(), " nodes"),
            text("at most ", kMostPlaneNodes, ": boundary elements take memory with the square of their number"));
    }
    if (!(material.shear > 0.0) || !std::isfinite(material.shear))
        throw Error(Fault::bad_material, {}, text("shear modulus ", material.shear), "a positive number");
    // No lower limit: plane stress enters as nu / (1 + nu), which for nu from -1 to -1/2 is anything below -1, and the
    // equations stay elliptic.
    if (!(material.poisson < 0.5) || !std::isfinite(material.poisson)) {
        throw Error(Fault::bad_material, {}, text("Poisson's ratio ", material.poisson, " of plane strain"),
                    "a number below 0.5");
    }
    if (!settings.facet_group.empty() && settings.facet_group.size() != shape.facet_count()) {
        throw Error(Fault::bad_usage, {}, text(settings.facet_group.size(), " facet groups"),
                    text(shape.facet_count(), ", one for each facet"));
    }
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        if (!(norm(point_of(shape, f, 1) - point_of(shape, f, 0)) > 0.0))
            throw Error(Fault::bad_mesh, {}, text("boundary edge ", f, " has no length"), "vertices apart");
    }
}

void set_area_and_centroid(BoundarySystem& system) {
    const Enclosed enclosed = enclosed_by(system.shape);
    if (!(enclosed.measure > 0.0)) {
        throw Error(Fault::bad_mesh, {}, text("an enclosed area of ", enclosed.measure, " m^2"),
                    "edges with the body on their left");
    }
    system.measure = enclosed.measure;
    system.origin = enclosed.centroid;
    system.origin.z = 0.0;
}

void add_slot(BoundarySystem& system, std::size_t node) {
    system.node_slots[node].push_back(static_cast<std::int32_t>(system.slot_node.size()));
    system.slot_node.push_back(static_cast<std::int32_t>(node));
    system.slot_weight.push_back(0.0);
    system.slot_normal.emplace_back();
}

void set_constant_slots(BoundarySystem& system) {
    const std::size_t count = system.shape.facet_count();
    system.node_slots.resize(count);
    for (std::size_t f = 0; f < count; ++f) {
        system.nodes.push_back(0.5 * (point_of(system.shape, f, 0) + point_of(system.shape, f, 1)));
        add_slot(system, f);
        system.facet_slots.push_back(static_cast<std::int32_t>(f));
    }
}

/// Each point has one edge in and one out; they share a slot unless they turn or their groups differ.
void set_linear_slots(BoundarySystem& system, const BoundarySettings& settings) {
    const BoundaryShape& shape = system.shape;
    system.nodes = shape.points;
    system.node_slots.resize(shape.points.size());
    std::vector<std::size_t> in(shape.points.size()), out(shape.points.size());
    for (std::size_t f = 0; f < shape.facet_count(); ++f) {
        out[static_cast<std::size_t>(shape.facets[2 * f])] = f;
        in[static_cast<std::size_t>(shape.facets[2 * f + 1])] = f;
    }
    system.facet_slots.resize(2 * shape.facet_count());
    const double least_cosine = std::cos(settings.corner_degrees * std::numbers::pi / 180);
    for (std::size_t p = 0; p < shape.points.size(); ++p) {
        const Vec3 a = point_of(shape, in[p], 1) - point_of(shape, in[p], 0),
                   b = point_of(shape, out[p], 1) - point_of(shape, out[p], 0);
        const bool corner = dot(a, b) < least_cosine * norm(a) * norm(b);
        const bool other_group = !settings.facet_group.empty() &&
                                 settings.facet_group[in[p]] != settings.facet_group[out[p]];
        add_slot(system, p);
        if (corner || other_group) add_slot(system, p);
        system.facet_slots[2 * in[p] + 1] = system.node_slots[p].front();
        system.facet_slots[2 * out[p]] = system.node_slots[p].back();
    }
}

void set_weights_and_normals(BoundarySystem& system) {
    const std::size_t per_facet = system.facet_slots.size() / system.shape.facet_count();
    for (std::size_t f = 0; f < system.shape.facet_count(); ++f) {
        const Vec3 along = point_of(system.shape, f, 1) - point_of(system.shape, f, 0);
        for (std::size_t k = 0; k < per_facet; ++k) {
            const auto slot = static_cast<std::size_t>(system.facet_slots[per_facet * f + k]);
            system.slot_weight[slot] += norm(along) / static_cast<double>(per_facet);
            system.slot_normal[slot] += Vec3{along.y, -along.x, 0.0};
        }
    }
    for (Vec3& normal : system.slot_normal) normal = normal / norm(normal);
}

/// The node's own block of H from rigid translation: its free term, whatever the corner, and the principal value.
void set_own_block(DenseMatrix& h, std::size_t node) {
    for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t j = 0; j < 2; ++j) {
            double others = 0.0;
            for (std::size_t n = 0; 2 * n < h.columns; ++n)
                if (n != node) others += h(2 * node + i, 2 * n + j);
            h(2 * node + i, 2 * node + j) = -others;
        }
    }
}

}  // namespace

BoundarySystem make_plane_system(const BoundaryShape& shape, const BoundaryMaterial& material,
                                 const BoundarySettings& settings, Progress& progress) {
    check_plane_input(shape, material, settings);
    BoundarySystem system;
    system.shape = shape;
    system.elements = settings.elements;
    system.material = material;
    set_area_and_centroid(system);
    settings.elements == BoundaryElements::constant ? set_constant_slots(system) : set_linear_slots(system, settings);
    set_weights_and_normals(system);
    system.h = DenseMatrix(system.unknowns(), system.unknowns());
    system.g = DenseMatrix(system.unknowns(), system.tractions());
    system.body = DenseMatrix(system.unknowns(), kPlaneBodyColumns);

    const ScaledBoundary scaled = scaled_boundary(system);
    constexpr std::size_t kBatch = 64;  // nodes between two looks at progress
    for (std::size_t from = 0; from < system.nodes.size(); from += kBatch) {
        progress.update(static_cast<double>(from) / static_cast<double>(system.nodes.size()), "integrating");
        if (progress.stop_requested()) throw Error(Fault::interrupted, {}, "interrupted while integrating");
        const std::size_t count = std::min(kBatch, system.nodes.size() - from);
        parallel_blocks(count, 8, [&](std::size_t, std::size_t begin, std::size_t end) noexcept {
            for (std::size_t node = from + begin; node < from + end; ++node) {
                const PlaneSource source{scaled.nodes[node], static_cast<std::int64_t>(node), 2 * node};
                add_displacement_rows(system, scaled, source, system.h, system.g, system.body);
                set_own_block(system.h, node);
            }
        });
    }
    strengthen_holes(system);
    progress.update(1.0, "integrating");
    return system;
}

}  // namespace limber
