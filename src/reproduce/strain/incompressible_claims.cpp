// What was said and what theory says about nearly incompressible bodies, against the runs.
#include "reproduce/strain/incompressible.hpp"

#include "core/text.hpp"
#include "reproduce/strain/strain.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

const IncompressibleRow* find(const IncompressibleReport& report, const std::string& problem, CellKind kind,
                              Treatment treatment, double nu) {
    for (const IncompressibleRow* row : rows_of(report.rows, problem, kind, treatment, finest(report)))
        if (row->poisson == nu) return row;
    return nullptr;
}

double error_of(const IncompressibleReport& report, const std::string& problem, CellKind kind, Treatment treatment,
                double nu) {
    const IncompressibleRow* row = find(report, problem, kind, treatment, nu);
    return row ? row->against_same : kMissing;
}

double cost_ratio(const IncompressibleReport& report, Treatment treatment, double nu,
                  double (*of)(const IncompressibleCost&)) {
    double base = kMissing, at = kMissing;
    for (const IncompressibleCost& c : report.costs) {
        if (c.treatment != treatment) continue;
        if (c.poisson == 0.3) base = of(c);
        if (c.poisson == nu) at = of(c);
    }
    return at / base;
}

double step_of(const IncompressibleCost& c) { return c.critical_step; }
double iterations_of(const IncompressibleCost& c) { return c.iterations; }

std::string nu_text(double compressibility) { return fmt::format("{:.4f}", (1 - compressibility) / 2); }

Claim locking_claim(const IncompressibleReport& report, const std::string& problem, CellKind kind) {
    const double soft = error_of(report, problem, kind, Treatment::full, 0.3),
                 stiff = error_of(report, problem, kind, Treatment::full, 0.49999);
    return judged(
        {text("locking-", problem, "-", to_string(kind)),
         text("(theory) Plain ", to_string(kind), " cells lock near nu = 0.5: ", problem), stiff / soft, "x", 10.0, 0.0,
         Relation::at_least, false,
         text("Error against the closed form at nu = 0.49999 (", short_number(stiff, 3), ") over that at nu = 0.3 (",
              short_number(soft, 3), "), ", finest(report), " cells through the wall.")});
}

Claim cure_claim(const IncompressibleReport& report, const std::string& problem, CellKind kind) {
    const double soft = error_of(report, problem, kind, Treatment::bbar, 0.3),
                 stiff = error_of(report, problem, kind, Treatment::bbar, 0.49999);
    return judged(
        {text("bbar-", problem, "-", to_string(kind)),
         text("(theory) With B-bar, ", to_string(kind), " cells are as good near nu = 0.5 as elsewhere: ", problem),
         stiff, "", std::max(2 * soft, 2e-3), 0.0, Relation::at_most, false,
         text("Error at nu = 0.49999; expected at most twice that at nu = 0.3 (", short_number(soft, 3),
              "), or 0.2 %.")});
}

/// The penalty as proposed keeps Young's modulus, so that the shear modulus stays that of the lower nu.
Claim penalty_claim(const IncompressibleReport& report, const std::string& problem) {
    return judged({text("penalty-same-e-", problem),
                   text("A lower Poisson's ratio with a penalty force stands for the true one: ", problem),
                   error_of(report, problem, CellKind::quad4, Treatment::penalty_same_e, 0.49999), "", 0.01, 0.0,
                   Relation::at_most, false,
                   "Error against the closed form of nu = 0.49999. Bulk modulus right, Young's modulus kept, hence the "
                   "shear modulus wrong: the force only resists volume change and cannot mend that."});
}

Claim penalty_floor_claim(const IncompressibleReport& report, const std::string& problem) {
    const double floor = 1 - (1 + kPenaltyBase) / (1 + 0.49999),
                 mesh = error_of(report, problem, CellKind::quad4, Treatment::penalty_same_g, 0.49999);
    return judged(
        {text("penalty-same-e-floor-", problem),
         text("(theory) The penalty's error is that of the shear modulus, 1 - (1 + nu_0)/(1 + nu): ", problem),
         error_of(report, problem, CellKind::quad4, Treatment::penalty_same_e, 0.49999) - mesh, "", floor, 0.05 * floor,
         Relation::equal, false,
         "Error at nu = 0.49999 less the mesh's own (that with the shear modulus kept). Near nu = 0.5 displacements "
         "under given forces go as 1/G and nothing else."});
}

Claim corrected_penalty_claim(const IncompressibleReport& report, const std::string& problem) {
    return judged({text("penalty-same-g-", problem),
                   text("(theory) With the shear modulus kept instead, the penalty is the true material: ", problem),
                   error_of(report, problem, CellKind::quad4, Treatment::penalty_same_g, 0.49999), "", 0.01, 0.0,
                   Relation::at_most, false,
                   "Error against the closed form of nu = 0.49999. The penalty acts on each cell's mean volume change, "
                   "so it does not lock either: it is B-bar by another name."});
}

/// What the penalty was proposed on: simplices, where a cell's mean volume change is its only one.
Claim simplex_penalty_claim(const IncompressibleReport& report, const std::string& problem) {
    const double penalty = error_of(report, problem, CellKind::tri3, Treatment::penalty_same_g, 0.49999),
                 plain = error_of(report, problem, CellKind::tri3, Treatment::full, 0.49999);
    return judged(
        {text("penalty-locks-tri3-", problem),
         text("(theory) On simplices a penalty locks just as the true nu does: ", problem), penalty / plain, "x", 1.0,
         1e-3, Relation::equal, false,
         text("Errors with the penalty (", short_number(penalty, 3), ") and without it (", short_number(plain, 3),
              ") at nu = 0.49999: in a linear triangle the volume change is constant, so the two are the same "
              "stiffness.")});
}

/// 1 - 2 nu at which B-bar quads on the finest mesh come within `level` of nu = 0.5.
double measured_compressibility(const IncompressibleReport& report, const std::string& problem, double level) {
    std::vector<double> x, y;
    for (const IncompressibleRow* row :
         rows_of(report.rows, problem, CellKind::quad4, Treatment::bbar, finest(report))) {
        x.insert(x.begin(), 1 - 2 * row->poisson);
        y.insert(y.begin(), row->against_limit);
    }
    return amplitude_at(x, y, level);
}

Claim enough_claim(const IncompressibleReport& report, const IncompressibleProblem& problem) {
    const double expected = compressibility_allowed(problem, 0.01);
    return judged({text("within-1-percent-", problem.name),
                   text("(theory) 1 - 2 nu that stands for nu = 0.5 within 1 %: ", problem.name),
                   measured_compressibility(report, problem.name, 0.01), "", expected, 0.15 * expected, Relation::equal,
                   false,
                   text("B-bar quads, finest mesh, interpolated between the Poisson's ratios run; expected from the "
                        "closed forms, nu = ",
                        nu_text(expected), ".")});
}

Claim volume_claim(const IncompressibleReport& report, const std::string& problem) {
    std::vector<double> x, y;
    for (const IncompressibleRow* row :
         rows_of(report.rows, problem, CellKind::quad4, Treatment::bbar, finest(report))) {
        if (row->poisson >= 0.45) {
            x.push_back(1 - 2 * row->poisson);
            y.push_back(row->volume_change);
        }
    }
    return judged({text("volume-power-", problem), text("(theory) Volume change falls as 1 - 2 nu: ", problem),
                   fitted_exponent(x, y), "", 1.0, 0.1, Relation::equal, false,
                   "Slope of the root mean square volume change against 1 - 2 nu in logarithms from nu = 0.45 on, "
                   "B-bar quads, finest mesh."});
}

Claim step_claim(const IncompressibleReport& report, Treatment treatment) {
    std::vector<double> x, y;
    for (const IncompressibleCost& c : report.costs) {
        if (c.treatment == treatment && c.poisson >= 0.49) {
            x.push_back(1 - 2 * c.poisson);
            y.push_back(c.critical_step);
        }
    }
    return judged({treatment == Treatment::bbar ? "step-power-bbar" : "step-power-penalty",
                   "Instabilities arise for large time-steps when Poisson's ratio approaches 0.5",
                   fitted_exponent(x, y), "", 0.5, 0.03, Relation::equal, false,
                   text("The largest stable explicit step falls as the square root of 1 - 2 nu (pressure waves); ",
                        treatment_words(treatment), ", from nu = 0.49 on. Implicit steps have no such limit.")});
}

}  // namespace

std::vector<Claim> incompressible_claims(const IncompressibleReport& report) {
    std::vector<Claim> out;
    for (const IncompressibleProblem& problem : incompressible_problems()) {
        for (const CellKind kind : {CellKind::quad4, CellKind::tri3}) {
            out.push_back(locking_claim(report, problem.name, kind));
            out.push_back(cure_claim(report, problem.name, kind));
        }
        out.push_back(penalty_claim(report, problem.name));
        out.push_back(penalty_floor_claim(report, problem.name));
        out.push_back(corrected_penalty_claim(report, problem.name));
        out.push_back(simplex_penalty_claim(report, problem.name));
        out.push_back(enough_claim(report, problem));
        out.push_back(volume_claim(report, problem.name));
    }
    out.push_back(step_claim(report, Treatment::bbar));
    out.push_back(step_claim(report, Treatment::penalty_same_g));
    return out;
}

std::vector<std::string> incompressible_advice(const IncompressibleReport& report) {
    const std::vector<IncompressibleProblem>& problems = incompressible_problems();
    const auto percent = [&](const std::string& problem, Treatment treatment) {
        return short_number(100 * error_of(report, problem, CellKind::quad4, treatment, 0.4999), 2);
    };
    std::string enough = "A body that cannot change its volume is met within 1 %";
    for (const IncompressibleProblem& p : problems) {
        enough += text(&p == &problems[0] ? "" : ",",
                       " by ν = ", nu_text(measured_compressibility(report, p.name, 0.01)), " (", p.name,
                       "; closed form: ", nu_text(compressibility_allowed(p, 0.01)), ")");
    }
    return {
        text(enough, ". Beyond ν = 0.499 nothing is gained and every step costs."),
        text("Plain quads are off by ", percent("cylinder", Treatment::full), " % (cylinder) and ",
             percent("bending", Treatment::full), " % (bending) at ν = 0.4999 with ", finest(report),
             " cells through the wall, B-bar by ", percent("cylinder", Treatment::bbar), " % and ",
             percent("bending", Treatment::bbar), " %: use B-bar, the default."),
        text("A volume penalty on ν = 0.45 is off by ", percent("cylinder", Treatment::penalty_same_e), " % and ",
             percent("bending", Treatment::penalty_same_e),
             " % however strong it is, when Young's modulus is kept; with the shear modulus kept, by ",
             percent("cylinder", Treatment::penalty_same_g), " % and ", percent("bending", Treatment::penalty_same_g),
             " %. Scale Young's modulus by (1 + 0.45)/(1 + ν) if you use one, and not on triangles or tetrahedra: "
             "there it locks exactly as the true ν does."),
        text("The price: from ν = 0.3 to 0.4999 the largest explicit step falls to ",
             short_number(cost_ratio(report, Treatment::bbar, 0.4999, step_of), 2),
             " of what it was and conjugate gradients take ",
             short_number(cost_ratio(report, Treatment::bbar, 0.4999, iterations_of), 2),
             " times as many iterations; with the penalty ",
             short_number(cost_ratio(report, Treatment::penalty_same_g, 0.4999, step_of), 2), " and ",
             short_number(cost_ratio(report, Treatment::penalty_same_g, 0.4999, iterations_of), 2),
             ": no cheaper. A factored implicit step costs the same at every ν.")};
}

}  // namespace limber
