// The test bench: standard bodies, and a deformer with its state, loads and scratch memory in one hand.
#pragma once

#include <limber/method.hpp>

#include <memory>
#include <string>
#include <vector>

namespace limber::conformance {

/// The step everything runs at unless said otherwise [s]: small enough for explicit schemes on the standard bodies.
constexpr double kStep = 1.0 / 256.0;
/// Length of the standard body [m]; it is half as high and deep.
constexpr double kLength = 1.0;

struct BodySpec {
    CellKind kind = CellKind::hex8;
    int cells = 4;          ///< along x; half as many across
    bool anchored = true;   ///< the left side is held
    bool handle = false;    ///< the right side is driven
    bool vertices = false;  ///< ... each of its vertices by itself
    bool rollers = false;   ///< instead: three sides slide, and the handle drives x only
    double alpha = 2.0;     ///< Rayleigh damping: the slowest swing of the standard body is about critically damped
};
std::shared_ptr<const Body> standard_body(const BodySpec& spec);
Material standard_material();
double total_mass(const Body& body);
/// The vertex nearest to a point given in parts of the standard body's size.
std::int32_t vertex_near(const Body& body, const Vec3& parts);

/// One kind per dimension that the traits list (the first of each).
std::vector<CellKind> typical_kinds(const Traits& traits);

/// Options for a run: `given`, and where the table has them "step" (for methods of fixed step) and "max_live".
OptionValues run_options(const Method& method, const OptionValues& given, double step = kStep);
std::shared_ptr<const Deformer> prepare(const Method& method, const std::shared_ptr<const Body>& body,
                                        const OptionValues& given = {}, double step = kStep);

struct TestBench {
    explicit TestBench(std::shared_ptr<const Deformer> prepared, double step = kStep);

    std::shared_ptr<const Deformer> deformer;
    double dt;
    State state;
    Workspace scratch;
    std::vector<Vec3> force;
    Vec3 gravity;
    std::vector<HandleTarget> handles;
    std::vector<VertexTarget> vertices;
    std::vector<PointConstraint> live;

    const Body& body() const { return deformer->body(); }
    bool planar() const { return body().mesh().dimension() == 2; }
    int dimension() const { return body().mesh().dimension(); }
    Loads loads() const;
    StepReport step() { return deformer->step(state, loads(), dt, scratch); }
    std::vector<Vec3> displacements() const;
    std::vector<Vec3> velocities() const;
    /// Steps until nothing changes any more; false when that takes more than `seconds` of the body's time.
    bool settle(double seconds = 200.0);
};

/// Everything at once that the traits allow, as a function of the step's number: forces, gravity, a moving and turning
/// handle, live constraints that come, move and go. Changes the bench's loads in place, without memory.
void drive(TestBench& bench, const Traits& traits, int step);

/// Where a handle's target puts one of its vertices, given by its rest position.
VertexTarget rigid_target(const Handle& handle, const HandleTarget& target, const Vec3& rest);

/// Gives the bench its live constraints (switched off): up to three, as many as the deformer can hold. drive() moves
/// them.
void arm_live(TestBench& bench);
/// Where the point of a constraint lies at rest, and where it lies now.
Vec3 rest_point(const Body& body, const PointConstraint& point);
Vec3 point_now(const TestBench& bench, const PointConstraint& point);

/// A point tied to one vertex, target at its rest position.
PointConstraint tie(const Body& body, std::int32_t vertex, PointConstraint::Kind kind);

/// Raises `worst` to `value`. A NaN is the worst of all, and stays: std::max would lose it.
void keep_worst(double& worst, double value);
double largest(std::span<const Vec3> field);
double difference(std::span<const Vec3> a, std::span<const Vec3> b);
bool all_finite(std::span<const Vec3> field);
/// Displacements, velocities, energies and reactions hold no NaN and no infinity.
bool outputs_finite(TestBench& bench);

}  // namespace limber::conformance
