#include "io/files/indexed_folder.hpp"
#include "expect_error.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/atomic_folder.hpp"
#include "io/files/owned_files.hpp"
#include "io/temporary_folder.hpp"

#include <limber/error.hpp>

#include <set>

namespace limber {
namespace {

using namespace testing_io;
namespace fs = std::filesystem;

FolderClaim page(const std::string& made_by = "limber test") { return {made_by, "index.html", {"*.svg"}, {}}; }

/// Names without the hidden list.
std::set<std::string> names_in(const std::string& folder) {
    std::set<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder))
        if (const std::string name = entry.path().filename().string(); name != ".index.html.files") out.insert(name);
    return out;
}

void write_page_of(const std::string& folder, std::initializer_list<const char*> plots,
                   const FolderClaim& claim = page()) {
    IndexedFolder out(folder, claim);
    for (const char* plot : plots) write_file(out.file(plot), "plot");
    write_file(out.file("index.html"), "page");
    out.commit();
}

TEST(IndexedFolder, AShorterRunLeavesNothingOfTheLongerOne) {
    const TemporaryFolder folder;
    const std::string path = folder.file("deep/out");
    write_page_of(path, {"a.svg", "b.svg", "c.svg"});
    EXPECT_EQ(names_in(path), (std::set<std::string>{"a.svg", "b.svg", "c.svg", "index.html"}));
    write_page_of(path, {"b.svg"});
    EXPECT_EQ(names_in(path), (std::set<std::string>{"b.svg", "index.html"}));
}

TEST(IndexedFolder, WhatIsNotCommittedLeavesTheOldRunOrNoFolder) {
    const TemporaryFolder folder;
    {
        IndexedFolder out(folder.file("new"), page());
        write_file(out.file("index.html"), "page");
    }
    EXPECT_FALSE(fs::exists(folder.file("new")));
    write_page_of(folder.file("old"), {"a.svg"});
    {
        IndexedFolder out(folder.file("old"), page());
        write_file(out.file("b.svg"), "plot");
        EXPECT_EQ(read_file(folder.file("old/index.html")), "page");
    }
    EXPECT_EQ(names_in(folder.file("old")), (std::set<std::string>{"a.svg", "index.html"}));
}

TEST(IndexedFolder, StrangersAreRefusedAndOthersStay) {
    const TemporaryFolder folder;
    const std::string path = folder.file("out");
    fs::create_directories(path + "/gallery");
    write_file(path + "/notes.txt", "mine");
    write_page_of(path, {"a.svg"});  // neither is a name it writes
    EXPECT_TRUE(fs::exists(path + "/gallery") && fs::exists(path + "/notes.txt"));
    expect_error(Fault::bad_usage, path,
                 [&] { IndexedFolder(path, page("limber other")); });  // the page of another verb
    write_file(path + "/mine.svg", "mine");
    expect_error(Fault::bad_usage, path, [&] { IndexedFolder(path, page()); });
    fs::remove(path + "/mine.svg");
    fs::remove(path + "/.index.html.files");  // whose index.html is it now?
    expect_error(Fault::bad_usage, path, [&] { IndexedFolder(path, page()); });
    EXPECT_EQ(read_file(path + "/index.html"), "page");
    expect_error(Fault::bad_usage, "/out/notes.txt", [&] { IndexedFolder(path + "/notes.txt", page()); });
    expect_error(Fault::bad_usage, "no name for the folder to write", [&] { IndexedFolder("", page()); });
}

TEST(IndexedFolder, AFileThatAppearsMeanwhileIsNotWrittenOver) {
    const TemporaryFolder folder;
    IndexedFolder out(folder.file("out"), page());
    write_file(out.file("index.html"), "page");
    write_file(out.file("numbers.txt"), "1 2 3");  // a name that the claim does not tell
    write_file(folder.file("out/numbers.txt"), "mine");
    expect_error(Fault::bad_usage, "/out", [&] { out.commit(); });
    EXPECT_EQ(read_file(folder.file("out/numbers.txt")), "mine");
    EXPECT_FALSE(fs::exists(folder.file("out/index.html")));
}

TEST(IndexedFolder, KeptFilesAreOwnAndStay) {
    const TemporaryFolder folder;
    FolderClaim claim = page();
    claim.kept = {"points.jsonl"};
    {
        IndexedFolder out(folder.file("out"), claim);
        write_file(folder.file("out/points.jsonl"), "1");
    }  // stopped: the points are what the next run goes on from
    EXPECT_EQ(read_file(folder.file("out/points.jsonl")), "1");
    write_page_of(folder.file("out"), {"a.svg"}, claim);
    EXPECT_EQ(names_in(folder.file("out")), (std::set<std::string>{"a.svg", "index.html", "points.jsonl"}));
}

TEST(IndexedFolder, ABrokenOrHostileListOwnsNothingOutside) {
    const TemporaryFolder folder;
    write_file(folder.file("precious"), "mine");
    fs::create_directory(folder.file("out"));
    write_file(folder.file("out/.index.html.files"),
               R"({"made_by": "limber test", "files": ["../precious", "..", "a/b", 3, ""]})");
    write_page_of(folder.file("out"), {});
    EXPECT_EQ(read_file(folder.file("precious")), "mine");
    write_file(folder.file("out/.index.html.files"), "{");
    expect_error(Fault::bad_usage, "/out", [&] { IndexedFolder(folder.file("out"), page()); });
}

TEST(AtomicFolder, SignedFoldersReplaceTheirOwnFilesOnly) {
    const TemporaryFolder folder;
    const std::string path = folder.file("frames"), made_by = "limber test";
    {
        AtomicFolder out(path, made_by);
        for (const char* name : {"frame_000000.png", "frame_000001.png"}) write_file(out.file(name), "1");
        out.commit();
    }
    {
        AtomicFolder out(path, made_by);
        write_file(out.file("frame_000000.png"), "2");
        out.commit();
    }
    EXPECT_EQ(read_file(path + "/frame_000000.png"), "2");
    EXPECT_FALSE(fs::exists(path + "/frame_000001.png"));
    EXPECT_EQ(folder.entries(), 1u);
    expect_error(Fault::bad_usage, path, [&] { AtomicFolder(path, std::string("limber other")); });
    write_file(path + "/frame_000001.png", "somebody's, though of a name that is ours");
    expect_error(Fault::bad_usage, path, [&] { AtomicFolder(path, made_by); });
    EXPECT_TRUE(fs::exists(path + "/frame_000001.png"));
}

}  // namespace
}  // namespace limber
