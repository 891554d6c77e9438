// The options that methods of large strain share, and the values read from them.
#pragma once

#include "fem/assembly.hpp"
#include "integrate/stepper.hpp"

#include <limber/method.hpp>

namespace limber {

/// Which tangent Newton's method takes: the exact one, the model's cheaper one while that gets there soon and the exact
/// one elsewhere, or the cheaper one only.
enum class TangentChoice : std::uint8_t { exact, automatic, classic };

struct ElasticSettings {
    Scheme scheme = Scheme::bdf2;
    AssemblySettings assembly;
    double tolerance = 1e-9;   ///< of the residual, relative to the forces in it; 0 = step_error decides
    double step_error = 1e-3;  ///< how far a step may be from its own balance, relative to the step's motion
    int max_newton = 100;      ///< corrections per (sub-)step; 1 = the classic linearly implicit step, its distance
                               ///< estimated all the same
    TangentChoice tangent = TangentChoice::exact;
    double linear_tolerance = 1e-6;  ///< of each linear solve, at its tightest
    int max_iterations = 10000;      ///< of each linear solve
    int max_sub_steps = 64;          ///< into how many parts a step that fails may be cut
    bool handle_stiffness = true;
    int max_live = 4;
};

/// What a method starts from: the table's defaults are these values.
OptionTable elastic_options(const ElasticSettings& defaults);

/// `table` is elastic_options(), possibly with more rows. Throws Error for values that contradict each other or the
/// body.
ElasticSettings read_elastic_settings(const Body& body, const Options& options);

/// Plane stress is refused: thickness would be one more unknown per point.
void check_elastic_body(const Body& body);

}  // namespace limber
