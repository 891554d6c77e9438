#include "reproduce/jelly/reproduce_jelly.hpp"

#include "bem/boundary_shape.hpp"
#include "reproduce/jelly/jelly_scenes.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace limber {
namespace {

constexpr double kFall = 0.1;                                           // of discs and balls [m]
constexpr double kDiscYoung = 1e4, kSpaceYoung = 2e4, kPoisson = 0.45;  // of discs and of bodies in space [Pa]
const std::string kSections = "sections";

JellyRow row_of(double value, const Drop& drop) {
    return {value, rebound_of(drop), contact_time(drop), 0.0, energy_gain(drop)};
}

/// k of (17) as the method takes it by default, for a round disc.
double usual_stiffness(double young, double poisson) {
    return 2.0 * young / ((1.0 - poisson * poisson) * 2.0 * kJellyRadius);
}

void study_bounce(JellyStudy& s, Progress& progress) {
    const int around = s.settings.quick ? 64 : 128;
    s.circle = run_drop(disc_drop(around, kDiscYoung, kPoisson, kFall, {}), progress);
    for (const double viscosity : {0.0, 20.0, 60.0, 150.0, 400.0}) {
        s.friction.push_back(
            row_of(viscosity,
                   run_drop(disc_drop(64, kDiscYoung, kPoisson, kFall, {{"internal_friction", viscosity}}), progress)));
    }
    for (const double young : {1e4, 2e4, 4e4, 8e4, 1.6e5}) {
        JellyRow row = row_of(young,
                              run_drop(disc_drop(64, young, kPoisson, kFall, {{"internal_friction", 40.0}}), progress));
        Scene fine = disc_drop(96, young, kPoisson, kFall, {});  // without friction, which the model does not have
        fine.step = 1.0 / 4000.0;
        fine.duration = 0.3;
        row.contact = contact_time(run_drop(fine, progress));
        row.model = model_contact_time(kJellyRadius, kJellyDensity, usual_stiffness(young, kPoisson), kFall);
        s.modulus.push_back(row);
    }
}

/// One stiffness of (17) for both, so that both are pressed by the same force.
void study_poisson(JellyStudy& s, Progress& progress) {
    const int around = s.settings.quick ? 64 : 128;
    const OptionValues options{{"friction", 0.0}, {"stiffness", 2e5}};
    s.rubber = run_drop(disc_drop(around, kDiscYoung, 0.4999, kFall, options), progress);
    s.sponge = run_drop(disc_drop(around, kDiscYoung, 0.01, kFall, options), progress);
}

void study_weight(JellyStudy& s, Progress& progress) {
    constexpr double kGiven = 2.5e5;  // [N/m^3]
    Scene scene = disc_drop(64, kDiscYoung, kPoisson, 0.01, {{"internal_friction", 60.0}, {"stiffness", kGiven}});
    scene.step = 1.0 / 60.0;
    scene.duration = 20.0;
    const Drop drop = run_drop(scene, progress);
    const DropMoment& end = drop.moments.back();
    const BoundaryShape shape = boundary_shape(drop.recording->body->mesh());
    std::vector<Vec3> polygon(shape.points.size());
    std::int32_t at = shape.facets[0];
    for (Vec3& p : polygon) {  // along the rim
        p = shape.points[static_cast<std::size_t>(at)] + (end.centre - drop.moments.front().centre);
        for (std::size_t f = 0; f < shape.facet_count(); ++f) {
            if (shape.facets[2 * f] == at) {
                at = shape.facets[2 * f + 1];
                break;
            }
        }
    }
    s.weight_error = std::abs(end.push / (drop.mass * 9.81) - 1.0);
    s.volume_error = std::abs(end.push / (kGiven * area_below(polygon)) - 1.0);
}

void study_sections(JellyStudy& s, Progress& progress) {
    const int across = s.settings.full ? 20 : s.settings.quick ? 7 : 14;
    AlphaRow truth;
    truth.drop = run_drop(ball_drop(across, kSpaceYoung, kPoisson, kFall, {}), progress);
    const std::size_t moment = hardest(truth.drop);
    const std::vector<Vec3> shape = shape_of(truth.drop, moment);
    truth.displacement = rms(shape) / kJellyRadius;
    for (const double alpha : {0.1, 1.5, 10.0}) {
        AlphaRow row;
        row.alpha = alpha;
        row.drop = run_drop(ball_drop(across, kSpaceYoung, kPoisson, kFall, {{"shape", kSections}, {"alpha", alpha}}),
                            progress);
        const std::vector<Vec3> u = shape_of(row.drop, moment);
        row.displacement = rms(u) / kJellyRadius;
        row.distance = distance_of(u, shape);
        s.alphas.push_back(std::move(row));
    }
    s.alphas.push_back(std::move(truth));
    const OptionValues options{{"internal_friction", 10.0}};
    s.ellipsoid = run_drop(ellipsoid_drop(across, kSpaceYoung, kPoisson, kFall, options), progress);
    OptionValues by_sections = options;
    by_sections["shape"] = kSections;
    s.sections = run_drop(ellipsoid_drop(across, kSpaceYoung, kPoisson, kFall, by_sections), progress);
}

void study_piercing(JellyStudy& s, Progress& progress) {
    for (const int passes : {0, 1, 8}) {
        PassRow row;
        row.passes = passes;
        row.drop = run_drop(bar_drop({{"passes", static_cast<double>(passes)}}), progress);
        for (const DropMoment& m : row.drop.moments) row.deepest = std::max(row.deepest, -m.lowest / 0.18);
        s.passes.push_back(std::move(row));
    }
}

JellyLanding run_landing(const std::string& title, const Scene& scene, Progress& progress) {
    JellyLanding out;
    out.title = title;
    out.drop = run_drop(scene, progress);
    double low = 1e300, high = 0.0;
    const double tall = out.drop.moments.front().tall, half = 0.5 * out.drop.moments.back().time;
    for (std::size_t i = 0; i < out.drop.moments.size(); ++i) {
        const DropMoment& m = out.drop.moments[i];
        out.deepest = std::max(out.deepest, -m.lowest / tall);
        out.sticks = std::max(out.sticks, -m.push / (9.81 * out.drop.mass));
        if (m.time < half) continue;
        const double change = rms(shape_of(out.drop, i));
        low = std::min(low, change);
        high = std::max(high, change);
    }
    out.trembles = (high - low) / tall;
    return out;
}

void study_jellies(JellyStudy& s, Progress& progress) {
    const int across = s.settings.full ? 10 : s.settings.quick ? 4 : 7;
    const OptionValues wet{{"stick", 300.0}, {"vibration", std::string("on")}, {"internal_friction", 5.0}};
    OptionValues dry = wet;
    dry["stick"] = 0.0;
    s.jellies.push_back(run_landing("upright", jelly_drop("jelly", across, 0.04, 0.0, wet), progress));
    s.jellies.push_back(
        run_landing("tilted, from higher", jelly_drop("jelly_tilted", across, 0.08, 0.35, wet), progress));
    if (s.settings.quick) return;
    s.jellies.push_back(run_landing("upright, dry", jelly_drop("jelly_dry", across, 0.04, 0.0, dry), progress));
}

}  // namespace

double bulge_of(const Drop& drop) {
    double widest = 0.0;
    for (const DropMoment& m : drop.moments) widest = std::max(widest, m.width);
    return widest / drop.moments.front().width - 1.0;
}

JellyStudy reproduce_jelly(const JellyStudySettings& settings, Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    JellyStudy out;
    out.settings = settings;
    study_bounce(out, progress);
    study_poisson(out, progress);
    study_weight(out, progress);
    study_sections(out, progress);
    study_piercing(out, progress);
    study_jellies(out, progress);
    out.plane = plane_speed(settings.quick ? 64 : 128, progress);
    out.space = space_speed(settings.full ? 26 : settings.quick ? 7 : 18, progress);
    out.held = held_disc(64, progress);
    out.elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    add_jelly_claims(out);
    add_jelly_plots(out);
    return out;
}

}  // namespace limber
