// A method that reaches its deformers through limber.h alone, so that the conformance suite examines the C API as it
// does methods.
#pragma once

#include <limber/limber.h>
#include <limber/method.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace limber::testing {

inline limber_vec3 in_c(const Vec3& v) { return {v.x, v.y, v.z}; }

/// Throws the Error that the C function told of.
inline void expect_done(limber_status status, const limber_error& error) {
    if (status == LIMBER_OK) return;
    static constexpr Fault kFaults[] = {Fault::bad_usage,    Fault::bad_usage,  Fault::bad_file,   Fault::bad_mesh,
                                        Fault::bad_material, Fault::bad_scene,  Fault::bad_option, Fault::bad_data,
                                        Fault::unsupported,  Fault::interrupted};
    if (status > LIMBER_INTERRUPTED) throw std::runtime_error(error.found);
    throw Error(kFaults[status], {error.place, 0, {}}, error.found, error.expected);
}

struct COwned {
    struct Free {
        void operator()(limber_body* p) const { limber_body_free(p); }
        void operator()(limber_body_maker* p) const { limber_body_maker_free(p); }
        void operator()(limber_deformer* p) const { limber_deformer_free(p); }
        void operator()(limber_options* p) const { limber_options_free(p); }
        void operator()(limber_world* p) const { limber_world_free(p); }
    };
    template <class T>
    using Ptr = std::unique_ptr<T, Free>;
};

inline unsigned bits_of(const Axes& axes) {
    unsigned bits = 0;
    for (int i = 0; i < 3; ++i) bits |= axes[i] ? 1u << i : 0u;
    return bits;
}

/// The same body made of arrays, call by call.
inline COwned::Ptr<limber_body> body_through_c(const Body& body) {
    const BodyDescription& d = body.description();
    limber_error e{};
    limber_body_maker* raw = nullptr;
    std::vector<limber_vec3> at;
    for (const Vec3& p : d.mesh.vertices) at.push_back(in_c(p));
    expect_done(limber_body_maker_new(static_cast<limber_cell_kind>(d.mesh.kind), at.data(), at.size(),
                                      d.mesh.cells.data(), d.mesh.cell_count(), &raw, &e),
                e);
    const COwned::Ptr<limber_body_maker> maker(raw);
    const auto add_set = [&](const std::string& name, const IndexSet& set) {
        expect_done(limber_body_maker_vertex_set(raw, name.c_str(), set.data(), set.size(), &e), e);
    };
    for (const auto& [name, set] : d.mesh.vertex_sets) add_set(name, set);
    for (const auto& [name, set] : d.mesh.cell_sets)
        expect_done(limber_body_maker_cell_set(raw, name.c_str(), set.data(), set.size(), &e), e);
    for (const MaterialAssignment& m : d.materials) {
        const limber_material material{m.material.young, m.material.poisson, m.material.density,
                                       m.material.rayleigh_alpha, m.material.rayleigh_beta};
        expect_done(limber_body_maker_material(raw, m.cell_set.empty() ? nullptr : m.cell_set.c_str(), &material, &e),
                    e);
    }
    expect_done(limber_body_maker_planar(raw, d.thickness, d.plane == Plane::stress, &e), e);
    for (const Anchor& a : d.anchors) {
        add_set("held " + a.name, a.vertices);
        expect_done(limber_body_maker_anchor(raw, a.name.c_str(), ("held " + a.name).c_str(), bits_of(a.axes), &e), e);
    }
    for (const Handle& h : d.handles) {
        add_set("driven " + h.name, h.vertices);
        expect_done(limber_body_maker_handle(raw, h.name.c_str(), ("driven " + h.name).c_str(), bits_of(h.axes),
                                             in_c(h.pivot), h.each_vertex, &e),
                    e);
    }
    limber_body* made = nullptr;
    expect_done(limber_body_make(raw, d.name.c_str(), &made, &e), e);
    return COwned::Ptr<limber_body>(made);
}

/// One world per thread: states come and go through it.
class CDeformer final : public Deformer {
public:
    CDeformer(std::shared_ptr<const Body> body, const Method& method, COwned::Ptr<limber_deformer> deformer)
        : body_(std::move(body)), method_(method), deformer_(std::move(deformer)) {}

    const Body& body() const override { return *body_; }
    const char* method_name() const override { return method_.name(); }
    double prepared_step() const override { return limber_deformer_step(deformer_.get()); }
    int live_capacity() const override { return static_cast<int>(limber_deformer_live_capacity(deformer_.get())); }
    std::size_t memory() const override { return limber_deformer_memory(deformer_.get()); }

    State rest_state() const override {
        const COwned::Ptr<limber_world> fresh = make_world();
        State state;
        size(fresh.get(), state);
        read(fresh.get(), state);
        return state;
    }
    Workspace make_workspace() const override { return {}; }

    StepReport start(State& state, const Loads& now, Workspace&) const noexcept override {
        return run(state, now, [](limber_world* world) { limber_world_start(world); });
    }
    StepReport step(State& state, const Loads& loads, double dt, Workspace&) const noexcept override {
        return run(state, loads, [dt](limber_world* world) { limber_world_step(world, dt); });
    }
    void displacements(const State& state, std::span<Vec3> out) const noexcept override {
        limber_world* world = showing(state);
        limber_world_displacements(world, 0, reinterpret_cast<limber_vec3*>(out.data()), out.size(), nullptr);
    }
    void velocities(const State& state, std::span<Vec3> out) const noexcept override {
        limber_world_velocities(showing(state), 0, reinterpret_cast<limber_vec3*>(out.data()), out.size(), nullptr);
    }
    Energies energies(const State& state, Workspace&) const noexcept override {
        Energies e;
        limber_world_energies(showing(state), 0, &e.kinetic, &e.elastic, nullptr);
        return e;
    }
    bool set_motion(State& state, std::span<const Vec3> displacement,
                    std::span<const Vec3> velocity) const noexcept override {
        limber_world* world = showing(state);
        const limber_status status = limber_world_set_motion(world, 0,
                                                             reinterpret_cast<const limber_vec3*>(displacement.data()),
                                                             reinterpret_cast<const limber_vec3*>(velocity.data()),
                                                             std::min(displacement.size(), velocity.size()), nullptr);
        if (status == LIMBER_OK) read(world, state);
        return status == LIMBER_OK;
    }
    Wrench reaction(const State& state, SupportRef support) const noexcept override {
        limber_wrench w{};
        if (limber_world_reaction(showing(state), 0, kind_of(support), support.index, &w, nullptr) != LIMBER_OK)
            return {};
        return {{w.force.x, w.force.y, w.force.z}, {w.torque.x, w.torque.y, w.torque.z}};
    }
    bool tangent_stiffness(const State& state, SupportRef support, Mat3& out) const noexcept override {
        double k[9];
        if (limber_world_stiffness(showing(state), 0, kind_of(support), support.index, k, nullptr) != LIMBER_OK)
            return false;
        for (int i = 0; i < 9; ++i) out(i / 3, i % 3) = k[i];
        return true;
    }
    bool cell_stress(const State& state, std::span<SymMat3> out) const noexcept override {
        return limber_world_stress(showing(state), 0, reinterpret_cast<double*>(out.data()), out.size(), nullptr) ==
               LIMBER_OK;
    }
    void save(ByteWriter& out) const override {
        limber_error e{};
        std::uint8_t* bytes = nullptr;
        std::size_t size = 0;
        expect_done(limber_deformer_save(deformer_.get(), &bytes, &size, &e), e);
        out.text({reinterpret_cast<const char*>(bytes), size});
        limber_bytes_free(bytes);
    }

private:
    static limber_support kind_of(SupportRef support) {
        switch (support.kind) {
            case SupportRef::Kind::anchor: return LIMBER_ANCHOR;
            case SupportRef::Kind::handle: return LIMBER_HANDLE;
            case SupportRef::Kind::live: return LIMBER_LIVE;
            case SupportRef::Kind::obstacle: break;
        }
        return LIMBER_OBSTACLE;
    }

    COwned::Ptr<limber_world> make_world() const {
        limber_error e{};
        limber_world* made = nullptr;
        expect_done(limber_world_new(&made, &e), e);
        COwned::Ptr<limber_world> world(made);
        expect_done(limber_world_add(made, deformer_.get(), nullptr, &e), e);
        limber_world_tolerate(made, ~0u);  // the suite looks at what a step leaves, whatever it reports
        return world;
    }

    static void size(const limber_world* world, State& state) {
        std::size_t reals = 0, marks = 0;
        limber_world_state_sizes(world, 0, &reals, &marks, nullptr);
        state.reals.resize(reals);
        state.marks.resize(marks);
    }
    static bool read(const limber_world* world, State& state) {
        return limber_world_read_state(world, 0, &state.time, state.reals.data(), state.reals.size(),
                                       state.marks.data(), state.marks.size(), nullptr) == LIMBER_OK;
    }
    static bool write(limber_world* world, const State& state) {
        return limber_world_write_state(world, 0, state.time, state.reals.data(), state.reals.size(),
                                        state.marks.data(), state.marks.size(), nullptr) == LIMBER_OK;
    }

    limber_world* own_world() const {
        const std::lock_guard held(lock_);
        COwned::Ptr<limber_world>& mine = worlds_[std::this_thread::get_id()];
        if (mine == nullptr) mine = make_world();
        return mine.get();
    }
    limber_world* showing(const State& state) const {
        limber_world* world = own_world();
        write(world, state);
        return world;
    }

    /// C's arrays have their sizes: what does not fit is refused here.
    bool put_loads(limber_world* world, const Loads& loads) const {
        std::size_t count = 0;
        limber_world_gravity(world, in_c(loads.gravity));
        limber_vec3* force = limber_world_forces(world, 0, &count);
        if (!loads.force.empty() && loads.force.size() != count) return false;
        for (std::size_t v = 0; v < count; ++v) force[v] = loads.force.empty() ? limber_vec3{} : in_c(loads.force[v]);
        limber_handle_target* handles = limber_world_handles(world, 0, &count);
        if (!loads.handles.empty() && loads.handles.size() != count) return false;
        for (std::size_t h = 0; h < count; ++h)
            reinterpret_cast<HandleTarget&>(handles[h]) = loads.handles.empty() ? HandleTarget{} : loads.handles[h];
        limber_vertex_target* vertices = limber_world_vertex_targets(world, 0, &count);
        if (!loads.vertices.empty() && loads.vertices.size() != count) return false;
        for (std::size_t v = 0; v < count; ++v) {
            const Vec3& rest = body_->mesh().vertices[static_cast<std::size_t>(body_->driven_vertices()[v])];
            reinterpret_cast<VertexTarget&>(vertices[v]) = loads.vertices.empty() ? VertexTarget{rest, {}}
                                                                                  : loads.vertices[v];
        }
        limber_live* live = limber_world_live(world, 0, &count);
        if (loads.live.size() > count) return false;
        for (std::size_t i = 0; i < count; ++i)
            reinterpret_cast<PointConstraint&>(live[i]) = i < loads.live.size() ? loads.live[i] : PointConstraint{};
        return loads.obstacles.empty();
    }

    template <class Call>
    StepReport run(State& state, const Loads& loads, Call call) const noexcept {
        StepReport report;
        limber_world* world = own_world();
        if (!write(world, state)) report.trouble |= Trouble::bad_state;
        if (!put_loads(world, loads)) report.trouble |= Trouble::bad_loads;
        if (report.trouble != Trouble::none) return report;
        call(world);
        limber_report told;
        limber_world_report(world, 0, &told, nullptr);
        read(world, state);
        report.trouble = static_cast<Trouble>(told.trouble);
        report.sub_steps = told.sub_steps;
        report.iterations = told.iterations;
        report.linearisations = told.linearisations;
        report.residual = told.residual;
        report.where = told.where;
        return report;
    }

    std::shared_ptr<const Body> body_;
    const Method& method_;
    COwned::Ptr<limber_deformer> deformer_;
    mutable std::mutex lock_;
    mutable std::map<std::thread::id, COwned::Ptr<limber_world>> worlds_;
};

class ThroughC final : public Method {
public:
    explicit ThroughC(std::string inner) : inner_(std::move(inner)), name_(inner_ + "_through_c") {}
    const char* name() const override { return name_.c_str(); }
    const char* summary() const override { return limber_method_summary(inner_.c_str()); }

    Traits traits() const override {
        limber_traits t{};
        limber_error e{};
        expect_done(limber_method_traits(inner_.c_str(), &t, &e), e);
        Traits out;
        for (int k = LIMBER_TRI3; k <= LIMBER_HEX8; ++k)
            if ((t.cells & (1u << k)) != 0) out.cells.push_back(static_cast<CellKind>(k));
        out.fixed_step = t.fixed_step;
        out.linear = t.linear;
        out.dynamic = t.dynamic;
        out.accepts_forces = t.accepts_forces;
        out.accepts_gravity = t.accepts_gravity;
        out.accepts_handles = t.accepts_handles;
        out.accepts_vertex_targets = t.accepts_vertex_targets;
        out.accepts_live = t.accepts_live;
        out.free_bodies = t.free_bodies;
        out.readout_stiffness = t.readout_stiffness;
        out.order = t.order;
        out.small_load_tolerance = t.small_load_tolerance;
        return out;
    }

    OptionTable options() const override {
        OptionTable table;
        for (std::size_t i = 0; i < limber_option_count(inner_.c_str()); ++i) {
            limber_option_info info;
            limber_error e{};
            expect_done(limber_option(inner_.c_str(), i, &info, &e), e);
            OptionSpec spec{info.name, OptionType::real, info.unit,    info.fallback, info.low, info.high,
                            {},        info.live,        info.sentence};
            if (info.type == LIMBER_INTEGER) spec.type = OptionType::integer;
            if (info.type == LIMBER_FLAG) {
                spec.type = OptionType::flag;
                spec.fallback = info.fallback != 0.0;
            }
            if (info.type == LIMBER_CHOICE) {
                spec.type = OptionType::choice;
                spec.fallback = std::string(info.fallback_choice);
                for (std::size_t c = 0; c < info.choice_count; ++c) spec.choices.emplace_back(info.choices[c]);
            }
            table.push_back(std::move(spec));
        }
        return table;
    }

    std::unique_ptr<Deformer> prepare(std::shared_ptr<const Body> body, const OptionValues& options,
                                      Progress& progress) const override {
        limber_error e{};
        limber_options* raw = nullptr;
        expect_done(limber_options_new(&raw, &e), e);
        const COwned::Ptr<limber_options> given(raw);
        for (const auto& [name, value] : options) {
            if (const double* real = value.number()) limber_options_set_real(raw, name.c_str(), *real, &e);
            if (const bool* flag = value.flag()) limber_options_set_flag(raw, name.c_str(), *flag, &e);
            if (const std::string* word = value.word()) limber_options_set_choice(raw, name.c_str(), word->c_str(), &e);
        }
        const auto call = [](void* user, double fraction, const char* doing) {
            static_cast<Progress*>(user)->update(fraction, doing);
            return !static_cast<Progress*>(user)->stop_requested();
        };
        limber_deformer* made = nullptr;
        expect_done(limber_prepare(body_through_c(*body).get(), inner_.c_str(), raw, call, &progress, &made, &e), e);
        return std::make_unique<CDeformer>(std::move(body), *this, COwned::Ptr<limber_deformer>(made));
    }

    std::unique_ptr<Deformer> load(std::shared_ptr<const Body> body, ByteReader& in) const override {
        const std::string bytes = in.text();
        limber_error e{};
        limber_deformer* made = nullptr;
        expect_done(limber_deformer_load(body_through_c(*body).get(),
                                         reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), &made, &e),
                    e);
        return std::make_unique<CDeformer>(std::move(body), *this, COwned::Ptr<limber_deformer>(made));
    }

private:
    std::string inner_, name_;
};

}  // namespace limber::testing
