// Checks on coordinates: planarity, and the Jacobian of every cell.
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "geometry/quadrature.hpp"
#include "geometry/shape.hpp"
#include "geometry/validate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace limber {

using Kind = MeshFinding::Kind;
using Severity = MeshFinding::Severity;

namespace {

/// Relative to size^dimension. Rounding of coordinates leaves about 1e-16 in a flat cell.
constexpr double kZeroMeasure = 1e-12;

/// Where det J is looked at, with dN/dxi ready. `weight` is 0 at the nodes: a corner angle of exactly 180 degrees
/// (det J = 0 there) is ugly but integrates well, so nodes only have to be not negative.
struct Sample {
    double weight;
    Vec3 gradient[kMaxCorners];
};

std::vector<Sample> shape_samples(CellKind kind) {
    std::vector<Sample> samples;
    const auto add = [&](const Vec3& xi, double weight) {
        Sample s{weight, {}};
        shape_gradients(kind, xi, s.gradient);
        samples.push_back(s);
    };
    const bool constant = kind == CellKind::tri3 || kind == CellKind::tet4;
    const int degree = constant ? 1 : kind == CellKind::tet10 ? 5 : 3;
    for (const QuadraturePoint& q : quadrature(kind, degree)) add(q.xi, q.weight);
    for (int a = 0; a < corners_of(kind) && !constant; ++a) add(reference_node(kind, a), 0.0);
    return samples;
}

enum class CellState : char { good, turned, flat, folded };

double sample_determinant(const Sample& s, const Vec3* x, int corners, int dimension) {
    Vec3 a, b, c;
    for (int k = 0; k < corners; ++k) {
        a += s.gradient[k].x * x[k];
        b += s.gradient[k].y * x[k];
        c += s.gradient[k].z * x[k];
    }
    return dimension == 2 ? a.x * b.y - a.y * b.x : dot(a, cross(b, c));
}

/// Judges a cell scaled to size 1, so that neither microns nor light years under- or overflow.
CellState judge(CellKind kind, const std::vector<Sample>& samples, Vec3* x) {
    const int corners = corners_of(kind), dimension = dimension_of(kind);
    double size = 0.0;
    const Vec3 origin = x[0];
    for (int a = 0; a < corners; ++a) {
        x[a] -= origin;
        for (int k = 0; k < dimension; ++k) size = std::max(size, std::abs(x[a][k]));
    }
    // Below the second bound the volume itself would vanish in double precision.
    if (!(size > 0.0) || dimension * std::log10(size) < -290.0) return CellState::flat;
    for (int a = 0; a < corners; ++a) x[a] = x[a] / size;

    double measure = 0.0, least_inside = std::numeric_limits<double>::max(), most_inside = -least_inside;
    double least_node = 0.0, most_node = 0.0;
    for (const Sample& s : samples) {
        const double d = sample_determinant(s, x, corners, dimension);
        measure += s.weight * d;
        if (s.weight > 0.0) {
            least_inside = std::min(least_inside, d);
            most_inside = std::max(most_inside, d);
        } else {
            least_node = std::min(least_node, d);
            most_node = std::max(most_node, d);
        }
    }
    const double noise = 1e-10;
    const bool forward = least_inside > kZeroMeasure && least_node >= -noise;
    const bool backward = most_inside < -kZeroMeasure && most_node <= noise;
    if (forward && measure > kZeroMeasure) return CellState::good;
    if (backward && measure < -kZeroMeasure) return CellState::turned;
    // Flat everywhere, or positive here and negative there?
    const bool both_signs = std::min(least_inside, least_node) < -noise && std::max(most_inside, most_node) > noise;
    if (std::abs(measure) <= kZeroMeasure && !both_signs) return CellState::flat;
    return CellState::folded;
}

}  // namespace

void rewind_cell(CellKind kind, std::int32_t* corner) {
    switch (kind) {
        case CellKind::tri3:
        case CellKind::tet4: std::swap(corner[1], corner[2]); break;
        case CellKind::quad4: std::swap(corner[1], corner[3]); break;
        case CellKind::tet10:
            std::swap(corner[1], corner[2]);
            std::swap(corner[4], corner[6]);  // edges 01 and 02
            std::swap(corner[8], corner[9]);  // edges 13 and 23
            break;
        case CellKind::hex8: std::swap_ranges(corner, corner + 4, corner + 4); break;
    }
}

void check_planar(const Mesh& mesh, Findings& out) {
    if (mesh.dimension() != 2) return;
    Vec3 low = mesh.vertices.front(), high = low;
    for (const Vec3& v : mesh.vertices) {
        for (int k = 0; k < 2; ++k) {
            low[k] = std::min(low[k], v[k]);
            high[k] = std::max(high[k], v[k]);
        }
    }
    const double size = std::max(high.x - low.x, high.y - low.y);
    Tally bad;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
        if (std::abs(mesh.vertices[v].z) > 1e-9 * size) bad.add(v);
    if (bad.count == 0) return;
    report(out, Kind::not_planar, Severity::fatal, bad,
           text(bad.count == 1 ? "1 vertex lies" : text(bad.count, " vertices lie"),
                " off the plane z = 0 in a mesh of flat ", to_string(mesh.kind), " cells; first: vertex ", bad.first,
                " at z = ", mesh.vertices[bad.first].z, " m, allowed 1e-9 of the size ", size, " m"));
}

void check_cell_shapes(Mesh& mesh, Findings& out) {
    const std::vector<Sample> samples = shape_samples(mesh.kind);
    std::vector<CellState> state(mesh.cell_count());
    parallel_blocks(state.size(), 4096, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            Vec3 x[kMaxCorners];
            gather_corners(mesh, c, x);
            state[c] = judge(mesh.kind, samples, x);
        }
    });
    Tally turned, flat, folded;
    for (std::size_t c = 0; c < state.size(); ++c) {
        if (state[c] == CellState::turned) {
            rewind_cell(mesh.kind, mesh.cell(c));
            turned.add(c);
        }
        if (state[c] == CellState::flat) flat.add(c);
        if (state[c] == CellState::folded) folded.add(c);
    }
    const char* measure = mesh.dimension() == 2 ? "area" : "volume";
    report(out, Kind::inverted_cell, Severity::repaired, turned,
           text(counted(turned.count, "cell"), " had negative ", measure,
                " and the corner order has been reversed; first: cell ", turned.first));
    report(out, Kind::zero_volume_cell, Severity::fatal, flat,
           text(counted(flat.count, "cell"), " without ", measure, " (below ", kZeroMeasure, " of size^",
                mesh.dimension(), "); first: cell ", flat.first));
    report(
        out, Kind::bad_shape, Severity::fatal, folded,
        text(counted(folded.count, "cell"),
             " folded over: the Jacobian changes sign inside (bow-tie, or too distorted); first: cell ", folded.first));
}

}  // namespace limber
