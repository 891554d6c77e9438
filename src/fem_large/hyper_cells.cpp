#include "fem_large/hyper_cells.hpp"

#include "core/assert.hpp"
#include "geometry/quadrature.hpp"

#include <algorithm>
#include <numeric>

namespace limber {
namespace {

constexpr std::size_t kPartVertices = 1000;  // fewer are not worth a second thread
constexpr std::size_t kMostParts = 4;        // more have more cells on borders, which one thread sums

// The rules of linear_fem's stiffness, so that both agree at small strain to rounding.
int rule_degree(CellKind kind) {
    if (kind == CellKind::tri3 || kind == CellKind::tet4) return 1;
    return kind == CellKind::tet10 ? 2 : 3;
}

// Per vertex: its part, by position along the longest side.
std::vector<std::int32_t> slabs(const Mesh& mesh, std::size_t count) {
    Vec3 low = mesh.vertices[0], high = low;
    for (const Vec3& x : mesh.vertices) {
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], x[i]);
            high[i] = std::max(high[i], x[i]);
        }
    }
    int axis = 0;
    for (int i = 1; i < 3; ++i)
        if (high[i] - low[i] > high[axis] - low[axis]) axis = i;
    std::vector<std::int32_t> order(mesh.vertices.size()), part(mesh.vertices.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return mesh.vertices[static_cast<std::size_t>(a)][axis] < mesh.vertices[static_cast<std::size_t>(b)][axis];
    });
    for (std::size_t i = 0; i < order.size(); ++i)
        part[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i * count / order.size());
    return part;
}

void split_cells(const Mesh& mesh, HyperCells& out) {
    const std::size_t count = std::clamp<std::size_t>(mesh.vertices.size() / kPartVertices, 1, kMostParts);
    const std::vector<std::int32_t> part = slabs(mesh, count);
    out.parts.resize(count);
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        const std::int32_t* v = mesh.cell(c);
        const std::int32_t first = part[static_cast<std::size_t>(v[0])];
        const bool inside = std::all_of(v, v + corners_of(mesh.kind),
                                        [&](std::int32_t x) { return part[static_cast<std::size_t>(x)] == first; });
        (inside ? out.parts[static_cast<std::size_t>(first)] : out.border).push_back(static_cast<std::int32_t>(c));
    }
}

std::int32_t block_entry(const BlockCsr& a, std::int32_t row, std::int32_t column) {
    const auto begin = a.columns.begin() + a.starts[static_cast<std::size_t>(row)],
               end = a.columns.begin() + a.starts[static_cast<std::size_t>(row) + 1];
    const auto it = std::lower_bound(begin, end, column);
    LIMBER_ASSERT(it != end && *it == column);
    return static_cast<std::int32_t>(it - a.columns.begin());
}

}  // namespace

HyperCells::HyperCells(const Body& body, std::span<const NodalPatch> patches)
    : corners(corners_of(body.mesh().kind)),
      dimension(body.mesh().dimension()),
      points(0),
      count(body.mesh().cell_count()),
      pattern(cell_pattern(body.mesh(), patches)) {
    const Mesh& mesh = body.mesh();
    split_cells(mesh, *this);
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

HyperPatches::HyperPatches(const Body& body, std::span<const NodalPatch> from) {
    if (from.empty()) return;
    const Mesh& mesh = body.mesh();
    const auto corners = static_cast<std::size_t>(corners_of(mesh.kind));
    const double depth = mesh.dimension() == 2 ? body.thickness() : 1.0;
    double beta = 0.0;
    for (const Material& m : body.materials()) beta = std::max(beta, m.rayleigh_beta);
    patch_of = patches_of_corners(body, from);
    std::vector<std::vector<std::int32_t>> around(from.size());
    for (std::size_t k = 0; k < patch_of.size(); ++k)
        around[static_cast<std::size_t>(patch_of[k])].push_back(static_cast<std::int32_t>(k / corners));
    for (std::size_t p = 0; p < from.size(); ++p) {
        const Material& m = body.materials()[static_cast<std::size_t>(from[p].material)];
        const double shear = (1.0 - kCellShearShare) * m.shear();
        patches.push_back({static_cast<std::int32_t>(cells.size()),
                           static_cast<std::int32_t>(vertices.size()),
                           from[p].measure,
                           m.bulk(),
                           beta > 0.0 ? m.rayleigh_beta / beta : 1.0,
                           {-2.0 / 3.0 * shear, shear}});
        gradients.insert(gradients.end(), from[p].gradient.begin(), from[p].gradient.end());
        vertices.insert(vertices.end(), from[p].vertices.begin(), from[p].vertices.end());
        most_vertices = std::max(most_vertices, from[p].vertices.size());
        for (const std::int32_t c : around[p]) {
            cells.push_back(c);
            share.push_back(cell_measure(mesh, static_cast<std::size_t>(c)) * depth / static_cast<double>(corners));
            for (std::size_t a = 0; a < corners; ++a) {
                position_in_patch.push_back(
                    static_cast<std::int32_t>(std::lower_bound(from[p].vertices.begin(), from[p].vertices.end(),
                                                               mesh.cell(static_cast<std::size_t>(c))[a]) -
                                              from[p].vertices.begin()));
            }
        }
    }
    patches.push_back(
        {static_cast<std::int32_t>(cells.size()), static_cast<std::int32_t>(vertices.size()), 0.0, 0.0, 0.0, {}});
}

std::size_t HyperPatches::bytes() const {
    return patches.size() * sizeof(Patch) + (share.size() + gradients.size()) * sizeof(double) +
           (cells.size() + position_in_patch.size() + vertices.size() + patch_of.size()) * sizeof(std::int32_t);
}

std::size_t HyperCells::bytes() const {
    const std::size_t ints = pattern.columns.size() + pattern.starts.size() + entries.size() + count;
    return ints * sizeof(std::int32_t) +
           (gradients.size() + weights.size() + centre_gradients.size() + viscosity_share.size()) * sizeof(double);
}

}  // namespace limber
