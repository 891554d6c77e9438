#include "fem/integration.hpp"

#include "deform/option_specs.hpp"
#include "geometry/thickness.hpp"

#include <algorithm>

namespace limber {
namespace {

bool plane_stress(const Body& body) { return body.mesh().dimension() == 2 && body.plane() == Plane::stress; }

Integration read_integration(const Body& body, const std::string& word) {
    if (word == "auto") return automatic_integration(body);
    if (word == "full") return Integration::full;
    if (plane_stress(body)) {
        throw Error(Fault::bad_option, {"", 0, "/method/options/integration"},
                    "\"bbar\" for a body in plane stress, where thickness can change and nothing locks",
                    "\"full\" or \"auto\"");
    }
    return Integration::bbar;
}

}  // namespace

OptionTable assembly_options() {
    return {
        choice_option("mass", {"consistent", "lumped"}, "Full mass matrix, or one mass per vertex (row sums)."),
        choice_option("damping", {"rayleigh", "mass_only"}, "C = alpha M + beta K, or C = alpha M."),
        choice_option("integration", {"auto", "full", "bbar"},
                      "How volume change is measured: at every quadrature point (full), as a mean that does not lock "
                      "(bbar), or by cell kind and the largest Poisson's ratio of the body (auto: for all of its "
                      "cells, tri3 and tet4 bbar from 0.4 on, tet10 from 0.45)."),
    };
}

AssemblySettings read_assembly_options(const Body& body, const Options& options) {
    AssemblySettings s;
    s.integration = read_integration(body, options.choice("integration"));
    s.mass = options.choice("mass") == "lumped" ? MassKind::lumped : MassKind::consistent;
    s.damping = options.choice("damping") == "mass_only" ? DampingKind::mass_only : DampingKind::rayleigh;
    return s;
}

Integration automatic_integration(const Body& body) {
    const CellKind kind = body.mesh().kind;
    if (plane_stress(body)) return Integration::full;
    if (kind == CellKind::quad4 || kind == CellKind::hex8) return Integration::bbar;
    // Nodal averaging has soft modes of its own, and a tet10 is hardly stiff on its own while its cell mean costs it an
    // order. In a single layer that mean lets bodies bend half as far again as they should; plain cells are a quarter
    // too stiff at worst.
    const double from = kind == CellKind::tet10 ? 0.45 : 0.4;
    const bool nearly_incompressible = std::any_of(body.materials().begin(), body.materials().end(),
                                                   [&](const Material& m) { return m.poisson >= from; });
    return nearly_incompressible && !(kind == CellKind::tet10 && is_one_cell_thick(body.mesh())) ? Integration::bbar
                                                                                                 : Integration::full;
}

}  // namespace limber
