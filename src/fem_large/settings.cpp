#include "fem_large/settings.hpp"

#include "core/text.hpp"
#include "deform/option_specs.hpp"
#include "fem/integration.hpp"

#include <algorithm>

namespace limber {
namespace {

constexpr double kFinestTolerance = 1e-14;

// The default first: that is what makes it the default.
std::vector<std::string> schemes_from(Scheme first) {
    std::vector<std::string> names{"newmark_implicit", "backward_euler", "bdf2", "implicit_midpoint", "quasi_static"};
    std::rotate(names.begin(), std::find(names.begin(), names.end(), to_string(first)), names.end());
    return names;
}

}  // namespace

OptionTable elastic_options(const ElasticSettings& d) {
    const OptionTable shared = assembly_options();
    return {
        choice_option("scheme", schemes_from(d.scheme), "How time is stepped."),
        shared[0],
        shared[1],
        shared[2],
        real_option("tolerance", "", d.tolerance, 0.0, 1e-1,
                    "Residual at which Newton's method stops, relative to the forces that balance (over all vertices, "
                    "held ones included); 0: step_error decides with backward_euler, 1e-9 with other schemes."),
        real_option("step_error", "", d.step_error, 1e-9, 1e-1,
                    "With a tolerance of 0, how far a step may end from where its forces balance (estimated), relative "
                    "to the motion in the step."),
        integer_option("max_newton", d.max_newton, 1, 1000,
                       "Corrections per step before the step is cut in halves; 1 takes a single linearisation, "
                       "accepted where its estimated error is within step_error or 1 % of the step's motion."),
        real_option("linear_tolerance", "", d.linear_tolerance, 1e-12, 1e-1,
                    "Relative residual of each linear solve, where so much is needed."),
        integer_option("max_iterations", d.max_iterations, 1, 1e7, "Where a linear solve gives up."),
        integer_option("max_sub_steps", d.max_sub_steps, 1, 1024,
                       "Into how many parts a step that fails may be cut before it is given up."),
        flag_option("handle_stiffness", d.handle_stiffness,
                    "Finds the stiffness that each handle feels at the end of every step (two linearisations and a "
                    "solve per axis and handle)."),
        integer_option("max_live", d.max_live, 0, 64, "How many live point constraints a step can hold at once."),
    };
}

ElasticSettings read_elastic_settings(const Body& body, const Options& o) {
    check_elastic_body(body);
    ElasticSettings s;
    parse_scheme(o.choice("scheme"), s.scheme);
    s.assembly = read_assembly_options(body, o);
    s.tolerance = o.real("tolerance");
    if (s.tolerance != 0.0 && s.tolerance < kFinestTolerance) {
        throw Error(Fault::bad_option, {"", 0, "/method/options/tolerance"}, text(s.tolerance),
                    text("0, or ", kFinestTolerance, " and more: rounding leaves as much"));
    }
    // Schemes that damp little by themselves keep what a step leaves for long, and a quasi-static step is worth its
    // price.
    if (s.scheme != Scheme::backward_euler && s.tolerance == 0.0) s.tolerance = ElasticSettings{}.tolerance;
    s.step_error = o.real("step_error");
    s.max_newton = o.integer("max_newton");
    s.linear_tolerance = o.real("linear_tolerance");
    s.max_iterations = o.integer("max_iterations");
    s.max_sub_steps = o.integer("max_sub_steps");
    s.handle_stiffness = o.flag("handle_stiffness");
    s.max_live = o.integer("max_live");
    if (s.scheme == Scheme::quasi_static && body.support() != Support::held) {
        throw Error(Fault::bad_option, {"", 0, "/method/options/scheme"},
                    text("\"quasi_static\" for a body that can still move as a whole (its anchors and handles leave ",
                         body.support() == Support::free ? "all" : "some", " rigid motion free)"),
                    "anchors that hold it, or a scheme with inertia");
    }
    return s;
}

void check_elastic_body(const Body& body) {
    if (body.mesh().dimension() == 2 && body.plane() == Plane::stress) {
        throw Error(Fault::unsupported, {}, "a body in plane stress, whose thickness would be unknown at large strain",
                    "plane strain, or linear_fem");
    }
}

}  // namespace limber
