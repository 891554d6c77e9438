#include "methods/linear_fem/settings.hpp"

#include "core/text.hpp"
#include "deform/option_specs.hpp"
#include "fem/integration.hpp"

#include <algorithm>

namespace limber {
namespace {

bool is_explicit(Scheme scheme) { return scheme == Scheme::newmark_explicit || scheme == Scheme::symplectic_euler; }

void refuse(const std::string& option, const std::string& found, const std::string& expected) {
    throw Error(Fault::bad_option, {"", 0, "/method/options/" + option}, found, expected);
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
    const OptionTable shared = assembly_options();
    return {
        real_option("step", "s", 1.0 / 60.0, 1e-9, 1e3, "The time step it is prepared for; a multiple of it is taken as several steps."),
        choice_option("scheme", {"newmark_implicit", "newmark_explicit", "symplectic_euler", "backward_euler", "bdf2", "implicit_midpoint", "quasi_static"},
               "How time is stepped."),
        shared[0], shared[1], shared[2],
        choice_option("solver", {"cholesky", "pcg", "gauss_seidel"}, "Factored once, or iterated at every step."),
        real_option("tolerance", "", 1e-10, 1e-15, 1e-1, "Relative residual at which an iterative solver stops."),
        integer_option("max_iterations", 20000, 1, 1e7, "Where an iterative solver gives up and says so."),
        real_option("newmark_beta", "", 0.5, 0.0, 2.0, "The paper's Newmark beta (twice the textbook's); unconditionally stable for beta >= gamma >= 1/2."),
        real_option("newmark_gamma", "", 0.5, 0.5, 1.5, "Newmark gamma; above 1/2 it damps and is first order."),
        real_option("volume_penalty", "Pa", 0.0, 0.0, 1e12, "Picinbono's artificial bulk stiffness, to be measured rather than recommended."),
        integer_option("max_live", 4, 0, 64, "How many live point constraints a step can hold at once."),
    };
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
    s.assembly = read_assembly_options(body, o);
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
