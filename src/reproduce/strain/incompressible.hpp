// Nearly incompressible materials: a true Poisson's ratio near 0.5 against a lower one with a volume penalty, in
// elements that lock and elements that do not, measured against closed forms. linear_fem throughout: it alone has the
// options.
#pragma once

#include "core/part_of_progress.hpp"
#include "report/claims.hpp"
#include "report/plot.hpp"
#include "reproduce/strain/incompressible_problems.hpp"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <vector>

namespace limber {

struct IncompressibleSettings {
    bool quick = false;
    std::string command = "limber reproduce strain";
};

/// How the material is made to keep its volume.
enum class Treatment {
    full,            ///< its own nu, every quadrature point counts
    bbar,            ///< its own nu, volume change as a cell (or vertex) mean
    penalty_same_e,  ///< nu = 0.45 and the same E, the missing bulk modulus as a penalty: as proposed
    penalty_same_g,  ///< nu = 0.45 and the same shear modulus, the missing bulk modulus as a penalty
};
std::span<const Treatment> all_treatments();
const char* to_string(Treatment treatment);        ///< "full"
const char* treatment_words(Treatment treatment);  ///< "plain"

inline constexpr double kPenaltyBase = 0.45;  ///< Poisson's ratio beneath a penalty

/// What linear_fem is given for a material to be stood for.
struct TreatedMaterial {
    Material material;
    OptionValues options;
};
TreatedMaterial treated(const Material& aim, Treatment treatment);

struct IncompressibleRow {
    std::string problem;
    CellKind kind = CellKind::quad4;
    Treatment treatment = Treatment::bbar;
    int cells = 0;                 ///< through the wall
    double poisson = 0.0;          ///< aimed at
    double against_same = 0.0;     ///< relative L2 error against the closed form of that nu
    double against_limit = 0.0;    ///< the same against that of nu = 0.5
    double volume_change = 0.0;    ///< root mean square over cells, in parts of a typical strain
    double volume_expected = 0.0;  ///< of the closed form
};

/// What it costs to be nearly incompressible.
struct IncompressibleCost {
    Treatment treatment = Treatment::bbar;
    double poisson = 0.0;
    double critical_step = 0.0;  ///< of explicit integration with lumped mass: 2 / omega_max [s]
    double iterations = 0.0;  ///< of conjugate gradients to a relative residual of 1e-6; not a number when they gave up
};

struct IncompressibleReport {
    std::vector<IncompressibleRow> rows;
    std::vector<IncompressibleCost> costs;  ///< of the tube
    std::vector<Claim> claims;
    std::vector<Plot> plots;
    std::vector<std::string> advice;  ///< sentences with the numbers measured
};

/// Cells along a side on the finest mesh.
int finest(const IncompressibleReport& report);

/// Throws Error{interrupted}.
IncompressibleReport study_incompressible(const IncompressibleSettings& settings, PartOfProgress& progress);

IncompressibleRow measure_incompressible(const IncompressibleProblem& problem, CellKind kind, Treatment treatment,
                                         int cells, double poisson, Progress& progress);
IncompressibleCost measure_cost(Treatment treatment, int cells, double poisson, Progress& progress);

/// The rows of one line in a plot, in the order measured.
std::vector<const IncompressibleRow*> rows_of(const std::vector<IncompressibleRow>& rows, const std::string& problem,
                                              CellKind kind, Treatment treatment, int cells);
/// The largest 1 - 2 nu at which the closed form is within `level` of that of nu = 0.5 (over the body, L2), on a fine
/// grid of points.
double compressibility_allowed(const IncompressibleProblem& problem, double level);

std::vector<Claim> incompressible_claims(const IncompressibleReport& report);
std::vector<Plot> incompressible_plots(const IncompressibleSettings& settings, const IncompressibleReport& report);
std::vector<std::string> incompressible_advice(const IncompressibleReport& report);
nlohmann::json incompressible_json(const IncompressibleReport& report);
/// Errors at a few Poisson's ratios, one row per problem, cells and treatment on the finest common mesh.
Table incompressible_summary(const IncompressibleReport& report);

}  // namespace limber
