#include "io/samples.hpp"
#include "io/temporary_folder.hpp"

#include "expect_error.hpp"
#include "io/msh/msh.hpp"

#include <limber/tools/mesh_io.hpp>

namespace limber {
namespace {

using namespace testing_io;

constexpr const char* kTwoTets =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n2\n3 7 \"flesh\"\n2 9 \"skin\"\n$EndPhysicalNames\n"
    "$Nodes\n5\n10 0 0 0\n70 1 0 0\n30 0 1 0\n40 0 0 1\n90 1 1 1\n$EndNodes\n"
    "$Elements\n5\n1 2 2 9 1 10 30 70\n2 15 2 4 1 90\n3 4 2 7 1 10 70 30 40\n4 4 2 8 1 70 30 40 90\n5 1 2 0 1 10 "
    "70\n$EndElements\n";

std::string message_of(const std::string& bytes) {
    try {
        parse_msh(bytes, "m.msh");
    } catch (const Error& e) {
        return e.what();
    }
    return "no error";
}

std::string replaced(std::string s, const std::string& from, const std::string& to) {
    const std::size_t at = s.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? s : s.replace(at, from.size(), to);
}

TEST(Msh, EveryKindAndFormatComesBackExactly) {
    // Node order of tet10, overlapping sets, cells in no set and empty sets are each lost by some obvious writer.
    const TemporaryFolder folder;
    for (const CellKind kind : kKinds) {
        for (const MeshFormat format :
             {MeshFormat::msh2_ascii, MeshFormat::msh2_binary, MeshFormat::msh4_ascii, MeshFormat::msh4_binary}) {
            SCOPED_TRACE(std::string(to_string(kind)) + " in format " + std::to_string(static_cast<int>(format)));
            const Mesh mesh = sample_mesh(kind);
            write_mesh(folder.file("m.msh"), mesh, format);
            expect_same(read_mesh(folder.file("m.msh")), mesh);
        }
    }
    EXPECT_EQ(folder.entries(), 1u);
}

TEST(Msh, DuplicateCellsSurviveTheJoiningOfRepeatedEntries) {
    // MSH 2 repeats a cell once per group; two equal cells of the same groups must not become one.
    Mesh mesh = sample_mesh(CellKind::tet4);
    const std::vector<std::int32_t> last(mesh.cells.end() - 4, mesh.cells.end());
    mesh.cells.insert(mesh.cells.end(), last.begin(), last.end());
    const auto twin = static_cast<std::int32_t>(mesh.cell_count()) - 1;
    mesh.cell_sets["all but the first"].push_back(twin);
    mesh.cell_sets["the last"].push_back(twin);
    expect_same(parse_msh(format_msh2(mesh, false), "m.msh"), mesh);
    expect_same(parse_msh(format_msh2(mesh, true), "m.msh"), mesh);
    expect_same(parse_msh(format_msh4(mesh, false), "m.msh"), mesh);
}

TEST(Msh, CellsInNoSetGetAGroupOfTheirOwnInTheFileButNoSet) {
    // Gmsh would drop them on its next save, and meshio 4 does not read a file where only some cells have a group.
    const std::string bytes = format_msh4(sample_mesh(CellKind::tet4), false);
    EXPECT_NE(bytes.find("\"limber:no_set\""), std::string::npos);
    Mesh plain = sample_mesh(CellKind::tet4);
    plain.vertex_sets.clear();
    plain.cell_sets.clear();
    EXPECT_EQ(format_msh4(plain, false).find("$PhysicalNames"), std::string::npos);
    expect_same(parse_msh(format_msh4(plain, false), "m.msh"), plain);
    Mesh taken = sample_mesh(CellKind::tet4);
    taken.cell_sets["limber:no_set"] = {0};
    expect_error(Fault::unsupported, "never written.msh",
                 [&] { write_mesh("never written.msh", taken, MeshFormat::msh4_ascii); });
}

TEST(Msh, TagsMayHaveGapsAndGroupsBecomeSets) {
    const Mesh mesh = parse_msh(kTwoTets, "m.msh");
    ASSERT_EQ(mesh.kind, CellKind::tet4);
    // Vertices follow the order of tags: 10 30 40 70 90.
    EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {1, 1, 1}}));
    EXPECT_EQ(mesh.cells, (std::vector<std::int32_t>{0, 3, 1, 2, 3, 1, 2, 4}));
    EXPECT_EQ(mesh.cell_sets, (std::map<std::string, IndexSet>{{"flesh", {0}}, {"group_8", {1}}}));
    EXPECT_EQ(mesh.vertex_sets, (std::map<std::string, IndexSet>{{"group_4", {4}}, {"skin", {0, 1, 3}}}));
}

TEST(Msh, GmshsRepeatedEntriesOfACellAreJoined) {
    // Gmsh numbers the repeats differently: only nodes, entity and the new group show that they are one cell.
    const std::string repeated = replaced(replaced(kTwoTets, "5 1 2 0 1 10 70\n", "5 4 2 7 1 70 30 40 90\n"),
                                          "$Elements\n5", "$Elements\n5");
    const Mesh mesh = parse_msh(repeated, "m.msh");
    EXPECT_EQ(mesh.cell_count(), 2u);
    EXPECT_EQ(mesh.cell_sets.at("flesh"), (IndexSet{0, 1}));
    EXPECT_EQ(mesh.cell_sets.at("group_8"), (IndexSet{1}));
}

TEST(Msh, Tet10MidNodesLieOnTheirEdges) {
    // Written by hand in Gmsh's order, where node 9 is the middle of edge 2-3 and node 10 that of edge 1-3 (from 0).
    const std::string bytes =
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 10 1 10\n3 1 0 10\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
        "0 0 0\n2 0 0\n0 2 0\n0 0 2\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n0 1 1\n1 0 1\n$EndNodes\n"
        "$Elements\n1 1 1 1\n3 1 11 1\n1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
    const Mesh mesh = parse_msh(bytes, "m.msh");
    constexpr int edges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    for (int e = 0; e < 6; ++e) {
        const auto at = [&](int corner) { return mesh.vertices[static_cast<std::size_t>(mesh.cell(0)[corner])]; };
        EXPECT_EQ(at(4 + e), 0.5 * (at(edges[e][0]) + at(edges[e][1]))) << "edge " << e;
    }
}

TEST(Msh, ParametricNodesAndEntitiesWithSeveralGroupsAreRead) {
    const std::string bytes =
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 5 \"plate\"\n$EndPhysicalNames\n"
        "$Entities\n1 1 1 0\n1 0 0 0 1 3\n1 0 0 0 1 0 0 1 -4 2 1 -1\n6 0 0 0 1 1 0 2 5 6 1 1\n$EndEntities\n"
        "$Nodes\n3 3 1 3\n0 1 0 1\n1\n0 0 0\n1 1 1 1\n2\n1 0 0 0.5\n2 6 1 1\n3\n0 1 0 0.25 0.75\n$EndNodes\n"
        "$Elements\n3 3 1 3\n0 1 15 1\n1 1\n1 1 1 1\n2 1 2\n2 6 2 1\n3 1 2 3\n$EndElements\n";
    const Mesh mesh = parse_msh(bytes, "m.msh");
    EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
    EXPECT_EQ(mesh.cell_sets, (std::map<std::string, IndexSet>{{"plate", {0}}, {"group_6", {0}}}));
    EXPECT_EQ(mesh.vertex_sets, (std::map<std::string, IndexSet>{{"group_3", {0}}, {"group_4", {0, 1}}}));
}

// Appends numbers as a big-endian machine would.
struct BigEndian {
    std::string out;
    template <class T>
    BigEndian& operator<<(T value) {
        value = byte_swapped(value);
        out.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    BigEndian& operator<<(const char* words) {
        out += words;
        return *this;
    }
};

TEST(Msh, BinaryFilesOfTheOtherByteOrderAreRead) {
    BigEndian two;
    two << "$MeshFormat\n2.2 1 8\n"
        << 1 << "\n$EndMeshFormat\n$Nodes\n3\n"
        << 1 << 0.0 << 0.0 << 0.0 << 2 << 1.5 << 0.0 << 0.0 << 3 << 0.0 << 2.5 << 0.0 << "\n$EndNodes\n$Elements\n1\n"
        << 2 << 1 << 2 << 1 << 8 << 1 << 1 << 2 << 3 << "\n$EndElements\n";
    const auto size = [](std::uint64_t n) { return n; };
    BigEndian four;
    four << "$MeshFormat\n4.1 1 8\n"
         << 1 << "\n$EndMeshFormat\n$Entities\n"
         << size(0) << size(0) << size(1) << size(0) << 1;
    for (int i = 0; i < 6; ++i) four << 0.0;
    four << size(1) << 8 << size(0) << "\n$EndEntities\n$Nodes\n"
         << size(1) << size(3) << size(1) << size(3) << 2 << 1 << 0 << size(3) << size(1) << size(2) << size(3);
    four << 0.0 << 0.0 << 0.0 << 1.5 << 0.0 << 0.0 << 0.0 << 2.5 << 0.0 << "\n$EndNodes\n$Elements\n"
         << size(1) << size(1) << size(1) << size(1) << 2 << 1 << 2 << size(1) << size(1) << size(1) << size(2)
         << size(3) << "\n$EndElements\n";
    for (const std::string& bytes : {two.out, four.out}) {
        const Mesh mesh = parse_msh(bytes, "m.msh");
        EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1.5, 0, 0}, {0, 2.5, 0}}));
        EXPECT_EQ(mesh.cells, (std::vector<std::int32_t>{0, 1, 2}));
        EXPECT_EQ(mesh.cell_sets, (std::map<std::string, IndexSet>{{"group_8", {0}}}));
    }
}

TEST(Msh, FaultsNameLineFoundAndExpected) {
    const std::string good = kTwoTets;
    EXPECT_EQ(message_of(good), "no error");
    EXPECT_EQ(message_of(replaced(good, "70 30 40 90", "70 30 40 91")),
              "m.msh:22: element 4 names node 91, but the file has 5 nodes numbered from 10 to 90");
    EXPECT_EQ(message_of(replaced(good, "30 0 1 0", "30 0 inf 0")),
              "m.msh:13: a coordinate is inf; expected a finite number");
    EXPECT_EQ(message_of(replaced(good, "30 0 1 0", "30 0 1,5 0")),
              "m.msh:13: found '1,5'; expected a coordinate (a number)");
    EXPECT_EQ(message_of(replaced(good, "30 0 1 0", "70 0 1 0")),
              "m.msh: node 70 is given twice; expected every node once");
    EXPECT_EQ(
        message_of(replaced(good, "4 4 2 8 1 70 30 40 90", "4 5 2 8 1 70 30 40 90 10 70 30 40")),
        "m.msh: the mesh mixes 1 tet4, 1 hex8 elements; expected cells of one kind: tri3, quad4, tet4, tet10 or hex8");
    EXPECT_EQ(message_of(replaced(good, "2.2 0 8", "4 0 8")),
              "m.msh:2: MSH version '4'; expected 2.2 or 4.1 (in Gmsh: Mesh.MshFileVersion = 4.1)");
    EXPECT_EQ(message_of(replaced(good, "$Nodes\n5\n", "$Nodes\n5000000000\n")).substr(0, 48),
              "m.msh:10: the number of nodes is 5000000000, but");
    EXPECT_EQ(message_of("$Nod"), "m.msh:1: found '$Nod'; expected $MeshFormat");
    EXPECT_EQ(message_of(good.substr(0, good.find("$Elements"))), "m.msh:17: the file ends without $Elements");
}

TEST(Msh, WhatCannotBeReadBackIsNotWritten) {
    const TemporaryFolder folder;
    const std::string path = folder.file("m.msh");
    Mesh quote = sample_mesh(CellKind::tri3);
    quote.cell_sets["a\"b"] = {0};
    expect_error(Fault::unsupported, "m.msh", [&] { write_mesh(path, quote, MeshFormat::msh4_ascii); });
    Mesh range = sample_mesh(CellKind::tri3);
    range.vertex_sets["far"] = {10000};
    expect_error(Fault::bad_mesh, "m.msh", [&] { write_mesh(path, range, MeshFormat::msh4_ascii); });
    Mesh nan = sample_mesh(CellKind::tri3);
    nan.vertices[1].y = std::nan("");
    expect_error(Fault::bad_mesh, "m.msh", [&] { write_mesh(path, nan, MeshFormat::msh2_binary); });
    EXPECT_EQ(folder.entries(), 0u);
}

}  // namespace
}  // namespace limber
