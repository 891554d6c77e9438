#include "reproduce/strain/strain_cases.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

Vec3 StrainOutcome::position(const std::string& name) const {
    for (const Probe& probe : run.probes)
        if (probe.name == name) return probe.rest + probe.value(last().displacement);
    throw Error(Fault::bad_usage, {}, text("no probe \"", name, "\" in the case"));
}

Vec3 StrainOutcome::force_of(const std::string& name) const {
    const std::vector<Handle>& handles = body().handles();
    for (std::size_t i = 0; i < handles.size(); ++i)
        if (handles[i].name == name) return last().reactions.at(body().anchors().size() + i).force;
    throw Error(Fault::bad_usage, {}, text("no handle \"", name, "\" in the case"));
}

double StrainQuantity::against_linear(double a, double value) const {
    return std::abs(value - linear(a)) / std::max(scale(a), std::abs(linear(a)));
}
double StrainQuantity::against_green(double a, double value) const { return std::abs(value - green(a)) / scale(a); }

std::vector<double> StrainCase::amplitudes(int per_decade) const {
    std::vector<double> out;
    for (int i = 0;; ++i) {
        const double a = 1e-3 * std::pow(10.0, static_cast<double>(i) / per_decade);
        // The last one is the largest itself: it replaces a neighbour nearer than half a spacing.
        if (a * std::pow(10.0, 0.5 / per_decade) >= largest) break;
        out.push_back(a);
    }
    out.push_back(largest);
    return out;
}

Material strain_material(double poisson) { return {"soft rubber", 1e4, poisson, 1000.0, 0.0, 0.0}; }

ScaleTrack strain_ramp() { return {{{0.0, 0.0}, {1.0, 1.0}}, Interpolation::linear}; }

HandleSpec strain_handle(const std::string& name, const std::string& set, const Axes& axes, const Vec3& translation,
                         const Vec3& rotation) {
    return {name, set, axes, std::nullopt, {{0.0, {}, {}}, {1.0, translation, rotation}}, Interpolation::linear};
}

Scene strain_scene(const std::string& name, const Material& material, CellKind kind, std::array<int, 3> counts,
                   const Vec3& low, const Vec3& high) {
    Scene scene;
    scene.name = name;
    BodySpec body;
    body.name = name;
    body.mesh.generator.shape = dimension_of(kind) == 2 ? MeshGenerator::Shape::grid : MeshGenerator::Shape::box;
    body.mesh.generator.kind = kind;
    body.mesh.generator.counts = counts;
    body.mesh.generator.low = low;
    body.mesh.generator.high = high;
    body.materials.push_back({"*", material});
    scene.bodies.push_back(std::move(body));
    scene.step = 1.0 / kStrainSteps;
    scene.duration = 1.0;
    scene.output.every = kStrainSteps;
    return scene;
}

const std::vector<StrainCase>& strain_cases() {
    static const std::vector<StrainCase> cases = [] {
        std::vector<StrainCase> out;
        for (const auto& part : {stretched_cases(), turned_cases(), bent_cases()})
            out.insert(out.end(), part.begin(), part.end());
        return out;
    }();
    return cases;
}

const StrainCase& strain_case(const std::string& name) {
    for (const StrainCase& c : strain_cases())
        if (c.name == name) return c;
    throw Error(Fault::bad_usage, {}, text("no strain case \"", name, "\""),
                "stretch, squeeze, pull, shear, turn, swing or bend");
}

}  // namespace limber
