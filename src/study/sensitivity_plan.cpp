#include "study/sensitivity_plan.hpp"

#include "core/text.hpp"
#include "scene_file/scene_table.hpp"

#include <limber/tools/sim.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace limber {
namespace {

constexpr int kSteps = 4;             ///< each half of the one before
constexpr double kFirstStep = 0.1;    ///< of ln p
constexpr double kFirstShift = 0.05;  ///< of Poisson's ratio near 0
/// A change that no smooth function notices and every rounding does.
constexpr double kNudge = 0x1p-44;
constexpr double kMostCells = 60000.0;  ///< of a refined mesh that is tried without being asked for

std::string number_text(double value) { return fmt::format("{}", value); }

double number_of(const JsonValue& value, bool& known) {
    double number = value.number;
    known = value.is(JsonValue::Kind::number) ||
            (value.is(JsonValue::Kind::text) && parse_fraction(value.text, number));
    return number;
}

bool starts_with(const std::string& words, const char* start) { return words.rfind(start, 0) == 0; }

/// Vertex numbers mean other places on another mesh: such probes are pinned to where they are now.
std::vector<std::string> pinned_probes(const Scene& scene) {
    std::vector<std::string> sets;
    const auto& probes = scene.output.probes;
    if (std::none_of(probes.begin(), probes.end(), [](const ProbeSpec& p) { return p.vertex >= 0; })) return sets;
    const std::vector<Probe> here = make_probes(scene, *make_body(scene));
    for (std::size_t i = 0; i < probes.size(); ++i) {
        if (probes[i].vertex < 0) continue;
        const Vec3& at = here[i].rest;
        sets.push_back(text("output.probes.", i, "=",
                            nlohmann::json{{"name", probes[i].name}, {"point", {at.x, at.y, at.z}}}.dump()));
    }
    return sets;
}

bool names_vertices(const Scene& scene) {
    const auto& sets = scene.bodies[0].sets;
    return std::any_of(sets.begin(), sets.end(),
                       [](const VertexSetSpec& s) { return s.kind == VertexSetSpec::Kind::vertices; });
}

std::size_t count_entries(MeshGenerator::Shape shape) {
    using Shape = MeshGenerator::Shape;
    const bool one = shape == Shape::ball || shape == Shape::ellipsoid || shape == Shape::disc ||
                     shape == Shape::ellipse;
    return shape == Shape::box ? 3 : one ? 1 : 2;
}

double mean_cell_size(const Scene& scene) {
    const Mesh mesh = make_mesh(scene.bodies[0]);
    return std::pow(measure_of(mesh) / static_cast<double>(mesh.cell_count()), 1.0 / mesh.dimension());
}

/// Whole numbers near n that differ enough to be seen: two on each side where there are.
std::vector<int> neighbours_of(int n, int low, int high) {
    const int gap = std::max(1, static_cast<int>(std::lround(0.1 * n)));
    std::vector<int> out;
    for (const int m : {n - 2 * gap, n - gap, n + gap, n + 2 * gap})
        if (m >= low && m <= high) out.push_back(m);
    return out;
}

/// All counts times one factor, so that cells keep their shape.
Variation cell_size(const Scene& scene) {
    Variation out;
    out.name = "h";
    out.kind = Variation::Kind::nodes;
    out.unit = "m";
    const MeshSource& mesh = scene.bodies[0].mesh;
    if (!mesh.generated()) {
        out.left_out = "the mesh comes from a file or a surface, so its cells have one size only";
        return out;
    }
    if (names_vertices(scene)) {
        out.left_out = "sets name vertices by number, which means nothing on another mesh";
        return out;
    }
    out.value = mean_cell_size(scene);
    const std::size_t entries = count_entries(mesh.generator.shape);
    const auto& counts = mesh.generator.counts;
    int common = 0;
    double cells = 1.0;
    for (std::size_t i = 0; i < entries; ++i) {
        common = std::gcd(common, counts[i]);
        cells *= counts[i];
    }
    const std::vector<std::string> probes = pinned_probes(scene);
    std::string tried;
    const bool round = mesh.generator.shape == MeshGenerator::Shape::disc ||
                       mesh.generator.shape == MeshGenerator::Shape::ellipse;
    const int unit = round ? 4 : 1;  // discs come in multiples of four only
    for (const int n : neighbours_of(common / unit, 1, 10000 / unit)) {
        const int k = n * unit;
        const double factor = static_cast<double>(k) / common;
        if (factor > 1.0 && cells * std::pow(factor, static_cast<double>(entries)) > std::max(kMostCells, 1.4 * cells))
            continue;
        std::vector<int> scaled;
        for (std::size_t i = 0; i < entries; ++i) scaled.push_back(counts[i] / common * k);
        Variation::Trial trial{-std::log(factor), {fmt::format("mesh.counts=[{}]", fmt::join(scaled, ", "))}};
        trial.sets.insert(trial.sets.end(), probes.begin(), probes.end());
        out.trials.push_back(std::move(trial));
        tried += fmt::format("{}{}", tried.empty() ? "" : ", ", fmt::join(scaled, " x "));
    }
    out.way = fmt::format(
        "cells {} beside {}", tried,
        fmt::join(std::vector<int>(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(entries)), " x "));
    if (out.trials.empty()) out.left_out = "no other cell counts near enough";
    return out;
}

/// Only steps that divide the run into whole ones end at the same time.
Variation time_step(const Scene& scene, const std::string& name, const std::string& path, double step) {
    Variation out;
    out.name = name;
    out.unit = "s";
    out.kind = Variation::Kind::nodes;
    out.value = step;
    const double steps = std::floor(scene.duration / step + 1e-9 * std::max(1.0, scene.duration / step));
    if (steps < 1.0 || steps > 1e7) {
        out.left_out = "the run has no steps";
        return out;
    }
    const int n = static_cast<int>(steps);
    const double end = steps * step;
    std::string tried;
    for (const int m : neighbours_of(n, 1, 20000000)) {
        out.trials.push_back({std::log(static_cast<double>(n) / m),
                              {text(path, "=", number_text(end / m)), text("duration=", number_text(end))}});
        tried += text(tried.empty() ? "" : ", ", m);
    }
    out.way = text(tried, " steps beside ", n, ", to the same time");
    return out;
}

Variation whole_number(const Scene& scene, const std::string& path, const ScenePathTarget& target, double value) {
    Variation out;
    out.name = path;
    out.kind = Variation::Kind::nodes;
    out.unit = target.unit;
    out.value = value;
    const bool mesh = starts_with(target.pointer, "/bodies/0/mesh/counts");
    if (!(value > 0.0)) out.left_out = "it is 0 here";
    if (mesh && names_vertices(scene))
        out.left_out = "sets name vertices by number, which means nothing on another mesh";
    if (!out.left_out.empty()) return out;
    const std::vector<std::string> probes = mesh ? pinned_probes(scene) : std::vector<std::string>{};
    const int n = static_cast<int>(value);
    const auto bound = [](double v) { return static_cast<int>(std::clamp(v, 1.0, 1e9)); };
    std::string tried;
    for (const int m : neighbours_of(n, bound(target.low), bound(target.high))) {
        Variation::Trial trial{std::log(static_cast<double>(m) / n), {text(path, "=", m)}};
        trial.sets.insert(trial.sets.end(), probes.begin(), probes.end());
        out.trials.push_back(std::move(trial));
        tried += text(tried.empty() ? "" : ", ", m);
    }
    out.way = text(tried, " beside ", n);
    if (out.trials.empty()) out.left_out = "no other whole number in range";
    return out;
}

Variation real_number(const std::string& path, const ScenePathTarget& target, double value) {
    Variation out;
    out.name = path;
    out.unit = target.unit;
    out.value = value;
    const bool poisson = starts_with(target.pointer, "/bodies/0/materials/") && target.pointer.size() > 8 &&
                         target.pointer.substr(target.pointer.size() - 8) == "/poisson";
    out.kind = poisson && std::abs(value) < 2.0 * kFirstShift ? Variation::Kind::shifted : Variation::Kind::scaled;
    const bool shifted = out.kind == Variation::Kind::shifted;
    if (!shifted && value == 0.0) {
        out.left_out = "it is 0 here, where relative changes mean nothing";
        return out;
    }
    // Half-way to the ends of its range at most: what happens there (nu = 1/2) is not what happens here.
    double first = shifted ? kFirstShift : kFirstStep;
    for (const double bound : {target.low, target.high}) {
        if (std::isfinite(bound) && bound != value && !shifted && bound / value > 0.0)
            first = std::min(first, 0.5 * std::abs(std::log(bound / value)));
    }
    if (value == target.low || value == target.high) {
        out.left_out = "it is at the end of its range";
        return out;
    }
    const auto moved = [&](double x) { return shifted ? value + x : value * std::exp(x); };
    for (int k = 0; k < kSteps; ++k) {
        for (const double sign : {-1.0, 1.0}) {
            const double x = sign * first / (1 << k);
            out.trials.push_back({x, {text(path, "=", number_text(moved(x)))}});
        }
    }
    for (const double sign : {-1.0, 1.0}) {
        out.trials.push_back(
            {sign * kNudge,
             {text(path, "=", number_text(shifted ? value + sign * kNudge : value * (1.0 + sign * kNudge)))}});
    }
    out.nudges = 2;
    out.way = shifted ? fmt::format("± {:.2g} and {} times half of it", first, kSteps - 1)
                      : fmt::format("± {:.2g} % and {} times half of it", 100.0 * first, kSteps - 1);
    return out;
}

}  // namespace

std::vector<std::string> default_parameters(const JsonValue& root, const Scene& scene) {
    std::vector<std::string> out;
    const auto& materials = scene.bodies[0].materials;
    for (std::size_t i = 0; i < materials.size(); ++i) {
        for (const char* field : {"young", "poisson", "density", "rayleigh_alpha", "rayleigh_beta"})
            out.push_back(materials.size() > 1 ? text("material.", i, ".", field) : text("material.", field));
    }
    const bool own_step = scene.method.options.count("step") > 0;
    out.push_back(own_step ? "method.options.step" : "step");
    out.emplace_back("h");
    const Method& method = require_method(scene.method.name);
    for (const OptionSpec& option : method.options()) {
        if (option.type != OptionType::real || option.name == "step") continue;
        ScenePathTarget target;
        std::vector<SceneFault> ignored;
        const std::string path = "method.options." + option.name;
        if (find_path_target(root, path, path, target, ignored))
            out.push_back(scene_table().find(option.name) ? path : option.name);
    }
    return out;
}

Variation plan_variation(const JsonValue& root, const Scene& scene, const std::string& path) {
    if (path == "h") return cell_size(scene);
    ScenePathTarget target;
    std::vector<SceneFault> faults;
    if (!find_path_target(root, path, text("--parameter ", path), target, faults)) throw SceneError(std::move(faults));
    bool known = false;
    const double value = number_of(target.value, known);
    if (known && value > 0.0 && (target.pointer == "/step" || target.pointer == "/method/options/step"))
        return time_step(scene, path, target.pointer, value);
    if (!known || (target.kind != ScenePathKind::number && target.kind != ScenePathKind::whole_number)) {
        throw Error(Fault::bad_usage, {text("--parameter ", path), 0, {}},
                    text(target.pointer, " is ", describe(target.value)),
                    "a number of the scene, or h for the cell size");
    }
    return target.kind == ScenePathKind::whole_number ? whole_number(scene, path, target, value)
                                                      : real_number(path, target, value);
}

}  // namespace limber
