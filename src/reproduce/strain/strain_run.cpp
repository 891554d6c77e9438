#include "reproduce/strain/strain_run.hpp"

#include "core/text.hpp"
#include "study/has_choice.hpp"

#include <limber/tools/modes.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace limber {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::quiet_NaN();

/// The same load, grown slowly and smoothly in a bath that damps the slowest mode critically, then left alone until it
/// rests: all modes fall as exp(-omega_1 t), to 1e-8 of the load.
Scene damped(Scene scene, double slowest) {
    const double grow = 10 / slowest;
    BodySpec& body = scene.bodies[0];
    for (MaterialSpec& m : body.materials) m.material.rayleigh_alpha = 2 * slowest;
    for (HandleSpec& handle : body.handles) {
        for (PoseKey& key : handle.keys) key.t *= grow;
        handle.interpolation = Interpolation::smooth;
    }
    for (ForceSpec& force : body.forces) {
        for (ScaleKey& key : force.scale.keys) key.t *= grow;
        force.scale.interpolation = Interpolation::smooth;
    }
    scene.step = 0.1 / slowest;
    scene.duration = 3 * grow;
    scene.output.every = 1 << 20;  // only the end counts
    return scene;
}

/// A method prepared for a case's body: the body is the same at every amplitude.
class Prepared {
public:
    Prepared(const StrainCase& c, const Method& method, CellKind kind, Progress& progress) : case_(c), kind_(kind) {
        if (!finds_rest(method))
            slowest_ = body_modes(make_body(c.scene(c.largest, kind)), {}, 1, progress).omega.at(0);
        const Scene scene = scene_at(c.largest);
        body_ = make_body(scene);
        OptionValues options = method_options(scene, method);
        for (const auto& [name, value] : strain_options(method)) options[name] = value;
        method.check(*body_, options);
        deformer_ = method.prepare(body_, options, progress);
    }

    Scene scene_at(double amplitude) const {
        Scene scene = case_.scene(amplitude, kind_);
        return slowest_ ? damped(std::move(scene), *slowest_) : scene;
    }

    RunResult run(double amplitude, Progress& progress) const {
        return run_prepared(scene_at(amplitude), *deformer_, body_, 0.0, {}, progress);
    }

private:
    const StrainCase& case_;
    CellKind kind_;
    std::optional<double> slowest_;  ///< [rad/s], of a method that has to be damped to rest
    std::shared_ptr<const Body> body_;
    std::unique_ptr<Deformer> deformer_;
};

StrainPoint failed(const StrainCase& c, double amplitude, std::string why) {
    return {amplitude, std::vector<double>(c.quantities.size(), kNoLimit), std::move(why)};
}

StrainPoint measured_at(const StrainCase& c, const Prepared& prepared, double amplitude, Progress& progress) {
    try {
        const RunResult result = prepared.run(amplitude, progress);
        if (result.interrupted) throw Error(Fault::interrupted, {}, "interrupted; nothing was written");
        if (!result.ok()) return failed(c, amplitude, result.message);
        StrainPoint point{amplitude, {}, {}};
        for (const StrainQuantity& q : c.quantities) point.measured.push_back(q.measure({result}));
        return point;
    } catch (const Error& error) {
        if (error.fault() == Fault::interrupted) throw;
        return failed(c, amplitude, error.what());
    }
}

/// A Progress that lets the points of a case move the bar, not the steps of each run.
class StopOnly : public Progress {
public:
    explicit StopOnly(const Progress& whole) : whole_(whole) {}
    bool stop_requested() const override { return whole_.stop_requested(); }

private:
    const Progress& whole_;
};

}  // namespace

OptionValues strain_options(const Method& method) {
    const OptionTable table = method.options();
    OptionValues out;
    if (has_choice(table, "scheme", "quasi_static")) out["scheme"] = std::string("quasi_static");
    // Nothing locks at nu = 0.3 and below, and a mean dilatation would soften bending.
    if (has_choice(table, "integration", "full")) out["integration"] = std::string("full");
    return out;
}

bool finds_rest(const Method& method) { return !method.traits().dynamic || strain_options(method).count("scheme") > 0; }

bool fitting_kind(const StrainCase& c, const Method& method, CellKind& kind, std::string& why) {
    const Traits traits = method.traits();
    if (c.forces && !traits.accepts_forces)
        why = "it takes no forces";
    else if (!c.forces && !traits.accepts_handles)
        why = "it takes no handles";
    else {
        for (const CellKind candidate : c.kinds) {
            if (std::find(traits.cells.begin(), traits.cells.end(), candidate) != traits.cells.end()) {
                kind = candidate;
                return true;
            }
        }
        why = "it takes none of the case's cells:";
        for (const CellKind candidate : c.kinds) why += text(" ", to_string(candidate));
    }
    return false;
}

StrainRun run_strain_case(const StrainCase& c, const Method& method, const std::vector<double>& amplitudes,
                          PartOfProgress& progress) {
    StrainRun run;
    run.method = method.name();
    CellKind kind{};
    if (!fitting_kind(c, method, kind, run.left_out)) return run;
    progress.name(text(c.name, " by ", method.name()));
    StopOnly quiet(progress);
    try {
        const Prepared prepared(c, method, kind, quiet);
        run.cells = to_string(kind);
        run.how = finds_rest(method) ? "quasi_static" : "damped to rest";
        for (std::size_t i = 0; i < amplitudes.size(); ++i) {
            progress.update(static_cast<double>(i) / static_cast<double>(amplitudes.size()), c.name);
            progress.check();
            run.points.push_back(measured_at(c, prepared, amplitudes[i], quiet));
        }
    } catch (const Error& error) {
        if (error.fault() == Fault::interrupted) throw;
        run.left_out = error.what();
    }
    return run;
}

}  // namespace limber
