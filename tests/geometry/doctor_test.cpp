#include "geometry/self_intersection.hpp"
#include "geometry/surface_shapes.hpp"

#include <limber/tools/doctor.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

using namespace testing;
using Kind = SurfaceFinding::Kind;

SurfaceHealth health_of(const Surface& s, double unit = 1.0) {
    Progress progress;
    DoctorSettings settings;
    settings.unit = unit;
    return examine(s, settings, progress);
}
SurfaceHealth health_of(const Triangles& t) { return health_of(to_surface(t)); }

std::size_t count_of(const SurfaceHealth& h, Kind kind) {
    for (const SurfaceFinding& f : h.findings)
        if (f.kind == kind) return f.count;
    return 0;
}

/// Six quads, outwards.
Surface quad_box() {
    Surface s;
    for (const double z : {0.0, 1.0}) {
        for (const double y : {0.0, 1.0})
            for (const double x : {0.0, 1.0}) s.vertices.push_back({x, y, z});
    }
    s.faces = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
    s.face_starts = {0, 4, 8, 12, 16, 20, 24};
    return s;
}

TEST(Doctor, FindsNothingWrongWithSoundShapes) {
    // False alarms (coplanar neighbours, fans at a corner) would make every other finding worthless.
    for (const Triangles& t : {ball(), torus(), cube()}) {
        const SurfaceHealth h = health_of(t);
        for (const SurfaceFinding& f : h.findings)
            EXPECT_EQ(f.kind, Kind::unused_vertex) << f.message;  // those of the cells within
        EXPECT_TRUE(h.sound() && h.closed);
        EXPECT_NEAR(h.volume, enclosed_volume(t), 1e-12);
    }
    EXPECT_TRUE(health_of(quad_box()).findings.empty());
}

TEST(Doctor, CountsHolesAndMeasuresTheLongest) {
    Surface s = quad_box();
    s.faces.resize(20);
    s.face_starts.pop_back();  // the side x = 1
    s.faces.erase(s.faces.begin() + 16, s.faces.end());
    s.face_starts.pop_back();  // and x = 0
    const SurfaceHealth h = health_of(s);
    EXPECT_EQ(h.holes, 2u);
    EXPECT_DOUBLE_EQ(h.longest_hole, 4.0);
    EXPECT_FALSE(h.closed || h.sound());
}

TEST(Doctor, FindsCrowdedEdgesAndPinchedVertices) {
    Surface fin = quad_box();
    fin.vertices.push_back({-1, 0.5, 0.5});
    fin.faces.insert(fin.faces.end(), {0, 1, 8});  // a third face on the edge 0-1
    fin.face_starts.push_back(27);
    EXPECT_EQ(count_of(health_of(fin), Kind::shared_edge), 1u);
    Surface two = quad_box();  // a second box that touches the first in its corner (1, 1, 1)
    for (const Vec3& p : quad_box().vertices) two.vertices.push_back(p + Vec3{1, 1, 1});
    for (const std::int32_t v : quad_box().faces) two.faces.push_back(v + 8);
    for (int f = 1; f <= 6; ++f) two.face_starts.push_back(24 + 4 * f);
    const SurfaceHealth h = health_of(two);
    EXPECT_EQ(count_of(h, Kind::shared_vertex), 1u);
    EXPECT_EQ(count_of(h, Kind::shared_edge), 0u);
    EXPECT_EQ(count_of(h, Kind::doubled_vertex), 1u);
    EXPECT_EQ(count_of(h, Kind::self_intersection), 0u);  // touching is not crossing
}

TEST(Doctor, TellsFlippedFacesFromAnInsideOutSurface) {
    Triangles some = ball();
    for (const std::size_t i : {3u, 40u, 41u}) flip(some, i);
    EXPECT_EQ(count_of(health_of(some), Kind::disagreeing_faces), 3u);
    EXPECT_EQ(count_of(health_of(some), Kind::inside_out), 0u);
    Triangles all = ball();
    flip_some(all, 1.0, 1);
    EXPECT_EQ(count_of(health_of(all), Kind::disagreeing_faces), 0u);
    EXPECT_EQ(count_of(health_of(all), Kind::inside_out), 1u);
}

TEST(Doctor, CountsIslandsDoublesRepeatsAndFlatFaces) {
    Triangles t = cube();
    append(t, ball(0.2, 4, {5, 0, 0}));
    EXPECT_EQ(health_of(t).islands, 2u);
    EXPECT_TRUE(health_of(t).sound());  // two things are no fault
    Surface s = quad_box();
    s.vertices.push_back({9, 9, 9});  // unused
    s.vertices.push_back({0, 0, 0});  // number 0 again
    s.faces.insert(s.faces.end(),
                   {2, 3, 1, 9, 3, 3, 7, 0, 1, 1,
                    4});  // face 1 turned round, a line; and a corner named twice: 0 1 4 is half of face 3
    s.face_starts.insert(s.face_starts.end(), {28, 31, 35});
    const SurfaceHealth h = health_of(s);
    EXPECT_EQ(count_of(h, Kind::repeated_face), 1u);
    EXPECT_EQ(count_of(h, Kind::doubled_vertex), 1u);
    EXPECT_EQ(count_of(h, Kind::unused_vertex), 1u);
    EXPECT_EQ(count_of(h, Kind::flat_face), 1u);
}

TEST(Doctor, SaysWhichUnitWouldMakeTheSizePlausible) {
    Surface liver = quad_box();
    for (Vec3& p : liver.vertices) p *= 300.0;
    const SurfaceHealth in_metres = health_of(liver), in_mm = health_of(liver, 0.001);
    ASSERT_EQ(count_of(in_metres, Kind::unlikely_size), 1u);
    EXPECT_NE(in_metres.findings.front().message.find("0.3 m in mm"), std::string::npos)
        << in_metres.findings.front().message;
    EXPECT_EQ(count_of(in_mm, Kind::unlikely_size), 0u);
}

TEST(Doctor, MendsWhatItCallsMendableAndKeepsTheRest) {
    // Everything at once, on polygons: the result must be sound, and untouched vertices and quads must be where they
    // were.
    Surface s = quad_box();
    std::swap(s.faces[5], s.faces[7]);  // the second face turned
    s.vertices.push_back({0, 0, 0});
    s.faces[0] = 8;  // the first face on the double
    s.vertices.push_back({9, 9, 9});
    s.faces.insert(s.faces.end(), {1, 3, 2, 0, 3, 7, 3});
    s.face_starts.insert(s.face_starts.end(), {28, 31});
    RepairReport done;
    RepairSources sources;
    const Surface repaired = repair(s, done, &sources);
    EXPECT_EQ(repaired.vertices, quad_box().vertices);
    EXPECT_EQ(sources.vertex, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(sources.face, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(std::vector(sources.corner.begin() + 4, sources.corner.begin() + 9),
              (std::vector<std::int32_t>{4, 7, 6, 5, 8}));  // the turned one
    EXPECT_EQ(repaired.face_starts, quad_box().face_starts);
    EXPECT_EQ(done.turned_faces, 1u);
    EXPECT_EQ(done.joined_vertices, 1u);
    EXPECT_EQ(done.unused_vertices, 1u);
    EXPECT_EQ(done.repeated_faces, 1u);
    EXPECT_EQ(done.flat_faces, 1u);
    const SurfaceHealth h = health_of(repaired);
    EXPECT_TRUE(h.findings.empty()) << h.findings.front().message;
    EXPECT_DOUBLE_EQ(h.volume, 1.0);
    RepairReport nothing;
    EXPECT_EQ(repair(repaired, nothing).faces, repaired.faces);
    EXPECT_FALSE(nothing.changed());
}

TEST(Doctor, VerticesDoubledAlongSeamsAreNoFault) {
    Surface s = quad_box();
    s.vertices.push_back(s.vertices[0]);
    s.faces[0] = 8;
    DoctorSettings settings;
    Progress quiet;
    EXPECT_FALSE(examine(s, settings, quiet).sound());
    settings.seams = true;
    const SurfaceHealth h = examine(s, settings, quiet);
    EXPECT_TRUE(h.sound() && h.closed);
    ASSERT_EQ(h.findings.size(), 1u);
    EXPECT_FALSE(h.findings[0].repairable);
}

TEST(Doctor, KeepsFlatFacesThatHoldTheSurfaceTogether) {
    // A cap between a long edge and its two halves: without it the surface would tear along that edge.
    Triangles t;
    t.vertices = {{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, 0, 0}, {1, 0.5, 1}};
    t.corners = {{0, 2, 1}, {0, 1, 3}, {0, 3, 4}, {3, 1, 4}, {1, 2, 4}, {2, 0, 4}};
    t.face = {0, 1, 2, 3, 4, 5};
    RepairReport done;
    EXPECT_EQ(repair(to_surface(t), done).face_count(), 6u);
    EXPECT_EQ(done.flat_kept, 1u);
    EXPECT_TRUE(health_of(t).closed);
}

Triangles pair_of(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
    Triangles t;
    t.vertices.assign(a.begin(), a.end());
    t.vertices.insert(t.vertices.end(), b.begin(), b.end());
    t.corners = {{0, 1, 2}, {3, 4, 5}};
    t.face = {0, 1};
    return t;
}

TEST(SelfIntersection, TellsCrossingFromTouching) {
    const std::array<Vec3, 3> floor{Vec3{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
    const auto crosses = [&](const std::array<Vec3, 3>& other) {
        return cross_each_other(pair_of(floor, other), 0, 1);
    };
    EXPECT_TRUE(crosses({Vec3{0.5, 0.5, -1}, {0.5, 0.5, 1}, {0.6, 0.5, 1}}));    // a spike through
    EXPECT_TRUE(crosses({Vec3{-1, 0.5, -1}, {3, 0.5, -1}, {0.5, 0.5, 2}}));      // a wall across
    EXPECT_TRUE(crosses({Vec3{0, 0, 0}, {1, 1, 1}, {1, 1, -1}}));                // shares a corner, and passes through
    EXPECT_TRUE(crosses({Vec3{0.1, 0.1, 0}, {1, 0.2, 0}, {0.2, 1, 0}}));         // within the same plane
    EXPECT_FALSE(crosses({Vec3{0.5, 0.5, 0}, {0.5, 0.5, 1}, {0.6, 0.5, 1}}));    // stands on it with a corner
    EXPECT_FALSE(crosses({Vec3{0.2, 0.2, 0}, {1, 0.2, 0}, {0.6, 0.5, 1}}));      // stands on it with a side
    EXPECT_FALSE(crosses({Vec3{0, 0, 0}, {2, 0, 0}, {0, 0, 2}}));                // shares a side
    EXPECT_FALSE(crosses({Vec3{2, 0, 0}, {0, 2, 0}, {2, 2, 0}}));                // the other half of a square
    EXPECT_FALSE(crosses({Vec3{0.5, 0.5, 0.1}, {0.5, 0.5, 1}, {0.6, 0.5, 1}}));  // above
    EXPECT_FALSE(crosses({Vec3{3, 3, -1}, {3, 3, 1}, {4, 3, 1}}));               // beside, through its plane
}

TEST(SelfIntersection, CountsThePairsOfTwoOverlappingBoxes) {
    // By trying every pair: the tree must not lose any.
    Triangles t = cube();
    append(t, boundary_triangles(make_box(CellKind::tet4, 3, 2, 2, {0.4, 0.45, 0.3}, {1.3, 1.5, 1.35})));
    std::size_t expected = 0;
    for (std::size_t a = 0; a < t.size(); ++a)
        for (std::size_t b = a + 1; b < t.size(); ++b) expected += cross_each_other(t, a, b) ? 1 : 0;
    Progress progress;
    const SelfIntersections found = self_intersections(t, progress);
    EXPECT_GT(expected, 20u);
    EXPECT_EQ(found.pairs, expected);
    EXPECT_TRUE(found.complete);
    EXPECT_FALSE(self_intersections(t, progress, 10).complete);
}

}  // namespace
}  // namespace limber
