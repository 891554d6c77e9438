// Cases that part linear from quadratic (Green) strain: each has an amplitude that grows, a scene for it, and two
// truths that no finite element of ours had a hand in.
#pragma once

#include <limber/tools/sim.hpp>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace limber {

inline constexpr int kStrainSteps = 16;  ///< a case's load grows to its amplitude in so many steps over one second

/// What is left when the load has come to its amplitude.
struct StrainOutcome {
    const RunResult& run;

    const Body& body() const { return *run.recording.body; }
    const Frame& last() const { return run.recording.frames.back(); }
    /// Where a probe is [m].
    Vec3 position(const std::string& probe) const;
    /// Force that a handle exerts [N].
    Vec3 force_of(const std::string& handle) const;
};

/// One number measured in a case; all are without unit.
struct StrainQuantity {
    std::string name;
    std::string words;      ///< what is divided by what
    double exponent = 1.0;  ///< linear strain leaves Green strain as this power of the amplitude
    std::function<double(double amplitude)> linear, green;  ///< the truths
    std::function<double(double amplitude)> scale;          ///< errors are parts of this
    std::function<double(const StrainOutcome&)> measure;

    /// |value - truth| in parts of the scale; against linear strain of its own value where that is larger.
    double against_linear(double amplitude, double value) const;
    double against_green(double amplitude, double value) const;
    /// How far the two truths are apart.
    double apart(double amplitude) const { return against_green(amplitude, linear(amplitude)); }
};

struct StrainCase {
    std::string name, title;
    std::string about;                       ///< the body, the load, where the truths come from
    std::string amplitude;                   ///< what grows
    std::function<std::string(double)> say;  ///< an amplitude in words: "a lengthening of 1 %"
    double largest = 1.0;                    ///< amplitudes go from a thousandth to here
    std::vector<CellKind> kinds;             ///< a method gets the first of these that it can take
    bool forces = false;                     ///< driven by forces; otherwise by handles
    double discretisation = 1e-8;            ///< how near linear strain on these meshes comes to the linear truth
    std::vector<StrainQuantity> quantities;
    /// The load reaches the amplitude at t = 1 s, the end.
    std::function<Scene(double amplitude, CellKind kind)> scene;

    std::vector<double> amplitudes(int per_decade) const;
};

/// stretch, squeeze, pull, shear, turn, swing, bend.
const std::vector<StrainCase>& strain_cases();
/// Throws Error{bad_usage} for a name that is none.
const StrainCase& strain_case(const std::string& name);

// Pieces of the list, one per file.
std::vector<StrainCase> stretched_cases();  ///< stretch, squeeze, pull, shear
std::vector<StrainCase> turned_cases();     ///< turn, swing
std::vector<StrainCase> bent_cases();       ///< bend

/// A box (or, in the plane, a grid) of `material` without supports or loads, timed as above.
Scene strain_scene(const std::string& name, const Material& material, CellKind kind, std::array<int, 3> counts,
                   const Vec3& low, const Vec3& high);
/// From nothing to everything in one second.
ScaleTrack strain_ramp();
/// A handle that goes to a pose in one second.
HandleSpec strain_handle(const std::string& name, const std::string& set, const Axes& axes, const Vec3& translation,
                         const Vec3& rotation = {});
/// Soft rubber-like: E = 10 kPa, nu = 0.3.
Material strain_material(double poisson = 0.3);

}  // namespace limber
