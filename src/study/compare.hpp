// `limber compare`: candidates against one reference: error over time by every metric, cost, and how far the reference
// itself can be trusted. Pure values; compare_output.hpp turns them into tables, plots and the accuracy card.
#pragma once

#include "metrics/summary.hpp"
#include "study/refine.hpp"
#include "study/variant.hpp"

#include <limber/progress.hpp>
#include <limber/tools/sim.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace limber {

/// What the candidates are measured against.
struct ReferenceSpec {
    enum class Kind : std::uint8_t {
        refined,  ///< the scene's method on a finer mesh with a smaller step: its error can be estimated
        method,   ///< a method on the scene's own mesh
        file,     ///< somebody's result
    };
    Kind kind = Kind::refined;
    int levels = 0;  ///< how often mesh and step are halved, 1 or 2; 0 = twice where that is affordable
    Finer how = Finer::split;
    double step = 0.0;   ///< of the reference itself [s]; 0 = half the candidates' smallest per level
    std::string method;  ///< "" = the scene's
    std::vector<std::pair<std::string, std::string>> options;  ///< of the method, as typed
    SeriesSource file;
    std::string typed = "refined";
};
/// "refined", "refined:2", "refined:order", "refined:scheme=bdf2,step=1/480", "METHOD:option=value,...", a file. Throws
/// Error{bad_usage}.
ReferenceSpec parse_reference(const std::string& typed);

struct CompareSettings {
    Scene base;
    std::string scene_json;  ///< shown in the card; may be empty
    std::vector<Candidate> candidates;
    ReferenceSpec reference;
    std::vector<std::string> metrics;        ///< none = all; the first is the headline
    std::string command = "limber compare";  ///< written beside every plot
    bool pictures = false;                   ///< keep motions, and show them on the card
};

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// One metric of one candidate.
struct Score {
    MetricSpec metric{"", "", "", false, false};
    MetricSeries series;
    MetricSummary summary;
    /// One number for the whole run: the root mean square over the frames. Measures relative to the momentary motion
    /// weigh each frame by the square of that motion, or the first moments, where nothing has moved yet, would drown
    /// the rest.
    double overall = kUnknown;
    std::string missing;       ///< why there is no value; "" = there is
    bool below_floor = false;  ///< smaller than the reference's own error: means nothing
};

struct Cost {
    bool known = false;  ///< false for files
    double prepare_ms = 0.0;
    std::size_t bytes = 0;  ///< of prepared data
    std::size_t steps = 0;
    double median_ms = 0.0, p99_ms = 0.0, max_ms = 0.0;  ///< of a step, wall clock
    double total_ms = 0.0;                               ///< of all steps, with whatever else the machine did meanwhile
    double per_second_ms = kUnknown;  ///< of a simulated second, at the median step; 1000 = just real time
    double iterations = 0.0;          ///< per step, mean
    bool within_60_hz() const { return known && p99_ms <= 1000.0 / 60.0; }
    bool within_1_khz() const { return known && p99_ms <= 1.0; }
};

enum class Outcome : std::uint8_t {
    done,
    diverged,  ///< left every reasonable bound; measured up to there
    stopped,   ///< trouble ended it, or it was not meant to go on; measured up to there
    failed,    ///< never ran
    not_run,   ///< the comparison was interrupted before or in it
};
const char* to_string(Outcome outcome);

struct CandidateResult {
    std::string name;
    std::vector<Choice> choices;
    std::string file;  ///< "" when it was run
    std::string method;
    std::uint64_t scene_hash = 0;
    double step = 0.0;  ///< [s]
    std::size_t vertices = 0, cells = 0;
    Outcome outcome = Outcome::not_run;
    std::string cause;      ///< one line, unless done
    double end_time = 0.0;  ///< up to where it is good [s]
    Cost cost;
    std::vector<Score> scores;  ///< one per metric, in order
    /// The first metric against the scene's own mesh stepped as finely as the reference: everything that the mesh is
    /// not to blame for.
    Score same_mesh;                 ///< missing on another mesh, or without such a run
    std::vector<std::string> notes;  ///< locking, stability, assumptions: what a reader should know

    bool ranked() const { return outcome == Outcome::done; }
};

/// One run that the reference's own error is estimated from; the last one is the reference.
struct ReferenceLevel {
    std::size_t vertices = 0, cells = 0;
    CellKind kind = CellKind::tet4;
    double step = 0.0;  ///< [s]
    double prepare_ms = 0.0, total_ms = 0.0;
};

/// How well the reference itself is known, by one metric.
struct Floor {
    MetricSpec metric{"", "", "", false, false};
    double distance = kUnknown;  ///< between the two finest levels, over the run
    double order = kUnknown;     ///< observed over three levels
    bool asymptotic = false;     ///< the order is believable, and the error is Richardson's
    double error = kUnknown;     ///< estimated, over the run; unknown = nothing to estimate it from
    /// Distance of the scene's mesh, stepped as the reference is, from it: what that mesh alone costs.
    double coarse = kUnknown;
    std::vector<double> t, value;  ///< the estimate over time
    std::string words;             ///< how it was estimated
};

struct ReferenceResult {
    std::string name;                    ///< "linear_fem, 1536 hex8 cells, step 1/480 s"
    std::string words;                   ///< what it is and why, two or three sentences
    std::vector<ReferenceLevel> levels;  ///< coarse to fine; empty for a file
    std::vector<Floor> floors;           ///< one per metric
    Floor same_mesh;                     ///< of the run that errors on the same mesh are measured against
    double same_mesh_step = 0.0;         ///< its step [s]; 0 = there is none
    double end_time = 0.0;               ///< [s]
};

/// How far small strain itself is from large strain, where the reference knows only small strain.
struct LargeStrain {
    double distance = kUnknown;  ///< of the first metric over the run, on the scene's own mesh
    std::string words;  ///< one sentence without its full stop; "" = the reference knows large strain, or is a file
};

/// A run thinned to what pictures need.
struct ComparedMotion {
    std::string name;
    double error = kUnknown;  ///< by the first metric, over the run
    std::shared_ptr<const Recording> recording;
};

struct Comparison {
    CompareSettings settings;
    std::uint64_t scene_hash = 0;
    int dimension = 3;      ///< of the body
    double interval = 0.0;  ///< between compared frames [s]
    ReferenceResult reference;
    LargeStrain large_strain;
    std::vector<CandidateResult> candidates;
    std::vector<std::string> notes;  ///< about the comparison as a whole
    /// With settings.pictures: the reference, then candidates that came to the end.
    std::vector<ComparedMotion> motions;
    bool interrupted = false;
    double elapsed = 0.0;  ///< [s]

    std::size_t metric_count() const { return reference.floors.size(); }
    /// Every candidate that ran did so on the mesh that the reference refines.
    bool one_mesh() const;
};

/// "1/30" where the reciprocal is a whole number, as people write steps.
std::string step_words(double step);

/// Runs the reference, then every candidate by itself (so that timings are honest). A candidate's failure is its row.
/// Ctrl-C while candidates run keeps what is done; before that it throws Error{interrupted}. Throws Error when there
/// can be no reference.
Comparison compare(const CompareSettings& settings, Progress& progress);

}  // namespace limber
