#include <limber/tools/matrices.hpp>

#include "core/text.hpp"
#include "fem/supports.hpp"
#include "methods/linear_fem/settings.hpp"

#include <numeric>

namespace limber {
namespace {

SparseMatrix plain(Csr a) { return {std::move(a.starts), std::move(a.columns), std::move(a.values)}; }

// Exactly symmetric, as the solvers see it.
Csr whole(const BlockCsr& a) {
    std::vector<std::int32_t> all(a.size());
    std::iota(all.begin(), all.end(), 0);
    return compress(a, all);
}

Csr whole_mass(const FemMatrices& fem) {
    if (fem.mass.rows() > 0) return whole(fem.mass);
    const auto d = static_cast<std::size_t>(fem.stiffness.block);
    std::vector<double> entries;
    entries.reserve(fem.lumped.size() * d);
    for (const double m : fem.lumped) entries.insert(entries.end(), d, m);
    return diagonal(entries);
}

LinearSettings matrix_settings(const Body& body, OptionValues options) {
    options.erase("scheme");  // the matrices do not depend on how time is stepped
    options.erase("step");
    return read_linear_fem_settings(body, options);
}

void mark_unknowns(const Body& body, BodyMatrices& out) {
    const Supports supports(body);
    const auto anchors = static_cast<std::int32_t>(body.anchors().size());
    out.free = supports.free();
    out.kind.assign(body.vertex_count() * static_cast<std::size_t>(out.dimension), UnknownKind::free);
    out.support.assign(out.kind.size(), -1);
    for (std::size_t i = 0; i < supports.prescribed().size(); ++i) {
        const auto unknown = static_cast<std::size_t>(supports.prescribed()[i]);
        const std::int32_t owner = supports.owners()[i];
        out.kind[unknown] = owner < 0         ? UnknownKind::unused
                            : owner < anchors ? UnknownKind::anchored
                                              : UnknownKind::handled;
        if (owner >= 0) out.support[unknown] = owner < anchors ? owner : owner - anchors;
    }
}

}  // namespace

const char* to_string(UnknownKind kind) {
    switch (kind) {
        case UnknownKind::free: return "free";
        case UnknownKind::anchored: return "anchored";
        case UnknownKind::handled: return "handled";
        case UnknownKind::unused: return "unused";
    }
    return "unknown";
}

BodyMatrices body_matrices(const std::shared_ptr<const Body>& body, const OptionValues& options, Progress& progress) {
    const FemMatrices fem = assemble(*body, matrix_settings(*body, options).assembly, progress);
    Csr stiffness = whole(fem.stiffness), mass = whole_mass(fem);
    BodyMatrices out;
    out.dimension = fem.stiffness.block;
    out.damping = plain(fem.uniform_damping ? add(fem.alpha, mass, fem.beta, stiffness) : whole(fem.damping));
    out.stiffness = plain(std::move(stiffness));
    out.mass = plain(std::move(mass));
    out.weight = fem.weight;
    mark_unknowns(*body, out);
    return out;
}

bool averages_volume(const Body& body, const OptionValues& options) {
    return matrix_settings(body, options).assembly.integration == Integration::bbar;
}

std::vector<double> load_vector(const BodyMatrices& matrices, const Loads& loads) {
    const std::size_t vertices = matrices.weight.size();
    if (!loads.force.empty() && loads.force.size() != vertices)
        throw Error(Fault::bad_usage, {}, text(loads.force.size(), " vertex forces"), text(vertices, " or none"));
    std::vector<double> f;
    f.reserve(matrices.unknowns());
    for (std::size_t v = 0; v < vertices; ++v) {
        for (int axis = 0; axis < matrices.dimension; ++axis)
            f.push_back(matrices.weight[v] * loads.gravity[axis] + (loads.force.empty() ? 0.0 : loads.force[v][axis]));
    }
    return f;
}

}  // namespace limber
