#include "elastic/hyper_cells.hpp"

#include "core/assert.hpp"
#include "fem/assembly.hpp"
#include "geometry/quadrature.hpp"

#include <algorithm>

namespace limber {
namespace {

constexpr std::size_t kRangeVertices = 1024;    // small enough for two threads to share a mid-sized body, large enough for few borders

// The rules of linear_fem's stiffness, so that both agree at small strain to rounding.
int rule_degree(CellKind kind) {
    if (kind == CellKind::tri3 || kind == CellKind::tet4) return 1;
    return kind == CellKind::tet10 ? 2 : 3;
}

std::vector<HyperCells::Range> make_ranges(const Mesh& mesh) {
    const std::size_t vertices = mesh.vertices.size();
    const std::size_t parts = std::max<std::size_t>(1, vertices / kRangeVertices);
    std::vector<HyperCells::Range> ranges(parts);
    for (std::size_t r = 0; r < parts; ++r) {
        ranges[r].first = static_cast<std::int32_t>(vertices * r / parts);
        ranges[r].last = static_cast<std::int32_t>(vertices * (r + 1) / parts);
    }
    const auto range_of = [&](std::int32_t vertex) {
        auto r = static_cast<std::size_t>(vertex) * parts / vertices;
        while (vertex >= ranges[r].last) ++r;
        while (vertex < ranges[r].first) --r;
        return r;
    };
    for (std::size_t c = 0; c < mesh.cell_count(); ++c)
        for (int a = 0; a < corners_of(mesh.kind); ++a) {
            auto& cells = ranges[range_of(mesh.cell(c)[a])].cells;
            if (cells.empty() || cells.back() != static_cast<std::int32_t>(c)) cells.push_back(static_cast<std::int32_t>(c));
        }
    return ranges;
}

std::int32_t block_entry(const BlockCsr& a, std::int32_t row, std::int32_t column) {
    const auto begin = a.columns.begin() + a.starts[static_cast<std::size_t>(row)], end = a.columns.begin() + a.starts[static_cast<std::size_t>(row) + 1];
    const auto it = std::lower_bound(begin, end, column);
    LIMBER_ASSERT(it != end && *it == column);
    return static_cast<std::int32_t>(it - a.columns.begin());
}

}  // namespace

HyperCells::HyperCells(const Body& body)
    : corners(corners_of(body.mesh().kind)), dimension(body.mesh().dimension()), points(0), count(body.mesh().cell_count()),
      pattern(cell_pattern(body.mesh())), ranges(make_ranges(body.mesh())) {
    const Mesh& mesh = body.mesh();
    const auto rule = quadrature(mesh.kind, rule_degree(mesh.kind));
    points = static_cast<int>(rule.size());
    pattern.values = {};
    double beta = 0.0;
    for (const Material& m : body.materials()) beta = std::max(beta, m.rayleigh_beta);
    const double depth = dimension == 2 ? body.thickness() : 1.0;
    std::array<Vec3, kMaxCorners> g{};
    const auto keep = [&](std::vector<double>& to) {
        for (int a = 0; a < corners; ++a)
            for (int i = 0; i < dimension; ++i) to.push_back(g[static_cast<std::size_t>(a)][i]);
    };
    for (std::size_t c = 0; c < count; ++c) {
        for (const QuadraturePoint& q : rule) {
            weights.push_back(q.weight * physical_gradients(mesh, c, q.xi, g.data()) * depth);
            keep(gradients);
        }
        if (points > 1) {
            physical_gradients(mesh, c, reference_centre(mesh.kind), g.data());
            keep(centre_gradients);
        }
        viscosity_share.push_back(beta > 0.0 ? body.material_of(c).rayleigh_beta / beta : 1.0);
        for (int a = 0; a < corners; ++a)
            for (int b = 0; b < corners; ++b) entries.push_back(block_entry(pattern, mesh.cell(c)[a], mesh.cell(c)[b]));
    }
}

std::size_t HyperCells::bytes() const {
    std::size_t ints = pattern.columns.size() + pattern.starts.size() + entries.size();
    for (const Range& r : ranges) ints += r.cells.size();
    return ints * sizeof(std::int32_t) + (gradients.size() + weights.size() + centre_gradients.size() + viscosity_share.size()) * sizeof(double);
}

}  // namespace limber
