// A Deformer is one method prepared for one body: the only thing the rest of the program steps.
#pragma once

#include <limber/body.hpp>
#include <limber/bytes.hpp>
#include <limber/loads.hpp>
#include <limber/options.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace limber {

/// Everything a step changes, warm starts and readouts included. Copy it to save, compare it to test. A state belongs
/// to the Deformer whose rest_state() made it, or to one of the same body, method and options: its vectors keep their
/// sizes.
struct State {
    double time = 0.0;                ///< [s]
    std::vector<double> reals;        ///< layout is private to the Deformer
    std::vector<std::int32_t> marks;  ///< active sets, counters and the like
    friend bool operator==(const State&, const State&) = default;
};

/// Scratch memory of one stepping thread, sized once by the Deformer that uses it. Its contents mean nothing between
/// steps, but for `cached`: what is costly to find and was found before, each part with a key that says what it is of.
/// A part whose key is another (0 will do) is found again, to the same bits.
struct Workspace {
    std::vector<double> reals;
    std::vector<std::int32_t> marks;
    std::vector<double> cached;
    std::vector<double> cache_keys;
};

/// Why a step was not what was asked for. The loop keeps the last good state and names the cause.
enum class Trouble : std::uint32_t {
    none = 0,
    not_converged = 1u << 0,  ///< an iteration stopped at its limit
    inverted_cell = 1u << 1,  ///< a cell was turned inside out
    non_finite = 1u << 2,     ///< a value overflowed (a step too large for an explicit scheme, usually)
    wrong_step = 1u << 3,     ///< dt is not one this deformer was prepared for; the state is unchanged
    bad_loads = 1u << 4,      ///< sizes, capacity or values of Loads are wrong; the state is unchanged
    /// Live constraints, or supports and obstacles, contradict each other; the last ones were dropped.
    constraint_conflict = 1u << 5,
    bad_state = 1u << 6,  ///< state or workspace is not one of this deformer's; nothing was done
    /// The body's middle left an obstacle (StepReport::where) on its other side: too thin to stop it.
    passed_through = 1u << 7
};
constexpr Trouble operator|(Trouble a, Trouble b) {
    return static_cast<Trouble>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr Trouble& operator|=(Trouble& a, Trouble b) { return a = a | b; }
constexpr bool has(Trouble all, Trouble one) {
    return (static_cast<std::uint32_t>(all) & static_cast<std::uint32_t>(one)) != 0;
}
/// "not converged, non-finite" (or "none")
std::string to_string(Trouble trouble);

/// What happened in one step.
struct StepReport {
    Trouble trouble = Trouble::none;
    int sub_steps = 1;        ///< how many smaller steps were taken
    int iterations = 0;       ///< of the linear solver, summed over sub-steps
    int linearisations = 0;   ///< of a nonlinear method (Newton's iterations), summed over sub-steps
    const char* solver = "";  ///< which linear solver took this step ("cholesky", "pcg", ...); a literal, "" = none
    double residual = 0.0;    ///< relative, of the last solve (0 for direct solvers); of large strain: what is left of
                              ///< the step's own forces
    std::int32_t where = -1;  ///< the first vertex or cell in trouble, -1 = not known
};

/// Force [N] and torque [N m] that a support exerts on the body; torque about the origin of the rest coordinates.
struct Wrench {
    Vec3 force;
    Vec3 torque;
};

/// What a readout is asked about: an anchor set, a handle, a live constraint or an obstacle of the loads, by index.
struct SupportRef {
    enum class Kind : std::uint8_t { anchor, handle, live, obstacle };
    Kind kind = Kind::anchor;
    int index = 0;
};

struct Energies {
    double kinetic = 0.0;  ///< [J]
    double elastic = 0.0;  ///< [J]
    double total() const { return kinetic + elastic; }
};

/// Immutable once built, so any number of threads and states may share one. Every state that it is given must be of
/// this deformer: made by its rest_state(), or a copy. start(), step() (Trouble::bad_state) and set_motion() (false)
/// check the sizes; the readouts do not, for speed: given another state they read beyond its end.
class Deformer {
public:
    virtual ~Deformer() = default;

    virtual const Body& body() const = 0;
    virtual const char* method_name() const = 0;
    /// The step it was prepared for [s]; 0 = any.
    virtual double prepared_step() const = 0;
    /// How many live constraints a step can hold at once.
    virtual int live_capacity() const = 0;
    /// Bytes of prepared data.
    virtual std::size_t memory() const = 0;
    /// What prepare decided or found: "omega_max", "sub_steps", "factor_bytes", ... for reports.
    virtual std::vector<std::pair<std::string, double>> facts() const { return {}; }
    /// What a person should know before running it: a step beyond the stable one, automatic sub-steps. One line each.
    virtual std::vector<std::string> remarks() const { return {}; }

    virtual State rest_state() const = 0;
    virtual Workspace make_workspace() const = 0;

    /// Makes a state consistent with the loads that act at its own time (handles where they are *now*): accelerations
    /// and reactions. Call it once before the first step when something acts or moves from the start; a step on a state
    /// that was not started does it with its own forces and with handles as the state has them.
    virtual StepReport start(State& /*state*/, const Loads& /*now*/, Workspace& /*scratch*/) const noexcept {
        return {};
    }

    /// Advances `state` by `dt` [s]. Never allocates after the first call, never throws: read the report.
    virtual StepReport step(State& state, const Loads& loads, double dt, Workspace& scratch) const noexcept = 0;

    /// Writes one displacement [m] (velocity [m/s]) per body vertex, in the world.
    virtual void displacements(const State& state, std::span<Vec3> out) const noexcept = 0;
    virtual void velocities(const State& state, std::span<Vec3> out) const noexcept = 0;
    virtual Energies energies(const State& state, Workspace& scratch) const noexcept = 0;

    /// Starts from another motion: one displacement and one velocity per body vertex (what is prescribed stays
    /// prescribed). False, and the state unchanged, when the method cannot represent it or the state is not of this
    /// deformer.
    virtual bool set_motion(State& state, std::span<const Vec3> displacement,
                            std::span<const Vec3> velocity) const noexcept = 0;

    /// The reaction of the last step.
    virtual Wrench reaction(const State& state, SupportRef support) const noexcept = 0;
    /// d(reaction force)/d(target position) of the last step, target velocity kept. False when there is none (an idle
    /// slot).
    virtual bool tangent_stiffness(const State& state, SupportRef support, Mat3& out) const noexcept = 0;
    /// Cauchy stress at cell centres, world axes [Pa]; false when the method has none.
    virtual bool cell_stress(const State& state, std::span<SymMat3> out) const noexcept = 0;

    /// Changes an option marked live. False when it cannot be.
    virtual bool set_live(State& /*state*/, const std::string& /*option*/, double /*value*/) const noexcept {
        return false;
    }

    /// The method's own part of a saved deformer; save_deformer() adds the version and the body's hash.
    virtual void save(ByteWriter& out) const = 0;
};

}  // namespace limber
