#include "scene/build.hpp"

#include "core/text.hpp"

#include <limber/round.hpp>

#include <algorithm>
#include <cmath>

namespace limber {

void FaultSink::add(Fault fault, std::string field, std::string found, std::string expected,
                    std::string suggestion) const {
    faults->push_back(
        {fault, {file, 0, std::move(field)}, std::move(found), std::move(expected), std::move(suggestion)});
}

void FaultSink::add(const Error& error, std::string field) const {
    const InputLocation& inner = error.place();
    if (inner.path.empty() || inner.path == file) {
        if (inner.field.size() > field.size()) field = inner.field;  // the lower layer knows the place better
        return add(error.fault(), std::move(field), error.found(), error.expected());
    }
    add(error.fault(), std::move(field), text(to_string(inner), ": ", error.found()), error.expected());
}

namespace {

using Shape = MeshGenerator::Shape;

/// How many cells the generator will be asked for, in floating point: the product may not fit an integer.
double cells_asked(const MeshGenerator& g) {
    const double a = g.counts[0], b = g.counts[1], c = g.counts[2];
    const double per_block = g.kind == CellKind::tet4 || g.kind == CellKind::tet10
                                 ? 6.0
                                 : (g.kind == CellKind::tri3 ? 2.0 : 1.0);
    switch (g.shape) {
        case Shape::grid: return per_block * a * b;
        case Shape::box: return per_block * a * b * c;
        case Shape::ball: return per_block * a * a * a;
        case Shape::cylinder:
        case Shape::torus: return per_block * a * a * b;
        case Shape::disc:
        case Shape::ellipse: return per_block * a * a * 3.0 / 16.0;
        case Shape::ring: return per_block * a * b;
        case Shape::ellipsoid: return per_block * a * a * a;
        case Shape::shell: return per_block * a * a * std::max(6.0 * b, a);
    }
    return 0.0;
}

bool check_extent(const MeshGenerator& g, const std::string& field, const FaultSink& sink) {
    if (g.shape != Shape::grid && g.shape != Shape::box) return true;
    const int axes = g.shape == Shape::grid ? 2 : 3;
    for (int i = 0; i < axes; ++i) {
        if (!(g.low[i] < g.high[i])) {
            sink.add(Fault::bad_scene, field + "/high",
                     text("the ", "xyz"[i], " of high is ", g.high[i], " and that of low is ", g.low[i]),
                     "low below high on every axis");
            return false;
        }
    }
    return true;
}

Mesh generate(const MeshGenerator& g) {
    switch (g.shape) {
        case Shape::grid: return make_grid(g.kind, g.counts[0], g.counts[1], g.low, g.high);
        case Shape::box: return make_box(g.kind, g.counts[0], g.counts[1], g.counts[2], g.low, g.high);
        case Shape::ball: return make_ball(g.kind, g.counts[0], g.centre, g.radius);
        case Shape::cylinder:
            return g.end_radius > 0.0 ? make_frustum(g.kind, g.counts[0], g.counts[1], g.radius, g.end_radius, g.length)
                                      : make_cylinder(g.kind, g.counts[0], g.counts[1], g.radius, g.length);
        case Shape::torus: return make_torus(g.kind, g.counts[0], g.counts[1], g.radius, g.tube_radius);
        case Shape::disc: return make_disc(g.kind, g.counts[0], g.centre, g.radius);
        case Shape::ellipse: return make_ellipse(g.kind, g.counts[0], g.centre, g.radii);
        case Shape::ring: return make_ring(g.kind, g.counts[0], g.counts[1], g.centre, g.inner_radius, g.radius);
        case Shape::ellipsoid: return make_ellipsoid(g.kind, g.counts[0], g.centre, g.radii);
        case Shape::shell: return make_shell(g.kind, g.counts[0], g.counts[1], g.centre, g.inner_radius, g.radius);
    }
    return {};
}

}  // namespace

Vec3 placed(const PlaceSpec& place, const Vec3& point) {
    return place.position + to_matrix(from_rotation_vector(place.rotation)) * point;
}

bool build_mesh(const MeshSource& source, const std::string& field, const FaultSink& sink, Mesh& out) {
    try {
        if (!source.generated()) {
            if (!source.loaded) {
                sink.add(Fault::bad_scene, source.path.empty() ? field : field + "/path",
                         text("mesh \"", source.path.empty() ? source.asset : source.path, "\" was not read"),
                         "a scene from read_scene, or `loaded` filled in");
                return false;
            }
            out = *source.loaded;
        } else {
            if (!check_extent(source.generator, field, sink)) return false;
            const double cells = cells_asked(source.generator);
            if (!(cells <= kMaxGeneratedCells)) {
                sink.add(Fault::bad_scene, field + "/counts", text("about ", cells, " cells asked for"),
                         text("at most ", kMaxGeneratedCells));
                return false;
            }
            out = generate(source.generator);
        }
    } catch (const Error& error) {
        sink.add(error, field);
        return false;
    }
    if (!source.made())
        for (Vec3& p : out.vertices) p = source.axes().from_file(p);
    return true;
}

}  // namespace limber
