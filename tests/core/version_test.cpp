#include <limber/version.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

namespace limber {
namespace {

TEST(Provenance, NamesEveryIngredient) {
    // The linked libraries once vanished: CMake dropped a definition that held parentheses.
    const Provenance p = provenance();
    EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(p.version.front()))) << p.version;
    EXPECT_EQ(std::count(p.version.begin(), p.version.end(), '.'), 2) << p.version;
    EXPECT_FALSE(p.compiler.empty());
    EXPECT_NE(p.compiler.back(), ' ');
    EXPECT_FALSE(p.cpu.empty());
    EXPECT_FALSE(p.isa.empty());
    EXPECT_NE(p.linked.find("Eigen 3"), std::string::npos) << p.linked;
    EXPECT_NE(p.linked.find("METIS"), std::string::npos) << p.linked;
    EXPECT_EQ(p.threads, thread_count());
}

TEST(Provenance, CommitIsAHashOrUnknown) {
    std::string commit = provenance().commit;
    if (commit == "unknown") return;
    if (commit.back() == '+') commit.pop_back();
    EXPECT_EQ(commit.size(), 12u);
    EXPECT_TRUE(std::all_of(commit.begin(), commit.end(), [](unsigned char c) { return std::isxdigit(c) != 0; }))
        << commit;
}

}  // namespace
}  // namespace limber
