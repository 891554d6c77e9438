#include "methods/clustered_fem/settings.hpp"

#include "core/text.hpp"
#include "deform/option_specs.hpp"
#include "fem/integration.hpp"

#include <algorithm>

namespace limber {
namespace {

constexpr double kSingleTolerance = 1e-6;  // a residual in single precision means nothing below

/// Rounding of the volumetric part of K, in parts of the deviatoric one, that single precision may bring in.
constexpr double kMostLost = 0.01;

/// Next to incompressible, the rounding of what resists volume change drowns what resists the rest: K in single
/// precision is then not even positive.
void refuse_single(const Body& body) {
    if (body.mesh().dimension() == 2 && body.plane() == Plane::stress) return;
    for (const Material& m : body.materials()) {
        const double ratio = m.bulk() / m.shear();
        if (ratio * 0x1p-24 <= kMostLost) continue;
        throw Error(Fault::bad_option, {"", 0, "/method/options/precision"},
                    text("\"float\" with nu = ", m.poisson, ", where rounding is ",
                         fmt::format("{:.2g}", 100.0 * ratio * 0x1p-24), " % of the shear stiffness"),
                    "\"double\", or nu up to 0.499997");
    }
}

void refuse_clusters(const Body& body, const ClusteredFemSettings& s) {
    const bool simplex = body.mesh().kind == CellKind::tri3 || body.mesh().kind == CellKind::tet4;
    if (s.clusters == Clusters::none && s.single) {
        throw Error(Fault::bad_option, {"", 0, "/method/options/precision"}, "\"float\" without clusters",
                    "\"double\", or clusters \"rows\" or \"voxels\"");
    }
    if (s.clusters != Clusters::rows && simplex && s.linear.assembly.integration == Integration::bbar) {
        throw Error(Fault::bad_option, {"", 0, "/method/options/clusters"},
                    "volume change averaged around vertices (integration \"bbar\"), which is no sum over cells",
                    "clusters \"rows\", or integration \"full\"");
    }
}

}  // namespace

OptionTable clustered_fem_options() {
    const OptionTable shared = assembly_options();
    return {
        choice_option("scheme",
                      {"newmark_implicit", "newmark_explicit", "symplectic_euler", "backward_euler", "bdf2",
                       "implicit_midpoint", "quasi_static"},
                      "How time is stepped; the explicit ones take as many sub-steps as stability asks for."),
        choice_option("clusters", {"rows", "voxels", "none"},
                      "What a product runs over: one cluster per vertex, one per vertex and group of cells (the "
                      "paper's), or single elements (the standard it is measured against)."),
        choice_option("precision", {"double", "float"}, "Of the products; the state is always double."),
        choice_option("mass", {"lumped", "consistent"},
                      "One mass per vertex (row sums), which one product takes along, or the full mass matrix."),
        shared[1],
        shared[2],
        real_option("tolerance", "", 1e-11, 1e-15, 1e-1,
                    "Relative residual at which conjugate gradients stop; with precision float never below 1e-6."),
        integer_option("max_iterations", 20000, 1, 1e7, "Where they give up and say so."),
        real_option(
            "newmark_beta", "", 0.5, 0.0, 2.0,
            "The paper's Newmark beta (twice the textbook's); unconditionally stable for beta >= gamma >= 1/2."),
        real_option("newmark_gamma", "", 0.5, 0.5, 1.5, "Newmark gamma; above 1/2 it damps and is first order."),
        real_option("volume_penalty", "Pa", 0.0, 0.0, 1e12,
                    "Picinbono's artificial bulk stiffness, to be measured rather than recommended."),
        integer_option("voxel_cells", 6, 1, 1e6, "With clusters voxels: how many cells a voxel holds on average."),
        integer_option("max_live", 4, 0, 64, "How many live point constraints a step can hold at once."),
    };
}

ClusteredFemSettings read_clustered_fem_settings(const Body& body, const OptionValues& given) {
    const Options o(clustered_fem_options(), given, {"", 0, "/method/options"});
    ClusteredFemSettings s;
    LinearSettings& l = s.linear;
    parse_scheme(o.choice("scheme"), l.scheme.scheme);
    l.scheme.newmark_beta = o.real("newmark_beta");
    l.scheme.newmark_gamma = o.real("newmark_gamma");
    const std::string clusters = o.choice("clusters");
    s.clusters = clusters == "rows" ? Clusters::rows : clusters == "voxels" ? Clusters::voxels : Clusters::none;
    s.single = o.choice("precision") == "float";
    s.voxel_cells = o.integer("voxel_cells");
    l.solver.tolerance = s.single ? std::max(kSingleTolerance, o.real("tolerance")) : o.real("tolerance");
    l.solver.max_iterations = o.integer("max_iterations");
    l.assembly = read_assembly_options(body, o);
    l.assembly.volume_penalty = o.real("volume_penalty");
    l.max_live = o.integer("max_live");
    check_linear_settings(body, l);
    refuse_clusters(body, s);
    if (s.single) refuse_single(body);
    return s;
}

}  // namespace limber
