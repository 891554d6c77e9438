// INP, Medit and TetGen: the formats in which other people's tetrahedra arrive.
#include "io/mutate.hpp"
#include "io/samples.hpp"
#include "io/temporary_folder.hpp"

#include "expect_error.hpp"
#include "io/files/atomic_file.hpp"
#include "io/inp/inp.hpp"
#include "io/medit/medit.hpp"

#include <limber/tools/mesh_io.hpp>

#include <cmath>

namespace limber {
namespace {

using namespace testing_io;
using Sets = std::map<std::string, IndexSet>;

template <class Parse>
std::string message_of(Parse&& parse) {
    try {
        parse();
    } catch (const Error& e) {
        return e.what();
    }
    return "no error";
}
std::string inp_message(const std::string& bytes) {
    return message_of([&] { parse_inp(bytes, "m.inp"); });
}
std::string medit_message(const std::string& bytes) {
    return message_of([&] { parse_medit(bytes, "m.mesh"); });
}

void expect_words(const std::string& message, std::initializer_list<const char*> words) {
    for (const char* word : words) EXPECT_NE(message.find(word), std::string::npos) << message;
}

// As decks come: comments, lower case, blanks after the star, options over two lines, a part and an instance, other
// keywords.
constexpr const char* kDeck =
    "*Heading\n a deck, with commas\n** a comment\n*part, name=Part-1\n* Node, nset=Everything\n 10, 0., 0., 0.\n 70, "
    "1.0D0, 0, 0\n30, 0, 1.,\n 40, 0, 0, 1\n 90, 1, 1, 1e0\n"
    "*Element, type=c3d4h,\n elset=Flesh\n 3, 10, 70,\n 30, 40\n*ELEMENT, TYPE=CPS3, ELSET=skin\n8, 10, 30, "
    "70\n*Element, type=C3D4\n 5, 70, 30, 40, 90\n"
    "*End Part\n*Instance, name=Part-1-1, part=Part-1\n*End Instance\n"
    "*Nset, nset=ends, instance=Part-1-1\n Part-1-1.10, 90\n*Nset, nset=more\n ENDS, 40, 12345\n*Nset, nset=\"by "
    "step\", generate\n 10, 90, 20\n*Elset, elset=late, generate\n 4, 2000000000\n"
    "*Material, name=rubber\n*Elastic\n 1e6, 0.45\n";

TEST(Inp, ReadsADeckAsPeopleWriteThem) {
    const Mesh mesh = parse_inp(kDeck, "m.inp");
    ASSERT_EQ(mesh.kind, CellKind::tet4);
    EXPECT_EQ(mesh.vertices,
              (std::vector<Vec3>{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {1, 1, 1}}));  // by number: 10 30 40 70 90
    EXPECT_EQ(mesh.cells, (std::vector<std::int32_t>{0, 3, 1, 2, 3, 1, 2, 4}));
    EXPECT_EQ(mesh.cell_sets, (Sets{{"Flesh", {0}}, {"late", {1}}}));
    EXPECT_EQ(mesh.vertex_sets, (Sets{{"Everything", {0, 1, 2, 3, 4}},
                                      {"skin", {0, 1, 3}},
                                      {"ends", {0, 4}},
                                      {"more", {0, 2, 4}},
                                      {"by step", {0, 1, 3, 4}},
                                      {"late", {0, 1, 3}}}));  // element 8 is a triangle
}

TEST(Inp, EveryKindComesBack) {
    const TemporaryFolder folder;
    for (const CellKind kind : kKinds) {
        SCOPED_TRACE(to_string(kind));
        Mesh mesh = sample_mesh(kind);
        mesh.vertices[1].x = -1.2345678901234567e-101;  // 24 characters in full
        write_mesh(folder.file("m.inp"), mesh, MeshFormat::inp);
        Mesh back = read_mesh(folder.file("m.inp"));
        for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
            for (int a = 0; a < 3; ++a)
                EXPECT_NEAR(back.vertices[v][a], mesh.vertices[v][a], 1e-12 * std::abs(mesh.vertices[v][a]));
        }
        back.vertices = mesh.vertices;
        for (auto* sets : {&mesh.vertex_sets, &mesh.cell_sets})
            std::erase_if(*sets, [](const auto& s) { return s.second.empty(); });  // INP has no empty sets
        expect_same(back, mesh);
    }
}

TEST(Inp, NumbersFitWhatCalculixReads) {
    // It takes the first 20 characters of a field: a longer number would lose its exponent, not its last digit.
    Mesh mesh = sample_mesh(CellKind::tet4);
    mesh.vertices[0] = {-1.2345678901234567e-101, 1.0 / 3e7, -2e9 / 3};
    const std::string bytes = format_inp(mesh, "m.inp");
    const std::size_t at = bytes.find("*NODE\n") + 6;
    std::string line = bytes.substr(at, bytes.find('\n', at) - at) + ",";
    for (std::size_t comma = line.find(','); comma != std::string::npos;
         line.erase(0, comma + 1), comma = line.find(',')) {
        EXPECT_LE(comma, 21u) << line;
    }  // a blank and 20
}

TEST(Inp, RefusesInOneLineAndNamesTheLine) {
    expect_words(inp_message("*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=C3D4\n7, 1, 2, 3, 4\n"),
                 {"m.inp:4", "element 7", "node 2"});
    expect_words(inp_message("*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=C3D4\n7, 1, 1, 1\n*NSET, NSET=a\n1\n"),
                 {"m.inp:5", "element 7", "3 nodes", "4"});
    expect_words(inp_message("*NODE\n1, 0, zero, 0\n"), {"m.inp:2", "'zero'"});
    expect_words(inp_message("*NODE\n1, 0, nan, 0\n"), {"m.inp:2", "finite"});
    expect_words(inp_message("*ELEMENT, TYPE=SPRINGA\n1, 1, 2\n"), {"m.inp:1", "SPRINGA", "C3D4"});
    expect_words(inp_message("*INCLUDE, INPUT=/etc/passwd\n"), {"m.inp:1", "INCLUDE"});
    expect_words(inp_message("*NSET\n1\n"), {"m.inp:1", "NSET=NAME"});
    expect_words(inp_message("*NODE\n1, 0\n1, 1\n*ELEMENT, TYPE=C3D4\n1, 1, 1, 1, 1\n"), {"node 1 is given twice"});
    expect_words(inp_message("*NODE\n1, 0\n*ELEMENT, TYPE=C3D4\n1, 1, 1, 1, 1\n1, 1, 1, 1, 1\n"),
                 {"m.inp:5", "element 1 is given twice"});
    expect_words(inp_message("*NSET, NSET=a\nb\n"), {"m.inp:2", "'a'", "'b'"});
    expect_words(inp_message(""), {"no nodes"});
}

TEST(Inp, SetsWithinSetsCannotGrowWithoutBound) {
    // Each set holds the one before it many times over: 40 short lines, and 20 to the power of 40 members.
    std::string bytes =
        "*NODE\n1, 0\n2, 1\n3, 0, 1\n4, 0, 0, 1\n*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n*NSET, NSET=s0\n1, 2, 3\n";
    for (int i = 1; i < 40; ++i) {
        bytes += "*NSET, NSET=s" + std::to_string(i) + "\n";
        for (int k = 0; k < 20; ++k) bytes += "s" + std::to_string(i - 1) + ", ";
        bytes += "\n";
    }
    expect_words(inp_message(bytes), {"sets within sets"});
}

TEST(Inp, RefusesNamesItCannotTellApart) {
    Mesh mesh = sample_mesh(CellKind::tet4);
    mesh.vertex_sets["HELD"] = {1};
    expect_error(Fault::unsupported, "m.inp", [&] { format_inp(mesh, "m.inp"); });
    mesh.vertex_sets.erase("HELD");
    mesh.vertex_sets["a,b"] = {1};
    expect_error(Fault::unsupported, "m.inp", [&] { format_inp(mesh, "m.inp"); });
}

TEST(Medit, EveryKindComesBackExactly) {
    // Overlapping and empty sets have no place in the format but in comments.
    const TemporaryFolder folder;
    for (const CellKind kind : kKinds) {
        SCOPED_TRACE(to_string(kind));
        write_mesh(folder.file("m.mesh"), sample_mesh(kind), MeshFormat::medit);
        expect_same(read_mesh(folder.file("m.mesh")), sample_mesh(kind));
    }
}

constexpr const char* kMedit =
    "MeshVersionFormatted 2\n\nDimension\n3\n# as others write it\nVertices\n5\n0 0 0 0\n1 0 0 4\n0 1 0 4\n0 0 1 0\n1 "
    "1 1 0\nCorners\n2\n1\n2\nTriangles 1\n1 3 2 9\nNormals\n1\n0 0 1\n"
    "Tetrahedra\n2\n1 2 3 4 1\n2 3 4 5 2\nEnd\n";

TEST(Medit, ReferencesBecomeSets) {
    const Mesh mesh = parse_medit(kMedit, "m.mesh");
    ASSERT_EQ(mesh.kind, CellKind::tet4);
    EXPECT_EQ(mesh.cells, (std::vector<std::int32_t>{0, 1, 2, 3, 1, 2, 3, 4}));
    EXPECT_EQ(mesh.cell_sets, (Sets{{"tetrahedra_1", {0}}, {"tetrahedra_2", {1}}}));
    EXPECT_EQ(mesh.vertex_sets, (Sets{{"vertices_4", {1, 2}}, {"triangles_9", {0, 1, 2}}}));
}

TEST(Medit, RefusesInOneLineAndNamesTheLine) {
    const std::string good = kMedit;
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string s = good;
        return s.replace(s.find(from), from.size(), to);
    };
    expect_words(medit_message(with("Vertices\n5", "Vertices\n2000000000")),
                 {"m.mesh:7", "2000000000", "bytes are left"});
    expect_words(medit_message(with("2 3 4 5 2", "2 3 4 6 2")), {"m.mesh:25", "node 6"});
    expect_words(medit_message(with("1 1 1 0", "1 inf 1 0")), {"m.mesh:12", "finite"});
    expect_words(medit_message(with("Corners", "Korners")), {"m.mesh:13", "Korners"});
    expect_words(medit_message(with("Dimension\n3", "Dimension\n4")), {"m.mesh:4", "2 or 3"});
    expect_words(medit_message("MeshVersionFormatted 2\nEnd\n"), {"no vertices"});
    expect_words(medit_message(good.substr(0, good.find("2 3 4 5 2"))), {"bytes are left"});
}

constexpr const char* kNode =
    "# points\n5 3 1 1\n1 0 0 0 0.5 0\n2 1 0 0 0.5 7 # corner\n3 0 1 0 0.5 7\n4 0 0 1 0.5 0\n5 1 1 1 0.5 -1\n";
constexpr const char* kEle = "2 4 1\n1 1 2 3 4 3\n2 2 3 4 5 0\n";

TEST(TetGen, ReadsNumbersFromZeroOrOne) {
    const Mesh one = parse_tetgen(kNode, "m.node", kEle, "m.ele");
    EXPECT_EQ(one.cells, (std::vector<std::int32_t>{0, 1, 2, 3, 1, 2, 3, 4}));
    EXPECT_EQ(one.vertex_sets, (Sets{{"marker_7", {1, 2}}, {"marker_-1", {4}}}));
    EXPECT_EQ(one.cell_sets, (Sets{{"region_3", {0}}}));
    const Mesh zero = parse_tetgen("4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", "m.node", "1 4 0\n0 0 1 2 3\n",
                                   "m.ele");
    EXPECT_EQ(zero.cells, (std::vector<std::int32_t>{0, 1, 2, 3}));
}

TEST(TetGen, EitherFileFindsTheOther) {
    const TemporaryFolder folder;
    write_file(folder.file("m.1.node"), kNode);
    write_file(folder.file("m.1.ele"), kEle);
    expect_same(read_mesh(folder.file("m.1.node")), read_mesh(folder.file("m.1.ele")));
    EXPECT_EQ(read_mesh(folder.file("m.1.ele")).cell_count(), 2u);
}

TEST(TetGen, MidEdgeNodesFindTheirEdges) {
    // TetGen has an order of its own; here the worst: all six the other way round.
    const Mesh wanted = to_tet10(
        parse_tetgen("4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", "m.node", "1 4 0\n0 0 1 2 3\n", "m.ele"));
    std::string nodes = "10 3 0 0\n", cell = "1 10 0\n0 0 1 2 3";
    for (std::size_t v = 0; v < 10; ++v) {
        nodes += std::to_string(v) + " " + std::to_string(wanted.vertices[v].x) + " " +
                 std::to_string(wanted.vertices[v].y) + " " + std::to_string(wanted.vertices[v].z) + "\n";
    }
    for (int k = 9; k > 3; --k) cell += " " + std::to_string(wanted.cells[static_cast<std::size_t>(k)]);
    EXPECT_EQ(parse_tetgen(nodes, "m.node", cell, "m.ele").cells, wanted.cells);
}

TEST(TetGen, RefusesInOneLineAndNamesTheFile) {
    const auto message = [](const std::string& node, const std::string& ele) {
        return message_of([&] { parse_tetgen(node, "m.node", ele, "m.ele"); });
    };
    expect_words(message("2000000000 3 0 0\n", kEle), {"m.node:1", "2000000000"});
    expect_words(message(kNode, "2000000000 4 0\n"), {"m.ele:1", "2000000000"});
    expect_words(message(kNode, "1 5 0\n"), {"m.ele:1", "5 nodes", "4 or 10"});
    expect_words(message(kNode, "1 4 0\n1 1 2 3 9\n"), {"m.ele:2", "node 9"});
    expect_words(message("2 3 0 0\n1 0 0 0\n3 0 0 0\n", kEle), {"m.node:3", "without gaps"});
    expect_words(message("1 3 0 0\n5 0 0 0\n", kEle), {"m.node:2", "0 or 1"});
}

void use_outside(Mesh mesh) {
    for (const Vec3& p : mesh.vertices) ASSERT_TRUE(is_finite(p));
    for (const std::int32_t v : mesh.cells) ASSERT_TRUE(v >= 0 && static_cast<std::size_t>(v) < mesh.vertices.size());
    for (const auto& entry : mesh.vertex_sets)
        ASSERT_TRUE(entry.second.empty() || static_cast<std::size_t>(entry.second.back()) < mesh.vertices.size());
    for (const auto& entry : mesh.cell_sets)
        ASSERT_TRUE(entry.second.empty() || static_cast<std::size_t>(entry.second.back()) < mesh.cell_count());
    validate(mesh);
}

/// 200 damaged files: each is read as something that can be checked, or refused in one line. Returns how many were
/// refused.
template <class Parse>
std::size_t try_outside_mutants(const std::string& valid, Parse&& parse) {
    std::size_t refused = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        try {
            use_outside(parse(mutate(valid, seed)));
        } catch (const Error& e) {
            ++refused;
            const std::string what = e.what();
            EXPECT_EQ(what.find_first_of("\n\r"), std::string::npos);
            EXPECT_EQ(what.compare(0, 6, "mutant"), 0) << what;
            EXPECT_LT(what.size(), 400u) << what;
        }
    }
    return refused;
}

TEST(MutatedFiles, OutsideMeshesAreReadOrRefusedInOneLine) {
    const auto inp = [](const std::string& bytes) { return parse_inp(bytes, "mutant"); };
    const auto medit = [](const std::string& bytes) { return parse_medit(bytes, "mutant"); };
    for (const CellKind kind : {CellKind::tri3, CellKind::tet10}) {
        EXPECT_GT(try_outside_mutants(format_inp(sample_mesh(kind), "m"), inp), 20u);
        EXPECT_GT(try_outside_mutants(format_medit(sample_mesh(kind)), medit), 50u);
    }
    EXPECT_GT(try_outside_mutants(kDeck, inp), 20u);
    EXPECT_GT(try_outside_mutants(kMedit, medit), 50u);
    EXPECT_GT(
        try_outside_mutants(
            kNode, [](const std::string& bytes) { return parse_tetgen(bytes, "mutant.node", kEle, "mutant.ele"); }),
        50u);
    EXPECT_GT(
        try_outside_mutants(
            kEle, [](const std::string& bytes) { return parse_tetgen(kNode, "mutant.node", bytes, "mutant.ele"); }),
        50u);
}

}  // namespace
}  // namespace limber
