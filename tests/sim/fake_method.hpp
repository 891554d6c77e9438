// A method that does nothing but what a test tells it to: every vertex moves along x by the time, trouble comes on
// command.
#pragma once

#include <limber/method.hpp>

#include <limits>
#include <memory>

namespace limber {

/// What the fake was asked for last; tests read it.
struct FakeCalls {
    double prepared_step = 0.0;
    int steps = 0;
    double last_dt = 0.0;
};
inline FakeCalls& fake_calls() {
    static FakeCalls calls;
    return calls;
}

/// Whether the fake says that it collides.
inline bool& fake_collides() {
    static bool collides = false;
    return collides;
}

class FakeDeformer final : public Deformer {
public:
    FakeDeformer(std::shared_ptr<const Body> body, const Options& options)
        : body_(std::move(body)),
          step_(options.real("step")),
          fail_at_(options.integer("fail_at")),
          kind_(options.choice("fail_as")) {}

    const Body& body() const override { return *body_; }
    const char* method_name() const override { return "fake"; }
    double prepared_step() const override { return step_; }
    int live_capacity() const override { return 0; }
    std::size_t memory() const override { return 123; }
    State rest_state() const override { return {0.0, {0.0}, {0}}; }
    Workspace make_workspace() const override { return {}; }

    StepReport step(State& state, const Loads& loads, double dt, Workspace&) const noexcept override {
        StepReport report;
        ++fake_calls().steps;
        fake_calls().last_dt = dt;
        state.time += dt;
        ++state.marks[0];
        // The pose of the last handle and gravity are passed through, so that tests see which loads arrived when.
        state.reals[0] = loads.handles.empty() ? state.time : loads.handles.back().translation.x;
        if (state.marks[0] != fail_at_) return report;
        if (kind_ == "silent_nan") state.reals[0] = std::numeric_limits<double>::quiet_NaN();
        if (kind_ == "not_converged") report.trouble = Trouble::not_converged;
        if (kind_ == "inverted_cell") {
            report.trouble = Trouble::inverted_cell;
            report.where = 3;
        }
        if (kind_ == "non_finite") {
            state.reals[0] = std::numeric_limits<double>::infinity();
            report.trouble = Trouble::non_finite;
            report.where = 7;
        }
        return report;
    }
    void displacements(const State& state, std::span<Vec3> out) const noexcept override {
        for (Vec3& u : out) u = {state.reals[0], 0.0, 0.0};
    }
    void velocities(const State&, std::span<Vec3> out) const noexcept override {
        for (Vec3& v : out) v = {};
    }
    Energies energies(const State&, Workspace&) const noexcept override { return {}; }
    bool set_motion(State&, std::span<const Vec3>, std::span<const Vec3>) const noexcept override { return false; }
    Wrench reaction(const State&, SupportRef) const noexcept override { return {}; }
    bool tangent_stiffness(const State&, SupportRef, Mat3&) const noexcept override { return false; }
    bool cell_stress(const State&, std::span<SymMat3>) const noexcept override { return false; }
    void save(ByteWriter&) const override {}

private:
    std::shared_ptr<const Body> body_;
    double step_;
    int fail_at_;
    std::string kind_;
};

class FakeMethod final : public Method {
public:
    const char* name() const override { return "fake"; }
    const char* summary() const override { return "Moves everything along x."; }
    Traits traits() const override {
        Traits traits;
        traits.cells = {CellKind::hex8};
        traits.free_bodies = true;
        traits.accepts_obstacles = fake_collides();
        return traits;
    }
    OptionTable options() const override {
        return {{"step", OptionType::real, "s", 0.5, 1e-9, 1e3, {}, false, "The step."},
                {"fail_at", OptionType::integer, "", -1.0, -1.0, 1e6, {}, false, "The step that fails."},
                {"fail_as",
                 OptionType::choice,
                 "",
                 std::string("non_finite"),
                 0.0,
                 0.0,
                 {"non_finite", "not_converged", "silent_nan", "inverted_cell"},
                 false,
                 "How."}};
    }
    std::unique_ptr<Deformer> prepare(std::shared_ptr<const Body> body, const OptionValues& given,
                                      Progress&) const override {
        const Options values(options(), given);
        fake_calls().prepared_step = values.real("step");
        return std::make_unique<FakeDeformer>(std::move(body), values);
    }
    std::unique_ptr<Deformer> load(std::shared_ptr<const Body>, ByteReader& in) const override {
        in.fail("the fake cannot be loaded");
    }
};

inline void register_fake() {
    if (!find_method("fake")) register_method(std::make_unique<const FakeMethod>());
}

}  // namespace limber
