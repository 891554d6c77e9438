// Rotations, corotated energies, gradients and tangents: against each other, against small strain, and where cells are
// flat or inside out.
#include "fem_large/corotated.hpp"

#include "fem/assembly.hpp"
#include "fem_large/elastic_fixtures.hpp"
#include "fem_large/laws.hpp"
#include "fem_large/polar.hpp"
#include "kernels/corotated.hpp"
#include "kernels/isa.hpp"
#include "linalg/block_cg.hpp"

#include <limber/version.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <limits>

namespace limber {
namespace {

using namespace testing;

// Every kind and integration there is, classic and exact, volume by trace and by determinant.
template <class F>
void for_each_corotated(F&& f) {
    for (const CellKind kind : kAllKinds) {
        for (const Integration integration : {Integration::full, Integration::bbar}) {
            for (const bool exact : {false, true}) {
                const std::string label = std::string(to_string(kind)) +
                                          (integration == Integration::bbar ? " bbar" : "") + (exact ? " exact" : "");
                f(kind, CorotatedSettings{integration, exact, Warp::elements, VolumeLaw::trace}, label);
                f(kind, CorotatedSettings{integration, exact, Warp::elements, VolumeLaw::determinant},
                  label + " determinant");
            }
        }
    }
}

Mat3 stretched_and_turned(int dimension, double third) {
    const Mat3 r = to_matrix(from_rotation_vector(dimension == 2 ? Vec3{0, 0, 2.0} : Vec3{0.4, -1.3, 0.9}));
    Mat3 s = Mat3::identity();
    s(0, 1) = 0.2;
    s(0, 0) = 1.2;
    s(1, 1) = third;
    return r * s;
}

std::vector<double> posture(const Mesh& mesh, double third) {
    return bent_field(mesh, stretched_and_turned(mesh.dimension(), third), 0.02, 7);
}

double largest_trace(const Mat3& f, const Quat& q) { return trace_of(transpose(to_matrix(q)) * f); }

TEST(NearestRotation, IsTheBestOfManyForAnyMatrix) {
    // Flat, inside out, of rank one, zero: everything a cell can be squeezed into. No random turn may do better.
    Dice dice(3);
    for (int k = 0; k < 300; ++k) {
        Mat3 f;
        for (auto& row : f.m)
            for (double& x : row) x = dice.roll() * (k % 5 == 4 ? 1e-200 : 1.0);
        if (k % 5 == 1) f.m[2] = {0, 0, 0};
        if (k % 5 == 2) f.m[2] = f.m[1] = f.m[0];
        if (k % 5 == 3) f = {};
        const Quat guess = normalized({dice.roll(), dice.roll(), dice.roll(), dice.roll()}),
                   q = nearest_rotation(f, guess);
        ASSERT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1.0, 1e-14);
        const double best = largest_trace(f, q), size = std::sqrt(product_of(f, f));
        for (int other = 0; other < 30; ++other) {
            ASSERT_GE(best,
                      largest_trace(f, normalized({dice.roll(), dice.roll(), dice.roll(), dice.roll()})) - 1e-14 * size)
                << k;
        }
    }
    Mat3 broken = Mat3::identity();
    broken(1, 2) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(nearest_rotation(broken, {0, 1, 0, 0}), (Quat{0, 1, 0, 0}));
}

TEST(NearestRotation, StaysWhereItWasWhenThereIsAChoice) {
    // A cell flattened to a line may spin about it freely: the last rotation decides, or the cell would flicker.
    Mat3 line;
    line(0, 0) = 1.0;
    for (const double angle : {0.1, 1.0, 2.5}) {
        const Quat before = from_rotation_vector({angle, 0, 0}), now = nearest_rotation(line, before);
        EXPECT_NEAR(now.w * before.w + now.x * before.x + now.y * before.y + now.z * before.z, 1.0, 1e-12);
    }
}

TEST(NearestRotation, TheKernelFindsTheSameOrHandsBack) {
    Dice dice(5);
    int found = 0;
    for (int k = 0; k < 400; ++k) {
        double f[36], q[16], again[16];
        const double size = k % 4 == 0 ? 1e-9 : 0.4 * (1 + k % 4);
        for (double& x : f) x = size * dice.roll();
        for (std::size_t c = 0; c < 4; ++c) {
            const Quat guess = normalized({1.0, 0.3 * dice.roll(), 0.3 * dice.roll(), 0.3 * dice.roll()});
            q[c] = guess.w;
            q[4 + c] = guess.x;
            q[8 + c] = guess.y;
            q[12 + c] = guess.z;
        }
        std::memcpy(again, q, sizeof q);
        const unsigned bad = corotated_kernels_baseline().rotate(f, q);
        EXPECT_EQ(corotated_kernels_avx2().rotate(f, again), bad);
        const auto same_bits = [](double a, double b) {
            return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
        };
        EXPECT_TRUE(std::equal(std::begin(q), std::end(q), std::begin(again), same_bits));
        for (std::size_t c = 0; c < 4; ++c) {
            if ((bad >> c & 1u) != 0) continue;
            ++found;
            Mat3 m = Mat3::identity();
            for (std::size_t i = 0; i < 9; ++i) m.m[i / 3][i % 3] += f[4 * i + c];
            const Quat mine{q[c], q[4 + c], q[8 + c], q[12 + c]}, sure = nearest_rotation(m, mine);
            const double along = std::fabs(mine.w * sure.w + mine.x * sure.x + mine.y * sure.y + mine.z * sure.z);
            EXPECT_NEAR(along, 1.0, 1e-12) << k;
        }
    }
    EXPECT_GT(found, 700);  // of 1600, most of them crushed: where it gives up on more, steps get slow
}

TEST(CorotatedEnergy, GradientIsItsSlope) {
    // The derivative of the rotation drops out for simplices only; elsewhere leaving it out costs a per cent.
    for_each_corotated([](CellKind kind, const CorotatedSettings& settings, const std::string& label) {
        const auto body = hyper_body({.kind = kind, .poisson = 0.4});
        Probe probe(make_corotated(*body, settings));
        for (const double third : {0.9, 0.1}) {
            const std::vector<double> u = posture(body->mesh(), third), d = random_field(body->mesh(), 1.0, 11);
            const double e = 1e-3;
            const auto across = [&](double t) { return probe.energy(along(u, t, d)) - probe.energy(along(u, -t, d)); };
            const double slope = (45 * across(e) - 9 * across(2 * e) + across(3 * e)) / (60 * e);
            EXPECT_NEAR(slope / inner(probe.gradient(u), d), 1.0, 1e-7) << label << " " << third;
        }
    });
}

TEST(CorotatedEnergy, CellStressIsTheCauchyStressOfItsForces) {
    // In a state of one gradient all cells have one stress, and sum f x^T over the vertices is that times the volume.
    for_each_corotated([](CellKind kind, const CorotatedSettings& settings, const std::string& label) {
        if (settings.exact_tangent) return;
        const auto body = hyper_body({.kind = kind, .poisson = 0.4});
        const Mesh& mesh = body->mesh();
        const auto n = static_cast<std::size_t>(mesh.dimension());
        Probe probe(make_corotated(*body, settings));
        const Mat3 f = stretched_and_turned(mesh.dimension(), 0.8);
        const std::vector<double> u = bent_field(mesh, f, 0.0, 1), force = probe.gradient(u);
        Mat3 virial;
        for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t j = 0; j < n; ++j) {
                    virial(static_cast<int>(i),
                           static_cast<int>(j)) += force[v * n + i] *
                                                   (mesh.vertices[v][static_cast<int>(j)] + u[v * n + j]);
                }
            }
        }
        double volume = 0.0;
        for (std::size_t c = 0; c < mesh.cell_count(); ++c) volume += cell_measure(mesh, c);
        volume *= determinant(f) * (n == 2 ? body->thickness() : 1.0);
        std::vector<SymMat3> stress(mesh.cell_count());
        probe.model->cell_stress(u.data(), probe.warm.data(), stress);
        const double size = std::fabs(virial(0, 0)) + std::fabs(virial(1, 1)) + std::fabs(virial(0, 1));
        for (const SymMat3& s : stress) {
            EXPECT_NEAR(s.xx * volume, virial(0, 0), 1e-9 * size) << label;
            EXPECT_NEAR(s.yy * volume, virial(1, 1), 1e-9 * size) << label;
            EXPECT_NEAR(s.xy * volume, virial(0, 1), 1e-9 * size) << label;
        }
    });
}

TEST(CorotatedEnergy, ForcesMatrixAndDampingAtOnceAreWhatTheyAreOneByOne) {
    // The path of every damped step.
    for_each_corotated([](CellKind kind, const CorotatedSettings& settings, const std::string& label) {
        const auto body = hyper_body({.kind = kind, .poisson = 0.4, .beta = 0.01});
        Probe probe(make_corotated(*body, settings));
        const std::vector<double> u = posture(body->mesh(), 0.9), v = random_field(body->mesh(), 1.0, 17);
        const TangentWeights weights{0.7, 0.3, false};
        const Evaluated one_by_one = probe.linearise(u, weights);
        const std::vector<double> damping = probe.viscous(u, v);
        Evaluated once = one_by_one;
        std::fill(once.values.begin(), once.values.end(), -1.0);
        std::vector<double> force(u.size()), slowed(u.size());
        once.energy = probe.model->linearise_moving(u.data(), v.data(), weights, probe.warm.data(), force.data(),
                                                    slowed.data(), once.values.data(), probe.scratch.data());
        EXPECT_NEAR(once.energy / one_by_one.energy, 1.0, 1e-13) << label;
        EXPECT_LT(apart(force, one_by_one.force) / size_of(force), 1e-13) << label;
        EXPECT_LT(apart(slowed, damping) / size_of(damping), 1e-13) << label;
        EXPECT_LT(apart(once.values, one_by_one.values) / size_of(once.values), 1e-13) << label;
    });
}

TEST(CorotatedEnergy, ExactTangentIsTheGradientsSlope) {
    for_each_corotated([](CellKind kind, const CorotatedSettings& settings, const std::string& label) {
        if (!settings.exact_tangent) return;
        const auto body = hyper_body({.kind = kind, .poisson = 0.4});
        Probe probe(make_corotated(*body, settings));
        for (const double third : {0.9, 0.1}) {
            const std::vector<double> u = posture(body->mesh(), third), d = random_field(body->mesh(), 1.0, 13);
            const double e = 1e-6;
            std::vector<double> slope = along(probe.gradient(along(u, e, d)), -1.0, probe.gradient(along(u, -e, d)));
            for (double& s : slope) s /= 2 * e;
            const Evaluated at = probe.linearise(u, {});
            EXPECT_LT(apart(probe.product(at, d), slope) / size_of(slope), 1e-7) << label << " " << third;
            // With the determinant, and in cells that take R at their centre, what stress adds is left out, whatever
            // its sign: positive is all that is left to claim.
            const bool projected = settings.volume == VolumeLaw::trace &&
                                   (kind == CellKind::tri3 || kind == CellKind::tet4);
            const Evaluated positive = probe.linearise(u, {1.0, 0.0, true});
            EXPECT_GE(inner(d, probe.product(positive, d)), projected ? inner(d, probe.product(at, d)) - 1e-9 : 0.0)
                << label;
        }
    });
}

TEST(CorotatedEnergy, APartThatIsNotWrittenOutIsTheSlopeTooAndTheSolverKnowsIt) {
    // Bodies of some size keep the averages' part of the matrix apart: its products in double, in float, in the
    // diagonal and in the coarse problem.
    BodyDescription d;
    d.mesh = make_box(CellKind::tet4, 16, 5, 5, {}, {1.0, 0.3, 0.3});
    d.materials = {{"", {"test", 5e3, 0.49, 1000.0, 0.0, 0.0}}};
    const auto body = Body::make(std::move(d));
    const std::vector<double> u = bent_field(body->mesh(), stretched_and_turned(3, 0.9), 1e-3, 7),
                              dir = random_field(body->mesh(), 1.0, 13);
    for (const bool exact : {false, true}) {
        Probe probe(make_corotated(*body, {Integration::bbar, exact, Warp::elements, VolumeLaw::determinant}));
        const ElasticModel& model = *probe.model;
        ASSERT_NE(model.apart(), nullptr);
        const auto product = [&](const Evaluated& at, const std::vector<double>& x) {
            std::vector<double> y = probe.product(at, x), stress(9 * model.apart()->count());
            model.apart()->add_product(at.values.data() + 9 * static_cast<std::size_t>(model.pattern().starts.back()),
                                       x.data(), nullptr, y.data(), stress.data());
            return y;
        };
        const Evaluated at = probe.linearise(u, {});
        if (exact) {
            const double e = 1e-6;
            std::vector<double> slope = along(probe.gradient(along(u, e, dir)), -1.0,
                                              probe.gradient(along(u, -e, dir)));
            for (double& s : slope) s /= 2 * e;
            EXPECT_LT(apart(product(at, dir), slope) / size_of(slope), 1e-6);
        }
        // With a mass on every diagonal it can be solved for; some unknowns are held.
        Evaluated positive = probe.linearise(u, {1.0, 0.0, true});
        std::vector<std::uint8_t> held(u.size(), 0);
        std::vector<double> expected = dir;
        for (std::size_t i = 0; i < 60; ++i) {
            held[i] = i % 7 != 3;
            expected[i] = held[i] != 0 ? 0.0 : expected[i];
        }
        const BlockCsr& a = model.pattern();
        for (std::size_t r = 0; r < a.rows(); ++r) {
            for (auto e = static_cast<std::size_t>(a.starts[r]); e < static_cast<std::size_t>(a.starts[r + 1]); ++e) {
                for (std::size_t k = 0; k < 9; ++k) {
                    const std::size_t i = 3 * r + k / 3, j = 3 * static_cast<std::size_t>(a.columns[e]) + k % 3;
                    if (i == j)
                        positive.values[9 * e + k] += 100.0;
                    else if (held[i] != 0 || held[j] != 0)
                        positive.values[9 * e + k] = 0.0;
                }
            }
        }
        std::vector<double> b = product(positive, expected), x(u.size(), 0.0), places(u.size());
        for (std::size_t i = 0; i < u.size(); ++i) {
            places[i] = body->mesh().vertices[i / 3][static_cast<int>(i % 3)] + u[i];
            b[i] = held[i] != 0 ? 0.0 : b[i];
        }
        const BlockCg cg(a, held, BlockCg::Way::automatic, model.apart());
        std::vector<double> scratch(cg.scratch_size());
        cg.refresh(positive.values.data(), places.data(), scratch.data());
        const SolveReport solved = cg.solve(positive.values.data(), b.data(), x.data(), 1e-9, 2000, scratch.data());
        EXPECT_TRUE(solved.converged);
        EXPECT_LT(solved.iterations, 400);
        EXPECT_LT(apart(x, expected) / size_of(expected), 1e-5);
    }
}

TEST(CorotatedEnergy, ClassicTangentIsTheTurnedStiffness) {
    // Turned as a whole, a body at rest: K in the turned frame, and the exact tangent is the same there.
    for_each_corotated([](CellKind kind, const CorotatedSettings& settings, const std::string& label) {
        const auto body = hyper_body({.kind = kind, .poisson = 0.4});
        const Mesh& mesh = body->mesh();
        Probe probe(make_corotated(*body, settings));
        Progress silent;
        AssemblySettings assembly;
        assembly.integration = settings.integration;
        const FemMatrices fem = assemble(*body, assembly, silent);
        const Mat3 r = to_matrix(from_rotation_vector(mesh.dimension() == 2 ? Vec3{0, 0, 2.0} : Vec3{0.4, -1.3, 0.9}));
        const std::vector<double> u = bent_field(mesh, r, 0.0, 1), v = random_field(mesh, 1.0, 19);
        const auto n = static_cast<std::size_t>(mesh.dimension());
        const auto turned = [&](const std::vector<double>& from, const Mat3& by) {
            std::vector<double> to(from.size(), 0.0);
            for (std::size_t k = 0; k < from.size(); ++k)
                for (std::size_t j = 0; j < n; ++j) to[k] += by.m[k % n][j] * from[k / n * n + j];
            return to;
        };
        std::vector<double> expected(v.size());
        multiply(fem.stiffness, turned(v, transpose(r)).data(), expected.data());
        expected = turned(expected, r);
        EXPECT_LT(apart(probe.product(probe.linearise(u, {}), v), expected) / size_of(expected), 1e-12) << label;
        EXPECT_LT(apart(probe.viscous(u, v), expected) / size_of(expected), 1e-12) << label;
        EXPECT_LT(size_of(probe.gradient(u)) / size_of(expected), 1e-13) << label;
        EXPECT_LT(probe.energy(u), 1e-24 * size_of(expected)) << label;
        // Near rest nothing cancels: at strain 1e-9 the force still has seven digits.
        const std::vector<double> rest(v.size(), 0.0);
        multiply(fem.stiffness, v.data(), expected.data());
        EXPECT_LT(apart(along(rest, 1e9, probe.gradient(along(rest, 1e-9, v))), expected) / size_of(expected), 1e-7)
            << label;
        std::vector<double> fresh = probe.gradient(rest);
        EXPECT_LT(size_of(fresh), 1e-12 * size_of(expected)) << label;
    });
}

TEST(CorotatedEnergy, TurningTheBodyChangesNothingAndForcesHaveNoTorque) {
    for_each_corotated([](CellKind kind, const CorotatedSettings& settings, const std::string& label) {
        const auto body = hyper_body({.kind = kind, .poisson = 0.4});
        const Mesh& mesh = body->mesh();
        const auto n = static_cast<std::size_t>(mesh.dimension());
        Probe probe(make_corotated(*body, settings));
        const std::vector<double> u = posture(mesh, 0.8);
        const double before = probe.energy(u);
        for (const double angle : {0.3, 2.0, 3.1}) {
            const Mat3 r = to_matrix(
                from_rotation_vector(n == 2 ? Vec3{0, 0, angle} : Vec3{0.5 * angle, -0.2 * angle, 0.8 * angle}));
            std::vector<double> turned;
            for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
                Vec3 x = mesh.vertices[i];
                for (std::size_t k = 0; k < n; ++k) x[static_cast<int>(k)] += u[i * n + k];
                const Vec3 to = r * x - mesh.vertices[i];
                for (std::size_t k = 0; k < n; ++k) turned.push_back(to[static_cast<int>(k)]);
            }
            EXPECT_NEAR(probe.energy(turned) / before, 1.0, 1e-12) << label;
        }
        const std::vector<double> f = probe.gradient(u);
        Vec3 force, torque;
        for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
            Vec3 x = mesh.vertices[i], own;
            for (std::size_t k = 0; k < n; ++k)
                x[static_cast<int>(k)] += u[i * n + k], own[static_cast<int>(k)] = f[i * n + k];
            force += own;
            torque += cross(x, own);
        }
        EXPECT_LT(norm(force) + norm(torque), 1e-12 * size_of(f)) << label;
    });
}

TEST(CorotatedEnergy, APureRotationStoresNothingAndNeverLessThanNothing) {
    for_each_corotated([](CellKind kind, const CorotatedSettings& settings, const std::string& label) {
        const double young = 1e8;
        const auto body = hyper_body({.kind = kind, .poisson = 0.45, .young = young});
        Probe probe(make_corotated(*body, settings));
        Dice dice(3);
        for (int i = 0; i < 40; ++i) {
            const Vec3 turn = body->mesh().dimension() == 3 ? Vec3{3 * dice.roll(), 3 * dice.roll(), 3 * dice.roll()}
                                                            : Vec3{0.0, 0.0, 3 * dice.roll()},
                       away{dice.roll(), dice.roll(), 0.0};
            std::vector<double> u = bent_field(body->mesh(), to_matrix(from_rotation_vector(turn)), 0.0, 1);
            for (std::size_t k = 0; k < u.size(); ++k)
                u[k] += away[static_cast<int>(k % static_cast<std::size_t>(body->mesh().dimension()))];
            const double energy = probe.energy(u);
            EXPECT_GE(energy, 0.0) << label << " " << i;
            EXPECT_LE(energy, 1e-24 * young) << label << " " << i;
        }
    });
}

TEST(CorotatedEnergy, DampingBrakesNoTurning) {
    // R K R^T alone does, as soon as a body is strained: seen from the turned rest shape a rigid turn is no longer one.
    for_each_corotated([](CellKind kind, const CorotatedSettings& settings, const std::string& label) {
        const auto body = hyper_body({.kind = kind, .poisson = 0.4});
        const Mesh& mesh = body->mesh();
        const auto n = static_cast<std::size_t>(mesh.dimension());
        Probe probe(make_corotated(*body, settings));
        const std::vector<double> u = posture(mesh, 0.8), v = random_field(mesh, 1.0, 29), force = probe.viscous(u, v);
        EXPECT_GT(inner(v, force), 0.0) << label;
        std::vector<double> turning;
        Vec3 torque;
        for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
            Vec3 x = mesh.vertices[i], own;
            for (std::size_t k = 0; k < n; ++k)
                x[static_cast<int>(k)] += u[i * n + k], own[static_cast<int>(k)] = force[i * n + k];
            for (std::size_t k = 0; k < n; ++k)
                turning.push_back(cross(n == 2 ? Vec3{0, 0, 1.1} : Vec3{0.7, -0.2, 1.1}, x)[static_cast<int>(k)] + 0.3);
            torque += cross(x, own);
        }
        EXPECT_LT(size_of(probe.viscous(u, turning)) / size_of(force), 1e-12) << label;
        EXPECT_LT(norm(torque) / size_of(force), 1e-12) << label;
    });
}

TEST(CorotatedEnergy, IsFiniteForCrushedBodiesWithTheSameBitsOnAnyThreads) {
    for_each_corotated([](CellKind kind, const CorotatedSettings& settings, const std::string& label) {
        const auto body = hyper_body({.kind = kind, .cells = 6, .poisson = 0.4});
        for (const int which : {0, 1, 2}) {
            // Folded at random, flattened to a plane, mirrored.
            Mat3 f = Mat3::identity();
            if (which > 0) f(0, 0) = which == 1 ? 0.0 : -1.0;
            const std::vector<double> u = bent_field(body->mesh(), f, which == 0 ? 0.5 : 0.0, 23);
            std::vector<double> first;
            for (const int threads : {1, 3}) {
                set_thread_count(threads);
                Probe probe(make_corotated(*body, settings));
                const Evaluated at = probe.linearise(u, {1.0, 0.1, which == 0});
                std::vector<double> all = at.values;
                all.insert(all.end(), at.force.begin(), at.force.end());
                for (const double x : all) ASSERT_TRUE(std::isfinite(x)) << label << " " << which;
                if (first.empty()) first = all;
                EXPECT_EQ(first, all) << label;
                EXPECT_EQ(probe.model->inverted_cell(u.data()) >= 0, true) << label << " " << which;
            }
            set_thread_count(1);
        }
    });
}

}  // namespace
}  // namespace limber
