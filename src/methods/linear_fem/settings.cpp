#include "methods/linear_fem/settings.hpp"

#include "deform/option_specs.hpp"
#include "fem/integration.hpp"

namespace limber {

OptionTable linear_fem_options() {
    const OptionTable shared = assembly_options();
    return {
        real_option("step", "s", 1.0 / 60.0, 1e-9, 1e3,
                    "The time step it is prepared for; a multiple of it is taken as several steps."),
        choice_option("scheme",
                      {"newmark_implicit", "newmark_explicit", "symplectic_euler", "backward_euler", "bdf2",
                       "implicit_midpoint", "quasi_static"},
                      "How time is stepped."),
        shared[0],
        shared[1],
        shared[2],
        choice_option(
            "solver", {"cholesky", "cholesky_float", "pcg", "gauss_seidel"},
            "Factored once (cholesky_float: in half the memory, refined at every step), or iterated at every step."),
        real_option("tolerance", "", 1e-10, 1e-15, 1e-1,
                    "Relative residual at which an iterative solver, or the refinement, stops."),
        integer_option("max_iterations", 20000, 1, 1e7, "Where an iterative solver gives up and says so."),
        real_option(
            "newmark_beta", "", 0.5, 0.0, 2.0,
            "The paper's Newmark beta (twice the textbook's); unconditionally stable for beta >= gamma >= 1/2."),
        real_option("newmark_gamma", "", 0.5, 0.5, 1.5, "Newmark gamma; above 1/2 it damps and is first order."),
        real_option("volume_penalty", "Pa", 0.0, 0.0, 1e12,
                    "Picinbono's artificial bulk stiffness, to be measured rather than recommended."),
        integer_option("max_live", 4, 0, 64, "How many live point constraints a step can hold at once."),
    };
}

LinearSettings read_linear_fem_settings(const Body& body, const OptionValues& given) {
    const Options o(linear_fem_options(), given, {"", 0, "/method/options"});
    LinearSettings s;
    parse_scheme(o.choice("scheme"), s.scheme.scheme);
    s.scheme.step = o.real("step");
    s.scheme.newmark_beta = o.real("newmark_beta");
    s.scheme.newmark_gamma = o.real("newmark_gamma");
    s.solver.kind = o.choice("solver") == "cholesky"         ? SolverKind::cholesky
                    : o.choice("solver") == "cholesky_float" ? SolverKind::cholesky_float
                    : o.choice("solver") == "pcg"            ? SolverKind::pcg
                                                             : SolverKind::gauss_seidel;
    s.solver.tolerance = o.real("tolerance");
    s.solver.max_iterations = o.integer("max_iterations");
    s.assembly = read_assembly_options(body, o);
    s.assembly.volume_penalty = o.real("volume_penalty");
    s.max_live = o.integer("max_live");
    check_linear_settings(body, s);
    return s;
}

}  // namespace limber
