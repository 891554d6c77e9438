#include "fem/assembly.hpp"

#include "core/assert.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

bool is_simplex(CellKind kind) { return kind == CellKind::tri3 || kind == CellKind::tet4; }

std::span<const std::int32_t> corners(const Mesh& mesh, std::size_t cell) {
    return {mesh.cell(cell), static_cast<std::size_t>(corners_of(mesh.kind))};
}

// The block pattern in which every stencil's vertices see each other.
template <class ForEachStencil>
BlockCsr make_pattern(std::size_t vertices, int block, ForEachStencil&& for_each) {
    std::vector<std::vector<std::int32_t>> rows(vertices);
    for_each([&](std::span<const std::int32_t> stencil) {
        for (const std::int32_t i : stencil) {
            auto& row = rows[static_cast<std::size_t>(i)];
            row.insert(row.end(), stencil.begin(), stencil.end());
            // Keep rows short while they grow: a vertex is met once per cell around it.
            if (row.size() > 4096) {
                std::sort(row.begin(), row.end());
                row.erase(std::unique(row.begin(), row.end()), row.end());
            }
        }
    });
    BlockCsr a;
    a.block = block;
    a.starts.reserve(vertices + 1);
    for (auto& row : rows) {
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        a.columns.insert(a.columns.end(), row.begin(), row.end());
        a.starts.push_back(static_cast<std::int32_t>(a.columns.size()));
        row = {};
    }
    a.values.assign(a.columns.size() * static_cast<std::size_t>(block * block), 0.0);
    return a;
}

double* entry(BlockCsr& a, std::int32_t row, std::int32_t column) {
    const auto begin = a.columns.begin() + a.starts[static_cast<std::size_t>(row)];
    const auto end = a.columns.begin() + a.starts[static_cast<std::size_t>(row) + 1];
    const auto it = std::lower_bound(begin, end, column);
    LIMBER_ASSERT(it != end && *it == column);
    return a.values.data() +
           static_cast<std::size_t>(it - a.columns.begin()) * static_cast<std::size_t>(a.block * a.block);
}

// Adds s * (dense matrix over the stencil's dofs).
void scatter(BlockCsr& a, std::span<const std::int32_t> stencil, const double* dense, double s) {
    const auto b = static_cast<std::size_t>(a.block);
    const std::size_t n = stencil.size() * b;
    for (std::size_t i = 0; i < stencil.size(); ++i) {
        for (std::size_t j = 0; j < stencil.size(); ++j) {
            double* to = entry(a, stencil[i], stencil[j]);
            for (std::size_t p = 0; p < b; ++p)
                for (std::size_t q = 0; q < b; ++q) to[p * b + q] += s * dense[(i * b + p) * n + j * b + q];
        }
    }
}

// Adds s * (one scalar per pair of vertices) on the blocks' diagonals.
void scatter_mass(BlockCsr& a, std::span<const std::int32_t> stencil, const double* dense, double s) {
    const auto b = static_cast<std::size_t>(a.block);
    const std::size_t n = stencil.size();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            double* to = entry(a, stencil[i], stencil[j]);
            for (std::size_t p = 0; p < b; ++p) to[p * b + p] += s * dense[i * n + j];
        }
    }
}

// One cell's mass per corner. Row sums; tet10 corners would come out negative, so there the diagonal is scaled instead
// [Hinton, Rock & Zienkiewicz 1976].
void lump(const ElementMatrices& e, std::size_t n, bool scaled_diagonal, double* out) {
    double total = 0.0, trace = 0.0;
    for (std::size_t a = 0; a < n; ++a) {
        out[a] = 0.0;
        for (std::size_t b = 0; b < n; ++b) out[a] += e.mass[a * n + b];
        total += out[a];
        trace += e.mass[a * n + a];
    }
    if (scaled_diagonal)
        for (std::size_t a = 0; a < n; ++a) out[a] = e.mass[a * n + a] * total / trace;
}

bool same_damping(const std::vector<Material>& materials) {
    return std::all_of(materials.begin(), materials.end(), [&](const Material& m) {
        return m.rayleigh_alpha == materials[0].rayleigh_alpha && m.rayleigh_beta == materials[0].rayleigh_beta;
    });
}

class Assembler {
public:
    Assembler(const Body& body, const AssemblySettings& settings)
        : body_(body), mesh_(body.mesh()), settings_(settings) {
        averaged_ = settings.integration == Integration::bbar && is_simplex(mesh_.kind);
        if (averaged_) patches_ = nodal_patches(body);
        element_.integration = averaged_ ? Integration::full : settings.integration;
        element_.averaged = averaged_;
        element_.volume_penalty = settings.volume_penalty;
    }

    FemMatrices run(Progress& progress) {
        make_patterns();
        ElementMatrices e;
        for (std::size_t c = 0; c < mesh_.cell_count(); ++c) {
            if (c % 4096 == 0) {
                progress.update(static_cast<double>(c) / static_cast<double>(mesh_.cell_count()), "assembling");
                if (progress.stop_requested()) throw Error(Fault::interrupted, {}, "interrupted while assembling");
            }
            element_matrices(body_, c, element_, e);
            add_cell(c, e);
        }
        for (const NodalPatch& patch : patches_) add_patch(patch);
        return std::move(out_);
    }

private:
    void make_patterns() {
        const int dim = mesh_.dimension();
        const std::size_t n = body_.vertex_count();
        const auto cells = [&](auto&& take) {
            for (std::size_t c = 0; c < mesh_.cell_count(); ++c) take(corners(mesh_, c));
        };
        out_.stiffness = make_pattern(n, dim, [&](auto&& take) {
            cells(take);
            for (const NodalPatch& patch : patches_) take(std::span<const std::int32_t>(patch.vertices));
        });
        if (settings_.mass == MassKind::consistent)
            out_.mass = patches_.empty() ? out_.stiffness : make_pattern(n, dim, cells);
        out_.lumped.assign(n, 0.0);
        out_.weight.assign(n, 0.0);
        out_.uniform_damping = same_damping(body_.materials());
        if (out_.uniform_damping) {
            out_.alpha = body_.materials()[0].rayleigh_alpha;
            out_.beta = settings_.damping == DampingKind::rayleigh ? body_.materials()[0].rayleigh_beta : 0.0;
        } else {
            out_.damping = out_.stiffness;
        }
    }

    void add_cell(std::size_t c, const ElementMatrices& e) {
        const auto stencil = corners(mesh_, c);
        const std::size_t n = stencil.size();
        std::array<double, kMaxCorners> lumped{};
        lump(e, n, mesh_.kind == CellKind::tet10, lumped.data());
        scatter(out_.stiffness, stencil, e.stiffness.data(), 1.0);
        const bool consistent = settings_.mass == MassKind::consistent;
        if (consistent) scatter_mass(out_.mass, stencil, e.mass.data(), 1.0);
        const double density = body_.material_of(c).density;
        for (std::size_t a = 0; a < n; ++a) {
            out_.lumped[static_cast<std::size_t>(stencil[a])] += lumped[a];
            out_.weight[static_cast<std::size_t>(stencil[a])] += consistent ? density * e.volume[a] : lumped[a];
        }
        if (out_.uniform_damping) return;
        const Material& m = body_.material_of(c);
        if (consistent) {
            scatter_mass(out_.damping, stencil, e.mass.data(), m.rayleigh_alpha);
        } else {
            std::array<double, kMaxCorners * kMaxCorners> diagonal{};
            for (std::size_t a = 0; a < n; ++a) diagonal[a * n + a] = lumped[a];
            scatter_mass(out_.damping, stencil, diagonal.data(), m.rayleigh_alpha);
        }
        if (settings_.damping == DampingKind::rayleigh)
            scatter(out_.damping, stencil, e.stiffness.data(), m.rayleigh_beta);
    }

    void add_patch(const NodalPatch& patch) {
        const Material& m = body_.materials()[static_cast<std::size_t>(patch.material)];
        const auto dim = static_cast<std::size_t>(mesh_.dimension());
        const std::size_t n = patch.gradient.size();
        const double shear = (1.0 - kCellShearShare) * m.shear() * patch.measure,
                     lambda = m.bulk() * patch.measure - 2.0 / 3.0 * shear;
        std::vector<double> dense(n * n);
        for (std::size_t a = 0; a < n; a += dim) {
            for (std::size_t b = 0; b < n; b += dim) {
                const double *ga = patch.gradient.data() + a, *gb = patch.gradient.data() + b;
                double along = 0.0;
                for (std::size_t i = 0; i < dim; ++i) along += ga[i] * gb[i];
                for (std::size_t i = 0; i < dim; ++i) {
                    for (std::size_t j = 0; j < dim; ++j)
                        dense[(a + i) * n + b + j] = lambda * ga[i] * gb[j] + shear * gb[i] * ga[j];
                    dense[(a + i) * n + b + i] += shear * along;
                }
            }
        }
        scatter(out_.stiffness, patch.vertices, dense.data(), 1.0);
        if (!out_.uniform_damping && settings_.damping == DampingKind::rayleigh)
            scatter(out_.damping, patch.vertices, dense.data(), m.rayleigh_beta);
    }

    const Body& body_;
    const Mesh& mesh_;
    AssemblySettings settings_;
    ElementSettings element_;
    bool averaged_ = false;
    std::vector<NodalPatch> patches_;
    FemMatrices out_;
};

}  // namespace

BlockCsr cell_pattern(const Mesh& mesh, std::span<const NodalPatch> patches) {
    return make_pattern(mesh.vertices.size(), mesh.dimension(), [&](auto&& take) {
        for (std::size_t c = 0; c < mesh.cell_count(); ++c) take(corners(mesh, c));
        for (std::int32_t v = 0; v < static_cast<std::int32_t>(mesh.vertices.size()); ++v)
            take(std::span<const std::int32_t>(&v, 1));
        for (const NodalPatch& patch : patches) take(std::span<const std::int32_t>(patch.vertices));
    });
}

FemMatrices assemble(const Body& body, const AssemblySettings& settings, Progress& progress) {
    return Assembler(body, settings).run(progress);
}

std::vector<double> lumped_mass(const Body& body) {
    const Mesh& mesh = body.mesh();
    std::vector<double> mass(body.vertex_count(), 0.0);
    ElementMatrices e;
    std::array<double, kMaxCorners> lumped{};
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        element_matrices(body, c, {}, e);
        const auto stencil = corners(mesh, c);
        lump(e, stencil.size(), mesh.kind == CellKind::tet10, lumped.data());
        for (std::size_t a = 0; a < stencil.size(); ++a) mass[static_cast<std::size_t>(stencil[a])] += lumped[a];
    }
    return mass;
}

std::vector<NodalPatch> nodal_patches(const Body& body) {
    const Mesh& mesh = body.mesh();
    const auto dim = static_cast<std::size_t>(mesh.dimension());
    struct Around {
        std::int32_t vertex, material, cell;
    };
    std::vector<Around> around;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        for (const std::int32_t v : corners(mesh, c))
            around.push_back({v, body.material_index(c), static_cast<std::int32_t>(c)});
    }
    std::sort(around.begin(), around.end(), [](const Around& a, const Around& b) {
        return std::tie(a.vertex, a.material, a.cell) < std::tie(b.vertex, b.material, b.cell);
    });
    std::vector<NodalPatch> patches;
    std::array<double, kMaxElementDofs> dilatation{};
    for (std::size_t i = 0; i < around.size();) {
        NodalPatch patch{around[i].vertex, around[i].material, 0.0, {}, {}};
        std::size_t end = i;
        for (; end < around.size() && around[end].vertex == patch.vertex && around[end].material == patch.material;
             ++end) {
            const auto stencil = corners(mesh, static_cast<std::size_t>(around[end].cell));
            patch.vertices.insert(patch.vertices.end(), stencil.begin(), stencil.end());
        }
        std::sort(patch.vertices.begin(), patch.vertices.end());
        patch.vertices.erase(std::unique(patch.vertices.begin(), patch.vertices.end()), patch.vertices.end());
        patch.gradient.assign(patch.vertices.size() * dim, 0.0);
        for (; i < end; ++i) {
            const auto c = static_cast<std::size_t>(around[i].cell);
            const auto stencil = corners(mesh, c);
            const double share = mean_dilatation(body, c, dilatation.data()) / static_cast<double>(stencil.size());
            patch.measure += share;
            for (std::size_t a = 0; a < stencil.size(); ++a) {
                const auto at = static_cast<std::size_t>(
                    std::lower_bound(patch.vertices.begin(), patch.vertices.end(), stencil[a]) -
                    patch.vertices.begin());
                for (std::size_t axis = 0; axis < dim; ++axis)
                    patch.gradient[at * dim + axis] += share * dilatation[a * dim + axis];
            }
        }
        for (double& g : patch.gradient) g /= patch.measure;
        patches.push_back(std::move(patch));
    }
    return patches;
}

std::vector<std::int32_t> patches_of_corners(const Body& body, std::span<const NodalPatch> patches) {
    std::vector<std::int32_t> out;
    for (std::size_t c = 0; c < body.mesh().cell_count(); ++c) {
        for (const std::int32_t v : corners(body.mesh(), c)) {
            const std::pair key(v, body.material_index(c));
            const auto it = std::lower_bound(
                patches.begin(), patches.end(), key,
                [](const NodalPatch& p, const auto& k) { return std::pair(p.vertex, p.material) < k; });
            out.push_back(static_cast<std::int32_t>(it - patches.begin()));
        }
    }
    return out;
}

}  // namespace limber
