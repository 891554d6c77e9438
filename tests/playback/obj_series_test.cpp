#include "io/surface/obj_series.hpp"
#include "expect_error.hpp"

#include <limber/error.hpp>

#include <gtest/gtest.h>

namespace limber {
namespace {

const std::string kCrate =
    "# made by hand\r\nmtllib crate.mtl\no crate\nv  0 0 0 1.0\nv 1.50 0 0\t# a corner\nv 1 \\\n 1 0\nvt 0 0\nvt 1 0 "
    "0\nvt 1 1\nvn 0 0 1\ng front back\nusemtl wood\ns 1\nf 1/1/1 2/2/1 3/3/1\n"
    "v 0 1 0\nvn 0 0 -1\nusemtl iron\nf -1//-1 3//2 1//2\nl 1 2";

TEST(ObjModel, KeepsWhatTheArtistWrote) {
    const ObjModel m = parse_obj_model(kCrate, "crate.obj");
    EXPECT_EQ(m.surface.vertices.size(), 4u);
    EXPECT_EQ(m.corner_uv, (std::vector<std::int32_t>{0, 1, 2, -1, -1, -1}));
    EXPECT_EQ(m.corner_normal, (std::vector<std::int32_t>{0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(m.materials, (std::vector<std::string>{"wood", "iron"}));
    EXPECT_EQ(m.face_material, (std::vector<std::int32_t>{0, 1}));
    EXPECT_EQ(m.libraries, (std::vector<std::string>{"crate.mtl"}));
    EXPECT_EQ(m.uvs[2], (std::array<double, 2>{1, 1}));
}

TEST(ObjModel, IsWrittenAgainByteForByteWhenNothingMoved) {
    // Numbers printed anew would change 1.50 to 1.5 and lose the fourth coordinate.
    const ObjModel m = parse_obj_model(kCrate, "crate.obj");
    EXPECT_EQ(rewrite_obj(m, m.surface.vertices, m.normals, ""), kCrate + "\n");
    EXPECT_EQ(rewrite_obj(m, m.surface.vertices, m.normals, "by us"), kCrate + "\n# by us\n");
}

TEST(ObjModel, ChangesOnlyTheNumbersThatMoved) {
    const ObjModel m = parse_obj_model(kCrate, "crate.obj");
    std::vector<Vec3> v = m.surface.vertices, n = m.normals;
    v[0].y = 0.25, v[1].z = -1e-9, v[2].y = 7, v[3].x = 1.0 / 3.0, n[1] = {1, 0, 0};
    std::string expected = kCrate + "\n";
    const auto replace = [&](const std::string& from, const std::string& to) {
        expected.replace(expected.find(from), from.size(), to);
    };
    replace("v  0 0 0 1.0", "v  0 0.25 0 1.0");
    replace("v 1.50 0 0\t#", "v 1.50 0 -1e-09\t#");
    replace("v 1 \\\n 1 0", "v 1 \\\n 7 0");
    replace("\nv 0 1 0", "\nv 0.3333333333333333 1 0");
    replace("vn 0 0 -1", "vn 1 0 0");
    EXPECT_EQ(rewrite_obj(m, v, n, ""), expected);
    const ObjModel again = parse_obj_model(rewrite_obj(m, v, n, ""), "again.obj");
    EXPECT_EQ(again.surface.vertices, v);
    EXPECT_EQ(again.normals, n);
}

TEST(ObjModel, RefusesCornersThatNameWhatIsNotThere) {
    struct Bad {
        Fault fault;
        const char* place;
        const char* after_vertices;
    };
    for (const Bad& bad : {
             Bad{Fault::bad_mesh, "bad.obj", "f 1/1 2/2 3/3\n"},
             Bad{Fault::bad_mesh, "bad.obj", "vn 0 0 1\nf 1//1 2//2 3//1\n"},
             Bad{Fault::bad_file, "bad.obj:5", "vt 0 0\nf 1/-2 2/1 3/1\n"},
             Bad{Fault::bad_file, "bad.obj:5", "vt 0 0\nf 1/0 2/1 3/1\n"},
             Bad{Fault::bad_file, "bad.obj:4", "vn 0 x 1\nf 1//1 2//1 3//1\n"},
             Bad{Fault::bad_file, "bad.obj:4", "vt nan 0\nf 1/1 2/1 3/1\n"},
             Bad{Fault::bad_file, "bad.obj:5", "vt 0 0\nf 1/99999999999 2/1 3/1\n"},
         }) {
        SCOPED_TRACE(bad.after_vertices);
        const std::string text = std::string("v 0 0 0\nv 1 0 0\nv 0 1 0\n") + bad.after_vertices;
        expect_error(bad.fault, bad.place, [&] { parse_obj_model(text, "bad.obj"); });
    }
}

}  // namespace
}  // namespace limber
