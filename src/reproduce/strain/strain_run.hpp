// Any registered method on any strain case: prepared once, run to rest at each amplitude.
#pragma once

#include "core/part_of_progress.hpp"
#include "reproduce/strain/strain_cases.hpp"

#include <limber/method.hpp>

#include <limits>
#include <string>
#include <vector>

namespace limber {

struct StrainPoint {
    double amplitude = 0.0;
    std::vector<double> measured;  ///< per quantity of the case; not a number when the run failed
    std::string trouble;           ///< why it failed; "" when it did not
};

/// One method on one case.
struct StrainRun {
    std::string method;
    std::string cells;     ///< "hex8"; "" when it was left out
    std::string how;       ///< "quasi_static" or "damped to rest"
    std::string left_out;  ///< why there are no points; "" otherwise
    std::vector<StrainPoint> points;
};

/// Options for a method on a case: quasi-static and fully integrated where its table offers that.
OptionValues strain_options(const Method& method);
/// True when those options make it find rest directly; otherwise it has to be damped to rest.
bool finds_rest(const Method& method);

/// The first of the case's cell kinds that the method takes; false when there is none or its traits exclude the loads.
/// `why` says so.
bool fitting_kind(const StrainCase& c, const Method& method, CellKind& kind, std::string& why);

/// Never throws but for an interruption: what fails is kept as a point with its cause.
StrainRun run_strain_case(const StrainCase& c, const Method& method, const std::vector<double>& amplitudes,
                          PartOfProgress& progress);

}  // namespace limber
