#include "conformance/test_bench.hpp"

#include <algorithm>
#include <cmath>

namespace limber::conformance {
namespace {

const Vec3 kHigh{kLength, kLength / 2, kLength / 2};

Mesh standard_mesh(const BodySpec& spec) {
    const int across = std::max(1, spec.cells / 2);
    if (dimension_of(spec.kind) == 2) return make_grid(spec.kind, spec.cells, across, {}, {kHigh.x, kHigh.y, 0});
    return make_box(spec.kind, spec.cells, across, across, {}, kHigh);
}

const OptionSpec* find_option(const OptionTable& table, const std::string& name, OptionType type) {
    for (const OptionSpec& option : table)
        if (option.name == name && option.type == type) return &option;
    return nullptr;
}

}  // namespace

Material standard_material() { return {"conformance", 5e3, 0.3, 1000.0, 2.0, 1e-3}; }

std::shared_ptr<const Body> standard_body(const BodySpec& spec) {
    BodyDescription d;
    d.mesh = standard_mesh(spec);
    const bool planar = d.mesh.dimension() == 2;
    d.thickness = kHigh.z;
    Material material = standard_material();
    material.rayleigh_alpha = spec.alpha;
    d.materials = {{"", material}};
    const auto side = [&](const char* name) { return d.mesh.vertex_sets.at(name); };
    const Vec3 grip{kHigh.x, kHigh.y / 2, planar ? 0.0 : kHigh.z / 2};
    if (spec.rollers) {
        d.anchors = {{"left", side("left"), {true, false, false}}, {"bottom", side("bottom"), {false, true, false}}};
        if (!planar) d.anchors.push_back({"back", side("back"), {false, false, true}});
        d.handles = {{"right", side("right"), {true, false, false}, grip}};
        return Body::make(std::move(d));
    }
    if (spec.anchored) d.anchors = {{"left", side("left"), {}}};
    if (spec.handle || spec.vertices) d.handles = {{"right", side("right"), {}, grip, spec.vertices}};
    return Body::make(std::move(d));
}

double total_mass(const Body& body) {
    const double depth = body.mesh().dimension() == 2 ? body.thickness() : 1.0;
    double mass = 0.0;
    for (std::size_t c = 0; c < body.mesh().cell_count(); ++c)
        mass += body.material_of(c).density * cell_measure(body.mesh(), c) * depth;
    return mass;
}

std::int32_t vertex_near(const Body& body, const Vec3& parts) {
    const bool planar = body.mesh().dimension() == 2;
    const Vec3 p{parts.x * kHigh.x, parts.y * kHigh.y, planar ? 0.0 : parts.z * kHigh.z};
    const auto& vertices = body.mesh().vertices;
    const auto nearer = [&](const Vec3& a, const Vec3& b) { return norm2(a - p) < norm2(b - p); };
    return static_cast<std::int32_t>(std::min_element(vertices.begin(), vertices.end(), nearer) - vertices.begin());
}

std::vector<CellKind> typical_kinds(const Traits& traits) {
    std::vector<CellKind> kinds;
    for (const CellKind kind : traits.cells) {
        if (std::none_of(kinds.begin(), kinds.end(), [&](CellKind k) { return dimension_of(k) == dimension_of(kind); }))
            kinds.push_back(kind);
    }
    return kinds;
}

OptionValues run_options(const Method& method, const OptionValues& given, double step) {
    OptionValues options = given;
    const OptionTable table = method.options();
    const OptionSpec* own_step = find_option(table, "step", OptionType::real);
    if (method.traits().fixed_step && own_step != nullptr) options.try_emplace("step", step);
    const OptionSpec* live = find_option(table, "max_live", OptionType::integer);
    if (live != nullptr) options.try_emplace("max_live", std::clamp(4.0, live->low, live->high));
    return options;
}

std::shared_ptr<const Deformer> prepare(const Method& method, const std::shared_ptr<const Body>& body,
                                        const OptionValues& given, double step) {
    Progress quiet;
    return method.prepare(body, run_options(method, given, step), quiet);
}

TestBench::TestBench(std::shared_ptr<const Deformer> prepared, double step)
    : deformer(std::move(prepared)),
      dt(deformer->prepared_step() > 0.0 ? deformer->prepared_step() : step),
      state(deformer->rest_state()),
      scratch(deformer->make_workspace()),
      force(body().vertex_count()),
      handles(body().handles().size()) {
    for (const std::int32_t v : body().driven_vertices())
        vertices.push_back({body().mesh().vertices[static_cast<std::size_t>(v)], {}});
}

Loads TestBench::loads() const {
    Loads all;
    all.force = force;
    all.gravity = gravity;
    all.handles = handles;
    all.vertices = vertices;
    all.live = live;
    return all;
}

VertexTarget rigid_target(const Handle& handle, const HandleTarget& target, const Vec3& rest) {
    const Vec3 arm = to_matrix(target.rotation) * (rest - handle.pivot);
    return {handle.pivot + target.translation + arm, target.velocity + cross(target.angular_velocity, arm)};
}

std::vector<Vec3> TestBench::displacements() const {
    std::vector<Vec3> out(body().vertex_count());
    deformer->displacements(state, out);
    return out;
}

std::vector<Vec3> TestBench::velocities() const {
    std::vector<Vec3> out(body().vertex_count());
    deformer->velocities(state, out);
    return out;
}

bool TestBench::settle(double seconds) {
    constexpr int kRound = 64;
    std::vector<Vec3> before = displacements();
    // A method of any step need not take short ones to come to rest; what still rings after a while (a stiff spring
    // does) gets them.
    const bool any_step = deformer->prepared_step() == 0.0;
    const double long_for = any_step ? std::min(seconds, 50.0) : 0.0;
    double t = 0.0;
    while (t < seconds) {
        const double length = t < long_for ? 8 * dt : dt;
        for (int i = 0; i < kRound; ++i) deformer->step(state, loads(), length, scratch);
        std::vector<Vec3> now = displacements();
        if (!all_finite(now)) return false;
        const double change = difference(now, before), size = largest(now);
        if (change <= 1e-13 * size || size <= 1e-14 * kLength) return true;
        before.swap(now);
        t += kRound * length;
    }
    return false;
}

namespace {

// Any fixed pattern without symmetry will do.
Vec3 pattern(std::size_t vertex, double phase) {
    const double v = static_cast<double>(vertex);
    return {std::sin(1.3 * v + phase), std::cos(2.1 * v - 0.7 * phase), std::sin(0.9 * v + 1.9 * phase + 0.5)};
}

void drive_live(TestBench& bench, int step) {
    const std::size_t slots = bench.live.size();
    const Vec3 swing{0.004 * std::sin(0.5 * step), 0.006 * std::cos(0.3 * step), 0.0};
    const auto at = [&](std::size_t slot) { return rest_point(bench.body(), bench.live[slot]); };
    using LiveKind = PointConstraint::Kind;
    if (slots > 0) {
        bench.live[0].kind = step % 10 >= 3 && step % 10 < 8 ? LiveKind::hard : LiveKind::off;
        bench.live[0].target = at(0) + swing;
    }
    if (slots > 1) {
        bench.live[1].kind = step % 10 >= 5 ? LiveKind::soft : LiveKind::off;
        bench.live[1].stiffness = 40.0;
        bench.live[1].target = at(1) - swing;
    }
    if (slots > 2) {
        bench.live[2].kind = LiveKind::hard;
        bench.live[2].unilateral = true;
        bench.live[2].normal = {0.0, 1.0, 0.0};
        bench.live[2].target = at(2) + Vec3{0.0, swing.x, 0.0};
    }
}

}  // namespace

void drive(TestBench& bench, const Traits& traits, int step) {
    const double t = 0.4 * step;
    if (traits.accepts_forces) {
        for (std::size_t v = 0; v < bench.force.size(); ++v) {
            bench.force[v] = pattern(v, t) * 0.02;
            if (bench.planar()) bench.force[v].z = 0.0;
        }
    }
    if (traits.accepts_gravity) bench.gravity = {0.1 * std::sin(t), -0.3, bench.planar() ? 0.0 : 0.05};
    for (HandleTarget& handle : bench.handles) {
        handle.translation = {0.01 * std::sin(t), -0.01 * std::sin(0.5 * t),
                              bench.planar() ? 0.0 : 0.005 * std::sin(t)};
        handle.velocity = {0.02 * std::cos(t), 0.01 * std::cos(t), 0.0};
        handle.rotation = from_rotation_vector({0.0, 0.0, 0.02 * std::sin(t)});
        handle.angular_velocity = {0.0, 0.0, 0.05 * std::cos(t)};
    }
    if (traits.accepts_live) drive_live(bench, step);
}

void arm_live(TestBench& bench) {
    const Body& body = bench.body();
    bench.live.clear();
    const int slots = std::min(3, bench.deformer->live_capacity());
    if (slots > 0) bench.live.push_back(tie(body, vertex_near(body, {0.5, 1.0, 0.5}), PointConstraint::Kind::off));
    if (slots > 1) {
        // A point inside a cell: several vertices share it.
        PointConstraint inside = tie(body, 0, PointConstraint::Kind::off);
        const std::int32_t* corners = body.mesh().cell(body.mesh().cell_count() / 2);
        inside.vertex_count = 3;
        for (std::size_t i = 0; i < 3; ++i) {
            inside.vertices[i] = corners[i];
            inside.weights[i] = i == 0 ? 0.5 : 0.25;
        }
        bench.live.push_back(inside);
    }
    if (slots > 2) bench.live.push_back(tie(body, vertex_near(body, {0.75, 0.0, 0.5}), PointConstraint::Kind::off));
}

Vec3 rest_point(const Body& body, const PointConstraint& point) {
    Vec3 p;
    for (std::size_t i = 0; i < static_cast<std::size_t>(point.vertex_count); ++i)
        p += body.mesh().vertices[static_cast<std::size_t>(point.vertices[i])] * point.weights[i];
    return p;
}

Vec3 point_now(const TestBench& bench, const PointConstraint& point) {
    const std::vector<Vec3> u = bench.displacements();
    Vec3 p = rest_point(bench.body(), point);
    for (std::size_t i = 0; i < static_cast<std::size_t>(point.vertex_count); ++i)
        p += u[static_cast<std::size_t>(point.vertices[i])] * point.weights[i];
    return p;
}

PointConstraint tie(const Body& body, std::int32_t vertex, PointConstraint::Kind kind) {
    PointConstraint point;
    point.kind = kind;
    point.vertex_count = 1;
    point.vertices[0] = vertex;
    point.weights[0] = 1.0;
    point.target = body.mesh().vertices[static_cast<std::size_t>(vertex)];
    return point;
}

void keep_worst(double& worst, double value) {
    if (value > worst || std::isnan(value)) worst = value;
}

double largest(std::span<const Vec3> field) {
    double most = 0.0;
    for (const Vec3& v : field) keep_worst(most, norm(v));
    return most;
}

double difference(std::span<const Vec3> a, std::span<const Vec3> b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) keep_worst(most, norm(a[i] - b[i]));
    return most;
}

bool all_finite(std::span<const Vec3> field) {
    return std::all_of(field.begin(), field.end(), [](const Vec3& v) { return is_finite(v); });
}

bool outputs_finite(TestBench& bench) {
    if (!all_finite(bench.displacements()) || !all_finite(bench.velocities())) return false;
    if (!std::isfinite(bench.deformer->energies(bench.state, bench.scratch).total())) return false;
    const auto fine = [&](SupportRef::Kind kind, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const Wrench w = bench.deformer->reaction(bench.state, {kind, static_cast<int>(i)});
            if (!is_finite(w.force) || !is_finite(w.torque)) return false;
        }
        return true;
    };
    return fine(SupportRef::Kind::anchor, bench.body().anchors().size()) &&
           fine(SupportRef::Kind::handle, bench.body().handles().size()) &&
           fine(SupportRef::Kind::live, bench.live.size());
}

}  // namespace limber::conformance
