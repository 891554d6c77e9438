#include "reproduce/accuracy/accuracy_stability.hpp"

#include "core/text.hpp"

#include <limber/method.hpp>
#include <limber/tools/modes.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr int kWatchedSteps = 1500;

std::shared_ptr<const Body> body_of(const Bench& bench) { return make_body(bench_scene(bench, "explicit", 1.0)); }

double largest(std::span<const Vec3> u) {
    double out = 0.0;
    for (const Vec3& v : u) out = std::max({out, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    return out;
}

}  // namespace

TopMode highest_mode(const Bench& bench, bool lumped, double volume_penalty) {
    Progress silent;
    return highest_mode(body_of(bench),
                        {{"integration", std::string(bench.bbar ? "bbar" : "full")},
                         {"mass", std::string(lumped ? "lumped" : "consistent")},
                         {"volume_penalty", volume_penalty}},
                        silent);
}

double growth_of(const Bench& bench, const std::string& scheme, const std::vector<Vec3>& shape, double step) {
    Progress silent;
    const std::unique_ptr<Deformer> deformer =
        require_method("linear_fem").prepare(body_of(bench), scheme_options(bench, scheme, step), silent);
    State state = deformer->rest_state();
    Workspace scratch = deformer->make_workspace();
    const std::vector<Vec3> at_rest(shape.size());
    std::vector<Vec3> u(shape.size());
    // Without velocity only the root that leaves the unit circle first (at -1) is excited at the limit itself.
    deformer->set_motion(state, shape, at_rest);
    double early = 1.0, late = 0.0;
    for (int i = 1; i <= kWatchedSteps; ++i) {
        const StepReport report = deformer->step(state, {}, step, scratch);
        deformer->displacements(state, u);
        const double now = largest(u);
        if (report.trouble != Trouble::none || !(now < 1e6)) return std::numeric_limits<double>::infinity();
        double& half = 2 * i <= kWatchedSteps ? early : late;
        half = std::max(half, now);
        if (now < 1e-9) return 0.0;
    }
    return late / early;
}

bool grows(double growth) { return !(growth <= 1.0 + 1e-6); }

double last_stable(const std::function<bool(double)>& stable, double low, double high, double tolerance) {
    if (!stable(low)) return std::numeric_limits<double>::quiet_NaN();
    if (stable(high)) return high;
    while (high - low > tolerance * high) {
        const double middle = 0.5 * (low + high);
        (stable(middle) ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

double measured_critical_step(const Bench& bench, bool lumped, const PartOfProgress& progress) {
    const std::string scheme = lumped ? "explicit_lumped" : "explicit";
    const std::vector<Vec3> shape = highest_mode(bench, lumped).shape;
    const auto stable = [&](double step) {
        progress.check();
        return !grows(growth_of(bench, scheme, shape, step));
    };
    double low = 1e-5;
    while (low < 1.0 && stable(4 * low)) low *= 4;
    return last_stable(stable, low, 4 * low, 1e-4);
}

std::vector<AccuracySpectrum> measure_spectra(const AccuracySettings& settings, PartOfProgress& progress) {
    const Bench benches[] = {block_bench(settings, "MP1"), block_bench(settings, "MP2"), rod_bench()};
    std::vector<AccuracySpectrum> out;
    for (const Bench& bench : benches) {
        AccuracySpectrum s;
        s.scene = bench.scene_name();
        s.cells = bench.cells_name();
        s.material = bench.material.name;
        s.integration = bench.integration_name();
        Progress silent;
        const std::shared_ptr<const Body> body = body_of(bench);
        s.lowest = body_modes(body, scheme_options(bench, "implicit"), 10, silent).omega;
        for (int lumped = 0; lumped < 2; ++lumped) {
            progress.update((static_cast<double>(out.size()) + 0.5 * lumped) / 3.0,
                            "looking for the largest stable step");
            s.omega_max[lumped] = highest_mode(bench, lumped == 1).omega;
            s.critical_step[lumped] = measured_critical_step(bench, lumped == 1, progress);
        }
        out.push_back(std::move(s));
    }
    return out;
}

Plot critical_step_plot(const AccuracySettings& settings, const std::vector<AccuracySpectrum>& spectra) {
    Plot plot{
        "critical-step",
        "The largest stable step of the explicit schemes on the block",
        "Lines: 2 / omega_max from the matrices. Single markers: where the highest mode begins to grow when the "
        "printed scheme is really stepped (bisection). "
        "The paper's own step is 1/30 s; its \"less than 1e-6 s\" for MP2 is nearly three orders below the limit.",
        settings.command,
        {"cells along a side", "", Scale::log},
        {"step", "s", Scale::log, 3e-7},
        {},
        {}};
    for (std::size_t i = 0; i < 2; ++i) {
        for (int lumped = 0; lumped < 2; ++lumped) {
            const std::string name = text(i == 0 ? "MP1" : "MP2", lumped ? ", lumped mass" : ", consistent mass");
            Series line{name, {}, {}, static_cast<int>(2 * i) + lumped};
            for (const int n : {4, 6, 8, 10, 14, 20, 28, 40}) {
                AccuracySettings at = settings;
                at.cells = n;
                line.x.push_back(n);
                line.y.push_back(2 / highest_mode(block_bench(at, i == 0 ? "MP1" : "MP2"), lumped == 1).omega);
            }
            plot.series.push_back(line);
        }
    }
    const double n = settings.cells;
    for (std::size_t i = 0; i < 2 && i < spectra.size(); ++i) {
        plot.series.push_back({text(spectra[i].material, ", stepped"),
                               {n, n},
                               {spectra[i].critical_step[0], spectra[i].critical_step[1]},
                               5 + static_cast<int>(i),
                               false});
    }
    plot.guides = {{false, kPaperStep, "1/30 s"}, {false, 1e-6, "1e-6 s"}};
    return plot;
}

}  // namespace limber
