#include "io/samples.hpp"
#include "io/temporary_folder.hpp"

#include "expect_error.hpp"
#include "io/files/scanner.hpp"
#include "io/surface/surfaces.hpp"

#include <limber/tools/mesh_io.hpp>

#include <functional>

namespace limber {
namespace {

using namespace testing_io;

std::string message_of(const std::function<void()>& f) {
    try {
        f();
    } catch (const Error& e) {
        return e.what();
    }
    return "no error";
}
std::string obj_message(const std::string& bytes) {
    return message_of([&] { parse_obj(bytes, "s.obj"); });
}
std::string ply_message(const std::string& bytes) {
    return message_of([&] { parse_ply(bytes, "s.ply"); });
}
std::string stl_message(const std::string& bytes) {
    return message_of([&] { parse_stl(bytes, "s.stl"); });
}

TEST(Surfaces, ObjAndPlyComeBackExactly) {
    const TemporaryFolder folder;
    for (const auto& [name, format] : {std::pair{"s.obj", MeshFormat::obj}, std::pair{"s.ply", MeshFormat::ply}}) {
        SCOPED_TRACE(name);
        write_surface(folder.file(name), sample_surface(), format);
        expect_same(read_surface(folder.file(name)), sample_surface());
    }
}

TEST(Surfaces, APolygonOfManyCornersFitsAPlyFile) {
    // The usual one-byte list length stops at 255.
    Surface s;
    for (std::int32_t i = 0; i < 300; ++i) {
        s.vertices.push_back({static_cast<double>(i), 0.5 * i * i, 0.0});
        s.faces.push_back(i);
    }
    s.face_starts = {0, 300};
    expect_same(parse_ply(format_ply(s), "s.ply"), s);
}

TEST(Obj, SlashesNegativeNumbersAndContinuationsAreRead) {
    const Surface s = parse_obj(
        "# comment\nmtllib x.mtl\no thing\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0 0.5 0.5 0.5\nvt 0 0\nvn 0 0 1\n"
        "f -3/1 -2/1/1 -1//1\nv 0 1 0\nv +2 .5 1e0\nf 1 2 \\\n 3 4\nusemtl y\nl 1 2\nf 5 1 2 # tail\n",
        "s.obj");
    EXPECT_EQ(s.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 0.5, 1}}));
    EXPECT_EQ(s.faces, (std::vector<std::int32_t>{0, 1, 2, 0, 1, 2, 3, 4, 0, 1}));
    EXPECT_EQ(s.face_starts, (std::vector<std::int32_t>{0, 3, 7, 10}));
}

TEST(Obj, FaultsNameLineAndBothNumbers) {
    const std::string start = "v 0 0 0\nv 1 0 0\r\nv 0 1 0\n";
    EXPECT_EQ(obj_message(start + "f 1 2 4\n"),
              "s.obj:4: face 1 names vertex 4, but the file has 3 vertices (numbered from 1)");
    EXPECT_EQ(obj_message(start + "f 1 2 -4\n"), "s.obj:4: face 1 names vertex -4, but 3 vertex lines came before it");
    EXPECT_EQ(obj_message(start + "f 1 2 0\n"),
              "s.obj:4: face 1 names vertex 0, but the file has 3 vertices (numbered from 1)");
    EXPECT_EQ(obj_message(start + "f 1 2\n"), "s.obj:4: face 1 has 2 corners; expected 3 or more");
    EXPECT_EQ(obj_message(start + "f 1 2 x\n"),
              "s.obj:4: a face has the corner 'x'; expected a vertex number, or v/vt/vn");
    EXPECT_EQ(obj_message(start + "v 0 1\n"), "s.obj:4: vertex 4 has too few coordinates; expected three numbers");
    EXPECT_EQ(obj_message(start + "v 0 1 -inf\n"),
              "s.obj:4: vertex 4 has the coordinate -inf; expected finite numbers");
    EXPECT_EQ(obj_message("hello\n"), "s.obj:2: the file has no faces; expected lines such as 'f 1 2 3'");
}

constexpr const char* kPlyHead =
    "element vertex 3\nproperty uchar red\nproperty double z\nproperty list uchar short extra\nproperty float "
    "y\nproperty int x\n"
    "element edge 1\nproperty int vertex1\nelement face 1\nproperty float quality\nproperty list uchar uint "
    "vertex_index\nend_header\n";

TEST(Ply, AnyLayoutIsReadInTextAndBothByteOrders) {
    // Properties out of order, of every width, with lists between them and an element nobody needs.
    const std::vector<Vec3> expected{{1, 0.5, 0.1}, {-2, 0.25, 0.2}, {3, 0.125, 0.3}};
    const std::string text = "255 0.1 2 7 8 0.5 1\n0 0.2 0 0.25 -2\n1 0.3 1 9 0.125 3\n42\n0.5 3 0 1 2\n";
    const Surface from_text = parse_ply(std::string("ply\nformat ascii 1.0\ncomment x\nobj_info y\n") + kPlyHead + text,
                                        "s.ply");
    EXPECT_EQ(from_text.vertices, expected);
    EXPECT_EQ(from_text.faces, (std::vector<std::int32_t>{0, 1, 2}));
    for (const bool big : {false, true}) {
        std::string data;
        const auto put = [&](auto value) {
            if (big) value = byte_swapped(value);
            data.append(reinterpret_cast<const char*>(&value), sizeof value);
        };
        for (std::size_t i = 0; i < 3; ++i) {
            put(std::uint8_t{9});
            put(expected[i].z);
            put(static_cast<std::uint8_t>(i));
            for (std::size_t k = 0; k < i; ++k) put(std::int16_t{-1});
            put(static_cast<float>(expected[i].y));
            put(static_cast<std::int32_t>(expected[i].x));
        }
        put(std::int32_t{42});
        put(0.5f);
        put(std::uint8_t{3});
        put(std::uint32_t{0});
        put(std::uint32_t{1});
        put(std::uint32_t{2});
        const Surface s = parse_ply(std::string("ply\nformat ") + (big ? "binary_big_endian" : "binary_little_endian") +
                                        " 1.0\n" + kPlyHead + data,
                                    "s.ply");
        EXPECT_EQ(s.vertices, expected);
        EXPECT_EQ(s.faces, from_text.faces);
    }
}

TEST(Ply, FaultsNameLineOrByteAndBothNumbers) {
    const std::string head =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face "
        "1\nproperty list uchar int vertex_indices\nend_header\n";
    const std::string points = "0 0 0\n1 0 0\n0 1 0\n";
    EXPECT_EQ(ply_message(head + points + "3 0 1 2\n"), "no error");
    EXPECT_EQ(ply_message(head + points + "3 0 1 3\n"),
              "s.ply:13: face 0 names vertex 3, but the file has 3 vertices (numbered from 0)");
    EXPECT_EQ(ply_message(head + points + "3 0 1 -1\n"), "s.ply:13: face 0 names vertex -1; expected 0 or more");
    EXPECT_EQ(ply_message(head + "0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n"),
              "s.ply:11: vertex 1 has the coordinate nan; expected finite numbers");
    EXPECT_EQ(ply_message(head + points + "3 0 1"),
              "s.ply:13: the length of a list is 3, but only 4 bytes are left in the file; expected at most 2");
    EXPECT_EQ(ply_message(head + points + "3 0 100"), "s.ply:13: the file ends; expected an integer property value");
    std::string many = head;
    many.replace(many.find("vertex 3"), 8, "vertex 4000000000");
    EXPECT_EQ(
        ply_message(many + points),
        "s.ply:3: element 'vertex' has 4000000000 entries, but only 18 bytes of data are left; expected at most 3");
    EXPECT_EQ(ply_message("ply\nformat ascii 1.0\nelement nothing 9000000000000000000\nend_header\n").substr(0, 7),
              "s.ply:4");
}

std::string binary_stl(const std::string& head, std::uint32_t count, std::size_t triangles) {
    std::string s = head;
    s.resize(80, ' ');
    s.append(reinterpret_cast<const char*>(&count), 4);
    for (std::size_t t = 0; t < triangles; ++t) {
        const auto k = static_cast<float>(t);
        const float v[12] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 + k, 0};
        s.append(reinterpret_cast<const char*>(v), sizeof v);
        s.append(2, '\0');
    }
    return s;
}

TEST(Stl, EqualCornersAreWeldedInOrderOfAppearance) {
    const std::string text =
        "solid thing with spaces\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
        "0\nendloop\nendfacet\n"
        " facet normal 0 0 1\n  outer loop\n   vertex 1 0 0\n   vertex 1 1 0\n   vertex -0 1e0 0\n  endloop\n "
        "endfacet\nendsolid thing\n";
    const Surface s = parse_stl(text, "s.stl");
    EXPECT_EQ(s.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}));
    EXPECT_EQ(s.faces, (std::vector<std::int32_t>{0, 1, 2, 1, 3, 2}));
    EXPECT_EQ(s.face_starts, (std::vector<std::int32_t>{0, 3, 6}));
}

TEST(Stl, ABinaryFileThatStartsWithSolidIsStillBinary) {
    const Surface s = parse_stl(binary_stl("solid made by a CAD program", 2, 2), "s.stl");
    EXPECT_EQ(s.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 2, 0}}));
    EXPECT_EQ(s.faces, (std::vector<std::int32_t>{0, 1, 2, 0, 1, 3}));
}

TEST(Stl, ASurfaceOfTrianglesComesBackAndPolygonsBecomeFans) {
    const TemporaryFolder folder;
    // Floats hold these coordinates exactly; the vertices are in order of appearance.
    Surface s;
    s.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0.5}, {-2.25, 1, 7}};
    s.faces = {0, 1, 2, 0, 2, 3};
    s.face_starts = {0, 3, 6};
    write_surface(folder.file("s.stl"), s, MeshFormat::stl);
    expect_same(read_surface(folder.file("s.stl")), s);
    Surface quad = s;
    quad.faces = {0, 1, 2, 3};
    quad.face_starts = {0, 4};
    expect_same(parse_stl(format_stl(quad), "s.stl"), s);
    s.vertices[0].x = 1e39;
    expect_error(Fault::unsupported, "s.stl", [&] { write_surface(folder.file("s.stl"), s, MeshFormat::stl); });
}

TEST(Stl, FaultsSayWhatDoesNotAgree) {
    EXPECT_EQ(stl_message(binary_stl("x", 1000000000, 1)),
              "s.stl: a binary STL of 1000000000 triangles, which takes 50000000084 bytes, but the file has 134 (at "
              "byte 0); expected the two to agree");
    EXPECT_EQ(stl_message("short"), "s.stl:1: found 5 bytes that do not start with 'solid'; expected an STL file");
    EXPECT_EQ(stl_message("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nendloop"),
              "s.stl:5: found 'endloop'; expected a coordinate (a number)");
    EXPECT_EQ(stl_message("solid\nendsolid\n"), "s.stl:3: the file has no triangles");
}

}  // namespace
}  // namespace limber
