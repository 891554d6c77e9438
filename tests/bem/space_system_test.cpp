#include "bem/space_shapes.hpp"
#include "kernels/isa.hpp"

#include <limber/error.hpp>
#include <limber/version.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace limber {
namespace {

using namespace space_testing;

Progress no_progress;

BoundarySystem system_of(const BoundaryShape& shape, double poisson, double corner_degrees = 25.0,
                         double accuracy = 1e-8) {
    BoundarySettings settings;
    settings.corner_degrees = corner_degrees;
    settings.accuracy = accuracy;
    return make_space_system(shape, {2.0, poisson}, settings, no_progress);
}

// A box whose vertices are moved, so that no two facets are in one plane.
BoundaryShape crumpled_box() {
    BoundaryShape shape = box_shape({3, 2, 2}, {1.5, 1.0, 0.8});
    for (Vec3& p : shape.points)
        p += 0.05 * Vec3{std::sin(7 * p.x + 3 * p.y), std::sin(5 * p.y + 9 * p.z), std::sin(8 * p.z + 2 * p.x)};
    return shape;
}

BoundaryShape hollow_sphere() {
    BoundaryShape shape = sphere_shape(1);
    append(shape, sphere_shape(1, 0.4, true));
    for (std::size_t i = 42; i < shape.points.size(); ++i) shape.points[i] += Vec3{0.2, -0.1, 0.3};
    return shape;
}

const Mat3 kGradient = [] {
    Mat3 g;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) g(i, j) = 0.1 * (1.0 + 2.0 * i - j) + (i == j ? 0.3 : 0.0);
    return g;
}();

TEST(SpaceSystem, RigidMotionsTakeNoTraction) {
    // Translations hold by construction; rotations only when every strongly singular integral is right.
    for (const BoundaryShape& shape : {crumpled_box(), sphere_shape(1), hollow_sphere(), box_shape({2, 3, 1})}) {
        const BoundarySystem s = system_of(shape, 0.3);
        const auto turned = at_nodes(s, [](const Vec3& p) { return cross(Vec3{1.0, -2.0, 0.5}, p); });
        EXPECT_LT(largest(times(s.h, turned)), 2e-8);
        EXPECT_LT(largest(times(s.h, at_nodes(s, [](const Vec3&) { return Vec3{1.0, 2.0, 3.0}; }))), 1e-13);
    }
}

TEST(SpaceSystem, ConstantStrainIsExactToTheAccuracyAskedFor) {
    // With a slot per facet and corner (0 degrees) the traction of constant strain is representable on any surface.
    for (const double poisson : {0.0, 0.3, 0.49}) {
        for (const double accuracy : {1e-4, 1e-8, 1e-11}) {
            for (const BoundaryShape& shape : {crumpled_box(), sphere_shape(2), hollow_sphere()}) {
                const BoundarySystem s = system_of(shape, poisson, 0.0, accuracy);
                const Mat3 stress = stress_of(s.material, kGradient);
                const auto u = at_nodes(s, [](const Vec3& p) { return kGradient * p; });
                const auto t = at_slots(s, [&](const Vec3&, const Vec3& n) { return stress * n; });
                EXPECT_LT(largest(minus(times(s.h, u), times(s.g, t))), accuracy * largest(u) + 1e-12) << poisson;
            }
        }
    }
}

TEST(SpaceSystem, SlotsFollowEdgesAndGroups) {
    const BoundaryShape box = box_shape({2, 2, 2});
    const BoundarySystem s = system_of(box, 0.3);
    // 8 corners of three slots, 12 inner edge points of two, 6 face points of one.
    EXPECT_EQ(s.slot_node.size(), 8u * 3 + 12 * 2 + 6);
    double area = 0.0;
    for (std::size_t i = 0; i < s.slot_node.size(); ++i) {
        area += s.slot_weight[i];
        EXPECT_NEAR(
            std::max({std::abs(s.slot_normal[i].x), std::abs(s.slot_normal[i].y), std::abs(s.slot_normal[i].z)}), 1.0,
            1e-15);
    }
    EXPECT_NEAR(area, 6.0, 1e-14);
    EXPECT_NEAR(s.measure, 1.0, 1e-14);
    EXPECT_NEAR(norm(s.origin - Vec3{0.5, 0.5, 0.5}), 0.0, 1e-14);
    for (std::size_t c = 0; c < box.facets.size(); ++c)
        EXPECT_EQ(s.slot_node[static_cast<std::size_t>(s.facet_slots[c])], box.facets[c]);

    BoundarySettings settings;
    settings.corner_degrees = 180.0;
    EXPECT_EQ(make_space_system(box, {}, settings, no_progress).slot_node.size(), box.points.size());
    settings.facet_group.assign(box.facet_count(), 0);
    settings.facet_group[0] = 1;  // a facet that shares nothing: three slots more
    EXPECT_EQ(make_space_system(box, {}, settings, no_progress).slot_node.size(), box.points.size() + 3);
}

TEST(SpaceSystem, BodyForcesAreTheirVolumeIntegrals) {
    // From outside the integrand is smooth: Gauss in the box itself is the reference, boundary integrals the claim.
    const BoundarySystem s = system_of(box_shape({2, 1, 1}, {2.0, 1.0, 1.5}), 0.35);
    const Vec3 point{-0.8, 1.7, 0.4};
    const InnerRows rows = space_displacement_rows(s, point);
    const double at[4] = {0.06943184420297371, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629};
    const double weight[4] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693};
    DenseMatrix expected(3, 12);
    constexpr int kParts = 6;
    const auto along = [&](int number) {
        const int part = number / 4;
        return (part + at[number % 4]) / kParts;
    };
    for (int a = 0; a < 4 * kParts; ++a) {
        for (int b = 0; b < 4 * kParts; ++b) {
            for (int c = 0; c < 4 * kParts; ++c) {
                const Vec3 x{2.0 * along(a), 1.0 * along(b), 1.5 * along(c)};
                const double w = 3.0 * weight[a % 4] * weight[b % 4] * weight[c % 4] / (kParts * kParts * kParts);
                const Vec3 r = x - point, from_origin = x - s.origin;
                for (int i = 0; i < 3; ++i) {
                    for (int j = 0; j < 3; ++j) {
                        const double u = w / (16 * std::numbers::pi * 2.0 * 0.65 * norm(r)) *
                                         ((i == j ? 3 - 4 * 0.35 : 0.0) + r[i] * r[j] / norm2(r));
                        const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
                        expected(row, column) += u;
                        for (int l = 0; l < 3; ++l)
                            expected(row, 3 + 3 * column + static_cast<std::size_t>(l)) += u * from_origin[l];
                    }
                }
            }
        }
    }
    EXPECT_LT(largest(minus(rows.body.values, expected.values)), 1e-9 * largest(expected.values));
}

TEST(SpaceSystem, BodyColumnsOfNodesAreThoseOfPointsBesideThem) {
    // Nodes and other points are summed by different code; the volume integral does not jump at the boundary.
    const BoundarySystem s = system_of(crumpled_box(), 0.3);
    for (const std::size_t node : {0u, 7u, 21u}) {
        const Vec3 beside = s.nodes[node] + 1e-7 * (s.origin - s.nodes[node]);
        const DenseMatrix body = space_displacement_rows(s, beside).body;
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 12; ++j) {
                EXPECT_NEAR(s.body(3 * node + i, j), body(i, j), 1e-6 * largest(body.values))
                    << node << " " << i << " " << j;
            }
        }
    }
}

TEST(SpaceSystem, StressRowsAreTheDerivativesOfDisplacementRows) {
    const BoundarySystem s = system_of(crumpled_box(), 0.3);
    const double mu = s.material.shear, lambda = 2.0 * mu * s.material.poisson / (1.0 - 2.0 * s.material.poisson),
                 h = 1e-3;
    const Vec3 point = s.origin + Vec3{0.1, -0.2, 0.15};
    const InnerRows stress = space_stress_rows(s, point);
    const auto check = [&](DenseMatrix InnerRows::*member) {
        const DenseMatrix& found = stress.*member;
        DenseMatrix gradient[3];
        for (int axis = 0; axis < 3; ++axis) {
            gradient[axis] = DenseMatrix(3, found.columns);
            for (const auto& [step, factor] :
                 {std::pair{-2.0, 1.0 / 12}, {-1.0, -8.0 / 12}, {1.0, 8.0 / 12}, {2.0, -1.0 / 12}}) {
                Vec3 p = point;
                p[axis] += step * h;
                const InnerRows rows = space_displacement_rows(s, p);
                for (std::size_t i = 0; i < gradient[axis].values.size(); ++i)
                    gradient[axis].values[i] += factor / h * (rows.*member).values[i];
            }
        }
        constexpr int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
        DenseMatrix expected(6, found.columns);
        for (std::size_t row = 0; row < 6; ++row) {
            for (std::size_t j = 0; j < found.columns; ++j) {
                const auto g = [&](int component, int axis) {
                    return gradient[axis](static_cast<std::size_t>(component), j);
                };
                const int a = pairs[row][0], b = pairs[row][1];
                expected(row, j) = mu * (g(a, b) + g(b, a)) + (a == b ? lambda * (g(0, 0) + g(1, 1) + g(2, 2)) : 0.0);
            }
        }
        return largest(minus(found.values, expected.values)) / largest(expected.values);
    };
    EXPECT_LT(check(&InnerRows::h), 1e-6);
    EXPECT_LT(check(&InnerRows::g), 1e-6);
    EXPECT_LT(check(&InnerRows::body), 1e-6);
}

TEST(SpaceSystem, CavitiesKeepTheirWeightForAnyPoissonRatio) {
    // Normals of the cavity from both sides of H: without Betti's row they vanish with 1 - 2 nu, with the wrong sign
    // somewhere in between.
    BoundaryShape shape = sphere_shape(1);
    append(shape, sphere_shape(1, 0.5, true));
    for (const double poisson : {-0.5, 0.0, 0.3, 0.45, 0.4999}) {
        const BoundarySystem s = system_of(shape, poisson);
        std::vector<double> normals(s.unknowns(), 0.0);
        double area = 0.0, product = 0.0;
        for (std::size_t n = 42; n < s.nodes.size(); ++n) {
            for (int c = 0; c < 3; ++c) {
                normals[3 * n + static_cast<std::size_t>(c)] =
                    s.slot_normal[static_cast<std::size_t>(s.node_slots[n][0])][c];
            }
        }
        const std::vector<double> through = times(s.h, normals);
        for (std::size_t i = 0; i < s.unknowns(); ++i) {
            const double weight = s.slot_weight[static_cast<std::size_t>(s.node_slots[i / 3][0])];
            product += weight * normals[i] * through[i];
            area += weight * normals[i] * normals[i];
        }
        EXPECT_GT(product / area, 0.5) << poisson;
        EXPECT_LT(product / area, 3.0) << poisson;
    }
}

TEST(SpaceSystem, InnerPointsSeeConstantStrainRightUpToTheBoundary) {
    // Heights above the middle of a facet, above an edge and beside a corner; and outside, where the sum is nothing.
    const BoundarySystem s = system_of(crumpled_box(), 0.3, 0.0);
    const Mat3 stress = stress_of(s.material, kGradient);
    const auto u = at_nodes(s, [](const Vec3& p) { return kGradient * p; });
    const auto t = at_slots(s, [&](const Vec3&, const Vec3& n) { return stress * n; });
    const std::vector<double> none(12, 0.0);
    const double expected[6] = {stress(0, 0), stress(1, 1), stress(2, 2), stress(0, 1), stress(1, 2), stress(2, 0)};
    const auto corner = [&](std::size_t k) { return s.nodes[static_cast<std::size_t>(s.shape.facets[k])]; };
    const Vec3 positions[3] = {(corner(0) + corner(1) + corner(2)) / 3.0, 0.5 * (corner(0) + corner(1)), corner(0)};
    for (const Vec3& position : positions) {
        for (const double share : {1.0, 0.3, 1e-2, 1e-3, 1e-5}) {
            const Vec3 p = position + share * (s.origin - position);
            const std::vector<double> found = inner_value(space_displacement_rows(s, p), u, t, none);
            const Vec3 exact = kGradient * p;
            for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[static_cast<std::size_t>(i)], exact[i], 1e-9) << share;
            const std::vector<double> inner = inner_value(space_stress_rows(s, p), u, t, none);
            for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(inner[i], expected[i], 1e-8 + 1e-12 / share) << share;
            const Vec3 outside = position - share * (s.origin - position);
            EXPECT_LT(largest(inner_value(space_displacement_rows(s, outside), u, t, none)), 1e-9) << share;
        }
    }
}

TEST(SpaceSystem, SameBitsForAnyNumberOfThreadsAndInstructionSet) {
    // Rows are made four nodes at a time: 3 x 2 x 2 cells leave two over.
    for (const BoundaryShape& shape : {sphere_shape(2), crumpled_box()}) {
        const BoundarySystem one = system_of(shape, 0.3);
        set_thread_count(2);
        const BoundarySystem two = system_of(shape, 0.3);
        set_thread_count(1);
        const Isa best = kernel_choice();
        set_kernel_choice(Isa::baseline);
        const BoundarySystem plain = system_of(shape, 0.3);
        set_kernel_choice(best);
        for (const BoundarySystem* other : {&two, &plain}) {
            EXPECT_EQ(one.h.values, other->h.values);
            EXPECT_EQ(one.g.values, other->g.values);
            EXPECT_EQ(one.body.values, other->body.values);
        }
    }
}

TEST(SpaceSystem, RefusesWhatIsNoClosedSurface) {
    const auto fault = [](const BoundaryShape& shape, const BoundaryMaterial& material = {}) -> std::string {
        try {
            make_space_system(shape, material, {}, no_progress);
        } catch (const Error& e) {
            return std::string(to_string(e.fault())) + ": " + e.what();
        }
        return "";
    };
    BoundaryShape open = sphere_shape(0);
    open.facets.resize(open.facets.size() - 3);
    EXPECT_NE(fault(open).find("closed surface"), std::string::npos) << fault(open);
    EXPECT_NE(fault(sphere_shape(0, 1.0, true)).find("volume"), std::string::npos);
    BoundaryShape flat = box_shape({1, 1, 1});
    flat.points[0] = 0.5 * (flat.points[1] + flat.points[2]);
    for (Vec3& p : flat.points) p.z = 0.0;
    EXPECT_NE(fault(flat), "");
    EXPECT_NE(fault(sphere_shape(0), {1.0, 0.5}).find("Poisson"), std::string::npos);
    EXPECT_NE(fault(sphere_shape(0), {-1.0, 0.3}).find("shear"), std::string::npos);
    BoundaryShape loose = sphere_shape(0);
    loose.points.push_back({5, 5, 5});
    EXPECT_NE(fault(loose).find("no triangle"), std::string::npos);
}

}  // namespace
}  // namespace limber
