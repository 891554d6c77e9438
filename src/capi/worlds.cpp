#include "capi/handles.hpp"
#include "capi/layouts.hpp"

#include <limber/bytes.hpp>

using namespace limber;
using namespace limber::capi;

namespace {

constexpr std::uint32_t kStateFormat = 1;

/// The world's own array of what acts on a body, as C sees it.
template <class C, class Cpp>
C* inputs_of(limber_world* world, size_t body, std::vector<Cpp> BodyInputs::*part, size_t* count) {
    if (count != nullptr) *count = 0;
    if (world == nullptr || body >= world->world.body_count()) return nullptr;
    std::vector<Cpp>& items = world->world.inputs(body).*part;
    if (count != nullptr) *count = items.size();
    return items.empty() ? nullptr : seen_from_c<C>(items.data());
}

std::size_t vertices_of(const limber_world& world, size_t body) {
    return world.world.deformer(body).body().vertex_count();
}

std::span<Vec3> field(limber_vec3* out, size_t count) { return {reinterpret_cast<Vec3*>(out), count}; }

/// Checks a readout of one entry per vertex, then reads it.
template <class Out, class Read>
limber_status read_vertices(const limber_world* world, size_t body, const Out* out, size_t count, limber_error* error,
                            Read read) {
    return guarded(error, [&] {
        with_body(world, body);
        given(out, "out");
        check_count(count, vertices_of(*world, body), "vertices");
        read(world->world);
    });
}

/// A support that the body has. Throws Error{bad_usage}.
SupportRef support_of(const limber_world& world, size_t body, limber_support kind, int index) {
    const Deformer& deformer = world.world.deformer(body);
    std::size_t count = 0;
    SupportRef ref{SupportRef::Kind::anchor, index};
    switch (kind) {
        case LIMBER_ANCHOR: count = deformer.body().anchors().size(); break;
        case LIMBER_HANDLE:
            ref.kind = SupportRef::Kind::handle;
            count = deformer.body().handles().size();
            break;
        case LIMBER_LIVE:
            ref.kind = SupportRef::Kind::live;
            count = static_cast<std::size_t>(std::max(deformer.live_capacity(), 0));
            break;
        case LIMBER_OBSTACLE:
            ref.kind = SupportRef::Kind::obstacle;
            count = world.world.obstacle_count();
            break;
        default:
            throw Error(Fault::bad_usage, {}, "support " + std::to_string(static_cast<int>(kind)),
                        "one of limber_support");
    }
    if (index < 0 || static_cast<std::size_t>(index) >= count) {
        throw Error(Fault::bad_usage, {}, "index " + std::to_string(index),
                    "below " + std::to_string(count) + ", the number of supports of that kind");
    }
    return ref;
}

/// Throws Error{bad_usage} for a shape that does not exist.
Obstacle obstacle_of(const limber_obstacle& o) {
    Obstacle out;
    switch (o.shape) {
        case LIMBER_PLANE: out.shape = PlaneShape{}; break;
        case LIMBER_BOX: out.shape = BoxShape{from_c(o.half), o.inside}; break;
        case LIMBER_BALL: out.shape = BallShape{o.radius}; break;
        case LIMBER_CAPSULE: out.shape = CapsuleShape{o.radius, o.half_length}; break;
        default:
            throw Error(Fault::bad_usage, {}, "shape " + std::to_string(static_cast<int>(o.shape)),
                        "one of limber_shape");
    }
    out.position = from_c(o.position);
    out.rotation = {o.rotation.w, o.rotation.x, o.rotation.y, o.rotation.z};
    out.velocity = from_c(o.velocity);
    out.angular_velocity = from_c(o.angular_velocity);
    return out;
}

limber_vec3 to_c(const Vec3& v) { return {v.x, v.y, v.z}; }

}  // namespace

void limber_trouble_words(uint32_t trouble, char* words, size_t size) {
    guarded(nullptr, [&] { copy_text(to_string(static_cast<Trouble>(trouble)), words, size); });
}

limber_status limber_world_new(limber_world** out, limber_error* error) {
    return guarded(error, [&] { given(out, "out") = new limber_world; });
}
void limber_world_free(limber_world* world) { delete world; }

limber_status limber_world_add(limber_world* world, const limber_deformer* deformer, size_t* body,
                               limber_error* error) {
    return guarded(error, [&] {
        const std::size_t number = given(world, "world").world.add(given(deformer, "deformer").deformer);
        if (body != nullptr) *body = number;
    });
}

limber_status limber_world_add_obstacle(limber_world* world, const limber_obstacle* obstacle, size_t* index,
                                        limber_error* error) {
    return guarded(error, [&] {
        const std::size_t number = given(world, "world").world.add_obstacle(obstacle_of(given(obstacle, "obstacle")));
        if (index != nullptr) *index = number;
    });
}

limber_status limber_world_set_obstacle(limber_world* world, size_t index, const limber_obstacle* obstacle,
                                        limber_error* error) {
    return guarded(error, [&] {
        World& to = given(world, "world").world;
        if (index >= to.obstacle_count()) {
            throw Error(Fault::bad_usage, {}, "obstacle " + std::to_string(index),
                        "below " + std::to_string(to.obstacle_count()) + ", the number of obstacles");
        }
        to.obstacle(index) = obstacle_of(given(obstacle, "obstacle"));
    });
}

size_t limber_world_body_count(const limber_world* world) { return world == nullptr ? 0 : world->world.body_count(); }
void limber_world_gravity(limber_world* world, limber_vec3 gravity) {
    if (world != nullptr) world->world.set_gravity(from_c(gravity));
}
void limber_world_tolerate(limber_world* world, uint32_t trouble) {
    if (world != nullptr) world->world.tolerate(static_cast<Trouble>(trouble));
}

limber_vec3* limber_world_forces(limber_world* world, size_t body, size_t* count) {
    return inputs_of<limber_vec3>(world, body, &BodyInputs::force, count);
}
limber_handle_target* limber_world_handles(limber_world* world, size_t body, size_t* count) {
    return inputs_of<limber_handle_target>(world, body, &BodyInputs::handles, count);
}
limber_vertex_target* limber_world_vertex_targets(limber_world* world, size_t body, size_t* count) {
    return inputs_of<limber_vertex_target>(world, body, &BodyInputs::vertices, count);
}
limber_live* limber_world_live(limber_world* world, size_t body, size_t* count) {
    return inputs_of<limber_live>(world, body, &BodyInputs::live, count);
}

uint32_t limber_world_start(limber_world* world) {
    return static_cast<uint32_t>(world == nullptr ? Trouble::bad_state : world->world.start());
}
uint32_t limber_world_step(limber_world* world, double dt) {
    return static_cast<uint32_t>(world == nullptr ? Trouble::bad_state : world->world.step(dt));
}
double limber_world_time(const limber_world* world) { return world == nullptr ? 0.0 : world->world.time(); }

limber_status limber_world_report(const limber_world* world, size_t body, limber_report* out, limber_error* error) {
    return guarded(error, [&] {
        const StepReport& r = with_body(world, body).world.report(body);
        given(out, "out") = {
            static_cast<uint32_t>(r.trouble), r.sub_steps, r.iterations, r.linearisations, r.residual, r.where};
    });
}

limber_status limber_world_positions(const limber_world* world, size_t body, limber_vec3* out, size_t count,
                                     limber_error* error) {
    return read_vertices(world, body, out, count, error,
                         [&](const World& from) { from.positions(body, field(out, count)); });
}

limber_status limber_world_displacements(const limber_world* world, size_t body, limber_vec3* out, size_t count,
                                         limber_error* error) {
    return read_vertices(world, body, out, count, error,
                         [&](const World& from) { from.displacements(body, field(out, count)); });
}

limber_status limber_world_velocities(const limber_world* world, size_t body, limber_vec3* out, size_t count,
                                      limber_error* error) {
    return read_vertices(world, body, out, count, error,
                         [&](const World& from) { from.velocities(body, field(out, count)); });
}

limber_status limber_world_positions_float(const limber_world* world, size_t body, float* out, size_t count,
                                           limber_error* error) {
    return read_vertices(world, body, out, count, error, [&](const World& from) {
        const std::span<const Vec3> at = from.positions(body);
        for (size_t v = 0; v < count; ++v)
            for (int i = 0; i < 3; ++i) out[3 * v + static_cast<size_t>(i)] = static_cast<float>(at[v][i]);
    });
}

limber_status limber_world_stress(const limber_world* world, size_t body, double* out, size_t count,
                                  limber_error* error) {
    return guarded(error, [&] {
        const Deformer& deformer = with_body(world, body).world.deformer(body);
        given(out, "out");
        check_count(count, deformer.body().mesh().cell_count(), "cells");
        static_assert(sizeof(SymMat3) == 6 * sizeof(double));
        if (!world->world.cell_stress(body, {reinterpret_cast<SymMat3*>(out), count}))
            throw Error(Fault::unsupported, {}, std::string(deformer.method_name()) + " has no stress",
                        "another method");
    });
}

limber_status limber_world_reaction(const limber_world* world, size_t body, limber_support kind, int index,
                                    limber_wrench* out, limber_error* error) {
    return guarded(error, [&] {
        with_body(world, body);
        const Wrench w = world->world.reaction(body, support_of(*world, body, kind, index));
        given(out, "out") = {to_c(w.force), to_c(w.torque)};
    });
}

limber_status limber_world_stiffness(const limber_world* world, size_t body, limber_support kind, int index,
                                     double out[9], limber_error* error) {
    return guarded(error, [&] {
        with_body(world, body);
        given(out, "out");
        Mat3 k;
        if (!world->world.tangent_stiffness(body, support_of(*world, body, kind, index), k)) {
            throw Error(Fault::unsupported, {}, "no stiffness of that support in the last step",
                        "a method that reads it out, and a constraint that was on");
        }
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) out[3 * i + j] = k(i, j);
    });
}

limber_status limber_world_energies(limber_world* world, size_t body, double* kinetic, double* elastic,
                                    limber_error* error) {
    return guarded(error, [&] {
        const Energies e = with_body(world, body).world.energies(body);
        if (kinetic != nullptr) *kinetic = e.kinetic;
        if (elastic != nullptr) *elastic = e.elastic;
    });
}

limber_status limber_world_save(const limber_world* world, size_t body, uint8_t** bytes, size_t* size,
                                limber_error* error) {
    return guarded(error, [&] {
        given(bytes, "bytes");
        given(size, "size");
        const World& from = with_body(world, body).world;
        const Deformer& deformer = from.deformer(body);
        const State& state = from.state(body);
        ByteWriter out;
        out.text("limber state");
        out.u32(kStateFormat);
        out.text(deformer.method_name());
        out.u64(deformer.body().hash());
        out.f64(state.time);
        out.reals(state.reals);
        out.ints(state.marks);
        hand_out(out.bytes(), bytes, size);
    });
}

limber_status limber_world_load(limber_world* world, size_t body, const uint8_t* bytes, size_t size,
                                limber_error* error) {
    return guarded(error, [&] {
        World& to = with_body(world, body).world;
        given_list(bytes, size, "bytes");
        const Deformer& deformer = to.deformer(body);
        ByteReader in({bytes, size});
        if (in.text() != "limber state") in.fail("something else", "a state saved by limber_world_save");
        if (const std::uint32_t format = in.u32(); format != kStateFormat)
            in.fail("state format " + std::to_string(format), std::to_string(kStateFormat));
        if (const std::string method = in.text(); method != deformer.method_name())
            in.fail("a state of method '" + method + "'", deformer.method_name());
        if (in.u64() != deformer.body().hash()) in.fail("a state of another body", "this one");
        State state;
        state.time = in.f64();
        state.reals = in.reals();
        state.marks = in.ints();
        if (in.left() > 0) in.fail(std::to_string(in.left()) + " bytes more", "the end");
        if (!to.set_state(body, state)) in.fail("a state of other options", "those of this deformer");
    });
}

limber_status limber_world_state_sizes(const limber_world* world, size_t body, size_t* reals, size_t* marks,
                                       limber_error* error) {
    return guarded(error, [&] {
        const State& state = with_body(world, body).world.state(body);
        if (reals != nullptr) *reals = state.reals.size();
        if (marks != nullptr) *marks = state.marks.size();
    });
}

limber_status limber_world_read_state(const limber_world* world, size_t body, double* time, double* reals,
                                      size_t real_count, int32_t* marks, size_t mark_count, limber_error* error) {
    return guarded(error, [&] {
        const State& state = with_body(world, body).world.state(body);
        check_count(real_count, state.reals.size(), "reals");
        check_count(mark_count, state.marks.size(), "marks");
        if (time != nullptr) *time = state.time;
        std::copy_n(state.reals.begin(), real_count, real_count > 0 ? &given(reals, "reals") : nullptr);
        std::copy_n(state.marks.begin(), mark_count, mark_count > 0 ? &given(marks, "marks") : nullptr);
    });
}

limber_status limber_world_write_state(limber_world* world, size_t body, double time, const double* reals,
                                       size_t real_count, const int32_t* marks, size_t mark_count,
                                       limber_error* error) {
    return guarded(error, [&] {
        World& to = with_body(world, body).world;
        given_list(reals, real_count, "reals");
        given_list(marks, mark_count, "marks");
        check_count(real_count, to.state(body).reals.size(), "reals");
        check_count(mark_count, to.state(body).marks.size(), "marks");
        to.set_state(body, time, {reals, real_count}, {marks, mark_count});
    });
}

limber_status limber_world_set_motion(limber_world* world, size_t body, const limber_vec3* displacement,
                                      const limber_vec3* velocity, size_t count, limber_error* error) {
    return guarded(error, [&] {
        World& to = with_body(world, body).world;
        given(displacement, "displacement");
        given(velocity, "velocity");
        check_count(count, vertices_of(*world, body), "vertices");
        const auto field_of = [&](const limber_vec3* from) {
            return std::span<const Vec3>(reinterpret_cast<const Vec3*>(from), count);
        };
        if (!to.set_motion(body, field_of(displacement), field_of(velocity)))
            throw Error(Fault::unsupported, {}, "a motion that the method cannot have", "one that it can");
    });
}
