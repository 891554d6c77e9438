// Energies, gradients and tangents against each other, against closed forms and against small strain.
#include "fem_large/elastic_fixtures.hpp"

#include "fem/assembly.hpp"
#include "fem_large/laws.hpp"

#include <limber/version.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace testing;

// Stretch, shear and turn; and one that is nearly flat, with some cells inside out once noise is added.
Mat3 some_deformation(int which) {
    Mat3 f = to_matrix(from_rotation_vector({0.4, -0.3, 0.9}));
    Mat3 s = Mat3::identity();
    s(0, 1) = 0.3;
    s(0, 0) = 1.2;
    s(1, 1) = which == 0 ? 0.9 : 0.05;
    return f * s;
}

Mat3 in_plane(Mat3 f) {
    f(0, 2) = f(1, 2) = f(2, 0) = f(2, 1) = 0.0;
    f(2, 2) = 1.0;
    return f;
}

std::vector<double> deformed(const Mesh& mesh, int which) {
    const Mat3 f = some_deformation(which);
    return bent_field(mesh, mesh.dimension() == 2 ? in_plane(f) : f, which == 0 ? 0.02 : 0.06, 7);
}

TEST(HyperelasticEnergy, GradientIsItsSlope) {
    // Mean dilatation couples all points of a cell, and near inversion the determinant's terms dominate: either is
    // easily got half right.
    for_each_model([](HyperLaw law, CellKind kind, Integration integration, const std::string& label) {
        const auto body = hyper_body({.kind = kind, .poisson = 0.4});
        Probe probe(*body, law, integration);
        for (const int which : {0, 1}) {
            const std::vector<double> u = deformed(body->mesh(), which), d = random_field(body->mesh(), 1.0, 11);
            const double e = 1e-3;
            const auto across = [&](double t) { return probe.energy(along(u, t, d)) - probe.energy(along(u, -t, d)); };
            const double slope = (45 * across(e) - 9 * across(2 * e) + across(3 * e)) /
                                 (60 * e);  // central, sixth order
            const std::vector<double> g = probe.gradient(u);
            EXPECT_NEAR(slope / inner(g, d), 1.0, 1e-7) << label << " " << which;
        }
    });
}

TEST(HyperelasticEnergy, TangentIsTheGradientsSlope) {
    for_each_model([](HyperLaw law, CellKind kind, Integration integration, const std::string& label) {
        const auto body = hyper_body({.kind = kind, .poisson = 0.4});
        Probe probe(*body, law, integration);
        for (const int which : {0, 1}) {
            const std::vector<double> u = deformed(body->mesh(), which), d = random_field(body->mesh(), 1.0, 13);
            const double e = 1e-6;
            std::vector<double> slope = along(probe.gradient(along(u, e, d)), -1.0, probe.gradient(along(u, -e, d)));
            for (double& s : slope) s /= 2 * e;
            const Evaluated at = probe.linearise(u, {});
            EXPECT_LT(apart(probe.product(at, d), slope) / size_of(slope), 1e-7) << label << " " << which;
            EXPECT_LT(apart(at.force, probe.gradient(u)) / size_of(at.force), 1e-14) << label;
            EXPECT_DOUBLE_EQ(at.energy, probe.energy(u)) << label;
        }
    });
}

TEST(HyperelasticEnergy, DampingActsOnStrainRatesAlone) {
    // D must be what `viscous` multiplies with, positive in any posture, silent under rigid motion and K at rest.
    for_each_model([](HyperLaw law, CellKind kind, Integration integration, const std::string& label) {
        const auto body = hyper_body({.kind = kind, .poisson = 0.4});
        const Mesh& mesh = body->mesh();
        Probe probe(*body, law, integration);
        const std::vector<double> u = deformed(mesh, 0), v = random_field(mesh, 1.0, 17);
        const std::vector<double> by_matrix = probe.product(probe.linearise(u, {0.0, 1.0, false}), v),
                                  force = probe.viscous(u, v);
        EXPECT_LT(apart(by_matrix, force) / size_of(force), 1e-13) << label;
        EXPECT_GT(inner(v, force), 0.0) << label;
        std::vector<double> turning;  // w x (X + u)
        const Vec3 w{mesh.dimension() == 2 ? 0.0 : 0.7, mesh.dimension() == 2 ? 0.0 : -0.2, 1.1};
        const auto d = static_cast<std::size_t>(mesh.dimension());
        for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
            Vec3 x = mesh.vertices[i];
            for (std::size_t k = 0; k < d; ++k) x[static_cast<int>(k)] += u[i * d + k];
            for (std::size_t k = 0; k < d; ++k) turning.push_back(cross(w, x)[static_cast<int>(k)] + 0.3);
        }
        EXPECT_LT(size_of(probe.viscous(u, turning)) / size_of(force), 1e-12) << label;
        const std::vector<double> rest(u.size(), 0.0);
        const std::vector<double> kv = probe.product(probe.linearise(rest, {}), v);
        EXPECT_LT(apart(probe.viscous(rest, v), kv) / size_of(kv), 1e-12) << label;
    });
}

TEST(HyperelasticEnergy, RestHasTheStiffnessOfLinearFem) {
    // "All methods agree at small strain": the moduli are re-mapped inside neo_hookean, and bbar splits the energy.
    for_each_model([](HyperLaw law, CellKind kind, Integration integration, const std::string& label) {
        const auto body = hyper_body({.kind = kind, .poisson = 0.45});
        Probe probe(*body, law, integration);
        Progress silent;
        AssemblySettings settings;
        settings.integration = integration;
        const FemMatrices fem = assemble(*body, settings, silent);
        const std::vector<double> d = random_field(body->mesh(), 1.0, 19), rest(d.size(), 0.0);
        std::vector<double> expected(d.size());
        multiply(fem.stiffness, d.data(), expected.data());
        EXPECT_LT(apart(probe.product(probe.linearise(rest, {}), d), expected) / size_of(expected), 1e-13) << label;
        EXPECT_EQ(size_of(probe.gradient(rest)), 0.0) << label;
        EXPECT_EQ(probe.energy(rest), 0.0) << label;
        // And near rest nothing cancels: at strain 1e-9 the force still has eight digits.
        const std::vector<double> tiny = along(rest, 1e-9, d);
        EXPECT_LT(apart(along(rest, 1e9, probe.gradient(tiny)), expected) / size_of(expected), 1e-7) << label;
    });
}

TEST(HyperelasticEnergy, TurningTheBodyChangesNothing) {
    for_each_model([](HyperLaw law, CellKind kind, Integration integration, const std::string& label) {
        const auto body = hyper_body({.kind = kind, .poisson = 0.4});
        const Mesh& mesh = body->mesh();
        Probe probe(*body, law, integration);
        for (const int which : {0, 1}) {
            const std::vector<double> u = deformed(mesh, which);
            const double before = probe.energy(u);
            for (const double angle : {0.3, 2.0, 3.1}) {
                const Mat3 r = to_matrix(from_rotation_vector(
                    mesh.dimension() == 2 ? Vec3{0, 0, angle} : Vec3{0.5 * angle, -0.2 * angle, 0.8 * angle}));
                std::vector<double> turned;
                const auto d = static_cast<std::size_t>(mesh.dimension());
                for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
                    Vec3 x = mesh.vertices[i];
                    for (std::size_t k = 0; k < d; ++k) x[static_cast<int>(k)] += u[i * d + k];
                    const Vec3 to = r * x - mesh.vertices[i];
                    for (std::size_t k = 0; k < d; ++k) turned.push_back(to[static_cast<int>(k)]);
                }
                EXPECT_NEAR(probe.energy(turned) / before, 1.0, 1e-12) << label;
            }
        }
    });
}

TEST(HyperelasticEnergy, APureRotationStoresNothingAndNeverLessThanNothing) {
    // Differences of terms as large as the rotation leave -7e-10 J in a body of E V = 4e7 J. What may be there is the
    // square of rounding.
    for_each_model([](HyperLaw law, CellKind kind, Integration integration, const std::string& label) {
        const double young = 1e8;
        const auto body = hyper_body({.kind = kind, .poisson = 0.45, .young = young});
        Probe probe(*body, law, integration);
        Dice dice(3);
        for (int i = 0; i < 40; ++i) {
            Vec3 turn{0.0, 0.0, 3 * dice.roll()}, away{dice.roll(), dice.roll(), 0.0};
            if (body->mesh().dimension() == 3) turn = {3 * dice.roll(), 3 * dice.roll(), 3 * dice.roll()};
            std::vector<double> u = bent_field(body->mesh(), to_matrix(from_rotation_vector(turn)), 0.0, 1);
            for (std::size_t k = 0; k < u.size(); ++k)
                u[k] += away[static_cast<int>(k % static_cast<std::size_t>(body->mesh().dimension()))];
            const double energy = probe.energy(u);
            EXPECT_GE(energy, 0.0) << label << " " << i;
            EXPECT_LE(energy, 1e-24 * young) << label << " " << i;
        }
    });
}

TEST(HyperelasticEnergy, BothWaysOfWritingTheNeoHookeanEnergyAgree) {
    // By the textbook, in extended precision, on both sides of the place where one takes over from the other, and near
    // rest.
    Dice dice(5);
    for (const double size : {1e-7, 1e-3, 0.1, 0.6}) {
        for (int i = 0; i < 50; ++i) {
            Mat3 h;
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b) h(a, b) = size * dice.roll();
            const LameModuli moduli{3.0, 2.0};
            using Long = long double;
            Long f[9], invariant = 0;
            for (int k = 0; k < 9; ++k) {
                f[k] = static_cast<Long>(h(k / 3, k % 3)) + (k % 4 == 0 ? 1 : 0);
                invariant += f[k] * f[k];
            }
            const Long j = f[0] * (f[4] * f[8] - f[5] * f[7]) - f[1] * (f[3] * f[8] - f[5] * f[6]) +
                           f[2] * (f[3] * f[7] - f[4] * f[6]);
            const Long m = Long(4) / 3 * 2, l = 3 + Long(5) / 6 * 2;
            const Long psi = m / 2 * (invariant - 3) - m / 2 * std::log((invariant + 1) / 4) - m * 3 / 4 * (j - 1) +
                             l / 2 * (j - 1) * (j - 1);
            EXPECT_NEAR(NeoHookeanPoint(h, moduli, 0.0).energy(), static_cast<double>(psi),
                        1e-12 * static_cast<double>(psi) + 1e-18)
                << size << " " << static_cast<double>(j);
        }
    }
}

TEST(HyperelasticEnergy, PositiveTangentIsPositive) {
    // In a crushed body the plain tangent is not: the line search then needs one that leads downhill for certain.
    for_each_model([](HyperLaw law, CellKind kind, Integration integration, const std::string& label) {
        const auto body = hyper_body({.kind = kind, .poisson = 0.4});
        Probe probe(*body, law, integration);
        const std::vector<double> u = bent_field(body->mesh(), scaled(Mat3::identity(), 0.6), 0.1, 23);
        const Evaluated at = probe.linearise(u, {1.0, 0.0, true});
        double lowest_plain = 1.0;
        const Evaluated plain = probe.linearise(u, {});
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            const std::vector<double> d = random_field(body->mesh(), 1.0, 100 + seed);
            EXPECT_GE(inner(d, probe.product(at, d)), 0.0) << label;
        }
        // Power iteration on shift - K finds the lowest curvature.
        const double shift = 40.0 * size_of(plain.values);
        for (const Evaluated* matrix : {&at, &plain}) {
            std::vector<double> d = random_field(body->mesh(), 1.0, 29);
            double lowest = 0.0;
            for (int k = 0; k < 3000; ++k) {
                const std::vector<double> kd = probe.product(*matrix, d);
                lowest = inner(d, kd) / inner(d, d);
                for (std::size_t i = 0; i < d.size(); ++i) d[i] = d[i] - 20.0 * kd[i] / shift;
                const double s = size_of(d);
                for (double& x : d) x /= s;
            }
            if (matrix == &plain)
                lowest_plain = lowest;
            else
                EXPECT_GE(lowest, -1e-9 * shift) << label;
        }
        EXPECT_LT(lowest_plain, 0.0) << label << ": the test's body is not crushed enough to tell";
    });
}

TEST(HyperelasticEnergy, HomogeneousDeformationIsExact) {
    // The patch test of large strain: inner vertices feel nothing, the right side feels P e_x times its area, and
    // Cauchy's stress is P F^T / J. Stretch with shear, so that a transposed P shows.
    for_each_model([](HyperLaw law, CellKind kind, Integration integration, const std::string& label) {
        const auto body = hyper_body({.kind = kind, .cells = 4, .poisson = 0.4});
        const Mesh& mesh = body->mesh();
        Mat3 f = Mat3::identity();
        f(0, 0) = 1.3, f(0, 1) = 0.4, f(1, 1) = 0.8, f(1, 0) = -0.1;
        if (mesh.dimension() == 3) f(2, 2) = 1.1, f(2, 0) = 0.2, f(1, 2) = 0.15;
        Probe probe(*body, law, integration);
        const std::vector<double> u = bent_field(mesh, f, 0.0, 1), g = probe.gradient(u);
        const Mat3 p = textbook_piola(law, f, body->materials()[0]);
        const auto d = static_cast<std::size_t>(mesh.dimension());
        Vec3 right, inside;
        const Boundary outer = boundary_of(mesh);
        for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
            const bool at_right = mesh.vertices[v].x > 1 - 1e-9,
                       on_boundary = std::binary_search(outer.vertices.begin(), outer.vertices.end(),
                                                        static_cast<std::int32_t>(v));
            for (std::size_t i = 0; i < d; ++i) {
                if (at_right) right[static_cast<int>(i)] += g[v * d + i];
                if (!on_boundary) inside[static_cast<int>(i)] += std::fabs(g[v * d + i]);
            }
        }
        // The side's share of corner forces reaches round its edges: the exact total is the half body's, so compare
        // over a cut instead.
        const double area = 0.25;
        double size = 0.0;
        for (int i = 0; i < 3; ++i) size += std::fabs(p(i, 0)) * area;
        EXPECT_LT(norm(inside), 1e-11 * size) << label;
        // Work of a linear virtual displacement (x, 0, 0), (0, x, 0), ...: sum g_i x = P_i0 V.
        for (std::size_t i = 0; i < d; ++i) {
            double work = 0.0;
            for (std::size_t v = 0; v < mesh.vertices.size(); ++v) work += g[v * d + i] * mesh.vertices[v].x;
            EXPECT_NEAR(work, p(static_cast<int>(i), 0) * 0.25, 1e-11 * size) << label << " " << i;
        }
        std::vector<SymMat3> stress(mesh.cell_count());
        probe.model->cell_stress(u.data(), nullptr, stress);
        const Mat3 tau = p * transpose(f);
        const double j = determinant(f);
        for (const SymMat3& s : stress) {
            EXPECT_NEAR(s.xx, tau(0, 0) / j, 1e-10 * size) << label;
            EXPECT_NEAR(s.xy, tau(0, 1) / j, 1e-10 * size) << label;
            EXPECT_NEAR(s.zz, tau(2, 2) / j, 1e-10 * size) << label;
            EXPECT_NEAR(s.zx, tau(2, 0) / j, 1e-10 * size) << label;
        }
    });
}

TEST(HyperelasticEnergy, ThreadsDoNotChangeTheSums) {
    // 2,500 vertices: more than one part, with cells on the borders between them.
    const auto body = Body::make([] {
        BodyDescription d;
        d.mesh = make_box(CellKind::tet4, 14, 12, 12, {}, {1.0, 0.8, 0.8});
        d.materials = {{"", {"test", 5e3, 0.3, 1000.0, 0.0, 0.0}}};
        return d;
    }());
    Probe probe(*body, HyperLaw::neo_hookean, Integration::full);
    const std::vector<double> u = random_field(body->mesh(), 0.02, 31);
    const Evaluated one = probe.linearise(u, {1.0, 0.1, false});
    set_thread_count(2);
    const Evaluated two = probe.linearise(u, {1.0, 0.1, false});
    set_thread_count(1);
    EXPECT_EQ(one.energy, two.energy);
    EXPECT_EQ(one.force, two.force);
    EXPECT_EQ(one.values, two.values);
    const std::vector<double> d = random_field(body->mesh(), 1.0, 37);
    EXPECT_NEAR((probe.energy(along(u, 1e-6, d)) - probe.energy(along(u, -1e-6, d))) / 2e-6 / inner(one.force, d), 1.0,
                1e-7);
}

}  // namespace
}  // namespace limber
