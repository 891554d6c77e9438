// Small files that ask for much, and files that name others: what is refused, in which words, and what is still read.
#include "io/files/read_budget.hpp"

#include "core/text.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/named_file.hpp"
#include "io/surface/painted_file.hpp"
#include "io/temporary_folder.hpp"

#include <limber/tools/mesh_io.hpp>
#include <limber/tools/rig_io.hpp>
#include <limber/tools/scene.hpp>
#include <limber/tools/series.hpp>

#include <filesystem>

namespace limber {
namespace {

using testing_io::TemporaryFolder;

std::string saved(const TemporaryFolder& folder, const std::string& name, const std::string& bytes) {
    write_file(folder.file(name), bytes);
    return folder.file(name);
}

template <class Work>
std::string refusal(Work&& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was refused";
}

void expect_words(const std::string& message, const std::vector<std::string>& words) {
    for (const std::string& word : words) EXPECT_NE(message.find(word), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

std::string repeated(std::size_t n, const auto& piece) {
    std::string out;
    for (std::size_t i = 0; i < n; ++i) out += piece(i);
    return out;
}

/// One entity with `tags`, and as many tetrahedra as asked for.
std::string msh4(std::size_t tag_count, const auto& tag, std::size_t cells) {
    return text(
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 ", tag_count, " ",
        repeated(tag_count, [&](std::size_t i) { return text(tag(i), " "); }),
        "0\n$EndEntities\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 ",
        cells, " 1 ", cells, "\n3 1 4 ", cells, "\n",
        repeated(cells, [](std::size_t i) { return text(i + 1, " 1 2 3 4\n"); }), "$EndElements\n");
}

TEST(ReadBudget, IsSharedByEveryReadingWithinTheOutermost) {
    const ReadBudget outer(1000);
    const std::uint64_t most = ReadBudget::kFree + 1000 * ReadBudget::kPerByte;
    {
        const ReadBudget inner(std::uint64_t{1} << 40);  // within another reading these bytes were counted already
        EXPECT_FALSE(inner.take(most + 1));
        EXPECT_TRUE(inner.take(most - 10));
    }
    EXPECT_FALSE(outer.take(11));
    EXPECT_TRUE(outer.take(10));
    EXPECT_FALSE(outer.take(~std::uint64_t{0}));
    expect_words(refusal([&] {
                     outer.spend(1, "the sets", {"a.msh", 7, {}});
                 }),
                 {"a.msh:7: the sets would take more than 128 MB of memory", "at most 128 MB and 32 times"});
}

TEST(ReadBudget, BeginsAnewWithTheNextReading) {
    for (int i = 0; i < 2; ++i) {
        const ReadBudget budget;
        EXPECT_TRUE(budget.take(ReadBudget::kFree));
        EXPECT_FALSE(budget.take(1));
    }
}

TEST(ReadBudget, CountsAFileForItselfOnceAndAgainstItselfAfterwards) {
    const TemporaryFolder folder;
    const std::string path = saved(folder, "a.txt", std::string(1 << 20, 'a'));
    std::filesystem::create_hard_link(path, folder.file("b.txt"));
    const ReadBudget budget;
    read_file(path);
    const std::string again = refusal([&] {
        for (int i = 0; i < 100; ++i) read_file(folder.file("b.txt"));  // another name of the same file
    });
    expect_words(again, {"b.txt", "named again and again", "at most"});
}

TEST(HostileMeshes, MshTagsTimesElements) {
    constexpr std::size_t kMany = 6000;
    const auto distinct = [](std::size_t i) { return i + 1; };
    expect_words(refusal([&] { parse_msh(msh4(kMany, distinct, kMany), "g.msh"); }),
                 {"g.msh:", "the sets", "at most 128 MB"});
    // The same tag again and again is one set; thirty sets of every cell are what a person may well have.
    EXPECT_EQ(parse_msh(msh4(
                            kMany, [](std::size_t) { return 1; }, kMany),
                        "g.msh")
                  .cell_sets.at("group_1")
                  .size(),
              kMany);
    EXPECT_EQ(parse_msh(msh4(30, distinct, kMany), "g.msh").cell_sets.size(), 30u);
}

TEST(HostileMeshes, MeditNamesTimesVertices) {
    const auto file = [](const auto& name, std::size_t names) {
        return text("MeshVersionFormatted 2\n",
                    repeated(names, [&](std::size_t i) { return text("# limber set vertices 1 ", name(i), "\n"); }),
                    "Dimension 3\nVertices 10000\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n",
                    repeated(9996, [](std::size_t) { return "0 0 0 1\n"; }), "Tetrahedra 1\n1 2 3 4 0\nEnd\n");
    };
    expect_words(refusal([&] { parse_medit(file([](std::size_t i) { return i; }, 5000), "m.mesh"); }),
                 {"m.mesh:", "the sets of vertices", "at most 128 MB"});
    EXPECT_EQ(parse_medit(file([](std::size_t) { return "a"; }, 5000), "m.mesh").vertex_sets.at("a").size(), 10000u);
}

TEST(HostileMeshes, InpRangesTimesNodes) {
    const std::string nodes = repeated(10000, [](std::size_t i) { return text(i + 5, ",0,0,0\n"); });
    const std::string sets = repeated(5000,
                                      [](std::size_t i) { return text("*NSET,NSET=s", i, ",GENERATE\n1,10000,1\n"); });
    expect_words(
        refusal([&] {
            parse_inp("*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n" + nodes + "*ELEMENT,TYPE=C3D4\n1,1,2,3,4\n" + sets,
                      "s.inp");
        }),
        {"s.inp", "the sets", "at most 128 MB"});
}

TEST(HostileMeshes, TetgenNumbersAtTheEndsOfTheirRange) {
    const std::string nodes =
        "10 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 0 0\n6 .5 .5 0\n7 0 .5 0\n8 0 0 .5\n9 .5 0 .5\n10 0 .5 "
        ".5\n";
    for (const char* tag : {"-9223372036854775808", "9223372036854775807", "0", "11"}) {
        const std::string elements = text("1 10 0\n1 ", tag, " 2 3 4 5 6 7 8 9 10\n");
        expect_words(refusal([&] { parse_tetgen(nodes, "t.node", elements, "t.ele"); }),
                     {"t.ele:2:", text("names node ", tag), "10 nodes"});
    }
    for (const char* first : {"-9223372036854775808", "9223372036854775807"}) {
        expect_words(refusal([&] {
                         parse_tetgen(text("2 3 0 0\n", first, " 0 0 0\n", first, " 0 0 0\n"), "t.node",
                                      "1 4 0\n1 1 2 3 4\n", "t.ele");
                     }),
                     {"t.node:2:", first, "0 or 1"});
    }
}

TEST(HostileRigs, EndSitesOfALongName) {
    const std::string ends = repeated(5000, [](std::size_t) { return "End Site\n{\nOFFSET 0 1 0\n}\n"; });
    const std::string bytes = text("HIERARCHY\nROOT ", std::string(300000, 'r'), "\n{\nOFFSET 0 0 0\n", ends,
                                   "}\nMOTION\nFrames: 0\nFrame Time: 0.1\n");
    expect_words(refusal([&] { parse_bvh(bytes, "b.bvh"); }), {"b.bvh:", "the joints", "at most 128 MB"});
}

TEST(NamedFiles, LieInTheFolderOfTheFileThatNamesThemOrBelow) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("below"));
    std::filesystem::create_directory(folder.file("own"));
    const std::string secret = saved(folder, "secret.png", "secret"), owner = folder.file("own/a.mtl");
    saved(folder, "own/a.png", "picture");
    std::filesystem::create_symlink(secret, folder.file("own/link.png"));
    std::filesystem::create_symlink("a.png", folder.file("own/inner.png"));
    std::filesystem::create_directory_symlink(folder.file("below"), folder.file("own/door"));
    saved(folder, "below/b.png", "secret");
    using State = NamedFile::State;
    EXPECT_EQ(file_named_by(owner, "a.png").state, State::fine);
    EXPECT_EQ(file_named_by(owner, "inner.png").state, State::fine);
    EXPECT_EQ(file_named_by(owner, "inner.png").real, file_named_by(owner, "././a.png").real);
    EXPECT_EQ(file_named_by(owner, "none.png").state, State::missing);
    EXPECT_EQ(file_named_by(owner, ".").state, State::missing);
    for (const std::string& name : {std::string("../secret.png"), secret, std::string("link.png"),
                                    std::string("door/b.png"), std::string(), std::string("a\n.png")}) {
        EXPECT_EQ(file_named_by(owner, name).state, State::elsewhere) << name;
    }
}

constexpr const char* kTet =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl a\nf 1 3 2\nf 1 2 4\nf 1 4 3\nusemtl b\nf 2 3 4\n";
const std::string kPng = std::string("\x89PNG\r\n\x1a\n") + "pixels";

TEST(NamedFiles, MaterialsAndPicturesFollowNoLinkOut) {
    const TemporaryFolder outside, folder;
    std::filesystem::create_symlink(saved(outside, "secret.png", kPng), folder.file("p.png"));
    saved(folder, "m.mtl", "newmtl a\nmap_Kd p.png\n");
    std::filesystem::create_symlink(saved(outside, "secret.mtl", "newmtl b\nKd 1 0 0\n"), folder.file("n.mtl"));
    std::vector<std::string> remarks;
    const PaintedSurface out = read_painted_surface(saved(folder, "t.obj", text("mtllib m.mtl\nmtllib n.mtl\n", kTet)),
                                                    LengthUnit::m, UpAxis::y, remarks);
    EXPECT_TRUE(out.pictures.empty());
    EXPECT_NE(out.looks[1].base_color[1], 0.0);  // not the red of the file outside
    ASSERT_EQ(remarks.size(), 2u);
    for (const std::string& remark : remarks) expect_words(remark, {"is not in the folder of the file that names it"});
}

TEST(NamedFiles, OnePictureUnderManyNamesIsKeptOnce) {
    const TemporaryFolder folder;
    saved(folder, "p.png", kPng);
    saved(folder, "m.mtl", "newmtl a\nmap_Kd p.png\nnewmtl b\nmap_Kd ././p.png\n");
    std::vector<std::string> remarks;
    const PaintedSurface out = read_painted_surface(saved(folder, "t.obj", text("mtllib m.mtl\n", kTet)), LengthUnit::m,
                                                    UpAxis::y, remarks);
    EXPECT_EQ(out.pictures.size(), 1u);
    EXPECT_EQ(out.looks[0].base_map.picture, 0);
    EXPECT_EQ(out.looks[1].base_map.picture, 0);
    EXPECT_TRUE(remarks.empty());
}

TEST(NamedFiles, ManyMissingPicturesAreAFewLines) {
    const TemporaryFolder folder;
    saved(folder, "m.mtl", "newmtl a\n" + repeated(1000, [](std::size_t i) { return text("map_Kd no", i, ".png\n"); }));
    const std::vector<std::string> remarks = looks_left_out(saved(folder, "t.obj", text("mtllib m.mtl\n", kTet)));
    ASSERT_EQ(remarks.size(), 6u);
    expect_words(remarks.back(), {"995 more pictures"});
}

TEST(NamedFiles, PvdNamesEachFileOnceAndNoneElsewhere) {
    const TemporaryFolder outside, folder;
    Mesh mesh;
    mesh.kind = CellKind::tet4;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.cells = {0, 1, 2, 3};
    write_vtu(outside.file("o.vtu"), mesh, {});
    write_vtu(folder.file("a.vtu"), mesh, {});
    std::filesystem::create_symlink(outside.file("o.vtu"), folder.file("link.vtu"));
    std::filesystem::create_symlink("a.vtu", folder.file("same.vtu"));
    BodyDescription description;
    description.mesh = mesh;
    description.materials = {{"", {"rubber", 1e5, 0.45, 1100.0, 0.0, 0.01}}};
    const std::shared_ptr<const Body> body = Body::make(description, {});
    const auto message = [&](const std::string& first, const std::string& second) {
        const std::vector<PvdEntry> entries{{0.0, first}, {1.0, second}};
        write_pvd(folder.file("s.pvd"), entries);
        SeriesSource source;
        source.path = folder.file("s.pvd");
        return refusal([&] { read_series(source, body); });
    };
    expect_words(message("a.vtu", "./a.vtu"), {"s.pvd", "'./a.vtu' is named twice"});
    expect_words(message("a.vtu", "same.vtu"), {"'same.vtu' is named twice"});
    for (const std::string& other :
         {outside.file("o.vtu"),
          text("../", std::filesystem::path(outside.file("o.vtu")).parent_path().filename().string(), "/o.vtu"),
          std::string("link.vtu")}) {
        expect_words(message("a.vtu", other),
                     {"s.pvd", "is not in the folder of the file that names it", "files beside the PVD file or below"});
    }
    expect_words(message("a.vtu", "none.vtu"), {"'none.vtu' is not there"});
}

TEST(NamedFiles, AMissingLibraryIsToldByTheCheckOfAScene) {
    const TemporaryFolder folder;
    saved(folder, "t.obj", text("mtllib none.mtl\n", kTet));
    const auto scene = [](const char* body) {
        return text(
            R"({"format": 1, "bodies": [{)", body,
            R"(, "materials": [{"preset": "fat"}], "anchors": [{"set": "left"}]}], "method": {"name": "linear_fem"}, )"
            R"("step": 0.01, "duration": 0.02})");
    };
    for (const char* body :
         {R"("mesh": {"shape": "box", "kind": "tet4", "counts": [1, 1, 1]}, "surface": {"path": "t.obj"})",
          R"("mesh": {"path": "t.obj", "cells": 200})"}) {
        const SceneCheck checked = check_scene(saved(folder, "s.json", scene(body)), {}, {});
        ASSERT_TRUE(checked.ok()) << to_string(checked.faults.front());
        bool told = false;
        for (const SceneFault& warning : checked.warnings) {
            told = told ||
                   warning.found == text(folder.file("t.obj"),
                                         ": the material library 'none.mtl' is not there: plain colours are shown");
        }
        EXPECT_TRUE(told) << body;
    }
}

TEST(SceneLimits, TheLongestListIsNamed) {
    std::string forces;
    for (int i = 0; i < 1001; ++i) forces += text(i ? ", " : "", R"({"set": "right", "total": [0, 1, 0]})");
    const std::string scene = text(
        R"({"format": 1, "bodies": [{"mesh": {"shape": "box", "kind": "tet4", "counts": [1, 1, 1]}, "forces": [)",
        forces,
        R"(], "materials": [{"preset": "fat"}], "anchors": [{"set": "left"}]}], "method": {"name": "linear_fem"}, )"
        R"("step": 0.01, "duration": 0.02})");
    const SceneCheck checked = check_scene_text(scene, "s.json", {}, "", {});
    ASSERT_FALSE(checked.ok());
    expect_words(to_string(checked.faults.front()), {"/bodies/0/forces", "a list of 1001", "at most 1000 objects"});
}

}  // namespace
}  // namespace limber
