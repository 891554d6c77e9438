#include "methods/linear_fem/settings.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace limber {
namespace {

OptionSpec number(std::string name, std::string unit, double fallback, double low, double high, std::string sentence) {
    return {std::move(name), OptionType::real, std::move(unit), fallback, low, high, {}, false, std::move(sentence)};
}
OptionSpec whole(std::string name, double fallback, double low, double high, std::string sentence) {
    return {std::move(name), OptionType::integer, "", fallback, low, high, {}, false, std::move(sentence)};
}
OptionSpec choice(std::string name, std::vector<std::string> choices, std::string sentence) {
    const std::string first = choices[0];
    return {std::move(name), OptionType::choice, "", first, 0.0, 0.0, std::move(choices), false, std::move(sentence)};
}

bool is_explicit(Scheme scheme) { return scheme == Scheme::newmark_explicit || scheme == Scheme::symplectic_euler; }

void refuse(const std::string& option, const std::string& found, const std::string& expected) {
    throw Error(Fault::bad_option, {"", 0, "/method/options/" + option}, found, expected);
}

Integration read_integration(const Body& body, const std::string& word) {
    if (word == "auto") return automatic_integration(body);
    if (word == "full") return Integration::full;
    if (body.mesh().dimension() == 2 && body.plane() == Plane::stress)
        refuse("integration", "\"bbar\" for a body in plane stress, where thickness can change and nothing locks", "\"full\" or \"auto\"");
    return Integration::bbar;
}

void check_parts(const Body& body) {
    if (body.support() != Support::free) return;
    for (const MeshFinding& f : body.findings())
        if (f.kind == MeshFinding::Kind::disconnected_parts)
            throw Error(Fault::unsupported, {}, text("a free body of separate parts (", f.message, "): one rigid frame would tie them together"),
                        "one body per part, or anchors");
}

void check_support(const Body& body, Scheme scheme) {
    if (scheme != Scheme::quasi_static || body.support() == Support::held) return;
    refuse("scheme", text("\"quasi_static\" for a body that can still move as a whole (its anchors and handles leave ",
                          body.support() == Support::free ? "all" : "some", " rigid motion free)"),
           "anchors that hold it, or a scheme with inertia");
}

}  // namespace

OptionTable linear_fem_options() {
    return {
        number("step", "s", 1.0 / 60.0, 1e-9, 1e3, "The time step it is prepared for; a multiple of it is taken as several steps."),
        choice("scheme", {"newmark_implicit", "newmark_explicit", "symplectic_euler", "backward_euler", "bdf2", "implicit_midpoint", "quasi_static"},
               "How time is stepped."),
        choice("mass", {"consistent", "lumped"}, "Full mass matrix, or one mass per vertex (row sums)."),
        choice("damping", {"rayleigh", "mass_only"}, "C = alpha M + beta K, or C = alpha M."),
        choice("integration", {"auto", "full", "bbar"},
               "How volume change is measured: at every quadrature point (full), as a mean that does not lock (bbar), or by cell kind and material (auto)."),
        choice("solver", {"cholesky", "pcg", "gauss_seidel"}, "Factored once, or iterated at every step."),
        number("tolerance", "", 1e-10, 1e-15, 1e-1, "Relative residual at which an iterative solver stops."),
        whole("max_iterations", 20000, 1, 1e7, "Where an iterative solver gives up and says so."),
        number("newmark_beta", "", 0.5, 0.0, 2.0, "The paper's Newmark beta (twice the textbook's); unconditionally stable for beta >= gamma >= 1/2."),
        number("newmark_gamma", "", 0.5, 0.5, 1.5, "Newmark gamma; above 1/2 it damps and is first order."),
        number("volume_penalty", "Pa", 0.0, 0.0, 1e12, "Picinbono's artificial bulk stiffness, to be measured rather than recommended."),
        whole("max_live", 4, 0, 64, "How many live point constraints a step can hold at once."),
    };
}

Integration automatic_integration(const Body& body) {
    const CellKind kind = body.mesh().kind;
    if (body.mesh().dimension() == 2 && body.plane() == Plane::stress) return Integration::full;
    if (kind == CellKind::quad4 || kind == CellKind::hex8) return Integration::bbar;
    // Nodal averaging has soft modes of its own, and a tet10 is hardly stiff on its own while its cell mean costs it an order.
    const double from = kind == CellKind::tet10 ? 0.45 : 0.4;
    const bool nearly_incompressible =
        std::any_of(body.materials().begin(), body.materials().end(), [&](const Material& m) { return m.poisson >= from; });
    return nearly_incompressible ? Integration::bbar : Integration::full;
}

LinearFemSettings read_linear_fem_settings(const Body& body, const OptionValues& given) {
    const Options o(linear_fem_options(), given, {"", 0, "/method/options"});
    LinearFemSettings s;
    parse_scheme(o.choice("scheme"), s.scheme.scheme);
    s.scheme.step = o.real("step");
    s.scheme.newmark_beta = o.real("newmark_beta");
    s.scheme.newmark_gamma = o.real("newmark_gamma");
    if (s.scheme.scheme == Scheme::newmark_implicit && s.scheme.newmark_beta == 0.0)
        refuse("newmark_beta", "0 with newmark_implicit", "a value above 0, or the scheme newmark_explicit");
    s.solver.kind = o.choice("solver") == "cholesky" ? SolverKind::cholesky
                    : o.choice("solver") == "pcg"    ? SolverKind::pcg
                                                     : SolverKind::gauss_seidel;
    s.solver.tolerance = o.real("tolerance");
    s.solver.max_iterations = o.integer("max_iterations");
    s.assembly.integration = read_integration(body, o.choice("integration"));
    s.assembly.mass = o.choice("mass") == "lumped" ? MassKind::lumped : MassKind::consistent;
    s.assembly.damping = o.choice("damping") == "mass_only" ? DampingKind::mass_only : DampingKind::rayleigh;
    s.assembly.volume_penalty = o.real("volume_penalty");
    // A free body rides the floating frame, where a point's place is not linear in the unknowns: no live constraints there.
    s.max_live = body.support() == Support::free ? 0 : o.integer("max_live");
    check_support(body, s.scheme.scheme);
    check_parts(body);
    if (is_explicit(s.scheme.scheme) && s.scheme.newmark_gamma != 0.5)
        refuse("newmark_gamma", text(s.scheme.newmark_gamma, " with an explicit scheme"), "0.5 (other values have no stable step stated here)");
    return s;
}

}  // namespace limber
