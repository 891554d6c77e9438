#include "expect_error.hpp"
#include "linear_fem_fixtures.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace limber {
namespace {

std::shared_ptr<const Body> jelly(Mesh mesh, double poisson = 0.4) {
    BodyDescription d;
    d.mesh = std::move(mesh);
    Material m;
    m.young = 2e4;
    m.poisson = poisson;
    m.density = 1000;
    d.materials = {{"", m}};
    return Body::make(d);
}

/// A ball, an ellipsoid and a cylinder on its side, each with its lowest point near y = 0.
Mesh resting(int which) {
    if (which == 2) {
        Mesh mesh = make_cylinder(CellKind::tet4, 8, 8, 0.05, 0.2);
        for (Vec3& p : mesh.vertices) p.y += 0.05;
        return mesh;
    }
    Mesh mesh = make_ball(CellKind::tet4, 8, {}, 0.05);
    for (Vec3& p : mesh.vertices) p = {p.x * (which == 1 ? 1.8 : 1.0), p.y + 0.05, p.z * (which == 1 ? 1.3 : 1.0)};
    return mesh;
}

OptionValues options_of(const char* shape, double alpha = 1.5) {
    return {{"shape", std::string(shape)}, {"alpha", alpha}, {"friction", 0.0}, {"section_nodes", 32.0}};
}

/// Obstacle: the ground, `deep` above the body's lowest point: it is pressed in by as much at once.
std::vector<Obstacle> ground(double height) {
    Obstacle o;
    o.position = {0, height, 0};
    return {o};
}

std::vector<Vec3> positions_of(const test::Sim& sim) {
    std::vector<Vec3> out = sim.u();
    for (std::size_t v = 0; v < out.size(); ++v) out[v] += sim.deformer->body().mesh().vertices[v];
    return out;
}

/// Extent along an axis: least, and greatest less least.
std::pair<double, double> extent(const std::vector<Vec3>& x, int axis) {
    const auto [low, high] = std::minmax_element(x.begin(), x.end(),
                                                 [&](const Vec3& a, const Vec3& b) { return a[axis] < b[axis]; });
    return {(*low)[axis], (*high)[axis] - (*low)[axis]};
}

TEST(BemSections, BallsEllipsoidsAndCylindersBounceAsTheirSurfacesDo) {
    // The rigid motion knows the surface in either case and must be the same to the bit; the shape is an approximation
    // of the other one: it squashes by half to all of it and widens by once to two and a half times (slabs in plane
    // strain give way to one side only).
    for (const int which : {0, 1, 2}) {
        const auto body = jelly(resting(which));
        test::Sim whole(body, options_of("surface"), "bem"), sections(body, options_of("sections"), "bem");
        const std::vector<Obstacle> floor = ground(-0.02);
        Loads loads;
        loads.gravity = {0, -9.81, 0};
        loads.obstacles = floor;
        const double height = 0.1, width = which == 1 ? 0.13 : 0.1;
        double squashed[2] = {}, wider[2] = {};
        bool rose = false;
        for (int k = 0; k < 90; ++k) {
            int at = 0;
            for (test::Sim* sim : {&whole, &sections}) {
                sim->last = sim->deformer->step(sim->state, loads, 1.0 / 240, sim->scratch);
                ASSERT_EQ(sim->last.trouble, Trouble::none);
                const auto x = positions_of(*sim);
                ASSERT_GT(extent(x, 1).first, -0.02 - 1e-9) << "nothing below the floor";
                squashed[at] = std::max(squashed[at], height - extent(x, 1).second);
                wider[at] = std::max(wider[at], extent(x, 2).second - width);
                rose = rose || (squashed[at] > 0.005 && extent(x, 1).first > -0.019);
                ++at;
            }
            for (std::size_t i = 0; i < 13; ++i) ASSERT_EQ(whole.state.reals[i], sections.state.reals[i]) << k;
        }
        EXPECT_TRUE(rose) << "it bounces";
        EXPECT_GT(squashed[1], 0.5 * squashed[0]) << which;
        EXPECT_LT(squashed[1], 1.1 * squashed[0]) << which;
        EXPECT_GT(wider[1], 1.0 * wider[0]) << which;
        EXPECT_LT(wider[1], 2.5 * wider[0]) << which;
    }
}

/// One short step among obstacles from rest: what pierces is pressed in, nothing moves.
std::vector<Vec3> pressed(const Deformer& deformer, const std::vector<Obstacle>& obstacles, double* put_out = nullptr) {
    State state = deformer.rest_state();
    Workspace scratch = deformer.make_workspace();
    Loads loads;
    loads.obstacles = obstacles;
    const StepReport report = deformer.step(state, loads, 1e-6, scratch);
    EXPECT_EQ(report.trouble, Trouble::none);
    if (put_out != nullptr) *put_out = report.residual;
    std::vector<Vec3> out(deformer.body().vertex_count());
    deformer.displacements(state, out);
    return out;
}

TEST(BemSections, AlphaSaysHowFarInTheNearerSideIsFollowed) {
    // Figure 8: with a small alpha every vertex goes the mean of its two sides, with a large one that of the nearer.
    // The top is far from the squashed side.
    const std::vector<Obstacle> floor = ground(0.01);
    double lift = 1.0;
    const auto mesh = resting(0);
    for (const double alpha : {0.1, 1.5, 10.0}) {
        const std::vector<Vec3> u = pressed(*test::prepare(jelly(mesh), options_of("sections", alpha), "bem"), floor);
        double sum = 0;  // how much vertices between the equator and the top are lifted
        int count = 0;
        for (std::size_t v = 0; v < u.size(); ++v) {
            if (mesh.vertices[v].y > 0.055 && norm(mesh.vertices[v] - Vec3{0, 0.05, 0}) > 0.0499) {
                sum += u[v].y;
                ++count;
            }
        }
        EXPECT_LT(sum / count, lift) << alpha;
        lift = sum / count;
    }
}

TEST(BemSections, FollowsTheContactAroundTheBody) {
    // The same ball pressed from six sides and one askew: every time it is flat there. Only prepared pairs of sections
    // exist, and none for the askew one.
    const Vec3 centre{0, 0.05, 0};
    const Mesh mesh = resting(0);
    const auto ball = test::prepare(jelly(mesh), options_of("sections"), "bem");
    for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, -1, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1},
                            Vec3{0.3, -0.8, 0.45}}) {
        const Vec3 n = way / norm(way);
        Obstacle wall;  // its free side is its own +y, turned to -n
        wall.position = centre + 0.04 * n;
        const Vec3 axis = cross(Vec3{0, 1, 0}, -n);
        const double angle = std::acos(std::clamp(-n.y, -1.0, 1.0));
        wall.rotation = norm(axis) > 1e-9 ? from_rotation_vector(angle / norm(axis) * axis)
                                          : from_rotation_vector({angle, 0, 0});
        double put_out = 1.0;
        const std::vector<Vec3> u = pressed(*ball, {wall}, &put_out);
        EXPECT_LT(put_out, 0.02) << "(18) itself brings points out, all but this share of the size";
        double deepest = 0.0, sideways = 0.0, undeformed = 0.0;
        for (std::size_t v = 0; v < u.size(); ++v) {
            const Vec3 arm = mesh.vertices[v] - centre;
            undeformed = std::max(undeformed, dot(arm, n));
            deepest = std::max(deepest, dot(arm + u[v], n));
            if (std::abs(dot(arm, n)) < 0.01 && norm(arm) > 0.0499)
                sideways = std::max(sideways, dot(u[v], arm) / norm(arm));
        }
        EXPECT_GT(undeformed, 0.045);
        EXPECT_LT(deepest, 0.04 + 1e-6) << n.x << " " << n.y << " " << n.z;
        EXPECT_GT(sideways, 0.0005);
    }
}

TEST(BemSections, SavesLoadsAndRefuses) {
    Progress silent;
    const auto body = jelly(resting(1));
    const auto made = test::prepare(body, options_of("sections"), "bem");
    ByteWriter out;
    made->save(out);
    ByteReader in(out.bytes(), {});
    const auto loaded = require_method("bem").load(body, in);
    State a = made->rest_state(), b = loaded->rest_state();
    Workspace s = made->make_workspace(), t = loaded->make_workspace();
    const std::vector<Obstacle> floor = ground(0.005);
    Loads loads;
    loads.gravity = {0, -9.81, 0};
    loads.obstacles = floor;
    for (int k = 0; k < 5; ++k) {
        made->step(a, loads, 1.0 / 60, s);
        loaded->step(b, loads, 1.0 / 60, t);
    }
    EXPECT_EQ(a.reals, b.reals);
    EXPECT_EQ(a.marks, b.marks);
    EXPECT_LT(made->memory(), 100u << 20);
    const auto refuses = [&](std::shared_ptr<const Body> what, OptionValues options) {
        expect_error(Fault::unsupported, "/method/options/shape",
                     [&] { test::prepare(std::move(what), options, "bem"); });
    };
    OptionValues sticky = options_of("sections");
    sticky["stick"] = 10.0;
    refuses(body, sticky);
    BodyDescription flat;
    flat.mesh = make_grid(CellKind::quad4, 4, 4, {0, 0, 0}, {1, 1, 0});
    flat.materials = {{"", Material{}}};
    refuses(Body::make(flat), options_of("sections"));
}

}  // namespace
}  // namespace limber
