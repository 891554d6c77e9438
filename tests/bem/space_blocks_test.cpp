// Integrals over single facets against integration that trusts nothing but the kernels as printed.
#include "bem/space_blocks.hpp"
#include "bem/space_cavity.hpp"
#include "bem/space_shapes.hpp"
#include "bem/space_stress.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace limber {
namespace {

using std::numbers::pi;

struct Kernels {
    double value[2][9];
};

Kernels kelvin(const Vec3& r, const Vec3& n, const BoundaryMaterial& m) {
    const double length = norm(r), nu = m.poisson, dn = dot(r, n) / length;
    const Vec3 e = r / length;
    Kernels out;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const double delta = i == j ? 1.0 : 0.0;
            out.value[0][3 * i + j] = ((3 - 4 * nu) * delta + e[i] * e[j]) / (16 * pi * m.shear * (1 - nu) * length);
            out.value[1][3 * i + j] = -(dn * ((1 - 2 * nu) * delta + 3 * e[i] * e[j]) -
                                        (1 - 2 * nu) * (e[i] * n[j] - e[j] * n[i])) /
                                      (8 * pi * (1 - nu) * length * length);
        }
    }
    return out;
}

// A triangle cut in four until it is small against its distance; then eight by eight points.
class Subdivided {
public:
    Subdivided(const SpaceFacet& facet, const Vec3& point, const BoundaryMaterial& material)
        : normal_(facet.normal()), point_(point), material_(material) {
        Piece whole;
        for (std::size_t k = 0; k < 3; ++k) {
            whole.corner[k] = facet.corner[k];
            whole.shape[k][k] = 1.0;
        }
        add(whole, 0);
    }
    double sum[2][3][9] = {};  // u, t

private:
    struct Piece {
        Vec3 corner[3];
        double shape[3][3] = {};  // [corner][shape function]
    };

    static Piece part(const Piece& a, std::size_t which) {
        // Three at the corners, the fourth between the middles of the sides.
        Piece out;
        for (std::size_t j = 0; j < 3; ++j) {
            const std::size_t p = which < 3 ? which : (j + 1) % 3, q = which < 3 ? j : (j + 2) % 3;
            out.corner[j] = 0.5 * (a.corner[p] + a.corner[q]);
            for (int k = 0; k < 3; ++k) out.shape[j][k] = 0.5 * (a.shape[p][k] + a.shape[q][k]);
        }
        return out;
    }

    void add(const Piece& a, int depth) {
        const Vec3 middle = (a.corner[0] + a.corner[1] + a.corner[2]) / 3.0;
        double reach = 0.0;
        for (const Vec3& c : a.corner) reach = std::max(reach, norm(c - middle));
        if (depth < 30 && reach > 0.3 * norm(middle - point_)) {
            for (std::size_t i = 0; i < 4; ++i) add(part(a, i), depth + 1);
            return;
        }
        constexpr double at[4] = {0.18343464249564980494, 0.52553240991632898582, 0.79666647741362673959,
                                  0.96028985649753623168};
        constexpr double weight[4] = {0.36268378337836198297, 0.31370664587788728734, 0.22238103445337447054,
                                      0.10122853629037625915};
        const double twice_area = norm(cross(a.corner[1] - a.corner[0], a.corner[2] - a.corner[0]));
        for (int i = 0; i < 8; ++i) {
            for (int j = 0; j < 8; ++j) {
                const double x = 0.5 * (1 + (i < 4 ? at[i] : -at[i - 4])),
                             y = 0.5 * (1 + (j < 4 ? at[j] : -at[j - 4])) * (1 - x);
                const double n[3] = {1 - x - y, x, y}, w = 0.25 * weight[i % 4] * weight[j % 4] * (1 - x) * twice_area;
                const Kernels kernels = kelvin(n[0] * a.corner[0] + n[1] * a.corner[1] + n[2] * a.corner[2] - point_,
                                               normal_, material_);
                for (int k = 0; k < 3; ++k) {
                    const double shape = w * (n[0] * a.shape[0][k] + n[1] * a.shape[1][k] + n[2] * a.shape[2][k]);
                    for (int e = 0; e < 9; ++e)
                        for (int kind = 0; kind < 2; ++kind) sum[kind][k][e] += shape * kernels.value[kind][e];
                }
            }
        }
    }

    Vec3 normal_, point_;
    BoundaryMaterial material_;
};

// The largest difference over the largest entry; `skip`: a corner whose entries do not count.
double relative_error(const double (&found)[3][9], const double (&truth)[3][9], int skip = -1) {
    double error = 0.0, largest = 0.0;
    for (int k = 0; k < 3; ++k) {
        for (int e = 0; e < 9 && k != skip; ++e) {
            error = std::max(error, std::abs(found[k][e] - truth[k][e]));
            largest = std::max(largest, std::abs(truth[k][e]));
        }
    }
    return error / largest;
}

class SpaceBlocksTest : public ::testing::Test {
protected:
    double uniform() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }
    Vec3 vector() { return {uniform(), uniform(), uniform()}; }
    Vec3 direction() {
        const Vec3 v = vector();
        return v / norm(v);
    }
    SpaceFacet facet() {
        for (;;) {
            if (const SpaceFacet f = make_space_facet(vector(), vector(), vector()); f.area > 0.2 * f.reach * f.reach)
                return f;
        }
    }

private:
    std::mt19937 random_{7};
};

TEST_F(SpaceBlocksTest, ClosedFormsHoldAtEveryDistance) {
    // Above the middle, beside an edge, beside a corner, straight up, and in the facet's own plane: each has its own
    // cancellations.
    for (const double share : {1e-3, 1e-2, 0.1, 0.5, 1.0, 3.0, 10.0}) {
        for (int trial = 0; trial < 10; ++trial) {
            const SpaceFacet f = facet();
            const double a = trial % 5 == 1 || trial % 5 == 2 ? 0.0 : 0.3, b = trial % 5 == 2 ? 0.0 : 0.4;
            Vec3 away = trial % 5 == 3 ? f.normal() : direction();
            if (trial % 5 == 4) away = (f.middle - f.corner[0]) / norm(f.middle - f.corner[0]);
            const Vec3 from = trial % 5 == 4 ? 2.0 * f.middle - f.corner[0]
                                             : (1 - a - b) * f.corner[0] + a * f.corner[1] + b * f.corner[2];
            const Vec3 point = from + share * f.reach * away;
            const BoundaryMaterial material{2.0, trial % 2 == 0 ? 0.3 : 0.49};
            const Subdivided truth(f, point, material);
            SpaceBlocks found;
            SpacePanel(f).closed(point, -1, kelvin_factors(material), found);
            EXPECT_LT(relative_error(found.u, truth.sum[0]), 1e-10) << share << " " << trial;
            EXPECT_LT(relative_error(found.t, truth.sum[1]), 1e-10) << share << " " << trial;
        }
    }
}

TEST_F(SpaceBlocksTest, ClosedFormsHoldAtTheFacetsOwnCorners) {
    // Weakly singular, and for the other two corners only just integrable: the reference stops 30 halvings short of the
    // corner.
    for (int corner = 0; corner < 3; ++corner) {
        const SpaceFacet f = facet();
        const BoundaryMaterial material{2.0, 0.3};
        const Vec3 point = f.corner[static_cast<std::size_t>(corner)];
        const Subdivided truth(f, point, material);
        SpaceBlocks found;
        SpacePanel(f).closed(point, corner, kelvin_factors(material), found);
        EXPECT_LT(relative_error(found.u, truth.sum[0]), 1e-8) << corner;
        EXPECT_LT(relative_error(found.t, truth.sum[1], corner), 1e-8) << corner;
    }
}

TEST_F(SpaceBlocksTest, TheRuleChosenKeepsTheAccuracy) {
    // From where rules begin to where the smallest is enough; the closed form is the truth here, within 4e-9 at 64
    // reaches.
    for (const double accuracy : {1e-3, 1e-5, 1e-8}) {
        int used[4] = {};
        const RuleChoice choice(accuracy);
        for (int trial = 0; trial < 2000; ++trial) {
            const SpaceFacet f = facet();
            const Vec3 point = f.middle +
                               std::exp2(1.0 + 2.5 * (1.0 + uniform())) * f.reach *
                                   (trial % 3 == 0 ? uniform() * f.axis[0] + uniform() * f.axis[1] : direction());
            const BoundaryMaterial material{1.0, trial % 2 == 0 ? 0.3 : 0.49};
            const SpacePanel panel(f);
            const int rule = choice(f, point);
            ++used[rule + 1];
            SpaceBlocks truth, found;
            panel.closed(point, -1, kelvin_factors(material), truth);
            rule < 0 ? panel.closed(point, -1, kelvin_factors(material), found)
                     : panel.by_rule(rule, point, kelvin_factors(material), found);
            EXPECT_LT(relative_error(found.u, truth.u), accuracy + 4e-9) << rule;
            EXPECT_LT(relative_error(found.t, truth.t), accuracy + 4e-9) << rule;
        }
        EXPECT_GT(used[0], 0);
        EXPECT_GT(used[2], 0);
        EXPECT_GT(used[3], 0);
        EXPECT_EQ(used[1] > 0, accuracy > 1e-4);  // three points are for loose accuracies
    }
}

TEST_F(SpaceBlocksTest, StressKernelsAreTheDerivativesOfDisplacementKernels) {
    // sigma = C : grad_p (int U t), by differences; from far (rule) to near (closed form), where one formula could be
    // wrong alone.
    const BoundaryMaterial material{2.0, 0.3};
    const double lambda = 2.0 * material.shear * material.poisson / (1.0 - 2.0 * material.poisson);
    for (const double share : {0.05, 0.5, 3.0, 9.0, 11.0, 30.0}) {
        const SpaceFacet f = facet();
        const SpacePanel panel(f);
        const Vec3 point = f.middle + share * f.reach * direction();
        const double h = 1e-4 * share * f.reach;
        double gradient[2][3][3][9];  // kind, direction, corner, entry
        for (int axis = 0; axis < 3; ++axis) {
            SpaceBlocks at[4];
            const double steps[4] = {-2, -1, 1, 2}, factor[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
            for (int s = 0; s < 4; ++s) {
                Vec3 p = point;
                p[axis] += steps[s] * h;
                panel.closed(p, -1, kelvin_factors(material), at[s]);
            }
            for (int k = 0; k < 3; ++k) {
                for (int e = 0; e < 9; ++e) {
                    gradient[0][axis][k][e] = gradient[1][axis][k][e] = 0.0;
                    for (int s = 0; s < 4; ++s) {
                        gradient[0][axis][k][e] += factor[s] / h * at[s].u[k][e];
                        gradient[1][axis][k][e] += factor[s] / h * at[s].t[k][e];
                    }
                }
            }
        }
        SpaceStressBlocks found;
        stress_blocks(f, point, material, found);
        constexpr int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
        for (int kind = 0; kind < 2; ++kind) {
            double worst = 0.0, most = 0.0;
            for (int k = 0; k < 3; ++k) {
                for (int row = 0; row < 6; ++row) {
                    for (int c = 0; c < 3; ++c) {
                        const int i = pairs[row][0], j = pairs[row][1];
                        const auto g = [&](int component, int axis) {
                            return gradient[kind][axis][k][3 * component + c];
                        };
                        const double truth = material.shear * (g(i, j) + g(j, i)) +
                                             (i == j ? lambda * (g(0, 0) + g(1, 1) + g(2, 2)) : 0.0);
                        worst = std::max(worst, std::abs((kind == 0 ? found.d : found.s)[k][3 * row + c] - truth));
                        most = std::max(most, std::abs(truth));
                    }
                }
            }
            EXPECT_LT(worst, 1e-6 * most) << (kind == 0 ? "D " : "S ") << share;
        }
    }
}

TEST(SpaceCavity, OnlyWideCavitiesGetTheirPoint) {
    BoundaryShape shell = space_testing::sphere_shape(2);
    EXPECT_TRUE(find_cavities(shell).empty());
    BoundaryShape hole = space_testing::sphere_shape(2, 0.3, true);
    for (Vec3& p : hole.points) p += Vec3{0.4, 0.0, 0.1};
    space_testing::append(shell, hole);
    const std::vector<Cavity> found = find_cavities(shell);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_LT(norm(found[0].inside - Vec3{0.4, 0.0, 0.1}), 0.05);
    EXPECT_EQ(found[0].facets.size(), 320u);
    for (std::size_t i = 162; i < shell.points.size(); ++i)
        shell.points[i].z *= 0.03;  // a crack: no room for a smooth field
    EXPECT_TRUE(find_cavities(shell).empty());
}

}  // namespace
}  // namespace limber
