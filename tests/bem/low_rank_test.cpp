// Low-rank changes of boundary conditions against solving the whole bordered system again.
#include "bem/low_rank.hpp"

#include "linalg/dense_lu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace limber {
namespace {

BoundaryShape ellipse(int n, double a, double b) {
    BoundaryShape s;
    for (int i = 0; i < n; ++i) {
        const double t = 2.0 * 3.14159265358979323846 * i / n;
        s.points.push_back({a * std::cos(t), b * std::sin(t), 0.0});
        s.vertex.push_back(i);
        s.facets.push_back(i);
        s.facets.push_back((i + 1) % n);
    }
    return s;
}

/// Everything that a full re-solve needs, kept from before FreeResponse used it up.
struct Whole {
    BoundarySystem system;
    explicit Whole(const BoundarySystem& s) : system(s) {}

    /// Unknowns: displacements of free nodes or tractions over mu of held ones, and the multipliers that let held
    /// tractions balance exactly. Returns all displacements, then all tractions over mu.
    std::vector<double> solve(const std::vector<std::int32_t>& held, const std::vector<Vec3>& to,
                              const std::vector<double>& traction, const FreeResponse& r) const {
        const auto d = static_cast<std::size_t>(system.dimension());
        const std::size_t n = system.unknowns(), k = static_cast<std::size_t>(r.rigid_count());
        std::vector<int> at(system.nodes.size(), -1);
        for (std::size_t h = 0; h < held.size(); ++h) at[static_cast<std::size_t>(held[h])] = static_cast<int>(h);
        DenseMatrix a(n + k, n + k);
        std::vector<double> x(n + k, 0.0);
        const double mu = system.material.shear;
        for (std::size_t node = 0; node < system.nodes.size(); ++node) {
            for (std::size_t c = 0; c < d; ++c) {
                const std::size_t j = d * node + c;
                std::vector<double> g(n, 0.0);
                for (const std::int32_t slot : system.node_slots[node])
                    for (std::size_t i = 0; i < n; ++i) g[i] += system.g(i, d * static_cast<std::size_t>(slot) + c);
                const bool is_held = at[node] >= 0;
                for (std::size_t i = 0; i < n; ++i) {
                    a(i, j) = is_held ? -mu * g[i] : system.h(i, j);
                    x[i] += is_held ? -system.h(i, j) * to[static_cast<std::size_t>(at[node])][static_cast<int>(c)]
                                    : g[i] * traction[j];
                }
                for (std::size_t m = 0; m < k; ++m) {
                    Vec3 axis;
                    axis[static_cast<int>(c)] = 1.0;
                    const double work = r.work(node, axis, static_cast<int>(m));
                    a(j, n + m) = r.rigid_motion(node, static_cast<int>(m))[static_cast<int>(c)];
                    if (is_held)
                        a(n + m, j) = mu * work;
                    else
                        x[n + m] -= work * traction[j];
                }
            }
        }
        Progress quiet;
        const DenseLu lu(std::move(a), quiet, "whole");
        lu.solve(x.data());
        std::vector<double> out(2 * n);
        for (std::size_t node = 0; node < system.nodes.size(); ++node) {
            for (std::size_t c = 0; c < d; ++c) {
                const std::size_t j = d * node + c;
                const bool is_held = at[node] >= 0;
                out[j] = is_held ? to[static_cast<std::size_t>(at[node])][static_cast<int>(c)] : x[j];
                out[n + j] = is_held ? x[j] : traction[j] / mu;
            }
        }
        return out;
    }
};

/// The held body by low rank: tractions of held nodes and rigid amplitudes on top of the free response.
std::vector<double> by_low_rank(LowRank& rank, const FreeResponse& r, const std::vector<std::int32_t>& held,
                                const std::vector<Vec3>& to, const std::vector<double>& traction, double mu) {
    const auto d = static_cast<std::size_t>(r.dimension());
    const std::size_t n = r.size(), s = rank.count(), k = static_cast<std::size_t>(r.rigid_count());
    std::vector<double> u(n, 0.0), target(s), field(s * k), weight(s * k), sum(k, 0.0), tau(s), amplitude(k);
    for (std::size_t j = 0; j < n; ++j) {
        if (traction[j] == 0.0) continue;
        const std::size_t node = j / d;
        const int c = static_cast<int>(j % d);
        for (std::size_t i = 0; i < n; ++i) u[i] += traction[j] * r.column(node, c)[i];
        Vec3 axis;
        axis[c] = 1.0;
        for (std::size_t m = 0; m < k; ++m) sum[m] -= traction[j] * r.work(node, axis, static_cast<int>(m));
    }
    for (std::size_t a = 0; a < s; ++a) {
        const PrescribedDirection& item = rank.item(a);
        const auto node = static_cast<std::size_t>(item.node);
        double there = 0.0;
        for (std::size_t c = 0; c < d; ++c) there += item.direction[static_cast<int>(c)] * u[d * node + c];
        std::size_t h = 0;
        while (held[h] != item.node) ++h;
        target[a] = dot(item.direction, to[h]) - there;
        for (std::size_t m = 0; m < k; ++m) {
            field[m * s + a] = dot(item.direction, r.rigid_motion(node, static_cast<int>(m)));
            weight[m * s + a] = r.work(node, item.direction, static_cast<int>(m));
        }
    }
    EXPECT_TRUE(rank.solve(target.data(), field.data(), weight.data(), sum.data(), k, tau.data(), amplitude.data()));
    rank.add_displacement(tau.data(), u.data());
    std::vector<double> out(2 * n, 0.0);
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t m = 0; m < k; ++m)
            u[j] += amplitude[m] * r.rigid_motion(j / d, static_cast<int>(m))[static_cast<int>(j % d)];
        out[j] = u[j];
        out[n + j] = traction[j] / mu;
    }
    for (std::size_t a = 0; a < s; ++a) {
        for (std::size_t c = 0; c < d; ++c) {
            out[n + d * static_cast<std::size_t>(rank.item(a).node) + c] +=
                tau[a] * rank.item(a).direction[static_cast<int>(c)] / mu;
        }
    }
    return out;
}

/// Random nodes in and out, `changes` times; the results are compared with a full re-solve at the end and now and then.
void wander(const BoundarySystem& system, int changes, int checks, double length) {
    const Whole whole(system);
    Progress quiet;
    const FreeResponse response(system, quiet);
    const auto d = static_cast<std::size_t>(response.dimension());
    const std::size_t n = response.nodes(), most = n / 4;
    std::vector<double> memory(LowRank::reals_needed(d * most));
    std::vector<PrescribedDirection> items(d * most);
    LowRank rank(response, d * most, memory.data(), items.data());
    std::mt19937 random(7);
    std::vector<std::int32_t> held;
    std::size_t largest = 0;
    double worst = 0.0;
    const auto put = [&](std::int32_t node) {
        for (std::size_t c = 0; c < d; ++c) {
            Vec3 axis;
            axis[static_cast<int>(c)] = 1.0;
            ASSERT_TRUE(rank.insert({node, axis}));
        }
        held.push_back(node);
    };
    const auto take = [&](std::size_t index) {
        for (std::size_t k = rank.count(); k-- > 0;)
            if (rank.item(k).node == held[index]) rank.remove(k);
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(index));
    };
    for (int change = 1; change <= changes; ++change) {
        // Up to n/4 and down to a few, again and again.
        const bool growing = (change / static_cast<int>(most)) % 2 == 0;
        const bool in = held.size() < 4 || (held.size() < most && random() % 10 < (growing ? 9u : 1u));
        if (in) {
            std::int32_t node = static_cast<std::int32_t>(random() % n);
            while (std::find(held.begin(), held.end(), node) != held.end())
                node = static_cast<std::int32_t>(random() % n);
            put(node);
        } else {
            take(random() % held.size());
        }
        largest = std::max(largest, held.size());
        if (change % (changes / checks) != 0) continue;
        std::vector<Vec3> to(held.size());
        for (Vec3& v : to) {
            for (std::size_t c = 0; c < d; ++c)
                v[static_cast<int>(c)] = length * 1e-3 * (static_cast<double>(random() % 2001) - 1000.0) / 1000.0;
        }
        std::vector<double> traction(response.size(), 0.0);
        for (int k = 0; k < 5; ++k) {
            const std::size_t node = random() % n;
            if (std::find(held.begin(), held.end(), static_cast<std::int32_t>(node)) == held.end())
                traction[d * node] = 1e-3 * system.material.shear;
        }
        const std::vector<double> fast = by_low_rank(rank, response, held, to, traction, system.material.shear),
                                  slow = whole.solve(held, to, traction, response);
        double size_u = 0.0, size_t_ = 0.0, off_u = 0.0, off_t = 0.0;
        for (std::size_t i = 0; i < response.size(); ++i) {
            size_u = std::max(size_u, std::abs(slow[i]));
            off_u = std::max(off_u, std::abs(slow[i] - fast[i]));
            size_t_ = std::max(size_t_, std::abs(slow[response.size() + i]));
            off_t = std::max(off_t, std::abs(slow[response.size() + i] - fast[response.size() + i]));
        }
        worst = std::max({worst, off_u / size_u, off_t / size_t_});
    }
    EXPECT_GE(largest, most - 1);
    EXPECT_LE(worst, 1e-9);
    testing::Test::RecordProperty("worst", std::to_string(worst));
    std::printf(
        "        n = %zu, s up to %zu nodes, worst difference %.2e, condition of the reference %.1e, small inverse "
        "rebuilt %d times\n",
        n, largest, worst, response.condition(), rank.rebuilds());
}

// Errors of ten thousand rank-one changes could pile up in the inverse.
TEST(LowRank, EqualsAFullResolveAfterTenThousandChangesInThePlane) {
    Progress quiet;
    wander(make_plane_system(ellipse(256, 0.06, 0.04), {3000.0, 0.45}, {}, quiet), 10000, 8, 0.05);
}

// In space the small system is large enough (three times 130 nodes) to be factored instead of inverted.
TEST(LowRank, EqualsAFullResolveAfterTenThousandChangesInSpace) {
    Progress quiet;
    Mesh box = make_box(CellKind::hex8, 10, 9, 9, {-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
    for (Vec3& v : box.vertices) v = v * (0.1 * (1.0 + 0.3 * v.x) / (0.4 + norm(v)));  // a rounded pebble
    wander(make_space_system(boundary_shape(box), {3000.0, 0.45}, {}, quiet), 10000, 2, 0.1);
}

// Lists that share their beginning with the last one's go on with its factor, and entries move with their items: a
// place off by one would still look plausible.
TEST(LowRank, GoesOnWithWhatTheLastListLeft) {
    Progress quiet;
    Mesh box = make_box(CellKind::hex8, 5, 5, 5, {-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
    const FreeResponse response(make_space_system(boundary_shape(box), {3000.0, 0.45}, {}, quiet), quiet),
        other(make_space_system(boundary_shape(box), {3000.0, 0.3}, {}, quiet), quiet);
    const std::size_t capacity = 240;
    std::vector<double> memory(LowRank::reals_needed(capacity)), target(capacity), tau(capacity), again(capacity);
    std::vector<PrescribedDirection> items(capacity), list, spare(capacity);
    for (std::int32_t node = 0; node < 70; ++node) {
        list.push_back({node, {1.0, 0.0, 0.0}});
        list.push_back({node, {0.0, 0.6, 0.8}});
    }
    std::mt19937 random(11);
    for (int round = 0; round < 60; ++round) {
        const FreeResponse& used = round % 20 == 19 ? other : response;
        // Now one goes, now one turns, now the end is cut off or several come.
        const auto at = static_cast<std::ptrdiff_t>(random() % list.size());
        if (round % 4 == 0) {
            list.erase(list.begin() + at);
        } else if (round % 4 == 1) {
            list[static_cast<std::size_t>(at)].direction = list[static_cast<std::size_t>(at)].direction * -1.0;
        } else if (round % 4 == 2) {
            list.resize(list.size() - random() % 12);
        } else {
            for (std::int32_t node = 70 + 5 * (round / 4), end = node + 5; node < end; ++node)
                list.push_back({node, {0.0, 0.0, 1.0}});
        }
        for (double& t : target) t = 1e-4 * static_cast<double>(random() % 1000);
        std::vector<double> fresh(memory.size());
        LowRank rank(used, capacity, memory.data(), items.data(), true),
            alone(used, capacity, fresh.data(), spare.data());
        rank.begin_bulk();
        alone.begin_bulk();
        for (const PrescribedDirection& item : list) {
            ASSERT_TRUE(rank.insert(item));
            ASSERT_TRUE(alone.insert(item));
        }
        ASSERT_TRUE(rank.solve(target.data(), tau.data())) << round;
        ASSERT_TRUE(alone.solve(target.data(), again.data())) << round;
        double size = 0.0;
        for (std::size_t i = 0; i < list.size(); ++i) size = std::max(size, std::abs(again[i]));
        for (std::size_t i = 0; i < list.size(); ++i) ASSERT_NEAR(tau[i], again[i], 1e-11 * size) << round << " " << i;
        EXPECT_EQ(rank.rebuilds(), 0) << round;
        // And it is the solution: every item is where it was sent.
        std::vector<double> u(used.size(), 0.0);
        rank.add_displacement(tau.data(), u.data());
        for (std::size_t i = 0; i < list.size(); ++i) {
            const Vec3 there{u[3 * static_cast<std::size_t>(list[i].node)],
                             u[3 * static_cast<std::size_t>(list[i].node) + 1],
                             u[3 * static_cast<std::size_t>(list[i].node) + 2]};
            ASSERT_NEAR(dot(there, list[i].direction), target[i], 1e-10) << round << " " << i;
            ASSERT_NEAR(norm(rank.displacement_at(static_cast<std::size_t>(list[i].node), tau.data()) - there), 0.0,
                        1e-10);
        }
    }
}

// A node that is already determined must be refused, not divide by rounding.
TEST(LowRank, RefusesWhatIsDeterminedAlready) {
    Progress quiet;
    const FreeResponse response(make_plane_system(ellipse(32, 1.0, 1.0), {1.0, 0.3}, {}, quiet), quiet);
    std::vector<double> memory(LowRank::reals_needed(8));
    std::vector<PrescribedDirection> items(8);
    LowRank rank(response, 8, memory.data(), items.data());
    EXPECT_TRUE(rank.insert({3, {1.0, 0.0, 0.0}}));
    EXPECT_TRUE(rank.insert({3, {0.0, 1.0, 0.0}}));
    EXPECT_FALSE(rank.insert({3, {0.6, 0.8, 0.0}}));
    EXPECT_EQ(rank.count(), 2u);
}

// The free response is what a unit traction does to a body that inertia balances: no mean motion, and a uniform
// pressure shrinks it evenly.
TEST(FreeResponse, PressureShrinksADiscEvenly) {
    Progress quiet;
    const double mu = 2.0, nu = 0.3, radius = 0.7;
    const FreeResponse r(make_plane_system(ellipse(96, radius, radius), {mu, nu}, {}, quiet), quiet);
    std::vector<double> u(r.size(), 0.0);
    for (std::size_t i = 0; i < r.nodes(); ++i) {
        for (int c = 0; c < 2; ++c)
            for (std::size_t j = 0; j < r.size(); ++j) u[j] -= r.position(i)[c] / radius * r.column(i, c)[j];
    }
    // Plane strain under unit pressure: u_r = -(1 - 2 nu) r / (2 mu).
    for (std::size_t i = 0; i < r.nodes(); ++i) {
        for (int c = 0; c < 2; ++c) {
            EXPECT_NEAR(u[2 * i + static_cast<std::size_t>(c)], -(1 - 2 * nu) * r.position(i)[c] / (2 * mu),
                        2e-3 * radius);
        }
    }
}

TEST(Enclosed, KnowsARectanglesMoments) {
    BoundaryShape s;
    s.points = {{1, 2, 0}, {4, 2, 0}, {4, 4, 0}, {1, 4, 0}};
    s.facets = {0, 1, 1, 2, 2, 3, 3, 0};
    const Enclosed e = enclosed_by(s);
    EXPECT_NEAR(e.measure, 6.0, 1e-14);
    EXPECT_NEAR(e.centroid.x, 2.5, 1e-14);
    EXPECT_NEAR(e.centroid.y, 3.0, 1e-14);
    EXPECT_NEAR(e.inertia()(2, 2), 6.0 * (9.0 + 4.0) / 12.0, 1e-13);
}

}  // namespace
}  // namespace limber
