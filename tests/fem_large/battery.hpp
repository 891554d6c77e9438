// Random cantilevers of every method of large strain, kind of cell, scheme and load, stepped with default options and
// again to a residual of 1e-10.
#pragma once

#include "fem_large/elastic_fixtures.hpp"
#include "integrate/stepper.hpp"

#include <limber/method.hpp>

#include <numbers>
#include <string>
#include <vector>

namespace limber::testing {

struct BatteryCase {
    std::string method, scheme, load, label;
    std::shared_ptr<const Body> body;
    double step = 0.0;  ///< [s]
    int steps = 0;
    double push = 0.0;    ///< gravity [m/s^2], force [N], or the handle's turn [rad]
    bool sudden = false;  ///< the load is there from the start; else it grows over the run
    double length = 0.0;  ///< of the bar [m]
};

struct BatteryRun {
    std::vector<std::vector<Vec3>> frames;
    Trouble trouble = Trouble::none;  ///< that ended it
    bool inverted = false;
    std::vector<int> parts;  ///< in how many each step was taken
    int cut = 0;             ///< steps taken in more than one
    double residual = 0.0;   ///< of the last step
    long linearisations = 0;
};

class BatteryDice {
public:
    explicit BatteryDice(std::uint64_t seed) : dice_(seed) {
        for (int i = 0; i < 8; ++i) dice_.roll();
    }
    double between(double low, double high) { return low + (high - low) * (dice_.roll() + 1) / 2; }
    double logarithmic(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
    template <class T, std::size_t n>
    const T& among(const T (&list)[n]) {
        return list[std::min(n - 1, static_cast<std::size_t>(between(0.0, static_cast<double>(n))))];
    }

private:
    Dice dice_;
};

inline Mesh battery_mesh(CellKind kind, double length, double height, int fine) {
    if (dimension_of(kind) == 2) return make_grid(kind, 10 * fine, 2 * fine, {}, {length, height, 0.0});
    if (kind == CellKind::tet10) return make_box(kind, 3 * fine, 1, 1, {}, {length, height, height});
    return make_box(kind, 6 * fine, 2, kind == CellKind::tet4 ? 2 : fine, {}, {length, height, height});
}

/// The same for a seed everywhere. Loads would let a linear beam droop by 1 % to 300 % of its length (100 % where they
/// come suddenly: it swings twice as far).
inline BatteryCase battery_case(std::uint64_t seed) {
    BatteryDice dice(seed);
    static constexpr const char* kMethods[] = {"corotational", "stvk", "neo_hookean"};
    static constexpr const char* kSchemes[] = {"newmark_implicit", "backward_euler", "bdf2", "implicit_midpoint",
                                               "quasi_static"};
    static constexpr const char* kLoads[] = {"gravity", "end force", "handle"};
    BatteryCase c;
    c.method = dice.among(kMethods);
    c.scheme = dice.among(kSchemes);
    c.load = dice.among(kLoads);
    const CellKind kind = dice.among(kAllKinds);
    const double poisson = dice.between(0, 1) < 0.2   ? 0.0
                           : dice.between(0, 1) < 0.5 ? dice.between(0.0, 0.45)
                                                      : dice.between(0.45, 0.499);
    const double slender = dice.between(4.0, 10.0);
    c.length = dice.logarithmic(0.01, 10.0);
    const double height = c.length / slender, density = 1000.0, young = dice.logarithmic(1e3, 1e11);
    const bool still = c.scheme == "quasi_static";
    c.sudden = !still && dice.between(0, 1) < 0.5;
    const double droop = dice.logarithmic(0.01, c.sudden ? 1.0 : 3.0);
    const double area = dimension_of(kind) == 2 ? height : height * height, inertia = area * height * height / 12;
    // Of the first bending mode [s], and a step that is a fraction of it.
    const double period = 2 * std::numbers::pi / 3.516 * std::sqrt(density * area / (young * inertia)) * c.length *
                          c.length;
    c.step = period * dice.logarithmic(0.004, 0.2);
    c.steps = still ? 12 : 30;
    if (c.load == "gravity") c.push = droop * c.length * 8 * young * inertia / (density * area * std::pow(c.length, 4));
    if (c.load == "end force") c.push = droop * c.length * 3 * young * inertia / std::pow(c.length, 3);
    if (c.load == "handle") c.push = std::min(2.0, droop) * (dice.between(0, 1) < 0.5 ? 1.0 : -1.0);
    const double beta = dice.between(0, 1) < 0.5 ? 0.0 : period * dice.logarithmic(1e-3, 0.1);
    BodyDescription d;
    d.mesh = battery_mesh(kind, c.length, height, dice.between(0, 1) < 0.7 ? 1 : 2);
    d.thickness = 1.0;
    d.materials = {{"", {"test", young, poisson, density, 0.0, beta}}};
    d.anchors = {{"left", d.mesh.vertex_sets.at("left"), {}}};
    if (c.load == "handle") {
        d.handles = {{"right",
                      d.mesh.vertex_sets.at("right"),
                      {},
                      {c.length, height / 2, d.mesh.dimension() == 3 ? height / 2 : 0.0}}};
    }
    c.body = Body::make(std::move(d));
    c.label = c.method + " " + c.scheme + " " + to_string(kind) + " " + c.load + (c.sudden ? " at once" : "") +
              ", nu " + std::to_string(poisson) + ", droop " + std::to_string(droop) + ", step/period " +
              std::to_string(c.step / period) + ", beta/period " + std::to_string(beta / period);
    return c;
}

/// The whole run, until trouble other than cells inside out ends it.
/// `parts`: into how many to cut each step beforehand (forces grow evenly within a step, as those that are cut while
/// running do).
inline BatteryRun run_battery(const BatteryCase& c, OptionValues options, const std::vector<int>& parts = {}) {
    options["scheme"] = c.scheme;
    Progress silent;
    const auto deformer = require_method(c.method).prepare(c.body, options, silent);
    State state = deformer->rest_state();
    Workspace scratch = deformer->make_workspace();
    const auto& tip = c.body->mesh().vertex_sets.at("right");
    std::vector<Vec3> force(c.body->vertex_count());
    HandleTarget target;
    const auto load = [&](double part) {
        Loads loads;
        const double scale = c.sudden && c.load != "handle" ? 1.0 : part;
        if (c.load == "gravity") loads.gravity = {0.0, -scale * c.push, 0.0};
        if (c.load == "end force") {
            for (const std::int32_t v : tip)
                force[static_cast<std::size_t>(v)] = {0.0, -scale * c.push / static_cast<double>(tip.size()), 0.0};
            loads.force = force;
        }
        if (c.load == "handle") {
            // An arc of constant curvature, as a bar bent by its ends takes it.
            const double angle = part * c.push;
            const double along = std::fabs(angle) > 1e-6 ? std::sin(angle) / angle : 1.0,
                         across = std::fabs(angle) > 1e-6 ? (1 - std::cos(angle)) / angle : 0.0;
            target.rotation = from_rotation_vector({0.0, 0.0, angle});
            target.translation = {c.length * (along - 1), c.length * across, 0.0};
            loads.handles = {&target, 1};
        }
        return loads;
    };
    deformer->start(state, load(0.0), scratch);
    BatteryRun run;
    for (int i = 1; i <= c.steps && run.trouble == Trouble::none; ++i) {
        const int count = static_cast<std::size_t>(i) <= parts.size() ? parts[static_cast<std::size_t>(i - 1)] : 1;
        int sub_steps = 0;
        for (int k = 1; k <= count && run.trouble == Trouble::none; ++k) {
            const StepReport report = deformer->step(state, load((i - 1 + static_cast<double>(k) / count) / c.steps),
                                                     c.step / count, scratch);
            run.residual = report.residual;
            run.linearisations += report.linearisations;
            run.inverted = run.inverted || has(report.trouble, Trouble::inverted_cell);
            sub_steps += report.sub_steps;
            run.trouble = static_cast<Trouble>(static_cast<std::uint32_t>(report.trouble) &
                                               ~static_cast<std::uint32_t>(Trouble::inverted_cell));
        }
        if (run.trouble != Trouble::none) break;
        run.parts.push_back(sub_steps);
        run.cut += sub_steps > 1 ? 1 : 0;
        run.frames.emplace_back(c.body->vertex_count());
        deformer->displacements(state, run.frames.back());
    }
    return run;
}

/// The largest relative_l2 of any frame both have.
inline double battery_distance(const BatteryRun& reference, const BatteryRun& run) {
    double worst = 0.0;
    for (std::size_t k = 0; k < std::min(reference.frames.size(), run.frames.size()); ++k) {
        double off = 0.0, size = 0.0;
        for (std::size_t i = 0; i < run.frames[k].size(); ++i) {
            const Vec3 e = run.frames[k][i] - reference.frames[k][i];
            off += dot(e, e);
            size += dot(reference.frames[k][i], reference.frames[k][i]);
        }
        if (size > 0.0) worst = std::max(worst, std::sqrt(off / size));
    }
    return worst;
}

}  // namespace limber::testing
