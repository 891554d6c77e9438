// What theory and the paper say about linear strain, against what the runs measured.
#include "reproduce/strain/strain.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr const char* kLinear = "linear_fem";

std::string id_of(const StrainRow& row, const char* tail) {
    std::string id = text(row.case_name, "-", row.quantity, "-", tail);
    std::replace(id.begin(), id.end(), ' ', '-');
    return id;
}

Claim power_claim(const StrainRow& row) {
    return judged({id_of(row, "power"),
                   text("(theory) ", row.case_name, ", ", row.quantity,
                        ": linear strain departs as the amplitude to the power ", row.expected_exponent),
                   row.exponent, "", row.expected_exponent, 0.03, Relation::equal, false,
                   "Slope of error against amplitude in logarithms, where the two truths are 0.001 to 2 per cent "
                   "apart; the mesh's own part in the answer is divided out."});
}

Claim limit_claim(const StrainRow& row, double one_or_five, double measured, double expected) {
    return judged({id_of(row, one_or_five < 0.02 ? "1-percent" : "5-percent"),
                   text("(theory) ", row.case_name, ", ", row.quantity, ": how far linear strain stays within ",
                        short_number(100 * one_or_five), " %"),
                   measured, "", expected, 0.03 * expected, Relation::equal, false,
                   "Amplitude at which linear_fem's error against Green strain reaches it; expected where the two "
                   "closed forms part by as much."});
}

Claim truth_claim(const StrainCase& c, const std::vector<StrainRow>& rows) {
    double worst = 0.0;
    for (const StrainRow& row : rows) {
        if (row.case_name == c.name && row.method == kLinear)
            for (const double error : row.against_linear) worst = std::isfinite(error) ? std::max(worst, error) : error;
    }
    return judged({text(c.name, "-linear-truth"),
                   text("(theory) ", c.name, ": linear_fem gives what linear strain says, at every amplitude"), worst,
                   "", c.discretisation, 0.0, Relation::at_most, false,
                   c.discretisation < 1e-6
                       ? "Largest error of any quantity against the closed form; the deformation is homogeneous, so "
                         "only rounding is left."
                       : "Largest error of any quantity against the closed form; what is left is the mesh."});
}

/// The least of the cases' largest errors: where linear strain does best.
Claim paper_claim(const std::vector<StrainRow>& rows) {
    double least = std::numeric_limits<double>::quiet_NaN();
    std::string where;
    for (const StrainCase& c : strain_cases()) {
        double worst = 0.0;
        for (const StrainRow& row : rows)
            if (row.case_name == c.name && row.method == kLinear) worst = std::max(worst, row.against_green.back());
        if (!(least <= worst)) {
            least = worst;
            where = c.name;
        }
    }
    return judged(
        {"quadratic-strain-needed", "Modeling large deformations requires quadratic strain", least, "", 0.05, 0.0,
         Relation::at_least, false,
         text("Error of linear_fem against Green strain at the largest amplitude, in the case where it does best (",
              where, ").")});
}

}  // namespace

std::vector<Claim> strain_claims(const std::vector<StrainRow>& rows) {
    std::vector<Claim> out{paper_claim(rows)};
    for (const StrainCase& c : strain_cases()) {
        out.push_back(truth_claim(c, rows));
        for (const StrainRow& row : rows) {
            if (row.case_name != c.name || row.method != kLinear) continue;
            out.push_back(power_claim(row));
            out.push_back(limit_claim(row, 0.01, row.limits.one, row.expected.one));
            out.push_back(limit_claim(row, 0.05, row.limits.five, row.expected.five));
        }
    }
    return out;
}

}  // namespace limber
