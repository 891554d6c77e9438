#include "reproduce/jelly/jelly_speed.hpp"

#include "bem/low_rank.hpp"
#include "core/percentile.hpp"
#include "linalg/dense_lu.hpp"
#include "reproduce/jelly/jelly_drop.hpp"
#include "reproduce/jelly/jelly_scenes.hpp"
#include "study/cpu_time.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {
namespace {

constexpr std::size_t kHeldNodes = 16;

/// The system with these nodes held in all directions: their tractions are unknown instead of their displacements.
DenseMatrix swapped(const BoundarySystem& system, const std::vector<char>& held) {
    const auto d = static_cast<std::size_t>(system.dimension());
    DenseMatrix a = system.h;
    for (std::size_t node = 0; node < held.size(); ++node) {
        if (!held[node]) continue;
        for (std::size_t c = 0; c < d; ++c) {
            double* column = a.column(d * node + c);
            std::fill(column, column + a.rows, 0.0);
            for (const std::int32_t slot : system.node_slots[node]) {
                const double* g = system.g.column(d * static_cast<std::size_t>(slot) + c);
                for (std::size_t i = 0; i < a.rows; ++i) column[i] -= g[i];
            }
        }
    }
    return a;
}

/// The nodes nearest to the floor.
std::vector<std::int32_t> lowest_nodes(const FreeResponse& response, std::size_t count) {
    std::vector<std::int32_t> all;
    for (std::size_t i = 0; i < response.nodes(); ++i) all.push_back(static_cast<std::int32_t>(i));
    std::stable_sort(all.begin(), all.end(), [&](std::int32_t a, std::int32_t b) {
        return response.position(static_cast<std::size_t>(a)).y < response.position(static_cast<std::size_t>(b)).y;
    });
    all.resize(std::min(count, all.size()));
    return all;
}

/// One node leaves, another comes, everything is displaced anew: the least of several rounds.
double time_update(const FreeResponse& response) {
    const std::vector<std::int32_t> nodes = lowest_nodes(response, kHeldNodes + 1);
    const auto d = static_cast<std::size_t>(response.dimension());
    const std::size_t capacity = d * (kHeldNodes + 1);
    std::vector<double> memory(LowRank::reals_needed(capacity)), target(capacity, 1e-3), tau(capacity),
        u(response.size());
    std::vector<PrescribedDirection> items(capacity);
    LowRank rank(response, capacity, memory.data(), items.data());
    const auto direction = [](std::size_t c) {
        Vec3 e;
        e[static_cast<int>(c)] = 1.0;
        return e;
    };
    for (std::size_t i = 0; i < kHeldNodes; ++i)
        for (std::size_t c = 0; c < d; ++c) rank.insert({nodes[i], direction(c)});
    double best = 1e300;
    constexpr int kTurns = 20;
    for (int round = 0; round < 10; ++round) {
        const double start = cpu_seconds();
        for (int turn = 0; turn < kTurns; ++turn) {
            const std::int32_t out = nodes[turn % 2 == 0 ? 0 : kHeldNodes], in = nodes[turn % 2 == 0 ? kHeldNodes : 0];
            for (std::size_t i = rank.count(); i-- > 0;)
                if (rank.item(i).node == out) rank.remove(i);
            for (std::size_t c = 0; c < d; ++c) rank.insert({in, direction(c)});
            rank.solve(target.data(), tau.data());
            std::fill(u.begin(), u.end(), 0.0);
            rank.add_displacement(tau.data(), u.data());
        }
        best = std::min(best, (cpu_seconds() - start) / kTurns);
    }
    return best;
}

/// The full system with the same nodes held, factored and solved: the least of some rounds.
double time_again(const BoundarySystem& system, const FreeResponse& response, Progress& progress) {
    std::vector<char> held(system.nodes.size(), 0);
    for (const std::int32_t node : lowest_nodes(response, kHeldNodes)) held[static_cast<std::size_t>(node)] = 1;
    const DenseMatrix a = swapped(system, held);
    double best = 1e300;
    for (int round = 0; round < 3; ++round) {
        DenseMatrix copy = a;
        std::vector<double> x(a.rows, 1e-3);
        const double start = cpu_seconds();
        DenseLu(std::move(copy), progress, "solving everything again").solve(x.data());
        best = std::min(best, cpu_seconds() - start);
    }
    return best;
}

JellySpeed speed_of(Scene scene, bool planar, Progress& progress) {
    JellySpeed out;
    out.name = scene.name;
    scene.step = 1.0 / 60.0;
    scene.duration = 2.5;
    scene.method.options["internal_friction"] = 20.0;
    const Drop drop = run_drop(scene, progress);
    out.frames = drop.costs.size();
    if (!drop.costs.empty()) {
        out.median = percentile(drop.costs, 0.5);
        out.p99 = percentile(drop.costs, 0.99);
    }
    const BoundaryShape shape = boundary_shape(drop.recording->body->mesh());
    const Material& material = drop.recording->body->materials().front();
    const BoundaryMaterial m{material.young / (2.0 * (1.0 + material.poisson)), material.poisson};
    BoundarySettings settings;
    settings.accuracy = 1e-5;  // the method's own
    const BoundarySystem system = planar ? make_plane_system(shape, m, settings, progress)
                                         : make_space_system(shape, m, settings, progress);
    const FreeResponse response(system, progress);
    out.nodes = response.nodes();
    out.update = time_update(response);
    out.again = time_again(system, response, progress);
    return out;
}

}  // namespace

JellySpeed plane_speed(int around, Progress& progress) {
    return speed_of(disc_drop(around, 1e4, 0.45, 0.1, {}), true, progress);
}

JellySpeed space_speed(int across, Progress& progress) {
    return speed_of(ball_drop(across, 1e4, 0.45, 0.1, {}), false, progress);
}

HeldDisc held_disc(int around, Progress& progress) {
    constexpr double kRadius = 0.5, kNu = 0.3,
                     kShear = 1.0;  // a diameter of 1: no other scale is in the logarithm of (2)
    BoundaryShape disc;
    for (int i = 0; i < around; ++i) {
        const double t = 2.0 * std::numbers::pi * (i + 0.5) / around;
        disc.points.push_back({kRadius * std::cos(t), kRadius * std::sin(t), 0.0});
        disc.facets.insert(disc.facets.end(), {i, (i + 1) % around});
        disc.vertex.push_back(i);
    }
    const BoundarySystem system = make_plane_system(disc, {kShear, kNu}, {}, progress);
    std::vector<char> held;
    std::size_t top = 0;
    for (std::size_t i = 0; i < system.nodes.size(); ++i) {
        held.push_back(system.nodes[i].y < 0.0 ? 1 : 0);
        if (system.nodes[i].y > system.nodes[top].y) top = i;
    }
    const DenseLu solver(swapped(system, held), progress, "a held disc");
    const double missing = system.measure * (7.0 - 8.0 * kNu) / (16.0 * std::numbers::pi * kShear * (1.0 - kNu));
    HeldDisc out;
    for (const bool printed : {true, false}) {
        std::vector<double> x(system.unknowns());
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = -(system.body(i, 1) - (printed && i % 2 == 1 ? missing : 0.0));
        solver.solve(x.data());
        (printed ? out.printed : out.corrected) = x[2 * top + 1] * kShear / (kRadius * kRadius);
    }
    return out;
}

}  // namespace limber
