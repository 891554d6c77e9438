// What the jelly paper says, against what was measured.
#include "core/text.hpp"
#include "reproduce/jelly/reproduce_jelly.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

std::string share_percent(double share) { return text(short_number(100.0 * share, 3), " %"); }

/// The smallest step from one row's rebound to the next one's, in the given direction: negative where the order breaks.
double least_step(const std::vector<JellyRow>& rows, double sign) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < rows.size(); ++i)
        least = std::min(least, sign * (rows[i].rebound - rows[i - 1].rebound));
    return least;
}

std::string rebounds(const std::vector<JellyRow>& rows) {
    std::string out;
    for (const JellyRow& r : rows) out += text(out.empty() ? "" : ", ", short_number(r.rebound, 3));
    return out;
}

void add_plane_claims(JellyStudy& s, std::vector<Claim>& out) {
    const DropMoment& hard = s.circle.moments[hardest(s.circle)];
    const double rebound = rebound_of(s.circle), across = s.circle.moments.front().tall;
    out.push_back(
        {"circle", "An elastic circle falls to the floor and bounces (Fig. 5)", rebound, "", 0.6, 0.0,
         Relation::at_least, false,
         text("Height of the rebound over that of the fall, without internal friction; at the hardest moment it is ",
              share_percent(hard.tall / across), " as tall and ", share_percent(hard.width / across),
              " as wide as at rest.")});
    double gain = std::max(energy_gain(s.circle), energy_gain(s.ellipsoid));
    for (const JellyRow& r : s.friction) gain = std::max(gain, r.gain);
    for (const JellyLanding& j : s.jellies) gain = std::max(gain, energy_gain(j.drop));
    out.push_back({"energy", "(not in the paper) Energy only leaves", gain, "", 1e-12, 0.0, Relation::at_most, false,
                   "The most that kinetic energy, gravity's, the reaction's and that of ringing together grow from one "
                   "step to the next in any drop here, over the energy of the fall."});
    out.push_back({"internal-friction",
                   "Internal friction is one of three parameters that give the desired behaviour (5.3)",
                   least_step(s.friction, -1.0), "", 0.001, 0.0, Relation::at_least, false,
                   text("The least fall of the rebound from one of 0, 20, 60, 150, 400 Pa s to the next. Rebounds: ",
                        rebounds(s.friction), ".")});
    out.push_back({"poisson", "A large Poisson's ratio gives rubber, a small one sponge (Fig. 4)",
                   bulge_of(s.rubber) / bulge_of(s.sponge), "", 3.0, 0.0, Relation::at_least, false,
                   text("How much wider the disc gets at 0.4999 over how much at 0.01: by ",
                        share_percent(bulge_of(s.rubber)), " and ", share_percent(bulge_of(s.sponge)),
                        ", pressed by the same force. The paper's 0.5 itself has no solution by these kernels.")});
    out.push_back({"young",
                   "A large Young's modulus gives a solid object that bounces much, a small one a soft object that "
                   "bounces little (4.2)",
                   least_step(s.modulus, 1.0), "", 0.001, 0.0, Relation::at_least, false,
                   text("The least growth of the rebound from one of 10, 20, 40, 80, 160 kPa to the next, all with 40 "
                        "Pa s of internal friction. Rebounds: ",
                        rebounds(s.modulus), ". Without internal friction all bounce alike.")});
    double off = 0.0;
    for (const JellyRow& r : s.modulus) off = std::max(off, std::abs(r.contact / r.model - 1.0));
    out.push_back(
        {"contact-time", "The constant of (17) changes the stiffness (4.1)", off, "", 0.02, 0.0, Relation::at_most,
         false,
         text("Time of contact against m y'' = k V - m g integrated by itself, the worst of five moduli: from ",
              short_number(1e3 * s.modulus.front().contact, 3), " to ", short_number(1e3 * s.modulus.back().contact, 3),
              " ms.")});
    out.push_back({"weight", "The reaction is proportional to the volume that would pierce (17)",
                   std::max(s.weight_error, s.volume_error), "", 1e-6, 0.0, Relation::at_most, false,
                   text("At rest: reaction over weight, less 1, is ", short_number(s.weight_error, 2),
                        "; over k V with V cut from the polygon ", short_number(s.volume_error, 2), ".")});
    out.push_back({"pierced", "A soft object pierces the floor after the first simulation (Fig. 10)",
                   100.0 * s.passes[0].deepest, "%", 1.0, 0.0, Relation::at_least, false,
                   "Deepest point of a bar that comes down on one end, over its length."});
    out.push_back(
        {"once-more", "Simulated once more it stays within the floor (Fig. 10)", 100.0 * s.passes[1].deepest, "%", 1.0,
         0.0, Relation::at_most, false,
         "The same bar when the points that pierced are taken in and it is simulated once more. What once more does "
         "not do: let go of points that the floor would have to pull (our default, until nothing changes)."});
}

void add_space_claims(JellyStudy& s, std::vector<Claim>& out) {
    const std::vector<AlphaRow>& a = s.alphas;
    out.push_back({"alpha", "A small alpha makes displacements small, a large one large (Fig. 8)",
                   std::min(a[1].displacement - a[0].displacement, a[2].displacement - a[1].displacement), "radii", 0.0,
                   0.0, Relation::at_least, false,
                   text("The lesser growth of the ball's root mean square change of shape from 0.1 to 1.5 to 10: ",
                        short_number(a[0].displacement, 3), ", ", short_number(a[1].displacement, 3), ", ",
                        short_number(a[2].displacement, 3), " radii; by the true surface ",
                        short_number(a[3].displacement, 3), ".")});
    out.push_back({"alpha-range", "Alpha should be between 1 and 2 (5.2)",
                   a[1].distance / std::min(a[0].distance, a[2].distance), "", 1.0, 0.0, Relation::at_most, false,
                   text("Distance of 1.5 from the true surface over that of the better of 0.1 and 10. Distances: ",
                        share_percent(a[0].distance), ", ", share_percent(a[1].distance), ", ",
                        share_percent(a[2].distance), " of the change of shape.")});
    const std::size_t moment = hardest(s.ellipsoid);
    const std::vector<Vec3> truth = shape_of(s.ellipsoid, moment), rough = shape_of(s.sections, moment);
    double largest = 0.0;
    for (std::size_t i = 0; i < truth.size(); ++i) largest = std::max(largest, norm(rough[i] - truth[i]));
    out.push_back({"ellipsoid", "Two cross-sections can be as good as a 3D model (5.1, Fig. 9)",
                   100.0 * distance_of(rough, truth), "%", 10.0, 0.0, Relation::at_most, false,
                   text("Root mean square distance from the true surface over its change of shape when the ellipsoid "
                        "is pressed hardest; at most ",
                        share_percent(largest / s.ellipsoid.moments.front().width),
                        " of its width. Sections are slabs that cannot give way in the third direction, so they must "
                        "differ; as an animation they pass.")});
    const JellyLanding &upright = s.jellies[0], &tilted = s.jellies[1];
    out.push_back(
        {"jelly-sticks", "With a force sticking to the floor the behaviour of a jelly can be reproduced (6)",
         upright.sticks, "weights", 0.05, 0.0, Relation::at_least, false,
         text("Strongest pull of the floor on the upright jelly; tilted ", short_number(tilted.sticks, 2), " weights",
              s.jellies.size() > 2 ? text(", upright and dry ", short_number(s.jellies[2].sticks, 2)) : std::string(),
              ".")});
    out.push_back(
        {"jelly-trembles", "A jelly vibrates (6, Figs. 11 and 12)", 100.0 * std::min(upright.trembles, tilted.trembles),
         "%", 0.5, 0.0, Relation::at_least, false,
         text(
             "Spread of its root mean square change of shape in the second half of the time, over its height: upright ",
             share_percent(upright.trembles), ", tilted ", share_percent(tilted.trembles),
             ". One frequency for all of the shape, not the modes of a jelly.")});
    out.push_back({"jelly-floor", "(not in the paper) Nothing ends up in the floor",
                   100.0 * std::max(upright.deepest, tilted.deepest), "%", 1.0, 0.0, Relation::at_most, false,
                   "Deepest point of the two jellies at any time, over their height."});
}

void add_speed_claims(JellyStudy& s, std::vector<Claim>& out) {
    const auto frames = [](const JellySpeed& v) {
        return text("Median over ", v.frames, " frames in contact, ", v.nodes,
                    " nodes, processor time of one core: ", short_number(1e3 * v.median, 3), " ms, 99th percentile ",
                    short_number(1e3 * v.p99, 3), " ms.");
    };
    const auto solving = [](const JellySpeed& v) {
        return text("One of 16 contact nodes goes out, another comes in, all nodes are displaced: ",
                    short_number(1e6 * v.update, 3), " µs against ", short_number(1e3 * v.again, 3),
                    " ms of factoring and solving the full system (", v.nodes, " nodes), without integrating it.");
    };
    out.push_back({"frames-plane", "The 2D model computes more than 60 frames per second (4.3)", 1.0 / s.plane.median,
                   "1/s", 60.0, 0.0, Relation::at_least, false, frames(s.plane)});
    out.push_back({"update-plane", "Changing contact by (9) is very efficient (3.2)", s.plane.again / s.plane.update,
                   "", 10.0, 0.0, Relation::at_least, false, solving(s.plane)});
    out.push_back(
        {"frames-space",
         "(beyond the paper, which has two sections) A true 3D surface computes more than 60 frames per second",
         1.0 / s.space.median, "1/s", 60.0, 0.0, Relation::at_least, false, frames(s.space)});
    out.push_back({"update-space", "(beyond the paper) and (9) pays more there", s.space.again / s.space.update, "",
                   100.0, 0.0, Relation::at_least, false, solving(s.space)});
    out.push_back({"body-force", "(10) is the body force of (2)", s.held.printed, "", 0.0, 0.0, Relation::at_most,
                   false,
                   text("How far gravity moves the top of a disc whose lower half is held, upwards, in units of rho g "
                        "R^2 / mu (nu = 0.3). With the term that (10) lacks it is ",
                        short_number(s.held.corrected, 3), ": the top sinks.")});
}

}  // namespace

void add_jelly_claims(JellyStudy& study) {
    std::vector<Claim> all;
    add_plane_claims(study, all);
    add_space_claims(study, all);
    add_speed_claims(study, all);
    for (Claim& c : all) study.claims.push_back(judged(std::move(c)));
}

}  // namespace limber
