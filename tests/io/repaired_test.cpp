#include "io/surface/repaired.hpp"

#include "io/gltf_fixtures.hpp"
#include "rig/posed_surface.hpp"

#include <limber/tools/rig_io.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

/// A box with groups, materials, texture coordinates and normals; the second face is turned, the last repeats the
/// first; vertex 9 is vertex 1 again, and vertex 10 belongs to nothing.
const std::string kBox =
    "# by an artist\nmtllib box.mtl\no box\nv 0 0 0 0.5 0.5 0.5\nv 1 0 0\nv 0 1 0\nv 1.000 1 0\nv 0 0 1\nv 1 0 1\nv 0 "
    "1 1\nv 1 1 1\nv 0 0 0\nv 9 9 9\n"
    "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 -1\nvn 0 0 1\n"
    "usemtl wood\ng back\nf 9/1/1 3/2/1 4/3/1 2/4/1\ng front\ns 1\nusemtl iron\nf 7/1/2 8/2/2 6/3/2 5/4/2\nf 1 2 6 "
    "5\nf -8 -4 -3 -7\nf 1 5 7 3\nf 2 4 8 6\nf 1/1 3/2 4/3 2/4\nl 1 2\n";

std::string repaired_text(const std::string& text, std::vector<std::string>* remarks = nullptr) {
    const ObjModel model = parse_obj_model(text, "box.obj");
    RepairReport report;
    RepairSources sources;
    const Surface repaired = repair(model.surface, report, &sources);
    std::vector<std::string> told;
    std::string out = repaired_obj(model, repaired, sources, "by us", told);
    EXPECT_EQ(parse_obj_model(out, "out.obj").surface.faces, repaired.faces);
    EXPECT_EQ(parse_obj_model(out, "out.obj").surface.vertices, repaired.vertices);
    if (remarks) *remarks = told;
    return out;
}

TEST(MendedObj, KeepsEveryLineThatNoRepairTouches) {
    std::string expected = kBox;
    const auto replace = [&](const std::string& from, const std::string& to) {
        ASSERT_NE(expected.find(from), std::string::npos) << from;
        expected.replace(expected.find(from), from.size(), to);
    };
    replace("v 0 0 0\nv 9 9 9\n", "");
    replace("f 9/1/1 3", "f 1/1/1 3");
    replace("f 7/1/2 8/2/2 6/3/2 5/4/2", "f 7/1/2 5/4/2 6/3/2 8/2/2");  // the normals were right all along
    replace("f -8 -4 -3 -7", "f 3 7 8 4");
    replace("f 1/1 3/2 4/3 2/4\nl 1 2\n", "# by us\n");
    std::vector<std::string> remarks;
    EXPECT_EQ(repaired_text(kBox, &remarks), expected);
    ASSERT_EQ(remarks.size(), 1u);
    EXPECT_NE(remarks[0].find("1 line of loose edges"), std::string::npos) << remarks[0];
}

TEST(MendedObj, LeavesNormalsOutThatWouldPointInwards) {
    // The face was turned together with its normals: as they stand they would shade it from within.
    std::string inward = kBox;
    inward.replace(inward.find("vn 0 0 1"), 8, "vn 0 0 -1");
    EXPECT_NE(repaired_text(inward).find("f 7/1 5/4 6/3 8/2\n"), std::string::npos);
}

TEST(MendedObj, OfASoundFileIsTheFile) {
    const std::string sound = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nf 1/1 3/1 2/1\nf 1 2 4\nf 2 3 4\nf 3 1 4";
    EXPECT_EQ(repaired_text(sound), sound + "\n# by us\n");
}

TEST(RepairedRig, TurnsAndDropsTrianglesAndKeepsEverythingElse) {
    testing_io::GltfBuilder b = testing_io::sample_gltf();
    Rig rig = parse_gltf(b.glb(), "a.glb");
    Rig spoilt = rig;
    spoilt.parts[0].triangles.push_back({1, 1, 2});                     // without area
    spoilt.parts[0].triangles.push_back(spoilt.parts[0].triangles[0]);  // given before
    std::swap(spoilt.parts[0].triangles[2][1], spoilt.parts[0].triangles[2][2]);
    spoilt.parts.push_back(spoilt.parts[0]);  // the same again, where it is: all of it goes
    RepairReport report;
    RepairSources sources;
    repair(posed_surface(spoilt, rest_pose(spoilt)), report, &sources);
    const Rig repaired = repaired_rig(spoilt, sources);
    ASSERT_EQ(repaired.parts[0].triangles.size(), rig.parts[0].triangles.size());
    const auto turns = [&](std::size_t t) {
        const auto& c = repaired.parts[0].triangles[t];
        const auto& p = repaired.parts[0].positions;
        return cross(p[static_cast<std::size_t>(c[1])] - p[static_cast<std::size_t>(c[0])],
                     p[static_cast<std::size_t>(c[2])] - p[static_cast<std::size_t>(c[0])])
                   .z > 0;
    };
    for (std::size_t t = 1; t < 4; ++t) EXPECT_EQ(turns(t), turns(0)) << t;
    EXPECT_TRUE(repaired.parts[1].triangles.empty());
    EXPECT_EQ(repaired.parts[0].positions, rig.parts[0].positions);
    EXPECT_EQ(repaired.parts[0].uvs, rig.parts[0].uvs);
    EXPECT_EQ(repaired.parts[0].influences, rig.parts[0].influences);
}

}  // namespace
}  // namespace limber
