#include "io/files/atomic_file.hpp"
#include "io/files/scanner.hpp"
#include "io/files/temporaries.hpp"
#include "io/temporary_folder.hpp"

#include "core/text.hpp"
#include "expect_error.hpp"

#include <clocale>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <sys/wait.h>
#include <unistd.h>

namespace limber {
namespace {

using namespace testing_io;

std::string reason_of_reading(const std::string& path) {
    try {
        read_file(path);
    } catch (const Error& e) {
        EXPECT_EQ(e.fault(), Fault::bad_file);
        return e.found();
    }
    return "no error";
}

TEST(AtomicFile, TheOldFileStaysUntilTheNewOneIsComplete) {
    const TemporaryFolder folder;
    const std::string path = folder.file("f");
    write_file(path, "old");
    {
        AtomicFile file(path);
        file.write("half of the new");
        EXPECT_EQ(read_file(path), "old");
    }  // never committed
    EXPECT_EQ(read_file(path), "old");
    EXPECT_EQ(folder.entries(), 1u);
    write_file(path, "new");
    EXPECT_EQ(read_file(path), "new");
    EXPECT_EQ(folder.entries(), 1u);
}

TEST(AtomicFile, AFailedWriteCanBeCutBack) {
    const TemporaryFolder folder;
    AtomicFile file(folder.file("f"));
    file.write("whole");
    const std::uint64_t whole = file.size();
    file.write(" and ha");
    file.cut(whole);
    file.write(".");
    file.commit();
    EXPECT_EQ(read_file(folder.file("f")), "whole.");
}

TEST(AtomicFile, WhatAKilledProcessLeftIsClearedByTheNextOfThatName) {
    const TemporaryFolder folder;
    const pid_t child = ::fork();  // a number that nobody has
    if (child == 0) ::_exit(0);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    const auto leave = [&](const std::string& name) { std::ofstream(folder.file(name)) << "half"; };
    leave(text("f.", child, "-0.tmp"));
    leave(text("g.", child, "-0.tmp"));        // of another file
    leave(text("f.", ::getppid(), "-0.tmp"));  // of a process that runs
    leave("f.tmp");
    write_file(folder.file("f"), "new");
    EXPECT_EQ(folder.entries(), 4u);
    EXPECT_FALSE(std::filesystem::exists(folder.file(text("f.", child, "-0.tmp"))));
}

TEST(AtomicFile, ADeadlySignalRemovesTemporaryFiles) {
    const TemporaryFolder folder;
    AtomicFile file(folder.file("f"));
    file.write("half");
    write_file(folder.file("g"), "whole");
    remove_doomed_files();
    EXPECT_EQ(folder.entries(), 1u);
    EXPECT_EQ(read_file(folder.file("g")), "whole");
}

TEST(AtomicFile, AFullDiskIsAnErrorWithTheSystemsReason) {
    // /dev/full answers every write with "no space left".
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    try {
        write_file("/dev/full", "text");
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.fault(), Fault::bad_file);
        EXPECT_STREQ(e.what(), "/dev/full: cannot be written: No space left on device");
    }
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));  // a rename would have replaced the device
}

TEST(AtomicFile, SymbolicLinksAndPermissionsAreKept) {
    const TemporaryFolder folder;
    write_file(folder.file("real"), "old");
    std::filesystem::permissions(folder.file("real"),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    std::filesystem::create_symlink("real", folder.file("link"));
    write_file(folder.file("link"), "new");
    EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
    EXPECT_EQ(read_file(folder.file("real")), "new");
    EXPECT_EQ(std::filesystem::status(folder.file("real")).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(AtomicFile, UnusablePathsAreOneLineErrors) {
    const TemporaryFolder folder;
    expect_error(Fault::bad_file, "no/such/folder/f", [&] { write_file(folder.file("no/such/folder/f"), "x"); });
    expect_error(Fault::bad_file, folder.file(""), [&] { write_file(folder.file(""), "x"); });
    expect_error(Fault::bad_file, "cannot be written", [&] { write_file("", "x"); });
    EXPECT_EQ(reason_of_reading(folder.file("none")), "cannot be read: No such file or directory");
    EXPECT_EQ(reason_of_reading(folder.file("")), "cannot be read: this is a folder, not a file");
    write_file(folder.file("empty"), "");
    EXPECT_EQ(reason_of_reading(folder.file("empty")), "the file is empty");
}

TEST(Scanner, NumbersDoNotDependOnTheLocale) {
    // strtod would stop at the point under a German locale; from_chars must not.
    const std::string before = std::setlocale(LC_ALL, nullptr);
    std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is not installed the claim holds trivially
    double value = 0.0;
    EXPECT_TRUE(parse_real("1.5", value));
    EXPECT_EQ(value, 1.5);
    EXPECT_FALSE(parse_real("1,5", value));
    std::setlocale(LC_ALL, before.c_str());
}

TEST(Scanner, OddNumbersAreReadOrRefusedButNeverMisread) {
    double value = 7.0;
    EXPECT_TRUE(parse_real("1e-999", value));
    EXPECT_EQ(value, 0.0);
    EXPECT_TRUE(parse_real("+2.5E3", value));
    EXPECT_EQ(value, 2500.0);
    EXPECT_TRUE(parse_real("4.9406564584124654e-324", value));
    EXPECT_GT(value, 0.0);
    for (const char* bad : {"", "+", "++1", "+-1", "1e999", "-1e999", "1.5.2", "1 ", "0x10", "1d5", "e5", "."})
        EXPECT_FALSE(parse_real(bad, value)) << bad;
    std::int64_t integer = 0;
    EXPECT_TRUE(parse_integer("-9223372036854775808", integer));
    for (const char* bad : {"", "+", "1.0", "9223372036854775808", "--1", "+-1", "1e3"})
        EXPECT_FALSE(parse_integer(bad, integer)) << bad;
}

TEST(Scanner, NamesAreUtf8WithoutControlCharacters) {
    EXPECT_TRUE(is_name("a \xc3\xa4 \xf0\x9f\x98\x80"));
    for (const char* bad : {"", "a\nb", "\xc3", "\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "x\x7f"})
        EXPECT_FALSE(is_name(bad));
}

}  // namespace
}  // namespace limber
