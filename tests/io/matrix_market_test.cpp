#include "io/matrix/matrix_market.hpp"
#include "expect_error.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/atomic_folder.hpp"
#include "io/temporary_folder.hpp"

#include <limits>
#include <sstream>

namespace limber {
namespace {

using namespace testing_io;

// [2 1 0; 1 3 0; 0 0 0] with values that need all their digits.
SparseMatrix small() { return {{0, 2, 4, 4}, {0, 1, 0, 1}, {2.0 / 3.0, 0.1, 0.1, 1e-300}}; }

class Impatient final : public Progress {
    bool stop_requested() const override { return true; }
};

TEST(MatrixMarket, TheLowerHalfComesBackToTheBit) {
    const TemporaryFolder folder;
    Progress silent;
    const std::vector<std::string> comments{"first", "with\na line break"};
    write_matrix_market(folder.file("a.mtx"), small(), comments, silent);
    std::istringstream in(read_file(folder.file("a.mtx")));
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(line, "%%MatrixMarket matrix coordinate real symmetric");
    std::getline(in, line);
    EXPECT_EQ(line, "% first");
    std::getline(in, line);
    EXPECT_EQ(line, "% with a line break");  // a comment must not become data
    std::size_t rows = 0, columns = 0, count = 0;
    in >> rows >> columns >> count;
    EXPECT_EQ(rows, 3u);
    EXPECT_EQ(columns, 3u);
    ASSERT_EQ(count, 3u);
    const std::vector<std::tuple<int, int, double>> expected{{1, 1, 2.0 / 3.0}, {2, 1, 0.1}, {2, 2, 1e-300}};
    for (const auto& [r, c, value] : expected) {
        int row = 0, column = 0;
        std::string number;
        in >> row >> column >> number;
        EXPECT_EQ(row, r);
        EXPECT_EQ(column, c);
        EXPECT_EQ(std::stod(number), value);
    }
    EXPECT_FALSE(in >> line);
}

TEST(MatrixMarket, TablesLieColumnByColumn) {
    const TemporaryFolder folder;
    const std::vector<double> values{1, 2, 3, 4, 5, 6};
    write_matrix_market(folder.file("x.mtx"), values, 3, {});
    EXPECT_EQ(read_file(folder.file("x.mtx")), "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n");
}

TEST(MatrixMarket, TroubleLeavesNoFile) {
    const TemporaryFolder folder;
    Progress silent;
    SparseMatrix broken = small();
    broken.values[2] = std::numeric_limits<double>::infinity();
    expect_error(Fault::bad_data, "a.mtx", [&] { write_matrix_market(folder.file("a.mtx"), broken, {}, silent); });
    Impatient stop;
    expect_error(Fault::interrupted, "a.mtx", [&] { write_matrix_market(folder.file("a.mtx"), small(), {}, stop); });
    EXPECT_EQ(folder.entries(), 0u);
}

TEST(AtomicFolder, FilesAppearTogetherAndReplaceAnEarlierOutput) {
    const TemporaryFolder folder;
    const std::vector<std::string> names{"a", "b"};
    const std::string path = folder.file("deep/out");
    {
        AtomicFolder out(path, names);
        write_file(out.file("a"), "1");
        EXPECT_FALSE(std::filesystem::exists(path));
        out.commit();
    }
    EXPECT_EQ(read_file(path + "/a"), "1");
    {
        AtomicFolder out(path + "/", names);
        write_file(out.file("b"), "2");
    }  // never committed: the old one stays
    EXPECT_EQ(read_file(path + "/a"), "1");
    {
        AtomicFolder out(path, names);
        write_file(out.file("b"), "2");
        out.commit();
    }
    EXPECT_FALSE(std::filesystem::exists(path + "/a"));
    EXPECT_EQ(read_file(path + "/b"), "2");
    std::size_t entries = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.file("deep"))) ++entries;
    EXPECT_EQ(entries, 1u);
}

TEST(AtomicFolder, FoldersWithSomethingElseAreLeftAlone) {
    // Replacing a folder means deleting it: nobody's thesis may be in there.
    const TemporaryFolder folder;
    const std::vector<std::string> names{"a"};
    std::filesystem::create_directory(folder.file("out"));
    EXPECT_NO_THROW(AtomicFolder(folder.file("out"), names));
    write_file(folder.file("out/thesis.tex"), "x");
    expect_error(Fault::bad_usage, "/out", [&] { AtomicFolder(folder.file("out"), names); });
    expect_error(Fault::bad_usage, "/out/thesis.tex", [&] { AtomicFolder(folder.file("out/thesis.tex"), names); });
    expect_error(Fault::bad_file, "/out/thesis.tex/below",
                 [&] { AtomicFolder(folder.file("out/thesis.tex/below"), names); });
    expect_error(Fault::bad_usage, "no name for the folder to write", [&] { AtomicFolder("", names); });
    EXPECT_EQ(read_file(folder.file("out/thesis.tex")), "x");
    EXPECT_EQ(folder.entries(), 1u);
}

}  // namespace
}  // namespace limber
