// Boundary elements in contact: a low-rank update against solving the whole system again, and whole frames.
#include "bench.hpp"
#include "yardstick.hpp"

#include "bem/low_rank.hpp"
#include "core/text.hpp"
#include "linalg/dense_lu.hpp"

#include <limber/method.hpp>

#include <cmath>
#include <memory>
#include <numbers>

namespace limber::bench {
namespace {

constexpr std::size_t kHeld = 16;

BoundaryShape circle(int n) {
    BoundaryShape s;
    for (int i = 0; i < n; ++i) {
        const double t = 2.0 * std::numbers::pi * i / n;
        s.points.push_back({0.05 * std::cos(t), 0.05 * std::sin(t), 0.0});
        s.vertex.push_back(i);
        s.facets.insert(s.facets.end(), {i, (i + 1) % n});
    }
    return s;
}

BoundaryShape pebble(int across) {
    Mesh box = make_box(CellKind::hex8, across, across, across, {-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
    for (Vec3& v : box.vertices) v = v * (0.1 / (0.4 + norm(v)));
    return boundary_shape(box);
}

struct Update {
    std::unique_ptr<FreeResponse> response;
    std::vector<double> memory, target, tau, u;
    std::vector<PrescribedDirection> items;
    DenseMatrix whole;  // of the re-solve: as large and as full
};

/// The 16 nodes are every k-th.
Work update_work(const BoundaryShape& shape) {
    Progress quiet;
    const auto d = static_cast<std::size_t>(shape.dimension);
    auto data = std::make_shared<Update>();
    BoundarySettings settings;
    settings.accuracy = 1e-5;
    BoundarySystem system = d == 2 ? make_plane_system(shape, {3000.0, 0.45}, settings, quiet)
                                   : make_space_system(shape, {3000.0, 0.45}, settings, quiet);
    data->whole = system.h;
    for (std::size_t k = 0; k < kHeld; ++k)  // the columns of held nodes are G's
    {
        for (std::size_t c = 0; c < d; ++c) {
            const std::size_t node = k * (system.nodes.size() / kHeld),
                              slot = static_cast<std::size_t>(system.node_slots[node].front());
            for (std::size_t i = 0; i < system.unknowns(); ++i)
                data->whole(i, d * node + c) = -3000.0 * system.g(i, d * slot + c);
        }
    }
    data->response = std::make_unique<FreeResponse>(std::move(system), quiet);
    const std::size_t s = d * kHeld;
    data->memory.resize(LowRank::reals_needed(s));
    data->items.resize(s);
    data->target.assign(s, 1e-3);
    data->tau.resize(s);
    data->u.resize(data->response->size());
    Work w;
    w.subject = [data, d, s] {
        LowRank rank(*data->response, s, data->memory.data(), data->items.data());
        for (std::size_t k = 0; k < kHeld; ++k) {
            for (std::size_t c = 0; c < d; ++c) {
                Vec3 axis;
                axis[static_cast<int>(c)] = 1.0;
                rank.insert({static_cast<std::int32_t>(k * (data->response->nodes() / kHeld)), axis});
            }
        }
        rank.solve(data->target.data(), data->tau.data());
        std::fill(data->u.begin(), data->u.end(), 0.0);
        rank.add_displacement(data->tau.data(), data->u.data());
        keep(data->u[0]);
    };
    w.limit = Limit::read;
    w.against = "columns of 16 nodes read once";
    w.bytes = 8 * s * data->response->size();
    w.baseline = [data] {
        Progress silent;
        const DenseLu lu(data->whole, silent, "solving again");
        std::vector<double> x(data->response->size(), 1.0);
        lu.solve(x.data());
        keep(x[0]);
    };
    w.baseline_name = "factoring and solving the whole system again (LAPACK)";
    w.dear = data->response->nodes() > 400;
    return w;
}

struct Frames {
    std::unique_ptr<Deformer> deformer;
    State state;
    Workspace scratch;
    Obstacle floor;
    std::vector<Vec3> out;
};

/// A jelly that lies on the floor, pressed in deep: a step of 1/60 s each call, from the same state.
Work frame_work(Mesh mesh) {
    auto data = std::make_shared<Frames>();
    BodyDescription d;
    Material m;
    m.young = 5e3;
    m.poisson = 0.45;
    d.materials = {{"", m}};
    for (Vec3& p : mesh.vertices) p.y += 0.05;
    d.mesh = std::move(mesh);
    Progress quiet;
    data->deformer = require_method("bem").prepare(Body::make(std::move(d)), {{"internal_friction", 50.0}}, quiet);
    data->state = data->deformer->rest_state();
    data->scratch = data->deformer->make_workspace();
    Loads loads;
    loads.gravity = {0.0, -9.81, 0.0};
    loads.obstacles = {&data->floor, 1};
    for (int i = 0; i < 120; ++i) data->deformer->step(data->state, loads, 1.0 / 60.0, data->scratch);
    Work w;
    w.subject = [data] {
        Loads now;
        now.gravity = {0.0, -9.81, 0.0};
        now.obstacles = {&data->floor, 1};
        State state = data->state;
        data->deformer->step(state, now, 1.0 / 60.0, data->scratch);
        keep(state.reals[0]);
    };
    w.limit = Limit::read;
    w.against = "the response read once";
    w.bytes = data->deformer->memory();
    return w;
}

Mesh ball_mesh(int across) { return make_ball(CellKind::tet4, across, {}, 0.05); }

Mesh disc_mesh(int around) {
    Mesh m;
    m.kind = CellKind::tri3;
    m.vertices.push_back({});
    for (int i = 0; i < around; ++i) {
        const double t = 2.0 * std::numbers::pi * i / around;
        m.vertices.push_back({0.05 * std::cos(t), 0.05 * std::sin(t), 0.0});
        m.cells.insert(m.cells.end(), {0, 1 + i, 1 + (i + 1) % around});
    }
    return m;
}

}  // namespace

void add_jelly_cases(Cases& cases, const Settings& settings) {
    for (const int n : settings.quick ? std::vector<int>{128} : std::vector<int>{128, 256, 1024})
        cases.push_back({text("jelly/update_plane_", n), [n] { return update_work(circle(n)); }});
    for (const int across : settings.quick ? std::vector<int>{5} : std::vector<int>{9, 13, 16}) {
        cases.push_back(
            {text("jelly/update_space_", 6 * across * across + 2), [across] { return update_work(pebble(across)); }});
    }
    cases.push_back({"jelly/frame_plane_128", [] { return frame_work(disc_mesh(128)); }});
    const int across = settings.quick ? 8 : 26;
    cases.push_back({text("jelly/frame_space_", settings.quick ? "small" : "1178"),
                     [across] { return frame_work(ball_mesh(across)); }});
}

}  // namespace limber::bench
