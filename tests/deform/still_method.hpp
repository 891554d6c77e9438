// A method that does nothing: enough of one to test the seam around it.
#pragma once

#include <limber/method.hpp>

#include <algorithm>

namespace limber {

class StillDeformer : public Deformer {
public:
    StillDeformer(std::shared_ptr<const Body> body, double number) : body_(std::move(body)), number_(number) {}
    const Body& body() const override { return *body_; }
    const char* method_name() const override { return "still"; }
    double prepared_step() const override { return 0.0; }
    int live_capacity() const override { return 0; }
    std::size_t memory() const override { return sizeof *this; }
    State rest_state() const override { return {}; }
    Workspace make_workspace() const override { return {}; }
    StepReport step(State& state, const Loads&, double dt, Workspace&) const noexcept override {
        state.time += dt;
        return {};
    }
    void displacements(const State&, std::span<Vec3> out) const noexcept override {
        std::fill(out.begin(), out.end(), Vec3{});
    }
    void velocities(const State&, std::span<Vec3> out) const noexcept override {
        std::fill(out.begin(), out.end(), Vec3{});
    }
    Energies energies(const State&, Workspace&) const noexcept override { return {}; }
    bool set_motion(State&, std::span<const Vec3>, std::span<const Vec3>) const noexcept override { return false; }
    Wrench reaction(const State&, SupportRef) const noexcept override { return {}; }
    bool tangent_stiffness(const State&, SupportRef, Mat3&) const noexcept override { return false; }
    bool cell_stress(const State&, std::span<SymMat3>) const noexcept override { return false; }
    void save(ByteWriter& out) const override { out.f64(number_); }
    double number() const { return number_; }

private:
    std::shared_ptr<const Body> body_;
    double number_;
};

class StillMethod : public Method {
public:
    explicit StillMethod(Traits traits = {.cells = {CellKind::hex8, CellKind::quad4}}) : traits_(std::move(traits)) {}
    const char* name() const override { return "still"; }
    const char* summary() const override { return "Never moves."; }
    Traits traits() const override { return traits_; }
    OptionTable options() const override { return {}; }
    std::unique_ptr<Deformer> prepare(std::shared_ptr<const Body> body, const OptionValues&, Progress&) const override {
        check_traits(*this, *body);
        return std::make_unique<StillDeformer>(std::move(body), 42.5);
    }
    std::unique_ptr<Deformer> load(std::shared_ptr<const Body> body, ByteReader& in) const override {
        return std::make_unique<StillDeformer>(std::move(body), in.f64());
    }

private:
    Traits traits_;
};

inline std::shared_ptr<const Body> still_body(CellKind kind = CellKind::hex8, bool held = true) {
    BodyDescription d;
    d.mesh = dimension_of(kind) == 3 ? make_box(kind, 1, 1, 1, {0, 0, 0}, {1, 1, 1})
                                     : make_grid(kind, 1, 1, {0, 0, 0}, {1, 1, 0});
    d.materials = {{"", Material{}}};
    if (held) d.anchors = {{"wall", d.mesh.vertex_sets.at("left"), {}}};
    return Body::make(std::move(d));
}

}  // namespace limber
