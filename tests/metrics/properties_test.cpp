// What every metric promises, over the table of metrics, every kind of cell and random fields.
#include "metrics/recordings.hpp"

#include "geometry/tributary.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <random>

namespace limber::test {
namespace {

constexpr CellKind kKinds[] = {CellKind::tri3, CellKind::quad4, CellKind::tet4, CellKind::tet10, CellKind::hex8};

Mesh unit_mesh(CellKind kind, int n) { return dimension_of(kind) == 2 ? unit_grid(n, kind) : unit_box(n, kind); }

/// Nothing smooth about it: every vertex of every frame anywhere, energies as well.
Recording random_recording(std::shared_ptr<const Body> body, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    const auto next = [&] { return static_cast<double>(engine() >> 11) * 0x1.0p-53 - 0.5; };
    const bool flat = body->mesh().dimension() == 2;
    Recording r = record(std::move(body), at_rest(), 2);
    for (Frame& f : r.frames) {
        for (std::vector<Vec3>* field : {&f.displacement, &f.velocity}) {
            for (Vec3& v : *field) {
                const double x = next(), y = next(), z = next();
                v = {0.3 * x, 0.3 * y, flat ? 0.0 : 0.3 * z};
            }
        }
        f.energies = {next() + 1.0, next() + 1.0};
    }
    return r;
}

TEST(MetricProperties, ARecordingDiffersFromItselfByExactlyZeroOnEveryKindOfCell) {
    for (const CellKind kind : kKinds) {
        for (const MetricSpec& spec : metric_specs()) {
            const Recording r = random_recording(body_of(unit_mesh(kind, 2)), 5);
            // A copy, so that nothing can be saved by comparing addresses.
            const Recording copy = r;
            const MetricSeries s = evaluate_metric(spec.name, r, copy);
            ASSERT_EQ(s.value.size(), r.frames.size()) << spec.name << " " << to_string(kind);
            for (const double v : s.value) EXPECT_EQ(v, 0.0) << spec.name << " " << to_string(kind);
            EXPECT_EQ(s.stated_error, 0.0) << spec.name << " " << to_string(kind);
        }
    }
}

TEST(MetricProperties, SymmetricOnesAreSymmetricToTheLastBitAndTheOthersAreNot) {
    for (const MetricSpec& spec : metric_specs()) {
        bool always = true;
        for (const CellKind kind : kKinds) {
            const auto body = body_of(unit_mesh(kind, 2));
            const Recording a = random_recording(body, 11), b = random_recording(body, 12);
            const MetricSeries ab = evaluate_metric(spec.name, a, b), ba = evaluate_metric(spec.name, b, a);
            ASSERT_EQ(ab.value.size(), ba.value.size());
            for (std::size_t i = 0; i < ab.value.size(); ++i) {
                always = always &&
                         std::bit_cast<std::uint64_t>(ab.value[i]) == std::bit_cast<std::uint64_t>(ba.value[i]);
            }
        }
        // Both ways, so that the table cannot promise too little either.
        EXPECT_EQ(always, spec.symmetric) << spec.name;
    }
}

TEST(MetricProperties, TheTriangleInequalityHoldsOnRandomFieldsWherePromised) {
    std::size_t promised = 0;
    for (const MetricSpec& spec : metric_specs()) {
        if (!spec.triangle) continue;
        ++promised;
        EXPECT_TRUE(spec.symmetric) << spec.name;
        for (const CellKind kind : kKinds) {
            const auto body = body_of(unit_mesh(kind, 2));
            for (std::uint64_t seed = 0; seed < 8; ++seed) {
                const Recording a = random_recording(body, 3 * seed), c = random_recording(body, 3 * seed + 2);
                Recording b = random_recording(body, 3 * seed + 1);
                // Between a and c, where the inequality is nearly an equality and one wrong weight would show.
                if (seed % 2 == 1) {
                    for (std::size_t f = 0; f < b.frames.size(); ++f) {
                        for (std::size_t v = 0; v < body->vertex_count(); ++v) {
                            b.frames[f].displacement[v] = 0.7 * a.frames[f].displacement[v] +
                                                          0.3 * c.frames[f].displacement[v];
                        }
                    }
                }
                const MetricSeries ab = evaluate_metric(spec.name, a, b), bc = evaluate_metric(spec.name, b, c),
                                   ac = evaluate_metric(spec.name, a, c);
                for (std::size_t i = 0; i < ac.value.size(); ++i) {
                    EXPECT_LE(ac.value[i], (ab.value[i] + bc.value[i]) * (1 + 1e-14))
                        << spec.name << " " << to_string(kind);
                    if (seed % 2 == 1) {
                        EXPECT_NEAR(ac.value[i], ab.value[i] + bc.value[i], 1e-13 * ac.value[i]) << spec.name;
                    }
                }
            }
        }
    }
    EXPECT_GE(promised, 3u);
}

TEST(MetricProperties, DriftsAddUpAndChangeTheirSign) {
    // Signed measures with a scale of their own: from a to c is from a to b and on to c, and back is the negative.
    for (const CellKind kind : kKinds) {
        const auto body = body_of(unit_mesh(kind, 2));
        const Recording a = random_recording(body, 1), b = random_recording(body, 2), c = random_recording(body, 3);
        const MetricSeries ab = evaluate_metric("volume_drift", a, b), bc = evaluate_metric("volume_drift", b, c),
                           ac = evaluate_metric("volume_drift", a, c), ba = evaluate_metric("volume_drift", b, a);
        for (std::size_t i = 0; i < ac.value.size(); ++i) {
            EXPECT_NEAR(ac.value[i], ab.value[i] + bc.value[i], 1e-13);
            EXPECT_EQ(ba.value[i], -ab.value[i]);
        }
    }
}

/// A smooth motion on a mesh, with energies summed over the vertices' shares as a method would.
Recording smooth(const Mesh& mesh, double size) {
    const Motion motion = [size](const Vec3& p, double t) {
        return Vec3{size * t * std::sin(2 * p.x) * (1 + p.y), size * t * std::cos(3 * p.y) * p.x,
                    size * t * std::sin(2 * p.z) * p.y};
    };
    const bool flat = mesh.dimension() == 2;
    Recording r = record(
        body_of(mesh),
        [&](const Vec3& p, double t) {
            const Vec3 u = motion(p, t);
            return flat ? Vec3{u.x, u.y, 0.0} : u;
        },
        2, 0.5);
    const std::vector<double> share = tributary_measure(mesh);
    for (Frame& f : r.frames) {
        double sum = 0.0;
        for (std::size_t v = 0; v < share.size(); ++v) sum += share[v] * norm2(f.velocity[v]);
        f.energies = {500.0 * sum, 0.0};
    }
    return r;
}

/// Value of a metric between two motions, on meshes of two kinds and other widths: at the end, where both have moved
/// most.
double across(const char* metric, CellKind kind, CellKind other, int n, double size, double other_size) {
    const Recording a = smooth(unit_mesh(kind, 2 * n), size), b = smooth(unit_mesh(other, 3 * n), other_size);
    return evaluate_metric(metric, a, b).value.back();
}

struct Pair {
    CellKind kind, other;
    int coarse;
};
// Odd multiples of each other's width: no vertex of one but the corners is everywhere a vertex of the other.
constexpr Pair kPairs[] = {{CellKind::quad4, CellKind::tri3, 4},
                           {CellKind::tri3, CellKind::quad4, 4},
                           {CellKind::hex8, CellKind::tet4, 2},
                           {CellKind::tet4, CellKind::hex8, 2}};

/// Least order at which the distance of one motion from itself on another mesh must vanish: linear cells are of second
/// order, and of first where the gradient counts.
double least_order(const std::string& metric) { return metric == "relative_energy" ? 0.85 : 1.7; }

TEST(MetricProperties, TheSameMotionOnTwoMeshesComesTogetherAsBothAreRefined) {
    for (const Pair& pair : kPairs) {
        for (const MetricSpec& spec : metric_specs()) {
            const double coarse = std::abs(across(spec.name, pair.kind, pair.other, pair.coarse, 0.2, 0.2));
            const double fine = std::abs(across(spec.name, pair.kind, pair.other, 2 * pair.coarse, 0.2, 0.2));
            ASSERT_GT(coarse, 0.0) << spec.name;
            const double order = std::log2(coarse / fine);
            const std::string where = std::string(spec.name) + " " + to_string(pair.kind) + " " + to_string(pair.other);
            RecordProperty(where, std::to_string(order));
            EXPECT_GT(order, least_order(spec.name)) << where << ": " << coarse << " -> " << fine;
            EXPECT_LT(fine, std::string(spec.name) == "relative_energy" ? 0.15 : 0.02) << where;
        }
    }
}

TEST(MetricProperties, TheDistanceOfTwoMotionsDoesNotDependOnTheMeshesInTheLimit) {
    // Against the same two motions on one fine mesh: a wrong weight or scale between meshes would leave a gap that
    // stays.
    for (const Pair& pair : {kPairs[0], kPairs[2]}) {
        for (const MetricSpec& spec : metric_specs()) {
            const bool flat = dimension_of(pair.kind) == 2;
            const Mesh fine_mesh = unit_mesh(pair.kind, flat ? 64 : 16);
            const double truth = evaluate_metric(spec.name, smooth(fine_mesh, 0.2), smooth(fine_mesh, 0.3))
                                     .value.back();
            const double coarse = across(spec.name, pair.kind, pair.other, pair.coarse, 0.2, 0.3),
                         fine = across(spec.name, pair.kind, pair.other, 2 * pair.coarse, 0.2, 0.3);
            EXPECT_LT(std::abs(fine - truth), 0.02 * std::abs(truth))
                << spec.name << ": " << truth << ", " << coarse << " -> " << fine;
            EXPECT_LT(std::abs(fine - truth), std::max(0.6 * std::abs(coarse - truth), 2e-3 * std::abs(truth)))
                << spec.name;
        }
    }
}

}  // namespace
}  // namespace limber::test
