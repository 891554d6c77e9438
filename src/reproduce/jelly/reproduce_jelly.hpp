// `limber reproduce jelly`: Watanabe et al.'s elastic circle, sponge and rubber, ellipsoid and jelly, claim by claim,
// and what a true 3D model says of their two cross-sections (docs/methods/bem.md).
#pragma once

#include "report/claims.hpp"
#include "report/plot.hpp"
#include "reproduce/jelly/jelly_drop.hpp"
#include "reproduce/jelly/jelly_speed.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace limber {

struct JellyStudySettings {
    bool full = false;   ///< finer bodies in space, and movies
    bool quick = false;  ///< coarse bodies: to see that it works
    bool pictures = false;
    std::string command = "limber reproduce jelly";
};

/// The disc with one thing changed.
struct JellyRow {
    double value = 0.0;                 ///< of what is changed: internal friction [Pa s], Young's modulus [Pa]
    double rebound = 0.0;               ///< over the height of fall
    double contact = 0.0, model = 0.0;  ///< time of contact, measured and as m y'' = k V - m g has it [s]
    double gain = 0.0;                  ///< of energy between any two steps, over that of the fall
};

struct AlphaRow {
    double alpha = 0.0;  ///< of (18); 0 = the true surface
    Drop drop;
    double displacement = 0.0;  ///< root mean square change of shape at the hardest moment, over the radius
    double distance = 0.0;      ///< to the true surface, over its change of shape
};

struct PassRow {
    int passes = 0;
    Drop drop;
    double deepest = 0.0;  ///< below the floor, over the bar's length
};

/// A jelly that lands: how it ends.
struct JellyLanding {
    std::string title;
    Drop drop;
    /// Spread of its root mean square change of shape in the second half of the time, over its height.
    double trembles = 0.0;
    double sticks = 0.0;   ///< strongest pull of the floor over its weight
    double deepest = 0.0;  ///< below the floor, over its size
};

struct JellyStudy {
    JellyStudySettings settings;
    Drop circle;  ///< Fig. 5
    std::vector<JellyRow> friction, modulus;
    Drop rubber, sponge;                ///< Fig. 4
    double weight_error = 0.0;          ///< |reaction / weight - 1| at rest
    double volume_error = 0.0;          ///< |reaction / (k V) - 1| at rest, V by cutting the polygon
    std::vector<AlphaRow> alphas;       ///< Fig. 8: 0.1, 1.5, 10, and the true surface
    Drop ellipsoid, sections;           ///< Fig. 9: the true surface, two cross-sections
    std::vector<PassRow> passes;        ///< Fig. 10
    std::vector<JellyLanding> jellies;  ///< Figs. 11, 12, and (not --quick) the first again without sticking
    JellySpeed plane, space;
    HeldDisc held;
    std::vector<Claim> claims;
    std::vector<Plot> plots;
    double elapsed = 0.0;  ///< [s]
};

/// Throws Error{interrupted}.
JellyStudy reproduce_jelly(const JellyStudySettings& settings, Progress& progress);

/// How much wider it is at its widest than at rest, over the diameter.
double bulge_of(const Drop& drop);

void add_jelly_claims(JellyStudy& study);
void add_jelly_plots(JellyStudy& study);
Table jelly_summary(const JellyStudy& study);
nlohmann::json jelly_json(const JellyStudy& study);
/// Throws Error{bad_file | interrupted}.
void write_jelly_pages(const std::string& directory, const JellyStudy& study, Progress& progress);

}  // namespace limber
